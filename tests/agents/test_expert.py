"""The agent `expert`: shipped values for every table, and a draft that is thought through."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chocofactory_games import load
from long_runs import amount
from played import played_by

from agents.chocofactory import shipped_value
from agents.chocofactory.expert import ExpertAgent
from agents.protocol import make_agent
from agents.values import ValueFileError, about_value, read_value
from chocofactory_env.core.jit import COMPILED

EXPERT_DEALS = amount("CF_EXPERT_DEALS", 5, 12)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_a_value_is_shipped_for_every_number_of_players(players: int) -> None:
    game = load(num_players=players)
    path = shipped_value(players)
    value = read_value(path, game.name, game.value_features, game.value_stages)
    assert np.isfinite(value.weights).all()
    assert value.weights.any()
    about = about_value(path)
    assert (about["deck"], about["rules"]) == (game.deck_hash, game.rules_version)
    assert about["config"]["players"] == players
    assert f"[`{path.name}`]({path.name})" in path.with_suffix(".md").read_text(encoding="utf-8")


@pytest.mark.long
@pytest.mark.skipif(not COMPILED, reason="plays whole games")
def test_expert_beats_the_planner_of_the_same_width() -> None:
    """By measurement it wins about four of five games."""
    game = load(num_players=2)
    won = 0
    for seed in range(EXPERT_DEALS):
        for seat in (0, 1):
            agents = [make_agent("planner:width=8", game), make_agent("planner:width=8", game)]
            agents[seat] = make_agent("expert:width=8,draft_width=2", game)
            won += bool(game.won(played_by(agents, game, seed))[seat])
    assert won >= 2 * EXPERT_DEALS * 5 / 8


def test_with_a_time_plans_are_made_wider_while_there_is_time(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load(num_players=1)
    widths: list[int] = []
    planner = game.planner

    def noted(width: int, weights: np.ndarray) -> Any:
        widths.append(width)
        return planner(width, weights)

    monkeypatch.setattr(game, "planner", noted)
    hurried = ExpertAgent(game, time_s=1e-6)
    hurried.choose(game.new(1), 0)
    assert widths == [4, 2]
    widths.clear()
    patient = ExpertAgent(game, time_s=1e6)
    patient.choose(game.new(1), 0)
    assert widths == [4, 2, 8, 16, 32, 64, 128]


def test_a_value_of_ones_own_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "value.json"
    path.write_text("{}")
    with pytest.raises(ValueFileError, match=r"value\.json lacks the field about"):
        make_agent(f"expert:value={path}", load(num_players=1))
