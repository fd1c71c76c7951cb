"""One property of all environments and batches: interface × list of games, step by step, is what `Game` itself says.

Now and then a copy, a pickle, or a batch that restores a snapshot goes on in place of the environment, which is closed.
"""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import candyfactory_decks
import chocofactory_decks
import numpy as np
import pytest
import schoko_decks
from damaged_decks import write
from games_under_test import pick, toy
from gymnasium.vector import AutoresetMode

import chocofactory_env as cf
from chocofactory_env.core.jit import COMPILED
from chocofactory_env.core.kernel.variants import GameSet
from chocofactory_env.core.observation.layout import ObservationLayout
from chocofactory_env.envs.aec import AECGameEnv
from chocofactory_env.envs.parallel import ParallelGameEnv
from chocofactory_env.envs.seat import SeatEnv
from chocofactory_env.envs.vector import SeatVectorEnv

ROWS = 3
DecksOf = Callable[[str], list[Any]]
LISTS: dict[str, Callable[[DecksOf], Any]] = {
    "one toy": lambda decks: toy(num_players=3),
    "toys": lambda decks: [toy(num_players=2, rounds=2), toy(num_players=4), toy(num_players=3, rounds=3)],
    "toy alone": lambda decks: toy(num_players=1),
    "chocofactory": lambda decks: cf.games("chocofactory", num_players=[3, 2, 4], decks=decks("chocofactory")),
    "expansion": lambda decks: cf.load("chocofactory", num_players=2, expansion="master_chocolatier", sides="random"),
    "simultaneous": lambda decks: cf.games(
        "chocofactory", num_players=[3, 2], decks=decks("chocofactory"), mode="simultaneous"
    ),
    "solo": lambda decks: cf.games("chocofactory", num_players=1, difficulty=[1, 0, 3], decks=decks("chocofactory")),
    "candyfactory": lambda decks: cf.games("candyfactory", num_players=[3, 2], decks=decks("candyfactory")),
    "schoko": lambda decks: cf.games("schoko", num_players=[2, 3], months=[6, 12], decks=decks("schoko")),
}
OWN = {
    "chocofactory": chocofactory_decks.any_deck,
    "candyfactory": candyfactory_decks.any_deck,
    "schoko": schoko_decks.any_deck,
}
STEPS = 1_000 if COMPILED else 60  # of all rows
COMES_BACK = 0.03  # share of steps that follow a copy
PLACED = 0.3  # share of games that begin with a given position
RESET_EARLY = 0.02  # share of steps of many environments before which some are reset


def gone_on(env: Any, rng: np.random.Generator) -> Any:
    """Another environment at the same place, or this one."""
    if rng.random() > COMES_BACK:
        return env
    other = copy.deepcopy(env) if rng.random() < 0.5 else pickle.loads(pickle.dumps(env))
    if hasattr(env, "snapshot") and rng.random() < 0.5:
        other.reset(seed=9)
        other.restore(env.snapshot())
    env.close()
    return other


def padded(own: ObservationLayout, layout: ObservationLayout, seen: np.ndarray) -> np.ndarray:
    """(O,): an observation of a game as a list shows it, with room for the largest game."""
    places, factors = in_larger(own, layout)
    out = np.zeros(layout.size, np.float32)
    out[places] = seen * factors
    return out


@lru_cache
def in_larger(own: ObservationLayout, layout: ObservationLayout) -> tuple[np.ndarray, np.ndarray]:
    """Where the entries of one layout lie in another one with room for it, and their factors there, both (O,)."""
    places, factors = np.zeros(own.size, np.int64), np.zeros(own.size, np.float32)
    there = layout.views(np.arange(layout.size))
    for block in own.blocks:
        own.views(places)[block.name][...] = there[block.name][tuple(map(slice, block.shape))]
        own.views(factors)[block.name][...] = block.high / layout.high_of[block.name]
    return places, factors


