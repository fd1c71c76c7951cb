"""The tables of *Schoko & Co.* as the page of rules prints them, for the oracle.

They are written down apart from the package, so that the package's files can be compared with them.
"""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

SETUP: Json = {
    "cash": 100,
    "look": 15,
    "salaries": [6, 12, 8, 10],
    "bars_a_worker": 3,
    "contracts_a_secretary": 1,
    "contracts_a_bookkeeper": 2,
    "most_hired": 2,
    "cocoa_store": 16,
    "chocolate_store": 16,
    "box": {"staff": [20, 16, 16, 10], "loans": 13, "shares": 10},
    "loan": 50,
    "interest": 10,
    "last_field": 15,
    "bank_bars": 2,
    "bank_price": 5,
    "highest_bid": 30,
    "hand": 3,
    "months": {"2": 8, "3": 9, "4": 8},
    "cities": ["New York", "London", "Amsterdam", "Hamburg", "Tokyo"],
    "share_price": [20, 22, 24, 27, 29, 32, 35, 39, 43, 47, 52, 57],
}

EVENTS: list[Json] = [
    {"id": "upset", "effect": "stomach_upset"},
    {"id": "protest", "effect": "protest", "amount": 5},
    {"id": "shock", "effect": "store_shock", "amount": 5},
    {"id": "subsidy", "effect": "wage_subsidy", "amount": 50},
    {"id": "stuck-cocoa", "effect": "no_cocoa"},
    {"id": "go-slow", "effect": "slow_work", "amount": 1},
    {"id": "no-books", "effect": "no_bookkeepers"},
]

EXPRESS: list[Json] = [
    {"id": "levy", "effect": "levy", "amount": 1},
    {"id": "gifts", "effect": "gifts", "amount": 5},
    {"id": "illness", "effect": "illness", "amount": 1},
    {"id": "holiday", "effect": "holiday", "amount": 1},
    {"id": "slow_shift", "effect": "slow_shift", "amount": 2},
    {"id": "tax_inspection", "effect": "tax_inspection"},
    {"id": "third_to_bank", "effect": "third_to_bank", "amount": 3},
    {"id": "bar_each", "effect": "bar_each", "amount": 1},
    {"id": "missed_meetings", "effect": "missed_meetings", "amount": 2},
    {"id": "idle_books", "effect": "idle_books", "amount": 1},
    {"id": "hand_over", "effect": "hand_over"},
    {"id": "half_price", "effect": "half_price", "amount": 2},
]

# id, bars, lowest price, highest price
CONTRACTS: list[Json] = [
    {"id": name, "bars": bars, "lowest": lowest, "highest": highest}
    for name, bars, lowest, highest in (
        ("station-kiosk", 1, 18, 34),
        ("school-fete", 1, 20, 38),
        ("opera-bar", 1, 22, 42),
        ("tea-room", 2, 30, 52),
        ("corner-grocer", 2, 32, 58),
        ("cinema-chain", 2, 34, 62),
        ("confectioner", 2, 36, 68),
        ("cruise-line", 3, 36, 66),
        ("spa-town", 3, 38, 70),
        ("biscuit-works", 3, 40, 74),
        ("ice-cream-maker", 3, 42, 78),
        ("hotel-group", 3, 44, 82),
        ("fair-stalls", 3, 46, 86),
        ("duty-free", 3, 48, 90),
        ("bakers-guild", 4, 48, 86),
        ("coffee-houses", 4, 52, 92),
        ("railway-canteens", 4, 54, 98),
        ("airline", 4, 58, 104),
        ("mail-order", 5, 60, 108),
        ("department-store", 5, 64, 116),
        ("export-house", 5, 68, 124),
        ("army-stores", 6, 70, 126),
        ("supermarkets", 6, 76, 138),
    )
]

CARDS: Json = {"setup": SETUP, "events": EVENTS, "express": EXPRESS, "contracts": CONTRACTS}

# SET-7: the lengths that may be chosen, by number of players.
LENGTHS = {2: (6, 8, 10, 12), 3: (6, 9, 12), 4: (8, 12)}
# By the ids of the shipped deck.
EXPRESS_EFFECTS = {card["effect"].replace("_", "-"): card["effect"] for card in EXPRESS}
