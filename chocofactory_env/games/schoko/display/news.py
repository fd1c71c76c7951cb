"""What a month brings besides moves, for the log: markets, payments, events. All of it lies open (SEE-1, SEE-3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ....core.text.events import News
from ....core.text.words import counted
from ..actions import ACTIONS
from ..constants import NONE, Event, Express, Task
from ..variants import UPSETS
from .describe_cards import NEXT_MONTH, event_in_words

if TYPE_CHECKING:
    from ..game import Schoko

HIRING: Final = (Task.STAFF, Task.TRIM)
BIDDING: Final = (Task.BID_BARS, Task.BID_PRICE)


@dataclass(frozen=True)
class Step:
    """A step, and the money that came of it. Arrays are (P,), by seat.

    own: what the move itself earned. raised: by shares and loans for a compulsory payment (PAY-2).
    paid: all other payments; below 0 where a seat gets money. A seat that goes bankrupt counts as paying nothing.
    """

    game: Schoko
    before: Any
    after: Any
    verb: str
    number: int  # of the verb's action, from 0 on
    own: np.ndarray
    raised: np.ndarray
    sold: np.ndarray  # shares, for PAY-2
    borrowed: np.ndarray  # loans, for PAY-2
    paid: np.ndarray

    @property
    def card(self) -> Any:
        """The numbers of the deck."""
        return self.game.cards.record

    def change(self, name: str) -> np.ndarray:
        return np.array(self.of(self.after, name) - self.of(self.before, name))

    def of(self, state: Any, name: str) -> np.ndarray:
        return np.array(state["players"][name][: self.game.num_players], int)

    @property
    def went_bankrupt(self) -> np.ndarray:
        return np.array(self.change("out") > 0)

    @property
    def task(self) -> int:
        return int(self.before["task"])


def news_of(game: Schoko, before: np.ndarray, action: int, after: np.ndarray) -> Iterator[News]:
    """What all learn of a step, (1,) State before and after it, besides the move itself."""
    step = step_of(game, before[0], action, after[0])
    for tell in TELLERS:
        yield from tell(step)


def step_of(game: Schoko, before: Any, action: int, after: Any) -> Step:
    verb, number = ACTIONS.decode(action)
    nothing = np.zeros(game.num_players, int)
    step = Step(game, before, after, verb, number, nothing, nothing, nothing, nothing, nothing)
    shares, loans, earned = own_papers(step)
    staying = ~step.went_bankrupt
    own, sold, borrowed = nothing.copy(), -step.change("shares"), step.change("loans")
    seat = int(before["current"])
    own[seat] = earned
    sold[seat] += shares
    borrowed[seat] -= loans
    sold, borrowed = sold * staying, borrowed * staying
    raised = sold * int(step.card.share_price[after["month"]]) + borrowed * int(step.card.loan)
    paid = (own + raised - step.change("cash")) * staying
    return Step(game, before, after, verb, number, own, raised, sold, borrowed, paid)


def own_papers(step: Step) -> tuple[int, int, int]:
    """Shares, loans and money that the mover gains by the move itself."""
    price, loan = int(step.card.share_price[step.before["month"]]), int(step.card.loan)
    number = step.number + 1
    if step.verb == "bars":
        return 0, 0, step.number * int(step.card.bank_price) if step.task == Task.BANK_SALE else 0
    found = {
        "look": (0, 0, -int(step.card.look)),
        "sell_shares": (-number, 0, number * price),
        "buy_shares": (number, 0, -number * price),
        "take_loan": (0, 1, loan),
        "repay": (0, -1, -loan),
    }
    return found.get(step.verb, (0, 0, 0))


# --- words


def listed(things: Iterable[str]) -> str:
    *first, last = things
    return f"{', '.join(first)} and {last}" if first else last


def payments(paid: np.ndarray) -> str:
    """ "Player 0 pays 54, Player 1 gets 5" """
    return ", ".join(
        f"Player {seat} {'pays' if each > 0 else 'gets'} {abs(each)}" for seat, each in enumerate(paid.tolist()) if each
    )


def money(gained: np.ndarray) -> tuple[int, ...]:
    return tuple(gained.tolist())


def only(step: Step, seat: int, gained: int) -> tuple[int, ...]:
    return tuple(gained if other == seat else 0 for other in range(step.game.num_players))


# --- what is told, in the order in which it happens


def market(step: Step) -> Iterator[News]:
    """COCOA-5, COCOA-6: the bids of a city are revealed and served, the highest first."""
    city = int(step.before["city"])
    if step.task not in BIDDING or not step.before["market"][city] or step.after["market"][city]:
        return
    prices, wanted = (step.of(step.after, name)[:, city].tolist() for name in ("bid_price", "bid_bars"))
    bought, seats, leader = step.change("cocoa"), step.game.num_players, int(step.before["leader"])
    order = sorted(np.flatnonzero(wanted).tolist(), key=lambda seat: (-prices[seat], (seat - leader) % seats))
    said = [served(seat, int(bought[seat]), wanted[seat], prices[seat]) for seat in order]
    yield News(f"{step.game.cards.cities[city]}: {', '.join(said) or 'nobody buys cocoa'}", money(-step.paid))


def served(seat: int, bought: int, wanted: int, price: int) -> str:
    if bought == 0:
        return f"Player {seat} gets nothing at {price}"
    bars = counted(bought, "bar") if bought == wanted else f"{bought} of {counted(wanted, 'bar')}"
    return f"Player {seat} buys {bars} at {price}"


def unsold(step: Step) -> Iterator[News]:
    """SALE-7, SALE-8: contracts that are cancelled."""
    before, after = step.before, step.after
    cancelled = []
    if before["offer"] not in (NONE, after["offer"]) and step.verb != "accept":
        cancelled.append(before["offer"])
    left, now = int(before["contracts_left"]), int(after["contracts_left"])
    if now <= left and (before["contracts"][:now] == after["contracts"][:now]).all():  # not shuffled anew (SALE-11)
        cancelled += [card for card in before["contracts"][now:left][::-1] if card != after["offer"]]
    if cancelled:
        cards = step.game.cards
        yield News(f"Nobody takes {listed(cards.names[cards.contracts[card]] for card in cancelled)}")


def card(step: Step) -> Iterator[News]:
    """XP-LEVY, XP-GIFTS"""
    played = step.number if step.verb == "play" else int(step.before["card"])
    if step.verb in ("play", "target") and played in (Express.LEVY, Express.GIFTS) and step.paid.any():
        cards = step.game.cards
        yield from raising(step)
        yield News(f"{cards.names[cards.express[played]]}: {payments(step.paid)}", money(-step.paid))


def new_month(step: Step) -> Iterator[News]:
    """MON-2"""
    if step.before["month"] != step.after["month"]:
        yield News(
            f"Month {step.after['month'] + 1} of {step.after['months']} begins; Player {step.after['leader']} leads"
        )


def before_hiring(step: Step) -> Iterator[News]:
    """STAFF-8"""
    if step.task in (Task.LOOK, Task.MONEY, Task.STAFF):
        yield from raising(step)


def salaries(step: Step) -> Iterator[News]:
    """STAFF-5, STAFF-6"""
    if step.task not in HIRING or step.after["task"] in (*HIRING, Task.OVER) or not step.paid.any():
        return
    said = []
    for seat, (paid, salary) in enumerate(zip(step.paid, step.of(step.after, "salaries"), strict=True)):
        parts = [str(salary)] if salary else []
        if paid > salary:
            parts.append(f"{paid - salary} in severance")
        if paid:
            said.append(f"Player {seat} pays {' and '.join(parts)}")
    yield News(f"Salaries: {', '.join(said)}", money(-step.paid))


def raising(step: Step) -> Iterator[News]:
    """PAY-2"""
    loan = int(step.card.loan)
    for seat, (sold, borrowed) in enumerate(zip(step.sold.tolist(), step.borrowed.tolist(), strict=True)):
        raised = int(step.raised[seat])
        did = [f"sells {counted(sold, 'share')} for {raised - borrowed * loan}"] if sold else []
        did += [f"takes a loan of {loan}"] if borrowed else []
        if did:
            yield News(f"Short of cash, Player {seat} {' and '.join(did)}", only(step, seat, raised))


def month_end(step: Step) -> Iterator[News]:
    """MON-1: OFFICE, EVENT and interest happen in one step, so their amounts are worked out from its end."""
    event = int(step.after["event_turned"])
    if event in (NONE, step.before["event_turned"]):
        return
    if step.after["task"] == Task.OVER:  # PAY-4: who had paid when the last rival went bankrupt is not worked out
        yield News(event_told(step, event, np.zeros_like(step.paid)))
        return
    of_event, interest = event_payments(step, event), interest_paid(step, event)
    paid_out = of_event + interest - step.paid
    if paid_out.any():
        yield News(f"Contracts paid out: {payments(-paid_out)}", money(paid_out))
    yield from raising(step)
    yield News(event_told(step, event, of_event), money(-of_event))
    if interest.any():
        yield News(f"Interest: {payments(interest)}", money(-interest))


def event_told(step: Step, event: int, paid: np.ndarray) -> str:
    """EV-0. What EV-5 to EV-7 announce has no effect in the last month (EV-8)."""
    cards = step.game.cards
    words = payments(paid) or event_in_words(cards, event, UPSETS[int(step.before["upset_all"])])
    if step.after["month"] == step.after["months"] - 1 and words.endswith(NEXT_MONTH):
        words = "no effect in the last month"
    return f"Event: {cards.names[cards.events[event]]}; {words}"


def event_payments(step: Step, event: int) -> np.ndarray:
    """EV-3, EV-4: what seats pay that do not go bankrupt."""
    staying, amount = step.of(step.after, "out") == 0, int(step.card.event_amounts[event])
    if event == Event.STORE_SHOCK:
        return np.array(step.of(step.after, "chocolate") * amount * staying)
    spent = np.where(step.of(step.before, "out") == 0, step.of(step.after, "salaries"), 0)
    if event != Event.WAGE_SUBSIDY or spent.max() == 0:
        return np.zeros_like(spent)
    most = (spent == spent.max()).astype(int)
    return np.array(-most * (amount // most.sum()) * staying)


def interest_paid(step: Step, event: int) -> np.ndarray:
    """LOAN-2, PAY-2: a loan taken to pay interest costs none yet, but one taken to pay for EV-3 does."""
    each = int(step.card.interest)
    loans, shock = step.of(step.after, "loans"), event_payments(step, event)
    if event != Event.STORE_SHOCK:
        return np.array((loans - step.borrowed) * each)
    cash = step.of(step.after, "cash") + loans * each + shock  # before the payments, if both count
    for_shock = cash - step.borrowed * int(step.card.loan) < shock
    return np.array((loans - step.borrowed * ~for_shock) * each)


def bankruptcy(step: Step) -> Iterator[News]:
    """PAY-3"""
    for seat in np.flatnonzero(step.went_bankrupt).tolist():
        lost = int(step.change("cash")[seat] - step.own[seat])
        yield News(f"Player {seat} cannot pay and is bankrupt", only(step, seat, lost))


TELLERS: Final[tuple[Callable[[Step], Iterator[News]], ...]] = (
    market,
    card,
    unsold,
    month_end,
    new_month,
    before_hiring,
    bankruptcy,
    salaries,
)