class Row:
    """One game of a list after another, played by the methods of `Game` alone."""

    game: Any
    state: Any
    paid: np.ndarray  # "shaped": standings that have been paid
    last: np.ndarray  # rewards of the last step

    def __init__(self, games: GameSet, reward: str) -> None:
        self.games, self.reward = games, reward
        self.numbers: np.ndarray | None = None  # of the games that are chosen
        self.ended = 0

    def deal(self, seed: int | None = None) -> None:
        if seed is None:
            following = self.game.clone(self.state)
            self.game.renew(following)
            seed = self.game.seed_of(following)
        number = self.games.draw(seed, self.numbers)
        self.labels, self.game = self.games.labels(number), self.games[number]
        self.state = self.game.new(seed)
        self.paid = self.game.standings(self.state)

    def choose(self, rng: np.random.Generator) -> dict[str, Any]:
        """Options of a reset: one value of an option of the list; all values of the others."""
        sets = self.games.sets
        if not sets:
            return {}
        option = list(sets)[int(rng.integers(len(sets)))]
        value = sets[option][int(rng.integers(len(sets[option])))]
        self.numbers = np.array(
            [number for number in range(len(self.games)) if self.games.values(number)[option] == value], np.int32
        )
        chosen = {option: [value] if option == "deck" else value}
        return {"decks" if name == "deck" else name: chosen.get(name) for name in sets}

    def place(self, rng: np.random.Generator) -> dict[str, Any]:
        """Options of a reset that begins with a position of any game of the list."""
        number = int(rng.integers(len(self.games)))
        self.labels, self.game = self.games.labels(number), self.games[number]
        self.state = self.game.new(int(rng.integers(100)))
        for _ in range(int(rng.integers(9))):
            after = self.game.clone(self.state)
            self.game.apply(after, pick(self.game.legal_mask(after), rng))
            self.state = self.state if self.game.is_over(after) else after
        self.paid = self.game.standings(self.state)
        return {"state": self.game.clone(self.state)}

    def begin_again(self, rng: np.random.Generator) -> dict[str, Any]:
        """Begin another game; returns the options of the reset that does so."""
        if rng.random() < PLACED:
            return self.place(rng)
        options = self.choose(rng)
        self.deal()
        return options

    @property
    def over(self) -> bool:
        return bool(self.game.is_over(self.state))

    @property
    def seat(self) -> int:
        return int(self.game.current_player(self.state))

    def pay(self) -> np.ndarray:
        """(P,): the rewards of a step that has been played."""
        self.ended += self.over
        before, self.paid = self.paid, (self.game.payoffs if self.over else self.game.standings)(self.state)
        self.last = self.paid * self.over if self.reward == "score" else self.paid - before
        return self.last

    def seen(self, seat: int, asked: bool = True) -> np.ndarray:
        """(O,) of a seat, which may be one of several that are asked."""
        state = self.game.clone(self.state)
        if asked and not self.over:
            self.game.ask_seat(state, seat)
        own = self.game.observation_layout
        return padded(own, self.games.observation_layout, self.game.observe(state, seat).flat)

    def joint_masks(self) -> np.ndarray:
        """(P, A + 1), of the largest game's seats."""
        masks = np.zeros((self.games.most_players, self.game.num_actions + 1), np.int8)
        self.game.write_joint_masks(self.state, masks)
        return masks

    def results(self, seat: int) -> dict[str, Any]:
        game, state = self.game, self.state
        return {"score": game.scores(state)[seat], "rank": game.ranking(state)[seat], "won": game.won(state)[seat]}

    def padded_scores(self) -> np.ndarray:
        return np.pad(self.game.scores(self.state), (0, self.games.most_players - self.game.num_players))


def assert_seen(layout: ObservationLayout, shown: np.ndarray, expected: np.ndarray) -> None:
    if shown.dtype == np.uint8:
        shown = layout.scaled(shown)
    assert shown.dtype == np.float32
    assert np.allclose(shown, expected, atol=1e-6)


def assert_told(info: dict[str, Any], expected: dict[str, Any]) -> None:
    assert set(info) == set(expected)
    for name, value in expected.items():
        assert np.array_equal(info[name], value), name


