"""Positions as text: complete, without secrets, short; and rules in brief for every phase."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import candyfactory_decks
import candyfactory_games
import chocofactory_decks
import chocofactory_games
import numpy as np
import pytest
import schoko_decks
import schoko_games
from damaged_decks import write
from games_under_test import positions
from long_runs import amount

import chocofactory_env as cf
from chocofactory_env.core.observation.layout import Block, ObservationLayout
from chocofactory_env.core.text.prompts import PositionText, estimate_tokens
from toyrace.game import ToyRace

EVERY = amount("CF_PROMPTS_EVERY", 3, 1)  # positions of a game
VARIANTS = [
    pytest.param(name, options, id=f"{name}-{number}")
    for name, variants in (
        ("chocofactory", chocofactory_games.VARIANTS),
        ("candyfactory", candyfactory_games.VARIANTS),
        ("schoko", schoko_games.VARIANTS),
        ("toyrace", [{"num_players": 3}]),
    )
    for number, options in enumerate(variants)
]


def load(name: str, options: dict[str, Any]) -> Any:
    return ToyRace(**options) if name == "toyrace" else cf.load(name, **options)


def raw_of(game: Any, state: np.ndarray, player: int) -> np.ndarray:
    """What the seat observes when it is asked."""
    seen = game.clone(state)
    masks = np.empty((game.num_players, game.num_actions + 1), np.int8)
    game.write_joint_masks(seen, masks)
    if masks[player, :-1].any():
        game.ask_seat(seen, player)
    raw = np.empty(game.observation_layout.raw_size, np.uint8)
    game.write_raw_observation(seen, player, raw)
    return raw


@pytest.mark.long
@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_the_text_is_the_whole_observation(name: str, options: dict[str, Any]) -> None:
    game = load(name, options)
    for state in positions(game, [5], EVERY):
        for player in range(game.num_players):
            raw, seat = game.read_prompt(game.prompt(state, player, ["Player 1: x"], rules=False))
            assert seat == player
            np.testing.assert_array_equal(raw, raw_of(game, state, player))


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_nothing_hidden_is_in_it(name: str, options: dict[str, Any]) -> None:
    game = load(name, options)
    for number, state in enumerate(positions(game, [6])):
        for player in range(game.num_players):
            if number % 3 == 0:
                assert game.prompt(game.redeal(state, player, number), player) == game.prompt(state, player)


@pytest.mark.long
@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_it_ends_with_the_legal_moves_of_the_seat(name: str, options: dict[str, Any]) -> None:
    game = load(name, options)
    masks = np.empty((game.num_players, game.num_actions + 1), np.int8)
    for state in positions(game, [7], EVERY):
        game.write_joint_masks(state, masks)
        for player in range(game.num_players):
            legal = np.flatnonzero(masks[player, :-1]).tolist()
            lines = "\n".join(f"{action}: {game.describe(action)}" for action in legal)
            end = f"\n\nLegal moves:\n{lines}" if legal else "\n\nYou have nothing to decide now."
            assert game.prompt(state, player, rules=False).endswith(end)


@pytest.mark.parametrize("name", ["chocofactory", "candyfactory", "schoko"])
def test_every_phase_has_rules_in_brief(name: str) -> None:
    game: Any = cf.load(name, num_players=2)
    blocks = {block.name: block for block in game.observation_layout.blocks}
    general, phases = game.rules_in_brief()
    assert set(phases) == set(blocks[game.phase_block].entries)
    state = game.new(1)
    first = game.prompt_rules(state, game.current_player(state))
    assert general in first
    assert sum(words in first for words in phases.values()) == 1
    assert game.prompt(state, 0).startswith(game.prompt_rules(state, 0))


SHIPPED = {
    "chocofactory": chocofactory_decks.SHIPPED,
    "candyfactory": candyfactory_decks.SHIPPED,
    "schoko": schoko_decks.shipped(),
}
# By game: other numbers in its table `setup`, and what the rules in brief then say.
OTHER_DECKS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "chocofactory": (
        {"most_orders_prize": 9, "variety_prizes": [0, 0, 3, 5, 8, 13], "store_prizes": [9, 5, 2]},
        ("9 for the most", "3, 5, 8 or 13 for being above 0 in two, three, four or five stores", "store 9, 5 and 2"),
    ),
    "candyfactory": (
        {"warehouse": 6, "short_load": {"sugar": 5, "chocolate": 2}, "short_points": {"sugar": 2, "chocolate": 4}},
        ("(6 places)", "Load 5 sugar and 2 chocolate", "truck 4, sugar 2"),
    ),
    "schoko": (
        {"salaries": [4, 10, 6, 12], "look": 5, "interest": 7, "bank_bars": 1, "cities": ["A", "B", "C", "D", "E"]},
        ("worker 4, makes", "bookkeeper 12, has two", "Pay 5 to", "costs 7 a month", "Sell 1 bar of", "3 D, 4 E."),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHER_DECKS)
def test_rules_in_brief_have_the_numbers_of_the_deck(name: str, tmp_path: Path) -> None:
    changes, said = OTHER_DECKS[name]
    shipped: Any = cf.load(name, num_players=2)
    deck = {"setup": [SHIPPED[name]["setup"][0] | changes]}
    other: Any = cf.load(name, num_players=2, deck=str(write(tmp_path / "deck.toml", deck)))
    texts = [
        "\n".join([general, *phases.values()]) for general, phases in (g.rules_in_brief() for g in (shipped, other))
    ]
    for words in said:
        assert [words in text for text in texts] == [False, True], words
    assert not any("{" in text for text in texts)


@pytest.mark.parametrize("name", ["chocofactory", "candyfactory", "schoko"])
def test_a_position_of_two_players_takes_less_than_2000_tokens(name: str) -> None:
    game = cf.load(name, num_players=2)
    for seed in range(5):
        tokens = [estimate_tokens(game.prompt(state, 0, rules=False)) for state in positions(game, [seed])]
        assert max(tokens) < 2_000


def test_moves_since_the_last_decision_stand_between_position_and_legal_moves() -> None:
    game = cf.load("schoko", num_players=2)
    state = game.new(1)
    text = game.prompt(state, 0, ["Player 1 employs 2 workers", "", "Player 1 takes a loan"], rules=False)
    assert "\n\nSince your last decision:\nPlayer 1 employs 2 workers\nPlayer 1 takes a loan\n\n" in text


def test_moves_since_the_last_decision_are_lines() -> None:
    game = ToyRace(num_players=2)
    with pytest.raises(TypeError, match=r"^moves: expected lines in a list, got 'abc'"):
        game.prompt(game.new(1), 0, "abc")


LAYOUT = ObservationLayout(
    [
        Block("phase", (2,), 1, "", ("draft", "run")),
        Block("coal", (2,), 99, "", axes=("seat",)),
        Block("parts", (2, 2), 9, "", ("cost", "kind + 1"), axes=("slot",), words={"kind + 1": ("bean", "cocoa")}),
        Block("own", (), 9, ""),
        Block("cash", (1,), 999, ""),
    ]
)


def test_entries_are_named() -> None:
    raw = np.array([0, 1, 7, 0, 0, 0, 3, 2, 4, 44, 1], np.uint8)
    text = PositionText(LAYOUT, 2).write(raw, player=1)
    assert text.splitlines() == [
        "You are player 1 of 2.",
        "phase: run",
        "coal: player 1=7",
        "parts: [slot 1] cost=3, kind=cocoa",
        "own: 4",
        "cash: 300",
    ]
    read, seat = PositionText(LAYOUT, 2).read("Rules\n\n" + text + "\n\nLegal moves:\n1: x")
    np.testing.assert_array_equal(read, raw)
    assert seat == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "You are player \uff11 of 2.",
        "You are player 2 of 2.",
        "You are player 0 of 3.",
        "You are player 0 of 2.\nx: 1",
    ],
)
def test_what_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected a line|no such field"):
        PositionText(ObservationLayout([Block("day", (1,), 6, "")]), 2).read(text)


@pytest.mark.parametrize(
    "line",
    [
        "phase: walk",
        "coal: player 2=7",
        "coal: player 1=100",
        "coal: player 1=-1",
        "coal: player 1=300",
        "coal: player 1=many",
        "coal: player 1=\uff17",
        "coal: [slot 1] player 1=7",
        "parts: [slot 2] cost=3",
        "parts: [slot 1 cost=3",
        "parts: [slot 1] kind=rice",
        "cash: 70000",
        "cash: ",
        "coal: " + "9" * 5_000,
    ],
)
def test_an_entry_that_a_field_cannot_have_is_refused_with_its_line(line: str) -> None:
    with pytest.raises(ValueError, match=rf"^expected entries of {line[:4]}.*, got '{re.escape(line[:20])}"):
        PositionText(LAYOUT, 2).read(f"You are player 0 of 2.\n{line}")
