"""The order of play: steps of a turn, seats, the two halves, the loading and the transition."""

from ....core.jit import jit
from ..constants import (
    NONE,
    NUM_HOLDS,
    NUM_KINDS,
    NUM_SPECIALISTS,
    SPECIALIST_CARDS,
    WAREHOUSE,
    Half,
    Kind,
    Pile,
    Step,
    Variety,
    Way,
)
from ..layout import Tables
from ..state import Seat, State
from .derived import derive
from .goods import enter, free_berths, give_back, leave
from .hands import add_to_deck, add_workers, draw_up, empty_deck, remove_specialists, shuffle_deck
from .setup import roll
from .turn import begin_turn, clear_turn, remove_worker

# --- steps of a turn


@jit
def after_goods(cards: Tables, state: State) -> None:
    """TO-8, FROM-6: when bringing, the ability comes after the goods; when shipping, the turn ends."""
    state.turn.truck = NONE
    state.turn.last = NONE
    state.turn.left = 0
    if state.turn.way == Way.BRING:
        state.step = Step.ABILITY
    else:
        end_turn(cards, state)


@jit
def after_abilities(cards: Tables, state: State) -> None:
    """ABIL-2, FROM-1, FROM-5, FROM-6: when shipping, the worker leaves now and the goods move."""
    state.turn.open[:] = 0
    if state.turn.way == Way.SHIP:
        remove_worker(state, state.turn.space)
        state.step = Step.GOODS
    else:
        end_turn(cards, state)


@jit
def pass_finished_steps(cards: Tables, state: State) -> None:
    """End a step with nothing left to decide: all abilities used, or the capacity used up."""
    if state.step == Step.ABILITY and state.turn.open[0] == 0 and state.turn.open[1] == 0:
        after_abilities(cards, state)
    elif state.step == Step.GOODS and state.turn.left == 0:
        after_goods(cards, state)


# --- seats and halves


@jit
def end_turn(cards: Tables, state: State) -> None:
    """TURN-1, TURN-5: draw, unless cards were recruited."""
    if state.turn.recruited == 0:
        draw_up(cards, state.seats[state.current])
    next_turn(cards, state)


@jit
def next_turn(cards: Tables, state: State) -> None:
    """TURN-6, TURN-7: the next seat clockwise with a card, perhaps the same one, moves; if none has, the half ends."""
    seat = int(state.current)
    for _ in range(state.num_players):
        seat += 1
        if seat == state.num_players:
            seat = 0
        if state.seats[seat].hand_size > 0:
            begin_turn(state, seat)
            return
    if state.half == Half.PLANTATION and state.variety == Variety.FULL:
        close_plantation(cards, state)
    else:
        end_game(state)


@jit
def end_game(state: State) -> None:
    """CANDY-8; SHORT-1: the plantation alone ends with CLOSE-1."""
    clear_turn(state)
    state.step = Step.OVER
    state.current = NONE


# --- transition


@jit
def close_plantation(cards: Tables, state: State) -> None:
    """CLOSE-1, TRANS-1, TRANS-5: clear the table; the seat that had the last turn begins the next half."""
    clear_turn(state)
    state.start_player = state.current
    state.board[:] = 0
    state.workers = 0
    for number in range(state.num_players):
        seat = state.seats[number]
        state.supply[Pile.COINS] += seat.whistle
        seat.whistle = 0
        for kind in range(NUM_KINDS):
            for _ in range(seat.goods[WAREHOUSE, kind]):
                leave(seat, WAREHOUSE, kind)
                give_back(state, kind)
    remove_specialists(state)
    next_dismissal(cards, state)


@jit
def next_dismissal(cards: Tables, state: State) -> None:
    """TRANS-2, TRANS-3: ask the next seat, clockwise from the start player, that has more cards than free berths."""
    for place in range(state.num_players):
        seat = (state.start_player + place) % state.num_players
        surplus = specialists_from(state.seats[seat], 0) - free_berths(cards, state.seats[seat])
        if surplus > 0:
            clear_turn(state)
            state.turn.surplus = surplus
            state.current = seat
            state.step = Step.DISMISS
            return
    begin_candy_factory(cards, state)


@jit
def specialists_from(seat: Seat, first: int) -> int:
    """Specialist cards still kept, of kind `first` and later."""
    number = 0
    for specialist in range(first, NUM_SPECIALISTS):
        number += seat.played[specialist]
    return number


@jit
def can_dismiss(state: State, seat: Seat, specialist: int) -> bool:
    """TRANS-3: any card, in the order of kinds only, so that one set of cards is reached in one way."""
    if seat.played[specialist] == 0 or SPECIALIST_CARDS + specialist < state.turn.card:
        return False
    return specialists_from(seat, specialist) >= state.turn.surplus


@jit
def dismiss(cards: Tables, state: State, seat: Seat, specialist: int) -> None:
    """TRANS-2: the card leaves the game."""
    seat.played[specialist] -= 1
    state.turn.card = SPECIALIST_CARDS + specialist
    state.turn.surplus -= 1
    if state.turn.surplus == 0:
        next_dismissal(cards, state)


@jit
def begin_candy_factory(cards: Tables, state: State) -> None:
    """TRANS-4, TRANS-5"""
    state.half = Half.CANDY
    for number in range(state.num_players):
        deal_kept(cards, state, state.seats[number])
    roll(state)
    derive(cards, state)
    begin_turn(state, state.start_player)


@jit
def deal_kept(cards: Tables, state: State, seat: Seat) -> None:
    """TRANS-4: shuffle worker cards and kept specialists, and draw a hand."""
    empty_deck(seat)
    add_workers(cards, seat)
    for specialist in range(NUM_SPECIALISTS):
        add_to_deck(seat, SPECIALIST_CARDS + specialist, seat.played[specialist])
        seat.played[specialist] = 0
    shuffle_deck(state, seat)
    draw_up(cards, seat)


# --- loading of the candy factory alone


@jit
def good_to_load(state: State) -> int:
    """SHORT-5: the index in `to_load`: sugar first, then chocolate."""
    return 0 if state.turn.to_load[0] > 0 else 1


@jit
def can_load(state: State, seat: Seat, truck: int) -> bool:
    """SHORT-5: any truck, in the order of trucks only, so that one result is reached in one way. The rest must fit."""
    if truck < state.turn.truck or seat.free[1 + truck] == 0:
        return False
    room = 0
    for hold in range(1 + truck, NUM_HOLDS):
        room += seat.free[hold]
    return room >= state.turn.to_load[good_to_load(state)]


@jit
def load(cards: Tables, state: State, seat: Seat, truck: int) -> None:
    """SHORT-5, SHORT-6: load a good from the supply; after the last, the next seat loads or the first turn begins."""
    turn = state.turn
    which = good_to_load(state)
    state.supply[Pile.SUGAR if which == 0 else Pile.CACAO] -= 1
    enter(seat, 1 + truck, Kind.SUGAR if which == 0 else Kind.CHOCOLATE, False)
    turn.to_load[which] -= 1
    turn.truck = truck
    if turn.to_load[which] > 0:
        return
    turn.truck = NONE
    if turn.to_load[1] == 0:
        state.current = (state.current + 1) % state.num_players
        turn.to_load[:] = cards.load
        if state.current == state.start_player:
            begin_turn(state, state.start_player)
