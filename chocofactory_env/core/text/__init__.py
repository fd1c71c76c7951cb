"""Write positions, moves, and layouts as text, and read answers in text as moves."""
