"""Plans its days: a beam search through its own factory run and orders, by what the day's end will be worth.

Idea: neither chance nor opponents interfere with a player's run, so the whole day, from the first shift to the last
order, is one search over the compiled rules (`game.planner`). In the draft it plans a day with every part on every
distinct slot and with every employee, and takes first the card that gains most over the average of its sort. `greedy`
replaces completed orders and chooses what to keep overnight. Opponents' moves are ignored. Cost: a day takes about
60 us per position in the beam, which keeps `width` positions after every move.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from time import perf_counter
from typing import Annotated, Any

import numpy as np

from chocofactory_env import Consideration, Game, SearchAgent
from chocofactory_env.core.reading import between
from chocofactory_env.games.chocofactory.vocabulary import NONE, Draft, Phase, day_of, phase_of, shift_of, slot_is_free

from ..scripted import ScriptedAgent
from ..settings import Seconds, checked
from .draft import slots_that_differ

PLANNED = (Phase.RUN, Phase.FULFIL, Phase.AGENTS)

Width = Annotated[int, between(1, 10_000)]  # of a beam; the widest takes 140 MB


@dataclass
class SeatPlan:
    """A seat's next actions, the value of its day after them, and when they were planned: day, phase and shift."""

    actions: list[int] = field(default_factory=list)
    value: float = -np.inf
    when: tuple[int, ...] = ()

    def follow(self, action: int) -> int:
        """Return the only legal action, and drop it from the plan if it is the next one there."""
        if self.actions and self.actions[0] == action:
            self.actions.pop(0)
        return action


