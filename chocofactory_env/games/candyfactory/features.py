"""Features of a position for one seat. A learned value is a weighted sum of them.

They describe what cards do, not their numbers, so a value learned with one deck works with another. The features have
separate weights at the plantation, at the candy factory, and at the plantation alone (SHORT-1), because their worth
differs. They include the seat's own hand and never what others hold.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Final, NamedTuple

import numpy as np

from ...core.jit import jit
from .cards import Recipe
from .constants import (
    FIRST_TRUCK,
    MAX_OPEN_RECIPES,
    NONE,
    NUM_HOLDS,
    NUM_SPACES,
    NUM_SPECIALISTS,
    SPECIALIST_CARDS,
    WAREHOUSE,
    Half,
    Kind,
    Pile,
    Specialist,
    Step,
    Variety,
    Way,
)
from .layout import Tables
from .rules.end import plantation_points, points_of_goods
from .rules.goods import free_berths
from .rules.turn import tries
from .state import Seat, State


class Places(NamedTuple):
    """An integer for each group of features: its size, or the index of its first feature."""

    here: int = 1
    turns: int = 1  # cards in hand and deck
    coins: int = 1
    coins_in_supply: int = 1
    whistle: int = 1  # 1 if a shift change may still be called
    warehouse: int = 3  # sugar, cacao, chocolate
    warehouse_free: int = 1
    reach: int = 2  # the most spaces that a worker card of the hand tries, to bring and to ship
    aboard: int = 4  # sugar and chocolate in own trucks, then in hired ones
    trucks_free: int = 2  # free places in own and in hired trucks
    berths: int = 1  # free
    kept: int = 1  # specialist cards played, at most as many as berths are free (TRANS-2)
    specialists: int = NUM_SPECIALISTS  # by kind: in hand or deck, or played at the plantation
    recipes: int = 3  # points for all sugar, all chocolate, and all pairs of both, each by its best open recipe
    points: int = 1  # of goods aboard
    candy: int = 3  # in the warehouse: candies, their points, those decorated
    hired_candy: int = 2  # in hired trucks: candies, their points
    makeable: int = 1  # points gained by the best use of the machine with the goods in the warehouse


SIZES: Final = Places()
AT: Final = Places(*accumulate((0, *SIZES[:-1])))
NAMES: Final = (
    *("here", "turns", "coins", "coins_in_supply", "whistle", "sugar", "cacao", "chocolate", "warehouse_free"),
    *("bring_reach", "ship_reach", "own_sugar", "own_chocolate", "hired_sugar", "hired_chocolate", "own_free"),
    *("hired_free", "berths", "kept", *(specialist.name.lower() for specialist in Specialist)),
    *("recipe_sugar", "recipe_chocolate", "recipe_both", "points_aboard", "candies", "candy_points", "decorated"),
    *("hired_candies", "hired_candy_points", "makeable"),
)
SIZE: Final = len(NAMES)
BLOCKS: Final = ("plantation", "candy", "alone")
FEATURES: Final = tuple(f"{block}_{name}" for block in BLOCKS for name in NAMES)

TURNS: Final = 12  # the most turns left to a seat in a half that have a stage of their own
STAGES: Final = 2 * (TURNS + 1) + 1  # the last one is unused, see `training.value`


@jit
def stage_of(cards: Tables, state: State) -> int:
    """The stage, by half and by the average number of turns left to a seat; the most turns give the lowest stage."""
    left = 0
    for seat in range(state.num_players):
        left += state.seats[seat].hand_size + state.seats[seat].deck_size
    turns = min(TURNS, left // state.num_players)
    return int(state.half * (TURNS + 1) + TURNS - turns)


def turns_left(stage: int) -> int:
    """Turns left to a seat in this half at that stage, on average."""
    return max(0, TURNS - stage % (TURNS + 1))


@jit
def turn_goes_on(cards: Tables, state: State) -> bool:
    """True at every step but `play`, also in a loading or a dismissal."""
    return bool(state.step != Step.PLAY)


@jit
def write_features(cards: Tables, state: State, seat: int, features: np.ndarray) -> None:
    """Write the seat's features into `features`, (FEATURES,) float32."""
    features[:] = 0
    block = 2 if state.variety == Variety.PLANTATION else state.half
    out = features[block * SIZE : (block + 1) * SIZE]
    player = state.seats[seat]
    out[AT.here] = 1
    out[AT.turns] = player.hand_size + player.deck_size
    out[AT.coins] = player.coins
    out[AT.coins_in_supply] = state.supply[Pile.COINS]
    out[AT.whistle] = player.whistle == 0 and player.coins > 0
    for kind in range(SIZES.warehouse):
        out[AT.warehouse + kind] = player.goods[WAREHOUSE, kind]
    out[AT.warehouse_free] = player.free[WAREHOUSE]
    write_reach(state, player, out)
    write_trucks(cards, player, out)
    write_specialists(state, player, out)
    write_recipes(cards, state, player, out)
    if state.variety == Variety.PLANTATION:
        out[AT.points] = plantation_points(cards, player)
    else:
        out[AT.points] = points_of_goods(cards, state, player)


