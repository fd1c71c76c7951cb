"""The price of one more piece of each kind in the store room."""

from __future__ import annotations

from typing import Final

import numpy as np

from ....core.jit import jit
from ..cards import Delivery
from ..constants import MAX_BY_NUMBER, NONE, NUM_KINDS, NUM_STORES, ORDER_SLOTS, STORE_ROOM, TRACK_END, Kind, Pattern
from ..layout import Tables
from ..rules.pieces import accepts
from ..rules.solo import cards_face_up, manager_card
from ..rules.stores import rule_of
from ..state import Player, State
from .missing import money_missing, order_is_asked_for
from .notes import Notes
from .parts import PIECE_VALUES

SPACE: Final = 1.8  # of a space on a store's track
UNWANTED: Final = 0.45  # share of its value that an unwanted piece keeps
LATER_STAGE: Final = 0.7  # discount per stage that must be done first
# The solo game.
ASKED_STEP: Final = 5.0  # a space that the face-up cards demand
ASKED_PIECE: Final = 6.0  # a piece for a chocolate order
ASKED_ORDER: Final = 2.5  # weight of the pay of an order that the cards demand ...
SPARE_ORDER: Final = 0.5  # ... and of any other order, once there is enough money
SPARE_STEP: Final = 1.2  # a space that the cards may demand later ...
SPARE_SPACES: Final = 3  # ... up to this one


@jit
def write_prices(cards: Tables, state: State, have: np.ndarray, notes: Notes) -> None:
    """Write the value of one more piece of each kind, to a player who has these, (NUM_KINDS,), into `notes.prices`.

    It takes the offers and the store's values from the notes.
    """
    if state.num_players == 1:
        offer_chocolate_orders(cards, state, have, notes)
    for kind in range(NUM_KINDS):
        price = PIECE_VALUES[kind]
        if kind >= Kind.CHUNKS:
            price = max(price * UNWANTED, offer_for(notes, kind, int(have[kind])))
        notes.prices[kind] = max(price, notes.of_store[kind])


# --- orders


@jit
def note_offers(cards: Tables, state: State, notes: Notes) -> None:
    """Share the pay of each open stage among its pieces, by their values."""
    player = state.players[state.current]
    notes.num_offers = 0
    for kind in range(NUM_KINDS):
        notes.asked_by_cards[kind] = 0
    for order in range(ORDER_SLOTS):
        if player.orders[order] == NONE:
            continue
        card = cards.orders[player.orders[order]]
        weight = weight_of_order(state, order)
        later = 1.0
        for number in range(player.stage[order], card.num_stages):
            stage = card.stages[number]
            value = 0.0
            for kind in range(NUM_KINDS):
                value += stage.pieces[kind] * PIECE_VALUES[kind]
            insert_offer(notes, stage.pay * later * weight / value, stage.pieces)
            later *= LATER_STAGE


@jit
def insert_offer(notes: Notes, share: float, pieces: np.ndarray) -> None:
    place = int(notes.num_offers)
    while place > 0 and notes.shares[place - 1] < share:
        notes.shares[place] = notes.shares[place - 1]
        for kind in range(NUM_KINDS):
            notes.asked[place, kind] = notes.asked[place - 1, kind]
        place -= 1
    notes.shares[place] = share
    for kind in range(NUM_KINDS):
        notes.asked[place, kind] = pieces[kind]
    notes.num_offers += 1


@jit
def offer_for(notes: Notes, kind: int, have: int) -> float:
    """The offer for one more piece of a kind: the highest ones are for those that the player has."""
    by_cards = int(notes.asked_by_cards[kind])
    for place in range(notes.num_offers):
        offer = notes.shares[place] * PIECE_VALUES[kind]
        if offer < ASKED_PIECE:
            if have < by_cards:
                return ASKED_PIECE
            have -= by_cards
            by_cards = 0
        if have < notes.asked[place, kind]:
            return float(offer)
        have -= int(notes.asked[place, kind])
    return ASKED_PIECE if have < by_cards else 0.0


@jit
def weight_of_order(state: State, order: int) -> float:
    """The weight of the order's pay. In the solo game, the cards demand some orders and some money."""
    if state.num_players > 1:
        return 1.0
    if order_is_asked_for(state, order, order):
        return ASKED_ORDER
    return 1.0 if money_missing(state) > 0 else SPARE_ORDER


