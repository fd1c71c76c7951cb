"""Monte Carlo tree search with hidden information, for any compiled game and number of players.

A tree belongs to the seat to move at its root. Every simulation redeals what that seat cannot know (`redeal_hidden`),
descends one tree shared by all deals, adds a node, evaluates the position there, and backs up every seat's value to
the root (max^n: each seat maximises its own value). Among the actions legal in this deal it tries the most promising
one (PUCT): the mean so far, plus a bonus that falls with visits and rises with the prior. Actions are single decisions,
so a node has few children. An untried action counts a little less than its parent, so likely actions are tried first,
and unlikely ones perhaps never.

A leaf is evaluated by a random playout to the end of the game, or by a learned value (`core.search.value`). In the
middle of a turn, the value judges the best end of the turn (`core.search.turns`).

The free names are bound to each game (`core.binding`). A game may replace `judge_leaf`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple, TypeAlias

import numpy as np

from ..binding import shared, shared_entry
from ..checks import MOST, as_array, as_count, as_flag, as_integer, as_number, as_seed
from ..game import seat_to_move
from ..jit import jit
from ..kernel.rewards import places_lost
from ..kernel.rng import WORDS, seed_generator, simulation_seed
from ..kernel.rules import MAX_SEATS, NOBODY, advance, redeal_hidden, write_legal_mask, write_outcome
from ..records import AnyState, AnyTables, Array, Record, field
from ..signature import F4, I8, ArrayOf, JudgeRows, OutF8, OutI1, OutI4, OutStateRows, OutU4, StateRows, TableRows
from .playouts import play_out
from .stopping import slices
from .turns import MOST_COUNTED, Memory, best_ending, memory_for
from .value import as_judge, chance_of, judge_dtype, lead_of, stage_of

if TYPE_CHECKING:
    from ..compiled import CompiledGame

NONE: Final = -1
TREE_STREAM: Final = 0x7EEE  # separates the playouts' random stream from the deals'
FIRST_LOOK: Final = 0.05  # an untried action is worth this much less than its parent
SLICE: Final = 64  # simulations per compiled call
FLOAT: Final = np.finfo(np.float32)


class Node(Record):
    parent: int = field("i4")
    first_child: int = field("i4")
    sibling: int = field("i4")
    visits: int = field("i4")
    action: int = field("i2")
    values: Array[float] = field("f4", MAX_SEATS)  # summed, by seat


class Playout(Record):
    """The result of a playout."""

    scores: Array[int] = field("i4", MAX_SEATS)
    ranking: Array[int] = field("i4", MAX_SEATS)
    won: Array[int] = field("i1", MAX_SEATS)


OutNodes: TypeAlias = Annotated[np.ndarray, ArrayOf(Node.dtype, written=True)]
OutPlayouts: TypeAlias = Annotated[np.ndarray, ArrayOf(Playout.dtype, written=True)]


class Leaf(NamedTuple):
    """What `judge_leaf` needs: it plays a leaf out if `endings` is 0, else judges the best of so many endings."""

    playouts: OutPlayouts  # (1,), scratch
    endings: int
    judges: JudgeRows  # (1,)
    memory: Memory


class Found(NamedTuple):
    """visits: (A,) visits of each root action. value: (A,) their mean values to the seat to move, 0 to 1."""

    visits: np.ndarray
    value: np.ndarray


class TreeSearch:
    """Searches positions of one game.

    exploration: the weight of the bonus, 0 to 10^9.
    priors: (A,) prior weights of the actions, finite and above 0 as float32; None: uniform.
    judge: (1,) `value.judge_dtype` of the game, which is copied and evaluates leaves; None: playouts.
    endings: with a judge, the most ways to end a leaf's turn that are examined.

    Raises:
        TypeError, ValueError: an argument is not what is described here.
    """

    def __init__(
        self,
        game: CompiledGame,
        *,
        exploration: float = 0.6,
        priors: np.ndarray | None = None,
        judge: np.ndarray | None = None,
        endings: int = 30,
    ) -> None:
        actions = game.num_actions
        self._game = game
        self._tables = game.tables
        self._priors = as_priors(priors, actions)
        self._exploration = as_number("exploration", exploration, 0, MOST)
        self._copy = game.blank_states(1)
        self._mask = np.zeros(actions, np.int8)
        self._child = np.full(actions, NONE, np.int32)
        self._words = np.zeros(WORDS, np.uint32)
        self._values = np.zeros(MAX_SEATS, np.float64)
        self._nodes = np.zeros(0, Node.dtype)
        endings = as_count("endings", endings, MOST_COUNTED)
        unused = np.zeros(1, judge_dtype(len(game.value_features), game.value_stages))
        self._leaf: Any = Leaf(
            playouts=np.zeros(1, Playout.dtype),
            endings=0 if judge is None else endings,
            judges=unused if judge is None else as_judge(judge, game),
            memory=memory_for(game),
        )

    @property
    def _kernel(self) -> Any:
        """The kernel, not stored here because another process would recompile a pickled one for a minute."""
        return self._game.kernel

    def search(
        self, state: np.ndarray, simulations: int, seed: int, more: bool = False, advice: Sequence[int] = ()
    ) -> Found:
        """Run `simulations` from `state`, which is not changed. With `more`, continue the tree of the last call.

        advice: a promising line of play from here, as actions 0 to A - 1. Along it, the advised action gets half of the
            prior. The line ends where an action is not legal.

        Raises:
            TypeError, ValueError: the state belongs to another game or variant, or is over; `simulations`, `seed`,
                `more` or `advice` is not what is described here, or the tree would have 2^31 simulations.
            StoppedError: see `core.search.stopping`.
        """
        seat = seat_to_move(self._game, state)
        line = as_array("advice", advice, (None,), np.int64, 0, len(self._mask) - 1)
        first = int(self._nodes["visits"][0]) if as_flag("more", more) and len(self._nodes) else 0
        simulations = as_count("simulations", simulations, MOST_COUNTED - first)
        seed = as_seed(seed)
        nodes = np.zeros(first + simulations + 1, Node.dtype)
        nodes[: first + 1] = self._nodes[: first + 1] if first else 0
        self._nodes = nodes
        for begin, end in slices(first, first + simulations, SLICE):
            self._kernel.grow(
                self._tables,
                state,
                self._copy,
                nodes,
                begin,
                end - begin,
                seed,
                self._exploration,
                self._priors,
                self._mask,
                self._child,
                self._words,
                self._values,
                line,
                self._leaf,
            )
        return self._found(seat)

    def line(self, least: int = 2) -> list[int]:
        """The line of most visited actions in the last search, each with at least `least` visits."""
        node, actions, least = 0, [], as_integer("least", least, 1)
        while len(self._nodes):
            children = []
            child = int(self._nodes["first_child"][node])
            while child != NONE:
                children.append(child)
                child = int(self._nodes["sibling"][child])
            node = max(children, key=lambda one: int(self._nodes["visits"][one]), default=NONE)
            if node == NONE or self._nodes["visits"][node] < least:
                break
            actions.append(int(self._nodes["action"][node]))
        return actions

    def _found(self, seat: int) -> Found:
        visits, value = np.zeros(len(self._mask), np.int64), np.zeros(len(self._mask))
        child = int(self._nodes["first_child"][0])
        while child != NONE:
            node = self._nodes[child]
            visits[node["action"]] = node["visits"]
            value[node["action"]] = node["values"][seat] / max(1, node["visits"])
            child = int(node["sibling"])
        return Found(visits, value)


def as_priors(priors: Any, actions: int) -> np.ndarray:
    """The prior weights as compiled code takes them, a new array (A,) float32; None: uniform.

    Raises:
        TypeError, ValueError: they are not one number above 0 for each action. With none above 0 among the legal
            actions, the search would have no action to try.
    """
    if priors is None:
        return np.ones(actions, np.float32)
    smallest, largest = float(FLOAT.smallest_subnormal), float(FLOAT.max)
    given = as_array(
        "priors", priors, (actions,), np.float32, smallest, largest, each="action", words="finite numbers above 0"
    )
    return given.copy()


@shared_entry("search")
def grow(
    tables: TableRows,
    roots: StateRows,
    copies: OutStateRows,
    nodes: OutNodes,
    first: int,
    simulations: int,
    seed: int,
    exploration: float,
    priors: F4,
    mask: OutI1,
    child_of: OutI4,
    words: OutU4,
    values: OutF8,
    advice: I8,
    leaf: Leaf,
) -> None:
    """Add simulations to the tree in `nodes`, of which `first` + 1 are in use (initially only the blank root)."""
    cards, state = tables[0], copies[0]
    asking = roots[0].current
    if first == 0:
        new_node(nodes, 0, NONE, 0)
    used = first + 1
    for simulation in range(first, first + simulations):
        copies[0] = roots[0]
        dealt_from = simulation_seed(words, seed, simulation)
        redeal_hidden(cards, state, asking, dealt_from)
        seed_generator(words, dealt_from, TREE_STREAM)
        write_legal_mask(cards, state, mask)
        node = 0
        grown = False
        depth = 0
        while state.current != NOBODY and not grown:
            advised = NONE
            if depth < len(advice):
                advised = int(advice[depth])
            action = most_promising(nodes, node, int(state.current), mask, priors, advised, child_of, exploration)
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
        judge_leaf(tables, copies, priors, mask, words, values, leaf)
        while node != NONE:
            nodes[node].visits += 1
            for seat in range(state.num_players):
                nodes[node].values[seat] += values[seat]
            node = nodes[node].parent


@shared
def judge_leaf(
    tables: np.ndarray,
    leaves: np.ndarray,
    priors: np.ndarray,
    mask: np.ndarray,
    words: np.ndarray,
    values: np.ndarray,
    leaf: Leaf,
) -> None:
    """Write the value of the position `leaves[0]` to every seat, 0 to 1, into `values`. The position may be changed.

    priors (A,), mask (A,) of the position, words: a generator. A game that replaces this replaces `Leaf`, too.
    """
    state = leaves[0]
    if leaf.endings == 0:
        play_out(tables[0], state, mask, words)
    if state.current == NOBODY:
        write_results(tables[0], state, leaf.playouts[0], values)
        return
    mover = int(state.current)
    memory, judge = leaf.memory, leaf.judges[0]
    memory.stack[1] = state
    memory.masks[1] = mask
    best_ending(tables[0], judge, mover, leaf.endings, memory)
    players, spread = int(state.num_players), float(judge.spread[stage_of(tables[0], state)])
    for seat in range(players):
        values[seat] = chance_of(lead_of(memory.values[0], players, seat), spread)


@shared
def write_results(cards: AnyTables, state: AnyState, end: Playout, values: np.ndarray) -> None:
    """Write the values of a finished game: half for winning and half for the place, or with one player for winning."""
    players = int(state.num_players)
    write_outcome(cards, state, end.scores, end.ranking, end.won)
    winners = 0
    for seat in range(players):
        winners += end.won[seat]
    for seat in range(players):
        values[seat] = end.won[seat] / max(1, winners)
        if players > 1:
            values[seat] = 0.5 * values[seat] + 0.5 * (1.0 - places_lost(end.ranking[:players], seat) / (players - 1))


@jit
def new_node(nodes: np.ndarray, place: int, parent: int, action: int) -> None:
    node = nodes[place]
    node.parent = parent
    node.first_child = NONE
    node.sibling = NONE
    node.action = action


@jit
def child_after(nodes: np.ndarray, node: int, action: int) -> int:
    child = int(nodes[node].first_child)
    while child != NONE and nodes[child].action != action:
        child = int(nodes[child].sibling)
    return child


@jit
def most_promising(
    nodes: np.ndarray,
    node: int,
    mover: int,
    mask: np.ndarray,
    priors: np.ndarray,
    advised: int,
    child_of: np.ndarray,
    exploration: float,
) -> int:
    """The best action by PUCT among those legal in this deal. `child_of`, (A,), is scratch, all NONE."""
    child = nodes[node].first_child
    while child != NONE:
        child_of[nodes[child].action] = child
        child = nodes[child].sibling
    total = 0.0
    for action in range(len(mask)):
        if mask[action]:
            total += float(priors[action])  # without compiling, NumPy would sum in float32
    visits = nodes[node].visits
    untried = (nodes[node].values[mover] / visits if visits > 0 else 0.5) - FIRST_LOOK
    bonus = exploration * sqrt(visits + 1.0)
    best, most = NONE, -1e9
    for action in range(len(mask)):
        if mask[action] == 0:
            continue
        promise, number = untried, 0
        if child_of[action] != NONE:
            number = nodes[child_of[action]].visits
            promise = nodes[child_of[action]].values[mover] / number
        prior = float(priors[action]) / total
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
