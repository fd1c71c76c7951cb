"""Positions for the rules tests, built and played in the rulebook's words.

position = Position(num_players=2).phase("run", shift=1).player(0, coal=9, belt={1: {"cocoa": 1}})
game, state = position.build()
play(game, state, "operate slot 1", "make chunks")
assert pieces(game, state, 0, tile=1) == {"chunks": 1}
"""

from __future__ import annotations

from functools import cache
from typing import Any, Self

import numpy as np

import chocofactory_env as cf

KINDS = ("bean", "cocoa", "chunks", "fingers", "caramel", "nuts", "boxed")
STORES = ("palace_boutique", "fresh_fancies", "salters_emporium", "house_of_luxury", "dunstan_gilberts")


@cache
def load(**options: Any) -> Any:
    """A game with these options; games hold no state, so tests share them."""
    return cf.load("chocofactory", **options)


def all_kinds(some: dict[str, int]) -> dict[str, int]:
    return {kind: some.get(kind, 0) for kind in KINDS}


class Position:
    """A position that starts as a fresh deal of `seed`, seat 0 first, and is then edited."""

    def __init__(self, seed: int = 1, **options: Any) -> None:
        options = {"num_players": 2, "start_player": 0, **options}
        self.game = load(**options)
        self.data = self.game.to_dict(self.game.new(seed))

    def phase(self, phase: str, *, current: int = 0, day: int = 1, shift: int | None = None) -> Self:
        """A phase after the draft, with `current` to move. The display is empty; every seat has drafted."""
        data, played = self.data, day - self.data["day"]
        data["phase"], data["day"], data["current_player"] = phase, day, current
        data["turn"] = (current - data["start_player"]) % len(data["players"])
        data["shift"] = (1 if phase == "run" else 0) if shift is None else shift
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
        """Edit a seat; what is not named stays. Orders are (id, stages completed); other fields as in `to_dict`."""
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
        return self.game, self.game.from_dict(self.data)


def legal(game: Any, state: np.ndarray) -> set[str]:
    """What the player to move may do, in words."""
    return {game.describe(action) for action in np.flatnonzero(game.legal_mask(state)).tolist()}


def play(game: Any, state: np.ndarray, *said: str) -> None:
    """Play actions told in words, in place."""
    numbers = action_numbers(game)
    for words in said:
        game.apply(state, numbers[words])


@cache
def _numbers(num_actions: int) -> dict[str, int]:
    game = load(num_players=2)
    return {game.describe(action): action for action in range(num_actions)}


def action_numbers(game: Any) -> dict[str, int]:
    """Words of every action -> its number."""
    return _numbers(game.num_actions)


def player_of(game: Any, state: np.ndarray, seat: int = 0) -> dict[str, Any]:
    """The seat as `to_dict` gives it."""
    found: dict[str, Any] = game.to_dict(state)["players"][seat]
    return found


def pieces(game: Any, state: np.ndarray, seat: int = 0, tile: int | None = None) -> dict[str, int]:
    """Pieces on a tile, or in the store room; kinds of which there are none are left out."""
    player = player_of(game, state, seat)
    place = player["store_room"] if tile is None else player["belt"][tile]
    return {kind: number for kind, number in place.items() if number}
