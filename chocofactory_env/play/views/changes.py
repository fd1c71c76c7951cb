"""Pictures as differences from pictures that a browser has, because most elements of a panel stay the same."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

Changes = list[str | list[int]]  # text, or [first, number] of pieces; joined by "<" they are the picture


class Pieces:
    """The pieces between "<" of several pictures."""

    def __init__(self, pictures: Iterable[str]) -> None:
        self._pieces = [piece for picture in pictures for piece in picture.split("<")]
        self._places: dict[str, list[int]] = {}
        for place, piece in enumerate(self._pieces):
            self._places.setdefault(piece, []).append(place)

    def changes_to(self, picture: str) -> Changes:
        """The picture, made of the longest runs of pieces, and of text where no piece fits."""
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
        """The piece's first place from `end` on, where the next ones probably fit, too; else its first place."""
        places = self._places[piece]
        at = bisect_left(places, end)
        return places[at] if at < len(places) else places[0]
