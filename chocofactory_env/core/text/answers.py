"""Read answers in text as moves: by number, by words, or as JSON. Tolerant of form, never of content.

The first of these that the answer contains is read:

1. a JSON object with `move` or `moves` (or `action`, `answer`; also inside the `arguments` of a tool call);
2. a line that begins with `move:`, `action:` or `answer:`, the last one;
3. the whole answer: a number, the words of a move, or both as in the list of legal moves;
4. the words of a single legal move, or a single number, within other text. A number in words like those of a move
   ("draft part 9") belongs to them, and is not a move's number.

Before that, text between `<think>` and `</think>` is dropped. Case, punctuation and Markdown do not matter.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ..messages import shown

KEYS: Final = ("moves", "move", "action", "answer")
LONGEST: Final = 20_000  # characters that are read, from the end of the answer
MOST_MOVES: Final = 100  # in one answer
MOST_OBJECTS: Final = 200  # places where JSON may begin
SEVERAL: Final = ("several",)
UNDECIDED: Final = "The answer speaks of several moves, and does not say which one to play."
# Punctuation is taken whole and within one line, or thousands of empty lines would take seconds to search.
_MARKED = re.compile(
    r"^[^\w\n]*+(?:final\s+)?(?:move|action|answer)[^\w:=]*+[:=]\s*(.+)$", re.IGNORECASE | re.MULTILINE
)
_NUMBER = re.compile(r"(?<!\S)[+-]?\d+(?!\S)")
_NUMBERED = re.compile(r"(?:move |action |number |no )?([0-9]{1,9})(?: (.+))?")


class MoveError(ValueError):
    """An answer that names no legal move. The message is a correction to show to its author."""


def read_moves(text: str, words: Sequence[str], legal: Mapping[int, str]) -> list[int]:
    """The actions that an answer names. The first one is legal; the others may turn out illegal.

    Args:
        text: the answer.
        words: the words of every action, by number.
        legal: the legal actions and their words.

    Raises:
        TypeError: the answer is not a string.
        MoveError: says what was understood, what is wrong with it, and what is legal.
    """
    if not isinstance(text, str):
        raise TypeError(f"answer: expected text, got {shown(text)}")
    if not legal:
        raise MoveError("You have nothing to decide now.")
    try:
        moves = [_action(part, words) for part in _parts(_visible(text), words, legal)]
    except MoveError as error:
        raise MoveError(f"{error} {_expected(legal)}") from None
    if moves[0] not in legal:
        raise MoveError(f"Move {moves[0]} ({words[moves[0]]}) is not legal now. {_expected(legal)}")
    return moves


def move_tool(legal: Mapping[int, str]) -> dict[str, Any]:
    """A tool in JSON for OpenAI-compatible endpoints, whose schema lists the legal moves."""
    move = {
        "type": "integer",
        "enum": list(legal),
        "description": "; ".join(f"{number}: {words}" for number, words in legal.items()),
    }
    parameters = {"type": "object", "properties": {"move": move}, "required": ["move"], "additionalProperties": False}
    return {
        "type": "function",
        "function": {"name": "play", "description": "Play one legal move.", "parameters": parameters},
    }


def _expected(legal: Mapping[int, str]) -> str:
    moves = ", ".join(f"{number} ({words})" for number, words in legal.items())
    return f"Answer with the number of one legal move: {moves}."


def _visible(text: str) -> str:
    """The answer without its reasoning blocks; what follows an unclosed one is dropped too."""
    text = re.sub(r"<think>.*?(?:</think>|\Z)", " ", text[-LONGEST:], flags=re.DOTALL | re.IGNORECASE)
    text = text.rpartition("</think>")[2].strip()
    if not text:
        raise MoveError("The answer is empty.")
    return text


def _parts(text: str, words: Sequence[str], legal: Mapping[int, str]) -> list[Any]:
    """The parts of the text that may each name a move; at least one."""
    given = next(_from_json(text), None)
    if given is SEVERAL:
        raise MoveError(UNDECIDED)
    if given is not None:
        parts = given if isinstance(given, list) else [given]
        if not 1 <= len(parts) <= MOST_MOVES:
            raise MoveError(f"Expected 1 to {MOST_MOVES} moves, got {len(parts)}.")
        return parts
    marked = _MARKED.findall(text)
    if marked:
        return [marked[-1]]
    plain = _plain(text)
    if _NUMBERED.fullmatch(plain) or plain in map(_plain, words):
        return [text]
    return [_mentioned(text, plain, words, legal)]


def _from_json(text: str) -> Iterator[Any]:
    """The moves that JSON objects and lists in the text name, last first."""
    decoder, end, found = json.JSONDecoder(object_pairs_hook=_object), 0, []
    for begin in [match.start() for match in re.finditer(r"[{\[]", text)][-MOST_OBJECTS:]:
        if begin < end or (text[begin] == "[" and text[:begin].strip("` \njson")):  # a list only as the whole answer
            continue
        try:
            data, end = decoder.raw_decode(text, begin)
        except (ValueError, RecursionError):
            continue
        found.append(data)
    for data in reversed(found):
        given = _given(data)
        if given is not None:
            yield given


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object. A key that is there again with another value has `SEVERAL` instead."""
    data = dict(pairs)
    if len(data) == len(pairs):
        return data
    return data | {key: SEVERAL for key, value in pairs if value != data[key]}


