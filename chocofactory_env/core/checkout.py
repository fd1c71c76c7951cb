"""Whether the package runs from a checkout."""

from __future__ import annotations

from pathlib import Path


def checkout() -> Path | None:
    """The folder with `agents/`, `arena/` and `training/` beside this package; None in a wheel, which has them in it.

    `chocofactory_env.__path__` names it, so they are `chocofactory_env.agents` and so on in either.
    """
    package = Path(__file__).parents[1]
    return None if (package / "agents").is_dir() else package.parent
