"""Players of Chocolate Factory."""
