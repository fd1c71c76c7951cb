"""Snapshots of batches: which set of games they belong to."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import chocofactory_env as cf

OF_SEVERAL: dict[str, list[dict[str, Any]]] = {
    "schoko": [{"months": [6, 12]}, {"months": [12, 6]}, {"months": [6, 8, 12]}, {"months": [6, 8]}, {"months": 12}],
    "candyfactory": [{"start_player": [0, 1]}, {"start_player": [None, 1]}, {"play_forced": [True, False]}, {}],
    "chocofactory": [{"sides": ["A", "B"]}, {"sides": ["A", "random"]}, {"start_player": [0, 1]}, {"sides": "B"}],
}
SETS: list[dict[str, Any]] = [
    {"num_players": [2, 3]},
    {"num_players": [3, 2]},
    {"num_players": [2, 4]},
    {"num_players": [2, 3, 4]},
    {"num_players": [2, 3], "decks": "generated:1-2"},
    {"decks": "generated:1-2"},
    {"decks": "generated:2-3"},
    {"decks": "generated:1-3"},
    {"decks": ["generated:1", None]},
]


def begun(games: Any, options: dict[str, Any] | None = None) -> cf.SelfPlayBatch:
    batch = cf.make_batch(games, 3, **(options or {}))
    batch.reset(seed=1)
    return batch


@pytest.mark.slow
@pytest.mark.parametrize("name", OF_SEVERAL)
def test_a_snapshot_of_another_set_is_refused_and_changes_nothing(name: str) -> None:
    batches = [begun(name, options) for options in SETS + OF_SEVERAL[name]]
    for one, other in permutations(batches, 2):
        before, shown = other.snapshot(), other.buffers.observations.tobytes()
        with pytest.raises(ValueError, match="the snapshot does not fit this batch"):
            other.restore(one.snapshot())
        assert all(np.array_equal(array, before[kept]) for kept, array in other.snapshot().items())
        assert other.buffers.observations.tobytes() == shown
        other.restore(before)


def test_a_list_of_one_value_is_no_other_set() -> None:
    listed, plain = (
        begun("schoko", {"num_players": [3], "months": [6, 12]}),
        begun("schoko", {"num_players": 3, "months": [6, 12]}),
    )
    plain.restore(listed.snapshot())
    assert [plain.state(row).tobytes() for row in range(3)] == [listed.state(row).tobytes() for row in range(3)]


def test_a_snapshot_of_decks_whose_files_changed_is_refused(tmp_path: Path) -> None:
    paths = [tmp_path / "one.toml", tmp_path / "two.toml"]
    for seed, path in enumerate(paths):
        cf.generate_deck("schoko", seed).save(path)
    batch = begun("schoko", {"decks": paths})
    batch.reset(options={"decks": [paths[1]]})
    kept = batch.snapshot()
    cf.generate_deck("schoko", 7).save(paths[1])
    other = begun("schoko", {"decks": paths})
    before = other.snapshot()
    with pytest.raises(ValueError, match=r"does not fit this batch: expected other positions: game 0: .*two\.toml"):
        other.restore(kept)
    assert all(np.array_equal(array, before[name]) for name, array in other.snapshot().items())


@pytest.mark.parametrize("field", ["variant", "final_variant", "wanted", "first_choice", "num_choices"])
@pytest.mark.parametrize("number", [-1, 9, 2**31 - 1])
def test_numbers_of_games_that_the_set_lacks_are_refused(field: str, number: int) -> None:
    batch = begun("schoko", {"num_players": [2, 3]})
    kept = batch.snapshot()
    kept["row_info"].view(batch._batch.row_info.dtype)[field][1] = number
    with pytest.raises(ValueError, match=r"^the snapshot"):
        batch.restore(kept)


def test_a_snapshot_of_another_list_of_loaded_games_is_refused() -> None:
    two, three, four = (cf.load("schoko", num_players=number) for number in (2, 3, 4))
    kept, other = begun([two, three]).snapshot(), begun([two, four])
    with pytest.raises(ValueError, match="does not fit"):
        other.restore(kept)
    begun([two, three]).restore(kept)
