"""Damage checkpoints and folders in thousands of ways, and check that each is rejected clearly or works.

    PYTHONPATH=.:tests/helpers python tests/helpers/damaged_files.py checkpoints[,runs...] 10000 [FIRST]
    CF_MUTANTS=10000 python -m pytest tests/arena/test_damaged_files.py

A mutant may be accepted; then it must play or resume. Otherwise an expected error must name the file. Anything else
(another error, a minute, memory far beyond the input's) is printed with the number that repeats it.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import struct
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr
from dataclasses import replace
from functools import cache, partial
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import torch
from damaged_decks import JUNK, damage, damage_text
from safetensors.torch import save

import chocofactory_env as cf
from agents.learned import LearnedAgent
from agents.networks.checkpoint import (
    FORMAT,
    CheckpointError,
    about_network,
    digest_of,
    load_checkpoint,
    save_checkpoint,
)
from agents.networks.network import make_network
from agents.random_agent import RandomAgent
from arena import entries
from arena.chocofactory.solo_benchmark import read_bound
from arena.series import RESULT, JournalError
from arena.tournament import Result, Tournament
from toyrace.game import ToyRace
from training import expert_iteration, ppo
from training.curves import points
from training.dataset import DatasetError, Export, read_dataset, write_dataset
from training.ppo_config import Config
from training.recipes import Recipe, RecipeError, RecipeRun
from training.runs import BEST, LAST, METRICS, Run, RunError

SECONDS = 60  # per mutant, on a busy machine
ROOM = 512 * 2**20  # bytes of memory beyond those of the undamaged input; inputs have 0.1 MB
LONGEST = 4000  # characters of a message

ODD: tuple[Any, ...] = (*JUNK, None, -0.0, 10**4000, "x" * 100_000, "/dev/zero", "../../../etc/passwd", list(range(5)))


class Hang(BaseException):
    """A mutant took too long."""


class Accepted(Exception):  # noqa: N818 - not an error: how a mutant ends that works
    pass


# --- JSON


def damage_value(value: Any, rng: Random) -> Any:
    """A JSON value with one place replaced by something odd, removed, or with a new neighbour."""
    if not isinstance(value, dict | list) or not value or rng.random() < 0.05:
        return rng.choice(ODD)
    value = json.loads(json.dumps(value))
    damage(rng, value, ODD)
    return value


def damage_json_text(value: Any, rng: Random) -> str:
    """A value as text, damaged before or after it is written."""
    with big_integers():
        how = rng.random()
        text = json.dumps(value if how < 0.3 else damage_value(value, rng))
    if how < 0.05:
        return "[" * 200_000
    if how < 0.1:
        return '{"a":' * 100_000 + "1" + "}" * 100_000
    if how < 0.15 and isinstance(value, dict) and value:  # a key twice
        name = rng.choice(list(value))
        return f"{{{json.dumps(name)}: 1, {text[1:]}"
    if how < 0.2:
        return text.replace("1", rng.choice(["NaN", "Infinity", "1e999", "-", "01", "1" * 5000]), 1)
    if how < 0.3:
        return text[: rng.randrange(len(text))]
    return text


@contextmanager
def big_integers() -> Iterator[None]:
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)


# --- files


def damage_bytes(content: bytes, rng: Random) -> bytes:
    """Change, cut, double, insert or replace bytes."""
    if rng.random() < 0.8:
        return damage_text(rng, content)
    others = (b"", b"\xef\xbb\xbf" + content, rng.randbytes(5000), b"PK\x03\x04" + bytes(500), bytes(len(content)))
    return rng.choice(others)


def replace_file(path: Path, rng: Random) -> None:
    """Put something else under the name of a file."""
    path.unlink()
    how = rng.randrange(7)
    if how == 0:
        path.mkdir()
    elif how == 1:
        os.mkfifo(path)
    elif how < 5:
        path.symlink_to(["/dev/zero", "nowhere", path.name][how - 2])
    elif how == 5:
        with path.open("wb") as sparse:
            sparse.truncate(2**40)


def damage_lines(text: str, rng: Random) -> str:
    """JSON lines with one line damaged, removed, doubled or moved."""
    lines = text.splitlines()
    at = rng.randrange(len(lines))
    how = rng.randrange(8)
    if how < 4:
        lines[at] = damage_json_text(json.loads(lines[at]), rng)
    elif how == 4:
        del lines[at]
    elif how == 5:
        lines.insert(rng.randrange(len(lines)), lines[at])
    elif how == 6:
        lines.insert(at, rng.choice(["", " ", "\0", "null", "[]", "{}", "﻿"]))
    else:
        lines.insert(rng.randrange(len(lines)), lines.pop(at))
    return "\n".join(lines) + "\n" * (rng.random() < 0.9)


def damage_file(path: Path, rng: Random) -> None:
    """Damage a file according to its type."""
    how = rng.random()
    if how < 0.1:
        replace_file(path, rng)
    elif how < 0.35:
        path.write_bytes(damage_bytes(path.read_bytes(), rng))
    elif path.suffix == ".safetensors":
        damage_checkpoint(path, rng)
    elif path.suffix == ".jsonl":
        path.write_text(damage_lines(path.read_text(), rng), errors="surrogatepass")
    elif path.suffix == ".json":
        path.write_text(damage_json_text(json.loads(path.read_text()), rng), errors="surrogatepass")
    else:
        path.write_bytes(damage_bytes(path.read_bytes(), rng))


# --- checkpoints

WIDTHS = (
    0,
    -1,
    1,
    2,
    7,
    8,
    9,
    16,
    30_000,
    2**16,
    2**16 + 1,
    2**40,
    10**30,
    1e9,
    8.0,
    "8",
    True,
    None,
    [8],
    float("inf"),
)


def damage_checkpoint(path: Path, rng: Random) -> None:
    """Damage the header's JSON, the tensors, or the container's description of them, usually with a matching digest."""
    content = path.read_bytes()
    size = struct.unpack("<Q", content[:8])[0]
    header = json.loads(content[8 : 8 + size])
    about, tensors = json.loads(header["__metadata__"]["about"]), dict(load_checkpoint(path).tensors)
    how = rng.randrange(8)
    text, changed = json.dumps(about), ""
    if how < 2:
        text = damage_json_text(about, rng)
    elif how == 2:
        about["network"][rng.choice(["width", "trunk", "kind", "breadth", "game"])] = WIDTHS[rng.randrange(len(WIDTHS))]
        text = json.dumps(about)
    elif how < 5:
        changed = damage_tensors(tensors, rng)
    else:
        path.write_bytes(damage_container(content, header, rng))
        return
    # Only the digest protects the bytes of positions; see `training.self_play.SelfPlayGames.restore`.
    right = rng.random() < 0.9 and not changed.startswith("table")
    digest = digest_of(text, tensors) if right else "0" * 64
    metadata = {"format": FORMAT, "about": text, "sha256": digest}
    try:
        path.write_bytes(save(tensors, metadata))
    except UnicodeEncodeError:  # half a character, which the library cannot write
        path.write_bytes(damage_container(content, header, rng))


def damage_tensors(tensors: dict[str, torch.Tensor], rng: Random) -> str:
    """Damage a tensor, and return its name."""
    damaged: str = rng.choice(list(tensors))
    name = damaged
    tensor = tensors[name].clone()
    how = rng.randrange(9)
    if how < 2 and tensor.is_floating_point() and tensor.numel():
        flat = tensor.reshape(-1)
        flat[rng.randrange(len(flat))] = float(rng.choice([np.nan, np.inf, -np.inf, 1e38, -3e38, 1e-45, -1.0]))
    elif how == 2:
        dtypes = [torch.int64, torch.int8, torch.uint8, torch.bool, torch.float16, torch.bfloat16, torch.float64]
        tensor = tensor.to(rng.choice(dtypes))
    elif how == 3:
        tensor = tensor.reshape(-1)[: rng.randrange(tensor.numel() + 1)].clone()
    elif how == 4:
        tensor = tensor.unsqueeze(0).clone()
    elif how == 5:
        tensor = torch.randint(0, 256, tensor.shape).to(tensor.dtype)
    elif how == 6:
        del tensors[name]
        name = rng.choice([name + "x", "network.", "network", "", "optimiser.x.y", "optimiser.0", "torch.generator"])
    elif how == 7:
        tensors[rng.choice(["network.more", "optimiser.99.step", "optimiser.-1.exp_avg", "other.one"])] = torch.zeros(2)
    else:
        tensors.pop(name)
        return damaged
    tensors[name] = tensor
    return damaged


def damage_container(content: bytes, header: dict[str, Any], rng: Random) -> bytes:
    data = content[8 + struct.unpack("<Q", content[:8])[0] :]
    how = rng.randrange(6)
    if how == 0:
        odd_size = rng.choice([0, 1, 2, 2**20, 2**31, 2**40, 2**62, 2**64 - 1])
        return struct.pack("<Q", odd_size) + content[8:]
    if how == 1:
        header["__metadata__"] = damage_value(header["__metadata__"], rng)
    elif how < 4:
        names = [name for name in header if name != "__metadata__"]
        entry = header[rng.choice(names)]
        field = rng.choice(["dtype", "shape", "data_offsets"])
        dtypes = ["F64", "I32", "U8", "BOOL", "F8_E4M3", "F8_E8M0", "C64", "U16", "I4", "x", 5]
        shapes = [[10**9], [2**31, 2**31], [2**63], [-1], [0], [], [1.5], [[1]], "x", [1] * 10_000, [0, 2**62, 4]]
        offsets = [[0, 0], [0, 10**12], [10, 0], [-4, 0], [0], [0, 4, 8], "x", [2**63, 2**64], [0, 2**64 - 1]]
        choices: dict[str, list[Any]] = {"dtype": dtypes, "shape": shapes, "data_offsets": offsets}
        entry[field] = rng.choice(choices[field])
    elif how == 4:
        header = {"__metadata__": header["__metadata__"]} | {
            f"t{n}": {"dtype": "U8", "shape": [0], "data_offsets": [0, 0]} for n in range(30_000)
        }
    else:
        text = damage_json_text(header, rng).encode(errors="surrogatepass")
        return struct.pack("<Q", len(text)) + text + data
    with big_integers():
        text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


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
        action = agent(game.observe(state, game.current_player(state)), mask)
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
    import dataclasses

    try:
        points(folder, "score")
    except ValueError as error:
        if isinstance(error, RunError) or METRICS not in str(error):
            raise
    asked = dataclasses.asdict(TINY) | {"start": None}
    with Run(folder, asked, resume=True) as run:
        if run.checkpoint is None:
            raise AssertionError("the run begins anew")
        learner().resume_from(folder / LAST)
        run.metrics()
        learner().meet_a_past_self(folder / ppo.PAST)
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
    outcome = toy_tournament().play(folder, progress=False)
    assert len(outcome.records) == len(toy_tournament().tasks)
    json.dumps(Result.of(toy_tournament(), outcome).to_dict(), allow_nan=False)  # type: ignore[union-attr]  # games were played


def make_entry(folder: Path) -> None:
    """Make an entry of the benchmark, with one of its tracks."""
    cf.register("toyrace", "toyrace.game:ToyRace")
    track = entries.protocol_of("toyrace").tracks["two-random"]
    tournament = track.tournament("toyrace", "random")
    with tempfile.TemporaryDirectory() as played:
        outcome = tournament.play(Path(played), progress=False)
    words = {"name": "a", "agent": "random", "author": "b", "link": "", "work": "none", "machine": "c"}
    numbers = {"format": entries.FORMAT, "protocol": 1, "timed": False, "processes": 1}
    tracks = {track.name: entries.track_result(track, tournament, outcome.records.values())}
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


RECIPE = Recipe.of(
    "A recipe", "chocofactory", ["training.dataset --out {out}/games", "training.ppo solo --out {out}/ppo"]
)


def make_others(folder: Path) -> None:
    run = RecipeRun(RECIPE, folder)
    done = {"training.dataset --out games": {"seconds": 1.5, "printed": "x"}, "b": {"seconds": 2}}
    (folder / "recipe.json").write_text(json.dumps({"asked": run._asked, "done": done}))
    (folder / "bound.json").write_text(json.dumps({"0": 0.9, "1": 0.5}))
    game = solo()
    network = make_network(game, "mlp", width=4)
    expert = expert_iteration.Config(players=(2,), games=2, expert="greedy", threads=1, processes=1)
    expert = replace(expert, expert="planner:width=2")
    expert_iteration.play_round(expert, [game], network, 1, folder, False)


def use_others(folder: Path, changed: Path) -> None:
    if changed.name == "recipe.json":
        RecipeRun(RECIPE, folder)
    elif changed.name == "bound.json":
        read_bound(changed)
    else:
        expert_iteration.lessons_of(folder, 1, expert_iteration.Config(players=(2,)))


# --- the attack

Target = tuple[Callable[[Path], None], Callable[[Path, Path], None], tuple[type[Exception], ...]]
TARGETS: dict[str, Target] = {
    "checkpoints": (make_checkpoints, use_checkpoint, (CheckpointError,)),
    "runs": (make_run, use_run, (RunError, CheckpointError)),
    "journals": (make_journal, use_journal, (JournalError,)),
    "entries": (make_entry, use_entry, (entries.EntryError,)),
    "datasets": (make_dataset, use_dataset, (DatasetError,)),
    "others": (make_others, use_others, (RecipeError, CheckpointError, ValueError)),
}


def outcome_of(target: Target, whole: Path, folder: Path, rng: Random) -> str:
    """The outcome of a mutant: accepted, or rejected with an error; else what is wrong."""
    _, use, errors = target
    shutil.copytree(whole, folder)
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "lock")
    changed = rng.choice(files)
    damage_file(changed, rng)
    where = f"{changed.name} "
    signal.alarm(SECONDS)
    try:
        with redirect_stderr(StringIO()):
            use(folder, changed)
    except errors as error:
        text = str(error)
        if "has diverged" in text:  # found only in play, long after the file was read
            return "accepted"
        if not any(name in text for name in (changed.name, str(folder))):
            return f"WRONG {where}names no file: {text[:300]}"
        if len(text) > LONGEST:
            return f"WRONG {where}has a message of {len(text)} characters: {text[:300]}"
        if type(error) not in errors or (type(error) is ValueError and changed.name != "bound.json"):
            return f"WRONG {where}{type(error).__name__}: {text[:300]}"
        return f"refused {type(error).__name__}"
    except Hang:
        return f"WRONG {where}hangs"
    except Exception as error:
        return f"WRONG {where}{type(error).__name__}: {str(error)[:300]}"
    finally:
        signal.alarm(0)
    return "accepted"


def attack(name: str, count: int, seed: int) -> Counter[str]:
    """Attack a target with `count` mutants; returns how many were accepted, or rejected with each error."""
    target = TARGETS[name]
    found: Counter[str] = Counter()

    def late(*_: Any) -> None:
        raise Hang

    signal.signal(signal.SIGALRM, late)
    with tempfile.TemporaryDirectory() as base:
        whole = Path(base) / "whole"
        whole.mkdir()
        target[0](whole)
        shutil.copytree(whole, Path(base) / "first")
        target[1](Path(base) / "first", next(path for path in sorted((Path(base) / "first").iterdir()) if path.suffix))
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limit = pages * resource.getpagesize() + ROOM
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
        for number in range(seed, seed + count):
            folder = Path(base) / str(number)
            outcome = outcome_of(target, whole, folder, Random(number))
            if outcome.startswith("WRONG"):
                print(f"{name} {number}: {outcome}", file=sys.stderr, flush=True)
                outcome = "WRONG"
            found[outcome] += 1
            shutil.rmtree(folder)
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))  # the next target has its own limit
    return found


if __name__ == "__main__":
    torch.set_num_threads(1)
    chosen, number, *more = sys.argv[1:]
    results = [attack(kind, int(number), int(more[0]) if more else 0) for kind in chosen.split(",")]
    for result in results:
        print(json.dumps(result))
    sys.exit(any(result["WRONG"] for result in results))
