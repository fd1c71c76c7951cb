"""The Python side that compiled games share: what a game must bring, and which states it takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from games_under_test import chocofactory, toy

from chocofactory_env.core.compiled import CompiledGame
from chocofactory_env.core.kernel import MAX_SEATS, STATE_FIELDS
from toyrace import rules
from toyrace.game import ToyRace


class Bare(ToyRace):
    """A race whose parts can be exchanged."""

    def __init__(self, blank: np.ndarray, num_players: int = 2) -> None:
        layout = rules.observation_layout(2, 5)
        CompiledGame.__init__(
            self,
            options={},
            num_players=num_players,
            tables=rules.tables_of(layout),
            deck_hash="",
            blank=blank,
            action_layout=rules.ACTIONS,
            observation_layout=layout,
        )


def without(*names: str) -> np.dtype[Any]:
    kept = [name for name in rules.STATE.names or () if name not in names]
    return np.dtype([(name, rules.STATE[name]) for name in kept])


@pytest.mark.parametrize("name", STATE_FIELDS)
def test_a_state_record_without_a_field_that_shared_code_needs_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"^toyrace: the state record has no field {name}$"):
        Bare(np.zeros(1, without(name)))


def test_all_missing_fields_are_named_and_no_others() -> None:
    with pytest.raises(ValueError, match=r"has no field rng, seed$"):
        Bare(np.zeros(1, without("seed", "rng", "sponsor")))
    assert Bare(np.zeros(1, rules.STATE)).num_players == 2


@pytest.mark.parametrize("players", [0, MAX_SEATS + 1])
def test_a_number_of_players_that_records_have_no_room_for_is_refused(players: int) -> None:
    with pytest.raises(ValueError, match=f"num_players: expected 1 to {MAX_SEATS}, got {players}"):
        Bare(np.zeros(1, rules.STATE), players)


USES: dict[str, Callable[[Any, np.ndarray], Any]] = {
    "apply": lambda game, state: game.apply(state, 0),
    "redeal": lambda game, state: game.redeal(state, 0, 1),
    "observe": lambda game, state: game.observe(state, 0),
    "scores": lambda game, state: game.scores(state),
    "ranking": lambda game, state: game.ranking(state),
    "won": lambda game, state: game.won(state),
    "standings": lambda game, state: game.standings(state),
    "random_playout": lambda game, state: game.random_playout(state, 1),
    "random_playouts": lambda game, state: game.random_playouts(state, [1]),
    "tree_search": lambda game, state: game.tree_search().search(state, 1, 1),
    "to_dict": lambda game, state: game.to_dict(state),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize(("game", "other"), [(toy, chocofactory), (chocofactory, toy)], ids=["toy", "chocofactory"])
def test_states_of_another_game_are_refused(use: str, game: Callable[..., Any], other: Callable[..., Any]) -> None:
    own = game(num_players=2)
    USES[use](own, own.new(1))
    with pytest.raises(ValueError, match=rf"^state: expected a position of {own.name}, got an array of"):
        USES[use](own, other(num_players=2).new(1))


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("make", [toy, chocofactory])
def test_states_of_another_variant_and_more_than_one_are_refused(use: str, make: Callable[..., Any]) -> None:
    game = make(num_players=2)
    for states in (make(num_players=3).new(1), game.blank_states(2), game.new(1)[0:0]):
        with pytest.raises(ValueError, match=r"^state: expected one position of this variant, 2 players"):
            USES[use](game, states)


@pytest.mark.parametrize("player", [-1, 2])
def test_seats_that_do_not_exist_are_refused(player: int) -> None:
    game = toy(num_players=2)
    state = game.new(1)
    uses: tuple[Callable[[], Any], ...] = (
        lambda: game.observe(state, player),
        lambda: game.redeal(state, player, 1),
        lambda: game.random_playouts(state, [1], player=player),
    )
    for use in uses:
        with pytest.raises(ValueError, match=f"^player: expected 0 to 1, got {player}$"):
            use()
