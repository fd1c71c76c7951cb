"""Positions as dictionaries: they lose nothing, and what is not a position is refused with its place."""

from __future__ import annotations

import json
from itertools import islice
from typing import Any

import pytest
from games_played import VARIANTS, steps, variant_name
from hypothesis import given, settings
from hypothesis import strategies as st
from long_runs import amount
from positions import Position, load, play

from chocofactory_env.core.errors import StateError
from chocofactory_env.core.jit import COMPILED

GAMES = amount("CF_CHECKED_GAMES", 1, 10)
CHANGED = amount("CF_MUTANTS", 100, 20_000) if COMPILED else 10
EVERY = pytest.mark.parametrize("options", VARIANTS, ids=variant_name)


@EVERY
@pytest.mark.long
def test_a_position_comes_back_from_json_and_goes_on_identically(options: dict[str, Any]) -> None:
    game = load(**options)
    for seed in range(GAMES):
        for step, (state, action) in enumerate(steps(game, seed)):
            if action < 0 or step % (5 if COMPILED else 25):
                continue
            data = game.to_dict(state)
            copy = game.from_dict(json.loads(json.dumps(data)))
            assert game.to_dict(copy) == data
            assert game.legal_mask(copy).tobytes() == game.legal_mask(state).tobytes()
            after, other = game.clone(state), copy
            game.apply(after, action)
            game.apply(other, action)
            assert game.to_dict(after) == game.to_dict(other)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda d: d.update(day=7), "state.day: expected a whole number from 1 to 6, got 7"),
        (lambda d: d.update(phase="lunch"), "state.phase: expected one of draft"),
        (lambda d: d.update(extra=1), "state: expected no unknown key, got 'extra'"),
        (lambda d: d.pop("offer"), "state: expected a table with 'offer'"),
        (lambda d: d.update(deck="0"), "state.deck"),
        (lambda d: d["options"].update(num_players=3), "state.options"),
        (lambda d: d["players"].pop(), r"state.players: expected a list of 2"),
        (lambda d: d["players"][1]["belt"][2].update(nuts=-1), r"state.players\[1\].belt\[2\].nuts"),
        (lambda d: d["players"][0].update(coal=True), r"state.players\[0\].coal: expected a whole number"),
        (lambda d: d["players"][0]["orders"][0].update(order="none such"), r"state.players\[0\].orders\[0\].order"),
        (lambda d: d["players"][0]["orders"][0].update(stage=1), r"state.players\[0\].orders\[0\].stage"),
        (lambda d: d["players"][0].update(part_drafted=1), r"state.players\[0\].part_drafted"),
        (lambda d: d["decks"]["parts"].pop(), "state.decks.parts: expected a list of 25"),
        (lambda d: d.update(current_player=None), "state.current_player: expected a seat"),
        (lambda d: d.update(phase="replace"), r"state.players\[0\].employee: expected an employee"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(change: Any, place: str) -> None:
    game = load(num_players=2)
    data = game.to_dict(game.new(1))
    change(data)
    with pytest.raises(StateError, match=place):
        game.from_dict(data)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, item in inner for place in places(item, (*path, key)))]


@pytest.mark.long
@settings(max_examples=CHANGED, deadline=None)
@given(data=st.data(), players=st.sampled_from([1, 2]), number=st.integers(0, 60))
def test_any_other_value_anywhere_is_refused_or_is_a_position(data: st.DataObject, players: int, number: int) -> None:
    game = load(num_players=players)
    state, _ = next(islice(steps(game, number), number, None))
    changed = game.to_dict(state)
    place = data.draw(st.sampled_from(places(changed)[1:]))
    target = changed
    for key in place[:-1]:
        target = target[key]
    target[place[-1]] = data.draw(JSON)
    try:
        state = game.from_dict(changed)
    except StateError:
        return
    assert json.dumps(game.to_dict(state), sort_keys=True) == json.dumps(changed, sort_keys=True)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda d: d["sides"].update(fresh_fancies="C"), "state.sides.fresh_fancies: expected one of A, B, got 'C'"),
        (
            lambda d: d["display"].update(part_packets=[5] * 5),
            r"part_packets\[0\]: expected a whole number from 0 to 4",
        ),
        (lambda d: d["under_way"].update(rule_of=None), "state.under_way.rule_of: expected one of palace_boutique"),
        (lambda d: d["under_way"].update(store=None), "state.under_way.store: expected one of palace_boutique"),
        (lambda d: d["under_way"].update(rule_of="fresh_fancies"), "rule_of: expected 'salters_emporium'"),
        (lambda d: d["under_way"].update(task="borrow", rule_of=None), "task: expected 'give_store', got 'borrow'"),
        (lambda d: d["under_way"].update(task="give_card"), "state.under_way.store: expected null"),
    ],
)
def test_a_delivery_under_way_that_cannot_be_is_refused(change: Any, place: str) -> None:
    position = Position(num_players=2, play_forced=False).phase("fulfil")
    game, state = position.player(0, employee="expert-miner", store_room={"caramel": 2}).build()
    play(game, state, "supply salters_emporium")
    data = game.to_dict(state)
    change(data)
    with pytest.raises(StateError, match=place):
        game.from_dict(data)
