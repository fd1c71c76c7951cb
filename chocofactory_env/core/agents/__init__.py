"""What agents are, and what they are told: observations, moves, seeds."""
