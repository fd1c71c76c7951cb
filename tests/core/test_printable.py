"""Text of strangers that reaches a terminal: in messages it is escaped, and decks may not hold it."""

from __future__ import annotations

from pathlib import Path

import pytest

import chocofactory_env as cf
from chocofactory_env.agents.files import check
from chocofactory_env.arena.play import differences
from chocofactory_env.core.cards.toml_file import toml_text
from chocofactory_env.core.messages import printable, shortened, shown
from chocofactory_env.view.views import named

HOSTILE = ["\x1b[31m", "\x00", "\x07", "\x9b", "\u202e", "\u2066", "\u200b", "\ud800", "\x7f"]


@pytest.mark.parametrize("sign", HOSTILE)
def test_messages_are_printable(sign: str) -> None:
    text = f"a{sign}b"
    for words in (printable(text), shortened(text), shown(text), shortened(text * 100, 7), *differences({text: 1}, {})):
        assert words.isprintable(), repr(words)
    assert len(shortened(text * 100, 7)) == 7
    with pytest.raises(ValueError, match="has a") as error:
        check({text: 1}, dict[str, str])
    assert str(error.value).isprintable()


@pytest.mark.parametrize("text", ["", "plain", "Zoë → 12 £", "x" * 200])
def test_printable_text_is_shown_as_it_is(text: str) -> None:
    assert printable(text) == shortened(text) == text


def test_a_card_that_is_named_like_another_seat_keeps_its_name() -> None:
    assert named("Player 1 buys Player 9 and player \u0662", ["Ann", "Bob"]) == "Bob buys Player 9 and player \u0662"


@pytest.mark.parametrize("game", ["chocofactory", "candyfactory", "schoko"])
@pytest.mark.parametrize("sign", [sign for sign in HOSTILE if sign != "\ud800"])
def test_names_and_notes_of_cards_are_printable(game: str, sign: str, tmp_path: Path) -> None:
    tables = cf.generate_deck(game, 1).tables
    table, cards = next((name, cards) for name, cards in tables.items() if "name" in cards[0])
    fields = {"name": f"a{sign}b", "note": f"two\nlines{sign}"} | ({"city": f"a{sign}b"} if "city" in cards[0] else {})
    for field, text in fields.items():
        changed = {**tables, table: [{**cards[0], field: text}, *cards[1:]]}
        path = tmp_path / f"{field}.toml"
        path.write_text(toml_text(changed).replace(sign, f"\\U{ord(sign[0]):08x}{sign[1:]}"), encoding="utf-8")
        with pytest.raises(cf.DeckError, match=f"{field}: expected .*printable") as error:
            cf.load(game, deck=path)
        assert str(error.value).isprintable()


def test_a_note_may_have_several_lines(tmp_path: Path) -> None:
    tables = cf.generate_deck("candyfactory", 1).tables
    table, cards = next((name, cards) for name, cards in tables.items() if "name" in cards[0])
    path = tmp_path / "deck.toml"
    path.write_text(toml_text({**tables, table: [{**cards[0], "note": "two\nlines"}, *cards[1:]]}), encoding="utf-8")
    cf.load("candyfactory", deck=path)