@jit
def offer_chocolate_orders(cards: Tables, state: State, have: np.ndarray, notes: Notes) -> None:
    """Count the pieces that chocolate orders still demand."""
    for kind in range(NUM_KINDS):
        notes.asked_by_cards[kind] = 0
    for card in range(cards_face_up(state)):
        rule = manager_card(cards, state, card).order
        if rule.number == 0 or state.delivered[card] != 0:
            continue
        only = most_held(rule, have) if rule.pattern == Pattern.ONE_KIND else NONE
        for kind in range(Kind.CHUNKS, NUM_KINDS):
            if not accepts(rule.kinds, kind) or (only != NONE and kind != only):
                continue
            if rule.pattern == Pattern.EXACT_MIX:
                notes.asked_by_cards[kind] += rule.set_pieces[kind]
            else:
                notes.asked_by_cards[kind] += 1 if rule.pattern == Pattern.ALL_DIFFERENT else rule.number


@jit
def most_held(rule: Delivery, have: np.ndarray) -> int:
    """The refined kind accepted of which the player has most."""
    best = NONE
    for kind in range(Kind.CHUNKS, NUM_KINDS):
        if accepts(rule.kinds, kind) and (best == NONE or have[kind] > have[best]):
            best = kind
    return best


@jit
def pay_of(cards: Tables, player: Player, order: int) -> int:
    """The pay of the order's next stage."""
    return int(cards.orders[player.orders[order]].stages[player.stage[order]].pay)


# --- stores


@jit
def store_today(cards: Tables, player: Player) -> int:
    """The store of today's employee; NONE if there is none, or it has been supplied."""
    if player.employee == NONE:
        return NONE
    store = int(cards.employees[player.employee].store)
    return NONE if store == NONE or player.supplied[store] != 0 else store


@jit
def note_store(cards: Tables, state: State, notes: Notes) -> None:
    """Note what today's store gives for a piece."""
    player = state.players[state.current]
    store = store_today(cards, player)
    if store == NONE or player.track[store] >= TRACK_END:
        for kind in range(NUM_KINDS):
            notes.of_store[kind] = 0.0
    else:
        write_values_to_store(cards, state, store, notes)


@jit
def space_value(state: State, store: int, notes: Notes) -> float:
    """The value of a space on the store's track."""
    if state.num_players > 1:
        return SPACE
    if notes.steps[store] > 0:
        return ASKED_STEP
    return SPARE_STEP if state.players[0].track[store] < SPARE_SPACES else 0.0


@jit
def applies(cards: Tables, state: State, store: int, other: int) -> bool:
    """Whether the rule of `other` applies at the store: its own, or one that it may borrow (MC-4)."""
    if rule_of(cards, state, store).pattern != Pattern.OTHER_STORE:
        return other == store
    return other != store and rule_of(cards, state, other).pattern != Pattern.OTHER_STORE


@jit
def pounds_for_space(cards: Tables, state: State, store: int) -> int:
    """The least money of a day that moves the store's marker (MC-3); 0 if money moves it by no rule that applies."""
    least = 0
    for other in range(NUM_STORES):
        rule = rule_of(cards, state, other)
        if applies(cards, state, store, other) and rule.pattern == Pattern.DAY_MONEY:
            least = int(rule.per) if least == 0 else min(least, int(rule.per))
    return least


@jit
def write_values_to_store(cards: Tables, state: State, store: int, notes: Notes) -> None:
    """Write what the store gives for a piece of each kind into `notes.of_store`."""
    for kind in range(NUM_KINDS):
        notes.of_store[kind] = 0.0
    for other in range(NUM_STORES):
        if applies(cards, state, store, other):
            write_spaces(rule_of(cards, state, other), notes.held, notes.spaces)
            for kind in range(NUM_KINDS):
                notes.of_store[kind] = max(notes.of_store[kind], notes.spaces[kind])
    space = space_value(state, store, notes)
    for kind in range(NUM_KINDS):
        notes.of_store[kind] *= space


