"""Actions are declared once: constants and verbs follow from the layout, whose order the playthroughs record."""

from __future__ import annotations

from chocofactory_env.games.chocofactory import actions
from chocofactory_env.games.chocofactory.actions import ACTIONS, NUM_ACTIONS, VERB_OF


def test_constants_are_the_first_numbers_of_their_verbs() -> None:
    assert {verb: getattr(actions, verb.upper()) for verb, _ in ACTIONS.verbs} == ACTIONS.first


def test_every_number_knows_its_verb() -> None:
    for action in range(NUM_ACTIONS):
        verb, argument = ACTIONS.decode(action)
        assert VERB_OF[action] == ACTIONS.first[verb]
        assert action - VERB_OF[action] == argument
