"""Games written as data: what is read back is what was played, whoever wrote it and however often it was stopped."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from interrupted import StopsAfter
from repository import ROOT
from toy_agents import make_toy_agent

import chocofactory_env as cf
from chocofactory_env.training import dataset
from chocofactory_env.training.dataset import (
    ATTRIBUTES,
    SETTINGS,
    Dataset,
    DatasetError,
    Export,
    PartMaker,
    path_of,
    read_dataset,
    schema_of,
    settings_of,
    write_dataset,
)
from toyrace.game import ToyRace

PAGE = ROOT / "docs" / "datasets.md"


def load(**options: Any) -> cf.Game:
    return cf.load("chocofactory", **options)


def toy_export(agents: tuple[str, ...] = ("guesses", "rests"), deals: int = 5, **settings: Any) -> Export:
    load = partial(ToyRace, num_players=len(agents))
    return Export(load, tuple(agents), range(3, 3 + deals), deals_per_part=2, make=make_toy_agent, **settings)


def written(folder: Path, export: Export, **how: Any) -> Dataset:
    assert write_dataset(folder, export, progress=False, **how)
    return read_dataset(folder)


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def replay(game: cf.Game, data: Dataset, forced: bool) -> int:
    """Play every game of the data again, and compare every row on the way; how many decisions were not in it."""
    missing = 0
    for episode in np.unique(data.episodes):
        game_rows = data.rows(data.episodes == episode)
        rows = game_rows.rows(np.argsort(game_rows.steps))
        [deal], [rotation] = np.unique(rows.deals), np.unique(rows.rotations)
        state = game.new(seed=int(deal))
        at = step = 0
        while not game.is_over(state):
            seat, mask = game.current_player(state), game.legal_mask(state)
            if at < len(rows) and rows.steps[at] == step:
                raw = np.empty(game.observation_layout.raw_size, np.uint8)
                game.write_raw_observation(state, seat, raw)
                assert rows.observations[at].tobytes() == raw.tobytes()
                scaled = data.layout.scaled(rows.observations[at])
                assert scaled.tobytes() == game.observe(state, seat).flat.tobytes()
                assert rows.masks[at].tobytes() == mask.tobytes()
                assert rows.seats[at] == seat
                assert rows.standings[at] == game.standings(state)[seat]
                assert rows.names[rows.agents[at]] == data.settings["agents"][(seat - rotation) % game.num_players]
                action = int(rows.actions[at])
                at += 1
            else:
                assert not forced
                [action] = np.flatnonzero(mask).tolist()
                missing += 1
            game.apply(state, action)
            step += 1
        assert at == len(rows)
        scores = game.payoffs(state)
        for seat in range(game.num_players):
            of_seat = rows.rows(rows.seats == seat)
            assert set(of_seat.scores) == {scores[seat]}
            assert set(of_seat.places) == {game.ranking(state)[seat] + 1}
            assert set(of_seat.won) == {game.won(state)[seat]}
            others = np.delete(scores, seat)
            assert np.array_equal(
                np.unique(of_seat.margins), [scores[seat] - others.mean() if len(others) else np.nan], equal_nan=True
            )
            assert of_seat.last.tolist() == [False] * (len(of_seat) - 1) + [True]
    return missing


# --- the real game, row by row


VARIANTS = [
    pytest.param(("greedy", "random"), {}, id="two"),
    pytest.param(("greedy", "random", "random"), {"sides": "B"}, id="three"),
    pytest.param(("greedy",), {"difficulty": 1}, id="solo"),
    pytest.param(("random", "greedy"), {"expansion": "master_chocolatier", "sides": "random"}, id="expansion"),
]


@pytest.mark.parametrize("forced", [False, True])
@pytest.mark.parametrize(("agents", "options"), VARIANTS)
def test_every_row_is_what_the_game_shows_when_it_is_played_again(
    agents: tuple[str, ...], options: dict[str, Any], forced: bool, tmp_path: Path
) -> None:
    variant = partial(load, num_players=len(agents), **options)
    data = written(tmp_path, Export(variant, agents, range(7, 9), forced=forced, deals_per_part=1))
    game = variant()
    missing = replay(game, data, forced)
    one_answer = np.count_nonzero(data.masks, axis=1) == 1
    assert bool(missing) is not forced
    assert bool(one_answer.any()) is forced
    assert data.observations.shape == (len(data), game.observation_layout.size)
    assert np.unique(data.deals).tolist() == [7, 8]
    assert np.unique(data.episodes).tolist() == list(range(2 * len(agents)))
    data.check(game)


# --- the form of the data, on a toy


def test_rows_of_a_seat_are_together_and_in_order(tmp_path: Path) -> None:
    data = written(tmp_path, toy_export())
    seats = []
    for rows in data.trajectories():
        part = data.rows(rows)
        seats += [(int(part.episodes[0]), int(part.seats[0]))]
        assert len(set(part.episodes)) == len(set(part.seats)) == len(set(part.agents)) == 1
        assert (np.diff(part.steps) > 0).all()
    assert seats == [(episode, seat) for episode in range(5 * 2) for seat in (0, 1)]
    assert sum(rows.stop - rows.start for rows in data.trajectories()) == len(data)
    assert replay(ToyRace(num_players=2), data, forced=True) == 0


def test_without_rows_nothing_is_lost_but_the_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset.DecisionRecorder, "__call__", lambda *_: None)
    data = written(tmp_path, toy_export())
    assert len(data) == 0
    assert data.observations.shape == (0, ToyRace(num_players=2).observation_layout.raw_size)
    assert list(data.trajectories()) == []


def test_only_the_decisions_of_chosen_agents_are_written(tmp_path: Path) -> None:
    everyone = written(tmp_path / "all", toy_export())
    data = written(tmp_path / "one", toy_export(of=("guesses",)))
    assert data.settings["of"] == ["guesses"]
    assert {data.names[agent] for agent in data.agents} == {"guesses"}
    expected = everyone.of("guesses")
    assert 0 < len(expected) < len(everyone)
    for name in ATTRIBUTES.values():
        assert np.array_equal(getattr(data, name), getattr(expected, name))
    with pytest.raises(ValueError, match="'nobody' played no game; there are: guesses, rests"):
        data.of("nobody")


def test_agents_of_one_name_count_as_one(tmp_path: Path) -> None:
    data = written(tmp_path, toy_export(("guesses", "rests", "guesses"), deals=1))
    assert data.names == ("guesses", "rests")
    assert set(data.agents[data.seats == 0]) == {0, 1}
    replay(ToyRace(num_players=3), data, forced=False)


def test_arrays_belong_to_the_reader(tmp_path: Path) -> None:
    data = written(tmp_path, toy_export())
    before = files_of(tmp_path)
    for name in ATTRIBUTES.values():
        array = getattr(data, name)
        assert array.flags.writeable
        assert array.flags.c_contiguous
    data.observations[:] = 0
    assert files_of(tmp_path) == before
    assert read_dataset(tmp_path).observations.any()
    assert np.shares_memory(data.rows(slice(2, 4)).masks, data.masks)


def test_every_file_tells_what_it_holds(tmp_path: Path) -> None:
    export = toy_export()
    write_dataset(tmp_path, export, progress=False)
    settings = json.loads((tmp_path / SETTINGS).read_text())
    assert settings == export.settings()
    assert settings["seeds"] == {"first": 3, "number": 5}
    assert set(settings["versions"]) == {"chocofactory_env", "python", "numpy", "pyarrow"}
    assert settings["observation"]["blocks"]["racers"] == {"first": 3, "shape": [2, 2], "high": 12}
    parts = sorted(tmp_path.glob("*.parquet"))
    assert [path.name for path in parts] == ["part-00000.parquet", "part-00001.parquet", "part-00002.parquet"]
    deals = [pq.read_table(path, partitioning=None)["deal"].unique().to_pylist() for path in parts]
    assert deals == [[3, 4], [5, 6], [7]]
    for number, path in enumerate(parts):
        metadata = pq.read_schema(path).metadata
        assert json.loads(metadata[b"dataset"]) == settings
        assert metadata[b"part"] == str(number).encode()
        for group in range(pq.read_metadata(path).num_row_groups):
            assert pq.read_metadata(path).row_group(group).column(0).compression == "ZSTD"


# --- several processes, interruptions


@pytest.mark.parametrize("parts", [0, 1, 2])
def test_interrupted_data_are_gone_on_with_to_the_same_files(
    parts: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path / "whole", toy_export())
    part = tmp_path / "part"
    with monkeypatch.context() as patch:
        patch.setattr(dataset, "PartMaker", lambda *given: StopsAfter(PartMaker(*given), parts))
        assert not write_dataset(part, toy_export(), progress=False)
    assert len(list(part.glob("*.parquet"))) == parts
    with pytest.raises(DatasetError, match=rf"{3 - parts} of 3 parts are missing, the first is part-0000{parts}"):
        read_dataset(part)
    assert len(np.unique(read_dataset(part, unfinished=True).episodes)) == 4 * parts
    written(part, toy_export())
    assert files_of(part) == files_of(tmp_path / "whole")


# --- what is refused


@pytest.fixture(scope="module")
def toys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three parts of a toy, to be copied before they are broken."""
    folder = tmp_path_factory.mktemp("toys")
    write_dataset(folder, toy_export(), progress=False)
    return folder


