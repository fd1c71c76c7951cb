"""Setup of a game, and the start of a month."""

from ....core.jit import jit
from ....core.kernel.rng import below, seed_generator, shuffle
from ..constants import (
    EVENT_DECK,
    LOANS,
    MAX_CONTRACTS,
    MAX_PLAYERS,
    NONE,
    NUM_CATEGORIES,
    NUM_EVENTS,
    NUM_EXPRESS,
    SHARES,
    UNSEEN,
    Event,
)
from ..layout import Tables
from ..state import Player, State


@jit
def deal(cards: Tables, state: State) -> None:
    """Set up a new game from `state.seed` and the options in `state`, up to the first month."""
    seed_generator(state.rng, state.seed)
    clear_table(cards, state)
    for seat in range(MAX_PLAYERS):
        set_up_player(state.players[seat])
        if seat < state.num_players:
            state.players[seat].cash = cards.cash
    choose_leader(state)
    deal_express_cards(cards, state)
    shuffle_contracts(cards, state)
    for place in range(EVENT_DECK):  # SET-5; EV-0: the second shuffle as well
        state.events[place] = place % NUM_EVENTS
    shuffle(state.rng, state.events, 0, NUM_EVENTS)
    shuffle(state.rng, state.events, NUM_EVENTS, EVENT_DECK)
    start_month(state)


@jit
def clear_table(cards: Tables, state: State) -> None:
    """SET-9: everything is in the box."""
    state.month = 0
    state.turn = 0
    state.category = 0
    state.city = 0
    state.named = 0
    state.card = NONE
    state.money_done = 0
    for category in range(NUM_CATEGORIES):
        state.box[category] = cards.staff[category]
    state.box[LOANS] = cards.loans
    state.box[SHARES] = cards.shares
    state.meetings_left = 0
    state.offer = NONE
    state.price = 0
    state.present = 0
    state.refused = 0
    state.taker = NONE
    state.event_turned = NONE


@jit
def set_up_player(player: Player) -> None:
    """SET-2: nothing but the cash."""
    player.cash = 0
    player.staff[:] = 0
    player.loans = 0
    player.shares = 0
    player.cocoa = 0
    player.chocolate = 0
    player.marker = 0
    player.num_contracts = 0
    player.num_booked = 0
    player.contracts[:] = NONE
    player.prices[:] = 0
    player.out = 0


@jit
def choose_leader(state: State) -> None:
    """SET-6"""
    state.leader = below(state.rng, state.num_players) if state.leader_option == NONE else state.leader_option


@jit
def deal_express_cards(cards: Tables, state: State) -> None:
    """SET-3: shuffle, and deal each seat the same number of cards; the others leave the game unseen."""
    for card in range(NUM_EXPRESS):
        seat = card // max(1, int(cards.hand))
        dealt = cards.hand > 0 and seat < state.num_players
        state.express[card] = seat if dealt else UNSEEN
    shuffle(state.rng, state.express, 0, NUM_EXPRESS)


@jit
def shuffle_contracts(cards: Tables, state: State) -> None:
    """SET-4"""
    state.contracts_left = cards.num_contracts
    for card in range(MAX_CONTRACTS):
        state.contracts[card] = card if card < cards.num_contracts else NONE
    shuffle(state.rng, state.contracts, 0, int(cards.num_contracts))


@jit
def start_month(state: State) -> None:
    """Clear the last month's fields, but for the event it announced (MON-3). No month follows the last (EV-8)."""
    turned = state.event_turned
    holds = turned == Event.NO_COCOA or turned == Event.SLOW_WORK or turned == Event.NO_BOOKKEEPERS
    state.event_in_force = turned if holds else NONE
    state.event_turned = NONE
    state.market[:] = 0
    for seat in range(MAX_PLAYERS):
        forget_month(state.players[seat])


@jit
def forget_month(player: Player) -> None:
    player.staff_before[:] = player.staff
    player.absent[:] = 0
    player.salaries = 0
    player.loan_this_month = 0
    player.announced = 0
    player.bid_bars[:] = 0
    player.bid_price[:] = 0
    player.gained = 0
    player.looked = 0
    player.struck_by = NONE
    player.has_played = 0
