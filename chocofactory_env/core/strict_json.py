"""Parse untrusted JSON: no duplicate keys, no numbers outside the JSON standard, and none with too many digits."""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any, Final, NoReturn

from .messages import shown

MAX_DIGITS: Final = 4_000  # of an integer; Python's own limit is 4,300


def parse_json(text: str, max_digits: int = MAX_DIGITS) -> Any:
    """Parse the text. Raises ValueError, which says what is wrong, for anything that is not strictly JSON."""

    def whole(digits: str) -> int:
        if len(digits.lstrip("-")) > max_digits:
            raise ValueError(f"a number of {len(digits):,} digits, more than the {max_digits:,} allowed")
        return int(digits)

    try:
        return json.loads(
            text, object_pairs_hook=_each_once, parse_int=whole, parse_float=_finite, parse_constant=_no_number
        )
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"duplicate key {shown(twice)}")
    return found


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"the number {shown(text)} is too large")
    return number


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a JSON number")
