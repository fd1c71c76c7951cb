"""Positions of play with numbers changed within their declared bounds, played at random to the end.

`python tests/helpers/mutations.py schoko --number 10000 --seed 7` prints how many ended and how many were refused. With
NUMBA_BOUNDSCHECK=1 libraries are built that end the process where they would read or write outside an array.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from random_play import VARIANTS

import chocofactory_env as cf
from chocofactory_env.core.codec import PLAIN, Table
from chocofactory_env.core.records import Record

MOST_DECISIONS: Final = 20_000
PLACES_A_GAME: Final = 12  # positions of one game that are mutated
Place = tuple[Any, int, int]  # an array of numbers, least, most


def places(record: type[Record], row: Any, table: Table) -> list[list[Place]]:
    """Every number of a row that its owner may change, by field of the row."""
    return [
        list(_places(each, row, name, table.get(record, {}).get(name, PLAIN), table))
        for name, each in record.own.items()
    ]


def _places(of: Any, row: Any, name: str, words: Any, table: Table) -> Iterator[Place]:
    if of.record is not None:
        rows = row[name].reshape(-1) if of.shape else [row[name]]
        count = len(words.axes[0]) if words.axes else len(rows)
        for each in rows[:count]:
            for found in places(of.record, each, table):
                yield from found
        return
    most = of.most
    if words.bits is not None:
        most = (1 << len(words.bits)) - 1
    elif words.values is not None:
        most = len(words.values) - 1
    whole = row[name] if of.shape else row[[name]]
    numbers = whole.reshape(-1) if of.shape else None
    for place in range(int(np.prod(of.shape, dtype=int))):
        yield (numbers, place) if numbers is not None else (row, name), of.least, most  # type: ignore[misc]


def mutate(game: Any, state: np.ndarray, other: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A copy with one to eight numbers changed: by one, to any within bounds, or to that of another position."""
    copy = state.copy()
    table = game.words()
    fields = [each for each in places(game.record, copy[0], table) if each]
    theirs = [each for each in places(game.record, other.copy()[0], table) if each]
    for _ in range(int(rng.choice((1, 1, 2, 3, 5, 8)))):
        branch = int(rng.integers(len(fields)))
        number = int(rng.integers(len(fields[branch])))
        (array, at), least, most = fields[branch][number]
        how = rng.random()
        if how < 0.4:
            value = int(array[at]) + int(rng.choice((-1, 1)))
        elif how < 0.8:
            value = int(rng.integers(least, most, endpoint=True)) if most < 1 << 62 else int(rng.integers(1 << 62))
        else:
            (source, there), _, _ = theirs[branch][number]
            value = int(source[there])
        if least <= value <= most:
            array[at] = value
    return copy


def play(game: Any, state: np.ndarray, rng: np.random.Generator) -> str:
    for decision in range(MOST_DECISIONS):
        if game.is_over(state):
            game.scores(state), game.ranking(state), game.won(state)
            return "ended"
        legal = np.flatnonzero(game.legal_mask(state))
        if not len(legal):
            return "stuck"
        game.apply(state, int(rng.choice(legal)))
        if decision % 50 == 0:
            look(game, state, int(rng.integers(1 << 32)))
    return "long"


def look(game: Any, state: np.ndarray, seed: int) -> None:
    for seat in range(game.num_players):
        game.observe(state, seat)
        game.redeal(state, seat, seed)


def positions(game: Any, rng: np.random.Generator) -> list[np.ndarray]:
    state, found = game.new(int(rng.integers(1 << 62))), []
    while not game.is_over(state):
        found.append(state.copy())
        game.apply(state, int(rng.choice(np.flatnonzero(game.legal_mask(state)))))
    return [found[i] for i in rng.choice(len(found), PLACES_A_GAME)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=VARIANTS)
    parser.add_argument("--number", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--log")
    chosen = parser.parse_args()
    results: Counter[str] = Counter()
    games = [cf.load(chosen.game, **options) for options in VARIANTS[chosen.game]]
    for number in range(chosen.first // PLACES_A_GAME, chosen.number // PLACES_A_GAME):
        rng = np.random.default_rng([chosen.seed, number])
        game = games[number % len(games)]
        there = positions(game, rng)
        for k, state in enumerate(there):
            mutant = mutate(game, state, there[int(rng.integers(len(there)))], rng)
            if chosen.log:
                with open(chosen.log, "w") as f:
                    f.write(f"{number * PLACES_A_GAME + k}\n")
                np.save(chosen.log + ".npy", np.stack([state.view(np.uint8), mutant.view(np.uint8)]))
            data = game.to_dict(mutant)
            try:
                again = game.from_dict(json.loads(json.dumps(data)))
            except cf.StateError:
                results["refused"] += 1
                continue
            assert again.tobytes() == mutant.tobytes()
            results[play(game, again, rng)] += 1
    print(dict(results))


if __name__ == "__main__":
    main()