@pytest.fixture
def broken(toys: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(toys, tmp_path / "toys"))


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (toy_export(deals=6), r"seeds\.number is 5 there and 6 here$"),
        (toy_export(forced=True), r"forced is false there and true here$"),
        (toy_export(of=("guesses",)), r'of is \["guesses", "rests"\] there and \["guesses"\] here$'),
        (replace(toy_export(), load=partial(ToyRace, rounds=3)), r"options\.rounds is 5 there and 3 here"),
        (replace(toy_export(), deals_per_part=3), r"deals_per_part is 2 there and 3 here$"),
    ],
)
def test_a_folder_of_other_settings_is_refused_and_left_alone(other: Export, said: str, toys: Path) -> None:
    before = files_of(toys)
    with pytest.raises(DatasetError, match=r"dataset\.json was written with other settings: " + said):
        write_dataset(toys, other, progress=False)
    assert files_of(toys) == before


def test_parts_of_other_settings_are_refused_even_without_the_settings_beside_them(broken: Path) -> None:
    (broken / SETTINGS).unlink()
    with pytest.raises(DatasetError, match=r"part-00000\.parquet has other columns or settings"):
        write_dataset(broken, toy_export(forced=True), progress=False)
    assert not (broken / SETTINGS).exists()


def test_a_folder_that_holds_no_data_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"nowhere/dataset\.json: No such file.*expected a folder that"):
        read_dataset(tmp_path / "nowhere")
    (tmp_path / SETTINGS).write_text('{"series": "arena", "format": 1}')
    with pytest.raises(DatasetError, match=r"dataset\.json .*series.*expected a folder that"):
        read_dataset(tmp_path)
    with pytest.raises(DatasetError, match=r"dataset\.json .*series"):
        write_dataset(tmp_path, toy_export(), progress=False)


