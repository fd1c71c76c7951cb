"""`CompiledGame`: the Python side of every game whose rules are compiled. A game adds its words, data and pictures."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from functools import cached_property
from hashlib import sha256
from typing import Any, ClassVar, Final, Self

import numpy as np

from .binding import provides
from .cards.generated import Generator
from .checks import MOST_ROWS, MOST_THREADS, SEED_LIMIT, Choices, as_action, as_count, as_integer, as_seed
from .codec import Table, check_keys, check_same, from_json, to_json
from .errors import StateError
from .game import Game, IllegalActionError, JointStep, Playouts, State, Step, seat_to_move
from .kernel.rng import WORDS
from .kernel.rules import ILLEGAL, MAX_SEATS, NOBODY, STATE_FIELDS
from .kernel.variants import LoadedVariants
from .messages import shown
from .observation.layout import ActionLayout, ObservationLayout, Tensors, places_in
from .records import Record
from .search.playouts import ANY
from .search.stopping import slices
from .search.tree import TreeSearch
from .search.turns import TurnSearch
from .search.value import judge_dtype
from .text.answers import move_tool, read_moves
from .text.events import Event, line_of
from .text.printing import Printed
from .text.prompts import ANSWER, NOTATION, PositionText, brief_rules, legal_moves

PLAYOUTS_AT_ONCE: Final = 256  # in one compiled call
INT8, UINT8 = np.dtype(np.int8), np.dtype(np.uint8)  # allocating with a dtype object is faster than with its class
FORCED: Final = "play_forced"  # field of a state, if there is such an option


class CompiledGame(Game):
    """One variant of a compiled game. `Game` documents the methods.

    A state is an array (1,) of the game's state record; it belongs to the caller, and the game keeps none.
    P is the number of players, A of actions, O of numbers in an observation.

    A game sets `name`, `rules_version` and `kernel`, calls `__init__`, and defines the abstract methods.
    """

    kernel: ClassVar[Any]  # the game's rules, as `binding.bind` returns them
    record: ClassVar[type[Record]]  # of positions; its bases hold the options of the variant
    value_features: ClassVar[Sequence[str]] = ()  # names of a learned value's features; see `core.search.value`
    value_stages: ClassVar[int] = 1
    deck_generator: ClassVar[Generator | None] = None  # for `generate_deck` and `deck="generated:17"`
    pads = False  # whether observations have room for other variants, see `padded`
    scripted_agent: ClassVar[str] = ""  # name of the agent that is `kernel.rules.scripted_action`, if there is one
    phase_block: ClassVar[str] = ""  # its entries are the phases of `data/brief.md`; see `core.text.prompts`

    def __init__(
        self,
        *,
        options: Mapping[str, Any],
        num_players: int,
        tables: np.ndarray,
        deck_hash: str,
        blank: np.ndarray,
        action_layout: ActionLayout,
        observation_layout: ObservationLayout,
        simultaneous: bool = False,
    ) -> None:
        """Set up a variant.

        Args:
            options: the variant's options, JSON-compatible.
            tables: (1,) record of the constant data that rules and observations read.
            deck_hash: a hash of the cards' contents; "" for a game without any.
            blank: (1,) state record with the options of the variant and nothing else.
            simultaneous: True if several seats may decide at the same time in this variant (`core.kernel.joint`).

        Raises:
            ValueError: the state record lacks a field of `kernel.rules.STATE_FIELDS`, or there are too many players.
        """
        missing = set(STATE_FIELDS) - set(blank.dtype.names or ())
        if missing:
            raise ValueError(f"{self.name}: the state record has no field {', '.join(sorted(missing))}")
        if taken := {"game", "deck", "options"} & set(self.record.own_fields):
            raise ValueError(f"{self.name}: the state record has a field {min(taken)}, a key of positions as data")
        self.options: Mapping[str, Any] = dict(options)
        self.num_players = as_integer("num_players", num_players, 1, MAX_SEATS)
        self.tables = tables
        self.deck_hash = deck_hash
        self.simultaneous = simultaneous
        self.action_layout = action_layout
        self.num_actions = action_layout.size
        self.observation_layout = observation_layout
        self._scale = observation_layout.scale
        self._variants = [variant_of(self.name, options, deck_hash)]  # of one position, see `check_state`
        self._state = blank.dtype
        self._blank = blank.copy()
        self._blank["num_players"] = num_players
        self._blank["variant"] = self._variants

    def __repr__(self) -> str:
        options = [f"{name}={value!r}" for name, value in self.options.items() if value is not None]
        return f"{type(self).__name__}({', '.join(options)})"

    # --- what a game adds

    def choices(self) -> Choices:
        """The variant's options that have few values, with their values; empty by default."""
        return {}

    def __getstate__(self) -> dict[str, Any]:
        """Without what is made again: `rules` hold addresses."""
        return {name: value for name, value in self.__dict__.items() if name not in ("rules", "words")}

    @cached_property
    def rules(self) -> RulesOfTables:
        """The kernel's functions without their first argument, `tables`."""
        return RulesOfTables(self)

    @cached_property
    def words(self) -> Table:
        """The words of positions as data, by record and field; see `core.codec`."""
        return {}

    # --- positions as data

    def to_dict(self, state: State) -> dict[str, Any]:
        self.check_state(state)
        return {**self._header(), **to_json(self.record, state[0], self.words)}

    def from_dict(self, data: Mapping[str, Any]) -> State:
        header, state = self._header(), self.new(0)  # seats that the variant lacks stay as they are dealt
        check_keys(data, [*header, *self.record.own_fields], "state")
        for name, expected in header.items():
            check_same(data[name], expected, f"state.{name}")
        fields = {name: value for name, value in data.items() if name not in header}
        from_json(self.record, fields, state[0], self.words)
        if not self.is_over(state) and not self.legal_mask(state).any():
            raise StateError("state: expected a legal action of the seat to move, got none")
        return state

    def _header(self) -> dict[str, Any]:
        """What a position as data belongs to. It has the deck's hash, so the option `deck`, a path, is left out."""
        options = {name: value for name, value in self.options.items() if name != "deck"}
        return {"game": self.name, "deck": self.deck_hash, "options": options}

    # --- playing

    def new(self, seed: int | None = None) -> State:
        if seed is None:
            seed = int(np.random.SeedSequence().generate_state(1, np.uint64)[0]) % SEED_LIMIT
        state = self._blank.copy()
        state["seed"] = as_seed(seed)
        self.rules.new_game(state)
        return state

    def renew(self, state: State) -> None:
        self.check_state(state)
        check_writable(state)
        self.rules.next_game(state)

    def seed_of(self, state: State) -> int:
        self.check_state(state)
        return int(state["seed"][0])

    def current_player(self, state: State) -> int:
        self.check_state(state)
        return int(state["current"].item())

    def is_over(self, state: State) -> bool:
        return self.current_player(state) == NOBODY

    def legal_mask(self, state: State) -> np.ndarray:
        self.check_state(state)
        scratch = self.rules.masks.take()
        self.rules.legal_mask(state, scratch)
        mask = scratch.copy()
        self.rules.masks.append(scratch)
        return mask

    def apply(self, state: State, action: int) -> None:
        self.check_state(state)
        check_writable(state)
        if action.__class__ is not int:
            action = as_action(action, self.num_actions)
        mask = self.rules.masks.take()
        played = 0 <= action < self.num_actions and self.rules.step_if_legal(state, action, mask) != ILLEGAL
        self.rules.masks.append(mask)
        if not played:
            self._legal(state, action)

    def _legal(self, state: State, action: int) -> int:
        """The action as an int; raises as `apply` does."""
        action, mask = as_action(action, self.num_actions), self.legal_mask(state)
        if not 0 <= action < self.num_actions or mask[action] == 0:
            raise IllegalActionError(self._explain(state, action, mask))
        return action

    def check_state(self, state: State) -> None:
        """Reject anything but one position of this variant: compiled code would read and write beyond its arrays.

        Raises:
            TypeError: not an array.
            ValueError: a position of another game, of other options or cards, or several positions.
        """
        dtype = getattr(state, "dtype", None)
        if dtype is None:
            raise TypeError(f"state: expected a position of {self.name}, got {shown(state)}")
        if dtype is not self._state and dtype != self._state:
            raise ValueError(f"state: expected a position of {self.name}, got an array of {shown(dtype)}")
        if state["variant"].tolist() != self._variants:  # a list of one number, so this checks the shape, too
            raise ValueError(
                f"state: expected one position of this variant, {self.num_players} players with the options and cards "
                f"of {self!r}, got shape {state.shape} with {state['num_players'].tolist()} players; "
                "load a game with the options and the deck of the position"
            )

    def _explain(self, state: State, action: int, mask: np.ndarray) -> str:
        what = self.describe(action) if 0 <= action < self.num_actions else "no such action"
        if self.is_over(state):
            return f"illegal action {action} ({what}): the game is over"
        legal = ", ".join(f"{number} ({self.describe(number)})" for number in np.flatnonzero(mask).tolist())
        legal = legal or "none: play cannot reach this position, and it cannot be played on"
        when = f"{self.when(state)}, player {self.current_player(state)}"
        return f"illegal action {action} ({what}) on {when}; legal: {legal}"

    def clone(self, state: State) -> State:
        if getattr(state, "dtype", None) is not self._state:  # the variant is not checked, for speed
            self.check_state(state)
        return np.frombuffer(bytearray(state.tobytes()), self._state)

    def redeal(self, state: State, player: int, seed: int) -> State:
        seed = as_seed(seed)
        player = self._as_player(player)
        self.check_state(state)
        copy = self.clone(state)
        self.rules.redeal(copy, player, seed)
        return copy

    def _as_viewer(self, player: Any) -> int | None:
        """A seat, or None for a spectator; TypeError, ValueError otherwise."""
        return None if player is None else self._as_player(player)

    def _as_player(self, player: Any, name: str = "player") -> int:
        return as_integer(name, player, 0, self.num_players - 1)

    # --- scores

    def _outcome(self, state: State) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        self.check_state(state)
        seats = self.num_players
        outcome = np.empty(seats, np.int32), np.empty(seats, np.int32), np.empty(seats, np.bool_)
        self.rules.outcome(state, *outcome)
        return outcome

    def scores(self, state: State) -> np.ndarray:
        return self._outcome(state)[0]

    def ranking(self, state: State) -> np.ndarray:
        return self._outcome(state)[1]

    def won(self, state: State) -> np.ndarray:
        return self._outcome(state)[2]

    def payoffs(self, state: State) -> np.ndarray:
        return self._of_seats(self.rules.payoffs, state)

    def standings(self, state: State) -> np.ndarray:
        return self._of_seats(self.rules.standings, state)

    def _of_seats(self, write: Callable[..., None], state: State) -> np.ndarray:
        self.check_state(state)
        numbers = np.empty(self.num_players, np.int32)
        write(state, numbers)
        return numbers

    # --- seeing

    def observe(self, state: State, player: int) -> Tensors:
        player = self._as_player(player)
        self.check_state(state)
        out, scratch = np.empty(self.observation_layout.size, np.float32), self.rules.raws.take()
        self.write_observation(state, player, out, scratch)
        self.rules.raws.append(scratch)
        return self.observation_layout.tensors(out)

    def padded(self, layout: ObservationLayout) -> Self:
        """This game with observations in `layout`, which has room for them (`layout.merged_layout`).

        It plays the same positions. Entries that the variant lacks are 0.

        Raises:
            ValueError: `tables` has no offsets `at` of the blocks, as `layout.offsets` makes them, or `layout` has
                no room for the observations.
        """
        places_in(layout, self.observation_layout)  # raises if there is no room
        if "at" not in (self.tables.dtype.names or ()):
            raise ValueError(f"{self.name}: expected tables with a field `at`, by `offsets`, got none")
        padded = copy(self)
        for derived in ("_position_text", "rules"):
            padded.__dict__.pop(derived, None)
        padded.pads, padded.observation_layout, padded._scale = True, layout, layout.scale
        padded.tables = self.tables.copy()
        for name in self.observation_layout.offset_of:
            padded.tables["at"][name] = layout.offset_of[name]
        return padded

    def event(self, state: State, action: int, player: int | None) -> Event | None:
        action, _ = self._told(state, action, player)
        return Event(f"chooses {self.describe(action)}")

    def _told(self, state: State, action: int, player: int | None) -> tuple[int, int | None]:
        """A legal action and its reader, for an `event`; raises as `apply` does, and for what is no viewer."""
        return self._legal(state, action), self._as_viewer(player)

    def move_in_words(self, state: State, action: int, player: int | None = None) -> str:
        return Printed(line_of(self.current_player(state), self.event(state, action, player)))

    def decode(self, action: int) -> tuple[str, int]:
        return self.action_layout.decode(as_action(action, self.num_actions))

    # --- text

    def prompt(self, state: State, player: int, moves: Iterable[str] = (), *, rules: bool = True) -> str:
        player, seen, legal = self._asked(state, player)
        if isinstance(moves, str):
            raise TypeError(f"moves: expected lines in a list, got {shown(moves)}")
        log = [move for move in moves if move]
        parts = [self.prompt_rules(state, player)] if rules else []
        parts.append(self._position_text.write(self._raw(seen, player), player))
        if log:
            parts.append("\n".join(["Since your last decision:", *log]))
        parts.append(legal_moves(legal.items()) if legal else "You have nothing to decide now.")
        return Printed("\n\n".join(parts))

    def prompt_rules(self, state: State, player: int) -> str:
        player, seen, _ = self._asked(state, player)
        general, phases = self.rules_in_brief()
        now = [phases[phase] for phase in self.phases_now(seen, player)]
        fields = "\n".join([NOTATION, *self._position_text.legend()])
        return Printed("\n\n".join(filter(None, [fields, general, ANSWER, *now])))

    def rules_in_brief(self) -> tuple[str, Mapping[str, str]]:
        """The rules in brief: for all phases, and by phase; empty without the game's `data/brief.md`."""
        return self._brief

    @cached_property
    def _brief(self) -> tuple[str, Mapping[str, str]]:
        general, phases = brief_rules(type(self).__module__.rpartition(".")[0])
        numbers = self.numbers_in_brief()
        if not numbers:
            return general, phases
        return general.format_map(numbers), {name: words.format_map(numbers) for name, words in phases.items()}

    def numbers_in_brief(self) -> Mapping[str, object]:
        """The deck's numbers, by their names in braces in `data/brief.md`; without any, braces stay as they are."""
        return {}

    def phases_now(self, state: State, player: int) -> list[str]:
        """The current phases, as keys of `rules_in_brief`, as far as the seat may know them."""
        self.check_state(state)
        player = self._as_player(player)
        if not self.phase_block:
            return []
        entries = next(block.entries for block in self.observation_layout.blocks if block.name == self.phase_block)
        shown_now = self.observation_layout.tensors(self._raw(state, player))[self.phase_block]
        return [entry for entry, number in zip(entries, shown_now, strict=True) if number]

    def parse_move(self, state: State, text: str, player: int | None = None) -> int:
        return self.parse_moves(state, text, player)[0]

    def parse_moves(self, state: State, text: str, player: int | None = None) -> list[int]:
        seat = seat_to_move(self, state) if player is None else player
        return read_moves(text, self._words, self._asked(state, seat)[2])

    def move_tool(self, state: State, player: int) -> dict[str, Any]:
        return move_tool(self._asked(state, player)[2])

    def read_prompt(self, text: str) -> tuple[np.ndarray, int]:
        return self._position_text.read(text)

    def _asked(self, state: State, player: Any) -> tuple[int, State, dict[int, str]]:
        """The seat, a copy of the position (with the seat to move, if it is asked), and its legal actions in words."""
        player = self._as_player(player)
        self.check_state(state)
        seen, words = self.clone(state), self._words
        masks = np.empty((self.num_players, self.num_actions + 1), np.int8)
        self.write_joint_masks(seen, masks)
        legal = {action: words[action] for action in np.flatnonzero(masks[player, :-1]).tolist()}
        if legal:
            self.ask_seat(seen, player)
        return player, seen, legal

    def is_asked(self, state: State, player: int) -> bool:
        """Whether the seat has a decision now; several have where seats decide at the same time."""
        return bool(self._asked(state, player)[2])

    def _raw(self, state: State, player: int) -> np.ndarray:
        raw = np.empty(self.observation_layout.raw_size, np.uint8)
        self.write_raw_observation(state, player, raw)
        return raw

    @cached_property
    def _position_text(self) -> PositionText:
        return PositionText(self.observation_layout, self.num_players)

    @cached_property
    def _words(self) -> tuple[str, ...]:
        return tuple(self.describe(action) for action in range(self.num_actions))

    # --- forced moves

    def forced_moves(self, state: State, action: int) -> list[tuple[State, int]]:
        """The forced moves that `apply` plays after this legal action, in order: each position and its only action.

        Empty for a game without an option `play_forced`, and where several seats decide at the same time.
        """
        self.check_state(state)
        action = as_action(action, self.num_actions)
        self.decode(action)
        if FORCED not in (self._state.names or ()) or not state[FORCED][0] or self.simultaneous:
            return []
        end, there = self.clone(state), self.clone(state)
        self.apply(end, action)
        found: list[tuple[State, int]] = []
        while True:
            there[FORCED] = 0
            self.apply(there, action)
            there[FORCED] = 1
            if there.tobytes() == end.tobytes():
                return found
            (action,) = np.flatnonzero(self.legal_mask(there)).tolist()
            found.append((self.clone(there), action))

    def choices_lie_open(self, state: State, player: int | None) -> bool:
        """Whether a seat (None: a spectator) may know the legal actions of the seat to move.

        By default everyone may if no block is private, else only that seat. A game with secrets overrides this.
        """
        return self._as_viewer(player) == self.current_player(state) or not self.observation_layout.has_private

    # --- search

    def scripted_action(self, state: State) -> int:
        """The action that the agent `scripted_agent` chooses for the seat to move; TypeError if the game has none."""
        seat_to_move(self, state)
        if not self.scripted_agent:
            raise TypeError(f"the game {self.name!r} has no scripted player")
        mask, notes = self.rules.masks.take(), self.rules.notes.take()
        action = int(self.rules.choose_scripted(state, mask, notes))
        self.rules.masks.append(mask)
        self.rules.notes.append(notes)
        return action

    def random_playout(self, state: State, seed: int) -> State:
        self.check_state(state)
        seed = as_seed(seed)
        end = self.clone(state)
        self.rules.random_playout(end, seed, np.empty(self.num_actions, np.int8), np.empty(WORDS, np.uint32))
        return end

    def random_playouts(
        self,
        state: State,
        seeds: Sequence[int] | np.ndarray,
        *,
        player: int | None = None,
        action: int | None = None,
        num_threads: int = 1,
    ) -> Playouts:
        self.check_state(state)
        if player is not None:
            player = self._as_player(player)
        if action is not None:
            action = self._legal(state, action)
        given = seeds_of_playouts(seeds)
        if action is not None and player is not None:
            self._check_redeals(state, player, given.tolist(), action)
        num_threads = min(as_count("num_threads", num_threads, MOST_THREADS), max(1, len(given)))
        results = Playouts(
            scores=np.empty((len(given), self.num_players), np.int32),
            ranking=np.empty((len(given), self.num_players), np.int32),
            won=np.empty((len(given), self.num_players), np.bool_),
            decisions=np.empty(len(given), np.int32),
            payoffs=np.empty((len(given), self.num_players), np.int32),
        )

        def play(first: int, end: int) -> None:
            mask, words = np.empty(self.num_actions, np.int8), np.empty(WORDS, np.uint32)
            seat = NOBODY if player is None else player
            begin = ANY if action is None else action
            copy = np.empty(1, self._state)
            for at, to in slices(first, end, PLAYOUTS_AT_ONCE):
                self.rules.random_playouts(state, copy, given[at:to], seat, begin, at, mask, words, *results)

        if num_threads <= 1:
            play(0, len(given))
        else:
            bounds = np.linspace(0, len(given), num_threads + 1).astype(int).tolist()
            with ThreadPoolExecutor(num_threads) as pool:
                list(pool.map(play, bounds[:-1], bounds[1:]))
        return results

    def _check_redeals(self, state: State, player: int, seeds: list[int], action: int) -> None:
        """IllegalActionError if a redeal for this seat takes the action from another seat, which is to move."""
        if player == self.current_player(state) or not self.observation_layout.has_private:
            return
        for seed in seeds:
            if self.legal_mask(self.redeal(state, player, seed))[action] == 0:
                raise IllegalActionError(
                    f"illegal action {action} ({self.describe(action)}) after the redeal from seed {seed}: player "
                    f"{player} cannot know that the seat to move may take it"
                )

    def tree_search(self, **settings: Any) -> TreeSearch:
        """Monte-Carlo tree search; see `core.search.tree.TreeSearch`."""
        return TreeSearch(self, **settings)

    def judge(self) -> np.ndarray:
        """A blank (1,) record of `value.judge_dtype`. The caller fills it, and searches evaluate positions with it.

        ValueError if the game has no features of positions.
        """
        if not provides(self.kernel, "write_features"):
            raise ValueError(f"the game {self.name!r} offers no features of positions at the end of a turn")
        judge = np.zeros(1, judge_dtype(len(self.value_features), self.value_stages))
        judge["spread"] = 1.0
        return judge

    def turn_search(self, judge: np.ndarray, **settings: Any) -> TurnSearch:
        """Looks ahead to the end of a seat's turn; see `core.search.turns.TurnSearch`."""
        return TurnSearch(self, judge, **settings)

    def features(self, state: State, player: int) -> tuple[np.ndarray, int]:
        """A seat's features for a learned value, (F,) float32, and the stage, which selects the value's weights."""
        player = self._as_player(player)
        self.check_state(state)
        features = np.zeros(len(self.value_features), np.float32)
        stage = self.rules.features(state, player, features)
        return features, int(stage)

    def turn_goes_on(self, state: State, player: int) -> bool:
        """Whether the seat is to move and still in the turn of its last move."""
        self.check_state(state)
        return bool(self.rules.goes_on(state, self._as_player(player)))

    # --- many games at once (`core.kernel.batch` checks what it passes)

    def blank_states(self, number: int) -> np.ndarray:
        return np.repeat(self._blank, as_integer("number", number, 0, MOST_ROWS))

    def _variants_or_own(self, variants: LoadedVariants | None) -> tuple[np.ndarray, ...]:
        """Tables, blank positions, slots, and choices as `kernel.stepping.step_rows` takes them."""
        if variants is None:
            return self.tables, self._blank, np.zeros(1, np.int32), np.zeros(1, np.int32)
        return variants.tables, variants.blanks, variants.slots, variants.choices

    def _scale_of(self, variants: LoadedVariants | None) -> np.ndarray:
        return self._scale if variants is None else variants.scale

    def row_stepper(
        self,
        step_options: np.ndarray,
        variants: LoadedVariants | None,
        states: np.ndarray,
        row_info: np.ndarray,
        actions: np.ndarray,
        masks: np.ndarray,
        out: Step,
        observations: tuple[np.ndarray, np.ndarray],
        final: tuple[np.ndarray, np.ndarray],
    ) -> Callable[[np.ndarray], int]:
        bound: Callable[[np.ndarray], int] = self.kernel.step_rows.bind(
            step_options,
            *self._variants_or_own(variants),
            states,
            row_info,
            actions,
            masks,
            out.action_masks,
            out.rewards,
            out.dones,
            out.current_player,
            *observations,
            *final,
            self._scale_of(variants),
            np.zeros(1, self.kernel.records.notes),
        )
        return bound

    def observe_movers(
        self,
        variants: LoadedVariants | None,
        states: np.ndarray,
        row_info: np.ndarray,
        rows: np.ndarray,
        raw: np.ndarray,
        out: np.ndarray,
    ) -> None:
        tables, _, slots, _ = self._variants_or_own(variants)
        self.kernel.observe_movers(tables, slots, states, row_info, rows, raw, self._scale_of(variants), out)

    def joint_stepper(
        self,
        step_options: np.ndarray,
        variants: LoadedVariants | None,
        states: np.ndarray,
        row_info: np.ndarray,
        actions: np.ndarray,
        masks: np.ndarray,
        out: JointStep,
        observations: tuple[np.ndarray, np.ndarray],
    ) -> Callable[[np.ndarray], int]:
        bound: Callable[[np.ndarray], int] = self.kernel.joint_step_rows.bind(
            step_options,
            *self._variants_or_own(variants),
            states,
            row_info,
            actions,
            masks,
            out.action_masks,
            out.rewards,
            out.dones,
            *observations,
            self._scale_of(variants),
        )
        return bound

    # --- the adapters' fast path: nothing is checked

    def write_joint_masks(self, state: State, masks: np.ndarray) -> None:
        self.rules.joint_masks(state, masks)

    def ask_seat(self, state: State, seat: int) -> None:
        self.rules.ask(state, seat)

    def advance_jointly(self, state: State, actions: np.ndarray, masks: np.ndarray) -> int:
        return int(self.rules.joint_step(state, actions, masks))

    def write_mask(self, state: State, mask: np.ndarray) -> None:
        self.rules.legal_mask(state, mask)

    def advance(self, state: State, action: int, mask: np.ndarray) -> int:
        return int(self.rules.step(state, action, mask))

    def write_observation(self, state: State, player: int, out: np.ndarray, scratch: np.ndarray | None = None) -> None:
        raw = np.empty(self.observation_layout.raw_size, UINT8) if scratch is None else scratch
        if self.pads:
            raw.fill(0)
        self.rules.observe_scaled(state, player, raw, self._scale, out)

    def write_raw_observation(self, state: State, player: int, out: np.ndarray) -> None:
        if self.pads:
            out.fill(0)
        self.rules.observe(state, player, out)


