"""The value of cards: parts and employees to draft, slots to place a part on, orders to choose."""

from __future__ import annotations

from typing import Final

import numpy as np

from ....core.jit import jit
from ..actions import CHOOSE_ORDER, DRAFT_EMPLOYEE, DRAFT_PART, PLACE_PART
from ..constants import (
    DISPLAY,
    EMPLOYEE_DECKS,
    EXPANSION_DECK,
    NONE,
    NUM_DAYS,
    NUM_KINDS,
    NUM_SIZES,
    NUM_TILES,
    TRACK_END,
    Effect,
    Function,
    Kind,
)
from ..layout import Tables
from ..rules.pieces import accepts
from ..state import State
from .missing import order_is_asked_for
from .notes import COAL, Notes
from .parts import PIECE_VALUES, bean_value, idle_gain, kinds_made
from .prices import pounds_for_space, space_value, write_values_to_store

BEANS: Final = 2.0  # beans through the factory on a day, to weigh a part, which stays, against an employee, who goes
IDLE: Final = 0.1  # share of a part's gain on pieces that do not reach it yet
ABOVE: Final = 0.001  # a later tile, if nothing else tells two apart
NEW_STORE: Final = 3.0  # bonus for the first space at a store, towards the prize for variety
COMPLETED: Final = 2.0  # bonus for a completed order, towards the prize for most orders
WORK_A_DAY: Final = 8.0  # value of the pieces that a day can bring for one order
AT_HAND: Final = 0.5  # share of the work saved by pieces at hand
NOT_YET: Final = 0.5  # share of a delivery that counts while none of its pieces are there
MORE: Final = 0.3  # share of an effect added by a second use or a greater amount
MONEY_A_DAY: Final = 12.0  # expected pay of a day's orders
SPACES_A_DAY: Final = 2  # of a delivery to a store
EFFECTS: Final = {
    Effect.COAL: 0.0,  # counts by its amount
    Effect.DOUBLE_SUPPLY: 3.0,
    Effect.MOVE_PIECE: 1.0,
    Effect.STAGE_PAY: 1.5,
    Effect.SKIP_STAGE: 0.5,
    Effect.UPGRADE_PIECE: 1.2,
    Effect.HALF_COST: 2.0,
    Effect.ANY_PIECES: 2.0,
    Effect.FEWER_PIECES: 2.5,
    Effect.MORE_SHIFTS: 3.5,
    Effect.MORE_BEANS: 1.5,
    Effect.OTHER_STORE: 3.0,
    Effect.DOUBLE_TILE: 4.0,
    Effect.REACH: 1.0,
}
ALONE: Final = {Effect.STAGE_PAY: 1.5, Effect.MORE_BEANS: 3.5, Effect.UPGRADE_PIECE: 1.3}  # without a store
OF_ONE: Final = np.array([EFFECTS.get(effect, 0.0) for effect in Effect])  # (NUM_EFFECTS,)
# Of each unit, where an effect is worth as much as it is large: 0 elsewhere.
OF_EACH: Final = np.array([COAL if effect == Effect.COAL else 0.0 for effect in Effect])
OF_EACH_ALONE: Final = np.array([COAL if effect == Effect.COAL else ALONE.get(effect, 0.0) for effect in Effect])


@jit
def best_draft(cards: Tables, state: State, mask: np.ndarray, notes: Notes) -> int:
    """The card with the greatest lead over the mean of its sort."""
    lead, chosen = 0.0, NONE
    for first, number in ((DRAFT_PART, DISPLAY), (DRAFT_EMPLOYEE, EMPLOYEE_DECKS)):
        best, total, cards_of_sort, best_action = 0.0, 0.0, 0, NONE
        for place in range(number):
            if mask[first + place] == 0:
                continue
            if first == DRAFT_PART:
                value = part_value(cards, state, place, notes)
            else:
                value = employee_value(cards, state, place, notes)
            total += value
            cards_of_sort += 1
            if best_action == NONE or value > best:
                best, best_action = value, first + place
        if best_action != NONE and (chosen == NONE or best - total / cards_of_sort > lead):
            lead, chosen = best - total / cards_of_sort, best_action
    return chosen


# --- parts


@jit
def part_value(cards: Tables, state: State, place: int, notes: Notes) -> float:
    part = int(state.display_parts[place])
    best, found = 0.0, False
    for slot in range(2 * NUM_TILES):
        if slot_differs(notes, slot):
            value = slot_value(cards, part, slot, notes)
            if not found or value > best:
                best, found = value, True
    return BEANS * (NUM_DAYS - int(state.day)) * best


@jit
def slot_differs(notes: Notes, slot: int) -> bool:
    """Whether the slot is the one to try of its tile, as above and below are equivalent; both if none is free."""
    above, below = notes.factory[slot % NUM_TILES] == NONE, notes.factory[slot % NUM_TILES + NUM_TILES] == NONE
    if not above and not below:
        return True
    return above if slot < NUM_TILES else not above


