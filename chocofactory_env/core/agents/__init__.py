"""The protocol of agents, and what they are given: observations, moves, and seeds."""
