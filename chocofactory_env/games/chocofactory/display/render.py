"""The whole table as text, at most 100 columns wide, from the public part of `to_dict`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import Any

from ....core.text.words import WIDTH, hanging
from ..cards import Cards
from ..constants import NUM_TILES, OWN_ORDERS, STORE_ROOM, TRACK_END, Side
from ..words import PLACES
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
DETAILS = ("slot", "tile", "option", "order", "store", "rule_of")  # of the task under way

Position = Mapping[str, Any]


def render(position: Position, cards: Cards, scores: Sequence[int] | None = None) -> str:
    """Draw a position from `to_dict` as lines of text. `scores` are shown when the game is over."""
    lines = [*header(position, cards), ""]
    if any(position["display_parts"]) or any(position["display_employees"].values()):
        lines += [*display(position, cards), ""]
    if any(position["offer"].values()):
        lines += [*offer(position, cards), ""]
    if is_solo(position):
        lines += [*manager_cards(position, cards), ""]
    lines += [*stores(position, cards), ""]
    for seat, player in enumerate(position["players"]):
        lines += [*player_lines(position, cards, seat, player), ""]
    if scores is not None and position["phase"] == "over":
        lines.append("Money at the end: " + ", ".join(f"player {seat} £{money}" for seat, money in enumerate(scores)))
    return "\n".join(line.rstrip() for line in lines).rstrip() + "\n"


def header(position: Position, cards: Cards) -> Iterator[str]:
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
        task = position["task"] if seat == position["current"] else position["tasks"][seat]
        yield from under_way(cards, task, f" of player {seat}" if len(acting) > 1 else "")


def seats_acting(position: Position) -> list[int]:
    """The seats that must decide; if all seats act at once (SIM-1), those that have not ended the phase."""
    if position["current"] is None:
        return []
    if position["options"].get("mode") != "simultaneous" or position["phase"] not in ("run", "fulfil"):
        return [position["current"]]
    return [seat for seat in range(len(position["players"])) if seat not in position["finished"]]


def is_solo(position: Position) -> bool:
    return len(position["players"]) == 1


def only_completed(position: Position) -> bool:
    """SOLO-7"""
    return bool(position["options"].get("solo_money") == "completed")


def task_of(position: Position) -> Mapping[str, Any] | None:
    """The task under way."""
    task: Mapping[str, Any] = position["task"]
    return None if task["kind"] == "nothing" else task


def to_move(position: Position, seat: int) -> str:
    """The words for a seat that must decide: `to move` or, where several run their factories at once, its shift."""
    acting = seats_acting(position)
    if seat not in acting:
        return ""
    if len(acting) < 2 or position["phase"] != "run":
        return "to move"
    own = seat == position["current"]
    return f"shift {position['shift'] if own else position['shifts'][seat]}"


def under_way(cards: Cards, task: Mapping[str, Any], whose: str) -> Iterator[str]:
    if task["kind"] != "nothing":
        details = [f"{name.replace('_', ' ')} {task[name]}" for name in DETAILS if task[name] is not None]
        details += [f"card {task['card']}"] if task["kind"] == "give_card" else []
        details += [f"points left {task['points']}"] if task["points"] else []
        details += [f"pieces left {task['left']}"] if task["left"] else []
        given = {kind: number for kind, number in task["given"].items() if number}
        details += [f"given {held(given)}"] if given else []
        yield from hanging(f"Under way{whose}  ", ", ".join([task["kind"].replace("_", " "), *details]))


def display(position: Position, cards: Cards) -> Iterator[str]:
    """Parts and employees by packet."""
    solo = is_solo(position)
    for title, entries in (
        (
            "Parts",
            [
                (p, part_words(cards, c))
                for p, c in zip(position["part_packets"], position["display_parts"], strict=True)
                if c
            ],
        ),
        (
            "Employees",
            [
                (position["employee_packets"][deck], f"{employee_words(cards, c)} [{deck_name(deck)}]")
                for deck, c in position["display_employees"].items()
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
    target = cards.record.targets[cards.targets.index(position["target"])]
    rows = [("Target", position["target"], target, "earn £{}")]
    for demand in position["demands"][: position["face_up"]]:
        rows.append(("Demand", demand, cards.record.demands[cards.demands.index(demand)], "£{} more"))
    for number, (title, card, row, money) in enumerate(rows):
        done = " (delivered)" if position["delivered"][number] else ""
        yield from hanging(f"{title:8} {number} ", f"{cards.names[card]}: {objectives_in_words(row, money)}{done}")
    if only_completed(position):
        waiting = sum(position["paid"])
        yield f"{'':10} only money of completed orders counts: £{position['players'][0]['money'] - waiting}"
    hidden = position["num_demands"] - position["face_up"]
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
    for seat, player in sorted(players, key=lambda entry: entry[1]["arrival"][store]):
        spaces[player["track"][store]] += str(seat)
    return " ".join(space or "·" for space in spaces)


def player_lines(position: Position, cards: Cards, seat: int, player: Mapping[str, Any]) -> Iterator[str]:
    now = to_move(position, seat)
    mover = f" ({now})" if now else ""
    today = f" (£{player['earned_today']} today)" if position["options"]["expansion"] else ""
    yield f"── Player {seat}{mover}  £{player['money']}{today}, coal {player['coal']} ".ljust(WIDTH, "─")
    if player["employee"]:
        left = f" (uses left: {player['uses']})" if player["uses"] else ""
        yield from hanging("Employee   ", employee_words(cards, player["employee"]) + left)
    yield from factory(position, cards, seat, player)
    yield from hanging("Store room ", held(player["pieces"][PLACES[STORE_ROOM]]))
    # Numbered as in actions.
    for place, (order, stage) in enumerate(zip(player["orders"], player["stage"], strict=True)):
        if order:
            title = "Orders" if place < OWN_ORDERS else "Special"
            yield from hanging(f"{title:8} {place} ", order_words(cards, order, stage))
    completed = [f"{number} {size}" for size, number in player["completed"].items() if number]
    if completed:
        yield f"Completed  {', '.join(completed)}"


def factory(position: Position, cards: Cards, seat: int, player: Mapping[str, Any]) -> Iterator[str]:
    """The upper slots, the belt, the lower slots."""
    running = position["phase"] == "run" and seat in seats_acting(position)
    marks = ["*" if player["operated"][slot] and running else " " for slot in range(2 * NUM_TILES)]
    if player["assigned"] is not None:
        marks[player["assigned"]] += "@"
    parts = [
        f"{slot}{marks[slot]} {part_words(cards, part) if part else '–'}" for slot, part in enumerate(player["factory"])
    ]
    tiles = [f"[ {held(player['pieces'][tile])} ]" for tile in PLACES[:NUM_TILES]]
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
