"""Positions that need not have come from play: what is accepted, and bounds that hold to the end of the game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chocofactory_decks import order
from chocofactory_games import KINDS, MASTER_CHOCOLATIER, VARIANTS, Position, choose, load, player_of, variant_name
from damaged_decks import write
from mutations import refusal

from chocofactory_env.core.errors import StateError
from chocofactory_env.core.jit import COMPILED
from chocofactory_env.games.chocofactory.positions.check_bounds import (
    MADE_UP_MONEY,
    MADE_UP_PIECES,
    MOST,
    brought_by,
    grown,
)
from chocofactory_env.games.chocofactory.positions.check_under_way import MUCH_COAL

EVERY = pytest.mark.parametrize("options", VARIANTS, ids=variant_name)


def comes_back(game: Any, state: np.ndarray) -> None:
    described = game.to_dict(state)
    again = game.from_dict(described)
    assert game.to_dict(again) == described
    assert game.legal_mask(again).tobytes() == game.legal_mask(state).tobytes()


def test_an_agent_has_not_supplied_before_his_turn() -> None:
    """EMP-14: his use is counted off with the delivery, which ends the turn."""
    position = Position(num_players=2).phase("fulfil").player(1, employee="department-store-agent", uses_left=0)
    with pytest.raises(StateError, match=r"players\[1\].uses_left: expected 1 until this player's turn"):
        position.build()


def test_orders_that_were_not_replaced_are_replaced_on_the_next_day() -> None:
    """CLEAN-4: an empty place may stay, and play from such a position leads to positions again."""
    position = Position(num_players=2).phase("cleanup", current=1, day=2)
    held = position.data["players"][0]["orders"]
    held[0] = None
    game, state = position.player(0, to_replace=1).build()
    rng = np.random.default_rng(1)
    while int(state["day"][0]) < 3:
        game.apply(state, choose(game, game.legal_mask(state), rng))
        comes_back(game, state)
    assert player_of(game, state)["orders"][0] is not None


# --- bounds


@EVERY
def test_a_position_at_the_bound_of_coal_stays_within_it(options: dict[str, Any]) -> None:
    """What play adds was still to come, so that the bound holds to the end of the game."""
    game = load(**options)
    state = game.new(5)
    rng = np.random.default_rng(5)
    for _ in range(30):
        game.apply(state, choose(game, game.legal_mask(state), rng))
    data = game.to_dict(state)
    seat = data["current_player"]
    pieces = sum(sum(place.values()) for place in (data["players"][seat]["store_room"], *data["players"][seat]["belt"]))
    data["players"][seat]["coal"] = MOST
    message = refusal(game, data)
    most = int(message.partition("at most ")[2].split()[0])
    data["players"][seat]["coal"] = most + 1 - pieces
    assert refusal(game, data).startswith(f"state.players[{seat}]: expected at most {most} coal")
    data["players"][seat]["coal"] = most - pieces
    state = game.from_dict(data)
    decisions = 0
    while not game.is_over(state) and (COMPILED or decisions < 20):
        if decisions % 40 == 0:
            comes_back(game, state)
        game.apply(state, choose(game, game.legal_mask(state), rng))
        decisions += 1


def test_no_more_completed_orders_of_a_size_than_observations_show(tmp_path: Path) -> None:
    """A deck of our own may hold 30 of a size; play completes three a day."""
    numbers = {"small": 30, "medium": 12, "large": 12}
    stages = [({"chunks": 1}, 3), ({"nuts": 1}, 4), ({"boxed": 1}, 5)]
    orders = [order(f"{size}-{n}", *stages[: 1 + at]) for at, size in enumerate(numbers) for n in range(numbers[size])]
    deck = write(tmp_path / "deck.toml", {"orders": orders})
    for day, most in ((6, 17), (5, 14)):
        for number in (most, most + 1):
            position = Position(num_players=2, deck=str(deck)).phase("fulfil", day=day)
            small = position.data["decks"]["orders"]["small"][:number]
            position.data["players"][0]["completed"] = sorted(small, key=position.game.cards.orders.index)
            position.data["players"][0]["completed_by_size"]["small"] = number
            if number == most:
                game, state = position.build()
                comes_back(game, state)
            else:
                with pytest.raises(StateError, match=rf"completed_by_size.small: expected at most {most} by now"):
                    position.build()


def test_sixteen_bits_hold_what_the_largest_deck_can_bring() -> None:
    """deck_schema: from the start of the game to its end, with a Packer every day."""
    from chocofactory_env.games.chocofactory import constants, deck_schema, part_functions
    from chocofactory_env.games.chocofactory.constants import Effect
    from chocofactory_env.games.chocofactory.rules.run import LOAD, SHIFTS

    shifts = SHIFTS + deck_schema.AMOUNTS[Effect.MORE_SHIFTS][1]
    beans = LOAD + deck_schema.AMOUNTS[Effect.MORE_BEANS][1]
    made = max(constants.MAX_MAKES, part_functions.MAX_COPIES)
    making = shifts * (beans + 8 * made)
    days = [constants.MOST_COAL + making, *[making] * 5]  # coal and gifts on the first day, to be doubled most
    assert grown(days, doublings=6) + MADE_UP_PIECES + MUCH_COAL <= MOST
    for options in ({}, {"expansion": MASTER_CHOCOLATIER}):
        brought = brought_by(load(num_players=2, **options).cards)
        assert sum(brought.days) <= sum(days)
    stages = deck_schema.ORDERS * constants.MAX_STAGES * (deck_schema.MAX_ORDER_PAY + deck_schema.MAX_AMOUNT)
    prizes = deck_schema.MAX_PRIZE * (constants.NUM_STORES + 2)
    shipped = grown(brought.days, sum(brought.packers.values())) + MADE_UP_PIECES
    assert MADE_UP_MONEY + stages + prizes + shipped <= MOST


def test_what_brings_most_is_doubled_last() -> None:
    assert grown([1, 1, 1], 0) == 3
    assert grown([1, 1, 1], 1) == 6
    assert grown([1, 1, 1], 2) == 10
    assert grown([1, 1, 1], 9) == 14


def test_made_up_pieces_money_and_markers_are_accepted() -> None:
    """A position need not have come from play."""
    game = load(num_players=2)
    data = game.to_dict(game.new(1))
    player = data["players"][0]
    player.update(coal=100, money=300)
    player["store_room"] = dict.fromkeys(KINDS, 5)
    player["tracks"]["fresh_fancies"], player["arrivals"]["fresh_fancies"], data["marker_moves"] = 9, 70, 99
    assert game.to_dict(game.from_dict(json.loads(json.dumps(data)))) == data
