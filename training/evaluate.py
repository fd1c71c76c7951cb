"""Measure how often a network wins, against an agent or alone, over many parallel games with batched moves.

python -m training.evaluate runs/solo/ppo/best.safetensors --deals 1000 --seed 0
python -m training.evaluate runs/players/ppo/best.safetensors --players 3 --rival planner
python -m training.evaluate runs/decks/best.safetensors --decks generated:0-99 --gap
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import chocofactory_env as cf
from agents.by_game import addition
from agents.networks.checkpoint import Checkpoint, load_checkpoint
from agents.networks.network import Network, look
from agents.protocol import HELP, AnyAgent, decide, make_agent, reset
from arena.decks import each_once, label, names_of
from arena.report import percent
from arena.table import Interval, gap, win_rate_interval
from chocofactory_env import Game
from chocofactory_env.core.agents.moves import listens
from chocofactory_env.core.command import CommandParser, add_option, count, seed_of_deal
from chocofactory_env.core.kernel.variants import GameSet

from .settings import names_of_variants

ALONE = "alone"  # the name of results in a solo game
MOST_GAMES = 256  # parallel games: each needs its own agents, but fewer would make smaller batches
FIRST_DEAL = 10_000_000  # apart from the deals of training and benchmarks


class Score(NamedTuple):
    """won, decks: by game; the name of its deck, or "" with a single deck.

    score: mean over the network's seats; rival_score: mean over the others (nan in a solo game).
    """

    won: tuple[bool, ...]
    decks: tuple[str, ...]
    score: float
    rival_score: float

    @property
    def games(self) -> int:
        return len(self.won)

    @property
    def wins(self) -> int:
        return sum(self.won)

    @property
    def rate(self) -> float:
        return self.wins / self.games

    @property
    def interval(self) -> Interval:
        """The interval of the win rate; over decks if there are several."""
        return win_rate_interval(*self.by_game())

    def by_game(self) -> tuple[np.ndarray, np.ndarray]:
        """`won` and `decks` as arrays, for `arena.table`."""
        return np.array(self.won), np.array(self.decks)

    def __str__(self) -> str:
        rivals = "" if np.isnan(self.rival_score) else f" against {self.rival_score:.1f}"
        return f"won {self.wins} of {self.games}, {percent(self.rate, self.interval)}; score {self.score:.1f}{rivals}"

    def measured(self, name: str) -> dict[str, float]:
        """The numbers to log, under `name`."""
        low, high = self.interval
        return {f"{name}/won": self.rate, f"{name}/low": low, f"{name}/high": high, f"{name}/score": self.score}


def rival_of(game: str) -> str:
    """The game's opponent in evaluations: `RIVAL` in `training/<game>/`."""
    return addition("training", game, "RIVAL", "random")


def check_rival(name: str, rival: AnyAgent) -> None:
    """ValueError for an agent that is told a game's moves, which training does not do."""
    if listens(rival):
        raise ValueError(f"opponent {name}: expected an agent without observe_move, as it would not be told the moves")


