"""What searches know of the game beyond its rules: the features that a value of a position is linear in."""
