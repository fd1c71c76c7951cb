"""The whole table as text, at most 100 columns, made from `to_dict`. It shows what the viewer may see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ....core.text.words import WIDTH, counted, hanging
from ..cards import Cards
from ..constants import FIRST_TRUCK, WAREHOUSE, Ability, Half
from ..positions.basis import CARDS, NUMBERS, SPECIALISTS
from .describe_cards import cost_in_words

CELL = 12
STEPS = {
    "load": "load the trucks",
    "play": "play a card",
    "die": "keep or roll the die",
    "runner": "turn the die",
    "direct": "bring or ship",
    "goods": "move goods",
    "ability": "use abilities",
    "recipe": "use the recipe again",
    "hire": "hire a specialist",
    "dismiss": "give up specialist cards",
    "over": "end of the game",
}

Position = Mapping[str, Any]


def render(position: Position, cards: Cards, scores: Sequence[int] | None = None, viewer: int | None = None) -> str:
    """Draw a position of `to_dict` as lines of text; `scores` are shown when the game is over.

    viewer: the seat whose own knowledge is shown as well (OPEN-2, OPEN-4).
    """
    lines = [*header(position), "", *board(position, cards), "", *supply(position)]
    if viewer is not None:
        lines += specialists_known(position, cards, viewer)
    if position["recipes"]:
        lines += ["", *recipes(position, cards)]
    for seat, player in enumerate(position["players"]):
        lines += ["", *player_lines(position, cards, seat, player, seat == viewer)]
    if scores is not None and position["step"] == "over":
        lines += ["", "Points: " + ", ".join(f"player {seat} {points}" for seat, points in enumerate(scores))]
    return "\n".join(line.rstrip() for line in lines).rstrip() + "\n"


def header(position: Position) -> Iterator[str]:
    half = "Candy Factory" if position["half"] == "candy" else "Plantation Factory"
    words = [half.upper(), STEPS[position["step"]]]
    if position["current_player"] is not None:
        words.append(f"player {position['current_player']} to move")
    begins = "will begin the candy factory" if position["step"] == "dismiss" else "began this half"
    words.append(f"player {position['start_player']} {begins}")
    yield from hanging("", " · ".join(words))
    if position["turn"]:
        yield from hanging("Turn      ", ", ".join(turn_words(position["turn"], position["step"])))


def turn_words(turn: Mapping[str, Any], step: str) -> Iterator[str]:
    """What is settled so far, without the cards that a recruit looks at or takes: only their player knows them."""
    if step == "load":
        yield f"to load {held(turn['to_load'])}"
    if step == "dismiss":
        yield f"{turn['surplus']} to give up"
    if turn["card"] is not None:
        yield f"card {card_words(turn['card'])}" if step != "dismiss" else f"{card_words(turn['card'])} given up"
    if turn["number"] is not None:
        yield f"number {turn['number']}"
    if turn["way"] is not None:
        yield turn["way"] + (" counter-clockwise" if turn["counter_clockwise"] else "")
        yield f"space {turn['space']}"
    if turn["left"]:
        yield f"capacity left {turn['left']}"
    if turn["truck"] is not None:
        yield f"truck {turn['truck']}"
    if turn["last"] is not None:
        yield f"last moved {turn['last']}"
    if turn["recipe"] is not None:
        yield f"recipe {turn['recipe']}, uses left {turn['uses']}"
    if turn["recruited"]:
        yield "recruited"
    if step in ("ability", "recipe", "goods"):
        uses = [name for name, key in (("space", "space_ability"), ("Machinist", "machinist")) if turn[key]]
        if uses:
            yield f"abilities to come: {' and '.join(uses)}"


def board(position: Position, cards: Cards) -> Iterator[str]:
    """The eight spaces, workers as stars, with their abilities below; the die."""
    abilities = cards.record.abilities[Half[position["half"].upper()]].tolist()
    cells = [f"{space}{' *' if space in position['board'] else ''}" for space in range(1, len(abilities) + 1)]
    yield "Space     " + "".join(cell.ljust(CELL - 1) for cell in cells)
    yield "          " + "".join(Ability(each).name.lower().replace("_", " ").ljust(CELL - 1) for each in abilities)
    yield f"Workers   {len(position['board'])} on the board (*)    Die {position['die']}"


def supply(position: Position) -> Iterator[str]:
    words = [f"{number} {pile}" for pile, number in position["supply"].items()]
    if position["specialist_deck"]:
        words.append(f"{len(position['specialist_deck'])} cards in the specialist deck")
    yield from hanging("Supply    ", ", ".join(words))


def recipes(position: Position, cards: Cards) -> Iterator[str]:
    for number, (name, tokens) in enumerate(position["recipes"].items()):
        row = cards.record.recipes[cards.recipes.index(name)]
        words = f"{cards.names[name]}: {cost_in_words(row)}, {counted(row.points, 'point')}, {tokens} left"
        yield from hanging(f"{'Recipes' if number == 0 else '':9} {number} ", words)


def specialists_known(position: Position, cards: Cards, viewer: int) -> Iterator[str]:
    """OPEN-4: the cards of the specialist deck that the viewer has looked at, with places counted from the top."""
    deck = enumerate(position["specialist_deck"], start=1)
    known = [f"{place} {card_words(card['card'])}" for place, card in deck if viewer in card["known_to"]]
    if known:
        yield from hanging("Known     ", f"of the specialist deck, from the top: {', '.join(known)}")
    if position["step"] == "hire" and position["current_player"] == viewer:
        looked_at = position["specialist_deck"][: int(cards.record.look)]
        yield from hanging("On offer  ", listed(card["card"] for card in looked_at))


def player_lines(
    position: Position, cards: Cards, seat: int, player: Mapping[str, Any], own: bool = False
) -> Iterator[str]:
    mover = " (to move)" if position["current_player"] == seat else ""
    whistle = ", whistle used" if player["whistle"] else ""
    sizes = f"{len(player['hand'])} in hand, {len(player['deck'])} in deck"
    yield f"── Player {seat}{mover}  coins {player['coins']}{whistle}, {sizes} ".ljust(WIDTH, "─")
    if own:
        yield from hanging("Hand      ", listed(player["hand"]))
        yield from hanging("Deck      ", named_cards(position, player["deck"]))
    yield from hanging("Unplayed  ", named_cards(position, [*player["hand"], *player["deck"]]))
    if player["played"]:
        yield from hanging("Played    ", listed(player["played"]))
    places, berths = cards.record.places.tolist(), cards.record.berths.tolist()
    yield from hanging("Warehouse ", hold_words(player["warehouse"], places[WAREHOUSE]))
    for hold, contents in enumerate(player["trucks"], start=FIRST_TRUCK):
        owner = "own" if cards.record.own[hold] else "hired"
        title = f"Truck {hold - FIRST_TRUCK}   {owner + ',':6} {counted(berths[hold], 'berth')}: "
        yield from hanging(title, hold_words(contents, places[hold]))


def named_cards(position: Position, cards: Sequence[str]) -> str:
    """OPEN-3: the cards of a hand and a deck that everybody can name, and the number of others."""
    if position["options"]["game"] == "full" and position["half"] == "candy":
        return listed(cards)
    named = [card for card in cards if card in (*NUMBERS, SPECIALISTS[0])]
    others = len(cards) - len(named)
    return listed(named) + (f" and {others} unknown" if others else "")


def hold_words(hold: Mapping[str, Mapping[str, int]], places: int) -> str:
    taken = sum(hold["goods"].values()) - sum(hold["stacks"].values())
    stacks = f" (stacks: {held(hold['stacks'])})" if hold["stacks"] else ""
    return f"{held(hold['goods'])}{stacks}, {places - taken} of {places} places free"


def held(goods: Mapping[str, int]) -> str:
    """Goods by kind and number, in a few words."""
    return " + ".join(f"{number} {kind}" for kind, number in goods.items() if number) or "empty"


def listed(names: Iterable[str]) -> str:
    """Cards in their order, repeated ones counted."""
    counts = Counter(names)
    words = (
        f"{counts[name]}× {card_words(name)}" if counts[name] > 1 else card_words(name)
        for name in CARDS
        if counts[name]
    )
    return ", ".join(words) or "none"


def card_words(name: str) -> str:
    return name.replace("_", " ")
