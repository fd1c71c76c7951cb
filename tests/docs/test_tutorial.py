"""The tutorial shows lines of progress in the form in which the programs print them."""

from __future__ import annotations

import re

from repository import ROOT

from chocofactory_env.training.runs import in_words

LINE = re.compile(r"^ +(\d+)  (won .*)$", re.MULTILINE)
PART = re.compile(r"(?:won )?(\S+) ([\d.,]+)(%?)")


def test_lines_of_progress() -> None:
    shown = LINE.findall((ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8"))
    for _, told in shown:
        values = {
            f"{name}/won" if percent else name: float(number.replace(",", "")) / (100 if percent else 1)
            for name, number, percent in (PART.fullmatch(part).groups() for part in told.split(", "))  # type: ignore[union-attr]
        }
        values |= {"decisions": int(values["decisions"])} if "decisions" in values else {}
        assert in_words(values) == told
    assert len(shown) == 4
