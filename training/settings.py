"""Settings of a run as fields of a dataclass that say what they mean, and as options of the command line."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, field, fields
from typing import Any, TypeVar, cast

T = TypeVar("T")


def setting(default: T, about: str) -> T:
    """A field of a frozen dataclass with what `--help` says about it. A dictionary stands for JSON."""
    metadata = {"help": about}
    if isinstance(default, dict):
        return cast(T, field(default_factory=default.copy, metadata=metadata))
    return field(default=default, metadata=metadata)


def add_settings(
    parser: argparse.ArgumentParser,
    config: type,
    choices: Mapping[str, Iterable[str]] | None = None,
    more: Callable[[str], str] = lambda name: "",
) -> None:
    """An option for every field of `config`; what is not given is None.

    choices: of fields, by name. more: text of a field's name, to stand behind its default.
    """
    for each in fields(config):
        default = default_of(each)
        name, told = "--" + each.name.replace("_", "-"), f"{each.metadata['help']} ("
        if isinstance(default, bool):
            parser.add_argument(
                name, action=argparse.BooleanOptionalAction, default=None, help=f"{told}{default}{more(each.name)})"
            )
            continue
        many = isinstance(default, tuple)
        shown = " ".join(map(str, default)) if isinstance(default, tuple) else default
        parser.add_argument(
            name,
            type=type(default[0]) if many else json.loads if isinstance(default, dict) else type(default),
            nargs="+" if many else None,
            choices=list((choices or {}).get(each.name, ())) or None,
            help=f"{told}{shown}{more(each.name)})",
        )


def given(arguments: argparse.Namespace, config: type) -> dict[str, Any]:
    """The fields that the command line says."""
    return {
        each.name: tuple(value) if isinstance(value, list) else value
        for each in fields(config)
        if (value := getattr(arguments, each.name)) is not None
    }


def default_of(each: Field[Any]) -> Any:
    return each.default if each.default_factory is MISSING else each.default_factory()
