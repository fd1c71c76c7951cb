"""What a seat cannot know: a redeal draws it anew, and each way of dealing it is as likely."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest
from long_runs import amount
from oracles.schoko.checks import check_position
from real_deals import check_redeals
from schoko_games import PASS, VARIANTS, Position, asked, load, play, steps, variant_name, weights
from scipy.stats import chi2

from chocofactory_env.core.jit import COMPILED
from chocofactory_env.games.schoko.constants import MAX_CONTRACTS, NUM_EVENTS, NUM_EXPRESS, UNSEEN, Express, Task
from chocofactory_env.games.schoko.words import MOMENTS

EVERY = pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
GAMES = amount("CF_CHECKED_GAMES", 2, 20) if COMPILED else 1
DRAWS = 2000 if COMPILED else 600


# --- a redeal is a position of a game in which what is hidden lies otherwise


@EVERY
@pytest.mark.long
def test_a_redeal_keeps_what_all_know_and_is_a_position_of_a_game(options: dict[str, Any]) -> None:
    """SEE-3: cards that were turned up stay where they are; invariants 1 to 12 hold."""
    game = load(**options)
    for seed in range(GAMES):
        for number, (state, _) in enumerate(steps(game, seed)):
            if number % 7 or game.is_over(state):
                continue
            before = game.to_dict(state)
            for seat in range(game.num_players):
                after = game.to_dict(game.redeal(state, seat, number))
                check_position(after, game.months)
                compare_what_is_open(before, after, seat)


def compare_what_is_open(before: Any, after: Any, seat: int) -> None:
    assert after["players"][seat] == before["players"][seat]
    sealed = before["city"] - 1 if before["task"] in ("bid_bars", "bid_price") else None
    for then, now in zip(before["players"], after["players"], strict=True):
        assert without_bid(now, sealed) == without_bid(then, sealed)
    assert Counter(after["express"].values()) == Counter(before["express"].values())
    open_cards = {card for card, place in before["express"].items() if place in (seat, "gone")}
    assert all(after["express"][card] == before["express"][card] for card in open_cards)
    assert Counter(after["contracts"]) == Counter(before["contracts"])
    hidden = dict.fromkeys(("players", "express", "contracts", "events", "card", "rng", "seed"))
    assert {**after, **hidden} == {**before, **hidden}
    turned = before["month"] - (before["event_turned"] is None)
    assert after["events"][:turned] == before["events"][:turned]


def without_bid(player: Any, sealed: int | None) -> Any:
    bids = zip(player["bid_bars"], player["bid_price"], strict=True)
    revealed = [bid for city, bid in enumerate(bids) if city != sealed]
    return {**player, "bid_bars": revealed, "bid_price": None}


# --- and each way is as likely


def check_even(counts: np.ndarray, freedom: int) -> None:
    """Numbers of draws that are expected to be equal: no further apart than by chance, once in 10,000 samples."""
    expected = counts.mean()
    assert expected > 5, "too few draws"
    assert ((counts - expected) ** 2 / expected).sum() < chi2.ppf(0.9999, freedom), counts


def places(dealt: list[np.void], field: str, first: int, end: int) -> np.ndarray:
    """(cards, places): how often each card lies in each place of a part of the row."""
    rows = np.array([row[field][first:end] for row in dealt])
    cards = np.unique(rows[0])
    return np.array([(rows == card).sum(axis=0) for card in cards])


def redealt(game: Any, state: np.ndarray, seat: int, draws: int = DRAWS) -> list[np.void]:
    return [game.redeal(state, seat, seed)[0] for seed in range(draws)]


def test_every_hidden_hand_is_as_likely() -> None:
    """SET-3, SEE-2: a card that the seat has not seen is with each other place as often as that has cards."""
    game = load(num_players=3)
    state = game.new(4)
    express = np.array([row["express"] for row in redealt(game, state, 1)])
    unseen = np.flatnonzero(state[0]["express"] != 1)
    counts = np.array([[(express[:, card] == place).sum() for place in (0, 2, UNSEEN)] for card in unseen])
    assert counts.shape == (NUM_EXPRESS - 3, 3)
    check_even(counts, freedom=8 * 2)
    hands = Counter(tuple(np.flatnonzero(row == 0).tolist()) for row in express)
    check_even(np.array([hands[hand] for hand in combinations(unseen.tolist(), 3)]), freedom=83)


def test_every_order_of_the_contracts_face_down_is_as_likely() -> None:
    """SET-4"""
    state = load(num_players=2).new(4)
    dealt = redealt(load(num_players=2), state, 0)
    check_even(places(dealt, "contracts", 0, 23), freedom=22 * 22)
    tops = Counter((int(row["contracts"][22]), int(row["contracts"][21])) for row in dealt)
    assert len(tops) > min(DRAWS, 23 * 22) * 0.5, "the first two are drawn apart from each other"


@pytest.mark.parametrize(("month", "looked"), [(1, False), (1, True), (7, False), (9, False), (9, True)])
def test_every_order_of_the_events_to_come_is_as_likely(month: int, looked: bool) -> None:
    """SET-5, EV-0: who has looked knows this month's; the second shuffle is drawn whole until it begins."""
    firms = Position(2, month=month, months=12).player(0, looked=int(looked))
    game, state = firms.ask("look", 1, turn=1).build()
    dealt = redealt(game, state, 0)
    known, end = month - 1 + looked, 7 if month <= 7 else 14
    for row in dealt:
        assert row["events"][:known].tolist() == state[0]["events"][:known].tolist()
    for first, last in ((known, end), (end, 14)):
        if last - first > 1:
            check_even(places(dealt, "events", first, last), freedom=(last - first - 1) ** 2)


