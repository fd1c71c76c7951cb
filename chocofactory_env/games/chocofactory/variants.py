"""The options of the variant, checked once and then frozen."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

from ...core.checks import Choices, VariantOptions, as_flag, as_integer, check_choice, seat_or_drawn
from ...core.messages import shown
from .cards import EXPANSIONS
from .constants import BASE_SIDES, MAX_PLAYERS, NONE, NUM_STORES, Side

MODES: Final = ("turns", "simultaneous")
LATER: Final = {"mode": "turns", "solo_money": "paid"}  # data from before there were these options stays valid
MONEY: Final = ("paid", "completed")  # of the stages that count towards money targets


@dataclass(frozen=True)
class Variant(VariantOptions):
    """The options of the game.

    num_players: 1 to 4; 1 is the solo game Factory Manager (SET-1).
    sides: store sides: `"A"`, `"B"`, `"random"`, or one letter per store, such as `"ABBAA"` (SET-5). An expansion adds
        `"C"` and `"D"`, and random sides then include at least one of them (MC-3, MC-7). None, the default, means
        `"A"`, or `"random"` with an expansion.
    start_player: the seat that starts day 1; None draws it from the seed (SET-8).
    difficulty: additional Initial Demands in the solo game (SOLO-1).
    solo_money: what counts towards money targets in the solo game: `"paid"`, every stage that was paid, or
        `"completed"`, only the stages of completed orders (SOLO-7).
    play_forced: whether a single legal choice inside a composite move is played without asking.
    expansion: `"master_chocolatier"` or None (MC-1 to MC-6).
    mode: `"turns"`, or `"simultaneous"`: all seats run their factories, and fulfil orders, at once (SIM-1 to SIM-3).
    """

    num_players: int = 2
    sides: str | None = None
    start_player: int | None = None
    difficulty: int = 0
    solo_money: str = "paid"
    play_forced: bool = True
    expansion: str | None = None
    mode: str = "turns"

    def __post_init__(self) -> None:
        self._keep("num_players", as_integer("num_players", self.num_players, 1, MAX_PLAYERS))
        if self.expansion is not None and self.expansion not in EXPANSIONS:
            known = ", ".join(f'"{name}"' for name in EXPANSIONS)
            raise ValueError(f"expansion: expected None or {known}, got {shown(self.expansion)}")
        if self.sides is None:
            self._keep("sides", "A" if self.expansion is None else "random")
        self._check_sides()
        if self.start_player is not None:
            self._keep("start_player", as_integer("start_player", self.start_player, 0, self.num_players - 1))
        self._keep("difficulty", as_integer("difficulty", self.difficulty, 0))
        if self.difficulty and self.num_players > 1:
            raise ValueError(
                f"difficulty: only the solo game has it, got {self.difficulty} for {self.num_players} players"
            )
        check_choice("solo_money", self.solo_money, MONEY)
        if self.only_completed and self.num_players > 1:
            raise ValueError(
                f"solo_money: only the solo game has it, got {self.solo_money!r} for {self.num_players} players"
            )
        self._keep("play_forced", as_flag("play_forced", self.play_forced))
        check_choice("mode", self.mode, MODES)

    def _check_sides(self) -> None:
        letters = self._letters()
        one_each = len(str(self.sides)) == NUM_STORES and set(str(self.sides)) <= set(letters)
        if one_each or self.sides in (*letters, "random"):
            return
        expected = ", ".join(f'"{letter}"' for letter in letters)
        of_expansion = set(str(self.sides)) <= {side.name for side in Side}
        hint = "; sides C and D need an expansion" if of_expansion and self.expansion is None else ""
        raise ValueError(
            f'sides: expected {expected}, "random" or one letter per store as "ABBAA", got {shown(self.sides)}{hint}'
        )

    def as_options(self) -> dict[str, Any]:
        """The options by name, without those of `LATER` that have their default."""
        options = asdict(self)
        return {name: value for name, value in options.items() if name not in LATER or value != LATER[name]}

    @property
    def only_completed(self) -> bool:
        """Whether only the money of completed orders counts towards money targets."""
        return self.solo_money == "completed"

    @property
    def is_simultaneous(self) -> bool:
        return self.mode == "simultaneous"

    def _letters(self) -> list[str]:
        """The letters of the sides that a store can have."""
        return [side.name for side in Side if self.expansion is not None or side < BASE_SIDES]

    def choices(self) -> Choices:
        """The values of the options in words, but for `difficulty`, whose values depend on the deck."""
        alone = self.num_players == 1
        sides: dict[Any, str] = {letter: f"{letter} everywhere" for letter in self._letters()}
        return {
            "sides": {**sides, "random": "drawn", ...: "a letter for each store, as ABBAA"},
            "start_player": seat_or_drawn(self.num_players),
            "solo_money": {"paid": "every stage", **({"completed": "completed orders"} if alone else {})},
            "mode": dict(zip(MODES, ("in turns", "all at once"), strict=True)),
            "expansion": {None: "none", **{name: name.replace("_", " ").title() for name in EXPANSIONS}},
        }

    def side_options(self) -> list[int]:
        """The side of every store; NONE if it is drawn."""
        if self.sides == "random":
            return [NONE] * NUM_STORES
        letters = str(self.sides)
        return [Side[letter] for letter in (letters if len(letters) == NUM_STORES else letters * NUM_STORES)]
