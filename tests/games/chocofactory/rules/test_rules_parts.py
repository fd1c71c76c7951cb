"""Factory parts. Outcomes of every part are compared with all that the rules allow, counted out by brute force."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from chocofactory_games import KINDS, Position, legal, pieces, play, player_of
from oracles.chocofactory.cards import NEXT_STAGE, kinds_of, read_cards

from chocofactory_env.core.jit import COMPILED
from chocofactory_env.games.chocofactory.constants import Task

CARDS = read_cards().parts
Tile = tuple[int, ...]
EMPTY = dict.fromkeys(range(8))
PRINTED = {"roaster": 0, "upgrader": 1}  # SET-7: on these slots alone


def part_at_tile_3(
    part: str, tile: dict[str, int], *, coal: int = 9, play_forced: bool = True
) -> tuple[Any, np.ndarray]:
    """The part on slot 7, a printed one on its own slot, which then has these pieces on its tile."""
    slot = PRINTED.get(part, 7)
    position = Position(num_players=2, play_forced=play_forced).phase("run")
    return position.player(0, coal=coal, factory={**EMPTY, slot: part}, belt={slot % 4: tile}).build()


@cache
def part_at_an_empty_tile(part: str) -> tuple[Any, np.ndarray]:
    """Every choice is asked; to be copied."""
    return part_at_tile_3(part, {}, play_forced=False)


def uses(part: str, tile: dict[str, int]) -> Counter[tuple[Tile, tuple[str, ...]]]:
    """Every way to carry one use through: the tile that comes of it, and what was said, in any order.

    For an upgrader what was said are its points, each a piece and what it became.
    """
    game, empty = part_at_an_empty_tile(part)
    slot = PRINTED.get(part, 7)
    place = (0, 0, slot % 4)
    state = empty.copy()
    state["players"]["pieces"][place] = [tile.get(kind, 0) for kind in KINDS]
    found: Counter[tuple[Tile, tuple[str, ...]]] = Counter()
    if f"operate slot {slot}" not in legal(game, state):
        return found

    def walk(position: np.ndarray, said: list[str]) -> None:
        after = game.clone(position)
        play(game, after, said[-1])
        if after["task"]["kind"][0] == Task.NOTHING:
            points = [" ".join(pair) for pair in zip(said[1::2], said[2::2], strict=False)]
            named = points if part.endswith("upgrader") else said
            found[tuple(after["players"]["pieces"][place].tolist()), tuple(sorted(named))] += 1
            return
        going_on = legal(game, after)
        assert going_on, "a dead end"
        for onward in going_on:
            walk(after, [*said, onward])

    walk(state, [f"operate slot {slot}"])
    return found


def allowed(part: str, tile: dict[str, int]) -> set[Tile]:
    """PART-1 to PART-6, by brute force."""
    card = CARDS[part]
    start = Counter({kind: number for kind, number in tile.items() if number})
    results: set[Tile] = set()
    if card.function == "converter":
        for option in card.options:
            for taken in product(*map(kinds_of, option.takes)):
                if Counter(taken) <= start:
                    made = product(*map(kinds_of, option.makes))
                    results |= {as_tile(start - Counter(taken) + Counter(each)) for each in made}
    elif card.function == "upgrader":
        reached = {as_tile(start)}
        for _ in range(card.amount):
            reached = {after for before in reached for after in upgraded(before)}
            results |= reached
    elif card.function == "repeater":
        results = {as_tile(start + Counter({kind: card.amount})) for kind in start}
    return results


def as_tile(there: Counter[str]) -> Tile:
    return tuple(there[kind] for kind in KINDS)


def upgraded(tile: Tile) -> set[Tile]:
    there = Counter(dict(zip(KINDS, tile, strict=True)))
    return {
        as_tile(there - Counter([kind]) + Counter([into])) for kind in KINDS if there[kind] for into in NEXT_STAGE[kind]
    }


def tiles() -> list[dict[str, int]]:
    some = [dict.fromkeys(KINDS, 0)]
    some += [Counter(pair) for pair in combinations(KINDS, 2)]
    some += [Counter([kind, kind]) for kind in KINDS]
    rng = np.random.default_rng(1)
    some += [dict(zip(KINDS, rng.integers(0, 4, 7).tolist(), strict=True)) for _ in range(4)]
    return some if COMPILED else some[::7]


@pytest.mark.parametrize("part", [part for part in CARDS if part != "chute"])
def test_every_use_that_the_rules_allow_has_exactly_one_sequence_and_no_other_has_one(part: str) -> None:
    """PART-1, PART-2, PART-3, PART-4, PART-5, PART-6"""
    for tile in tiles():
        found = uses(part, dict(tile))
        assert {after for after, _ in found} == allowed(part, dict(tile))
        assert set(found.values()) <= {1}


def test_the_printed_roaster_and_upgrader_cost_one_coal() -> None:
    """PART-7"""
    position = Position(num_players=2).phase("run").player(0, coal=2, belt={0: {"bean": 1}, 1: {"bean": 1}})
    game, state = position.build()
    play(game, state, "operate slot 0", "operate slot 1")
    assert [pieces(game, state, tile=tile) for tile in (0, 1)] == [{"cocoa": 1}, {"cocoa": 1}]
    assert player_of(game, state)["coal"] == 0
