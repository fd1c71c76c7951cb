"""Settings of agents: each is checked, and a message names agent, setting, what was expected and what was given."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pytest
from all_games import NAMES
from chocofactory_games import load
from hypothesis import example, given, settings
from hypothesis import strategies as st

import chocofactory_env as cf
from chocofactory_env.agents.chocofactory.planner import PlannerAgent
from chocofactory_env.agents.chocofactory.tree import TreeAgent
from chocofactory_env.agents.flat_mc import FlatAgent
from chocofactory_env.agents.protocol import agents_of, make_agent
from chocofactory_env.agents.settings import Seconds, SettingError, check_settings
from chocofactory_env.core.reading import between

WIDTH = "width: expected an integer 1..10,000, got "
TIME = "time_s: expected a number above 0 or null, got "
SIMULATIONS = "simulations: expected an integer 1..1,000,000, got "
PLAYOUTS = "playouts: expected an integer 1..1,000,000, got "
LONGEST_MESSAGE = 400
MODEL = ",model=x,url=http://h"
BAD = [
    ("planner:width=-1", WIDTH + "-1"),
    ("planner:width=wide", WIDTH + "'wide'"),
    ("planner:time_s=0", TIME + "0"),
    ("planner:time_s=Infinity", TIME + "inf"),
    ("planner:depth=3", "unknown setting 'depth'; there are: width, time_s, weights"),
    ("mcts:simulations=1.5", SIMULATIONS + "1.5"),
    ("mcts:plan_width=-1", "plan_width: expected an integer 0..10,000, got -1"),
    ("mcts:days=6", "days: expected an integer 0..5 or null, got 6"),
    ("mcts:advised=1", "advised: expected true or false, got 1"),
    ("mcts:exploration=-0.5", "exploration: expected a number of at least 0, got -0.5"),
    ("ismcts:simulations=0", SIMULATIONS + "0"),
    ("expert:draft_width=0", "draft_" + WIDTH + "0"),
    ("flat_mc:playouts=0", PLAYOUTS + "0"),
    ("learned:checkpoint=5", "checkpoint: expected text or a path or null, got 5"),
    ("random:seed=1", "unknown setting 'seed'; there are: none"),
    ("llm:temperature=-1" + MODEL, "temperature: expected a number 0..10 or null, got -1"),
    ("llm:seed=1.5" + MODEL, "seed: expected an integer or null, got 1.5"),
    ("llm:memory=1" + MODEL, "memory: expected text, got 1"),
    ("llm:corrections=-1" + MODEL, "corrections: expected an integer 0..100, got -1"),
    ("llm:answer_tokens=0" + MODEL, "answer_tokens: expected an integer of at least 1, got 0"),
    ("llm:attempts=0" + MODEL, "attempts: expected an integer 1..100, got 0"),
    ("llm:pause_s=0" + MODEL, "pause_s: expected a number above 0, got 0"),
    ("llm:timeout_s=0" + MODEL, "timeout_s: expected a number above 0, got 0"),
    ("llm:most_requests=0" + MODEL, "most_requests: expected an integer of at least 1 or null, got 0"),
    ("llm:most_tokens=0" + MODEL, "most_tokens: expected an integer of at least 1 or null, got 0"),
    ("planner:width=3,width=4", "expected each setting once, got 'width' twice"),
    ("planner:width", "expected settings as NAME=VALUE"),
]


@pytest.mark.parametrize(("text", "message"), BAD, ids=[text for text, _ in BAD])
def test_a_setting_that_does_not_fit_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=r"^agent ") as refused:
        make_agent(text, load(num_players=1))
    assert str(refused.value) == f"agent {text!r}: {message}"


@pytest.mark.parametrize("name", NAMES)
def test_every_setting_of_every_shipped_agent_is_checked(name: str) -> None:
    game: Any = cf.load(name, num_players=1 if name == "chocofactory" else 2)
    for agent, factory in agents_of(name).items():
        for setting in list(inspect.signature(factory).parameters)[1:]:
            if setting == "key":  # see test_llm_secrets.py: a wrong one may be a secret
                continue
            needed = {"model": "x", "url": "http://h"} if agent == "llm" else {}
            words = ",".join(f"{each}={value}" for each, value in {**needed, setting: "[]"}.items())
            with pytest.raises(ValueError, match=rf"^agent .*: {setting}: expected .*, got \[\]$"):
                make_agent(f"{agent}:{words}", game)


SETTINGS = st.lists(
    st.sampled_from(["width", "time_s", "weights", *"=,3", "0.5", "null", "true", "NaN", "{}"]) | st.text(max_size=3)
).map("".join)


@settings(deadline=None)
@example("planner:width=" + "1" * 5000)
@example("flat_mc:playouts=" + "[" * 5000)
@example("greedy:" + "x" * 5000)
@example("n" * 5000)
@given(SETTINGS.map("planner:{}".format) | st.text().filter(lambda text: text.count(":") == 0))
def test_whatever_names_an_agent_it_is_made_or_refused_in_short(text: str) -> None:
    refusal = ""
    try:
        make_agent(text, load(num_players=2))
    except ValueError as error:
        refusal = str(error)
    assert re.match(r"(unknown )?agent ['\"]|$", refusal), refusal
    assert refusal.isprintable()
    assert len(refusal) < LONGEST_MESSAGE


@pytest.mark.parametrize(
    "text",
    ["planner:width=1,time_s=0.001", "mcts:days=null,simulations=1,exploration=0", "solo:width=10000", "greedy:"],
)
def test_settings_at_their_ends_are_taken(text: str) -> None:
    make_agent(text, load(num_players=1))


def test_agents_made_without_a_text_are_checked_too() -> None:
    game = load(num_players=2)
    with pytest.raises(SettingError, match=r"^width: expected an integer 1..10,000, got -1$"):
        PlannerAgent(game, -1)
    with pytest.raises(SettingError, match="plan_width: expected"):
        TreeAgent(game, plan_width=2.5)  # type: ignore[arg-type]  # no whole number
    with pytest.raises(SettingError, match="playouts: expected"):
        FlatAgent(game, playouts=0)
    PlannerAgent(game, np.int64(3))  # type: ignore[arg-type]  # NumPy's integers are taken too


def own(
    game: Any,
    width: Annotated[int, between(2, 4)],
    speed: Seconds = 1.0,
    name: str = "",
    file: Path | None = None,
    *,
    more: list[int] | None = None,
) -> None:
    """A factory of one's own."""


def unresolved(game: Any, width: NowhereToBeFound = 1) -> None:  # type: ignore[name-defined]  # noqa: F821
    """Its hint is a name that only a type checker knows."""


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "width: expected a value, got none"),
        ({"width": 5}, "width: expected an integer 2..4, got 5"),
        ({"width": 2, "speed": "fast"}, "speed: expected a number above 0, got 'fast'"),
        ({"width": 2, "name": 3}, "name: expected text, got 3"),
        ({"width": 2, "file": 3}, "file: expected a path or null, got 3"),
        ({"width": 2, "wide": 3}, "unknown setting 'wide'; there are: width, speed, name, file, more"),
    ],
)
def test_the_hints_of_any_factory_are_checked(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        check_settings(own, settings)


def test_what_hints_do_not_say_is_left_to_the_factory() -> None:
    check_settings(own, {"width": 2, "more": "anything"})
    check_settings(unresolved, {"width": "anything"})
    check_settings(dict, {"width": "anything"})
