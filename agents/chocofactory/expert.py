"""The planner with a learned evaluation, and a draft that is thought through to its end: the strongest agent by name.

Idea: `planner` finds good days if it can tell good ends of days. Its own evaluation is tuned by hand. This one is
linear in the features of a position (`chocofactory_env.games.chocofactory.search.features`) and fitted to the results
of planners from such positions, in rounds of play and fitting (`training.value`). It guides the plan of the run, and
the draft, which is solved as a game among all seats (`.draft`). With two players it maximizes the lead, so a prize
taken from the other seat counts as much as one gained. On the last day of the solo game, plans show whether it is won,
so they are made wider until it is. `greedy` replaces completed orders and chooses what to keep overnight. With
`network`, `learned` does so, and its probabilities of cards count in the draft. Cost: a day takes about 60 us per
position in the beam. A draft takes some 80 plans, plus 50 per opponent.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from chocofactory_env import Game
from chocofactory_env.games.chocofactory.vocabulary import NO_EMPLOYEE, NO_PART, NONE, NUM_DAYS, Draft, day_of

from ..learned import LearnedAgent
from ..settings import Seconds, checked
from ..turns import value_path
from ..values import read_value
from .draft import PairDraft, last_draft
from .planner import PlannerAgent, Width

DRAFT_WIDTHS = tuple(4 * 2**step for step in range(6))  # tried one by one while time is left, if `time_s` is given
WIDER = (2, 4, 8, 16)  # factors of a width that are tried on the last day of the solo game, until a plan wins ...
WIDEST = 8192  # ... up to this width, which takes 115 MB
LIKING = 0.5  # pounds by which a pair gains for a card that the network finds e times as likely as another
LEAST = 1e-3  # added to a card's probability, and the least sum of its sort's probabilities to divide by


class ExpertAgent(PlannerAgent):
    """Deterministic, unless `time_s` is given.

    width: beam width of the day's plan.
    draft_width: beam width of the plans that value a draft; half of it for opponents.
        On the last day of the solo game both widths grow, up to 16 times, until a plan wins.
    time_s: seconds per decision; replaces the widths: plans are repeated at twice the width while time is left.
    value: a file written by `training.value`; the shipped one by default.
    network: let `learned` replace completed orders, choose what to keep overnight, and have a say in the draft.

    Raises:
        ImportError: with `network`, if torch is not installed.
        ValueFileError: the file is not a learned value of the game.
    """

    @checked
    def __init__(
        self,
        game: Game,
        width: Width = 128,
        draft_width: Width = 16,
        time_s: Seconds | None = None,
        value: str | Path | None = None,
        network: bool = False,
    ) -> None:
        weights = weights_with(game, value_path(game, value))
        weights["lead"] = game.num_players == 2  # with more players it gained nothing
        super().__init__(game, width, time_s, weights)
        self._draft_widths = (draft_width,) if time_s is None else DRAFT_WIDTHS
        if game.num_players == 1:
            self._won = weights["won"][0]
        self._network = LearnedAgent(game) if network else None
        if self._network is not None:
            self._unplanned = self._network

    def _widths_on(self, state: Any) -> Sequence[int]:
        return self._wider(self._widths) if self._is_last_day(state) else self._widths

    def _is_last_day(self, state: Any) -> bool:
        """Whether plans show who wins: on the last day of the solo game."""
        return self._game.num_players == 1 and day_of(state) == NUM_DAYS

    def _wider(self, widths: Sequence[int]) -> Sequence[int]:
        """The widths for a day that must win. With a limit of time there are several anyway."""
        if self._time is not None:
            return widths
        return [*widths, *(width * times for width in widths for times in WIDER if width * times <= WIDEST)]

    def _draft(self, state: Any, player: int, legal: np.ndarray) -> int:
        if self._game.decode(int(legal[0]))[0] == "place_part":
            return super()._draft(state, player, legal)
        if self._is_last_day(state):
            widths = self._in_time(self._wider(self._draft_widths))
            return self._take(last_draft(self._planner, widths, state, player, self._won))
        liking = self._liking(state, player)
        for width in self._in_time(self._draft_widths):
            card = self._pair_draft(width).choose(state, player, liking)
        return self._take(card)

    def _pair_draft(self, width: int) -> PairDraft:
        return PairDraft(self._game, self._planner(width), self._planner(max(1, width // 2)))

    def _liking(self, state: Any, player: int) -> np.ndarray | float:
        """What the network adds to the value of each pair: see `PairDraft.choose`."""
        if self._network is None:
            return 0.0
        mask = self._game.legal_mask(state)
        of_actions = self._network.consider(state, player).columns["probability"]
        probabilities = np.zeros(len(mask))
        probabilities[list(of_actions)] = list(of_actions.values())
        first = self._game.action_layout.first
        liking = np.zeros((NO_PART + 1, NO_EMPLOYEE + 1), np.float32)
        liking[:NO_PART] += liking_of(probabilities[first["draft_part"] :][:NO_PART])[:, None]
        liking[:, :NO_EMPLOYEE] += liking_of(probabilities[first["draft_employee"] :][:NO_EMPLOYEE])
        return liking

    def _take(self, card: Draft) -> int:
        """The action that takes the part, or else the employee."""
        encode = self._game.action_layout.encode
        if card.part == NONE:
            self._slot = None
            return encode("draft_employee", card.employee)
        self._slot = card.slot
        return encode("draft_part", card.part)

    def _draft_columns(self, state: Any, player: int) -> dict[str, dict[int, float]]:
        """The value of the seat's day with each card and its best partner."""
        worth = self._pair_draft(self._draft_widths[0]).worth(state, player, self._liking(state, player))
        return {f"{self._goal} with its best partner": worth}


def liking_of(probabilities: np.ndarray) -> np.ndarray:
    """The pounds for each card of a sort, from the probabilities of these cards, (n,).

    If the network hardly thinks of taking this sort now, it has no say among its cards.
    """
    pounds: np.ndarray = LIKING * np.log(probabilities / max(probabilities.sum(), LEAST) + LEAST)
    return pounds


def weights_with(game: Game, path: Path) -> np.ndarray:
    """The evaluation's weights, (1,), with the learned value from the file."""
    value = read_value(path, game.name, game.value_features, game.value_stages)  # type: ignore[attr-defined]  # of Chocolate Factory
    weights: np.ndarray = game.evaluation_weights()  # type: ignore[attr-defined]  # of Chocolate Factory
    weights["learned"] = 1
    weights["value"]["constant"] = value.constant
    weights["value"]["weights"] = value.weights
    return weights
