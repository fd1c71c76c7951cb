"""Check that the seat to move has the turn and something to decide. These checks rely on all others."""

from __future__ import annotations

from typing import Final

import numpy as np

from ....core.positions.reading import Fault, Faults
from ..constants import Express, Task
from .basis import Position
from .entries import asks_mover, targets

WITHOUT_QUESTION: Final = (Task.STAFF, Task.TARGET, Task.HOLIDAY, Task.BID_PRICE)  # other checks cover these


def check_turn(p: Position) -> Faults:
    """MON-1: the seat to move follows from leader and turn; in window C, from the taker of the contract."""
    if p.mover is None:
        if p.turn:
            yield Fault("turn", "0 when the game is over", p.turn)
        return
    first = p.meeting["taker"] if p.task == Task.CARD_C else p.data["leader"]
    seat = (int(first) + p.turn) % len(p.players)
    if p.task == Task.HOLIDAY:
        if seat == p.mover or not p.players[seat]["has_played"] or not p.is_struck_by(p.mover, Express.HOLIDAY):
            yield Fault("turn", "that of another seat, which has played the card on the seat to move", p.turn)
    elif p.mover != seat:
        yield Fault("current_player", f"{seat}, whose turn it is", p.mover)
    if p.mover not in p.active:
        yield Fault("current_player", "a seat that is not bankrupt", p.mover)


def check_card(p: Position) -> Faults:
    """XP-1, XP-2, XP-4: the card in TARGET and HOLIDAY."""
    card = p.data["under_way"]["card"]
    if p.task == Task.HOLIDAY and p.state.card != Express.HOLIDAY:
        yield Fault("under_way.card", "that which sends someone on holiday", card)
    if p.task == Task.TARGET:
        held = card in p.players[p.state.current]["hand"] and not p.players[p.state.current]["has_played"]
        if not held or p.month == 1 or targets(p.game.tables, p.states) < 2:
            yield Fault("under_way.card", "a card in hand that can strike one of several", card)


def check_question(p: Position) -> Faults:
    """MON-1: the rules ask this seat, and it has a choice."""
    if p.mover is None:
        return
    if p.task not in WITHOUT_QUESTION and not asks_mover(p.game.tables, p.states.copy()):
        yield Fault("current_player", f"a seat that is asked in the task {p.data['task']!r}", p.mover)
        return
    mask = np.empty(p.game.num_actions, np.int8)
    p.game.kernel.legal_mask(p.game.tables, p.states, mask)
    least = 2 if p.state.play_forced else 1
    if mask.sum() < least:
        yield Fault("current_player", f"a seat with {least} or more legal actions", p.mover)
