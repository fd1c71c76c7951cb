"""The generated pages say what the layouts say."""

import re

import pytest

from chocofactory_env.games.chocofactory.display.pages import describe_observations
from chocofactory_env.games.chocofactory.observation import observation_layout


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
