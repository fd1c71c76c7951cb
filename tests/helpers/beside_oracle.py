"""A game of the engine and one of an oracle, side by side: the comparisons that all games share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

Answer = tuple[str, int]


class GamePair:
    """The engine's game and state. Subclasses add the oracle and how to play."""

    game: Any
    oracle: Any
    seed: int

    def begin(self) -> None:
        self.state: np.ndarray = self.game.new(self.seed)
        self.step = 0
        self.last: Answer | None = None
        self.seen = Counter[str]()

    def where(self) -> str:
        """The moment, in the oracle's words."""
        raise NotImplementedError

    def fail(self, what: str, lines: Iterable[Any]) -> None:
        told = "\n".join(f"    {line}" for line in lines)
        at = f"seed {self.seed}, {self.game.options}, step {self.step}, after {self.last}, {self.where()}"
        raise AssertionError(f"{what} differ: {at}\n{told}")

    def engine_legal(self) -> dict[Answer, int]:
        mask = self.game.legal_mask(self.state)
        return {self.game.decode(action): action for action in np.flatnonzero(mask).tolist()}

    def compare_legal(self) -> dict[Answer, int]:
        engine, oracle = self.engine_legal(), self.oracle.legal()
        if engine.keys() != oracle:
            only = (sorted(engine.keys() - oracle), sorted(oracle - engine.keys()), sorted(engine.keys() & oracle))
            lines = (f"{who}: {what}" for who, what in zip(("engine only", "oracle only", "both"), only, strict=True))
            self.fail("legal actions", (*lines, f"position: {self.game.to_dict(self.state)}"))
        return engine

    def chosen(self, legal: dict[Answer, int], weights: dict[str, float], random: Any) -> Answer:
        """A random answer; verbs not named weigh 1."""
        answers = sorted(legal)
        chosen: Answer = random.choices(answers, [weights.get(verb, 1) for verb, _ in answers])[0]
        return chosen
