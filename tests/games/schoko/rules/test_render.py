"""The picture of the table in text: golden files, width, nothing hidden.

After a wanted change, or new cards, write the golden files anew and read the difference:

    CF_WRITE_GOLDEN=1 python -m pytest tests/games/schoko/rules/test_render.py
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from golden import check_golden
from schoko_games import VARIANTS, steps, variant_name

from chocofactory_env.core.jit import COMPILED
from chocofactory_env.games.schoko.game import Schoko
from chocofactory_env.games.schoko.vocabulary import Task, month_of, task_of

GOLDEN = Path(__file__).resolve().parent / "golden"
# Name -> options of the variant, seed, and the first position of this task from this month on.
POSITIONS: dict[str, tuple[dict[str, Any], int, Task, int]] = {
    "two_players_start": ({"num_players": 2}, 3, Task.LOOK, 1),
    "four_players_sealed_bids": ({"num_players": 4}, 5, Task.BID_PRICE, 2),
    "three_players_offer": ({"num_players": 3}, 2, Task.OFFER, 2),
    "four_players_contract_taken": ({"num_players": 4}, 0, Task.CARD_C, 2),
    "three_players_holiday": ({"num_players": 3}, 4, Task.HOLIDAY, 2),
    "four_players_money": ({"num_players": 4}, 3, Task.MONEY, 3),
    "two_players_end": ({"num_players": 2, "months": 6}, 4, Task.OVER, 1),
}


def picture(options: dict[str, Any], seed: int, task: Task, month: int) -> str:
    """Of the first game from this seed on that has such a position."""
    game = Schoko(**options)
    for each in range(seed, seed + 50):
        for state, _ in steps(game, each):
            if task_of(state) == task and month_of(state) >= month:
                return game.render(state)
    raise AssertionError(f"no position with {task.name} from month {month} on")


@pytest.mark.parametrize("name", POSITIONS)
def test_the_table_is_drawn_as_in_the_golden_file(name: str) -> None:
    check_golden(picture(*POSITIONS[name]), GOLDEN / f"{name}.txt")


@pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
def test_no_line_is_longer_than_100_columns_and_nothing_hidden_shows(options: dict[str, Any]) -> None:
    """SEE-2 to SEE-5"""
    game = Schoko(**options)
    for seed in range(2 if COMPILED else 1):
        for step, (state, _) in enumerate(steps(game, seed)):
            if step % (9 if COMPILED else 37):
                continue
            drawn = game.render(state)
            assert max(map(len, drawn.split("\n"))) <= 100
            assert game.render(game.redeal(state, 0, step)) == drawn
