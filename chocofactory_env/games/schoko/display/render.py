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

HIRING: Final = ("staff", "trim")
BIDDING: Final = ("bid_bars", "bid_price")

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
    return f"card_{window_of(cards.express.index(position['card'])).lower()}"


def is_secret(position: Position) -> bool:
    return position["task"] in AFTER_A_CARD or position["task"] in SECRET_TASKS


# --- what several fields say together


def category_under_way(position: Position) -> str | None:
    category: str = position["category"]
    return category if position["task"] in HIRING else None


def city_under_way(position: Position) -> int | None:
    """From 0 on."""
    return position["city"] - 1 if position["task"] in BIDDING else None


def in_hand(position: Position, seat: int) -> list[str]:
    """Ids of the express cards in a hand."""
    return [card for card, place in position["express"].items() if place == seat]


def contracts_held(player: Player) -> list[tuple[str, int]]:
    """Contracts with their prices, oldest first."""
    held = list(zip(player["contracts"], player["prices"], strict=True))[: player["num_contracts"]]
    return [(contract, price) for contract, price in held if contract is not None]


def face_down(position: Position) -> list[str]:
    return [contract for contract in position["contracts"][: position["contracts_left"]] if contract is not None]


def number_held_back(position: Position, cards: Cards) -> int:
    """SALE-11: the number of contracts that are nowhere else."""
    held = {contract for player in position["players"] for contract, _ in contracts_held(player)}
    return len(cards.contracts) - len({*face_down(position), *held, position["offer"]} - {None})


# --- parts of the picture


def header(position: Position, cards: Cards) -> Iterator[str]:
    month = position["month"]
    months = position["options"]["months"] or cards.record.months[len(position["players"])]
    title = f"SCHOKO & CO.  month {month} of {months}"
    yield f"{title} · player {position['leader']} leads · a share costs {cards.record.share_price[month - 1]}"
    task = (TASKS | SECRET_TASKS)[task_shown(position, cards)]
    if position["current"] is not None and not is_secret(position):
        task += f" · player {position['current']} to move"
    yield task
    category = category_under_way(position)
    if category is not None:
        yield f"Under way  {category}"
    if position["money_done"]:
        yield f"Under way  {', '.join(position['money_done']).replace('_', ' ')}"


def events(position: Position, cards: Cards) -> Iterator[str]:
    """EV-0, MON-3, SEE-2: the events in force and turned up, and those to come as a set."""
    said = (
        ("In force", position["event_in_force"], event_in_force),
        ("Event", position["event_turned"], event_in_words),
    )
    for title, event, in_words in said:
        if event is not None:
            words = in_words(cards, cards.events.index(event), position["options"]["upset"])
            yield from hanging(f"{title:10} ", f"{cards.names[event]}: {words}")
    left = events_left(position, cards)
    yield from hanging("To come    ", ", ".join(cards.names[event] for event in left) or "all of them, shuffled anew")


def events_left(position: Position, cards: Cards) -> list[str]:
    """EV-0, SEE-3: ids of events not turned up since the last shuffle, in the order of the deck's file."""
    month = position["month"]
    first = (month - 1) // len(cards.events) * len(cards.events)
    turned = month - 1 + (position["event_turned"] is not None)
    return sorted(position["events"][turned : first + len(cards.events)], key=cards.events.index)


def event_known(position: Position, viewer: int | None) -> str | None:
    """SEE-2: the id of this month's event for a viewer that has looked, until it is turned up."""
    if viewer is None or position["event_turned"] is not None or not position["players"][viewer]["looked"]:
        return None
    event: str = position["events"][position["month"] - 1]
    return event


def markets(position: Position, cards: Cards) -> Iterator[str]:
    """COCOA-2, COCOA-6: bars on offer, and bids revealed; for the city under way only which seats have bid (SEE-5)."""
    bars = [f"{city} {number}" for city, number in zip(cards.cities, position["market"], strict=True) if number]
    if bars:
        yield from hanging("Markets    ", ", ".join(bars))
    for city, name in enumerate(cards.cities):
        if city == city_under_way(position):
            yield from hanging("Bids       ", f"{name} – {made(position)}")
            continue
        bids = [(player["bid_bars"][city], player["bid_price"][city]) for player in position["players"]]
        words = [f"player {seat}: {bars} at {price}" for seat, (bars, price) in enumerate(bids) if bars]
        if words:
            yield from hanging("Bids       ", f"{name} – {', '.join(words)}")


def made(position: Position) -> str:
    """SEE-5: the number of bids made."""
    bids = sum(not player["out"] for player in position["players"])
    done = seats_that_bid(position)
    whose = f", of player {', '.join(map(str, done))}" if done else ""
    return f"{len(done)} of {bids} sealed bids made{whose}"


