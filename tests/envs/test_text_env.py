"""One seat that is read and answered in text: it plays the same games, and no wrong answer is played."""

from __future__ import annotations

import copy
import re
import warnings
from itertools import count
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import chocofactory_env as cf
from chocofactory_env.core.kernel.rewards import NEEDS_RIVALS, REWARDS
from chocofactory_env.envs.seat import SeatEnv
from chocofactory_env.envs.text import CHARACTERS, LONGEST_PROMPT, AnswerCounts, TextEnv, make_text_env

SOLO, VERSUS = "ChocoFactory/FactoryManager{}-v0", "ChocoFactory/Versus{}-v0"
TEXT = [
    "ChocoFactory/FactoryManagerText-v0",
    "ChocoFactory/VersusText-v0",
    "ChocoFactory/CandyFactoryVersusText-v0",
    "ChocoFactory/SchokoVersusText-v0",
]
PLAYED: list[tuple[str, dict[str, Any], str]] = [
    (SOLO, {}, "random"),
    (SOLO, {"difficulty": 1}, "planner:width=4"),
    (VERSUS, {"seat": 1, "num_players": 3, "opponents": ["greedy", "random"]}, "greedy"),
    ("ChocoFactory/CandyFactoryVersus{}-v0", {"opponents": "random"}, "greedy:deals=1"),
    (
        "ChocoFactory/SchokoVersus{}-v0",
        {"num_players": [2, 3], "decks": "generated:1-3", "opponents": "random"},
        "random",
    ),
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


def test_a_wrong_answer_is_corrected_and_on_request_the_first_legal_move_is_played_in_the_end() -> None:
    env: Any = gymnasium.make(SOLO.format("Text"), corrections=1, fallback=True)
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
    assert (info["counts"]["answers"], info["counts"]["first_try"], info["correction"]) == (3, 1, "")


@pytest.mark.parametrize("name", TEXT)
def test_every_step_has_an_info_of_the_same_keys_and_types(name: str) -> None:
    """Recorders, such as Minari's, reject others."""
    env: Any = gymnasium.make(name)
    for legal_in in (3, 1000):  # to the end, or lost by wrong answers
        _, info = env.reset(seed=1)
        expected = {key: type(value) for key, value in info.items()}
        over, corrected = False, 0
        for number in count():
            if over:
                break
            move = int(np.flatnonzero(info["action_mask"])[0])
            *_, over, _, info = env.step("I resign" if number % legal_in else str(move))
            assert {key: type(value) for key, value in info.items()} == expected
            corrected += bool(info["correction"])
        assert corrected > 1
        assert info["illegal_action"] == (legal_in == 1000)


def test_moves_that_were_played_instead_are_told_at_the_end() -> None:
    env = make_text_env("schoko", fallback=True, corrections=0, rules="never")
    env.reset(seed=1)
    over = False
    while not over:
        shown, _, over, _, info = env.step("")
    assert info["counts"]["fallbacks"] == info["counts"]["answers"] > 10
    assert shown.endswith(f" because no answer named a legal one: {info['counts']['fallbacks']}.")


@pytest.mark.parametrize("name", TEXT)
@pytest.mark.parametrize("answer", ["", "I resign", "-1", "9" * 30_000, '{"moves": []}', "\x00\ud800→"])
def test_answers_that_name_no_legal_move_lose_the_game(name: str, answer: str) -> None:
    env: Any = gymnasium.make(name)
    prompt, _ = env.reset(seed=1)
    text = env.unwrapped
    before = text.game.to_dict(text.game_state)
    for _ in range(2):
        shown, reward, over, _, info = env.step(answer)
        assert shown == f"{info['correction']}\n\n{prompt}"
        assert (reward, over) == (0.0, False)
    shown, reward, over, truncated, info = env.step(answer)
    assert shown == "The game is over. You lost: too many answers in a row named no legal move (3)."
    assert (reward, over, truncated) == (-1.0, True, False)
    assert {"action_mask", "illegal_action", "won", "correction", "counts", "rules"} <= set(info)
    assert (info["score"], info.get("rank", -1)) == (0, -1)  # as in a game under way: there is no result
    assert (info["illegal_action"], info["won"], info["action_mask"].all()) == (True, False, True)
    assert {name: count for name, count in info["counts"].items() if count} == {"answers": 3}
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step("0")
    assert text.game.to_dict(text.game_state) == before
    assert env.reset(seed=1)[0] == prompt
    move = str(int(np.flatnonzero(text.action_masks())[0]))
    for _ in range(2):  # corrections are counted for every decision
        env.step(answer)
    assert env.step(move)[4]["counts"]["corrected"] == 1


@pytest.mark.parametrize("answer", [None, b"0", 0, np.int64(0), ["0"], {"move": 0}])
@pytest.mark.parametrize("name", TEXT)
def test_what_is_no_text_is_refused_and_changes_nothing(name: str, answer: Any) -> None:
    env: Any = gymnasium.make(name, corrections=0)
    _, info = env.reset(seed=1)
    for _ in range(2):
        with pytest.raises(TypeError, match=r"^answer: expected text, got \w+$"):
            env.step(answer)
    assert env.unwrapped.counts == AnswerCounts()
    *_, over, _, info = env.step(str(int(np.flatnonzero(info["action_mask"])[0])))
    assert not over
    assert info["counts"]["first_try"] == 1


@pytest.mark.parametrize(
    ("name", "reward"),
    [(name, reward) for name in TEXT for reward in REWARDS if name in TEXT[1:] or reward not in NEEDS_RIVALS],
)
def test_giving_up_pays_less_than_any_game_that_is_played(name: str, reward: str) -> None:
    env: Any = gymnasium.make(name, reward=reward, rules="never")
    played, over, draw = 0.0, False, np.random.default_rng(0)
    env.reset(seed=0)
    while not over:
        move = draw.choice(np.flatnonzero(env.unwrapped.action_masks()))
        _, paid, over, _, _ = env.step(str(move))
        played += paid
    env.reset(seed=0)
    given_up = sum(env.step("")[1] for _ in range(3))
    assert given_up < played - 0.5


def test_the_reward_of_a_lost_game_is_an_option() -> None:
    def function(scores: Any, *_: Any) -> Any:
        return scores / 100

    for options, expected in (({"reward": function}, -1.0), ({"reward": "shaped", "lost_reward": -7}, -7.0)):
        env: Any = gymnasium.make(VERSUS.format("Text"), corrections=0, **options)
        env.reset(seed=1)
        assert env.step("")[1] == expected


@pytest.mark.parametrize("illegal", ["penalty", "raise", "terminate"])
def test_a_game_is_lost_whatever_the_inner_environment_does_with_illegal_actions(illegal: str) -> None:
    env: Any = gymnasium.make(SOLO.format("Text"), corrections=0, illegal_action=illegal)
    env.reset(seed=1)
    assert env.step("")[1:4] == (-1.0, True, False)


@pytest.mark.parametrize("name", TEXT)
def test_the_innermost_environment_is_the_one_in_text(name: str) -> None:
    made: Any = gymnasium.make(name)
    env = made.unwrapped
    assert type(env) is TextEnv
    assert env.unwrapped is env
    assert made.unwrapped.spec.id == name
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(env, skip_render_check=True)
    env.reset(seed=2)
    over, copied = False, copy.deepcopy(env)
    while not over:
        move = str(int(np.flatnonzero(env.action_masks())[-1]))
        prompt, reward, over, _, _ = env.step(move)
        assert (prompt, reward) == copied.step(move)[:2]
    env.close()
    with pytest.raises(gymnasium.error.ClosedEnvironmentError):
        env.reset(seed=2)


# Gymnasium reads the texts of shared memory once, before the first reset.
@pytest.mark.parametrize(("mode", "options"), [("sync", {}), ("async", {"shared_memory": False})])
def test_many_are_played_at_a_time(mode: str, options: dict[str, Any]) -> None:
    envs: Any = gymnasium.make_vec(
        "ChocoFactory/VersusText-v0", 2, vectorization_mode=mode, vector_kwargs=options, corrections=0
    )
    one: Any = gymnasium.make("ChocoFactory/VersusText-v0", corrections=0)
    try:
        prompts, infos = envs.reset(seed=3)
        assert prompts[0] == one.reset(seed=3)[0]
        move = str(int(np.flatnonzero(infos["action_mask"][0])[0]))
        prompts, rewards, overs, _, infos = envs.step((move, "→"))
        assert prompts[0] == one.step(move)[0]
        assert (rewards[1], overs.tolist(), infos["won"][1]) == (-1.0, [False, True], False)
    finally:
        envs.close()


def test_a_reset_asks_even_if_the_only_legal_move_ends_the_game() -> None:
    game = cf.load("chocofactory", num_players=1)
    state = game.new(4)
    position = None
    while not game.is_over(state):
        position = game.clone(state)
        game.apply(state, int(np.flatnonzero(game.legal_mask(state))[0]))
    assert position is not None
    last = np.flatnonzero(game.legal_mask(position))
    assert len(last) == 1, "this deal ends with a forced move"
    env = TextEnv(SeatEnv(game))
    assert "Legal moves:" in env.reset(options={"state": position})[0]
    assert env.step(str(last[0]))[2]


@pytest.mark.parametrize("name", ["chocofactory", "candyfactory", "schoko"])
def test_what_a_deck_or_an_answer_holds_stays_in_the_observation_space(name: str, tmp_path: Path) -> None:
    deck = tmp_path / "own.toml"
    cf.generate_deck(name, 3).save(deck)
    deck.write_text(re.sub(r'^name = "', 'name = "巧克力 ☃→😀 ', deck.read_text("utf-8"), flags=re.MULTILINE), "utf-8")
    env: Any = make_text_env(name, deck=str(deck), num_players=3, opponents="random", corrections=10**9)
    draw, over, wrong = np.random.default_rng(0), False, 0
    prompt, info = env.reset(seed=1)
    while not over:
        assert env.observation_space.contains(prompt)
        assert all(set(text or "") <= set(CHARACTERS) for text in (info["correction"], info["rules"]))
        if draw.random() < 0.1:
            wrong += 1
            prompt, _, over, _, info = env.step(draw.choice(["→", "☃" * 200, "\ud800", "\x1b[31m\x00", "巧克力"]))
            assert prompt.startswith(info["correction"])
        else:
            prompt, _, over, _, info = env.step(str(draw.choice(np.flatnonzero(env.action_masks()))))
    assert wrong > 1
    flat: Any = gymnasium.spaces.flatten(env.observation_space, prompt)
    assert flat.shape == (LONGEST_PROMPT,)


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


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(TypeError, match=r"^env: expected an environment of this package without wrappers, got"):
        TextEnv(gymnasium.make(SOLO.format(""), max_episode_steps=9))  # type: ignore[arg-type]  # the mistake
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"corrections": -1}, "corrections: expected 0"),
        ({"rules": "no"}, "rules"),
        ({"ask_forced": "no"}, "^ask_forced: expected True or False, got 'no'"),
    ]
    for options, message in wrong:
        with pytest.raises((TypeError, ValueError), match=message):
            gymnasium.make(SOLO.format("Text"), **options)


def test_a_refused_reset_changes_nothing() -> None:
    env, same = (TextEnv(SeatEnv("chocofactory", num_players=2, opponents="greedy")) for _ in range(2))
    for each in (env, same):
        each.reset(seed=1)
        each.step("nonsense")
    with pytest.raises(ValueError, match="seed"):
        env.reset(seed=-1)
    for _ in range(5):
        move = str(int(np.flatnonzero(env.seat_env.action_masks())[0]))
        assert env.step(move)[0] == same.step(move)[0]
    assert env.counts == same.counts
