"""Positions as data, read and checked."""
