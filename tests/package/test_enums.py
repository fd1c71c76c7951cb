"""Nothing lacks words or a price: a table by an enum of a game has every member."""

from __future__ import annotations

from enum import IntEnum
from importlib import import_module
from pkgutil import walk_packages

from chocofactory_env import agents

# Tables for some members: the others have nothing to say or to limit there.
FOR_SOME = {
    "ALONE",  # effects that have no use without a store
    "ABILITIES",  # spaces that have a drawing of their own
    "AMOUNTS",  # effects with an amount; uses; events and express cards with an amount
    "EVENTS",  # tasks in which something is logged
    "EVENT_AMOUNTS",
    "EXPRESS_AMOUNTS",
    "HINTS",  # steps that need one
    "PATTERN_WORDS",  # patterns that need no sentence of their own; a lookup of another one raises KeyError
    "STOPS",  # steps that can be stopped
    "USES",
}
GAMES = "chocofactory_env.games"


def tables() -> dict[str, dict[IntEnum, object]]:
    """Every table of a module whose keys are members of one enum, by module and name."""
    found: dict[str, dict[IntEnum, object]] = {}
    for package in (import_module(GAMES), agents):
        for each in walk_packages(package.__path__, f"{package.__name__}."):
            module = import_module(each.name)
            for name, value in vars(module).items():
                if isinstance(value, dict) and value and all(isinstance(key, IntEnum) for key in value):
                    found[f"{each.name}.{name}"] = value
    return found


def test_a_table_by_an_enum_has_every_member() -> None:
    found = tables()
    lacking = {
        name: sorted(member.name for member in type(next(iter(table))) if member not in table)
        for name, table in found.items()
        if name.rpartition(".")[2] not in FOR_SOME
    }
    assert {name: names for name, names in lacking.items() if names and names != ["NOTHING"]} == {}
    assert f"{GAMES}.chocofactory.part_functions.PART_FUNCTIONS" in found
    assert {name.rpartition(".")[2] for name in found} >= FOR_SOME
