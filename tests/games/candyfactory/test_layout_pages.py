"""The generated pages say what the layouts say, and every action has words."""

from __future__ import annotations

import re

import pytest
from candyfactory_games import load
from repository import ROOT

from chocofactory_env.games.candyfactory.actions import ACTIONS
from chocofactory_env.games.candyfactory.display.pages import describe_observations
from chocofactory_env.games.candyfactory.observation import observation_layout
from chocofactory_env.games.candyfactory.state import STATE
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
    for key in (*data, *data["players"][0], *data["turn"], *data["specialist_deck"][0]):
        assert f"`{key}`" in page, key


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_page_gives_every_block_with_its_high_and_the_size_of_all(players: int) -> None:
    page = [*describe_observations()]
    layout = observation_layout(players)
    rows = {line.split("`")[1]: line.split(" | ") for line in page if line.startswith("| `")}
    for block in layout.blocks:
        high = re.findall(r"\d+", rows[block.name][2].partition("(")[0])
        assert int(high[0] if len(high) == 1 else high[players - 2]) == block.high, block.name
    assert f"{layout.size} (P = {players})" in next(line for line in page if line.startswith("Size"))


def test_the_vocabulary_reads_positions() -> None:
    game = load(num_players=2, game="candy")
    state = game.new(1)
    assert (NAME, game.name) == ("candyfactory", "candyfactory")
    assert (half_of(state), step_of(state)) == (Half.CANDY, Step.LOAD)
    assert words_of(Half) == ("plantation", "candy")


def test_a_position_is_small_and_packed() -> None:
    """Equal positions are equal bytes, and copies are cheap."""
    assert not STATE.isalignedstruct
    assert STATE.itemsize < 1_100
