"""Names to games, public names, and what importing the package costs and does."""

from __future__ import annotations

import re
import tomllib

import pytest
from processes import output
from repository import ROOT

import chocofactory_env as cf


def test_an_unknown_game_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(cf.UnknownGameError, match=r"'choco'.*chocofactory"):
        cf.load("choco")
    for name, meant in (("Schoko", "schoko"), ("CHOCOFACTORY", "chocofactory")):
        with pytest.raises(cf.UnknownGameError, match=rf"^unknown game '{name}' \(did you mean '{meant}'\?\); there"):
            cf.load(name)
    with pytest.raises(TypeError, match=r"^name: expected a game's name, got None$"):
        cf.load(None)  # type: ignore[arg-type]  # the mistake


def test_every_public_name_is_there() -> None:
    for name in cf.__all__:
        assert getattr(cf, name) is not None
    assert set(cf.__all__) <= set(dir(cf))
    with pytest.raises(AttributeError, match="nonsense"):
        _ = cf.nonsense


def test_importing_registers_without_a_warning_and_loads_no_game() -> None:
    code = (
        "import sys, chocofactory_env, gymnasium, pettingzoo;"
        "assert 'ChocoFactory/FactoryManager-v0' in gymnasium.registry;"
        "assert 'ChocoFactory/Versus-v0' in gymnasium.registry;"
        "assert 'ChocoFactory/ChocolateFactory-v0' in getattr(pettingzoo, 'aec_registry', {}) or "
        "pettingzoo.__version__ < '1.27';"  # has no registry
        "print([name for name in sys.modules if name in ('numba', 'torch') or '.games.' in name and 'choco' in name])"
    )
    assert output("-W", "error", "-c", code, path=[ROOT / "examples"]) == "[]\n"


def requirements() -> list[str]:
    """All that pyproject.toml asks for, extras and dependency groups included."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = declared["project"]
    sets = [
        project["dependencies"],
        *project["optional-dependencies"].values(),
        *declared["dependency-groups"].values(),
    ]
    found = [each for requirements in sets for each in requirements if isinstance(each, str)]  # else `include-group`
    return [each for each in found if not each.startswith("chocofactory-env[")]  # its own extras


@pytest.mark.parametrize("requirement", requirements())
def test_every_dependency_has_an_upper_bound(requirement: str) -> None:
    assert re.search(r"<\d|==\d", requirement)


def test_the_oldest_pettingzoo_that_is_allowed_is_tested() -> None:
    """`make rllib`, which CI runs, installs it and runs the environments' tests with it."""
    [allowed] = [each for each in requirements() if each.startswith("pettingzoo")]
    tested = re.search(r"^pettingzoo==([\d.]+)$", (ROOT / "constraints-rllib.txt").read_text(), re.MULTILINE)
    assert tested is not None
    assert f"{tested[1]}.".startswith(re.findall(r">=([\d.]+)", allowed)[0] + ".")
