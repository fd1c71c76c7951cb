"""Trained networks for the games of `chocofactory_env`, a folder per game."""
