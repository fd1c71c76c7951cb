"""`chocofactory build`: which libraries it builds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from chocofactory_env import build
from chocofactory_env.core.build import missing
from chocofactory_env.core.jit import ALL_GAMES
from chocofactory_env.core.safe_folder import CacheFolderError

pytestmark = pytest.mark.skipif(bool(missing()), reason="no library is built here")


@pytest.mark.parametrize(
    ("named", "built"),
    [
        (["schoko"], ["schoko"]),
        (["toyrace.game:ToyRace", "schoko"], ["toyrace", "schoko"]),
        ([], ["candyfactory", "chocofactory", "schoko"]),
    ],
)
def test_the_named_games_are_built_those_of_ones_own_too_with_what_all_share(
    monkeypatch: pytest.MonkeyPatch, named: list[str], built: list[str]
) -> None:
    asked: list[str] = []

    def note(games: Iterable[str], folder: Path, processes: int) -> Iterator[tuple[str, float]]:
        asked.extend(games)
        return iter([])

    monkeypatch.setattr(build, "build_games", note)
    monkeypatch.setattr(build, "GAMES", ["candyfactory", "chocofactory", "schoko"])
    build.main(named)
    assert asked == [*built, ALL_GAMES]


def test_a_folder_that_others_can_write_to_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse() -> None:
        raise CacheFolderError("others can write to it")

    monkeypatch.setattr(build, "library_folder", refuse)
    with pytest.raises(SystemExit, match="1"):
        build.main(["schoko"])
    assert capsys.readouterr().err == "chocofactory build: error: others can write to it\n"


def test_a_game_that_nobody_knows_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        build.main(["chess"])
    assert "unknown game 'chess'; there are: candyfactory" in capsys.readouterr().err
