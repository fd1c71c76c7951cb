"""Dice and search: a tree meets every face equally often, and a redeal that gives the dice away is found out."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pytest

from chocofactory_env.core.binding import bind
from chocofactory_env.core.jit import COMPILED, jit
from chocofactory_env.core.search.tree import TreeSearch
from chocofactory_env.games.candyfactory.actions import ACTIONS, KEEP_DIE, ROLL_DIE
from chocofactory_env.games.candyfactory.constants import NUM_SPACES, TEMP_CARD
from chocofactory_env.games.candyfactory.game import CandyFactory
from chocofactory_env.games.candyfactory.kernel import RULES
from chocofactory_env.games.candyfactory.records import State, Tables
from chocofactory_env.games.candyfactory.rules.hidden import redeal_hidden
from chocofactory_env.testing import check_game

ONLY_COMPILED = pytest.mark.skipif(not COMPILED, reason="takes long uncompiled")


@jit
def note_face(
    tables: np.ndarray,
    leaves: np.ndarray,
    priors: np.ndarray,
    mask: np.ndarray,
    words: np.ndarray,
    values: np.ndarray,
    faces: np.ndarray,
) -> None:
    """In place of `judge_leaf`: count the face that lies up."""
    faces[leaves[0].die - 1] += 1
    values[:] = 0.5


class FaceSearch(TreeSearch):
    """Rolls at the root, and counts the faces that it meets there."""

    def __init__(self, game: CandyFactory) -> None:
        priors = np.ones(ACTIONS.size, np.float32)
        priors[KEEP_DIE] = 1e-9
        super().__init__(game, priors=priors)
        self.faces = np.zeros(NUM_SPACES, np.int64)
        self._leaf = (self.faces,)

    @property
    def _kernel(self) -> Any:
        return NOTES_FACES


NOTES_FACES = bind("candyfactory", {**RULES, "judge_leaf": note_face})


@ONLY_COMPILED
def test_turn_3_a_tree_meets_every_face_of_the_die_equally_often() -> None:
    """TURN-3, OPEN-2: whatever the generator of the position would roll next."""
    game = CandyFactory(num_players=2)
    for seed in (1, 2):
        state = game.new(seed)
        game.apply(state, ACTIONS.first["play"] + TEMP_CARD)
        search = FaceSearch(game)
        visits = search.search(state, 1600, seed=5).visits
        assert visits[ROLL_DIE] == 1600
        assert (abs(search.faces - 200) < 60).all()  # more than four standard deviations


@jit
def redeal_with_the_same_dice(cards: Tables, state: State, seat: int, seed: int) -> None:
    """Everything hidden is drawn afresh, but the generator goes on as it was."""
    one, two, three, four = state.rng[0], state.rng[1], state.rng[2], state.rng[3]
    redeal_hidden(cards, state, seat, seed)
    state.rng[0], state.rng[1], state.rng[2], state.rng[3] = one, two, three, four


class ForeseenDice(CandyFactory):
    kernel: ClassVar[Any] = bind("foreseen_candy", {**RULES, "redeal_hidden": redeal_with_the_same_dice})


@ONLY_COMPILED
def test_dice_that_a_redeal_keeps_are_found_out() -> None:
    with pytest.raises(AssertionError, match="cannot foresee what chance brings"):
        check_game(ForeseenDice(num_players=2), seeds=range(1), max_actions=3000, dice=["roll_die"])
