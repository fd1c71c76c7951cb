"""Positions, moves and layouts as text, and answers in text read as moves."""
