"""Agents compared: matches, tournaments, ratings and their statistics. What knows a game is in a folder of its name."""
