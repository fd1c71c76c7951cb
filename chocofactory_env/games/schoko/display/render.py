"""The whole table as text, at most 100 columns, made from `to_dict`. It shows what the viewer may see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ....core.text.words import WIDTH, counted, hanging
from ..cards import Cards
from .describe_cards import event_in_force, event_in_words, express_in_words, window_of

TASKS: Final = {
    "look": "Look: who pays to see the event card",
    "staff": "Staff: hiring and laying off",
    "trim": "Staff: laying off because of a loan",
    "announce": "Cocoa: announcing",
    "make": "Production",
    "attend": "Sale: who comes to the meeting",
    "offer": "Sale: a contract on offer",
    "raise": "Sale: the chairman raises the price",
    "bank_sale": "Sale: bars for the bank",
    "money": "Loans and shares",
    "over": "End of the game",
}
# SEE-5: these tasks do not show the seat to move.
SECRET_TASKS: Final = {
    "card_a": "Express cards, before the markets",
    "card_b": "Express cards, before the meetings",
    "card_c": "Express cards, on the contract just taken",
    "bid_bars": "Cocoa: sealed bids",
    "bid_price": "Cocoa: sealed bids",
}
OWN_TASKS: Final = {
    "card_a": "play an express card?",
    "card_b": "play an express card?",
    "card_c": "play an express card?",
    "target": "on whom is the card played?",
    "holiday": "which employee is absent?",
    "bid_bars": "bars to bid for",
    "bid_price": "the price for each bar",
}
AFTER_A_CARD: Final = ("target", "holiday")
PLURALS: Final = {
    "worker": "workers",
    "salesman": "salesmen",
    "secretary": "secretaries",
    "bookkeeper": "bookkeepers",
}

Position = Mapping[str, Any]
Player = Mapping[str, Any]


def render(position: Position, cards: Cards, scores: Sequence[int] | None = None, viewer: int | None = None) -> str:
    """Draw a position of `to_dict` as lines of text; `scores` are shown when the game is over.

    viewer: the seat whose own secrets are shown as well.
    """
    lines = [*header(position, cards), "", *events(position, cards), *markets(position, cards)]
    lines += [*meeting(position, cards), *bank(position, cards), ""]
    for seat, player in enumerate(position["players"]):
        lines += [*player_lines(position, cards, seat, player), ""]
    if viewer is not None:
        lines += [*own_secrets(position, cards, viewer), ""]
    if scores is not None and position["task"] == "over":
        lines.append("Money at the end: " + ", ".join(f"player {seat}: {money}" for seat, money in enumerate(scores)))
    return "\n".join(line.rstrip() for line in lines).rstrip() + "\n"


def task_shown(position: Position, cards: Cards) -> str:
    """SEE-5: while a card is carried out, only the window is shown."""
    if position["task"] not in AFTER_A_CARD:
        return str(position["task"])
    return f"card_{window_of(cards.express.index(position['under_way']['card'])).lower()}"


def is_secret(position: Position) -> bool:
    return position["task"] in AFTER_A_CARD or position["task"] in SECRET_TASKS


def header(position: Position, cards: Cards) -> Iterator[str]:
    month = position["month"]
    months = position["options"]["months"] or cards.record.months[len(position["players"])]
    title = f"SCHOKO & CO.  month {month} of {months}"
    yield f"{title} · player {position['leader']} leads · a share costs {cards.record.share_price[month - 1]}"
    task = (TASKS | SECRET_TASKS)[task_shown(position, cards)]
    if position["current_player"] is not None and not is_secret(position):
        task += f" · player {position['current_player']} to move"
    yield task
    if position["under_way"]["category"]:
        yield f"Under way  {position['under_way']['category']}"
    if position["under_way"]["money"]:
        yield f"Under way  {', '.join(position['under_way']['money']).replace('_', ' ')}"


def events(position: Position, cards: Cards) -> Iterator[str]:
    """EV-0, MON-3, SEE-2: the events in force and turned up, and those to come as a set."""
    shown = position["events"]
    said = (("In force", shown["in_force"], event_in_force), ("Event", shown["turned"], event_in_words))
    for title, event, in_words in said:
        if event is not None:
            words = in_words(cards, cards.events.index(event), position["options"]["upset"])
            yield from hanging(f"{title:10} ", f"{cards.names[event]}: {words}")
    left = events_left(position, cards)
    yield from hanging("To come    ", ", ".join(cards.names[event] for event in left) or "all of them, shuffled anew")


def events_left(position: Position, cards: Cards) -> list[str]:
    """EV-0, SEE-3: ids of events not turned up since the last shuffle, in the order of the deck's file."""
    shown, month = position["events"], position["month"]
    first = (month - 1) // len(cards.events) * len(cards.events)
    turned = month - 1 + (shown["turned"] is not None)
    return sorted(shown["order"][turned : first + len(cards.events)], key=cards.events.index)


