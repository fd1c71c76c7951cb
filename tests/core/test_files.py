"""Files are written whole or not at all, folders are held by one process, and JSON is read with care."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TypedDict

import pytest

from chocofactory_env.agents import files
from chocofactory_env.agents.files import parsed, read_json, read_lines, write_json
from chocofactory_env.core.files import held, read_file, whole, write_text


class OwnError(ValueError):
    pass


class Thing(TypedDict):
    name: str
    parts: list[dict[str, int | None]]


# --- writing


def test_a_file_is_replaced_whole_or_stays_as_it_was(tmp_path: Path) -> None:
    target = tmp_path / "file.json"
    write_json(target, {"a": 1})
    before = target.read_bytes()

    def stops_while_writing() -> None:
        with whole(target) as path:
            path.write_text('{"a": 2')
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stops_while_writing()
    assert target.read_bytes() == before
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(target, {"a": float("nan")})
    assert target.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["file.json"]


def test_a_file_that_cannot_be_written_is_named_as_the_caller_named_it(tmp_path: Path) -> None:
    target = tmp_path / "nowhere" / "game.json"
    with pytest.raises(FileNotFoundError) as raised:
        write_text(target, "{}")
    assert raised.value.filename == str(target)


def test_a_file_is_on_the_disk_before_it_takes_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    sync, replace = os.fsync, Path.replace

    def noted_sync(number: int) -> None:
        done.append("sync")
        sync(number)

    def noted_replace(path: Path, target: Path) -> Path:
        done.append("replace")
        return replace(path, target)

    monkeypatch.setattr(os, "fsync", noted_sync)
    monkeypatch.setattr(Path, "replace", noted_replace)
    write_json(tmp_path / "file.json", {})
    assert done == ["sync", "replace"]


def test_a_folder_is_held_by_one_process_at_a_time(tmp_path: Path) -> None:
    with (
        held(tmp_path / "new", OwnError),
        pytest.raises(OwnError, match=r"new: another process is at work in it; wait"),
        held(tmp_path / "new", OwnError),
    ):
        pass
    with held(tmp_path / "new", OwnError):
        pass
    (tmp_path / "file").touch()
    with (
        pytest.raises(OwnError, match=r"file: expected a folder to write to, got: File exists"),
        held(tmp_path / "file", OwnError),
    ):
        pass


# --- reading


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b'{"a": 1, "a": 3}', "is not JSON with every key once: 'a' twice"),
        (b'"\xff"', "is not text in UTF-8: byte 0xff at 1"),
        (b"[]", r"is \[\], which is not an object"),
        (b"{}", "lacks the field name"),
        (b'{"name": 5}', "has name 5, which is not text"),
        (b'{"name": "x", "parts": [{}, 3]}', r"has parts\[1\] 3, which is not an object"),
    ],
)
def test_what_does_not_fit_ends_a_sentence_about_the_file(text: bytes, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        parsed(text, Thing)


def test_only_regular_files_of_a_bounded_size_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "long").write_bytes(b"0" * 11)
    for name, said in {
        "pipe": "expected a regular file, got a pipe",
        "/dev/zero": "expected a regular file, got a device",
        "folder": "expected a regular file, got a folder",
        "nowhere": "No such file",
        "long": "expected at most 10 bytes, got 11",
    }.items():
        with pytest.raises(OSError, match=said):
            read_file(tmp_path / name, 10)
        monkeypatch.setattr(files, "MOST_TEXT", 10)
        with pytest.raises(OwnError, match=rf"{name}: {said}.*; expected a thing$"):
            read_json(tmp_path / name, Thing, OwnError, "a thing")


def test_a_line_is_named_and_a_last_one_without_an_end_is_dropped_with_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_text('{"a": 1}\n{"a": 2}\n{"a": 3')
    assert read_lines(path, OwnError, "it is lost") == ([{"a": 1}, {"a": 2}], 18)
    assert "lines.jsonl: the last line is not whole and was dropped; it is lost" in capsys.readouterr().err
    path.write_text('{"a": 1}\n[]\n')
    with pytest.raises(OwnError, match=r"lines\.jsonl, line 2 is \[\], which is not an object; expected a JSON object"):
        read_lines(path, OwnError, "")
    path.write_bytes(b'{"a": 1}\n{"a": 2}\n\x80\x81\n')
    with pytest.raises(OwnError, match=r"lines\.jsonl, line 3 is not text in UTF-8: byte 0x80 at 0; expected"):
        read_lines(path, OwnError, "")
