"""Types of the records of this package, written by `python -m tools.records`."""

from __future__ import annotations

from ...core.rows import Array, Row


class Contract(Row):
    bars: int
    lowest: int
    highest: int


class Player(Row):
    cash: int
    staff: Array[int]
    staff_before: Array[int]
    absent: Array[int]
    salaries: int
    loans: int
    loan_this_month: int
    shares: int
    cocoa: int
    chocolate: int
    announced: int
    bid_bars: Array[int]
    bid_price: Array[int]
    marker: int
    gained: int
    num_contracts: int
    num_booked: int
    contracts: Array[int]
    prices: Array[int]
    looked: int
    struck_by: int
    has_played: int
    out: int


class Cards(Row):
    num_contracts: int
    contracts: Array[Contract]
    event_amounts: Array[int]
    express_amounts: Array[int]
    cash: int
    look: int
    salaries: Array[int]
    bars_a_worker: int
    contracts_a_secretary: int
    contracts_a_bookkeeper: int
    most_hired: int
    cocoa_store: int
    chocolate_store: int
    staff: Array[int]
    loans: int
    shares: int
    loan: int
    interest: int
    last_field: int
    bank_bars: int
    bank_price: int
    highest_bid: int
    hand: int
    months: Array[int]
    share_price: Array[int]


class At(Row):
    month: int
    months: int
    task: int
    task_category: int
    task_card: int
    task_city: int
    to_move: int
    leader: int
    chairman: int
    out: int
    cash: int
    staff: int
    staff_before: int
    absent: int
    salaries: int
    loans: int
    loan_this_month: int
    shares: int
    box: int
    share_price: int
    cocoa: int
    chocolate: int
    announced: int
    market: int
    bids: int
    bid_made: int
    own_bid: int
    contracts: int
    contract_counts: int
    offer: int
    meetings_left: int
    markers: int
    gained: int
    present: int
    refused: int
    taker: int
    unseen: int
    looked: int
    event_known: int
    event_in_force: int
    event_turned: int
    events_left: int
    hand: int
    hand_size: int
    cards_played: int
    struck_by: int
    has_played: int


class Tables(Cards):
    at: At


class State(Row):
    num_players: int
    observation_size: int
    play_forced: int
    months: int
    leader_option: int
    upset_all: int
    seed: int
    rng: Array[int]
    current: int
    month: int
    leader: int
    task: int
    turn: int
    category: int
    city: int
    named: int
    card: int
    money_done: int
    players: Array[Player]
    box: Array[int]
    market: Array[int]
    meetings_left: int
    offer: int
    price: int
    present: int
    refused: int
    taker: int
    event_in_force: int
    event_turned: int
    events: Array[int]
    express: Array[int]
    contracts: Array[int]
    contracts_left: int
