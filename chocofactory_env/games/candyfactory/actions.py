"""The flat action space, the only place that knows its numbers. `rules/` holds legality and effects."""

from __future__ import annotations

from typing import Final

import numpy as np

from ...core.jit import jit
from ...core.observation.buffers import SEVERAL, only_legal
from ...core.observation.layout import ActionLayout
from .constants import (
    FIRST_HIRED,
    MAX_OPEN_RECIPES,
    MOST_TURN,
    NONE,
    NUM_CARDS,
    NUM_HIRED,
    NUM_KINDS,
    NUM_SPACES,
    NUM_SPECIALISTS,
    NUM_TRUCKS,
    Ability,
    Half,
    Kind,
    Step,
    Way,
)
from .layout import Tables
from .rules import abilities, flow, goods, hands, turn
from .rules.setup import roll
from .state import Seat, State

ACTIONS: Final = ActionLayout(
    [
        ("play", NUM_CARDS),
        ("keep_die", 1),
        ("roll_die", 1),
        ("turn_die", 2 * MOST_TURN + 1),
        ("add_worker", NUM_SPACES),
        ("remove_worker", NUM_SPACES),
        ("bring", 2),
        ("ship", 2),
        ("truck", NUM_TRUCKS),
        ("move", NUM_KINDS),
        ("mix", 1),
        ("sell", NUM_KINDS),
        ("recruit", 1),
        ("hire", NUM_HIRED),
        ("make", MAX_OPEN_RECIPES),
        ("decorate", MAX_OPEN_RECIPES),
        ("decorate_all", 1),
        ("dismiss", NUM_SPECIALISTS),
        ("stop", 1),
    ]
)
# The first flat number of each verb.
PLAY: Final = ACTIONS.first["play"]
KEEP_DIE: Final = ACTIONS.first["keep_die"]
ROLL_DIE: Final = ACTIONS.first["roll_die"]
TURN_DIE: Final = ACTIONS.first["turn_die"]
ADD_WORKER: Final = ACTIONS.first["add_worker"]
REMOVE_WORKER: Final = ACTIONS.first["remove_worker"]
BRING: Final = ACTIONS.first["bring"]
SHIP: Final = ACTIONS.first["ship"]
TRUCK: Final = ACTIONS.first["truck"]
MOVE: Final = ACTIONS.first["move"]
MIX: Final = ACTIONS.first["mix"]
SELL: Final = ACTIONS.first["sell"]
RECRUIT: Final = ACTIONS.first["recruit"]
HIRE: Final = ACTIONS.first["hire"]
MAKE: Final = ACTIONS.first["make"]
DECORATE: Final = ACTIONS.first["decorate"]
DECORATE_ALL: Final = ACTIONS.first["decorate_all"]
DISMISS: Final = ACTIONS.first["dismiss"]
STOP: Final = ACTIONS.first["stop"]
NUM_ACTIONS: Final = ACTIONS.size
# By flat number, the first number of the same verb; with it no code depends on the order of the declarations.
VERB_OF: Final = np.array([ACTIONS.first[ACTIONS.decode(action)[0]] for action in range(NUM_ACTIONS)], np.int8)


# --- legality


@jit
def write_legal_mask(cards: Tables, state: State, mask: np.ndarray) -> None:
    """Write 1 for every legal action of the player to move into `mask`, (NUM_ACTIONS,) int8, and 0 elsewhere."""
    mask[:] = 0
    step = state.step
    if step == Step.OVER:
        return
    seat = state.seats[state.current]
    if step == Step.PLAY:
        for card in range(NUM_CARDS):
            mask[PLAY + card] = seat.hand[card] > 0
    elif step == Step.DIRECT:
        offer_directions(cards, state, seat, mask)
    elif step == Step.GOODS:
        offer_goods(state, seat, mask)
    elif step == Step.ABILITY:
        offer_abilities(cards, state, seat, mask)
    elif step == Step.DIE:
        mask[KEEP_DIE] = 1
        mask[ROLL_DIE] = 1
    elif step == Step.RUNNER:
        for steps in range(-cards.turn, cards.turn + 1):
            mask[TURN_DIE + MOST_TURN + steps] = 1
    elif step == Step.RECIPE:
        mask[MAKE + state.turn.recipe] = abilities.can_make(cards, state, seat, state.turn.recipe)
        mask[STOP] = 1
    else:
        offer_rarely(cards, state, seat, mask)


@jit
def offer_rarely(cards: Tables, state: State, seat: Seat, mask: np.ndarray) -> None:
    if state.step == Step.HIRE:
        for kind in range(NUM_HIRED):
            mask[HIRE + kind] = hands.is_offered(cards, state, FIRST_HIRED + kind)
    elif state.step == Step.DISMISS:
        for specialist in range(NUM_SPECIALISTS):
            mask[DISMISS + specialist] = flow.can_dismiss(state, seat, specialist)
    else:
        for truck in range(NUM_TRUCKS):
            mask[TRUCK + truck] = flow.can_load(state, seat, truck)


@jit
def offer_directions(cards: Tables, state: State, seat: Seat, mask: np.ndarray) -> None:
    mask[BRING] = turn.can_go(cards, state, Way.BRING)
    mask[BRING + 1] = turn.can_go_counter(cards, state, Way.BRING)
    mask[SHIP] = turn.can_go(cards, state, Way.SHIP)
    mask[SHIP + 1] = turn.can_go_counter(cards, state, Way.SHIP)
    if turn.may_change_shift(state, seat):
        for space in range(NUM_SPACES):
            mask[ADD_WORKER + space] = turn.can_add_worker(cards, state, space)
            mask[REMOVE_WORKER + space] = state.board[space]


