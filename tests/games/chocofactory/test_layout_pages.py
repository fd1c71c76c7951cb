"""The generated pages say what the layouts say."""

import re

import pytest

from chocofactory_env.games.chocofactory.actions import ACTIONS
from chocofactory_env.games.chocofactory.display.pages import describe_observations
from chocofactory_env.games.chocofactory.observation import observation_layout
from chocofactory_env.games.chocofactory.positions.serial import describe


def test_every_action_has_words_of_its_own() -> None:
    assert len({describe(action) for action in range(ACTIONS.size)}) == ACTIONS.size


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("expanded", [False, True])
def test_named_entries_are_as_many_as_the_last_axis_has(players: int, expanded: bool) -> None:
    for block in observation_layout(players, expanded=expanded).blocks:
        assert len(block.entries) in (0, block.shape[-1]), block.name
        assert len(set(block.entries)) == len(block.entries), block.name


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_table_gives_the_highs_of_every_number_of_players(players: int) -> None:
    rows = [line.split(" | ") for line in describe_observations() if line.startswith("| `")]
    table = {row[0].strip("| `"): row for row in rows}
    for block in observation_layout(players, expanded=True).blocks:
        high = re.findall(r"\d+", table[block.name][2].partition("(")[0])
        assert int(high[0] if len(high) == 1 else high[players - 1]) == block.high, block.name
        assert ("Clipped." in table[block.name][3]) == block.clipped, block.name


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_table_gives_the_shapes_of_every_number_of_players(players: int) -> None:
    rows = {line.split("`")[1]: line.split(" | ")[1] for line in describe_observations() if line.startswith("| `")}
    for block in observation_layout(players, expanded=True).blocks:
        several, _, alone = rows[block.name].partition("P = 1: ")
        shape = alone if players == 1 and alone else several.rstrip("; ").replace("P", str(players))
        assert shape == str(block.shape), block.name
