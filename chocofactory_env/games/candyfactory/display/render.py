"""The whole table as text, at most 100 columns, made from `to_dict`. It shows what the viewer may see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ....core.text.words import WIDTH, counted, hanging
from ..cards import Cards
from ..constants import FIRST_TRUCK, WAREHOUSE, Ability, Half
from ..layout import HOLDS, KINDS, NUMBERS, SPECIALISTS
from ..words import CARDS, RAW
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
    if position["recipes"][0]:
        lines += ["", *recipes(position, cards)]
    for seat, player in enumerate(position["seats"]):
        lines += ["", *player_lines(position, cards, seat, player, seat == viewer)]
    if scores is not None and position["step"] == "over":
        lines += ["", "Points: " + ", ".join(f"player {seat} {points}" for seat, points in enumerate(scores))]
    return "\n".join(line.rstrip() for line in lines).rstrip() + "\n"


def header(position: Position) -> Iterator[str]:
    half = "Candy Factory" if position["half"] == "candy" else "Plantation Factory"
    words = [half.upper(), STEPS[position["step"]]]
    if position["current"] is not None:
        words.append(f"player {position['current']} to move")
    begins = "will begin the candy factory" if position["step"] == "dismiss" else "began this half"
    words.append(f"player {position['start_player']} {begins}")
    yield from hanging("", " · ".join(words))
    if position["step"] not in ("play", "over"):
        yield from hanging("Turn      ", ", ".join(turn_words(position)))


def kind_words(position: Position) -> dict[str, str]:
    """Goods by name: candies by the ids of their recipes."""
    candies = [f"{candy} {recipe}" for candy in ("plain", "decorated") for recipe in position["recipes"]]
    return dict(zip(KINDS, [*RAW, *candies], strict=True))


def turn_words(position: Position) -> Iterator[str]:
    """What is settled so far, without the cards that a recruit looks at or takes: only their player knows them."""
    turn, step = position["turn"], position["step"]
    if step == "load":
        yield f"to load {held(turn['to_load'])}"
    if step == "dismiss":
        yield f"{turn['surplus']} to give up"
    if turn["card"] is not None:
        yield f"card {card_words(turn['card'])}" if step != "dismiss" else f"{card_words(turn['card'])} given up"
    if turn["number"]:
        yield f"number {turn['number']}"
    if turn["way"] != "none":
        yield turn["way"] + (" counter-clockwise" if turn["counter"] else "")
        yield turn["space"]
    if turn["left"]:
        yield f"capacity left {turn['left']}"
    if turn["truck"] is not None:
        yield f"truck {turn['truck']}"
    if turn["last"] is not None:
        yield f"last moved {kind_words(position)[turn['last']]}"
    if turn["recipe"] is not None:
        yield f"recipe {position['recipes'][turn['recipe']]}, uses left {turn['uses']}"
    if turn["recruited"]:
        yield "recruited"
    if step in ("ability", "recipe", "goods"):
        uses = [name for name, key in (("space", "space"), ("Machinist", "machinist")) if turn["open"][key]]
        if uses:
            yield f"abilities to come: {' and '.join(uses)}"


def board(position: Position, cards: Cards) -> Iterator[str]:
    """The eight spaces, workers as stars, with their abilities below; the die."""
    abilities = cards.record.abilities[Half[position["half"].upper()]].tolist()
    cells = [f"{number}{' *' if worker else ''}" for number, worker in enumerate(position["board"].values(), start=1)]
    yield "Space     " + "".join(cell.ljust(CELL - 1) for cell in cells)
    yield "          " + "".join(Ability(each).name.lower().replace("_", " ").ljust(CELL - 1) for each in abilities)
    yield f"Workers   {position['workers']} on the board (*)    Die {position['die']}"


def supply(position: Position) -> Iterator[str]:
    words = [f"{number} {pile}" for pile, number in position["supply"].items()]
    if position["specialists_left"]:
        words.append(f"{position['specialists_left']} cards in the specialist deck")
    yield from hanging("Supply    ", ", ".join(words))


def recipes(position: Position, cards: Cards) -> Iterator[str]:
    for number, (name, tokens) in enumerate(zip(position["recipes"], position["tokens"], strict=True)):
        if name is None:
            break
        row = cards.record.recipes[cards.recipes.index(name)]
        words = f"{cards.names[name]}: {cost_in_words(row)}, {counted(row.points, 'point')}, {tokens} left"
        yield from hanging(f"{'Recipes' if number == 0 else '':9} {number} ", words)


def specialists_known(position: Position, cards: Cards, viewer: int) -> Iterator[str]:
    """OPEN-4: the cards of the specialist deck that the viewer has looked at, with places counted from the top."""
    deck = enumerate(zip(position["specialists"], position["known_to"], strict=True), start=1)
    known = [f"{place} {card_words(card)}" for place, (card, seats) in deck if viewer in seats]
    if known:
        yield from hanging("Known     ", f"of the specialist deck, from the top: {', '.join(known)}")
    if position["step"] == "hire" and position["current"] == viewer:
        looked_at = min(int(cards.record.look), position["specialists_left"])
        yield from hanging("On offer  ", listed(position["specialists"][:looked_at]))


def player_lines(
    position: Position, cards: Cards, seat: int, player: Mapping[str, Any], own: bool = False
) -> Iterator[str]:
    mover = " (to move)" if position["current"] == seat else ""
    whistle = ", whistle used" if player["whistle"] else ""
    sizes = f"{player['hand_size']} in hand, {player['deck_size']} in deck"
    yield f"── Player {seat}{mover}  coins {player['coins']}{whistle}, {sizes} ".ljust(WIDTH, "─")
    hand, deck, played = repeated(player["hand"]), player["deck"][: player["deck_size"]], repeated(player["played"])
    if own:
        yield from hanging("Hand      ", listed(hand))
        yield from hanging("Deck      ", named_cards(position, deck))
    yield from hanging("Unplayed  ", named_cards(position, [*hand, *deck]))
    if played:
        yield from hanging("Played    ", listed(played))
    kinds = kind_words(position)
    places, berths = cards.record.places.tolist(), cards.record.berths.tolist()
    yield from hanging("Warehouse ", hold_words(player, HOLDS[WAREHOUSE], kinds, places[WAREHOUSE]))
    for hold in range(FIRST_TRUCK, len(HOLDS)):
        owner = "own" if cards.record.own[hold] else "hired"
        title = f"Truck {hold - FIRST_TRUCK}   {owner + ',':6} {counted(berths[hold], 'berth')}: "
        yield from hanging(title, hold_words(player, HOLDS[hold], kinds, places[hold]))


def named_cards(position: Position, cards: Sequence[str]) -> str:
    """OPEN-3: the cards of a hand and a deck that everybody can name, and the number of others."""
    if position["options"]["game"] == "full" and position["half"] == "candy":
        return listed(cards)
    named = [card for card in cards if card in (*NUMBERS, SPECIALISTS[0])]
    others = len(cards) - len(named)
    return listed(named) + (f" and {others} unknown" if others else "")


def hold_words(player: Mapping[str, Any], hold: str, kinds: Mapping[str, str], places: int) -> str:
    goods, stacks = ({kinds[kind]: n for kind, n in player[what][hold].items()} for what in ("goods", "stacks"))
    stacked = f" (stacks: {held(stacks)})" if any(stacks.values()) else ""
    return f"{held(goods)}{stacked}, {player['free'][hold]} of {places} places free"


def repeated(counts: Mapping[str, int]) -> list[str]:
    """Each card as often as it is there."""
    return [card for card, number in counts.items() for _ in range(number)]


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
