"""Whatever is damaged in a file that the package reads, it is refused by an error that names the file, or works.

`CF_MUTANTS` says how many of each kind of file.
"""

from __future__ import annotations

import json
import resource
import shutil
import struct
import tempfile
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import gymnasium
import msgspec
import pytest
import safetensors.torch
import torch
from hypothesis import HealthCheck, Phase, event, given, settings
from hypothesis import strategies as st
from long_runs import amount

import chocofactory_env as cf
from chocofactory_env import registry
from chocofactory_env.agents.learned import LearnedAgent
from chocofactory_env.agents.networks.checkpoint import (
    FORMAT,
    CheckpointError,
    about_network,
    digest_of,
    load_checkpoint,
    save_checkpoint,
)
from chocofactory_env.agents.networks.network import make_network
from chocofactory_env.agents.random_agent import RandomAgent
from chocofactory_env.arena import entries
from chocofactory_env.arena.games import PlaysGames
from chocofactory_env.arena.match import RESULT
from chocofactory_env.arena.play import JournalError, play
from chocofactory_env.arena.tournament import Result, Tournament
from chocofactory_env.arena.tracks import protocol_of
from chocofactory_env.training import ppo
from chocofactory_env.training.dataset import DatasetError, Export, read_dataset, write_dataset
from chocofactory_env.training.ppo import Config
from chocofactory_env.training.recipes import Recipe, RecipeError, RecipeRun
from chocofactory_env.training.runs import BEST, LAST, METRICS, Run, RunError, draw_curve
from chocofactory_env.training.settings import origin
from toyrace.game import ToyRace

MUTANTS = amount("CF_MUTANTS", 20, 1_000)
ROOM = 512 * 2**20  # bytes of memory beyond those of the undamaged input; inputs have 0.1 MB
LONGEST = 4000  # characters of a message

ODD: st.SearchStrategy[Any] = st.sampled_from([
    None, False, -1, 0, 1, 8.0, 2**16 + 1, 2**40, 2**63, 10**30, 10**4000, -0.0, 1e308, float("nan"), "", "8", "\0",
    "\ud800", "x" * 100_000, "/dev/zero", [], {}, [8], [[1]], [2**31, 2**31], [1] * 10_000, list(range(5)),
])  # fmt: skip
JSON = st.recursive(
    ODD | st.integers() | st.floats() | st.text(max_size=9),
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.text(max_size=9), parts, max_size=3),
    max_leaves=5,
)


# --- damage


def damaged_value(draw: st.DrawFn, value: Any) -> Any:
    """A JSON value of which one part is another value, is gone, or stands twice."""
    if not isinstance(value, dict | list) or not value or not draw(st.integers(0, 12)):
        return draw(JSON)
    key = draw(st.sampled_from(sorted(value) if isinstance(value, dict) else range(len(value))))
    how = draw(st.integers(0, 9))
    if how == 0:
        return {name: part for name, part in value.items() if name != key} if isinstance(value, dict) else value[key:]
    if how == 1:
        return value | {f"{key}x": value[key]} if isinstance(value, dict) else [*value, value[key]]
    parts = dict(value) if isinstance(value, dict) else list(value)
    parts[key] = damaged_value(draw, value[key])
    return parts


def damaged_text(draw: st.DrawFn, content: bytes) -> bytes:
    at = draw(st.integers(0, len(content)))
    return (
        content[:at] + draw(st.binary(max_size=9)) + content[at + draw(st.integers(0, 9) | st.integers(0, 1 << 20)) :]
    )


def damaged_json(draw: st.DrawFn, content: bytes) -> bytes:
    return json.dumps(damaged_value(draw, json.loads(content))).encode()


def damaged_lines(draw: st.DrawFn, content: bytes) -> bytes:
    lines = content.splitlines()
    at = draw(st.integers(0, len(lines) - 1))
    other = draw(st.sampled_from([b"", b" ", b"null", b"{}", lines[draw(st.integers(0, len(lines) - 1))]]))
    lines[at : at + 1] = draw(st.sampled_from([[], [lines[at], other], [damaged_json(draw, lines[at])]]))
    return b"\n".join(lines) + b"\n" * draw(st.integers(0, 1))


