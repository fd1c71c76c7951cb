"""Records of release 0.1 as documents of today. They are read until the next release."""

from __future__ import annotations

from typing import Any, Final

from .core.reading import read_json

BEGIN: Final = b'{"schema": 1,'
RESULT: Final = ("over", "scores", "ranking", "won")


def is_lines(content: bytes) -> bool:
    return content.startswith(BEGIN)


def document_of(content: bytes) -> dict[str, Any]:
    """The lines (header, one for each action, result) as one document, which is not checked yet.

    Raises:
        ReadError: a line is no JSON object.
    """
    header, *actions = [read_json(dict[str, Any], line) for line in content.splitlines()]
    result = actions.pop() if actions else {}
    return {
        **header,
        "schema": 2,
        "actions": [line.get("action") for line in actions],
        "result": {name: result.get(name) for name in RESULT},
    }
