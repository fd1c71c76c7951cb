"""Other libraries' environments, measured like ours on the same core."""
