"""Attacks with mutated positions, and checks of those that are accepted or rejected.

`python tests/helpers/mutations.py schoko 10000 7` attacks with 10,000 mutants of seed 7 and prints the outcomes; a
fourth argument `search` lets search agents decide in some. With NUMBA_BOUNDSCHECK=1 libraries are built that end the
process where they would read or write outside an array; with CHOCOFACTORY_RULES=python numbers that do not fit their
fields raise an error.
"""

from __future__ import annotations

import importlib
import json
import os
import random
import re
import subprocess
import sys
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest
from repository import HELPERS, ROOT

import chocofactory_env as cf
from agents.protocol import decide, make_agent
from chocofactory_env.core.positions.reading import difference

Json = dict[str, Any]
Mutation = Callable[[Any, Json, random.Random], None]


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


NUMBERS = (0, 1, 2, 3, 5, 6, 7, 9, 10, 20, 21, 60, 99, 127, 128, 250, 255, 300, 3000, 30_000, 32_767, 32_768, 65_536)
ODD: tuple[Any, ...] = (
    None, True, False, -1, 1.0, 0.5, "", "nuts", "run", [], {}, [[]], {"nuts": 1}, 2**63, 10**5000, float("nan"),
    "x" * 5000, nested(5000),
)  # fmt: skip
PATH = re.compile(r"state(\.[\w -]+|\[\d+\])*: expected ")
LONGEST_MESSAGE = 300
MOST_DECISIONS = 60_000  # no game of Schoko & Co. is longer, and the others are shorter


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, item in inner for place in places(item, (*path, key)))]


