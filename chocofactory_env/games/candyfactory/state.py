"""A position of the game: one flat NumPy record of about 1 kB.

The record is packed, so that equal positions are equal bytes. `NONE` (-1) marks an empty place, truck, kind or card.
Fields marked *derived* follow from the rest and are stored so that no step recomputes them; see `rules/derived.py`.
"""

from __future__ import annotations

from ...core.kernel.rng import WORDS
from ...core.records import Array, Array2, Record, field
from .constants import (
    MAX_DECK,
    MAX_OPEN_RECIPES,
    MAX_PLAYERS,
    MOST_CAPACITY,
    MOST_COINS,
    MOST_HAND,
    MOST_ODDS,
    MOST_OF_RECIPE,
    MOST_PLACES,
    MOST_RAW,
    NONE,
    NUM_CARDS,
    NUM_HIRED,
    NUM_HOLDS,
    NUM_KINDS,
    NUM_PILES,
    NUM_SPACES,
    NUM_SPECIALISTS,
    SPECIALIST_DECK,
)


class Options(Record):
    """The variant, which `begin_game` keeps."""

    num_players: int = field("i1")
    variant: int = field("i8")  # a hash of options and cards: checked, because other positions would be read wrongly
    variety: int = field("i1")  # Variety: the option `game`
    play_forced: int = field("i1")
    start_option: int = field("i1")  # a seat, or NONE to draw one (START-8)


class Seat(Record):
    coins: int = field("i1", most=MOST_COINS)  # COIN-1, without the one on the whistle
    whistle: int = field("i1")  # WHIS-1: 1 if a shift change was called in this half; a coin then lies there
    hand: Array[int] = field("i1", NUM_CARDS, most=MAX_DECK)  # how many of each card
    hand_size: int = field("i1", most=MAX_DECK)  # derived: their sum
    deck: Array[int] = field("i1", MAX_DECK, least=NONE)  # from the bottom to the top; NONE beyond `deck_size`
    deck_size: int = field("i1", most=MAX_DECK)
    # derived (OPEN-3): the cards in hand or deck that everybody can name (worker cards, an unplayed temp, and all
    # in the candy half of the full game), and the number of others (recruited ones, or those of SHORT-4)
    unplayed: Array[int] = field("i1", NUM_CARDS, most=MAX_DECK)
    unknown: int = field("i1", most=MAX_DECK)
    # SHORT-4: weights of 0, 1, ... unseen specialists in the hand, given what was played; see `rules/unseen.py`
    odds: Array[int] = field("i4", MOST_HAND + 1, most=MOST_ODDS)
    # TURN-8: specialist cards of this half; at the transition those still kept
    played: Array[int] = field("i1", NUM_SPECIALISTS, most=MAX_DECK)
    # derived (OPEN-4): cards of the specialist deck that the seat knows, by kind
    knows: Array[int] = field("i1", NUM_HIRED, most=SPECIALIST_DECK)
    goods: Array2[int] = field("i1", NUM_HOLDS, NUM_KINDS, most=2 * MOST_PLACES)  # how many of each kind
    stacks: Array2[int] = field("i1", NUM_HOLDS, NUM_KINDS, most=MOST_PLACES)  # SPEC-8: the stacks of two they form
    free: Array[int] = field("i1", NUM_HOLDS, most=MOST_PLACES)  # derived (ROOM-1, ROOM-2): places - goods + stacks


class Turn(Record):
    """The turn under way, and the rest of a loading (SHORT-5) or of a surplus (TRANS-2)."""

    card: int = field("i1", least=NONE)  # in play; in a dismissal, the card dismissed last
    number: int = field("i1", most=NUM_SPACES)  # 1-8 once it is settled (TURN-2), else 0
    way: int = field("i1")  # Way
    counter: int = field("i1")  # SPEC-4: 1 if the search went counter-clockwise
    space: int = field("i1", least=NONE)  # where the worker was placed, or from where it is taken
    left: int = field("i1", most=MOST_CAPACITY)  # capacity left (TO-2, FROM-2)
    truck: int = field("i1", least=NONE)  # the truck accessed (ROOM-3); in a loading, the last one for this kind
    last: int = field("i1", least=NONE)  # the Kind moved last, into or out of the truck accessed
    open: Array[int] = field("i1", 2)  # ABIL-1, SPEC-7: the space's ability and the Machinist's use are still to come
    recipe: int = field("i1", least=NONE, most=MAX_OPEN_RECIPES - 1)  # the recipe place that the machine uses
    uses: int = field("i1", most=MOST_OF_RECIPE)  # CANDY-3: uses of it left
    recruited: int = field("i1")  # TURN-5: no cards are drawn this turn
    to_load: Array[int] = field("i1", 2, most=MOST_OF_RECIPE)  # SHORT-5: sugar and chocolate
    surplus: int = field("i1", most=MAX_DECK)  # TRANS-2: specialist cards still to be given up


class State(Options):
    # where the game is
    seed: int = field("i8")
    rng: Array[int] = field("u4", WORDS)
    half: int = field("i1")  # Half
    step: int = field("i1")  # Step
    current: int = field("i1", least=NONE)  # seat to move, NONE when the game is over
    start_player: int = field("i1")  # of this half: START-8, then TRANS-5
    turn: Turn = field(Turn)
    # the table
    board: Array[int] = field("i1", NUM_SPACES)  # 1 where a worker is
    workers: int = field("i1", most=NUM_SPACES)  # derived: workers on the board; the others are in the supply
    die: int = field("i1", least=1, most=NUM_SPACES)  # the face that lies up (TURN-3)
    supply: Array[int] = field("i1", NUM_PILES, most=MOST_RAW)
    recipes: Array[int] = field("i1", MAX_OPEN_RECIPES, least=NONE)  # START-7: in the order of the deck; then NONE
    tokens: Array[int] = field("i1", MAX_OPEN_RECIPES, most=MOST_OF_RECIPE)  # CANDY-1: left on the card
    seats: Array[Seat] = field(Seat, MAX_PLAYERS)
    # face down
    specialists: Array[int] = field("i1", SPECIALIST_DECK, least=NONE)  # START-6: from the top; NONE beyond the last
    known_to: Array[int] = field("u1", SPECIALIST_DECK)  # OPEN-4: bits of the seats that know the card in this place
    specialists_left: int = field("i1", most=SPECIALIST_DECK)
    pool: Array[int] = field("i1", NUM_HIRED, most=0)  # scratch for a redeal, else 0: compiled rules allocate nothing
