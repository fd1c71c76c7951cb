"""Abilities of spaces (ABIL), and the Machinist's use of the half's machine (SPEC-7, SPEC-11)."""

from ....core.jit import jit
from ..cards import Recipe
from ..constants import (
    MAX_OPEN_RECIPES,
    NONE,
    WAREHOUSE,
    Ability,
    Half,
    Kind,
    Pile,
    Step,
)
from ..layout import Tables
from ..state import Seat, State
from .goods import can_turn_over, enter, give_back, leave, places_freed, turn_over
from .hands import hire, look


@jit
def is_open(cards: Tables, state: State, ability: int) -> bool:
    """ABIL-1: the space in use has this ability and has not been used."""
    return state.turn.open[0] != 0 and cards.abilities[state.half, state.turn.space] == ability


@jit
def is_machine_open(cards: Tables, state: State, machine: int) -> bool:
    """SPEC-7: like `is_open`, or the Machinist's use is left."""
    return state.turn.open[1] != 0 or is_open(cards, state, machine)


@jit
def spend_machine(cards: Tables, state: State, machine: int) -> None:
    """SPEC-11: with two uses on a machine's space, one is left. At the plantation the Machinist's comes last."""
    if is_open(cards, state, machine):
        state.turn.open[0] = 0
    else:
        state.turn.open[1] = 0
        if state.half == Half.PLANTATION:
            state.turn.open[0] = 0


@jit
def go_on(state: State) -> None:
    """After a use, return to the abilities that are left."""
    state.turn.recipe = NONE
    state.turn.uses = 0
    state.step = Step.ABILITY


# --- plantation


@jit
def can_mix(seat: Seat) -> bool:
    """ABIL-3, ABIL-6: a sugar and a cacao in the warehouse, and a place for the cacao turned over (ROOM-6)."""
    if seat.goods[WAREHOUSE, Kind.SUGAR] == 0:
        return False
    return can_turn_over(seat, Kind.CACAO, places_freed(seat, Kind.SUGAR, 1))


@jit
def mix(cards: Tables, state: State, seat: Seat) -> None:
    """ABIL-6"""
    leave(seat, WAREHOUSE, Kind.SUGAR)
    give_back(state, Kind.SUGAR)
    turn_over(seat, Kind.CACAO, Kind.CHOCOLATE)
    spend_machine(cards, state, Ability.MIXER)


@jit
def can_sell(state: State, seat: Seat, kind: int) -> bool:
    """ABIL-3, ABIL-4, ABIL-7, ABIL-11: a good in the warehouse (at the plantation a cacao), and coins left."""
    bought = kind == Kind.CACAO or state.half == Half.CANDY
    return bought and seat.goods[WAREHOUSE, kind] > 0 and state.supply[Pile.COINS] > 0


@jit
def sell(cards: Tables, state: State, seat: Seat, kind: int) -> None:
    """ABIL-5, ABIL-7, ABIL-11, COIN-1: the outlet's price in coins, or as many as the supply has."""
    leave(seat, WAREHOUSE, kind)
    give_back(state, kind)
    coins = min(cards.outlet_coins[state.half], state.supply[Pile.COINS])
    state.supply[Pile.COINS] -= coins
    seat.coins += coins
    state.turn.open[0] = 0


@jit
def pay_coin(state: State, seat: Seat) -> None:
    """ABIL-5"""
    seat.coins -= 1
    state.supply[Pile.COINS] += 1


@jit
def can_recruit(state: State, seat: Seat) -> bool:
    """ABIL-8, ABIL-12"""
    return seat.coins > 0 and state.specialists_left > 0


@jit
def recruit(cards: Tables, state: State, seat: Seat) -> None:
    """ABIL-8, TURN-5: pay, and look at cards; no cards are drawn this turn."""
    pay_coin(state, seat)
    look(cards, state)
    state.turn.recruited = 1
    state.turn.open[0] = 0
    state.step = Step.HIRE