def damaged_checkpoint(draw: st.DrawFn, content: bytes) -> bytes:
    """With another header, or other tensors, usually with a matching digest."""
    size = struct.unpack("<Q", content[:8])[0]
    header, tensors = json.loads(content[8 : 8 + size]), safetensors.torch.load(content)
    about, digest = json.loads(header["__metadata__"]["about"]), ""
    how = draw(st.sampled_from(["header", "about", "network", "tensors"]))
    if how == "header":
        text = json.dumps(damaged_value(draw, header)).encode()
        return struct.pack("<Q", draw(st.just(len(text)) | st.integers(0, 2**64 - 1))) + text + content[8 + size :]
    if how == "about":
        about = damaged_value(draw, about)
    elif how == "network":
        about["network"][draw(st.sampled_from(["width", "trunk", "kind", "breadth"]))] = draw(ODD)
    else:
        name = draw(st.sampled_from(sorted(tensors)))
        one = tensors.pop(name)
        others = one, one.to(torch.int8), one[None].clone(), one.reshape(-1)[:-1].clone(), torch.full(one.shape, 1e30)
        if draw(st.booleans()):
            tensors[draw(st.sampled_from([name, name + "x", "optimiser.99.step", ""]))] = draw(st.sampled_from(others))
        if name.startswith("table"):  # only the digest protects the bytes of positions
            digest = "0" * 64
    written = json.dumps(about)
    metadata = {"format": FORMAT, "about": written, "sha256": digest or digest_of(written, tensors)}
    return safetensors.torch.save(tensors, metadata)


BY_KIND = {".json": damaged_json, ".jsonl": damaged_lines, ".safetensors": damaged_checkpoint}


def damaged(draw: st.DrawFn, path: Path) -> bytes:
    how = damaged_text if not draw(st.integers(0, 3)) else BY_KIND.get(path.suffix, damaged_text)
    return how(draw, path.read_bytes())


@cache
def solo() -> cf.Game:
    return cf.load("chocofactory", num_players=2)


def make_checkpoints(folder: Path) -> None:
    torch.manual_seed(1)
    for kind, sizes in (("afterstates", {"width": 8, "trunk": 8}), ("mlp", {"width": 8})):
        network = make_network(solo(), kind, **sizes)
        about = about_network(network, solo()) | {"iteration": 3, "versions": {"torch": torch.__version__}}
        save_checkpoint(folder / f"{kind}.safetensors", about, {"network": network.state_dict()})


def use_checkpoint(folder: Path, changed: Path) -> None:
    """An agent decides by it."""
    path = changed if changed.suffix == ".safetensors" else folder / "afterstates.safetensors"
    game = solo()
    agent = LearnedAgent(game, path)
    state = game.new(3)
    for _ in range(3):
        mask = game.legal_mask(state)
        action = agent.choose(state, game.current_player(state))
        assert mask[action], "an illegal action"
        game.apply(state, action)


# --- runs

TINY = Config(
    players=(2,),
    network={"kind": "afterstates", "width": 4, "trunk": 4},
    games=4,
    steps=8,
    iterations=2,
    minibatch=16,
    epochs=1,
    past_share=0.5,
    evaluate_every=1,
    evaluate_deals=1,
    remember_every=1,
    threads=1,
)


def make_run(folder: Path) -> None:
    ppo.train(TINY, folder, progress=False)
    for events in folder.glob("events*"):
        events.unlink()


@cache
def learner() -> ppo.Learner:
    return ppo.Learner(TINY, None)


def use_run(folder: Path, changed: Path) -> None:
    """Resume the run for an iteration, and draw it."""
    try:
        draw_curve(folder, folder / "curve.svg")
    except ValueError as error:
        if isinstance(error, RunError) or METRICS not in str(error):
            raise
    asked = msgspec.to_builtins(TINY) | origin(None)
    with Run(folder, asked, resume=True) as run:
        if run.checkpoint is None:
            raise AssertionError("the run begins anew")
        learner().resume_from(load_checkpoint(folder / LAST))
        run.best_score()
        measured = learner().iterate()
        run.log(learner().iteration, measured)
        run.save(LAST, learner().about(), learner().tensors())
    load_checkpoint(folder / BEST).network(solo())


# --- other folders


def toy_tournament() -> Tournament:
    return Tournament(partial(ToyRace, num_players=2), ("a", "b"), 2, range(3), lambda text, game: RandomAgent())


def make_journal(folder: Path) -> None:
    toy_tournament().play(folder, progress=False)


def use_journal(folder: Path, changed: Path) -> None:
    rounds = toy_tournament().play(folder, progress=False)
    assert len(rounds[0].outcome.done) == len(rounds[0].series.tasks)
    json.dumps(Result(rounds).to_dict(), allow_nan=False)


