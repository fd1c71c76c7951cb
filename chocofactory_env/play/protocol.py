"""Messages of a browser, as types, and refusals."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Annotated, Any, Final, Literal

from msgspec import Struct

from ..core.checks import SEED_LIMIT
from ..core.messages import shortened
from ..core.reading import ReadError, between, entries, line, need, read, read_json
from ..record import MAX_BYTES

MOST_BYTES: Final = MAX_BYTES + (1 << 16)  # of a message: it may hold a record
MOST_REASON: Final = 1_500  # characters
Message = dict[str, Any]  # that the server sends

Text = Annotated[str, line(200)]
Name = Annotated[str, line(40)]
Seat = Annotated[int, between(0, 15)]
Count = Annotated[int, between(0, 1 << 20)]
Options = Annotated[dict[Text, int | float | Text | bool | None], entries(0, 32)]


class Refusal(Exception):  # noqa: N818  # it is an answer
    """An answer that refuses a request."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = shortened(reason, MOST_REASON)


class AskedSeat(Struct, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A seat of a new game. agent: its text; None for a person."""

    agent: Text | None = None
    name: Name | None = None


class Request(Struct, forbid_unknown_fields=True, kw_only=True, omit_defaults=True, tag_field="type", tag=str.lower):
    id: Annotated[int, between(0, (1 << 31) - 1)] | None = None


class Hello(Request):
    """The first message: what can be played."""


class Describe(Request):
    """The options of a game as a form, and its agents."""

    game: Text
    options: Options


class New(Request):
    """Begin a game. seed: drawn if it is None."""

    game: Text
    options: Options
    seats: Annotated[list[AskedSeat], entries(1, 16)]
    seed: Annotated[int, between(0, SEED_LIMIT - 1)] | None = None


class Open(Request):
    """Go on with a game that was saved by itself (`file`), or with the record in `text`. name: of the first person."""

    file: Text | None = None
    text: str | None = None
    name: Name | None = None

    def __post_init__(self) -> None:
        need((self.file is None) != (self.text is None), "either this field or text", self.file, "file")


class Remove(Request):
    """Delete a saved game."""

    file: Text


class Leave(Request):
    """Close the game; its file stays."""


class Act(Request):
    """Take an action. decision: of the view that offered it."""

    decision: Count
    action: Count


class Back(Request):
    """Go back to before the own last choice, or before the action number `to`, and play on from there."""

    to: Count | None = None


class Look(Request):
    """See the position after `at` actions, or the present one, with the eyes of a seat, a spectator, or who moves."""

    at: Count | None = None
    eyes: Seat | Literal["open", "mover"] | None = None


class Pace(Request):
    """delay: seconds before an agent's move. step: let agents make one move."""

    delay: Annotated[float, between(0, 10)] | None = None
    paused: bool | None = None
    step: bool = False


class Think(Request):
    """Ask an agent what it makes of the position that is shown."""

    agent: Text


class Regret(Request):
    """Ask what the decisions of the game cost."""

    deals: Annotated[int, between(2, 64)] = 16


class Stop(Request):
    """Give up thoughts under way."""


class Save(Request):
    """The game as a record or as a page."""

    what: Literal["record", "page"]


REQUESTS: Final = tuple(Request.__subclasses__())
_ANY: Final[Any] = reduce(or_, REQUESTS)


def parse(frame: str | bytes | None) -> tuple[Request, int | None]:
    """A frame as a request, and its id. Refusal if it is none."""
    if not isinstance(frame, str):
        raise Refusal("expected a text frame with a JSON object, got bytes")
    try:
        request: Request = read(_ANY, read_json(dict[str, Any], frame))
    except (ReadError, UnicodeEncodeError) as error:  # the latter for half a character
        raise Refusal(str(error)) from None
    return request, request.id
