"""Cards of models: all have one form, and their figures can be checked."""

from __future__ import annotations

from pathlib import Path

import pytest
from exit_status import status_of
from repository import ROOT

import chocofactory_env as cf
from agents.values import about_value
from tools import check_card, models
from training.cards import FACTS, CardError, Trial, figures_of, read_card, write_card

CARDS = sorted([*(ROOT / "agents").glob("*/checkpoints/*.md"), *(ROOT / "agents").glob("*/values/*.md")])
TRIAL = Trial(
    ("training.evaluate", "net.safetensors", "--players", "3", "--rival", "greedy", "--deals", "4"),
    "net.safetensors, 3 players: won 9 of 12, 75.0% [46.8%, 91.1%]; score 24.8 against 18.8",
)


def card_text() -> str:
    facts = {name: f"about {name}" for name in FACTS} | {"Task": "toyrace, players 3"}
    return write_card("`net`: a network", "Made by hand.", facts, ["python -m nothing"], "Notes.", [TRIAL])


@pytest.fixture
def card(tmp_path: Path) -> Path:
    file = tmp_path / "net.md"
    file.write_text(card_text(), encoding="utf-8")
    return file


def name_of(path: Path) -> str:
    return path.relative_to(ROOT / "agents").as_posix()


@pytest.mark.parametrize("file", CARDS, ids=name_of)
def test_every_model_has_a_card_of_the_form(file: Path) -> None:
    found = read_card(file)
    assert found.game == file.relative_to(ROOT / "agents").parts[0]
    assert all(command.startswith("python -m training.") for command in found.commands)
    assert len(found.figures()) >= len(found.trials) > 0
    assert all(figure.low <= figure.share <= figure.high for figure in found.figures())


@pytest.mark.parametrize("file", [card for card in CARDS if card.parent.name == "values"], ids=name_of)
def test_the_card_of_a_value_names_its_rules(file: Path) -> None:
    """A value that was fitted under older rules is still read."""
    assert read_card(file).rules == about_value(file.with_suffix(".json"))["rules"]


@pytest.mark.parametrize("file", CARDS, ids=name_of)
def test_a_card_says_among_its_limits_that_its_rules_are_old(file: Path) -> None:
    card = read_card(file)
    if card.rules is not None and card.rules < cf.load(card.game).rules_version:
        assert f"under rules {card.rules}" in card.facts["Limits"]


def test_the_page_of_models_says_which_rules_are_not_the_present_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    for folder, rules in (("checkpoints", ", rules 1"), ("values", ", rules 2"), ("values", "")):
        file = tmp_path / folder / f"net{rules[-1:]}.md"
        file.parent.mkdir(exist_ok=True)
        file.write_text(card_text().replace("toyrace, players 3", f"schoko, players 3{rules}"), encoding="utf-8")
        made.append(read_card(file))
    monkeypatch.setattr(models, "cards", lambda: made)
    assert [row[-1] for row in models._model_rows()] == ["1 (the game has rules 2 now)", "2", "–"]


def test_every_model_has_a_card() -> None:
    made = [*(ROOT / "agents").glob("*/checkpoints/*.safetensors"), *(ROOT / "agents").glob("*/values/*.json")]
    assert sorted(file.with_suffix(".md") for file in made) == CARDS
    assert [card.file for card in models.cards()] == sorted(CARDS, key=lambda file: (file.parent.name, file))


def test_what_was_written_is_read(card: Path) -> None:
    found = read_card(card)
    assert found.title == "`net`: a network"
    assert found.commands == ("python -m nothing",)
    assert found.trials == (TRIAL,)
    (figure,) = found.figures()
    assert (figure.players, figure.against, figure.games, figure.share) == (3, "`greedy`", 12, 75.0)


def test_figures_of_matches_and_of_the_solo_benchmark() -> None:
    match = Trial(
        ("arena.match", "--game", "schoko", "--agents", "expert", "manager", "manager", "--deals", "1"),
        "3 players  expert  3  2  66.7%  [ 20.8%, 93.9%]  50.0\n3 players  manager  6  1  16.7%  [  3.0%, 56.4%]  40.0",
    )
    (figure,) = figures_of(match)
    assert (figure.players, figure.against, figure.share, figure.low) == (3, "`manager`", 66.7, 20.8)
    solo = Trial(("arena.chocofactory.solo_benchmark", "learned"), "learned  2  100  25.0% [17.5%, 34.3%]  43.3")
    (figure,) = figures_of(solo)
    assert (figure.players, figure.against, figure.games) == (1, "difficulty 2", 100)


@pytest.mark.parametrize(
    ("rival", "against"),
    [
        ("", "difficulty 3, expansion x, shipped, generated:0-9"),
        ("--rival planner", "`planner`, difficulty 3, expansion x, shipped, generated:0-9"),
    ],
)
def test_a_figure_of_a_network_says_rival_options_and_decks(rival: str, against: str) -> None:
    options = "--option difficulty=3 --option expansion=x --decks shipped generated:0-9 --seed 7"
    words = f"training.evaluate FILE {rival} {options}"
    (figure,) = figures_of(Trial(tuple(words.split()), "FILE: won 3 of 12, 25.0% [8.9%, 53.2%]; score 43.3"))
    assert (figure.against, figure.first_deal) == (against, 7)


@pytest.mark.parametrize("part", ["- **Seed**", "## Trials", "## How it was made"])
def test_a_card_that_lacks_a_part_is_rejected(card: Path, part: str) -> None:
    card.write_text(card_text().replace(part, "- something else"), encoding="utf-8")
    with pytest.raises(CardError, match=part.strip("-#* ")):
        read_card(card)


def test_a_figure_that_does_not_come_out_again_is_found(card: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_card, "run_command", lambda words: TRIAL.printed)
    assert status_of(check_card.main, str(card)) == 0
    monkeypatch.setattr(check_card, "run_command", lambda words: TRIAL.printed.replace("won 9", "won 8"))
    assert status_of(check_card.main, str(card), "--write") == 1
    assert "won 8 of 12" in card.read_text(encoding="utf-8")


def test_a_trial_that_keeps_games_plays_them_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_card, "run_command", " ".join)
    command, option, folder = check_card.outcome(Trial(("arena.tournament", "--out", "runs/old"), "")).split()
    assert (command, option) == ("arena.tournament", "--out")
    assert folder != "runs/old"


@pytest.mark.slow
def test_the_trial_of_a_shipped_card_comes_out_again(capsys: pytest.CaptureFixture[str]) -> None:
    """The quickest of all. If an agent of it was changed on purpose, `tools.check_card --write` renews the card."""
    assert status_of(check_card.main, str(ROOT / "agents" / "candyfactory" / "values" / "two.md")) == 0
    assert "comes out again" in capsys.readouterr().out
