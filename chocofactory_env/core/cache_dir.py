"""The folder in which this package keeps compiled code between processes."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from platformdirs import user_cache_path

VARIABLE: Final = "CHOCOFACTORY_CACHE_DIR"


def cache_folder(tell: Callable[[str], object] = lambda reason: None) -> Path | None:
    """The absolute path of the user's cache folder, which is neither made nor checked.

    `CHOCOFACTORY_CACHE_DIR` names it, where `~` is a home; otherwise it is the system's cache folder of the user. None
    if that needs a home, or a working directory, which this process does not have. Then `tell` gets the reason.
    """
    named = os.environ.get(VARIABLE)
    try:
        folder = Path(named).expanduser().absolute() if named else user_cache_path("chocofactory_env")
    except (OSError, RuntimeError) as error:  # no working directory, or no home
        tell(f"{VARIABLE}={named}: {error}" if named else str(error))
        return None
    if not folder.is_absolute():  # some versions of platformdirs return `~/.cache` where there is no home
        tell(f"no home directory was found for {folder}")
        return None
    return folder
