"""Messages of a browser, as types, and the words of refusals (docs/play-protocol.md)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import reduce
from operator import or_
from typing import Annotated, Any, Final, Literal

from msgspec import Struct

from ..core.checks import SEED_LIMIT
from ..core.messages import shortened
from ..core.reading import ReadError, between, entries, field_at, line, need, read, read_json

VERSION: Final = 1
MOST_BYTES: Final = 64 * 1024  # of a message
MOST_SEATS: Final = 16
MOST_NAME: Final = 40  # characters of a person's name
MOST_REASON: Final = 1_500  # characters
Message = dict[str, Any]  # that the server sends

KindOfSeat = Literal["here", "link", "agent"]
Text = Annotated[str, line(200)]
Name = Annotated[str, line(MOST_NAME)]
Token = Annotated[str, line(80)]
Table = Annotated[str, line(40)]
Seat = Annotated[int, between(0, MOST_SEATS - 1)]
Decision = Annotated[int, between(0, 1 << 31)]
Count = Annotated[int, between(0, 1 << 20)]
Identifier = Annotated[int, between(0, (1 << 31) - 1)] | None
Options = Annotated[dict[Text, int | float | Text | bool | None], entries(0, 32)]


class Refusal(Exception):  # noqa: N818  # it is an answer
    """An answer that refuses a request. `field` names the field that was wrong, if there was one."""

    def __init__(self, reason: str, field: str | None = None) -> None:
        super().__init__(reason)
        self.reason = shortened(reason, MOST_REASON)
        self.field = field


class AskedSeat(Struct, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A seat of a new table."""

    kind: KindOfSeat
    name: Name | None = None
    agent: Text | None = None

    def __post_init__(self) -> None:
        expected = "the text of an agent, just if that is the kind of the seat"
        need((self.agent is not None) == (self.kind == "agent"), expected, self.agent, "agent")


class Request(Struct, forbid_unknown_fields=True, kw_only=True, omit_defaults=True, tag_field="type", tag=str.lower):
    id: Identifier = None


class Hello(Request):
    tokens: Annotated[list[Token], entries(0, 32)]


class Describe(Request):
    game: Text
    options: Options


class New(Request):
    game: Text
    options: Options
    seats: Annotated[list[AskedSeat], entries(1, MOST_SEATS)]
    seed: Annotated[int, between(0, SEED_LIMIT - 1)] | None
    upload: Token | None = None
    at: Count | None = None


class Join(Request):
    tokens: Annotated[list[Token], entries(1, MOST_SEATS)]


class Leave(Request): ...


class Close(Request):
    table: Table


class Act(Request):
    table: Table
    seat: Seat
    decision: Decision
    action: Count
    careful: bool = False


class Foresee(Request):
    table: Table
    seat: Seat
    decision: Decision
    action: Count


class Read(Request):
    table: Table
    seat: Seat


class Undo(Request):
    table: Table
    seat: Seat
    of: Count
    steps: Annotated[int, between(1, 1 << 20)]


class Back(Request):
    table: Table
    seat: Seat


class Agree(Request):
    table: Table
    seat: Seat
    agree: bool


class Uncover(Request):
    table: Table
    seat: Seat | None


class Pace(Request):
    table: Table
    delay: Annotated[float, between(0, 10)] | None = None
    paused: bool | None = None


class Step(Request):
    table: Table


class Think(Request):
    table: Table | None
    agent: Text
    seat: Seat | None = None

    def __post_init__(self) -> None:
        need(self.table is None or self.seat is not None, "this field at a table", None, "seat", found="nothing")


class Stop(Request): ...


class Save(Request):
    table: Table | None
    what: Literal["record", "page"]


class Open(Request):
    upload: Token | None = None
    table: Table | None = None

    def __post_init__(self) -> None:
        need((self.upload is None) != (self.table is None), "either this field or table", self.upload, "upload")


class Seek(Request):
    at: Count
    seat: Seat | None


class Regret(Request):
    deals: Annotated[int, between(2, 64)] = 16


REQUESTS: Final = tuple(Request.__subclasses__())
_ANY: Final[Any] = reduce(or_, REQUESTS)


@contextmanager
def _refused() -> Iterator[None]:
    try:
        yield
    except ReadError as error:
        raise Refusal(str(error), field_at(error.path) or None) from None


def parse(frame: str | bytes | None) -> Message:
    """The frame as a JSON object (Refusal). `request_of` looks at the fields later."""
    if not isinstance(frame, str):
        raise Refusal("expected a text frame with a JSON object, got bytes")
    with _refused():
        message: Message = read_json(dict[str, Any], frame)
    return message


def identifier(message: Message) -> int | None:
    """The `id` of a message; Refusal if it is invalid."""
    with _refused():
        number: int | None = read(dict[str, Identifier], {"id": message.get("id")})["id"]
    return number


def request_of(message: Message) -> Request:
    """The request that a message is; Refusal if it is none."""
    with _refused():
        request: Request = read(_ANY, message)
    return request
