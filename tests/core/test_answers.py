"""Answers in text: what is understood, and that what is damaged is corrected and never played."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import chocofactory_env as cf
from chocofactory_env.core.text import answers
from chocofactory_env.core.text.answers import read_moves

WORDS = [
    "draft part 0",
    "draft part 1",
    "2 bars",
    "2 bars more",
    "turn die -1",
    "turn die +1",
    "end_shift",
    "sell 1 share",
]
EXPECTED = "Answer with the number of one legal move: 1 (draft part 1), 2 (2 bars), "
LONGEST_CORRECTION = 600
LEGAL = {number: WORDS[number] for number in (1, 2, 3, 4, 6)}


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("1", 1),
        (" 1.\n", 1),
        ("**1**", 1),
        ("Move 1", 1),
        ("draft part 1", 1),
        ("- Draft Part 1!", 1),
        ("1: draft part 1", 1),
        ("`turn die -1`", 4),
        ("END SHIFT", 6),
        ("2 bars", 2),
        ("I would like 2 bars more, please", 3),
        ("I think move 1 is the best.", 1),
        ("I could play 2 or 3.\nMove: 1", 1),
        ("Answer: 2\nNo, wait.\n**Answer:** draft part 1", 1),
        ("2 or 3?\n\n  **Move:** 1", 1),
        ("2 or 3?\n> Final answer = 1", 1),
        ("2 or 3?\n- **Action**:\n\n1", 1),
        ("<think>2 or 3? I take 3</think>\n1", 1),
        ("no tag opened, 2 and 3</think>1", 1),
        ('{"move": 1}', 1),
        ('```json\n{"move": "draft part 1"}\n```', 1),
        ('First {"move": 2}, but better {"action": 1.0}', 1),
        ('{"name": "play", "arguments": "{\\"move\\": 1}"}', 1),
        ('{"move": 1, "reason": "cheap", "reason": "near", "move": 1}', 1),
        ('{"move": 2, "move": 3}\nNo, wait: {"move": 1}', 1),
        ("I draft the part 1", 1),
        ('{"function": {"name": "play", "arguments": {"move": 1}}}', 1),
    ],
)
def test_a_move_is_understood(text: str, move: int) -> None:
    assert read_moves(text, WORDS, LEGAL) == [move]


@pytest.mark.parametrize("answer", [None, 1, b"1", ["1"], {"move": 1}])
def test_an_answer_is_text(answer: Any) -> None:
    with pytest.raises(TypeError, match=r"^answer: expected text, got "):
        read_moves(answer, WORDS, LEGAL)


def test_a_seat_that_is_not_asked_is_told_so() -> None:
    game = cf.load("chocofactory", num_players=2)
    state = game.new(1)
    with pytest.raises(cf.MoveError, match=r"^You have nothing to decide now\.$"):
        game.parse_move(state, "1", player=1 - game.current_player(state))


def test_empty_lines_are_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the search began anew at each of them, this would take an hour."""
    monkeypatch.setattr(answers, "LONGEST", 1_000_000)
    with pytest.raises(cf.MoveError, match="names no move"):
        read_moves("x" + "\n" * 400_000 + "x", WORDS, LEGAL)
    assert read_moves("x" + "\n" * 400_000 + "Move: 1", WORDS, LEGAL) == [1]


@pytest.mark.parametrize(
    "text", ['{"moves": [1, "end shift", 0]}', "[1, 6, 0]", '```json\n[1, 6, "draft part 0"]\n```']
)
def test_a_plan_begins_with_a_legal_move(text: str) -> None:
    assert read_moves(text, WORDS, LEGAL) == [1, 6, 0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("<think>1 is best, I am sure", "empty"),
        ("0", r"Move 0 \(draft part 0\) is not legal now"),
        ("8", "no move '8'"),
        ("-1", "names no move: '-1'"),
        ("\uff11", "names no move"),
        ("I play \u0661.", "names no move"),
        ('{"move": "\uff11"}', "There is no move"),
        ("1.5", "neither a number nor the words"),
        ("1: draft part 0", "Move 1 is 'draft part 1', and not 'draft part 0'"),
        ("1 or 2", "several moves|neither"),
        ("draft part 2", "There is no legal move 'draft part 2'"),
        ("I draft part 0", "There is no legal move 'draft part 0'"),
        ("Then I would take 1 bars.", "There is no legal move '1 bars'"),
        ("turn the die: turn die +4", r"There is no legal move 'turn die \+4'"),
        ("draft part 1 and then end shift", "several moves"),
        ("I resign", "names no move"),
        ('{"moves": []}', "Expected 1 to 100 moves"),
        ('{"move": true}', "True is no move"),
        ('{"move": NaN}', "nan is no move"),
        ('{"move": {"move": 1}}', "is no move"),
        ('{"move": 1, "move": 2}', "several moves"),
        ('{"name": "play", "arguments": "{\\"move\\": 1, \\"move\\": 2}"}', "several moves"),
    ],
)
def test_what_names_no_legal_move_is_corrected(text: str, message: str) -> None:
    with pytest.raises(cf.MoveError, match=message) as caught:
        read_moves(text, WORDS, LEGAL)
    assert EXPECTED in str(caught.value)


FRAGMENTS = st.sampled_from(
    [*WORDS, *'0123{}[]":,', "<think>", "</think>", "Move:", '{"move": ', "```json\n", "\n", " or ", "-1", "1.5", "**"]
)


@settings(deadline=None)
@example("9" * 5_000)
@example('{"a":' * 3_000)
@example("é漢\0\ud800")
@example("[" * 100_000)
@given(st.text() | st.lists(FRAGMENTS | st.text(max_size=3), max_size=12).map("".join))
def test_whatever_is_answered_it_begins_with_a_legal_move_or_is_corrected(text: str) -> None:
    moves, correction = [1], EXPECTED
    try:
        moves = read_moves(text, WORDS, LEGAL)
    except cf.MoveError as error:
        correction = str(error)
    assert EXPECTED in correction
    assert len(correction) < LONGEST_CORRECTION
    assert moves[0] in LEGAL
    assert {*moves} <= {*range(len(WORDS))}


@pytest.mark.parametrize("name", ["chocofactory", "candyfactory", "schoko"])
def test_every_action_is_understood_by_its_words(name: str) -> None:
    game = cf.load(name, num_players=4)
    words = [game.describe(action) for action in range(game.num_actions)]
    legal = dict(enumerate(words))
    for action, phrase in legal.items():
        for text in (str(action), phrase, f"{action}: {phrase}", f"Move: {phrase}", json.dumps({"move": phrase})):
            assert read_moves(text, words, legal) == [action]


def test_the_tool_lists_the_legal_moves() -> None:
    game = cf.load("schoko", num_players=2)
    state = game.new(1)
    mover = game.current_player(state)
    parameters = game.move_tool(state, mover)["function"]["parameters"]
    assert parameters["properties"]["move"]["enum"] == np.flatnonzero(game.legal_mask(state)).tolist()
    assert parameters["properties"]["move"]["description"] == "0: look; 117: pass"
    json.dumps(parameters)
