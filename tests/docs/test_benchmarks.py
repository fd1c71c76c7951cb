"""Benchmarks are no tests of speed: here only that they run, and that the pages show what was measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from processes import output
from repository import ROOT

from benchmarks.page import FIGURES, PAGES, filled

SHORT = ("--seconds", "0.01", "--repeats", "1")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_pages_show_the_figures_of_the_last_run(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert "<!-- figures: " in text
    assert filled(text, [json.loads(file.read_text(encoding="utf-8")) for file in FIGURES]) == text


@pytest.mark.parametrize(
    ("module", "row"),
    [
        ("interfaces", "AEC, 4 players, shaped reward"),
        ("batches", "make_vec, 64 × solo"),
        ("batches", "schoko: batch of 1,024, 2 players, raw, one deck"),
        ("batches", "playouts from day 4, 2 players"),
        ("start", "4,096 games of 4 players, raw"),
    ],
)
def test_a_row_of_the_benchmarks_is_measured(module: str, row: str) -> None:
    said = output("-m", f"benchmarks.{module}", *SHORT, "--only", row)
    told = [json.loads(line) for line in said.splitlines()]
    assert [each["row"] for each in told] == [row]
    assert told[0]["value"] > 0


def test_the_loop_says_how_much_of_its_time_goes_into_games(capsys: pytest.CaptureFixture[str]) -> None:
    from benchmarks import loop

    loop.whole_loop({"kind": "mlp", "width": 8}, "cpu", 0.0)
    whole, evaluating = map(json.loads, capsys.readouterr().out.splitlines())
    collecting = float(whole["note"].split("; ")[1].removesuffix("% collecting"))
    assert 0 < collecting < 100
    assert whole["value"] > 0
    assert evaluating["value"] > 0


def test_a_script_of_another_library_measures_it_alone() -> None:
    pytest.importorskip("pyspiel")
    script = ROOT / "benchmarks" / "peers" / "peer_open_spiel.py"
    told = [json.loads(line) for line in output(script, *SHORT, "--only", "backgammon").splitlines()]
    assert [each["group"] for each in told] == ["peers"]
    assert told[0]["value"] > 0
