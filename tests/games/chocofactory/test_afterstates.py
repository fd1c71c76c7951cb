"""What each legal action would change, against positions after these actions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from chocofactory_games import load

import chocofactory_env as cf
from chocofactory_env.games.chocofactory.constants import NUM_DAYS, TRACK_END
from chocofactory_env.games.chocofactory.feature_names import AT, FEATURES
from chocofactory_env.games.chocofactory.vocabulary import Phase, day_of, phase_of

EVERY = pytest.mark.parametrize(
    "options",
    [
        {"num_players": 1},
        {"num_players": 1, "solo_money": "completed"},
        {"num_players": 3},
        {"num_players": 2, "expansion": "master_chocolatier"},
    ],
    ids=["solo", "completed orders", "three", "expansion"],
)
# Features of what the seat has, which no price has a part in.
BLOCKS = ("money", "coal", "room", "on_tile", "completed")
OWN = [at for at, name in enumerate(FEATURES) if name.split(".")[0] in BLOCKS]
AT_ONCE = ("trade", "fulfil", "end_shift")  # moves of one action, unless they continue another


def read(after: Any, states: np.ndarray, seats: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of rows: the features now (B, F), numbers of actions (B, M), NONE where there is none, and changes (B, M, F).

    seats: (B,); None: those to move.
    """
    out = np.empty((len(states), after.size), np.uint8)
    after.fill(states, states["current"].astype(np.int32) if seats is None else seats, out)
    now, of_actions = out[:, : after.features], out[:, after.features :].reshape(len(states), after.actions, -1)
    changes = of_actions[..., 1:].view(np.int8) / after.change_steps
    return now.view(np.int8) / after.present_steps, of_actions[..., 0].astype(int) - 1, changes


@EVERY
def test_legal_actions_are_there_in_their_order(options: dict[str, Any]) -> None:
    game = load(**options)
    after, batch, choose = game.afterstates(), cf.make_batch(game, 32, scaled=False), cf.LegalSampler(3)
    step = batch.reset(seed=4)
    for _ in range(250):
        _, actions, _ = read(after, batch.states)
        for mask, found in zip(step.action_masks, actions, strict=True):
            assert found[found >= 0].tolist() == np.flatnonzero(mask)[: after.actions].tolist()
        step = batch.step(choose(step.action_masks))


@EVERY
def test_changes_are_those_that_actions_make(options: dict[str, Any]) -> None:
    game = load(**options)
    after, choose, compared = game.afterstates(), cf.LegalSampler(1), 0
    state = game.new(seed=5)
    while not game.is_over(state):
        seat, legal = game.current_player(state), np.flatnonzero(game.legal_mask(state)).tolist()
        now, _, changes = read(after, state)
        before = game.day_end(state, seat)[0]
        if phase_of(state) != Phase.DRAFT:
            np.testing.assert_allclose(now[0, OWN], before[OWN], atol=0.6 / after.present_steps)
        for place, action in enumerate(legal):
            there = game.clone(state)
            game.apply(there, action)
            goes_on = not game.is_over(there) and game.current_player(there) == seat and day_of(there) == day_of(state)
            if not goes_on or state["task"]["kind"][0] != 0 or game.decode(action)[0] not in AT_ONCE:
                continue
            expected = game.day_end(there, seat)[0][OWN] - before[OWN]
            np.testing.assert_allclose(changes[0, place, OWN], expected, atol=0.6 / after.change_steps)
            compared += bool(np.abs(expected).max() > 0)
        game.apply(state, choose.one(game.legal_mask(state)))
    assert compared > 20
    assert changes[0, :, AT.others_money].max(initial=0) == 0


def positions(game: cf.Game, number: int, seed: int) -> Iterator[Any]:
    """Every position of random games in which a seat moves."""
    choose = cf.LegalSampler(seed)
    for each in range(seed, seed + number):
        state = game.new(seed=each)
        while not game.is_over(state):
            yield state
            game.apply(state, choose.one(game.legal_mask(state)))


