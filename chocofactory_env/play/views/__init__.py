"""What a browser is shown of a table."""