class PlannerAgent:
    """Deterministic, unless `time_s` is given.

    width: beam width; drafts use an eighth of it, at least 4.
    weights: of the evaluation; `game.evaluation_weights()` by default.
    time_s: seconds per decision; each plan is then repeated with a beam twice as wide while time is left.
    """

    @checked
    def __init__(
        self, game: Game, width: Width = 64, time_s: Seconds | None = None, weights: np.ndarray | None = None
    ) -> None:
        self._game = game
        self._unplanned: SearchAgent = ScriptedAgent(game)
        self._time = time_s
        self._weights = weights
        self._widths = [width] if time_s is None else [16 * 2**step for step in range(8)]
        self._planners: dict[int, Any] = {}
        self._draft_width = max(4, width // 8)
        self._won = np.inf  # the least value of a plan that needs no wider one
        self._leads = weights is not None and bool(weights["lead"][0])  # whether plans maximize the lead
        self._goal = "pounds ahead" if self._leads else "pounds"
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Forget the game before. The seed has no effect."""
        self._plans: dict[int, SeatPlan] = {}  # by seat
        self._slot: int | None = None  # for the part it has just drafted

    def choose(self, state: Any, player: int) -> int:
        mask = self._game.legal_mask(state)
        legal = mask.nonzero()[0]
        mine = self._plans.setdefault(player, SeatPlan())
        if len(legal) == 1:
            return mine.follow(int(legal[0]))
        phase = phase_of(state)
        if phase == Phase.DRAFT:
            return self._draft(state, player, legal)
        if phase in PLANNED:
            self._look_again(state, player, mine)
            if mine.actions and mask[mine.actions[0]]:
                return mine.actions.pop(0)
        return self._unplanned.choose(state, player)

    def advise(self, state: Any, player: int) -> list[int]:
        """Its next actions, as far as it has planned: in the run and with orders, for the rest of the day."""
        if phase_of(state) in PLANNED:
            return list(self._best_plan(state, player).actions)
        self.reset(0)
        first = self.choose(state, player)
        return [first] if self._slot is None else [first, self._place(self._slot)]

    def consider(self, state: Any, player: int) -> Consideration:
        """Its line, and the value of the day after each action; in the draft, the value of each card.

        This leaves its plan of the day unchanged.
        """
        if phase_of(state) not in PLANNED:
            kept = (self._plans, self._slot)
            chosen = self.advise(state, player)
            self._plans, self._slot = kept
            drafts = self._game.decode(chosen[0])[0] in ("draft_part", "draft_employee")
            columns = self._draft_columns(state, player) if drafts else {}
            return Consideration({"its choice": {chosen[0]: 1.0}, **columns}, tuple(chosen))
        plan = self._best_plan(state, player)
        worth = {}
        for action in np.flatnonzero(self._game.legal_mask(state)).tolist():
            after = self._game.clone(state)
            self._game.apply(after, action)
            if self._game.current_player(after) == player and phase_of(after) in PLANNED:
                worth[action] = float(self._best_plan(after, player).value)
        if plan.actions:  # the action that it plays comes first, also if a plan after another one finds more
            worth[plan.actions[0]] = max([plan.value, *worth.values()])
        column = f"{self._goal} at the end of the day"
        return Consideration({column: worth}, tuple(plan.actions), (column, float(plan.value)))

    # --- the day

    def _look_again(self, state: Any, player: int, mine: SeatPlan) -> None:
        """Plan again at the start of every shift and of the orders; keep the earlier plan if it promises more."""
        when = (day_of(state), phase_of(state), shift_of(state))
        if when == mine.when:
            return
        plan = self._best_plan(state, player)
        # The same phase is judged by the same prices. Where seats act at once, the lead also changes by others' moves.
        comparable = mine.when[:2] == when[:2] and not (self._leads and self._game.simultaneous)
        if not (comparable and mine.actions) or plan.value > mine.value:
            mine.actions, mine.value = plan.actions, plan.value
        mine.when = when

    def _best_plan(self, state: Any, player: int) -> Any:
        best = None
        for width in self._in_time(self._widths_on(state)):
            plan = self._planner(width).plan(state, player)
            if best is None or plan.value > best.value:
                best = plan
            if best.value >= self._won:
                break
        return best

    def _widths_on(self, state: Any) -> Iterable[int]:
        """The widths with which to plan the day, one after the other."""
        return self._widths

    def _in_time(self, widths: Iterable[int]) -> Iterator[int]:
        """The first width, and the others while a decision's time is left."""
        begun = perf_counter()
        for width in widths:
            yield width
            if self._time is not None and perf_counter() - begun > self._time / 3:
                return

    def _planner(self, width: int) -> Any:
        if width not in self._planners:
            self._planners[width] = self._game.planner(width, self._weights)  # type: ignore[attr-defined]
        return self._planners[width]

    # --- the draft

    def _draft(self, state: Any, player: int, legal: np.ndarray) -> int:
        if self._game.decode(int(legal[0]))[0] == "place_part":
            slot = self._best_slot(state, player) if self._slot is None else self._slot
            self._slot = None
            return self._place(slot)
        gains, slots = self._draft_gains(state, player, legal)
        bests = [max(of_sort, key=of_sort.__getitem__) for of_sort in gains.values()]
        chosen = max((gains[self._game.decode(best)[0]][best], best) for best in bests)[1]
        self._slot = slots.get(chosen)
        return chosen

    def _draft_gains(
        self, state: Any, player: int, legal: np.ndarray
    ) -> tuple[dict[str, dict[int, float]], dict[int, int]]:
        """By verb, each card's gain over the average of its sort; and the slots of parts."""
        best: dict[int, tuple[float, int]] = {}  # by action
        tried = [(action, draft) for action in legal.tolist() for draft in self._drafts_of(state, player, action)]
        values = self._planner(self._draft_width).values_with(state, player, [draft for _, draft in tried])
        for (action, draft), value in zip(tried, values, strict=True):
            if action not in best or value > best[action][0]:
                best[action] = value, draft.slot
        sorts: dict[str, dict[int, float]] = {}
        for action, (value, _) in best.items():
            sorts.setdefault(self._game.decode(action)[0], {})[action] = value
        gains = {}
        for verb, values in sorts.items():
            mean = sum(values.values()) / len(values)
            gains[verb] = {action: value - mean for action, value in values.items()}
        return gains, {action: slot for action, (_, slot) in best.items() if slot != NONE}

    def _drafts_of(self, state: Any, player: int, action: int) -> list[Draft]:
        """The card that the action takes; a part on every slot that differs."""
        verb, card = self._game.decode(action)
        if verb == "draft_employee":
            return [Draft(employee=card)]
        return [Draft(card, slot) for slot in slots_that_differ(slot_is_free(state, player))]

    def _draft_columns(self, state: Any, player: int) -> dict[str, dict[int, float]]:
        """The columns of `consider` for the cards of a draft."""
        gains, _ = self._draft_gains(state, player, np.flatnonzero(self._game.legal_mask(state)))
        of_cards = {action: gain for of_sort in gains.values() for action, gain in of_sort.items()}
        return {f"{self._goal} above the mean of its kind": of_cards}

    def _best_slot(self, state: Any, player: int) -> int:
        """The slot on which a part is worth most that this agent did not draft itself."""

        def worth(slot: int) -> float:
            after = self._game.clone(state)
            self._game.apply(after, self._place(slot))
            value: float = self._planner(self._draft_width).plan(after, player).value
            return value

        return max(slots_that_differ(slot_is_free(state, player)), key=worth)

    def _place(self, slot: int) -> int:
        return self._game.action_layout.encode("place_part", slot)


def for_solo_game(game: Game, width: Width = 64, time_s: Seconds | None = None) -> PlannerAgent:
    """The agent `solo`: a planner, named after the solo game."""
    if game.num_players != 1:
        raise ValueError(f"agent 'solo' plays the solo game, got one of {game.num_players} players")
    return PlannerAgent(game, width, time_s)
