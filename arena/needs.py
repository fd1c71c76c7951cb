"""Packages that commands need: where one is missing, a command ends with what to install."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec

Needs = Mapping[str, tuple[str, Sequence[str]]]  # by module: arguments of `pip install`, and the packages


def check_command(package: str, needs: Needs) -> None:
    """Called when `package` is imported: if `python -m package.module` is what runs, see that it can.

    needs: by the name of a module; `""` stands for all others.
    """
    if sys.argv[:1] != ["-m"]:  # so it is while Python looks for the module that it is to run
        return
    command = sys.orig_argv[sys.orig_argv.index("-m") + 1]
    if command.partition(".")[0] != package:
        return
    install, packages = needs.get(command.rpartition(".")[2], needs[""])
    missing = [name for name in packages if not is_there(name)]
    if missing:
        sys.exit(
            f"python -m {command} needs {', '.join(missing)}, not installed here: pip install {install}"
            " (in the checkout, with pip 25.1 or newer)"
        )


def is_there(name: str) -> bool:
    if name in sys.modules:
        return sys.modules[name] is not None
    return find_spec(name) is not None
