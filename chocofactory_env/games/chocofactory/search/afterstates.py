"""Afterstates: how each legal action, carried through to the end of its move, changes the features of the position.

If a move can end in several ways, the best one by the evaluation counts. In the draft, the position looked at is the
day's first shift with the drafted card. Face-down cards that a move could turn up are blanked first, so that none has
an influence. B = rows, F = features, M = MOST_ACTIONS.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Final, NamedTuple

import numpy as np

from ....core.checks import MOST_ROWS, as_array, as_buffer, as_integer
from ....core.jit import jit, jit_entry
from ....core.kernel.variants import RowRules, as_rules
from ....core.messages import shown
from ....core.observation.layout import ObservationLayout, places_in
from ....core.signature import I4, OutF4_2, OutI1_2, OutI8, OutStateRows, OutU1_2, StateRows, TableRows
from ....core.text.words import words_of
from ..actions import NUM_ACTIONS, advance, write_legal_mask
from ..constants import NONE, NUM_DAYS, NUM_SIZES, NUM_STORES, TRACK_END, Effect, Phase, Task
from ..feature_names import FEATURES, NUM_FEATURES
from ..layout import Tables, completed_blocks, observation_layout
from ..rules.run import shifts_of
from ..rules.together import play_alone
from ..state import State
from .evaluation import (
    coal_price,
    days_left,
    likely_store_prize,
    value_during_day,
    value_of_pieces,
    write_prices,
)
from .features import write_features
from .plan import LONGEST_MOVE, next_action, skip_to_run
from .weights import OutPriceRows, Prices, WeightRows, Weights, evaluation_weights

MOST_ACTIONS: Final = 24  # per position; actions beyond them have no afterstate
MOST_WAYS: Final = 40  # to carry through one action
DURING_DAY: Final = ("day.value", "day.pieces", "day.coal")  # `value_during_day` and its parts, in units of 20 pounds
ALONE: Final = (*FEATURES, *DURING_DAY)
# With several players all stores have the same prices, so these features tell employees apart in the draft.
TODAY: Final = ("open", "track", "others_track", "variety", "prize")  # as `write_today` writes them
AMONG_OTHERS: Final = (*ALONE, *(f"today.{name}" for name in TODAY), *(f"effect.{name}" for name in words_of(Effect)))
PRESENT_STEPS: Final = 16.0  # steps per unit in a feature's byte
CHANGE_STEPS: Final = 64.0  # steps per unit in the byte of a feature's change
LIKELY_STEPS: Final = 3  # spaces that a delivery moves the marker
BEST: Final = LONGEST_MOVE + 1  # the place in the stack of the best end of a move
OF_PLANS: Final = "value", "lead"  # weights that no feature depends on
OPTIONS: Final = "num_players", "difficulty", "simultaneous", "only_completed"  # on which layouts depend
MOST_PLAYERS, MOST_DIFFICULTY = 4, 3  # a higher difficulty would change the layout of the shipped networks


class Afterstates:
    """Computes the afterstates of a seat's legal actions, in positions of one variant, with any decks.

    features: F. names: the features' names. actions: M. size: bytes per row.
    evaluation: a SHA-256 of the hand-tuned evaluation's weights.
    room: a layout with room for the observations of all solo variants, or of all with several players.
    places: (O,) int64, the place in `room` of every number of an observation.
    scale: (O,) float32, the factors of these numbers; 0 for blocks that only the features read.

    Raises:
        ValueError: the difficulty is higher than `room` allows.
    """

    actions = MOST_ACTIONS
    present_steps, change_steps = PRESENT_STEPS, CHANGE_STEPS

    def __init__(self, game: Any) -> None:
        self._game = game
        self.names = ALONE if game.num_players == 1 else AMONG_OTHERS
        self.features = len(self.names)
        self.size = self.features + MOST_ACTIONS * (1 + self.features)
        self._weights = evaluation_weights()
        hand_tuned = [name for name in Weights.dtype.names or () if name not in OF_PLANS]
        self.evaluation = sha256(b"".join(self._weights[name].tobytes() for name in hand_tuned)).hexdigest()
        self.room = room_beside(game.num_players)
        self.places, self.scale = places_beside(self.room, game.observation_layout)

    def rules(self, rows: int) -> RowRules:
        """The rules of the game passed to the constructor, for that many rows."""
        rules = RowRules.alone(self._game, as_integer("rows", rows, 0, MOST_ROWS))
        assert rules is not None
        return rules

    def fill(self, states: np.ndarray, seats: np.ndarray, out: np.ndarray, rules: RowRules | None = None) -> None:
        """Fill `out`, (B, size) uint8, for positions, (B,), as these seats know them, (B,) int32; -1: a row of zeros.

        rules: the rules of each row's game, which may have its own deck; None for the game passed to the constructor.

        A row holds the features now, then for each legal action its number + 1 and the changes of the features, then
        zeros. Features and changes are signed bytes, in units of 1 / `present_steps` and 1 / `change_steps`.

        Raises:
            TypeError, ValueError: not positions of the variant, seats that have no decision in them, an array of
                another shape or dtype, `out` cannot be written to or is not contiguous, or `rules` are not those of B
                rows of this game; nothing has been written.
        """
        states, rows = self._as_positions(states, other_decks=rules is not None)
        seats = as_array("seats", seats, (rows,), np.int32, NONE, self._game.num_players - 1)
        if (states["current"][seats != NONE] == NONE).any():
            raise ValueError("seats: expected -1 where the game is over")
        out = as_buffer("out", out, (rows, self.size), np.uint8)
        tables, slots = as_rules(self.rules(rows) if rules is None else rules, self._game, rows)
        out[:] = 0
        write_afterstates(tables, slots, states, seats, self._weights, *scratch(self.features), out)

    def _as_positions(self, states: Any, other_decks: bool) -> tuple[np.ndarray, int]:
        """Positions of this game, contiguous, and their number; raises as `fill` does."""
        if not isinstance(states, np.ndarray) or states.dtype != State.dtype or states.ndim != 1:
            raise TypeError(f"states: expected (B,) positions of {self._game.name}, got {shown(states)}")
        options = self._game.blank_states(1)
        for name in OPTIONS if other_decks else ("variant",):
            if (states[name] != options[name]).any():
                raise ValueError(f"states: expected positions with {name} {options[name][0]}")
        return np.ascontiguousarray(states), len(states)


def room_beside(players: int) -> ObservationLayout:
    """A layout with room for every variant that shares networks with those for `players` players."""
    alone = players == 1
    most, difficulty = (1, MOST_DIFFICULTY) if alone else (MOST_PLAYERS, 0)
    return observation_layout(most, difficulty, expanded=True, simultaneous=not alone)


def places_beside(room: ObservationLayout, layout: ObservationLayout) -> tuple[np.ndarray, np.ndarray]:
    """`places` and `scale` of `Afterstates`.

    The blocks of `solo_money` have no room, so networks fit the game with and without this option.
    """
    only_of_features = {block.name for block in completed_blocks()}
    shared = [block.name for block in layout.blocks if block.name not in only_of_features]
    seen = np.concatenate([np.full(block.size, block.name in shared) for block in layout.blocks])
    places, scale = np.zeros(layout.size, np.int64), np.zeros(layout.size, np.float32)
    places[seen] = places_in(room, layout.choose(shared))
    scale[seen] = room.scale[places[seen]]
    return places, scale


class Scratch(NamedTuple):
    prices: np.ndarray  # (1,) Prices.dtype
    stack: np.ndarray  # (BEST + 1,) State: the choices inside a move
    masks: np.ndarray  # (BEST + 1, A) int8
    chosen: np.ndarray  # (BEST + 1,) int64
    features: np.ndarray  # (2, F) float32: now, and after an action


def scratch(features: int) -> Scratch:
    count = BEST + 1
    return Scratch(
        np.zeros(1, Prices.dtype),
        np.zeros(count, State.dtype),
        np.zeros((count, NUM_ACTIONS), np.int8),
        np.zeros(count, np.int64),
        np.zeros((2, features), np.float32),
    )


@jit_entry("search")
def write_afterstates(
    tables: TableRows,
    slots: I4,
    states: StateRows,
    seats: I4,
    weight_rows: WeightRows,
    price_rows: OutPriceRows,
    stack: OutStateRows,
    masks: OutI1_2,
    chosen: OutI8,
    features: OutF4_2,
    out: OutU1_2,
) -> None:
    """Fill `out`, (B, size) of zeros, as `Afterstates.fill` says."""
    weights, prices, read = weight_rows[0], price_rows[0], features.shape[1]
    for row in range(len(seats)):
        seat = int(seats[row])
        if seat == NONE:
            continue
        cards = tables[slots[row]]
        stack[0] = states[row]
        leave_alone(stack[0], seat)
        write_prices(cards, weights, stack[0], seat, prices)
        write_legal_mask(cards, stack[0], masks[0])
        drafting = stack[0].phase == Phase.DRAFT
        stack[BEST] = stack[0]
        settle(cards, stack[BEST], seat, drafting)
        if drafting:
            write_prices(cards, weights, stack[BEST], seat, prices)
        write_read(cards, weights, prices, stack[BEST], seat, features[0])
        for at in range(read):
            out[row, at] = as_byte(features[0, at] * PRESENT_STEPS)
        place = read
        for action in range(NUM_ACTIONS):
            if masks[0, action] == 0 or place == out.shape[1]:
                continue
            carry_through(cards, weights, prices, action, seat, drafting, stack, masks, chosen)
            out[row, place] = action + 1
            if stack[BEST].day == stack[0].day:
                if drafting:
                    write_prices(cards, weights, stack[BEST], seat, prices)
                write_read(cards, weights, prices, stack[BEST], seat, features[1])
                for at in range(read):
                    change = features[1, at] - features[0, at]
                    out[row, place + 1 + at] = as_byte(change * CHANGE_STEPS)
            place += 1 + read


@jit
def leave_alone(state: State, seat: int) -> None:
    """Blank face-down cards, and let the seat continue as if it were not the last one in the draft or in cleanup."""
    for size in range(NUM_SIZES):
        state.order_decks[size].cards[:] = NONE
    state.demands[state.face_up :] = 0
    play_alone(state, seat)
    if state.num_players > 1 and (
        state.phase == Phase.DRAFT or state.phase == Phase.CLEANUP or state.phase == Phase.REPLACE
    ):
        state.turn = 0  # never the last seat's


@jit
def as_byte(number: float) -> int:
    """The bits of the number as a signed byte, rounded and clipped."""
    return int(np.rint(min(max(number, -127.0), 127.0))) & 255


@jit
def settle(cards: Tables, state: State, seat: int, drafting: bool) -> None:
    """Go to where the position is looked at: in the draft, to the seat's first shift."""
    if drafting and state.phase == Phase.DRAFT:
        skip_to_run(cards, state, seat)
    elif not drafting and state.phase == Phase.RUN and state.current != seat:  # its run is over, another seat's begins
        state.phase = Phase.FULFIL


