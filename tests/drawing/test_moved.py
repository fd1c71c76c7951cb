"""What was moved last: the things that differ from an earlier scene are marked, and no others."""

from __future__ import annotations

from dataclasses import replace

from chocofactory_env.drawing import svg
from chocofactory_env.drawing.moved import MOST, moved, with_moved
from chocofactory_env.drawing.scene import Box, Mark, Panel, Scene, Text, Thing

PAWN = Mark(15, 15, "person")
GROUND = Box(0, 0, 30, 30)


def space(number: int, *parts: Mark | Text, name: str = "space", note: bool = False) -> Thing:
    return Thing(f"{name} {number}", 10 + 40 * number, 30, 30, 30, (GROUND, *parts), note=note)


def board(*things: Thing, note: bool = False) -> Scene:
    return Scene("A board", (Panel("Board", 8, 40, 420, 200, things, note=note),))


def names(before: Scene, after: Scene) -> list[str]:
    return [thing.name for panel in with_moved(after, [before]).panels for thing in panel.things if thing.moved]


def test_where_it_was_and_where_it_is() -> None:
    before = board(space(0, PAWN), space(1), space(2))
    assert names(before, board(space(0), space(1, PAWN), space(2))) == ["space 0", "space 1"]
    assert names(before, before) == []


def test_what_may_be_pointed_at_and_what_is_under_way_was_not_moved() -> None:
    first, second = space(0, PAWN), space(1)
    after = board(replace(first, action=3, name="space 0 (leave it)"), replace(second, marked=True))
    assert names(board(first, second), after) == []


def test_what_is_drawn_as_a_thing_of_its_own_where_it_lay_was_not_moved() -> None:
    pawn = Thing("pawn", 10, 30, 30, 30, (PAWN,), action=1)
    apart = board(space(0), pawn, space(1))
    together = board(space(0, PAWN), space(1))
    assert names(together, apart) == []
    assert names(apart, together) == []


def test_what_was_taken_out_marks_what_it_lay_in() -> None:
    piece = Thing("piece", 15, 35, 10, 10, (Mark(5, 5, "drop"),))
    assert names(board(space(0), piece), board(space(0))) == ["space 0"]
    assert names(board(space(0)), board(space(0), piece)) == ["piece"]


def test_cards_that_close_up_in_their_row_were_not_moved() -> None:
    cards = [Thing(f"card {number}", 10, 30, 30, 30, (GROUND, Text(5, 20, str(number)))) for number in range(4)]
    row = [replace(card, x=10 + 40 * place) for place, card in enumerate(cards)]
    closed = [replace(card, x=10 + 40 * place) for place, card in enumerate(cards[1:])]
    hand = Thing("hand", 8, 28, 200, 34)
    assert names(board(hand, *row), board(hand, *closed)) == ["hand"]


def test_notes_are_left_out() -> None:
    before, after = (space(0, note=True), space(1)), (space(0, PAWN, note=True), space(1, PAWN))
    assert names(board(*before), board(*after)) == ["space 1"]
    assert names(board(*before, note=True), board(*after, note=True)) == []


def test_a_panel_that_is_another_one_is_left_out() -> None:
    many = MOST + 1
    before, after = (board(*(space(number, Text(5, 20, words)) for number in range(many))) for words in "ab")
    assert names(before, after) == []
    few = board(*(space(number, Text(5, 20, "b" if number else "a")) for number in range(many)))
    assert len(names(before, few)) == MOST
    elsewhere = replace(few, panels=(replace(few.panels[0], x=9),))
    assert names(before, elsewhere) == []


def test_it_looks_back_as_far_as_something_differs() -> None:
    first, second = board(space(0, PAWN), space(1)), board(space(0), space(1, PAWN))
    turn = replace(second, title="Player 1 to move")
    assert with_moved(turn, [second, second, first]) == replace(with_moved(second, [first]), title=turn.title)
    assert with_moved(turn, [second]) == turn
    assert not moved(second, turn)


def test_a_dashed_line_is_around_it() -> None:
    drawn = svg.draw(with_moved(board(space(0, PAWN)), [board(space(0))]), classes=True)
    assert drawn.count('<g class="moved">') == 1
    plain = svg.draw(with_moved(board(space(0, PAWN)), [board(space(0))]))
    assert plain.count("stroke-dasharray") == 1
    assert "class=" not in plain
