"""What actions are worth: they are played on from, on deals of the hidden cards, and what comes of it is judged.

Everyone plays on like the planner. With opponents a position is judged in pounds: at the end of the game by the money,
before it, at the start of a day, by what the day would be worth to each seat without its draft. A measured scale turns
pounds into probabilities to win. Alone, the game is always played to its end. The command line compares the predicted
probabilities with how often seats win:

    python -m arena.chocofactory.judge --players 2 --games 400
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

import chocofactory_env as cf
from chocofactory_env import Game
from chocofactory_env.agents.chocofactory.greedy import GreedyAgent
from chocofactory_env.agents.chocofactory.planner import PlannerAgent
from chocofactory_env.agents.protocol import decide, reset
from chocofactory_env.games.chocofactory.vocabulary import MAX_PLAYERS, NAME, NUM_DAYS, day_of

from ..series import text_table

SCALE = 15.0  # pounds ahead that are odds of e to one
WIDTH = 16
BINS = (0, 5, 20, 40, 60, 80, 95, 101)  # points


class Judge:
    """Judges positions of one game, by planners that keep `width` positions.

    days: play continues to the end of the day so many days on, or of the game; a last day that is begun is played too,
        since a plan for it without its draft misjudged what was done the day before threefold. None: all days.
    """

    def __init__(self, game: Game, width: int = WIDTH, days: int | None = 0) -> None:
        self._game = game
        self._agents = [PlannerAgent(game, width) for _ in range(game.num_players)]
        self._planner = game.planner(width)  # type: ignore[attr-defined]
        self._days = days if game.num_players > 1 else None

    def outlooks(self, state: Any, player: int, line: Sequence[int], seeds: Sequence[int]) -> np.ndarray:
        """(D, 2): on each of these deals of the hidden cards, the outlook after the actions of `line` and more play."""
        return np.array([self.outlook(self._played_on(state, player, line, seed), player) for seed in seeds])

    def outlook(self, state: Any, player: int) -> np.ndarray:
        """(2,): probability to win in points of 100; pounds ahead of the best other, alone satisfied objectives."""
        if self._game.num_players == 1:
            return np.array([100.0 * self._game.won(state)[0], self._game.observe(state, 0)["satisfied"].sum()])
        pounds = self.pounds(state)
        return np.array([points(pounds)[player], pounds[player] - np.delete(pounds, player).max()])

    def pounds(self, state: Any) -> np.ndarray:
        """(P,): money in the end, and what the day is worth to each seat at its start."""
        if self._game.is_over(state):
            return np.array(self._game.scores(state), float)
        return np.array([self._planner.plan(state, seat).value for seat in range(self._game.num_players)], float)

    def _played_on(self, state: Any, player: int, line: Sequence[int], seed: int) -> Any:
        after = self._game.redeal(state, player, seed)
        for action in line:
            self._game.apply(after, action)
        for agent in self._agents:
            reset(agent, 0)
        until = NUM_DAYS if self._days is None else day_of(state) + self._days
        while not self._game.is_over(after) and (day_of(after) <= until or day_of(after) == NUM_DAYS):
            self._game.apply(after, decide(self._game, self._agents[self._game.current_player(after)], after))
        return after


def points(pounds: np.ndarray) -> np.ndarray:
    """(P,): each seat's probability to win, in points of 100."""
    odds = np.exp((pounds - pounds.max()) / SCALE)
    return np.array(100 * odds / odds.sum())


# --- are the predictions right?


def predicted_and_won(game: Game, seed: int, width: int = WIDTH) -> Iterator[tuple[float, bool]]:
    """One game: at the start of every day the points of each seat, and whether it won.

    Up to a day that is drawn some of the players are `greedy`, so that there are leads of all sizes.
    """
    rng = np.random.default_rng(seed)
    first_day, good = 1 + int(rng.integers(NUM_DAYS)), rng.integers(2, size=game.num_players)
    judge, greedy = Judge(game, width), GreedyAgent(game)
    planners = [PlannerAgent(game, width) for _ in range(game.num_players)]
    state, predicted, day = game.new(seed), list[np.ndarray](), 0
    while not game.is_over(state):
        player, judged = game.current_player(state), day_of(state) >= first_day
        if judged and day_of(state) != day:
            day = day_of(state)
            predicted.append(points(judge.pounds(state)))
        game.apply(state, decide(game, planners[player] if judged or good[player] else greedy, state))
    for of_seats in predicted:
        yield from zip(of_seats.tolist(), game.won(state).tolist(), strict=True)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m arena.chocofactory.judge", description="Are the judge's predictions right?"
    )
    parser.add_argument("--players", type=int, choices=range(2, MAX_PLAYERS + 1), default=2)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1_000_000, help="seed of the first deal; the others follow")
    chosen = parser.parse_args(arguments)
    from tqdm import tqdm

    game = cf.load(NAME, num_players=chosen.players)
    seeds = tqdm(range(chosen.seed, chosen.seed + chosen.games), unit="game")
    print(table(np.array([pair for seed in seeds for pair in predicted_and_won(game, seed)], float).reshape(-1, 2)))


def table(pairs: np.ndarray) -> str:
    """pairs: (N, 2), points that were predicted, and 1 where the seat won."""
    rows = []
    for low, high in pairwise(BINS):
        some = pairs[(pairs[:, 0] >= low) & (pairs[:, 0] < high)]
        if len(some):
            predicted, won = some.mean(axis=0)
            rows.append([f"{low} to {min(high, 100)}", str(len(some)), f"{predicted:.1f}", f"{100 * won:.1f}"])
    return text_table(["points", "seats", "predicted", "won"], rows)


if __name__ == "__main__":
    main()