@jit
def slot_value(cards: Tables, part: int, slot: int, notes: Notes) -> float:
    """What the part on that slot adds to a bean's value, plus a little for pieces that do not reach it yet."""
    covered, before = int(notes.factory[slot]), bean_value(cards, notes)
    notes.factory[slot] = part
    after = bean_value(cards, notes)
    notes.factory[slot] = covered
    idle = idle_gain(cards.parts[part], notes)
    if covered != NONE:
        idle -= idle_gain(cards.parts[covered], notes)
        if cards.parts[covered].function == Function.CHUTE:
            idle -= 1.0
    return after - before + IDLE * idle + ABOVE * (slot % NUM_TILES)


@jit
def best_slot(cards: Tables, state: State, mask: np.ndarray, notes: Notes) -> int:
    """The action that places the part: on a slot that differs, if one is legal."""
    part = int(state.task.card)
    best, chosen, chosen_differs = 0.0, NONE, False
    for place in range(2 * NUM_TILES):
        slot = place // 2 + place % 2 * NUM_TILES  # tile by tile
        if mask[PLACE_PART + slot] == 0:
            continue
        differs = slot_differs(notes, slot)
        if chosen_differs and not differs:
            continue
        value = slot_value(cards, part, slot, notes)
        if chosen == NONE or (differs and not chosen_differs) or value > best:
            best, chosen, chosen_differs = value, PLACE_PART + slot, differs
    return chosen


# --- employees


@jit
def employee_value(cards: Tables, state: State, store: int, notes: Notes) -> float:
    """The value of the effect, and of the store given what the factory makes."""
    card = cards.employees[state.display_employees[store]]
    player = state.players[state.current]
    value = effect_value(int(card.effect), max(int(card.amount), int(card.uses)), store == EXPANSION_DECK)
    if store == EXPANSION_DECK or player.track[store] >= TRACK_END:
        return value
    solo = state.num_players == 1
    new_store = NEW_STORE if player.track[store] == 0 and not solo else 0.0
    pounds = pounds_for_space(cards, state, store)
    if pounds > 0:
        return value + (space_value(state, store, notes) * MONEY_A_DAY / pounds + new_store)
    best = best_delivery(cards, state, store, notes)
    if best > 0:
        spaces = SPACES_A_DAY
        if solo and notes.steps[store] > 0:
            spaces = min(int(notes.steps[store]), SPACES_A_DAY)
        value += spaces * best + new_store
    return value


@jit
def effect_value(effect: int, amount: int, alone: bool) -> float:
    each = OF_EACH_ALONE[effect] if alone else OF_EACH[effect]
    if each > 0:
        return float(each * amount)
    return OF_ONE[effect] * (1 + MORE * (amount - 1)) if amount > 0 else 0.0


@jit
def best_delivery(cards: Tables, state: State, store: int, notes: Notes) -> float:
    """The value of a piece for the store: of kinds at hand, and in part of those that the factory makes."""
    write_values_to_store(cards, state, store, notes)
    made, best = kinds_made(cards, notes), 0.0
    for kind in range(NUM_KINDS):
        if notes.held[kind] > 0:
            best = max(best, notes.of_store[kind])
        elif accepts(made, kind):
            best = max(best, notes.of_store[kind] * NOT_YET)
    return best


# --- orders


@jit
def best_order(cards: Tables, state: State, mask: np.ndarray, notes: Notes) -> int:
    """The order that pays most for its work, among those that can be done in the days left."""
    made, best, chosen = kinds_made(cards, notes), 0.0, NONE
    for size in range(NUM_SIZES):
        if mask[CHOOSE_ORDER + size] != 0:
            value = order_value(cards, state, size, made, notes)
            if chosen == NONE or value > best:
                best, chosen = value, CHOOSE_ORDER + size
    return chosen


@jit
def order_value(cards: Tables, state: State, size: int, made: int, notes: Notes) -> float:
    card = cards.orders[state.offer[size]]
    gain, work = COMPLETED, 0.0
    for stage in range(card.num_stages):
        gain += card.stages[stage].pay
    for kind in range(Kind.CHUNKS, NUM_KINDS):
        asked = 0
        for stage in range(card.num_stages):
            asked += int(card.stages[stage].pieces[kind])
        missing = asked - AT_HAND * min(asked, int(notes.held[kind]))
        work += missing * PIECE_VALUES[kind] * (1.0 if accepts(made, kind) else 2.0)
    fits = min(1.0, (NUM_DAYS - int(state.day)) * WORK_A_DAY / work)
    needed = 2.0 if state.num_players == 1 and order_is_asked_for(state, size, size) else 1.0
    return needed * gain / (work + 1.0) * fits