@jit
def judge(cards: Tables, weights: Weights, prices: Prices, state: State, seat: int, drafting: bool) -> float:
    """The value to the seat of a position where it is looked at."""
    if drafting:
        write_prices(cards, weights, state, seat, prices)
    return value_during_day(cards, weights, prices, state, seat)


@jit
def write_read(cards: Tables, weights: Weights, prices: Prices, state: State, seat: int, x: np.ndarray) -> None:
    """Write the features into x, (F,)."""
    write_features(cards, weights, prices, state, seat, x[:NUM_FEATURES])
    player = state.players[seat]
    shifts_left = shifts_of(cards, player) - state.shift if state.phase == Phase.RUN else 0
    x[NUM_FEATURES] = value_during_day(cards, weights, prices, state, seat) / 20.0
    x[NUM_FEATURES + 1] = value_of_pieces(weights, prices, state, player, shifts_left) / 20.0
    x[NUM_FEATURES + 2] = player.coal * coal_price(weights, state) / 20.0
    if state.num_players > 1:
        write_today(cards, weights, state, seat, x[len(ALONE) :])


@jit
def write_today(cards: Tables, weights: Weights, state: State, seat: int, x: np.ndarray) -> None:
    """Write the employee's effect, and its store if it can be supplied, into x, (len(TODAY) + NUM_EFFECTS,)."""
    x[:] = 0.0
    player = state.players[seat]
    if player.employee == NONE:
        return
    employee = cards.employees[player.employee]
    x[len(TODAY) + int(employee.effect)] = max(employee.amount, employee.uses) / 2.0
    store = int(employee.store)
    if store == NONE or player.track[store] >= TRACK_END or player.supplied[store] != 0:
        return
    ahead = 0
    for other in range(state.num_players):
        if other != seat:
            ahead = max(ahead, state.players[other].track[store])
    x[0] = 1.0
    x[1] = player.track[store] / 5.0
    x[2] = ahead / 5.0
    x[3] = gain_of_variety(cards, weights, state, seat, store) / 10.0
    x[4] = gain_of_prize(cards, weights, state, seat, store) / 10.0


