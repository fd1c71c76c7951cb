"""Neither random play of generated decks nor any position that is accepted leaves an array."""

from __future__ import annotations

import json
import sys

import mutations
import processes
import pytest
import random_play
from long_runs import AT_LENGTH

from chocofactory_env.core.jit import COMPILED

ON_GAMES = pytest.mark.parametrize("name", random_play.VARIANTS)
AT_LENGTH_ONLY = pytest.mark.skipif(not (COMPILED and AT_LENGTH), reason="builds all libraries again, for minutes")


def output(*words: str) -> str:
    """What a script prints with libraries that check bounds."""
    return processes.output(*words, path=sys.path, NUMBA_BOUNDSCHECK="1")


@pytest.mark.long
@pytest.mark.programs
@AT_LENGTH_ONLY
@ON_GAMES
def test_nothing_outside_an_array_is_read_or_written(name: str) -> None:
    amounts = ("--decks", "300", "--alone", "30", "--seed", "1")
    in_batches, alone = map(int, output(random_play.__file__, name, *amounts).split())
    assert in_batches > 100_000
    assert alone > 1_000


@pytest.mark.long
@pytest.mark.programs
@AT_LENGTH_ONLY
@ON_GAMES
def test_positions_changed_within_their_bounds_are_played_without_leaving_an_array(name: str) -> None:
    ends = json.loads(output(mutations.__file__, name, "--number", "12000", "--seed", "1"))
    assert ends.keys() <= set(mutations.ENDS.values())
    assert ends["over"] > 10_000


@ON_GAMES
def test_some_positions_changed_within_their_bounds_end(name: str) -> None:
    ends = mutations.outcomes(name, 36, seed=2)
    assert ends.keys() <= set(mutations.ENDS.values())
    assert ends["over"] > 18
