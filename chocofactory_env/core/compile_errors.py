"""Explain in one line why a function does not compile.

For a wrong field or argument Numba prints hundreds of lines, mostly types of records, or a bare KeyError. Compilations
are nested, so the place is on the stack: each function being compiled, and the line whose types Numba was inferring.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import walk_stack, walk_tb
from types import FrameType
from typing import Any, Final

from numba.core.dispatcher import Dispatcher
from numba.core.event import Listener, install_listener
from numba.core.ir import Loc
from numba.core.typeinfer import GetAttrConstraint, SetAttrConstraint
from numba.core.types import Record

from .errors import CompileError

COLOURS: Final = re.compile(r"\x1b\[\d*m")
STEPS: Final = re.compile(r"Failed in nopython mode pipeline \(step: [^)]*\)")
# Text after the reason: the place, the source, and other functions of the same name.
MORE: Final = re.compile(r"\n\s*(?:File \"|During: |There (?:are|is) \d+ candidate|Known signatures)")
RECORD: Final = re.compile(r"Record\(")
LONGEST: Final = 300  # characters of a reason


class Failures(Listener):
    """The failures of a compilation, innermost function first, as Numba tells of them."""

    def __init__(self) -> None:
        self.found: list[Failure] = []

    def on_start(self, event: Any) -> None:
        """Nothing has failed yet."""

    def on_end(self, event: Any) -> None:
        error = event._exc_details[1] if event._exc_details else None
        if isinstance(error, Exception):
            self.found.append(Failure(error))


@contextmanager
def explained() -> Iterator[None]:
    """A context in which Numba compiles; CompileError names the place of what it cannot."""
    failures = Failures()
    with install_listener("numba:compile", failures):
        try:
            yield
        except Exception as error:
            if not failures.found:
                raise
            raise CompileError(str(max(failures.found, key=lambda each: len(each.calls)))) from error


class Failure:
    """A failed compilation. The function that failed is the innermost one under way when `error` was raised."""

    def __init__(self, error: Exception) -> None:
        raised = [frame for frame, _ in walk_tb(error.__traceback__)]
        frames = [*reversed([frame for frame, _ in walk_stack(raised[0].f_back)]), *raised]
        self.calls: list[tuple[Callable[..., Any], int]] = []  # from the outermost, with Numba's line in each
        for frame in frames:
            if frame.f_code is Dispatcher.compile.__code__:
                function = frame.f_locals["self"].py_func
                if not self.calls or self.calls[-1][0] is not function:  # Numba may try one again
                    self.calls.append((function, function.__code__.co_firstlineno))
            elif self.calls and isinstance(loc := frame.f_locals.get("loc"), Loc):
                self.calls[-1] = self.calls[-1][0], loc.line
        if isinstance(loc := getattr(error, "loc", None), Loc):
            self.calls[-1] = self.calls[-1][0], loc.line
        self.reason = _reason(error, raised)

    def __str__(self) -> str:
        (function, line), *callers = reversed(self.calls)
        called = "".join(f", called by {by.__qualname__} ({place_of(by, at)})" for by, at in callers)
        return f"{place_of(function, line)}: {function.__qualname__} does not compile: {self.reason}{called}"


def place_of(function: Callable[..., Any], line: int | None = None) -> str:
    """The function's file, and a line of it; its first one unless given."""
    file = Path(function.__code__.co_filename)
    name = os.path.relpath(file) if file.is_relative_to(Path.cwd()) else str(file)
    return f"{name}:{line or function.__code__.co_firstlineno}"


def _reason(error: Exception, frames: list[FrameType]) -> str:
    record = frames[-1].f_locals.get("self")
    if isinstance(error, KeyError) and isinstance(record, Record):
        return f"{_variable(frames)} has no field {error.args[0]!r}"
    text = STEPS.sub("", COLOURS.sub("", str(error))).strip()
    words = " ".join(MORE.split(text)[0].split()).replace(">>> ", "")
    short = "".join(_without_fields(words))
    return short if len(short) <= LONGEST else f"{short[:LONGEST]} …"


def _variable(frames: list[FrameType]) -> str:
    """The name of the record in which Numba looked for the field."""
    for frame in frames:
        constraint = frame.f_locals.get("self")
        if isinstance(constraint, (GetAttrConstraint, SetAttrConstraint)):
            name = str((constraint.value if isinstance(constraint, GetAttrConstraint) else constraint.target).name)
            return "the record" if name.startswith("$") else name.partition(".")[0]
    return "the record"


def _without_fields(text: str) -> Iterator[str]:
    """Shorten the types of records, whose names list all nested fields."""
    at = 0
    while found := RECORD.search(text, at):
        yield f"{text[at : found.start()]}Record"
        at, depth = found.end(), 1
        while depth and at < len(text):
            depth += (text[at] == "(") - (text[at] == ")")
            at += 1
    yield text[at:]
