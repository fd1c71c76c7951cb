"""Legality and effects of actions, clause by clause of the page `rules.md`, as small functions over the state record.

Every function is compiled: it allocates nothing, raises nothing, and takes card tables as an argument.
"""
