"""What is made to be printed prints on every stream, and stays as it is for everything else."""

from __future__ import annotations

import contextlib
import io
import pickle
import subprocess
import sys

import pytest
from repository import ROOT

import chocofactory_env as cf
from chocofactory_env.core.command import CommandParser
from chocofactory_env.core.text.printing import Printed, printable

ENCODINGS = ("cp1252", "ascii", "latin-1", "cp437", "cp037", "utf-8", "utf-16")
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


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(("name", "options"), GAMES)
def test_a_position_and_a_prompt_print(name: str, options: dict[str, object], encoding: str) -> None:
    game = cf.load(name, **options)
    state = game.new(seed=7)
    sample = cf.LegalSampler(seed=1)
    log = ["a card named Crème brûlée → 本 for £3"]
    for _ in range(8):
        game.apply(state, sample.one(game.legal_mask(state)))
    seat = game.current_player(state)
    action = sample.one(game.legal_mask(state))
    texts = [
        game.render(state),
        game.render(state, seat),
        game.prompt(state, seat, log),
        game.prompt_rules(state, seat),
        game.move_in_words(state, action, seat),
    ]
    with contextlib.redirect_stdout(_Stream(encoding)) as stream:
        for text in texts:
            print(text)
            print(f"{text}", (text,), {"text": text})
    printed = stream.text()
    assert printed.count("\n") == sum(2 * (text.count("\n") + 1) for text in texts)
    if encoding.startswith("utf"):
        assert "Crème brûlée → 本 for £3" in printed
    else:
        assert "Creme brulee > ? for " in printed.replace("è", "e").replace("û", "u").replace("é", "e")


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


def test_results_print() -> None:
    match = cf.play_match(cf.load("schoko", num_players=2), ["random", "random"], [3], progress=False)
    tournament = cf.play_tournament(cf.load("schoko", num_players=2), ["random", "flat_mc:playouts=1"], range(1))
    with contextlib.redirect_stdout(_Stream("ascii")) as stream:
        print(match)
        print(tournament)
    assert "random" in stream.text()


def test_a_command_prints_stand_ins_and_keeps_a_stream_that_takes_all() -> None:
    with contextlib.redirect_stdout(_Stream("ascii")) as stream:
        CommandParser().parse_args([])
        print("–3 × £4")
    assert stream.text().splitlines() == ["-3 x GBP 4"]
    with contextlib.redirect_stdout(_Stream("ascii", "backslashreplace")) as stream:
        CommandParser().parse_args([])
        print("–3")
    assert stream.text().splitlines() == ["\\u20133"]


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_the_first_program_of_the_readme_prints(encoding: str) -> None:
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    program = page.partition("```python\n")[2].partition("```")[0]
    assert "print(env.render())" in program
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PATH": "", "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": encoding, "HOME": str(ROOT.home())},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "day 6 of 6" in done.stdout.decode(encoding)
