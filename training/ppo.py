"""Proximal policy optimisation by self-play over native batches, with masked actions.

    python -m training.ppo solo --out runs/solo
    python -m training.ppo players --out runs/players --start runs/imitation/best.safetensors
    python -m training.ppo solo --out runs/solo --resume

`training/<game>/__init__.py` defines a game's presets and its rival.

One network plays all seats. In an iteration, every game plays `steps` decisions, whichever seats move; then the network
trains on all its decisions for some epochs. Multi-seat games need three special measures:

* **Advantages.** A seat's trajectory consists of its own decisions. A reward between two of them, even on another
  seat's move, belongs to the first. `gae_by_seat` walks back through the games and treats every seat separately.
* **The end of a rollout.** A seat's last decision in a rollout gets no gradient, since its next decision may lie far
  ahead. Its value only bootstraps the decisions before it.
* **Rivals.** To keep self-play from cycling, one seat plays against a past self in a share of the games, and against
  a rival, such as `greedy`, in another share. Their decisions get no gradient. With `--against AGENT`, that agent is
  the rival in every game, so the network learns a best response to it.

Where all seats act at once (`mode="simultaneous"` of Chocolate Factory), a step takes a decision of every seat that is
asked, so a game needs fewer passes of the network. Every seat of a game is then a row of its own.

T = steps, N = games, P = players, B = rows: N, or N x P where seats act at once; A = actions, R = size of a raw
observation in bytes, S = size of what `Network.see` makes of it.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any, NamedTuple, cast

import numpy as np
import torch
from torch import Tensor
from tqdm import tqdm

import chocofactory_env as cf
from agents.by_game import addition, hook
from agents.learned import LearnedAgent
from agents.networks.checkpoint import CheckpointError, about_network, load_checkpoint, save_checkpoint
from agents.networks.network import Network, joined, make_network, masked
from agents.protocol import Agent, AnyAgent, decide, make_agent, reset
from arena.options import game_named
from chocofactory_env import Tensors
from chocofactory_env.core.agents.moves import listens
from chocofactory_env.core.kernel.variants import GameSet, RowRules

from .evaluate import evaluated, legal_log_probs, rival_of, win_rates
from .runs import (
    BEST,
    LAST,
    Run,
    RunError,
    Slice,
    add_minutes,
    device_of,
    end_as_stopped,
    optimiser_tensors,
    restore_optimiser,
)
from .settings import (
    about_decks,
    about_variants,
    add_settings,
    check_limits,
    decks_setting,
    first_network,
    game_setting,
    games_with_decks,
    given,
    names_of_variants,
    note_measured,
    options_setting,
    origin,
    setting,
    variants_of,
)

MEASURED = ("policy_loss", "value_loss", "entropy", "kl", "clipped")  # of a minibatch
LEAST_LOG_PROB = -80.0  # lower clamp in the entropy: `exp` is ten times slower if the float32 result is denormal
SEEDS_OF_A_GROUP = 10  # more than the numbers of players
SEEDS_OF_A_VARIANT = 1000  # more than the seeds of all groups
PAST = "past"  # folder of past selves
OWED = "owed"  # name of `returns_so_far` in checkpoints, kept for old ones


@dataclass(frozen=True)
class Config:
    """What a run is made of."""

    game: str = game_setting()
    players: tuple[int, ...] = setting(
        (1,), "numbers of players; each has a batch of games, and so has each value of a list of options", least=1
    )
    options: Mapping[str, Any] = options_setting()
    decks: tuple[str, ...] = decks_setting()
    network: Mapping[str, Any] = setting(
        {}, "kind and sizes of the network as JSON, see agents.networks.network.make_network; empty: the game's default"
    )
    games: int = setting(512, "N, games in each batch", least=1)
    groups: int = setting(1, "groups of each batch: while one group steps, the network decides for another", least=1)
    steps: int = setting(64, "T, decisions of each game in a rollout (joint steps where seats act at once)", least=2)
    iterations: int = setting(100, "rollouts, each followed by learning", least=1)
    learning_rate: float = setting(5e-4, "learning rate at the start, annealed linearly", least=0)
    last_learning_rate: float = setting(5e-5, "learning rate at the end", least=0)
    epochs: int = setting(3, "passes over a rollout", least=1)
    minibatch: int = setting(4096, "decisions in a minibatch", least=1)
    gamma: float = setting(1.0, "discount for each decision", least=0, most=1)
    lam: float = setting(0.95, "lambda of generalised advantage estimation", least=0, most=1)
    clip: float = setting(0.2, "clip range of the probability ratio", least=0)
    warm_up: int = setting(
        0,
        "first iterations, which train only the value head: for a start that can play but does not know the rewards",
    )
    entropy: float = setting(0.01, "entropy coefficient at the start, annealed linearly", least=0)
    last_entropy: float = setting(0.002, "entropy coefficient at the end", least=0)
    value_weight: float = setting(0.5, "weight of the value loss", least=0)
    max_norm: float = setting(0.5, "largest norm of the gradient", least=0)
    max_kl: float = setting(0.03, "KL divergence at which the epochs of an iteration end early; 0: never", least=0)
    win: float = setting(1.0, "reward for winning, shared if several seats win")
    score: float = setting(0.005, "reward for each point when it is earned, minus the mean of the other seats")
    goals: float = setting(0.0, "reward for meeting all goals of the game, paid as they are met; 0 without goals")
    past_share: float = setting(
        0.0, "share of the games, at least one, with a past self in all seats but one", least=0, most=1
    )
    rival: str = setting("", "agent that is the rival in games of rival_share and in evaluations; empty: the game's")
    rival_share: float = setting(
        0.0, "share of the games, at least one, with the rival in all seats but one", least=0, most=1
    )
    against: str = setting(
        "", "train a best response: this agent plays all other seats of every game, and the shares do not count"
    )
    remember_every: int = setting(10, "iterations between two past selves that are kept", least=1)
    most_selves: int = setting(15, "past selves that are kept", least=1)
    evaluate_every: int = setting(10, "iterations between evaluations", least=1)
    evaluate_deals: int = setting(100, "deals of an evaluation of each variant, against the rival or alone", least=1)
    seed: int = setting(0, "random seed", least=0)
    device: str = setting("cpu", "or cuda")
    threads: int = setting(2, "threads of torch and of the batches", least=1)
    compile: bool = setting(False, "compile the network with torch.compile")
    bf16: bool = setting(False, "run the network under bfloat16 autocast")

    def __post_init__(self) -> None:
        """ValueError for settings with which nothing could be learned."""
        check_limits(self)
        if not 0 < len(set(self.players)) == len(self.players):
            raise ValueError(f"players: expected different numbers, got {self.players}")
        if max(self.players) > 1 and self.steps < 8:
            raise ValueError(f"steps: expected at least 8 with several players, got {self.steps}")
        if self.games % self.groups:
            raise ValueError(f"games: expected a multiple of the {self.groups} groups, got {self.games}")
        if self.past_share + self.rival_share > 1:
            raise ValueError("past_share and rival_share: expected at most 1 together")
        if self.against and self.rival:
            raise ValueError(f"against and rival: expected one of them, got {self.against!r} and {self.rival!r}")
        if self.rival and not (self.rival_share and max(self.players) > 1):
            raise ValueError(f"rival: expected a rival_share above 0 and several players, got {self.rival!r}")
        if self.against and min(self.players) == 1:
            raise ValueError(f"against: expected two players or more, got players {self.players}")

    @property
    def opponent(self) -> str:
        """The rival's name, or the game's rival."""
        return self.against or self.rival or rival_of(self.game)


def presets_of(game: str) -> dict[str, Config]:
    """The game's presets by name, from `PPO` in its folder."""
    presets: Mapping[str, Mapping[str, Any]] = addition("training", game, "PPO", {})
    return {name: Config(game=game, **values) for name, values in presets.items()}


