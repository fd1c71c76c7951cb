"""Factory Manager, the solo game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chocofactory_decks import card, order, write_deck
from chocofactory_games import STORES, Position, flagged, in_a_move, legal, load, pieces, play, player_of
from long_runs import amount
from oracles.chocofactory.cards import read_manager_card
from oracles.chocofactory.oracle import steps_suffice

from chocofactory_env.core.jit import COMPILED

SIZES = ("small", "medium", "large")
TRIALS = amount("CF_TRIALS", 20, 200) if COMPILED else 3


def a_week(path: Path, target: dict[str, Any], demand: dict[str, Any] | None = None) -> str:
    """A deck in which every target and every demand is this one, and every order asks for one piece a stage."""
    demand = demand or card("demand", money=1)
    return str(write_deck(path / "week.toml", targets=[target], demands=[demand], orders=[]))


def last_day(deck: str, **player: Any) -> Position:
    """The last decision of day 6."""
    position = Position(num_players=1, deck=deck).phase("fulfil", day=6)
    return position.player(0, **player)


def won(position: Position) -> bool:
    game, state = position.build()
    play(game, state, "finish orders")
    assert game.is_over(state)
    return bool(game.won(state)[0])


def test_every_day_but_the_last_a_pair_is_discarded_from_the_last_store_to_the_first() -> None:
    """SOLO-4"""
    game = load(num_players=1)
    state = game.new(2)
    rng = np.random.default_rng(1)
    gone = {}
    while not game.is_over(state):
        table = game.to_dict(state)
        if table["phase"] == "draft" and table["turn"] == 0 and not in_a_move(table):
            gone[table["day"]] = (
                [store for store in STORES if table["display_employees"][store] is None],
                [place for place in range(5) if table["display_parts"][place] is None],
            )
        game.apply(state, int(rng.choice(np.flatnonzero(game.legal_mask(state)))))
    assert gone == {day: ([STORES[5 - day]], [5 - day]) for day in range(1, 6)} | {6: ([], [])}


@pytest.mark.parametrize("first", ["draft part 0", "draft employee palace_boutique"])
def test_any_part_and_any_employee_are_chosen(first: str) -> None:
    """SOLO-5"""
    game = load(num_players=1)
    state = game.new(2)
    parts, employees = (
        {f"draft part {place}" for place in range(4)},
        {f"draft employee {store}" for store in STORES[:4]},
    )
    assert legal(game, state) == parts | employees
    play(game, state, first)
    if "part" in first:
        play(game, state, "place part slot 5")
        assert legal(game, state) == employees
    else:
        assert legal(game, state) == parts


@pytest.mark.parametrize(
    ("completed", "expected"),
    [
        ((1, 0, 0), False),
        ((1, 1, 1), False),
        ((2, 1, 1), True),
        ((1, 2, 1), True),
        ((0, 3, 1), False),
        ((1, 4, 0), False),
    ],
)
def test_a_completed_order_is_discarded_once(tmp_path: Path, completed: tuple[int, int, int], expected: bool) -> None:
    """SOLO-7, SOLO-8: a small, a large and two more of any size."""
    deck = a_week(tmp_path, card("target", orders={"small": 1, "large": 1, "any": 2}))
    assert won(last_day(deck, money=6, completed=dict(zip(SIZES, completed, strict=True)))) is expected


def delivering(tmp_path: Path, room: dict[str, int], **chocolate: Any) -> tuple[Any, np.ndarray]:
    deck = a_week(tmp_path, card("target", money=1), card("demand", chocolate_order=chocolate))
    return Position(num_players=1, deck=deck).phase("fulfil", day=1).player(0, store_room=room).build()


def test_a_chocolate_order_is_handed_over_at_once_and_only_once(tmp_path: Path) -> None:
    """SOLO-7"""
    rule = {"pattern": "exact_mix", "pieces": {"chunks": 1, "boxed": 1}}
    game, state = delivering(tmp_path, {"chunks": 2, "boxed": 2}, **rule)
    assert {words for words in legal(game, state) if words.startswith("deliver")} == {
        "deliver card 1",
        "deliver card 2",
    }
    play(game, state, "deliver card 2")
    assert pieces(game, state) == {"chunks": 1, "boxed": 1}
    assert {words for words in legal(game, state) if words.startswith("deliver")} == {"deliver card 1"}
    assert flagged(game.to_dict(state)["delivered"]) == [2]


@pytest.mark.parametrize("trial", range(TRIALS))
@pytest.mark.long
def test_steps_at_stores_of_choice_are_decided_exactly(tmp_path: Path, trial: int) -> None:
    """SOLO-8"""
    rng = np.random.default_rng(trial)
    kinds = [(int(rng.integers(1, 6)), int(rng.integers(1, 4))) for _ in range(3)]
    cards = [card(f"open-{n}", any_stores={"number": boxes, "steps": steps}) for n, (boxes, steps) in enumerate(kinds)]
    target = card("target", stores={STORES[trial % 5]: 1})
    deck = str(write_deck(tmp_path / "week.toml", targets=[target], demands=cards, orders=[]))
    for seed in range(8):
        tracks = rng.integers(0, 10, 5).tolist() if seed % 2 else rng.integers(4, 10, 5).tolist()
        position = Position(seed=seed, num_players=1, deck=deck).phase("fulfil", day=6)
        position.player(0, tracks=dict(zip(STORES, tracks, strict=True)))
        wanted = [cards[int(demand.rpartition("-")[2]) % 3] for demand in position.data["demands"] if demand]
        asked = [read_manager_card(each) for each in (target, *wanted)]
        assert won(position) == steps_suffice(dict(zip(STORES, tracks, strict=True)), asked)


def test_there_is_no_end_scoring() -> None:
    """SOLO-9"""
    position = Position(num_players=1).phase("fulfil", day=6)
    position.player(0, money=17, coal=9, store_room={"boxed": 4}, tracks=dict.fromkeys(STORES, 3))
    game, state = position.build()
    play(game, state, "finish orders")
    assert game.scores(state).tolist() == [17]


# --- money of completed orders alone


def money_week(path: Path, needed: int, **options: Any) -> Position:
    """The last day of a solo game that asks for this much money, at least 7, with orders of all sizes."""
    stages = [({"chunks": 1}, 4), ({"fingers": 1}, 7), ({"nuts": 1}, 11)]
    orders = [order(name, *stages[: number + 1]) for number, name in enumerate(("one", "two", "three"))]
    target = card("target", money=needed - 6)
    deck = str(write_deck(path / f"{needed}.toml", targets=[target], demands=[card("demand", money=1)], orders=orders))
    position = Position(num_players=1, deck=deck, **options).phase("fulfil", day=6)
    return position.player(0, orders=[("one", 0), ("two", 0), ("three", 0)])


ROOM = {"chunks": 3, "fingers": 2, "nuts": 1}
COMPLETED: dict[str, Any] = {"solo_money": "completed"}


@pytest.mark.parametrize(
    ("moves", "paid", "counted"),
    [
        (["fulfil order 0"], 4, 4),
        (["fulfil order 1"], 4, 0),
        (["fulfil order 1", "fulfil order 1"], 11, 11),
        (["fulfil order 2", "fulfil order 2"], 11, 0),
        (["fulfil order 2", "fulfil order 1", "fulfil order 2"], 15, 0),
        (["fulfil order 2", "fulfil order 1", "fulfil order 2", "fulfil order 2"], 26, 22),
    ],
)
def test_money_counts_when_it_is_paid_or_when_its_order_is_completed(
    tmp_path: Path, moves: list[str], paid: int, counted: int
) -> None:
    """SOLO-7, SOLO-9: by default as it is paid, with the option as the rulebook's letter has it. Scores are alike."""
    for options, counts in (({}, paid), (COMPLETED, counted)):
        for needed in (7, max(7, counts), max(7, counts + 1)):
            expected = counts >= needed
            game, state = money_week(tmp_path, needed, **options).player(0, store_room=ROOM).build()
            play(game, state, *moves)
            assert game.observe(state, 0)["satisfied"][0] == expected
            play(game, state, "finish orders")
            assert (bool(game.won(state)[0]), game.scores(state).tolist()) == (expected, [paid])


def test_special_orders_pay_and_do_not_count_towards_an_order_target(tmp_path: Path) -> None:
    """SOLO-10"""
    own = [order("one-chunk", ({"chunks": 1}, 7))]
    target = card("target", special_orders={"small": 1}, orders={"any": 1})
    demand = card("demand", money=1)
    deck = str(write_deck(tmp_path / "week.toml", targets=[target], demands=[demand], orders=own))
    position = last_day(deck, special_orders=[("one-chunk", 0)], orders=[None, None, None], store_room={"chunks": 1})
    game, state = position.build()
    play(game, state, "fulfil order 3")
    player = player_of(game, state)
    assert player["money"] == 7
    assert player["completed"] == dict.fromkeys(SIZES, 0)
    play(game, state, "finish orders")
    assert not game.won(state)[0]  # the money and the Special Order are there, the other order is not
