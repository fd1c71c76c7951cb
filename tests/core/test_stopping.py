"""Searches are given up from another thread, and slices change no result."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import chocofactory_env as cf
from chocofactory_env.core import compiled
from chocofactory_env.core.search import tree
from chocofactory_env.core.search.stopping import StoppedError, stoppable

ENDLESS = 1_000_000
SEARCHES = {
    "chocofactory": ["mcts:simulations=1000000", "planner:width=8", "expert:width=4,draft_width=1"],
    "candyfactory": ["mcts:simulations=1000000", "flat_mc:playouts=1000000", "expert:deals=10000"],
    "schoko": ["expert:simulations=1000000", "mcts:simulations=1000000,learned=true"],
}


def position(name: str) -> tuple[Any, Any]:
    """A game of two, and a position of it in which there is something to choose."""
    game = cf.load(name, num_players=2)
    state = game.new(1)
    while np.count_nonzero(game.legal_mask(state)) == 1:
        game.apply(state, int(game.legal_mask(state).argmax()))
    return game, state


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in SEARCHES.items() for text in texts])
def test_every_search_looks_whether_it_is_to_stop(name: str, text: str) -> None:
    """Both before it begins and while it is under way."""
    game, state = position(name)
    agent, stop = cf.make_agent(text, game), threading.Event()
    stop.set()
    with stoppable(stop), pytest.raises(StoppedError):
        cf.decide(game, agent, state)


@pytest.mark.parametrize(
    ("name", "text"), [("candyfactory", "mcts:simulations=1000000"), ("candyfactory", "flat_mc:playouts=1000000")]
)
def test_a_search_ends_while_it_is_under_way(name: str, text: str) -> None:
    game, state = position(name)
    agent, stop, begun = cf.make_agent(text, game), threading.Event(), threading.Event()
    ended: list[BaseException] = []

    def think() -> None:
        with stoppable(stop):
            begun.set()
            try:
                cf.decide(game, agent, state)
            except StoppedError as error:
                ended.append(error)

    thread = threading.Thread(target=think, daemon=True)
    thread.start()
    assert begun.wait(60)
    thread.join(0.5)  # on its way
    stop.set()
    thread.join(60)
    assert not thread.is_alive()
    assert ended


def of_tree(game: Any, state: Any) -> Any:
    return game.tree_search().search(state, 150, 3)


def of_playouts(game: Any, state: Any) -> Any:
    return game.random_playouts(state, np.arange(40), player=0)


@pytest.mark.parametrize("search", [of_tree, of_playouts])
@pytest.mark.parametrize("name", SEARCHES)
def test_the_size_of_slices_changes_no_result(
    name: str, search: Callable[[Any, Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    game, state = position(name)
    found = []
    for size in (1, 7, ENDLESS):
        monkeypatch.setattr(tree, "SLICE", size)
        monkeypatch.setattr(compiled, "PLAYOUTS_AT_ONCE", size)
        found.append(search(game, state))
    for other in found[1:]:
        for one, two in zip(found[0], other, strict=True):
            np.testing.assert_array_equal(one, two)
