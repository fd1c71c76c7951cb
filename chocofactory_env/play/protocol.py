"""Messages of a browser, checked field by field, and the words of refusals (docs/play-protocol.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, Final, NoReturn

from ..core.checks import SEED_LIMIT
from ..core.messages import hint, shortened, shown
from ..core.strict_json import parse_json

VERSION: Final = 1
MOST_BYTES: Final = 64 * 1024  # of a message
MOST_SEATS: Final = 16
MOST_TOKENS: Final = 32
MOST_OPTIONS: Final = 32
MOST_TEXT: Final = 200  # characters of a name, an agent, a token, ...
MOST_NAME: Final = 40  # characters of a person's name
MOST_ACTIONS: Final = 1 << 20
MOST_DIGITS: Final = 20  # of a whole number
MOST_REASON: Final = 1_500  # characters
Message = dict[str, Any]
Check = Callable[[str, Any], None]


class Refusal(Exception):  # noqa: N818  # it is an answer
    """An answer that refuses a request. `field` names the field that was wrong, if there was one."""

    def __init__(self, reason: str, field: str | None = None) -> None:
        super().__init__(reason)
        self.reason = shortened(reason, MOST_REASON)
        self.field = field


def expected(field: str, what: str, value: Any) -> NoReturn:
    raise Refusal(f"{field}: expected {what}, got {shown(value)}", field)


# --- checks of a field


def whole(least: int, most: int) -> Check:
    def check(field: str, value: Any) -> None:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            expected(field, f"a whole number from {least} to {most}", value)

    return check


def number(least: float, most: float) -> Check:
    def check(field: str, value: Any) -> None:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not (isinstance(value, int) or isfinite(value)) or not least <= value <= most:
            expected(field, f"a number from {least} to {most}", value)

    return check


def text(most: int = MOST_TEXT) -> Check:
    def check(field: str, value: Any) -> None:
        if not isinstance(value, str) or len(value) > most or not value.isprintable():
            expected(field, f"at most {most} printable characters", value)

    return check


def flag(field: str, value: Any) -> None:
    if not isinstance(value, bool):
        expected(field, "true or false", value)


def one_of(*choices: str) -> Check:
    def check(field: str, value: Any) -> None:
        if not isinstance(value, str) or value not in choices:
            expected(field, f"one of {', '.join(choices)}", value)

    return check


def or_null(check: Check) -> Check:
    def either(field: str, value: Any) -> None:
        if value is not None:
            check(field, value)

    return either


def list_of(check: Check, most: int, least: int = 0) -> Check:
    def each(field: str, value: Any) -> None:
        if not isinstance(value, list) or not least <= len(value) <= most:
            expected(field, f"a list of {least} to {most}", value)
        for place, one in enumerate(value):
            check(f"{field}[{place}]", one)

    return each


def options(field: str, value: Any) -> None:
    """Options of a variant: names with numbers, text, true, false or null."""
    if not isinstance(value, dict) or len(value) > MOST_OPTIONS:
        expected(field, f"an object of at most {MOST_OPTIONS} options", value)
    for name, one in value.items():
        if len(name) > MOST_TEXT:
            expected(field, "names of options", name)
        if isinstance(one, str):
            text()(f"{field}.{name}", one)
        elif isinstance(one, list | dict):
            expected(f"{field}.{name}", "a number, text, true, false or null", one)


def seat_of_table(field: str, value: Any) -> None:
    """One of the seats in `new`."""
    if not isinstance(value, dict):
        expected(field, "a seat, an object", value)
    kind = value.get("kind")
    one_of("here", "link", "agent")(f"{field}.kind", kind)
    known: dict[str, Check] = {"kind": one_of("here", "link", "agent"), "name": text(MOST_NAME)}
    if kind == "agent":
        known["agent"] = text()
    check_fields(value, known, {"name"}, f"{field}.")


TOKEN = text(80)
TABLE = text(40)
SEAT = whole(0, MOST_SEATS - 1)
DECISION = whole(0, 1 << 31)
MESSAGES: Final[Mapping[str, Mapping[str, Check]]] = {
    "hello": {"tokens": list_of(TOKEN, MOST_TOKENS)},
    "describe": {"game": text(), "options": options},
    "new": {
        "game": text(),
        "options": options,
        "seats": list_of(seat_of_table, MOST_SEATS, least=1),
        "seed": or_null(whole(0, SEED_LIMIT - 1)),
        "upload": TOKEN,
        "at": whole(0, MOST_ACTIONS),
    },
    "join": {"tokens": list_of(TOKEN, MOST_SEATS, least=1)},
    "leave": {},
    "close": {"table": TABLE},
    "act": {"table": TABLE, "seat": SEAT, "decision": DECISION, "action": whole(0, MOST_ACTIONS), "careful": flag},
    "foresee": {"table": TABLE, "seat": SEAT, "decision": DECISION, "action": whole(0, MOST_ACTIONS)},
    "read": {"table": TABLE, "seat": SEAT},
    "undo": {"table": TABLE, "seat": SEAT, "of": whole(0, MOST_ACTIONS), "steps": whole(1, MOST_ACTIONS)},
    "back": {"table": TABLE, "seat": SEAT},
    "agree": {"table": TABLE, "seat": SEAT, "agree": flag},
    "uncover": {"table": TABLE, "seat": or_null(SEAT)},
    "pace": {"table": TABLE, "delay": number(0, 10), "paused": flag},
    "step": {"table": TABLE},
    "think": {"table": or_null(TABLE), "seat": SEAT, "agent": text()},
    "stop": {},
    "save": {"table": or_null(TABLE), "what": one_of("record", "page")},
    "open": {"upload": TOKEN, "table": TABLE},
    "seek": {"at": whole(0, MOST_ACTIONS), "seat": or_null(SEAT)},
    "regret": {"deals": whole(2, 64)},
}
OPTIONAL: Final[Mapping[str, frozenset[str]]] = {
    "act": frozenset({"careful"}),
    "new": frozenset({"upload", "at"}),
    "pace": frozenset({"delay", "paused"}),
    "think": frozenset({"seat"}),
    "open": frozenset({"upload", "table"}),
    "regret": frozenset({"deals"}),
}
IDENTIFIER = whole(0, (1 << 31) - 1)


def check_fields(value: Mapping[str, Any], known: Mapping[str, Check], optional: Any, at: str = "") -> None:
    for name in value:
        if name not in known:
            raise Refusal(f"unknown field {shown(name)}{hint(name, known)}", shortened(f"{at}{name}"))
    for name, check in known.items():
        if name in value:
            check(f"{at}{name}", value[name])
        elif name not in optional:
            raise Refusal(f"{at}{name} is missing", f"{at}{name}")


def parse(frame: str | bytes | None) -> Message:
    """Parse a frame as JSON, rejecting duplicate keys (Refusal). `check` looks at the fields later."""
    if not isinstance(frame, str):
        raise Refusal("expected a text frame with a JSON object, got bytes")
    try:
        value = parse_json(frame, MOST_DIGITS)
    except ValueError as error:
        raise Refusal(f"no JSON: {error}") from None
    if not isinstance(value, dict):
        raise Refusal(f"expected a JSON object, got {shown(value)}")
    return value


def identifier(message: Message) -> int | None:
    """Take the `id` out of a message; Refusal if it is invalid."""
    given: int | None = message.pop("id", None)
    or_null(IDENTIFIER)("id", given)
    return given


def check(message: Message) -> str:
    """Check the fields of a message (Refusal), and return its type."""
    kind = message.get("type")
    if not isinstance(kind, str) or kind not in MESSAGES:
        raise Refusal(f"unknown type {shown(kind)}{hint(kind, MESSAGES)}", "type")
    fields = {name: value for name, value in message.items() if name != "type"}
    check_fields(fields, MESSAGES[kind], OPTIONAL.get(kind, frozenset()))
    return kind
