"""Chocolate Factory for tests: random games, and positions built and played in the rulebook's words.

position = Position(num_players=2).phase("run", shift=1).player(0, coal=9, belt={1: {"cocoa": 1}})
game, state = position.build()
play(game, state, "operate slot 1", "make chunks")
assert pieces(game, state, 0, tile=1) == {"chunks": 1}
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Self

import numpy as np
from kept_games import mostly_doing, random_games

import chocofactory_env as cf
from chocofactory_env.games.chocofactory.actions import ACTIONS, NUM_ACTIONS
from chocofactory_env.games.chocofactory.constants import NONE, Effect

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


def dealt_otherwise(game: Any, state: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The position with face-down cards in another possible order, and another generator."""
    other = state.copy()
    row = other[0]
    row["seed"], row["rng"] = rng.integers(1 << 62), rng.integers(1 << 32, size=4, dtype=np.uint32)
    size, next_day = int(game.cards.record.part_deck_size), int(row["day"]) + 1
    for deck in range(2):
        first = deck * size + 5 * min(max(next_day - 3 * deck, 0), 3)
        row["part_deck"][first : (deck + 1) * size] = rng.permutation(row["part_deck"][first : (deck + 1) * size])
    for deck, cards in zip(row["employee_decks"], (7, 7, 7, 7, 7, 6), strict=True):
        deck[next_day:cards] = rng.permutation(deck[next_day:cards])
    for day in range(next_day, 6):
        in_play = int(game.cards.record.employee_decks)
        row["mix"][day, :in_play] = rng.permutation(row["mix"][day, :in_play])
    for deck in row["order_decks"]:
        places = (deck["top"] + np.arange(deck["count"] - deck["returned"])) % len(deck["cards"])
        deck["cards"][places] = rng.permutation(deck["cards"][places])
    if game.num_players == 1:
        face_up, dealt = int(row["face_up"]), int(row["num_demands"])
        left = np.setdiff1d(np.arange(game.cards.record.num_demands), row["demands"][:face_up])
        row["demands"][face_up:dealt] = rng.permutation(left)[: dealt - face_up]
    return other


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


@cache
def load(**options: Any) -> Any:
    """A game with these options. Games hold no state, so tests share them."""
    return cf.load("chocofactory", **options)


def all_kinds(some: dict[str, int]) -> dict[str, int]:
    return {kind: some.get(kind, 0) for kind in KINDS}


class Position:
    """A position that starts as a fresh deal of `seed`, seat 0 first, and is then edited.

    `build` fills in what the edits leave open: cards in hand leave their decks, other seats get an employee who changes
    nothing, and markers have moved.
    """

    def __init__(self, seed: int = 1, **options: Any) -> None:
        self.options = {"num_players": 2, "start_player": 0, **options}
        self.game = load(**self.options)
        self.data = self.game.to_dict(self.game.new(seed))

    def phase(self, phase: str, *, current: int = 0, day: int = 5, shift: int | None = None) -> Self:
        """A phase after the draft, with `current` to move. The display is empty; every seat has drafted.

        On day 5, parts of both decks and most employees have been dealt, so that any of them may be in hand. On every
        day the seat that begins is that of the fresh deal.
        """
        data, played = self.data, day - self.data["day"]
        if self.options["start_player"] is not None:
            first = (self.options["start_player"] - day + 1) % len(data["players"])
            self.game = load(**self.options | {"start_player": first})
            data["options"]["start_player"] = first
        data["phase"], data["day"], data["current_player"] = phase, day, current
        data["turn"] = (current - data["start_player"]) % len(data["players"])
        data["shift"] = (1 if phase == "run" else 0) if shift is None else shift
        if "together" in data and phase == "run":
            data["together"]["shifts"] = [int(seat != current) for seat in range(len(data["players"]))]
        data["decks"]["parts"] = data["decks"]["parts"][5 * played :]
        for store, deck in data["decks"]["employees"].items():
            data["decks"]["employees"][store] = deck[played:]
        data["display"] = {
            "parts": [None] * 5,
            "employees": dict.fromkeys(data["display"]["employees"]),
            "part_packets": [None] * 5,
            "employee_packets": dict.fromkeys(data["display"]["employees"]),
        }
        for player in data["players"]:
            player["part_drafted"] = True
        if data["solo"]:
            data["solo"]["face_up"] = 1 + data["options"]["difficulty"] + min(day, 5)
        return self

    def player(
        self,
        seat: int,
        *,
        belt: dict[int, dict[str, int]] | None = None,
        store_room: dict[str, int] | None = None,
        factory: dict[int, str | None] | None = None,
        employee: str | None = None,
        uses_left: int | None = None,
        tracks: dict[str, int] | None = None,
        arrivals: dict[str, int] | None = None,
        orders: list[tuple[str, int] | None] | None = None,
        special_orders: list[tuple[str, int] | None] | None = None,
        **fields: Any,
    ) -> Self:
        """Edit the given fields of a seat. Orders are (id, stages completed); other fields as in `to_dict`."""
        player = self.data["players"][seat]
        for tile, there in (belt or {}).items():
            player["belt"][tile] = all_kinds(there)
        if store_room is not None:
            player["store_room"] = all_kinds(store_room)
        for slot, part in (factory or {}).items():
            player["factory"][slot] = part
        if employee is not None:
            number = self.game.cards.employees.index(employee)
            player["employee"] = employee
            player["uses_left"] = int(self.game.cards.array["employees"][0]["uses"][number])
        if uses_left is not None:
            player["uses_left"] = uses_left
        player["tracks"].update(tracks or {})
        player["arrivals"].update(arrivals or {})
        for field, chosen in (("orders", orders), ("special_orders", special_orders)):
            if chosen is not None:
                places = [None if order is None else {"order": order[0], "stage": order[1]} for order in chosen]
                player[field] = places + [None] * (3 - len(places))
        for field, value in fields.items():
            assert field in player, field
            player[field] = value
        player["money"] = max(player["money"], player["earned_today"])
        self.data["marker_moves"] = max(max(p["arrivals"].values()) for p in self.data["players"])
        return self

    def having(self, **fields: Any) -> Self:
        """Edit fields of the table, as in `to_dict`."""
        for field, value in fields.items():
            assert field in self.data, field
            self.data[field] = value
        return self

    def build(self) -> tuple[Any, np.ndarray]:
        """The game and the state; StateError if the edits do not make a position."""
        fill_in(self.data, self.game.cards)
        return self.game, self.game.from_dict(self.data)


