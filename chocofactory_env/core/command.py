"""Command lines, made from functions. Values are checked before anything begins; stdout takes every character."""

from __future__ import annotations

import inspect
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass, field, make_dataclass
from io import StringIO
from itertools import groupby
from math import isfinite
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    NoReturn,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from .files import check_writable
from .messages import said, shortened, shown
from .text.printing import print_stand_ins, reader_may_leave

MOST: Final = 1_000_000  # deals, games, and everything else that a command counts
LIMIT: Final = 1 << 63
SEEDS: Final = 1 << 62  # of first deals: later ones count up


def integer(least: int, most: int = MOST) -> Callable[[str], int]:
    """A parser of whole numbers in this range, in ASCII digits; ValueError for anything else."""

    def parse(text: str) -> int:
        try:
            number = int(text) if text.isascii() else None
        except ValueError:
            number = None
        if number is None:
            raise ValueError(f"expected a whole number, got {shown(text)}")
        if not least <= number <= most:
            limits = f"{least} or more" if number < least else f"at most {most:,}"
            raise ValueError(f"expected {limits}, got {shown(number)}")
        return number

    return parse


def parse_option(text: str) -> tuple[str, Any]:
    """Parse `difficulty=1` or `sides=random`. A value that is not JSON is a string."""
    key, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"expected NAME=VALUE, got {text!r}")
    try:
        return key, json.loads(value)
    except json.JSONDecodeError:
        return key, value
    except (RecursionError, ValueError):  # too many brackets or digits
        raise ValueError(f"{key}: expected a value of a few characters, got {shown(value)}") from None


count: Final = integer(1)
seed_of_deal: Final = integer(0, SEEDS - 1)


def finite(text: str) -> float:
    """Parse a finite number in ASCII characters; ValueError for anything else."""
    try:
        number = float(text) if text.isascii() else None
    except ValueError:
        number = None
    if number is None or not isfinite(number):
        raise ValueError(f"expected a number, got {shown(text)}")
    return number


def positive(text: str) -> float:
    """Parse a finite number above 0; ValueError for anything else."""
    number = finite(text)
    if number <= 0:
        raise ValueError(f"expected a number above 0, got {shown(text)}")
    return number


def is_folder(path: Path) -> bool:
    """Like `path.is_dir()`, which raises OSError for a name that is too long."""
    return os.path.isdir(path)  # noqa: PTH112 - `Path.is_dir` raises


def folder_there(text: str) -> Path:
    """Parse the path of a folder that exists."""
    if not is_folder(Path(text)):
        raise ValueError(f"expected a folder that is there, got {shown(text)}")
    return Path(text)


def file_to_write(text: str) -> Path:
    """Parse the path of a file that can be written, so that a long command does not fail at its end."""
    path = Path(text)
    _check_no_folder(path)
    if not is_folder(path.parent):
        raise ValueError(f"{shortened(text)}: expected a file in a folder that is there")
    try:
        check_writable(path)
    except (OSError, ValueError) as error:
        raise _cannot_be_written(text, error) from None
    return path


def file_ending(*suffixes: str) -> Callable[[str], Path]:
    """A parser for the path of a file that can be written, with one of these suffixes."""

    def file(text: str) -> Path:
        if Path(text).suffix not in suffixes:
            raise ValueError(f"expected a file ending in {' or '.join(suffixes)}, got {shown(text)}")
        return file_to_write(text)

    return file


def folder_to_write(text: str) -> Path:
    """Parse the path of an output folder, which need not exist."""
    path = Path(text)
    try:
        path.lstat()
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        raise _cannot_be_written(text, error) from None
    return path


def _cannot_be_written(text: str, error: OSError | ValueError) -> ValueError:
    reason = getattr(error, "strerror", None) or error
    return ValueError(f"{shortened(text)}: expected a path that can be written: {reason}")


def _check_no_folder(path: Path) -> None:
    if is_folder(path):
        raise ValueError(f"{path}: expected a file, got a folder")


Count = Annotated[int, count]
Natural = Annotated[int, integer(0)]
Seed = Annotated[int, seed_of_deal]
Seconds = Annotated[float, positive]
OutFile = Annotated[Path, file_to_write]
Picture = Annotated[Path, file_ending(".svg", ".png")]
OutFolder = Annotated[str | Path, folder_to_write]
Options = Mapping[str, Any]  # on the command line `--option NAME=VALUE`, repeated


# --- commands


REQUIRED: Final = object()
FRAME: Final = re.compile(r"\x1b\[[0-9;]*m|[╭╮╰╯│]")  # tyro frames and colours its messages
RULE: Final = {"─", "-"}  # the latter where the terminal lacks the former


