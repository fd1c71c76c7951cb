"""What is shared by all games: layouts, the compile policy, the generator, rewards. It knows no game."""
