"""A picture as changes to pictures that a browser has: most elements of a panel stay as they were."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

Changes = list[str | list[int]]  # text, and [first, number] of pieces; with "<" between them they are the picture


class Pieces:
    """What lies between two "<", of pictures in a row."""

    def __init__(self, pictures: Iterable[str]) -> None:
        self._pieces = [piece for picture in pictures for piece in picture.split("<")]
        self._places: dict[str, list[int]] = {}
        for place, piece in enumerate(self._pieces):
            self._places.setdefault(piece, []).append(place)

    def changes_to(self, picture: str) -> Changes:
        """The picture, put together from runs of the pieces as long as they go, and from text where they have none."""
        found: Changes = []
        end = 0  # of the last run
        for piece in picture.split("<"):
            last = found[-1] if found else ""
            if isinstance(last, list) and self._pieces[end : end + 1] == [piece]:
                last[1] += 1
                end += 1
            elif piece in self._places:
                at = self._next(piece, end)
                found.append([at, 1])
                end = at + 1
            elif found and isinstance(last, str):
                found[-1] = f"{last}<{piece}"
            else:
                found.append(piece)
        return found

    def _next(self, piece: str, end: int) -> int:
        """Its first place from `end` on, where what follows is likely to fit, too; or the first of all."""
        places = self._places[piece]
        at = bisect_left(places, end)
        return places[at] if at < len(places) else places[0]
