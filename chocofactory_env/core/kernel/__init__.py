"""The kernel of every game: its rules, steps of one position and of many, chance, rewards, and batches."""
