"""Chocolate Factory by Dan Manfredini as a `core.game.Game`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
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
from .constants import NONE, Half, Step
from .features import FEATURES, STAGES
from .generated import GENERATOR
from .layout import observation_layout, tables_of
from .state import State as Position
from .variants import Variant
from .words import describe, words

if TYPE_CHECKING:
    from ...core.text.events import Event, StoryWords


class CandyFactory(CompiledGame):
    """One variant of Manfredini's Chocolate Factory (2-4 players).

    Options: see `variants.Variant`. `deck` is the path of a TOML file whose cards replace the shipped ones (DeckError
    if it is broken), or the name of a generated deck, such as `"generated:17"`. Scores are points, as if the game ended
    now; standings leave out the coins.
    """

    name = "candyfactory"
    rules_version = 1
    kernel = kernel.KERNEL
    record = Position
    deck_generator = GENERATOR
    phase_block = "step"
    value_features = FEATURES
    value_stages = STAGES

    def __init__(self, deck: str | Path | None = None, **options: Any) -> None:
        self.variant = variant = Variant.from_options(options)
        self.cards = load_cards(deck)
        layout = observation_layout(variant.num_players, variant.variety)
        super().__init__(
            options={**asdict(variant), "deck": None if deck is None else str(deck)},
            num_players=variant.num_players,
            tables=tables_of(self.cards.array, layout),
            deck_hash=self.cards.hash,
            blank=self._blank_of(variant),
            action_layout=ACTIONS,
            observation_layout=layout,
        )

    @staticmethod
    def _blank_of(variant: Variant) -> np.ndarray:
        state = np.zeros(1, Position.dtype)
        state["variety"] = variant.variety
        state["play_forced"] = variant.play_forced
        state["start_option"] = NONE if variant.start_player is None else variant.start_player
        for name in ("card", "space", "truck", "last", "recipe"):
            state["turn"][name] = NONE
        return state

    def choices(self) -> Choices:
        return self.variant.choices()

    @cached_property
    def words(self) -> Table:
        return words(self.cards, self.num_players)

    def describe(self, action: int) -> str:
        return describe(as_action(action, self.num_actions))

    def when(self, state: State) -> str:
        self.check_state(state)
        half, step = Half(state["half"][0]).name.lower(), Step(state["step"][0]).name.lower()
        return f"{half} half, {step}"

    def numbers_in_brief(self) -> Mapping[str, object]:
        from .display.describe_cards import numbers_in_brief

        return numbers_in_brief(self.cards)

    def render(self, state: State, player: int | None = None) -> str:
        return Printed(in_words(view_of(self, state, player)))

    def view(self, state: State, player: int | None = None) -> Parts:
        """What a seat, or a spectator (None), may know, as a tree; see `chocofactory_env.view`."""
        from .display.seen import Seen
        from .view import parts

        viewer, scores = self._as_viewer(player), self.scores(state).tolist()
        record = state.copy().view(np.recarray)[0]
        return parts(Seen(record, self.cards, viewer, legal_of(self, state, viewer), scores))

    @property
    def story(self) -> StoryWords:
        """How a turn is told in one line."""
        from .display.story import STORY

        return STORY

    def accounts(self, steps: Iterable[tuple[State, int]], end: State) -> dict[str, tuple[int, ...]]:
        """The scores at `end` by source, for every seat. `steps`: the earlier positions with their actions."""
        from .display.story import sources

        self.check_state(end)
        return sources(self.tables[0], end, self.num_players)

    def choices_lie_open(self, state: State, player: int | None) -> bool:
        """ABIL-14: hands and the cards that a recruit looks at are hidden; everything else lies open."""
        moves = self._as_viewer(player) == self.current_player(state)
        return moves or state["step"][0] not in (Step.PLAY, Step.HIRE, Step.DISMISS)

    def event(self, state: State, action: int, player: int | None) -> Event:
        from .display.log import event_of

        return event_of(state, self.cards, *self._told(state, action, player))
