"""Answers in text: what is understood, and that what is damaged is corrected and never played."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from games_under_test import pick

import chocofactory_env as cf
from agents.readers import Messages, ReadingAgent
from chocofactory_env import AnswerCounts
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
        ("<think>2 or 3? I take 3</think>\n1", 1),
        ("no tag opened, 2 and 3</think>1", 1),
        ('{"move": 1}', 1),
        ('```json\n{"move": "draft part 1"}\n```', 1),
        ('First {"move": 2}, but better {"action": 1.0}', 1),
        ('{"name": "play", "arguments": "{\\"move\\": 1}"}', 1),
        ('{"function": {"name": "play", "arguments": {"move": 1}}}', 1),
    ],
)
def test_a_move_is_understood(text: str, move: int) -> None:
    assert read_moves(text, WORDS, LEGAL) == [move]


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
        ("1.5", "neither a number nor the words"),
        ("1: draft part 0", "Move 1 is 'draft part 1', and not 'draft part 0'"),
        ("1 or 2", "several moves|neither"),
        ("draft part 1 and then end shift", "several moves"),
        ("I resign", "names no move"),
        ('{"moves": []}', "Expected 1 to 100 moves"),
        ('{"move": true}', "True is no move"),
        ('{"move": {"move": 1}}', "is no move"),
    ],
)
def test_what_names_no_legal_move_is_corrected(text: str, message: str) -> None:
    with pytest.raises(cf.MoveError, match=message) as caught:
        read_moves(text, WORDS, LEGAL)
    assert "Answer with the number of one legal move: 1 (draft part 1), 2 (2 bars), " in str(caught.value)


Damage = Callable[[int, str, np.random.Generator], str]
DAMAGES: dict[str, tuple[bool, Damage]] = {  # whether the move is still to be understood, or nothing but it
    "blanks": (True, lambda move, words, rng: f"\n\t {move} \r\n"),
    "Markdown": (True, lambda move, words, rng: f"> **`{words}`**"),
    "upper case": (True, lambda move, words, rng: words.upper()),
    "underscores": (True, lambda move, words, rng: words.replace(" ", "_")),
    "number and words": (True, lambda move, words, rng: f"{move}) {words}."),
    "a thought": (True, lambda move, words, rng: f"<think>{rng.integers(50)} or {words}?</think>{move}"),
    "a marked line": (True, lambda move, words, rng: f"Of 3 plans I like the 2nd.\nMove: {words}\nThat is all."),
    "a tool call as text": (
        True,
        lambda move, words, rng: json.dumps({"name": "play", "arguments": json.dumps({"move": move})}),
    ),
    "fenced JSON": (True, lambda move, words, rng: f'Sure!\n```json\n{{"move": {move}}}\n```'),
    "a float": (True, lambda move, words, rng: json.dumps({"move": float(move)})),
    "nothing": (False, lambda move, words, rng: " " * int(rng.integers(3))),
    "cut JSON": (False, lambda move, words, rng: '{"mo'),
    "an unfinished thought": (False, lambda move, words, rng: f"<think>{words} looks good, so {move}"),
    "too large": (False, lambda move, words, rng: str(rng.integers(200, 10**9))),
    "endless digits": (False, lambda move, words, rng: "9" * 5_000),
    "negative": (False, lambda move, words, rng: f"-{move + 1}"),
    "a list of nothing": (False, lambda move, words, rng: '{"moves": [null]}'),
    "a refusal": (False, lambda move, words, rng: "I'm sorry, but I can't help with that."),
    "deep JSON": (False, lambda move, words, rng: '{"a":' * 3_000),
    "bytes": (False, lambda move, words, rng: "".join(map(chr, rng.integers(0x80, 0xD7FF, 40))) + "\0\ud800"),
}


class Says(ReadingAgent):
    """Answers what it is told to."""

    text = ""

    def answer(self, messages: Messages, state: Any, player: int) -> str:
        return self.text


def test_a_thousand_damaged_answers_of_twenty_kinds() -> None:
    """Each is understood as it was meant, or corrected, counted and replaced; no illegal move comes of any."""
    assert len(DAMAGES) == 20
    rng, asked = np.random.default_rng(0), 0
    games: list[Any] = [cf.load(name, num_players=2) for name in ("chocofactory", "candyfactory", "schoko")]
    for damage, (is_understood, spoil) in DAMAGES.items():
        for number in range(51):
            game = games[number % 3]
            state = game.new(number)
            for _ in range(number % 20):
                game.apply(state, pick(game.legal_mask(state), rng))
            move = pick(game.legal_mask(state), rng)
            text = spoil(move, game.describe(move), rng)
            asked += 1
            agent = Says(game)
            agent.text = text
            legal = np.flatnonzero(game.legal_mask(state))
            chosen = agent.choose(game.clone(state), game.current_player(state))
            if is_understood:
                assert game.parse_move(state, text) == chosen == move, (damage, text)
                expected = {"first_try": 1, "answers": 1}
            else:
                with pytest.raises(cf.MoveError, match="Answer with the number"):
                    game.parse_move(state, text)
                assert chosen == legal[0]
                expected = {"fallbacks": 1, "answers": 3}
            assert agent.counts == AnswerCounts(decisions=1, **(expected if len(legal) > 1 else {"forced": 1}))
    assert asked >= 1_000


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