# --- playing


class Rollout(NamedTuple):
    """T decisions of B rows. learn: marks those to train on; the entries of others are undefined."""

    seen: Tensor  # (T, B, S) uint8, from `Network.see`
    masks: Tensor  # (T, B, A) int8
    actions: Tensor  # (T, B) int64
    log_probs: Tensor  # (T, B) float32, of the actions
    values: Tensor  # (T, B) float32
    advantages: Tensor  # (T, B) float32
    learn: Tensor  # (T, B) bool
    decisions: int  # number made


@dataclass(frozen=True)
class Variant:
    """A variant to play: its name, its games, one per deck, and its number among variants with as many players."""

    name: str
    games: GameSet
    number: int

    @classmethod
    def all_of(cls, config: Config) -> list[Variant]:
        sets = [games_with_decks(config.game, options, config.decks) for options in variants_of(config)]
        names = names_of_variants([games.first for games in sets])
        of_players = len(sets) // len(config.players)
        return [cls(*each, number % of_players) for number, each in enumerate(zip(names, sets, strict=True))]


class SelfPlayGames:
    """A group of parallel games of one variant, with buffers for a rollout on the network's device."""

    def __init__(self, config: Config, variant: Variant, network: Network, group: int = 0) -> None:
        self.variant, self.games = variant, variant.games
        self.game = self.games.first  # the first deck's; others differ only in the cards
        players = self.game.num_players
        self._config = config
        self._device = next(network.parameters()).device
        self.autocast = partial(autocast, config, self._device)
        self.name = f"table{variant.name}" if group == 0 else f"table{variant.name}-{group}"
        games, steps = config.games // config.groups, config.steps
        self.rows, self.steps = games * self._rows_a_game(), steps
        self.batch = cf.make_batch(
            self.games, games, reward="shaped", scaled=False, num_threads=config.threads, asked_only=not config.goals
        )
        self._seed = config.seed * 1_000_003 + players + SEEDS_OF_A_GROUP * group + SEEDS_OF_A_VARIANT * variant.number
        self.step: Any = self.batch.reset(seed=[(self._seed * 1_000_003 + row) % (1 << 62) for row in range(games)])
        # The first games are against a past self, the next ones against the rival, the rest pure self-play.
        past, of_rival = (0.0, 1.0) if config.against else (config.past_share, config.rival_share)
        self._past, self._of_rival = (number_of(games, share) if players > 1 else 0 for share in (past, of_rival))
        self.rng = np.random.default_rng(self._seed)
        self.seats = self.rng.integers(players, size=games)
        self._rival = make_agent(config.opponent, self.game) if self._of_rival else None
        if listens(self._rival):
            raise ValueError(f"rival: {config.opponent} is told a game's moves, which is not done here")
        self._rival_seeds = [0] * games  # of the rival in each game
        self._rival_of: dict[int, tuple[cf.Game, AnyAgent]] = {}  # a game, and the rival in it, by row of the batch
        self._goals: Callable[[Tensors], np.ndarray] | None = None
        if config.goals and (goals := hook("training", config.game, "GOALS")):
            self._goals = goals(self.game)
        self._reached = self._goals_reached()
        network.accept(self.game)
        on_device = partial(torch.zeros, device=self._device)
        self._seen = on_device((steps, self.rows, network.size_seen(self.game)), dtype=torch.uint8)
        self._masks = on_device((steps, self.rows, self.game.num_actions), dtype=torch.int8)
        # What the network sees of the next decisions, and their masks; page-locked for transfers to a GPU.
        pinned = self._device.type == "cuda"
        self._next = [torch.empty_like(each[0], device="cpu", pin_memory=pinned) for each in (self._seen, self._masks)]
        self._next_known = False
        self._actions = on_device((steps, self.rows), dtype=torch.int64)
        self._log_probs = on_device((steps, self.rows))
        self._values = on_device((steps, self.rows))
        self._movers = np.zeros((steps, self.rows), np.int64)  # -1: no decision
        self._rewards = np.zeros((steps, games, players), np.float32)
        self._dones = np.zeros((steps, games), np.bool_)
        self._learn = np.zeros((steps, self.rows), np.bool_)
        self._rows_of_rival = np.zeros(0, np.int64)  # in which it chooses in the present step
        self.returns_so_far = np.zeros((games, players), np.float32)  # of unfinished games
        self.returns: list[np.ndarray] = []  # sums of rewards in games that ended in the rollout, by learning seat
        self.won: list[np.ndarray] = []  # whether these seats won

    def restore(self, seats: np.ndarray, returns_so_far: np.ndarray, games: Mapping[str, np.ndarray]) -> None:
        """Continue the games of a checkpoint; ValueError if their shapes differ.

        `games` are raw bytes. Only the checkpoint's digest guards them.
        """
        if seats.shape != self.seats.shape or not ((seats >= 0) & (seats < self.game.num_players)).all():
            raise ValueError(f"seats: expected {len(self.seats)} from 0 to {self.game.num_players - 1}")
        if returns_so_far.shape != self.returns_so_far.shape:
            raise ValueError(f"returns_so_far: expected shape {self.returns_so_far.shape}, got {returns_so_far.shape}")
        self.step, self._next_known = self.batch.restore(games), False
        self.seats[:], self.returns_so_far[:] = seats, returns_so_far
        self._reached = self._goals_reached()

    def reset_rival(self, iteration: int) -> None:
        """Seed the rival by the run's seed and the iteration, so that a resumed run is the same."""
        if self._rival is not None:
            numbers = np.random.SeedSequence((self._config.seed, iteration, self.game.num_players))
            self._rival_seeds = numbers.generate_state(self.batch.num_envs).tolist()
            reset(self._rival, self._rival_seeds[0])
            self._rival_of.clear()

    def _rival_in(self, row: int) -> tuple[cf.Game, AnyAgent]:
        """The game of a row, and the rival in it: an agent of its own, as it may remember its game."""
        number = row // self._rows_a_game()
        if number not in self._rival_of:
            game = self.batch.game_of(number)
            rival = make_agent(self._config.opponent, game)
            reset(rival, self._rival_seeds[number])
            self._rival_of[number] = game, rival
        return self._rival_of[number]

    # `JointGames` overrides these.

    def _rows_a_game(self) -> int:
        return 1

    def look(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The present decisions: observations (B, R), masks (B, A), and deciding seats (B,)."""
        return self.step.observations, self.step.action_masks, self.step.current_player

    def rules(self, rows: np.ndarray) -> RowRules | None:
        """The card tables of the games in some rows."""
        return self.batch.rules(rows // self._rows_a_game())

    def _play(self, actions: np.ndarray) -> cf.Step | cf.JointStep:
        return self.batch.step(actions)

    def _advantages(self) -> tuple[np.ndarray, np.ndarray]:
        gamma, lam = self._config.gamma, self._config.lam
        return gae_by_seat(self._values.cpu().numpy(), self._rewards, self._movers, self._dones, gamma, lam)

    def _position_of(self, row: int) -> Any:
        """The position of the row's decision."""
        return self.batch.state(row)

    def collect(self, network: Network, past: Network | None, clocks: Clocks) -> Rollout:
        """Play T decisions of every game."""
        collect_all([self], network, past, clocks)
        return self.rollout()

    def begin(self) -> None:
        """Begin a rollout."""
        self.returns.clear()
        self.won.clear()

    def rollout(self) -> Rollout:
        """The rollout of the last T decisions."""
        advantages, known = self._advantages()
        return Rollout(
            seen=self._seen,
            masks=self._masks,
            actions=self._actions,
            log_probs=self._log_probs,
            values=self._values,
            advantages=torch.from_numpy(advantages).to(self._device),
            learn=torch.from_numpy(self._learn & known).to(self._device),
            decisions=int((self._movers >= 0).sum()),
        )

    def ask(self, network: Network, t: int, clocks: Clocks) -> tuple[np.ndarray, np.ndarray]:
        """Take in the decisions of step t. Returns the rows, (K,), in which the network decides, and a past self."""
        self._movers[t] = self.look()[2]
        if not self._next_known:
            self._see(network, clocks)
        with clocks["transfers"]:
            for to, here in zip((self._seen, self._masks), self._next, strict=True):
                to[t].copy_(here, non_blocking=True)  # has finished when the actions come back
        others = self._rivals(self._movers[t])
        self._learn[t] = ~others & (self._movers[t] >= 0)
        past_rows = self._past * self._rows_a_game()
        self._rows_of_rival = np.flatnonzero(others[past_rows:]) + past_rows
        return np.flatnonzero(self._learn[t]), np.flatnonzero(others[:past_rows])

    def decisions(self, t: int, rows: np.ndarray) -> tuple[Tensor, Tensor]:
        """What is seen, (K, S), and the masks, (K, A), in some rows of step t."""
        if len(rows) == self.rows:
            return self._seen[t], self._masks[t]
        where = torch.from_numpy(rows).to(self._device)
        return self._seen[t].index_select(0, where), self._masks[t].index_select(0, where)  # faster than `[t, where]`

    def keep(self, t: int, rows: np.ndarray, actions: Tensor, log_probs: Tensor, values: Tensor) -> None:
        """Keep actions with their log-probabilities, and values, (K,), in some rows of step t."""
        where: Any = slice(None) if len(rows) == self.rows else torch.from_numpy(rows).to(self._device)
        self._actions[t, where], self._log_probs[t, where], self._values[t, where] = actions, log_probs, values

    def actions(self, t: int) -> np.ndarray:
        """(B,) int64: the actions of step t; undefined where the rival chooses. Waits for a GPU."""
        actions: np.ndarray = self._actions[t].cpu().numpy()
        return actions

    def _see(self, network: Network, clocks: Clocks) -> None:
        """Compute what the network sees of the present decisions."""
        with clocks.own("seeing"):
            raw, masks, _ = self.look()
            seen, of_masks = self._next
            network.see(torch.from_numpy(raw), self.rules(np.arange(self.rows)), seen)
            of_masks.numpy()[:] = masks
        self._next_known = True

    def take(self, network: Network, t: int, actions: np.ndarray, clocks: Clocks) -> None:
        """Let the rival choose its actions, step the games, and see the next decisions.

        Nothing passes through `network`, so it may decide in other games at the same time.
        """
        of_rival = self._rows_of_rival
        if len(of_rival):
            with clocks.own("rivals"):
                raw, masks, _ = self.look()
                actions[of_rival] = self._rival_actions(raw[of_rival], masks[of_rival], of_rival)
        with clocks.own("stepping"):
            try:
                self.step = self._play(actions)
            except cf.IllegalActionError as error:  # masks exclude all others
                raise RunError(
                    f"the network, or a past self, has diverged: it chose an illegal action: {error}"
                ) from error
            self._take_rewards(t, self.step)
        self._see(network, clocks)

    def _rivals(self, movers: np.ndarray) -> np.ndarray:
        """(B,) bool: rows in which a rival moves."""
        each = self._rows_a_game()
        rival: np.ndarray = (movers != np.repeat(self.seats, each)) & (movers >= 0)
        rival[(self._past + self._of_rival) * each :] = False
        return rival

    def _rival_actions(self, raw: np.ndarray, masks: np.ndarray, rows: np.ndarray) -> list[int]:
        """The rival's actions in K rows, given their raw observations (K, R) and masks (K, A)."""
        rival: Any = self._rival
        if isinstance(rival, LearnedAgent):
            return rival.choose_rows(raw, masks, self.rules(rows))
        if not callable(rival):
            return [decide(*self._rival_in(row), self._position_of(row)) for row in rows.tolist()]
        layout, of_rows = self.game.observation_layout, [cast(Agent, self._rival_in(row)[1]) for row in rows.tolist()]
        return [int(own(layout.tensors(layout.scaled(raw[k])), masks[k])) for k, own in enumerate(of_rows)]

    def _take_rewards(self, t: int, step: cf.Step | cf.JointStep) -> None:
        """Store every seat's reward of step t, weighted by the config."""
        rewards = self._rewards[t]
        players = rewards.shape[1]
        rewards[:] = step.rewards
        if players > 1:
            rewards -= (rewards.sum(1, keepdims=True) - rewards) / (players - 1)
        rewards *= self._config.score
        if self._goals is not None:
            rewards[:, 0] += self._config.goals * self._progress(step.dones)
        self._dones[t] = step.dones
        ended = np.flatnonzero(step.dones)
        won = self.batch.results(ended)["won"]
        rewards[ended] += self._config.win * won / np.maximum(1, won.sum(1, keepdims=True))
        self.returns_so_far += rewards
        if not len(ended):
            return
        for game in ended.tolist():
            self._rival_of.pop(game, None)
        learned = self._learned_seats(ended)
        self.returns.append(self.returns_so_far[ended][learned])
        self.won.append(won[learned])
        self.returns_so_far[ended] = 0
        self.seats[ended] = self.rng.integers(players, size=len(ended))

    def _learned_seats(self, games: np.ndarray) -> np.ndarray:
        """(K, P) bool: the seats to train on, which is all of them without a rival."""
        learned: np.ndarray = np.arange(self.returns_so_far.shape[1]) == self.seats[games, None]
        learned[games >= self._past + self._of_rival] = True
        return learned

    def _goals_reached(self) -> np.ndarray | float:
        """(N,), 0 to 1: the share of the game's goals met so far; 0 without goals."""
        return self._goals(self.game.observation_layout.tensors(self.look()[0])) if self._goals else 0.0

    def _progress(self, dones: np.ndarray) -> np.ndarray:
        """(N,): the step's progress towards the game's goals; 0 for the last step of a game."""
        before, self._reached = self._reached, self._goals_reached()
        return np.where(dones, 0, self._reached - before)


class JointGames(SelfPlayGames):
    """Games whose seats act at once: row n P + p is seat p of game n, and a step takes all their decisions."""

    def _rows_a_game(self) -> int:
        return self.game.num_players

    def look(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        observations, masks = (part.reshape(self.rows, -1) for part in self.step[:2])
        seats = np.tile(np.arange(self.game.num_players), len(self.seats))
        return observations, masks[:, :-1], np.where(masks[:, -1], -1, seats)

    def _play(self, actions: np.ndarray) -> cf.Step | cf.JointStep:
        actions[self.look()[2] < 0] = self.game.num_actions  # `wait`
        return self.batch.step(actions.reshape(len(self.seats), -1))

    def _advantages(self) -> tuple[np.ndarray, np.ndarray]:
        """Like `gae_by_seat`, with every row a game of one seat."""
        each, shape = self._rows_a_game(), (self._config.steps, self.rows)
        return gae_by_seat(
            self._values.cpu().numpy(),
            self._rewards.reshape(*shape, 1),
            np.minimum(self._movers, 0),
            np.repeat(self._dones, each, axis=1),
            self._config.gamma,
            self._config.lam,
        )

    def _position_of(self, row: int) -> Any:
        game, seat = divmod(row, self._rows_a_game())
        position = self.game.clone(self.batch.state(game))
        self.game.ask_seat(position, seat)
        return position


def games_of(config: Config, variant: Variant, network: Network) -> list[SelfPlayGames]:
    """The groups of games of one variant."""
    kind = JointGames if variant.games.first.simultaneous else SelfPlayGames
    return [kind(config, variant, network, group) for group in range(config.groups)]


def autocast(config: Config, device: torch.device) -> torch.autocast:
    """For the network's passes."""
    return torch.autocast(device.type, torch.bfloat16, enabled=config.bf16)


def sample_actions(log_probs: Tensor) -> Tensor:
    """(B,) int64: sample an action per row from log-probabilities (B, A), by the Gumbel-max trick."""
    return (log_probs - torch.rand_like(log_probs).log_().neg_().log_()).argmax(-1)  # faster than `exponential_`


def gae_by_seat(
    values: np.ndarray, rewards: np.ndarray, movers: np.ndarray, dones: np.ndarray, gamma: float, lam: float
) -> tuple[np.ndarray, np.ndarray]:
    """Generalised advantage estimation for seats that move in any order.

    values, movers, dones: (T, N); a mover is -1 if there is no decision. rewards: (T, N, P), of every seat.
    Returns advantages, (T, N) float32, and where they are known, (T, N) bool: not for a seat's last decision before the
    rollout ends.
    """
    steps, games, players = rewards.shape
    next_value = np.zeros((games, players), np.float32)  # of each seat's next decision
    next_advantage = np.zeros_like(next_value)
    since = np.zeros_like(next_value)  # rewards between the decision and the next one
    follows = np.zeros((games, players), np.bool_)  # whether what follows is known
    advantages = np.zeros((steps, games), np.float32)
    known = np.zeros((steps, games), np.bool_)
    for t in range(steps - 1, -1, -1):
        over = dones[t]
        next_value[over] = next_advantage[over] = since[over] = 0
        follows[over] = True
        since += rewards[t]
        acts = np.flatnonzero(movers[t] >= 0)
        at = acts, movers[t, acts]
        surprise = since[at] + gamma * next_value[at] - values[t, acts]
        known[t, acts] = follows[at]
        advantages[t, acts] = np.where(follows[at], surprise + gamma * lam * next_advantage[at], 0)
        next_value[at] = values[t, acts]
        next_advantage[at] = advantages[t, acts]
        since[at] = 0
        follows[at] = True
    return advantages, known


# --- learning


class Clock:
    """Adds up the seconds spent in its context."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __enter__(self) -> None:
        self._begun = time.perf_counter()

    def __exit__(self, *error: object) -> None:
        self.seconds += time.perf_counter() - self._begun


class Clocks(dict[str, Clock]):
    """The seconds of an iteration, by what they were spent on."""

    def __missing__(self, name: str) -> Clock:
        return self.setdefault(name, Clock())

    @contextmanager
    def own(self, name: str) -> Iterator[None]:
        """Time what several groups may do at once. The seconds of all of them are added."""
        clock = Clock()
        with clock:
            yield
        self[name].seconds += clock.seconds


def collect_all(tables: Sequence[SelfPlayGames], network: Network, past: Network | None, clocks: Clocks) -> None:
    """Play T decisions of all groups. While one half steps, each group in a thread, the network decides for the other.

    The groups of a half share a pass. Results do not depend on timing, since decisions are made in a fixed order.
    """
    for table in tables:
        table.begin()
    halves = [half for half in (tables[::2], tables[1::2]) if half]
    under_way: list[list[Future[None]]] = [[] for _ in halves]
    with ThreadPoolExecutor(len(tables), "stepping") as threads:
        for t in range(tables[0].steps):
            for number, half in enumerate(halves):
                finish(under_way[number], clocks)
                actions = decide_in(half, network, past, t, clocks)
                under_way[number] = [
                    threads.submit(table.take, network, t, chosen, clocks)
                    for table, chosen in zip(half, actions, strict=True)
                ]
        for steps in under_way:
            finish(steps, clocks)


def finish(steps: Sequence[Future[None]], clocks: Clocks) -> None:
    with clocks["waiting"]:
        for step in steps:
            step.result()


def decide_in(
    tables: Sequence[SelfPlayGames], network: Network, past: Network | None, t: int, clocks: Clocks
) -> list[np.ndarray]:
    """Let the network, and a past self where it plays, decide in step t. Returns the actions of each group."""
    asked = [table.ask(network, t, clocks) for table in tables]
    with clocks["acting"]:
        for chooser, rows in zip((network, past or network), zip(*asked, strict=True), strict=True):
            act(chooser, t, [(table, of) for table, of in zip(tables, rows, strict=True) if len(of)])
        return [table.actions(t) for table in tables]


def act(network: Network, t: int, asked: Sequence[tuple[SelfPlayGames, np.ndarray]]) -> None:
    """Sample actions in some rows of some groups, and keep them with log-probabilities and values."""
    if not asked:
        return
    seen, masks = zip(*(table.decisions(t, of) for table, of in asked), strict=True)
    with torch.inference_mode(), asked[0][0].autocast():
        output = network(*seen)
        log_probs = masked(output.logits.float(), joined(masks))
        actions = sample_actions(log_probs)
        chosen = log_probs.gather(-1, actions.unsqueeze(-1)).squeeze(-1)
        of_groups = (each.split([len(of) for _, of in asked]) for each in (actions, chosen, output.value.float()))
        for (table, of), *results in zip(asked, *of_groups, strict=True):
            table.keep(t, of, *results)


class Learner:
    """The network, its optimiser, and the training loop."""

    def __init__(self, config: Config, start: Path | None) -> None:
        torch.set_num_threads(config.threads)
        torch.manual_seed(config.seed)
        self.config = config
        self.device = device_of(config.device)
        self.variants = Variant.all_of(config)
        game = self.variants[0].games.first
        self.network = first_network(game, config.network, start).to(self.device)
        self.tables = [table for variant in self.variants for table in games_of(config, variant, self.network)]
        self.past = make_network(game, **self.network.settings())
        for table in self.tables:
            self.past.accept(table.game)
        self.past.to(self.device).load_state_dict(self.network.state_dict())
        self._run: Any = torch.compile(self.network) if config.compile else self.network
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=config.learning_rate, eps=1e-5, fused=True)
        self.rng = np.random.default_rng(config.seed)
        self.iteration = 0
        self.decisions = 0
        self.selves: list[int] = []  # iterations after which a self was remembered

    def iterate(self) -> dict[str, float]:
        """Do one iteration, and return its measurements."""
        begun = time.perf_counter()
        clocks = Clocks()
        config = self.config
        done = self.iteration / max(1, config.iterations)
        for table in self.tables:
            table.reset_rival(self.iteration)
        collect_all(self.tables, self._run, self.past, clocks)
        rollouts = [table.rollout() for table in self.tables]
        collected = time.perf_counter()
        self.optimiser.param_groups[0]["lr"] = between(config.learning_rate, config.last_learning_rate, done)
        entropy = between(config.entropy, config.last_entropy, done)
        with clocks["learning"]:
            measured = self._learn(rollouts, entropy)
        self.iteration += 1
        decisions = sum(rollout.decisions for rollout in rollouts)
        self.decisions += decisions
        seconds = time.perf_counter() - begun
        for variant in self.variants:
            tables = [table for table in self.tables if table.variant is variant]
            if any(table.returns for table in tables):
                returns, won = (
                    np.concatenate([each for of_table in kept for each in of_table])
                    for kept in zip(*((table.returns, table.won) for table in tables), strict=True)
                )
                measured |= {
                    f"return/{variant.name}": float(returns.mean()),
                    f"won_sampled/{variant.name}": float(won.mean()),
                }
        return measured | {
            "decisions": self.decisions,
            "decisions_per_s": decisions / seconds,
            "collecting_share": (collected - begun) / seconds,
            "outside_network_share": 1 - (clocks["acting"].seconds + clocks["learning"].seconds) / seconds,
            **{f"{name}_share": clock.seconds / seconds for name, clock in clocks.items()},
            "learning_rate": self.optimiser.param_groups[0]["lr"],
        }

    def _learn(self, rollouts: Sequence[Rollout], entropy_weight: float) -> dict[str, float]:
        config = self.config
        learnable = [rollout.learn.flatten().nonzero().squeeze(-1) for rollout in rollouts]
        of_all = torch.cat(
            [rollout.advantages.flatten()[which] for rollout, which in zip(rollouts, learnable, strict=True)]
        )
        mean, spread = of_all.mean(), of_all.std() + 1e-8
        sums = torch.zeros(len(MEASURED), device=self.device)
        batches = 0
        for _ in range(config.epochs):
            of_epoch = [
                self._update(rollout, which, mean, spread, entropy_weight)
                for rollout, which in self._minibatches(rollouts, learnable)
            ]
            sums += torch.stack(of_epoch).sum(0)
            batches += len(of_epoch)
            # The only synchronization with a GPU in an epoch.
            if 0 < config.max_kl < float(torch.stack(of_epoch)[:, MEASURED.index("kl")].mean()):
                break
        values = torch.cat([r.values.flatten()[which] for r, which in zip(rollouts, learnable, strict=True)])
        returns = values + of_all
        return dict(zip(MEASURED, (sums / batches).tolist(), strict=True)) | {
            "explained_variance": float(1 - (returns - values).var() / (returns.var() + 1e-8)),
            "epochs": batches / max(1, sum(math.ceil(len(which) / config.minibatch) for which in learnable)),
        }

    def _minibatches(
        self, rollouts: Sequence[Rollout], learnable: Sequence[Tensor]
    ) -> Iterator[tuple[Rollout, Tensor]]:
        """One pass in random order. Each minibatch comes from one group of games."""
        parts = []
        for rollout, which in zip(rollouts, learnable, strict=True):
            shuffled = which[torch.from_numpy(self.rng.permutation(len(which))).to(which.device)]
            parts += [(rollout, part) for part in torch.split(shuffled, self.config.minibatch)]
        for number in self.rng.permutation(len(parts)).tolist():
            yield parts[number]

    def _update(self, rollout: Rollout, which: Tensor, mean: Tensor, spread: Tensor, entropy_weight: float) -> Tensor:
        """Do one optimiser step, and return MEASURED."""
        config, device = self.config, self.device
        seen, masks, actions, old_log_prob, old_value, advantage = (
            part.flatten(0, 1).index_select(0, which) for part in rollout[:6]
        )
        returns = old_value + advantage
        advantage = (advantage - mean) / spread
        with autocast(config, device):
            output = self._run(seen)
        log_probs = masked(output.logits.float(), masks)
        value = output.value.float()
        change = log_probs.gather(-1, actions.unsqueeze(-1)).squeeze(-1) - old_log_prob
        ratio = change.exp()
        policy_loss = -torch.min(ratio * advantage, ratio.clamp(1 - config.clip, 1 + config.clip) * advantage).mean()
        value_loss = (value - returns).square().mean()
        likely = log_probs.clamp_min(LEAST_LOG_PROB)
        entropy = -(likely.exp() * likely).sum(-1).mean()
        loss = policy_loss + config.value_weight * value_loss - entropy_weight * entropy
        self.optimiser.zero_grad()
        loss.backward()
        if self.iteration < config.warm_up:
            for name, parameter in self.network.named_parameters():
                if not name.startswith("value."):
                    parameter.grad = None
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), config.max_norm)
        self.optimiser.step()
        with torch.no_grad():
            kl, clipped = (ratio - 1 - change).mean(), ((ratio - 1).abs() > config.clip).float().mean()
            return torch.stack([policy_loss, value_loss, entropy, kl, clipped])

    # --- past selves

    def remember(self, folder: Path) -> None:
        """Save the present network as a past self, and drop the oldest if there are too many."""
        folder.mkdir(exist_ok=True)
        about = about_network(self.network, self.tables[0].game)
        save_checkpoint(folder / f"{self.iteration}.safetensors", about, {"network": self.network.state_dict()})
        self.selves = [*self.selves, self.iteration][-self.config.most_selves :]

    def forget(self, folder: Path) -> None:
        """Delete the files of dropped selves; call it only after saving a checkpoint without them."""
        for path in folder.glob("*.safetensors"):
            if path.stem.isdecimal() and int(path.stem) not in self.selves:
                path.unlink()

    def meet_a_past_self(self, folder: Path) -> None:
        if self.selves:
            chosen = int(self.rng.choice(self.selves))
            self._meet(folder / f"{chosen}.safetensors")

    def _meet(self, path: Path) -> None:
        """Load the network of a file as the past self; CheckpointError if it cannot play the present games."""
        load_checkpoint(path).restore(self.past, "network")
        self._check_plays(self.past, path)

    def _check_plays(self, network: Network, path: Path) -> None:
        for table in self.tables:
            try:
                observations, masks, movers = table.look()
                asked = np.flatnonzero(movers >= 0)
                legal_log_probs(network, observations[asked], masks[asked], table.rules(asked))
            except ValueError as error:
                raise CheckpointError(f"{path}: {error}") from error

    # --- resuming

    def tensors(self) -> dict[str, dict[str, Tensor]]:
        """All tensors that training resumes from, by owner and name."""
        tables = {
            table.name: {
                **{name: torch.from_numpy(kept) for name, kept in table.batch.snapshot().items()},
                "seats": torch.from_numpy(table.seats.copy()),
                OWED: torch.from_numpy(table.returns_so_far.copy()),
            }
            for table in self.tables
        }
        return {
            "network": self.network.state_dict(),
            "past": self.past.state_dict(),
            "optimiser": optimiser_tensors(self.optimiser),
            "torch": {name: draws.get_state() for name, draws in self._generators().items()},
            **tables,
        }

    def _generators(self) -> dict[str, torch.Generator]:
        """The generators from which actions are sampled."""
        generators = {"generator": torch.default_generator}
        if self.device.type == "cuda":
            generators["cuda"] = torch.cuda.default_generators[self.device.index or 0]
        return generators

    def about(self) -> dict[str, Any]:
        return {
            **about_network(self.network, self.tables[0].game),
            **about_decks(self.config.decks),
            **about_variants([variant.games.first for variant in self.variants]),
            "iteration": self.iteration,
            "decisions": self.decisions,
            "selves": self.selves,
            "generators": [self.rng.bit_generator.state, *(table.rng.bit_generator.state for table in self.tables)],
        }

    def resume_from(self, path: Path) -> None:
        """Restore from a file made of `tensors` and `about`; CheckpointError if it does not fit these games."""
        checkpoint = load_checkpoint(path)
        about = checkpoint.about
        game = self.tables[0].game
        here = {"deck": game.deck_hash, "rules": game.rules_version, "version": cf.__version__}
        version = about.get("versions", {}).get("chocofactory_env")
        there = {"deck": about.get("deck"), "rules": about.get("rules"), "version": version}
        if there != here:  # stored games are bytes that need the same rules and cards
            raise CheckpointError(f"{path}: its games are of {there}, and here are {here}")
        checkpoint.resume(self.network, game)
        try:
            checkpoint.restore(self.past, "past")
            restore_optimiser(self.optimiser, checkpoint)
            for name, draws in self._generators().items():
                draws.set_state(checkpoint.of("torch")[name])
            for table in self.tables:
                kept = {name: it.numpy() for name, it in checkpoint.of(table.name).items()}
                table.restore(kept.pop("seats"), kept.pop(OWED), kept)
            first, *others = about["generators"]
            self.rng.bit_generator.state = first
            for table, state in zip(self.tables, others, strict=True):
                table.rng.bit_generator.state = state
            self.iteration, self.decisions, self.selves = about["iteration"], about["decisions"], about["selves"]
            for number in self.selves:
                self._meet(path.parent / PAST / f"{number}.safetensors")
            checkpoint.restore(self.past, "past")
            for network in (self.network, self.past):
                self._check_plays(network, path)
        except CheckpointError:
            raise
        except (AttributeError, IndexError, KeyError, OverflowError, RuntimeError, TypeError, ValueError) as error:
            raise CheckpointError(f"{path}: not a checkpoint that this run can resume from: {error}") from error


def number_of(games: int, share: float) -> int:
    """The games in a share of them: at least one of a positive share."""
    return max(round(games * share), int(share > 0))


def between(first: float, last: float, done: float) -> float:
    return first + (last - first) * min(1.0, done)


# --- the run


def train(
    config: Config,
    folder: Path,
    *,
    start: Path | None = None,
    resume: bool = False,
    minutes: float | None = None,
    progress: bool = True,
) -> Path | None:
    """Train, and return the path of the best checkpoint; None if it was stopped, which happens between iterations.

    start: a checkpoint whose network is trained further. minutes: limit after which it stops, as on Ctrl-C.

    Raises:
        RunError, CheckpointError, ValueError: see `Run`, `load_checkpoint`, `Config`.
    """
    learner = Learner(config, start)
    asked = dataclasses.asdict(config) | origin(start)
    stopped, part = Event(), Slice(minutes)
    with Run(folder, asked, resume=resume) as run:

        def save() -> None:
            run.save(LAST, learner.about(), learner.tensors())
            learner.forget(folder / PAST)
            part.saved()

        best = max((line["score"] for line in run.evaluations("score")), default=-math.inf)
        if run.checkpoint is not None:
            learner.resume_from(folder / LAST)
        else:
            save()
        handler = signal.signal(signal.SIGINT, lambda *_: stopped.set())
        bar = tqdm(total=config.iterations, initial=learner.iteration, unit="iteration", disable=not progress)
        try:
            while learner.iteration < config.iterations and not stopped.is_set() and not part.is_over():
                measured = learner.iterate()
                bar.update()
                bar.set_postfix_str(f"{measured['decisions_per_s']:,.0f} decisions/s")
                due = learner.iteration % config.evaluate_every == 0 or learner.iteration == config.iterations
                if learner.iteration % config.remember_every == 0 and config.past_share and not config.against:
                    learner.remember(folder / PAST)
                    learner.meet_a_past_self(folder / PAST)
                if due:
                    games = [variant.games for variant in learner.variants]
                    measured |= evaluated(learner.network, games, config.evaluate_deals, config.opponent)
                    if measured["score"] > best:
                        best = measured["score"]
                        run.save(BEST, learner.about() | {"score": best}, {"network": learner.network.state_dict()})
                    bar.write(progress_line(learner.iteration, measured), file=sys.stderr)
                run.log(learner.iteration, measured)
                part.step()
                if due or part.is_over() or part.should_save() or stopped.is_set():
                    save()
        finally:
            signal.signal(signal.SIGINT, handler)
            bar.close()
    return folder / BEST if learner.iteration == config.iterations else None


def progress_line(iteration: int, measured: Mapping[str, float]) -> str:
    return (
        f"{iteration:5}  {measured['decisions']:>11,} decisions  won: {win_rates(measured)}"
        f"  entropy {measured['entropy']:.2f}  kl {measured['kl']:.3f}  explained {measured['explained_variance']:.2f}"
    )


def preset_values(presets: Mapping[str, Config], name: str) -> str:
    """The presets' values of a setting that differ from its default, in words."""
    default = getattr(Config(), name)
    values = {preset: getattr(config, name) for preset, config in presets.items()}
    return "".join(f"; {preset}: {value}" for preset, value in values.items() if value != default)


def main(arguments: Sequence[str] | None = None) -> None:
    presets = presets_of(game_named(arguments))
    parser = argparse.ArgumentParser(prog="python -m training.ppo", description="Train by self-play.")
    parser.set_defaults(preset=None)
    if presets:
        parser.add_argument("preset", choices=presets, nargs="?", help="preset of the game to start from")
    parser.add_argument("--out", type=Path, required=True, help="folder of the run")
    parser.add_argument("--start", type=Path, help="checkpoint to start from")
    parser.add_argument("--resume", action="store_true", help="resume the run in the folder")
    add_minutes(parser)
    add_settings(parser, Config, more=partial(preset_values, presets))
    chosen = parser.parse_args(arguments)
    try:
        config = dataclasses.replace(presets.get(chosen.preset, Config()), **given(chosen, Config))
        note_measured(config.decks)
        best = train(config, chosen.out, start=chosen.start, resume=chosen.resume, minutes=chosen.minutes)
    except (ImportError, RunError, CheckpointError, TypeError, ValueError) as error:
        parser.error(str(error))
    if best is None:
        end_as_stopped("stopped; --resume continues it")
    print(f"best: {best}")


if __name__ == "__main__":
    main()
