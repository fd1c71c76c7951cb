"""The rulebook's words as numbers, shared by the rules, the tables and the observation.

Card contents and the numbers of the setup are in `data/*.toml`, flat action numbers in `actions.py`.
"""

from enum import IntEnum
from typing import Final

MIN_PLAYERS: Final = 2  # SET-1
MAX_PLAYERS: Final = 4
LEAST_MONTHS: Final = 6  # SET-7
MAX_MONTHS: Final = 12
NUM_CITIES: Final = 5  # COCOA-2
NONE: Final = -1  # no card, seat or category

# Bounds on decks. The sizes of actions and observations depend on them.
MAX_STAFF: Final = 20  # of a category in the box (SET-9)
MAX_LOANS: Final = 13
MAX_SHARES: Final = 10
STORE_PLACES: Final = 16  # bars of cocoa, and of chocolate, in a factory (SET-8)
MAX_MARKET: Final = -(-MAX_PLAYERS * STORE_PLACES // NUM_CITIES)  # bars in a city
HIGHEST_BID: Final = 30  # for a bar (COCOA-4)
MAX_RAISE: Final = 5  # SALE-7
MAX_HAND: Final = 3  # express cards (SET-3)
MAX_CONTRACTS: Final = 23  # SET-4

MOST_CASH: Final = 1_000_000  # thousands, of a position from outside; a whole game brings some 30,000 at most


class Category(IntEnum):
    """Categories of staff, in the order that all steps use (STAFF-1)."""

    WORKER = 0
    SALESMAN = 1
    SECRETARY = 2
    BOOKKEEPER = 3


NUM_CATEGORIES: Final = len(Category)

# The box holds staff by category, then loans and shares (SET-9).
LOANS: Final = NUM_CATEGORIES
SHARES: Final = NUM_CATEGORIES + 1
BOX_SIZE: Final = NUM_CATEGORIES + 2


class Event(IntEnum):
    """The events, EV-1 to EV-7. There is one card of each."""

    STOMACH_UPSET = 0
    PROTEST = 1
    STORE_SHOCK = 2
    WAGE_SUBSIDY = 3
    NO_COCOA = 4  # this event and the next two take effect next month (MON-3)
    SLOW_WORK = 5
    NO_BOOKKEEPERS = 6


NUM_EVENTS: Final = len(Event)
EVENT_DECK: Final = 2 * NUM_EVENTS  # two shuffles: months 1 to 7, and the months after them (EV-0)


class Express(IntEnum):
    """The express cards, by effect, window by window (XP-4, XP-5). There is one card of each."""

    LEVY = 0
    GIFTS = 1
    ILLNESS = 2
    HOLIDAY = 3
    SLOW_SHIFT = 4
    TAX_INSPECTION = 5
    THIRD_TO_BANK = 6
    BAR_EACH = 7
    MISSED_MEETINGS = 8
    IDLE_BOOKS = 9
    HAND_OVER = 10
    HALF_PRICE = 11


NUM_EXPRESS: Final = len(Express)
# The first card of each window, and the end of the last one.
WINDOW_A: Final = int(Express.LEVY)
WINDOW_B: Final = int(Express.TAX_INSPECTION)
WINDOW_C: Final = int(Express.HAND_OVER)

# Places of an express card: a seat, 0 to 3, or
UNSEEN: Final = MAX_PLAYERS  # out of the game, never seen (SET-3)
GONE: Final = MAX_PLAYERS + 1  # out of the game, face up: played, or of a bankrupt player (XP-5, PAY-3)


class Task(IntEnum):
    """The question to the seat to move, in the order of the month (MON-1)."""

    LOOK = 0
    STAFF = 1
    TRIM = 2  # LOAN-5
    CARD_A = 3  # XP-4
    CARD_B = 4
    CARD_C = 5
    TARGET = 6  # the player on whom the card is played
    HOLIDAY = 7  # XP-HOLIDAY: the struck seat names a category
    ANNOUNCE = 8
    BID_BARS = 9
    BID_PRICE = 10
    MAKE = 11
    ATTEND = 12
    OFFER = 13
    RAISE = 14
    BANK_SALE = 15
    MONEY = 16
    OVER = 17


NUM_TASKS: Final = int(Task.OVER)  # of a game under way

# LOAN-3: bits of what the seat has done in MONEY
SOLD: Final = 1
REPAID: Final = 2
TOOK: Final = 4  # a loan