@jit
def write_reach(state: State, seat: Seat, out: np.ndarray) -> None:
    for card in range(NUM_SPACES):
        if seat.hand[card] > 0:
            out[AT.reach] = max(out[AT.reach], tries(state, card + 1, Way.BRING, 0))
            out[AT.reach + 1] = max(out[AT.reach + 1], tries(state, card + 1, Way.SHIP, 0))


@jit
def write_trucks(cards: Tables, seat: Seat, out: np.ndarray) -> None:
    for hold in range(FIRST_TRUCK, NUM_HOLDS):
        hired = 1 - cards.own[hold]
        out[AT.aboard + 2 * hired] += seat.goods[hold, Kind.SUGAR]
        out[AT.aboard + 2 * hired + 1] += seat.goods[hold, Kind.CHOCOLATE]
        out[AT.trucks_free + hired] += seat.free[hold]
    out[AT.berths] = free_berths(cards, seat)


@jit
def write_specialists(state: State, seat: Seat, out: np.ndarray) -> None:
    """Count specialists that the seat may still use, in this half or the next, without those hidden in its deck."""
    played = 0
    for specialist in range(NUM_SPECIALISTS):
        card = SPECIALIST_CARDS + specialist
        left = max(seat.hand[card], seat.unplayed[card])
        if state.half == Half.PLANTATION:
            left += seat.played[specialist]
            played += seat.played[specialist]
        out[AT.specialists + specialist] = left
    out[AT.kept] = min(played, out[AT.berths])


@jit
def write_recipes(cards: Tables, state: State, seat: Seat, out: np.ndarray) -> None:
    """Write what raw goods can become, and the candy."""
    best_sugar, best_chocolate, best_both = 0.0, 0.0, 0.0
    for place in range(MAX_OPEN_RECIPES):
        if state.recipes[place] == NONE:
            continue
        recipe = cards.recipes[state.recipes[place]]
        write_candy(cards, seat, place, int(recipe.points), out)
        if state.tokens[place] == 0:
            continue
        worth = recipe.candies * recipe.points / (recipe.sugar + recipe.chocolate)
        if recipe.chocolate == 0:
            best_sugar = max(best_sugar, worth)
        elif recipe.sugar == 0:
            best_chocolate = max(best_chocolate, worth)
        else:
            best_both = max(best_both, worth)
        out[AT.makeable] = max(out[AT.makeable], gain_of(state, seat, recipe, place))
    sugar = out[AT.warehouse] + out[AT.aboard] + out[AT.aboard + 2]
    chocolate = out[AT.warehouse + 2] + out[AT.aboard + 1] + out[AT.aboard + 3]
    out[AT.recipes] = sugar * best_sugar
    out[AT.recipes + 1] = chocolate * best_chocolate
    out[AT.recipes + 2] = min(sugar, chocolate) * best_both


@jit
def write_candy(cards: Tables, seat: Seat, place: int, points: int, out: np.ndarray) -> None:
    for hold in range(NUM_HOLDS):
        decorated = seat.goods[hold, Kind.DECORATED + place]
        candies = seat.goods[hold, Kind.PLAIN + place] + decorated
        if hold == WAREHOUSE:
            out[AT.candy] += candies
            out[AT.candy + 1] += candies * points
            out[AT.candy + 2] += decorated
        elif cards.own[hold] == 0:
            out[AT.hired_candy] += candies
            out[AT.hired_candy + 1] += candies * points + decorated


@jit
def gain_of(state: State, seat: Seat, recipe: Recipe, place: int) -> float:
    """Points of the candies minus those of the goods spent, with as many uses as the warehouse pays for (CANDY-3)."""
    uses = int(recipe.uses)
    if recipe.sugar > 0:
        uses = min(uses, seat.goods[WAREHOUSE, Kind.SUGAR] // recipe.sugar)
    if recipe.chocolate > 0:
        uses = min(uses, seat.goods[WAREHOUSE, Kind.CHOCOLATE] // recipe.chocolate)
    candies = min(uses * recipe.candies, state.tokens[place])
    return float(candies * recipe.points - uses * (recipe.sugar + recipe.chocolate))