def bids(cash: int = 100, **options: Any) -> Position:
    firms = Position(3, **options)
    for seat in range(3):
        firms.player(seat, announced=10, cash=cash)
    return firms.ask("bid_bars", 0)


def test_every_bid_is_as_likely() -> None:
    """COCOA-4: bars evenly among the legal ones, then the price; between the two steps there are bars."""
    game, state = bids(cash=40).build()
    play(game, state, "bars 3", "price 7", "bars 4")
    assert asked(game, state) == ("bid_price", 1)
    dealt = redealt(game, state, 2)
    made = Counter((int(row["players"][0]["bid_bars"][0]), int(row["players"][0]["bid_price"][0])) for row in dealt)
    by_bars = np.array([sum(n for (bars, _), n in made.items() if bars == number) for number in range(7)])
    check_even(by_bars, freedom=6)
    prices = np.array([made[2, price] for price in range(1, 21)])  # 2 bars at 40 // 2 at most
    if COMPILED:  # else there are too few draws
        check_even(prices, freedom=19)
    assert all(bars * price <= 40 and (price > 0) == (bars > 0) for bars, price in made)
    under_way = Counter(int(row["players"][1]["bid_bars"][0]) for row in dealt)
    check_even(np.array([under_way[number] for number in range(1, 7)]), freedom=5)
    assert set(under_way) == set(range(1, 7))
    assert all(row["players"][1]["bid_price"][0] == 0 for row in dealt)


def test_who_is_asked_for_a_card_has_each_that_explains_it_as_often() -> None:
    """SEE-5: it is drawn first, evenly among the unseen cards that are playable there; then the rest."""
    firms = Position(3).player(0, hand=["levy", "hand_over", "half_price"]).player(2, staff=(1, 1, 0, 0))
    firms.player(1, hand=["gifts", "tax_inspection", "bar_each"])
    firms.player(2, hand=["illness", "missed_meetings", "idle_books"])
    game, state = firms.ask("card_a", 0).build()
    hands = [set(np.flatnonzero(row["express"] == 0).tolist()) for row in redealt(game, state, 1)]
    explaining = {int(Express[name]) for name in ("LEVY", "ILLNESS", "HOLIDAY", "SLOW_SHIFT")}
    others = {int(card) for card in Express if state[0]["express"][card] != 1} - explaining
    assert all(len(hand) == 3 and hand & explaining for hand in hands)
    for cards in (explaining, others):
        check_even(np.array([sum(card in hand for hand in hands) for card in cards]), freedom=len(cards) - 1)
    alone = sum(len(hand & explaining) == 1 for hand in hands) / DRAWS
    expected = comb(len(others), 2) / comb(len(others) + len(explaining) - 1, 2)
    assert abs(alone - expected) < 4 * (expected * (1 - expected) / DRAWS) ** 0.5


# --- and redeals are like real deals


def play_no_card(game: Any, state: np.ndarray, mask: np.ndarray, rng: np.random.Generator) -> int:
    """Any firm; express cards stay in the hands, so that what is not played is no evidence."""
    legal = np.flatnonzero(mask)
    task = Task(int(state["task"][0]))
    if MOMENTS[task] == "card window":
        return PASS
    return int(rng.choice(legal, p=weights(task, legal)))


def unseen_by_seat_0(state: np.ndarray) -> np.ndarray:
    """Cards of seat 1 and those out of the game, events of this month and the next two, the next two contracts."""
    row = state[0]
    events = row["events"][row["month"] : row["month"] + 3]
    left = int(row["contracts_left"])
    next_contracts = row["contracts"][max(0, left - 2) : left]
    return np.concatenate(
        [
            row["express"] == 1,
            row["express"] == UNSEEN,
            np.equal.outer(events, np.arange(NUM_EVENTS)).ravel(),
            np.isin(np.arange(MAX_CONTRACTS), next_contracts),
        ]
    )


def month_of_seat_0(game: Any, state: np.ndarray) -> int | None:
    """SEE-5: not in a card window, in which others are asked for what they hold."""
    mine = game.current_player(state) == 0 and MOMENTS[Task(int(state["task"][0]))] != "card window"
    return int(state["month"][0]) if mine else None


@pytest.mark.skipif(not COMPILED, reason="uncompiled, enough deals take too long")
@EVERY
@pytest.mark.long
def test_redeals_are_like_real_deals_month_by_month(options: dict[str, Any]) -> None:
    """SET-3, EV-0, SALE-11, SEE-2: hands, cards out of the game, events and contracts."""
    check_redeals(load(**options), play_no_card, unseen_by_seat_0, month_of_seat_0)
