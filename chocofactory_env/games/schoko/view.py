"""A position as a tree (`chocofactory_env.view`). It holds nothing that the viewer may not know (SEE-2 to SEE-5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Final

from ...core.text.words import counted
from ...drawing.scene import Look, Shape
from ...view.tree import Group, Item, Row, State, group, row, signs_of
from ...view.views import Parts, around, notes_of, own_or_rival
from .actions import ACTIONS
from .display.describe_cards import event_in_words, express_in_words
from .display.question import QUESTIONS, told
from .display.seen import HIRING, PLURALS, Player, View, contracts_held, counted_staff
from .layout import BOX, CATEGORIES
from .words import describe

TITLE: Final = "Schoko & Co."
MARKS: Final[dict[str, tuple[Shape, Look]]] = {
    "worker": ("person", "hue-2"),
    "salesman": ("arrow", "hue-4"),
    "secretary": ("pentagon", "hue-3"),
    "bookkeeper": ("hexagon", "hue-5"),
    "cocoa": ("drop", "hue-1"),
    "chocolate": ("bar", "hue-0"),
    "contract": ("house", "hue-7"),
    "loans": ("triangle", "hue-8"),
    "shares": ("diamond", "hue-9"),
    "express": ("star", "hue-6"),
}
ANSWERS: Final = {  # by task: yes and no
    "look": ("Pay and look", "Do not look"),
    "attend": ("Come", "Stay away"),
    "offer": ("Take the contract", "Refuse"),
}
WORDS: Final = {"repay": "Repay a loan", "take_loan": "Take a loan", "pass": "Done"}
LABELS: Final = {"sell_shares": "Sell shares", "buy_shares": "Buy shares", "play": "Play", "target": "Play it on"}


def parts(view: View) -> Parts:
    groups = [] if view.task == "over" else [choice(view)]
    groups += [seat_group(view, seat) for seat in around(view.viewer, len(view.players))]
    groups.append(
        group("meeting", meeting_name(view), "shared", [row("offer", [offer(view)]), row("present", present(view))])
    )
    groups.append(group("cities", "Cocoa markets: bars at price", "shared", [row("cities", cities(view))]))
    bank = [row("events", events(view)), row("prices", prices(view)), row("piles", box(view))]
    groups.append(group("bank", "Events, share price, and the box", "shared", bank))
    piles = [row("piles", contracts_left(view)), row("events", express_cards(view))]
    groups.append(group("piles", "Contracts and express cards", "shared", piles))
    when = [f"Month {view.position['month']} of {view.months}", view.moment]
    return Parts(TITLE, when, signs_of(MARKS), groups, partial(deck, view))


# --- the choice


def choice(view: View) -> Group:
    if view.is_mover:
        return group("choice", "Your move", "choose", questions(view), view.mover)
    words = told(view)
    return group("choice", "Under way", "choose", [row("ask", [Item(words, words)])], view.mover)


def questions(view: View) -> Iterator[Row]:
    words = QUESTIONS[view.task](view)
    yield row("ask", [Item(words, words)])
    found: dict[str, list[Item]] = {}
    for action in sorted(view.legal):
        verb, _ = ACTIONS.decode(action)
        found.setdefault(LABELS.get(verb, ""), []).append(button(view, action))
    for label, there in found.items():
        yield row("buttons", there, label)


def button(view: View, action: int) -> Item:
    verb, number = ACTIONS.decode(action)
    words, small, face = describe(action).capitalize(), "", []
    if verb in ("bars", "staff", "price", "sell_shares", "buy_shares"):
        words = str(number + (verb not in ("bars", "staff")))
    elif verb == "raise":
        words = f"+{number + 1} = {view.position['price'] + number + 1}"
    elif verb == "category":
        words, face = CATEGORIES[number], [[f":{CATEGORIES[number]}"]]
    elif verb == "target":
        words = f"Player {((view.viewer or 0) + number + 1) % len(view.players)}"
    elif verb == "play":
        words, small = view.name(view.cards.express[number]), express_in_words(view.cards, number)
    elif view.task in ANSWERS:
        words = ANSWERS[view.task][verb == "pass"]
    elif verb == "pass" and view.task != "money":
        words = "Play none"
    else:
        words = WORDS.get(verb, words)
    return Item(describe(action), words, small=small, face=face, action=action)


# --- a firm


def seat_group(view: View, seat: int) -> Group:
    player, own = view.players[seat], seat == view.viewer
    back = Item("an express card in hand", face=[[":express"]], kind="back", rule="SEE-2")
    hand = [
        express(view, card, view.action("play", view.cards.express.index(card))) if own else back
        for card in view.hand(seat)
    ]
    rows = [
        row("facts", facts(view, seat, player)),
        row("staff4", [staff(view, seat, player, kind) for kind in CATEGORIES]),
        row("bars", [bars(view, seat, player, kind) for kind in ("cocoa", "chocolate")]),
        row("cards", hand, "Express"),
        row("marks", marks(view, seat, player)),
        row("contracts", contracts(view, seat, player), "Contracts"),
    ]
    over = view.task == "over"
    notes = notes_of(
        view.viewer,
        seat,
        to_move=seat == view.mover,
        leads=not over and seat == view.position["leader"],
        chairman=not over and seat == view.chairman,
        bankrupt=player["out"],
    )
    return group(f"seat-{seat}", f"Player {seat}", own_or_rival(view.viewer, seat), rows, seat, notes)


def facts(view: View, seat: int, player: Player) -> Iterator[Item]:
    own, due, cash = seat == view.viewer, bill(view, seat), str(player["cash"])
    left_of = (seat - (view.viewer or 0)) % len(view.players)
    action = None if own else view.action("target", left_of - 1)
    yield Item(f"cash {cash}", cash, small="cash", kind="money", action=action, rule="PAY-1")
    new = ", one taken this month" if player["loan_this_month"] else ""
    for kind, more, verb, rule in (("loans", new, "repay", "LOAN-1"), ("shares", "", "sell_shares", "SHARE-1")):
        action = view.action(verb) if own else None
        words = counted(player[kind], kind[:-1])
        number, small = words.split()
        yield Item(words + more, number, small=small, face=[[f":{kind}"]], action=action, rule=rule)
    if due is None:
        yield Item(f"salaries paid: {player['salaries']}", str(player["salaries"]), small="salaries", rule="STAFF-5")
        yield Item(f"meetings to attend: {player['marker']}", str(player["marker"]), small="meetings", rule="SALE-2")
    else:
        yield Item(f"to pay so far in salaries and severance: {due}", str(due), small="to pay", rule="STAFF-5")
        left = player["cash"] - due
        yield Item(f"cash left after salaries and severance: {left}", str(left), small="left", rule="STAFF-6")
    yield Item(f"contracts gained this month: {player['gained']}", str(player["gained"]), small="gained", rule="SALE-9")


def bill(view: View, seat: int) -> int | None:
    """STAFF-5: salaries and severance for the categories decided so far; None if the seat has decided none."""
    player, position = view.players[seat], view.position
    if view.task not in HIRING or player["out"]:
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


def staff(view: View, seat: int, player: Player, kind: str) -> Item:
    number, before, absent = (player[key][kind] for key in ("staff", "staff_before", "absent"))
    away = f", {absent} absent" if absent else ""
    now = seat == view.mover and view.task in HIRING and kind == view.position["category"]
    return Item(
        f"{counted_staff(number, kind)}, {before} last month{away}",
        str(number),
        small=f"{absent} absent" if absent else PLURALS[kind],
        face=[[f":{kind}"]],
        action=view.action("category", CATEGORIES.index(kind)) if seat == view.viewer else None,
        state="now" if now else "",
        rule="STAFF-1",
    )


def bars(view: View, seat: int, player: Player, kind: str) -> Item:
    """A store; the free places, or the last bars, stand for the numbers that may be chosen."""
    there, size = player[kind], int(view.cards.record[f"{kind}_store"])
    filling = view.task in {"cocoa": ("announce", "bid_bars"), "chocolate": ("make",)}[kind]
    selling = kind == "chocolate" and view.task == "bank_sale"
    actions = {}
    if seat == view.viewer and (filling or selling):
        for number in range(1, size + 1):
            actions[there + number - 1 if filling else there - number] = view.action("bars", number)
    places = [
        Item(
            f"{kind} {spot + 1} of {size}",
            face=[[f":{kind}"]] if spot < there else [],
            state="" if spot < there else "empty",
            action=actions.get(spot),
        )
        for spot in range(size)
    ]
    announced = player["announced"] if kind == "cocoa" else 0
    said = f"{counted(there, 'bar')} of {kind} of {size}{f', {announced} announced' if announced else ''}"
    small = f"announced {announced}" if announced else ""
    return Item(said, f"{kind.capitalize()} {there}", small=small, items=places, rule="SET-8")


def express(view: View, card: str, action: int | None = None) -> Item:
    effect = express_in_words(view.cards, view.cards.express.index(card))
    rule = view.cards.clauses[card] or "XP-5"
    return Item(f"{view.name(card)}: {effect}", view.name(card), small=effect, action=action, kind="express", rule=rule)


def marks(view: View, seat: int, player: Player) -> Iterator[Item]:
    """LOOK-1, LOOK-2, XP-2, XP-3: what the seat did and suffered this month."""
    known = view.event_known if seat == view.viewer else None
    if player["looked"]:
        words = "looked at the event" if known is None else f"knows: {view.name(known)}"
        yield Item(words, words, rule="LOOK-1")
    if player["has_played"]:
        yield Item("played an express card this month", "played a card", rule="XP-2")
    if player["struck_by"]:
        card = player["struck_by"]
        effect = express_in_words(view.cards, view.cards.express.index(card))
        yield Item(f"struck by {view.name(card)}: {effect}", f"struck: {view.name(card)}", rule="XP-3")


def contracts(view: View, seat: int, player: Player) -> list[Item]:
    booked, found = player["num_booked"], []
    for number, (card, price) in enumerate(contracts_held(player)):
        size = counted(int(view.contract(card).bars), "bar")
        where = "at the bookkeepers" if number < booked else "open"
        found.append(
            Item(
                f"contract {view.name(card)}, {size}, {price}, {where}",
                view.name(card),
                face=[[":bookkeeper" if number < booked else ":contract", size]],
                tail=[str(price)],
                kind="contract",
                rule="OFFICE-1",
            )
        )
    return found or [Item("no contracts", "no contracts", state="empty", rule="OFFICE-1")]


def deck(view: View) -> Iterator[tuple[str, Row]]:
    """Every card by its id."""
    cards = view.cards
    for card in cards.contracts:
        one, name = view.contract(card), view.name(card)
        size, pays = int(one.bars), f"{one.lowest} to {one.highest}"
        face = [[":chocolate"] * size, [pays]]
        yield card, row("machines", [Item(f"contract {name}: {counted(size, 'bar')}, {pays}", name, face=face)])
    for number, card in enumerate(cards.events):
        name, effect = view.name(card), event_in_words(cards, number)
        yield card, row("cards", [Item(f"{name}: {effect}", name, small=effect, kind="express")])
    yield from ((card, row("cards", [express(view, card)])) for card in cards.express)


# --- the sale


def meeting_name(view: View) -> str:
    left = view.position["meetings_left"]
    return f"Sales meeting, {counted(left, 'meeting')} left" if left else "Sales meetings"


def offer(view: View) -> Item:
    """SALE-6; in window C the contract just taken."""
    contract, price, just_taken = view.position["offer"], view.position["price"], view.taken
    if just_taken:
        contract, price = just_taken[0]
    if contract is None:
        return Item("no contract on offer", "no contract on offer", state="empty", rule="SALE-6")
    card = view.contract(contract)
    action = view.action("accept")
    if action is None:
        action = view.action("attend")
    size = counted(int(card.bars), "bar")
    return Item(
        f"contract {view.name(contract)}: {size}, {card.lowest} to {card.highest}{f', now {price}' if price else ''}",
        view.name(contract),
        face=[[":chocolate"] * int(card.bars)],
        small=f"{size}, {card.lowest} to {card.highest}",
        tail=[str(price)] if price else [],
        kind="offer",
        state="now" if just_taken else "",
        action=action,
        rule="SALE-6",
    )


def present(view: View) -> Iterator[Item]:
    shown = view.position
    for seat, player in enumerate(view.players):
        words = "–"
        if shown["taker"] == seat:
            words = "takes it"
        elif seat in shown["refused"]:
            words = "refuses"
        elif seat in shown["present"]:
            words = "present"
        elif shown["offer"] and view.task != "attend":
            words = "away"
        left = player["marker"]
        said = (
            f"Player {seat}: {'not at a meeting' if words == '–' else words}, {counted(left, 'meeting')} left to attend"
        )
        yield Item(said, words, small=f"{left} left", seat=seat, rule="SALE-4")


# --- the markets, events, and the bank


def cities(view: View) -> Iterator[Item]:
    done = view.seats_that_bid if view.city is not None else []
    for city, name in enumerate(view.cards.cities):
        bids = []
        for seat, player in enumerate(view.players):
            made = player["bid_bars"][city], player["bid_price"][city]
            words = bid_in_words(view, seat, made, city == view.city, seat in done)
            if words:
                bids.append(Item(f"Player {seat}: {words}", words, seat=seat))
        there = view.position["market"][city]
        state: State = "now" if city == view.city else ""
        face = [[":cocoa", str(there)]]
        yield Item(f"{name}: {counted(there, 'bar')}", name, face=face, state=state, items=bids, rule="COCOA-2")


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


def events(view: View) -> Iterator[Item]:
    left, known = view.events_left, view.event_known
    action = view.action("look")
    if view.position["event_turned"] is None:
        yield Item("this month's event, face down", "this month's event", kind="back", action=action, rule="LOOK-1")
    for event in view.cards.events:
        states = [
            ("in force", event == view.position["event_in_force"]),
            ("this month", event == view.position["event_turned"]),
            ("you know", event == known),
        ]
        small = " · ".join(words for words, holds in states if holds)
        effect = event_in_words(view.cards, view.cards.events.index(event), view.position["options"]["upset"])
        to_come = event in left
        when = small or ("to come" if to_come else "turned up before")
        rule = view.cards.clauses[event] or "EV-0"
        yield Item(
            f"{view.name(event)} ({when}): {effect}",
            view.name(event),
            small=small,
            state="" if to_come else "used",
            rule=rule,
        )


def prices(view: View) -> Iterator[Item]:
    month = view.position["month"]
    for number, price in enumerate(view.cards.record.share_price[: view.months].tolist(), 1):
        state: State = "now" if number == month else "used" if number < month else ""
        yield Item(
            f"share price of month {number}: {price}", str(price), small=f"m. {number}", state=state, rule="SHARE-1"
        )


def box(view: View) -> Iterator[Item]:
    for kind in BOX:
        number = view.position["box"][kind]
        action = {"loans": view.action("take_loan"), "shares": view.action("buy_shares")}.get(kind)
        words = PLURALS.get(kind, kind)
        yield Item(
            f"in the box: {number} {words}", str(number), face=[[f":{kind}"]], small=words, action=action, rule="SET-9"
        )


def contracts_left(view: View) -> Iterator[Item]:
    """SEE-3: the face-down contracts as a set."""
    for size, number in sorted(Counter(int(view.contract(contract).bars) for contract in view.face_down).items()):
        words = counted(size, "bar")
        yield Item(f"{number} of the contracts face down: {words}", f"×{number}", small=words, rule="SET-4")
    back = view.number_held_back
    yield Item(f"{counted(back, 'contract')} held back", str(back), small="held back", rule="SALE-11")


def express_cards(view: View) -> Iterator[Item]:
    """XP-5: all cards; those face up are out of the game."""
    for card in view.cards.express:
        gone = view.position["express"][card] == "gone"
        one = express(view, card)
        where = "face up, out of the game" if gone else "not yet played"
        name = one.name.replace(":", f" ({where}):", 1)
        yield Item(name, one.words, state="used" if gone else "", rule=one.rule)
