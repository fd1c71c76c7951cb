"""What a seat may know, block by block as the page lists them (its chapters on what is open and on the observation)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .position import CITIES, EFFECTS, Banded, Decision, Json, Offer, Player, Position

TASKS = (
    "look",
    "staff",
    "trim",
    "card_a",
    "card_b",
    "card_c",
    "target",
    "holiday",
    "announce",
    "bid_bars",
    "bid_price",
    "make",
    "attend",
    "offer",
    "raise",
    "bank_sale",
    "money",
)
# SEE-5: what the other seats do not see under way.
UNSEEN_TASKS = ("card_a", "card_b", "card_c", "target", "holiday", "bid_bars", "bid_price")
EFFECTS_OF_EVENTS = (
    "stomach_upset",
    "protest",
    "store_shock",
    "wage_subsidy",
    "no_cocoa",
    "slow_work",
    "no_bookkeepers",
)
MOST_CONTRACTS = 8
LARGEST_CONTRACT = 6


def one_hot(number: int | None, size: int) -> list[int]:
    return [int(place == number) for place in range(size)]


def flags(there: Iterable[str], names: Iterable[str]) -> list[int]:
    there = set(there)
    return [int(name in there) for name in names]


def capped(value: Any, high: int) -> Any:
    """More than *high* is shown as *high*."""
    return [capped(item, high) for item in value] if isinstance(value, list) else min(int(value), high)


def observation(oracle: Position, seat: int) -> Json:
    """Lists of whole numbers by block; of seats, the observer is the first and the others follow clockwise."""
    seats = [(seat + place) % oracle.num_players for place in range(oracle.num_players)]
    players = [oracle.players[other] for other in seats]
    return (
        of_the_decision(oracle, seat, seats)
        | of_the_table(oracle, seats)
        | of_players(players)
        | of_bids(oracle, seat, players)
        | of_sales(oracle, players)
        | of_the_meeting(oracle, seats)
        | of_cards(oracle, seat, players)
    )


def of_the_decision(oracle: Position, seat: int, seats: list[int]) -> Json:
    """SEE-5: in windows and bids, nothing of what another seat is asked."""
    decision = oracle.decision
    if decision is not None and decision.step in UNSEEN_TASKS and decision.seat != seat:
        decision = None
    if decision is None:
        decision = Decision(-1, "", set())
    return {
        "task": flags([decision.step], TASKS),
        "task_category": one_hot(decision.category, 4),
        "task_card": flags([decision.card] if decision.card else [], EFFECTS),
        "task_city": one_hot(decision.city, CITIES),
        "to_move": [int(other == decision.seat) for other in seats],
    }


def of_the_table(oracle: Position, seats: list[int]) -> Json:
    prices = [*oracle.setup["share_price"][: oracle.months], 0]
    return {
        "month": [oracle.month],
        "months": [oracle.months],
        "leader": [int(other == oracle.leader) for other in seats],
        "chairman": [int(other == oracle.chairman) for other in seats],
        "box": [*oracle.box_staff, oracle.box_loans, oracle.box_shares],
        "share_price": prices[oracle.month - 1 : oracle.month + 1],
        "market": list(oracle.market),
    }


def of_players(players: list[Player]) -> Json:
    """SEE-1, SEE-2"""
    return {
        "out": [int(player.out) for player in players],
        "cash": capped([[player.cash, player.cash // 10] for player in players], 250),
        "staff": [list(player.staff) for player in players],
        "staff_before": [list(player.staff_before) for player in players],
        "absent": [list(player.absent) for player in players],
        "salaries": capped([player.salaries for player in players], 250),
        "loans": [player.loans for player in players],
        "loan_this_month": [int(player.loan_this_month) for player in players],
        "shares": [player.shares for player in players],
        "cocoa": [player.cocoa for player in players],
        "chocolate": [player.chocolate for player in players],
        "announced": [player.announced for player in players],
        "looked": [int(player.looked) for player in players],
        "has_played": [int(player.has_played) for player in players],
    }


def of_bids(oracle: Position, seat: int, players: list[Player]) -> Json:
    """COCOA-6, SEE-5; `own_bid` begins with the bars that the seat has named."""
    decision, own = oracle.decision, players[0].bid
    if decision is not None and decision.step == "bid_price" and decision.seat == seat:
        own = [decision.bars, 0]
    return {
        "bids": [[list(bid) for bid in player.bids] for player in players],
        "bid_made": [int(player.bid is not None) for player in players],
        "own_bid": own or [0, 0],
    }


def of_sales(oracle: Position, players: list[Player]) -> Json:
    rows = []
    for player in players:
        row = [
            [oracle.contracts[banded.contract]["bars"], banded.price, int(there)]
            for there, contracts in ((True, player.at_bookkeepers), (False, player.open))
            for banded in contracts
        ]
        rows.append([*row, *([[0, 0, 0]] * MOST_CONTRACTS)][:MOST_CONTRACTS])
    face_down = [oracle.contracts[name]["bars"] for name in oracle.deck]
    return {
        "contracts": rows,
        "contract_counts": [[len(player.open), len(player.at_bookkeepers)] for player in players],
        "gained": [player.gained for player in players],
        "unseen": [face_down.count(bars + 1) for bars in range(LARGEST_CONTRACT)],  # SEE-3
    }


def of_the_meeting(oracle: Position, seats: list[int]) -> Json:
    """In window C the offer is the contract just taken."""
    players = [oracle.players[seat] for seat in seats]
    shown: Offer | Banded | None = oracle.offer
    if oracle.taker is not None:
        shown = oracle.players[oracle.taker].open[-1]
    offer = [0] * 4
    if shown is not None:
        card = oracle.contracts[shown.contract]
        offer = [card["bars"], card["lowest"], card["highest"], shown.price]
    return {
        "offer": offer,
        "meetings_left": [oracle.meetings_left],
        "markers": [player.marker for player in players],
        "present": [int(player.present) for player in players],
        "refused": [int(player.refused) for player in players],
        "taker": [int(seat == oracle.taker) for seat in seats],
    }


def of_cards(oracle: Position, seat: int, players: list[Player]) -> Json:
    effect = {name: card["effect"] for name, card in oracle.events.items()}
    this_month = oracle.events_dealt[oracle.month - 1]
    shuffle = (oracle.month - 1) // len(oracle.events) * len(oracle.events)  # EV-0: where it begins
    gone = oracle.events_dealt[shuffle : oracle.month - (oracle.turned is None)]
    known = oracle.players[seat].looked and oracle.turned is None
    return {
        "event_known": flags([effect[this_month]] if known else [], EFFECTS_OF_EVENTS),
        "event_in_force": flags([effect[oracle.in_force]] if oracle.in_force else [], EFFECTS_OF_EVENTS),
        "event_turned": flags([effect[oracle.turned]] if oracle.turned else [], EFFECTS_OF_EVENTS),
        "events_left": flags((effect[name] for name in oracle.events if name not in gone), EFFECTS_OF_EVENTS),
        "hand": flags(players[0].hand, EFFECTS),
        "hand_size": [len(player.hand) for player in players],
        "cards_played": flags(oracle.face_up, EFFECTS),
        "struck_by": [flags([player.struck_by] if player.struck_by else [], EFFECTS) for player in players],
    }