def evaluate(
    network: Network, game: Game | GameSet, *, rival: str | None = None, deals: int = 100, seed: int = FIRST_DEAL
) -> Score:
    """Play every deal once from each seat, with the likeliest actions, against `rival` on the other seats.

    game: one, or several, from which the seed of a deal chooses. rival: an agent; None: the game's.
    """
    games = _set_of(game)
    game = games.first
    rival = rival_of(game.name) if rival is None else rival
    players = game.num_players
    at_once = deals if players == 1 else max(1, MOST_GAMES // players)
    agents = RivalAgents(rival)
    ends = [
        play(network, games, range(first, min(first + at_once, seed + deals)), agents)
        for first in range(seed, seed + deals, at_once)
    ]
    own, won, scores, decks = (np.concatenate(parts) for parts in zip(*ends, strict=True))
    return Score(
        won=tuple(won[own].tolist()),
        decks=tuple(decks.tolist()),
        score=float(scores[own].mean()),
        rival_score=float(scores[~own].mean()) if players > 1 else float("nan"),
    )


class RivalAgents:
    """The rival's agents by row and seat, made on first use, and again for another deck."""

    def __init__(self, rival: str) -> None:
        self._rival = rival
        self._agents: dict[tuple[int, int], tuple[str, AnyAgent]] = {}

    def __call__(self, game: Game, row: int, seat: int) -> AnyAgent:
        if (row, seat) not in self._agents or self._agents[row, seat][0] != game.deck_hash:
            agent = make_agent(self._rival, game)
            check_rival(self._rival, agent)
            self._agents[row, seat] = game.deck_hash, agent
        return self._agents[row, seat][1]


def play(
    network: Network, games: GameSet, deals: range, rival: RivalAgents
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Play each deal from every seat. Returns the network's seat, winners and scores, (N, P), and decks, (N,)."""
    players = games.first.num_players
    seats = np.tile(np.arange(players), len(deals))
    batch = cf.SelfPlayBatch(games, len(seats), reward="score", autoreset=False, scaled=False)
    step = batch.reset(seed=np.repeat(deals, players).tolist())
    of_rows = [batch.game_of(row) for row in range(len(seats))] if players > 1 else []
    for row, (game, own) in enumerate(zip(of_rows, seats.tolist(), strict=False)):
        for seat in set(range(players)) - {own}:
            reset(rival(game, row, seat), cf.agent_seed(game, batch.state(row), seat, own))
    actions = np.zeros(len(seats), np.int64)
    while not step.dones.all():
        mine = np.flatnonzero((step.current_player == seats) & ~step.dones)
        if len(mine):
            seen = step.observations[mine], step.action_masks[mine], batch.states[mine], step.current_player[mine]
            actions[mine] = look(network, *seen, batch.rules(mine))[0].argmax(-1)
        for row in np.flatnonzero((step.current_player != seats) & ~step.dones).tolist():
            game = of_rows[row]
            actions[row] = decide(game, rival(game, row, int(step.current_player[row])), batch.state(row))
        step = batch.step(actions)
    results = batch.results(np.arange(len(seats)))
    decks = results.get("deck", np.full(len(seats), "")).astype(str)
    return np.arange(players) == seats[:, None], results["won"], results["scores"], decks


def _set_of(game: Game | GameSet) -> GameSet:
    return game if isinstance(game, GameSet) else GameSet.of(game)


def evaluated(
    network: Network, games: Sequence[Game | GameSet], deals: int, rival: str | None = None
) -> dict[str, float]:
    """Win rates with intervals, against the rival (None: the game's) or alone; `score` is their mean."""
    sets = [_set_of(game) for game in games]
    names = names_of_variants([each.first for each in sets])
    scores = {
        alone_or_against(rival or rival_of(each.first.name), name): evaluate(network, each, rival=rival, deals=deals)
        for each, name in zip(sets, names, strict=True)
    }
    measured = {name: value for under, score in scores.items() for name, value in score.measured(under).items()}
    return measured | {"score": float(np.mean([score.rate for score in scores.values()]))}


def alone_or_against(rival: str, variant: str) -> str:
    """The name of a variant's result, see `names_of_variants`."""
    players, *options = variant.split(",")
    return ",".join([ALONE if players == "1" else f"{rival}_{players}", *options])


def win_rates(measured: Mapping[str, float]) -> str:
    """The win rates in a log line, for a line of progress."""
    return ", ".join(f"{name[:-4]} {rate:.0%}" for name, rate in measured.items() if name.endswith("/won"))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = CommandParser(prog="python -m training.evaluate", description="How often networks win.")
    parser.add_argument("checkpoints", type=Path, nargs="+")
    parser.add_argument("--players", type=count, help="number of players (the first that the network was trained for)")
    add_option(parser)
    parser.add_argument("--rival", help=f"agent on all other seats (the game's): {HELP}")
    parser.add_argument("--deals", type=count, default=100, help="each is played once from every seat")
    parser.add_argument(
        "--decks", nargs="+", help="decks to deal from, as shipped or generated:0-99 (the network's own)"
    )
    parser.add_argument(
        "--gap", action="store_true", help="with --decks, also play the training decks, and print the difference"
    )
    parser.add_argument("--seed", type=seed_of_deal, default=FIRST_DEAL, help="of the first deal")
    chosen = parser.parse_args(arguments)
    if chosen.gap and not chosen.decks:
        parser.error("--gap: expected --decks beside it, which it compares with the training decks")
    asked = []
    try:
        for path in chosen.checkpoints:
            checkpoint = load_checkpoint(path)
            options = dict(chosen.option) | ({} if chosen.players is None else {"num_players": chosen.players})
            trained = checkpoint.about.get("decks")
            sets = [chosen.decks or trained, *([trained] if chosen.gap else [])]
            games = [games_on(checkpoint, decks, options) for decks in sets]
            game = games[0].first
            make_agent(chosen.rival or rival_of(game.name), game)
            asked.append((path, games, checkpoint.network(game).eval()))
            if seen := [deck for deck in names_of(chosen.decks) if deck in set(each_once(trained))]:
                print(f"note: {path} was trained on {len(seen)} of these decks, the first is {label(seen[0])}")
    except (ImportError, TypeError, ValueError) as error:
        parser.error(str(error))
    for path, games, network in asked:
        try:
            scores = [
                evaluate(network, each, rival=chosen.rival, deals=chosen.deals, seed=chosen.seed) for each in games
            ]
        except ValueError as error:
            parser.error(f"{path}: {error}")
        players = games[0].first.num_players
        print(f"{path}: {scores[0]}" if players == 1 else f"{path}, {players} players: {scores[0]}")
        if chosen.gap:
            print(f"on its training decks: {scores[1]}\ngap: {gap_of(*scores)}")


def games_on(checkpoint: Checkpoint, decks: Sequence[str] | None, options: Mapping[str, Any]) -> GameSet:
    """The checkpoint's game on several decks, or on its own (None). CheckpointError, TypeError or ValueError."""
    sets = {"deck": each_once(decks)} if decks else {}
    return GameSet(partial(checkpoint.game, **options), sets)


def gap_of(unseen: Score, trained: Score) -> str:
    """The difference in win rate between training decks and unseen ones, in words."""
    found, (low, high) = gap(trained.by_game(), unseen.by_game())
    return f"{found:+.1%} [{low:+.1%}, {high:+.1%}]"


if __name__ == "__main__":
    main()
