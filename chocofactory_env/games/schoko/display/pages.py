"""The pages of `docs/schoko/` that are generated: `python -m tools.pages`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from .describe_cards import describe
from .describe_layouts import describe_actions, describe_observations

# name -> the lines of the page
PAGES: Final[dict[str, Callable[[], Iterable[str]]]] = {
    "actions": describe_actions,
    "card-list": lambda: describe().splitlines(),
    "observations": describe_observations,
}
