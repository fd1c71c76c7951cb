"""Decks of strangers: whatever a file holds, it is refused with a short and clear error, or played to the end.

`CF_MUTANTS` says how many decks of each game (default 30).
"""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import candyfactory_decks
import chocofactory_decks
import numpy as np
import pytest
import schoko_decks
from all_games import NAMES, steps
from damaged_decks import Tables, damaged, write
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from long_runs import amount

import chocofactory_env as cf
from chocofactory_env.core.errors import DeckError
from chocofactory_env.core.jit import COMPILED
from chocofactory_env.drawing.check import faults
from chocofactory_env.drawing.scene import Scene
from chocofactory_env.games.candyfactory.display import describe_cards as candy_pages
from chocofactory_env.games.chocofactory.display import describe_cards as choco_pages
from chocofactory_env.games.chocofactory.words import most_difficulty
from chocofactory_env.games.schoko.display import describe_cards as schoko_pages
from chocofactory_env.view.views import scene_of

MUTANTS = amount("CF_MUTANTS", 30 if COMPILED else 20, 3_000)
MOST_DECISIONS = 20_000
SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large)
SECONDS = 30  # of processor time for one deck; it takes less than one
CUT = " is cut"  # the fault of a picture that names of any length may make
DECKS = 4 if COMPILED else 1
LONG_NAMES = ("W" * 40, "A name of many words, as long as can be", "Schokoladenmandelsplitter", "ü€漢字", "x")
CITIES = ["W" * 20, "i", "New Amsterdam-on-Sea", "x y z", "Å" * 9]

Options = dict[str, Any]


def choco_options(path: Path, rng: random.Random) -> Options:
    expansion = rng.choice((None, chocofactory_decks.EXPANSION))
    options: Options = {"expansion": expansion, "num_players": rng.randint(1, 4), "deck": str(path)}
    options["sides"] = rng.choice("AB" if expansion is None else "CD") if rng.random() < 0.3 else "random"
    if options["num_players"] == 1:
        game: Any = cf.load("chocofactory", **options)
        options["difficulty"] = rng.randint(0, most_difficulty(game.cards))
    return options


def candy_options(path: Path, rng: random.Random) -> Options:
    variety = rng.choice(("full", "plantation", "candy"))
    return {"deck": str(path), "num_players": rng.randint(2, 4), "game": variety}


def schoko_options(path: Path, rng: random.Random) -> Options:
    return {"deck": str(path), "num_players": rng.randint(2, 4)}


# The shipped deck, any within the schema, the options of a variant, and the page about a deck.
GAMES: dict[str, tuple[Tables, Callable[..., Tables], Callable[..., Options], Callable[[str], str]]] = {
    "chocofactory": (chocofactory_decks.EXPANDED, chocofactory_decks.any_deck, choco_options, choco_pages.describe),
    "candyfactory": (candyfactory_decks.SHIPPED, candyfactory_decks.any_deck, candy_options, candy_pages.describe),
    "schoko": (schoko_decks.shipped(), schoko_decks.any_deck, schoko_options, schoko_pages.describe),
}


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_whatever_a_deck_holds_it_is_refused_clearly_or_played_to_the_end(name: str, tmp_path: Path) -> None:
    shipped, any_deck, options, describe = GAMES[name]
    results: Counter[str] = Counter()
    path = tmp_path / "my_deck.toml"

    @settings(max_examples=MUTANTS, deadline=None, database=None, derandomize=True, suppress_health_check=SLOW)
    @given(data=st.data(), seed=st.integers(0, 2**32))
    def refused_or_played(data: st.DataObject, seed: int) -> None:
        rng = random.Random(seed)
        path.write_bytes(data.draw(damaged(shipped if rng.random() < 0.3 else any_deck(rng))))
        begun = time.process_time()
        try:
            game = cf.load(name, play_forced=rng.random() < 0.8, **options(path, rng))
        except DeckError as error:
            check_message(str(error), path, seed)
            results["refused"] += 1
        else:
            play_to_the_end(game, seed)
            assert describe(str(path)).startswith("# ")
            results["played"] += 1
        assert time.process_time() - begun < SECONDS, f"seed {seed}"

    refused_or_played()
    assert min(results["played"], results["refused"]) >= MUTANTS // 10, results


