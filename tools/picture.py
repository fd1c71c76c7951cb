"""Draw a position as SVG, for the README: `python -m tools.picture` writes `docs/images/position.svg`.

The position comes from a seeded game of greedy agents. Shapes and colours are ours, not the game's artwork.
"""

from __future__ import annotations

from pathlib import Path
from textwrap import wrap
from typing import Any
from xml.sax.saxutils import escape

import chocofactory_env as cf
from agents.chocofactory.greedy import GreedyAgent
from chocofactory_env.games.chocofactory.describe_cards import part_in_words

OUT = Path(__file__).resolve().parent.parent / "docs" / "images" / "position.svg"
SEED, DAY, SHIFT = 7, 5, 3
COLOURS = {
    "bean": "#2b2320",
    "cocoa": "#6f4a35",
    "chunks": "#a5673f",
    "fingers": "#c98d5a",
    "caramel": "#e8b53a",
    "nuts": "#b8402f",
    "boxed": "#3c6fa8",
}
SEATS = ("#7b4b94", "#2f8a6d")
WIDTH, MARGIN, SLOT, GAP = 1180, 24, 168, 8
SLOT_HEIGHT, TILE_HEIGHT = 74, 50
PANEL = 2 * SLOT_HEIGHT + TILE_HEIGHT + 104
STORES_WIDTH = WIDTH - 2 * MARGIN - 4 * (SLOT + GAP) - 20


