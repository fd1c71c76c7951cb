"""Decks of `candyfactory` as parsed TOML: the shipped one, and random ones within the schema."""

from __future__ import annotations

import random
from typing import Any, Final

from damaged_decks import Tables, tables_in

from chocofactory_env.games.candyfactory.cards import load_cards
from chocofactory_env.games.candyfactory.deck_schema import ABILITIES_OF_HALF, EFFECTS, MOST_COST, MOST_LOAD, Deck
from chocofactory_env.games.candyfactory.generated import GENERATOR

SHIPPED: Final = tables_in(GENERATOR.data, [f"{table}.toml" for table in Deck.__struct_fields__])
PLAYERS = 4
TRUCKS = 4


def card(identifier: str, **fields: Any) -> dict[str, Any]:
    return {"id": identifier, "name": identifier, "source": "reconstructed", **fields}


def any_deck(rng: random.Random) -> Tables:
    """A random deck within the schema."""
    trucks = [truck(rng, number) for number in range(TRUCKS)]
    return {
        "boards": [
            card(f"board-{half}", half=half, spaces=rng.choices(abilities, k=8), outlet_coins=rng.randint(1, 9))
            for half, abilities in ABILITIES_OF_HALF.items()
        ],
        "trucks": trucks,
        "recipes": [recipe(rng, number) for number in range(len(load_cards().recipes))],
        "specialists": [specialist(rng, effect) for effect in EFFECTS],
        "workers": [card("workers", numbers=rng.sample(3 * list(range(1, 9)), 8))],
        "setup": [setup(rng, sum(each["places"] for each in trucks))],
    }


def truck(rng: random.Random, number: int) -> dict[str, Any]:
    places = rng.randint(1, 9)
    return card(f"truck-{number}", places=places, berths=rng.randint(0, min(places, 2)), own=rng.random() < 0.5)


def recipe(rng: random.Random, number: int) -> dict[str, Any]:
    goods = rng.randint(1, MOST_COST)
    sugar = rng.randint(0, goods)
    return card(
        f"recipe-{number}",
        sugar=sugar,
        chocolate=goods - sugar,
        uses=rng.randint(1, 3),
        candies=rng.randint(1, 3),
        points=rng.randint(0, 9),
        tokens=rng.randint(1, 9),
    )


def specialist(rng: random.Random, effect: str) -> dict[str, Any]:
    amounts = {"capacity": {"amount": 1}, "turn_die": {"amount": rng.randint(1, 2)}}
    is_temp = effect == "none"
    numbers = {"count": 0 if is_temp else 3, "each": int(is_temp)}
    return card(f"specialist-{effect}", effect=effect, **numbers, **amounts.get(effect, {}))


def setup(rng: random.Random, places: int) -> dict[str, Any]:
    warehouse = rng.randint(1, 9)
    sugar = rng.randint(0, warehouse)
    start = {"sugar": sugar, "cacao": rng.randint(0, warehouse - sugar), "coins": rng.randint(0, 3)}
    load = {"sugar": rng.randint(1, min(MOST_LOAD, places - 1))}
    load["chocolate"] = rng.randint(1, min(MOST_LOAD, places - load["sugar"]))
    least = {
        "sugar": PLAYERS * max(start["sugar"], load["sugar"]),
        "cacao": PLAYERS * max(start["cacao"], load["chocolate"]),
    }
    return card(
        "setup",
        **{kind: rng.randint(min(number, 40), 40) for kind, number in least.items()},
        coins=rng.randint(PLAYERS * start["coins"], 30),
        pawns=rng.randint(1, 8),
        warehouse=warehouse,
        hand=rng.randint(1, 3),
        look=rng.randint(1, 3),
        recipes={str(players): rng.randint(1, 5) for players in (2, 3, 4)},
        start=start,
        short_load=load,
        short_specialists=rng.randint(0, 4),
        short_points={"sugar": rng.randint(0, 9), "chocolate": rng.randint(0, 9)},
    )
