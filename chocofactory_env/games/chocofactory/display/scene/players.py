"""A player's panel: money, coal, today's employee, factory, belt, store room, and orders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from .....core.text.words import counted
from .....drawing.scene import Box, Panel, Part, Role, Text, Thing
from .....drawing.text import block_or_line, line
from ...constants import OWN_ORDERS
from ...words import SIZES
from ..describe_cards import STORE_NAMES, effect_in_words
from ..render import to_move
from .factory import factory, store_room
from .orders import order_cards
from .pictures import COAL, PERSON, mark
from .view import GAP, HEADING, HIGH, HIGH_WITH_TWO_ROWS, LEFT, LOW, NARROW, Heights, Json, View

TURN_WORDS: Final = ("starts", "2nd", "3rd", "4th")


def player_panel(view: View, seat: int, x: float, y: float, width: float, height: float) -> Panel:
    special = special_orders_dealt(view)
    rows = LOW if height < 500 else HIGH_WITH_TWO_ROWS if special else HIGH
    things, _ = player_things(view, seat, width, rows)
    return Panel("Factory Manager" if view.is_solo else f"Player {seat}", x, y, width, height, things, seat)


def narrow_player_panel(view: View, seat: int, width: float) -> Panel:
    """A player's narrow panel, as high as its things require."""
    things, height = player_things(view, seat, width, NARROW)
    role: Role = "own" if seat == view.viewer else "rival"
    name = "Factory Manager" if view.is_solo else f"Player {seat}"
    return Panel(name, 0, 0, width, height, things, seat, role=role, summary=summary(view, seat))


def summary(view: View, seat: int) -> tuple[str, ...]:
    """The key facts about an opponent: money, coal, completed orders."""
    player = view.position["players"][seat]
    orders = sum(player["completed"].values())
    return f"£{player['money']}", f"{player['coal']} coal", counted(orders, "order")


def player_things(view: View, seat: int, width: float, rows: Heights) -> tuple[tuple[Thing, ...], float]:
    """All that a player has, and the height of its panel."""
    player = view.position["players"][seat]
    special = special_orders_dealt(view)
    inner = width - 2 * LEFT
    things: list[Thing] = []
    top: float = HEADING
    things += facts(view, seat, player, top, inner, rows)
    top += rows.facts * (2 if rows is NARROW else 1) + rows.gap
    things.append(employee_row(view, seat, player, top, inner, rows))
    top += rows.employee + rows.gap
    things += factory(view, seat, player, top, inner, rows)
    top += 2 * (rows.slot + GAP) + rows.tile + rows.gap
    things += store_room(view, seat, player, top, inner, rows)
    top += rows.store_room + rows.gap
    things += order_cards(view, seat, player, range(OWN_ORDERS), top, inner, rows)
    if special:
        top += rows.orders + rows.gap
        things += order_cards(view, seat, player, range(OWN_ORDERS, OWN_ORDERS + special), top, inner, rows)
    return tuple(things), top + rows.orders + rows.gap


def special_orders_dealt(view: View) -> int:
    """SOLO-2: how many the target of the solo game brings; 0 with several players."""
    if not view.is_solo:
        return 0
    cards = view.cards
    target = cards.record.targets[cards.targets.index(view.position["target"])]
    return sum(target.special.tolist())


# --- money, coal, completed orders


def facts(view: View, seat: int, player: Json, top: float, width: float, rows: Heights) -> Iterator[Thing]:
    """Money, coal, completed orders, and the place in today's turn order: in one row, or two if narrow."""
    high, size = rows.facts, rows.size
    y, today = high / 2 + 0.27 * size, player["earned_today"]
    narrow = rows is NARROW
    of_money, of_coal = (0.46 * width, 0.2 * width) if narrow else (0.235 * width, 0.12 * width)
    money = [line(f"£{player['money']}", 4, y, 0.45 * of_money, size + 1.5, bold=True)]
    if today:
        words = f"+{today}{' today' if today < 100 else ''}"
        money.append(line(words, of_money - 2, y, 0.49 * of_money, size - 1, "muted", anchor="end"))
    words = f"money £{player['money']}, of it £{today} today"
    yield Thing(words, LEFT, top, of_money, high, tuple(money), seat, rule="FUL-3", many=player["money"])
    coal = (mark(COAL, 9, high / 2, size), line(str(player["coal"]), 17, y, of_coal - 19, size + 1.5, bold=True))
    yield Thing(
        f"coal {player['coal']}",
        LEFT + (0.5 if narrow else 0.25) * width,
        top,
        of_coal,
        high,
        coal,
        seat,
        rule="PREP-1",
        many=player["coal"],
    )
    counts = {**player["completed"], **({"special": player["special_completed"]} if view.is_solo else {})}
    words = "orders  " + " · ".join(f"{n} {name[0].upper() if name in SIZES else name}" for name, n in counts.items())
    left, top = (0, top + high) if narrow else (0.37 * width, top)
    room = (0.62 if narrow else 0.45 if view.is_solo else 0.34) * width
    parts = (line(words, 4 if narrow else 2, y, room - 4, size - 0.5),)
    words = "completed orders: " + ", ".join(f"{number} {name}" for name, number in counts.items())
    yield Thing(words, LEFT + left, top, room, high, parts, seat, rule="END-2")
    yield turn_thing(view, seat, LEFT + left + room, top, width - left - room, rows)


