"""Training of agents: one readable file an algorithm, run from the checkout with `python -m training.NAME`."""
