"""Chocolate Factory for tests: random games, and positions built and played in the rulebook's words.

position = Position(num_players=2).phase("run", shift=1).player(0, coal=9, belt={1: {"cocoa": 1}})
game, state = position.build()
play(game, state, "operate slot 1", "make chunks")
assert pieces(game, state, 0, tile=1) == {"chunks": 1}
"""

from __future__ import annotations

from functools import cache
from typing import Any, Self

import numpy as np
from kept_games import mostly_doing, random_games

import chocofactory_env as cf
from chocofactory_env.games.chocofactory.actions import ACTIONS, NUM_ACTIONS
from chocofactory_env.games.chocofactory.rules.solo import add_up_requirements

MASTER_CHOCOLATIER = "master_chocolatier"
ENDS = ("end_shift", "finish_orders", "finish_cleanup", "trade")
IS_END = np.array([ACTIONS.decode(action)[0] in ENDS for action in range(NUM_ACTIONS)])
VARIANTS: tuple[dict[str, Any], ...] = (
    {"num_players": 1, "difficulty": 1, "sides": "random"},
    {"num_players": 2, "sides": "random"},
    {"num_players": 3, "sides": "B", "play_forced": False},
    {"num_players": 4, "sides": "random"},
    {"num_players": 1, "expansion": MASTER_CHOCOLATIER, "sides": "random"},
    {"num_players": 2, "expansion": MASTER_CHOCOLATIER, "sides": "DCDDD", "play_forced": False},
    {"num_players": 3, "expansion": MASTER_CHOCOLATIER, "sides": "random"},
    {"num_players": 4, "expansion": MASTER_CHOCOLATIER, "sides": "D"},
    {"num_players": 2, "mode": "simultaneous", "play_forced": False},
    {"num_players": 3, "mode": "simultaneous", "expansion": MASTER_CHOCOLATIER, "sides": "random"},
    {"num_players": 1, "solo_money": "completed", "sides": "random"},
)


def variant_name(options: dict[str, Any]) -> str:
    words = {"expansion": "expansion", "mode": "simultaneous", "solo_money": "completed orders"}
    more = [word for option, word in words.items() if option in options]
    return ", ".join((f"{options['num_players']} players", *more))


choose = mostly_doing(IS_END)
steps = random_games(choose)


# --- face-down cards in another order


