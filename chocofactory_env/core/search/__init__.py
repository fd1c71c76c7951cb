"""Search for any game: playouts, trees, search within a turn, and the value that judges positions."""
