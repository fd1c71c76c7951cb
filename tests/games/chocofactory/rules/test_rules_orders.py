"""Fulfil orders: the corner shop."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from chocofactory_decks import order, write_deck
from chocofactory_games import Position, legal, pieces, play, player_of


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    own = [
        order("small-pair", ({"caramel": 1, "nuts": 1}, 7)),
        order("three-steps", ({"chunks": 2}, 4), ({"fingers": 3}, 7), ({"boxed": 1}, 11)),
        order("two-steps", ({"nuts": 1}, 3), ({"fingers": 3}, 7)),
    ]
    return write_deck(tmp_path_factory.mktemp("deck") / "orders.toml", orders=own)


def fulfilling(deck: Path, orders: list[tuple[str, int] | None], **player: Any) -> Position:
    return Position(num_players=2, deck=str(deck)).phase("fulfil").player(0, orders=orders, **player)


def fulfils(game: Any, state: Any) -> set[str]:
    return {words for words in legal(game, state) if words.startswith(("fulfil", "supply"))}


def test_orders_and_one_store_are_fulfilled_in_any_combination_from_the_store_room(deck: Path) -> None:
    """FUL-1"""
    room = {"caramel": 1, "nuts": 2, "chunks": 1}
    belt = {3: {"chunks": 5, "fingers": 5}}
    orders: list[tuple[str, int] | None] = [("small-pair", 0), ("three-steps", 0), ("two-steps", 0)]
    game, state = fulfilling(deck, orders, employee="clerk", store_room=room, belt=belt).build()
    assert fulfils(game, state) == {"fulfil order 0", "fulfil order 2", "supply fresh_fancies"}
    play(game, state, "supply fresh_fancies", "fulfil order 2", "fulfil order 0")
    assert pieces(game, state) == {}
    assert fulfils(game, state) == set()


def test_stages_are_done_in_sequence_several_in_a_day(deck: Path) -> None:
    """FUL-2"""
    room = {"chunks": 2, "fingers": 4, "boxed": 1}
    game, state = fulfilling(deck, [("three-steps", 0), None, None], store_room=room).build()
    play(game, state, "fulfil order 0")
    player = player_of(game, state)
    assert (player["orders"][0], player["stage"][0]) == ("three-steps", 1)
    play(game, state, "fulfil order 0", "fulfil order 0")
    assert player_of(game, state)["money"] == 4 + 7 + 11
    assert pieces(game, state) == {"fingers": 1}


def test_a_stage_pays_at_once_and_a_completed_order_is_set_aside(deck: Path) -> None:
    """FUL-3: the published pair pays 14 together."""
    room = {"caramel": 1, "nuts": 1, "fingers": 3}
    game, state = fulfilling(deck, [("small-pair", 0), ("two-steps", 1), None], store_room=room).build()
    play(game, state, "fulfil order 0")
    player = player_of(game, state)
    assert player["money"] == 7
    assert player["orders"][0] is None
    assert player["pile"] == ["small-pair"]
    assert player["to_replace"] == 1
    play(game, state, "fulfil order 1")
    assert player_of(game, state)["money"] == 14
    assert player_of(game, state)["completed"] == {"small": 1, "medium": 1, "large": 0}
    assert game.to_dict(state)["offer"] == {"small": None, "medium": None, "large": None}  # not before Cleanup


def test_a_track_has_nine_spaces_and_more_is_lost() -> None:
    """FUL-5"""
    position = (
        Position()
        .phase("fulfil")
        .player(
            0, employee="clerk", store_room={"chunks": 4}, tracks={"fresh_fancies": 7}, arrivals={"fresh_fancies": 1}
        )
    )
    game, state = position.build()
    play(game, state, "supply fresh_fancies", "take chunks", "take chunks", "take chunks")
    assert player_of(game, state)["track"]["fresh_fancies"] == 9
    assert pieces(game, state) == {}