def _given(data: Any, depth: int = 4) -> Any:
    """The move or moves in a JSON value; None if it has none."""
    if isinstance(data, list):
        return data if data and all(isinstance(one, int | str | float) for one in data) else None
    if not isinstance(data, dict) or not depth:
        return None
    for key in KEYS:
        if data.get(key) is not None:
            return data[key]
    for inner in ("arguments", "function", "parameters", "input"):
        held = data.get(inner)
        if isinstance(held, str):
            try:
                held = json.loads(held, object_pairs_hook=_object)
            except (ValueError, RecursionError):
                continue
        given = _given(held, depth - 1)
        if given is not None:
            return given
    return None


def _mentioned(text: str, plain: str, words: Sequence[str], legal: Mapping[int, str]) -> str:
    """The only move that a longer text mentions."""
    padded = f" {plain} "
    named = {number: phrase for number, words in legal.items() if f" {(phrase := _plain(words))} " in padded}
    longest = [
        number
        for number, phrase in named.items()
        if not any(phrase != other and phrase in other for other in named.values())
    ]
    if len(longest) == 1:
        return str(longest[0])
    if not longest and (other := _like_a_move(plain, words)):
        raise MoveError(f"There is no legal move {shown(other, 90)}.")
    numbers: set[str] = set(re.findall(r"(?<![\w.-])[0-9]{1,9}(?![\w]|\.\d)", text))
    if not longest and len(numbers) == 1:
        return numbers.pop()
    if longest or numbers:
        raise MoveError(UNDECIDED)
    raise MoveError(f"The answer names no move: {shown(text if len(text) <= 80 else text[:77] + '...', 90)}.")


def _like_a_move(plain: str, words: Sequence[str]) -> str:
    """What differs from the words of a move at most in its number; "" if nothing does."""
    forms = {_NUMBER.sub(r"[+-]?\\d+", phrase) for phrase in map(_plain, words) if _NUMBER.search(phrase)}
    found = re.search(rf"(?<!\S)(?:{'|'.join(forms)})(?!\S)", plain) if forms else None
    return found[0] if found else ""


def _action(part: Any, words: Sequence[str]) -> int:
    """The number of the action that `part` names, which may be illegal."""
    if isinstance(part, float) and part.is_integer():
        part = int(part)
    if isinstance(part, bool) or not isinstance(part, int | str):
        raise MoveError(f"{shown(part)} is no move.")
    plain = _plain(str(part))
    by_words = {_plain(one): number for number, one in enumerate(words)}
    if plain in by_words:
        return by_words[plain]
    numbered = _NUMBERED.fullmatch(plain)
    if numbered is None or int(numbered[1]) >= len(words):
        raise MoveError(f"There is no move {shown(part)}.")
    number, rest = int(numbered[1]), numbered[2]
    if rest is not None and by_words.get(rest, number) != number:
        raise MoveError(f"Move {number} is {words[number]!r}, and not {shown(rest)}.")
    if rest is not None and rest not in by_words:
        raise MoveError(f"{shown(part)} is neither a number nor the words of a move.")
    return number


def _plain(text: str) -> str:
    """Lower-case words with single spaces. Punctuation is dropped, except a sign before a number."""
    return " ".join(re.findall(r"[+-]\d+|\w+", text.lower().replace("_", " ")))
