"""The balance of Chocolate Factory."""
