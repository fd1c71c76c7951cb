"""Phase 3, Run factory: shifts, the belt, the Chute, and trading. For operating parts see `parts.py`."""

from ....core.jit import jit
from ..constants import ANY_KINDS, NONE, NUM_KINDS, NUM_SLOTS, NUM_TILES, STORE_ROOM, Effect, Function, Kind
from ..layout import Tables
from ..state import Player, State
from .employees import amount_of
from .pieces import number_of

SHIFTS = 3
LOAD = 1


@jit
def shifts_of(cards: Tables, player: Player) -> int:
    """RUN-1, EMP-12: the most shifts in a day."""
    return SHIFTS + amount_of(cards, player, Effect.MORE_SHIFTS)


@jit
def may_stop_running(cards: Tables, state: State, player: Player) -> bool:
    """RUN-1, DRAFT-5: the employee's extra shifts are optional."""
    return SHIFTS <= state.shift < shifts_of(cards, player)


@jit
def start_shift(cards: Tables, state: State) -> None:
    """RUN-2: load and push without being asked, and make all parts available again."""
    player = state.players[state.current]
    state.shift += 1
    for slot in range(NUM_SLOTS):
        player.operated[slot] = 0
    load_and_push(player, LOAD + amount_of(cards, player, Effect.MORE_BEANS))  # EMP-13


@jit
def load_and_push(player: Player, beans: int) -> None:
    """RUN-3: move all pieces one tile to the right, the last tile's into the store room; load beans on the left."""
    for kind in range(NUM_KINDS):
        player.pieces[STORE_ROOM, kind] += player.pieces[NUM_TILES - 1, kind]
        for tile in range(NUM_TILES - 1, 0, -1):
            player.pieces[tile, kind] = player.pieces[tile - 1, kind]
        player.pieces[0, kind] = 0
    player.pieces[0, Kind.BEAN] = beans


@jit
def empty_belt(player: Player) -> None:
    """RUN-9: on day 6, move everything on the belt to the store room."""
    for tile in range(NUM_TILES):
        for kind in range(NUM_KINDS):
            player.pieces[STORE_ROOM, kind] += player.pieces[tile, kind]
            player.pieces[tile, kind] = 0


@jit
def chute_tile(cards: Tables, player: Player) -> int:
    """The Chute's tile; NONE if the Chute is covered (RUN-6)."""
    for slot in range(NUM_SLOTS):
        part = player.factory[slot]
        if part != NONE and cards.parts[part].function == Function.CHUTE:
            return slot % NUM_TILES
    return NONE


@jit
def to_store_room(player: Player, tile: int, kind: int) -> None:
    """RUN-6: move a piece from the belt to the store room. It cannot return (RUN-7)."""
    player.pieces[tile, kind] -= 1
    player.pieces[STORE_ROOM, kind] += 1


@jit
def can_trade(player: Player, kind: int) -> bool:
    """RUN-8, CLEAN-2: any piece in the store room."""
    return player.pieces[STORE_ROOM, kind] > 0


@jit
def trade(player: Player, kind: int) -> None:
    player.pieces[STORE_ROOM, kind] -= 1
    player.coal += 1


@jit
def is_empty(player: Player, tile: int) -> bool:
    return number_of(player, tile, ANY_KINDS) == 0