def fill_in(data: dict[str, Any], cards: Any) -> None:
    """Fill in what the edits of a `Position` left open."""
    if data["phase"] != "draft":
        for player in data["players"]:
            if player["employee"] is None:
                employ_somebody(data, player, cards)
    part_deck = dict(zip(cards.parts, cards.array["parts"][0]["deck"].tolist(), strict=False))
    in_hand = [part for player in data["players"] for part in player["factory"] if part]
    in_hand += [part for part in data["display"]["parts"] if part]
    piles = [data["decks"]["parts"], *data["decks"]["removed_parts"].values()]
    take_out(in_hand, piles, cards.parts, part_deck.__getitem__)
    employees = [player["employee"] for player in data["players"] if player["employee"]]
    employees += [employee for employee in data["display"]["employees"].values() if employee]
    row = cards.array["employees"][0]
    copies = [name for name, number in zip(cards.employees, row["count"].tolist(), strict=False) for _ in range(number)]
    store = dict(zip(cards.employees, row["store"].tolist(), strict=False))
    take_out(employees, list(data["decks"]["employees"].values()), copies, store.__getitem__)
    collect_orders(data, cards)
    for player in data["players"]:
        for name in STORES:
            if player["tracks"][name] and not player["arrivals"][name]:
                data["marker_moves"] += 1
                player["arrivals"][name] = data["marker_moves"]


def employ_somebody(data: dict[str, Any], player: dict[str, Any], cards: Any) -> None:
    """Employ a Miner, or the Director of a store that nobody else serves, supplied if it is late enough."""
    row = cards.array["employees"][0]
    store_of = dict(zip(cards.employees, row["store"].tolist(), strict=False))
    served = {store_of[other["employee"]] for other in data["players"] if other["employee"]}
    neutral = [
        name
        for name, effect in zip(cards.employees, row["effect"].tolist(), strict=False)
        if effect in (Effect.COAL, Effect.DOUBLE_SUPPLY) and store_of[name] not in served | {NONE}
    ]
    player["employee"] = neutral[0]
    if data["phase"] != "run" and not player["supplied"]:
        player["supplied"] = [STORES[store_of[neutral[0]]]]


def take_out(in_hand: list[str], piles: list[list[str]], cards: Sequence[str], deck_of: Callable[[str], Any]) -> None:
    """In the piles, replace cards that are in hand by others of their deck that are nowhere."""
    left = Counter(cards)
    left.subtract(in_hand)
    left.subtract(card for pile in piles for card in pile)
    for pile in piles:
        for place, card in enumerate(pile):
            if left[card] < 0:
                pile[place] = next(other for other in cards if left[other] > 0 and deck_of(other) == deck_of(card))
                left[card] += 1
                left[pile[place]] -= 1


def collect_orders(data: dict[str, Any], cards: Any) -> None:
    """Take orders in hand out of their decks; those that are nowhere go to the bottom."""
    elsewhere = {order for player in data["players"] for order in player["completed"]}
    elsewhere |= {order for order in data["offer"].values() if order}
    for player in data["players"]:
        elsewhere |= {held["order"] for held in (*player["orders"], *player["special_orders"]) if held}
    decks = data["decks"]["orders"]
    for name, size in zip(cards.orders, cards.array["orders"][0]["deck"].tolist(), strict=False):
        deck = list(decks.values())[size]
        if name in elsewhere and name in deck:
            deck.remove(name)
        elif name not in elsewhere and name not in deck:
            deck.append(name)


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
    player = player_of(game, state, seat)
    place = player["store_room"] if tile is None else player["belt"][tile]
    return {kind: number for kind, number in place.items() if number}
