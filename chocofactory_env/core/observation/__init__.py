"""Declarations of actions and observations, and compiled code that reads masks and writes observations."""
