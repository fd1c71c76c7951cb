"""Chocolate Factory as a `core.game.Game`: options, cards, words, and the game's own searches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.checks import Choices, as_action
from ...core.codec import Table
from ...core.compiled import CompiledGame
from ...core.game import State
from ...core.text.printing import Printed
from ...view.text import in_words
from ...view.views import Parts, legal_of, view_of
from . import kernel
from .actions import ACTIONS
from .cards import load_cards
from .constants import NONE, NUM_DAYS, Phase
from .feature_names import FEATURES
from .generated import GENERATOR
from .layout import observation_layout, tables_of
from .rules.end import Source
from .state import State as Position
from .variants import Variant
from .words import describe, most_difficulty, words

if TYPE_CHECKING:
    from ...core.text.events import Event, StoryWords
    from .search.afterstates import Afterstates
    from .search.plan import Planner
    from .search.tree import PlanningSearch


class ChocolateFactory(CompiledGame):
    """One variant of Chocolate Factory (1-4 players; one player is the solo game Factory Manager).

    Options: see `variants.Variant`; `deck` is the path of a TOML file with cards that replace the shipped ones
    (DeckError if it is invalid), or the name of a generated deck, such as `"generated:17"`. Scores are money in pounds,
    including the final prizes once the game is over. Standings are the money if the game ended now, without leftovers.
    """

    name = "chocofactory"
    rules_version = 2
    kernel = kernel.KERNEL
    scripted_agent = "greedy"
    record = Position
    deck_generator = GENERATOR
    phase_block = "phase"
    value_features = FEATURES
    value_stages = NUM_DAYS

    def __init__(self, deck: str | Path | None = None, **options: Any) -> None:
        self.variant = variant = Variant.from_options(options)
        self.cards = load_cards(deck, variant.expansion)
        self._check_difficulty()
        layout = observation_layout(
            variant.num_players,
            variant.difficulty,
            expanded=variant.expansion is not None,
            only_completed=variant.only_completed,
            simultaneous=variant.is_simultaneous,
        )
        super().__init__(
            options={**variant.as_options(), "deck": None if deck is None else str(deck)},
            num_players=variant.num_players,
            tables=tables_of(self.cards.array, layout),
            deck_hash=self.cards.hash,
            blank=self._blank_of(variant),
            action_layout=ACTIONS,
            observation_layout=layout,
            simultaneous=variant.is_simultaneous,
        )

    def _check_difficulty(self) -> None:
        most = most_difficulty(self.cards)
        if self.variant.difficulty > most:
            raise ValueError(
                f"difficulty: expected 0 to {most} with this deck's demands, got {self.variant.difficulty}"
            )

    @staticmethod
    def _blank_of(variant: Variant) -> np.ndarray:
        state = np.zeros(1, Position.dtype)
        state["play_forced"] = variant.play_forced
        state["simultaneous"] = variant.is_simultaneous
        state["difficulty"] = variant.difficulty
        state["only_completed"] = variant.only_completed
        state["start_option"] = NONE if variant.start_player is None else variant.start_player
        state["side_options"] = variant.side_options()
        return state

    # --- search

    def planner(self, width: int, weights: np.ndarray | None = None) -> Planner:
        """Make a planner of a seat's day, a beam search `width` positions wide; see `search.plan.Planner`."""
        from .search.plan import Planner

        return Planner(self, width, weights)

    def evaluation_weights(self) -> np.ndarray:
        """A copy of the evaluation's hand-tuned weights, (1,), to change and pass to `planner`.

        With `learned` set to 1, the learned value in `value` judges the ends of all days but the last: `constant` (S,)
        and `weights` (S, F) for `value_stages` S and `value_features` F.
        """
        from .search.weights import evaluation_weights

        return evaluation_weights()

    def day_end(self, state: State, seat: int) -> tuple[np.ndarray, float]:
        """The features, (F,) float32, and the hand-tuned value of a position at the end of the seat's day."""
        from .search.day_end import features_at_day_end
        from .search.weights import Prices, evaluation_weights

        self.check_state(state)
        seat = self._as_player(seat, "seat")
        prices = np.zeros(1, Prices.dtype)
        value = features_at_day_end(self.tables, state, seat, evaluation_weights(), prices)
        features: np.ndarray = prices["features"][0]
        return features, value

    def afterstates(self) -> Afterstates:
        """Make a reader of what each legal action changes, from observations; see `search.afterstates.Afterstates`."""
        from .search.afterstates import Afterstates

        return Afterstates(self)

    def tree_search(self, **settings: Any) -> PlanningSearch:
        """Make a Monte Carlo tree search; see `search.tree.PlanningSearch`."""
        from .search.tree import PlanningSearch

        return PlanningSearch(self, **settings)

    # --- words and data

    def score_sheets(self, state: State) -> np.ndarray:
        """Money by `rules.end.Source`, (P, 5) int32, as if the game ended now (END-2 to END-5)."""
        self.check_state(state)
        sheets = np.empty((self.num_players, len(Source)), np.int32)
        kernel.score_sheets(self.tables, state, sheets)
        return sheets

    @cached_property
    def words(self) -> Table:
        return words(self.cards, self.num_players, self.variant.difficulty)

    def describe(self, action: int) -> str:
        return describe(as_action(action, self.num_actions))

    def choices(self) -> Choices:
        most = most_difficulty(self.cards) if self.num_players == 1 else 0
        return {**self.variant.choices(), "difficulty": {number: str(number) for number in range(most + 1)}}

    def when(self, state: State) -> str:
        self.check_state(state)
        return f"day {state['day'][0] + 1}, {Phase(state['phase'][0]).name.lower()}"

    def numbers_in_brief(self) -> Mapping[str, object]:
        from .display.describe_cards import numbers_in_brief

        return numbers_in_brief(self.cards, self.variant.only_completed)

    def render(self, state: State, player: int | None = None) -> str:
        """The whole table as text, at most 100 columns; every seat sees the same."""
        return Printed(in_words(view_of(self, state, player)))

    def view(self, state: State, player: int | None = None) -> Parts:
        """What a seat, or a spectator (None), may know, as a tree; see `chocofactory_env.view`."""
        from .display.seen import View
        from .view import parts

        viewer, position = self._as_viewer(player), self.to_dict(state)
        sheets, won = self.score_sheets(state).tolist(), self.won(state).tolist()
        # SOLO-8: whether each requirement is satisfied, in the order of the observation's block
        satisfied = (self.observe(state, 0)["satisfied"] > 0).tolist() if self.num_players == 1 else ()
        return parts(View(position, self.cards, viewer, legal_of(self, state, viewer), sheets, won, satisfied))

    @property
    def story(self) -> StoryWords:
        """How a turn is told in one line."""
        from .display.story import STORY

        return STORY

    def accounts(self, steps: Iterable[tuple[State, int]], end: State) -> dict[str, tuple[int, ...]]:
        """The parts of all scores at `end`, by source. steps: the positions before it, with their actions."""
        from .display.story import sources

        return sources(self, end)

    def event(self, state: State, action: int, player: int | None) -> Event:
        """Every move is public, so `player`, the reader, does not matter."""
        from .display.log import event_of
        from .display.seen import View

        action, _ = self._told(state, action, player)
        return event_of(View(self.to_dict(state), self.cards), action)
