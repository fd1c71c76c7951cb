"""What holds in every game: observations are written in full and show nothing hidden, and games end.

`CF_GAMES` says how many random games of every variant are played to the end (default 60).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from all_games import EVERY_VARIANT, check_hidden, load, steps
from long_runs import AT_LENGTH, amount

from chocofactory_env.core.jit import COMPILED
from chocofactory_env.testing import check_game

STRIDE = 3 if COMPILED else 29  # of the positions of a game
UNWRITTEN = (0x55, 0xAA)  # no entry can keep both
BEHIND = 16
PLAYED = amount("CF_GAMES", 60, 10_000) if COMPILED else 1
CHECKED = amount("CF_CHECKED_GAMES", 2, 20) if COMPILED else 1
MOST_DECISIONS = 12_000
DICE = {"candyfactory": ["roll_die"]}


@pytest.mark.slow
@pytest.mark.long
@EVERY_VARIANT
def test_a_game_keeps_what_every_game_promises(name: str, options: dict[str, Any]) -> None:
    # What only another seat can see comes up in few games of candyfactory: in two of four players, who take more turns.
    games = 1 if name != "candyfactory" else 2 if options["num_players"] == 4 and not AT_LENGTH else 3
    check_game(load(name, **options), seeds=range(games), max_actions=MOST_DECISIONS, dice=DICE.get(name, ()))


@pytest.mark.long
@EVERY_VARIANT
def test_every_entry_is_written_none_exceeds_its_high_and_nothing_else_is_written(
    name: str, options: dict[str, Any]
) -> None:
    game = load(name, **options)
    layout = game.observation_layout
    names = np.repeat([block.name for block in layout.blocks], [block.size for block in layout.blocks])
    one, other = buffers = np.empty((2, layout.raw_size + BEHIND), np.uint8)
    assert layout.raw_size == layout.size  # so that an entry is a byte
    for number, (state, _) in enumerate(steps(game, 1)):
        for seat in range(game.num_players) if number % STRIDE == 0 else ():
            for raw, unwritten in zip(buffers, UNWRITTEN, strict=True):
                raw.fill(unwritten)
                game.kernel.observe(game.tables, state, seat, raw[: layout.size])
                assert (raw[layout.size :] == unwritten).all()
            seen = one[: layout.size]
            assert set(names[seen != other[: layout.size]]) == set(), "unwritten"
            assert set(names[seen > layout.high]) == set(), "above the high"
            flat = game.observe(state, seat).flat
            assert flat.dtype == np.float32
            np.testing.assert_allclose(flat, seen / layout.high, rtol=1e-6)


@pytest.mark.long
@EVERY_VARIANT
def test_what_a_seat_cannot_see_changes_nothing_that_it_sees(name: str, options: dict[str, Any]) -> None:
    """Observation and mask, byte for byte; pictures and text are those of `test_every_scene.py`."""
    game, rng = load(name, **options), np.random.default_rng(1)
    assert sum(check_hidden(game, seed, 5 if COMPILED else 25, rng) for seed in range(CHECKED))


@pytest.mark.long
@EVERY_VARIANT
def test_random_games_end(name: str, options: dict[str, Any]) -> None:
    """No error, no empty mask, no stuck state."""
    game = load(name, **options)
    rng, state, mask = np.random.default_rng(1), game.new(1), np.empty(game.num_actions, np.int8)
    for played in range(PLAYED):
        if played:
            game.renew(state)
        game.write_mask(state, mask)
        for _ in range(MOST_DECISIONS):
            legal = np.flatnonzero(mask)
            assert len(legal), f"empty mask: seed {game.seed_of(state)}"
            if game.advance(state, int(legal[int(rng.random() * len(legal))]), mask) < 0:
                break
        assert game.is_over(state), f"stuck: seed {game.seed_of(state)}"
        assert not mask.any()