@dataclass(frozen=True)
class Command:
    """The command line of a function: its parameters are the options, its docstring is the help.

    name: how the command is called, as "chocofactory match".
    examples: arguments, one line each, that `--help` shows.
    positional: parameters that are given without their names.
    parts: by parameter, a function that makes its value. The parameters of that function become options; one with the
        name of another option gets the value of this option.
    given: values of parameters that are no options.
    tell: shows what the function returns.
    failures: errors that end the command with status 1. Wrong input ends it with 2.
    """

    name: str
    function: Callable[..., Any]
    examples: Sequence[str] = ()
    positional: Sequence[str] = ()
    parts: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    given: Mapping[str, Any] = field(default_factory=dict)
    tell: Callable[[Any], None] = print
    failures: tuple[type[Exception], ...] = ()

    def run(self, words: Sequence[str] | None = None) -> None:
        """Read a command line (None: that of the process), call the function, and tell what it returns.

        If the result's `message()` says that something is missing, the command prints that, and ends with status 1, or
        130 if the result was `interrupted`. An error with notes is an agent's, and keeps its traceback.
        """
        print_stand_ins()
        with reader_may_leave():
            self._run(sys.argv[1:] if words is None else words)

    def _run(self, words: Sequence[str]) -> None:
        try:
            result = self._call(self._read(words))
        except self.failures as error:
            self._end(1, str(error))
        except BrokenPipeError:
            raise  # to `reader_may_leave`
        except (ImportError, OSError, TypeError, ValueError) as error:
            if hasattr(error, "__notes__"):
                raise
            self._end(2, said(error))
        except KeyboardInterrupt:
            self._end(130, "stopped")
        if result is None:
            return
        self.tell(result)
        if hasattr(result, "message") and (missing := result.message()):
            print(missing)
            sys.exit(130 if getattr(result, "interrupted", False) else 1)

    def _end(self, status: int, message: str) -> NoReturn:
        print(f"{self.name}: error: {message}", file=sys.stderr)
        sys.exit(status)

    def _read(self, words: Sequence[str]) -> dict[str, Any]:
        """The options by name. ValueError for wrong ones; SystemExit after `--help`."""
        import tyro

        options = self._options()
        fields = [_field_of(option, self._shown(name)) for name, option in options.items()]
        parser, said = make_dataclass("Options", fields, kw_only=True), StringIO()
        try:
            with redirect_stderr(said):
                read = vars(tyro.cli(parser, prog=self.name, description=self._help(), args=list(words)))
        except _WrongValueError as error:
            raise ValueError(str(error)) from None
        except SystemExit as end:
            if end.code in (0, None):
                raise
            raise ValueError(_in_one_line(said.getvalue())) from None
        return {name: self._value(option, read[name]) for name, option in options.items()}

    def _value(self, option: Option, read: Any) -> Any:
        kind = _kind_of(option.type)
        if kind.several and option.name not in self.positional:  # a list for each time that the option was given
            read = [value for values in read for value in values] or (() if kind.pairs else option.default)
        if read is REQUIRED:
            raise ValueError(
                f"{self._shown(option.name)}: expected {'one or more' if kind.several else 'a value'}, got none"
            )
        if not kind.pairs:
            return read
        pairs: dict[str, Any] = {}
        for name, value in read:
            if name in pairs:
                raise ValueError(f"{self._shown(option.name)}: expected one value of {name}, got two")
            pairs[name] = value
        return pairs

    def _shown(self, name: str) -> str:
        return name if name in self.positional else f"--{name.replace('_', '-')}"

    def _help(self) -> str:
        about = documented(self.function)
        examples = "\n".join(f"    {self.name} {each}".rstrip() for each in self.examples)
        return "\n\n".join(filter(None, [about.short_description, about.long_description, examples]))

    def _options(self) -> dict[str, Option]:
        own = {name: each for name, each in options_of(self.function).items() if name not in self.given}
        found: dict[str, Option] = {}
        for name, option in own.items():
            if name in self.parts:
                more = options_of(self.parts[name])
                found |= {each: more[each] for each in more if each in self.parts or each not in own}
            else:
                found[name] = option
        return found

    def _call(self, values: dict[str, Any]) -> Any:
        own = options_of(self.function)
        made = {name: part(**{each: values[each] for each in options_of(part)}) for name, part in self.parts.items()}
        return self.function(**{name: value for name, value in values.items() if name in own} | made | dict(self.given))


class Option(NamedTuple):
    """A parameter of a function. default: REQUIRED if it has none."""

    name: str
    type: Any
    default: Any
    help: str


