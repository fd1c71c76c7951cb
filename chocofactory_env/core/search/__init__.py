"""Searches for any game: playouts, trees, the best way through a turn, and the value that judges positions."""
