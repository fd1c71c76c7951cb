"""Self-play over native batches: rollouts from which `training.ppo` learns, with advantages.

Multi-seat games need three special measures:

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

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, cast

import numpy as np
import torch
from torch import Tensor

import chocofactory_env as cf
from agents.by_game import hook
from agents.learned import LearnedAgent
from agents.networks.network import Network, joined, masked
from agents.protocol import Agent, AnyAgent, decide, make_agent, reset
from chocofactory_env import Tensors
from chocofactory_env.core.agents.agent import searches
from chocofactory_env.core.kernel.variants import GameSet, RowRules

from .evaluate import check_rival
from .ppo_config import Config
from .runs import RunError
from .settings import games_with_decks, names_of_variants, variants_of

SEEDS_OF_A_GROUP = 10  # more than the numbers of players
SEEDS_OF_A_VARIANT = 1000  # more than the seeds of all groups


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
        self._past, self._of_rival = config.games_with_others if players > 1 else (0, 0)
        self.rng = np.random.default_rng(self._seed)
        self.seats = self.rng.integers(players, size=games)
        self._rival = make_agent(config.opponent, self.game) if self._of_rival else None
        if self._rival is not None:
            check_rival(config.opponent, self._rival)
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

    def positions(self) -> np.ndarray:
        """(B,): the positions of the present decisions."""
        return self.batch.states

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
            raw, masks, seats = self.look()
            seen, of_masks = self._next
            rules = self.rules(np.arange(self.rows))
            network.see(torch.from_numpy(raw), self.positions(), seats.astype(np.int32), rules, seen)
            of_masks.numpy()[:] = masks
        self._next_known = True

    def take(self, network: Network, t: int, actions: np.ndarray, clocks: Clocks) -> None:
        """Let the rival choose its actions, step the games, and see the next decisions.

        Nothing passes through `network`, so it may decide in other games at the same time.
        """
        of_rival = self._rows_of_rival
        if len(of_rival):
            with clocks.own("rivals"):
                raw, masks, seats = (part[of_rival] for part in self.look())
                actions[of_rival] = self._rival_actions(raw, masks, seats.astype(np.int32), of_rival)
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

    def _rival_actions(self, raw: np.ndarray, masks: np.ndarray, seats: np.ndarray, rows: np.ndarray) -> list[int]:
        """The rival's actions in K rows, given their raw observations (K, R), masks (K, A), and seats (K,)."""
        rival: Any = self._rival
        if isinstance(rival, LearnedAgent):
            return rival.choose_rows(raw, masks, self.positions()[rows], seats, self.rules(rows))
        if searches(rival):
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

    def positions(self) -> np.ndarray:
        return np.repeat(self.batch.states, self._rows_a_game())

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


# --- all groups


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
