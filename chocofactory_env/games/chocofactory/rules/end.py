"""The end of the game: prizes, ranking, and winners."""

from enum import IntEnum

import numpy as np

from ....core.jit import jit
from ..constants import ANY_KINDS, NONE, NUM_SIZES, NUM_STORES, STORE_ROOM
from ..layout import Tables
from ..state import Player, State
from .pieces import number_of
from .solo import all_satisfied


class Source(IntEnum):
    """The lines of a score sheet: where money comes from."""

    CORNER_SHOP = 0
    MOST_ORDERS = 1  # END-2
    STORES = 2  # END-3
    VARIETY = 3  # END-4
    LEFTOVERS = 4  # END-5


@jit
def write_score_sheet(cards: Tables, state: State, seat: int, sheet: np.ndarray) -> None:
    """Write the seat's money by Source, (5,) int32, as if the game ended now; no end scoring in solo games (SOLO-9)."""
    player = state.players[seat]
    sheet[:] = 0
    sheet[Source.CORNER_SHOP] = player.money
    if state.num_players > 1:
        sheet[Source.MOST_ORDERS] = most_orders_prize(cards, state, seat)
        sheet[Source.STORES] = store_prizes(cards, state, seat)
        sheet[Source.VARIETY] = variety_prize(cards, player)
        sheet[Source.LEFTOVERS] = leftovers(player)


@jit
def leftovers(player: Player) -> int:
    """END-5"""
    return player.coal + number_of(player, STORE_ROOM, ANY_KINDS)


@jit
def final_money(cards: Tables, state: State, seat: int) -> int:
    """The sum of the score sheet."""
    money = money_but_leftovers(cards, state, seat)
    if state.num_players > 1:
        money += leftovers(state.players[seat])
    return money


@jit
def money_but_leftovers(cards: Tables, state: State, seat: int) -> int:
    """The sum of the score sheet without leftovers."""
    player = state.players[seat]
    money = player.money
    if state.num_players > 1:
        money += most_orders_prize(cards, state, seat) + store_prizes(cards, state, seat) + variety_prize(cards, player)
    return money


@jit
def store_prizes(cards: Tables, state: State, seat: int) -> int:
    """END-3: the sum over all stores."""
    prizes = 0
    for store in range(NUM_STORES):
        prizes += store_prize(cards, state, store, seat)
    return prizes


@jit
def variety_prize(cards: Tables, player: Player) -> int:
    """END-4: the prize for the number of stores with the marker above 0."""
    supplied = 0
    for store in range(NUM_STORES):
        if player.track[store] > 0:
            supplied += 1
    return cards.variety_prizes[supplied]


@jit
def orders_completed(player: Player) -> int:
    completed = 0
    for size in range(NUM_SIZES):
        completed += player.completed[size]
    return completed


@jit
def most_orders_prize(cards: Tables, state: State, seat: int) -> int:
    """END-2: for every seat tied for most completed orders; nobody if no one completed any."""
    completed = orders_completed(state.players[seat])
    for other in range(state.num_players):
        if orders_completed(state.players[other]) > completed:
            return 0
    return cards.most_orders_prize if completed > 0 else 0


@jit
def ranks_higher(state: State, store: int, one: int, other: int) -> bool:
    """END-3, FUL-6: the marker of `one` is further along the track, or got there earlier."""
    ahead = state.players[one].track[store] - state.players[other].track[store]
    if ahead != 0:
        return ahead > 0
    return state.players[one].arrival[store] < state.players[other].arrival[store]


@jit
def store_place(state: State, store: int, seat: int) -> int:
    """The place among the markers above 0, 0 = first; NONE for a marker at 0 (END-3)."""
    if state.players[seat].track[store] == 0:
        return NONE
    place = 0
    for other in range(state.num_players):
        if other != seat and state.players[other].track[store] > 0 and ranks_higher(state, store, other, seat):
            place += 1
    return place


@jit
def track_of_place(state: State, store: int, place: int) -> int:
    """The space of the marker in this place; 0 if there is none."""
    for seat in range(state.num_players):
        if store_place(state, store, seat) == place:
            return state.players[seat].track[store]
    return 0


@jit
def store_prize(cards: Tables, state: State, store: int, seat: int) -> int:
    """END-3: a place is paid if, up to it, every marker is at least half as far (rounded up) as the one before."""
    place = store_place(state, store, seat)
    if place == NONE or place >= len(cards.store_prizes):
        return 0
    for later in range(1, place + 1):
        half = (track_of_place(state, store, later - 1) + 1) // 2
        if track_of_place(state, store, later) < half:
            return 0
    return cards.store_prizes[place]


@jit
def write_scores(cards: Tables, state: State, scores: np.ndarray) -> None:
    """Money earned so far; once the game is over, the sum of the score sheet."""
    over = state.current == NONE
    for seat in range(state.num_players):
        scores[seat] = final_money(cards, state, seat) if over else state.players[seat].money


@jit
def write_standings(cards: Tables, state: State, standings: np.ndarray) -> None:
    """The money if the game ended now, without leftovers."""
    for seat in range(state.num_players):
        standings[seat] = money_but_leftovers(cards, state, seat)


@jit
def write_ranking(cards: Tables, state: State, scores: np.ndarray, ranking: np.ndarray) -> None:
    """END-6: most money first; a tie goes to the seat later in the last day's turn order."""
    for seat in range(state.num_players):
        ranking[seat] = 0
        turn = (seat - state.start_player) % state.num_players
        for other in range(state.num_players):
            other_turn = (other - state.start_player) % state.num_players
            if scores[other] > scores[seat] or (scores[other] == scores[seat] and other_turn > turn):
                ranking[seat] += 1


@jit
def solo_won(cards: Tables, state: State) -> bool:
    """SOLO-8"""
    return all_satisfied(cards, state)


@jit
def write_winners(cards: Tables, state: State, ranking: np.ndarray, won: np.ndarray) -> None:
    """END-6, SOLO-8"""
    for seat in range(state.num_players):
        won[seat] = ranking[seat] == 0
    if state.num_players == 1:
        won[0] = solo_won(cards, state)
