"""Other libraries' environments, measured on the same work and the same core as ours."""