def at(data: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        data = data[key]
    return data


def put(data: Any, path: tuple[Any, ...], value: Any) -> None:
    at(data, path[:-1])[path[-1]] = value


def some_place(data: Json, rng: random.Random, fits: Callable[[Any], bool]) -> tuple[Any, ...] | None:
    """A random place below `players`, `display`, … whose value fits; every branch of the table is equally likely."""
    branch = rng.choice([key for key in data if key not in ("game", "schema", "deck")])
    found = [(branch, *path) for path in places(data[branch]) if fits(at(data[branch], path))]
    return rng.choice(found) if found else None


def odd_value(game: Any, data: Json, rng: random.Random) -> None:
    path = some_place(data, rng, lambda value: True)
    if path:
        put(data, path, rng.choice(ODD))


def missing_or_unknown_key(game: Any, data: Json, rng: random.Random) -> None:
    path = some_place(data, rng, lambda value: isinstance(value, dict))
    table = at(data, path) if path else data
    if rng.random() < 0.5:
        table["y" * rng.choice((1, 1000))] = rng.choice(ODD)
    elif table:
        del table[rng.choice(list(table))]


def other_number(game: Any, data: Json, rng: random.Random) -> None:
    path = some_place(data, rng, lambda value: type(value) is int)
    if path:
        near = at(data, path) + rng.choice((-2, -1, 1, 2))
        put(data, path, near if rng.random() < 0.6 else rng.choice(NUMBERS))


def nothing(game: Any, data: Json, rng: random.Random) -> None:
    path = some_place(data, rng, lambda value: value is not None)
    if path:
        put(data, path, None)


def two_swapped(game: Any, data: Json, rng: random.Random) -> None:
    """Swap two values of one type, anywhere."""
    one = some_place(data, rng, lambda value: True)
    if one:
        other = some_place(data, rng, lambda value: type(value) is type(at(data, one)))
        if other and one[: len(other)] != other and other[: len(one)] != one:
            left, right = at(data, one), at(data, other)
            put(data, one, right)
            put(data, other, left)


def list_changed(game: Any, data: Json, rng: random.Random) -> None:
    path = some_place(data, rng, lambda value: isinstance(value, list) and len(value) > 0)
    if path:
        values = at(data, path)
        how = rng.randrange(4)
        if how == 0:
            values.pop(rng.randrange(len(values)))
        elif how == 1:
            values.append(deepcopy(rng.choice(values)))
        elif how == 2:
            rng.shuffle(values)
        else:
            values[rng.randrange(len(values))] = deepcopy(rng.choice(values))


ANY_VALUE: tuple[Mutation, ...] = (
    odd_value, missing_or_unknown_key, other_number, nothing, two_swapped, list_changed,
)  # fmt: skip


def scores_are_not_negative(game: Any, state: np.ndarray) -> bool:
    return bool((game.scores(state) >= 0).all())


@dataclass(frozen=True)
class Attacked:
    """A game under attack."""

    load: Callable[..., Any]
    variants: Sequence[dict[str, Any]]
    samples: Callable[[Any, int, int], list[Json]]  # game, seed, number -> positions of a random game
    choose: Callable[[Any, np.ndarray, np.random.Generator], int]  # a legal action
    any_value: Sequence[Mutation]
    of_the_game: Sequence[Mutation]  # mutations that keep more of the position consistent
    graft: Callable[[Json], Mutation]  # replaces a branch by that of another position of the same variant
    searchers: Sequence[str] = ()  # agents that search
    is_sound: Callable[[Any, np.ndarray], bool] = scores_are_not_negative  # what holds at the end of every game


class Broken(AssertionError):  # noqa: N818
    """An accepted position that cannot be played to its end, or an error that does not say what is wrong."""


def refusal(game: Any, data: Any) -> str:
    """The message of the error that rejects these data."""
    with pytest.raises(cf.StateError) as refused:
        game.from_dict(data)
    assert len(str(refused.value)) <= LONGEST_MESSAGE
    return str(refused.value)


def require(holds: bool, what: str) -> None:
    if not holds:
        raise Broken(what)


def mutated(attacked: Attacked, game: Any, position: Json, other: Json, rng: random.Random) -> tuple[Json, list[str]]:
    """A copy with one to three mutations, and their names."""
    data = deepcopy(position)
    chosen = [one_mutation(attacked, other, rng) for _ in range(rng.choice((1, 1, 2, 3)))]
    for mutation in chosen:
        try:
            mutation(game, data, rng)
        except (TypeError, KeyError, IndexError, ValueError, AttributeError, RecursionError):
            break  # an earlier mutation has left no such field
    return data, [mutation.__name__ for mutation in chosen]


def one_mutation(attacked: Attacked, other: Json, rng: random.Random) -> Mutation:
    if rng.random() < 0.65:
        return rng.choice(attacked.of_the_game)
    return attacked.graft(other) if rng.random() < 0.15 else rng.choice(attacked.any_value)


# --- outcomes


def judge(attacked: Attacked, game: Any, data: Json, seed: int, searchers: Sequence[str] = ()) -> str:
    """The outcome, rejected or accepted; raises Broken if it is neither. `searchers` decide in an accepted position."""
    try:
        state = game.from_dict(data)
    except cf.StateError as error:
        message = str(error)
        require(PATH.match(message) is not None, f"no path in {message!r}")
        require(len(message) <= LONGEST_MESSAGE, f"a message of {len(message)} characters: {message[:200]!r}")
        return "refused"
    require(json.dumps(game.to_dict(state), sort_keys=True) == json.dumps(data, sort_keys=True), "not what was given")
    if not game.is_over(state):
        for name in searchers:
            require(bool(game.legal_mask(state)[decide(game, searcher(name, game), state)]), f"{name} is illegal")
    play_to_the_end(attacked, game, state, np.random.default_rng(seed))
    return "accepted"


@cache
def searcher(name: str, game: Any) -> Any:
    return make_agent(name, game)


def play_to_the_end(attacked: Attacked, game: Any, state: np.ndarray, rng: np.random.Generator) -> None:
    look = int(rng.integers(10, 80))
    for decision in range(MOST_DECISIONS):
        if decision % look == 0:
            look_at(game, state, int(rng.integers(1 << 32)))
        if game.is_over(state):
            look_at(game, state, 1)
            results = [game.scores(state), game.ranking(state), game.won(state), game.standings(state)]
            require(all(len(result) == game.num_players for result in results), "results")
            require(attacked.is_sound(game, state), "numbers that cannot be at the end")
            return
        mask = game.legal_mask(state)
        require(bool(mask.any()), "no legal action")
        game.apply(state, attacked.choose(game, mask, rng))
    raise Broken(f"not over after {MOST_DECISIONS} decisions")


def look_at(game: Any, state: np.ndarray, seed: int) -> None:
    """Check that the position can be shown, written, read again, and redealt."""
    raw = np.empty(game.observation_layout.size, np.uint8)
    for seat in range(game.num_players):
        game.write_raw_observation(state, seat, raw)
        above = np.flatnonzero(raw > game.observation_layout.high)
        require(not len(above), f"observation above its high at {above[:5].tolist()}")
    require(max(map(len, game.render(state).splitlines())) <= 100, "a long line")
    for position in (state, game.redeal(state, 0, seed)):
        described = game.to_dict(position)
        require(game.to_dict(game.from_dict(described)) == described, "not the same position again")


def results_of(attacked: Attacked, number: int, seed: int) -> Counter[str]:
    """Count the mutants that were rejected, accepted or unchanged; AssertionError if one broke something."""
    results: Counter[str] = Counter()
    broken = []
    for place, (result, names, why) in enumerate(attack(attacked, number, seed), 1):
        results[result] += 1
        if result == "broken":
            broken.append(f"mutant {place} of seed {seed}, {names}: {why}")
    assert not broken, "\n".join(broken)
    return results


def check_uncompiled(name: str, number: int, seed: int) -> None:
    """Attack positions of a game in another process, without compiled rules.

    There, numbers that do not fit their fields and indices outside arrays raise.
    """
    path = os.pathsep.join((str(HELPERS), str(ROOT)))
    found = subprocess.run(
        [sys.executable, str(HELPERS / "mutations.py"), name, str(number), str(seed)],
        env={**os.environ, "PYTHONPATH": path, "CHOCOFACTORY_RULES": "python"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    assert "broken" not in found.stdout, found.stdout
    assert "accepted" in found.stdout


def attack(
    attacked: Attacked, number: int, seed: int, *, search: bool = False, a_game: int = 12
) -> Iterator[tuple[str, list[str], str]]:
    """Yield (outcome, mutations, reason) of mutants. Positions of one game are mutated in turn.

    search: whether search agents decide in one position of ten.
    """
    rng = random.Random(seed)
    done = 0
    while done < number:
        game = attacked.load(**attacked.variants[(done // a_game) % len(attacked.variants)])
        positions = attacked.samples(game, rng.randrange(1 << 32), a_game)
        for position in positions[: number - done]:
            done += 1
            asked = attacked.searchers if search and done % 10 == 0 else ()
            data, names = mutated(attacked, game, position, rng.choice(positions), rng)
            try:
                unchanged = difference(data, position) is None
                yield ("unchanged" if unchanged else judge(attacked, game, data, done, asked)), names, ""
            except Broken as error:
                yield "broken", names, str(error)
            except Exception:  # any other exception is what the attack looks for
                yield "broken", names, traceback.format_exc()


def main(name: str, *asked: str) -> None:
    """Attack and count; `asked`: number, seed, `search`."""
    attacked: Attacked = importlib.import_module(f"{name}_mutants").ATTACKED
    number, seed = (int(argument) for argument in [*asked, "1000", "1"][:2])
    warnings.simplefilter("error")
    results: Counter[str] = Counter()
    by_mutation: dict[str, Counter[str]] = {}
    for done, (result, names, why) in enumerate(attack(attacked, number, seed, search="search" in asked), 1):
        results[result] += 1
        for name in names:
            by_mutation.setdefault(name, Counter())[result] += 1
        if result == "broken":
            print(f"mutant {done} of seed {seed}, {names}: {why}", flush=True)
        if done % 250 == 0:
            print(done, dict(results), flush=True)
    print(f"{number} mutants of seed {seed}: {dict(results)}")
    for name, counts in sorted(by_mutation.items()):
        print(f"  {name:24} {dict(counts)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
