"""One seeded game of every variant, with every public call's answer along it: `playthroughs/<game>, <variant>.txt`.

After a change that is meant to alter games, observations or cards, write the files anew and read the difference:

    CF_WRITE_PLAYTHROUGHS=1 python -m pytest tests/properties/test_playthroughs.py

`history` is a hash of every position, mask and observation so far, so that no step goes unseen. One look of each game
is drawn in text: the first one of the first variant, the second one of the second, and so on.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from textwrap import wrap
from typing import Any

import numpy as np
import pytest
from all_games import EVERY_VARIANT, GAMES, load, steps
from long_runs import AT_LENGTH
from processes import output

import chocofactory_env as cf
from chocofactory_env.core.jit import COMPILED

FOLDER = Path(__file__).with_name("playthroughs")
SEED = 7
EVERY = 100  # steps between two looks
BATCH_STEPS = 600
WIDTH = 118
RESULTS = ("scores", "standings", "payoffs", "ranking", "won")


class Digest:
    """A running hash of arrays, bytes and JSON."""

    def __init__(self, *things: Any) -> None:
        self._hash = hashlib.sha256()
        self.add(*things)

    def add(self, *things: Any) -> None:
        for thing in things:
            if isinstance(thing, np.ndarray):
                content = f"{thing.dtype.str}{thing.shape}".encode() + thing.tobytes()
            else:
                content = thing if isinstance(thing, bytes) else json.dumps(thing, sort_keys=True).encode()
            self._hash.update(len(content).to_bytes(8, "little") + content)

    def __str__(self) -> str:
        return self._hash.hexdigest()[:16]


def head(game: Any) -> Iterator[str]:
    """What stands before the first move."""
    options = {name: Path(each).name if name == "deck" and each else each for name, each in game.options.items()}
    yield f"{game.name} {json.dumps(options)}"
    yield f"rules {game.rules_version}, deck {game.deck_hash[:16]}"
    yield "actions: " + ", ".join(f"{verb} ×{size}" for verb, size in game.action_layout.verbs)
    blocks = (
        f"{block.name} {'×'.join(map(str, block.shape))} 0..{block.high}{' clipped' if block.clipped else ''}"
        for block in game.observation_layout.blocks
    )
    yield from wrap(f"observed: {', '.join(blocks)}", WIDTH)


def legal_in_words(game: Any, state: np.ndarray) -> str:
    """The legal actions, by verb."""
    moves = [game.decode(action) for action in np.flatnonzero(game.legal_mask(state)).tolist()]
    return "; ".join(
        f"{verb} {' '.join(str(argument) for _, argument in same)}"
        for verb, same in groupby(moves, lambda move: move[0])
    )


def look(game: Any, state: np.ndarray, number: int) -> Iterator[str]:
    """Everything that can be asked of a position."""
    seats = range(game.num_players)
    data = game.to_dict(state)
    yield f"  positions: data {Digest(data)}, read {Digest(game.from_dict(json.loads(json.dumps(data))))}"
    yield f"  observed: {', '.join(str(Digest(game.observe(state, seat).flat)) for seat in seats)}"
    yield f"  redealt: {', '.join(str(Digest(game.redeal(state, seat, number))) for seat in seats)}"
    results = {name: getattr(game, name)(state).tolist() for name in RESULTS}
    yield "  " + ", ".join(f"{name} {value}" for name, value in results.items())
    if COMPILED and not game.is_over(state):
        found = [game.random_playouts(state, range(number, number + 4), player=player) for player in (None, 0)]
        yield f"  playouts: {', '.join(str(Digest(each.scores, each.ranking, each.decisions)) for each in found)}"


def played(game: Any) -> Iterator[tuple[list[str], str]]:
    """The looks at a game, and each position in text."""
    history, raw = Digest(), np.zeros(game.observation_layout.raw_size, np.uint8)
    for number, (state, action) in enumerate(steps(game, SEED)):
        history.add(state.tobytes(), game.legal_mask(state), game.current_player(state))
        for seat in range(game.num_players):
            game.write_raw_observation(state, seat, raw)
            history.add(raw)
        if number % EVERY and action >= 0:
            continue
        moves = "over" if action < 0 else f"player {game.current_player(state)} to move"
        lines = [f"step {number}: {moves}, history {history}", *look(game, state, number)]
        if action >= 0:
            lines += [f"  legal: {legal_in_words(game, state)}", f"  plays {' '.join(map(str, game.decode(action)))}"]
        yield lines, game.render(state)


def batches(game: Any) -> Iterator[str]:
    """Self-play batches in both forms of observation."""
    for scaled, reward in ((False, "win"), (True, "shaped")):
        batch, digest = cf.make_batch(game, 5, scaled=scaled, reward=reward), Digest()
        step = batch.reset(seed=11)
        for number in range(BATCH_STEPS):
            digest.add(*step)
            masks = step.action_masks
            actions = [any_legal(mask, number) for mask in masks.reshape(-1, masks.shape[-1])]
            step = batch.step(np.reshape(actions, masks.shape[:-1]))
        yield f"batch, scaled {scaled}, reward {reward}: {digest}"


def any_legal(mask: np.ndarray, number: int) -> int:
    """By a rule that needs no generator; 0 for a seat that is not asked."""
    legal = np.flatnonzero(mask) if mask.any() else np.zeros(1, int)
    return int(legal[(number * 2654435761 >> 7) % len(legal)])


def playthrough(game: Any, drawn: int) -> list[list[str]]:
    """The head, the looks with a drawing of one of them, and the batches where they are compiled."""
    looks = [*played(game)]
    lines, drawing = looks[drawn % len(looks)]
    lines += [f"  {line}".rstrip() for line in drawing.splitlines() if line]
    return [[*head(game)], *(lines for lines, _ in looks), [*batches(game)] if COMPILED else []]


def file_of(name: str, options: dict[str, Any]) -> Path:
    return FOLDER / f"{name}, {GAMES[name].variant_name(options)}.txt"


@EVERY_VARIANT
def test_a_game_is_played_as_it_was_written_down(name: str, options: dict[str, Any]) -> None:
    file, found = file_of(name, options), playthrough(load(name, **options), GAMES[name].VARIANTS.index(options))
    if os.environ.get("CF_WRITE_PLAYTHROUGHS"):
        file.write_text("\n\n".join(map("\n".join, found)) + "\n", encoding="utf-8")
    expected = [part.splitlines() for part in file.read_text(encoding="utf-8").rstrip().split("\n\n")]
    if not COMPILED:  # without what plays many more games
        expected = [*([line for line in lines if not line.startswith("  playouts")] for lines in expected[:-1]), []]
    assert found == expected


def test_every_file_is_the_playthrough_of_a_variant() -> None:
    named = {
        f"{name}, {module.variant_name(options)}.txt" for name, module in GAMES.items() for options in module.VARIANTS
    }
    assert {file.name for file in FOLDER.iterdir()} == named


# In plain Python a game takes seconds: the solo game, the expansion, seats that decide at the same time, every variety.
SAMPLE = {"chocofactory": (0, 5, 9), "candyfactory": (2, 3, 6), "schoko": (1, 2, 4)}
IN_PLAIN_PYTHON = {name: range(len(GAMES[name].VARIANTS)) if AT_LENGTH else SAMPLE[name] for name in GAMES}


@pytest.mark.skipif(not COMPILED, reason="the tests above are those in plain Python")
@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("name", IN_PLAIN_PYTHON)
def test_games_are_the_same_in_plain_python(name: str) -> None:
    played = [GAMES[name].variant_name(GAMES[name].VARIANTS[number]) for number in IN_PLAIN_PYTHON[name]]
    test = f"{Path(__file__)}::{test_a_game_is_played_as_it_was_written_down.__name__}"
    tests = [f"{test}[{name}, {variant}]" for variant in played]
    words = ("-m", "pytest", "-q", "-p", "no:cacheprovider", *tests)
    assert f"{len(played)} passed" in output(*words, CHOCOFACTORY_RULES="python", CF_WRITE_PLAYTHROUGHS="")
