"""Bound how many solo games can be won at all. This is an analysis, not an agent: it knows the face-down cards.

    python -m chocofactory_env.arena.chocofactory.clairvoyant --seeds 200 --out runs/clairvoyant
    python -m chocofactory_env.arena.chocofactory.clairvoyant --decks generated:0-49 --out runs/clairvoyant-decks

A planner that knows all demands from the start plays the same deal repeatedly, each time with a perturbed evaluation
and noise in the draft, until one try wins. A win found proves that the deal can be won, so the share of games won is a
lower bound on perfect foresight. Honest agents are measured against it. With `--decks`, the command names the decks
without a win.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Annotated, Any, TypedDict, Unpack

import numpy as np

import chocofactory_env as cf
from chocofactory_env import Game
from chocofactory_env.agents.chocofactory.planner import PlannerAgent
from chocofactory_env.agents.files import check, write_json
from chocofactory_env.core.command import Command, Count, OutFolder
from chocofactory_env.core.reading import at_least
from chocofactory_env.games.chocofactory.vocabulary import NAME

from ..decks import Names, deck_of, hashes_of, labels_of, names_of
from ..games import versions
from ..play import Json, OfOutcome, Outcome, Task, play
from ..published import NOWHERE, Published
from ..report import share, text_table
from ..workers import Workers
from .solo_benchmark import DIFFICULTIES, SUITE

SPREAD = 0.35  # of the factors that perturb a try's evaluation
NOISE = 3.0  # pounds, in the draft
AGENT = "planner"  # the agent that `Foreseeing` extends
WIDTH = 64
GAMES_KEPT = 256
BOUND = "bound.json"
JUDGED = (
    "piece_value", "unwanted", "later_stage", "wanted", "tomorrow", "belt", "coal", "beans", "kept", "open_stage",
    "pound_missing", "spare_pound", "order_missing", "spare_order", "chocolate_order", "step_missing", "spare_step",
)  # fmt: skip


class _Game(TypedDict):
    tries: Annotated[int, at_least(1)] | None  # None: it was not won


class Foreseeing(PlannerAgent):
    """A planner that knows all demands. Every try but the first has a perturbed evaluation."""

    def __init__(self, game: Game, attempt: int, seed: int) -> None:
        self._rng = np.random.default_rng((seed, attempt))
        self._noise = NOISE if attempt else 0.0
        weights = game.evaluation_weights()  # type: ignore[attr-defined]
        weights["foresight"] = 1
        if attempt:
            for name in JUDGED:
                weights[name] *= np.exp(self._rng.normal(0, SPREAD, weights[name].shape))
        super().__init__(game, WIDTH, weights=weights)

    def _day_value(self, state: Any, player: int) -> float:
        value: float = super()._day_value(state, player)
        return value + self._rng.normal() * self._noise


def wins(game: Game, seed: int, attempt: int) -> bool:
    """Whether the try wins the game dealt from the seed."""
    agent = Foreseeing(game, attempt, seed)
    state = game.new(seed=seed)
    while not game.is_over(state):
        game.apply(state, agent.choose(game.clone(state), 0))
    return bool(game.won(state)[0])


@lru_cache(GAMES_KEPT)
def _game(difficulty: int, **deck: str | None) -> Game:
    return cf.load(NAME, num_players=1, difficulty=difficulty, **deck)


class Tries:
    """Plays a deal, and returns the number of tries until a win, or None."""

    def __init__(self, most: int, decks: Names = ()) -> None:
        self.most = most
        self.decks = decks

    def __call__(self, task: Task) -> Json:
        seed = task["deal"]
        game = _game(task["difficulty"], **deck_of(self.decks, seed))
        return {"tries": next((attempt + 1 for attempt in range(self.most) if wins(game, seed, attempt)), None)}


@dataclass(frozen=True)
class Search:
    """The games to try: the first `seeds` of the suite, at each difficulty. decks: see `..decks`."""

    difficulties: tuple[int, ...]
    seeds: int
    tries: int
    decks: Names = ()

    @property
    def tasks(self) -> list[Task]:
        return [
            {"agents": [AGENT], "deal": seed, "difficulty": difficulty, **labels_of(self.decks, seed)}
            for seed in SUITE[: self.seeds]
            for difficulty in self.difficulties
        ]

    def settings(self) -> dict[str, Any]:
        return {
            "series": "clairvoyant",
            "agents": [AGENT],
            "tries": self.tries,
            "width": WIDTH,
            "deck": _game(0, **deck_of(self.decks, SUITE.start)).deck_hash,
            **hashes_of(partial(_game, 0), self.decks),
            "rules": _game(0).rules_version,
            "difficulties": list(self.difficulties),
            "seeds": self.seeds,
            "versions": versions(),
        }

    def check_result(self, task: Task, result: Json) -> None:
        """ValueError, naming the field, if a saved result cannot be the task's."""
        check(result, _Game)
        if result["tries"] is not None and result["tries"] > self.tries:
            raise ValueError(f"has tries {result['tries']}, which is more than {self.tries}")

    def play(self, folder: Path, published: Published = NOWHERE, **workers: Unpack[Workers]) -> Outcome:
        """Play the games missing from `folder` that are not `published`. For errors see `arena.play.play`."""
        return play(self, Tries(self.tries, self.decks), folder, known=published.known(self), **workers)

    def bound(self, outcome: Outcome) -> dict[int, float]:
        """The share of games won, by difficulty."""
        return {
            level: np.mean([n is not None for n in self.tries_of(outcome, level)]).item() for level in self.difficulties
        }

    def tries_of(self, outcome: Outcome, level: int) -> list[int | None]:
        return [record["tries"] for record in outcome.records if record["difficulty"] == level]

    def without_a_win(self, outcome: Outcome) -> dict[str, int]:
        """The decks without a win, with the number of their games. Empty with one deck."""
        games, won = Counter[str](), Counter[str]()
        for record in outcome.records:
            games[record.get("deck", "")] += 1
            won[record.get("deck", "")] += record["tries"] is not None
        return {deck: games[deck] for deck in games if not won[deck]} if self.decks else {}

    def table(self, outcome: Outcome) -> str:
        rows = []
        for level in self.difficulties:
            tries = self.tries_of(outcome, level)
            won, first = sum(n is not None for n in tries), sum(n == 1 for n in tries)
            rows.append([str(level), str(len(tries)), share(won, len(tries)), f"{first / len(tries):.1%}"])
        return text_table(["difficulty", "games", "won", "at the first try"], rows)


