"""Positions of play, changed within their declared bounds and played at random to the end.

`python tests/helpers/mutations.py schoko --number 10000 --seed 7` prints how they ended. With NUMBA_BOUNDSCHECK=1
libraries are built that end the process where they would read or write outside an array; so each is played in a
process of its own.
"""

from __future__ import annotations

import json
import os
import signal
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
import tyro
from random_play import VARIANTS

import chocofactory_env as cf
from chocofactory_env.core.codec import PLAIN, Table
from chocofactory_env.core.records import Field, Record

MOST_DECISIONS: Final = 20_000
MOST_SECONDS: Final = 60
OF_A_GAME: Final = 12  # positions
LOOKS_EVERY: Final = 50  # decisions
# By the exit status of the process that plays.
ENDS: Final = {0: "over", 1: "refused", 2: "nobody can act", 3: "not over"}


class Number(NamedTuple):
    """A number of a record: its place in an array, and its bounds."""

    array: Any
    at: Any
    least: int
    most: int


def branches(record: type[Record], row: Any, table: Table) -> Iterator[list[Number]]:
    """The numbers of every field of a row."""
    for name, each in record.own_fields.items():
        words = table.get(record, {}).get(name, PLAIN)
        if each.record is not None:
            rows = row[name][: len(words.axes[0]) if words.axes else None] if each.shape else [row[name]]
            yield [number for inner in rows for found in branches(each.record, inner, table) for number in found]
            continue
        least, most = bounds(each, words)
        if not each.shape:
            yield [Number(row, name, least, most)]
            continue
        within = tuple(slice(len(axis)) for axis in words.axes)
        shape = row[name][within].shape
        yield [Number(row[name], place, least, most) for place in np.ndindex(*shape)]


def bounds(field: Field, words: Any) -> tuple[int, int]:
    if words.bits is not None:
        return 0, (1 << len(words.bits)) - 1
    return field.least, field.most if words.values is None else len(words.values) - 1


def changed(game: Any, state: np.ndarray, other: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A copy with one to eight numbers changed: by one, to any within bounds, or to that of `other`."""
    copy = state.copy()
    pairs = zip(*(branches(game.record, each[0], game.words) for each in (copy, other)), strict=True)
    fields = [(numbers, others) for numbers, others in pairs if numbers]
    for _ in range(int(rng.choice((1, 1, 2, 3, 5, 8)))):
        numbers, others = fields[rng.integers(len(fields))]
        place = int(rng.integers(len(numbers)))
        array, at, least, most = numbers[place]
        value = (
            int(array[at]) + int(rng.choice((-1, 1))),
            int(rng.integers(least, most, endpoint=True)),
            int(others[place].array[others[place].at]),
        )[rng.integers(3)]
        if least <= value <= most:
            array[at] = value
    return copy


def mutants(game: Any, rng: np.random.Generator) -> list[np.ndarray]:
    """Changed positions of a random game."""
    state, seen = game.new(int(rng.integers(1 << 62))), []
    while not game.is_over(state):
        seen.append(state.copy())
        game.apply(state, int(rng.choice(np.flatnonzero(game.legal_mask(state)))))
    return [changed(game, seen[one], seen[other], rng) for one, other in rng.integers(len(seen), size=(OF_A_GAME, 2))]


def end_of(game: Any, position: np.ndarray, rng: np.random.Generator) -> int:
    """Play a position to its end; returns a key of ENDS."""
    try:
        state = game.from_dict(json.loads(json.dumps(game.to_dict(position))))
    except cf.StateError:
        return 1
    assert state.tobytes() == position.tobytes()
    for decision in range(MOST_DECISIONS):
        if game.is_over(state):
            game.scores(state)
            return 0
        legal = np.flatnonzero(game.legal_mask(state))
        if not len(legal):
            return 2
        game.apply(state, int(rng.choice(legal)))
        if decision % LOOKS_EVERY == 0:
            look(game, state, int(rng.integers(1 << 32)))
    return 3


def look(game: Any, state: np.ndarray, seed: int) -> None:
    """Call what sees and tries a position."""
    for seat in range(game.num_players):
        game.observe(state, seat)
        game.redeal(state, seat, seed)
    game.random_playout(state, seed)


def outcome(game: Any, position: np.ndarray, rng: np.random.Generator) -> str:
    """How a position ends that is played in another process: in words, or the signal that ended the process."""
    process = os.fork()
    if process == 0:
        signal.alarm(MOST_SECONDS)
        status = 70  # an exception
        try:
            status = end_of(game, position, rng)
        finally:
            os._exit(status)
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    return ENDS.get(code) or (f"status {code}" if code > 0 else signal.Signals(-code).name)


def outcomes(name: str, number: int, seed: int) -> Counter[str]:
    """How often positions ended in which way."""
    games, found = [cf.load(name, **options) for options in VARIANTS[name]], Counter[str]()
    look(games[0], games[0].new(1), 1)  # so that no other process builds a part of the library
    for first in range(0, number, OF_A_GAME):
        rng = np.random.default_rng((seed, first))
        game = games[first // OF_A_GAME % len(games)]
        for position in mutants(game, rng):
            found[outcome(game, position, rng)] += 1
    return found


def main(game: tyro.conf.Positional[str], *, number: int, seed: int) -> None:
    print(json.dumps(outcomes(game, number, seed)))


if __name__ == "__main__":
    tyro.cli(main)
