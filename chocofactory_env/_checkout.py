"""In a checkout the agents lie in `agents/` beside this package; the wheel has them in `chocofactory_env/agents/`.

Here `chocofactory_env.agents` is found by the path of that folder, never by the name `agents`, which another package
may own. Where a checkout is on the path, `agents` is the same package under a short name: no module is loaded twice,
so there is one class of every name, and all of them are pickled as `chocofactory_env.agents...`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import find_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

NAME = f"{__package__}.agents"
SHORT = "agents"


class CheckoutAgents(MetaPathFinder):
    """Finds `chocofactory_env.agents`, and the modules of `agents` where that is the same package."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname == NAME:
            places = [str(self._folder)]
            return spec_from_file_location(NAME, self._folder / "__init__.py", submodule_search_locations=places)
        package, _, module = fullname.partition(".")
        if package != SHORT or NAME not in sys.modules or sys.modules.get(SHORT) is not sys.modules[NAME]:
            return None
        found = find_spec(f"{NAME}.{module}")
        if found is None or found.origin is None:
            return None
        return spec_from_file_location(fullname, found.origin, loader=_SameModule(fullname, found.origin))


class _SameModule(SourceFileLoader):
    """Loads `agents.protocol` as `chocofactory_env.agents.protocol`, which is the same module."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(f"{__package__}.{spec.name}")
        self._own_spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._own_spec  # it has run; the import system has put another one in its place


def find_agents() -> None:
    """Let `chocofactory_env.agents` be found, where this is a checkout; again is harmless."""
    package = Path(__file__).parent
    folder = package.parent / SHORT
    installed = (package / SHORT / "__init__.py").is_file()
    if installed or not all(path.is_file() for path in (folder / "__init__.py", package.parent / "pyproject.toml")):
        return
    if not any(isinstance(finder, CheckoutAgents) for finder in sys.meta_path):
        sys.meta_path.insert(0, CheckoutAgents(folder))  # first, or the short name would be found as another module
