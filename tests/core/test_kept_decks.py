"""Generated decks are kept in the cache folder, by what makes them; a damaged file is found and drawn anew."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from all_games import NAMES

import chocofactory_env as cf
from chocofactory_env.core import safe_folder
from chocofactory_env.core.cards.ahead import FEWEST
from chocofactory_env.core.cards.generated import Generator
from chocofactory_env.core.cards.kept import deck_folder, keeping, remove_unused_decks
from chocofactory_env.core.kernel.variants import GameSet, LoadedVariants
from chocofactory_env.games.candyfactory import cards as candy
from chocofactory_env.games.chocofactory import cards as choco
from chocofactory_env.games.schoko import cards as schoko
from chocofactory_env.games.schoko.generated import GENERATOR

CARDS: dict[str, Any] = dict(zip(NAMES, (choco, candy, schoko), strict=True))
DECK = "generated:23"
EVERY = pytest.mark.parametrize("name", NAMES)


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache folder of the test's own."""
    monkeypatch.setenv(safe_folder.VARIABLE, str(tmp_path / "cache"))
    for cached in (safe_folder.library_folder, deck_folder):
        cached.cache_clear()
    yield tmp_path / "cache"
    for cached in (safe_folder.library_folder, deck_folder):
        cached.cache_clear()


def same(one: Any, other: Any) -> bool:
    values = ([getattr(deck, field.name) for field in fields(deck) if field.name != "array"] for deck in (one, other))
    return one.array.tobytes() == other.array.tobytes() and [*next(values)] == [*next(values)]


def kept(name: str) -> Path:
    """The file of the deck, which is drawn and kept."""
    with keeping():
        CARDS[name].load_cards(DECK)
    file: Path = CARDS[name].GENERATOR.file_of(DECK)
    assert file.exists()
    return file


def no_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Generator, "tables", lambda *args: pytest.fail("drawn"))


@EVERY
def test_a_kept_deck_is_the_one_that_was_drawn(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = CARDS[name].load_cards(DECK)
    kept(name)
    no_drawing(monkeypatch)
    again = CARDS[name].load_cards(DECK)
    assert same(again, drawn)
    assert not again.array.flags.writeable


def test_decks_with_and_without_the_expansion_are_kept_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    with keeping():
        decks = [choco.load_cards(DECK, expansion) for expansion in (None, "master_chocolatier")]
    no_drawing(monkeypatch)
    again = [choco.load_cards(DECK, expansion) for expansion in (None, "master_chocolatier")]
    assert [deck.hash for deck in again] == [deck.hash for deck in decks]
    assert decks[0].hash != decks[1].hash


@EVERY
def test_a_deck_that_is_loaded_alone_leaves_no_file(name: str) -> None:
    CARDS[name].load_cards(DECK)
    assert not CARDS[name].GENERATOR.file_of(DECK).exists()


@pytest.mark.parametrize("size", [0, 40])
def test_a_damaged_file_is_found_and_the_deck_drawn_anew(size: int) -> None:
    file = kept("schoko")
    content = file.read_bytes()
    file.write_bytes(content[:size] + content[size + 1 :])
    with keeping():
        assert same(schoko.load_cards(DECK), schoko.read_cards(DECK))
    assert file.read_bytes() == content


@pytest.mark.parametrize("changed", ["data/generated.toml", "data/contracts.toml", "deck_schema.py", "generated.py"])
def test_another_version_of_the_game_has_another_folder(changed: str, tmp_path: Path) -> None:
    copy = tmp_path / "schoko"
    shutil.copytree(GENERATOR.data.parent, copy)
    assert deck_folder("schoko", copy / "data") == deck_folder("schoko", GENERATOR.data)
    (copy / changed).write_text((copy / changed).read_text(encoding="utf-8") + "\n", encoding="utf-8")
    deck_folder.cache_clear()
    assert deck_folder("schoko", copy / "data") != deck_folder("schoko", GENERATOR.data)


def test_where_nothing_can_be_kept_decks_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chocofactory_env.core.cards.kept.library_folder", lambda: None)
    with keeping():
        assert same(schoko.load_cards(DECK), schoko.read_cards(DECK))


def test_decks_that_no_version_has_used_for_a_month_are_removed(cache_folder: Path) -> None:
    old, new = (cache_folder / f"decks-schoko-{word}" for word in ("old", "new"))
    for folder in (old, new):
        folder.mkdir(parents=True)
        (folder / "1-0.deck").touch()
    os.utime(old, (0, 0))
    remove_unused_decks(cache_folder, "schoko")
    assert (old.exists(), new.exists()) == (False, True)


def loaded(decks: list[str]) -> LoadedVariants:
    """The decks as a batch of so many rows loads them."""
    games = GameSet(lambda deck: cf.load("schoko", deck=deck), {"deck": decks})
    variants = LoadedVariants(games, len(decks))
    variants.load(range(len(decks)), [])
    return variants


@pytest.mark.slow
def test_the_decks_of_a_batch_are_drawn_on_all_cores_and_kept(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    decks = [f"generated:{seed}" for seed in range(FEWEST + 1)]
    with keeping():
        schoko.load_cards(decks[0])  # loaded before the others, so nobody waits until it is drawn
    first = loaded(decks)
    assert f"{FEWEST} decks of schoko are drawn" in capfd.readouterr().err
    no_drawing(monkeypatch)
    again = loaded(decks)
    assert capfd.readouterr().err == ""
    assert (again.tables[again.slots] == first.tables[first.slots]).all()
