"""The picture of the table in text: golden files, width, nothing hidden.

After a wanted change, or new cards, write the golden files anew and read the difference:

    CF_WRITE_GOLDEN=1 python -m pytest tests/games/chocofactory/rules/test_render.py
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from games_played import VARIANTS, steps, variant_name
from golden import check_golden
from long_runs import amount
from positions import load

from chocofactory_env.core.jit import COMPILED

GAMES = amount("CF_CHECKED_GAMES", 1, 10)
GOLDEN = Path(__file__).resolve().parent / "golden"
LAST = 10**6
# Name -> options of the variant, seed, step of a random game.
POSITIONS: dict[str, tuple[dict[str, Any], int, int]] = {
    "two_players_start": ({"num_players": 2}, 3, 0),
    "four_players_running": ({"num_players": 4, "sides": "ABBAB"}, 5, 131),
    "three_players_in_a_move": ({"num_players": 3, "play_forced": False}, 8, 202),
    "two_players_end": ({"num_players": 2, "sides": "B"}, 4, LAST),
    "three_players_expansion": ({"num_players": 3, "expansion": "master_chocolatier", "sides": "DCDDD"}, 7, 3),
    "two_players_borrowing": ({"num_players": 2, "expansion": "master_chocolatier", "sides": "DCADA"}, 2, 268),
    "solo_day_4": ({"num_players": 1, "difficulty": 1}, 6, 75),
}


def picture(options: dict[str, Any], seed: int, at: int) -> str:
    game = load(**options)
    drawn = ""
    for step, (state, action) in enumerate(steps(game, seed)):
        if step == at or action < 0:
            drawn = game.render(state)
            break
    return drawn


@pytest.mark.parametrize("name", POSITIONS)
def test_the_table_is_drawn_as_in_the_golden_file(name: str) -> None:
    check_golden(picture(*POSITIONS[name]), GOLDEN / f"{name}.txt")


@pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
@pytest.mark.long
def test_no_line_is_longer_than_100_columns_and_nothing_hidden_shows(options: dict[str, Any]) -> None:
    game = load(**options)
    for seed in range(GAMES):
        for step, (state, _) in enumerate(steps(game, seed)):
            if step % (11 if COMPILED else 37):
                continue
            drawn = game.render(state)
            assert max(map(len, drawn.split("\n"))) <= 100
            assert game.render(game.redeal(state, 0, step)) == drawn
