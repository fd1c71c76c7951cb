"""Generate decks for Dan Manfredini's Chocolate Factory from the weights in `data/generated.toml`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ...core.cards.generated import (
    Draws,
    Generator,
    Raw,
    Section,
    Shares,
    as_generated,
    is_published,
    new_card,
    varied,
)
from .constants import MOST_OF_RECIPE, NUM_RECIPES, NUM_SPACES

# --- Boards


def draw_boards(draws: Draws, shares: Shares, shipped: Sequence[Raw]) -> list[Raw]:
    """ABIL-1"""
    boards = []
    for board in shipped:
        own = shares[board["half"]]
        shown: dict[str, str] = own["shown"]
        urn = Counter(own["urn"])
        urn.subtract(shown.values())
        others = iter(draws.sample(urn, NUM_SPACES - len(shown)))
        spaces = [shown.get(str(space)) or next(others) for space in range(1, NUM_SPACES + 1)]
        coins = max(1, board["outlet_coins"] + draws.number(own["outlet_coins"]))
        boards.append(as_generated(board, spaces=spaces, outlet_coins=coins))
    return boards


def fault_of_boards(boards: Sequence[Raw], shares: Shares, shipped: Sequence[Raw]) -> str:
    for board in boards:
        there: Counter[str] = Counter(board["spaces"])
        lacking = [ability for ability, least in shares[board["half"]]["least"].items() if there[ability] < least]
        if lacking:
            return f"a board with too little of {', '.join(lacking)}"
    return ""


# --- Trucks


def draw_trucks(draws: Draws, shares: Shares, shipped: Sequence[Raw]) -> list[Raw]:
    """ROOM-2"""
    own, hired, berths = (draws.row(shares["trucks"][key]) for key in ("own", "hired", "berths"))
    return [
        new_card("Truck", number, places=places, berths=berths[number - 1], own=number <= len(own))
        for number, places in enumerate([*own, *hired], start=1)
    ]


# --- Recipes


def gained(recipe: Raw) -> int:
    """Points of all candies of one visit to a machine, minus the points of the goods that they cost."""
    return int(recipe["uses"] * (recipe["candies"] * recipe["points"] - recipe["sugar"] - recipe["chocolate"]))


def recipe_of(draws: Draws, shares: Shares) -> Raw:
    """CANDY-2, CANDY-3. Points are whole numbers."""
    while True:
        cost = draws.row(shares["cost"])
        uses, candies = (draws.number(shares[key]) for key in ("uses", "candies"))
        gain = draws.number(shares["gain_of_chocolate" if cost["chocolate"] else "gain_of_sugar"])
        points, rest = divmod(cost["sugar"] + cost["chocolate"] + gain, candies)
        if not rest and points <= MOST_OF_RECIPE:
            return {
                **cost,
                "uses": uses,
                "candies": candies,
                "points": points,
                "tokens": draws.number(shares["tokens"]),
            }


def draw_recipes(draws: Draws, shares: Shares, shipped: Sequence[Raw]) -> list[Raw]:
    step = {"points": shares["recipes"]["points"]}
    recipes = [varied(draws, recipe, step) for recipe in shipped if is_published(recipe)]
    for number in range(len(recipes) + 1, NUM_RECIPES + 1):
        recipes.append(new_card("Recipe", number, **recipe_of(draws, shares["recipes"])))
    return recipes


def fault_of_recipes(recipes: Sequence[Raw], shares: Shares, shipped: Sequence[Raw]) -> str:
    own = shares["recipes"]
    alike = Counter(str([recipe[key] for key in ("sugar", "chocolate", "uses", "candies")]) for recipe in recipes)
    if max(alike.values()) > 1:
        return "two recipes are alike"
    if sum(not recipe["chocolate"] for recipe in recipes) < own["least_sugar"]:
        return "too few recipes of sugar alone"
    if sum(not recipe["sugar"] for recipe in recipes) < own["least_chocolate"]:
        return "too few recipes of chocolate alone"
    return "a recipe that dominates" if max(map(gained, recipes)) > own["most_gained"] else ""


def draw_setup(draws: Draws, shares: Shares, shipped: Sequence[Raw]) -> list[Raw]:
    return [varied(draws, setup, shares["setup"]) for setup in shipped]


GENERATOR: Final = Generator(
    "candyfactory",
    Path(__file__).with_name("data"),
    f"{__package__}.cards",
    {
        "boards": Section(draw_boards, fault_of_boards),
        "trucks": Section(draw_trucks),
        "recipes": Section(draw_recipes, fault_of_recipes),
        "setup": Section(draw_setup),
    },
)
