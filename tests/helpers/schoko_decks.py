"""Decks of Schoko & Co.: the shipped one, edited or with random numbers."""

from __future__ import annotations

import random

from damaged_decks import Tables, tables_in

from chocofactory_env.games.schoko.deck_schema import Deck
from chocofactory_env.games.schoko.generated import GENERATOR


def shipped() -> Tables:
    return tables_in(GENERATOR.data, [f"{table}.toml" for table in Deck.__struct_fields__])


def card(tables: Tables, table: str, identifier: str) -> Tables:
    found: Tables = next(each for each in tables[table] if each["id"] == identifier)
    return found


def setup(tables: Tables) -> Tables:
    found: Tables = tables["setup"][0]
    return found


def any_deck(rng: random.Random) -> Tables:
    """A deck with random numbers within the limits."""
    tables = shipped()
    for contract in tables["contracts"]:
        lowest, highest = sorted(rng.choices(range(1, 151), k=2))
        contract.update(bars=rng.randint(1, 6), lowest=lowest, highest=highest)
    del tables["contracts"][rng.randint(15, 23) :]
    numbers = setup(tables)
    numbers.update(
        cash=rng.choice((0, 60, 100, 250)),
        look=rng.choice((0, 15, 250)),
        salaries=[rng.randint(0, 10) * 2 for _ in range(4)],
        bars_a_worker=rng.randint(1, 9),
        contracts_a_secretary=rng.randint(1, 9),
        contracts_a_bookkeeper=rng.randint(1, 9),
        most_hired=rng.choice((1, 2, 20)),
        cocoa_store=rng.randint(1, 16),
        chocolate_store=rng.randint(1, 16),
        staff=[rng.randint(1, 20) for _ in range(4)],
        loans=rng.randint(0, 13),
        shares=rng.randint(0, 10),
        loan=rng.choice((1, 50, 250)),
        interest=rng.choice((0, 10, 250)),
        last_field=rng.randint(1, 15),
        bank_bars=rng.randint(0, 16),
        bank_price=rng.randint(0, 50),
        highest_bid=rng.randint(1, 30),
        hand=rng.randint(0, 3),
        share_price=[rng.randint(1, 60) for _ in range(12)],
    )
    card(tables, "express", "third-to-bank")["amount"] = rng.randint(1, 9)
    card(tables, "express", "half-price")["amount"] = rng.randint(1, 9)
    card(tables, "express", "idle-books")["amount"] = rng.randint(1, 9)
    card(tables, "events", "protest")["amount"] = rng.randint(1, 16)
    return tables
