"""The games, one folder each. A game knows no environment and no other game."""
