"""Setup: draws everything random, so that every later step is deterministic."""

from ....core.jit import jit
from ....core.kernel.rng import below, seed_generator, shuffle
from ..cards import MAX_ORDERS, PRINTED_PARTS
from ..constants import (
    BASE_SIDES,
    DAILY_DEMANDS,
    EMPLOYEE_DECKS,
    EXPANSION_DECK,
    MAX_PLAYERS,
    NONE,
    NUM_DAYS,
    NUM_SIZES,
    NUM_SLOTS,
    NUM_STORES,
    OWN_ORDERS,
    Deck,
    Pattern,
)
from ..layout import Tables
from ..state import Player, State
from .draft import clear_display
from .solo import add_up_requirements, clear_requirements
from .together import clear_together
from .under_way import nothing_under_way

# Of the 1,024 draws, 886 are allowed with the shipped sides, and at least 16 with any deck that
# `deck_schema.check_draw` accepts, so this many never fail.
MOST_DRAWS = 10_000


@jit
def deal(cards: Tables, state: State) -> None:
    """Set up a game from `state.seed` and the options in `state`, up to the start of day 1."""
    seed_generator(state.rng, state.seed)
    state.day = 0
    state.turn = 0
    state.shift = 0
    state.marker_moves = 0
    nothing_under_way(state)
    clear_together(state)
    clear_display(state)
    state.offer[:] = NONE
    for seat in range(MAX_PLAYERS):
        set_up_player(state.players[seat])
    choose_start_player(state)
    choose_sides(cards, state)
    shuffle_parts(cards, state)
    shuffle_orders(cards, state)
    shuffle_employees(cards, state)
    for seat in range(state.num_players):
        for size in range(NUM_SIZES):  # SET-6
            state.players[seat].orders[size] = draw_order(state, size)
    clear_manager_cards(state)
    if state.num_players == 1:
        deal_manager_cards(cards, state)


@jit
def set_up_player(player: Player) -> None:
    """SET-6, SET-7: only the three printed parts; no pieces, money, or coal; markers at 0."""
    player.coal = 0
    player.money = 0
    player.earned_today = 0
    player.pieces[:, :] = 0
    for slot in range(NUM_SLOTS):
        player.factory[slot] = slot if slot < PRINTED_PARTS else NONE
    player.operated[:] = 0
    player.assigned = NONE
    player.part_drafted = 0
    player.employee = NONE
    player.uses = 0
    player.orders[:] = NONE
    player.stage[:] = 0
    player.completed[:] = 0
    player.special_completed = 0
    player.to_replace = 0
    player.pile = 0
    player.track[:] = 0
    player.arrival[:] = 0
    player.supplied[:] = 0


@jit
def choose_start_player(state: State) -> None:
    """SET-8"""
    if state.start_option == NONE:
        state.start_player = below(state.rng, state.num_players)
    else:
        state.start_player = state.start_option


@jit
def choose_sides(cards: Tables, state: State) -> None:
    """SET-5: use the sides of the options, or draw until a draw is allowed."""
    for store in range(NUM_STORES):
        state.sides[store] = state.side_options[store]
    if state.side_options[0] != NONE:
        return
    for _ in range(MOST_DRAWS):
        for store in range(NUM_STORES):
            state.sides[store] = below(state.rng, cards.num_sides)
        if may_be_drawn(cards, state):
            return


@jit
def may_be_drawn(cards: Tables, state: State) -> bool:
    """MC-3, MC-7: enough sides of the expansion, and not too many that count the day's money."""
    return new_sides(state) >= cards.least_new_sides and money_sides(cards, state) <= cards.most_money_sides


@jit
def new_sides(state: State) -> int:
    """MC-7: the number of stores that show a side of the expansion."""
    number = 0
    for store in range(NUM_STORES):
        if state.sides[store] >= BASE_SIDES:
            number += 1
    return number


@jit
def money_sides(cards: Tables, state: State) -> int:
    """MC-3: the number of stores that count the day's money."""
    number = 0
    for store in range(NUM_STORES):
        if cards.stores[store, state.sides[store]].pattern == Pattern.DAY_MONEY:
            number += 1
    return number


