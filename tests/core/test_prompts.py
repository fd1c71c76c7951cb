"""Prompts: the text for a seat, without secrets, short; and rules in brief for every phase."""

from __future__ import annotations

from collections.abc import Iterator
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
from games_under_test import pick

import chocofactory_env as cf
from chocofactory_env.core.observation.layout import Block
from chocofactory_env.core.text.prompts import estimate_tokens
from toyrace.game import ToyRace

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


def decisions(game: Any, seed: int) -> Iterator[np.ndarray]:
    """Every position of a random game."""
    state, rng = game.new(seed), np.random.default_rng(seed)
    while not game.is_over(state):
        yield state
        game.apply(state, pick(game.legal_mask(state), rng))
    yield state


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_the_position_is_the_text_for_the_seat(name: str, options: dict[str, Any]) -> None:
    game = load(name, options)
    for state in decisions(game, seed=5):
        for player in range(game.num_players):
            asked = game.clone(state)
            if game.is_asked(state, player):
                game.ask_seat(asked, player)
            drawn = game.render(asked, player).rstrip()
            begin = (
                f"You are player {player} of {game.num_players}.\n{drawn}\n\nSince your last decision:\nPlayer 1: x\n\n"
            )
            assert game.prompt(state, player, ["Player 1: x"], rules=False).startswith(begin)


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_nothing_hidden_is_in_it(name: str, options: dict[str, Any]) -> None:
    game = load(name, options)
    for number, state in enumerate(decisions(game, seed=6)):
        for player in range(game.num_players):
            if number % 3 == 0:
                assert game.prompt(game.redeal(state, player, number), player) == game.prompt(state, player)


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_it_ends_with_the_legal_moves_of_the_seat(name: str, options: dict[str, Any]) -> None:
    game = load(name, options)
    masks = np.empty((game.num_players, game.num_actions + 1), np.int8)
    for state in decisions(game, seed=7):
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


def test_numbers_in_brief_are_those_of_the_shipped_deck() -> None:
    rules = {name: cf.load(name, num_players=2).rules_in_brief() for name in OTHER_DECKS}  # type: ignore[attr-defined]
    assert "in every store 16, 8 and 4 for the first three markers" in rules["chocofactory"][0]
    assert "6, 12 or 24 for being above 0 in three, four or five stores" in rules["chocofactory"][0]
    assert rules["candyfactory"][1]["load"] == "Load 7 sugar and 4 chocolate into your trucks."
    assert rules["candyfactory"][1]["runner"] == "Turn the die by 1 or 2, or leave it (`turn die 0`)."
    assert "sell 1 cacao for 2 coins, or in the candy factory any good for 1." in rules["candyfactory"][1]["ability"]
    assert (
        "secretary 8, takes one contract to the bookkeepers; bookkeeper 10, has two contracts paid"
        in rules["schoko"][0]
    )
    assert rules["schoko"][1]["bank_sale"] == "Sell 1 or 2 bars of chocolate to the bank at 5 each, or none."


def test_rules_in_brief_say_what_events_and_express_cards_do() -> None:
    game: Any = cf.load("schoko", num_players=2, upset="all")
    general, phases = game.rules_in_brief()
    assert (
        "stomach_upset (all contracts are struck with their money), protest (everybody loses chocolate: 5 bars)"
        in general
    )
    for phase in ("card_a", "card_b", "card_c", "target"):
        assert "levy (pays the bank 1 for each employee), gifts (pays 5 to every other player)" in phases[phase]


@pytest.mark.parametrize("name", ["chocofactory", "candyfactory", "schoko"])
def test_a_position_of_two_players_takes_less_than_2000_tokens(name: str) -> None:
    game = cf.load(name, num_players=2)
    for seed in range(5):
        tokens = [estimate_tokens(game.prompt(state, 0, rules=False)) for state in decisions(game, seed)]
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


def test_axes_fit_the_shape() -> None:
    with pytest.raises(ValueError, match="expected names of 1 axes"):
        Block("coal", (2, 3), 9, "", ("a", "b", "c"), axes=("seat", "slot"))
