"""The pages of the protocol have every verb and key, those of observations what the layouts say."""

from __future__ import annotations

import re
from importlib import import_module

import pytest
from all_games import NAMES, load
from repository import ROOT

# Where the tables of a position are; those of all games are on a page of their own.
TABLES = {"chocofactory": ("players", "task"), "candyfactory": ("seats", "turn"), "schoko": ("players",)}
OF_ALL_GAMES = {"game", "deck", "options", "seed", "rng", "current"}
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


def protocol(name: str, heading: str) -> str:
    """A chapter of the game's page."""
    page = (ROOT / "docs" / name / "protocol.md").read_text(encoding="utf-8")
    return page.split(f"## {heading}\n")[1].split("\n## ")[0]


@pytest.mark.parametrize("name", NAMES)
def test_every_verb_is_on_the_protocol_page_in_its_order(name: str) -> None:
    rows = [line.split("|")[1] for line in protocol(name, "Actions").splitlines() if line.startswith("| `")]
    assert [verb for row in rows for verb in re.findall(r"`(\w+)`", row)] == [
        verb for verb, _ in load(name).action_layout.verbs
    ]


@pytest.mark.parametrize("name", NAMES)
def test_every_key_of_a_position_is_on_the_protocol_page(name: str) -> None:
    game, page = load(name), protocol(name, "A state as data")
    data = game.to_dict(game.new(1))
    tables = [data[table][0] if isinstance(data[table], list) else data[table] for table in TABLES[name]]
    for key in data.keys() - OF_ALL_GAMES | {key for table in tables for key in table}:
        assert f"`{key}`" in page, key
