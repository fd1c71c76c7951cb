"""A position of the game: one flat NumPy record of a few hundred bytes.

The record is packed, so that equal positions are equal bytes. `NONE` (-1) stands for no card or seat. Money is in
thousands. Fields without a meaning at the moment keep their value of the month's start, for the same reason. Bounds
leave room for what play adds.
"""

from __future__ import annotations

from ...core.kernel.rng import WORDS
from ...core.records import Array, Record, field
from .constants import (
    BOX_SIZE,
    EVENT_DECK,
    HIGHEST_BID,
    MAX_CONTRACTS,
    MAX_LOANS,
    MAX_MARKET,
    MAX_PLAYERS,
    MAX_SHARES,
    MAX_STAFF,
    MOST_CASH,
    NONE,
    NUM_CATEGORIES,
    NUM_CITIES,
    NUM_EXPRESS,
    STORE_PLACES,
)
from .deck_schema import MAX_FIELD, MAX_PRICE, MAX_SALARY


class Options(Record):
    """The variant, which `deal` keeps."""

    num_players: int = field("i1")
    variant: int = field("i8")
    play_forced: int = field("i1")
    months: int = field("i1")
    leader_option: int = field("i1")  # a seat, or NONE to draw one (SET-6)
    upset_all: int = field("i1")  # EV-1: open contracts are struck, too


class Player(Record):
    """All fields of a bankrupt player are 0 but `out` and the record of this month (PAY-3)."""

    cash: int = field("i4", most=MOST_CASH)  # never below 0 (PAY-1)
    # STAFF-2; in STAFF, not yet decided categories are as before
    staff: Array[int] = field("i1", NUM_CATEGORIES, most=MAX_STAFF)
    staff_before: Array[int] = field("i1", NUM_CATEGORIES, most=MAX_STAFF)  # at the end of last month (STAFF-2)
    absent: Array[int] = field("i1", NUM_CATEGORIES, most=1)  # of one category at most (XP-ILL, XP-HOLIDAY)
    # paid this month, without severance (EV-4)
    salaries: int = field("i2", most=NUM_CATEGORIES * MAX_STAFF * MAX_SALARY)
    loans: int = field("i1", most=MAX_LOANS)
    loan_this_month: int = field("i1")  # 1: taken this month (LOAN-1, PAY-2)
    shares: int = field("i1", most=MAX_SHARES)
    cocoa: int = field("i1", most=STORE_PLACES)
    chocolate: int = field("i1", most=STORE_PLACES)
    announced: int = field("i1", most=STORE_PLACES)  # bars, this month (COCOA-1)
    # this month; secret in the city under way (COCOA-4)
    bid_bars: Array[int] = field("i1", NUM_CITIES, most=STORE_PLACES)
    bid_price: Array[int] = field("i1", NUM_CITIES, most=HIGHEST_BID)
    # meetings left to attend; 0 before window B and after the meetings (SALE-2)
    marker: int = field("i1", most=MAX_FIELD)
    gained: int = field("i1", most=MAX_FIELD)  # contracts this month (SALE-12)
    num_contracts: int = field("i1", most=MAX_CONTRACTS)
    # of the oldest contracts, which lie at the bookkeepers; the others are open (OFFICE-1)
    num_booked: int = field("i1", most=MAX_CONTRACTS)
    contracts: Array[int] = field("i1", MAX_CONTRACTS, least=NONE)  # in the order of taking; then NONE
    prices: Array[int] = field("i2", MAX_CONTRACTS, most=MAX_PRICE)  # the money in the band of each; then 0
    looked: int = field("i1")  # 1: at this month's event (LOOK-1)
    struck_by: int = field("i1", least=NONE)  # the express card played on this seat this month (XP-3)
    has_played: int = field("i1")  # 1: an express card this month (XP-2)
    out: int = field("i1", most=MAX_PLAYERS - 1)  # 0, or 1 to 3 for the first to third to go bankrupt (PAY-3, END-3)


class State(Options):
    # where the game is
    seed: int = field("i8")
    rng: Array[int] = field("u4", WORDS)
    current: int = field("i1", least=NONE)
    month: int = field("i1")  # from 0; after the end, the last one played
    leader: int = field("i1")
    task: int = field("i1")  # Task
    turn: int = field("i1")  # places from the leader (CARD_C: `taker`) to the seat asked (HOLIDAY: the card's player)
    category: int = field("i1")  # STAFF: the one under way; TRIM: the one named last; else 0
    city: int = field("i1")  # BID_BARS, BID_PRICE: the one under way; else 0
    named: int = field("i1")  # BID_BARS, BID_PRICE: bits of the seats that have named their bars; else 0
    card: int = field("i1", least=NONE)  # TARGET, HOLIDAY: the express card under way
    money_done: int = field("i1")  # MONEY: SOLD, REPAID, TOOK; else 0
    players: Array[Player] = field(Player, MAX_PLAYERS)
    # the table
    box: Array[int] = field("i1", BOX_SIZE, most=MAX_STAFF)  # SET-9, STAFF-4
    market: Array[int] = field("i1", NUM_CITIES, most=MAX_MARKET)  # bars in each city still to be settled (COCOA-2)
    meetings_left: int = field("i1", most=MAX_FIELD)  # from window B on, including the one under way (SALE-1)
    offer: int = field("i1", least=NONE)  # the contract of the meeting under way until it is taken or cancelled
    price: int = field("i2", most=MAX_PRICE)  # of `offer`, once it is offered; else 0
    present: int = field("i1")  # bits of the seats at the meeting under way, until the end of window C (SALE-4)
    refused: int = field("i1")  # bits of the seats that refused this price (SALE-6)
    taker: int = field("i1", least=NONE)  # CARD_C: the seat that has just taken its last contract
    # cards
    event_in_force: int = field("i1", least=NONE)  # one of EV-5 to EV-7, announced last month (MON-3)
    event_turned: int = field("i1", least=NONE)  # this month's event once it is turned up
    events: Array[int] = field("i1", EVENT_DECK)  # by month: two shuffles of all seven (EV-0)
    express: Array[int] = field("i1", NUM_EXPRESS)  # the place of each card: a seat, UNSEEN or GONE
    # face down, the last one on top; then NONE. All others are held back
    contracts: Array[int] = field("i1", MAX_CONTRACTS, least=NONE)
    contracts_left: int = field("i1", most=MAX_CONTRACTS)
