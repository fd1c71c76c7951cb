"""The tree of a position: groups > rows > items; an item may hold items. It has no places and no sizes.

A word of a face or tail that begins with ":" is a sign, such as ":bean"; "→" is an arrow. All else is words to read.
Text and prompts are the names, so these say all that a viewer may know; pages and pictures show the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct

from ..drawing.scene import Look, Role, Shape
from ..drawing.shapes import PATHS

State = Literal["", "empty", "used", "now", "done", "today"]
Face = list[str]  # a line of words and signs


class Item(Struct, omit_defaults=True, frozen=True):
    """Something that has a name.

    Attributes:
        name: what it is and does, in the rulebook's words, without what its items say.
        words: what is written on it; small: in smaller type; status: what it has yet to do.
        face: lines of words and signs. tail: what it costs or pays.
        many: the number of equal pieces here.
        kind: how it is drawn. piece: the movable piece that lies here.
        seat: whose it is, if that is not the group's seat.
        action: the legal action that it takes.
        rule: the clause of the rules that explains it.
        assigned: an employee stands on it.
        items: what lies in it; those with the state "empty" are not read out.
    """

    name: str
    words: str = ""
    small: str = ""
    face: list[Face] = []
    tail: Face = []
    many: int = 1
    state: State = ""
    kind: str = ""
    piece: str = ""
    seat: int | None = None
    action: int | None = None
    rule: str = ""
    status: str = ""
    assigned: bool = False
    items: list[Item] = []


class Row(Struct, omit_defaults=True, frozen=True):
    """Items that a page lays out alike, by `kind`."""

    kind: str
    items: list[Item]
    label: str = ""


class Group(Struct, omit_defaults=True, frozen=True):
    """What belongs together: a player's board, the choice, the stores."""

    id: str
    name: str
    role: Role
    rows: list[Row]
    seat: int | None = None
    notes: list[str] = []


class Sign(Struct, omit_defaults=True, frozen=True):
    """A pictogram: a `path` around (0, 0) of width 1, two other signs in a frame (`of`), or a `letter`."""

    name: str
    path: str = ""
    hue: Look | Literal[""] = ""
    letter: str = ""
    of: list[str] = []


class Tree(Struct, frozen=True):
    """All that a viewer may know. when: how far the game is, from the largest step down."""

    game: str
    title: str
    when: list[str]
    players: int
    viewer: int | None
    signs: dict[str, Sign]
    groups: list[Group]


def row(kind: str, items: Iterable[Item | None], label: str = "") -> Row:
    """A row of those that are there."""
    return Row(kind, [one for one in items if one is not None], label)


def group(
    name_in_page: str, name: str, role: Role, rows: Iterable[Row], seat: int | None = None, notes: Iterable[str] = ()
) -> Group:
    """A group without its empty rows."""
    return Group(name_in_page, name, role, [one for one in rows if one.items], seat, list(notes))


def so(**conditions: object) -> list[str]:
    """The names of the conditions that hold, as notes: `so(to_move=True, starts=False)` is `["to move"]`."""
    return [name.replace("_", " ") for name, is_so in conditions.items() if is_so]


def counted_signs(pieces: Iterable[tuple[str, int]]) -> Face:
    """Signs of pieces, each once, with its number if it is not 1."""
    found: Face = []
    for kind, number in pieces:
        if number:
            found += [*([f"{number}×"] if number > 1 else []), f":{kind}"]
    return found


def signs_of(marks: Mapping[str, tuple[Shape, Look]]) -> dict[str, Sign]:
    return {name: Sign(name, PATHS[shape], look) for name, (shape, look) in marks.items()}
