"""The race as compiled rules: positions, legal actions, their effects, observations, and winners.

Every player begins at space 0 with one fuel, a debt, and a secret sponsor, a number from 1 to 5. A turn is any number
of steps. `move` goes 1 to 3 spaces for as much fuel. `draw` takes the top prize card for 2 fuel. `roll` costs 1 fuel
and moves by a die. `refuel` (3 more) and `rest` end the turn. The game is over after a fixed number of turns each. A
player at the end of the track is paid by the sponsor. Most points win; ties go to the later player in turn order.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from chocofactory_env.core.jit import jit
from chocofactory_env.core.kernel.rng import WORDS, below, seed_generator, shuffle, shuffle_unseen
from chocofactory_env.core.observation.layout import ActionLayout, Block, ObservationLayout, filled_tables, offsets
from chocofactory_env.core.records import Array, Record, field

MAX_PLAYERS: Final = 4
TRACK: Final = 12
TANK: Final = 6
DIE: Final = 3
SPONSORS: Final = 5
DEBT: Final = 5
PRIZES: Final = np.repeat(np.arange(10, 60, 10, dtype=np.int8), 4)  # 10 to 50, four cards each
DECK: Final = len(PRIZES)
MOST_MONEY: Final = int(PRIZES.sum())
DRAW_COST: Final = 2
REFUEL: Final = 3
WIN_ALONE: Final = 100  # points
NOBODY: Final = -1


class Options(Record):
    """Fields of the variant; positions as data leave them out."""

    num_players: int = field("i1")
    variant: int = field("i8")
    rounds: int = field("i1")
    start_option: int = field("i1")  # a seat, or NOBODY for a random one


class State(Options):
    seed: int = field("i8")
    rng: Array[int] = field("u4", WORDS)
    current: int = field("i1", least=NOBODY, most=MAX_PLAYERS - 1)
    start: int = field("i1")
    turn: int = field("i1")  # turns ended
    acted: int = field("i1")  # 1 after an action in this turn
    drawn: int = field("i1", most=DECK)  # cards taken from the deck
    space: Array[int] = field("i1", MAX_PLAYERS, most=TRACK)
    fuel: Array[int] = field("i1", MAX_PLAYERS, most=TANK)
    money: Array[int] = field("i2", MAX_PLAYERS, least=-DEBT)
    sponsor: Array[int] = field("i1", MAX_PLAYERS)
    stack: Array[int] = field("i1", DECK)  # of prize cards; the next is at `drawn`


# --- actions, each declared once

ACTIONS: Final = ActionLayout([("move", 3), ("draw", 1), ("refuel", 1), ("rest", 1), ("roll", 1)])
MOVE: Final = ACTIONS.first["move"]
DRAW: Final = ACTIONS.first["draw"]
REFUEL_TANK: Final = ACTIONS.first["refuel"]
REST: Final = ACTIONS.first["rest"]
ROLL: Final = ACTIONS.first["roll"]

# --- observation, each block declared once and written by its name


def observation_layout(num_players: int, rounds: int) -> ObservationLayout:
    return ObservationLayout(
        [
            Block.of("turn", [], rounds * num_players, "turns ended"),
            Block.of("to_move", [("seat", num_players)], 1, "one-hot: who moves"),
            Block.of("racers", [("seat", num_players)], TRACK, "", ("space", "fuel")),
            Block("sponsor", (), SPONSORS, "the observer's own", private=True),
            Block("money", (num_players,), DEBT + MOST_MONEY, "points from prizes, and what the debt leaves of them"),
        ]
    )


class CardData(Record):
    """Constants for the rules."""

    prizes: Array[int] = field("i1", DECK)


class Tables(CardData):
    at: Any = offsets(observation_layout(1, 1))


CARDS = np.zeros(1, CardData.dtype)
CARDS["prizes"] = PRIZES


def tables_of(layout: ObservationLayout) -> np.ndarray:
    """(1,) Tables"""
    return filled_tables(Tables.dtype, CARDS, layout)


# --- features of an optional learned value

FEATURES: Final = ("points", "fuel", "sponsor", "prizes_in_reach")


@jit
def write_features(cards: Tables, state: State, seat: int, features: np.ndarray) -> None:
    features[0] = state.money[seat] + state.space[seat]
    features[1] = state.fuel[seat]
    features[2] = state.sponsor[seat] * state.space[seat] / TRACK
    features[3] = state.fuel[seat] // DRAW_COST


@jit
def stage_of(cards: Tables, state: State) -> int:
    """0 until the last round, then 1."""
    return int(state.turn >= (state.rounds - 1) * state.num_players)


@jit
def turn_goes_on(cards: Tables, state: State) -> bool:
    return bool(state.acted == 1)


# --- the rules, named as in `core.kernel.rules`


@jit
def begin_game(cards: Tables, state: State) -> None:
    seed_generator(state.rng, state.seed)
    drawn = below(state.rng, state.num_players)
    state.start = drawn if state.start_option == NOBODY else state.start_option
    state.current = state.start
    state.turn = 0
    state.acted = 0
    state.drawn = 0
    for seat in range(state.num_players):
        state.space[seat] = 0
        state.fuel[seat] = 1
        state.money[seat] = -DEBT
        state.sponsor[seat] = 1 + below(state.rng, SPONSORS)
    state.stack[:] = cards.prizes
    shuffle(state.rng, state.stack, 0, DECK)


@jit
def write_legal_mask(cards: Tables, state: State, mask: np.ndarray) -> None:
    mask[:] = 0
    if state.current != NOBODY:
        space, fuel = state.space[state.current], state.fuel[state.current]
        for spaces in range(1, 4):
            mask[MOVE + spaces - 1] = spaces <= fuel and space + spaces <= TRACK
        mask[DRAW] = fuel >= DRAW_COST and state.drawn < DECK
        mask[REFUEL_TANK] = fuel < TANK
        mask[REST] = 1
        mask[ROLL] = fuel > 0 and space < TRACK


@jit
def advance(cards: Tables, state: State, action: int, mask: np.ndarray) -> int:
    seat = state.current
    state.acted = 1
    if action < DRAW:
        state.space[seat] += action + 1
        state.fuel[seat] -= action + 1
    elif action == DRAW:
        state.money[seat] += state.stack[state.drawn]
        state.drawn += 1
        state.fuel[seat] -= DRAW_COST
    elif action == ROLL:
        state.space[seat] = min(TRACK, state.space[seat] + 1 + below(state.rng, DIE))
        state.fuel[seat] -= 1
    else:
        if action == REFUEL_TANK:
            state.fuel[seat] = min(TANK, state.fuel[seat] + REFUEL)
        end_turn(state)
    write_legal_mask(cards, state, mask)
    return int(state.current)


@jit
def end_turn(state: State) -> None:
    state.turn += 1
    state.acted = 0
    over = state.turn == state.rounds * state.num_players
    state.current = NOBODY if over else (state.start + state.turn) % state.num_players


@jit
def write_observation(cards: Tables, state: State, seat: int, out: np.ndarray) -> None:
    at, players = cards.at, int(state.num_players)
    out[at.turn] = state.turn
    for other in range(players):
        seen = (seat + other) % players
        out[at.to_move + other] = state.current == seen
        out[at.racers + 2 * other] = state.space[seen]
        out[at.racers + 2 * other + 1] = state.fuel[seen]
        money = DEBT + state.money[seen]  # observations are not negative
        out[at.money + 2 * other] = money & 255  # a two-byte block, low byte first
        out[at.money + 2 * other + 1] = money >> 8
    out[at.sponsor] = state.sponsor[seat]


@jit
def write_standings(cards: Tables, state: State, standings: np.ndarray) -> None:
    for seat in range(state.num_players):
        standings[seat] = state.money[seat] + state.space[seat]


@jit
def write_scores(cards: Tables, state: State, scores: np.ndarray) -> None:
    write_standings(cards, state, scores)
    if state.current == NOBODY:
        for seat in range(state.num_players):
            scores[seat] += state.fuel[seat]
            if state.space[seat] == TRACK:
                scores[seat] += state.sponsor[seat]


@jit
def write_ranking(cards: Tables, state: State, scores: np.ndarray, ranking: np.ndarray) -> None:
    for seat in range(state.num_players):
        ranking[seat] = 0
        turn = (seat - state.start) % state.num_players
        for other in range(state.num_players):
            later = (other - state.start) % state.num_players > turn
            if scores[other] > scores[seat] or (scores[other] == scores[seat] and later):
                ranking[seat] += 1


@jit
def write_winners(cards: Tables, state: State, ranking: np.ndarray, won: np.ndarray) -> None:
    for seat in range(state.num_players):
        won[seat] = ranking[seat] == 0
    if state.num_players == 1:
        won[0] = state.money[0] + state.space[0] + state.fuel[0] >= WIN_ALONE


@jit
def redeal_hidden(cards: Tables, state: State, seat: int, seed: int) -> None:
    """Resample the deck, all future rolls and, until the scores show them, the other players' sponsors."""
    state.seed = seed
    seed_generator(state.rng, seed)
    shuffle_unseen(state.rng, state.stack, int(state.drawn), DECK)
    for other in range(state.num_players):
        if other != seat and state.current != NOBODY:
            state.sponsor[other] = 1 + below(state.rng, SPONSORS)