@jit
def write_spaces(rule: Delivery, have: np.ndarray, spaces: np.ndarray) -> None:
    """Write the spaces that a piece of each kind may bring, given the pieces at hand or to come, into `spaces`."""
    in_order = in_order_held(rule, have) if rule.pattern == Pattern.IN_ORDER else 0
    place = 0  # among the kinds accepted
    for kind in range(NUM_KINDS):
        spaces[kind] = 0.0
        if rule.pattern == Pattern.SETS:
            if rule.first_of_set[kind] != NONE:
                spaces[kind] = rule.spaces[rule.first_of_set[kind]] / pieces_of_set(rule, rule.first_of_set[kind])
            continue
        if kind < Kind.CHUNKS or not accepts(rule.kinds, kind):
            continue
        if rule.pattern == Pattern.IN_ORDER:
            if place <= in_order:
                spaces[kind] = rule.by_number[min(in_order, MAX_BY_NUMBER - 1)] / (in_order + 1)
        elif rule.most_pieces > 0:
            for number in range(MAX_BY_NUMBER):
                spaces[kind] = max(spaces[kind], rule.by_number[number] / (number + 1))
        elif rule.pattern != Pattern.DAY_MONEY and rule.per > 0:
            spaces[kind] = rule.spaces[kind] / rule.per
        place += 1


@jit
def in_order_held(rule: Delivery, have: np.ndarray) -> int:
    """IN_ORDER: how many of the first kinds accepted the player has."""
    held = 0
    for kind in range(Kind.CHUNKS, NUM_KINDS):
        if accepts(rule.kinds, kind):
            if have[kind] == 0:
                break
            held += 1
    return held


@jit
def pieces_of_set(rule: Delivery, first: int) -> int:
    pieces = 0
    for kind in range(NUM_KINDS):
        if rule.first_of_set[kind] == first:
            pieces += int(rule.set_pieces[kind])
    return pieces


@jit
def most_spaces(rule: Delivery, player: Player) -> int:
    """Roughly the most spaces that a delivery from the store room can gain."""
    if rule.pattern == Pattern.DAY_MONEY:
        return int(player.earned_today) // int(rule.per)
    room = player.pieces[STORE_ROOM]
    if rule.pattern == Pattern.SETS:
        return spaces_of_sets(rule, room)
    pieces, most, kinds, spaces = 0, 0, 0, 0
    for kind in range(Kind.CHUNKS, NUM_KINDS):
        if accepts(rule.kinds, kind) and room[kind] > 0:
            pieces += int(room[kind])
            most = max(most, int(room[kind]))
            kinds += 1
            spaces = max(spaces, int(rule.spaces[kind]))
    if rule.pattern == Pattern.ONE_KIND:
        pieces = most
    elif rule.pattern == Pattern.ALL_DIFFERENT:
        pieces = kinds
    elif rule.pattern == Pattern.IN_ORDER:
        pieces = in_order_held(rule, room)
    if rule.most_pieces > 0:
        spaces = 0
        for number in range(min(pieces, MAX_BY_NUMBER)):
            spaces = max(spaces, int(rule.by_number[number]))
        return spaces
    if rule.number > 0:
        pieces = min(pieces, int(rule.number))
    return pieces // int(rule.per) * spaces


@jit
def spaces_of_sets(rule: Delivery, room: np.ndarray) -> int:
    spaces = 0
    for first in range(NUM_KINDS):
        if rule.first_of_set[first] != first:
            continue
        held = NONE
        for kind in range(NUM_KINDS):
            if rule.first_of_set[kind] == first:
                sets = int(room[kind]) // int(rule.set_pieces[kind])
                held = sets if held == NONE else min(held, sets)
        spaces += int(rule.spaces[first]) * (min(held, int(rule.most_of_a_set)) if rule.most_of_a_set > 0 else held)
    return spaces


@jit
def kinds_needed(cards: Tables, state: State, notes: Notes) -> int:
    """The refined kinds that open stages and today's store want more of than the store room holds, as a bit mask."""
    room, needed = state.players[state.current].pieces[STORE_ROOM], 0
    for kind in range(Kind.CHUNKS, NUM_KINDS):
        asked = 0
        for place in range(notes.num_offers):
            asked += int(notes.asked[place, kind])
        if asked > room[kind] or notes.of_store[kind] > 1.0:
            needed |= 1 << kind
    return needed
