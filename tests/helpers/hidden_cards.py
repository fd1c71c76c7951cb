"""Positions of Chocolate Factory in which what lies face down lies in another order."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.protocol import AnyAgent, decide


def dealt_otherwise(game: Any, state: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The position with what lies face down in another order that is just as possible, and another generator."""
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


def scrambled(game: Any, state: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The position with everything that lies face down, and the generator, in another order."""
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


def check_that_nothing_hidden_is_seen(game: Any, agent: AnyAgent, other: AnyAgent, steps: int) -> None:
    """Two agents of one make choose alike, though to one of them what lies face down lies in another order."""
    rng, state = np.random.default_rng(1), game.new(5)
    for step in range(steps):
        if game.is_over(state):
            break
        action = decide(game, agent, state)
        assert decide(game, other, scrambled(game, state, rng)) == action, step
        game.apply(state, action)
