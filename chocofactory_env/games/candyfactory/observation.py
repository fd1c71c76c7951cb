"""Observations: the compiled code that writes them and hides secrets. `layout` declares their blocks.

Egocentric: players are listed from the observer on, clockwise. Recipes, trucks and the board are described by what they
do, not by card number. OPEN-1 is shown to all; what OPEN-2 hides, the generator included, is never read.
"""

from __future__ import annotations

import numpy as np

from ...core.jit import jit
from ...core.observation.buffers import clear, copy_row, mark, seat_in_view, write_one_hot
from .constants import (
    FIRST_HIRED,
    MAX_OPEN_RECIPES,
    NONE,
    NUM_CARDS,
    NUM_SPACES,
    Step,
    Way,
)
from .layout import Tables
from .rules.hands import looked_at
from .state import Seat, State


@jit
def write_observation(cards: Tables, state: State, seat: int, out: np.ndarray) -> None:
    """Write what the seat sees into `out`, (layout.raw_size,) uint8, unscaled. Every entry is overwritten."""
    write_time(cards, state, seat, out)
    write_table(cards, state, seat, out)
    write_hand(cards, state.seats[seat], out)
    write_turn(cards, state, seat, out)
    write_seats(cards, state, seat, out)


@jit
def write_time(cards: Tables, state: State, seat: int, out: np.ndarray) -> None:
    at, players = cards.at, int(state.num_players)
    clear(out, at.half, int(at.board) - int(at.half))  # all of `time_blocks`
    mark(state.half, out, at.half)
    if state.current != NONE:
        mark(state.step, out, at.step)
        place = int(state.current) - int(seat)
        mark(place + players if place < 0 else place, out, at.to_move)


@jit
def write_table(cards: Tables, state: State, seat: int, out: np.ndarray) -> None:
    at, rows = cards.at, cards.rows
    copy_row(state.board, out, at.board)
    write_one_hot(state.die - 1, NUM_SPACES, out, at.die)
    copy_row(rows.abilities[state.half], out, at.abilities)
    copy_row(state.supply, out, at.supply)
    out[at.specialist_deck] = state.specialists_left
    copy_row(state.seats[seat].knows, out, at.known_specialists)
    recipe = int(at.recipes)
    for place in range(MAX_OPEN_RECIPES):
        recipe = copy_row(rows.recipes[state.recipes[place] + 1], out, recipe)
        out[recipe] = state.tokens[place]
        recipe += 1
    copy_row(rows.trucks, out, at.trucks)


@jit
def write_hand(cards: Tables, player: Seat, out: np.ndarray) -> None:
    """OPEN-2: the observer's hand, and the named cards that are not in it and so must be in the deck."""
    copy_row(player.hand, out, cards.at.hand)
    for card in range(NUM_CARDS):
        out[cards.at.own_deck + card] = max(0, player.unplayed[card] - player.hand[card])


@jit
def write_turn(cards: Tables, state: State, seat: int, out: np.ndarray) -> None:
    at, turn = cards.at, state.turn
    clear(out, at.task_card, int(at.coins) - int(at.task_card))  # all of `turn_blocks`
    if state.step == Step.PLAY:
        return
    mark(turn.card, out, at.task_card)
    mark(turn.number - 1, out, at.task_number)
    out[at.task_way] = turn.way == Way.BRING
    out[at.task_way + 1] = turn.way == Way.SHIP
    out[at.task_way + 2] = turn.counter
    mark(turn.space, out, at.task_space)
    out[at.task_left] = turn.left
    mark(turn.truck, out, at.task_truck)
    mark(turn.last, out, at.task_last)
    copy_row(turn.open, out, at.task_open)
    mark(turn.recipe, out, at.task_recipe)
    out[at.task_uses] = turn.uses
    copy_row(turn.to_load, out, at.to_load)
    out[at.surplus] = turn.surplus
    if state.step == Step.HIRE and state.current == seat:
        write_offer(cards, state, out)


@jit
def write_offer(cards: Tables, state: State, out: np.ndarray) -> None:
    """OPEN-4, ABIL-14: the cards that a recruit looks at, for the seat that recruits."""
    for place in range(looked_at(cards, state)):
        out[cards.at.offer + int(state.specialists[place]) - FIRST_HIRED] += 1


@jit
def write_seats(cards: Tables, state: State, seat: int, out: np.ndarray) -> None:
    """OPEN-1, OPEN-3"""
    at, players = cards.at, int(state.num_players)
    unplayed, played = int(at.unplayed), int(at.played_specialists)
    goods, stacks, free = int(at.goods), int(at.stacks), int(at.free)
    for place in range(players):
        player = state.seats[seat_in_view(players, seat, place)]
        out[at.coins + place] = player.coins
        out[at.whistle + place] = player.whistle
        out[at.hand_size + place] = player.hand_size
        out[at.deck_size + place] = player.deck_size
        out[at.unknown_specialists + place] = player.unknown
        unplayed = copy_row(player.unplayed, out, unplayed)
        played = copy_row(player.played, out, played)
        goods = copy_row(player.goods, out, goods)
        stacks = copy_row(player.stacks, out, stacks)
        free = copy_row(player.free, out, free)
