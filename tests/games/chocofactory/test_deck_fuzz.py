"""Decks of strangers: whatever a file holds, it is refused with a short and clear error, or played to the end.

`CF_MUTANTS` says how many decks (default 30); `CF_SEED` the first of them.
"""

from __future__ import annotations

import copy
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import random_decks
from damaged_decks import Tables
from games_played import ENDS
from long_runs import amount
from strange_decks import check_strange_decks

from chocofactory_env.core.jit import COMPILED
from chocofactory_env.games.chocofactory.constants import MAX_PLAYERS
from chocofactory_env.games.chocofactory.display.describe_cards import describe
from chocofactory_env.games.chocofactory.game import ChocolateFactory
from chocofactory_env.games.chocofactory.positions.serial import most_difficulty

MUTANTS = amount("CF_MUTANTS", 30 if COMPILED else 20, 3_000)
MOST_DECISIONS = 20_000


@pytest.mark.slow
@pytest.mark.long
def test_whatever_a_deck_holds_it_is_refused_clearly_or_played_to_the_end(tmp_path: Path) -> None:
    check_strange_decks(tmp_path / "my_deck.toml", MUTANTS, any_deck, load, play_to_the_end, describe)


def any_deck(rng: random.Random) -> Tables:
    """The shipped one or one at random, with the expansion."""
    return copy.deepcopy(random_decks.EXPANDED) if rng.random() < 0.4 else random_decks.deck(rng)


def load(path: Path, rng: random.Random) -> ChocolateFactory:
    expansion = rng.choice((None, random_decks.EXPANSION))
    options: dict[str, Any] = {"num_players": rng.randint(1, MAX_PLAYERS), "play_forced": rng.random() < 0.8}
    options["sides"] = rng.choice("AB" if expansion is None else "CD") if rng.random() < 0.3 else "random"
    game = ChocolateFactory(path, expansion=expansion, **options)
    if game.num_players == 1:
        options["difficulty"] = rng.randint(0, most_difficulty(game.cards))
        game = ChocolateFactory(path, expansion=expansion, **options)
    return game


def play_to_the_end(game: ChocolateFactory, seed: int) -> None:
    """At random, mostly doing something. Observations lie within their highs, and nothing wraps."""
    rng = np.random.default_rng(seed)
    state = game.new(seed)
    mask = np.empty(game.num_actions, np.int8)
    layout = game.observation_layout
    raw = np.empty(layout.size, np.uint8)
    ends = np.array([game.decode(action)[0] in ENDS for action in range(game.num_actions)])
    game.write_mask(state, mask)
    for step in range(MOST_DECISIONS):
        legal = np.flatnonzero(mask)
        assert len(legal), f"seed {seed}: empty mask"
        doing = legal[~ends[legal]]
        legal = doing if len(doing) and rng.random() < 0.9 else legal
        player = game.advance(state, int(legal[rng.integers(len(legal))]), mask)
        game.kernel.observe(game.tables, state, step % game.num_players, raw)
        assert (raw <= layout.high).all(), f"seed {seed}"
        check_exact(game, state, raw, seed)
        if player < 0:
            break
    assert game.is_over(state), f"seed {seed}: no end"
    assert max(map(len, game.render(state).splitlines())) <= 100, f"seed {seed}"
    table = game.to_dict(state)
    assert game.to_dict(game.from_dict(table)) == table, f"seed {seed}"


def check_exact(game: ChocolateFactory, state: np.ndarray, raw: np.ndarray, seed: int) -> None:
    """What cannot be beyond a high is shown as it is, and no number has wrapped."""
    players = state["players"][0]
    for field in ("coal", "money", "earned_today", "pieces", "completed", "track"):
        assert (players[field] >= 0).all(), f"seed {seed}: {field}"
    if game.num_players == 1:
        seen = game.observation_layout.tensors(raw)
        needed = state["needed"][0]
        assert seen["money_needed"][0] == needed["money"], f"seed {seed}"
        assert seen["orders_needed"].tolist() == needed["orders"].tolist(), f"seed {seed}"
        assert seen["steps_needed"].tolist() == needed["steps"].tolist(), f"seed {seed}"
