"""Options of the games that do not fit are refused, and what was expected is said."""

from __future__ import annotations

import re
from typing import Any

import pytest
from all_games import NAMES
from hypothesis import given, settings
from hypothesis import strategies as st

import chocofactory_env as cf

LONGEST_MESSAGE = 400
EXPANDED = {"expansion": "master_chocolatier"}
REFUSED: list[tuple[str, dict[str, Any], type[Exception], str]] = [
    *(("chocofactory", {"num_players": number}, ValueError, "num_players: expected 1 to 4") for number in (0, 5)),
    *(("candyfactory", {"num_players": number}, ValueError, "num_players: expected 2 to 4") for number in (1, 5)),
    *(("schoko", {"num_players": number}, ValueError, "num_players: expected 2 to 4") for number in (1, 5)),
    ("chocofactory", {"num_players": 1, "difficulty": 13}, ValueError, "difficulty: expected 0 to 12"),
    ("chocofactory", {"num_players": 2, "difficulty": 1}, ValueError, "difficulty"),
    *(
        (
            "chocofactory",
            {"num_players": number, "solo_money": "completed"},
            ValueError,
            f"solo_money: only the solo game has it, got 'completed' for {number} players",
        )
        for number in (2, 3, 4)
    ),
    ("chocofactory", {"num_players": 1, "solo_money": "all"}, ValueError, "solo_money must be one of 'paid', 'compl"),
    ("chocofactory", {"num_players": 1, "solo_money": True}, ValueError, "solo_money must be one of 'paid', 'compl"),
    ("chocofactory", {"mode": "together"}, ValueError, "mode must be one of 'turns', 'simultaneous', got 'together'"),
    *(("chocofactory", {"sides": sides}, ValueError, "sides: expected") for sides in ("AB", "AAAAAA", 3)),
    *(("chocofactory", {"sides": sides}, ValueError, "need an expansion") for sides in ("C", "D", "ABCAA", "DDDDD")),
    *(
        ("chocofactory", {"sides": sides, **EXPANDED}, ValueError, 'sides: expected "A", "B", "C", "D", "random"')
        for sides in ("E", "ABCDE", "AB", "", 3)
    ),
    *(
        ("chocofactory", {"expansion": name}, ValueError, 'expansion: expected None or "master_chocolatier"')
        for name in ("master chocolatier", "", True, 1)
    ),
    *(("candyfactory", {"game": game}, ValueError, "game: expected one of ") for game in ("short", ["full"])),
    ("candyfactory", {"start_player": 2}, ValueError, "start_player: expected 0 to 1"),
    ("schoko", {"num_players": 3, "leader": 3}, ValueError, "leader"),
    ("schoko", {"upset": "none"}, ValueError, "upset"),
    *((name, {"play_forced": 1}, TypeError, "play_forced: expected True or False, got 1") for name in NAMES),
    ("schoko", {"moths": 8}, TypeError, "moths"),
]


@pytest.mark.parametrize(("name", "options", "error", "match"), REFUSED, ids=str)
def test_options_that_do_not_fit_are_refused(
    name: str, options: dict[str, Any], error: type[Exception], match: str
) -> None:
    with pytest.raises(error, match=match):
        cf.load(name, **options)


OPTIONS = sorted({option for name in NAMES for option in cf.load(name).options} - {"deck"} | {"mode", "solo_money"})
WORDS = ("A", "random", "ABABA", "simultaneous", "completed", "master_chocolatier", "full", "candy", "no_upset")
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 13) | st.integers() | st.floats() | st.sampled_from(WORDS) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)


@settings(deadline=None)
@given(
    name=st.sampled_from(NAMES),
    options=st.dictionaries(st.sampled_from(OPTIONS) | st.text(min_size=1, max_size=9), VALUES, max_size=3),
)
def test_whatever_the_options_are_they_are_kept_or_one_is_refused_by_name(name: str, options: dict[str, Any]) -> None:
    kept, refusal = options, ""
    try:
        game = cf.load(name, **options)
        kept = {option: game.options.get(option, value) for option, value in options.items()}
    except (TypeError, ValueError) as error:
        refusal = str(error)
    assert kept == options | {option: kept[option] for option, value in options.items() if value is None}  # its default
    assert re.match("|".join([*OPTIONS, "unexpected keyword argument", "$"]), refusal), refusal
    assert len(refusal) < LONGEST_MESSAGE
