"""Networks that play, and their files."""
