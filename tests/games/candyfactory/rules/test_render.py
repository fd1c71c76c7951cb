"""The picture of the table in text: golden files, width, nothing hidden.

After a wanted change, or new cards, write the golden files anew and read the difference:

    CF_WRITE_GOLDEN=1 python -m pytest tests/games/candyfactory/rules/test_render.py
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from candy_games import VARIANTS, steps, variant_name
from candy_positions import load
from golden import check_golden

from chocofactory_env.core.jit import COMPILED

GOLDEN = Path(__file__).resolve().parent / "golden"
Position = dict[str, Any]


def in_step(step: str, half: str = "", **turn: Any) -> Callable[[Position], bool]:
    """Whether a position is in this step, of this half, with these fields of the turn."""

    def holds(data: Position) -> bool:
        of_half = half in ("", data["half"])
        return of_half and data["step"] == step and all(data["turn"][key] == value for key, value in turn.items())

    return holds


# Name -> options of the variant, the first seed, and what the position that is drawn is like.
POSITIONS: dict[str, tuple[dict[str, Any], int, Callable[[Position], bool]]] = {
    "two_players_start": ({"num_players": 2}, 3, in_step("play")),
    "three_players_shipping": ({"num_players": 3}, 2, in_step("goods", "plantation", way="ship", truck=1)),
    "two_players_hiring": ({"num_players": 2, "play_forced": False}, 1, in_step("hire")),
    "two_players_dismissing": ({"num_players": 2}, 4, in_step("dismiss")),
    "four_players_making_candy": ({"num_players": 4, "play_forced": False}, 8, in_step("recipe")),
    "two_players_loading": ({"num_players": 2, "game": "candy"}, 5, in_step("load", truck=2)),
    "plantation_end": ({"num_players": 3, "game": "plantation"}, 6, in_step("over")),
    "full_game_end": ({"num_players": 4}, 7, in_step("over")),
}


def picture(options: dict[str, Any], seed: int, holds: Callable[[Position], bool]) -> str:
    game = load(**options)
    for state, _ in chain.from_iterable(steps(game, number) for number in range(seed, seed + 20)):
        if holds(game.to_dict(state)):
            drawn: str = game.render(state)
            return drawn
    raise AssertionError("no such position")


@pytest.mark.parametrize("name", POSITIONS)
def test_the_table_is_drawn_as_in_the_golden_file(name: str) -> None:
    check_golden(picture(*POSITIONS[name]), GOLDEN / f"{name}.txt")


@pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
def test_open_2_no_line_is_longer_than_100_columns_and_nothing_hidden_shows(options: dict[str, Any]) -> None:
    game = load(**options)
    for seed in range(2 if COMPILED else 1):
        for step, (state, _) in enumerate(steps(game, seed)):
            if step % (9 if COMPILED else 37):
                continue
            drawn = game.render(state)
            assert max(map(len, drawn.split("\n"))) <= 100
            for seat in range(game.num_players):
                assert game.render(game.redeal(state, seat, step)) == drawn


def test_open_3_what_all_can_infer_of_cards_is_drawn() -> None:
    game = load(num_players=2)
    state = game.new(3)
    assert game.render(state).count("Unplayed  1, 2, 3, 4, 5, 6, 7, 8, temp\n") == 2
