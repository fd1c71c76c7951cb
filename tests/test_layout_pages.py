"""The generated pages say what the layouts say."""

from pathlib import Path

import pytest

from chocofactory_env.games.chocofactory.actions import ACTIONS
from chocofactory_env.games.chocofactory.describe_layouts import PAGES
from chocofactory_env.games.chocofactory.observation import observation_layout
from chocofactory_env.games.chocofactory.serial import describe

DOCS = Path(__file__).resolve().parent.parent / "docs"


@pytest.mark.parametrize("page", PAGES)
def test_the_generated_page_is_fresh(page: str) -> None:
    fresh = "\n".join(PAGES[page]()) + "\n"
    assert (DOCS / f"{page}.md").read_text(encoding="utf-8") == fresh, "run `make docs`"


def test_every_action_has_words_of_its_own() -> None:
    assert len({describe(action) for action in range(ACTIONS.size)}) == ACTIONS.size


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_named_entries_are_as_many_as_the_last_axis_has(players: int) -> None:
    for block in observation_layout(players).blocks:
        assert len(block.entries) in (0, block.shape[-1]), block.name
