"""What is there to see: a game describes a position as one tree, and what shows the position reads the tree."""
