"""Decks of strangers: whatever a file holds, it is refused with a short and clear error, or played to the end.

`CF_SEED` says which is the first.
"""

from __future__ import annotations

import os
import random
import re
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from damaged_decks import Tables, damage, damage_text, document

from chocofactory_env.core.compiled import CompiledGame
from chocofactory_env.core.errors import DeckError

FIRST = int(os.environ.get("CF_SEED", "0"))
SECONDS = 30  # of processor time for one deck; it takes less than one


def mutant(rng: random.Random, deck: Tables) -> bytes:
    """The file of the deck, sound or damaged."""
    for _ in range(rng.choice((0, 0, 0, 1, 2, 5))):
        damage(rng, deck)
    text = document(deck).encode("utf-8", "surrogatepass")
    for _ in range(rng.choice((0, 0, 0, 0, 1, 3))):
        text = damage_text(rng, text)
    return text


def check_strange_decks(
    path: Path,
    number: int,
    deck: Callable[[random.Random], Tables],
    load: Callable[[Path, random.Random], CompiledGame],
    play: Callable[[Any, int], None],
    describe: Callable[[str], str],
) -> None:
    """So many decks are loaded from a file at `path`, and played.

    deck: one to be damaged; load: a variant of the game with the deck; play: a game of this seed, to the end.
    """
    results: Counter[str] = Counter()
    for seed in range(FIRST, FIRST + number):
        rng = random.Random(seed)
        path.write_bytes(mutant(rng, deck(rng)))
        begun = time.process_time()
        try:
            game = load(path, rng)
        except DeckError as error:
            check_message(str(error), path, seed)
            results["refused"] += 1
        else:
            play(game, seed)
            assert describe(str(path)).startswith("# ")
            results["played"] += 1
        assert time.process_time() - begun < SECONDS, f"seed {seed}"
    assert min(results["played"], results["refused"]) >= number // 10, results


def check_message(message: str, path: Path, seed: int) -> None:
    """File and place, what was expected and what is there, in few words."""
    assert re.search(rf"{path}.*: expected \S.*, got \S", message, re.DOTALL), f"seed {seed}: {message}"
    assert len(message) < 1_000, f"seed {seed}: {len(message)} characters"
    assert message.isprintable() or "\n" in message, f"seed {seed}: {message!r}"
