"""Nothing falls through to another member's words or rules: what goes by an enum of a game names every member."""

from __future__ import annotations

from enum import IntEnum
from importlib import import_module
from pkgutil import walk_packages

import pytest

from chocofactory_env import agents

# Tables for some members: the others have nothing to say or to limit there.
FOR_SOME = {
    "ALONE",  # effects that have no use without a store
    "ABILITIES",  # spaces that have a drawing of their own
    "AMOUNTS",  # effects with an amount; uses; events and express cards with an amount
    "CLASS_KINDS",  # symbols that stand for two kinds
    "CLASS_LETTERS",  # symbols that have no mark
    "EVENTS",  # tasks in which something is logged
    "EVENT_AMOUNTS",
    "EXPRESS_AMOUNTS",
    "HINTS",  # steps that need one
    "PATTERN_WORDS",  # patterns that need no sentence of their own; a lookup of another one raises KeyError
    "STOPS",  # steps that can be stopped
    "USES",
}
# Compiled rules that go by a member: those that they do not name, and why.
RULES = [
    ("chocofactory.rules.parts", "can_work_on", "Function", {"NOTHING"}),  # no part
    ("chocofactory.rules.parts", "work_on", "Function", {"NOTHING"}),
    (
        "chocofactory.rules.stores",
        "can_give",
        "Pattern",
        {"ANY_MIX", "DAY_MONEY", "OTHER_STORE"},
    ),  # no limit; no pieces
    ("chocofactory.actions", "write_legal_mask", "Phase", {"OVER"}),  # nothing is legal
    ("candyfactory.actions", "offer_abilities", "Ability", set()),
    ("candyfactory.actions", "write_legal_mask", "Step", {"LOAD", "HIRE", "DISMISS"}),  # `offer_rarely`
    ("schoko.rules.events", "turn_up_event", "Event", {"NO_COCOA", "SLOW_WORK", "NO_BOOKKEEPERS"}),  # next month
    # What these do follows from the mark that they leave on a seat, or from a further choice.
    ("schoko.rules.express", "carry_out", "Express", {"HOLIDAY", "SLOW_SHIFT", "TAX_INSPECTION", "IDLE_BOOKS"}),
]
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


@pytest.mark.parametrize(("module", "name", "enum", "others"), RULES, ids=[f"{row[0]}.{row[1]}" for row in RULES])
def test_a_rule_names_every_member(module: str, name: str, enum: str, others: set[str]) -> None:
    function = getattr(import_module(f"{GAMES}.{module}"), name)
    members = getattr(import_module(f"{GAMES}.{module.partition('.')[0]}.constants"), enum).__members__
    named = getattr(function, "plain", function).__code__.co_names
    assert members.keys() - set(named) == others
