"""Reports of balance, of every game: what a page says, that it can be made again, and its command."""

from __future__ import annotations

from pathlib import Path

import pytest
from balance_reports import GAMES, REPORTS, Report
from repository import ROOT

import chocofactory_env as cf

PAGES = {
    ("chocofactory", "balance"): {},
    ("chocofactory", "balance-expansion"): {"expansion": "master_chocolatier"},
    ("candyfactory", "balance"): {},
    ("schoko", "balance"): {},
    ("schoko", "balance-expert"): {},
}


@pytest.fixture(params=REPORTS)
def report(request: pytest.FixtureRequest) -> Report:
    return REPORTS[request.param]


@pytest.fixture(params=["candyfactory", "schoko"])
def report_with_options(request: pytest.FixtureRequest) -> Report:
    """Of the games whose command takes agents and decks."""
    return REPORTS[request.param]


def test_so_many_games_are_watched_as_settings_say(report: Report) -> None:
    assert {setting: len(games) for setting, games in report.logs.items()} == {
        setting: setting.games for setting in report.settings
    }


def test_the_report_says_what_it_was_made_from(report: Report) -> None:
    assert f"`python -m {report.module.__name__} {' '.join(report.arguments)}`" in report.text
    assert report.settings[0].load().deck_hash in report.text
    assert f"Seeds: 0 to {GAMES - 1} " in report.text
    assert "numpy" in report.text


def test_rows_are_as_long_as_their_heads(report: Report) -> None:
    tables = [block for block in report.text.split("\n\n") if block.startswith("|")]
    assert tables
    for block in tables:
        assert len({line.count("|") for line in block.splitlines()}) == 1, block


def test_the_same_games_give_the_same_report(report: Report) -> None:
    assert report.page(report.watched()) == report.text


def test_agents_waver_in_games_of_odd_seeds(report: Report) -> None:
    for games in report.logs.values():
        assert [log.wavering for log in games] == [seed % 2 == 1 for seed in range(len(games))]


def test_the_report_goes_to_a_file(report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("design.balance.watch_all", lambda watch, settings, **workers: report.logs)
    report.module.main([*report.arguments, "--out", str(tmp_path / "balance.md")])
    assert (tmp_path / "balance.md").read_text(encoding="utf-8") == report.text


def test_one_game_is_refused(report: Report, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        report.module.main(["--games", "1"])
    assert "at least 2 games" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--agent", "nobody"], "unknown agent 'nobody'"),
        (["--agent", "random", "--deck", "no_such.toml"], "no_such.toml"),
    ],
)
def test_agents_and_decks_that_there_are_not_are_refused(
    report_with_options: Report, arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        report_with_options.module.main(arguments)
    assert words in capsys.readouterr().err


def test_an_expansion_that_there_is_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        REPORTS["chocofactory"].module.main(["--expansion", "no_such"])
    assert "no_such" in capsys.readouterr().err


@pytest.mark.parametrize(("game", "page"), PAGES)
def test_the_pages_were_measured_with_the_shipped_deck(game: str, page: str) -> None:
    text = (ROOT / "docs" / game / "logs" / f"{page}.md").read_text(encoding="utf-8")
    assert f"- Deck: `{cf.load(game, **PAGES[game, page]).deck_hash}`" in text


@pytest.mark.parametrize(
    ("game", "table", "old", "new"),
    [
        ("candyfactory", "recipes", "points = 6", "points = 9"),
        ("schoko", "contracts", "highest = 34", "highest = 36"),
    ],
)
def test_a_deck_is_tried(game: str, table: str, old: str, new: str, tmp_path: Path) -> None:
    file, report = tmp_path / "deck.toml", REPORTS[game]
    shipped = ROOT / "chocofactory_env" / "games" / game / "data" / f"{table}.toml"
    file.write_text(shipped.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    setting = report.module.settings_for(2, str(file))[0]
    changed = setting.load()
    page = report.page({setting: [report.watch(changed, seed) for seed in range(2)]})
    assert changed.deck_hash in page
    assert changed.deck_hash != report.settings[0].load().deck_hash
    assert f"--deck {file}" in page
