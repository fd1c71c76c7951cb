"""Taking back after others have moved: agents agree, persons are asked. What would need that is said beforehand."""

from __future__ import annotations

import random

import numpy as np
import pytest
from at_table import play, table_of
from games_under_test import GAMES_AND_EXPANSION, GameMaker, chocofactory

from chocofactory_env.play.protocol import Refusal
from chocofactory_env.play.tables.consent import is_final
from chocofactory_env.play.tables.table import Table


def played_round(table: Table, seat: int, rng: random.Random) -> int | None:
    """Play until the seat can ask for its last decision back; how many actions there were before it."""
    for _ in range(200):
        if table.over:
            return None
        if table.mover == seat and table.view(seat)["back"]:
            return table.kept_before(seat)
        play(table, 1, rng)
    return None


def asked_of(table: Table) -> tuple[set[int], int | None] | None:
    """Who has to agree yet, and who did not."""
    return None if table.request is None else (table.request.waits_for, table.request.refused_by)


@pytest.mark.parametrize("make_game", GAMES_AND_EXPANSION)
def test_a_decision_is_taken_back_with_what_followed_once_all_persons_agree(make_game: GameMaker) -> None:
    rng, table = random.Random(1), table_of(make_game(num_players=3), 3)
    taken_back = 0
    for _ in range(4):
        kept = played_round(table, 0, rng)
        if kept is None:
            break
        actions, asked = list(table.actions), list(table.asked)
        with pytest.raises(Refusal, match="nobody asks"):
            table.answer_back(1, True)
        table.ask_back(0, frozenset({0}))
        assert asked_of(table) == ({1, 2}, None)
        table.answer_back(1, True)
        assert table.actions == actions
        table.answer_back(2, False)
        assert asked_of(table) == (set(), 2)
        table.ask_back(0, frozenset({0, 2}))  # two at one screen
        table.answer_back(1, True)
        assert asked_of(table) is None
        assert table.actions == actions[:kept]
        assert table.mover == 0
        assert all(after > before for after, before in zip(table.asked, asked, strict=True))  # all is stale
        assert [line.number for line in table.log(None)] == sorted(line.number for line in table.log(None))
        assert all(line.number < kept for viewer in (None, 0, 1, 2) for line in table.log(viewer))
        again = table.game.new(table.seed)
        for action in table.actions:
            table.game.apply(again, action)
        assert again.tobytes() == table.state.tobytes()
        taken_back += 1
        play(table, 3, rng)
    assert taken_back


def test_agents_agree_at_once_and_a_move_ends_the_request() -> None:
    table = table_of(chocofactory(num_players=2), 1)
    table.seats[1].kind = "agent"
    rng = random.Random(2)
    while not table.view(0)["back"]:
        table._apply(int(rng.choice(np.flatnonzero(table.game.legal_mask(table.state)))))
        table._views.clear()
    kept = table.kept_before(0)
    table.ask_back(0, frozenset({0}))
    assert len(table.actions) == kept
    table.seats[1].kind = "here"
    while not table.view(0)["back"]:
        play(table, 1, rng)
    table.ask_back(0, frozenset({0}))
    play(table, 1, rng)
    assert table.request is None


@pytest.mark.parametrize("players", [1, 2])
def test_what_is_said_to_be_final_cannot_be_taken_back_alone(players: int) -> None:
    rng, table, found = random.Random(5), table_of(chocofactory(num_players=players), 3), {True: 0, False: 0}
    for _ in range(120):
        seat, legal = table.game.current_player(table.state), np.flatnonzero(table.game.legal_mask(table.state))
        action = int(rng.choice(legal))
        final = table.is_final(seat, action)
        assert not is_final(table.game, table.state, action, []) or players == 1  # agents agree
        for seed in range(3):  # it says nothing hidden
            dealt = table.game.redeal(table.state, seat, seed + 100)
            assert is_final(table.game, dealt, action, [seat + 1] * (players - 1)) == final
        table.act(seat, table.asked[seat], action)
        if table.over:
            break
        if len(legal) > 1:
            found[final] += 1
            assert final == (not table.retractable(seat) or table.mover != seat)
    assert min(found.values()) > 0


def test_nothing_is_asked_back_alone() -> None:
    table = table_of(chocofactory(num_players=1), 3)
    play(table, 40, random.Random(1))
    assert not table.view(0)["back"]
    with pytest.raises(Refusal, match="nothing can be taken back"):
        table.ask_back(0, frozenset({0}))
