"""The balance of Schoko & Co."""
