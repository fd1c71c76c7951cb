"""`cf.register`: a game outside the package has all that a game inside has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import gymnasium
import pettingzoo
import pytest

import chocofactory_env as cf
from chocofactory_env import candyfactory_v0, chocofactory_v0, registry, schoko_v0
from chocofactory_env.envs.aec import AECGameEnv
from chocofactory_env.envs.parallel import ParallelGameEnv
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
        ("chess\n", TARGET, {}, "name: expected lower-case"),
        ("chess", "toyrace.game", {}, r"target: expected \"module:attribute\", got 'toyrace.game'"),
        ("chess", "toyrace.game:", {}, "target: expected"),
        ("chess", ":ToyRace", {}, "target: expected"),
        ("chess", TARGET, {"aec": "Che ss"}, "environments: expected letters and digits, got 'Che ss'"),
        ("chess", TARGET, {"solo": ""}, "environments: expected letters and digits, got ''"),
        ("chess", TARGET, {"versus": "Chess", "solo": "Chess"}, "expected two names, got 'Chess'"),
        ("sprint_2", TARGET, {}, "name: 'sprint_2' is .*SprintAlone.* already, got "),
        ("sprint_2", "toyrace.game:Other", {"solo": "SprintAlone"}, "name: 'sprint_2' is .* already"),
        ("chocofactory", TARGET, {}, "name: 'chocofactory' is .* already"),
        ("chess", TARGET, {"aec": "ChocolateFactory"}, "environments: ChocolateFactory belong to 'chocofactory'"),
        ("chess", TARGET, {"versus": "Versus"}, "environments: Versus, VersusText belong to 'chocofactory'"),
        ("chess", TARGET, {"solo": "FactoryManager"}, "environments: FactoryManager, .* belong to 'chocofactory'"),
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


@pytest.mark.parametrize("target", ["os:getcwd", "os:path", "builtins:dict"])
def test_a_target_that_makes_no_game_is_named(target: str) -> None:
    with pytest.raises(cf.UnknownGameError, match=rf"^game '{target}': expected .* got "):
        cf.load(target)


# --- every way to a game


@pytest.mark.usefixtures("sprint")
def test_a_game_is_loaded_by_its_name_with_its_options() -> None:
    game = cf.load("sprint_2", num_players=3, rounds=2)
    assert isinstance(game, ToyRace)
    assert dict(game.options) == {"num_players": 3, "rounds": 2, "start_player": None}


NAMES = [*registry.GAMES, "sprint_2"]
OF_ALL_SEATS: dict[str, Any] = {"num_players": 3, "reward": "margin"}
MODULES = {"chocofactory": chocofactory_v0, "candyfactory": candyfactory_v0, "schoko": schoko_v0}


def check_same(envs: Sequence[Any], kind: type) -> None:
    """The environments are of this kind, with the same game."""
    for env in envs:
        env.reset(seed=5)
        assert type(env.unwrapped) is kind
    assert len({repr(env.unwrapped.game) for env in envs}) == 1
    assert len({env.unwrapped.game_state.tobytes() for env in envs}) == 1


@pytest.mark.usefixtures("sprint")
@pytest.mark.parametrize("name", NAMES)
def test_every_route_to_all_seats_makes_the_same_environment(name: str) -> None:
    aec = [cf.make_env(name, **OF_ALL_SEATS), cf.make_env(cf.load(name, num_players=3), reward="margin")]
    parallel = [cf.make_parallel_env(name, **OF_ALL_SEATS)]
    if name in MODULES:
        aec += [MODULES[name].env(**OF_ALL_SEATS), MODULES[name].raw_env(**OF_ALL_SEATS)]
        parallel += [MODULES[name].parallel_env(**OF_ALL_SEATS)]
    if AEC_REGISTRY:
        identifier = registry.environment_id(registry.GAMES[name].aec)
        aec.append(pettingzoo.make("aec", identifier, **OF_ALL_SEATS))
        parallel.append(pettingzoo.make("parallel", identifier, **OF_ALL_SEATS))
    check_same(aec, AECGameEnv)
    check_same(parallel, ParallelGameEnv)
    assert [env.metadata["is_parallelizable"] for env in (aec[-1], parallel[-1])] == [False, True]
    assert parallel[0].game.options.get("mode") == ("simultaneous" if name == "chocofactory" else None)


@pytest.mark.usefixtures("sprint")
@pytest.mark.parametrize("name", NAMES)
def test_every_route_to_one_seat_makes_the_same_environment(name: str) -> None:
    registered = registry.GAMES[name]
    for environment, players in ((registered.versus, 3), (registered.solo, 1)):
        if environment is None:
            continue
        options: dict[str, Any] = {"num_players": 3} if players > 1 else {}
        identifier = registry.environment_id(environment)
        check_same([gymnasium.make(identifier, **options), SeatEnv(name, num_players=players)], SeatEnv)
        many: Any = gymnasium.make_vec(identifier, num_envs=2, **options)
        assert type(many) is SeatVectorEnv
        assert repr(many.game) == repr(cf.load(name, num_players=players))


def test_a_game_without_a_solo_environment_has_none() -> None:
    cf.register("dash", TARGET)
    with pytest.raises(gymnasium.error.NameNotFound):
        gymnasium.make("ChocoFactory/DashSolo-v0")
    ids = sorted(name for name in gymnasium.registry if "Dash" in name)
    assert ids == ["ChocoFactory/DashVersus-v0", "ChocoFactory/DashVersusText-v0"]
