"""Errors that every game raises about what comes from outside."""

from __future__ import annotations


class DeckError(ValueError):
    """A deck that cannot be played: says in which file, table, record and field, what was expected, and what is."""


class StateError(ValueError):
    """A dictionary that is not a position of this game and variant; the message says where and what was expected."""
