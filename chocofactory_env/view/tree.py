"""A position for one viewer: groups of rows of items, without places. Text, prompts and pages are made from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ..drawing.scene import Look, Role, Shape

Face = tuple[str, ...]  # words and signs; a sign is ":bean"
State = Literal["", "empty", "used", "now", "done"]


@dataclass(frozen=True, slots=True)
class Sign:
    """A pictogram: a shape, or a letter, or two other signs in a frame."""

    look: Look = "ink"
    shape: Shape | None = None
    letter: str = ""
    of: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """Something that can be pointed at.

    name: what it is and how it stands, in the rulebook's words: for text, prompts, tooltips and screen readers.
    words: what is drawn, if that is shorter. small: a second line. face: lines of words and signs. tail: its cost or
        pay.
    items: what lies on it. `name` does not say it again. An empty one is drawn, but left out of text.
    kind: how it looks, such as "truck". state: "empty" is a place that holds nothing, "now" is under way.
    action: the legal action that a click takes; None if there is none, or the viewer is not to move.
    piece: the movable piece that it is, by a name that does not depend on its place. many: how many.
    seat: the player that it stands for. rule: the clause of the rules that explains it.
    """

    name: str
    words: str = ""
    small: str = ""
    face: tuple[Face, ...] = ()
    tail: Face = ()
    items: tuple[Item, ...] = ()
    kind: str = ""
    state: State = ""
    action: int | None = None
    piece: str = ""
    many: int | None = None
    seat: int | None = None
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """Items side by side. kind: how they are laid out, such as "belt"; "buttons" and "legend" are not read out."""

    kind: str
    items: tuple[Item, ...]
    label: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Related rows under a heading. id: "choice", "seat-0" ... notes: such as "to move"."""

    id: str
    name: str
    role: Role
    rows: tuple[Row, ...]
    seat: int | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tree:
    """Everything that a viewer, a seat or None for a spectator, may know of a position.

    when: from the longest stage of the game to the shortest. signs: the pictograms that faces name.
    Each legal action of the viewer is in exactly one item of the groups to choose from; others may have it, too.
    """

    title: str
    when: tuple[str, ...]
    viewer: int | None
    groups: tuple[Group, ...]
    signs: Mapping[str, Sign]


def player_name(seat: int, viewer: int | None) -> str:
    return f"Player {seat}{' (you)' if seat == viewer else ''}"