def make_entry(folder: Path) -> None:
    """Make an entry of the benchmark, with one of its tracks."""
    track = protocol_of("toyrace").tracks["two-random"]
    series = track.series("toyrace", "random")
    outcome = play(series, PlaysGames(series), progress=False)
    words = {"name": "a", "agent": "random", "author": "b", "link": "", "work": "none", "machine": "c"}
    numbers = {"format": entries.FORMAT, "protocol": 1, "timed": False, "processes": 1}
    tracks = {track.name: entries.track_result(track, series, outcome.records)}
    entries.write_entry(folder / RESULT, {"game": "toyrace", **words, **numbers, "tracks": tracks})


def use_entry(folder: Path, changed: Path) -> None:
    entry = entries.read_entry(changed)
    assert len(entries.entry_lines("toyrace", [entry])) == 3


def toy_export() -> Export:
    load = partial(ToyRace, num_players=2)
    return Export(load, ("a", "b"), range(4), deals_per_part=2, make=lambda text, game: RandomAgent())


def make_dataset(folder: Path) -> None:
    write_dataset(folder, toy_export(), progress=False)


def use_dataset(folder: Path, changed: Path) -> None:
    if changed.name == "dataset.json" or not changed.exists():
        read_dataset(folder, unfinished=True)
    write_dataset(folder, toy_export(), progress=False)
    data = read_dataset(folder)
    data.check(ToyRace(num_players=2))
    assert len(list(data.trajectories())) == 4 * 2 * 2
    assert data.of("a").layout.raw_size == data.observations.shape[1]


RECIPE = Recipe(
    title="A recipe",
    game="chocofactory",
    commands=["training.dataset --out {out}/games", "training.ppo solo --out {out}/ppo"],
)


def make_others(folder: Path) -> None:
    run = RecipeRun(RECIPE, folder)
    commands, done = run.names, {name: {"command": name, "minutes": 1.5} for name in run.names}
    (folder / "recipe.json").write_text(json.dumps({"commands": commands, "done": done}))


def use_others(folder: Path, changed: Path) -> None:
    RecipeRun(RECIPE, folder)


# --- the property

Target = tuple[Callable[[Path], None], Callable[[Path, Path], None], tuple[type[Exception], ...]]
TARGETS: dict[str, Target] = {
    "checkpoints": (make_checkpoints, use_checkpoint, (CheckpointError,)),
    "runs": (make_run, use_run, (RunError, CheckpointError)),
    "journals": (make_journal, use_journal, (JournalError,)),
    "entries": (make_entry, use_entry, (entries.EntryError,)),
    "datasets": (make_dataset, use_dataset, (DatasetError,)),
    "others": (make_others, use_others, (RecipeError,)),
}


@pytest.fixture(scope="module")
def registered() -> Iterator[None]:
    with patch.dict(registry.GAMES), patch.dict(gymnasium.registry):
        cf.register("toyrace", "toyrace.game:ToyRace")
        yield


@pytest.fixture(scope="module", params=TARGETS)
def target(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, registered: None) -> Iterator[Any]:
    """Whole files, which work, and how they are used, in a process whose memory is bounded."""
    make, use, errors = TARGETS[request.param]
    whole = tmp_path_factory.mktemp(request.param)
    make(whole)
    again = tmp_path_factory.mktemp("again") / "whole"
    shutil.copytree(whole, again)
    use(again, next(path for path in sorted(again.iterdir()) if path.suffix))
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limits = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + ROOM, limits[1]))
    yield whole, use, errors
    resource.setrlimit(resource.RLIMIT_AS, limits)


@pytest.mark.long
@settings(
    max_examples=MUTANTS,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],  # an example takes long, so none is made smaller
    suppress_health_check=list(HealthCheck),
)
@given(data=st.data())
def test_what_is_damaged_is_refused_with_its_file_or_works(target: Any, data: st.DataObject) -> None:
    whole, use, errors = target
    with tempfile.TemporaryDirectory() as base:
        folder = Path(base) / "copy"
        shutil.copytree(whole, folder)
        paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "lock")
        changed = folder / data.draw(st.sampled_from([path.relative_to(folder) for path in paths]))
        changed.write_bytes(data.draw(contents(changed)))
        refused = refusal(partial(use, folder, changed), (*errors, *([ValueError] if "bound" in changed.name else [])))
        event("works" if refused is None else "refused")
        if refused is not None and "has diverged" not in refused:  # that is found in play, long after the file was read
            assert changed.name in refused or str(folder) in refused
            assert len(refused) < LONGEST


contents = st.composite(damaged)


def refusal(use: Callable[[], None], errors: tuple[type[Exception], ...]) -> str | None:
    try:
        use()
    except errors as error:
        return str(error)
    return None