@jit
def gain_of_variety(cards: Tables, weights: Weights, state: State, seat: int, store: int) -> float:
    """END-4: the gain in the prize by a first delivery to the store."""
    player, supplied, share = state.players[seat], 0, days_left(state) / (NUM_DAYS - 1)
    if player.track[store] > 0:
        return 0.0
    for other in range(NUM_STORES):
        supplied += 1 if player.track[other] > 0 else 0
    likely = weights.variety[supplied + 1] - weights.variety[supplied]
    exact = cards.variety_prizes[supplied + 1] - cards.variety_prizes[supplied]
    return share * likely + (1.0 - share) * exact


@jit
def gain_of_prize(cards: Tables, weights: Weights, state: State, seat: int, store: int) -> float:
    """END-3: the gain in the prize by a delivery to the store. The position is not changed."""
    days, player = days_left(state), state.players[seat]
    before = likely_store_prize(cards, weights, state, store, seat, days)
    player.track[store] += LIKELY_STEPS
    after = likely_store_prize(cards, weights, state, store, seat, days)
    player.track[store] -= LIKELY_STEPS
    return after - before


@jit
def carry_through(
    cards: Tables,
    weights: Weights,
    prices: Prices,
    first: int,
    seat: int,
    drafting: bool,
    stack: np.ndarray,
    masks: np.ndarray,
    chosen: np.ndarray,
) -> None:
    """Write the best position after the move that begins with action `first` in `stack[0]` into `stack[BEST]`."""
    best = -1e18
    ways, depth = 0, 0
    chosen[0] = NONE
    while depth >= 0 and ways < MOST_WAYS:
        if depth > 0:
            action = next_action(masks[depth], chosen[depth] + 1, False)
        else:
            action = first if chosen[0] == NONE else NUM_ACTIONS
        if action == NUM_ACTIONS:
            depth -= 1
            continue
        chosen[depth] = action
        after = depth + 1
        stack[after] = stack[depth]
        advance(cards, stack[after], action, masks[after])
        if stack[after].task.kind != Task.NOTHING and after < LONGEST_MOVE:
            depth = after
            chosen[depth] = -1
            continue
        ways += 1
        settle(cards, stack[after], seat, drafting)
        if ways == 1:  # mostly the only way, so that nothing is judged
            stack[BEST] = stack[after]
            continue
        if ways == 2:
            best = judge(cards, weights, prices, stack[BEST], seat, drafting)
        value = judge(cards, weights, prices, stack[after], seat, drafting)
        if value > best:
            best = value
            stack[BEST] = stack[after]
