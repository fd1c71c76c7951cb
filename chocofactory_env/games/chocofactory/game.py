"""Chocolate Factory as a `core.game.Game`: the Python side of the kernel."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.checks import SEED_LIMIT, as_integer, as_seed
from ...core.game import IllegalActionError, Playouts, State, Step
from ...core.layout import Tensors
from ...core.messages import shown
from ...core.rng import WORDS
from . import kernel, serial
from .actions import ACTIONS
from .constants import NONE, Phase
from .observation import observation_layout, tables_of
from .rules.end import Source
from .state import STATE, blank
from .tables import load_cards
from .variants import Variant


def seeds_of_playouts(seeds: Sequence[int] | np.ndarray) -> np.ndarray:
    """(K,) int64.

    Raises:
        TypeError: no integers in one dimension.
        ValueError: one outside 0 to 2^63 - 1.
    """
    if not isinstance(seeds, np.ndarray):
        return np.array([as_seed(seed) for seed in seeds], np.int64)
    if seeds.ndim != 1 or (seeds.size and seeds.dtype.kind not in "iu"):
        raise TypeError(f"seeds: expected whole numbers (K,), got {seeds.dtype} of shape {seeds.shape}")
    if np.any(seeds < 0) or np.any(seeds >= SEED_LIMIT):
        raise ValueError(f"seeds: expected 0 to 2**63 - 1, got {shown(seeds)}")
    return seeds.astype(np.int64)


if TYPE_CHECKING:
    from .search.plan import Planner
    from .search.tree import TreeSearch


class ChocolateFactory:
    """One variant of Chocolate Factory (1-4 players; one player is the solo game Factory Manager).

    A state is an array (1,) of `state.STATE`; it belongs to the caller, and the game keeps none. P is the number of
    players, A of actions, O of numbers in an observation. Options: see `variants.Variant`; `deck` is the path of a
    TOML file with cards that replace the shipped ones (DeckError if it is broken).
    """

    name = "chocofactory"
    rules_version = 2  # raised when the same actions no longer lead to the same positions

    def __init__(self, deck: str | Path | None = None, **options: Any) -> None:
        self.variant = Variant.from_options(options)
        self.cards = load_cards(deck, self.variant.expansion)
        self.tables = tables_of(self.cards.array)
        self._check_difficulty()
        self.num_players = self.variant.num_players
        self.action_layout = ACTIONS
        self.num_actions = ACTIONS.size
        self.observation_layout = observation_layout(
            self.num_players, self.variant.difficulty, expanded=self.variant.expansion is not None
        )
        self.deck_hash = self.cards.hash
        self.options: Mapping[str, Any] = {**asdict(self.variant), "deck": None if deck is None else str(deck)}
        self._scale = self.observation_layout.scale
        self._blank = blank()
        self._blank["num_players"] = self.num_players
        self._blank["observation_size"] = self.observation_layout.size
        self._blank["play_forced"] = self.variant.play_forced
        self._blank["difficulty"] = self.variant.difficulty
        self._blank["start_option"] = NONE if self.variant.start_player is None else self.variant.start_player
        self._blank["side_options"] = self.variant.side_options()

    def _check_difficulty(self) -> None:
        most = serial.most_difficulty(self.cards)
        if self.variant.difficulty > most:
            raise ValueError(
                f"difficulty: expected 0 to {most} with this deck's demands, got {self.variant.difficulty}"
            )

    def blank_state(self) -> State:
        """An empty record with this variant's options; `serial` fills it."""
        state = self._blank.copy()
        for name in ("display_parts", "part_packets", "display_employees", "employee_packets", "offer", "part_deck"):
            state[name] = NONE
        for name in ("employee_decks", "demands", "target"):
            state[name] = NONE
        state["order_decks"]["cards"] = NONE
        state["players"]["factory"][0, self.num_players :] = NONE
        return state

    # --- playing

    def new(self, seed: int | None = None) -> State:
        """A game dealt from `seed` (0 to 2^63 - 1; None: one drawn from the system's entropy).

        TypeError, ValueError for what is no seed.
        """
        if seed is None:
            seed = int(np.random.SeedSequence().generate_state(1, np.uint64)[0]) % SEED_LIMIT
        state = self._blank.copy()
        state["seed"] = as_seed(seed)
        kernel.new_game(self.tables, state)
        return state

    def renew(self, state: State) -> None:
        """Deal the next game into `state`, with a seed drawn from its own generator."""
        kernel.next_game(self.tables, state)

    def seed_of(self, state: State) -> int:
        """The seed with which `new` gives the same deal (of a `redeal`: the seed it was given)."""
        return int(state["seed"][0])

    def current_player(self, state: State) -> int:
        """The seat to move; -1 when the game is over."""
        return int(state["current"][0])

    def legal_mask(self, state: State) -> np.ndarray:
        """(A,) int8: 1 for every legal action of the player to move; all 0 when the game is over."""
        mask = np.empty(self.num_actions, np.int8)
        kernel.legal_mask(self.tables, state, mask)
        return mask

    def apply(self, state: State, action: int) -> None:
        """Play an action in place.

        IllegalActionError with what, when, and what is legal; the state then is unchanged.
        """
        self._own(state)
        mask = self.legal_mask(state)
        if not 0 <= action < self.num_actions or mask[action] == 0:
            raise IllegalActionError(self._explain(state, action, mask))
        kernel.step(self.tables, state, action, mask)

    def _own(self, state: State) -> None:
        """ValueError unless it is one position of this variant: compiled code would write beyond its arrays."""
        if state.shape != (1,) or state["observation_size"][0] != self.observation_layout.size:
            raise ValueError(
                f"state: expected one position of this variant, {self.num_players} players who see "
                f"{self.observation_layout.size} numbers, got shape {state.shape} with "
                f"{state['num_players'].tolist()} players and {state['observation_size'].tolist()} numbers"
            )

    def _explain(self, state: State, action: int, mask: np.ndarray) -> str:
        what = self.describe(action) if 0 <= action < self.num_actions else "no such action"
        if self.is_over(state):
            return f"illegal action {action} ({what}): the game is over"
        legal = ", ".join(f"{number} ({self.describe(number)})" for number in np.flatnonzero(mask).tolist())
        when = (
            f"day {state['day'][0] + 1}, {Phase(state['phase'][0]).name.lower()}, player {self.current_player(state)}"
        )
        return f"illegal action {action} ({what}) on {when}; legal: {legal}"

    def is_over(self, state: State) -> bool:
        return bool(state["current"][0] == NONE)

    def clone(self, state: State) -> State:
        """A copy of the memory."""
        return np.frombuffer(bytearray(state.tobytes()), STATE)

    def redeal(self, state: State, player: int, seed: int) -> State:
        """A copy in which all that lies face down is drawn afresh. All seats know the same, whoever `player` is.

        It follows from what lies open and from `seed` (as that of `new`), not from how the hidden cards lay.
        """
        seed = as_seed(seed)
        if not 0 <= player < self.num_players:
            raise ValueError(f"player: expected 0 to {self.num_players - 1}, got {player}")
        copy = self.clone(state)
        kernel.redeal(self.tables, copy, seed)
        return copy

    # --- search

    def planner(self, width: int, guess: np.ndarray | None = None) -> Planner:
        """Plans a seat's day by beam search, `width` positions wide; see `search.plan.Planner`."""
        from .search.plan import Planner

        return Planner(self, width, guess)

    def guesses(self) -> np.ndarray:
        """(1,): the numbers by which a planner judges positions, to be changed and given to `planner`."""
        from .search.guess import guesses

        return guesses()

    def tree_search(self, **settings: Any) -> TreeSearch:
        """Monte-Carlo tree search; see `search.tree.TreeSearch`."""
        from .search.tree import TreeSearch

        return TreeSearch(self, **settings)

    # --- playouts

    def random_playout(self, state: State, seed: int) -> State:
        """A copy of the position, played at random to the end of the game (hidden cards lie as they lie)."""
        from . import batch

        self._own(state)
        seed = as_seed(seed)
        end = self.clone(state)
        batch.random_playout(self.tables, end, seed, np.empty(self.num_actions, np.int8), np.empty(WORDS, np.uint32))
        return end

    def random_playouts(
        self, state: State, seeds: Sequence[int] | np.ndarray, *, redeal: bool = False, num_threads: int = 1
    ) -> Playouts:
        """Results of one random playout of the position for every seed, in one compiled call a thread.

        Args:
            seeds: (K,); equal seeds give equal playouts, whatever the number of threads.
            redeal: before each playout, draw afresh what lies face down, as `redeal(state, ..., seed)` does.
        """
        from . import batch

        self._own(state)
        start = self.clone(state)
        given = seeds_of_playouts(seeds)
        num_threads = as_integer("num_threads", num_threads, 1)
        results = Playouts(
            scores=np.empty((len(given), self.num_players), np.int32),
            ranking=np.empty((len(given), self.num_players), np.int32),
            won=np.empty((len(given), self.num_players), np.bool_),
            decisions=np.empty(len(given), np.int32),
        )

        def play(first: int, end: int) -> None:
            mask, words = np.empty(self.num_actions, np.int8), np.empty(WORDS, np.uint32)
            part = given[first:end]
            batch.random_playouts(self.tables, start, self._blank.copy(), part, redeal, first, mask, words, *results)

        bounds = np.linspace(0, len(given), num_threads + 1).astype(int).tolist()
        if num_threads <= 1:
            play(0, len(given))
        else:
            with ThreadPoolExecutor(num_threads) as pool:
                list(pool.map(play, bounds[:-1], bounds[1:]))
        return results

    # --- money

    def score_sheets(self, state: State) -> np.ndarray:
        """(P, 5) int32: money by `rules.end.Source`, as if the game ended now (END-2 to END-5)."""
        self._own(state)
        sheets = np.empty((self.num_players, len(Source)), np.int32)
        kernel.score_sheets(self.tables, state, sheets)
        return sheets

    def scores(self, state: State) -> np.ndarray:
        """(P,) int32: money earned so far; with the prizes of the end once the game is over."""
        if not self.is_over(state):
            return state["players"]["money"][0, : self.num_players].astype(np.int32)
        return self.score_sheets(state).sum(axis=1, dtype=np.int32)

    def standings(self, state: State) -> np.ndarray:
        """(P,) int32: the money if the game ended now, leftovers left aside; 0 at the start."""
        self._own(state)
        standings = np.empty(self.num_players, np.int32)
        kernel.standings(self.tables, state, standings)
        return standings

    def ranking(self, state: State) -> np.ndarray:
        """(P,) int32: each seat's place, 0 = winner, ties broken by END-6. Before the end: by the money so far."""
        self._own(state)
        places = np.empty(self.num_players, np.int32)
        kernel.ranking(state, self.scores(state), places)
        return places

    def won(self, state: State) -> np.ndarray:
        """(P,) bool: who has won (solo: SOLO-8); all False before the end."""
        if not self.is_over(state):
            return np.zeros(self.num_players, bool)
        if self.num_players == 1:
            return np.array([kernel.won_solo(self.tables, state)], bool)
        return self.ranking(state) == 0

    # --- seeing

    def observe(self, state: State, player: int) -> Tensors:
        """Named float32 tensors in [0, 1], egocentric: views of one fresh buffer, `flat`, of O numbers."""
        if not 0 <= player < self.num_players:
            raise ValueError(f"player: expected 0 to {self.num_players - 1}, got {player}")
        self._own(state)
        out = np.empty(self.observation_layout.size, np.float32)
        self.write_observation(state, player, out)
        return self.observation_layout.tensors(out)

    def decode(self, action: int) -> tuple[str, int]:
        return ACTIONS.decode(action)

    def describe(self, action: int) -> str:
        return serial.describe(action)

    def render(self, state: State) -> str:
        """The whole table as text, at most 100 columns."""
        from .render import render

        return render(self.to_dict(state), self.cards, self.scores(state).tolist())

    def to_dict(self, state: State) -> dict[str, Any]:
        """The position in the rulebook's words, as `docs/protocol.md` describes it; JSON-able, loses nothing."""
        self._own(state)
        return serial.to_dict(self, state)

    def from_dict(self, data: Mapping[str, Any]) -> State:
        """The position that `to_dict` described; StateError (a ValueError) naming what does not fit."""
        return serial.from_dict(self, data)

    # --- many games at once (`core.batch` checks what it passes)

    def blank_states(self, number: int) -> np.ndarray:
        """So many positions that are still to be dealt."""
        return np.repeat(self._blank, number)

    def rows_player(
        self,
        plan: np.ndarray,
        states: np.ndarray,
        book: np.ndarray,
        actions: np.ndarray,
        masks: np.ndarray,
        out: Step,
        observations: tuple[np.ndarray, np.ndarray],
        final: tuple[np.ndarray, np.ndarray],
    ) -> Callable[[np.ndarray], int]:
        """A function that carries out the stages of `plan` for given rows; see `core.rows` and `batch.play_rows`."""
        from . import batch

        return partial(
            batch.play_rows,
            plan,
            self.tables,
            states,
            book,
            actions,
            masks,
            out.action_masks,
            out.rewards,
            out.dones,
            out.current_player,
            *observations,
            *final,
            self._scale,
        )

    def observe_movers(self, states: np.ndarray, which: np.ndarray, raw: np.ndarray, out: np.ndarray) -> None:
        """Write what whoever moves in the rows `which` sees, scaled, into `out`, (K, O) float32; `raw` is scratch."""
        from . import batch

        batch.observe_movers(self.tables, states, which, raw, self._scale, out)

    # --- the adapters' fast path: nothing is checked

    def write_mask(self, state: State, mask: np.ndarray) -> None:
        """Write the legal mask into `mask`, (A,) int8."""
        kernel.legal_mask(self.tables, state, mask)

    def advance(self, state: State, action: int, mask: np.ndarray) -> int:
        """Apply a legal action, write the mask of the next decision; returns the next seat, -1 when over."""
        return kernel.step(self.tables, state, action, mask)

    def write_observation(self, state: State, player: int, out: np.ndarray, scratch: np.ndarray | None = None) -> None:
        """Write the scaled observation into `out`, (O,) float32; `scratch`, (O,) uint8, saves making one."""
        raw = np.empty(len(out), np.uint8) if scratch is None else scratch
        kernel.observe_scaled(self.tables, state, player, raw, self._scale, out)

    def write_raw_observation(self, state: State, player: int, out: np.ndarray) -> None:
        """Write the unscaled observation into `out`, (O,) uint8."""
        kernel.observe(self.tables, state, player, out)
