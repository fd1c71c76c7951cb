"""Errors that every game can raise."""

from __future__ import annotations


class DeckError(ValueError):
    """A deck that cannot be played. The message names file, table, card, and field, and what was expected."""


class StateError(ValueError):
    """A dictionary that is not a position of this game and variant. The message names the place."""


class CompileError(TypeError):
    """A function of the rules that cannot be compiled. The message is one line: file, function, and what is wrong."""