def play_aec(games: Any, rng: np.random.Generator, reward: str) -> int:
    env = AECGameEnv(games, reward=reward)
    row = Row(env.games, reward)
    env.reset(seed=4)
    row.deal(4)
    owed = np.zeros(env.games.most_players)
    for _ in range(STEPS):
        env = gone_on(env, rng)
        game, over, mover = row.game, row.over, max(0, row.seat)
        assert env.game_state.tobytes() == row.state.tobytes()
        assert repr(env.unwrapped.game) == repr(game)
        assert env.agents == [f"player_{seat}" for seat in range(game.num_players)]
        assert env.agent_selection == env.agents[mover]
        for seat, agent in enumerate(env.agents):
            seen = env.observe(agent)
            assert env.observation_space(agent).contains(seen)
            assert_seen(env.observation_layout, seen["observation"], row.seen(seat, asked=False))
            mask = game.legal_mask(row.state) * (seat == mover)
            assert seen["action_mask"].tolist() == mask.tolist()
            results = row.results(seat) if over else {}
            assert_told(env.infos[agent], {"action_mask": mask, **row.labels, **results})
        for agent in env.agents[:] if over else [env.agent_selection]:
            last, paid, terminated, truncated, info = env.last()
            assert_told(last or {}, env.observe(agent))
            assert (paid, terminated, truncated) == (owed[int(agent[-1])], over, False)
            assert info is env.infos[agent]
            if over:
                with pytest.raises(ValueError, match="None"):
                    env.step(0)
                env.step(None)
        if over:
            assert not env.agents
            env.reset(options=row.begin_again(rng))
            owed[:] = 0
            continue
        action, owed[mover] = pick(game.legal_mask(row.state), rng), 0
        game.apply(row.state, action)
        owed[: game.num_players] += row.pay()
        env.step(np.int64(action))
    return row.ended


def play_parallel(games: Any, rng: np.random.Generator, reward: str) -> int:
    env = ParallelGameEnv(games, reward=reward)
    row = Row(env.games, reward)
    seen, infos = env.reset(seed=4)
    row.deal(4)
    paid, over = np.zeros(0), False
    for _ in range(STEPS):
        env = gone_on(env, rng)
        game, masks = row.game, row.joint_masks()
        assert env.game_state.tobytes() == row.state.tobytes()
        assert repr(env.unwrapped.game) == repr(game)
        assert env.agents == ([] if over else list(seen))
        for seat, (agent, observation) in enumerate(seen.items()):
            assert env.observation_space(agent).contains(observation)
            assert_seen(env.observation_layout, observation["observation"], row.seen(seat, masks[seat, -1] == 0))
            assert observation["action_mask"].tolist() == masks[seat].tolist()
            results = row.results(seat) if over else {}
            assert_told(infos[agent], {"action_mask": masks[seat], **row.labels, **results})
            assert not np.shares_memory(infos[agent]["action_mask"], observation["action_mask"])
        if over:
            seen, infos = env.reset(options=row.begin_again(rng))
            over = False
            continue
        actions = np.array([pick(mask, rng) for mask in masks])
        seen, rewards, terminations, truncations, infos = env.step(
            dict(zip(env.agents, actions.tolist(), strict=False))
        )
        game.advance_jointly(row.state, actions, masks)
        paid, over = row.pay(), row.over
        assert list(rewards.values()) == paid.tolist()
        assert set(terminations.values()) == {over}
        assert set(truncations.values()) == {False}
    return row.ended


# --- one seat


def by_what_it_sees(observation: Any, mask: np.ndarray) -> Any:
    """The opponents of one game, or of many: which legal action they take follows from what they are shown."""
    seen = np.asarray(observation) != 0
    number = seen @ np.arange(seen.shape[-1]) % mask.sum(axis=-1) + 1  # of the legal actions
    return (mask.cumsum(axis=-1) == number[..., None]).argmax(axis=-1)


class SeatRow(Row):
    """The seat `learner` of a row; the other seats play as `by_what_it_sees`."""

    learner: int

    def begin(self, learner: int) -> None:
        self.learner = learner
        self.play_others()
        self.pay()

    def play_others(self) -> None:
        while self.seat not in (self.learner, -1):
            self.game.apply(self.state, int(by_what_it_sees(self.shown(), self.game.legal_mask(self.state))))

    def shown(self) -> np.ndarray:
        """What the opponent to move is shown: of one game, without room for a larger one."""
        flat: np.ndarray = self.game.observe(self.state, self.seat).flat
        return flat

    def step(self, action: int) -> float:
        self.game.apply(self.state, action)
        self.play_others()
        return float(self.pay()[self.learner])

    @property
    def mask(self) -> np.ndarray:
        mask = self.game.legal_mask(self.state)
        return np.ones_like(mask) if self.over else mask

    def told(self) -> dict[str, Any]:
        info = {"action_mask": self.mask, "illegal_action": False, "score": 0, "won": False, **self.labels}
        nobody = np.zeros(self.games.most_players, int)
        if self.games.most_players > 1:
            info |= {"rank": -1, "seat": self.learner, "scores": nobody}
        if self.over:
            of_all = {"scores": self.padded_scores()}
            info.update({name: each for name, each in {**self.results(self.learner), **of_all}.items() if name in info})
        return info


