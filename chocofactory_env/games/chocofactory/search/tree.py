"""Monte-Carlo tree search for any number of players, over deals of what lies face down.

Every simulation deals the hidden cards afresh (`redeal_hidden`), walks down one tree shared by all deals, adds a
node, plays on by a simple policy, and passes what each seat got up to the root (max^n: who moves prefers what is good
for himself). Among the actions legal in the deal at hand, the one is tried that promises most (PUCT): its mean so far,
and a bonus that falls with its visits and rises with its prior, which is the policy's probability. Actions are single
decisions, so a node's number of children is small; after an action that has not been tried a node counts for a little
less than its parent, so that likely actions are looked at first and unlikely ones perhaps never.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, sqrt
from typing import Any, Final, NamedTuple

import numpy as np

from ....core.checks import as_seed
from ....core.jit import entry, jit
from ....core.rng import WORDS, below, seed_generator
from ..actions import ACTIONS, NUM_ACTIONS, advance, write_legal_mask
from ..constants import MAX_PLAYERS, NONE, NUM_STORES, Effect, Kind, Phase, Task
from ..rules.employees import has_effect
from ..rules.end import final_money, orders_completed, solo_won
from ..rules.hidden import redeal_hidden
from ..rules.pieces import Record
from ..rules.run import start_shift
from ..rules.under_way import nothing_under_way
from ..state import STATE
from .guess import PRICES, guesses
from .plan import HASH_PRIME, MOST_DECISIONS, Memory, give_turn, key_of, memory_for, plan_day
from .worth import worth_at_the_end_of_a_day, write_prices

TREE_STREAM: Final = 0x7EEE  # sets the playouts' generator apart from that of the deals
FIRST_LOOK: Final = 0.05  # so much less than its parent counts an action that was never tried
STEPS: Final = 1 << 16  # fineness of the draw by weights
SEARCH_OF_MEMORY: Final = Memory._fields.index("search")
KNOWN: Final = 1 << 12  # days that were planned are looked up before they are planned again
WORTH = np.dtype([("key", "u8"), ("worth", "f4")])

NODE = np.dtype(
    [
        ("parent", "i4"),
        ("first_child", "i4"),
        ("sibling", "i4"),
        ("visits", "i4"),
        ("action", "u1"),
        ("results", "f4", MAX_PLAYERS),  # summed, by seat
    ]
)

# How likely the playout policy is to take a legal action, by verb; a sensible player mostly does what he can.
WEIGHTS_OF_VERBS: Final = {
    "operate": 6.0,
    "assign": 4.0,
    "use_employee": 6.0,
    "fulfil": 12.0,
    "deliver": 12.0,
    "supply": 4.0,
    "trade": 0.1,
    "stop": 0.5,
    "end_shift": 0.6,
    "finish_orders": 0.3,
}
WEIGHTS_OF_RAW_PIECES: Final = {"chute": 0.05, "trade": 2.0}  # beans and cocoa


def policy_weights() -> np.ndarray:
    """(A,) float32, to be changed freely."""
    weights = np.ones(NUM_ACTIONS, np.float32)
    for verb, count in ACTIONS.verbs:
        first = ACTIONS.first[verb]
        weights[first : first + count] = WEIGHTS_OF_VERBS.get(verb, 1.0)
        if verb in WEIGHTS_OF_RAW_PIECES:
            weights[first : first + Kind.CHUNKS] = WEIGHTS_OF_RAW_PIECES[verb]
    return weights


class Found(NamedTuple):
    """visits: (A,) of each action at the root; value: (A,) its mean result for the seat that moves, 0 to 1."""

    visits: np.ndarray
    value: np.ndarray


class TreeSearch:
    """Searches positions of one game.

    days: a playout ends so many days on (0: with the end of the day of the leaf) and is judged by `worth.py`; None:
        it goes to the end of the game.
    plan_width: if not 0, there are no playouts: at a leaf every seat plans the rest of its day with a beam so wide.
    exploration: the weight of the bonus.
    """

    def __init__(
        self,
        game: Any,
        *,
        days: int | None = 0,
        plan_width: int = 0,
        exploration: float = 0.6,
        guess: np.ndarray | None = None,
        weights: np.ndarray | None = None,
    ) -> None:
        self._tables = game.tables
        self._guess = guesses() if guess is None else guess
        self._weights = policy_weights() if weights is None else weights
        self._days = 6 if days is None else days
        self._exploration = exploration
        self._plan_width = plan_width
        self._memory = memory_for(max(1, plan_width))
        self._plan = np.zeros(MOST_DECISIONS, np.int64)
        self._seats = np.zeros(1, STATE)
        self._known = np.zeros(KNOWN, WORTH)
        self._copy = np.zeros(1, STATE)
        self._mask = np.zeros(NUM_ACTIONS, np.int8)
        self._child = np.full(NUM_ACTIONS, NONE, np.int32)
        self._words = np.zeros(WORDS, np.uint32)
        self._prices = np.zeros(1, PRICES)
        self._results = np.zeros(MAX_PLAYERS, np.float64)
        self._nodes = np.zeros(0, NODE)

    def search(
        self, state: np.ndarray, simulations: int, seed: int, more: bool = False, advice: Sequence[int] = ()
    ) -> Found:
        """So many simulations from `state`, which stays as it is; with `more` the tree of the last call grows on.

        advice: a line of play from here that is likely good; along it, half of the prior is the advised action's.
        """
        seed = as_seed(seed)
        first = int(self._nodes["visits"][0]) if more and len(self._nodes) else 0
        nodes = np.zeros(first + simulations + 1, NODE)
        nodes[: first + 1] = self._nodes[: first + 1] if first else 0
        self._nodes = nodes
        grow(
            self._tables,
            state,
            self._copy,
            nodes,
            first,
            simulations,
            seed,
            self._days,
            self._exploration,
            self._guess,
            self._prices,
            self._weights,
            self._mask,
            self._child,
            self._words,
            self._results,
            np.array(advice, np.int64),
            self._plan_width,
            self._seats,
            self._known,
            *self._memory,
            self._plan,
        )
        return self._found(int(state["current"][0]))

    def _found(self, seat: int) -> Found:
        visits, value = np.zeros(NUM_ACTIONS, np.int64), np.zeros(NUM_ACTIONS)
        child = int(self._nodes["first_child"][0])
        while child != NONE:
            node = self._nodes[child]
            visits[node["action"]] = node["visits"]
            value[node["action"]] = node["results"][seat] / max(1, node["visits"])
            child = int(node["sibling"])
        return Found(visits, value)


@entry
def grow(
    tables: np.ndarray,
    roots: np.ndarray,
    copies: np.ndarray,
    nodes: np.ndarray,
    first: int,
    simulations: int,
    seed: int,
    days: int,
    exploration: float,
    guesses: np.ndarray,
    prices: np.ndarray,
    weights: np.ndarray,
    mask: np.ndarray,
    child_of: np.ndarray,
    words: np.ndarray,
    results: np.ndarray,
    advice: np.ndarray,
    plan_width: int,
    seats: np.ndarray,
    known: np.ndarray,
    *memory: np.ndarray,
) -> None:
    """Add simulations to the tree in `nodes`, of which `first` + 1 are in use (at first the root alone, blank).

    memory: that of the plans, and where one is written.
    """
    cards, guess, price, state = tables[0].cards, guesses[0], prices[0], copies[0]
    if first == 0:
        new_node(nodes, 0, NONE, 0)
        for place in range(len(known)):
            known[place].key = 0
    used = first + 1
    for simulation in range(first, first + simulations):
        copies[0] = roots[0]
        redeal_hidden(cards, state, seed + simulation)
        seed_generator(words, seed + simulation, TREE_STREAM)
        write_legal_mask(cards, state, mask)
        node = 0
        grown = False
        depth = 0
        while state.current != NONE and not grown:
            advised = NONE
            if depth < len(advice):
                advised = int(advice[depth])
            action = most_promising(nodes, node, int(state.current), mask, weights, advised, child_of, exploration)
            depth = depth + 1 if action == advised else len(advice)
            child = child_after(nodes, node, action)
            if child == NONE:
                child = used
                used += 1
                new_node(nodes, child, node, action)
                nodes[child].sibling = nodes[node].first_child
                nodes[node].first_child = child
                grown = True
            advance(cards, state, action, mask)
            node = child
        if plan_width == 0:
            play_on(cards, state, mask, weights, words, days)
            write_worths(cards, guess, price, state, results)
        else:
            place_what_is_drafted(cards, state, mask, weights, words)
            write_worths_by_plans(tables, guesses, price, copies, seats, known, results, *memory)
        write_results(cards, state, results)
        while node != NONE:
            nodes[node].visits += 1
            for seat in range(state.num_players):
                nodes[node].results[seat] += results[seat]
            node = nodes[node].parent


@jit
def new_node(nodes: np.ndarray, place: int, parent: int, action: int) -> None:
    node = nodes[place]
    node.parent = parent
    node.first_child = NONE
    node.sibling = NONE
    node.action = action


@jit
def child_after(nodes: np.ndarray, node: int, action: int) -> int:
    child = nodes[node].first_child
    while child != NONE and nodes[child].action != action:
        child = nodes[child].sibling
    return child


@jit
def most_promising(
    nodes: np.ndarray,
    node: int,
    mover: int,
    mask: np.ndarray,
    weights: np.ndarray,
    advised: int,
    child_of: np.ndarray,
    exploration: float,
) -> int:
    """PUCT over the actions that are legal in the deal at hand; `child_of` (A,) is scratch, all NONE."""
    child = nodes[node].first_child
    while child != NONE:
        child_of[nodes[child].action] = child
        child = nodes[child].sibling
    total = 0.0
    for action in range(NUM_ACTIONS):
        if mask[action]:
            total += weights[action]
    visits = nodes[node].visits
    untried = (nodes[node].results[mover] / visits if visits > 0 else 0.5) - FIRST_LOOK
    bonus = exploration * sqrt(visits + 1.0)
    best, most = NONE, -1e9
    for action in range(NUM_ACTIONS):
        if mask[action] == 0:
            continue
        promise, number = untried, 0
        if child_of[action] != NONE:
            number = nodes[child_of[action]].visits
            promise = nodes[child_of[action]].results[mover] / number
        prior = weights[action] / total
        if advised != NONE:
            prior = 0.5 * prior + (0.5 if action == advised else 0.0)
        promise += bonus * prior / (1.0 + number)
        if promise > most:
            best, most = action, promise
    child = nodes[node].first_child
    while child != NONE:
        child_of[nodes[child].action] = NONE
        child = nodes[child].sibling
    return best


@jit
def play_on(cards: Record, state: Record, mask: np.ndarray, weights: np.ndarray, words: np.ndarray, days: int) -> None:
    """By the policy, to the end of the day that lies so many days on, or of the game."""
    last = state.day + days
    while state.current != NONE and state.day <= last:
        advance(cards, state, draw_action(mask, weights, words), mask)


@jit
def place_what_is_drafted(
    cards: Record, state: Record, mask: np.ndarray, weights: np.ndarray, words: np.ndarray
) -> None:
    """Somewhere: days are planned from positions in which nothing is under way in the draft."""
    while state.phase == Phase.DRAFT and state.task.kind != Task.NOTHING:
        advance(cards, state, draw_action(mask, weights, words), mask)


@jit
def draw_action(mask: np.ndarray, weights: np.ndarray, words: np.ndarray) -> int:
    """A legal action, by the weights."""
    total = 0.0
    for action in range(NUM_ACTIONS):
        if mask[action]:
            total += weights[action]
    left = total * (below(words, STEPS) + 0.5) / STEPS
    last = NONE
    for action in range(NUM_ACTIONS):
        if mask[action]:
            last = action
            left -= weights[action]
            if left <= 0:
                break
    return last


@jit
def write_worths_by_plans(
    tables: np.ndarray,
    guesses: np.ndarray,
    price: Record,
    leaves: np.ndarray,
    seats: np.ndarray,
    known: np.ndarray,
    worths: np.ndarray,
    *memory: np.ndarray,
) -> None:
    """Pounds by seat: what the end of the day is worth to it if it plans the rest of the day; `seats` is scratch."""
    cards, guess, state = tables[0].cards, guesses[0], leaves[0]
    if state.current == NONE:
        write_worths(cards, guess, price, state, worths)
        return
    for seat in range(state.num_players):
        seats[0] = leaves[0]
        key = key_of_day(state, leaves.view(np.uint8), seat)
        day = known[int(key % np.uint64(len(known)))]
        if key == 0 or day.key != key:
            day.key = key
            if goes_on_with_its_day(cards, seats[0], seat):
                plan_day(tables, seats, seat, guesses, *memory)
                day.worth = memory[SEARCH_OF_MEMORY][0].best
            else:
                write_prices(cards, guess, state, seat, price)
                day.worth = worth_at_the_end_of_a_day(cards, guess, price, state, seat)
        worths[seat] = day.worth


@jit
def key_of_day(state: Record, row: np.ndarray, seat: int) -> int:
    """A hash of all that the rest of the seat's day depends on within one search; 0 where that is more than this.

    In the solo game the cards count too, and in the middle of a move what is under way.
    """
    moves = state.current == seat
    if state.num_players == 1 or (moves and state.task.kind != Task.NOTHING):
        return np.uint64(0)  # type: ignore[return-value]  # Numba's unsigned integer
    key = key_of(row, seat)
    has_had_its_turn = (seat - state.start_player) % state.num_players < state.turn
    key = mixed(key, state.day)
    key = mixed(key, state.phase)
    key = mixed(key, seat)
    key = mixed(key, 1 + int(state.shift) if moves else -int(has_had_its_turn))
    for other in range(state.num_players):
        for store in range(NUM_STORES):
            key = mixed(key, state.players[other].track[store])
            key = mixed(key, state.players[other].arrival[store])
        key = mixed(key, orders_completed(state.players[other]))
    return key


@jit
def mixed(key: int, number: int) -> int:
    return (key ^ np.uint64(number & 0xFFFF)) * HASH_PRIME  # type: ignore[return-value]


@jit
def goes_on_with_its_day(cards: Record, state: Record, seat: int) -> bool:
    """Give the turn to the seat, where it goes on with its day as if the others had none; False if its day is over."""
    phase = int(state.phase)
    if phase == Phase.DRAFT or state.current == seat:
        return phase <= Phase.AGENTS
    has_had_its_turn = (seat - state.start_player) % state.num_players < state.turn
    if has_had_its_turn:
        phase += 1
    state.phase = phase
    state.shift = 0
    nothing_under_way(state)  # that is of who moves
    give_turn(state, seat)
    if phase == Phase.RUN:
        start_shift(cards, state)
    return phase <= Phase.FULFIL or (
        phase == Phase.AGENTS and has_effect(cards, state.players[seat], Effect.OTHER_STORE)
    )


@jit
def write_worths(cards: Record, guess: Record, price: Record, state: Record, worths: np.ndarray) -> None:
    """Pounds by seat: in the end what it has, before what the end of the day is worth to it."""
    for seat in range(state.num_players):
        if state.current == NONE:
            worths[seat] = final_money(cards, state, seat)
        else:
            write_prices(cards, guess, state, seat, price)
            worths[seat] = worth_at_the_end_of_a_day(cards, guess, price, state, seat)


@jit
def write_results(cards: Record, state: Record, results: np.ndarray) -> None:
    """From pounds to 0 to 1: how far a seat is ahead of the best other one; alone, whether it won or may win."""
    over = state.current == NONE
    if state.num_players == 1:
        if over:
            results[0] = 1.0 if solo_won(cards, state) else 0.0
        else:
            results[0] = 0.9 / (1.0 + exp(-results[0] / 30.0))
        return
    scale = 12.0 if over else 24.0
    best, second, leader = -1e9, -1e9, 0
    for seat in range(state.num_players):
        if results[seat] > best:
            best, second, leader = results[seat], best, seat
        elif results[seat] > second:
            second = results[seat]
    for seat in range(state.num_players):
        ahead = results[seat] - (second if seat == leader else best)
        results[seat] = 1.0 / (1.0 + exp(-ahead / scale))
