"""Check that a command's packages are installed, and say what to install if not."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from types import MappingProxyType

from chocofactory_env.core.checkout import checkout

Needs = Mapping[str, tuple[str, Sequence[str]]]  # by module: arguments of `pip install`, and the packages

PACKAGES = ("filelock", "matplotlib", "pandas", "pebble", "tqdm")  # of the extra `matches`, for matches and training
ALL = (*PACKAGES, "choix", "jinja2", "scipy")  # of the extra `arena`
INSTALL = '"chocofactory-env[arena]"' if checkout() is None else "-e . --group arena"


def check_command(package: str, needs: Needs = MappingProxyType({})) -> None:
    """When `package` is imported for `python -m package.module`, check that this command can run.

    needs: by name of a module; all others need the extra `arena`.
    """
    if sys.argv[:1] != ["-m"]:  # true while Python locates the module to run
        return
    command = sys.orig_argv[sys.orig_argv.index("-m") + 1]
    within, _, module = command.rpartition(".")
    if within.split(".")[:2] != [__name__.partition(".")[0], package] or module == "__main__":
        return
    try:
        need(f"python -m {command}", *needs.get(module, (INSTALL, ALL)))
    except ImportError as error:
        sys.exit(f"{error}{' (in the checkout, with pip 25.1 or newer)' if checkout() else ''}")


def need(what: str, install: str = INSTALL, packages: Iterable[str] = PACKAGES) -> None:
    """Raise ImportError, naming `what` and what to install, if a package is missing."""
    if missing := [name for name in packages if not is_there(name)]:
        raise ImportError(f"{what} needs {', '.join(missing)}, not installed here: pip install {install}")


def is_there(name: str) -> bool:
    if name in sys.modules:
        return sys.modules[name] is not None
    return find_spec(name) is not None
