"""Cards of models: data beside each model, which the page of models shows, and whose trials can be played again."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest
from msgspec.structs import replace
from repository import ROOT

import chocofactory_env as cf
from chocofactory_env.agents.values import about_value, digest_of_value
from chocofactory_env.core.reading import ReadError
from chocofactory_env.training.cards import CardError, Found, Trial, card_of, read_card
from tools import models

CARDS = models.cards()


@pytest.mark.parametrize("name", CARDS)
def test_a_card_is_of_its_model(name: str) -> None:
    card = read_card(CARDS[name])
    game, kind, model = name.split("-", 2)
    assert (card.game, card.kind) == (game, kind)
    file = CARDS[name].with_name(model)
    if kind == "network":
        assert card.digest == sha256(file.with_suffix(".safetensors").read_bytes()).hexdigest()
    else:
        about = about_value(file.with_suffix(".json"))
        assert card.digest == digest_of_value(file.with_suffix(".json"))
        assert (card.rules, card.deck) == (about["rules"], about["deck"])
    assert all(made.command.startswith("training.") for made in card.made)
    assert card.trials
    for trial in card.trials:
        assert trial.found is not None
        assert trial.found.low <= trial.found.wins / trial.found.games <= trial.found.high
        assert trial.found.games == trial.deals * len(trial.agents)
    if card.rules < cf.load(card.game).rules_version:
        assert f"under rules {card.rules}" in card.limits


def test_every_model_has_a_card() -> None:
    made = [*(ROOT / "agents").glob("*/checkpoints/*.safetensors"), *(ROOT / "agents").glob("*/values/*.json")]
    assert {card_of(file) for file in made if not file.name.endswith(".card.json")} == set(CARDS.values())


def test_the_page_shows_every_trial_and_the_rules_that_are_not_the_present_ones() -> None:
    page = models.page()
    for name, file in CARDS.items():
        assert f"\n### {name}\n" in page
        assert all("| " + " | ".join(models._trial(trial)) + " |" in page for trial in read_card(file).trials)
    assert "1 (the game has rules 2 now) |" in page


def test_what_was_written_is_read_and_anything_else_is_refused(tmp_path: Path) -> None:
    card = read_card(CARDS["candyfactory-value-two"])
    card.write(tmp_path / "two.json")
    file = tmp_path / "two.card.json"
    assert read_card(file) == card
    written = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps(written | {"minutes": "many"}), encoding="utf-8")
    with pytest.raises(ReadError, match="minutes: expected a number, got 'many'"):
        read_card(file)
    file.write_text("{", encoding="utf-8")
    with pytest.raises(CardError, match=r"two\.card\.json is not JSON: .*; expected a card"):
        read_card(file)


def test_a_figure_that_does_not_come_out_again_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    trial = Trial(agents=["greedy", "random"], options={"game": "candy"}, deals=2)
    right = trial.played("candyfactory")
    card = replace(
        read_card(CARDS["candyfactory-value-two"]), trials=[replace(trial, found=Found(4, 0, 0.0, 0.5, 1.0))]
    )
    card.write(tmp_path / "two.json")
    file = tmp_path / "two.card.json"
    assert models.check(file, write=True) == 1
    assert (
        "chocofactory match --game candyfactory --agents greedy random --option game=candy" in capsys.readouterr().out
    )
    assert read_card(file).trials == [right]
    assert models.check(file, write=False) == 0


@pytest.mark.parametrize("decks", [[], ["generated:0-1"]])
def test_a_network_plays_a_trial_as_it_plays_a_match(decks: list[str]) -> None:
    trial = Trial(agents=["learned"], decks=decks, deals=3, first=5).played("chocofactory")
    game = cf.load("chocofactory", num_players=1)
    (own,) = cf.play_match(game, ["learned"], range(5, 8), decks=decks or None, progress=False).agents()
    low, high = own["win_rate_interval"]
    assert trial.found == Found(3, own["wins"], round(low, 4), round(high, 4), round(own["score"], 1))
