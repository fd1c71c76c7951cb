"""What the import contracts in pyproject.toml cannot say: circles of modules, games by name, which code they cover.

The graph has the imports inside functions, and leaves out those for type checkers only.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib

import grimp
import pytest
from grimp import ImportGraph
from repository import ROOT

from chocofactory_env._checkout import CheckoutAgents

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
# They import all else, and nothing imports them.
NO_CODE_OF_OURS = {"tests", "notebooks", "docs", "examples.selfplay.py"}
GAMES = sorted(path.parent.name for path in (ROOT / "chocofactory_env" / "games").glob("*/__init__.py"))
# What is a game's own lies in folders of its name.
BY_GAME = ("chocofactory_env", "agents", "arena", "design", "training")


@pytest.fixture(scope="module")
def graph() -> ImportGraph:
    with pytest.MonkeyPatch.context() as patch:
        # Once the agents have been imported, `agents` is another name for `chocofactory_env.agents`.
        patch.delitem(sys.modules, "agents", raising=False)
        patch.setattr(sys, "meta_path", [one for one in sys.meta_path if not isinstance(one, CheckoutAgents)])
        return grimp.build_graph(*SETTINGS["root_packages"], exclude_type_checking_imports=True)


def circles(graph: ImportGraph) -> set[str]:
    """What is left when modules that import nothing, or that nothing imports, are taken away again and again."""
    left = set(graph.modules)
    while True:
        free = {
            module
            for module in left
            if not graph.find_modules_directly_imported_by(module) & left
            or not graph.find_modules_that_directly_import(module) & left
        }
        if not free:
            return left
        left -= free


def test_a_circle_is_found() -> None:
    graph = ImportGraph()
    for importer, imported in (("a", "b"), ("b", "c"), ("c", "d"), ("c", "b"), ("x", "a")):
        graph.add_import(importer=importer, imported=imported)
    assert circles(graph) == {"b", "c"}


def test_no_module_imports_itself_by_way_of_others(graph: ImportGraph) -> None:
    assert circles(graph) == set()


def test_only_folders_named_after_a_game_import_it(graph: ImportGraph) -> None:
    assert GAMES
    strangers = [
        (importer, imported)
        for importer in graph.modules
        for imported in graph.find_modules_directly_imported_by(importer)
        for game in GAMES
        if importer.split(".")[0] in BY_GAME and game in imported.split(".") and game not in importer.split(".")
    ]
    assert strangers == []


def test_the_contracts_are_about_all_code() -> None:
    command = ["git", "ls-files", "*.py"]
    files = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    packages = {".".join(file.split("/")[: 2 if file.startswith("examples/") else 1]) for file in files}
    assert packages - NO_CODE_OF_OURS == set(SETTINGS["root_packages"])