class BatchRow(SeatRow):
    def shown(self) -> np.ndarray:
        return padded(self.game.observation_layout, self.games.observation_layout, super().shown())


def play_seat(games: Any, rng: np.random.Generator, reward: str) -> int:
    several = GameSet.of(games).most_players > 1
    env: Any = SeatEnv(games, reward=reward, opponents=by_what_it_sees if several else None)
    row = SeatRow(env.games, reward)
    seen, info = env.reset(seed=4)
    row.deal(4)
    row.begin(env.seat)
    for _ in range(STEPS):
        env = gone_on(env, rng)
        assert env.game_state.tobytes() == row.state.tobytes()
        assert repr(env.unwrapped.game) == repr(row.game)
        assert env.observation_space.contains(seen)
        assert_seen(env.observation_layout, seen, row.seen(row.learner))
        assert_told(info, row.told())
        assert env.action_masks().tolist() == row.mask.astype(bool).tolist()
        if row.over:
            seen, info = env.reset(options=row.begin_again(rng))
            row.begin(env.seat)
            continue
        action = pick(row.mask, rng)
        paid = row.step(action)
        seen, *rest, info = env.step(np.int64(action))
        assert rest == [paid, row.over, False]
    return row.ended


def chosen_by(envs: Any, rows: Sequence[Row], resetting: list[int], rng: np.random.Generator) -> dict[str, Any]:
    """Options for the rows that are reset, or, set before, for all that are dealt from now on."""
    first, for_all = rows[resetting[0]], rng.random() < 0.5
    options = first.choose(rng)
    for at in range(ROWS) if for_all else resetting:
        rows[at].numbers = first.numbers
    if for_all:
        envs.set_options(options)
    return {} if for_all else options


def of_row(infos: dict[str, Any], at: int) -> dict[str, Any]:
    """The infos of a row, without what SAME_STEP tells of the game before."""
    names = (name for name in infos if not name.startswith(("_", "final_")))
    return {name: infos[name][at] for name in names if infos[f"_{name}"][at]}


