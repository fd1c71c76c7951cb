"""Phase 5, Cleanup: trade surplus pieces, and replace completed orders."""

from ....core.jit import jit
from ..cards import MAX_ORDERS
from ..constants import ANY_KINDS, NONE, NUM_SIZES, OWN_ORDERS, STORE_ROOM
from ..layout import Tables
from ..state import Player, State
from .pieces import number_of
from .setup import draw_order


@jit
def can_finish_cleanup(cards: Tables, state: State, player: Player) -> bool:
    """CLEAN-2, SOLO-6: surplus pieces must be traded first."""
    solo = 1 if state.num_players == 1 else 0
    return number_of(player, STORE_ROOM, ANY_KINDS) <= cards.kept_pieces[solo]


@jit
def offer_orders(state: State) -> bool:
    """CLEAN-3, CLEAN-4: reveal the top card of each order deck. Returns False if all are empty."""
    offered = False
    for size in range(NUM_SIZES):
        state.offer[size] = draw_order(state, size)
        offered = offered or state.offer[size] != NONE
    return offered


@jit
def choose_order(state: State, player: Player, chosen: int) -> None:
    """CLEAN-3: take one order; the others go to the bottom of their decks."""
    for order in range(OWN_ORDERS):
        if player.orders[order] == NONE:
            player.orders[order] = state.offer[chosen]
            player.stage[order] = 0
            break
    for size in range(NUM_SIZES):
        if size != chosen and state.offer[size] != NONE:
            return_order(state, size)
        state.offer[size] = NONE
    player.to_replace -= 1


@jit
def return_order(state: State, size: int) -> None:
    deck = state.order_decks[size]
    deck.cards[(deck.top + deck.count) % MAX_ORDERS] = state.offer[size]
    deck.count += 1
    deck.returned += 1


@jit
def discard_employee(player: Player) -> None:
    """CLEAN-5, DRAFT-5: discard the employee and reset everything that lasts one day."""
    player.employee = NONE
    player.uses = 0
    player.assigned = NONE
    player.part_drafted = 0
    player.earned_today = 0
    player.operated[:] = 0
    player.supplied[:] = 0
