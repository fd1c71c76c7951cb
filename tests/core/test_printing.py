"""What is made to be printed prints on every stream, and stays as it is for everything else."""

from __future__ import annotations

import contextlib
import io
import pickle

import pytest

import chocofactory_env as cf
from chocofactory_env.core.command import Command
from chocofactory_env.core.text.printing import Printed, printable

GAMES = [
    ("chocofactory", {"num_players": 1}),
    ("chocofactory", {"num_players": 2, "expansion": "master_chocolatier"}),
    ("candyfactory", {"num_players": 3}),
    ("schoko", {"num_players": 3}),
]


class _Stream(io.TextIOWrapper):
    def __init__(self, encoding: str, errors: str = "strict") -> None:
        super().__init__(io.BytesIO(), encoding, errors, newline="")

    def text(self) -> str:
        self.seek(0)
        return self.read()


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_positions_prompts_and_moves_are_printed(name: str, options: dict[str, object]) -> None:
    game = cf.load(name, **options)
    state = game.new(seed=7)
    seat, action = game.current_player(state), int(game.legal_mask(state).argmax())
    for text in (
        game.render(state),
        game.render(state, seat),
        game.prompt(state, seat, ["a card named Crème brûlée"]),
        game.prompt_rules(state, seat),
        game.move_in_words(state, action, seat),
    ):
        assert type(text) is Printed


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [
        ("cp1252", "Crème > ? £3"), ("latin-1", "Crème > ? £3"), ("cp437", "Crème > ? £3"), ("cp037", "Crème > ? £3"),
        ("ascii", "Creme > ? GBP 3"), ("utf-8", "Crème → 本 £3"), ("utf-16", "Crème → 本 £3"),
    ],
)  # fmt: skip
def test_every_stream_takes_it(encoding: str, shown: str) -> None:
    text = Printed("Crème → 本 £3")
    with contextlib.redirect_stdout(_Stream(encoding)) as stream:
        print(text)
        print(f"{text}", (text,), {"text": text})
    assert stream.text() == f"{shown}\n{shown} ('{shown}',) {{'text': '{shown}'}}\n"


def test_the_text_itself_does_not_depend_on_the_stream() -> None:
    text = Printed("£3 → 4")
    with contextlib.redirect_stdout(_Stream("ascii")):
        assert str(text) == "GBP 3 > 4"
        assert repr(text) == "'GBP 3 > 4'"
        assert text == "£3 → 4"
        assert {"£3 → 4": 1}[text] == 1
        assert text.encode() == "£3 → 4".encode()
        assert text.split() == ["£3", "→", "4"]
        assert pickle.loads(pickle.dumps(text)) == "£3 → 4"
    with contextlib.redirect_stdout(_Stream("cp1252")):
        assert str(text) == "£3 > 4"
    for takes_all in (_Stream("utf-8"), _Stream("ascii", "replace"), io.StringIO(), None):
        with contextlib.redirect_stdout(takes_all):
            assert type(str(text)) is str
            assert str(text) == "£3 → 4"


def test_every_character_has_a_stand_in() -> None:
    with contextlib.redirect_stdout(_Stream("ascii")):
        for text in ("─═–·→▷▸×√±≈✓£€²…", "é本\ud800", ""):
            assert printable(text).isascii()
            assert len(printable(text)) >= len(text)


def test_a_command_prints_stand_ins_and_keeps_a_stream_that_takes_all() -> None:
    for errors in ("strict", "surrogateescape"):  # the latter without a locale
        with contextlib.redirect_stdout(_Stream("ascii", errors)) as stream:
            Command("tell", lambda: "–3 × £4").run([])
        assert stream.text().splitlines() == ["-3 x GBP 4"]
    with contextlib.redirect_stdout(_Stream("ascii", "backslashreplace")) as stream:
        Command("tell", lambda: "–3").run([])
    assert stream.text().splitlines() == ["\\u20133"]
    with contextlib.redirect_stdout(_Stream("utf-8", "surrogateescape")) as stream:
        Command("tell", lambda: "–3").run([])
        assert stream.errors == "surrogateescape"
