"""The solo game: its target and demands, their total requirements, and the days of the week."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from .....drawing.scene import Box, Look, Panel, Part, Text, Thing
from .....drawing.text import block_or_line, line
from ...cards import Cards
from ...constants import NUM_DAYS
from ...words import STORES
from ..describe_cards import STORE_NAMES, objectives_in_words, sizes_in_words
from ..render import only_completed
from . import pictures
from .pictures import COAL, sentence
from .view import HEADING, LEFT, View


def manager_panel(view: View, x: float, y: float, width: float, height: float) -> Panel:
    """SOLO-1, SOLO-3: the target, the demands face up, and the number face down."""
    inner, face_up = width - 2 * LEFT, view.position["face_up"]
    number = 1 + view.position["num_demands"]
    each = min((height - HEADING - 4) / number, 60)
    things = [manager_card(view, card, HEADING + card * each, inner, each - 3) for card in range(1 + face_up)]
    for card in range(1 + face_up, number):
        words = Text(inner / 2, (each - 3) / 2 + 4, "face down", 11, "on-colour", True, "middle")
        back = (Box(0, 0, inner, each - 3, "hidden", "line"), words)
        things.append(Thing(f"demand {card}: face down", LEFT, HEADING + card * each, inner, each - 3, back))
    return Panel("Target and demands", x, y, width, height, tuple(things))


def manager_card(view: View, card: int, y: float, width: float, height: float) -> Thing:
    name = view.position["target"] if card == 0 else view.position["demands"][card - 1]
    delivered = view.position["delivered"][card]
    title, asked = ("Target", "earn £{}") if card == 0 else ("Demand", "£{} more")
    words = objectives_in_words(manager_row(view.cards, card, name), asked)
    marked = view.under_way("kind") == "give_card" and view.under_way("card") == card
    face = manager_face(view.cards, card == 0, name, width, height, delivered)
    said = f"{title} {view.cards.names[name]}: {words}{', delivered' if delivered else ''}"
    return Thing(
        said,
        LEFT,
        y,
        width,
        height,
        face,
        None,
        view.action("deliver", card),
        marked,
        rule=view.cards.clauses[name] or "SOLO-7",
    )


def manager_row(cards: Cards, card: int, name: str) -> Any:
    return (
        cards.record.targets[cards.targets.index(name)]
        if card == 0
        else cards.record.demands[cards.demands.index(name)]
    )


@lru_cache(1 << 8)
def manager_face(cards: Cards, target: bool, name: str, width: float, height: float, done: bool) -> tuple[Part, ...]:
    row = manager_row(cards, 0 if target else 1, name)
    parts: list[Part] = [Box(0, 0, width, height, "card", "muted" if target else "line")]
    low = height < 32
    left, room = (6, 130) if low else (8, width - 90)
    base = height / 2 + 4 if low else 15
    parts.append(line(cards.names[name], left, base, room - 6, 12 if height > 26 else 10.5, bold=True))
    said = "delivered" if done else "target" if target else ""
    if said:
        parts.append(line(said, width - 6, base, 60, 10.5, "good" if done else "muted", done, "end"))
    words = manager_words(row, "earn £{}" if target else "£{} more")
    beside = (136, 1, width - 200, height - 2) if low else (8, 20, width - 14, height - 22)
    parts += sentence(words, *beside, 12, "ink", True)
    return tuple(parts)


def manager_words(row: Any, money: str) -> tuple[pictures.Word, ...]:
    """The card's requirements; a chocolate order in pictograms."""
    if row.order.number:
        words = pictures.order_of_card_words(row.order)
        rest = "; ".join(objectives_in_words(row, money).split("; ")[:-1])
        return (*words, f"; {rest}") if rest else words
    return (objectives_in_words(row, money),)


# Requirements of the face-up cards, in the order of the observation's block `satisfied`.
ASKED: Final = ("money", "Special Orders", "chocolate orders", "completed orders", "steps on tracks")


