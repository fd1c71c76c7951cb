"""What each legal action would change, read from observations, against positions after these actions."""

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


def read(after: Any, raw: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of rows: the features now (B, F), numbers of actions (B, M), NONE where there is none, and changes (B, M, F)."""
    out = np.empty((len(raw), after.size), np.uint8)
    after.fill(raw, out)
    now, of_actions = out[:, : after.features], out[:, after.features :].reshape(len(raw), after.actions, -1)
    changes = of_actions[..., 1:].view(np.int8) / after.change_steps
    return now.view(np.int8) / after.present_steps, of_actions[..., 0].astype(int) - 1, changes


def shown(game: cf.Game, state: Any) -> np.ndarray:
    """(1, R): what the seat to move sees."""
    raw = np.empty((1, game.observation_layout.raw_size), np.uint8)
    game.write_raw_observation(state, game.current_player(state), raw[0])
    return raw


@EVERY
def test_legal_actions_are_there_in_their_order(options: dict[str, Any]) -> None:
    game = load(**options)
    after, batch, choose = game.afterstates(), cf.make_batch(game, 32, scaled=False), cf.LegalSampler(3)
    step = batch.reset(seed=4)
    for _ in range(250):
        _, actions, _ = read(after, step.observations)
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
        now, _, changes = read(after, shown(game, state))
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
        changes = read(after, shown(game, state))[2][0, legal.index(stop[0]), prizes]
        expected = game.day_end(there, seat)[0][prizes] - before[prizes]
        np.testing.assert_allclose(changes, expected, atol=0.6 / after.change_steps)
        compared += bool(np.abs(expected).max() > 0)
    assert compared > 8


def test_changes_do_not_depend_on_the_turn_order() -> None:
    """A seat's last shift is followed by another's run or the next phase; its last new order maybe by a new day."""
    game = load(num_players=2)
    after, compared = game.afterstates(), Counter[int]()
    first = game.observation_layout.offset_of["start_player"]
    for state in positions(game, 8, seed=1):
        if phase_of(state) in (Phase.RUN, Phase.REPLACE):
            raw = shown(game, state)
            otherwise = raw.copy()
            otherwise[0, first : first + 2] = raw[0, first : first + 2][::-1]
            (_, _, changes), (_, _, also) = read(after, raw), read(after, otherwise)
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
        _, actions, changes = read(after, shown(game, state))
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


@pytest.mark.parametrize("players", [1, 3])
def test_bytes_of_no_position_are_read_too(players: int) -> None:
    """An observation may be damaged: compiled code stays in its arrays, so what it writes depends on nothing else."""
    game = load(num_players=players)
    rng = np.random.default_rng(0)
    raw = rng.integers(0, 256, (2000, game.observation_layout.raw_size)).astype(np.uint8)
    raw[::2] *= rng.random(raw[::2].shape) < 0.1  # mostly zeros, as positions are
    first, second = (read(game.afterstates(), raw) for _ in range(2))
    for one, other in zip(first, second, strict=True):
        np.testing.assert_array_equal(one, other)
