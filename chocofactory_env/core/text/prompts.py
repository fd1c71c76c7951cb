"""What a prompt has besides the position: how to read and answer it, rules in brief, and the legal moves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Final

CHARACTERS_A_TOKEN: Final = 4  # of English text, with common tokenizers; numbers and commas need a few more tokens
NOTATION: Final = (
    "In a position, what lies on a thing follows it in brackets, and equal things are counted, as in `2× sugar`. "
    "Players, slots and other places have the numbers that moves name."
)
ANSWER: Final = (
    "Answer with the number of one legal move and nothing else. A number means the same move in every position. To "
    'plan ahead, answer with several as JSON: {"moves": [12, 40]}; they are played in turn while they are legal.'
)


def legal_moves(moves: Iterable[tuple[int, str]]) -> str:
    """One line for each move, with the number of its action."""
    return "Legal moves:\n" + "\n".join(f"{number}: {words}" for number, words in moves)


def estimate_tokens(text: str) -> int:
    """Estimate the tokens of a text without a tokenizer: a quarter of its characters, rounded up."""
    return -(-len(text) // CHARACTERS_A_TOKEN)


@cache
def brief_rules(package: str) -> tuple[str, Mapping[str, str]]:
    """The brief rules of the game in `package`, from its `data/brief.md`: for all phases, and by phase.

    A heading `## draft, run` begins a section for these phases only. `{name}` stands for a number of the deck; see
    `CompiledGame.numbers_in_brief`. Returns ("", {}) if there is no such file.
    """
    file = files(package).joinpath("data", "brief.md")
    if not file.is_file():
        return "", {}
    general, *sections = re.split(r"^## (.*)\n", file.read_text("utf-8"), flags=re.MULTILINE)
    phases: dict[str, str] = {}
    for names, words in zip(sections[::2], sections[1::2], strict=True):
        for name in names.split(", "):
            phases[name] = phases.get(name, "") + words.strip()
    return general.strip(), phases
