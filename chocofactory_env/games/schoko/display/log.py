"""Moves as events, in the rulebook's words and as a viewer may know them: in a line of the log, and in a turn's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ....core.text.events import Event
from ....core.text.words import counted
from ..actions import ACTIONS
from ..constants import NONE, Task
from ..kernel import struck_alone
from ..layout import CATEGORIES
from .describe_cards import express_in_words
from .seen import counted_staff

if TYPE_CHECKING:
    from ..game import Schoko


@dataclass(frozen=True)
class Move:
    """A legal action in its position. `own`: the viewer is the seat that moves."""

    game: Schoko
    states: np.ndarray  # (1,) State
    verb: str
    argument: int  # from 0 on
    own: bool

    @property
    def state(self) -> Any:
        return self.states[0]

    @property
    def seat(self) -> int:
        return int(self.state["current"])

    @property
    def player(self) -> Any:
        return self.state["players"][self.seat]

    @property
    def city(self) -> str:
        return str(self.game.cards.cities[self.state["city"]])

    @property
    def contract(self) -> str:
        """The contract on offer."""
        return self.game.cards.names[self.game.cards.contracts[self.state["offer"]]]

    def passes(self) -> bool:
        return self.verb == "pass"


def event_of(game: Schoko, states: np.ndarray, action: int, viewer: int | None) -> Event | None:
    """SEE-4, SEE-5: for others, None while a card is chosen or a bid is incomplete, and if no card is played."""
    verb, argument = ACTIONS.decode(action)
    move = Move(game, states, verb, argument, viewer is not None and viewer == int(states[0]["current"]))
    return EVENTS[Task(int(states[0]["task"]))](move)


def look(move: Move) -> Event:
    if move.passes():
        return Event("does not look at the event")
    return Event(f"pays {move.game.cards.record.look} and looks at the event", "looked at the event")


def staff(move: Move) -> Event:
    employed = counted_staff(move.argument, CATEGORIES[move.state["category"]])
    before = int(move.player["staff_before"][move.state["category"]])
    words = f"employs {employed}" + (f", {before} last month" if before != move.argument else "")
    return Event(words, "employed", employed)


def trim(move: Move) -> Event:
    category = CATEGORIES[move.argument]
    return Event(f"lays off a {category}", "laid off a", category)


def bars_or_none(move: Move, verb: str, past: str, rest: str) -> Event:
    """Of a move for `argument` bars: "makes", "made", " chocolate"."""
    bars = f"{counted(move.argument, 'bar')} of" if move.argument else "no"
    return Event(f"{verb} {bars}{rest}", past, f"{bars}{rest}")


def announce(move: Move) -> Event:
    return bars_or_none(move, "announces", "announced", " cocoa")


def bid_bars(move: Move) -> Event | None:
    """COCOA-4. A bid for no bars is complete, and so is one at the only price that can be paid."""
    if move.own:
        bars = f"for {counted(move.argument, 'bar')}" if move.argument else "nothing"
        return Event(f"bids {bars} in {move.city}", "bid", f"{bars} in {move.city}")
    forced = move.state["play_forced"] and prices_for(move, move.argument) == 1
    return sealed(move) if move.argument == 0 or forced else None


def prices_for(move: Move, bars: int) -> int:
    """The number of legal prices."""
    return min(int(move.game.cards.record.highest_bid), int(move.player["cash"]) // bars) if bars else 0


def bid_price(move: Move) -> Event | None:
    bars = int(move.player["bid_bars"][move.state["city"]])
    if not move.own:
        return None if move.state["play_forced"] and prices_for(move, bars) == 1 else sealed(move)
    return Event(f"offers {move.argument + 1} for each of {counted(bars, 'bar')} in {move.city}")


def sealed(move: Move) -> Event:
    return Event(f"has made a sealed bid in {move.city}", "bid in", move.city)


def make(move: Move) -> Event:
    return bars_or_none(move, "makes", "made", " chocolate")


def attend(move: Move) -> Event:
    verb, past = ("stays away from", "stayed away from") if move.passes() else ("comes to", "came to")
    meeting = f"the meeting about {move.contract}"
    return Event(f"{verb} {meeting}", past, meeting)


def offer(move: Move) -> Event:
    verb, past = ("refuses", "refused") if move.passes() else ("takes", "sold to")
    sale = f"{move.contract} at {int(move.state['price'])}"
    return Event(f"{verb} {sale}", past, sale)


def raise_price(move: Move) -> Event:
    price = f"the price of {move.contract} to {int(move.state['price']) + move.argument + 1}"
    return Event(f"as chairman raises {price}", "raised", price)


def bank_sale(move: Move) -> Event:
    """A seat that sells nothing is not worth a line of its turn."""
    if not move.argument:
        return Event("sells no chocolate to the bank", aside=True)
    bars = counted(move.argument, "bar")
    return Event(f"sells {bars} of chocolate to the bank", "sold", f"{bars} to the bank")


def money(move: Move) -> Event:
    number, shares = move.argument + 1, counted(move.argument + 1, "share")
    return {
        "sell_shares": Event(f"sells {shares}", "sold", "share", number),
        "buy_shares": Event(f"buys {shares}", "bought", "share", number),
        "repay": Event("repays a loan", "repaid a loan"),
        "take_loan": Event("takes a loan", "took a loan"),
        "pass": Event("is done with loans and shares"),
    }[move.verb]


def card(move: Move) -> Event | None:
    """XP-5: a card is shown when it strikes. While its target is still to be named, nobody else knows of it."""
    if move.passes():
        return Event("plays no express card") if move.own else None
    struck = int(struck_alone(move.game.tables, move.states, move.argument))
    if struck == NONE:
        cards = move.game.cards
        return Event(f"chooses the card {cards.names[cards.express[move.argument]]}") if move.own else None
    return strike(move, move.argument, struck)


def strike(move: Move, card: int, struck: int) -> Event:
    cards = move.game.cards
    played = f"{cards.names[cards.express[card]]} on Player {struck}"
    return Event(f"plays {played}: {express_in_words(cards, card)}", "played", played)


def target(move: Move) -> Event:
    """XP-5: the card strikes with this move, so everybody sees it."""
    return strike(move, int(move.state["card"]), (move.seat + move.argument + 1) % move.game.num_players)


def holiday(move: Move) -> Event:
    return Event(f"sends a {CATEGORIES[move.argument]} on holiday")


EVENTS: Final[dict[Task, Callable[[Move], Event | None]]] = {
    Task.LOOK: look,
    Task.STAFF: staff,
    Task.TRIM: trim,
    Task.CARD_A: card,
    Task.CARD_B: card,
    Task.CARD_C: card,
    Task.TARGET: target,
    Task.HOLIDAY: holiday,
    Task.ANNOUNCE: announce,
    Task.BID_BARS: bid_bars,
    Task.BID_PRICE: bid_price,
    Task.MAKE: make,
    Task.ATTEND: attend,
    Task.OFFER: offer,
    Task.RAISE: raise_price,
    Task.BANK_SALE: bank_sale,
    Task.MONEY: money,
}
