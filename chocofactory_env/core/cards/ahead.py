"""Draw many decks on all cores: helper processes put them into the cache folder (`kept`), each from a list of names.

    python -m chocofactory_env.core.cards.ahead MODULE < names

A helper calls `MODULE.load_cards(*words)` for every line of words, and writes a byte for each deck.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from tempfile import TemporaryFile
from typing import IO, Final, cast
from weakref import finalize

from .kept import keeping

FEWEST: Final = 64  # decks for which it is worth to start processes
MOST: Final = 30_000  # bytes that a pipe takes though nobody reads them

SHOWN_EVERY: Final = 16  # decks

Words = Sequence[str]  # the arguments of `load_cards`


class Drawing:
    """Helpers at work. They end with their lists, with this process, or when nobody refers to this object."""

    def __init__(self, module: str, decks: Sequence[Words]) -> None:
        number = min(num_cores(), len(decks))
        command = [sys.executable, "-m", __name__, module]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self._drawn: list[IO[bytes]] = []
        helpers = []
        for first in range(number):
            with TemporaryFile() as names:
                names.writelines("\t".join(words).encode() + b"\n" for words in decks[first::number])
                names.seek(0)
                helpers.append(subprocess.Popen(command, stdin=names, stdout=subprocess.PIPE, env=environment))
            self._drawn.append(cast("IO[bytes]", helpers[-1].stdout))
        self.stop = finalize(self, _stop, helpers)

    def __reduce__(self) -> tuple[type[None], tuple[()]]:
        """A copy has no helpers: it is None."""
        return type(None), ()

    def wait_for(self, decks: int, game: str) -> None:
        """Wait until the first so many decks are drawn, with a line of progress on stderr."""
        every = SHOWN_EVERY if sys.stderr.isatty() else decks
        for done in range(decks):
            if not self._drawn[done % len(self._drawn)].read(1):
                break  # a helper has died: what it has not drawn is drawn when it is needed
            if not done % every:
                tell(f"{done:,} of {decks:,} decks of {game} are drawn")
        tell(f"{decks:,} decks of {game} are drawn{' ' * 9}\n")


def tell(text: str) -> None:
    """Write over the line of progress on stderr."""
    print(f"\rchocofactory_env: {text}", end="", file=sys.stderr, flush=True)


def num_cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _stop(helpers: Sequence[subprocess.Popen[bytes]]) -> None:
    for helper in helpers:
        helper.kill()
        helper.communicate()


def main(module: str) -> None:
    load = import_module(module).load_cards
    with keeping(), suppress(BrokenPipeError, KeyboardInterrupt):  # nobody wants them any more
        for line in sys.stdin:
            load(*line.rstrip("\n").split("\t"))
            os.write(1, b".")


if __name__ == "__main__":
    main(*sys.argv[1:])
