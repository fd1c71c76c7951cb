"""What holds in every game: observations are written in full, and games depend on nothing but seed and actions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from all_games import EVERY_VARIANT, NAMES, load, steps
from fingerprints import fingerprint, fingerprint_elsewhere

from chocofactory_env.core.jit import COMPILED

STRIDE = 3 if COMPILED else 29  # of the positions of a game
UNWRITTEN = (0x55, 0xAA)  # no entry can keep both
BEHIND = 16


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


@pytest.mark.skipif(not COMPILED, reason="compares with the compiled rules, in processes of their own")
@pytest.mark.long
@pytest.mark.parametrize(
    "variables", [{"NUMBA_DISABLE_JIT": "1"}, {"PYTHONHASHSEED": "1"}], ids=lambda pair: next(iter(pair))
)
@pytest.mark.parametrize("name", NAMES)
def test_games_depend_neither_on_compiling_nor_on_the_process(name: str, variables: dict[str, str]) -> None:
    assert fingerprint_elsewhere(name, 1, **variables) == fingerprint(name, 1)
