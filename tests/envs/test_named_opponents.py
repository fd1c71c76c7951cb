"""Opponents by name, and agents that are refused before any game begins."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from games_under_test import pick
from toy_agents import Picks

import chocofactory_env as cf
from chocofactory_env.core.jit import COMPILED
from chocofactory_env.envs.opponents import RandomOpponent
from chocofactory_env.envs.seat import SeatEnv
from chocofactory_env.envs.vector import PerGame, SeatVectorEnv

VERSUS = "ChocoFactory/Versus-v0"
DECKS = ["generated:100000", "generated:100001"]
STEPS = 120 if COMPILED else 6
BOTH = pytest.mark.parametrize("environment", [SeatEnv, SeatVectorEnv], ids=["one", "many"])


def moves(env: Any) -> list[Any]:
    """What a seat that plays at random sees."""
    rng = np.random.default_rng(5)
    seen: list[Any] = [env.reset(seed=3)[0].tobytes()]
    over = False
    while not over and len(seen) < STEPS:
        observation, reward, over, _, info = env.step(pick(env.unwrapped.action_masks(), rng))
        seen.append((observation.tobytes(), reward, info["action_mask"].tobytes()))
    return seen


@pytest.mark.parametrize(
    ("opponents", "places"),
    [
        ("planner:width=4", ["planner:width=4"]),
        ("greedy", ["greedy", "greedy"]),
        (["greedy"], ["greedy", "greedy"]),
        (["greedy", "random"], ["greedy", "random"]),
        ([Picks(0), "random"], [Picks(0), "random"]),
        (np.array(["greedy", "random"]), ["greedy", "random"]),
    ],
    ids=["one", "a name for all", "a list of one for all", "one each", "beside an agent", "an array"],
)
def test_names_play_as_the_agents_that_they_make(opponents: Any, places: list[Any]) -> None:
    game = cf.load("chocofactory", num_players=len(places) + 1)
    made = [cf.make_agent(each, game) if isinstance(each, str) else each for each in places]
    named, given = (gymnasium.make(VERSUS, num_players=len(places) + 1, opponents=each) for each in (opponents, made))
    assert moves(named) == moves(given)
    assert len({id(each) for each in named.get_wrapper_attr("opponents")}) == len(places)


@pytest.mark.parametrize("game", ["candyfactory", "schoko"])
def test_names_are_those_of_the_game(game: str) -> None:
    env = SeatEnv(game, num_players=2, opponents="expert")
    env.reset(seed=1)
    opponent: Any = env.opponents[0]
    assert opponent.made_for == (game, 2)
    assert type(opponent) is type(cf.make_agent("expert", env.game))


@BOTH
@pytest.mark.parametrize(
    ("opponents", "match"),
    [
        (RandomOpponent, "opponent 0: expected .*, got <class "),
        ("nobody", "unknown agent 'nobody'; there are: .*planner"),
        (["greedy", "planner:with=3"], "unknown setting 'with'; there are: width"),
        ("planner:width=0", "width: expected an integer 1..10,000, got 0"),
        ("solo", "plays the solo game, got one of 3 players"),
        (["greedy"] * 3, "opponents: expected 2, or one for all of them, in a game of 3 players, got 3"),
    ],
)
def test_what_makes_no_opponents_is_refused_when_the_environment_is_made(
    environment: Any, opponents: Any, match: str
) -> None:
    with pytest.raises((TypeError, ValueError), match=match):
        environment("chocofactory", num_players=3, opponents=opponents)


@BOTH
@pytest.mark.parametrize(
    ("made_for", "agent", "options", "played"),
    [
        ("schoko", "expert", {"num_players": 2}, "2 players of 'chocofactory', and not for 2 of 'schoko'"),
        ("schoko", "manager", {"num_players": 2}, "2 players of 'chocofactory', and not for 2 of 'schoko'"),
        ("chocofactory", "greedy", {"num_players": 3}, "2 players of 'chocofactory', and not for 3 of 'chocofactory'"),
    ],
)
def test_an_agent_of_another_game_is_refused_when_the_environment_is_made(
    environment: Any, made_for: str, agent: str, options: dict[str, Any], played: str
) -> None:
    stranger = cf.make_agent(agent, cf.load(made_for, **options))
    opponent = stranger if environment is SeatEnv else PerGame(lambda: stranger)
    with pytest.raises(TypeError, match=f"opponent 0: expected an agent made for {played}, got "):
        environment("chocofactory", num_players=2, opponents=[opponent])


def test_a_record_refuses_an_agent_of_another_game() -> None:
    with pytest.raises(TypeError, match="agent 0: expected an agent made for 2 players of 'chocofactory'"):
        cf.record_game(
            cf.load("chocofactory", num_players=2), cf.make_agent("expert", cf.load("schoko", num_players=2)), seed=1
        )


@pytest.mark.parametrize("name", ["greedy", "random", "planner:width=4"])
def test_an_agent_of_single_games_is_no_opponent_of_many(name: str) -> None:
    agent = cf.make_agent(name, cf.load("chocofactory", num_players=2))
    with pytest.raises(TypeError, match=r"opponent 0: .* plays one game at a time: give its name, or PerGame"):
        gymnasium.make_vec(VERSUS, num_envs=2, opponents=[agent])


def test_a_single_game_says_that_it_takes_the_agent_of_a_per_game_itself() -> None:
    game = cf.load("chocofactory", num_players=2, start_player=0)
    env = gymnasium.make(VERSUS, games=game, opponents=PerGame(lambda: cf.make_agent("greedy", game)), seat=1)
    with pytest.raises(TypeError, match=r"^PerGame plays many games, .*; in a single game give the agent itself$"):
        env.reset(seed=1)


def test_after_a_bad_name_the_opponents_before_play_on() -> None:
    env: Any = SeatEnv(cf.games("chocofactory", num_players=2, decks=DECKS), opponents="planner:width=4")
    with pytest.raises(ValueError, match="nobody"):
        env.set_opponents("nobody")
    for deck in DECKS:
        env.reset(seed=3, options={"decks": deck})
        assert env.opponents[0]._game.deck_hash == env.game.deck_hash


def test_an_error_names_the_opponent() -> None:
    env = SeatVectorEnv("chocofactory", 2, num_players=3, opponents=["greedy", "planner"])
    assert repr(env.opponents) == "['greedy', PerGame('planner')]"


# --- partners in parallel environments


@pytest.mark.parametrize(
    ("game", "agent"), [("chocofactory", "greedy"), ("candyfactory", "greedy"), ("schoko", "manager")]
)
def test_partners_play_their_seats_as_anybody_there_would(game: str, agent: str) -> None:
    partners = {"player_0": "random", "player_2": agent}
    env: Any = cf.make_parallel_env(game, num_players=3, partners=partners, reward="margin")
    whole: Any = cf.make_parallel_env(game, num_players=3, reward="margin")
    agents = {seat: cf.make_agent(partners[f"player_{seat}"], env.game) for seat in (0, 2)}
    assert env.possible_agents == ["player_1"]
    mine, everybody = env.reset(seed=6), whole.reset(seed=6)
    for seat, partner in agents.items():
        cf.reset_agent(partner, cf.agent_seed(env.game, whole.game_state, seat))
    rng = np.random.default_rng(1)
    while env.agents:
        masks = {name: seen["action_mask"] for name, seen in everybody[0].items()}
        actions = {"player_1": pick(masks["player_1"], rng)}
        for seat, partner in agents.items():
            asked = whole.game.clone(whole.game_state)
            waits = masks[f"player_{seat}"][whole.wait]
            if not waits:
                whole.game.ask_seat(asked, seat)
            actions[f"player_{seat}"] = whole.wait if waits else cf.decide(whole.game, partner, asked)
        mine, everybody = env.step({"player_1": actions["player_1"]}), whole.step(actions)
        np.testing.assert_equal(mine, tuple({"player_1": each["player_1"]} for each in everybody))
        assert env.game_state.tobytes() == whole.game_state.tobytes()
    assert {"score", "rank", "won"} < set(mine[-1]["player_1"])


@pytest.mark.parametrize("game", ["chocofactory", "schoko"])
def test_agents_decide_for_named_seats_beside_partners(game: str) -> None:
    env: Any = cf.make_parallel_env(game, num_players=3, partners={"player_0": "random"}, illegal_action="raise")
    env.reset(seed=3)
    agent = cf.make_agent("random", env.game)
    for _ in range(STEPS):
        if env.agents:
            env.step({name: cf.decide(env, agent, name) for name in env.agents})  # raises if one is not that seat's


def test_a_partner_that_fails_leaves_the_position_as_it_was() -> None:
    calls = iter(range(1000))
    fails: Any = lambda observation, mask: int(mask.argmax()) if next(calls) % 9 else 1.5  # noqa: E731 - in one line
    env: Any = cf.make_parallel_env("schoko", num_players=3, partners={"player_1": fails, "player_2": fails})
    seen, _ = env.reset(seed=1)
    rng, failed = np.random.default_rng(1), 0
    while env.agents and failed < 20:
        before, action = env.game_state.tobytes(), pick(seen["player_0"]["action_mask"], rng)
        try:
            seen, *_ = env.step({"player_0": action})
        except TypeError:
            failed += 1
            assert env.game_state.tobytes() == before
    assert failed > 5


def test_partners_that_cannot_play_are_refused() -> None:
    def make(partners: Any) -> Any:
        return cf.make_parallel_env("chocofactory", num_players=2, partners=partners)

    for partners in ({"player_2": "greedy"}, {"player_0": "greedy", "player_1": "greedy"}):
        with pytest.raises(
            ValueError, match="partners: expected some, but not all, of player_0, player_1, got player_"
        ):
            make(partners)
    with pytest.raises(ValueError, match="unknown agent 'nobody'"):
        make({"player_1": "nobody"})
    with pytest.raises(TypeError, match=r'expected an agent by seat, as \{"player_1": "random"\}, got \'greedy\''):
        make("greedy")
    with pytest.raises(TypeError, match="partner player_1: expected a callable"):
        make({"player_1": 5})
    with pytest.raises(TypeError, match="partner player_1: expected an agent made for 2 players of 'chocofactory'"):
        make({"player_1": cf.make_agent("expert", cf.load("schoko", num_players=2))})
    env = make({"player_1": lambda observation, mask: int(mask.argmin())})
    seen, _ = env.reset(seed=1)
    while seen["player_0"]["action_mask"][env.wait] == 0:
        seen = env.step({"player_0": int(seen["player_0"]["action_mask"].argmax())})[0]
    before = env.game_state.tobytes()
    with pytest.raises(cf.IllegalActionError, match=r"illegal action \d+ of player_1, the partner <function"):
        env.step({"player_0": env.wait})
    assert env.game_state.tobytes() == before
