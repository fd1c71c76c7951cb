"""Decks of one's own: what is refused, with the place of the mistake; whatever else a file holds is played to the end.

`CF_MUTANTS` says how many decks (default 30); `CF_SEED` the first of them.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from damaged_decks import Tables, write
from long_runs import amount
from schoko_decks import any_deck, card, setup, shipped
from strange_decks import check_strange_decks

from chocofactory_env.core.errors import DeckError
from chocofactory_env.core.jit import COMPILED
from chocofactory_env.games.schoko.cards import load_cards
from chocofactory_env.games.schoko.display.describe_cards import describe
from chocofactory_env.games.schoko.game import Schoko

MUTANTS = amount("CF_MUTANTS", 30 if COMPILED else 20, 2_000)
MOST_DECISIONS = 12_000


def test_a_deck_replaces_the_tables_that_it_has(tmp_path: Path) -> None:
    own = {"setup": shipped()["setup"]}
    own["setup"][0].update(cash=120, staff=[5, 5, 5, 5])
    cards, base = load_cards(write(tmp_path / "own.toml", own)), load_cards()
    assert cards.record.cash == 120
    assert cards.record.staff.tolist() == [5, 5, 5, 5]
    assert cards.contracts == base.contracts
    assert cards.hash != base.hash


def test_the_hash_is_that_of_what_is_played(tmp_path: Path) -> None:
    own = shipped()
    own["contracts"][0].update(name="Another Kiosk", note="A remark.")
    own["events"].reverse()
    assert load_cards(write(tmp_path / "own.toml", own)).hash == load_cards().hash
    own["contracts"].reverse()
    assert load_cards(write(tmp_path / "own.toml", own)).hash != load_cards().hash


REFUSALS: list[tuple[Callable[[Tables], Any], str]] = [
    (lambda t: t.pop("contracts") and t.update(contracts=[]), "contracts: expected 15 to 23 contracts, got 0"),
    (lambda t: t["contracts"].__delitem__(slice(9)), "contracts: expected 15 to 23 contracts, got 14"),
    (
        lambda t: t["contracts"].append({**t["contracts"][0], "id": "one-more"}),
        "contracts: expected 15 to 23 contracts, got 24",
    ),
    (lambda t: card(t, "contracts", "airline").update(bars=7), "contracts 'airline': bars: expected an integer 1..6"),
    (lambda t: card(t, "contracts", "airline").update(bars=0), "contracts 'airline': bars: expected an integer 1..6"),
    (
        lambda t: card(t, "contracts", "airline").update(highest=151),
        "contracts 'airline': highest: expected an integer 1..150, got 151",
    ),
    (
        lambda t: card(t, "contracts", "airline").update(highest=57),
        "contracts 'airline': highest: expected at least the 58 of `lowest`, got 57",
    ),
    (lambda t: card(t, "contracts", "airline").pop("lowest"), "contracts 'airline': lowest: expected this field"),
    (lambda t: card(t, "contracts", "airline").update(price=3), "contracts 'airline': price: expected no such field"),
    (
        lambda t: card(t, "contracts", "airline").update(id="spa-town"),
        "contracts 'spa-town': id: expected an id that no other card of the deck has",
    ),
    (lambda t: t["events"].pop(0), "events: expected 1 card with the effect 'stomach_upset', got 0"),
    (lambda t: t["events"].append({**t["events"][0], "id": "two"}), "events: expected 1 card with the effect"),
    (lambda t: card(t, "events", "shock").pop("amount"), "events 'shock': amount: expected this field"),
    (lambda t: card(t, "events", "upset").update(amount=1), "events 'upset': amount: expected no such field"),
    (lambda t: card(t, "events", "upset").update(effect="rain"), "events 'upset': effect: expected one of "),
    (lambda t: t["express"].pop(3), "express: expected 1 card with the effect 'holiday', got 0"),
    (
        lambda t: card(t, "express", "half-price").update(amount=0),
        "express 'half-price': amount: expected an integer 1..9",
    ),
    (lambda t: card(t, "express", "illness").update(amount=2), "express 'illness': amount: expected an integer 1..1"),
    (lambda t: t["setup"].append({**setup(t), "id": "again"}), "setup: expected 1 table, got 2"),
    (lambda t: setup(t).update(cash=251), "setup 'setup': cash: expected an integer 0..250, got 251"),
    (lambda t: setup(t)["salaries"].__setitem__(0, 7), "setup 'setup': salaries[0]: expected an even number"),
    (lambda t: setup(t)["salaries"].pop(), "setup 'setup': salaries: expected a list of 4 entries"),
    (lambda t: setup(t)["staff"].__setitem__(0, 21), "setup 'setup': staff[0]: expected an integer 1..20"),
    (lambda t: setup(t).update(loans=14), "setup 'setup': loans: expected an integer 0..13, got 14"),
    (lambda t: setup(t).update(shares=11), "setup 'setup': shares: expected an integer 0..10, got 11"),
    (lambda t: setup(t).update(cocoa_store=17), "setup 'setup': cocoa_store: expected an integer 1..16, got 17"),
    (lambda t: setup(t).update(last_field=16), "setup 'setup': last_field: expected an integer 1..15, got 16"),
    (lambda t: setup(t).update(highest_bid=31), "setup 'setup': highest_bid: expected an integer 1..30, got 31"),
    (lambda t: setup(t).update(hand=4), "setup 'setup': hand: expected an integer 0..3, got 4"),
    (lambda t: setup(t)["months"].update({"3": 8}), "setup 'setup': months.3: expected one of 6, 9, 12, got 8"),
    (lambda t: setup(t)["cities"].pop(), "setup 'setup': cities: expected a list of 5 entries"),
    (lambda t: setup(t)["share_price"].__setitem__(1, 61), "setup 'setup': share_price[1]: expected an integer 1..60"),
    (lambda t: setup(t).update(reconstructed=["coal"]), "setup 'setup': reconstructed[0]: expected one of "),
    (lambda t: t.update(orders=[]), "orders: expected no such table; the tables are contracts, events"),
]


@pytest.mark.parametrize(("change", "message"), REFUSALS, ids=[message[:60] for _, message in REFUSALS])
def test_a_mistake_is_refused_with_its_place(change: Callable[[Tables], Any], message: str, tmp_path: Path) -> None:
    """SET-3 to SET-9, STAFF-5, SALE-7: what a deck may hold."""
    tables = shipped()
    change(tables)
    path = write(tmp_path / "own.toml", tables)
    with pytest.raises(DeckError) as refused:
        load_cards(path)
    assert str(refused.value).startswith(f"{path}: {message}")


def test_what_is_no_path_is_refused() -> None:
    with pytest.raises(TypeError, match="deck: expected the path of a TOML file"):
        load_cards(3)  # type: ignore[arg-type]  # no path
    with pytest.raises(DeckError, match=r"nowhere\.toml: expected a file that can be read"):
        load_cards("nowhere.toml")


# --- decks of strangers


@pytest.mark.long
def test_whatever_a_deck_holds_it_is_refused_clearly_or_played_to_the_end(tmp_path: Path) -> None:
    check_strange_decks(tmp_path / "my_deck.toml", MUTANTS, shipped_or_any, load, play_to_the_end, describe)


def shipped_or_any(rng: random.Random) -> Tables:
    return shipped() if rng.random() < 0.3 else any_deck(rng)


def load(path: Path, rng: random.Random) -> Schoko:
    return Schoko(path, num_players=rng.randint(2, 4), play_forced=rng.random() < 0.8)


def play_to_the_end(game: Schoko, seed: int) -> None:
    """At random; observations lie within their highs, and positions come back."""
    rng = np.random.default_rng(seed)
    state = game.new(seed)
    mask = game.legal_mask(state)
    raw = np.empty(game.observation_layout.raw_size, np.uint8)
    for step in range(MOST_DECISIONS):
        legal = np.flatnonzero(mask)
        assert len(legal), f"seed {seed}: empty mask"
        player = game.advance(state, int(rng.choice(legal)), mask)
        game.write_raw_observation(state, step % game.num_players, raw)
        assert (raw <= game.observation_layout.raw_high).all(), f"seed {seed}"
        assert (state["players"]["cash"] >= 0).all(), f"seed {seed}"
        if step % 37 == 0 or player < 0:
            described = game.to_dict(state)
            assert game.to_dict(game.from_dict(copy.deepcopy(described))) == described, f"seed {seed}"
        if player < 0:
            break
    assert game.is_over(state), f"seed {seed}: no end"
    assert max(map(len, game.render(state).splitlines())) <= 100, f"seed {seed}"
