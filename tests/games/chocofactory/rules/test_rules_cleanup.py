"""Cleanup."""

from __future__ import annotations

from typing import Any

import pytest
from chocofactory_games import STORES, Position, legal, order_decks, play, player_of


@pytest.mark.parametrize("day", [2, 6])
def test_department_store_agents_supply_first_in_turn_order_after_everyone_has_fulfilled(day: int) -> None:
    """CLEAN-1, EMP-14, END-1"""
    position = Position(num_players=3).phase("fulfil", day=day, current=2)
    for seat in (0, 2):
        position.player(seat, employee="department-store-agent", store_room={"chunks": 2, "boxed": 2})
    position.player(1, employee="clerk", store_room={"chunks": 1})
    game, state = position.build()
    play(game, state, "finish orders")
    assert (game.current_player(state), game.to_dict(state)["phase"]) == (0, "agents")
    supplies = {words for words in legal(game, state) if words.startswith("supply")}
    assert supplies == {"supply palace_boutique", "supply fresh_fancies", "supply house_of_luxury"}
    play(game, state, "supply fresh_fancies", "stop")
    assert player_of(game, state)["track"]["fresh_fancies"] == 1
    assert game.current_player(state) == 2  # one other store, then it is the next Agent's turn
    play(game, state, "finish orders")
    assert game.to_dict(state)["phase"] == ("cleanup" if day < 6 else "over")


@pytest.mark.parametrize(("players", "kept"), [(2, 2), (1, 6)])
def test_pieces_beyond_what_may_be_kept_are_traded_for_coal(players: int, kept: int) -> None:
    """CLEAN-2, SOLO-6"""
    position = Position(num_players=players).phase("cleanup").player(0, store_room={"bean": 4, "boxed": 5}, coal=0)
    game, state = position.build()
    for traded in range(9 - kept):
        assert legal(game, state) == {"trade bean", "trade boxed"}
        play(game, state, "trade boxed" if traded % 2 else "trade bean")
    assert player_of(game, state)["coal"] == 9 - kept
    assert "finish cleanup" in legal(game, state)


def replacing(number: int, **options: Any) -> Position:
    """Seat 0 in Cleanup with so many orders to replace; decks are as dealt."""
    position = Position(num_players=2, **options).phase("cleanup")
    position.data["players"][0]["orders"][:number] = [None] * number
    return position.player(0, to_replace=number)


def run_dry(position: Position, **left: int) -> None:
    """The decks are down to so many cards."""
    for size, number in left.items():
        position.data["order_decks"][size]["count"] = number


@pytest.mark.parametrize("size", ["small", "medium", "large"])
def test_a_completed_order_is_replaced_by_one_of_three_of_any_size(size: str) -> None:
    """CLEAN-3"""
    game, state = replacing(1).build()
    before = order_decks(game, state)
    play(game, state, "finish cleanup")
    tops = {name: deck[0] for name, deck in before.items()}
    assert game.to_dict(state)["offer"] == tops
    assert legal(game, state) == {"choose order small", "choose order medium", "choose order large"}
    play(game, state, f"choose order {size}")
    player = player_of(game, state)
    assert (player["orders"][0], player["stage"][0]) == (tops[size], 0)
    after = order_decks(game, state)
    for name, deck in before.items():
        assert after[name] == (deck[1:] if name == size else [*deck[1:], tops[name]])
    assert game.current_player(state) == 1


def test_with_all_decks_empty_there_is_no_replacement() -> None:
    """CLEAN-4"""
    position = replacing(2)
    run_dry(position, small=0, medium=0, large=0)
    game, state = position.build()
    play(game, state, "finish cleanup")
    assert game.current_player(state) == 1
    assert player_of(game, state)["orders"][:2] == [None, None]


def test_the_day_ends_with_employees_discarded_and_the_start_marker_passed_on() -> None:
    """CLEAN-5, DRAFT-5"""
    position = Position(num_players=3).phase("cleanup", current=2, day=2)
    for seat, (employee, store) in enumerate(
        [("clerk", "fresh_fancies"), ("packer", "dunstan_gilberts"), ("dealer", "house_of_luxury")]
    ):
        position.player(seat, employee=employee, supplied={name: name == store for name in STORES})
    game, state = position.build()
    play(game, state, "finish cleanup")
    table = game.to_dict(state)
    assert (table["day"], table["phase"], table["start_player"], table["current"]) == (3, "draft", 1, 1)
    assert all(player["employee"] is None and not any(player["supplied"].values()) for player in table["players"])
    assert all(table["display_employees"][store] for store in STORES)
