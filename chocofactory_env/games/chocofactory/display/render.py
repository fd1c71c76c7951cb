"""The whole table as text, at most 100 columns wide, from the public part of `to_dict`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import Any

from ....core.text.words import WIDTH, hanging
from ..cards import Cards
from ..constants import NUM_TILES, OWN_ORDERS, TRACK_END, Side
from .describe_cards import (
    STORE_NAMES,
    counted,
    effect_in_words,
    objectives_in_words,
    part_in_words,
    pieces_in_words,
    rule_in_words,
)

COLUMN = WIDTH // NUM_TILES
PHASES = {
    "draft": "Expand and recruit",
    "run": "Run factory",
    "fulfil": "Fulfil orders",
    "agents": "Cleanup: Department Store Agents",
    "cleanup": "Cleanup: store and trade",
    "replace": "Cleanup: choose an order",
    "over": "End of the game",
}
DETAILS = ("slot", "tile", "option", "order", "store", "rule_of", "card")  # of the task under way

Position = Mapping[str, Any]


def render(position: Position, cards: Cards, scores: Sequence[int] | None = None) -> str:
    """Draw a position from `to_dict` as lines of text. `scores` are shown when the game is over."""
    lines = [*header(position), ""]
    if any(position["display"]["parts"]) or any(position["display"]["employees"].values()):
        lines += [*display(position, cards), ""]
    if any(position["offer"].values()):
        lines += [*offer(position, cards), ""]
    if position["solo"]:
        lines += [*manager_cards(position, cards), ""]
    lines += [*stores(position, cards), ""]
    for seat, player in enumerate(position["players"]):
        lines += [*player_lines(position, cards, seat, player), ""]
    if scores is not None and position["phase"] == "over":
        lines.append("Money at the end: " + ", ".join(f"player {seat} £{money}" for seat, money in enumerate(scores)))
    return "\n".join(line.rstrip() for line in lines).rstrip() + "\n"


def header(position: Position) -> Iterator[str]:
    words = [f"CHOCOLATE FACTORY  day {position['day']} of 6", PHASES[position["phase"]]]
    acting = seats_acting(position)
    if position["shift"] and len(acting) < 2:
        words.append(f"shift {position['shift']}")
    if acting:
        words.append(f"player{'s' if len(acting) > 1 else ''} {', '.join(map(str, acting))} to move")
    if len(position["players"]) > 1:
        words.append(f"player {position['start_player']} starts")
    yield from hanging("", " · ".join(words))
    if position["options"]["expansion"]:
        yield f"with {in_title(position['options']['expansion'])}"
    for seat in acting:
        own = seat == position["current_player"]
        task = position["under_way"] if own else position["together"]["under_way"][seat]
        yield from under_way(task, f" of player {seat}" if len(acting) > 1 else "")


def seats_acting(position: Position) -> list[int]:
    """The seats that must decide; if all seats act at once (SIM-1), those that have not ended the phase."""
    if position["current_player"] is None:
        return []
    if "together" not in position or position["phase"] not in ("run", "fulfil"):
        return [position["current_player"]]
    return [seat for seat in range(len(position["players"])) if seat not in position["together"]["finished"]]


def to_move(position: Position, seat: int) -> str:
    """The words for a seat that must decide: `to move` or, where several run their factories at once, its shift."""
    acting = seats_acting(position)
    if seat not in acting:
        return ""
    if len(acting) < 2 or position["phase"] != "run":
        return "to move"
    own = seat == position["current_player"]
    return f"shift {position['shift'] if own else position['together']['shifts'][seat]}"


def under_way(task: Mapping[str, Any] | None, whose: str) -> Iterator[str]:
    if task:
        details = [f"{name.replace('_', ' ')} {task[name]}" for name in DETAILS if task[name] is not None]
        details += [f"points left {task['points']}"] if task["points"] else []
        details += [f"pieces left {task['left']}"] if task["left"] else []
        given = {kind: number for kind, number in task["given"].items() if number}
        details += [f"given {held(given)}"] if given else []
        yield from hanging(f"Under way{whose}  ", ", ".join([task["task"].replace("_", " "), *details]))


def display(position: Position, cards: Cards) -> Iterator[str]:
    """Parts and employees by packet."""
    shown = position["display"]
    solo = position["solo"] is not None
    for title, entries in (
        ("Parts", [(p, part_words(cards, c)) for p, c in zip(shown["part_packets"], shown["parts"], strict=True) if c]),
        (
            "Employees",
            [
                (shown["employee_packets"][deck], f"{employee_words(cards, c)} [{deck_name(deck)}]")
                for deck, c in shown["employees"].items()
                if c
            ],
        ),
    ):
        for number, (packet, words) in enumerate(sorted(entries, key=lambda entry: entry[0])):
            where = "" if solo else f"packet {packet}  "
            yield from hanging(f"{title if number == 0 else '':10} {where}", words)


def offer(position: Position, cards: Cards) -> Iterator[str]:
    for size, order in position["offer"].items():
        if order:
            yield from hanging(f"On offer   {size:7} ", order_words(cards, order, 0))


def manager_cards(position: Position, cards: Cards) -> Iterator[str]:
    """SOLO-1, SOLO-3: the target and the demands face up."""
    solo = position["solo"]
    target = cards.record.targets[cards.targets.index(solo["target"])]
    rows = [("Target", solo["target"], target, "earn £{}")]
    for demand in solo["demands"][: solo["face_up"]]:
        rows.append(("Demand", demand, cards.record.demands[cards.demands.index(demand)], "£{} more"))
    for number, (title, card, row, money) in enumerate(rows):
        done = " (delivered)" if number in solo["delivered"] else ""
        yield from hanging(f"{title:8} {number} ", f"{cards.names[card]}: {objectives_in_words(row, money)}{done}")
    if "paid" in solo:
        waiting = sum(solo["paid"])
        yield f"{'':10} only money of completed orders counts: £{position['players'][0]['money'] - waiting}"
    hidden = len(solo["demands"]) - solo["face_up"]
    if hidden:
        yield f"{'':10} {hidden} more face down"


def stores(position: Position, cards: Cards) -> Iterator[str]:
    """Rules of the sides in play, and every marker on its space; on a shared space the first to arrive stands first."""
    yield f"{'Store':28} track: {' '.join(str(space) for space in range(TRACK_END + 1))}"
    for number, (store, side) in enumerate(position["sides"].items()):
        yield f"{cards.names[cards.stores[number][Side[side]]]:28} {'':7}{track(position, store)}"
        yield from hanging(f"{'':4}", rule_in_words(cards.record.stores[number, Side[side]]))


def track(position: Position, store: str) -> str:
    spaces = ["" for _ in range(TRACK_END + 1)]
    players = list(enumerate(position["players"]))
    for seat, player in sorted(players, key=lambda entry: entry[1]["arrivals"][store]):
        spaces[player["tracks"][store]] += str(seat)
    return " ".join(space or "·" for space in spaces)


def player_lines(position: Position, cards: Cards, seat: int, player: Mapping[str, Any]) -> Iterator[str]:
    now = to_move(position, seat)
    mover = f" ({now})" if now else ""
    today = f" (£{player['earned_today']} today)" if position["options"]["expansion"] else ""
    yield f"── Player {seat}{mover}  £{player['money']}{today}, coal {player['coal']} ".ljust(WIDTH, "─")
    if player["employee"]:
        left = f" (uses left: {player['uses_left']})" if player["uses_left"] else ""
        yield from hanging("Employee   ", employee_words(cards, player["employee"]) + left)
    yield from factory(position, cards, seat, player)
    yield from hanging("Store room ", held(player["store_room"]))
    # Numbered as in actions.
    for title, first, orders in (("Orders", 0, player["orders"]), ("Special", OWN_ORDERS, player["special_orders"])):
        for place, order in enumerate(orders, first):
            if order:
                yield from hanging(f"{title:8} {place} ", order_words(cards, order["order"], order["stage"]))
    completed = [f"{number} {size}" for size, number in player["completed_by_size"].items() if number]
    if completed:
        yield f"Completed  {', '.join(completed)}"


def factory(position: Position, cards: Cards, seat: int, player: Mapping[str, Any]) -> Iterator[str]:
    """The upper slots, the belt, the lower slots."""
    running = position["phase"] == "run" and seat in seats_acting(position)
    marks = ["*" if slot in player["operated"] and running else " " for slot in range(2 * NUM_TILES)]
    if player["assigned"] is not None:
        marks[player["assigned"]] += "@"
    parts = [
        f"{slot}{marks[slot]} {part_words(cards, part) if part else '–'}" for slot, part in enumerate(player["factory"])
    ]
    tiles = [f"[ {held(tile)} ]" for tile in player["belt"]]
    yield from columns(parts[:NUM_TILES])
    yield "═" * (WIDTH - 2) + "▷"
    yield from columns(tiles)
    yield "═" * (WIDTH - 2) + "▷"
    yield from columns(parts[NUM_TILES:])


def columns(cells: Sequence[str]) -> Iterator[str]:
    """Cells side by side, each as many lines high as it needs."""
    for lines in zip_longest(*(wrap(cell, COLUMN - 2) for cell in cells), fillvalue=""):
        yield "".join(line.ljust(COLUMN) for line in lines)


def held(pieces: Mapping[str, int]) -> str:
    """The kinds and numbers of pieces, in short."""
    return " + ".join(counted(number, kind) for kind, number in pieces.items() if number) or "empty"


def deck_name(deck: str) -> str:
    return "no store" if deck == "extra" else STORE_NAMES[deck]


def in_title(word: str) -> str:
    return word.replace("_", " ").title()


def part_words(cards: Cards, part: str) -> str:
    row = cards.record.parts[cards.parts.index(part)]
    return f"{cards.names[part]} ({row.cost} coal): {part_in_words(row)}"


def employee_words(cards: Cards, employee: str) -> str:
    row = cards.record.employees[cards.employees.index(employee)]
    return f"{cards.names[employee]}: {effect_in_words(row)}"


def order_words(cards: Cards, order: str, done: int) -> str:
    """Stages in sequence, completed ones in brackets and the current one marked."""
    row = cards.record.orders[cards.orders.index(order)]
    stages = []
    for number in range(row.num_stages):
        stage = row.stages[number]
        words = f"{pieces_in_words(stage.pieces.tolist())} £{stage.pay}"
        stages.append(f"({words})" if number < done else f"▸ {words}" if number == done else words)
    return f"{cards.names[order]}: {'  '.join(stages)}"
