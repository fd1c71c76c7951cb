"""Card tables: `data/*.toml` read, checked, and laid out as one record that the compiled rules take as an argument."""

import numpy as np

from .constants import (
    MAX_MAKES,
    MAX_OPTIONS,
    MAX_PLAYERS,
    MAX_STAGES,
    MAX_TAKES,
    NUM_DAYS,
    NUM_KINDS,
    NUM_SIZES,
    NUM_STORES,
)

PRINTED_PARTS = 3  # part numbers 0-2: the printed Roaster, Upgrader and Chute (SET-7), in the order of their slots
MAX_PARTS = 40
MAX_ORDERS = 60
MAX_EMPLOYEES = 40
MAX_MANAGER_CARDS = 26

OPTION = np.dtype(
    [
        ("num_takes", "i1"),
        ("takes", "i1", MAX_TAKES),  # Symbols, ascending
        ("num_makes", "i1"),
        ("makes", "i1", MAX_MAKES),  # Symbols, ascending
    ]
)
PART = np.dtype(
    [
        ("deck", "i1"),  # Deck
        ("function", "i1"),  # Function
        ("cost", "i1"),  # coal
        ("amount", "i1"),  # upgrade points, or copies
        ("num_options", "i1"),
        ("options", OPTION, MAX_OPTIONS),
    ]
)
STAGE = np.dtype([("pieces", "i1", NUM_KINDS), ("number", "i1"), ("pay", "i2")])
ORDER = np.dtype([("size", "i1"), ("num_stages", "i1"), ("stages", STAGE, MAX_STAGES)])
EMPLOYEE = np.dtype([("store", "i1"), ("effect", "i1"), ("amount", "i1"), ("uses", "i1"), ("count", "i1")])
DELIVERY = np.dtype(
    [
        ("kinds", "i2"),  # bit mask of the kinds that are accepted
        ("pattern", "i1"),  # Pattern
        ("number", "i1"),  # exactly so many pieces; 0: any number
        ("per", "i1"),  # pieces for one step of `spaces`
        ("spaces", "i1", NUM_KINDS),  # spaces for `per` pieces of a kind (the same for all kinds but under ONE_STAGE)
        ("mix", "i1", NUM_KINDS),  # EXACT_MIX
    ]
)
MANAGER_CARD = np.dtype(
    [
        ("money", "i2"),  # pounds that it asks for, or adds to the target
        ("orders", "i1", NUM_SIZES + 1),  # completed orders of each size, and of any size
        ("steps", "i1", NUM_STORES),  # steps of named stores
        ("open_boxes", "i1"),  # so many different stores of choice ...
        ("open_steps", "i1"),  # ... this many steps each
        ("order", DELIVERY),  # chocolate order; number 0: none
        ("special", "i1", NUM_SIZES),  # Special Orders of each size (SOLO-2)
    ]
)
CARDS = np.dtype(
    [
        ("num_parts", "i2"),
        ("parts", PART, MAX_PARTS),
        ("num_orders", "i2"),
        ("orders", ORDER, MAX_ORDERS),
        ("num_employees", "i2"),
        ("employees", EMPLOYEE, MAX_EMPLOYEES),
        ("stores", DELIVERY, (NUM_STORES, 2)),  # by side
        ("num_targets", "i2"),
        ("targets", MANAGER_CARD, MAX_MANAGER_CARDS),
        ("num_demands", "i2"),
        ("demands", MANAGER_CARD, MAX_MANAGER_CARDS),
        ("coal", "i1", NUM_DAYS),  # PREP-1
        ("packets", "i1", (MAX_PLAYERS + 1, MAX_PLAYERS)),  # PREP-2, by number of players
        ("store_prizes", "i1", 3),  # END-3
        ("most_orders_prize", "i1"),  # END-2
        ("variety_prizes", "i1", NUM_STORES + 1),  # END-4, by number of stores supplied
        ("kept_pieces", "i1", 2),  # CLEAN-2: in the game for several, in the solo game
    ]
)