class _Kind(NamedTuple):
    """How an option is read: one word or several by `parse`; pairs, which are repeated; or a flag without a word."""

    parse: Callable[[str], Any] = str
    several: bool = False
    pairs: bool = False
    flag: bool = False
    word: str = ""  # stands for the value in `--help`


class _WrongValueError(Exception):
    """A value that its parser refuses. tyro lets it pass."""


def options_of(function: Any) -> dict[str, Option]:
    """The parameters of a function, or the fields of a dataclass or TypedDict, with their help."""
    types = get_type_hints(function, include_extras=True)
    words = {each.arg_name: each.description or "" for each in documented(function).params}
    if is_typeddict(function):
        return {name: Option(name, kind, None, words.get(name, "")) for name, kind in types.items()}
    found: dict[str, Option] = {}
    for name, one in inspect.signature(function).parameters.items():
        if one.kind is one.VAR_KEYWORD:
            found |= options_of(get_args(types[name])[0])
        else:
            default = REQUIRED if one.default is one.empty else one.default
            found[name] = Option(name, types[name], default, words.get(name, ""))
    return found


def documented(function: Any) -> Any:
    """The parsed docstring."""
    from docstring_parser import parse

    return parse(inspect.getdoc(function) or "")


def _kind_of(kind: Any) -> _Kind:
    """How options of this type are read. Of a union, several words count before one, and text before objects."""
    origin, inside = get_origin(kind), get_args(kind)
    if origin is Annotated:
        parse = next((each for each in inside[1:] if callable(each)), None)
        one = _kind_of(inside[0])
        return one if parse is None else one._replace(parse=parse)
    if origin in (Union, UnionType):
        kinds = [_kind_of(each) for each in inside if each is not NoneType]
        return next((each for each in kinds if each.several), kinds[0])
    if origin is Literal:
        return _Kind(one_of(inside), word="|".join(inside))
    if origin is not None and issubclass(origin, Mapping):
        return _Kind(parse_option, several=True, pairs=True, word="NAME=VALUE")
    if origin is not None and issubclass(origin, Iterable):
        return _kind_of(inside[0])._replace(several=True)
    if kind is bool:
        return _Kind(flag=True)
    if kind is int:
        return _Kind(integer(1 - LIMIT, LIMIT - 1), word="N")
    parsers: Mapping[Any, Callable[[str], Any]] = {float: finite, Path: Path}
    return _Kind(parsers.get(kind, str))


def one_of(choices: Iterable[str]) -> Callable[[str], str]:
    """A parser of one of these words."""

    def parse(text: str) -> str:
        if text not in choices:
            raise ValueError(f"expected one of {', '.join(choices)}, got {shown(text)}")
        return text

    return parse


def _field_of(option: Option, shown_as: str) -> tuple[str, Any, Any]:
    """The option as a field of the dataclass that tyro fills."""
    import tyro

    conf, kind = tyro.conf, _kind_of(option.type)
    nothing = option.default is None or not isinstance(option.default, str | int | float | Path)
    default = "required" if option.default is REQUIRED else "" if nothing or kind.flag else str(option.default)
    marks = [conf.arg(help=" ".join(option.help.split()), help_behavior_hint=f"({default})" if default else "")]
    if kind.flag:
        return option.name, Annotated[(bool, *marks, conf.FlagCreatePairsOff)], field(default=option.default)
    positional = not shown_as.startswith("-")

    def parsed(words: Sequence[str]) -> Any:
        try:
            if kind.several and not words:
                if positional and option.default is not REQUIRED:
                    return option.default
                raise ValueError("expected one or more, got none")
            values = [kind.parse(word) for word in words]
        except ValueError as error:
            raise _WrongValueError(f"{shown_as}: {error}") from None
        return values if kind.several else values[0]

    spec = tyro.constructors.PrimitiveConstructorSpec(
        nargs=1 if kind.pairs or not kind.several else "*",
        metavar=kind.word or option.name.upper(),
        instance_from_str=parsed,
        is_instance=lambda value: True,
        str_from_instance=lambda value: [str(value)],
    )
    if kind.several and not positional:
        lists = list[Annotated[Any, spec]]
        return option.name, Annotated[(lists, *marks, conf.UseAppendAction)], field(default_factory=list)
    marks += [conf.Positional] if positional else []
    return option.name, Annotated[(Any, spec, *marks)], field(default=option.default)


def _in_one_line(framed: str) -> str:
    """What tyro says of a command line, without its frame, title, and advice."""
    lines = filter(None, (FRAME.sub("", line).strip() for line in framed.splitlines()[1:]))
    parts = [[*part] for is_rule, part in groupby(lines, lambda line: set(line) <= RULE) if not is_rule]
    return " ".join(parts[0])
