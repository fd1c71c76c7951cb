"""The games with the real TextArena: scripted players on all seats play what they play by themselves."""

from __future__ import annotations

import copy
from importlib.util import find_spec
from typing import Any

import pytest

import chocofactory_env as cf

pytestmark = pytest.mark.skipif(find_spec("textarena") is None, reason="`make adapters` installs textarena")


def make(name: str, **options: Any) -> Any:
    import textarena as ta

    import chocofactory_env.adapters.textarena  # noqa: F401  # it registers them

    return ta.make(name, **options)


def agents_of(names: list[str], game: Any, state: Any) -> list[Any]:
    agents = [cf.make_agent(name, game) for name in names]
    for seat, agent in enumerate(agents):
        cf.reset_agent(agent, cf.agent_seed(game, state, seat))
    return agents


def by_themselves(name: str, options: dict[str, Any], names: list[str], deal: int) -> tuple[list[int], list[bool]]:
    game = cf.load(name, num_players=len(names), **options)
    state = game.new(deal)
    agents = agents_of(names, game, state)
    while not game.is_over(state):
        game.apply(state, cf.decide(game, agents[game.current_player(state)], state))
    return game.scores(state).tolist(), game.won(state).tolist()


@pytest.mark.parametrize(
    ("identifier", "name", "options", "agents"),
    [
        ("ChocolateFactory-v0", "chocofactory", {"difficulty": 1}, ["planner:width=4"]),
        ("ChocolateFactory-v0", "chocofactory", {}, ["greedy", "random"]),
        (
            "ChocolateFactory-v0-raw",
            "chocofactory",
            {"expansion": "master_chocolatier"},
            ["random", "greedy", "random"],
        ),
        ("CandyFactory-v0", "candyfactory", {}, ["random", "greedy:deals=1"]),
        ("Schoko-v0", "schoko", {"months": 8}, ["random"] * 4),
    ],
)
def test_scripted_players_play_as_they_do_by_themselves(
    identifier: str, name: str, options: dict[str, Any], agents: list[str]
) -> None:
    env, deal = make(identifier, ask_forced=True, **options), 3
    env.reset(num_players=len(agents), seed=deal)
    game, done, number = env.game, False, 0
    players = agents_of(agents, game, game.new(deal))
    while not done:
        seat, shown = env.get_observation()
        assert seat == game.current_player(env.position)
        prompt = game.prompt(env.position, seat, rules=False)
        position, legal = prompt[: prompt.index("\n\nLegal")], prompt[prompt.index("\n\nLegal") :]
        text = shown if isinstance(shown, str) else shown[-1][1]
        assert position in text
        assert text.endswith(legal)
        done, _ = env.step(game.describe(cf.decide(game, players[seat], env.position)))
        number += 1
    rewards, info = env.close()
    scores, won = by_themselves(name, options, agents, deal)
    assert [info[seat]["score"] for seat in range(len(agents))] == scores
    assert rewards == {seat: 1 if has_won else -1 for seat, has_won in enumerate(won)}
    assert number > 20


def test_wrong_answers_are_corrected_and_then_lose_the_game() -> None:
    env = make("Schoko-v0", error_allowance=1)
    env.reset(num_players=2, seed=1)
    seat, first = env.get_observation()
    assert env.step("I resign")[0] is False
    again, corrected = env.get_observation()
    assert again == seat
    assert "The answer names no move: 'I resign'. Answer with the number" in corrected
    assert corrected.endswith(first[first.index("\n\nLegal moves") :])
    assert env.step("[0]")[0] is False  # as TextArena's players put it
    seat, _ = env.get_observation()
    env.step("I resign")
    done, _ = env.step("No, I resign")
    rewards, info = env.close()
    assert (done, rewards) == (True, {seat: -1, 1 - seat: 0})
    assert info[seat]["invalid_move"]


@pytest.mark.parametrize("identifier", ["ChocolateFactory-v0", "CandyFactory-v0-raw", "Schoko-v0"])
@pytest.mark.parametrize("lost", [True, False])
def test_a_finished_game_stays_as_it_is(identifier: str, lost: bool) -> None:
    from gymnasium.error import ResetNeeded

    env, done = make(identifier, error_allowance=0), False
    env.reset(num_players=2, seed=1)
    while not done:
        env.get_observation()
        legal = env.game.legal_mask(env.position).argmax()
        done, _ = env.step("I resign" if lost else str(int(legal)))
    rewards, info = copy.deepcopy(env.close())
    position = env.game.to_dict(env.position)
    for answer in ("I resign", "0", "", str(int(env.game.legal_mask(env.position).argmax()))):
        with pytest.raises(ResetNeeded, match="call reset"):
            env.step(answer)
    assert env.close() == (rewards, info)
    assert env.game.to_dict(env.position) == position
    assert any("score" in each for each in info.values()) != lost
    env.reset(num_players=3, seed=1)
    assert env.close()[0] is None
    assert env.step("I resign")[0]


@pytest.mark.parametrize("answer", [None, b"0", 0, ["0"]])
def test_what_is_no_text_is_refused_and_changes_nothing(answer: Any) -> None:
    env = make("Schoko-v0", error_allowance=0)
    env.reset(num_players=2, seed=1)
    before = copy.deepcopy(env.state.observations)
    with pytest.raises(TypeError, match=r"^action: expected text, got .+$"):
        env.step(answer)
    assert env.state.observations == before
    assert env.step("0")[0] is False


def test_what_does_not_fit_is_refused() -> None:
    from gymnasium.error import ResetNeeded

    from chocofactory_env.adapters.textarena import GameEnv

    with pytest.raises(ResetNeeded, match="call reset"):
        GameEnv("schoko").step("0")
    with pytest.raises(ValueError, match="error_allowance: expected 0"):
        GameEnv("schoko", error_allowance=-1)
    env = make("Schoko-v0")
    env.reset(num_players=2, seed=1)
    with pytest.raises(ValueError, match="seed"):
        env.reset(num_players=3, seed=-1)
    assert env.game.num_players == 2
    assert env.step("0")[0] is False