def play_seats(games: Any, rng: np.random.Generator, reward: str, mode: AutoresetMode) -> int:
    several = GameSet.of(games).most_players > 1
    opponents: Any = by_what_it_sees if several else None
    envs = SeatVectorEnv(games, ROWS, reward=reward, opponents=opponents, autoreset_mode=mode, copy=several)
    rows = [BatchRow(envs.games, reward) for _ in range(ROWS)]
    seen, infos = envs.reset(seed=4)
    for at, row in enumerate(rows):
        row.deal(4 + at)
        row.begin(int(envs.seats[at]))
    for _ in range(STEPS // ROWS):
        envs = gone_on(envs, rng)
        for at, row in enumerate(rows):
            assert envs.state(at).tobytes() == row.state.tobytes()
            assert repr(envs.game_of(at)) == repr(row.game)
            assert_seen(envs.observation_layout, seen[at], row.seen(row.learner))
            assert_told(of_row(infos, at), row.told())
        over = np.array([row.over for row in rows])
        some = over if mode is AutoresetMode.DISABLED else rng.random(ROWS) < 0.5
        if some.any() and (mode is AutoresetMode.DISABLED or rng.random() < RESET_EARLY):
            chosen = np.flatnonzero(some).tolist()
            options = chosen_by(envs, rows, chosen, rng)
            seen, partly = envs.reset(options={"reset_mask": some.copy(), **options})
            for at in chosen:
                rows[at].deal()
                rows[at].begin(int(envs.seats[at]))
            for name, new in partly.items():
                if name.startswith("_"):
                    infos[name] = new | infos[name]
                else:
                    infos[name][some] = new[some]
            continue
        actions = np.array([pick(row.mask, rng) for row in rows])
        seen, rewards, terminations, truncations, infos = envs.step(actions)
        for at, row in enumerate(rows):
            waited = over[at]  # NEXT_STEP: this step has dealt
            paid = 0.0 if waited else row.step(int(actions[at]))
            ended = not waited and row.over
            assert (rewards[at], terminations[at], truncations[at]) == (paid, ended, False)
            if ended and mode is AutoresetMode.SAME_STEP:
                assert_seen(envs.observation_layout, infos["final_obs"][at], row.seen(row.learner))
                assert_told(of_row(infos["final_info"], at), row.told())
            if waited or (ended and mode is AutoresetMode.SAME_STEP):
                row.deal()
                row.begin(int(envs.seats[at]))
    return sum(row.ended for row in rows)


# --- batches in which the caller decides for all seats


def play_batch(games: Any, rng: np.random.Generator, reward: str, autoreset: bool, joint: bool) -> int:
    kind: Any = cf.ParallelBatch if joint else cf.SelfPlayBatch
    batch = kind(games, ROWS, reward=reward, autoreset=autoreset, scaled=autoreset, num_threads=1 + autoreset)
    rows = [Row(batch.games, reward) for _ in range(ROWS)]
    step = batch.reset(seed=4)
    for at, row in enumerate(rows):
        row.deal(4 + at)
    for _ in range(STEPS // ROWS):
        batch = gone_on(batch, rng)
        for at, row in enumerate(rows):
            players = row.game.num_players
            assert batch.state(at).tobytes() == row.state.tobytes()
            assert repr(batch.game_of(at)) == repr(row.game)
            if joint:
                masks = row.joint_masks()
                assert step.action_masks[at].tolist() == masks.tolist()
                for seat in range(players):
                    shown = step.observations[at, seat]
                    assert_seen(batch.observation_layout, shown, row.seen(seat, masks[seat, -1] == 0))
                assert not step.observations[at, players:].any()
            else:
                mask = row.game.legal_mask(row.state)
                assert step.action_masks[at].tolist() == (np.ones_like(mask) if row.over else mask).tolist()
                assert step.current_player[at] == row.seat
                assert_seen(batch.observation_layout, step.observations[at], row.seen(max(0, row.seat)))
        over = np.array([row.over for row in rows])
        if over.any() and (over.all() or rng.random() < 0.2):
            chosen = np.flatnonzero(over).tolist()
            step = batch.reset(games=over, options=chosen_by(batch, rows, chosen, rng))
            for at in chosen:
                rows[at].deal()
            assert not step.rewards[over].any()
            continue
        picked = [pick(mask, rng) for mask in step.action_masks.reshape(-1, step.action_masks.shape[-1])]
        actions = np.array(picked).reshape(step.action_masks.shape[:-1])
        step = batch.step(actions)
        for at, row in enumerate(rows):
            assert step.dones[at] == (row.over or play(row, actions[at]))
            players = row.game.num_players
            assert step.rewards[at, :players].tolist() == (0 * row.paid if over[at] else row.last).tolist()
            assert not step.rewards[at, players:].any()
            if row.over:
                results = {name: values.tolist()[0] for name, values in batch.results(np.array([at])).items()}
                more = batch.num_players - players
                assert results.pop("scores") == row.padded_scores().tolist()
                assert results.pop("ranking") == [*row.game.ranking(row.state).tolist(), *[-1] * more]
                assert results.pop("won") == [*row.game.won(row.state).tolist(), *[False] * more]
                assert results == row.labels if batch.games.sets else not results
                if autoreset:
                    row.deal()
    return sum(row.ended for row in rows)


def play(row: Row, action: Any) -> bool:
    """Play a decision, or the decisions of all seats; whether the game has ended."""
    if np.ndim(action):
        row.game.advance_jointly(row.state, action, row.joint_masks())
    else:
        row.game.apply(row.state, int(action))
    row.pay()
    return row.over


INTERFACES: dict[str, Callable[[Any, np.random.Generator, str], int]] = {
    "AEC": play_aec,
    "parallel": play_parallel,
    "seat": play_seat,
    **{f"seats, {mode.value}": partial(play_seats, mode=mode) for mode in AutoresetMode},
    "batch": partial(play_batch, autoreset=True, joint=False),
    "batch that waits": partial(play_batch, autoreset=False, joint=False),
    "joint batch": partial(play_batch, autoreset=True, joint=True),
    "joint batch that waits": partial(play_batch, autoreset=False, joint=True),
}


@pytest.mark.parametrize("interface", INTERFACES)
@pytest.mark.parametrize("games", LISTS)
def test_every_interface_plays_what_the_games_themselves_say(games: str, interface: str, tmp_path: Path) -> None:
    def decks(name: str) -> list[Any]:
        """A generated deck, the shipped one, and one of our own with other numbers of cards."""
        return ["generated:100003", None, write(tmp_path / f"{name}.toml", OWN[name](random.Random(1)))]

    rewards = "score", "shaped"  # every interface pays each in half of the lists
    reward = rewards[(list(LISTS).index(games) + list(INTERFACES).index(interface)) % 2]
    assert INTERFACES[interface](LISTS[games](decks), np.random.default_rng(1), reward) or not COMPILED
