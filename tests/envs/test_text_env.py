"""One seat that is read and answered in text: it plays the same games, and no wrong answer is played."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import chocofactory_env as cf
from chocofactory_env.envs.solo import SoloEnv
from chocofactory_env.envs.text import CHARACTERS, LONGEST_PROMPT, TextEnv, make_text_env
from chocofactory_env.envs.versus import VersusEnv

SOLO, VERSUS = "ChocoFactory/FactoryManager{}-v0", "ChocoFactory/Versus{}-v0"
PLAYED: list[tuple[str, dict[str, Any], str]] = [
    (SOLO, {}, "random"),
    (SOLO, {"difficulty": 1}, "planner:width=4"),
    (VERSUS, {"seat": 1, "num_players": 3, "opponents": ["greedy", "random"]}, "greedy"),
    ("ChocoFactory/CandyFactoryVersus{}-v0", {"opponents": "random"}, "greedy:deals=1"),
    ("ChocoFactory/SchokoVersus{}-v0", {"num_players": 3, "opponents": "random"}, "random"),
]


def play(env: Any, agent: str, seed: int, put: Any) -> tuple[float, dict[str, Any]]:
    """The rewards in sum and the last info of a game that the agent plays; `put` makes an action of its choice."""
    _, info = env.reset(seed=seed)
    inner = env.unwrapped
    game, total, over = inner.game, 0.0, False
    player = cf.make_agent(agent, game)
    cf.reset_agent(player, cf.agent_seed(game, game.new(seed), inner.seat))
    while not over:
        _, reward, over, _, info = env.step(put(game, cf.decide(game, player, inner.game_state)))
        total += reward
    return total, info


@pytest.mark.parametrize(("name", "options", "agent"), PLAYED)
def test_scripted_players_play_the_same_in_text(name: str, options: dict[str, Any], agent: str) -> None:
    plain: Any = gymnasium.make(name.format(""), **options)
    text: Any = gymnasium.make(name.format("Text"), ask_forced=True, **options)
    for seed in range(2):
        expected, there = play(plain, agent, seed, lambda _, action: action)
        rewards, info = play(text, agent, seed, lambda game, action: game.describe(action))
        assert rewards == expected
        assert {key: np.asarray(info[key]).tolist() for key in there} == {
            key: np.asarray(value).tolist() for key, value in there.items()
        }
        assert info["counts"]["first_try"] == info["counts"]["decisions"] > 10


def test_forced_moves_are_played_unasked_and_plans_are_carried_out() -> None:
    env: Any = gymnasium.make(SOLO.format("Text"), rules="never")
    prompt, info = env.reset(seed=1)
    game, state = env.unwrapped.game, env.unwrapped.game_state
    assert prompt == game.prompt(state, 0, rules=False)
    assert info["rules"] == game.prompt_rules(state, 0)
    part = int(np.flatnonzero(game.legal_mask(state))[0])
    slots = [game.action_layout.encode("place_part", slot) for slot in (5, 6)]
    *_, info = env.step(f'{{"moves": [{part}, {slots[0]}, {slots[1]}]}}')
    counts = info["counts"]
    assert (counts["first_try"], counts["planned"]) == (1, 1)
    assert counts["decisions"] == 2 + counts["forced"]


def test_a_wrong_answer_is_corrected_and_after_the_last_one_the_first_legal_move_is_played() -> None:
    env: Any = gymnasium.make(SOLO.format("Text"), corrections=1)
    prompt, _ = env.reset(seed=1)
    corrected, reward, over, _, info = env.step("I resign")
    assert corrected == f"{info['correction']}\n\n{prompt}"
    assert "Answer with the number" in info["correction"]
    assert (reward, over, info["counts"]["decisions"]) == (0.0, False, 0)
    first = int(np.flatnonzero(info["action_mask"])[0])
    after = env.unwrapped.game.clone(env.unwrapped.game_state)
    env.unwrapped.game.apply(after, first)
    *_, info = env.step("No, I resign")
    assert info["counts"]["fallbacks"] == 1
    assert env.unwrapped.game.to_dict(env.unwrapped.game_state) == env.unwrapped.game.to_dict(after)
    *_, info = env.step(str(int(np.flatnonzero(info["action_mask"])[0])))
    assert (info["counts"]["answers"], info["counts"]["first_try"], info["correction"]) == (3, 1, None)


def test_rules_are_shown_where_they_change() -> None:
    env: Any = gymnasium.make(SOLO.format("Text"), rules="changed")
    prompt, info = env.reset(seed=2)
    shown, over, before = 0, False, ""
    while not over:
        assert prompt.startswith(info["rules"]) == (info["rules"] != before)
        shown, before = shown + (info["rules"] != before), info["rules"]
        prompt, _, over, _, info = env.step(str(int(np.flatnonzero(info["action_mask"])[0])))
    assert 1 < shown < info["counts"]["answers"]


def test_what_the_others_do_is_told() -> None:
    env: Any = gymnasium.make("ChocoFactory/SchokoVersusText-v0", opponents="random", seat=0)
    told, over = 0, False
    prompt, info = env.reset(seed=3)
    while not over:
        told += "Since your last decision:\nPlayer 1" in prompt
        prompt, _, over, _, info = env.step(str(int(np.flatnonzero(info["action_mask"])[-1])))
    assert told > 3
    assert prompt.startswith("The game is over. You ")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step("1")


@pytest.mark.parametrize(
    "name", [SOLO, VERSUS, "ChocoFactory/CandyFactoryVersus{}-v0", "ChocoFactory/SchokoVersus{}-v0"]
)
def test_it_is_an_environment_of_gymnasium(name: str) -> None:
    env: Any = gymnasium.make(name.format("Text"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(env, skip_render_check=True)
    prompt, over = env.reset(seed=5)[0], False
    while not over:
        assert env.observation_space.contains(prompt), set(prompt) - set(CHARACTERS) or len(prompt) < LONGEST_PROMPT
        mask = env.unwrapped.action_masks()
        prompt, _, over, _, _ = env.step(str(int(np.flatnonzero(mask)[0])))


@pytest.mark.parametrize(
    ("name", "options", "players"),
    [
        ("schoko", {"num_players": [2, 3]}, {2, 3}),
        ("schoko", {"decks": "generated:1-3"}, {cf.load("schoko").num_players}),
        ("chocofactory", {"decks": "generated:1-2", "num_players": 1, "difficulty": [0, 1]}, {1}),
        ("chocofactory", {"num_players": [1]}, {1}),
        ("chocofactory", {}, {cf.load("chocofactory").num_players}),
    ],
)
def test_the_number_of_players_chooses_the_environment(name: str, options: dict[str, Any], players: set[int]) -> None:
    env = make_text_env(name, **options, rules="never")
    assert isinstance(env.seat_env, SoloEnv if players == {1} else VersusEnv)
    played, decks = set(), set()
    for seed in range(12):
        assert "Legal moves:" in env.reset(seed=seed)[0]
        played.add(env.game.num_players)
        decks.add(env.game.options["deck"])
    assert played == players
    assert (len(decks) > 1) == ("decks" in options)


@pytest.mark.parametrize(
    ("options", "message"), [({"corrections": -1}, "corrections: expected 0"), ({"rules": "no"}, "rules")]
)
def test_settings_that_do_not_fit_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        gymnasium.make(SOLO.format("Text"), **options)


def test_what_is_no_environment_or_switch_is_refused() -> None:
    with pytest.raises(TypeError, match=r"^env: expected an environment of this package without wrappers, got"):
        TextEnv(gymnasium.make(SOLO.format("")))  # type: ignore[arg-type]  # the mistake
    with pytest.raises(TypeError, match=r"^ask_forced: expected True or False, got 'no'"):
        gymnasium.make(SOLO.format("Text"), ask_forced="no")


def test_a_refused_reset_changes_nothing() -> None:
    env, same = (TextEnv(VersusEnv("chocofactory", num_players=2, opponents="greedy")) for _ in range(2))
    for each in (env, same):
        each.reset(seed=1)
        each.step("nonsense")
    with pytest.raises(ValueError, match="seed"):
        env.reset(seed=-1)
    for _ in range(5):
        move = str(int(np.flatnonzero(env.seat_env.action_masks())[0]))
        assert env.step(move)[0] == same.step(move)[0]
    assert env.counts == same.counts