def turn_thing(view: View, seat: int, x: float, y: float, width: float, rows: Heights) -> Thing:
    """The player's place in today's turn order, or a note that it is the player's move."""
    base, size = rows.facts / 2 + 0.27 * rows.size, rows.size
    turn = (seat - view.position["start_player"]) % len(view.position["players"])
    words = "" if view.is_solo else TURN_WORDS[turn]
    parts: list[Part] = []
    if words:
        parts.append(line(words, 2, base, width - 66, size - 0.5, "muted"))
    now = to_move(view.position, seat)
    if now:
        chip = min(rows.facts - 2, 20)
        parts.append(Box(width - 60, (rows.facts - chip) / 2, 60, chip, "accent", None, chip / 2))
        parts.append(Text(width - 30, base, now, 11, "on-colour", True, "middle"))
        words += f"{', ' if words else ''}{now}"
    return Thing(words or "turn order", x, y, width, rows.facts, tuple(parts), seat, rule="DRAFT-1")


# --- today's employee


def employee_row(view: View, seat: int, player: Json, top: float, width: float, rows: Heights) -> Thing:
    """The employee's name, store, effect, and uses left; in the draft, what the player has yet to draft."""
    size, middle = rows.size, rows.employee / 2
    status = employee_status(view, player)
    card = player["employee"]
    parts: list[Part] = [Box(0, 0, width, rows.employee, "card" if card else "empty", "line")]
    parts.append(mark(PERSON, 14, middle, size + 5))
    narrow = rows is NARROW
    top_line, room = middle - 0.18 * size - 1, width * 0.3 if status and not narrow else 4
    if narrow:
        top_line = 15
    if narrow and status:
        parts.append(line(status, 28, rows.employee - 5, width - 34, 9.5, "muted"))
    elif status:
        parts.append(line(status, width - 6, top_line, room - 12, size - 1, "muted", anchor="end"))
    left = 28
    if card is None:
        parts.append(line("no employee today", left, middle + 0.3 * size, width - left - room, size, "muted"))
        return Thing(
            f"employee: none{', ' if status else ''}{status}", LEFT, top, width, rows.employee, tuple(parts), seat
        )
    row = view.cards.record.employees[view.cards.employees.index(card)]
    name, effect = view.cards.names[card], effect_in_words(row)
    parts.append(line(title_of_employee(name, int(row.store)), left, top_line, width - left - room, size, bold=True))
    if narrow:
        parts += block_or_line(effect, left, 19, width - left - 6, 27, 10.5, "muted")
    else:
        parts.append(line(effect, left, middle + 0.95 * size, width - left - 6, size - 0.75, "muted"))
    supplied = ", ".join(STORE_NAMES[store] for store in supplied_stores(player))
    words = f"employee: {name}, {effect}{', ' if status else ''}{status}"
    words += f", supplied today: {supplied}" if supplied else ""
    acting = view.mover == seat and view.phase in ("run", "fulfil", "agents") and uses_employee(view)
    action = view.action("use_employee", seat=seat)
    rule = view.cards.clauses[card] or "DRAFT-5"
    place = LEFT, top, width, rows.employee
    return Thing(words, *place, tuple(parts), seat, action, acting, rule=rule, piece=f"employee {card}")


def supplied_stores(player: Json) -> list[str]:
    """Today."""
    return [store for store, supplied in player["supplied"].items() if supplied]


def title_of_employee(name: str, store: int) -> str:
    """The card's name, and its store unless the name includes it."""
    if store < 0:
        return f"{name} · no store"
    place = list(STORE_NAMES.values())[store]
    return name if place in name else f"{name} · {place}"


def uses_employee(view: View) -> bool:
    """Whether the task under way is the employee's action."""
    task = view.task
    if task is None:
        return False
    by_employee = (
        "move_from",
        "move_take",
        "decorate_tile",
        "double_tile",
        "employee_order",
        "leave_out",
        "give_stage",
    )
    return task["kind"] in by_employee or (
        task["slot"] is None and task["kind"] in ("move_to", "upgrade_take", "upgrade_make")
    )


def employee_status(view: View, player: Json) -> str:
    words = []
    if view.phase == "draft":
        words.append("part drafted" if player["part_drafted"] else "drafts a part")
    if player["uses"]:
        words.append(f"{counted(player['uses'], 'use')} left")
    if supplied := supplied_stores(player):
        words.append("supplied" if len(supplied) == 1 else "supplied twice")
    return ", ".join(words)
