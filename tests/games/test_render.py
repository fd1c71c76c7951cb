"""The picture of the table in text: golden files, width, nothing hidden.

After a wanted change, or new cards, write the golden files anew and read the difference:

    CF_WRITE_GOLDEN=1 python -m pytest tests/games/test_render.py
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from all_games import NAMES, load, steps
from chocofactory_games import MASTER_CHOCOLATIER

from chocofactory_env.games.schoko.vocabulary import Task, month_of, task_of

Holds = Callable[[Any, np.ndarray, int], bool]  # of game, position and its number


def over(game: Any, state: np.ndarray, step: int) -> bool:
    return bool(game.is_over(state))


def at(number: int) -> Holds:
    return lambda game, state, step: step == number


def in_step(name: str, half: str = "", **turn: Any) -> Holds:
    def holds(game: Any, state: np.ndarray, step: int) -> bool:
        data = game.to_dict(state)
        of_half = half in ("", data["half"])
        return of_half and data["step"] == name and all(data["turn"][key] == value for key, value in turn.items())

    return holds


def asked(task: Task, month: int = 1) -> Holds:
    """The first position of this task from this month on."""
    return lambda game, state, step: bool(task_of(state) == task and month_of(state) >= month)


EXPANSION = MASTER_CHOCOLATIER
# Game, name -> options of the variant, the first seed, and what the position that is drawn is like.
POSITIONS: dict[tuple[str, str], tuple[dict[str, Any], int, Holds]] = {
    ("chocofactory", "two_players_start"): ({"num_players": 2}, 3, at(0)),
    ("chocofactory", "four_players_running"): ({"num_players": 4, "sides": "ABBAB"}, 5, at(131)),
    ("chocofactory", "three_players_in_a_move"): ({"num_players": 3, "play_forced": False}, 8, at(202)),
    ("chocofactory", "two_players_end"): ({"num_players": 2, "sides": "B"}, 4, over),
    ("chocofactory", "three_players_expansion"): (
        {"num_players": 3, "expansion": EXPANSION, "sides": "DCDDD"}, 7, at(3)),
    ("chocofactory", "two_players_borrowing"): (
        {"num_players": 2, "expansion": EXPANSION, "sides": "DCADA"}, 2, at(268)),
    ("chocofactory", "solo_day_4"): ({"num_players": 1, "difficulty": 1}, 6, at(75)),
    ("candyfactory", "two_players_start"): ({"num_players": 2}, 3, in_step("play")),
    ("candyfactory", "three_players_shipping"): (
        {"num_players": 3}, 2, in_step("goods", "plantation", way="ship", truck=1)),
    ("candyfactory", "two_players_hiring"): ({"num_players": 2, "play_forced": False}, 1, in_step("hire")),
    ("candyfactory", "two_players_dismissing"): ({"num_players": 2}, 4, in_step("dismiss")),
    ("candyfactory", "four_players_making_candy"): ({"num_players": 4, "play_forced": False}, 8, in_step("recipe")),
    ("candyfactory", "two_players_loading"): ({"num_players": 2, "game": "candy"}, 5, in_step("load", truck=2)),
    ("candyfactory", "plantation_end"): ({"num_players": 3, "game": "plantation"}, 6, over),
    ("candyfactory", "full_game_end"): ({"num_players": 4}, 7, over),
    ("schoko", "two_players_start"): ({"num_players": 2}, 3, asked(Task.LOOK)),
    ("schoko", "four_players_sealed_bids"): ({"num_players": 4}, 5, asked(Task.BID_PRICE, 2)),
    ("schoko", "three_players_offer"): ({"num_players": 3}, 2, asked(Task.OFFER, 2)),
    ("schoko", "four_players_contract_taken"): ({"num_players": 4}, 0, asked(Task.CARD_C, 2)),
    ("schoko", "three_players_holiday"): ({"num_players": 3}, 4, asked(Task.HOLIDAY, 2)),
    ("schoko", "four_players_money"): ({"num_players": 4}, 3, asked(Task.MONEY, 3)),
    ("schoko", "two_players_end"): ({"num_players": 2, "months": 6}, 4, over),
}  # fmt: skip


def golden(name: str) -> dict[str, str]:
    """The pictures of a game's golden file, each below its name."""
    parts = (Path(__file__).parent / name / "golden.txt").read_text(encoding="utf-8").split("=== ")[1:]
    return {position: drawn.strip("\n") for position, _, drawn in (part.partition("\n") for part in parts)}


def drawn(name: str, position: str) -> str:
    options, first, holds = POSITIONS[name, position]
    game = load(name, **options)
    played = ((step, state) for seed in range(first, first + 50) for step, (state, _) in enumerate(steps(game, seed)))
    picture: str = next(game.render(state) for step, state in played if holds(game, state, step))
    return picture.strip("\n")


@pytest.mark.parametrize("name", NAMES)
def test_positions_are_drawn_as_in_the_golden_file(name: str) -> None:
    """With CF_WRITE_GOLDEN set they are written anew."""
    found = {position: drawn(name, position) for of, position in sorted(POSITIONS) if of == name}
    if os.environ.get("CF_WRITE_GOLDEN"):
        text = "\n".join(f"=== {position}\n{picture}\n" for position, picture in found.items())
        (Path(__file__).parent / name / "golden.txt").write_text(text, encoding="utf-8")
    assert found == golden(name)
