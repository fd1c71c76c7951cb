"""Setup: all of START, and its changes for the shorter games (SHORT-2 to SHORT-4)."""

from ....core.jit import jit
from ....core.kernel.rng import below, seed_generator
from ..constants import (
    MAX_PLAYERS,
    NONE,
    NUM_RECIPES,
    NUM_SPACES,
    SPECIALIST_CARDS,
    TEMP_CARD,
    WAREHOUSE,
    Half,
    Kind,
    Pile,
    Step,
    Variety,
)
from ..layout import Tables
from ..state import Seat, State
from .derived import derive
from .goods import enter
from .hands import add_to_deck, add_workers, draw_up, empty_deck, remove_specialists, shuffle_deck, shuffle_specialists
from .turn import begin_turn, clear_turn
from .unseen import begin_odds


@jit
def begin_game(cards: Tables, state: State) -> None:
    """Set up a new game from `state.seed` and the options in `state`, up to the first decision."""
    seed_generator(state.rng, state.seed)
    state.half = Half.CANDY if state.variety == Variety.CANDY else Half.PLANTATION
    clear_turn(state)
    fill_supply(cards, state)
    choose_recipes(cards, state)
    for number in range(MAX_PLAYERS):
        clear_seat(cards, state.seats[number])
    for number in range(state.num_players):
        equip(cards, state, state.seats[number])
    shuffle_specialists(cards, state)
    for number in range(state.num_players):
        if state.variety == Variety.CANDY:
            deal_for_candy(cards, state, state.seats[number])
        else:
            deal_for_plantation(cards, state, state.seats[number])
    if state.variety == Variety.CANDY:
        remove_specialists(state)
    choose_start_player(state)
    roll(state)
    derive(cards, state)
    if state.variety == Variety.CANDY:
        begin_loading(cards, state)
    else:
        begin_turn(state, state.start_player)


@jit
def fill_supply(cards: Tables, state: State) -> None:
    """START-2, START-9: fill the supply, and empty the board."""
    state.supply[Pile.SUGAR] = cards.sugar
    state.supply[Pile.CACAO] = cards.cacao
    state.supply[Pile.COINS] = cards.coins
    state.board[:] = 0


@jit
def choose_recipes(cards: Tables, state: State) -> None:
    """START-7: draw recipes and lay them in the order of the deck. SHORT-2: none for the plantation alone."""
    wanted = 0 if state.variety == Variety.PLANTATION else int(cards.open_recipes[state.num_players])
    state.recipes[:] = NONE
    state.tokens[:] = 0
    chosen = 0
    for recipe in range(NUM_RECIPES):
        if chosen < wanted and below(state.rng, NUM_RECIPES - recipe) < wanted - chosen:
            state.recipes[chosen] = recipe
            state.tokens[chosen] = cards.recipes[recipe].tokens  # CANDY-1
            chosen += 1


@jit
def clear_seat(cards: Tables, seat: Seat) -> None:
    """START-3: an empty warehouse, four empty trucks, and no cards yet."""
    seat.coins = 0
    seat.whistle = 0
    seat.hand[:] = 0
    seat.hand_size = 0
    seat.played[:] = 0
    seat.odds[:] = 0
    for hold in range(len(seat.free)):
        seat.goods[hold, :] = 0
        seat.stacks[hold, :] = 0
        seat.free[hold] = cards.places[hold]
    empty_deck(seat)


@jit
def equip(cards: Tables, state: State, seat: Seat) -> None:
    """START-4: coins and goods from the supply; SHORT-3: no goods for the candy factory alone."""
    seat.coins = cards.start_coins
    state.supply[Pile.COINS] -= cards.start_coins
    if state.variety != Variety.CANDY:
        state.supply[Pile.SUGAR] -= cards.start_sugar
        state.supply[Pile.CACAO] -= cards.start_cacao
        for _ in range(cards.start_sugar):
            enter(seat, WAREHOUSE, Kind.SUGAR, False)
        for _ in range(cards.start_cacao):
            enter(seat, WAREHOUSE, Kind.CACAO, False)


@jit
def deal_for_plantation(cards: Tables, state: State, seat: Seat) -> None:
    """START-5: the temp and the top of the shuffled worker cards."""
    add_workers(cards, seat)
    shuffle_deck(state, seat)
    seat.hand[TEMP_CARD] = 1
    seat.hand_size = 1
    draw_up(cards, seat)


@jit
def deal_for_candy(cards: Tables, state: State, seat: Seat) -> None:
    """SHORT-4: draw a hand of worker cards and the temp; then shuffle three unseen specialists into the deck."""
    add_workers(cards, seat)
    add_to_deck(seat, TEMP_CARD, 1)
    shuffle_deck(state, seat)
    draw_up(cards, seat)
    begin_odds(seat)
    for _ in range(cards.short_specialists):
        state.specialists_left -= 1
        add_to_deck(seat, SPECIALIST_CARDS + state.specialists[state.specialists_left], 1)
    shuffle_deck(state, seat)


@jit
def choose_start_player(state: State) -> None:
    """START-8"""
    if state.start_option == NONE:
        state.start_player = below(state.rng, state.num_players)
    else:
        state.start_player = state.start_option


@jit
def roll(state: State) -> None:
    """START-9, TURN-3: every face is equally likely."""
    state.die = 1 + below(state.rng, NUM_SPACES)


@jit
def begin_loading(cards: Tables, state: State) -> None:
    """SHORT-5, SHORT-6: the start player loads first."""
    state.step = Step.LOAD
    state.current = state.start_player
    state.turn.to_load[:] = cards.load
