"""The page of the protocol has every verb and key, and the vocabulary reads positions."""

from __future__ import annotations

import re

from candyfactory_games import load
from repository import ROOT

from chocofactory_env.games.candyfactory.actions import ACTIONS
from chocofactory_env.games.candyfactory.state import State
from chocofactory_env.games.candyfactory.vocabulary import NAME, Half, Step, half_of, step_of, words_of


def test_every_verb_is_on_the_protocol_page_in_its_order() -> None:
    page = (ROOT / "docs" / "candyfactory" / "protocol.md").read_text(encoding="utf-8")
    table = page.split("## Actions")[1].split("## Steps")[0]
    verbs = [
        verb
        for line in table.splitlines()
        if line.startswith("| `")
        for verb in re.findall(r"`(\w+)`", line.split("|")[1])
    ]
    assert verbs == [verb for verb, _ in ACTIONS.verbs]


def test_every_key_of_a_position_is_on_the_protocol_page() -> None:
    page = (ROOT / "docs" / "candyfactory" / "protocol.md").read_text(encoding="utf-8").split("## A state as data")[1]
    game = load(num_players=2, play_forced=False)
    state = game.new(1)
    game.apply(state, int(game.legal_mask(state).argmax()))
    data = game.to_dict(state)
    for key in (*data, *data["seats"][0], *data["turn"]):
        assert f"`{key}`" in page, key


def test_the_vocabulary_reads_positions() -> None:
    game = load(num_players=2, game="candy")
    state = game.new(1)
    assert (NAME, game.name) == ("candyfactory", "candyfactory")
    assert (half_of(state), step_of(state)) == (Half.CANDY, Step.LOAD)
    assert words_of(Half) == ("plantation", "candy")


def test_a_position_is_small_and_packed() -> None:
    """Equal positions are equal bytes, and copies are cheap."""
    assert not State.dtype.isalignedstruct
    assert State.dtype.itemsize < 1_100
