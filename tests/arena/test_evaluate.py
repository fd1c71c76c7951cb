"""A policy over batches plays the games of a match."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import chocofactory_env as cf
from arena import evaluate as module

COLUMNS = ["deal", "seat", "score", "place", "won", "decisions"]


class FirstLegal:
    """Takes the first legal action: of one game as an agent, of many as a policy."""

    def __call__(self, observations: Any, masks: np.ndarray) -> Any:
        return masks.argmax(-1)


@pytest.mark.parametrize(("players", "opponents"), [(1, ()), (2, "greedy"), (3, ["greedy", "random"])])
def test_an_evaluation_is_a_match(players: int, opponents: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_GAMES", 4)  # in several batches
    game = cf.load("candyfactory" if players > 1 else "chocofactory", num_players=players)
    others = [opponents] * (players - 1) if isinstance(opponents, str) else opponents
    match = cf.play_match(game, [FirstLegal(), *others], range(7, 10), progress=False)
    result = cf.evaluate(FirstLegal(), game, range(7, 10), opponents)
    assert result.games[COLUMNS].equals(match.games[COLUMNS])
    one, other = result.agents()[0], match.agents()[0]
    assert one["agent"] == "policy"
    assert one["win_rate_interval"] == other["win_rate_interval"]
    assert result.to_dict()["settings"]["agents"][0] == "policy"
    assert "policy" in repr(result)


def test_what_cannot_be_evaluated_is_refused() -> None:
    game = cf.load("candyfactory", num_players=3)
    with pytest.raises(ValueError, match="deals: expected one or more, got none"):
        cf.evaluate(FirstLegal(), game, [], "greedy")
    with pytest.raises(ValueError, match="opponents: expected one, or 2, got 1"):
        cf.evaluate(FirstLegal(), game, [1], ["greedy"])
    with pytest.raises(ValueError, match="unknown agent 'nobody'"):
        cf.evaluate(FirstLegal(), game, [1], "nobody")
    with pytest.raises(cf.IllegalActionError):
        cf.evaluate(lambda observations, masks: np.full(len(masks), 10_000), game, [1], "random")