def asked_panel(view: View, x: float, y: float, width: float, height: float) -> Panel:
    """SOLO-8: the total requirements of the face-up cards, and which are satisfied."""
    inner = width - 2 * LEFT
    low = (height - HEADING - 3) / (len(ASKED) + 1)  # steps on tracks need twice the room
    wanted = asked_in_words(view)
    things = []
    for number, (name, words, satisfied) in enumerate(zip(ASKED, wanted, view.satisfied, strict=True)):
        look: Look = "good" if satisfied else "muted"
        each = 2 * low if number == len(ASKED) - 1 else low
        base = low / 2 + 2.5
        parts: list[Part] = [Box(0, 0, inner, each - 3, "card", "good" if satisfied else "line")]
        parts.append(line("✓" if satisfied else "–", 8, base, 14, 12.5, look, True))
        parts.append(line(name, 26, base, 110, 11.5, bold=True))
        parts += block_or_line(words or "none asked", 142, low / 2 - 7, inner - 146, each - low / 2 + 3, 11.5, "muted")
        said = f"{name}: {words or 'none asked'}, {'satisfied' if satisfied else 'not satisfied'}"
        things.append(Thing(said, LEFT, HEADING + number * low, inner, each - 3, tuple(parts), rule="SOLO-8"))
    return Panel(solo_title(view), x, y, width, height, tuple(things))


def solo_title(view: View) -> str:
    if view.phase != "over":
        return "Asked so far"
    return "End of the game: won" if view.accounts.won[0] else "End of the game: not all is satisfied"


def asked_in_words(view: View) -> list[str]:
    """What is required and what the player has, in the order of ASKED."""
    cards, solo, player = view.cards, view.position, view.position["players"][0]
    rows = [manager_row(cards, 0, solo["target"])]
    rows += [manager_row(cards, 1, demand) for demand in solo["demands"][: solo["face_up"]]]
    money = sum(int(row.money) for row in rows)
    special = sum(rows[0].special.tolist())
    chocolate = [card for card, row in enumerate(rows) if row.order.number]
    delivered = sum(solo["delivered"][card] for card in chocolate)
    orders = [sum(numbers) for numbers in zip(*(row.orders.tolist() for row in rows), strict=True)]
    steps = [sum(numbers) for numbers in zip(*(row.steps.tolist() for row in rows), strict=True)]
    tracks = [f"{STORE_NAMES[STORES[store]]} {number}" for store, number in enumerate(steps) if number]
    tracks += [f"{row.open_boxes} of choice {row.open_steps}" for row in rows if row.open_boxes]
    return [
        money_in_words(view, money) if money else "",
        f"{player['special_completed']} of {special}" if special else "",
        f"{delivered} of {len(chocolate)} delivered" if chocolate else "",
        sizes_in_words(orders),
        ", ".join(tracks),
    ]


def money_in_words(view: View, needed: int) -> str:
    """SOLO-7: the pounds that count, and those that do not yet."""
    money, paid = view.position["players"][0]["money"], view.position["paid"]
    if not only_completed(view.position):
        return f"£{money} of £{needed}"
    more = f", £{sum(paid)} more in open ones" if any(paid) else ""
    return f"£{money - sum(paid)} of £{needed} by completed orders{more}"


def week_panel(view: View, x: float, y: float, width: float, height: float) -> Panel:
    """PREP-1, SOLO-4: every day's coal, and the employee who leaves the display."""
    coal, each = view.cards.record.coal.tolist(), (height - HEADING - 4) / NUM_DAYS
    things = []
    for day in range(NUM_DAYS):
        leaves = f"without the employee of {list(STORE_NAMES.values())[-1 - day]}" if day < len(STORES) else ""
        drawn = leaves if width > 360 else leaves.replace("the employee of ", "")
        today = day + 1 == view.position["day"]
        look: Look = "ink" if today else "muted"
        base = each / 2 + 2.5
        parts: tuple[Part, ...] = (
            Box(0, 0, width - 2 * LEFT, each - 3, "card" if today else "empty", "muted" if today else "line"),
            line(f"day {day + 1}", 8, base, 50, 11.5, look, today),
            line(str(coal[day]), 84, base, 24, 11.5, look, today, "end"),
            pictures.mark(COAL, 94, each / 2 - 1.5, 11),
            *([line(drawn, 116, base, width - 140, 11, look)] if leaves else []),
        )
        words = f"day {day + 1}{' (today)' if today else ''}: {coal[day]} coal{', ' if leaves else ''}{leaves}"
        things.append(Thing(words, LEFT, HEADING + day * each, width - 2 * LEFT, each - 3, parts, rule="PREP-1"))
    return Panel("The week", x, y, width, height, tuple(things))
