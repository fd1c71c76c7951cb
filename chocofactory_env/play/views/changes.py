"""A picture as changes to pictures that a browser has: most elements of a panel stay as they were."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

Changes = list[str | list[int]]  # text, and [first, number] of pieces; with "<" between them they are the picture


def pieces_of(pictures: Iterable[str]) -> list[str]:
    """What lies between two "<", of pictures in a row."""
    return [piece for picture in pictures for piece in picture.split("<")]


def changes_to(picture: str, pieces: Sequence[str]) -> Changes:
    """The picture, put together from runs of `pieces` as long as they go, and from text where they have none."""
    places: dict[str, list[int]] = {}
    for place, piece in enumerate(pieces):
        places.setdefault(piece, []).append(place)
    found: Changes = []
    end = 0  # of the last run
    for piece in picture.split("<"):
        last = found[-1] if found else ""
        if isinstance(last, list) and end < len(pieces) and pieces[end] == piece:
            last[1] += 1
            end += 1
        elif piece in places:
            at = _next(places[piece], end)
            found.append([at, 1])
            end = at + 1
        elif found and isinstance(last, str):
            found[-1] = f"{last}<{piece}"
        else:
            found.append(piece)
    return found


def _next(places: Sequence[int], end: int) -> int:
    """The first place from `end` on, where what follows is likely to fit, too; or the first of all."""
    at = bisect_left(places, end)
    return places[at] if at < len(places) else places[0]
