"""Positions as data: words stand for numbers, and what does not fit is refused with its place."""

from __future__ import annotations

import json
import re
from typing import Any

import gymnasium
import numpy as np
import pytest
from all_games import load
from damaged_decks import VALUES
from hypothesis import given, settings
from hypothesis import strategies as st

import chocofactory_env as cf
from chocofactory_env.core.codec import FLAG, Words, from_json, to_json
from chocofactory_env.core.records import Array, Array2, Record, field
from chocofactory_env.games.candyfactory.constants import Step
from chocofactory_env.games.chocofactory.constants import Phase

MOST_MESSAGE = 300


class Options(Record):
    num_players: int = field("i1")


class Seat(Record):
    coins: int = field("i1", most=9)
    debt: int = field("i2", least=-5, most=0)
    hand: Array2[int] = field("i1", 2, 3, least=-1)
    ready: int = field("i1")


class Position(Options):
    seats: Array[Seat] = field(Seat, 3)
    phase: int = field("i1")
    mover: int = field("i1", least=-1, most=2)
    seen_by: Array[int] = field("u1", 2)


TABLE = {
    Position: {"seats": Words(axes=(range(2),)), "phase": Words(("draft", "run")), "seen_by": Words(bits=range(3))},
    Seat: {"hand": Words(("red", "blue"), axes=(("left", "right"),)), "ready": FLAG},
}
SEAT = {
    "coins": 3,
    "debt": -2,
    "hand": {"left": ["red", None, "blue"], "right": [None, None, None]},
    "ready": True,
}
DATA: dict[str, Any] = {"seats": [SEAT, SEAT], "phase": "run", "mover": None, "seen_by": [[], [0, 2]]}


def read(data: Any) -> np.ndarray:
    row = np.zeros(1, Position.dtype)
    from_json(Position, data, row[0], TABLE)
    return row


def test_a_record_is_written_in_words_and_read() -> None:
    row = read(DATA)
    assert to_json(Position, row[0], TABLE) == DATA
    assert (row["phase"][0], row["mover"][0], row["seen_by"][0].tolist()) == (1, -1, [0, 5])
    assert row["seats"]["hand"][0, 1].tolist() == [[0, -1, 1], [-1, -1, -1]]
    assert row["seats"][0, 2].tobytes() == bytes(Seat.dtype.itemsize)  # not in the game


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("seats", 0, "coins"), 10, "state.seats[0].coins: expected a whole number from 0 to 9, got 10"),
        (("seats", 0, "coins"), True, "state.seats[0].coins: expected a whole number from 0 to 9, got True"),
        (("seats", 1, "ready"), 1, "state.seats[1].ready: expected one of False, True, got 1"),
        (("mover",), -1, "state.mover: expected a whole number from 0 to 2, or null, got -1"),
        (("phase",), "rum", "state.phase: expected one of draft, run, got 'rum' (did you mean 'run'?)"),
        (("seats",), [SEAT], "state.seats: expected a list of 2 entries, got [{"),
        (("seats", 0, "hand"), [], "state.seats[0].hand: expected an object, got []"),
        (("seats", 0, "hand"), {"left": []}, "state.seats[0].hand: expected a field 'right', got none"),
        (("seats", 0, "hand", "left"), {}, "state.seats[0].hand.left: expected a list of 3 entries, got {}"),
        (("seats", 0, "hand", "left", 2), "green", "state.seats[0].hand.left[2]: expected one of red, blue, or null"),
        (("seen_by", 1), [2, 0], "state.seen_by[1][1]: expected a word of its kind, each once and in their order, got"),
        (("seen_by", 1), [3], "state.seen_by[1][0]: expected a word of its kind, each once and in their order, got 3"),
        (("seat",), 1, "state: expected no other field, got 'seat' (did you mean 'seats'?)"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_with_its_place(path: tuple[Any, ...], value: Any, message: str) -> None:
    with pytest.raises(cf.StateError) as refused:
        read(replaced(DATA, path, value))
    assert str(refused.value).startswith(message)


def replaced(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    copy = json.loads(json.dumps(data))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return copy


# --- of the games


def test_a_position_in_which_nobody_can_act_is_refused_and_cannot_be_played_on() -> None:
    game = load("candyfactory", num_players=2)
    stuck = game.new(1)
    stuck["step"] = Step.OVER  # but a seat is to move
    with pytest.raises(cf.StateError, match=r"^state: expected a legal action of the seat to move, got none$"):
        game.from_dict(game.to_dict(stuck))
    with pytest.raises(cf.IllegalActionError, match="legal: none: play cannot reach this position"):
        game.apply(stuck, 0)


def test_an_environment_raises_where_nobody_can_act_whatever_an_illegal_action_costs() -> None:
    env = gymnasium.make("ChocoFactory/FactoryManager-v0", illegal_action="penalty")
    env.reset(seed=1)
    base: Any = env.unwrapped
    base.game_state["phase"] = Phase.OVER
    base.game.write_mask(base.game_state, base._mask)
    with pytest.raises(cf.IllegalActionError, match="play cannot reach this position"):
        env.step(0)


@pytest.mark.parametrize("name", ["chocofactory", "candyfactory", "schoko"])
@settings(deadline=None)  # the first example makes the game
@given(data=st.data(), junk=VALUES)
def test_whatever_it_is_it_is_read_as_it_is_or_refused_with_its_place(name: str, data: Any, junk: Any) -> None:
    game = load(name, num_players=2)
    position = game.to_dict(game.new(1))
    path = data.draw(st.sampled_from(paths(position)))
    changed = replaced(position, path, junk) if path else junk
    refusal, state = "", None
    try:
        state = game.from_dict(changed)
    except cf.StateError as error:
        refusal = str(error)
    if state is None:
        assert re.match(r"state(\.[\w -]+|\[\d+\])*: expected ", refusal)
        assert len(refusal) <= MOST_MESSAGE
    else:
        assert json.dumps(game.to_dict(state), sort_keys=True) == json.dumps(changed, sort_keys=True)


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, item in inner for place in paths(item, (*path, key)))]
