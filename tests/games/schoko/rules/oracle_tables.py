"""Positions set up by hand, answers in words, and players for random games, for the tests of the oracle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from .oracle import Oracle
from .oracle_cards import CARDS, CONTRACTS, EVENTS
from .oracle_position import EFFECTS, Answer

CATEGORIES = ("worker", "salesman", "secretary", "bookkeeper")
NAMES = {"play": EFFECTS, "category": CATEGORIES}
FIRST_NUMBER = {"price": 1, "raise": 1, "sell_shares": 1, "buy_shares": 1, "target": 1}
# How often thrifty players say no at first, and how far they go.
SHY = {"look": 0.9, "attend": 0.2, "offer": 0.4, "money": 0.5}
CHEAP = {"staff": 2, "bid_price": 4}


def table(
    num_players: int = 4,
    month: int = 1,
    leader: int = 0,
    hands: Sequence[Sequence[str]] = (),
    contracts: Sequence[str] = (),
    **options: Any,
) -> Oracle:
    """A game in this month, with nothing dealt at random; the hands are empty, and `contracts` lie on top."""
    names = [card["id"] for card in CONTRACTS]
    deal = {
        "leader": leader,
        "hands": [*hands, *([[]] * num_players)][:num_players],
        "contracts": [*contracts, *(name for name in names if name not in contracts)],
        "events": [card["id"] for card in EVENTS] * 2,
    }
    oracle = Oracle({"num_players": num_players, "play_forced": False} | options, CARDS, deal)
    oracle.month = month
    return oracle


def employ(oracle: Oracle, *staffs: Sequence[int]) -> None:
    """Gives the seats, from 0 on, these numbers of employees from last month on."""
    for player, staff in zip(oracle.players, staffs, strict=False):
        for category, number in enumerate(staff):
            oracle.box_staff[category] += player.staff[category] - number
        player.staff, player.staff_before = list(staff), list(staff)


def have(oracle: Oracle, field: str, *values: Any) -> None:
    for player, value in zip(oracle.players, values, strict=True):
        setattr(player, field, value)


def borrow(oracle: Oracle, *loans: int) -> None:
    have(oracle, "loans", *loans)
    oracle.box_loans -= sum(loans)


def answer(words: str) -> Answer:
    """Of "staff 2", "price 5", "play gifts" or "pass"."""
    verb, _, number = words.partition(" ")
    if verb in NAMES:
        return verb, NAMES[verb].index(number)
    return verb, int(number) - FIRST_NUMBER.get(verb, 0) if number else 0


def play(oracle: Oracle, answers: str) -> None:
    """`answers` are separated by commas, with numbers as the page has them."""
    for words in answers.split(", "):
        oracle.play(*answer(words))


def numbers(oracle: Oracle, verb: str) -> list[int]:
    """The legal numbers of the verb, as the page has them."""
    return sorted(number + FIRST_NUMBER.get(verb, 0) for name, number in oracle.legal() if name == verb)


def asked(oracle: Oracle) -> tuple[int | None, str | None]:
    return oracle.seat, oracle.step


def all_ways(make: Callable[[], Oracle], read: Callable[[Oracle], Any]) -> list[Any]:
    """What is read after every way in which the seat to move can carry through its task, each way once."""
    seat, step = asked(make())
    results = []

    def go_on(path: list[Answer]) -> None:
        oracle = make()
        for one in path:
            oracle.play(*one)
        if path and asked(oracle) != (seat, step):
            results.append(read(oracle))
            return
        for one in sorted(oracle.legal()):
            go_on([*path, one])

    go_on([])
    return results


def any_answer(oracle: Oracle, random: Random) -> Answer:
    return random.choice(sorted(oracle.legal()))


def thrifty_answer(oracle: Oracle, random: Random) -> Answer:
    """Random, but it keeps a firm going: most games last, with contracts, loans and shares."""
    legal = sorted(oracle.legal())
    step = oracle.step or ""
    if step == "make" or (step in ("announce", "bid_bars") and random.random() < 0.5):
        return legal[-1]
    if step in ("look", "attend", "offer", "money") and random.random() < SHY[step]:
        return ("pass", 0)
    most = CHEAP[step] if step in CHEAP and random.random() < 0.8 else 20
    return random.choice([one for one in legal if one[1] < most])
