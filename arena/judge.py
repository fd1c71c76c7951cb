"""Judge actions: play on after them on resampled hidden cards, and judge the resulting positions.

A game names its judge, a subclass of `Judge`, as `JUDGE` in `arena/<game>/__init__.py`. `ValueJudge` serves games with
a learned value; the agent named `PLAYS_ON` by the game then plays on for all seats. P = players. The command line
compares predicted probabilities with actual win rates:

    python -m chocofactory_env.arena.judge --game schoko --players 2 --games 400
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final, cast

import numpy as np

from chocofactory_env import Game
from chocofactory_env.agents.by_game import addition, hook
from chocofactory_env.agents.protocol import AnyAgent, decide, make_agent, reset
from chocofactory_env.agents.turns import value_path
from chocofactory_env.agents.values import judge_of
from chocofactory_env.core.command import Command, Count, Options, Seed

from .notes import ARENA
from .options import DEFAULT_GAME, game_of
from .report import text_table

WIDTH: Final = 16
MOST_TRIED: Final = 4  # actions tried per decision, beside the one played and the playing-on agent's own
LOOKS: Final = 2  # deals for choosing these
BINS: Final = (0, 5, 20, 40, 60, 80, 95, 101)  # points of 100
REVEALED: Final = (1, 2, 3)  # seeds of deals that show whether an action reveals something


class Judge(ABC):
    """Judges positions of one game.

    width: search width of the agents that play on, if they search.
    stages: play on to the end of this many stages after the present one. None: to the end of the game.
    """

    game: Game
    stages: int | None
    agents: Sequence[AnyAgent]  # that play on, by seat

    @abstractmethod
    def __init__(self, game: Game, width: int = WIDTH, stages: int | None = 0) -> None: ...

    @abstractmethod
    def stage(self, state: Any) -> int:
        """The number of days, months or rounds so far."""

    @abstractmethod
    def chances(self, state: Any) -> np.ndarray:
        """(P,): each seat's win probability, at the start of a stage or the end of the game, in points of 100."""

    @abstractmethod
    def outlook(self, state: Any, player: int) -> np.ndarray:
        """(2,): the win probability in points of 100; the lead over the best opponent."""

    def same_turn(self, before: Any, action: int, after: Any) -> bool:
        """Whether consecutive decisions in these positions belong to one turn.

        They do if the seat is the same, unless the action revealed something, so that the choices depend on the deal.
        """
        seat = self.game.current_player(before)
        if seat != self.game.current_player(after):
            return False
        mask = self.game.legal_mask(after)
        for seed in REVEALED:
            dealt = self.game.redeal(before, seat, seed)
            self.game.apply(dealt, action)
            if not np.array_equal(self.game.legal_mask(dealt), mask):
                return False
        return True

    def candidates(self, state: Any) -> list[int]:
        """The legal actions to try."""
        legal: list[int] = np.flatnonzero(self.game.legal_mask(state)).tolist()
        return legal

    def outlooks(self, state: Any, player: int, line: Sequence[int], seeds: Sequence[int]) -> np.ndarray:
        """(D, 2): the outlook after `line` and further play, for each seed that resamples the hidden cards."""
        return np.array([self.outlook(self.played_on(state, player, line, seed), player) for seed in seeds])

    def played_on(self, state: Any, player: int, line: Sequence[int], seed: int) -> Any:
        """The position after `line` and further play on one deal. An action illegal in this deal ends `line`."""
        after = self.game.redeal(state, player, seed)
        for action in line:
            if self.game.is_over(after) or not self.game.legal_mask(after)[action]:
                break
            self.game.apply(after, action)
        for agent in self.agents:
            reset(agent, 0)
        until = None if self.stages is None else self.stage(state) + self.stages
        while not self.game.is_over(after) and (until is None or self.goes_on(after, until)):
            self.game.apply(after, decide(self.game, self.agents[self.game.current_player(after)], after))
        return after

    def goes_on(self, state: Any, until: int) -> bool:
        """Whether play continues, given that it stops at the end of stage `until`."""
        return self.stage(state) <= until


def points(worth: np.ndarray, scale: float) -> np.ndarray:
    """(P,): win probabilities in points of 100. scale: the lead that means odds of e to one."""
    odds = np.exp((worth - worth.max()) / scale)
    return np.array(100 * odds / odds.sum())


def certain(game: Game, state: Any) -> np.ndarray:
    """(P,): win probabilities in points of 100 at the end of the game, where a shared victory is divided."""
    won = game.won(state)
    return np.array(100.0 * won / max(1, won.sum()))