class Drawing:
    """Lines of SVG."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def box(self, x: float, y: float, width: float, height: float, fill: str, **more: Any) -> None:
        extra = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in more.items())
        self.lines.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="{fill}"{extra}/>')

    def text(self, x: float, y: float, words: str, size: int = 13, fill: str = "#2d2a26", weight: int = 400) -> None:
        style = f'font-size="{size}" fill="{fill}" font-weight="{weight}"'
        self.lines.append(f'<text x="{x}" y="{y}" {style}>{escape(words)}</text>')

    def lines_of(self, x: float, y: float, words: str, width: int, size: int = 12, most: int = 3) -> None:
        for number, line in enumerate(wrap(words, width)[:most]):
            self.text(x, y + number * (size + 3), line, size)

    def piece(self, x: float, y: float, kind: str) -> None:
        """Beans are round, cocoa square, bars long, wrapped pieces lozenges, boxed ones six-sided."""
        fill = COLOURS[kind]
        shapes = {
            "bean": f'<ellipse cx="{x}" cy="{y}" rx="9" ry="6.5" fill="{fill}"/>',
            "cocoa": f'<rect x="{x - 8}" y="{y - 8}" width="16" height="16" rx="2" fill="{fill}"/>',
            "chunks": f'<rect x="{x - 12}" y="{y - 7}" width="24" height="14" rx="2" fill="{fill}"/>'
            f'<path d="M{x - 4} {y - 7}v14M{x + 4} {y - 7}v14M{x - 12} {y}h24" stroke="#fff" stroke-width="1"/>',
            "fingers": f'<rect x="{x - 12}" y="{y - 7}" width="24" height="5.5" rx="2" fill="{fill}"/>'
            f'<rect x="{x - 12}" y="{y + 1.5}" width="24" height="5.5" rx="2" fill="{fill}"/>',
            "boxed": f'<path d="M{x - 6} {y - 10}h12l6 10l-6 10h-12l-6 -10z" fill="{fill}"/>',
        }
        lozenge = f'<path d="M{x - 13} {y}l7 -8h12l7 8l-7 8h-12z" fill="{fill}"/>'
        self.lines.append(shapes.get(kind, lozenge))


def the_position() -> tuple[Any, dict[str, Any]]:
    """Greedy against greedy, stopped where the first seat has begun its last shift of the day."""
    game = cf.load("chocofactory", num_players=2, start_player=1)
    agent = GreedyAgent(game)
    state = game.new(SEED)
    while True:
        table = game.to_dict(state)
        if (table["day"], table["shift"]) == (DAY, SHIFT) and table["players"][table["current_player"]]["operated"]:
            return game, table
        game.apply(state, agent(game.observe(state, game.current_player(state)), game.legal_mask(state)))


def draw(game: Any, table: dict[str, Any]) -> str:
    height = 64 + 2 * PANEL + 56
    drawing = Drawing()
    drawing.box(0, 0, WIDTH, height, "#faf6ef")
    mover = table["current_player"]
    title = f"Day {table['day']} of 6 · run factory, shift {table['shift']} · player {mover} to move"
    drawing.text(MARGIN, 40, title, 22, weight=700)
    for seat, player in enumerate(table["players"]):
        draw_player(drawing, game, table, seat, player, 64 + seat * PANEL)
    draw_stores(drawing, table, WIDTH - MARGIN - STORES_WIDTH, 64)
    draw_legend(drawing, height - 26)
    frame = f'viewBox="0 0 {WIDTH} {height}" font-family="Helvetica, Arial, sans-serif"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {frame}>'
    return "\n".join([head, "<title>A position of Chocolate Factory</title>", *drawing.lines, "</svg>"]) + "\n"


def draw_player(
    drawing: Drawing, game: Any, table: dict[str, Any], seat: int, player: dict[str, Any], top: float
) -> None:
    drawing.box(MARGIN, top + 6, 12, 12, SEATS[seat])
    employee = game.cards.names[player["employee"]] if player["employee"] else "none"
    words = f"Player {seat}   £{player['money']}   coal {player['coal']}   employee: {employee}"
    drawing.text(MARGIN + 20, top + 17, words, 14, weight=700)
    running = table["current_player"] == seat
    for slot, part in enumerate(player["factory"]):
        x = MARGIN + slot % 4 * (SLOT + GAP)
        y = top + 28 + (slot // 4) * (SLOT_HEIGHT + TILE_HEIGHT + 2 * GAP)
        draw_slot(drawing, game, part, running and slot in player["operated"], x, y)
    belt = top + 28 + SLOT_HEIGHT + GAP
    drawing.box(MARGIN - 6, belt, 4 * (SLOT + GAP) + 4, TILE_HEIGHT, "#4b4a48")
    for number, tile in enumerate(player["belt"]):
        x = MARGIN + number * (SLOT + GAP)
        drawing.box(x, belt + 5, SLOT, TILE_HEIGHT - 10, "#e9e4da")
        draw_pieces(drawing, tile, x + 20, belt + TILE_HEIGHT / 2, 5)
    y = belt + TILE_HEIGHT + GAP + SLOT_HEIGHT + 24
    drawing.text(MARGIN, y, "store room", 12, "#6b655c")
    draw_pieces(drawing, player["store_room"], MARGIN + 82, y - 4, 20)


def draw_slot(drawing: Drawing, game: Any, part: str | None, operated: bool, x: float, y: float) -> None:
    if part is None:
        drawing.box(x, y, SLOT, SLOT_HEIGHT, "#f1ebdf", stroke="#cfc6b4", stroke_dasharray="4 4")
        return
    row = game.cards.record.parts[game.cards.parts.index(part)]
    drawing.box(x, y, SLOT, SLOT_HEIGHT, "#f6d9a8" if operated else "#fff", stroke="#b9ae9a")
    name = game.cards.names[part]
    drawing.text(x + 10, y + 19, name, 13 if len(name) < 15 else 11, weight=700)
    drawing.lines.append(f'<circle cx="{x + SLOT - 16}" cy="{y + 15}" r="10" fill="#3a3733"/>')
    drawing.text(x + SLOT - 19.5, y + 19.5, str(row.cost), 12, "#fff", 700)
    drawing.lines_of(x + 10, y + 37, part_in_words(row), 25)


def draw_pieces(drawing: Drawing, pieces: dict[str, int], x: float, y: float, most: int) -> None:
    shown = [kind for kind, number in pieces.items() for _ in range(number)]
    for number, kind in enumerate(shown[:most]):
        drawing.piece(x + number * 31, y, kind)
    if len(shown) > most:
        drawing.text(x + most * 31 - 8, y + 4, f"+{len(shown) - most}", 12)


def draw_stores(drawing: Drawing, table: dict[str, Any], x: float, top: float) -> None:
    drawing.text(x, top + 17, "Department stores", 14, weight=700)
    step = (STORES_WIDTH - 10) / 10
    y = top + 34
    for store, side in table["sides"].items():
        drawing.text(x, y + 10, f"{store.replace('_', ' ').title()} · {side}", 12)
        for space in range(10):
            drawing.box(x + space * step, y + 16, step - 4, 26, "#efe7d8" if space else "#fff", stroke="#cfc6b4")
            drawing.text(x + space * step + 4, y + 27, str(space), 9, "#a39a88")
            there = [seat for seat, player in enumerate(table["players"]) if player["tracks"][store] == space]
            for place, seat in enumerate(sorted(there, key=lambda s: table["players"][s]["arrivals"][store])):
                at = f'cx="{x + space * step + 12 + place * 9}" cy="{y + 34}"'
                drawing.lines.append(f'<circle {at} r="6" fill="{SEATS[seat]}" stroke="#fff"/>')
        y += 54
    draw_orders(drawing, table, x, y + 8)


def draw_orders(drawing: Drawing, table: dict[str, Any], x: float, y: float) -> None:
    game = cf.load("chocofactory", num_players=2)
    for seat, player in enumerate(table["players"]):
        drawing.box(x, y, 12, 12, SEATS[seat])
        drawing.text(x + 18, y + 11, "orders", 12, "#6b655c")
        y += 26
        for order in filter(None, player["orders"]):
            draw_order(drawing, game, order, x, y)
            y += 27
        y += 6


def draw_order(drawing: Drawing, game: Any, order: dict[str, Any], x: float, y: float) -> None:
    """Stages from left to right; those completed are faint."""
    row = game.cards.record.orders[game.cards.orders.index(order["order"])]
    for number in range(row.num_stages):
        stage = row.stages[number]
        opacity = 0.3 if number < order["stage"] else 1
        drawing.lines.append(f'<g opacity="{opacity}" transform="translate({x + 10} {y}) scale(0.62)">')
        kinds = [kind for kind, count in zip(COLOURS, stage.pieces.tolist(), strict=True) for _ in range(count)]
        for place, kind in enumerate(kinds):
            drawing.piece(4 + place * 30, 0, kind)
        drawing.text(4 + len(kinds) * 30 - 8, 6, f"£{stage.pay}", 19, weight=700)
        drawing.lines.append("</g>")
        x += 0.62 * (len(kinds) * 30 + 46)


def draw_legend(drawing: Drawing, y: float) -> None:
    for number, kind in enumerate(COLOURS):
        drawing.piece(MARGIN + 14 + number * 110, y, kind)
        drawing.text(MARGIN + 34 + number * 110, y + 5, kind, 13)
    drawing.text(
        MARGIN + 34 + len(COLOURS) * 110, y + 5, "●  coal of a use     shaded: operated in this shift", 13, "#6b655c"
    )


def main() -> None:
    game, table = the_position()
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(draw(game, table), encoding="utf-8")


if __name__ == "__main__":
    main()
