"""What callers hand to compiled code: every public method of games and searches is found, and given what does not fit.

Compiled code checks nothing, so each argument is refused by name before the call, and nothing changes.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest
from games_under_test import positions

import chocofactory_env as cf
from chocofactory_env.core.binding import provides
from chocofactory_env.core.search.value import value_dtype
from chocofactory_env.games.chocofactory.search.weights import LIMITS, Weights
from chocofactory_env.games.chocofactory.vocabulary import (
    NO_EMPLOYEE,
    NO_PART,
    Draft,
    Phase,
    display_of,
    has_drafted,
    phase_of,
)
from toyrace.game import ToyRace

VARIANTS: dict[str, Callable[[], Any]] = {
    "toy": lambda: ToyRace(num_players=3),
    "chocofactory": lambda: cf.load("chocofactory", num_players=3),
    "alone": lambda: cf.load("chocofactory", num_players=1),
    "simultaneous": lambda: cf.load("chocofactory", num_players=2, mode="simultaneous", expansion="master_chocolatier"),
    "candyfactory": lambda: cf.load("candyfactory", num_players=2),
    "schoko": lambda: cf.load("schoko", num_players=4),
}
NAN, INF, HUGE = float("nan"), float("inf"), 3e38
NO_NUMBERS = [NAN, INF, HUGE, 0.5, "0", b"0", [0], np.array([0, 0]), True, np.True_, 1j]

# The fast path of adapters, documented as unchecked, and what `core.kernel.batch` alone calls.
UNCHECKED = {
    "write_joint_masks", "ask_seat", "advance_jointly", "write_mask", "advance", "write_observation",
    "write_raw_observation", "row_stepper", "observe_movers", "joint_stepper",
}  # fmt: skip
# Arguments that no compiled code reads; other tests give them what does not fit.
OF_PYTHON = {"text", "moves", "data", "steps"}


def junk_seats(players: int) -> list[Any]:
    return [-1, players, 9, 127, 128, 255, 10**6, 2**31, 2**63, 10**30, *NO_NUMBERS]


def junk_counts(least: int = 1) -> list[Any]:
    return [least - 1, -1, -(2**63), 2**63, 10**30, None, *NO_NUMBERS]


def changed(record: np.ndarray, field: str, number: float) -> np.ndarray:
    """A copy in which the last number of a field, perhaps of `value`, has changed."""
    copy = record.copy()
    (copy if field in (record.dtype.names or ()) else copy["value"])[field].reshape(-1)[-1] = number
    return copy


def other_records(record: np.ndarray) -> list[Any]:
    """Arrays of other shapes and dtypes."""
    return [
        5, "it", [1.0], record[0], np.repeat(record, 2), record[:0], record.reshape(1, 1), record.view(np.uint8),
        np.zeros(1), np.zeros(1, value_dtype(3, 2)),
    ]  # fmt: skip


def junk_judges(game: Any) -> list[Any]:
    judge, found = game.judge(), other_records(game.judge())
    for number in (NAN, INF, -INF, HUGE, -HUGE):
        found += [changed(judge, field, number) for field in ("constant", "weights", "spread")]
    return [*found, *(changed(judge, "spread", number) for number in (0, -1, 1e-30))]


def junk_weights(game: Any) -> list[Any]:
    weights, found = game.evaluation_weights(), other_records(game.evaluation_weights())
    for field in LIMITS:
        if field in ("constant", "weights") or Weights.dtype[field].base.kind == "f":
            found += [changed(weights, field, number) for number in (NAN, INF, -INF, HUGE, 2 * LIMITS[field][0] - 1)]
    return [*found, changed(weights, "piece_value", 0), changed(weights, "race", 0)]


def other_positions(game: Any, state: np.ndarray) -> list[Any]:
    stranger = cf.load("schoko") if game.name != "schoko" else ToyRace()
    more = type(game)(**{**game.options, "num_players": 2 + (game.num_players == 2), "difficulty": 0}) if (
        game.name == "chocofactory" and not game.simultaneous and game.num_players > 1
    ) else stranger  # fmt: skip
    others = ({"months": 12}, {"play_forced": False}, {"deck": "generated:5"}) if game.name == "schoko" else ()
    alike = [cf.load("schoko", **{**game.options, **other}).new(1) for other in others]
    return [
        None, 7, "it", state[0], state[:0], np.repeat(state, 2), state.reshape(1, 1), state.tobytes(),
        np.zeros(1), stranger.new(1), more.new(1), *alike,
    ]  # fmt: skip


def has_features(game: Any) -> bool:
    return provides(game.kernel, "write_features")


@cache
def game_of(name: str) -> Any:
    return VARIANTS[name]()


@cache
def objects_of(name: str) -> dict[str, Any]:
    game = game_of(name)
    found = {"game": game, "tree": game.tree_search()}
    if has_features(game):
        found["turns"] = game.turn_search(game.judge())
    if game.name == "chocofactory":
        found |= {"planner": game.planner(1), "afterstates": game.afterstates()}
    return found


class Arguments:
    """By name of the parameter: an argument that fits (`good`), and those that do not (`junk`)."""

    def __init__(self, name: str) -> None:
        self.game = game = game_of(name)
        self.state = state = game.new(seed=3)
        self.mover = mover = game.current_player(state)
        actions = game.num_actions
        after = objects_of(name).get("afterstates")
        self.good: dict[str, Any] = {
            "state": state, "player": mover, "seat": mover, "seed": 5, "seeds": [1, 2],
            "action": int(np.flatnonzero(game.legal_mask(state))[0]), "num_threads": 2, "number": 2, "rows": 2,
            "simulations": 2, "deals": 1, "more": False, "advice": [0], "least": 2, "exploration": 0.6,
            "priors": np.ones(actions, np.float32), "endings": 3, "layout": game.observation_layout,
            "end": state, "moves": ["line"], "rules": True, "steps": [],
        }  # fmt: skip
        self.junk: dict[str, list[Any]] = {
            "state": other_positions(game, state),
            "end": other_positions(game, state),
            "player": junk_seats(game.num_players),
            "seat": [*junk_seats(game.num_players), None],
            "seed": [-1, -(2**63), 2**63, 10**30, *NO_NUMBERS],
            "seeds": [5, None, [NAN], [-1], [[1]], [2**63], ["1"], np.ones(2), np.ones((2, 2), int), [True]],
            "action": [-1, actions, 127 + actions, 10**6, 2**63, *NO_NUMBERS],
            "num_threads": junk_counts(),
            "number": junk_counts(0)[:-1],
            "rows": junk_counts(0),
            "simulations": junk_counts(),
            "deals": junk_counts(),
            "least": junk_counts()[:2],
            "endings": junk_counts(),
            "more": [1, "yes", None, NAN],
            "advice": [[-1], [actions], [2**63], [NAN], [0.5], [[0]], 0, "go", None, [True], np.array([10**6])],
            "exploration": [-1, -1e10, NAN, INF, -INF, HUGE, "much", None, [1.0]],
            "priors": [
                np.ones(actions + 1), np.ones((1, actions)), np.zeros(actions), -np.ones(actions),
                np.full(actions, NAN), np.full(actions, INF), np.full(actions, 1e300), "even", 1.0,
                np.ones(actions, bool), np.ones(actions, complex),
            ],
            "layout": [game.observation_layout.choose([game.observation_layout.blocks[0].name])],
        }  # fmt: skip
        self.good["judge"] = game.judge() if has_features(game) else None
        self.junk["judge"] = junk_judges(game) if has_features(game) else [None, 5, np.zeros(1)]
        if after is not None:
            self._add_of_chocofactory(after)

    def _add_of_chocofactory(self, after: Any) -> None:
        game, state = self.game, self.state
        values = np.zeros((game.num_players, NO_PART + 1, NO_EMPLOYEE + 1), np.float32)
        part = int(np.flatnonzero(state["display_parts"][0] >= 0)[0])
        blank, rules = np.zeros((1, after.size), np.uint8), after.rules(1)
        seats = np.array([self.mover], np.int32)
        self.good |= {
            "width": 2, "weights": game.evaluation_weights(), "days": 0, "plan_width": 1, "values": values,
            "drafts": [Draft(part, 0)], "states": state, "seats": seats, "out": blank.copy(),
        }  # fmt: skip
        stranger: Any = cf.load("candyfactory")
        self.junk |= {
            "width": junk_counts(), "weights": junk_weights(game),
            "days": [-1, 7, 2**63, *NO_NUMBERS], "plan_width": junk_counts(0),
            "values": [
                values[:, 1:], values[0], np.full_like(values, NAN), np.full_like(values, INF),
                np.full_like(values, HUGE), values.astype(bool), "none", None, 0.0,
            ],
            "drafts": [
                None, 5, "abc", (1, 2), Draft(part, 0), [], [None], [(part, 0)], *(
                    [Draft(part, 0), other] for other in (
                        Draft(-2), Draft(5, 0), Draft(part), Draft(part, 8), Draft(part, 127), Draft(10**6, 0),
                        Draft(10**30, 0), Draft(employee=6), Draft(employee=-2), Draft(employee=10**6), (NAN, 0, -1),
                        (-1, -1, 1.0),
                    )
                ),
            ],
            "states": [*other_positions(game, state), np.repeat(state, 3)],
            "seats": [
                [game.num_players], [-2], [10**6], [2**63], [0.5], [NAN], [True], [[0]], [], [0, 0], 0, "all", None,
            ],
            "out": [
                blank[:0], blank[0], blank[:, 1:], blank.astype(np.int8), np.repeat(blank, 2, 0), frozen(blank),
                np.zeros((1, 2 * after.size), np.uint8)[:, ::2], blank.tolist(), None, np.repeat(blank, 3, 0),
            ],
            "rules": [
                5, tuple(rules), "it", stranger, rules._replace(slots=rules.slots[:0]),
                rules._replace(slots=np.zeros(2, np.int32)), rules._replace(slots=np.array([1], np.int32)),
                rules._replace(slots=np.array([-1], np.int32)), rules._replace(slots=np.array([10**6], np.int32)),
                rules._replace(slots=np.array([NAN])), rules._replace(slots=None), rules._replace(tables=None),
                rules._replace(tables=game.tables[:0]), rules._replace(tables=stranger.tables),
                rules._replace(tables=game.tables[0]), rules._replace(tables=game.tables.view(np.uint8)),
            ],
        }  # fmt: skip


def frozen(array: np.ndarray) -> np.ndarray:
    copy = array.copy()
    copy.flags.writeable = False
    return copy


def methods_of(name: str) -> Iterator[tuple[str, Callable[..., Any], list[str]]]:
    """Of every public method: its name, the function, and the names of its parameters."""
    for what, thing in objects_of(name).items():
        for attribute in dir(type(thing)):
            method = getattr(thing, attribute) if not attribute.startswith("_") else None
            if callable(method) and attribute not in UNCHECKED and method.__module__ != "toyrace.game":
                yield f"{what}.{attribute}", method, parameters_of(name, method)


def parameters_of(name: str, method: Any) -> list[str]:
    """Those of the search that a method makes, where it passes on its settings."""
    parameters = inspect.signature(method).parameters
    if all(one.kind is not one.VAR_KEYWORD for one in parameters.values()):
        return list(parameters)
    made = objects_of(name).get({"tree_search": "tree", "turn_search": "turns"}[method.__name__])
    return ["judge"] if made is None else [each for each in inspect.signature(type(made)).parameters if each != "game"]


def test_every_argument_of_every_public_method_is_tried() -> None:
    for name in VARIANTS:
        known = Arguments(name).good
        for where, _, parameters in methods_of(name):
            assert set(parameters) <= known.keys() | OF_PYTHON, where


OTHERWISE = {  # parameter -> what a message says instead of its name
    "seeds": "seed", "state": "state|position|expected", "end": "state", "layout": "observations|block",
    "states": "states|seats|position", "judge": "judge|offers no features", "action": "action|whole number",
}  # fmt: skip


def cases(name: str) -> Iterator[tuple[str, Callable[..., Any], dict[str, Any], str, Any]]:
    """Every method with one argument that does not fit: where, the call, the others, its name, and the argument."""
    arguments = Arguments(name)
    for where, method, parameters in methods_of(name):
        good = {each: arguments.good.get(each, "1") for each in parameters}
        for each in parameters:
            of_python = each in OF_PYTHON or (each == "rules" and "moves" in parameters)
            copies = each == "state" and where == "game.clone"  # which checks the game alone, as documented
            for junk in () if of_python or copies else arguments.junk.get(each, ()):
                yield where, method, {other: good[other] for other in good if other != each}, each, junk


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_what_does_not_fit_is_refused_by_name(name: str) -> None:
    tried = 0
    for where, method, others, each, junk in cases(name):
        before = {other: kept.tobytes() for other, kept in others.items() if isinstance(kept, np.ndarray)}
        words, what = OTHERWISE.get(each, each), f"{where}({each}={junk!r})"
        with pytest.raises((TypeError, ValueError, IndexError)) as caught:
            pytest.fail(f"{what} gave {method(**others, **{each: junk})!r}")
        message = str(caught.value)
        assert re.search(words, message), f"{what}: {message}"
        assert len(message) < 3000, what
        for other, kept in before.items():
            assert others[other].tobytes() == kept, f"{what} changed {other}"
        tried += 1
    assert tried > 900


def otherwise_stored(array: np.ndarray) -> list[Any]:
    """The same numbers in other forms."""
    apart = np.repeat(array, 2, axis=-1)[..., ::2]
    return [frozen(array), apart, array.astype(np.float64 if array.dtype.kind == "f" else np.int64), array.tolist()]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["chocofactory", "alone", "simultaneous"])
def test_the_same_numbers_in_another_form_give_the_same(name: str) -> None:
    arguments, objects = Arguments(name), objects_of(name)
    game, state, good = arguments.game, arguments.state, arguments.good
    planner, after, rules = objects["planner"], objects["afterstates"], objects["afterstates"].rules(1)
    rng = np.random.default_rng(1)
    values = rng.normal(size=good["values"].shape).astype(np.float32)
    expected = planner.solve_draft(state, values)
    for other in otherwise_stored(values):
        assert planner.solve_draft(state, other) == expected
    written = good["out"].copy()
    after.fill(state, good["seats"], written)
    for seats in otherwise_stored(good["seats"]):
        for slots in otherwise_stored(rules.slots):
            out = np.ones_like(written)
            after.fill(np.repeat(state, 2)[::2], seats, out, rules._replace(slots=slots))
            assert np.array_equal(out, written)
    weights = game.evaluation_weights()
    for other in (frozen(weights), np.repeat(weights, 2)[::2], weights.view(np.recarray)):
        assert game.planner(2, other).plan(state, arguments.mover) == game.planner(2).plan(state, arguments.mover)
    line = np.flatnonzero(game.legal_mask(state))[:1]
    found = game.tree_search().search(state, 20, seed=1, advice=line.tolist())
    for advice in (*otherwise_stored(line)[:2], line.astype(np.int8), tuple(line)):
        assert np.array_equal(game.tree_search().search(state, 20, seed=1, advice=advice).visits, found.visits)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["toy", "candyfactory", "schoko"])
def test_a_judge_is_copied_and_may_be_of_any_form(name: str) -> None:
    game = game_of(name)
    state, judge = game.new(seed=3), game.judge()
    judge["value"]["weights"] = 1
    expected = game.turn_search(judge).leads(state, 1, seed=1)
    for other in (frozen(judge), np.repeat(judge, 2)[::2], judge.view(np.recarray)):
        assert np.array_equal(game.turn_search(other).leads(state, 1, seed=1), expected)
    searches = game.turn_search(judge), game.tree_search(judge=judge)
    visits = searches[1].search(state, 30, seed=1).visits
    judge["value"]["weights"], judge["spread"] = NAN, 0
    assert np.array_equal(searches[0].leads(state, 1, seed=1), expected)
    assert np.array_equal(searches[1].search(state, 30, seed=1).visits, visits)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["toy", "candyfactory", "schoko"])
@pytest.mark.parametrize("number", [-1e9, 1e9])
def test_numbers_at_their_limits_are_searched(name: str, number: float) -> None:
    game = game_of(name)
    state, judge = game.new(seed=3), game.judge()
    judge["value"]["constant"], judge["value"]["weights"], judge["spread"] = number, number, 0.001
    legal = game.legal_mask(state) != 0
    for exploration in (0, 1e9):
        found = game.tree_search(judge=judge, exploration=exploration).search(state, 30, seed=1)
        assert found.visits[legal].sum() == 30
        assert ((found.value >= 0) & (found.value <= 1)).all()
    leads = game.turn_search(judge).leads(state, 2, seed=1)
    assert np.isfinite(leads[legal]).all()
    assert (leads[~legal] == -INF).all()


@pytest.mark.slow
@pytest.mark.parametrize("end", [0, 1])
def test_weights_at_their_limits_make_plans_that_can_be_played(end: int) -> None:
    game = game_of("chocofactory")
    weights = game.evaluation_weights()
    for field, limits in LIMITS.items():
        part = weights["value"] if field in ("constant", "weights") else weights
        if part[field].dtype.kind == "f":
            part[field] = limits[end]
    planner, search = game.planner(4, weights), game.tree_search(weights=weights, plan_width=2)
    moves, planned = cf.LegalSampler(1), 0
    weights["piece_value"] = NAN  # copies were taken
    state = game.new(seed=2)
    while not game.is_over(state) and planned < 12:
        seat, mask = game.current_player(state), game.legal_mask(state)
        if phase_of(state) in (Phase.RUN, Phase.FULFIL):
            plan = planner.plan(state, seat)
            assert np.isfinite(plan.value)
            assert mask[plan.actions[0]]
            assert search.search(state, 4, seed=1).visits[mask != 0].sum() == 4
            planned += 1
        game.apply(state, moves.one(mask))
    assert planned == 12


@pytest.mark.slow
@pytest.mark.parametrize("name", ["chocofactory", "simultaneous"])
def test_seats_plan_only_what_they_decide(name: str) -> None:
    game, refused, together, placing = game_of(name), 0, 0, 0
    planner, values = game.planner(1), Arguments(name).good["values"]
    for number, state in enumerate(positions(game, [4])):
        if game.is_over(state):
            with pytest.raises(ValueError, match="the game is over"):
                planner.plan(state, 0)
            break
        phase, mover = phase_of(state), game.current_player(state)
        if phase != Phase.DRAFT:
            with pytest.raises(ValueError, match="state: expected a draft, got the phase"):
                planner.values_with(state, mover, [Draft()])
            with pytest.raises(ValueError, match="state: expected a draft, got the phase"):
                planner.solve_draft(state, values)
        elif game.decode(int(game.legal_mask(state).argmax()))[0] == "place_part":
            placing += 1
            with pytest.raises(ValueError, match="expected a draft without a part that is yet to be placed"):
                planner.plan(state, mover)
            continue
        for seat in range(game.num_players) if number % 5 == 0 else ():
            if phase == Phase.DRAFT or game.is_asked(state, seat):
                together += seat != mover and phase != Phase.DRAFT
                planner.plan(state, seat)
            else:
                refused += 1
                with pytest.raises(ValueError, match=f"seat: expected one that has a decision now, got {seat}"):
                    planner.plan(state, seat)
    assert placing > 3
    assert refused > 3
    assert (together > 3) == game.simultaneous


@pytest.mark.slow
def test_cards_that_a_seat_cannot_draft_are_refused() -> None:
    game = game_of("chocofactory")
    planner, taken = game.planner(1), 0
    for state in positions(game, [6]):
        if phase_of(state) != Phase.DRAFT or game.decode(int(game.legal_mask(state).argmax()))[0] == "place_part":
            continue
        parts, employees = display_of(state)
        for seat in range(game.num_players):
            has_part, has_employee = has_drafted(state, seat)
            for part in range(NO_PART):
                if part in parts and not has_part:
                    assert np.isfinite(planner.values_with(state, seat, [Draft(part, 3)])).all()
                else:
                    taken += 1
                    with pytest.raises(
                        ValueError, match=rf"drafts\[1\]\.part: expected one that seat {seat} can draft, got {part}"
                    ):
                        planner.values_with(state, seat, [Draft(), Draft(part, 3)])
            for employee in range(NO_EMPLOYEE):
                if employee not in employees or has_employee:
                    taken += 1
                    with pytest.raises(ValueError, match=r"drafts\[0\]\.employee: expected one that seat"):
                        planner.values_with(state, seat, [Draft(employee=employee)])
        if taken > 50:
            return
    pytest.fail("too few cards were taken")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["candyfactory", "schoko"])
def test_a_first_action_that_a_redeal_forbids_is_refused(name: str) -> None:
    """The mover's hand is redealt for another seat, and the action may not be in it."""
    game, refused, played = game_of(name), 0, 0
    for state in positions(game, [5, 6]):
        if game.is_over(state):
            continue
        mover, action = game.current_player(state), int(game.legal_mask(state).argmax())
        for seat in range(game.num_players):
            legal = [game.legal_mask(game.redeal(state, seat, seed))[action] for seed in (1, 2)]
            if all(legal):
                game.random_playouts(state, [1, 2], player=seat, action=action)
                played += seat != mover
            else:
                refused += 1
                seed = 1 + legal.index(0)
                with pytest.raises(cf.IllegalActionError, match=rf"after the redeal from seed {seed}: player {seat}"):
                    game.random_playouts(state, [1, 2], player=seat, action=action)
    assert refused > 10
    assert played > 10


