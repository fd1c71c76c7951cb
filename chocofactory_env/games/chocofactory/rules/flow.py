"""The order of days, phases, seats, and shifts."""

from ....core.jit import jit
from ..constants import NONE, NUM_DAYS, Effect, Phase
from ..layout import Tables
from ..state import State
from .cleanup import discard_employee, offer_orders
from .draft import clear_display, seat_of_draft_turn
from .employees import has_effect
from .prepare import prepare
from .run import empty_belt, shifts_of, start_shift
from .setup import deal
from .together import all_act, ask, ask_next, everyone, finish

LAST_DAY = NUM_DAYS - 1


@jit
def begin_game(cards: Tables, state: State) -> None:
    deal(cards, state)
    begin_day(cards, state)


@jit
def begin_day(cards: Tables, state: State) -> None:
    prepare(cards, state)
    state.phase = Phase.DRAFT
    state.turn = 0
    state.current = seat_of_draft_turn(state)


@jit
def end_draft_turn(cards: Tables, state: State) -> None:
    """DRAFT-1: two turns for every player."""
    state.turn += 1
    if state.turn < 2 * state.num_players:
        state.current = seat_of_draft_turn(state)
    else:
        clear_display(state)
        state.phase = Phase.RUN
        state.turn = 0
        begin_turn(cards, state)


@jit
def next_seat(cards: Tables, state: State) -> None:
    """Phases 3 to 5 go seat by seat in turn order (RUN-1, FUL-1); the next phase follows the last seat."""
    if all_act(state):
        finish(state)
        if state.finished != everyone(state):
            ask_next(state)
            return
        state.finished = 0
        state.turn = state.num_players
    state.turn += 1
    while True:
        if state.phase == Phase.AGENTS:
            skip_to_agent(cards, state)
        if state.turn < state.num_players:
            begin_turn(cards, state)
            return
        if state.phase >= Phase.AGENTS and state.day == LAST_DAY:
            end_game(state)  # END-1: no Cleanup on day 6
            return
        if state.phase >= Phase.CLEANUP:
            end_day(cards, state)
            return
        state.phase += 1
        state.turn = 0
        state.shift = 0


@jit
def begin_turn(cards: Tables, state: State) -> None:
    """Begin the turn of the next seat or, if all seats act at once, of every seat (SIM-1)."""
    if all_act(state):
        for seat in range(state.num_players):
            ask(state, seat)
            start_run(cards, state)
        ask(state, int(state.start_player))
        return
    state.current = (state.start_player + state.turn) % state.num_players
    start_run(cards, state)


@jit
def start_run(cards: Tables, state: State) -> None:
    if state.phase == Phase.RUN:
        state.shift = 0
        start_shift(cards, state)


@jit
def skip_to_agent(cards: Tables, state: State) -> None:
    """CLEAN-1: only Department Store Agents have a turn."""
    while state.turn < state.num_players:
        seat = (state.start_player + state.turn) % state.num_players
        if has_effect(cards, state.players[seat], Effect.OTHER_STORE):
            return
        state.turn += 1


@jit
def end_shift(cards: Tables, state: State) -> None:
    """RUN-1"""
    if state.shift < shifts_of(cards, state.players[state.current]):
        start_shift(cards, state)
    else:
        end_run(cards, state)


@jit
def end_run(cards: Tables, state: State) -> None:
    """RUN-9"""
    if state.day == LAST_DAY:
        empty_belt(state.players[state.current])
    next_seat(cards, state)


@jit
def replace_next_order(cards: Tables, state: State) -> None:
    """CLEAN-3, CLEAN-4: offer the player's next replacement; if there is none, go to the next seat."""
    player = state.players[state.current]
    if player.to_replace > 0 and offer_orders(state):
        state.phase = Phase.REPLACE
        return
    player.to_replace = 0
    state.phase = Phase.CLEANUP
    next_seat(cards, state)


@jit
def end_day(cards: Tables, state: State) -> None:
    """CLEAN-5"""
    for seat in range(state.num_players):
        discard_employee(state.players[seat])
    state.start_player = (state.start_player + 1) % state.num_players
    state.day += 1
    begin_day(cards, state)


@jit
def end_game(state: State) -> None:
    state.phase = Phase.OVER
    state.turn = 0
    state.current = NONE
