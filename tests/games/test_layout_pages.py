"""The generated pages of observations say what the layouts say, for every number of players."""

from __future__ import annotations

import re
from importlib import import_module

import pytest
from all_games import NAMES

CASES = [(name, players) for name in NAMES for players in range(1 if name == "chocofactory" else 2, 5)]


@pytest.mark.parametrize(("name", "players"), CASES)
def test_the_page_gives_the_shape_and_the_high_of_every_block(name: str, players: int) -> None:
    game = f"chocofactory_env.games.{name}"
    page = [*import_module(f"{game}.display.pages").describe_observations()]
    options = {"expanded": True} if name == "chocofactory" else {}
    layout = import_module(f"{game}.layout").observation_layout(players, **options)
    rows = {line.split("`")[1]: line.split(" | ") for line in page if line.startswith("| `")}
    first = min(number for game, number in CASES if game == name)
    for block in layout.blocks:
        _, shapes, high, words = rows[block.name]
        several, _, alone = shapes.partition("P = 1: ")
        shape = alone if players == 1 and alone else several.rstrip("; ").replace("P", str(players))
        assert shape == str(block.shape), block.name
        highs = re.findall(r"\d+", high.partition("(")[0])
        assert int(highs[0] if len(highs) == 1 else highs[players - first]) == block.high, block.name
        assert ("Clipped." in words) == block.clipped, block.name
    assert name == "chocofactory" or f"{layout.size} (P = {players})" in next(x for x in page if x.startswith("Size"))
