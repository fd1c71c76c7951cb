"""Taking back: only what told nothing new, and only until another seat has acted."""

from __future__ import annotations

import random

import numpy as np
import pytest
from at_table import play, table_of
from games_under_test import GAMES_AND_EXPANSION, GameMaker, chocofactory, schoko

from chocofactory_env.drawing.names import named
from chocofactory_env.play.protocol import Refusal
from chocofactory_env.play.tables.pictures import open_mover
from chocofactory_env.play.tables.undo import DEALS, what_is_known


@pytest.mark.parametrize("make_game", GAMES_AND_EXPANSION)
def test_what_is_taken_back_is_as_it_was_and_told_nothing(make_game: GameMaker) -> None:
    rng, taken_back = random.Random(1), 0
    table = table_of(make_game(num_players=2), 3)
    game = table.game
    for _ in range(60):
        if table.over:
            break
        seat, before = game.current_player(table.state), table.state.tobytes()
        log, actions = [list(table.log(viewer)) for viewer in (None, 0, 1)], list(table.actions)
        play(table, 1, rng)
        steps = table.retractable(seat)
        if not steps:
            continue
        step, told = table.run.steps[-1], what_is_known(game, table.state, seat)
        for seed in range(DEALS, 3 * DEALS):  # deals that the server has not tried
            dealt = game.redeal(step.before, seat, seed)
            game.apply(dealt, step.action)
            assert what_is_known(game, dealt, seat)[1:] == told[1:]
        decision = table.asked[seat]
        table.undo(seat, 1, len(steps))
        taken_back += 1
        assert table.state.tobytes() == before
        assert table.actions == actions
        assert [table.log(viewer) for viewer in (None, 0, 1)] == log
        assert table.asked[seat] == decision + 1  # what was asked before is stale
        play(table, 1, rng)
    assert taken_back > 3


def test_a_draft_is_taken_back_until_another_seat_has_acted() -> None:
    table = table_of(chocofactory(num_players=2), 1)
    first = table.game.current_player(table.state)
    begun = table.state.tobytes()
    while table.game.current_player(table.state) == first:
        play(table, 1, random.Random(2))
    steps = table.retractable(first)
    assert len(steps) == len(table.actions) >= 1
    assert table.view(first)["undo"] == [named(step.words, table.names) for step in steps]
    with pytest.raises(Refusal, match="at most"):
        table.undo(first, len(steps) + 1, len(steps))
    with pytest.raises(Refusal, match="has changed"):
        table.undo(first, 1, len(steps) + 1)
    table.undo(first, len(steps), len(steps))
    assert table.state.tobytes() == begun
    while table.game.current_player(table.state) == first:
        play(table, 1, random.Random(2))
    play(table, 1, random.Random(3))
    assert table.retractable(first) == []


def test_a_turn_in_secret_is_not_taken_back_once_others_may_have_been_asked() -> None:
    """Else a seat would learn from the offer, or from its end, who is asked for cards."""
    rng, passed = np.random.default_rng(1), 0
    for seed in range(6):
        table = table_of(schoko(num_players=3), seed)
        while not table.over and len(table.actions) < 80:
            seat = table.game.current_player(table.state)
            legal = np.flatnonzero(table.game.legal_mask(table.state))
            table.act(seat, table.asked[seat], int(rng.choice(legal)))
            if table.mover in (None, seat):
                continue
            if open_mover(table.game, table.state) is None:
                passed += 1
                assert table.retractable(seat) == []
    assert passed > 10


def test_agents_take_nothing_back() -> None:
    table = table_of(chocofactory(num_players=2), 1, kind="agent")
    table._apply(int(table.game.legal_mask(table.state).argmax()))
    assert all(table.retractable(viewer) == [] for viewer in (None, 0, 1))
