"""Files of learned values: what is written is read, and what is damaged or of another make is refused by name."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from chocofactory_env.agents import values
from chocofactory_env.agents.values import LearnedValue, ValueFileError, about_value, read_value, write_value

FEATURES = ("coal", "money")
CONSTANT = np.array([1, 1 / 3], np.float32)
WEIGHTS = np.array([[0.1, 2], [-3e-8, 4]], np.float32)


def written(folder: Path) -> Path:
    value = LearnedValue(CONSTANT, WEIGHTS)
    write_value(folder / "value.json", "race", FEATURES, value, {"rounds": 2})
    return folder / "value.json"


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = written(tmp_path)
    value = read_value(path, "race", FEATURES, stages=2)
    assert value.constant.dtype == value.weights.dtype == np.float32
    assert value.constant.tolist() == CONSTANT.tolist()
    assert value.weights.tolist() == WEIGHTS.tolist()
    assert about_value(path) == {"rounds": 2}


def test_features_are_found_by_name(tmp_path: Path) -> None:
    value = read_value(written(tmp_path), "race", FEATURES[::-1], stages=2)
    assert value.weights[:, 0].tolist() == [2, 4]


def test_features_that_a_file_does_not_know_count_0(tmp_path: Path) -> None:
    value = read_value(written(tmp_path), "race", (FEATURES[0], "later", *FEATURES[1:]), stages=2)
    assert value.weights[:, 1].tolist() == [0, 0]
    assert np.delete(value.weights, 1, axis=1).tolist() == WEIGHTS.tolist()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda file: file.update(format=9), "has format 9, expected 1"),
        (lambda file: file.update(game="chess"), "is of the game 'chess', expected 'race'"),
        (lambda file: file["weights"].pop("coal"), "is damaged"),
        (lambda file: file["weights"].update(gold=[1, 2]), "has features that the game lacks: gold"),
        (lambda file: file["weights"].update(coal=[1]), "has 1 numbers of coal, expected 2"),
        (lambda file: file["constant"].append(1), "has 3 numbers of constant, expected 2"),
        (lambda file: file["weights"].update(coal=[1, 2]), "is damaged"),
        (lambda file: file["weights"].update(coal="much"), "weights.coal"),
        (lambda file: file.pop("digest"), "lacks the field digest"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, change: Callable[[dict[str, Any]], Any], message: str) -> None:
    path = written(tmp_path)
    file = json.loads(path.read_text())
    change(file)
    path.write_text(json.dumps(file))
    with pytest.raises(ValueFileError, match=rf"value\.json .*{message}"):
        read_value(path, "race", FEATURES, stages=2)


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ({"constant": [1, 1e39]}, r"constant\[1\] 1e\+39, which is not a number -1,000,000,000..1,000,000,000"),
        ({"weights": {"coal": [-1e39, 0], "money": [0, 0]}}, r"weights\.coal\[0\] -1e\+39, which is not a number"),
        ({"about": {"spread": [1, 0]}}, r"about\.spread\[1\] 0, which is not a number 0\.001..1,000,000,000"),
        ({"about": {"spread": 1}}, r"about\.spread 1, which is not a list"),
    ],
)
def test_numbers_that_no_search_can_use_are_refused(tmp_path: Path, numbers: dict[str, Any], message: str) -> None:
    """Even if the digest fits."""
    path = written(tmp_path)
    file = json.loads(path.read_text()) | numbers
    file["digest"] = values._digest(file["constant"], file["weights"])
    path.write_text(json.dumps(file))
    with pytest.raises(ValueFileError, match=rf"value\.json has {message}"):
        read_value(path, "race", FEATURES, stages=2)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueFileError, match=r"nothing\.json"):
        read_value(tmp_path / "nothing.json", "race", FEATURES, stages=2)
