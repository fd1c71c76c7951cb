"""What pages say of positions, observations, and decks, beyond the names of fields."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path

import pytest
from all_games import raw_tensors
from chocofactory_decks import EXPANDED, EXPANSION
from damaged_decks import write
from repository import ROOT

import chocofactory_env as cf
from chocofactory_env.core.text.layout_pages import table_of
from chocofactory_env.games.chocofactory.constants import Pattern, Symbol, Task

PROTOCOL = (ROOT / "docs" / "chocofactory" / "protocol.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("expansion", [None, EXPANSION])
def test_a_place_keeps_its_packet_number_until_the_draft_ends(expansion: str | None) -> None:
    assert "A place keeps its packet number when its card is gone (observations show 0 there)" in PROTOCOL
    game = cf.load("chocofactory", num_players=3, expansion=expansion)
    state, sample, gone = game.new(seed=5), cf.LegalSampler(seed=5), 0
    dealt = game.to_dict(state)
    while game.to_dict(state)["phase"] == "draft":
        table = game.to_dict(state)
        assert table["part_packets"] == dealt["part_packets"]
        assert table["employee_packets"] == dealt["employee_packets"]
        shown = raw_tensors(game, state, 0)["part_packets"].tolist()
        assert shown == [
            0 if part is None else packet + 1
            for part, packet in zip(table["display_parts"], table["part_packets"], strict=True)
        ]
        gone += table["display_parts"].count(None)
        if expansion and table["display_employees"]["extra"] is None:
            assert raw_tensors(game, state, 0)["extra_packet"].tolist() == [0]
        game.apply(state, sample.one(game.legal_mask(state)))
    assert gone > 0
    assert set(game.to_dict(state)["part_packets"]) == {None}


def test_sets_are_numbered_by_their_lowest_kind(tmp_path: Path) -> None:
    """Whatever their order in the file."""
    sets = [
        {"pieces": {"nuts": 1, "boxed": 1}, "spaces": 2},
        {"pieces": {"caramel": 2}, "spaces": 1},
        {"pieces": {"chunks": 1, "fingers": 1}, "spaces": 1},
    ]
    deck = deepcopy(EXPANDED)
    store = next(card for card in deck[EXPANSION]["stores"] if card["side"] == "D" and card["pattern"] == "sets")
    store["sets"] = sets
    side = "".join("D" if name == store["store"] else "A" for name in STORES)
    game = cf.load("chocofactory", deck=write(tmp_path / "sets.toml", deck), expansion=EXPANSION, sides=side)
    rules = raw_tensors(game, game.new(seed=1), 0)["new_rules"][STORES.index(store["store"])]
    assert rules[2:7].tolist() == [1, 1, 2, 3, 3]


STORES = ("palace_boutique", "fresh_fancies", "salters_emporium", "house_of_luxury", "dunstan_gilberts")


def test_the_page_of_observations_has_the_meaning_of_numbers() -> None:
    blocks = cf.load("chocofactory", num_players=1, expansion=EXPANSION).observation_layout.blocks
    page = "\n".join(table_of([1], [blocks], {}))
    patterns = ", ".join(f"{pattern + 1} {pattern.name.lower()}" for pattern in Pattern)
    symbols = ", ".join(f"{symbol + 1} {symbol.name.lower()}" for symbol in Symbol)
    assert page.count(f"Values of pattern + 1: {patterns}.") == 2
    assert f"Values of option 1 take 1 to option 2 make 2: {symbols}." in page
    assert "Values of take and make: 1 bean" in page
    assert Task.BORROW.name.lower() not in page.partition("`task`")[2].partition("\n")[0]