@jit
def shuffle_parts(cards: Tables, state: State) -> None:
    """SET-2: the A deck lies on the B deck. MC-1: the cards beyond three days' parts, at the end of each, leave it."""
    end = 0
    for deck in range(Deck.A, Deck.B + 1):
        first = end
        for part in range(PRINTED_PARTS, cards.num_parts):
            if cards.parts[part].deck == deck:
                state.part_deck[end] = part
                end += 1
        shuffle(state.rng, state.part_deck, first, end)
    state.part_deck[end:] = NONE


@jit
def shuffle_orders(cards: Tables, state: State) -> None:
    """SET-3"""
    for size in range(NUM_SIZES):
        deck = state.order_decks[size]
        deck.top = 0
        deck.count = 0
        deck.returned = 0
        deck.cards[:] = NONE
        for order in range(cards.num_orders):
            if cards.orders[order].deck == size:
                deck.cards[deck.count] = order
                deck.count += 1
        shuffle(state.rng, deck.cards, 0, deck.count)


@jit
def shuffle_employees(cards: Tables, state: State) -> None:
    """SET-4, MC-5; and draw the order in which each day's employees are laid out (PREP-3)."""
    state.employee_decks[:, :] = NONE
    for deck in range(cards.employee_decks):
        end = 0
        for employee in range(cards.num_employees):
            if deck_of(cards, employee) == deck:
                for _ in range(cards.employees[employee].count):
                    state.employee_decks[deck, end] = employee
                    end += 1
        shuffle(state.rng, state.employee_decks[deck], 0, end)
    for day in range(NUM_DAYS):
        for deck in range(EMPLOYEE_DECKS):
            state.mix[day, deck] = deck
        if state.num_players > 1:
            shuffle(state.rng, state.mix[day], 0, cards.employee_decks)


@jit
def deck_of(cards: Tables, employee: int) -> int:
    """The employee's deck: the store's or, without a store, the extra one (MC-5)."""
    store = int(cards.employees[employee].store)
    return EXPANSION_DECK if store == NONE else store


@jit
def draw_order(state: State, size: int) -> int:
    """Take the top card of an order deck; NONE if the deck is empty (CLEAN-4)."""
    deck = state.order_decks[size]
    if deck.count == 0:
        return NONE
    order = deck.cards[deck.top]
    deck.cards[deck.top] = NONE
    deck.top = (deck.top + 1) % MAX_ORDERS
    deck.count -= 1
    deck.returned = min(deck.returned, deck.count)
    return order


@jit
def clear_manager_cards(state: State) -> None:
    state.target = NONE
    state.num_demands = 0
    state.face_up = 0
    clear_requirements(state)
    state.demands[:] = NONE
    state.delivered[:] = 0
    state.paid[:] = 0


@jit
def deal_manager_cards(cards: Tables, state: State) -> None:
    """SOLO-1, SOLO-2: a target, its Special Orders, 1 + difficulty demands face up, and five face down."""
    state.target = below(state.rng, cards.num_targets)
    state.num_demands = 1 + state.difficulty + DAILY_DEMANDS
    draw_demands(cards, state, 0)
    state.face_up = 1 + state.difficulty
    add_up_requirements(cards, state)
    place = OWN_ORDERS
    for size in range(NUM_SIZES):
        for _ in range(cards.targets[state.target].special[size]):
            state.players[0].orders[place] = draw_order(state, size)
            place += 1


@jit
def draw_demands(cards: Tables, state: State, first: int) -> None:
    """Draw the demands from place `first` on, without repeating any."""
    for place in range(first, state.num_demands):
        left = below(state.rng, cards.num_demands - place)
        for demand in range(cards.num_demands):
            if not dealt_before(state, place, demand):
                if left == 0:
                    state.demands[place] = demand
                    break
                left -= 1


@jit
def dealt_before(state: State, place: int, demand: int) -> bool:
    for earlier in range(place):
        if state.demands[earlier] == demand:
            return True
    return False
