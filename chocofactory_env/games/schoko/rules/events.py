"""The month's event: seats may look at its card, and the economic service turns it up."""

from ....core.jit import jit
from ..constants import Event
from ..layout import Tables
from ..state import Player, State
from .payments import is_over, pay_bank
from .player_order import seat_after
from .sale import remove_oldest


@jit
def turn_up_event(cards: Tables, state: State) -> None:
    """EV-0. EV-5 to EV-7 are carried out next month (`setup.start_month`); EV-8."""
    event = state.events[state.month]
    state.event_turned = event
    if event == Event.STOMACH_UPSET:
        upset(state)
    elif event == Event.PROTEST:
        protest(cards, state)
    elif event == Event.STORE_SHOCK:
        shock(cards, state)
    elif event == Event.WAGE_SUBSIDY:
        subsidise(cards, state)


@jit
def upset(state: State) -> None:
    """EV-1"""
    for seat in range(state.num_players):
        player = state.players[seat]
        remove_oldest(player, int(player.num_contracts if state.upset_all else player.num_booked))


@jit
def protest(cards: Tables, state: State) -> None:
    """EV-2"""
    for seat in range(state.num_players):
        player = state.players[seat]
        player.chocolate -= min(int(player.chocolate), int(cards.event_amounts[Event.PROTEST]))


@jit
def shock(cards: Tables, state: State) -> None:
    """EV-3, EV-8: in player order."""
    for places in range(state.num_players):
        seat = seat_after(state, state.leader, places)
        pay_bank(cards, state, seat, int(state.players[seat].chocolate) * int(cards.event_amounts[Event.STORE_SHOCK]))
        if is_over(state):
            return


@jit
def subsidise(cards: Tables, state: State) -> None:
    """EV-4: for all seats that are not bankrupt."""
    most, tied = 0, 0
    for seat in range(state.num_players):
        salaries = int(state.players[seat].salaries)
        if state.players[seat].out == 0 and salaries >= most:
            tied = tied + 1 if salaries == most else 1
            most = salaries
    if most == 0:
        return
    share = int(cards.event_amounts[Event.WAGE_SUBSIDY]) // tied
    for seat in range(state.num_players):
        if state.players[seat].out == 0 and state.players[seat].salaries == most:
            state.players[seat].cash += share


@jit
def can_look(cards: Tables, player: Player) -> bool:
    """LOOK-2"""
    return bool(player.cash >= cards.look)


@jit
def look(cards: Tables, player: Player) -> None:
    """LOOK-1"""
    player.cash -= cards.look
    player.looked = 1
