"""Actions are declared once: no code depends on the order of the declarations."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from repository import ROOT

from chocofactory_env.games.chocofactory import actions
from chocofactory_env.games.chocofactory.actions import ACTIONS, NUM_ACTIONS, VERB_OF

# Plays uncompiled with the declarations in another order, and prints what was played and what came of it.
PLAY = """
import importlib.util, json, re, sys
from pathlib import Path

name = "chocofactory_env.games.chocofactory.actions"
spec = importlib.util.find_spec(name)
text = Path(spec.origin).read_text(encoding="utf-8")
table = re.search(r"ActionLayout\\(\\n    \\[\\n(.*?)    \\]", text, re.DOTALL).group(1)
lines = table.splitlines(keepends=True)
assert len(lines) == 20, lines
if sys.argv[1] == "swapped":
    text = text.replace(table, "".join(reversed(lines)))
module = importlib.util.module_from_spec(spec)
sys.modules[name] = module
exec(compile(text, spec.origin, "exec"), module.__dict__)

import chocofactory_env as cf

for players in (1, 2):
    game = cf.load("chocofactory", num_players=players, play_forced=False)
    state, number = game.new(seed=3), 0
    while not game.is_over(state) and number < 400:
        legal = sorted((game.describe(int(action)), int(action)) for action in game.legal_mask(state).nonzero()[0])
        words, action = legal[number * 7919 % len(legal)]
        game.apply(state, action)
        print(json.dumps([action, words]))
        number += 1
    print(json.dumps([-1, game.scores(state).tolist()]))
"""


def played(order: str) -> list[list[int | str | list[int]]]:
    command = [sys.executable, "-c", PLAY, order]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_constants_are_the_first_numbers_of_their_verbs() -> None:
    assert {verb: getattr(actions, verb.upper()) for verb, _ in ACTIONS.verbs} == ACTIONS.first


def test_every_number_knows_its_verb() -> None:
    for action in range(NUM_ACTIONS):
        verb, argument = ACTIONS.decode(action)
        assert VERB_OF[action] == ACTIONS.first[verb]
        assert action - VERB_OF[action] == argument


def test_the_order_of_the_declarations_does_not_matter() -> None:
    declared, swapped = played("declared"), played("swapped")
    assert [words for _, words in declared] == [words for _, words in swapped]
    assert [action for action, _ in declared] != [action for action, _ in swapped]
    used = {ACTIONS.decode(int(action))[0] for action, _ in declared if isinstance(action, int) and action >= 0}
    assert len(used) >= 15, used
