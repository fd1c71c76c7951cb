"""`cf.register`: a game outside the package has all that a game inside has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from games_under_test import pick

import chocofactory_env as cf
from chocofactory_env import registry
from chocofactory_env.envs.aec import AECGameEnv
from chocofactory_env.envs.seat import SeatEnv
from chocofactory_env.envs.vector import SeatVectorEnv
from toyrace.game import ToyRace

TARGET = "toyrace.game:ToyRace"
AEC_REGISTRY: dict[str, Any] = getattr(pettingzoo, "aec_registry", {})  # from 1.27 on


@pytest.fixture(autouse=True)
def put_back() -> Iterator[None]:
    """Afterwards what was registered is as it was."""
    tables: list[dict[Any, Any]] = [registry.GAMES, gymnasium.registry, AEC_REGISTRY]
    kept = [dict(table) for table in tables]
    yield
    for table, before in zip(tables, kept, strict=True):
        table.clear()
        table.update(before)


@pytest.fixture
def sprint() -> None:
    """The toy race under a name of its own, with a solo environment."""
    cf.register("sprint_2", TARGET, solo="SprintAlone")


def everything() -> list[list[str]]:
    return [sorted(table) for table in (registry.GAMES, gymnasium.registry, AEC_REGISTRY)]


def test_the_shipped_games_and_the_example_are_registered_with_their_environments() -> None:
    assert registry.GAMES["toyrace"] == registry.Registered(TARGET, "Toyrace", "ToyraceVersus", None)
    assert registry.GAMES["chocofactory"].solo == "FactoryManager"
    for game in registry.GAMES.values():
        assert all(registry.environment_id(name) in gymnasium.registry for name in (game.versus, game.solo) if name)
        assert registry.environment_id(game.aec) in AEC_REGISTRY or not AEC_REGISTRY


@pytest.mark.usefixtures("sprint")
def test_names_follow_from_the_name_of_the_game_unless_they_are_given() -> None:
    assert registry.GAMES["sprint_2"] == registry.Registered(TARGET, "Sprint2", "Sprint2Versus", "SprintAlone")
    cf.register("dash", TARGET, aec="Dashing", versus="OneDashes")
    assert registry.GAMES["dash"] == registry.Registered(TARGET, "Dashing", "OneDashes", None)
    cf.register("jog", TARGET, aec="Jogging")
    assert registry.GAMES["jog"].versus == "JoggingVersus"


@pytest.mark.usefixtures("sprint")
def test_registering_the_same_again_changes_nothing(recwarn: pytest.WarningsRecorder) -> None:
    before, specs = everything(), dict(gymnasium.registry)
    cf.register("sprint_2", TARGET, solo="SprintAlone")
    assert everything() == before
    assert all(gymnasium.registry[name] is spec for name, spec in specs.items())
    assert not recwarn.list


@pytest.mark.usefixtures("sprint")
@pytest.mark.parametrize(
    ("name", "target", "environments", "match"),
    [
        ("Chess", TARGET, {}, r"name: expected lower-case letters, digits and underscores, got 'Chess'"),
        ("", TARGET, {}, "name: expected lower-case"),
        ("2chess", TARGET, {}, "name: expected lower-case"),
        ("che ss", TARGET, {}, "name: expected lower-case"),
        ("chess\n", TARGET, {}, "name: expected lower-case"),
        ("chess", "toyrace.game", {}, r"target: expected \"module:attribute\", got 'toyrace.game'"),
        ("chess", "toyrace.game:", {}, "target: expected"),
        ("chess", ":ToyRace", {}, "target: expected"),
        ("chess", TARGET, {"aec": "Che ss"}, "environments: expected letters and digits, got 'Che ss'"),
        ("chess", TARGET, {"versus": "a/b"}, "environments: expected letters and digits, got 'a/b'"),
        ("chess", TARGET, {"solo": ""}, "environments: expected letters and digits, got ''"),
        ("chess", TARGET, {"versus": "Chess", "solo": "Chess"}, "expected two names, got 'Chess'"),
        ("sprint_2", TARGET, {}, "name: 'sprint_2' is .*SprintAlone.* already, got "),
        ("sprint_2", "toyrace.game:Other", {"solo": "SprintAlone"}, "name: 'sprint_2' is .* already"),
        ("chocofactory", TARGET, {}, "name: 'chocofactory' is .* already"),
        ("chess", TARGET, {"aec": "ChocolateFactory"}, "environments: ChocolateFactory belong to 'chocofactory'"),
        ("chess", TARGET, {"versus": "Versus"}, "environments: Versus, VersusText belong to 'chocofactory'"),
        ("chess", TARGET, {"solo": "FactoryManager"}, "environments: FactoryManager, .* belong to 'chocofactory'"),
        ("chess", TARGET, {"versus": "SprintAlone"}, "environments: SprintAlone, SprintAloneText belong to 'sprint_2'"),
        ("chess", TARGET, {"versus": "VersusText"}, "environments: VersusText belong to 'chocofactory'"),
        ("chess", TARGET, {"solo": "SprintAloneText"}, "environments: SprintAloneText belong to 'sprint_2'"),
        ("chess", TARGET, {"versus": "Chess", "solo": "ChessText"}, "expected names that differ, got Chess, ChessText"),
    ],
)
def test_what_cannot_be_registered_is_refused_and_changes_nothing(
    name: str, target: str, environments: dict[str, Any], match: str
) -> None:
    before = everything()
    with pytest.raises(ValueError, match=match):
        cf.register(name, target, **environments)
    assert everything() == before


@pytest.mark.usefixtures("sprint")
@pytest.mark.parametrize("option", ["name", "target", "aec", "versus", "solo", "title"])
def test_names_are_strings(option: str) -> None:
    before, given = everything(), {"name": "chess", "target": TARGET, option: 5}
    with pytest.raises(TypeError, match=f"^{option}: expected a string.*, got 5$"):
        cf.register(**given)  # type: ignore[arg-type]
    assert everything() == before


@pytest.mark.parametrize("name", [":x", "..:x", ".toyrace:ToyRace", "toyrace..game:ToyRace", "to y:x", "toyrace.:x"])
def test_a_module_is_given_by_its_full_name(name: str) -> None:
    with pytest.raises(cf.UnknownGameError, match=r"expected the full name of a module before ':', got '"):
        cf.load(name)


@pytest.mark.parametrize("target", ["no_such_module:Game", "toyrace.game:NoSuchGame"])
def test_a_target_that_leads_nowhere_is_named_when_the_game_is_loaded(target: str) -> None:
    cf.register("chess", target)
    with pytest.raises(cf.UnknownGameError, match=r"game 'chess': .*(no_such_module|NoSuchGame)"):
        cf.load("chess")


# --- every way to a game


@pytest.mark.usefixtures("sprint")
def test_a_game_is_loaded_by_its_name_with_its_options() -> None:
    game = cf.load("sprint_2", num_players=3, rounds=2)
    assert isinstance(game, ToyRace)
    assert dict(game.options) == {"num_players": 3, "rounds": 2, "start_player": None}


@pytest.mark.usefixtures("sprint")
def test_all_seats_are_played_by_name_and_by_id() -> None:
    envs: list[Any] = [cf.make_env("sprint_2", num_players=3, reward="margin")]
    envs.append(cf.make_env(cf.load("sprint_2", num_players=3), reward="margin"))
    if AEC_REGISTRY:
        envs.append(pettingzoo.make("aec", "ChocoFactory/Sprint2-v0", num_players=3, reward="margin"))
    played = []
    for env in envs:
        assert type(env) is AECGameEnv
        assert type(env.game) is ToyRace
        env.reset(seed=4)
        rng = np.random.default_rng(4)
        seen: list[Any] = []
        for agent in env.agent_iter():
            observation, reward, over, *_ = env.last()
            assert observation is not None
            seen.append((agent, observation["observation"].tolist(), reward))
            env.step(None if over else pick(observation["action_mask"], rng))
        played.append(seen)
    assert all(seen == played[0] for seen in played)


@pytest.mark.usefixtures("sprint")
@pytest.mark.parametrize(
    ("environment", "players"),
    [("Sprint2Versus", 3), ("SprintAlone", 1)],
)
def test_one_seat_is_played_by_id_alone_and_many_at_a_time(environment: str, players: int) -> None:
    options: dict[str, Any] = {"num_players": 3} if players > 1 else {}
    one = gymnasium.make(f"ChocoFactory/{environment}-v0", rounds=2, **options)
    many = gymnasium.make_vec(f"ChocoFactory/{environment}-v0", num_envs=2, rounds=2, **options)
    assert type(one.unwrapped) is SeatEnv
    assert type(many) is SeatVectorEnv
    single: Any = one.unwrapped
    assert type(single.game) is ToyRace
    assert single.game.num_players == players
    seen, info = one.reset(seed=6)
    all_seen, infos = many.reset(seed=6)
    over, steps = False, 0
    while not over:
        assert np.array_equal(seen, all_seen[0])
        assert np.array_equal(info["action_mask"], infos["action_mask"][0])
        actions = infos["action_mask"].argmax(axis=1)
        seen, reward, over, _, info = one.step(int(actions[0]))
        all_seen, rewards, overs, _, infos = many.step(actions)
        assert (reward, over) == (rewards[0], overs[0])
        steps += 1
    assert steps >= 2


def test_a_game_without_a_solo_environment_has_none() -> None:
    cf.register("dash", TARGET)
    with pytest.raises(gymnasium.error.NameNotFound):
        gymnasium.make("ChocoFactory/DashSolo-v0")
    ids = sorted(name for name in gymnasium.registry if "Dash" in name)
    assert ids == ["ChocoFactory/DashVersus-v0", "ChocoFactory/DashVersusText-v0"]