def seats_that_bid(position: Position) -> list[int]:
    """The seats whose bid for the city under way is complete, in player order."""
    players = position["players"]
    order = [(position["leader"] + place) % len(players) for place in range(position["turn"])]
    return [seat for seat in order if not players[seat]["out"]]


def meeting(position: Position, cards: Cards) -> Iterator[str]:
    """SALE-3 to SALE-7"""
    if not position["meetings_left"]:
        return
    words = [f"{counted(position['meetings_left'], 'meeting')} left"]
    if position["offer"]:
        words.append(contract_in_words(cards, position["offer"]))
    if position["price"]:
        words.append(f"now at {position['price']}")
    for contract, price in taken(position):
        words.append(f"{cards.names[contract]} taken by player {position['taker']} at {price}")
    for title in ("present", "refused"):
        if position[title]:
            words.append(f"{title}: {', '.join(map(str, position[title]))}")
    yield from hanging("Meeting    ", " · ".join(words))


def taken(position: Position) -> list[tuple[str, int]]:
    """The contract that was just taken, in window C, with its price."""
    return [] if position["taker"] is None else contracts_held(position["players"][position["taker"]])[-1:]


def contract_in_words(cards: Cards, contract: str) -> str:
    card = cards.record.contracts[cards.contracts.index(contract)]
    return f"{cards.names[contract]} ({counted(card.bars, 'bar')}, {card.lowest} to {card.highest})"


def bank(position: Position, cards: Cards) -> Iterator[str]:
    """SET-9, SEE-3: the box, and the face-down contracts as a set."""
    box = position["box"]
    words = [held({name: box[name] for name in PLURALS}), *papers_in_words(box)]
    yield from hanging("Box        ", ", ".join(words))
    record = cards.record.contracts
    down = face_down(position)
    bars = Counter(int(record[cards.contracts.index(contract)].bars) for contract in down)
    by_bars = ", ".join(f"{bars[number]} of {counted(number, 'bar')}" for number in sorted(bars))
    back = number_held_back(position, cards)
    yield from hanging("Contracts  ", f"{len(down)} face down ({by_bars or 'none'}), {back} held back")
    played = [cards.names[card] for card, place in position["express"].items() if place == "gone"]
    if played:
        yield from hanging("Played     ", ", ".join(played))


def held(numbers: Mapping[str, int]) -> str:
    """Employees in a few words."""
    return ", ".join(counted_staff(number, name) for name, number in numbers.items() if number) or "nobody"


def counted_staff(number: int, category: str) -> str:
    return counted(number, category, PLURALS[category])


def player_lines(position: Position, cards: Cards, seat: int, player: Player) -> Iterator[str]:
    mover = " (to move)" if position["current"] == seat and not is_secret(position) else ""
    yield f"── Player {seat}{mover}  cash {player['cash']} ".ljust(WIDTH, "─")
    if player["out"]:
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
    yield from cards_of(cards, player, len(in_hand(position, seat)))


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
    held, at = contracts_held(player), player["num_booked"]
    for title, there in (("At books", held[:at]), ("Open", held[at:])):
        if there:
            words = (f"{cards.names[contract]} {price}" for contract, price in there)
            yield from hanging(f"{title:10} ", ", ".join(words))


def papers_in_words(there: Mapping[str, int]) -> list[str]:
    return [counted(there[name], name[:-1]) for name in ("loans", "shares") if there[name]]


def papers(player: Player) -> Iterator[str]:
    words = papers_in_words(player)
    if player["loan_this_month"]:
        words.append("this month's loan taken")
    if words:
        yield f"Papers     {', '.join(words)}"


def cards_of(cards: Cards, player: Player, number: int) -> Iterator[str]:
    """SEE-2: the number of cards in the hand, and the cards that everybody has seen."""
    words = [f"{number} in hand"] if number else []
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
    if position["current"] == viewer and is_secret(position):
        yield from hanging("To move    ", OWN_TASKS[position["task"]])
    hand = in_hand(position, viewer)
    effects = (f"{cards.names[card]} ({express_in_words(cards, cards.express.index(card))})" for card in hand)
    yield from hanging("Hand       ", ", ".join(effects) or "no card")
    event = event_known(position, viewer)
    if event is not None:
        words = event_in_words(cards, cards.events.index(event), position["options"]["upset"])
        yield from hanging("Event      ", f"{cards.names[event]}: {words}")
    city = city_under_way(position)
    if city is not None:
        yield from hanging("Own bid    ", f"{cards.cities[city]} – {own_bid(position, viewer, city)}")


def own_bid(position: Position, viewer: int, city: int) -> str:
    """The viewer's bid for the city under way."""
    bars, price = (position["players"][viewer][field][city] for field in ("bid_bars", "bid_price"))
    if not bars:
        return "no bars" if viewer in seats_that_bid(position) else "not made"
    return f"{counted(bars, 'bar')} at {price or 'a price to be named'}"
