"""Cards that people write: TOML files, checks that name the place of a mistake, provenance, and a hash."""
