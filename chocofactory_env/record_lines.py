"""Records and saved tables of release 0.1 as documents of today. They are read until the next release."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any, Final

import msgspec

from .core.files import write_text
from .core.reading import read_json

BEGIN: Final = b'{"schema": 1,'
RESULT: Final = ("over", "scores", "ranking", "won")
TABLE: Final = ("seats", "watch", "began", "chapter")


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


def convert_tables(tables: Path) -> None:
    """Write every table that is a folder as one file. Those that cannot be read stay, and are named on stderr."""
    for folder in filter(Path.is_dir, sorted(tables.iterdir())):
        try:
            head = read_json(dict[str, Any], (folder / "table.json").read_bytes())
            table: dict[str, Any] = {name: head[name] for name in TABLE if name in head}
            table |= {
                "record": document_of((folder / "record.jsonl").read_bytes()),
                "when": int(folder.stat().st_mtime),
            }
            write_text(tables / f"{folder.name}.json", msgspec.json.encode(table).decode())
        except (OSError, ValueError) as error:
            print(f"{folder}: a table of release 0.1 that cannot be converted: {error}", file=sys.stderr)
        else:
            shutil.rmtree(folder)
