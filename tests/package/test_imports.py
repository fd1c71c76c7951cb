"""What the import contracts in pyproject.toml cannot say: circles of modules, games by name, which code they cover.

The graph has the imports inside functions, and leaves out those for type checkers only.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from copy import deepcopy

import grimp
import pytest
from grimp import ImportGraph
from repository import ROOT

from tools.tree import INSIDE, lay_out

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
# They import all else, and nothing imports them.
NO_CODE_OF_OURS = {"tests", "notebooks", "docs", "examples.play.py", "examples.selfplay.py"}
GAMES = sorted(path.parent.name for path in (ROOT / "chocofactory_env" / "games").glob("*/__init__.py"))


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> ImportGraph:
    folder = tmp_path_factory.mktemp("tree")
    lay_out(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        patch.delitem(sys.modules, "chocofactory_env")  # or it would be read where it was loaded from
        return grimp.build_graph(*SETTINGS["root_packages"], exclude_type_checking_imports=True, cache_dir=None)


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


def test_no_module_imports_itself_by_way_of_others_but_at_a_first_call(graph: ImportGraph) -> None:
    graph = deepcopy(graph)
    (contract,) = (each for each in SETTINGS["contracts"] if each["type"] == "acyclic_siblings")
    for edge in contract["ignore_imports"]:
        importer, imported = edge.split(" -> ")
        graph.remove_import(importer=importer, imported=imported)
    assert circles(graph) == set()


def test_only_folders_named_after_a_game_import_it(graph: ImportGraph) -> None:
    assert GAMES
    strangers = [
        (importer, imported)
        for importer in graph.modules
        for imported in graph.find_modules_directly_imported_by(importer)
        for game in GAMES
        if importer.startswith("chocofactory_env.") and game in imported.split(".") and game not in importer.split(".")
    ]
    assert strangers == []


def test_the_contracts_are_about_all_code() -> None:
    command = ["git", "ls-files", "*.py"]
    files = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    packages = {".".join(file.split("/")[: 2 if file.startswith("examples/") else 1]) for file in files}
    assert packages - NO_CODE_OF_OURS - {*INSIDE} == set(SETTINGS["root_packages"])
