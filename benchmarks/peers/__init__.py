"""Other libraries' environments, measured like ours: each script runs alone, with its library installed."""
