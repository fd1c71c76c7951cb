"""The tutorial shows lines of progress in the form in which the programs print them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import pytest
from repository import ROOT

from training import imitate, ppo

NUMBER = re.compile(r"(?<!\w)\d[\d,.]*")  # none that belongs to a name, as in greedy_2
WON = "greedy_2/won"
OF_IMITATION = ("loss", "held_out/loss", "held_out/agreed", WON)
OF_PPO = ("decisions", WON, "entropy", "kl", "explained_variance")


@pytest.mark.parametrize(
    ("line_of", "names", "begin"),
    [(imitate.progress_line, OF_IMITATION, r"epoch \d+: "), (ppo.progress_line, OF_PPO, r" +\d+ +[\d,]+ decisions")],
)
def test_lines_of_progress(
    line_of: Callable[[int, Mapping[str, float]], str], names: tuple[str, ...], begin: str
) -> None:
    page = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
    shown = [line for line in page.splitlines() if re.match(begin, line)]
    for line in shown:
        number, *found = (float(each.replace(",", "")) for each in NUMBER.findall(line))
        shares = ("held_out/agreed", WON)
        measured = {
            name: value / 100 if name in shares else int(value) if name == "decisions" else value
            for name, value in zip(names, found, strict=True)
        }
        assert line_of(int(number), measured) == line
    assert len(shown) == 4
