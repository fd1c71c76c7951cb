"""Decks of strangers: whatever a file holds, it is refused with a short and clear error, or played to the end.

`CF_MUTANTS` says how many decks (default 100); `CF_SEED` the first of them.
"""

from __future__ import annotations

import copy
import os
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import candy_decks
import numpy as np
import pytest
from candy_games import choose
from damaged_decks import damage, damage_text, document
from long_runs import amount
from mutations import look_at

from chocofactory_env.core.errors import DeckError
from chocofactory_env.core.jit import COMPILED
from chocofactory_env.drawing.check import faults
from chocofactory_env.games.candyfactory import tables
from chocofactory_env.games.candyfactory.constants import MAX_PLAYERS, MIN_PLAYERS
from chocofactory_env.games.candyfactory.describe_cards import describe
from chocofactory_env.games.candyfactory.game import CandyFactory
from chocofactory_env.games.candyfactory.variants import VARIETIES

MUTANTS = amount("CF_MUTANTS", 100 if COMPILED else 20, 3_000)
FIRST = int(os.environ.get("CF_SEED", "0"))
MOST_DECISIONS = 3_000
CUT = " is cut"  # the one fault of a picture that names of any length may make


@pytest.fixture(autouse=True)
def shipped_cards_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """They take longer to read than the mutants."""
    shipped, files = tables.read_shipped()
    monkeypatch.setattr(tables, "read_shipped", lambda: (dict(shipped), dict(files)))


def mutant(rng: random.Random) -> bytes:
    """The file of a deck: the shipped one or one at random, sound or damaged."""
    deck = copy.deepcopy(candy_decks.SHIPPED) if rng.random() < 0.3 else candy_decks.deck(rng)
    for _ in range(rng.choice((0, 0, 0, 1, 2, 5))):
        damage(rng, deck)
    text = document(deck).encode("utf-8", "surrogatepass")
    for _ in range(rng.choice((0, 0, 0, 0, 1, 3))):
        text = damage_text(rng, text)
    return text


@pytest.mark.slow
@pytest.mark.long
def test_whatever_a_deck_holds_it_is_refused_clearly_or_played_to_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "my_deck.toml"
    counts: Counter[str] = Counter()
    for seed in range(FIRST, FIRST + MUTANTS):
        rng = random.Random(seed)
        path.write_bytes(mutant(rng))
        options: dict[str, Any] = {
            "num_players": rng.randint(MIN_PLAYERS, MAX_PLAYERS),
            "game": rng.choice([*VARIETIES]),
            "play_forced": rng.random() < 0.8,
        }
        try:
            game = CandyFactory(path, **options)
        except DeckError as error:
            check_message(str(error), path, seed)
            counts["refused"] += 1
        else:
            play_to_the_end(game, seed)
            assert describe(str(path)).startswith("# ")
            counts["played"] += 1
    with capsys.disabled():
        print(f"\n{MUTANTS} decks: {dict(counts)}")
    assert min(counts["played"], counts["refused"]) >= MUTANTS // 10


def check_message(message: str, path: Path, seed: int) -> None:
    """File and place, what was expected and what is there, in few words."""
    assert re.search(rf"{path}.*: expected \S.*, got \S", message, re.DOTALL), f"seed {seed}: {message}"
    assert len(message) < 1_000, f"seed {seed}: {len(message)} characters"
    assert message.isprintable() or "\n" in message, f"seed {seed}: {message!r}"


def play_to_the_end(game: CandyFactory, seed: int) -> None:
    """At random, mostly doing something. Observations lie in their highs, positions come back and are drawn."""
    rng = np.random.default_rng(seed)
    state = game.new(seed)
    for step in range(MOST_DECISIONS):
        if step % 40 == 0 or game.is_over(state):
            look_at(game, state, step)
            mover = None if game.is_over(state) else game.current_player(state)
            seen = [fault for fault in faults(game.scene(state, mover)) if not fault.endswith(CUT)]
            assert seen == [], f"seed {seed}, step {step}"
        if game.is_over(state):
            return
        mask = game.legal_mask(state)
        assert mask.any(), f"seed {seed}: empty mask"
        game.apply(state, choose(game, mask, rng))
    raise AssertionError(f"seed {seed}: no end")
