"""What results show in notebooks."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from agents.random_agent import RandomAgent
from arena import html
from arena.match import Entrant, Result, play_match
from toyrace.game import ToyRace


def test_tables_say_what_they_are_given() -> None:
    drawn = html.table(["agent", "wins"], [["<a>", "1"], ["b & c", "2"]])
    rows = [[cell.text for cell in row] for row in ET.fromstring(drawn)]
    assert rows == [["agent", "wins"], ["<a>", "1"], ["b & c", "2"]]
    sides = [[cell.attrib["align"] for cell in row] for row in ET.fromstring(drawn)]
    assert sides == [["left", "right"]] * 3
    assert html.fixed("a < b") == "<pre>a &lt; b</pre>"
    assert html.folded("a < b", "<svg/>") == "<details><summary>a &lt; b</summary><svg/></details>"


def test_a_match_shows_its_standings() -> None:
    game = ToyRace(num_players=2)
    entrants = [Entrant("first", RandomAgent()), Entrant("second", RandomAgent())]
    result = play_match(game, entrants, range(2), progress=False)
    drawn, *below = ET.fromstring(f"<div>{result._repr_html_()}</div>")
    rows = [[(cell.text or "").strip() for cell in row] for row in drawn]
    assert [row[1] for row in rows] == ["agent", "first", "second"]
    assert [row[2] for row in rows] == ["games", "4", "4"]
    assert rows[0][-1] == "ms a decision"
    assert [line.text for line in below] == [result.verdict()]
    stopped = Result(game, (0,), planned=8, plays=result.plays, interrupted=True)
    assert "stopped after 4 of 8 games" in stopped._repr_html_()