@jit
def offer_goods(state: State, seat: Seat, mask: np.ndarray) -> None:
    if goods.from_supply(state):
        mask[MOVE + Kind.SUGAR] = goods.can_take(state, seat, Kind.SUGAR)
        mask[MOVE + Kind.CACAO] = goods.can_take(state, seat, Kind.CACAO)
        mask[STOP] = 1
        return
    for truck in range(NUM_TRUCKS):
        mask[TRUCK + truck] = goods.can_access(state, seat, truck)
    if state.turn.truck != NONE:
        for kind in range(NUM_KINDS):
            mask[MOVE + kind] = goods.can_move(state, seat, kind)
    mask[STOP] = goods.can_stop_moving(state)


@jit
def offer_abilities(cards: Tables, state: State, seat: Seat, mask: np.ndarray) -> None:
    if state.half == Half.PLANTATION:
        mask[MIX] = abilities.is_machine_open(cards, state, Ability.MIXER) and abilities.can_mix(seat)
        if abilities.is_open(cards, state, Ability.OUTLET):
            mask[SELL + Kind.CACAO] = abilities.can_sell(state, seat, Kind.CACAO)
        elif abilities.is_open(cards, state, Ability.BREAK_ROOM):
            mask[RECRUIT] = abilities.can_recruit(state, seat)
    else:
        if abilities.is_machine_open(cards, state, Ability.MACHINE):
            for place in range(MAX_OPEN_RECIPES):
                mask[MAKE + place] = abilities.can_make(cards, state, seat, place)
        if abilities.is_open(cards, state, Ability.OUTLET):
            for kind in range(NUM_KINDS):
                mask[SELL + kind] = abilities.can_sell(state, seat, kind)
        elif abilities.is_open(cards, state, Ability.DECORATOR):
            for place in range(MAX_OPEN_RECIPES):
                mask[DECORATE + place] = abilities.can_decorate(seat, place)
            mask[DECORATE_ALL] = abilities.can_decorate_all(seat)
    mask[STOP] = 1


# --- effects


@jit
def apply(cards: Tables, state: State, action: int) -> None:
    """Carry out one action that is known to be legal."""
    seat = state.seats[state.current]
    verb = VERB_OF[action]
    argument = action - verb
    if verb == PLAY:
        turn.play(state, seat, argument)
    elif verb == BRING:
        turn.go(cards, state, Way.BRING, argument)
    elif verb == SHIP:
        turn.go(cards, state, Way.SHIP, argument)
    elif verb == MOVE:
        move(state, seat, argument)
    elif verb == TRUCK:
        choose_truck(cards, state, seat, argument)
    elif verb == STOP:
        stop(cards, state)
    elif verb == KEEP_DIE:
        turn.use_die(state)
    elif verb == ROLL_DIE:
        roll(state)
        turn.use_die(state)
    elif verb == TURN_DIE:
        turn.turn_die(state, argument - MOST_TURN)
    elif verb in (ADD_WORKER, REMOVE_WORKER):
        turn.change_shift(state, seat, argument)
    elif verb == DISMISS:
        flow.dismiss(cards, state, seat, argument)
    else:
        use_ability(cards, state, seat, verb, argument)
    flow.pass_finished_steps(cards, state)


@jit
def move(state: State, seat: Seat, kind: int) -> None:
    if goods.from_supply(state):
        goods.take(state, seat, kind)
    else:
        goods.move(state, seat, kind)


@jit
def choose_truck(cards: Tables, state: State, seat: Seat, truck: int) -> None:
    if state.step == Step.LOAD:
        flow.load(cards, state, seat, truck)
    else:
        goods.access(state, truck)


@jit
def stop(cards: Tables, state: State) -> None:
    if state.step == Step.GOODS:
        flow.after_goods(cards, state)
    elif state.step == Step.ABILITY:
        flow.after_abilities(cards, state)
    else:
        abilities.go_on(state)


@jit
def use_ability(cards: Tables, state: State, seat: Seat, verb: int, argument: int) -> None:
    if verb == MIX:
        abilities.mix(cards, state, seat)
    elif verb == SELL:
        abilities.sell(cards, state, seat, argument)
    elif verb == RECRUIT:
        abilities.recruit(cards, state, seat)
    elif verb == HIRE:
        abilities.end_recruit(cards, state, FIRST_HIRED + argument)
    elif verb == MAKE:
        abilities.make(cards, state, seat, argument)
    elif verb == DECORATE:
        abilities.decorate(state, seat, argument)
    else:
        abilities.decorate_all(state, seat)


# --- a step


@jit
def advance(cards: Tables, state: State, action: int, mask: np.ndarray) -> int:
    """Carry out an action and the forced ones after it, then write the mask of the next decision.

    Returns the next player, or NONE when the game is over.
    """
    apply(cards, state, action)
    write_legal_mask(cards, state, mask)
    while state.play_forced != 0 and is_inside_turn(state):
        forced = only_legal(mask)
        if forced == SEVERAL:
            break
        apply(cards, state, forced)
        write_legal_mask(cards, state, mask)
    return state.current


@jit
def is_inside_turn(state: State) -> bool:
    """Whether a step comes after `play`. Cards to play, loadings and dismissals are never played automatically."""
    return Step.PLAY < state.step < Step.DISMISS
