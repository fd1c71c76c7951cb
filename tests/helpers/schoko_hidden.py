"""Positions of Schoko & Co. in which what a seat cannot see lies otherwise."""

from __future__ import annotations

from typing import Any

import numpy as np

from chocofactory_env.games.schoko.constants import (
    GONE,
    NONE,
    NUM_EVENTS,
    NUM_EXPRESS,
    WINDOW_A,
    WINDOW_B,
    WINDOW_C,
    Task,
)

# XP-4: the cards of each window
WINDOWS = {
    Task.CARD_A: range(WINDOW_A, WINDOW_B),
    Task.CARD_B: range(WINDOW_B, WINDOW_C),
    Task.CARD_C: range(WINDOW_C, NUM_EXPRESS),
}
RARE = (*WINDOWS, Task.TARGET, Task.HOLIDAY, Task.TRIM, Task.RAISE)
BIDS = (Task.BID_BARS, Task.BID_PRICE)


def scrambled(game: Any, state: np.ndarray, seat: int, rng: np.random.Generator) -> np.ndarray:
    """The position with everything that the seat cannot see in some other way, possible or not.

    SEE-2, SEE-5: generator, contracts and events face down, other hands, bids of others; who is asked for a card.
    """
    other = state.copy()
    row = other[0]
    row["seed"], row["rng"] = rng.integers(1 << 62), rng.integers(1 << 32, size=4, dtype=np.uint32)
    shuffle(row["contracts"], 0, int(row["contracts_left"]), rng)
    known = int(row["month"]) + bool(row["event_turned"] != NONE or row["players"][seat]["looked"])
    end = NUM_EVENTS if row["month"] < NUM_EVENTS else 2 * NUM_EVENTS
    shuffle(row["events"], known, end, rng)
    shuffle(row["events"], end, 2 * NUM_EVENTS, rng)
    unseen = (row["express"] != seat) & (row["express"] != GONE)
    row["express"][unseen] = rng.permutation(row["express"][unseen])
    if row["task"] in BIDS:
        scramble_bids(game, row, seat, rng)
    if row["task"] in (*WINDOWS, Task.TARGET) and row["current"] != seat:
        scramble_window(game, row, seat, rng)
    return other


def shuffle(cards: np.ndarray, first: int, end: int, rng: np.random.Generator) -> None:
    cards[first:end] = rng.permutation(cards[first:end])


def scramble_bids(game: Any, row: np.void, seat: int, rng: np.random.Generator) -> None:
    """Bids that were made, and how far that has got which is being made."""
    for turn in range(int(row["turn"]) + 1):
        other = (int(row["leader"]) + turn) % game.num_players
        player = row["players"][other]
        if other == seat or player["out"]:
            continue
        player["bid_bars"][row["city"]] = rng.integers(17)
        player["bid_price"][row["city"]] = rng.integers(31)
        if turn == row["turn"]:
            row["task"] = rng.choice(BIDS)


def scramble_window(game: Any, row: np.void, seat: int, rng: np.random.Generator) -> None:
    """Who is asked, and whether for a card or for a target."""
    window = Task(row["task"])
    if window == Task.TARGET:
        window = next(task for task, cards in WINDOWS.items() if row["card"] in cards)
    possible = [other for other in range(game.num_players) if other not in (seat, row["taker"])]
    row["current"] = rng.choice([other for other in possible if not row["players"][other]["out"]])
    first = row["taker"] if window == Task.CARD_C else row["leader"]
    row["turn"] = (row["current"] - first) % game.num_players
    row["task"], row["card"] = window, NONE
    if rng.random() < 0.5:
        row["task"], row["card"] = Task.TARGET, rng.choice(WINDOWS[window])
