"""A position with one field that does not fit is refused with that field."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from games_played import MASTER_CHOCOLATIER, VARIANTS, choose, variant_name
from long_runs import AT_LENGTH, amount
from mutations import nested, refusal
from own_decks import order, tables
from positions import KINDS, Position, load, play, player_of

from agents.protocol import decide, make_agent
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

MUTANTS = amount("CF_MUTANTS", 60, 20_000) if COMPILED else 24
STRIDE = 1 if AT_LENGTH else 17  # of the positions of a game
EVERY = pytest.mark.parametrize("options", VARIANTS, ids=variant_name)


@pytest.mark.slow
@EVERY
@pytest.mark.long
def test_every_position_of_a_greedy_game_is_accepted(options: dict[str, Any]) -> None:
    game = load(**options)
    agent = make_agent("greedy", game)
    for seed in range(max(1, MUTANTS // 400)):
        state = game.new(seed)
        for step in count():
            if game.is_over(state):
                break
            if step % STRIDE == 0:
                comes_back(game, state)
            game.apply(state, decide(game, agent, state))
        comes_back(game, state)


def comes_back(game: Any, state: np.ndarray) -> None:
    described = game.to_dict(state)
    again = game.from_dict(described)
    assert game.to_dict(again) == described
    assert game.legal_mask(again).tobytes() == game.legal_mask(state).tobytes()


DRAFT: list[tuple[Callable[[dict[str, Any]], Any], str]] = [
    (lambda d: d.update(phase="cleanup", day=6), "state.decks.parts: expected a list of 0"),
    (
        lambda d: d["decks"]["mix"].__setitem__(3, ["palace_boutique"] * 5),
        "state.decks.mix[3]: expected every deck once",
    ),
    (
        lambda d: d["players"][1].update(part_drafted=True),
        "state.players[1].part_drafted: expected False, with 0 cards",
    ),
    (
        lambda d: d["players"][1].update(employee="miner"),
        "state.players[1].employee: expected null before the first turn",
    ),
    (lambda d: d.update(current_player=1), "state.current_player: expected 0, whose turn it is, got 1"),
    (lambda d: d.update(turn=1), "state.current_player: expected 1, whose turn it is, got 0"),
    (lambda d: d.update(turn=3), "state.players[0].part_drafted: expected True, with 1 cards"),
    (lambda d: d.update(start_player=1), "state.start_player: expected 0, who starts on day 1, got 1"),
    (lambda d: d.update(shift=9), "state.shift: expected 0 to 0 here, got 9"),
    (lambda d: d["display"].update(part_packets=[None] * 5), "state.display.part_packets[0]: expected 0, got None"),
    (lambda d: d["display"]["parts"].__setitem__(0, None), "state.display.parts: expected packet 0 whole or taken"),
    (lambda d: d["display"].update(parts=[None] * 5), "state.display.parts: expected 2 packets"),
    (lambda d: d["players"][1].update(coal=32_767), "state.players[1]: expected at most"),
    (lambda d: d["players"][1]["store_room"].update(nuts=32_767), "state.players[1]: expected at most"),
    (lambda d: d["players"][1]["belt"][3].update(nuts=32_767), "state.players[1]: expected at most"),
    (lambda d: d["players"][1].update(money=32_767), "state.players[1].money: expected at most 10000, got 32767"),
    (lambda d: d.update(marker_moves=32_767), "state.marker_moves: expected at most 32743, got 32767"),
    (
        lambda d: d["players"][1]["completed_by_size"].update(small=21),
        "state.players[1].completed_by_size.small: expected 0, as in `completed`, got 21",
    ),
    (lambda d: d["players"][0].update(to_replace=1), "state.players[0].to_replace: expected at most 0"),
    (
        lambda d: d["players"][0]["tracks"].update(fresh_fancies=1),
        "state.players[0].arrivals.fresh_fancies: expected above 0",
    ),
    (lambda d: d["players"][0].update(assigned=1), "state.players[0].assigned: expected null, got 1"),
    (lambda d: d["players"][0].update(operated=[1]), "state.players[0].operated: expected [] in the draft"),
    (lambda d: d["players"][0].update(supplied=["fresh_fancies"]), "state.players[0].supplied: expected [] before"),
    (lambda d: d["players"][0].update(uses_left=1), "state.players[0].uses_left: expected 0 to 0"),
    (
        lambda d: d["players"][0]["factory"].__setitem__(4, "chute"),
        "state.players[0].factory[4]: expected a printed part on its own slot alone, got 'chute'",
    ),
    (
        lambda d: d["players"][0]["factory"].__setitem__(4, d["decks"]["parts"][7]),
        "state.players[0].factory[4]: expected a part that is nowhere else",
    ),
    (lambda d: d["decks"]["parts"].reverse(), "state.decks.parts[0]: expected a part of deck A"),
    (lambda d: d["display"]["parts"].__setitem__(0, "roaster"), "state.display.parts[0]: expected a part of deck A"),
    (
        lambda d: d["decks"]["employees"].update(fresh_fancies=["clerk"] * 6),
        "state.decks.employees.fresh_fancies[2]: expected an employee of whom there is another card, got 'clerk'",
    ),
    (
        lambda d: d["decks"]["employees"].update(fresh_fancies=["miner"] * 6),
        "state.decks.employees.fresh_fancies[0]: expected an employee of the deck fresh_fancies, got 'miner'",
    ),
    (lambda d: d["decks"]["orders"]["small"].pop(), "state.decks.orders.small: expected"),
    (
        lambda d: d["decks"]["orders"]["small"].append(d["decks"]["orders"]["small"][0]),
        "state.decks.orders.small[16]: expected an order that is nowhere else",
    ),
    (
        lambda d: d["decks"]["orders"]["large"].append(d["decks"]["orders"]["small"].pop()),
        "state.decks.orders.large[16]: expected a large order",
    ),
    (
        lambda d: d["offer"].update(small=d["decks"]["orders"]["small"].pop()),
        "state.offer.small: expected null while nobody chooses an order",
    ),
    (
        lambda d: d["sides"].update(fresh_fancies="B"),
        "state.sides.fresh_fancies: expected 'A', as in the options, got 'B'",
    ),
    (lambda d: d["options"].update(num_players=2.0), "state.options.num_players: expected 2, got 2.0"),
    # numbers that Python does not print, and lists that it does not follow
    (lambda d: d["players"][0].update(coal=10**5000), "state.players[0].coal: expected a whole number"),
    (lambda d: d.update(seed=10**5000), "state.seed: expected a whole number"),
    (lambda d: d.update(seed=nested(5000)), "state.seed: expected a whole number"),
    (lambda d: d["options"].update(sides=nested(100_000)), "state.options.sides: expected 'A', got"),
    (lambda d: d.update({"y" * 5000: 1}), "state: expected no unknown key, got 'yyy"),
    (lambda d: d["players"].append(nested(5000)), "state.players: expected a list of 2"),
    (lambda d: d.update(under_way="z" * 5000), "state.under_way: expected a table with 'task', got 'zzz"),
]


@pytest.mark.parametrize(("change", "message"), DRAFT, ids=[message for _, message in DRAFT])
def test_a_field_that_does_not_fit_is_named(change: Callable[[dict[str, Any]], Any], message: str) -> None:
    game = load(num_players=2, start_player=0)
    data = game.to_dict(game.new(1))
    change(data)
    assert refusal(game, data).startswith(message)


UNDER_WAY: list[tuple[Callable[[dict[str, Any]], Any], str]] = [
    (lambda d: d["under_way"].update(left=300), "state.under_way.left: expected a whole number from 0 to 127, got 300"),
    (lambda d: d["under_way"].update(left=127), "state.under_way.left: expected 1, got 127"),
    (lambda d: d["under_way"].update(left=10**5000), "state.under_way.left: expected a whole number"),
    (lambda d: d["under_way"]["open"].update(nuts=9), "state.under_way.open.nuts: expected 0, got 9"),
    (lambda d: d["under_way"].update(slot=4), "state.under_way.slot: expected a legal step of the move, got 4"),
    (lambda d: d["under_way"].update(tile=1), "state.under_way.tile: expected 0, got 1"),
    (lambda d: d["under_way"].update(last_take="nuts"), "state.under_way.last_take: expected"),
    (lambda d: d["under_way"].update(points=3), "state.under_way.points: expected 0, got 3"),
    (lambda d: d["under_way"]["given"].update(nuts=1), "state.under_way.given: expected"),
    (lambda d: d["players"][0].update(operated=[]), "state.players[0].operated: expected [0], got []"),
    (lambda d: d["players"][0]["belt"][0].update(bean=0), "state.under_way.slot: expected a legal step of the move"),
    (lambda d: d.update(phase="fulfil", shift=0), "state.under_way.slot: expected a legal step of the move, got 0"),
]


@pytest.mark.parametrize(("change", "message"), UNDER_WAY, ids=[message for _, message in UNDER_WAY])
def test_a_move_that_the_rules_do_not_lead_to_is_refused(change: Callable[[dict[str, Any]], Any], message: str) -> None:
    position = Position(play_forced=False).phase("run").player(0, coal=3, belt={0: {"bean": 2}})
    game, state = position.build()
    play(game, state, "operate slot 0")
    data = game.to_dict(state)
    assert data["under_way"]["task"] == "convert_take"
    change(data)
    assert refusal(game, data).startswith(message)


def test_a_position_that_is_no_table_is_refused() -> None:
    game = load(num_players=2)
    for value in (None, [], "state", 3, nested(5000)):
        assert refusal(game, value).startswith("state: expected a table with 'game'")


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
    deck = tmp_path / "deck.toml"
    deck.write_text(tables("orders", orders), encoding="utf-8")
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
    days = [
        constants.MOST_COAL + making,
        *[making] * 5,
    ]  # a deck's coal and gifts on the first day, to be doubled most
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
