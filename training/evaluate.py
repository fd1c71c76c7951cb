"""How often a network wins, against an agent or alone: many games side by side, each move one batch.

python -m training.evaluate runs/solo/ppo/best.safetensors --deals 1000 --seed 0
python -m training.evaluate runs/players/ppo/best.safetensors --players 3 --rival planner
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

import chocofactory_env as cf
from agents.by_game import addition
from agents.networks.checkpoint import load_checkpoint
from agents.networks.network import Network, check_likely, masked
from agents.protocol import HELP, AnyAgent, decide, make_agent, reset
from arena.match import Interval, share, wilson_interval
from chocofactory_env import Game

ALONE = "alone"  # what is measured of a game of one
MOST_GAMES = 256  # side by side: each needs agents of its own; with fewer the network is used less well
FIRST_DEAL = 10_000_000  # apart from all deals that training and the benchmarks play


class Score(NamedTuple):
    """wins of games; score: mean of the network's seats; rival_score: mean of the others' (nan alone)."""

    games: int
    wins: int
    score: float
    rival_score: float

    @property
    def rate(self) -> float:
        return self.wins / self.games

    @property
    def interval(self) -> Interval:
        return wilson_interval(self.wins, self.games)

    def __str__(self) -> str:
        rivals = "" if np.isnan(self.rival_score) else f" against {self.rival_score:.1f}"
        return f"won {self.wins} of {self.games}, {share(self.wins, self.games)}; score {self.score:.1f}{rivals}"

    def measured(self, name: str) -> dict[str, float]:
        """As it is logged, under `name`."""
        low, high = self.interval
        return {f"{name}/won": self.rate, f"{name}/low": low, f"{name}/high": high, f"{name}/score": self.score}


def rival_of(game: str) -> str:
    """The agent against which networks for the game of this name are evaluated: `RIVAL` in `training/<game>/`."""
    return addition("training", game, "RIVAL", "random")


def evaluate(
    network: Network, game: Game, *, rival: str | None = None, deals: int = 100, seed: int = FIRST_DEAL
) -> Score:
    """Play every deal once from each seat, the likeliest action each time; the other seats are `rival`'s.

    rival: an agent; None: the game's.
    """
    rival = rival_of(game.name) if rival is None else rival
    players = game.num_players
    at_once = deals if players == 1 else max(1, MOST_GAMES // players)
    agents = RivalAgents(rival, game)
    ends = [
        play(network, game, range(first, min(first + at_once, seed + deals)), agents)
        for first in range(seed, seed + deals, at_once)
    ]
    own, won, scores = (np.concatenate(parts) for parts in zip(*ends, strict=True))
    return Score(
        games=len(own),
        wins=int(won[own].sum()),
        score=float(scores[own].mean()),
        rival_score=float(scores[~own].mean()) if players > 1 else float("nan"),
    )


class RivalAgents:
    """The rival's agents by row and seat, made when they are asked for first."""

    def __init__(self, rival: str, game: Game) -> None:
        self._rival = rival
        self._game = game
        self._agents: dict[tuple[int, int], AnyAgent] = {}

    def __call__(self, row: int, seat: int) -> AnyAgent:
        if (row, seat) not in self._agents:
            self._agents[row, seat] = make_agent(self._rival, self._game)
        return self._agents[row, seat]


def play(network: Network, game: Game, deals: range, rival: RivalAgents) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Each deal from every seat side by side: (N, P) which seat was the network's, who won, and the scores."""
    players = game.num_players
    seats = np.tile(np.arange(players), len(deals))
    batch = cf.SelfPlayBatch(game, len(seats), reward="score", autoreset=False, scaled=False)
    step = batch.reset(seed=np.repeat(deals, players).tolist())
    for row, own in enumerate(seats.tolist()):
        for seat in set(range(players)) - {own}:
            reset(rival(row, seat), cf.agent_seed(game, batch.state(row), seat, own))
    actions = np.zeros(len(seats), np.int64)
    while not step.dones.all():
        mine = np.flatnonzero((step.current_player == seats) & ~step.dones)
        if len(mine):
            actions[mine] = likeliest(network, step.observations[mine], step.action_masks[mine])
        for row in np.flatnonzero((step.current_player != seats) & ~step.dones).tolist():
            actions[row] = decide(game, rival(row, int(step.current_player[row])), batch.state(row))
        step = batch.step(actions)
    results = batch.results(np.arange(len(seats)))
    return np.arange(players) == seats[:, None], results["won"], results["scores"]


def evaluated(network: Network, games: Sequence[Game], deals: int, rival: str | None = None) -> dict[str, float]:
    """Win rates against the rival (None: the game's), or alone, with Wilson's intervals; `score` is their mean."""
    scores = {}
    for game in games:
        name = ALONE if game.num_players == 1 else f"{rival or rival_of(game.name)}_{game.num_players}"
        scores[name] = evaluate(network, game, rival=rival, deals=deals)
    return logged(scores)


def logged(scores: Mapping[str, Score]) -> dict[str, float]:
    """Each score as it is logged under its name; `score` is the mean win rate."""
    measured = {name: value for under, score in scores.items() for name, value in score.measured(under).items()}
    return measured | {"score": float(np.mean([score.rate for score in scores.values()]))}


def win_rates(measured: Mapping[str, float]) -> str:
    """The win rates of a log line, for a line of progress."""
    return ", ".join(f"{name[:-4]} {rate:.0%}" for name, rate in measured.items() if name.endswith("/won"))


def likeliest(network: Network, raw: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """(B,) int64: the legal action that the network finds likeliest in each row."""
    actions: np.ndarray = legal_log_probs(network, raw, masks).argmax(-1).cpu().numpy()
    return actions


def legal_log_probs(network: Network, raw: np.ndarray, masks: np.ndarray) -> Tensor:
    """(B, A): log-probabilities of the legal actions in each row, on the network's device.

    ValueError if in some row no legal action has a probability, see `check_likely`.
    """
    device = next(network.parameters()).device
    legal = torch.from_numpy(masks).to(device)
    with torch.inference_mode():
        log_probs = masked(network(network.see(torch.from_numpy(raw)).to(device)).logits, legal)
        check_likely(log_probs, legal)
    return log_probs


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m training.evaluate", description="How often networks win.")
    parser.add_argument("checkpoints", type=Path, nargs="+")
    parser.add_argument("--players", type=int, help="the first that the network was trained for, unless given")
    parser.add_argument("--rival", help=f"on all other seats, the game's unless given: {HELP}")
    parser.add_argument("--deals", type=int, default=100, help="each is played once from every seat")
    parser.add_argument("--seed", type=int, default=FIRST_DEAL, help="of the first deal")
    chosen = parser.parse_args(arguments)
    if chosen.deals < 1 or chosen.seed < 0:
        parser.error("expected at least one deal, and a seed from 0 on")
    asked = []
    try:
        for path in chosen.checkpoints:
            checkpoint = load_checkpoint(path)
            game = checkpoint.game(**({"num_players": chosen.players} if chosen.players else {}))
            make_agent(chosen.rival or rival_of(game.name), game)
            asked.append((path, game, checkpoint.network(game).eval()))
    except (ImportError, ValueError) as error:
        parser.error(str(error))
    for path, game, network in asked:
        try:
            score = evaluate(network, game, rival=chosen.rival, deals=chosen.deals, seed=chosen.seed)
        except ValueError as error:
            parser.error(f"{path}: {error}")
        print(f"{path}: {score}" if game.num_players == 1 else f"{path}, {game.num_players} players: {score}")


if __name__ == "__main__":
    main()
