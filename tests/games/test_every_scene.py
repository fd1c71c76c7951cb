"""The picture of the table, in every game: legible, with the legal actions of its seat, and nothing hidden in it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from all_games import EVERY_VARIANT, load, looked_at
from long_runs import amount

from chocofactory_env.core.jit import COMPILED
from chocofactory_env.testing import _check_pictures

GAMES = amount("CF_SCENES", 1, 10)
STRIDE = 97 if COMPILED else 150  # of the positions of a game
OF_A_MOMENT = amount("CF_OF_A_MOMENT", 1, 3)  # extra positions of each kind


@pytest.mark.long
@EVERY_VARIANT
def test_pictures_are_legible_offer_the_legal_actions_and_show_nothing_hidden(
    name: str, options: dict[str, Any]
) -> None:
    """Scenes, text and lines of the log, of every seat and of a spectator. SEE-2, SEE-3, SEE-4, SEE-5, OPEN-2"""
    game, rng = load(name, **options), np.random.default_rng(1)
    for seed in range(GAMES):
        for number, state, _ in looked_at(game, seed, STRIDE, OF_A_MOMENT):
            _check_pictures(game, state, rng, f"seed {seed}, step {number}")


@EVERY_VARIANT
def test_lines_of_the_log_tell_the_mover_which_action_was_taken(name: str, options: dict[str, Any]) -> None:
    game = load(name, **options)
    for number, state, action in looked_at(game, 2, STRIDE):
        mover, legal = game.current_player(state), np.flatnonzero(game.legal_mask(state)).tolist()
        lines = {game.move_in_words(state, each, mover) for each in legal} if action >= 0 else ()
        assert len(lines) == len(legal), number
        assert all(line.startswith((f"Player {mover} ", f"Player {mover},")) and len(line) <= 100 for line in lines), (
            number
        )
