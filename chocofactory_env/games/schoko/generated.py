"""Generate decks for Schoko & Co. from the weights in `data/generated.toml`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ...core.cards.generated import Draws, Generator, Raw, Section, Shares, as_generated, new_card, varied
from .constants import MAX_MONTHS
from .deck_schema import MAX_PRICE

# --- Contracts


def draw_contracts(draws: Draws, shares: Shares, shipped: Sequence[Raw]) -> list[Raw]:
    """SET-4, SALE-7. Highest prices are even, so that half of one is whole (XP-HALF)."""
    own = shares["contracts"]
    contracts: list[Raw] = []
    for bars in sorted(draws.number(own["bars"]) for _ in range(draws.number(own["number"]))):
        lowest = own["lowest"][str(bars)] + draws.number(own["step"])
        highest = min(lowest * draws.number(own["ratio"]) // 200 * 2, MAX_PRICE)
        contracts.append(new_card("Contract", len(contracts) + 1, bars=bars, lowest=lowest, highest=highest))
    return contracts


def fault_of_contracts(contracts: Sequence[Raw], shares: Shares, shipped: Sequence[Raw]) -> str:
    own = shares["contracts"]
    if any(contract["lowest"] < own["least_a_bar"] * contract["bars"] + own["least_more"] for contract in contracts):
        return "a contract that pays for no office"
    if not mean_within(contracts, shipped, ("bars",), own["bars_within"]):
        return "contracts of too many or too few bars"
    if not mean_within(contracts, shipped, ("lowest", "highest"), own["prices_within"]):
        return "prices that are too high or too low"
    by_bars = [[contract for contract in contracts if contract["bars"] == bars] for bars in range(1, 7)]
    # per bar, in hundredths
    means = [sum(100 * card["lowest"] // card["bars"] for card in cards) // len(cards) for cards in by_bars if cards]
    return "" if means == sorted(means, reverse=True) else "larger contracts that pay more for a bar"


def mean_within(cards: Sequence[Raw], shipped: Sequence[Raw], keys: Sequence[str], percent: int) -> bool:
    total, usual = (sum(card[key] for card in table for key in keys) for table in (cards, shipped))
    return bool(abs(total * len(shipped) - usual * len(cards)) * 100 <= usual * len(cards) * percent)


# --- Events, express cards, and numbers that are on no card


def draw_amounts(table: str) -> Section:
    def draw(draws: Draws, shares: Shares, shipped: Sequence[Raw]) -> list[Raw]:
        steps = shares[table]
        return [
            varied(draws, card, {"amount": steps[card["effect"]]}) if card["effect"] in steps else card
            for card in shipped
        ]

    return Section(draw)


def draw_setup(draws: Draws, shares: Shares, shipped: Sequence[Raw]) -> list[Raw]:
    """SHARE-1: share prices rise by a tenth a month, rounded."""
    (setup,) = shipped
    own = shares["setup"]
    first = draws.number(own["first_share_price"])
    numbers = {
        key: setup[key] + draws.number(own[key]) for key in ("highest_bid", "cash", "look", "interest", "bank_price")
    }
    salaries = [salary + draws.number(own["salary"]) for salary in setup["salaries"]]
    prices = [(2 * first * 11**month + 10**month) // (2 * 10**month) for month in range(MAX_MONTHS)]
    return [as_generated(setup, **numbers, salaries=salaries, share_price=prices)]


GENERATOR: Final = Generator(
    "schoko",
    Path(__file__).with_name("data"),
    f"{__package__}.cards",
    {
        "contracts": Section(draw_contracts, fault_of_contracts),
        "events": draw_amounts("events"),
        "express": draw_amounts("express"),
        "setup": Section(draw_setup),
    },
)
