"""The rulebook's words as numbers, shared by the rules, the tables and the observation.

Card contents are in `data/*.toml`, flat action numbers in `actions.py`.
"""

from enum import IntEnum
from typing import Final

MIN_PLAYERS: Final = 2  # START-1
MAX_PLAYERS: Final = 4
NUM_SPACES: Final = 8  # of the board; spaces, card numbers and die faces are 1-8, and 0-7 as indices of arrays
NUM_TRUCKS: Final = 4
# A hold is a place for goods: the warehouse, then trucks 0-3.
WAREHOUSE: Final = 0
FIRST_TRUCK: Final = 1
NUM_HOLDS: Final = 1 + NUM_TRUCKS
NUM_RECIPES: Final = 10  # START-2
MAX_OPEN_RECIPES: Final = 5  # START-7: recipes in play
NUM_HALVES: Final = 2

NONE: Final = -1  # no card, space, truck, kind, recipe or seat


class Variety(IntEnum):
    """The option `game`: the full game, or one of the shorter ones (SHORT-1, SHORT-3)."""

    FULL = 0
    PLANTATION = 1
    CANDY = 2


class Half(IntEnum):
    PLANTATION = 0
    CANDY = 1


class Step(IntEnum):
    """What the seat to move decides."""

    LOAD = 0  # SHORT-5
    PLAY = 1
    DIE = 2
    RUNNER = 3
    DIRECT = 4  # bring or ship, after an optional shift change
    GOODS = 5
    ABILITY = 6
    RECIPE = 7
    HIRE = 8
    DISMISS = 9  # TRANS-3
    OVER = 10


NUM_STEPS: Final = int(Step.OVER)


class Way(IntEnum):
    """The transport of the turn."""

    NONE = 0
    BRING = 1
    SHIP = 2


class Kind(IntEnum):
    """Goods. Candy of recipe place r: PLAIN + r, decorated DECORATED + r."""

    SUGAR = 0
    CACAO = 1
    CHOCOLATE = 2
    PLAIN = 3
    DECORATED = 8


NUM_RAW: Final = 3  # sugar, cacao, chocolate
NUM_KINDS: Final = NUM_RAW + 2 * MAX_OPEN_RECIPES


class Pile(IntEnum):
    """The supply. Cacao and chocolate are the two sides of one token; workers are counted on the board."""

    SUGAR = 0
    CACAO = 1
    COINS = 2


NUM_PILES: Final = len(Pile)


class Ability(IntEnum):
    """Abilities of spaces (ABIL-6 to ABIL-11)."""

    MIXER = 0
    BREAK_ROOM = 1
    MACHINE = 2
    DECORATOR = 3
    OUTLET = 4


NUM_ABILITIES: Final = len(Ability)


class Specialist(IntEnum):
    """Specialist cards, by their effect (SPEC-2 to SPEC-8)."""

    TEMP = 0
    LIFT_OPERATOR = 1
    SORTER = 2
    RUNNER = 3
    TRUCKER = 4
    MACHINIST = 5
    PACKER = 6


NUM_SPECIALISTS: Final = len(Specialist)  # kinds of cards, the temp included
NUM_HIRED: Final = NUM_SPECIALISTS - 1  # kinds in the specialist deck ...
FIRST_HIRED: Final = int(Specialist.LIFT_OPERATOR)  # ... and the first of them

# Cards of hands and decks: 0-7 are the worker cards 1-8, then come the specialists.
SPECIALIST_CARDS: Final = NUM_SPACES
TEMP_CARD: Final = SPECIALIST_CARDS + Specialist.TEMP
NUM_CARDS: Final = SPECIALIST_CARDS + NUM_SPECIALISTS

# Bounds on deck files (`deck_schema.py`). Record sizes and the highs of observations depend on them.
WORKER_CARDS: Final = 8  # of a player
MOST_OF_A_CARD: Final = 3  # of a number, or of a specialist
SPECIALIST_DECK: Final = 18  # START-2
MOST_HAND: Final = 3
MOST_LOOK: Final = 3  # ABIL-8
MOST_BERTHS: Final = 8  # on a player's four trucks together, so the most specialists to keep (TRANS-2)
MOST_SHORT_SPECIALISTS: Final = 4  # SHORT-4: 18 cards are enough for four players
MOST_ODDS: Final = 1 << 24  # of how many of them a hand holds; in play, 34,021 once reduced
MAX_DECK: Final = WORKER_CARDS + MOST_BERTHS
MOST_PLACES: Final = 9  # of a warehouse or a truck; stacks double the number of goods
MOST_RAW: Final = 40  # sugar, or cacao, in the supply
MOST_COINS: Final = 30
MOST_WORKERS: Final = 8  # pawns
MOST_OF_RECIPE: Final = 9  # cost, points and tokens
MOST_LIFT: Final = 1  # SPEC-3
MOST_CAPACITY: Final = NUM_SPACES + MOST_LIFT
MOST_TURN: Final = 2  # SPEC-5: by how much the Runner turns the die
