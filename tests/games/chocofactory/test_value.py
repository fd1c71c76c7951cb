"""Features of a day's end, and plans that are judged by a learned value."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
import pytest
from chocofactory_games import VARIANTS, load, scrambled, steps, variant_name

from chocofactory_env.games.chocofactory.feature_names import AT, ENTRIES, FEATURES, Places
from chocofactory_env.games.chocofactory.search.draft import Draft
from chocofactory_env.games.chocofactory.vocabulary import NO_EMPLOYEE, NO_PART, Phase, display_of, phase_of

EVERY = pytest.mark.parametrize("options", VARIANTS, ids=variant_name)


def positions(game: Any, seed: int, every: int = 40) -> list[np.ndarray]:
    return [state.copy() for state, action in islice(steps(game, seed), 0, None, every) if action >= 0]


def counted(game: Any, state: np.ndarray, seat: int) -> int:
    """The money of a seat, without what does not count yet (SOLO-7)."""
    data = game.to_dict(state)
    return int(data["players"][seat]["money"] - sum(data["paid"]))


def weights_for(game: Any, **of_features: float) -> np.ndarray:
    """A learned value of these features, the same on all days."""
    weights: np.ndarray = game.evaluation_weights()
    weights["learned"] = 1
    for name, weight in of_features.items():
        weights["value"]["weights"][0, :, FEATURES.index(name)] = weight
    return weights


def test_every_block_of_features_has_its_place() -> None:
    assert len(set(FEATURES)) == len(FEATURES)
    assert set(ENTRIES) <= set(Places._fields)
    for block in Places._fields:
        entries = ENTRIES.get(block)
        assert FEATURES[getattr(AT, block)] == (f"{block}.{entries[0]}" if entries else block)


@EVERY
def test_features_are_those_of_the_position(options: dict[str, Any]) -> None:
    game = load(**options)
    for state in positions(game, 5):
        data = game.to_dict(state)
        for seat, player in enumerate(data["players"]):
            x = dict(zip(FEATURES, game.day_end(state, seat)[0].tolist(), strict=True))
            assert x["money"] == pytest.approx(counted(game, state, seat) / 50)
            assert x["coal"] == pytest.approx(player["coal"] / 10)
            for store, space in player["track"].items():
                assert x[f"track.{store}"] == pytest.approx(space / 5)
            assert x["room.boxed"] == pytest.approx(player["pieces"]["store room"]["boxed"] / 3)
            assert x["to_replace"] == player["to_replace"]
            assert x["expansion"] == ("expansion" in options)
            open_orders = [order for order in player["orders"][:3] if order]
            assert sum(x[f"sizes.{size}"] for size in ENTRIES["sizes"]) == len(open_orders)
            assert all(np.isfinite(list(x.values())))


@EVERY
def test_features_are_of_what_the_seat_knows(options: dict[str, Any]) -> None:
    game = load(**options)
    rng = np.random.default_rng(1)
    for state in positions(game, 6):
        seat = game.current_player(state)
        features, value = game.day_end(state, seat)
        others, other_value = game.day_end(scrambled(game, state, seat, rng), seat)
        assert features.tolist() == others.tolist()
        assert value == other_value


@EVERY
def test_plans_are_judged_by_the_learned_value(options: dict[str, Any]) -> None:
    """One that counts money alone: the value of a plan is the money at its end."""
    game = load(**options)
    planner = game.planner(8, weights_for(game, money=50.0))
    for state in positions(game, 7, every=25):
        seat = game.current_player(state)
        if phase_of(state) not in (Phase.RUN, Phase.FULFIL) or int(state["day"][0]) == 5:
            continue
        plan = planner.plan(state, seat)
        end = state.copy()
        for action in plan.actions:
            while game.current_player(end) != seat:
                game.apply(end, int(np.flatnonzero(game.legal_mask(end))[-1]))
            game.apply(end, action)
        assert plan.value == pytest.approx(counted(game, end, seat), abs=1e-3)


@EVERY
def test_a_draft_looked_at_is_the_draft_played(options: dict[str, Any]) -> None:
    """DRAFT-3, DRAFT-4: for who takes both cards in a row, the value of a pair is that of the position after both."""
    game = load(**options)
    planner, state = game.planner(4), game.new(seed=11)
    while not takes_both(game, state):
        game.apply(state, int(np.flatnonzero(game.legal_mask(state))[0]))
    seat, before = game.current_player(state), state.tobytes()
    part, employee = (next(iter(cards)) for cards in display_of(state))
    (looked_at,) = planner.values_with(state, seat, [Draft(part, 3, employee)])
    assert state.tobytes() == before
    for verb, argument in (("draft_part", part), ("place_part", 3), ("draft_employee", employee)):
        assert game.current_player(state) == seat
        game.apply(state, game.action_layout.encode(verb, argument))
    assert planner.plan(state, seat).value == pytest.approx(looked_at)


def takes_both(game: Any, state: Any) -> bool:
    verbs = {game.decode(action)[0] for action in np.flatnonzero(game.legal_mask(state)).tolist()}
    if not {"draft_part", "draft_employee"} <= verbs:
        return False
    after = game.clone(state)
    game.apply(after, game.action_layout.encode("draft_employee", next(iter(display_of(state)[1]))))
    return bool(game.current_player(after) == game.current_player(state))


@EVERY
def test_a_draft_is_solved(options: dict[str, Any]) -> None:
    """DRAFT-1 to DRAFT-3: as by a plain search that plays all that may be taken; every seat wants to be far ahead."""
    game, rng = load(**options), np.random.default_rng(4)
    planner, state = game.planner(1), game.new(seed=12)
    while len(picks(game, state)) > (6 if game.num_players > 2 else 10):
        game.apply(state, int(rng.choice(picks(game, state))))
        finish_placing(game, state)
    values = rng.normal(size=(game.num_players, NO_PART + 1, NO_EMPLOYEE + 1)).astype(np.float32)
    found = planner.solve_draft(state, values)
    _, line = plain_solution(game, state, values, [(NO_PART, NO_EMPLOYEE)] * game.num_players)
    seat = game.current_player(state)
    assert (found.part, found.employee) == line[seat]


def picks(game: Any, state: Any) -> list[int]:
    if phase_of(state) != Phase.DRAFT:
        return []
    legal: list[int] = np.flatnonzero(game.legal_mask(state)).tolist()
    return legal


def finish_placing(game: Any, state: Any) -> None:
    action = int(np.flatnonzero(game.legal_mask(state))[0])
    if game.decode(action)[0] == "place_part":
        game.apply(state, action)


def plain_solution(
    game: Any, state: Any, values: np.ndarray, taken: list[tuple[int, int]]
) -> tuple[np.ndarray, list[tuple[int, int]]]:
    """Every seat's lead, and what each has taken from here on."""
    if phase_of(state) != Phase.DRAFT:
        days = np.array([values[seat, part, employee] for seat, (part, employee) in enumerate(taken)])
        others = [np.delete(days, seat).max() if len(days) > 1 else 0.0 for seat in range(len(days))]
        return days - others, taken
    seat, best = game.current_player(state), None
    for action in picks(game, state):
        after, (part, employee) = game.clone(state), taken[seat]
        verb, argument = game.decode(action)
        game.apply(after, action)
        finish_placing(game, after)
        hand = (argument, employee) if verb == "draft_part" else (part, argument)
        found = plain_solution(game, after, values, [*taken[:seat], hand, *taken[seat + 1 :]])
        if best is None or found[0][seat] > best[0][seat]:
            best = found
    assert best is not None
    return best
