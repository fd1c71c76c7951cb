"""Simultaneous mode: SIM-1 to SIM-3."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from chocofactory_games import KINDS, MASTER_CHOCOLATIER, Position, load, play
from joint_games import joint_games, played_in_turns
from long_runs import amount

import chocofactory_env as cf
from chocofactory_env.core.jit import COMPILED
from chocofactory_env.games.chocofactory.constants import Kind, Phase

GAMES = amount("CF_GAMES", 200, 10_000) if COMPILED else 1
OPTIONS: list[dict[str, Any]] = [
    {"num_players": 2},
    {"num_players": 3, "sides": "random", "play_forced": False},
    {"num_players": 4, "sides": "D", "expansion": MASTER_CHOCOLATIER},
]
EVERY = pytest.mark.parametrize("options", OPTIONS if COMPILED else OPTIONS[:1], ids=str)
FIRST_SEED = {2: 1000, 3: 300, 4: 0}  # markers move often in few games: in some of the next 200
ACTED_AT_ONCE = (Phase.RUN, Phase.FULFIL)


def in_the_order_of_turns(states: np.ndarray, seats: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    together = np.isin(states["phase"], ACTED_AT_ONCE)
    place = (seats - states["start_player"][:, None]) % len(seats)
    return states["phase"].astype(int), np.where(together[:, None], place, 0)


def without_mode(states: np.ndarray) -> bytes:
    states = states.copy()
    states["simultaneous"] = states["variant"] = 0
    return states.tobytes()


@EVERY
@pytest.mark.long
def test_sim_1_2_3_the_same_choices_have_the_same_result_as_in_turns(options: dict[str, Any]) -> None:
    first = FIRST_SEED[options["num_players"]]
    game, seeds = load(**options, mode="simultaneous"), range(first, first + GAMES)
    ends, decisions, joint_steps = joint_games(game, seeds, in_the_order_of_turns)
    assert joint_steps < len(decisions) / GAMES * 1.5, "several seats are asked in a step"
    assert without_mode(ends) == without_mode(played_in_turns(load(**options), seeds, decisions))
    assert ends["players"]["arrival"].max() > (3 if GAMES > 100 else 0), "games in which markers move"


def asked(game: Any, state: np.ndarray) -> list[int]:
    """The seats that are asked beside each other."""
    masks = np.zeros((game.num_players, game.num_actions + 1), np.int8)
    before = state.tobytes()
    game.write_joint_masks(state, masks)
    assert state.tobytes() == before
    return np.flatnonzero(masks[:, -1] == 0).tolist()


def test_sim_2_seats_are_asked_round_and_round_until_they_have_ended_the_phase() -> None:
    game, state = Position(num_players=3, mode="simultaneous").phase("run").build()
    movers = []
    for ends in range(9):
        movers.append(game.current_player(state))
        play(game, state, "end shift")
        if ends == 2:
            assert game.to_dict(state)["shift"] == 2
    assert movers == [0, 1, 2] * 3
    assert state["phase"][0] == Phase.FULFIL
    play(game, state, "finish orders")
    assert game.to_dict(state)["finished"] == [0]
    assert asked(game, state) == [1, 2]
    assert game.current_player(state) == 1


def test_sim_3_markers_arrive_in_turn_order_whoever_hands_over_first() -> None:
    """FUL-6"""
    store = "house_of_luxury"
    supply = [f"supply {store}"]  # the one piece is given by itself
    game, state = who_supply_a_store(mode="simultaneous")
    ranks = []
    waiting = {0: ["fulfil order 0", "fulfil order 1", *supply], 1: ["fulfil order 0", *supply], 2: list(supply)}
    while any(waiting.values()):
        seat = game.current_player(state)
        play(game, state, waiting[seat].pop(0) if waiting[seat] else "finish orders")
        arrivals = [player["arrival"][store] for player in game.to_dict(state)["players"]]
        ranks.append([sorted(filter(None, arrivals)).index(each) + 1 if each else 0 for each in arrivals])
    assert ranks == [[0, 0, 0], [0, 0, 0], [0, 0, 1], [0, 0, 1], [0, 1, 2], [0, 1, 2], [1, 2, 3]]
    game, state = who_supply_a_store(mode="turns")
    play(game, state, "fulfil order 0", "fulfil order 1", *supply, "finish orders")
    play(game, state, "fulfil order 0", *supply, "finish orders", *supply)
    assert [player["arrival"][store] for player in game.to_dict(state)["players"]] == arrivals


def who_supply_a_store(mode: str) -> tuple[Any, np.ndarray]:
    """Three seats that serve one store, each with a piece for it; the first two can fulfil small orders before."""
    position = Position(num_players=3, mode=mode).phase("fulfil")
    cards = position.game.cards
    small = [
        (name, dict(zip(KINDS, row["stages"]["pieces"][0].tolist(), strict=True)))
        for name, row in zip(cards.orders, cards.array["orders"][0], strict=False)
        if row["deck"] == 0 and not row["stages"]["pieces"][0, Kind.BOXED]
    ]
    for seat, employee in enumerate(("engineer", "supervisor", "dealer")):
        own = small[2 * seat : 2 * seat + 2]
        room = {kind: sum(pieces[kind] for _, pieces in own) for kind in KINDS} | {"boxed": 1}
        position.player(seat, employee=employee, orders=[(name, 0) for name, _ in own], store_room=room)
    return position.build()


# --- positions as data, records, options


def someone_else_in_a_move() -> tuple[Any, dict[str, Any]]:
    position = Position(num_players=3, mode="simultaneous").phase("run")
    game, state = position.player(2, coal=5, belt={1: {"cocoa": 1}}).build()
    play(game, state, "end shift", "end shift", "operate slot 1")
    return game, game.to_dict(state)


def test_sim_1_the_moves_that_seats_have_begun_are_part_of_a_position() -> None:
    game, data = someone_else_in_a_move()
    assert [task["kind"] for task in data["tasks"]] == ["nothing", "nothing", "upgrade_make"]
    assert game.to_dict(game.from_dict(data)) == data


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["greedy", "planner:width=4"])
def test_agents_that_look_at_no_other_seat_play_as_in_turns(agent: str) -> None:
    """One agent plays both seats, and keeps a plan for each."""
    scores = []
    for mode in ("turns", "simultaneous"):
        game = load(num_players=2, mode=mode)
        record = cf.record_game(game, cf.make_agent(agent, game), seed=5)
        assert record.result is not None
        scores.append(record.result.scores)
    assert scores[0] == scores[1]
