"""The server: its files and headers, and the command line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from at_table import client_of
from starlette.testclient import TestClient

from chocofactory_env.play.__main__ import COMMAND, Table, house_of
from chocofactory_env.play.server import HEADERS, PAGE, make_app
from chocofactory_env.play.session import House


@pytest.mark.parametrize("path", ["/", "/page/table.js", "/theme.css", "/rules/schoko", "/none"])
def test_every_answer_says_what_a_browser_may_not(path: str, tmp_path: Path) -> None:
    answer = client_of(House(tmp_path)).get(path)
    assert answer.status_code == (404 if path == "/none" else 200)
    assert all(answer.headers[name] == value for name, value in HEADERS.items())


@pytest.mark.parametrize("name", ["..%2fsession.py", "none.js", "table.css.bak", "%2e%2e"])
def test_no_other_file_is_served(name: str, tmp_path: Path) -> None:
    assert client_of(House(tmp_path)).get(f"/page/{name}").status_code == 404


def test_a_browser_leaves_out_the_port_of_http(tmp_path: Path) -> None:
    assert TestClient(make_app(House(tmp_path), 80), base_url="http://127.0.0.1").get("/").status_code == 200
    assert TestClient(make_app(House(tmp_path), 8421), base_url="http://127.0.0.1").get("/").status_code == 403


def test_all_that_the_page_asks_for_is_there(tmp_path: Path) -> None:
    client = client_of(House(tmp_path))
    for path in PAGE.iterdir():
        assert client.get(f"/page/{path.name}").content == path.read_bytes()


def read(words: list[str]) -> Table:
    """The table that a command line describes."""
    found: list[Table] = []

    def keep(chosen: Table) -> None:
        found.append(chosen)

    replace(COMMAND, function=keep).run(words)
    return found[0]


def test_the_command_line_describes_a_game(tmp_path: Path) -> None:
    words = ["--seats", "person", "greedy", "--game", "candyfactory", "--seed", "3", "--folder", str(tmp_path)]
    house = house_of(read([*words, "--option", "deck=generated:17"]))
    assert house.preset.seed == 3
    assert house.preset.options["deck"] == "generated:17"
    assert [seat.agent for seat in house.preset.seats] == [None, "greedy"]
    assert house_of(Table(folder=tmp_path)).preset is None
    assert house_of(Table(folder=tmp_path, seed=7)).preset.seed == 7


def test_games_are_not_saved_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "games"
    file.touch()
    with pytest.raises(ValueError, match=r"^folder: expected a folder, got the file "):
        house_of(Table(folder=file))


def test_checkpoints_of_a_run_are_offered_newest_first(tmp_path: Path) -> None:
    for name in ("old", "new"):
        (tmp_path / f"{name}.safetensors").touch()
    house = House(tmp_path, ["my:agent", "my:agent"], [tmp_path])
    assert house.own()[0] == "my:agent"
    assert {Path(text).stem for text in house.own()[1:]} == {"old", "new"}
