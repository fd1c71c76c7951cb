"""The engine and an oracle side by side: one random game played in both, every difference told.

Each game adds its oracle, how its positions read, its random players and gifts (`<game>/pair.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from damaged_decks import write

import chocofactory_env as cf

Answer = tuple[str, int]
Json = dict[str, Any]


def differences(engine: Any, oracle: Any, path: str = "") -> list[str]:
    """Every place in which two JSON values differ."""
    if engine == oracle:
        return []
    places: Iterable[Any] = ()
    if isinstance(engine, dict) and isinstance(oracle, dict):
        if lacking := engine.keys() ^ oracle.keys():
            return [f"{path}: only one of both has {sorted(lacking)}"]
        places = engine
    elif isinstance(engine, list) and isinstance(oracle, list) and len(engine) == len(oracle):
        places = range(len(engine))
    found = [line for at in places for line in differences(engine[at], oracle[at], f"{path}[{at}]")]
    return found or [f"{path}: engine {engine!r}, oracle {oracle!r}"]


def shared(engine: Any, oracle: Any) -> Any:
    """What of the engine's data the oracle has: its keys, and lists without empty places behind its entries."""
    if isinstance(engine, dict) and isinstance(oracle, dict):
        return {key: shared(engine[key], oracle[key]) for key in oracle if key in engine}
    if isinstance(engine, list) and isinstance(oracle, list) and not any(engine[len(oracle) :]):
        return [shared(one, other) for one, other in zip(engine, oracle, strict=False)]
    return engine


@cache
def load(name: str, **options: Any) -> Any:
    """Games hold no state, so they are shared."""
    return cf.load(name, **options)


def load_with(name: str, tables: Json, **options: Any) -> Any:
    """The game with a deck of its own."""
    with TemporaryDirectory() as folder:
        return cf.load(name, deck=str(write(Path(folder) / "deck.toml", tables)), **options)


class GamePair:
    """A game of the engine and one of an oracle. The seed fixes the deal and every choice of the random players."""

    game: Any
    oracle: Any
    seed: int
    random: Random
    data: Json
    observe_every = 1  # steps between two comparisons of what a seat observes

    def begin(self) -> None:
        self.state: np.ndarray = self.game.new(self.seed)
        self.step = 0
        self.last: Answer | None = None
        self.seen = Counter[str]()  # what the game was about, so that a run can show that nothing went untried

    # --- What each game adds ------------------------------------------------------------------------------------

    def where(self) -> str:
        """The moment, in the oracle's words."""
        raise NotImplementedError

    def positions(self) -> tuple[Json, Json]:
        """Those of the engine (in `data`) and of the oracle, in one form."""
        raise NotImplementedError

    def results(self) -> Json:
        """The oracle's, by the names of the game's functions."""
        raise NotImplementedError

    def check_position(self) -> None:
        """What the rules want of every position."""

    def choose(self, legal: dict[Answer, int]) -> Answer:
        raise NotImplementedError

    def note(self, verb: str, argument: int) -> None:
        """Count in `seen` what is about to happen."""

    def start_again(self, legal: dict[Answer, int]) -> dict[Answer, int]:
        """Now and then read the position anew, perhaps with gifts; returns the legal answers, which gifts change."""
        raise NotImplementedError

    def apply(self, answer: Answer, action: int) -> None:
        """Play in both."""
        raise NotImplementedError

    # --- Comparing ----------------------------------------------------------------------------------------------

    def fail(self, what: str, lines: Iterable[Any]) -> None:
        told = "\n".join(f"    {line}" for line in lines)
        at = f"seed {self.seed}, {self.game.options}, step {self.step}, after {self.last}, {self.where()}"
        raise AssertionError(f"{what} differ: {at}\n{told}")

    def expect_same(self, what: str, engine: Any, oracle: Any) -> None:
        if found := differences(engine, oracle):
            self.fail(what, found)

    def compare(self) -> dict[Answer, int]:
        """Everything, in this position; returns the legal answers."""
        self.data = self.game.to_dict(self.state)
        self.expect_same("positions", *self.positions())
        results = self.results()
        engine = {name: np.asarray(getattr(self.game, name)(self.state)).tolist() for name in results}
        self.expect_same("results", engine, results)
        self.compare_observations()
        self.check_position()
        return self.compare_legal()

    def compare_observations(self) -> None:
        """What every seat sees, if the oracle knows it; the engine's numbers are scaled by the layout's highs."""
        if not hasattr(self.oracle, "observable"):
            return
        layout = self.game.observation_layout
        for seat in range(self.game.num_players):
            if (self.step + seat) % self.observe_every and not self.game.is_over(self.state):
                continue
            engine, oracle = self.game.observe(self.state, seat).flat * layout.high, self.oracle.observable(seat)
            assert oracle.keys() == {block.name for block in layout.blocks}
            expected = np.concatenate([np.ravel(oracle[block.name]) for block in layout.blocks])
            if not np.allclose(engine, expected, rtol=0, atol=1e-3):
                shown = layout.tensors(np.rint(engine).astype(int))
                whole = {name: np.ravel(block).tolist() for name, block in shown.items()}
                flat = {name: np.ravel(block).tolist() for name, block in oracle.items()}
                self.fail(f"observations of seat {seat}", differences(whole, flat))

    def compare_legal(self) -> dict[Answer, int]:
        mask = self.game.legal_mask(self.state)
        engine = {self.game.decode(action): action for action in np.flatnonzero(mask).tolist()}
        oracle = self.oracle.legal()
        if engine.keys() != set(oracle):
            only = (sorted(engine.keys() - oracle), sorted(oracle - engine.keys()), sorted(engine.keys() & oracle))
            lines = (f"{who}: {what}" for who, what in zip(("engine only", "oracle only", "both"), only, strict=True))
            self.fail("legal actions", (*lines, f"position: {self.game.to_dict(self.state)}"))
        return engine

    # --- Playing ------------------------------------------------------------------------------------------------

    def chosen(self, legal: dict[Answer, int], weights: dict[str, float]) -> Answer:
        """A random answer; verbs not named weigh 1."""
        answers = sorted(legal)
        return self.random.choices(answers, [weights.get(verb, 1) for verb, _ in answers])[0]

    def play(self) -> None:
        """To the end, comparing after every step."""
        legal = self.compare()
        while legal:
            legal = self.start_again(legal)
            self.last = self.choose(legal)
            self.note(*self.last)
            self.apply(self.last, legal[self.last])
            self.step += 1
            legal = self.compare()
        assert self.game.is_over(self.state)
