"""Kernels of changed toy races. Their entries run as plain Python, since a library for each would take a minute."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

from chocofactory_env.core.binding import bind
from chocofactory_env.core.jit import Entry
from chocofactory_env.core.library import plain
from toyrace.game import RECORDS


class PlainEntry(Entry):
    """An entry for which no library is built."""

    def bind(self, *first: Any, remembered: Any = ()) -> Callable[..., Any]:
        return plain(self.plain, first)


def bind_plain(game: str, rules: Mapping[str, Callable[..., Any]], **more: Any) -> SimpleNamespace:
    """Like `binding.bind`, with the records of the toy race."""
    kernel = bind(game, rules, module=__name__, records=RECORDS, **more)
    for made in vars(kernel).values():
        if isinstance(made, Entry):
            made.__class__ = PlainEntry
    return kernel