def check_message(message: str, path: Path, seed: int) -> None:
    """File and place, what was expected and what is there, in few words."""
    assert re.search(rf"{path}.*: expected \S.*, got \S", message, re.DOTALL), f"seed {seed}: {message}"
    assert len(message) < 1_000, f"seed {seed}: {len(message)} characters"
    assert message.isprintable() or "\n" in message, f"seed {seed}: {message!r}"


def play_to_the_end(game: Any, seed: int) -> None:
    """Observations lie within their highs, positions come back and are drawn, and no number has wrapped."""
    raw = np.empty(game.observation_layout.raw_size, np.uint8)
    for step, (state, action) in enumerate(islice(steps(game, seed), MOST_DECISIONS)):
        game.write_raw_observation(state, step % game.num_players, raw)
        assert (raw <= game.observation_layout.raw_high).all(), f"seed {seed}, step {step}"
        check_exact(game, state, raw)
        if step % 40 == 0 or action < 0:
            look_at(game, state, step)
            if game.name != "chocofactory":  # whose boxes may lie over a long name; test_scene looks at shipped cards
                mover = None if action < 0 else game.current_player(state)
                assert faults_but_cuts(scene_of(game, state, mover)) == [], f"seed {seed}, step {step}"
    assert game.is_over(state), f"seed {seed}: no end"


def faults_but_cuts(scene: Scene) -> list[str]:
    return [fault for fault in faults(scene) if not fault.endswith(CUT)]


def look_at(game: Any, state: np.ndarray, seed: int) -> None:
    """The position can be shown, written, read again, and redealt."""
    raw = np.empty(game.observation_layout.size, np.uint8)
    for seat in range(game.num_players):
        game.write_raw_observation(state, seat, raw)
        assert (raw <= game.observation_layout.high).all()
    assert max(map(len, game.render(state).splitlines())) <= 100
    for position in (state, game.redeal(state, 0, seed)):
        described = game.to_dict(position)
        assert game.to_dict(game.from_dict(described)) == described


def check_exact(game: Any, state: np.ndarray, raw: np.ndarray) -> None:
    """What cannot be beyond a high is shown as it is, and nothing is below 0."""
    players = state["seats" if game.name == "candyfactory" else "players"][0]
    for field in {"coal", "money", "earned_today", "pieces", "completed", "track", "cash"} & {*players.dtype.names}:
        assert (players[field] >= 0).all(), field
    if game.num_players == 1:
        seen, needed = game.observation_layout.tensors(raw), state["needed"][0]
        for field in ("money", "orders", "steps"):
            assert np.array_equal(seen[f"{field}_needed"].squeeze(), needed[field]), field


def renamed(tables: Tables, rng: random.Random) -> Tables:
    """Names as long, and of such letters, as a deck may have."""
    for table, cards in tables.items():
        if isinstance(cards, dict):
            renamed(cards, rng)
            continue
        for card in cards:
            card["name"] = rng.choice(LONG_NAMES)
            if (table, "cities" in card) == ("setup", True):
                card["cities"] = CITIES
    return tables


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_names_of_any_length_have_room(name: str, tmp_path: Path) -> None:
    """Names too long for their places are cut, and nothing lies over them."""
    path = tmp_path / "my_deck.toml"
    for seed in range(DECKS):
        rng = random.Random(seed)
        write(path, renamed(GAMES[name][1](rng), rng))
        game = cf.load(name, deck=str(path), **variant(name, seed))
        for step, (state, action) in enumerate(steps(game, seed)):
            if step % 50 == 0 and action >= 0:
                viewer = game.current_player(state)
                assert faults_but_cuts(scene_of(game, state, viewer)) == [], f"seed {seed}, step {step}"


def variant(name: str, seed: int) -> Options:
    """Numbers of players in turn, with and without the expansion."""
    if name != "chocofactory":
        return {"num_players": seed % 3 + 2}
    return {"num_players": seed % 4 + 1, "expansion": chocofactory_decks.EXPANSION if seed % 2 else None}
