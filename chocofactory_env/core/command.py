"""Command lines: numbers and output paths are checked before anything begins, and stdout takes every character."""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable
from math import isfinite
from pathlib import Path
from typing import Any, Final

from .files import check_writable
from .messages import shortened, shown
from .text.printing import print_stand_ins

MOST: Final = 1_000_000  # deals, games, and everything else that a command counts
LIMIT: Final = 1 << 63
SEEDS: Final = 1 << 62  # of first deals: later ones count up


class CommandParser(ArgumentParser):
    """An ArgumentParser that reads `type=int` as `integer()` and `type=float` as `finite`."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.register("type", int, integer(1 - LIMIT, LIMIT - 1))
        self.register("type", float, finite)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        print_stand_ins()
        return super().parse_known_args(args, namespace)


def integer(least: int, most: int = MOST) -> Callable[[str], int]:
    """A parser of whole numbers in this range, in ASCII digits; argparse reports its error."""

    def parse(text: str) -> int:
        try:
            number = int(text) if text.isascii() else None
        except ValueError:
            number = None
        if number is None:
            raise ArgumentTypeError(f"expected a whole number, got {shown(text)}")
        if not least <= number <= most:
            limits = f"{least} or more" if number < least else f"at most {most:,}"
            raise ArgumentTypeError(f"expected {limits}, got {shown(number)}")
        return number

    return parse


def add_option(parser: ArgumentParser) -> None:
    """Add `--option NAME=VALUE`, collected as a list of pairs."""
    parser.add_argument(
        "--option",
        type=parse_option,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set an option of the game",
    )


def parse_option(text: str) -> tuple[str, Any]:
    """Parse `difficulty=1` or `sides=random`. A value that is not JSON is a string."""
    key, equals, value = text.partition("=")
    if not equals:
        raise ArgumentTypeError(f"expected NAME=VALUE, got {text!r}")
    try:
        return key, json.loads(value)
    except json.JSONDecodeError:
        return key, value


count: Final = integer(1)
seed_of_deal: Final = integer(0, SEEDS - 1)


def finite(text: str) -> float:
    """Parse a number in ASCII characters; argparse reports the error."""
    try:
        number = float(text) if text.isascii() else None
    except ValueError:
        number = None
    if number is None or not isfinite(number):
        raise ArgumentTypeError(f"expected a number, got {shown(text)}")
    return number


def is_folder(path: Path) -> bool:
    """Like `path.is_dir()`, which raises OSError for a name that is too long."""
    return os.path.isdir(path)  # noqa: PTH112 - `Path.is_dir` raises


def folder_there(text: str) -> Path:
    """Parse the path of a folder that exists."""
    if not is_folder(Path(text)):
        raise ArgumentTypeError(f"expected a folder that is there, got {shown(text)}")
    return Path(text)


def file_to_write(text: str) -> Path:
    """Parse the path of a file that can be written, so that a long command does not fail at its end."""
    path = Path(text)
    _check_no_folder(path)
    if not is_folder(path.parent):
        raise ArgumentTypeError(f"{shortened(text)}: expected a file in a folder that is there")
    try:
        check_writable(path)
    except (OSError, ValueError) as error:
        raise _cannot_be_written(text, error) from None
    return path


def folder_for(*names: str) -> Callable[[str], Path]:
    """A parser for the path of an output folder, which need not exist. names: patterns of the files written."""

    def folder(text: str) -> Path:
        path = Path(text)
        try:
            path.lstat()
        except FileNotFoundError:
            return path
        except (OSError, ValueError) as error:
            raise _cannot_be_written(text, error) from None
        for found in (each for name in names for each in path.glob(name)):
            _check_no_folder(found)
        return path

    return folder


folder_to_write: Final = folder_for()


def _cannot_be_written(text: str, error: OSError | ValueError) -> ArgumentTypeError:
    reason = getattr(error, "strerror", None) or error
    return ArgumentTypeError(f"{shortened(text)}: expected a path that can be written: {reason}")


def _check_no_folder(path: Path) -> None:
    if is_folder(path):
        raise ArgumentTypeError(f"{path}: expected a file, got a folder")