@jit
def end_recruit(cards: Tables, state: State, specialist: int) -> None:
    """ABIL-8, ABIL-12: take one of the cards."""
    hire(cards, state, specialist)
    go_on(state)


# --- candy factory


@jit
def can_make(cards: Tables, state: State, seat: Seat, place: int) -> bool:
    """CANDY-1, CANDY-4, CANDY-5: the warehouse has the cost, a token is left, and one candy fits once the cost left."""
    if state.tokens[place] == 0:
        return False
    recipe = cards.recipes[state.recipes[place]]
    if seat.goods[WAREHOUSE, Kind.SUGAR] < recipe.sugar or seat.goods[WAREHOUSE, Kind.CHOCOLATE] < recipe.chocolate:
        return False
    if seat.free[WAREHOUSE] > 0:
        return True
    return places_freed(seat, Kind.SUGAR, recipe.sugar) + places_freed(seat, Kind.CHOCOLATE, recipe.chocolate) > 0


@jit
def make(cards: Tables, state: State, seat: Seat, place: int) -> None:
    """ABIL-9, CANDY-2, CANDY-3: one use of a recipe; the first one fixes the recipe for this use of the machine."""
    turn = state.turn
    recipe = cards.recipes[state.recipes[place]]
    if state.step == Step.ABILITY:
        spend_machine(cards, state, Ability.MACHINE)
        turn.recipe = place
        turn.uses = recipe.uses
        state.step = Step.RECIPE
    use_recipe(state, seat, recipe, place)
    turn.uses -= 1
    if turn.uses == 0:
        go_on(state)


@jit
def use_recipe(state: State, seat: Seat, recipe: Recipe, place: int) -> None:
    """CANDY-2, CANDY-4, CANDY-5: pay the cost; as many plain candies enter as have a place and a token."""
    for _ in range(recipe.sugar):
        leave(seat, WAREHOUSE, Kind.SUGAR)
        give_back(state, Kind.SUGAR)
    for _ in range(recipe.chocolate):
        leave(seat, WAREHOUSE, Kind.CHOCOLATE)
        give_back(state, Kind.CHOCOLATE)
    for _ in range(min(recipe.candies, state.tokens[place], seat.free[WAREHOUSE])):
        state.tokens[place] -= 1
        enter(seat, WAREHOUSE, Kind.PLAIN + place, False)


@jit
def can_decorate(seat: Seat, place: int) -> bool:
    """ABIL-3, ABIL-10, CANDY-6: a plain candy in the warehouse; one of a stack needs a free place (ROOM-6)."""
    return can_turn_over(seat, Kind.PLAIN + place, 0)


@jit
def decorate(state: State, seat: Seat, place: int) -> None:
    """ABIL-10"""
    turn_over(seat, Kind.PLAIN + place, Kind.DECORATED + place)
    state.turn.open[0] = 0


@jit
def can_decorate_all(seat: Seat) -> bool:
    """ABIL-10, ABIL-15: it costs a coin and needs at least two candies."""
    candies = 0
    for kind in range(Kind.PLAIN, Kind.PLAIN + MAX_OPEN_RECIPES):
        candies += seat.goods[WAREHOUSE, kind]
    return seat.coins > 0 and candies > 1


@jit
def decorate_all(state: State, seat: Seat) -> None:
    """ABIL-10, CANDY-6: stacks stay stacks."""
    pay_coin(state, seat)
    for place in range(MAX_OPEN_RECIPES):
        plain, decorated = Kind.PLAIN + place, Kind.DECORATED + place
        seat.goods[WAREHOUSE, decorated] += seat.goods[WAREHOUSE, plain]
        seat.stacks[WAREHOUSE, decorated] += seat.stacks[WAREHOUSE, plain]
        seat.goods[WAREHOUSE, plain] = 0
        seat.stacks[WAREHOUSE, plain] = 0
    state.turn.open[0] = 0
