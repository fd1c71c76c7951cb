"""What the import contracts in pyproject.toml cannot say: circles of modules, games by name, which code they cover.

The graph has the imports inside functions, and leaves out those for type checkers only.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from copy import deepcopy

import grimp
import pytest
from grimp import ImportGraph
from repository import ROOT

from chocofactory_env._checkout import PACKAGES, CheckoutPackages

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
# They import all else, and nothing imports them.
NO_CODE_OF_OURS = {"tests", "notebooks", "docs", "examples.play.py", "examples.selfplay.py"}
GAMES = sorted(path.parent.name for path in (ROOT / "chocofactory_env" / "games").glob("*/__init__.py"))
# What is a game's own lies in folders of its name.
BY_GAME = ("chocofactory_env", "agents", "arena", "training")


@pytest.fixture(scope="module")
def graph() -> ImportGraph:
    with pytest.MonkeyPatch.context() as patch:
        # Once the agents have been imported, `agents` is another name for `chocofactory_env.agents`; so is `arena`.
        for name in PACKAGES:
            patch.delitem(sys.modules, name, raising=False)
        patch.setattr(sys, "meta_path", [one for one in sys.meta_path if not isinstance(one, CheckoutPackages)])
        built = grimp.build_graph(*SETTINGS["root_packages"], exclude_type_checking_imports=True)
    for importer, imported in imports_by_the_long_name(built.modules):
        built.add_import(importer=importer, imported=imported)
    return built


def imports_by_the_long_name(modules: set[str]) -> Iterator[tuple[str, str]]:
    """Of `chocofactory_env.agents...` and `chocofactory_env.arena...`, which the graph knows by their short names."""
    for module in sorted(modules):
        path = ROOT / module.replace(".", "/")
        source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        for name in absolute_imports(source.read_text(encoding="utf-8")):
            short = name.removeprefix("chocofactory_env.")
            while short.partition(".")[0] in PACKAGES and short not in modules:
                short = short.rpartition(".")[0]
            if short != name and short in modules and short.partition(".")[0] in PACKAGES:
                yield module, short


def absolute_imports(source: str) -> Iterator[str]:
    """Every name that is imported, with the module in front of it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and not node.level:
            yield from (f"{node.module}.{one.name}" for one in node.names)
        elif isinstance(node, ast.Import):
            yield from (one.name for one in node.names)


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


def test_no_module_imports_itself_by_way_of_others_but_at_a_first_call(graph: ImportGraph) -> None:
    graph = deepcopy(graph)
    (contract,) = (each for each in SETTINGS["contracts"] if each["type"] == "acyclic_siblings")
    for edge in contract["ignore_imports"]:
        importer, imported = edge.split(" -> ")
        graph.remove_import(importer=importer, imported=imported)
    assert circles(graph) == set()


def test_agents_do_not_know_the_arena_by_any_name(graph: ImportGraph) -> None:
    """The contracts do not see the long names."""
    by_others = [
        (importer, imported)
        for imported in graph.modules
        for importer in graph.find_modules_that_directly_import(imported)
        if imported.partition(".")[0] == "arena" and importer.partition(".")[0] in ("agents", "chocofactory_env")
    ]
    assert by_others == []
    assert graph.direct_import_exists(importer="arena.match", imported="agents.protocol")


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
