"""In a checkout `agents/`, `arena/` and `training/` lie beside this package; the wheel has them in it.

Here `chocofactory_env.agents` is found by the path of that folder, never by the name `agents`, which another package
may own. Where a checkout is on the path, `agents` is the same package under a short name: no module is loaded twice,
so there is one class of every name, and all of them are pickled as `chocofactory_env.agents...`. The others are alike.
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

PACKAGES = ("agents", "arena", "training")


class CheckoutPackages(MetaPathFinder):
    """Finds `chocofactory_env.agents` and so on, and the modules of `agents` where that is the same package."""

    def __init__(self, checkout: Path) -> None:
        self._checkout = checkout

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _, module = fullname.partition(".")
        if package == __package__ and module in PACKAGES:
            folder = self._checkout / module
            return spec_from_file_location(fullname, folder / "__init__.py", submodule_search_locations=[str(folder)])
        name = f"{__package__}.{package}"
        if package not in PACKAGES or name not in sys.modules or sys.modules.get(package) is not sys.modules[name]:
            return None
        found = find_spec(f"{name}.{module}")
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


def checkout() -> Path | None:
    """The folder of the checkout that this package belongs to; None: it is installed from a wheel."""
    folder = Path(__file__).parents[1]
    packages = (folder / package / "__init__.py" for package in PACKAGES)
    return folder if (folder / "pyproject.toml").is_file() and all(map(Path.is_file, packages)) else None


def find_packages() -> None:
    """Let agents, arena and training be found, where this is a checkout; again is harmless."""
    folder = checkout()
    if folder is not None and not any(isinstance(finder, CheckoutPackages) for finder in sys.meta_path):
        sys.meta_path.insert(0, CheckoutPackages(folder))  # first, or the short name would be found as another module
