"""Records of strangers: whatever a file holds, it is refused with a short and clear error, or replayed exactly.

`CF_MUTANTS` says how many records (default 200); `CF_SEED` the first of them.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from damaged_decks import INSERTED, JUNK, damage, damage_text
from games_under_test import chocofactory, expanded, toy
from long_runs import amount

from chocofactory_env import GameRecord, RecordError, record_game
from chocofactory_env.core.jit import COMPILED
from chocofactory_env.envs.versus import RandomOpponent

MUTANTS = amount("CF_MUTANTS", 200 if COMPILED else 20, 5_000)
FIRST = int(os.environ.get("CF_SEED", "0"))
SECONDS = 30  # of processor time for one record; it takes less than one

PATHS = ("/dev/zero", "/dev/stdin", "/", "", "missing.toml", "\0", 5, None, ["/dev/zero"])


@pytest.fixture
def records(tmp_path: Path) -> list[list[dict[str, Any]]]:
    """The lines of a few games."""
    games = [toy(num_players=2), chocofactory(num_players=1), chocofactory(num_players=2), expanded(num_players=3)]
    found = []
    for game in games:
        record_game(game, [RandomOpponent() for _ in range(game.num_players)], seed=3).write(tmp_path / "game.jsonl")
        found.append([json.loads(line) for line in (tmp_path / "game.jsonl").read_text().splitlines()])
    return found


def mutant(rng: random.Random, lines: list[dict[str, Any]]) -> bytes:
    """The file of a record, with values, lines or bytes changed."""
    lines = json.loads(json.dumps(lines))
    for _ in range(rng.choice((0, 1, 1, 2))):
        line = rng.choice((lines[0], lines[-1], rng.choice(lines)))
        change = rng.randrange(5)
        if change == 0:
            damage(rng, line)
        elif change == 1:
            line[rng.choice([*line] or ["seed"])] = rng.choice(JUNK)
        elif change == 2:
            lines[0]["options"] = {"num_players": 2, "deck": rng.choice(PATHS)}
        elif change == 3:
            lines.insert(rng.randrange(len(lines)), lines.pop(rng.randrange(len(lines))))
        else:
            del lines[rng.randrange(len(lines))]
        if not lines:
            break
    text = b"\n".join(json.dumps(line).encode() for line in lines) + b"\n"
    for _ in range(rng.choice((0, 0, 0, 1, 2))):
        text = damage_text(rng, text)
    return text if rng.random() < 0.95 else text + rng.choice(INSERTED)


@pytest.mark.slow
@pytest.mark.long
def test_whatever_a_record_holds_it_is_refused_clearly_or_replayed(
    records: list[list[dict[str, Any]]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mutant.jsonl"
    counts: Counter[str] = Counter()
    for seed in range(FIRST, FIRST + MUTANTS):
        rng = random.Random(seed)
        lines = rng.choice(records)
        path.write_bytes(mutant(rng, lines))
        begun = time.process_time()
        message = why_refused(path)
        assert time.process_time() - begun < SECONDS, f"seed {seed}"
        if message is None:
            read = GameRecord.read(path)
            assert [each.action for each in read.actions] == [line["action"] for line in lines[1:-1]], f"seed {seed}"
            assert read.result == lines[-1], f"seed {seed}"
            counts["replayed"] += 1
        else:
            assert message.startswith(f"{path}, line "), f"seed {seed}: {message}"
            assert "; expected " in message, f"seed {seed}: {message}"
            assert len(message) < 1_500, f"seed {seed}: {len(message)} characters"
            counts["refused"] += 1
    with capsys.disabled():
        print(f"\n{MUTANTS} records: {dict(counts)}")
    assert min(counts["replayed"], counts["refused"]) >= MUTANTS // 20


def why_refused(path: Path) -> str | None:
    try:
        GameRecord.read(path).replay()
    except RecordError as error:
        return str(error)
    return None
