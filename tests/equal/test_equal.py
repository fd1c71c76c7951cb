"""Games, batches, environments, decks and agents do what they did when `digests.json` was recorded."""

from __future__ import annotations

import json

import pytest
from equal import DIGESTS, rows

from chocofactory_env.core.jit import COMPILED


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="uncompiled, it takes hours")
def test_everything_is_as_recorded() -> None:
    """After a change that is meant to change games: `python tests/equal/equal.py record`."""
    known = json.loads(DIGESTS.read_text(encoding="utf-8"))
    found = dict(rows())
    assert found == known
