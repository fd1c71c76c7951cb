"""Cards that people type: TOML files, checks that say where a mistake is, provenance, and a hash of what is played."""
