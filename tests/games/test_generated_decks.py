"""Generated decks play like any other: conformance, the oracles, hidden cards, and what may vary.

`CF_DECKS` says how many decks of each game (default 2, at full length 300), `CF_FIRST_DECK` the first of them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from all_games import NAMES, check_hidden
from long_runs import amount
from oracles.candyfactory.pair import Pair as CandyPair
from oracles.chocofactory.pair import Pair as ChocoPair
from oracles.schoko.pair import Pair as SchokoPair
from processes import output

import chocofactory_env as cf
from chocofactory_env.core.jit import COMPILED
from chocofactory_env.testing import check_game

DECKS = amount("CF_DECKS", 2 if COMPILED else 1, 300)
FIRST = int(os.environ.get("CF_FIRST_DECK", "0"))
MANY = {"chocofactory": "orders", "candyfactory": "recipes", "schoko": "contracts"}  # a table of many cards
EVERY = pytest.mark.parametrize("game", NAMES)
STRAYS = (0, 1)
PAIRS: dict[str, Callable[..., Any]] = {
    "chocofactory": ChocoPair,
    "candyfactory": lambda seed, players, forced, deck: CandyPair(
        seed, False, deck, num_players=players, play_forced=forced
    ),
    "schoko": SchokoPair,
}
# Hashes of deck 17: a change of distributions, schema or draws changes the game of every number.
PINNED: dict[tuple[str, int], str] = {
    ("chocofactory", 0): "230cfbacb75bd656af785de2870862c137d827ef6191511be238ed095909dedd",
    ("chocofactory", 1): "993d827d8183a4dc766890dd75a57e8621bd5522e6df6d265d54acfc0795af7f",
    ("candyfactory", 0): "b3bea69095690324b8b5c20a3e768054073618e34e194c6ac015c9875ec4b8c3",
    ("candyfactory", 1): "a95e8f68fccf4922c662f63b4de2c208f23df6e54ff59d2412db198a96394fc3",
    ("schoko", 0): "cc22396886a230ee657bfb0fef676e6208d83dcbfddec399cf8b7312959345e2",
    ("schoko", 1): "93e18ecef35011ebf20aa111ee3988d096b941a43c97cdc4067d181f2a54f79b",
}


def numbered() -> list[tuple[int, int]]:
    """Number and stray of the decks to be played, every second one far."""
    return [(number, number % len(STRAYS)) for number in range(FIRST, FIRST + DECKS)]


def variant(game: str, number: int) -> dict[str, Any]:
    """Numbers of players in turn."""
    return {"num_players": 1 + number % 4 if game == "chocofactory" else 2 + number % 3}


def loaded(game: str, number: int, stray: int) -> Any:
    name = cf.generate_deck(game, number, stray=stray).name
    return cf.load(game, deck=name, **variant(game, number))


# --- play


@pytest.mark.slow
@pytest.mark.long
@EVERY
def test_the_engine_follows_the_oracle_with_generated_decks(game: str) -> None:
    for number, stray in numbered():
        players, deck = variant(game, number)["num_players"], cf.generate_deck(game, number, stray=stray)
        try:
            PAIRS[game](number, players, number % 5 > 0, deck).play()
        except AssertionError as error:
            raise AssertionError(deck.name) from error


@pytest.mark.slow
@pytest.mark.long
@EVERY
def test_generated_decks_conform(game: str) -> None:
    """One game of each deck, in which not all that is hidden comes up: the next test is about that."""
    for number, stray in numbered():
        check_game(loaded(game, number, stray), seeds=[number], hidden=False)


@pytest.mark.slow
@pytest.mark.long
@EVERY
def test_what_lies_hidden_changes_nothing_that_a_seat_sees(game: str) -> None:
    """Byte for byte, and every number lies within its high."""
    rng = np.random.default_rng(1)
    for number, stray in numbered():
        check_hidden(loaded(game, number, stray), number, 9, rng)


# --- decks


@EVERY
@pytest.mark.parametrize("stray", STRAYS)
def test_a_deck_can_be_saved_read_and_edited(game: str, stray: int, tmp_path: Path) -> None:
    deck = cf.generate_deck(game, 17, stray=stray)
    deck.save(tmp_path / "my.toml")
    by_name, by_file = (cf.load(game, deck=source) for source in (deck.name, tmp_path / "my.toml"))
    assert by_name.deck_hash == by_file.deck_hash == PINNED[game, stray]
    deck.tables[MANY[game]].reverse()
    deck.save(tmp_path / "my.toml")
    assert cf.load(game, deck=tmp_path / "my.toml").deck_hash != PINNED[game, stray]
    assert cf.load(game, deck=deck.name).deck_hash == PINNED[game, stray]


def test_another_process_draws_the_same_decks() -> None:
    program = (
        "import json, sys, chocofactory_env as cf\n"
        "print(json.dumps([cf.load(game, deck=deck).deck_hash for game, deck in json.loads(sys.argv[1])]))"
    )
    wanted = [(game, cf.generate_deck(game, 17, stray=stray).name) for game, stray in PINNED]
    found = output("-c", program, json.dumps(wanted), PYTHONHASHSEED="7", CHOCOFACTORY_RULES="python")
    assert json.loads(found) == list(PINNED.values())


@EVERY
def test_published_cards_stay_unless_a_deck_strays_and_generated_ones_say_so(game: str) -> None:
    shipped = cf.load(game).cards  # type: ignore[attr-defined]  # of the package's own games
    seen = set()
    for number in range(20):
        near, far = (cf.load(game, deck=f"generated:{number},stray={stray}").cards for stray in STRAYS)  # type: ignore[attr-defined]  # the same
        for cards in (near, far):
            marked = {card for card in cards.names if cards.names[card].endswith("*")}
            assert marked == {card for card, source in cards.sources.items() if source == "generated"}
        for card, source in shipped.sources.items():
            if source != "reconstructed" and not shipped.reconstructed[card]:  # in part, it may be drawn anew
                assert near.sources[card] == source
        seen.add(near.hash)
        seen.add(far.hash)
    assert len(seen) == 40


def test_numbers_that_are_none_are_refused() -> None:
    with pytest.raises(ValueError, match="seed: expected"):
        cf.generate_deck("schoko", 10**9)
    with pytest.raises(ValueError, match="stray: expected"):
        cf.generate_deck("schoko", 1, stray=2)
    with pytest.raises(TypeError, match="seed: expected"):
        cf.generate_deck("schoko", "1")  # type: ignore[arg-type]  # no number
    with pytest.raises(ValueError, match="has no generated decks"):
        cf.generate_deck("toyrace.game:ToyRace", 1)