def foresee(
    *,
    out: OutFolder,
    difficulties: Sequence[int] = (0,),
    seeds: Count | None = None,
    tries: Count = 40,
    decks: Sequence[str] | None = None,
    **workers: Unpack[Workers],
) -> Foreseen:
    """Which solo games can be won at all, by a player that knows the face-down cards?

    Args:
        out: folder of the games, so that the same call goes on, and of `bound.json`.
        difficulties: of the solo game, 0 to 3.
        seeds: play only this many seeds of the suite; all unless given.
        tries: most tries per game.
        decks: decks that take turns, as `shipped` and `generated:0-49`; the shipped one unless given.
        workers: see `Workers`.

    Raises:
        ValueError, TypeError: there is no such difficulty, seed or deck, or the folder holds something else.
    """
    if wrong := [level for level in difficulties if level not in DIFFICULTIES]:
        raise ValueError(f"--difficulties: expected some of {', '.join(map(str, DIFFICULTIES))}, got {wrong[0]}")
    if seeds is not None and seeds > len(SUITE):
        raise ValueError(f"--seeds: expected at most {len(SUITE):,}, got {seeds:,}")
    folder = Path(out)
    search = Search(tuple(sorted(set(difficulties))), seeds or len(SUITE), tries, names_of(decks))
    outcome = search.play(folder, **workers)
    if not outcome.message():
        write_json(folder / BOUND, {str(level): rate for level, rate in search.bound(outcome).items()})
    return Foreseen(search, outcome)


@dataclass
class Foreseen(OfOutcome):
    """The games that were tried."""

    search: Search
    outcome: Outcome

    def __str__(self) -> str:
        if self.message():
            return "no bound yet"
        lost = [f"{deck}: no win in {games} games" for deck, games in self.search.without_a_win(self.outcome).items()]
        return "\n".join([self.search.table(self.outcome), *lost])


COMMAND = Command(
    "python -m chocofactory_env.arena.chocofactory.clairvoyant",
    foresee,
    ("--seeds 200 --tries 40 --processes 2 --out runs/clairvoyant",),
)
main = COMMAND.run

if __name__ == "__main__":
    main()
