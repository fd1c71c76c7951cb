"""What an entry declares as read it does not write: plain Python would refuse, C code would not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np
import pytest
from games_under_test import pick

import chocofactory_env as cf
from chocofactory_env.core.build import know
from chocofactory_env.core.jit import ALL_GAMES, Entry
from chocofactory_env.core.kernel.rewards import write_rewards
from chocofactory_env.core.kernel.rng import WORDS, choose_legal, draw_seat, draw_variant, opponent_seed, seed_generator
from chocofactory_env.core.library import entries_of, plain
from chocofactory_env.core.signature import ArrayOf, Parameter, signature_of
from chocofactory_env.envs.selfplay import ParallelBatch, SelfPlayBatch
from chocofactory_env.games.chocofactory.constants import Task
from chocofactory_env.games.chocofactory.search.draft import NO_EMPLOYEE, NO_PART, Draft
from chocofactory_env.games.schoko.kernel import struck_alone
from toyrace.game import ToyRace

GAMES: Final[dict[str, Callable[[], Any]]] = {
    "toyrace": lambda: ToyRace(num_players=3),
    "candyfactory": lambda: cf.load("candyfactory", num_players=3),
    "chocofactory": lambda: cf.load("chocofactory", num_players=2),
    "schoko": lambda: cf.load("schoko", num_players=2, months=6),
}


def guarded(entry: Entry, called: set[Entry]) -> Callable[..., Any]:
    """The entry as plain Python, with read-only views of the arrays that it declares as read."""
    names = entry.plain.__code__.co_varnames
    read = [each for each in signature_of(entry.plain, entry.game).parameters if not is_written(each)]

    def call(*arguments: Any) -> Any:
        called.add(entry)
        values = dict(zip(names, arguments, strict=False))
        for parameter in read:
            root, *fields = parameter.path.split(".")
            values[root] = closed(values[root], fields) if root in values else (entry.plain.__defaults__ or ())[-1]
        return plain(entry.plain)(*values.values())

    return call


def is_written(parameter: Parameter) -> bool:
    return isinstance(parameter.kind, ArrayOf) and parameter.kind.written


def closed(value: Any, fields: list[str]) -> Any:
    if fields:
        return value._replace(**{fields[0]: closed(getattr(value, fields[0]), fields[1:])})
    if isinstance(value, np.ndarray):
        value = value.view()
        value.flags.writeable = False
    return value


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> set[Entry]:
    """The entries that were called, all of them guarded."""
    found: set[Entry] = set()

    def bind(entry: Entry, *first: Any) -> Callable[..., Any]:
        call = guarded(entry, found)
        return lambda *arguments: call(*first, *arguments)

    monkeypatch.setattr(Entry, "bind", bind)
    monkeypatch.setattr(Entry, "checked", property(bind))
    return found


def positions(game: Any, seed: int) -> Iterator[np.ndarray]:
    """Every tenth position of a random game."""
    state, rng, played = game.new(seed), np.random.default_rng(seed), 0
    while not game.is_over(state):
        if played % 10 == 0:
            yield game.clone(state)
        mask = game.legal_mask(state)
        if played % 2:
            game.advance(state, pick(mask, rng), mask)
        else:
            game.apply(state, pick(mask, rng))
        played += 1
    yield state


def look_at(game: Any, state: np.ndarray) -> None:
    for seat in range(game.num_players):
        game.observe(state, seat)
        game.write_raw_observation(state, seat, np.zeros(game.observation_layout.raw_size, np.uint8))
        game.redeal(state, seat, 7)
    for method in (game.scores, game.payoffs, game.standings):
        method(state)
    game.from_dict(game.to_dict(state))
    if game.name == "chocofactory":
        game.score_sheets(state)
    if game.name == "schoko" and not game.is_over(state):
        struck_alone(game.tables, state, 2)


def play_jointly(game: Any, state: np.ndarray) -> None:
    masks = np.zeros((game.num_players, game.num_actions + 1), np.int8)
    game.write_joint_masks(state, masks)
    game.ask_seat(state, game.current_player(state))
    game.advance_jointly(state, masks.argmax(axis=1), masks)
    game.renew(state)


def search(game: Any, state: np.ndarray) -> None:
    game.random_playouts(state, [1], player=0)
    game.random_playout(state, 1)
    game.features(state, 0)
    game.turn_goes_on(state, 0)
    game.rules.choose_scripted(state, game.rules.masks.take(), game.rules.notes.take())
    if game.name == "chocofactory":
        for width in (0, 1):
            game.tree_search(plan_width=width).search(state, 2, seed=1)
        planner = game.planner(1)
        if state["task"]["kind"][0] == Task.NOTHING:  # else a draft cannot be planned
            planner.plan(state, game.current_player(state))
        game.day_end(state, 0)
        afterstates, seat = game.afterstates(), game.current_player(state)
        afterstates.fill(state, np.array([seat], np.int32), np.zeros((1, afterstates.size), np.uint8))
        return
    game.turn_search(game.judge(), endings=3).leads(state, deals=2, seed=1)
    for judge in (None, game.judge()):
        game.tree_search(judge=judge, endings=2).search(state, 3, seed=1)


def draft(game: Any, state: np.ndarray) -> None:
    """In the first position of chocofactory."""
    planner = game.planner(1)
    planner.values_with(state, game.current_player(state), [Draft(part=0, slot=3)])
    planner.solve_draft(state, np.ones((game.num_players, NO_PART + 1, NO_EMPLOYEE + 1), np.float32))
    alone = cf.load("chocofactory", num_players=1)
    alone.from_dict(alone.to_dict(alone.new(1)))


def play_batches(game: Any) -> None:
    for kind in (SelfPlayBatch, ParallelBatch):
        shown: list[dict[str, Any]] = [{"reward": "shaped", "scaled": False}, {}]
        for options in shown:
            batch = kind(game, 2, **options)
            step, sampler = batch.reset(seed=1), cf.LegalSampler(1)
            for _ in range(3):
                step = batch.step(sampler(step.action_masks))
    batch = SelfPlayBatch(game, 2)
    batch.reset(seed=1)
    batch._batch.observe_movers(np.arange(2, dtype=np.int32))


def draw() -> None:
    rng, mask = np.ones(WORDS, np.uint32), np.ones(3, np.int8)
    seed_generator(rng, 1)
    choose_legal(rng, mask)
    for entry in (draw_seat, draw_variant, opponent_seed):
        entry(rng, 1, 2)
    for kind in range(5):
        write_rewards(kind, np.array([1, 0], np.int32), np.array([False, True]), np.ones(2))


@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")  # hashes of 64 bits wrap around
@pytest.mark.parametrize("name", GAMES)
def test_no_entry_writes_what_it_declares_as_read(name: str, called: set[Entry]) -> None:
    game = GAMES[name]()
    know(name)
    some = list(positions(game, 3))
    for state in some:
        look_at(game, state)
    for state in some[-2::-5][:6]:  # late ones, because plain playouts are slow
        search(game, state)
        play_jointly(game, game.clone(state))
    play_batches(game)
    draw()
    if name == "chocofactory":
        draft(game, some[0])
    known = {(entry.game, entry.symbol) for entry in (*entries_of(name), *entries_of(ALL_GAMES))}
    assert known - {(entry.game, entry.symbol) for entry in called} == set()