class RulesOfTables:
    """A kernel's functions with the tables of one variant as their first argument, whose address is taken once.

    Positions have been checked (`CompiledGame.check_state`), so the arrays of the last call need no further check.
    """

    def __init__(self, game: CompiledGame) -> None:
        self._kernel, self._tables = game.kernel, game.tables
        self.masks = Spares(game.num_actions, INT8)
        self.raws = Spares(game.observation_layout.raw_size, UINT8)
        self.notes = Spares(1, game.kernel.records.notes)

    def __getattr__(self, name: str) -> Any:
        function = getattr(self._kernel, name).bind(self._tables)
        setattr(self, name, function)
        return function


class Spares(list[np.ndarray]):
    """Arrays, (size,), each for one call, which puts it back: its address is known already."""

    def __init__(self, size: int, dtype: np.dtype) -> None:
        super().__init__()
        self._size, self._dtype = size, dtype

    def take(self) -> np.ndarray:
        try:
            return self.pop()
        except IndexError:
            return np.empty(self._size, self._dtype)


def variant_of(name: str, options: Mapping[str, Any], deck_hash: str) -> int:
    """A number for the game, its options, and its cards, whatever the deck is called; the field `variant` of states."""
    rules = {option: value for option, value in options.items() if option != "deck"}
    text = json.dumps([name, rules, deck_hash], sort_keys=True)
    return int.from_bytes(sha256(text.encode()).digest()[:8], signed=True)


def check_writable(state: State) -> None:
    """ValueError if the position is read-only, as one restored from bytes is: compiled code would write into it."""
    if not state.flags.writeable:
        raise ValueError("state: expected a position that can be changed, got a read-only array; clone() copies it")


def seeds_of_playouts(seeds: Sequence[int] | np.ndarray) -> np.ndarray:
    """(K,) int64.

    Raises:
        TypeError: not a sequence of integers; a number of playouts, for example.
        ValueError: a seed is outside 0 to 2^63 - 1.
    """
    if not isinstance(seeds, Iterable):
        raise TypeError(f"seeds: expected one for each playout, as range(100), got {shown(seeds)}")
    if isinstance(seeds, np.ndarray):
        if seeds.ndim != 1 or (seeds.size and seeds.dtype.kind not in "iu"):
            raise TypeError(f"seeds: expected whole numbers (K,), got {seeds.dtype} of shape {seeds.shape}")
        seeds = seeds.tolist()
    return np.array([as_seed(seed) for seed in seeds], np.int64)
