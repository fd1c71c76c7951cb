"""What a viewer sees of a position, as a tree of groups, rows and items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from ...core.text.words import counted
from ...view.tree import Group, Item, Row, Sign, Tree, player_name
from .actions import ACTIONS
from .display.describe_cards import event_in_force, event_in_words, express_in_words
from .display.position import (
    PLURALS,
    category_under_way,
    contracts_held,
    counted_staff,
    event_known,
    events_left,
    face_down,
    in_hand,
    number_held_back,
    seats_that_bid,
    taken,
)
from .display.question import QUESTIONS, told
from .display.seen import View
from .layout import BOX, CATEGORIES
from .words import describe

NUMBERS: Final = ("staff", "bars", "price")  # verbs whose buttons need no words but the number
FROM_ONE: Final = ("price", "raise", "sell_shares", "buy_shares")
LABELS: Final = {"sell_shares": "Sell shares", "buy_shares": "Buy shares", "category": "Choose", "play": "Play"}
# Shape and hue of every kind of piece
SIGNS: Final[dict[str, Sign]] = {
    "worker": Sign("hue-2", "person"),
    "salesman": Sign("hue-4", "arrow"),
    "secretary": Sign("hue-3", "pentagon"),
    "bookkeeper": Sign("hue-5", "hexagon"),
    "cocoa": Sign("hue-1", "drop"),
    "chocolate": Sign("hue-0", "bar"),
    "contract": Sign("hue-7", "house"),
    "loans": Sign("hue-8", "triangle"),
    "shares": Sign("hue-9", "diamond"),
    "express": Sign("hue-6", "star"),
}


def tree(view: View) -> Tree:
    seats = [((view.viewer or 0) + place) % len(view.players) for place in range(len(view.players))]
    cities = tuple(market(view, city) for city in range(len(view.cards.cities)))
    groups = (
        choice(view),
        *(seat_group(view, seat) for seat in seats),
        Group("meeting", "Sales meeting", "shared", tuple(meeting(view))),
        Group("cities", "Cocoa markets", "shared", (Row("cities", cities),)),
        Group("events", "Events", "shared", tuple(events(view))),
        Group("bank", "Share price by month, and the box", "shared", tuple(bank(view))),
        Group("piles", "Contracts face down, cards gone", "shared", tuple(piles(view))),
    )
    when = f"month {view.position['month']} of {view.months}", view.moment
    return Tree("Schoko & Co.", when, view.viewer, groups, SIGNS)


# --- the choice


def choice(view: View) -> Group:
    if view.task == "over":
        return Group("choice", "End of the game", "choose", (Row("places", tuple(places(view))),))
    asked = QUESTIONS[view.task](view) if view.is_mover else told(view)
    rows = [Row("ask", (Item(asked),)), Row("settled", tuple(settled(view)))]
    offered: dict[str, list[Item]] = {}
    for action in sorted(view.legal):
        verb, number = ACTIONS.decode(action)
        offered.setdefault(LABELS.get(verb, ""), []).append(button(view, action, verb, number))
    rows += [Row("buttons", tuple(items), label) for label, items in offered.items()]
    name = "Your move" if view.is_mover else "Under way" if view.mover is None else f"Player {view.mover} to move"
    return Group("choice", name, "choose", tuple(rows), view.mover)


def settled(view: View) -> Iterator[Item]:
    """What else the viewer may know of the question."""
    category = category_under_way(view.position)
    if category is not None:
        yield Item(f"category: {category}")
    if view.is_mover and view.position["card"] is not None:
        yield Item(f"card: {view.name(view.position['card'])}")
    if view.stage == "sale" and view.task == "card_c":
        yield from (
            Item(f"just taken: {contract_in_words(view, contract, price)}") for contract, price in taken(view.position)
        )


def button(view: View, action: int, verb: str, number: int) -> Item:
    name = words = describe(action)
    number += verb in FROM_ONE
    if verb in NUMBERS or verb in ("sell_shares", "buy_shares"):
        words = str(number)
    elif verb == "raise":
        words = f"+{number} = {view.position['price'] + number}"
    elif verb == "play":
        card = view.cards.express[number]
        return Item(name, view.name(card), effect_of(view, card), ((":express",),), action=action)
    elif verb == "category":
        return Item(name, CATEGORIES[number], face=((f":{CATEGORIES[number]}",),), action=action)
    elif verb == "target":
        words = next(f"on player {seat}" for seat in range(len(view.players)) if view.target(seat) == action)
    return Item(name, words, action=action)


def places(view: View) -> Iterator[Item]:
    for place, seat in enumerate(sorted(range(len(view.players)), key=lambda seat: view.ranking[seat])):
        money = "bankrupt" if view.players[seat]["out"] else amount(view.money[seat])
        yield Item(f"{place + 1}. player {seat}: {money}", seat=seat, rule="END-3")


def amount(money: int) -> str:
    return str(money).replace("-", "\N{MINUS SIGN}")


# --- players


def seat_group(view: View, seat: int) -> Group:
    player, own = view.players[seat], seat == view.viewer
    notes = {
        "to move": seat == view.mover,
        "leads": seat == view.position["leader"],
        "chairman": seat == view.chairman,
        "bankrupt": bool(player["out"]),
    }
    rows = (
        Row("papers", tuple(facts(view, seat))),
        Row("staff4", tuple(staff(view, seat, category) for category in CATEGORIES), "Staff"),
        Row("bars", tuple(store(view, seat, kind) for kind in ("cocoa", "chocolate"))),
        Row("cards", tuple(hand(view, seat)), "Express cards"),
        Row("chips", tuple(this_month(view, seat)), "This month"),
        Row("contracts", tuple(contracts(view, seat)), "Contracts"),
    )
    said = tuple(note for note, holds in notes.items() if holds)
    return Group(f"seat-{seat}", player_name(seat, view.viewer), "own" if own else "rival", rows, seat, said)


def facts(view: View, seat: int) -> Iterator[Item]:
    player, due = view.players[seat], bill(view, seat)
    cash, new = player["cash"], ", one taken this month" if player["loan_this_month"] else ""
    yield Item(f"cash {cash}", str(cash), "cash", kind="money", action=view.target(seat), many=cash, rule="PAY-1")
    loans, shares = player["loans"], player["shares"]
    for words, number, piece in (
        (f"{counted(loans, 'loan')}{new}", loans, "loans"),
        (counted(shares, "share"), shares, "shares"),
    ):
        yield Item(words, str(number), piece, ((f":{piece}",),), piece=piece, many=number)
    if due is not None:
        yield Item(f"to pay in salaries and severance {due}", str(due), "to pay", rule="STAFF-5")
    yield Item(f"salaries paid {player['salaries']}", str(player["salaries"]), "salaries", rule="STAFF-5")
    yield Item(f"{counted(player['marker'], 'meeting')} to attend", str(player["marker"]), "meetings", rule="SALE-2")
    yield Item(f"{counted(player['gained'], 'contract')} gained", str(player["gained"]), "gained", rule="SALE-9")


def bill(view: View, seat: int) -> int | None:
    """STAFF-5: salaries and severance for the categories decided so far; None if the seat has decided none."""
    player, position = view.players[seat], view.position
    if view.task not in ("staff", "trim") or player["out"]:
        return None
    decided = len(CATEGORIES)
    if view.task == "staff":
        behind = (seat - position["leader"]) % len(view.players) - position["turn"]  # places behind the mover
        if behind >= 0:
            decided = CATEGORIES.index(position["category"]) if behind == 0 else 0
    if decided == 0:
        return None
    due = 0
    for category, salary in zip(CATEGORIES[:decided], view.cards.record.salaries.tolist(), strict=False):
        now, before = player["staff"][category], player["staff_before"][category]
        due += now * salary + max(0, before - now) * (salary // 2)
    return due


def staff(view: View, seat: int, category: str) -> Item:
    player = view.players[seat]
    number, before, absent = (player[key][category] for key in ("staff", "staff_before", "absent"))
    said = f"{counted_staff(number, category)}, {before} last month" + (f", {absent} absent" if absent else "")
    state: Any = "now" if seat == view.mover and category == category_under_way(view.position) else ""
    action = view.category(category) if seat == view.viewer else None
    small = f"{absent} absent" if absent else PLURALS[category]
    words = f"{number} (was {before})" if number != before else str(number)
    return Item(
        said,
        words,
        small,
        ((f":{category}",),),
        state=state,
        action=action,
        piece=category,
        many=number,
        rule="STAFF-1",
    )


def store(view: View, seat: int, kind: str) -> Item:
    """SET-8: a place for every bar; a click on the n-th free place, or on the n-th last bar, names n bars."""
    player, size = view.players[seat], int(view.cards.record[f"{kind}_store"])
    bars, task = player[kind], view.task
    filling = task in {"cocoa": ("announce", "bid_bars"), "chocolate": ("make",)}[kind]
    here: dict[int, int | None] = {}
    if seat == view.viewer and (filling or (kind == "chocolate" and task == "bank_sale")):
        numbers = [number for number in view.numbers("bars") if number]
        here = {bars + number - 1 if filling else bars - number: view.action("bars", number) for number in numbers}
    announced = f", {player['announced']} announced" if kind == "cocoa" and player["announced"] else ""
    lying = [
        Item("bar", face=((f":{kind}",),), action=here.get(place), piece=kind, rule="SET-8") for place in range(bars)
    ]
    free = [Item("free place", state="empty", action=here.get(place)) for place in range(bars, size)]
    return Item(f"{kind}, {size} places{announced}", f"{kind} {bars}", announced[2:], items=(*lying, *free))


def effect_of(view: View, card: str) -> str:
    return express_in_words(view.cards, view.cards.express.index(card))


def hand(view: View, seat: int) -> Iterator[Item]:
    """SEE-2: backs of cards, or the own cards face up."""
    own = seat == view.viewer
    for card in in_hand(view.position, seat):
        if own:
            words, effect = view.name(card), effect_of(view, card)
            rule = view.cards.clauses[card] or "XP-5"
            yield Item(
                f"{words}: {effect}",
                words,
                effect,
                kind="express",
                action=view.play(card),
                piece=f"express {card}",
                rule=rule,
            )
        else:
            yield Item("a card in hand", face=((":express",),), kind="back", rule="SEE-2")


def this_month(view: View, seat: int) -> Iterator[Item]:
    """LOOK-1, XP-2, XP-3"""
    player = view.players[seat]
    struck = player["struck_by"]
    said = {
        "has looked at the event": player["looked"],
        "has played a card": player["has_played"],
    }
    yield from (Item(words) for words, holds in said.items() if holds)
    if struck:
        words = f"struck by {view.name(struck)}"
        yield Item(f"{words}: {effect_of(view, struck)}", words, rule=view.cards.clauses[struck] or "XP-5")


def contract_in_words(view: View, contract: str, price: int) -> str:
    return f"{view.name(contract)}, {counted(int(view.contract(contract).bars), 'bar')}, {price}"


def contracts(view: View, seat: int) -> Iterator[Item]:
    """OFFICE-1: oldest first; those at the bookkeepers come before the open ones."""
    for number, (contract, price) in enumerate(contracts_held(view.players[seat])):
        booked = number < view.players[seat]["num_booked"]
        bars = counted(int(view.contract(contract).bars), "bar")
        name = f"{contract_in_words(view, contract, price)}, {'at the bookkeepers' if booked else 'open'}"
        face = ((":bookkeeper" if booked else ":contract", bars),)
        yield Item(
            name,
            view.name(contract),
            face=face,
            tail=(str(price),),
            kind="contract",
            piece=f"contract {contract}",
            rule="OFFICE-1",
        )


# --- the table


def meeting(view: View) -> Iterator[Row]:
    shown = view.position
    yield Row("facts", (Item(f"{counted(shown['meetings_left'], 'meeting')} left", rule="SALE-1"),))
    if shown["offer"] is not None:
        card, name = view.contract(shown["offer"]), view.name(shown["offer"])
        bars, span = int(card.bars), f"{card.lowest} to {card.highest}"
        now = f", now {shown['price']}" if shown["price"] else ""
        action = view.action("accept")
        if action is None:
            action = view.action("attend")
        tail = (str(shown["price"]),) if now else ()
        face = ((":chocolate",) * bars,)
        said = f"on offer: {name}, {counted(bars, 'bar')}, {span}{now}"
        yield Row(
            "offer",
            (
                Item(
                    said,
                    name,
                    span,
                    face,
                    tail,
                    kind="offer",
                    action=action,
                    piece=f"contract {shown['offer']}",
                    rule="SALE-6",
                ),
            ),
        )
    yield Row(
        "present", tuple(attendance(view, seat) for seat in range(len(view.players)) if said_at_meeting(view, seat))
    )


def said_at_meeting(view: View, seat: int) -> str:
    """SALE-4, SALE-6"""
    shown = view.position
    said = {
        "takes it": shown["taker"] == seat,
        "present": seat in shown["present"],
        "refuses": seat in shown["refused"],
    }
    return ", ".join(words for words, holds in said.items() if holds)


def attendance(view: View, seat: int) -> Item:
    said = said_at_meeting(view, seat)
    return Item(f"{player_name(seat, view.viewer)}: {said}", said, seat=seat, rule="SALE-4")


def market(view: View, city: int) -> Item:
    """COCOA-2, COCOA-6, SEE-5: the bars, and what each seat has bid."""
    bars, name, selling = view.position["market"][city], view.cards.cities[city], city == view.city
    done = seats_that_bid(view.position) if selling else []
    bids = []
    for seat, player in enumerate(view.players):
        bid = player["bid_bars"][city], player["bid_price"][city]
        words = bid_in_words(view, seat, bid, selling, seat in done)
        if words:
            bids.append(Item(f"{player_name(seat, view.viewer)}: {words}", words, seat=seat, rule="COCOA-6"))
    said = f"{name}: {counted(bars, 'bar')}{', selling now' if selling else ''}"
    return Item(
        said,
        name,
        face=((":cocoa", str(bars)),),
        items=tuple(bids),
        state="now" if selling else "",
        piece="cocoa",
        many=bars,
        rule="COCOA-5",
    )


def bid_in_words(view: View, seat: int, bid: tuple[int, int], under_way: bool, done: bool) -> str:
    """SEE-5: for the city under way, the own bid, and whether another seat has bid."""
    bars, price = bid
    if not under_way:
        return f"{bars} at {price}" if bars else ""
    if seat != view.viewer:
        return "bid made" if done else ""
    if done and not bars:
        return "no bid"
    if not bars:
        return ""
    return f"{bars} at {price or '?'}"


def bank(view: View) -> Iterator[Row]:
    prices = view.cards.record.share_price[: view.months].tolist()
    yield Row(
        "prices", tuple(share_price(view, month, price) for month, price in enumerate(prices, start=1)), "A share"
    )
    yield Row("piles", tuple(in_box(view, kind) for kind in BOX), "In the box")


def piles(view: View) -> Iterator[Row]:
    """SEE-3"""
    shown, cards = view.position, view.cards
    numbers = Counter(int(view.contract(contract).bars) for contract in face_down(shown))
    down = [
        Item(f"{number} of {counted(bars, 'bar')}", str(number), counted(bars, "bar"), rule="SET-4")
        for bars, number in sorted(numbers.items())
    ]
    back = number_held_back(shown, cards)
    yield Row(
        "piles", (*down, Item(f"{back} held back", str(back), "held back", rule="SALE-11")), "Contracts face down"
    )
    gone = [card for card in cards.express if shown["express"][card] == "gone"]
    played = (
        Item(view.name(card), small=effect_of(view, card), kind="express", piece=f"express {card}") for card in gone
    )
    yield Row("chips", tuple(played), "Out of the game")


def events(view: View) -> Iterator[Row]:
    """EV-0, MON-3, SEE-2"""
    shown, left = view.position, events_left(view.position, view.cards)
    known = event_known(shown, view.viewer)
    turned = (("in force", shown["event_in_force"]), ("this month", shown["event_turned"]), ("you know", known))
    now = {card for _, card in turned if card is not None}
    yield Row("events", tuple(event(view, card, card in left, card in now) for card in view.cards.events))
    effects = []
    for when, card in turned:
        if card is not None:
            in_words = event_in_force if when == "in force" else event_in_words
            effect = in_words(view.cards, view.cards.events.index(card), shown["options"]["upset"])
            effects.append(
                Item(f"{when}: {view.name(card)}: {effect}", f"{when}: {view.name(card)}", effect, rule="EV-0")
            )
    yield Row("effects", tuple(effects))


def event(view: View, card: str, to_come: bool, now: bool) -> Item:
    effect = event_in_words(view.cards, view.cards.events.index(card), view.position["options"]["upset"])
    state: Any = "now" if now else "" if to_come else "used"
    rule = view.cards.clauses[card] or "EV-0"
    return Item(
        f"{view.name(card)}{'' if to_come else ' (gone)'}",
        view.name(card),
        effect,
        kind="event",
        state=state,
        rule=rule,
    )


def share_price(view: View, month: int, price: int) -> Item:
    state: Any = "now" if month == view.position["month"] else "used" if month < view.position["month"] else ""
    return Item(f"{price} in month {month}", str(price), f"m. {month}", state=state, rule="SHARE-1")


def in_box(view: View, kind: str) -> Item:
    number = view.position["box"][kind]
    words = counted_staff(number, kind) if kind in PLURALS else counted(number, kind[:-1])
    action = {"loans": view.action("take_loan"), "shares": view.action("buy_shares")}.get(kind)
    return Item(
        words,
        str(number),
        PLURALS.get(kind, kind),
        ((f":{kind}",),),
        action=action,
        piece=kind,
        many=number,
        rule="SET-9",
    )