def event_known(position: Position, viewer: int | None) -> str | None:
    """SEE-2: the id of this month's event for a viewer that has looked, until it is turned up."""
    shown = position["events"]
    if viewer is None or shown["turned"] is not None or not position["players"][viewer]["looked"]:
        return None
    event: str = shown["order"][position["month"] - 1]
    return event


def markets(position: Position, cards: Cards) -> Iterator[str]:
    """COCOA-2, COCOA-6: bars on offer, and bids revealed; for the city under way only which seats have bid (SEE-5)."""
    bars = [f"{city} {number}" for city, number in zip(cards.cities, position["market"], strict=True) if number]
    if bars:
        yield from hanging("Markets    ", ", ".join(bars))
    for city, name in enumerate(cards.cities):
        if city + 1 == position["under_way"]["city"]:
            yield from hanging("Bids       ", f"{name} – {made(position)}")
            continue
        bids = [(seat, player["bids"][city]) for seat, player in enumerate(position["players"])]
        words = [f"player {seat}: {bid['bars']} at {bid['price']}" for seat, bid in bids if bid["bars"]]
        if words:
            yield from hanging("Bids       ", f"{name} – {', '.join(words)}")


def made(position: Position) -> str:
    """SEE-5: the number of bids made."""
    bids = sum(not player["bankrupt"] for player in position["players"])
    done = seats_that_bid(position)
    whose = f", of player {', '.join(map(str, done))}" if done else ""
    return f"{len(done)} of {bids} sealed bids made{whose}"


def seats_that_bid(position: Position) -> list[int]:
    """The seats whose bid for the city under way is complete, in player order."""
    players = position["players"]
    order = [(position["leader"] + place) % len(players) for place in range(position["turn"])]
    return [seat for seat in order if not players[seat]["bankrupt"]]


def meeting(position: Position, cards: Cards) -> Iterator[str]:
    """SALE-3 to SALE-7"""
    shown = position["meeting"]
    if not shown["left"]:
        return
    words = [f"{counted(shown['left'], 'meeting')} left"]
    if shown["contract"]:
        words.append(contract_in_words(cards, shown["contract"]))
    if shown["price"]:
        words.append(f"now at {shown['price']}")
    if shown["taker"] is not None:
        last = position["players"][shown["taker"]]["contracts"][-1]
        words.append(f"{cards.names[last['contract']]} taken by player {shown['taker']} at {last['price']}")
    for title in ("present", "refused"):
        if shown[title]:
            words.append(f"{title}: {', '.join(map(str, shown[title]))}")
    yield from hanging("Meeting    ", " · ".join(words))


def contract_in_words(cards: Cards, contract: str) -> str:
    card = cards.record.contracts[cards.contracts.index(contract)]
    return f"{cards.names[contract]} ({counted(card.bars, 'bar')}, {card.lowest} to {card.highest})"


def bank(position: Position, cards: Cards) -> Iterator[str]:
    """SET-9, SEE-3: the box, and the face-down contracts as a set."""
    box = position["box"]
    words = [held({name: box[name] for name in PLURALS}), *papers_in_words(box)]
    yield from hanging("Box        ", ", ".join(words))
    record = cards.record.contracts
    face_down = position["contracts"]["face_down"]
    bars = Counter(int(record[cards.contracts.index(contract)].bars) for contract in face_down)
    by_bars = ", ".join(f"{bars[number]} of {counted(number, 'bar')}" for number in sorted(bars))
    back = len(position["contracts"]["held_back"])
    yield from hanging("Contracts  ", f"{len(face_down)} face down ({by_bars or 'none'}), {back} held back")
    if position["express"]["gone"]:
        yield from hanging("Played     ", ", ".join(cards.names[card] for card in position["express"]["gone"]))