@pytest.mark.parametrize("name", ["toy", "simultaneous", "candyfactory", "schoko"])
def test_rows_and_actions_that_do_not_fit_are_refused_by_batches(name: str) -> None:
    batch = cf.make_batch(game_of(name), 3)
    batch.reset(seed=1)
    before, shape = batch.snapshot(), batch._batch.actions.shape
    for row in (-1, 3, 127, 10**6, 2**63, *NO_NUMBERS):
        for find in (batch.state, batch.game_of):
            with pytest.raises((TypeError, IndexError), match="row"):
                find(row)  # type: ignore[arg-type]
    lists = [np.array([-1]), np.array([3]), np.array([10**6]), np.array([2**63], np.uint64), np.ones(4, bool)]
    for rows in (*lists, 5, -1, 2**63, None, "0", np.zeros(1), np.full(3, NAN), np.zeros((1, 1), int)):
        for choose in (batch.rules, batch.results):
            with pytest.raises((TypeError, IndexError)):
                choose(rows)  # type: ignore[arg-type]
    for number in (-1, 127 + batch.num_actions, 10**6, -(2**63), 2**63):
        with pytest.raises(cf.IllegalActionError):
            batch.step(np.full(shape, number, np.int64 if number < 2**63 else np.uint64))
    for actions in (
        None,
        "go",
        0,
        np.zeros(shape),
        np.full(shape, NAN),
        np.zeros((*shape, 1), int),
        np.ones(shape, bool),
    ):
        with pytest.raises((TypeError, ValueError), match="actions: expected"):
            batch.step(actions)
    assert all(np.array_equal(array, before[kept]) for kept, array in batch.snapshot().items())


def test_a_number_of_a_game_that_a_set_lacks_is_refused() -> None:
    games = cf.make_batch("schoko", 2, num_players=[2, 3]).games
    assert [game.num_players for game in games] == [2, 3]
    assert games[-1] is games[1]
    for number in (-3, 2, 10**6):
        with pytest.raises(IndexError, match=f"number of a game: expected 0 to 1, got {number}"):
            games[number]
    with pytest.raises(TypeError, match="'float' object cannot be interpreted as an integer"):
        games[1.5]  # type: ignore[call-overload]


def test_a_list_of_games_says_what_it_holds_and_is_no_game_of_another() -> None:
    games = cf.games("schoko", num_players=[2, 3])
    assert repr(games) == "GameSet(2 games of 'schoko', varying num_players)"
    with pytest.raises(TypeError, match=r"games\[0\]: expected a game, as `cf.load` returns, got GameSet"):
        cf.make_batch([games], 2)  # type: ignore[list-item]