def renamed(broken: Path) -> None:
    shutil.copy(path_of(broken, 0), path_of(broken, 1))


def of_other_settings(broken: Path) -> None:
    path_of(broken, 1).unlink()
    (broken / SETTINGS).write_text(json.dumps({**json.loads((broken / SETTINGS).read_text()), "forced": True}))
    shutil.copy(path_of(broken, 0), path_of(broken, 1))
    path_of(broken, 0).unlink()


@pytest.mark.parametrize("change", [renamed, of_other_settings])
def test_a_part_of_something_else_is_refused(change: Callable[[Path], None], broken: Path) -> None:
    change(broken)
    with pytest.raises(DatasetError, match=r"part-00001\.parquet has other columns or settings; expected part 1"):
        read_dataset(broken, unfinished=True)


@pytest.mark.parametrize("size", [0, 3, 400])
def test_a_file_that_is_cut_off_is_refused_by_both_sides(size: int, broken: Path) -> None:
    file = path_of(broken, 1)
    file.write_bytes(file.read_bytes()[:size])
    with pytest.raises(DatasetError, match=r"part-00001\.parquet cannot be read: .* expected a whole part"):
        read_dataset(broken)
    with pytest.raises(DatasetError, match=r"part-00001\.parquet cannot be read"):
        write_dataset(broken, toy_export(), progress=False)


