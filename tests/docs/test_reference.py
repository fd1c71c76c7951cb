"""The reference is complete: every public name has a docstring, a place on a page, and an example there."""

from __future__ import annotations

import inspect
import re
from types import ModuleType

import pytest
from repository import ROOT

import chocofactory_env as cf
from chocofactory_env import candyfactory_v0, chocofactory_v0, schoko_v0, testing
from chocofactory_env.envs import aec, parallel, seat, vector

PAGES = sorted((ROOT / "docs" / "api").glob("*.md"))
TEXT = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
ENTRIES = {
    name: entry
    for page in PAGES
    for name, entry in re.findall(
        r"^::: ([\w.]+)\n(.*?)(?=^::: |\Z)", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
}
NAMES = [name for name in cf.__all__ if name != "__version__"]
ENVIRONMENTS = [
    aec.AECGameEnv,
    parallel.ParallelGameEnv,
    seat.SeatEnv,
    vector.SeatVectorEnv,
    cf.SelfPlayBatch,
]
# For compiled batches and the environments over them, which a user of a game never calls.
FOR_BATCHES = {"blank_states", "row_stepper", "joint_stepper", "observe_movers"}
PLACES = {
    "games": "chocofactory_env.registry.games",  # the package of the games has the same name
    "make_agent": "chocofactory_env.agents.protocol.make_agent",
    "evaluate": "chocofactory_env.arena.evaluate.evaluate",
    "play_match": "chocofactory_env.arena.match.play_match",
    "play_tournament": "chocofactory_env.arena.tournament.play_tournament",
    "task": "chocofactory_env.arena.tasks.task",
    "tasks": "chocofactory_env.arena.tasks.tasks",
}


def public_methods(owner: type) -> list[str]:
    return [name for name, value in vars(owner).items() if callable(value) and not name.startswith("_")]


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_is_documented_and_has_an_example(name: str) -> None:
    assert inspect.getdoc(getattr(cf, name))
    entry = ENTRIES[PLACES.get(name, f"chocofactory_env.{name}")]
    assert "```python" in entry, "an example is missing on its page in docs/api/"


def test_the_version_is_documented() -> None:
    assert "cf.__version__" in TEXT


@pytest.mark.parametrize("name", NAMES)
def test_the_methods_of_a_public_class_are_documented(name: str) -> None:
    value = getattr(cf, name)
    if inspect.isclass(value):
        missing = [each for each in public_methods(value) if not inspect.getdoc(getattr(value, each))]
        assert missing == []


@pytest.mark.parametrize("method", sorted({*public_methods(cf.Game)} - FOR_BATCHES))
def test_the_example_of_games_calls_every_method(method: str) -> None:
    assert f"game.{method}(" in ENTRIES["chocofactory_env.Game"]


@pytest.mark.parametrize("environment", ENVIRONMENTS, ids=lambda environment: environment.__name__)
def test_every_option_of_an_environment_is_documented(environment: type) -> None:
    documented = inspect.getdoc(environment) or ""
    options = [name for name in inspect.signature(environment).parameters if name != "self"]
    assert [name for name in options if not re.search(rf"^ *{name}: ", documented, re.MULTILINE)] == []
    assert "Raises:" in documented
    assert any(environment.__name__ in entry for entry in ENTRIES)


@pytest.mark.parametrize("module", [chocofactory_v0, candyfactory_v0, schoko_v0], ids=lambda module: module.__name__)
def test_module_routes_are_documented(module: ModuleType) -> None:
    for name in module.__all__:
        assert inspect.getdoc(getattr(module, name))


def test_check_game_is_documented() -> None:
    assert inspect.getdoc(testing.check_game)
    assert "```python" in ENTRIES["chocofactory_env.testing.check_game"]
