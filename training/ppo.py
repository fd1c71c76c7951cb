"""Proximal policy optimisation by self-play over native batches, with masked actions.

    chocofactory train ppo solo --out runs/solo
    chocofactory train ppo players --out runs/players --start runs/imitation/best.safetensors

One network plays all seats. In an iteration every game plays `steps` decisions, whichever seats move; then the network
trains on all its decisions for some epochs. Read from top to bottom: settings, games, credit, learning, resuming, run.
`train` repeats `Learner.iterate`: `collect` plays (`record`, `act`, `step_games` in each group of games),
`gae_by_seat` gives credit, `Learner.learn` takes minibatches, `Learner.gradient_step` changes the network. Advantages
are normalised over all rollouts of an iteration, and the loss of the value is not clipped.

Games of several seats need three special measures:

* **Advantages.** A seat's trajectory consists of its own decisions. A reward between two of them, even on another
  seat's move, belongs to the first. `gae_by_seat` walks back through the games and treats every seat separately.
* **The end of a rollout.** A seat's last decision in a rollout gets no gradient, since its next decision may lie far
  ahead. Its value only bootstraps the decisions before it.
* **Rivals.** To keep self-play from cycling, one seat plays against a past self in a share of the games, and against
  a rival, such as `greedy`, in another share. Their decisions get no gradient. With `--against AGENT`, that agent is
  the rival in every game, so the network learns a best response to it.

T = steps, N = games, P = players, B = rows: N, or N P where all seats of a game act at once (`mode="simultaneous"`);
A = actions, R = bytes of a raw observation, S = bytes of what `Network.see` makes of it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
import numpy as np
import torch
import tyro
from torch import Tensor

import chocofactory_env as cf
from chocofactory_env.agents.by_game import hook
from chocofactory_env.agents.networks.checkpoint import Checkpoint, about_network, load_checkpoint, save_network
from chocofactory_env.agents.networks.network import Network, joined, make_network, masked
from chocofactory_env.arena.options import DEFAULT_GAME
from chocofactory_env.core.reading import at_least, need

from . import runs, settings
from .graphs import Replays
from .rivals import Rival, evaluated, rival_of
from .runs import BEST, LAST, Run, RunError
from .settings import Number, Seed, Settings, Share, Table, Variant, Weight

MEASURED = ("policy_loss", "value_loss", "entropy", "kl", "clipped")  # of a minibatch
LEAST_LOG_PROB = -80.0  # lower clamp in the entropy: `exp` is ten times slower if the float32 result is denormal
LEAST_DRAWN = 2.0**-25  # for a drawn 0, one in 2^24, whose noise, minus infinity, would hide the only legal action
PAST = "past"  # folder of past selves
SEEDS_OF_A_GROUP, SEEDS_OF_A_VARIANT = 10, 1000  # more than the numbers of players, than the seeds of all groups

# --- settings


class Config(Settings, frozen=True, kw_only=True):
    """What a run is made of."""

    game: str = DEFAULT_GAME  # name of the game
    players: tuple[Number, ...] = (1,)  # numbers of players, each with a batch of games
    options: Table = settings.EMPTY  # options of the game; each value of {"difficulty": [0, 3]} has a batch of games
    decks: tuple[str, ...] = ()  # decks to deal from, as generated:100000-100999; without any, the deck of the options
    network: Table = settings.EMPTY  # kind and sizes, as {"kind": "mlp", "width": 64}; empty: the game's default
    games: Number = 512  # N, games in each batch
    groups: Number = 1  # groups of each batch: while one group steps, the network decides for another
    steps: Annotated[int, at_least(2)] = 64  # T, decisions (or joint steps) of each game in a rollout
    iterations: Number = 100  # rollouts, each followed by learning
    learning_rate: Weight = 5e-4  # learning rate at the start, annealed linearly
    last_learning_rate: Weight = 5e-5  # learning rate at the end
    epochs: Number = 3  # passes over a rollout
    minibatch: Number = 4096  # decisions in a minibatch
    gamma: Share = 1.0  # discount for each decision
    lam: Share = 0.95  # lambda of generalised advantage estimation
    clip: Weight = 0.2  # clip range of the probability ratio
    warm_up: Seed = 0  # first iterations that train the value head alone, for a start that can play
    entropy: Weight = 0.01  # entropy coefficient at the start, annealed linearly
    last_entropy: Weight = 0.002  # entropy coefficient at the end
    value_weight: Weight = 0.5  # weight of the value loss
    max_norm: Weight = 0.5  # largest norm of the gradient
    max_kl: Weight = 0.03  # KL divergence at which the epochs of an iteration end early; 0: never
    win: float = 1.0  # reward for winning, shared if several seats win
    score: float = 0.005  # reward for each point when it is earned, minus the mean of the other seats
    goals: float = 0.0  # reward for meeting all goals of the game, paid as they are met; 0 without goals
    past_share: Share = 0.0  # share of the games, at least one, with a past self in all seats but one
    rival: str = ""  # agent that is the rival in evaluations, and in games of rival_share; empty: the game's
    rival_share: Share = 0.0  # share of the games, at least one, with the rival in all seats but one
    against: str = ""  # train a best response to this agent: it has all other seats of every game
    remember_every: Number = 10  # iterations between two past selves that are kept
    most_selves: Number = 15  # past selves that are kept
    evaluate_every: Number = 10  # iterations between evaluations
    evaluate_deals: Number = 100  # deals of an evaluation of each variant, against the rival or alone
    seed: Seed = 0  # random seed
    device: str = "cpu"  # or cuda
    threads: Number = 2  # threads of torch and of the batches
    bf16: bool = False  # run the network under bfloat16 autocast

    def __post_init__(self) -> None:
        super().__post_init__()
        need(0 < len(set(self.players)) == len(self.players), "different numbers", self.players, "players")
        need(max(self.players) == 1 or self.steps >= 8, "at least 8 with several players", self.steps, "steps")
        need(not self.games % self.groups, f"a multiple of the {self.groups} groups", self.games, "games")
        games, several = self.games // self.groups, max(self.players) > 1
        past, of_rival = self.games_with_others
        need(past + of_rival <= games, f"at most the {games} games of a group together", past + of_rival, "shares")
        need(not self.rival or several, "several players beside it", self.players, "rival")
        need(not (self.rival and self.against), "no rival beside it", self.rival, "against")
        need(not self.against or min(self.players) > 1, "two players or more", self.players, "against")

    @property
    def games_with_others(self) -> tuple[int, int]:
        """The games of a group, with several players, against a past self and against the rival."""
        games = self.games // self.groups
        if self.against:
            return 0, games
        past, of_rival = (max(round(games * share), int(share > 0)) for share in (self.past_share, self.rival_share))
        return past, of_rival

    @property
    def opponent(self) -> str:
        """The rival's name, or the game's rival."""
        return self.against or self.rival or rival_of(self.game)


# --- games


class Rollout(NamedTuple):
    """T decisions of B rows. All but the last two fields are what `Learner.gradient_step` takes."""

    seen: Tensor  # (T, B, S) uint8, from `Network.see`
    masks: Tensor  # (T, B, A) int8
    actions: Tensor  # (T, B) int64
    log_probs: Tensor  # (T, B) float32, of the actions
    values: Tensor  # (T, B) float32
    advantages: Tensor  # (T, B) float32
    learn: Tensor  # (T, B) bool: which to train on; the other entries of all fields are undefined
    decisions: int  # number made


class Games:
    """A group of parallel games of one variant, with buffers for a rollout on the network's device.

    Where all seats of a game act at once, row n P + p is seat p of game n; else row n is the seat to move in game n.
    """

    def __init__(self, config: Config, variant: Variant, network: Network, number: int = 0) -> None:
        self.config, self.variant = config, variant
        self.game = game = variant.games.first  # the first deck's; others differ only in the cards
        self.players = players = game.num_players
        self.joint = game.simultaneous
        self.device = next(network.parameters()).device
        self.name = f"table{variant.name}" if number == 0 else f"table{variant.name}-{number}"
        games, steps = config.games // config.groups, config.steps
        self.rows_per_game = players if self.joint else 1
        self.rows = games * self.rows_per_game
        # Goals are read from the observations of all rows, also of seats that are not asked.
        self.batch = cf.make_batch(
            variant.games, games, reward="shaped", scaled=False, num_threads=config.threads, asked_only=not config.goals
        )
        self.own_seed = SEEDS_OF_A_GROUP * number + SEEDS_OF_A_VARIANT * variant.number  # no other group has it
        seed = config.seed * 1_000_003 + players + self.own_seed
        self.step: Any = self.batch.reset(seed=[(seed * 1_000_003 + row) % (1 << 62) for row in range(games)])
        self.rng = np.random.default_rng(seed)
        # The first games are against a past self, the next ones against the rival, the rest pure self-play.
        self.of_past, self.of_rival = config.games_with_others if players > 1 else (0, 0)
        self.seats = self.rng.integers(players, size=games)  # the network's, in games with others
        self.rival = Rival(config.opponent, self.batch) if self.of_rival else None
        self.rows_of_rival = np.zeros(0, np.int64)  # in which it chooses in the present step
        goals = hook(settings.TRAINING, config.game, "GOALS") if config.goals else None
        self.goals = goals(game) if goals else None
        self.reached = self.goals_reached()
        network.accept(game)
        zeros = partial(torch.zeros, device=self.device)
        self.seen = zeros((steps, self.rows, network.size_seen(game)), dtype=torch.uint8)
        self.masks = zeros((steps, self.rows, game.num_actions), dtype=torch.int8)
        # What is seen of the next decisions, and masks: page-locked, for games to write; on the device, for passes.
        on_gpu, kept = self.device.type == "cuda", (self.seen, self.masks)
        self.next = [torch.empty_like(each[0], device="cpu", pin_memory=on_gpu) for each in kept]
        self.now = [torch.empty_like(each[0]) for each in kept] if on_gpu else self.next
        self.replays, self.fixed = Replays(self.device), network.fixed
        self.actions = zeros((steps, self.rows), dtype=torch.int64)
        self.log_probs, self.values = zeros((steps, self.rows)), zeros((steps, self.rows))
        self.movers = np.zeros((steps, self.rows), np.int64)  # -1: no decision
        self.rewards = np.zeros((steps, games, players), np.float32)
        self.dones = np.zeros((steps, games), np.bool_)
        self.learn = np.zeros((steps, self.rows), np.bool_)
        self.returns_so_far = np.zeros((games, players), np.float32)  # of unfinished games
        self.returns: list[np.ndarray] = []  # sums of rewards in games that ended in the rollout, by learning seat
        self.won: list[np.ndarray] = []  # whether these seats won
        self.see(network)

    def begin(self, iteration: int) -> None:
        """Begin a rollout. The rival is seeded by run, iteration and group, so that a resumed run is the same."""
        self.returns, self.won = [], []
        if self.rival is not None:
            self.rival.reset((self.config.seed, iteration, self.players, self.own_seed))

    def look(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The present decisions: observations (B, R), masks (B, A), and deciding seats (B,); -1: none."""
        if not self.joint:
            return self.step.observations, self.step.action_masks, self.step.current_player
        observations, masks = (part.reshape(self.rows, -1) for part in self.step[:2])
        seats = np.tile(np.arange(self.players), len(self.seats))
        return observations, masks[:, :-1], np.where(masks[:, -1], -1, seats)  # the last action waits

    def positions(self) -> np.ndarray:
        """(B,): the positions of the present decisions."""
        return np.repeat(self.batch.states, self.rows_per_game) if self.joint else self.batch.states

    def record(self, t: int) -> tuple[np.ndarray, np.ndarray]:
        """Take in the decisions of step t. Returns the rows, (K,), in which the network decides, and a past self."""
        self.movers[t] = self.look()[2]
        for kept, now, here in zip((self.seen, self.masks), self.now, self.next, strict=True):
            now.copy_(here, non_blocking=True)  # has finished when the actions come back
            kept[t].copy_(now)
        asked = self.movers[t] >= 0
        others = asked & (self.movers[t] != np.repeat(self.seats, self.rows_per_game))
        others[(self.of_past + self.of_rival) * self.rows_per_game :] = False
        self.learn[t] = asked & ~others
        end = self.of_past * self.rows_per_game
        self.rows_of_rival = np.flatnonzero(others[end:]) + end
        # In passes of a fixed shape the network decides everywhere; decisions of others replace its own.
        return np.arange(self.rows) if self.fixed else np.flatnonzero(self.learn[t]), np.flatnonzero(others[:end])

    def step_games(self, network: Network, t: int, actions: np.ndarray) -> None:
        """Let the rival choose its actions, step the games, and see the next decisions, without a pass of the network.

        actions: (B,), undefined where the rival chooses.
        """
        if self.rival is not None and len(self.rows_of_rival):
            decisions = *self.look(), self.positions()
            actions[self.rows_of_rival] = self.rival.choose(self.rows_of_rival, *decisions)
        if self.joint:
            actions[self.movers[t] < 0] = self.game.num_actions  # wait
        try:
            self.step = self.batch.step(actions.reshape(len(self.seats), -1) if self.joint else actions)
        except cf.IllegalActionError as error:  # masks exclude all others
            raise RunError(f"the network, or a past self, has diverged: it chose an illegal action: {error}") from error
        self._take_rewards(t)
        self.see(network)

    def rollout(self) -> Rollout:
        """The rollout of the last T decisions."""
        config, rewards, movers, dones = self.config, self.rewards, self.movers, self.dones
        if self.joint:  # every row is a game of one seat: 0 where it decides, -1 where it waits
            rewards, movers = rewards.reshape(*movers.shape, 1), np.minimum(movers, 0)
            dones = np.repeat(dones, self.rows_per_game, axis=1)
        credit, known = gae_by_seat(self.values.cpu().numpy(), rewards, movers, dones, config.gamma, config.lam)
        advantages, learn = (torch.from_numpy(each).to(self.device) for each in (credit, self.learn & known))
        kept = self.seen, self.masks, self.actions, self.log_probs, self.values
        return Rollout(*kept, advantages, learn, int((self.movers >= 0).sum()))

    def see(self, network: Network) -> None:
        """Compute what the network sees of the present decisions."""
        raw, masks, seats = self.look()
        seen, of_masks = self.next
        rules = self.batch.rules(np.arange(self.rows) // self.rows_per_game)  # the card tables of all rows
        network.see(torch.from_numpy(raw), self.positions(), seats.astype(np.int32), rules, seen)
        of_masks.numpy()[:] = masks

    def _take_rewards(self, t: int) -> None:
        """Store every seat's reward of step t, weighted by the config."""
        step, rewards, players = self.step, self.rewards[t], self.players
        rewards[:] = step.rewards
        if players > 1:
            rewards -= (rewards.sum(1, keepdims=True) - rewards) / (players - 1)
        rewards *= self.config.score
        if self.goals is not None:  # in a solo game
            before, self.reached = self.reached, self.goals_reached()
            rewards[:, 0] += self.config.goals * np.where(step.dones, 0, self.reached - before)
        self.dones[t] = step.dones
        ended = np.flatnonzero(step.dones)
        won = self.batch.results(ended)["won"]
        rewards[ended] += self.config.win * won / np.maximum(1, won.sum(1, keepdims=True))
        self.returns_so_far += rewards
        if not len(ended):
            return
        if self.rival is not None:
            self.rival.forget(ended)
        by_network = np.arange(players) == self.seats[ended, None]
        by_network[ended >= self.of_past + self.of_rival] = True  # all seats without a rival
        self.returns.append(self.returns_so_far[ended][by_network])
        self.won.append(won[by_network])
        self.returns_so_far[ended] = 0
        self.seats[ended] = self.rng.integers(players, size=len(ended))

    def goals_reached(self) -> np.ndarray | float:
        """(N,), 0 to 1: the share of the game's goals met so far; 0 without goals."""
        return self.goals(self.game.observation_layout.tensors(self.look()[0])) if self.goals else 0.0


def collect(groups: Sequence[Games], network: Network, past: Network, iteration: int = 0) -> list[Rollout]:
    """Play T decisions in all groups. While one half steps, each group in a thread, the network decides for the other.

    The groups of a half share a pass. Results do not depend on timing, since decisions are made in a fixed order.
    """
    for group in groups:
        group.begin(iteration)
    halves = [half for half in (groups[::2], groups[1::2]) if half]
    under_way: list[list[Future[None]]] = [[] for _ in halves]
    with ThreadPoolExecutor(len(groups), "stepping") as threads:
        for t in range(groups[0].config.steps):
            for half, steps in zip(halves, under_way, strict=True):
                for step in steps:
                    step.result()
                actions = decide_in(half, network, past, t)
                steps[:] = [
                    threads.submit(group.step_games, network, t, of) for group, of in zip(half, actions, strict=True)
                ]
        for step in (step for steps in under_way for step in steps):
            step.result()
    return [group.rollout() for group in groups]


def decide_in(groups: Sequence[Games], network: Network, past: Network, t: int) -> list[np.ndarray]:
    """Let the network, and a past self where it plays, decide in step t. Returns the actions (B,) of each group."""
    asked = [group.record(t) for group in groups]
    for chooser, rows in zip((network, past), zip(*asked, strict=True), strict=True):
        if parts := [(group, of) for group, of in zip(groups, rows, strict=True) if len(of)]:
            act(chooser, t, parts)
    return [group.actions[t].cpu().numpy() for group in groups]  # waits for a GPU


def act(network: Network, t: int, asked: Sequence[tuple[Games, np.ndarray]]) -> None:
    """Sample legal actions in some rows of some groups, and keep them with log-probabilities and values."""
    # None for all rows of a group, which need not be copied, so that their tensors stay in place.
    places = [None if len(rows) == group.rows else torch.from_numpy(rows).to(group.device) for group, rows in asked]
    seen, masks = (
        [part if at is None else part.index_select(0, at) for part, at in zip(parts, places, strict=True)]
        for parts in zip(*(group.now for group, _ in asked), strict=True)
    )
    first, key = asked[0][0], (network, *(group.name for group, _ in asked))
    decide = partial(sample, network, first.config, seen, masks)
    results = first.replays(key, decide) if all(at is None for at in places) else decide()
    of_each = zip(*(torch.split(each, [len(rows) for _, rows in asked]) for each in results), strict=True)
    for (group, _), at, of_group in zip(asked, places, of_each, strict=True):
        for to, values in zip((group.actions, group.log_probs, group.values), of_group, strict=True):
            to[t, slice(None) if at is None else at] = values


def sample(
    network: Network, config: Config, seen: Sequence[Tensor], masks: Sequence[Tensor]
) -> tuple[Tensor, Tensor, Tensor]:
    """(B,) each: legal actions in the rows of all parts, their log-probabilities, and the values of the positions."""
    with torch.inference_mode(), torch.autocast(masks[0].device.type, torch.bfloat16, enabled=config.bf16):
        output = network(*seen)
        log_probs = masked(output.logits.float(), joined(masks))
        drawn = torch.rand_like(log_probs).clamp_min_(LEAST_DRAWN)
        actions = (log_probs - drawn.log_().neg_().log_()).argmax(-1)  # Gumbel-max: a sample
        return actions, log_probs.gather(-1, actions.unsqueeze(-1)).squeeze(-1), output.value.float()


# --- credit


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
        delta = since[at] + gamma * next_value[at] - values[t, acts]
        known[t, acts] = follows[at]
        advantages[t, acts] = np.where(follows[at], delta + gamma * lam * next_advantage[at], 0)
        next_value[at] = values[t, acts]
        next_advantage[at] = advantages[t, acts]
        since[at] = 0
        follows[at] = True
    return advantages, known


# --- learning


class Learner:
    """The network, its games, and the optimiser."""

    def __init__(self, config: Config, start: Path | None = None) -> None:
        torch.set_num_threads(config.threads)
        torch.manual_seed(config.seed)
        self.config = config
        self.device = runs.device_of(config.device)
        self.variants = Variant.all_of(config.game, config.players, config.options, config.decks)
        game = self.variants[0].games.first
        self.deck_files = settings.deck_files_of(game, config.decks)
        self.network = settings.first_network(game, config.network, start).to(self.device)
        self.replays = Replays(self.device)
        self.network.fixed = fixed = self.replays.captures
        self.groups = [
            Games(config, variant, self.network, number) for variant in self.variants for number in range(config.groups)
        ]
        self.past = make_network(game, **self.network.settings())
        for group in self.groups:
            self.past.accept(group.game)
        self.past.to(self.device).load_state_dict(self.network.state_dict())
        self.past.fixed = fixed
        rate = torch.tensor(config.learning_rate, device=self.device) if fixed else config.learning_rate
        self.optimiser = torch.optim.Adam(self.network.parameters(), rate, eps=1e-5, fused=True, capturable=fixed)
        self.weights = torch.zeros(3, device=self.device)  # mean and spread of the advantages, weight of the entropy
        self.rng, self.iteration, self.decisions = np.random.default_rng(config.seed), 0, 0
        self.selves: list[int] = []  # iterations after which a self was remembered

    def iterate(self) -> dict[str, float]:
        """Do one iteration, and return its measurements."""
        begun, processor = time.perf_counter(), time.process_time()
        config, done = self.config, self.iteration / self.config.iterations
        rollouts = collect(self.groups, self.network, self.past, self.iteration)
        collected = time.perf_counter()
        rate = float(np.interp(done, (0, 1), (config.learning_rate, config.last_learning_rate)))
        adam = self.optimiser.param_groups[0]
        adam["lr"] = adam["lr"].fill_(rate) if self.replays.captures else rate
        measured = self.learn(rollouts, float(np.interp(done, (0, 1), (config.entropy, config.last_entropy))))
        decisions = sum(rollout.decisions for rollout in rollouts)
        self.iteration, self.decisions = self.iteration + 1, self.decisions + decisions
        seconds = time.perf_counter() - begun
        for variant in self.variants:
            groups = [group for group in self.groups if group.variant is variant]
            for name, parts in (("return", [t.returns for t in groups]), ("won_sampled", [t.won for t in groups])):
                if ended := [each for part in parts for each in part]:
                    measured[f"{name}/{variant.name}"] = float(np.concatenate(ended).mean())
        return measured | {
            "decisions": self.decisions,
            "decisions_per_s": decisions / seconds,
            "seconds": seconds,
            "seconds_collecting": collected - begun,
            "seconds_of_processors": time.process_time() - processor,
            "learning_rate": rate,
        }

    def learn(self, rollouts: Sequence[Rollout], entropy_weight: float) -> dict[str, float]:
        """Train for some epochs on the decisions of these rollouts, and return the means of what was measured."""
        config = self.config
        pairs = [(rollout, rollout.learn.flatten().nonzero().squeeze(-1)) for rollout in rollouts]
        credit = torch.cat([rollout.advantages.flatten()[which] for rollout, which in pairs])
        if len(credit) < 2:
            raise RunError(f"a rollout has {len(credit)} decisions to learn from: expected more games, or more steps")
        self.weights.copy_(torch.stack([credit.mean(), credit.std() + 1e-8, credit.new_tensor(entropy_weight)]))
        sums, batches = torch.zeros(len(MEASURED), device=self.device), 0
        for _ in range(config.epochs):
            parts = self.minibatches(pairs)
            of_epoch = torch.stack([self.update(*part) for part in parts])
            sums += of_epoch.sum(0)
            batches += len(of_epoch)
            # The only synchronization with a GPU in an epoch.
            if 0 < config.max_kl < float(of_epoch[:, MEASURED.index("kl")].mean()):
                break
        values = torch.cat([rollout.values.flatten()[which] for rollout, which in pairs])
        returns = values + credit
        return dict(zip(MEASURED, (sums / batches).tolist(), strict=True)) | {
            "explained_variance": float(1 - (returns - values).var() / (returns.var() + 1e-8)),
            "epochs": batches / sum(math.ceil(len(which) / config.minibatch) for _, which in pairs),
        }

    def minibatches(self, pairs: Sequence[tuple[Rollout, Tensor]]) -> Iterator[tuple[Rollout, Tensor]]:
        """One pass in random order. Each minibatch comes from one group of games."""
        parts = []
        for rollout, which in pairs:
            shuffled = which[torch.from_numpy(self.rng.permutation(len(which))).to(which.device)]
            # The split of a group without decisions to learn from is one part of none, with means that are NaN.
            parts += [(rollout, part) for part in torch.split(shuffled, self.config.minibatch) if len(part)]
        for number in self.rng.permutation(len(parts)).tolist():
            yield parts[number]

    def update(self, rollout: Rollout, which: Tensor) -> Tensor:
        """Do one optimiser step on these decisions, and return MEASURED."""
        size, warming_up = self.config.minibatch, self.iteration < self.config.warm_up
        chosen = self.replays.gather([part.flatten(0, 1) for part in rollout[:-2]], which, size)
        step = partial(self.gradient_step, *chosen)
        if len(which) < size:  # the last of a rollout; a graph has a fixed shape
            return step()
        return self.replays((chosen[0].shape, warming_up), step).clone()

    def gradient_step(
        self, seen: Tensor, masks: Tensor, actions: Tensor, old_log_prob: Tensor, old_value: Tensor, advantage: Tensor
    ) -> Tensor:
        """Do one optimiser step on the decisions of a minibatch, and return MEASURED."""
        config, (mean, spread, entropy_weight) = self.config, self.weights
        returns = old_value + advantage
        advantage = (advantage - mean) / spread
        with torch.autocast(self.device.type, torch.bfloat16, enabled=config.bf16):
            output = self.network(seen)
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

    def remember(self, folder: Path) -> None:
        """Save the present network as a past self, drop the oldest if there are too many, and play one of them."""
        folder.mkdir(exist_ok=True)
        save_network(folder / f"{self.iteration}.safetensors", self.network, self.groups[0].game)
        self.selves = [*self.selves, self.iteration][-self.config.most_selves :]
        load_checkpoint(folder / f"{self.rng.choice(self.selves)}.safetensors").restore(self.past, "network")

    # --- resuming

    def tensors(self) -> dict[str, dict[str, Tensor]]:
        """All tensors that training resumes from, by owner and name."""
        kept = {of.name: of.batch.snapshot() | {"seats": of.seats, "returns": of.returns_so_far} for of in self.groups}
        return {
            "network": self.network.state_dict(),
            "past": self.past.state_dict(),
            "optimiser": runs.adam_tensors(self.optimiser),
            "torch": {name: draws.get_state() for name, draws in runs.generators_of(self.device).items()},
            **{owner: {name: torch.tensor(part) for name, part in parts.items()} for owner, parts in kept.items()},
        }

    def about(self) -> dict[str, Any]:
        """The checkpoint's header: what was learned from what, and numbers that training resumes from."""
        games = [variant.games.first for variant in self.variants]
        return {
            **about_network(self.network, self.groups[0].game),
            **settings.about_training(games, self.config.decks, self.deck_files),
            "iteration": self.iteration,
            "decisions": self.decisions,
            "selves": self.selves,
            "generators": [rng.bit_generator.state for rng in (self.rng, *(group.rng for group in self.groups))],
        }

    def resume_from(self, checkpoint: Checkpoint) -> None:
        """Restore what `tensors` and `about` hold; CheckpointError if it does not fit these games.

        The running games are raw bytes, which need the same rules and cards. Only the digest guards them.
        """
        about = checkpoint.about
        runs.check_games(checkpoint, self.groups[0].game, self.deck_files)
        checkpoint.resume(self.network, self.groups[0].game)
        checkpoint.restore(self.past, "past")
        runs.restore_adam(self.optimiser, checkpoint)
        with runs.unfit(checkpoint):
            for name, draws in runs.generators_of(self.device).items():
                draws.set_state(checkpoint.of("torch")[name])
            for group in self.groups:
                kept = {name: it.numpy() for name, it in checkpoint.of(group.name).items()}
                group.seats[:], group.returns_so_far[:] = kept.pop("seats"), kept.pop("returns")
                group.step = group.batch.restore(kept)
                group.see(self.network)
                group.reached = group.goals_reached()
            for rng, state in zip((self.rng, *(group.rng for group in self.groups)), about["generators"], strict=True):
                rng.bit_generator.state = state
            self.iteration, self.decisions, self.selves = about["iteration"], about["decisions"], about["selves"]


# --- the run


def train(
    config: Config,
    out: Path,
    *,
    start: Path | None = None,
    resume: bool = False,
    minutes: float | None = None,
    progress: bool = True,
    after: tyro.conf.Suppress[Callable[[Learner], None] | None] = None,
) -> Path | None:
    """Train by self-play; return the path of the best checkpoint, or None if it was stopped between iterations.

    Args:
        config: settings
        out: folder of the run
        start: checkpoint whose network is trained further
        resume: resume the run in the folder
        minutes: stop after this time, as on Ctrl-C; continue with --resume
        progress: show a progress bar
        after: called after each iteration, before it is saved

    Raises:
        RunError, CheckpointError, ValueError: see `Run`, `load_checkpoint`, `Config`.
    """
    settings.note_measured(config.decks)
    learner = Learner(config, start)
    with Run(out, msgspec.to_builtins(config) | settings.origin(start), resume=resume, minutes=minutes) as run:

        def save() -> None:
            run.save(LAST, learner.about(), learner.tensors())
            runs.keep_only(out / PAST, learner.selves)

        best = run.best_score()
        if run.checkpoint is not None:
            learner.resume_from(run.checkpoint)
        else:
            save()
        for iteration in run.iterations(learner.iteration, config.iterations, progress):
            measured = learner.iterate()
            due = iteration % config.evaluate_every == 0 or iteration == config.iterations
            if iteration % config.remember_every == 0 and config.past_share and not config.against:
                learner.remember(out / PAST)
            if after is not None:
                after(learner)
            if due:
                games = [variant.games for variant in learner.variants]
                measured |= evaluated(learner.network, games, config.evaluate_deals, config.opponent)
                if measured["score"] > best:
                    best = measured["score"]
                    run.save(BEST, learner.about() | {"score": best}, {"network": learner.network.state_dict()})
            run.log(iteration, measured)
            if run.is_time_to_save() or due:
                save()
    runs.draw_curve(out)
    return out / BEST if learner.iteration == config.iterations else None


def main(arguments: Sequence[str] | None = None) -> None:
    settings.run_command(train, "ppo", arguments, Config, "PPO")


if __name__ == "__main__":
    main()
