"""Schoko & Co. as a `core.game.Game`."""

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
from .constants import NONE, Task
from .features import FEATURES, STAGES
from .generated import GENERATOR
from .layout import observation_layout, tables_of
from .state import State as Position
from .variants import UPSETS, Variant, as_months
from .words import MOMENTS, TASKS, describe, words

if TYPE_CHECKING:
    from ...core.text.events import Event, StoryWords


class Schoko(CompiledGame):
    """One variant of Schoko & Co. for 2 to 4 players.

    Options: see `variants.Variant`. `deck` is the path of a TOML file whose cards replace the shipped ones (DeckError
    if it is broken), or the name of a generated deck, such as `"generated:17"`. Scores are money in thousands (END-1).
    Payoffs are scores, but lower for a bankrupt seat than anybody else can have. Standings are payoffs plus the money
    that lies at the bookkeepers.
    """

    name = "schoko"
    rules_version = 2
    kernel = kernel.KERNEL
    record = Position
    deck_generator = GENERATOR
    phase_block = "task"
    scripted_agent = "manager"
    value_features = FEATURES
    value_stages = STAGES

    def __init__(self, deck: str | Path | None = None, **options: Any) -> None:
        self.variant = variant = Variant.from_options(options)
        self.cards = load_cards(deck)
        self.months = self._months_of(variant)
        layout = observation_layout(variant.num_players)
        super().__init__(
            options={**asdict(variant), "deck": None if deck is None else str(deck)},
            num_players=variant.num_players,
            tables=tables_of(self.cards.array, layout),
            deck_hash=self.cards.hash,
            blank=self._blank_of(variant),
            action_layout=ACTIONS,
            observation_layout=layout,
        )

    def _months_of(self, variant: Variant) -> int:
        """SET-7: the months of the option, else of the deck."""
        if variant.months is not None:
            return variant.months
        return as_months(int(self.cards.array["months"][0, variant.num_players]), variant.num_players)

    def _blank_of(self, variant: Variant) -> np.ndarray:
        state = np.zeros(1, Position.dtype)
        state["play_forced"] = variant.play_forced
        state["months"] = self.months
        state["leader_option"] = NONE if variant.leader is None else variant.leader
        state["upset_all"] = variant.upset == UPSETS[1]
        return state

    def choices(self) -> Choices:
        return self.variant.choices()

    @cached_property
    def words(self) -> Table:
        return words(self.cards, self.num_players, self.months)

    def describe(self, action: int) -> str:
        return describe(as_action(action, self.num_actions))

    def when(self, state: State) -> str:
        """The month and the phase. A secret phase is named without the seat that decides (SEE-5)."""
        self.check_state(state)
        return f"month {state['month'][0] + 1}, {MOMENTS[Task(state['task'][0])]}"

    def event(self, state: State, action: int, player: int | None) -> Event | None:
        from .display.log import event_of

        return event_of(self, state, *self._told(state, action, player))

    def choices_lie_open(self, state: State, player: int | None) -> bool:
        """SEE-4, SEE-5: hands and bids are hidden; everything else lies open."""
        from .display.seen import SECRET_TASKS

        moves = self._as_viewer(player) == self.current_player(state)
        return moves or TASKS[state["task"][0]] not in SECRET_TASKS

    def numbers_in_brief(self) -> Mapping[str, object]:
        from .display.describe_cards import numbers_in_brief

        return numbers_in_brief(self.cards, self.variant.upset)

    def render(self, state: State, player: int | None = None) -> str:
        return Printed(in_words(view_of(self, state, player)))

    def view(self, state: State, player: int | None = None) -> Parts:
        """What a seat, or a spectator (None), may know, as a tree; see `chocofactory_env.view`."""
        from .display.seen import View
        from .view import parts

        viewer, position = self._as_viewer(player), self.to_dict(state)
        return parts(View(position, self.cards, viewer, legal_of(self, state, viewer)))

    @property
    def story(self) -> StoryWords:
        """How a turn is told in one line."""
        from .display.story import STORY

        return STORY

    def accounts(self, steps: Iterable[tuple[State, int]], end: State) -> dict[str, tuple[int, ...]]:
        """The scores at `end` by source, for every seat. `steps`: the earlier positions with their actions."""
        from .display.story import sources

        self.check_state(end)
        return sources(self, steps, end)
