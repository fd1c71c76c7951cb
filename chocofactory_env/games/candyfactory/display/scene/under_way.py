"""The panel of the turn: the seat to move, what is settled so far, and moves without a place on the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from .....core.text.words import counted
from .....drawing import text
from .....drawing.scene import SEATS, Box, Mark, Panel, Part, Text, Thing
from ...actions import BRING, DECORATE_ALL, HIRE, MIX, RECRUIT, SHIP, STOP
from ...constants import FIRST_HIRED, NONE, SPECIALIST_CARDS, Kind, Step, Way
from .board import NARROW_BELOW
from .layout import Place
from .marks import BUTTON, COIN, DECORATION, SPECIALISTS, button, card_name, good, is_decorated
from .players import CARD, HIGH, LOW, card_thing, place_in_words
from .seen import Seen

EDGE: Final = 10
GAP: Final = 6
TOP: Final = 28
PROMPT: Final = 20  # height of the prompt
FACT: Final = 32
HINT: Final = 54  # height in a narrow panel
HINTS: Final = {
    Step.LOAD: "Choose a truck: first for the sugar, then for the chocolate.",
    Step.PLAY: "Choose a card of the hand: its number, or the die, says where the search on the board begins.",
    Step.DIE: "Choose the die as it lies, or roll it.",
    Step.RUNNER: "Choose the face that the die is turned to.",
    Step.DIRECT: "Bring: a worker comes to the first empty space from the number on. Ship: the first worker leaves. "
    "The spaces tried are the goods that may be moved.",
    Step.GOODS: "Choose goods, or a truck where one is to be loaded or unloaded.",
    Step.ABILITY: "Choose what is marked: goods, a recipe, the space in use; or nothing.",
    Step.DISMISS: "Choose cards to give up: a card is kept for every free berth.",
}
STOPS: Final = {
    Step.GOODS: "Move no more goods",
    Step.ABILITY: "Use no ability",
    Step.RECIPE: "Make no more",
}


def under_way(seen: Seen, place: Place) -> Panel:
    if seen.step == Step.OVER:
        return place.panel("End of the game", [*places(seen, place)])
    mine = seen.viewer == seen.current
    name = "Your move" if mine else f"Player {seen.current} to move"
    words = prompt(seen)
    things = [Thing(words, EDGE, TOP, place.width - 2 * EDGE, PROMPT, (Text(2, 14, words, 13, bold=True),))]
    y, right = TOP + PROMPT + 2.0, place.width - EDGE
    x = float(EDGE)
    for fact in facts(seen):
        width = fact_width(fact)
        if x + width > right:
            x, y = float(EDGE), y + FACT + 4
        things.append(fact_thing(fact, x, y, width))
        x += width + 4
    if x > EDGE:
        y += FACT + 6
    if mine:
        things += choices(seen, y, place)
    return place.panel(name, things, owner=seen.current)


def prompt(seen: Seen) -> str:
    turn = seen.turn
    moving = "Bring" if turn.way == Way.BRING else "Ship"
    return {
        Step.LOAD: "Load the trucks",
        Step.PLAY: "Play a card",
        Step.DIE: "Keep or roll the die",
        Step.RUNNER: "Turn the die",
        Step.DIRECT: "Bring or ship",
        Step.GOODS: f"{moving} goods: up to {turn.left} more",
        Step.ABILITY: "Use abilities",
        Step.RECIPE: f"Make more: {counted(turn.uses, 'use')} left",
        Step.HIRE: "Hire one of the specialists looked at",
        Step.DISMISS: f"Give up {counted(turn.surplus, 'specialist card')}",
    }[seen.step]


# --- settled facts

Fact = tuple[str, str, tuple[Mark, ...]]  # label, value, and pictograms before the value, starting at x = 0


def facts(seen: Seen) -> Iterator[Fact]:
    turn = seen.turn
    if turn.card != NONE:
        label = "given up" if seen.step == Step.DISMISS else "card"
        if turn.card < SPECIALIST_CARDS:
            yield label, str(turn.card + 1), ()
        else:
            name = text.shortened(card_name(seen.cards, turn.card), 90, 12, bold=True)
            yield label, name, (Mark(6, 0, *SPECIALISTS[turn.card - SPECIALIST_CARDS], 12),)
    if turn.number:
        yield "number", str(turn.number), ()
    if turn.way != Way.NONE:
        label = "bring to" if turn.way == Way.BRING else "ship from"
        yield label + (", counter-clockwise" if turn.counter else ""), f"space {turn.space + 1}", ()
    if turn.left:
        yield "capacity", str(turn.left), ()
    if turn.truck != NONE:
        name = seen.cards.names[seen.cards.trucks[turn.truck]]
        yield "truck", text.shortened(name, 110, 12, bold=True), ()
    if turn.last != NONE:
        yield "last moved", "", pictures(turn.last)
    if turn.open[0] or turn.open[1]:
        uses = [name for name, still in zip(("space", "Machinist"), turn.open, strict=True) if still]
        yield "still to use", ", ".join(uses), ()
    if turn.recipe != NONE:
        yield "recipe", f"×{turn.uses}", pictures(Kind.PLAIN + turn.recipe)
    if turn.recruited:
        yield "to draw", "none", ()
    for number, kind in zip(turn.to_load, (Kind.SUGAR, Kind.CHOCOLATE), strict=True):
        if number:
            yield "to load", str(number), pictures(kind)
    if turn.surplus:
        yield "surplus", str(turn.surplus), ()


def pictures(kind: int) -> tuple[Mark, ...]:
    """A good, with a star beside it if it is decorated."""
    return (good(kind, 6, 0, 12), *([Mark(19, 0, *DECORATION, 10)] if is_decorated(kind) else []))


def fact_width(fact: Fact) -> float:
    label, value, marks = fact
    return 12 + max(text.width(label, 9), beside(marks) + text.width(value, 12, True))


def beside(marks: tuple[Mark, ...]) -> float:
    """x of words beside pictograms."""
    return 14.0 * len(marks) + (3 if marks else 0)


def fact_thing(fact: Fact, x: float, y: float, width: float) -> Thing:
    label, value, marks = fact
    parts: list[Part] = [Box(0, 0, width, FACT, "card", "line"), Text(6, 11, label, 9, "muted")]
    parts += [Mark(6 + mark.x, 22, mark.shape, mark.look, mark.size) for mark in marks]
    if value:
        parts.append(Text(6 + beside(marks), 26, value, 12, bold=True))
    return Thing(f"{label}: {value}" if value else label, x, y, width, FACT, tuple(parts))


# --- moves


def choices(seen: Seen, y: float, place: Place) -> Iterator[Thing]:
    """Buttons, two in a row, or the cards looked at; without either, a hint what to choose on the table."""
    tall = min(HIGH.hand if place.width < NARROW_BELOW else LOW.hand, place.height - y - 4)  # facts leave less room
    for number, specialist in enumerate(seen.offer):
        action = seen.action(HIRE + specialist - FIRST_HIRED)
        yield card_thing(seen, SPECIALIST_CARDS + specialist, EDGE + number * (CARD + GAP), y, tall, action)
    if seen.offer:
        y += tall + 4
    width = (place.width - 2 * EDGE - GAP) / 2
    offered = [*buttons(seen)]
    columns = 2
    if place.width < NARROW_BELOW:
        offered = [(action, words, more.removeprefix("worker ")) for action, words, more in offered]
        if any(text.width(more, text.LEAST) > width - 8 for _, _, more in offered):
            columns, width = 1, place.width - 2 * EDGE
    for number, (action, words, more) in enumerate(offered):
        x = EDGE + number % columns * (width + GAP)
        yield button(
            f"{words}: {more}" if more else words, x, y + number // columns * (BUTTON + 4), width, action, words, more
        )
    y += -(-len(offered) // columns) * (BUTTON + 4)
    if seen.step in HINTS and y + 28 <= place.height:
        high = HINT if place.width < NARROW_BELOW else 28
        lines = text.block(HINTS[seen.step], 2, 0, place.width - 2 * EDGE - 4, high, 11, look="muted")
        yield Thing(HINTS[seen.step], EDGE, y, place.width - 2 * EDGE, high, lines)


def buttons(seen: Seen) -> Iterator[tuple[int, str, str]]:
    """(action, its word, its effect)."""
    for action, (space, capacity) in seen.ways.items():
        first = BRING if action < SHIP else SHIP
        words = "Bring" if first == BRING else "Ship"
        target = f"worker to space {space}" if first == BRING else f"worker of space {space}"
        other = ", counter-clockwise" if action > first else ""
        yield action, words + other, f"{target}, up to {counted(capacity, 'good')}"
    named = {
        MIX: ("Mix", "1 sugar + 1 cacao → 1 chocolate"),
        RECRUIT: ("Recruit", f"pay 1 coin, look at {counted(seen.looks_at, 'card')}"),
        DECORATE_ALL: ("Decorate all", "pay 1 coin"),
        STOP: (STOPS.get(seen.step, "Stop"), ""),
    }
    for action, (words, more) in named.items():
        if action in seen.legal:
            yield action, words, more


# --- the end


def places(seen: Seen, place: Place) -> Iterator[Thing]:
    """Players from first to last, with points, and coins, which break ties."""
    order = sorted(range(len(seen.players)), key=lambda seat: seen.ranking[seat])
    for row, seat in enumerate(order):
        points, coins, inner = seen.scores[seat], seen.players[seat].coins, place.width - 2 * EDGE
        parts = (
            Box(0, 0, place.width - 2 * EDGE, 26, "card", SEATS[seat]),
            Text(10, 18, *text.fitted(place_in_words(seen, seat), 0.37 * inner - 14, 12, True), bold=True),
            Text(0.37 * inner, 18, f"Player {seat}", 12),
            Text(0.8 * inner, 18, counted(points, "point"), 13, "ink", True, "end"),
            Mark(0.86 * inner, 13, *COIN, 13),
            Text(0.89 * inner, 18, str(coins), 12),
        )
        name = f"{place_in_words(seen, seat)}: player {seat}, {counted(points, 'point')}, {counted(coins, 'coin')}"
        yield Thing(name, EDGE, TOP + 4 + row * 31, place.width - 2 * EDGE, 26, parts, owner=seat)
