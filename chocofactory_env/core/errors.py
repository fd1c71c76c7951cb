"""Errors that every game can raise."""

from __future__ import annotations


class DeckError(ValueError):
    """A deck that cannot be played; the message names file, table, card and field, and what was expected."""


class StateError(ValueError):
    """A dictionary that is not a position of this game and variant; the message names the place."""


class CompileForbiddenError(RuntimeError):
    """A function would have to be compiled, and `CHOCOFACTORY_COMPILE=never` forbids it; the message names it."""