def test_marker_that_moves_ranks_behind_those_on_its_space() -> None:
    """FUL-6, END-3"""
    game = load(num_players=3)
    after, compared = game.afterstates(), 0
    prizes = [at for at, name in enumerate(FEATURES) if name.split(".")[0] == "likely_prize"]
    for state in positions(game, 40, seed=1):
        seat, legal = game.current_player(state), np.flatnonzero(game.legal_mask(state)).tolist()
        before, there = game.day_end(state, seat)[0], game.clone(state)
        stop = [action for action in legal if game.decode(action)[0] == "stop"]
        if phase_of(state) != Phase.FULFIL or not stop:
            continue
        game.apply(there, stop[0])
        changes = read(after, state)[2][0, legal.index(stop[0]), prizes]
        expected = game.day_end(there, seat)[0][prizes] - before[prizes]
        np.testing.assert_allclose(changes, expected, atol=0.6 / after.change_steps)
        compared += bool(np.abs(expected).max() > 0)
    assert compared > 8


def test_changes_do_not_depend_on_the_turn_order() -> None:
    """A seat's last shift is followed by another's run or the next phase; its last new order maybe by a new day."""
    game = load(num_players=2)
    after, compared = game.afterstates(), Counter[int]()
    for state in positions(game, 30, seed=1):
        if phase_of(state) in (Phase.RUN, Phase.REPLACE):
            otherwise = game.clone(state)
            otherwise["start_player"], otherwise["turn"] = 1 - state["start_player"], 1 - state["turn"]
            (_, _, changes), (_, _, also) = read(after, state), read(after, otherwise)
            np.testing.assert_array_equal(changes, also)
            compared[phase_of(state)] += bool(np.abs(changes).max() > 0)
    assert compared[Phase.RUN] > 20
    assert compared[Phase.REPLACE] > 3


def test_draft_tells_employees_apart_by_effect_and_store() -> None:
    game = load(num_players=3)
    after, compared = game.afterstates(), 0
    at = {name: after.names.index(f"today.{name}") for name in ("open", "track", "others_track", "variety")}
    effects = [number for number, name in enumerate(after.names) if name.startswith("effect.")]
    for state in positions(game, 3, seed=1):
        _, actions, changes = read(after, state)
        tracks = state["players"]["track"][0]
        seat = game.current_player(state)
        for place, action in enumerate(actions[0].tolist()):
            if action < 0 or game.decode(action)[0] != "draft_employee":
                continue
            store = game.decode(action)[1]
            made = {name: changes[0, place, number] for name, number in at.items()}
            mine, others = tracks[seat, store], np.delete(tracks[:, store], seat).max()
            can_move = mine < TRACK_END
            assert made["open"] == can_move
            assert (made["variety"] > 0) == (mine == 0 and day_of(state) < NUM_DAYS)
            assert made["track"] == pytest.approx(can_move * mine / 5, abs=0.01)
            assert made["others_track"] == pytest.approx(can_move * others / 5, abs=0.01)
            assert np.count_nonzero(changes[0, place, effects]) == 1
            compared += 1
    assert compared > 20


@EVERY
def test_face_down_cards_have_no_influence_and_rows_without_a_seat_are_zeros(options: dict[str, Any]) -> None:
    game = load(**options)
    after, differ = game.afterstates(), 0
    for step, state in enumerate(positions(game, 2, seed=1)):
        redealt = game.redeal(state, game.current_player(state), seed=step)
        differ += redealt.tobytes() != state.tobytes()
        for one, other in zip(read(after, state), read(after, redealt), strict=True):
            np.testing.assert_array_equal(one, other)
    assert differ > 100
    now, actions, changes = read(after, state, np.array([-1], np.int32))
    assert not now.any()
    assert (actions == -1).all()
    assert not changes.any()