def scrambled(game: Any, state: np.ndarray, seat: int, rng: np.random.Generator) -> np.ndarray:
    """The position with shuffled face-down cards, which are hidden from all seats alike, and another generator."""
    other = state.copy()
    row = other[0]
    row["seed"] = rng.integers(1 << 62)
    row["rng"] = rng.integers(1 << 32, size=4, dtype=np.uint32)
    size = int(game.cards.record.part_deck_size)
    dealt = [day // 3 * size + day % 3 * 5 + place for day in range(int(row["day"]) + 1) for place in range(5)]
    unseen = np.setdiff1d(np.arange(2 * size), dealt)
    row["part_deck"][unseen] = rng.permutation(row["part_deck"][unseen])
    for deck in row["employee_decks"]:
        deck[row["day"] + 1 :] = rng.permutation(deck[row["day"] + 1 :])
    for day in range(int(row["day"]) + 1, 6):
        row["mix"][day] = rng.permutation(row["mix"][day])
    for deck in row["order_decks"]:
        places = (deck["top"] + np.arange(deck["count"])) % len(deck["cards"])
        deck["cards"][places] = rng.permutation(deck["cards"][places])
    hidden = slice(int(row["face_up"]), int(row["num_demands"]))
    row["demands"][hidden] = rng.permutation(row["demands"][hidden])
    return other


# --- positions


KINDS = ("bean", "cocoa", "chunks", "fingers", "caramel", "nuts", "boxed")
STORES = ("palace_boutique", "fresh_fancies", "salters_emporium", "house_of_luxury", "dunstan_gilberts")
OWN_ORDERS = 3  # of a player; the places behind them are for Special Orders


@cache
def load(**options: Any) -> Any:
    """A game with these options. Games hold no state, so tests share them."""
    return cf.load("chocofactory", **options)


def all_kinds(some: dict[str, int]) -> dict[str, int]:
    return {kind: some.get(kind, 0) for kind in KINDS}


def place_of(tile: int | None) -> str:
    """A tile's key among a player's pieces, or that of the store room."""
    return "store room" if tile is None else f"tile {tile}"


class Position:
    """A position that starts as a fresh deal of `seed`, seat 0 first, and is then edited.

    A card in hand may be in its deck, too: nothing takes it out.
    """

    def __init__(self, seed: int = 1, **options: Any) -> None:
        self.options = {"num_players": 2, "start_player": 0, **options}
        self.game = load(**self.options)
        self.data = self.game.to_dict(self.game.new(seed))

    def phase(self, phase: str, *, current: int = 0, day: int = 5, shift: int | None = None) -> Self:
        """A phase after the draft, with `current` to move. The display is empty; nobody has an employee."""
        data, seats = self.data, range(self.game.num_players)
        data["phase"], data["day"], data["current"] = phase, day, current
        data["turn"] = (current - data["start_player"]) % len(seats)
        data["shift"] = (1 if phase == "run" else 0) if shift is None else shift
        if self.game.simultaneous and phase == "run":
            data["shifts"] = [int(seat != current) for seat in seats]
        for field in ("display_parts", "part_packets"):
            data[field] = [None] * 5
        for field in ("display_employees", "employee_packets"):
            data[field] = dict.fromkeys(data[field])
        for player in data["players"]:
            player["part_drafted"] = True
        if len(seats) == 1:
            data["face_up"] = 1 + data["options"]["difficulty"] + min(day, 5)
        return self

    def player(
        self,
        seat: int,
        *,
        belt: dict[int, dict[str, int]] | None = None,
        store_room: dict[str, int] | None = None,
        factory: dict[int, str | None] | None = None,
        employee: str | None = None,
        tracks: dict[str, int] | None = None,
        arrivals: dict[str, int] | None = None,
        orders: list[tuple[str, int] | None] | None = None,
        special_orders: list[tuple[str, int] | None] | None = None,
        **fields: Any,
    ) -> Self:
        """Edit the given fields of a seat. Orders are (id, stages completed); other fields as in `to_dict`."""
        player = self.data["players"][seat]
        for tile, there in [*(belt or {}).items(), *([] if store_room is None else [(None, store_room)])]:
            player["pieces"][place_of(tile)] = all_kinds(there)
        for slot, part in (factory or {}).items():
            player["factory"][slot] = part
        if employee is not None:
            number = self.game.cards.employees.index(employee)
            player["employee"] = employee
            player["uses"] = int(self.game.cards.array["employees"][0]["uses"][number])
        player["track"].update(tracks or {})
        moved = self.data["marker_moves"]  # markers without an arrival move one after the other
        late = [store for store, space in (tracks or {}).items() if space and not player["arrival"][store]]
        player["arrival"].update({store: moved + number for number, store in enumerate(late, 1)} | (arrivals or {}))
        for first, chosen in ((0, orders), (OWN_ORDERS, special_orders)):
            if chosen is not None:
                for place in range(OWN_ORDERS):
                    order = chosen[place] if place < len(chosen) else None
                    player["orders"][first + place], player["stage"][first + place] = order or (None, 0)
        for field, value in fields.items():
            assert field in player, field
            player[field] = value
        self.data["marker_moves"] = max(max(p["arrival"].values()) for p in self.data["players"])
        return self

    def having(self, **fields: Any) -> Self:
        """Edit fields of the table, as in `to_dict`."""
        for field, value in fields.items():
            assert field in self.data, field
            self.data[field] = value
        return self

    def build(self) -> tuple[Any, np.ndarray]:
        """The game and the state; StateError if the edits do not make a position."""
        return self.game, read(self.game, self.data)


def read(game: Any, data: dict[str, Any]) -> np.ndarray:
    """`from_dict`, and what the solo game's face-up cards require, counted again."""
    state: np.ndarray = game.from_dict(data)
    if game.num_players == 1:
        add_up_requirements(game.tables.view(np.recarray)[0], state.view(np.recarray)[0])
    return state


def legal(game: Any, state: np.ndarray) -> set[str]:
    """The legal actions in words."""
    return {game.describe(action) for action in np.flatnonzero(game.legal_mask(state)).tolist()}


def play(game: Any, state: np.ndarray, *said: str) -> None:
    """Play actions, given in words, in place."""
    numbers = action_numbers(game)
    for words in said:
        game.apply(state, numbers[words])


@cache
def _numbers(num_actions: int) -> dict[str, int]:
    game = load(num_players=2)
    return {game.describe(action): action for action in range(num_actions)}


def action_numbers(game: Any) -> dict[str, int]:
    """The number of every action, by its words."""
    return _numbers(game.num_actions)


def player_of(game: Any, state: np.ndarray, seat: int = 0) -> dict[str, Any]:
    """The seat's part of `to_dict`."""
    found: dict[str, Any] = game.to_dict(state)["players"][seat]
    return found


def pieces(game: Any, state: np.ndarray, seat: int = 0, tile: int | None = None) -> dict[str, int]:
    """Pieces on a tile, or in the store room, without kinds that are absent."""
    return {kind: number for kind, number in player_of(game, state, seat)["pieces"][place_of(tile)].items() if number}


def in_a_move(table: dict[str, Any]) -> bool:
    """Whether a task is under way in a position of `to_dict`."""
    return bool(table["task"]["kind"] != "nothing")


def flagged(flags: dict[str, bool] | list[bool]) -> list[Any]:
    """The words, or the places, of those that are true."""
    return [key for key, is_set in (flags.items() if isinstance(flags, dict) else enumerate(flags)) if is_set]


def order_decks(game: Any, state: np.ndarray) -> dict[str, list[str]]:
    """By size, the orders from the top."""
    decks = game.to_dict(state)["order_decks"]
    return {size: cards_of_ring(deck) for size, deck in decks.items()}


def cards_of_ring(deck: dict[str, Any]) -> list[str]:
    """The cards of an order deck of `to_dict`, from the top."""
    return [deck["cards"][(deck["top"] + place) % len(deck["cards"])] for place in range(deck["count"])]
