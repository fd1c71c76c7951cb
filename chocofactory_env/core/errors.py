"""Errors that every game raises about what comes from outside."""

from __future__ import annotations


class DeckError(ValueError):
    """A deck that cannot be played; the message names file, table, card and field, and what was expected."""


class StateError(ValueError):
    """A dictionary that is not a position of this game and variant; the message names the place."""