def held(numbers: Mapping[str, int]) -> str:
    """Employees in a few words."""
    return ", ".join(counted_staff(number, name) for name, number in numbers.items() if number) or "nobody"


def counted_staff(number: int, category: str) -> str:
    return counted(number, category, PLURALS[category])


def player_lines(position: Position, cards: Cards, seat: int, player: Player) -> Iterator[str]:
    mover = " (to move)" if position["current_player"] == seat and not is_secret(position) else ""
    yield f"── Player {seat}{mover}  cash {player['cash']} ".ljust(WIDTH, "─")
    if player["bankrupt"]:
        yield "Bankrupt"
        return
    yield from hanging("Staff      ", staff_in_words(player))
    stores = [
        f"cocoa {player['cocoa']} of {cards.record.cocoa_store}",
        f"chocolate {player['chocolate']} of {cards.record.chocolate_store}",
    ]
    if player["announced"]:
        stores.append(f"{player['announced']} announced")
    yield from hanging("Stores     ", ", ".join(stores))
    if player["marker"] or player["gained"]:
        yield f"Meetings   marker {player['marker']}, gained {player['gained']}"
    yield from contracts(cards, player)
    yield from papers(player)
    yield from cards_of(cards, player)


def staff_in_words(player: Player) -> str:
    """STAFF-1: employees, absent ones, and their salaries."""
    words = [held(player["staff"])]
    if any(player["absent"].values()):
        words.append(f"absent: {held(player['absent'])}")
    if player["salaries"]:
        words.append(f"paid {player['salaries']}")
    return " · ".join(words)


def contracts(cards: Cards, player: Player) -> Iterator[str]:
    """Contracts, oldest first: those at the bookkeepers, then the open ones."""
    at = player["at_bookkeepers"]
    for title, there in (("At books", player["contracts"][:at]), ("Open", player["contracts"][at:])):
        if there:
            words = (f"{cards.names[entry['contract']]} {entry['price']}" for entry in there)
            yield from hanging(f"{title:10} ", ", ".join(words))


def papers_in_words(there: Mapping[str, int]) -> list[str]:
    return [counted(there[name], name[:-1]) for name in ("loans", "shares") if there[name]]


def papers(player: Player) -> Iterator[str]:
    words = papers_in_words(player)
    if player["loan_this_month"]:
        words.append("this month's loan taken")
    if words:
        yield f"Papers     {', '.join(words)}"


def cards_of(cards: Cards, player: Player) -> Iterator[str]:
    """SEE-2: the number of cards in the hand, and the cards that everybody has seen."""
    words = [f"{len(player['hand'])} in hand"] if player["hand"] else []
    if player["looked"]:
        words.append("has looked at the event")
    if player["has_played"]:
        words.append("has played one this month")
    if player["struck_by"]:
        effect = express_in_words(cards, cards.express.index(player["struck_by"]))
        words.append(f"struck by {cards.names[player['struck_by']]}: {effect}")
    if words:
        yield from hanging("Cards      ", " · ".join(words))


def own_secrets(position: Position, cards: Cards, viewer: int) -> Iterator[str]:
    """SEE-2: what only the viewer knows, and a secret question to it (SEE-5)."""
    yield f"── Only player {viewer} sees ".ljust(WIDTH, "─")
    if position["current_player"] == viewer and is_secret(position):
        yield from hanging("To move    ", OWN_TASKS[position["task"]])
    hand = position["players"][viewer]["hand"]
    effects = (f"{cards.names[card]} ({express_in_words(cards, cards.express.index(card))})" for card in hand)
    yield from hanging("Hand       ", ", ".join(effects) or "no card")
    event = event_known(position, viewer)
    if event is not None:
        words = event_in_words(cards, cards.events.index(event), position["options"]["upset"])
        yield from hanging("Event      ", f"{cards.names[event]}: {words}")
    if position["under_way"]["city"] is not None:
        city = position["under_way"]["city"] - 1
        yield from hanging("Own bid    ", f"{cards.cities[city]} – {own_bid(position, viewer)}")


def own_bid(position: Position, viewer: int) -> str:
    """The viewer's bid for the city under way."""
    bid = position["players"][viewer]["bids"][position["under_way"]["city"] - 1]
    if not bid["bars"]:
        return "no bars" if viewer in seats_that_bid(position) else "not made"
    return f"{counted(bid['bars'], 'bar')} at {bid['price'] or 'a price to be named'}"
