"""What every game runs: the rules it provides, steps of one position and of many, chance, rewards, batches."""
