"""Card tables: `data/*.toml` read, checked, and laid out as one record that the compiled rules take as an argument."""

from __future__ import annotations

import numpy as np

from .constants import MAX_CONTRACTS, MAX_MONTHS, MAX_PLAYERS, NUM_CATEGORIES, Event, Express

CONTRACT = np.dtype([("bars", "i1"), ("lowest", "i2"), ("highest", "i2")])  # bars 1-6, thousands 1-150
CARDS = np.dtype(
    [
        ("num_contracts", "i1"),  # 15-23
        ("contracts", CONTRACT, MAX_CONTRACTS),
        # one card of each effect, so that its number is that of the effect; 0 for effects without an amount
        ("event_amounts", "i2", len(Event)),
        ("express_amounts", "i2", len(Express)),
        # the numbers that are on no card; money in thousands
        ("cash", "i2"),  # SET-2
        ("look", "i2"),  # LOOK-1
        ("salaries", "i2", NUM_CATEGORIES),  # STAFF-1; even, so that severance is whole
        ("bars_a_worker", "i1"),  # MAKE-1
        ("contracts_a_secretary", "i1"),  # OFFICE-2
        ("contracts_a_bookkeeper", "i1"),  # OFFICE-3
        ("most_hired", "i1"),  # STAFF-2
        ("cocoa_store", "i1"),  # SET-8: 1-16
        ("chocolate_store", "i1"),
        ("staff", "i1", NUM_CATEGORIES),  # SET-9: in the box
        ("loans", "i1"),
        ("shares", "i1"),
        ("loan", "i2"),  # LOAN-1
        ("interest", "i2"),  # LOAN-2
        ("last_field", "i1"),  # SALE-2
        ("bank_bars", "i1"),  # SALE-12
        ("bank_price", "i2"),
        ("highest_bid", "i1"),  # COCOA-4: 1-30
        ("hand", "i1"),  # SET-3: 0-3
        ("months", "i1", MAX_PLAYERS + 1),  # SET-7: by number of players, where the option does not say
        ("share_price", "i2", MAX_MONTHS),  # SHARE-1
    ]
)
