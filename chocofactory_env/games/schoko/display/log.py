"""Moves as lines of a log, in the rulebook's words, as a viewer may know them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ....core.text.words import counted
from ..actions import ACTIONS
from ..constants import NONE, Task
from ..kernel import struck_alone
from ..layout import CATEGORIES
from .describe_cards import express_in_words
from .position import counted_staff

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
    def who(self) -> str:
        return f"Player {self.seat}"

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


def move_in_words(game: Schoko, states: np.ndarray, action: int, viewer: int | None) -> str:
    """SEE-4, SEE-5: for others, "" while a card is chosen or a bid is incomplete, and if no card is played."""
    verb, argument = ACTIONS.decode(action)
    move = Move(game, states, verb, argument, viewer is not None and viewer == int(states[0]["current"]))
    return WORDS[Task(int(states[0]["task"]))](move)


def look(move: Move) -> str:
    if move.passes():
        return f"{move.who} does not look at the event"
    return f"{move.who} pays {move.game.cards.record.look} and looks at the event"


def staff(move: Move) -> str:
    category = CATEGORIES[move.state["category"]]
    before = int(move.player["staff_before"][move.state["category"]])
    employed = counted_staff(move.argument, category)
    return f"{move.who} employs {employed}" + (f", {before} last month" if before != move.argument else "")


def trim(move: Move) -> str:
    return f"{move.who} lays off a {CATEGORIES[move.argument]}"


def bars_or_none(move: Move) -> str:
    return f"{counted(move.argument, 'bar')} of" if move.argument else "no"


def announce(move: Move) -> str:
    return f"{move.who} announces {bars_or_none(move)} cocoa"


def bid_bars(move: Move) -> str:
    """COCOA-4. A bid for no bars is complete, and so is one at the only price that can be paid."""
    if move.own:
        bars = counted(move.argument, "bar")
        return (
            f"{move.who} bids for {bars} in {move.city}" if move.argument else f"{move.who} bids nothing in {move.city}"
        )
    forced = move.state["play_forced"] and prices_for(move, move.argument) == 1
    return sealed(move) if move.argument == 0 or forced else ""


def prices_for(move: Move, bars: int) -> int:
    """The number of legal prices."""
    return min(int(move.game.cards.record.highest_bid), int(move.player["cash"]) // bars) if bars else 0


def bid_price(move: Move) -> str:
    if not move.own:
        return "" if move.state["play_forced"] and prices_for(move, bars_of(move)) == 1 else sealed(move)
    bars = bars_of(move)
    return f"{move.who} offers {move.argument + 1} for each of {counted(bars, 'bar')} in {move.city}"


def bars_of(move: Move) -> int:
    """Bars that the seat has bid for in the city under way."""
    return int(move.player["bid_bars"][move.state["city"]])


def sealed(move: Move) -> str:
    return f"{move.who} has made a sealed bid in {move.city}"


def make(move: Move) -> str:
    return f"{move.who} makes {bars_or_none(move)} chocolate"


def attend(move: Move) -> str:
    return f"{move.who} {'stays away from' if move.passes() else 'comes to'} the meeting about {move.contract}"


def offer(move: Move) -> str:
    doing = "refuses" if move.passes() else "takes"
    return f"{move.who} {doing} {move.contract} at {int(move.state['price'])}"


def raise_price(move: Move) -> str:
    price = int(move.state["price"]) + move.argument + 1
    return f"{move.who}, the chairman, raises the price of {move.contract} to {price}"


def bank_sale(move: Move) -> str:
    return f"{move.who} sells {bars_or_none(move)} chocolate to the bank"


def money(move: Move) -> str:
    shares = counted(move.argument + 1, "share")
    words = {
        "sell_shares": f"sells {shares}",
        "buy_shares": f"buys {shares}",
        "repay": "repays a loan",
        "take_loan": "takes a loan",
        "pass": "is done with loans and shares",
    }
    return f"{move.who} {words[move.verb]}"


def card(move: Move) -> str:
    """XP-5: a card is shown when it strikes. While its target is still to be named, nobody else knows of it."""
    if move.passes():
        return f"{move.who} plays no express card" if move.own else ""
    struck = int(struck_alone(move.game.tables, move.states, move.argument))
    name, effect = express(move, move.argument)
    if struck == NONE:
        return f"{move.who} chooses the card {name}" if move.own else ""
    return f"{move.who} plays {name} on Player {struck}: {effect}"


def express(move: Move, card: int) -> tuple[str, str]:
    """Name and effect of an express card."""
    cards = move.game.cards
    return cards.names[cards.express[card]], express_in_words(cards, card)


def target(move: Move) -> str:
    """XP-5: the card strikes with this move, so everybody sees it."""
    struck = (move.seat + move.argument + 1) % move.game.num_players
    name, effect = express(move, int(move.state["card"]))
    return f"{move.who} plays {name} on Player {struck}: {effect}"


def holiday(move: Move) -> str:
    return f"{move.who} sends a {CATEGORIES[move.argument]} on holiday"


WORDS: Final[dict[Task, Callable[[Move], str]]] = {
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