class ValueJudge(Judge):
    """Judges by the learned value of the game's `expert`, and its uncertainty in each stage.

    It tries only the actions with the greatest leads at the end of the turn (`core.search.turns`), and the choice of
    the agent that plays on.
    """

    def __init__(self, game: Game, width: int = WIDTH, stages: int | None = 0) -> None:
        self.game = game
        self.stages = stages
        plays_on = addition(ARENA, game.name, "PLAYS_ON", "expert")
        self.agents = [make_agent(plays_on, game) for _ in range(game.num_players)]
        [self._judge] = judge_of(game, value_path(game))
        self._search = game.turn_search(self._judge.reshape(1), endings=1000)  # type: ignore[attr-defined]

    def stage(self, state: Any) -> int:
        stage: int = self.game.features(state, 0)[1]  # type: ignore[attr-defined]
        return stage

    def candidates(self, state: Any) -> list[int]:
        legal = super().candidates(state)
        seat = self.game.current_player(state)
        if len(legal) <= MOST_TRIED:
            return legal
        leads = self._search.leads(state, LOOKS, 0)
        reset(self.agents[seat], 0)
        own = decide(self.game, self.agents[seat], state)
        return [own, *np.argsort(-leads, kind="stable")[:MOST_TRIED].tolist()]

    def worth(self, state: Any) -> np.ndarray:
        """(P,): each seat's expected final payoff."""
        value, found = self._judge["value"], []
        for seat in range(self.game.num_players):
            features, stage = self.game.features(state, seat)  # type: ignore[attr-defined]
            found.append(value["constant"][stage] + value["weights"][stage] @ features)
        return np.array(found, float)

    def chances(self, state: Any) -> np.ndarray:
        if self.game.is_over(state):
            return certain(self.game, state)
        return points(self.worth(state), float(self._judge["spread"][self.stage(state)]))

    def outlook(self, state: Any, player: int) -> np.ndarray:
        worth = self.game.payoffs(state).astype(float) if self.game.is_over(state) else self.worth(state)
        return np.array([self.chances(state)[player], worth[player] - np.delete(worth, player).max()])


def judge_class(game: str) -> type[Judge] | None:
    """The game's judge, or None."""
    return cast("type[Judge] | None", hook(ARENA, game, "JUDGE"))


def known_judge(game: str) -> type[Judge]:
    """The game's judge. ValueError if it has none."""
    judge = judge_class(game)
    if judge is None:
        raise ValueError(f"nobody judges positions of {game!r}")
    return judge


# --- calibration


def predicted_and_won(game: Game, seed: int, weaker: str) -> Iterator[tuple[float, bool]]:
    """Play one game, and yield for each seat at the start of every stage its predicted points and whether it won.

    Up to a random stage, some seats are played by the weaker agent, to get leads of all sizes. ValueError for a game
    without a judge.
    """
    judging, poor = known_judge(game.name)(game), make_agent(weaker, game)
    reset(poor, seed)
    rng, stages = np.random.default_rng(seed), game.value_stages  # type: ignore[attr-defined]
    state, predicted, stage = game.new(seed), list[np.ndarray](), -1
    first, good = judging.stage(state) + int(rng.integers(stages)), rng.integers(2, size=game.num_players)
    while not game.is_over(state):
        player, judged = game.current_player(state), judging.stage(state) >= first
        if judged and judging.stage(state) != stage:
            stage = judging.stage(state)
            predicted.append(judging.chances(state))
        game.apply(state, decide(game, judging.agents[player] if judged or good[player] else poor, state))
    for of_seats in predicted:
        yield from zip(of_seats.tolist(), game.won(state).tolist(), strict=True)


def calibration(
    game: str = DEFAULT_GAME,
    players: Count = 2,
    option: Options = {},  # noqa: B006
    games: Count = 400,
    seed: Seed = 1_000_000,
    weaker: str = "random",
) -> str:
    """Are the predictions of a game's judge right? A table of predicted points against win rates.

    Args:
        game: its name.
        players: number of players.
        option: an option of the game; repeat it for more.
        games: number of games.
        seed: seed of the first deal.
        weaker: agent of some seats up to a stage that is drawn.

    Raises:
        ValueError, TypeError: there is no such game or agent, or nobody judges its positions.
    """
    from tqdm import tqdm

    loaded = game_of(game, players, option)
    known_judge(loaded.name)
    make_agent(weaker, loaded)
    seeds = tqdm(range(seed, seed + games), unit="game")
    pairs = [pair for each in seeds for pair in predicted_and_won(loaded, each, weaker)]
    return table(np.array(pairs, float).reshape(-1, 2))


def table(pairs: np.ndarray) -> str:
    """Predicted points against win rates. pairs: (N, 2), predicted points, and 1 if the seat won."""
    rows = []
    for low, high in pairwise(BINS):
        some = pairs[(pairs[:, 0] >= low) & (pairs[:, 0] < high)]
        if len(some):
            predicted, won = some.mean(axis=0)
            rows.append([f"{low} to {min(high, 100)}", str(len(some)), f"{predicted:.1f}", f"{100 * won:.1f}"])
    return text_table(["points", "seats", "predicted", "won"], rows)


COMMAND = Command(
    "python -m chocofactory_env.arena.judge", calibration, ("--game candyfactory --games 150 --weaker random",)
)
main = COMMAND.run

if __name__ == "__main__":
    main()
