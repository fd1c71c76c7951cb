"""Judge positions of Chocolate Factory.

All seats play on like `planner`. With opponents, positions are judged in pounds: the money at the end of the game, or
at the start of a day the value of that day to each seat without its draft. A measured scale turns pounds into win
probabilities. Solo games are always played to the end. `python -m chocofactory_env.arena.judge` compares predicted
probabilities with actual win rates.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from chocofactory_env import Game
from chocofactory_env.agents.chocofactory.planner import PlannerAgent
from chocofactory_env.games.chocofactory.vocabulary import NUM_DAYS, Phase, day_of, phase_of

from ..judge import WIDTH, Judge, certain, points
from .solo_benchmark import objectives_of

SCALE = 15.0  # lead in pounds that means odds of e to one
ALONE = 16  # games to estimate the win probability in the solo game


class PlannerJudge(Judge):
    """Judges by planners of beam width `width`.

    Once begun, the last day is played to the end, too, since a plan for it without its draft misjudged decisions of
    the day before threefold.
    """

    def __init__(self, game: Game, width: int = WIDTH, stages: int | None = 0) -> None:
        self.game = game
        self.agents = [PlannerAgent(game, width) for _ in range(game.num_players)]
        self._planner = game.planner(width)  # type: ignore[attr-defined]
        self.stages = stages if game.num_players > 1 else None

    def stage(self, state: Any) -> int:
        return day_of(state)

    def goes_on(self, state: Any, until: int) -> bool:
        return day_of(state) <= until or day_of(state) == NUM_DAYS

    def same_turn(self, before: Any, action: int, after: Any) -> bool:
        """Like `Judge`, but the choice of an order is a separate turn, as cards are turned up before it."""
        seat, replacing = self.game.current_player(before), Phase.REPLACE in (phase_of(before), phase_of(after))
        return seat == self.game.current_player(after) and day_of(before) == day_of(after) and not replacing

    def outlook(self, state: Any, player: int) -> np.ndarray:
        """(2,): win probability in points of 100; lead in pounds over the best opponent (solo: objectives met)."""
        if self.game.num_players == 1:
            return np.array([100.0 * self.game.won(state)[0], self.game.observe(state, 0)["satisfied"].sum()])
        pounds = self.pounds(state)
        return np.array([points(pounds, SCALE)[player], pounds[player] - np.delete(pounds, player).max()])

    def pounds(self, state: Any) -> np.ndarray:
        """(P,): the money at the end of the game; before it, the value of the day to each seat at its start."""
        if self.game.is_over(state):
            return np.array(self.game.scores(state), float)
        return np.array([self._day_value(state, seat) for seat in range(self.game.num_players)], float)

    def _day_value(self, state: Any, seat: int) -> float:
        """The value of the seat's day; in the middle of a day that cannot be planned, as if it ended now."""
        game: Any = self.game
        placing = game.decode(int(game.legal_mask(state).argmax()))[0] == "place_part"
        if placing or not (phase_of(state) == Phase.DRAFT or game.is_asked(state, seat)):
            return float(game.day_end(state, seat)[1])
        return float(self._planner.plan(state, seat).value)

    def chances(self, state: Any) -> np.ndarray:
        """(P,): win probabilities in points of 100; in the solo game, from `ALONE` games played out by planners."""
        if self.game.is_over(state):
            return certain(self.game, state)
        if self.game.num_players == 1:
            return np.array([self.outlooks(state, 0, (), range(ALONE))[:, 0].mean()])
        return points(self.pounds(state), SCALE)


def objectives(game: Game, state: Any) -> list[dict[str, Any]]:
    """The combined demands of target and cards, and what satisfies them so far, where these are plain numbers."""
    seen, blocks = game.observe(state, 0), {block.name: block for block in game.observation_layout.blocks}

    def numbers(name: str) -> dict[str, int]:
        block = blocks[name]
        values = np.rint(seen[name].ravel() * block.high).astype(int).tolist()
        return dict(zip(block.entries or [""], values, strict=True))

    plain = {
        "money": ("money_needed", "money"),
        "orders": ("orders_needed", "completed"),
        "tracks": ("steps_needed", "tracks"),
    }
    there_is = {name: numbers(block) for name, (_, block) in plain.items()}
    if "order_paid" in blocks:  # SOLO-7
        there_is["money"][""] -= sum(np.rint(seen["order_paid"] * blocks["order_paid"].high).astype(int).tolist())
    return [
        {
            "objective": name,
            "asked_for": numbers(plain[name][0]) if name in plain else None,
            "there_is": there_is.get(name),
            "satisfied": bool(satisfied),
        }
        for name, satisfied in zip(objectives_of(game), seen["satisfied"], strict=True)
    ]
