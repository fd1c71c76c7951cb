"""The agent that searches its own turn by a value, and tree search by one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import chocofactory_env as cf
from chocofactory_env.agents.protocol import decide, make_agent, reset
from chocofactory_env.agents.turns import TurnAgent
from chocofactory_env.agents.values import LearnedValue, ValueFileError, write_value
from toyrace.game import ToyRace


def value_file(folder: Path, spread: list[float] | None = None) -> Path:
    """Of the toy race: points and fuel are liked."""
    value = LearnedValue(np.zeros(2, np.float32), np.tile(np.array([1, 0.6, 1, 0], np.float32), (2, 1)))
    about = {"spread": [4.0, 2.0]} if spread is None else {"spread": spread}
    write_value(folder / "value.json", "toyrace", ToyRace.value_features, value, about)
    return folder / "value.json"


def test_settings_and_files_are_checked(tmp_path: Path) -> None:
    toy = ToyRace()
    file = value_file(tmp_path)
    assert isinstance(make_agent(f"chocofactory_env.agents.turns:TurnAgent:value={file}", toy), TurnAgent)
    with pytest.raises(ValueError, match="no value is shipped for 'toyrace': name a file"):
        make_agent("mcts:learned=true", toy)
    with pytest.raises(ValueError, match="deals"):
        TurnAgent(toy, deals=0, value=file)
    with pytest.raises(ValueFileError, match="is of the game 'toyrace', expected 'candyfactory'"):
        TurnAgent(cf.load("candyfactory"), value=file)
    with pytest.raises(ValueFileError, match=r"has no about\.spread of 2 numbers"):
        TurnAgent(toy, value=value_file(tmp_path, spread=[1.0]))
    with pytest.raises(ValueError, match="the game 'chocofactory' offers no features of positions"):
        TurnAgent(cf.load("chocofactory"), value=Path("agents/chocofactory/values/two.json"))


@pytest.mark.parametrize(
    ("name", "options"),
    [("candyfactory", {"num_players": players}) for players in (2, 3, 4)]
    + [
        ("schoko", {"num_players": players, "months": months})  # with room for four players, who play 8 or 12 months
        for players, months in ((2, 6), (2, 10), (3, 6), (3, 9), (3, 12), (4, 8), (4, 12))
    ],
)
def test_a_network_is_shipped_for_every_table(name: str, options: dict[str, int]) -> None:
    game = cf.load(name, **options)
    agent = make_agent("learned", game)
    state = game.new(1)
    for _ in range(20):
        action = decide(game, agent, state)
        assert game.legal_mask(state)[action]
        game.apply(state, action)


@pytest.mark.parametrize("variety", ["full", "plantation"])
def test_greedy_recruits_at_the_plantation(variety: str) -> None:
    """TURN-5: a recruit is a further turn, which is worth more than its coin."""
    game = cf.load("candyfactory", game=variety)
    agent, recruits = make_agent("greedy", game), 0
    for seed in range(4):
        state = game.new(seed)
        reset(agent, seed)
        while not game.is_over(state):
            action = decide(game, agent, state)
            recruits += game.decode(action)[0] == "recruit"
            game.apply(state, action)
    assert recruits >= 8  # one by each seat of each game
