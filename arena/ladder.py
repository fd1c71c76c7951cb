"""A tournament's result in one line: its agents, strongest first, and which neighbours differ significantly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from .match import POWER, games_to_separate
from .statistics import by_rating

AHEAD, LEVEL, BEHIND = ">", "≈", "<"
LEGEND = (
    f"`{AHEAD}`: the first won more than half of the games between the two, and the 95 % interval lies above 50 %. "
    f"`{LEVEL}`: the interval contains 50 %, so the difference is not significant. "
    f"`{BEHIND}`: the first has the higher rating, but loses to the second. *N more would separate them*: with N more "
    f"games the difference becomes significant with a probability of {100 * POWER:.0f} %, if the win rate stays."
)


@dataclass(frozen=True)
class Step:
    """Two neighbours in the rating, higher one first, and its share of the games between them."""

    agent: str
    other: str
    games: int
    win_rate: float
    low: float
    high: float

    @property
    def sign(self) -> str:
        if self.low > 0.5:
            return AHEAD
        return BEHIND if self.high < 0.5 else LEVEL

    @property
    def more_games(self) -> int | None:
        """See `games_to_separate`."""
        return 0 if self.sign != LEVEL else games_to_separate(self.win_rate, self.games)

    def __str__(self) -> str:
        rate = f"{100 * self.win_rate:.1f} % [{100 * self.low:.1f}, {100 * self.high:.1f}]"
        more = f" (about {self.more_games:,} more would separate them)" if self.more_games else ""
        return f"`{self.agent}` wins {rate} of {self.games} games against `{self.other}`{more}"


def ranked(result: Mapping[str, Any]) -> list[str]:
    """The agents of a tournament's `result.json`, best first."""
    return by_rating({rating["agent"]: rating["points"] for rating in result["ratings"]})


def steps_of(result: Mapping[str, Any]) -> list[Step]:
    """The pairs of neighbours, from the top of the rating."""
    sides = {}
    for pairing in result["pairings"]:
        one, other = pairing["sides"]
        sides[one["agent"], other["agent"]] = pairing["games"], one
        sides[other["agent"], one["agent"]] = pairing["games"], other
    steps = []
    for agent, other in pairwise(ranked(result)):
        games, side = sides[agent, other]
        steps.append(Step(agent, other, games, side["win_rate"], *side["win_rate_interval"]))
    return steps


def sentences(steps: Sequence[Step]) -> str:
    """The order of agents in words, then the first step, and every insignificant or contradictory one."""
    order = "".join(f" {step.sign} `{step.other}`" for step in steps)
    named = [step for number, step in enumerate(steps) if number == 0 or step.sign != AHEAD]
    return " ".join([f"`{steps[0].agent}`{order}.", *(f"{step}." for step in named)])