def test_a_changed_byte_is_noticed(broken: Path) -> None:
    """Every page has a checksum, so no observation or return changes unseen."""
    file = path_of(broken, 1)
    group = pq.read_metadata(file).row_group(0)
    content = file.read_bytes()
    for column in range(group.num_columns):
        chunk = group.column(column)
        start = chunk.dictionary_page_offset if chunk.has_dictionary_page else chunk.data_page_offset
        at = start + chunk.total_compressed_size - 1
        file.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
        with pytest.raises(DatasetError, match=r"part-00001\.parquet cannot be read"):
            read_dataset(broken)


def test_a_game_is_compared_with_that_of_the_data(toys: Path) -> None:
    data = read_dataset(toys)
    data.check(ToyRace(num_players=2))
    with pytest.raises(DatasetError, match=r"another game: options\.rounds is 5 there and 3 here"):
        data.check(ToyRace(num_players=2, rounds=3))
    other_deck = ToyRace(num_players=2)
    other_deck.deck_hash = "toy-2"
    with pytest.raises(DatasetError, match=r'deck is "toy-1" there and "toy-2" here$'):
        data.check(other_deck)
    other_layout = ToyRace(num_players=2)
    blocks = [
        replace(block, high=9) if block.name == "sponsor" else block for block in other_layout.observation_layout.blocks
    ]
    other_layout.observation_layout = cf.ObservationLayout(blocks)
    with pytest.raises(DatasetError, match=r"observation\.blocks\.sponsor\.high is 5 there and 9 here$"):
        data.check(other_layout)


# --- the command line and the page


def run(arguments: list[str], code: int = 0) -> None:
    with pytest.raises(SystemExit) if code else nullcontext() as stopped:
        dataset.main(arguments)
    assert code == (stopped.value.code if stopped else 0)


def test_the_command_line_writes_the_data_and_says_how_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cf, "load", lambda name, **options: ToyRace(**options))
    arguments = ["--agents", "random", "random", "--deals", "3", "--seed", "4", "--deals-per-part", "2"]
    out = ["--out", str(tmp_path / "data")]
    with monkeypatch.context() as patch:
        patch.setattr(dataset, "PartMaker", lambda *given: StopsAfter(PartMaker(*given), 1))
        run([*arguments, *out], code=130)
    printed = capsys.readouterr().out
    assert " in 1 file, " in printed
    assert "stopped after 1 of 2 parts" in printed
    run([*arguments, *out])
    data = read_dataset(tmp_path / "data")
    assert f"{len(data):,} decisions of 6 games in 2 files" in capsys.readouterr().out
    assert np.unique(data.deals).tolist() == [4, 5, 6]


def test_the_page_tells_every_column() -> None:
    table = re.findall(r"^\| `(\w+)` \| `(\w+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert dict(table) == ATTRIBUTES
    assert [column for column, _ in table] == schema_of(settings_of(ToyRace())).names


def test_the_programs_of_the_page_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    export = Export(partial(load, num_players=2), ("greedy", "random"), range(2), deals_per_part=1)
    written(tmp_path / "runs" / "data" / "two-players", export)
    programs = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(programs) == 3
    for program in programs:
        exec(compile(program, str(PAGE), "exec"), {})
        assert capsys.readouterr().out
