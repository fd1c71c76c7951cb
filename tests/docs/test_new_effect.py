"""The worked examples of new-effect.md: their patches fit, their tests pass, the cards are played.

After a part function was added, values and networks learned before decide on the shipped deck as before.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import output
from repository import ROOT

from chocofactory_env.games.chocofactory.cards import DATA

PAGE = ROOT / "docs" / "new-effect.md"
SECTIONS = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
COPIED = (
    "agents",
    "arena",
    "chocofactory_env",
    "examples",
    "docs/chocofactory/rules.md",
    "pyproject.toml",
    "tests",
    "tools",
    "training",
)
PLAY_HOIST = """
import chocofactory_env as cf
import numpy as np
from chocofactory_env.agents.protocol import make_agent
from chocofactory_env.games.chocofactory.display.describe_cards import part_in_words
from chocofactory_env.games.chocofactory.display.pictures import part_words

game = cf.load("chocofactory", num_players=2, deck="deck.toml")
hoist = game.cards.parts.index("hoist")
assert part_in_words(game.cards.record.parts[hoist]) == "all pieces of the tile to the store room"
assert part_words(game.cards.record.parts[hoist])[0][0] == "all"
greedy, state, used = make_agent("greedy", game), game.new(0), 0
while not game.is_over(state):
    mask, seat = game.legal_mask(state), int(state["current"][0])
    wished = [("operate", slot) for slot in np.flatnonzero(state["players"]["factory"][0, seat] == hoist)]
    wished += [("draft_part", place) for place in np.flatnonzero(state["display_parts"][0] == hoist)]
    actions = [game.action_layout.encode(verb, int(argument)) for verb, argument in wished]
    action = next((each for each in actions if mask[each]), None)
    if action is None:
        action = cf.decide(game, greedy, state)
    used += game.action_layout.decode(action)[0] == "operate" and action in actions
    game.apply(state, action)
print(used)
"""
# What learned values say of positions of the shipped deck, and how networks and greedy play it.
DECIDE = """
import torch
import chocofactory_env as cf
from chocofactory_env.agents.chocofactory import shipped_value
from chocofactory_env.agents.protocol import make_agent
from chocofactory_env.agents.values import read_value

torch.set_num_threads(1)
for players in (1, 2):
    game = cf.load("chocofactory", num_players=players)
    value = read_value(shipped_value(players), game.name, game.value_features, game.value_stages)
    named = dict(zip(game.value_features, value.weights.T.tolist()))
    print(sorted(name for name, weights in named.items() if any(weights)))
    network, greedy = make_agent("learned", game), make_agent("greedy", game)
    state, decided = game.new(5), []
    for _ in range(40):
        mask = game.legal_mask(state)
        if mask.sum() > 1:
            value = cf.consider(game, network, state).value[1]
            decided.append((cf.decide(game, network, state), round(value, 4), cf.decide(game, greedy, state)))
        game.apply(state, decided[-1][0] if mask.sum() > 1 else int(mask.argmax()))
    print(decided)
"""


def hunks_of(section: str) -> Iterator[tuple[str, str, str]]:
    """For every hunk of the patches: the file, the lines that it expects there, and those that it leaves."""
    for patch in re.findall(r"```diff\n(.*?)```", section, re.DOTALL):
        head, *hunks = re.split(r"^@@.*\n", patch, flags=re.MULTILINE)
        path = head.splitlines()[1].removeprefix("+++ b/")
        for hunk in hunks:
            lines = hunk.splitlines(keepends=True)
            yield path, "".join(x[1:] for x in lines if x[0] in " -"), "".join(x[1:] for x in lines if x[0] in " +")


def patched(title: str, copy: Path) -> Path:
    """A copy of the repository with the patches of one section of the page."""
    for name in COPIED:
        source, target = ROOT / name, copy / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    [section] = [each for each in SECTIONS if each.startswith(f"{title}\n")]
    for path, before, after in hunks_of(section):
        text = (copy / path).read_text(encoding="utf-8")
        assert text.count(before) == 1, f"a patch of new-effect.md does not fit {path}; expected there:\n{before}"
        (copy / path).write_text(text.replace(before, after), encoding="utf-8")
    return copy


@pytest.fixture(scope="module")
def with_hoist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return patched("A part function", tmp_path_factory.mktemp("hoist"))


def run(copy: Path, *words: str) -> str:
    """The output of a Python process that sees the copy alone, uncompiled."""
    return output(*words, where=copy, PYTHONPATH=str(copy), CHOCOFACTORY_RULES="python")


def card_of(copy: Path, chapter: str, name: str) -> str:
    """The card in the page's test."""
    added = (copy / f"tests/games/chocofactory/rules/test_rules_{chapter}.py").read_text(encoding="utf-8")
    [card] = re.findall(rf'{name} = """(.*?)"""', added, re.DOTALL)
    return str(card)


def check_tests(copy: Path, chapter: str, name: str) -> None:
    """Those of the chapter pass, and the clause has code and a test."""
    files = (f"tests/games/chocofactory/rules/test_rules_{chapter}.py", "tests/docs/test_clauses.py")
    printed = run(copy, "-m", "pytest", "-v", *files, "-k", f"{name} or (every and chocofactory)")
    assert re.search(rf"{name}\S* PASSED", printed)
    assert re.search(r"test_clauses.py::test_every\S*chocofactory\S* PASSED", printed)


@pytest.mark.programs
def test_the_tests_of_the_part_function_pass(with_hoist: Path) -> None:
    check_tests(with_hoist, "parts", "hoist")


@pytest.mark.programs
def test_the_part_is_played(with_hoist: Path) -> None:
    """And its words are its own."""
    card = card_of(with_hoist, "parts", "hoist")
    parts = (DATA / "parts.toml").read_text(encoding="utf-8")
    deck = re.sub(r'id = "a-repeater".*?\n\n', f"{card}\n", parts, flags=re.DOTALL)
    (with_hoist / "deck.toml").write_text(deck, encoding="utf-8")
    assert int(run(with_hoist, "-c", PLAY_HOIST)) > 0


@pytest.mark.programs
def test_what_was_learned_before_decides_as_before(with_hoist: Path) -> None:
    before = run(ROOT, "-c", DECIDE)
    assert before.count("hand_tuned") == 2
    assert before.count("(") > 20
    assert run(with_hoist, "-c", DECIDE) == before


def test_a_part_function_is_written_in_five_places() -> None:
    [section] = [each for each in SECTIONS if each.startswith("A part function\n")]
    assert len({path for path, _, _ in hunks_of(section)}) == 5
