"""What the log says of a step besides the move: markets, payments, events; and that it accounts for all money."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from long_runs import amount
from schoko_games import Position, encode, load, play
from schoko_games import moves as random_moves

from chocofactory_env.games.schoko.constants import GONE, NONE
from chocofactory_env.games.schoko.display.news import news_of
from chocofactory_env.play.told import Step, steps_of
from chocofactory_env.view.views import scene_of

GAMES = amount("CF_SCHOKO_NEWS", 4, 200)


def news(game: Any, state: np.ndarray, said: str) -> list[str]:
    """The news of a step, which is played."""
    before, action = game.clone(state), encode(game, said)
    game.apply(state, action)
    return [line.words for step in steps_of(game, before, action, state) for line in step.news]


def in_turn(game: Any, state: np.ndarray, *said: str) -> list[str]:
    return [line for each in said for line in news(game, state, each)]


def test_staff_5_all_salaries_and_severance_are_told_in_one_line() -> None:
    firms = Position(2).player(0, cash=100).player(1, cash=100, staff=(3, 2, 0, 0))
    game, state = firms.ask("staff", 0).build()
    play(game, state, "staff 2", "staff 1", "staff 0", "staff 0")
    assert in_turn(game, state, "staff 1", "staff 2", "staff 0") == []
    assert news(game, state, "staff 0") == ["Salaries: Player 0 pays 24, Player 1 pays 30 and 6 in severance"]


def test_cocoa_5_and_cocoa_6_a_market_is_told_with_all_bids() -> None:
    firms = Position(4, leader=2)
    for seat in range(4):
        firms.player(seat, announced=10)
    game, state = firms.ask("bid_bars", 2).build()
    assert in_turn(game, state, "bars 4", "price 5", "bars 5", "price 4", "bars 4", "price 5", "bars 3") == []
    first, second = "Player 1 buys 3 bars at 6, Player 2 buys 4 bars at 5", "Player 0 buys 1 of 4 bars at 5"
    assert news(game, state, "price 6") == [f"New York: {first}, {second}, Player 3 gets nothing at 4"]
    assert in_turn(game, state, *["bars 0"] * 4) == ["London: nobody buys cocoa"]


def end_of_sale(event: str, month: int = 4, players: int = 2) -> Position:
    """The last seat is asked for bars for the bank, the last decision before OFFICE."""
    firms = Position(players, month=month).event(event).player(players - 1, chocolate=1)
    return firms.ask("bank_sale", players - 1)


def test_ev_3_who_pays_for_a_shock_is_told() -> None:
    game, state = end_of_sale("store_shock").player(0, chocolate=2).build()
    assert news(game, state.copy(), "bars 0") == ["Event: Shock in the Store; Player 0 pays 10, Player 1 pays 5"]
    assert news(game, state, "bars 1") == ["Event: Shock in the Store; Player 0 pays 10"]


def test_ev_4_and_office_3_who_is_paid_is_told_apart() -> None:
    contracts = [("hotel-group", 47), ("tea-room", 34), ("cinema-chain", 50)]
    game, state = end_of_sale("wage_subsidy").player(0, staff=(0, 0, 2, 1), contracts=contracts, gained=1).build()
    assert news(game, state, "bars 0") == [
        "Contracts paid out: Player 0 gets 81",
        "Event: Wage Subsidy; Player 0 gets 50",
    ]


def test_ev_0_and_ev_8_an_event_without_payments_is_told_by_its_effect() -> None:
    stuck = "Event: The Cocoa Is Stuck; "
    assert news(*end_of_sale("no_cocoa").build(), "bars 0") == [f"{stuck}no cocoa next month"]
    assert news(*end_of_sale("no_cocoa", month=8).build(), "bars 0") == [f"{stuck}no effect in the last month"]


@pytest.mark.parametrize(
    ("upset", "struck"),
    [("bookkeepers", "contracts at the bookkeepers are struck"), ("all", "all contracts are struck")],
)
def test_ev_1_an_upset_is_told_by_the_option(upset: str, struck: str) -> None:
    game, state = Position(2, month=4, upset=upset).event("stomach_upset").ask("money", 0).build()
    assert f"{struck} with their money" in game.render(state)
    assert any(
        f"{struck} with their money" in thing.name for panel in scene_of(game, state).panels for thing in panel.things
    )
    game, state = (
        Position(2, month=4, upset=upset).event("stomach_upset").player(1, chocolate=1).ask("bank_sale", 1).build()
    )
    assert news(game, state, "bars 0") == [f"Event: Stomach Upset; {struck} with their money"]


@pytest.mark.parametrize(
    ("player", "told"),
    [
        ({"cash": 12, "shares": 1}, ["sells 1 share for 27", "Event: Shock in the Store; Player 0 pays 35"]),
        ({"cash": 12}, ["takes a loan of 50", "Event: Shock in the Store; Player 0 pays 35", "Player 0 pays 10"]),
        ({"cash": 12, "loans": 1, "loan_this_month": 1}, ["cannot pay and is bankrupt"]),
        ({"cash": 40, "loans": 1}, ["takes a loan of 50", "Event: Shock in the Store; Player 0 pays 35", "pays 10"]),
    ],
)  # fmt: skip
def test_pay_2_and_pay_3_what_a_payment_above_the_cash_brings_is_told(player: dict[str, Any], told: list[str]) -> None:
    """In the last case the cash covers the shock, and the loan is taken for the interest, which it does not raise."""
    found = news(*end_of_sale("store_shock", players=3).player(0, chocolate=7, **player).build(), "bars 1")
    assert all(any(words in line for line in found) for words in told), found


def test_xp_gifts_what_all_get_is_told() -> None:
    game, state = Position(3).player(0, hand=["gifts"]).player(2, cash=50).ask("card_a", 0).build()
    assert in_turn(game, state, "play gifts", "target 1") == [
        "A Gift to Everybody: Player 0 gets 5, Player 1 pays 10, Player 2 gets 5"
    ]


def test_sale_7_a_contract_that_all_refuse_is_told() -> None:
    firms = Position(2).player(0, chocolate=4, marker=1).player(1, chocolate=0)
    game, state = firms.meeting("tea-room", 52, left=1, present=[0]).ask("offer", 0).build()
    assert news(game, state, "pass")[0] == "Nobody takes Tea Room"


def test_mon_2_a_new_month_is_told_with_its_leader() -> None:
    game, state = Position(2, month=3).ask("money", 1).build()
    assert news(game, state, "pass") == ["Month 4 of 8 begins; Player 1 leads"]


def steps(players: int, seed: int) -> Iterator[tuple[Any, Step, np.ndarray]]:
    """Every step of a random game, with the position that follows its action."""
    game = load(num_players=players)
    for state, mask, action in random_moves(game, seed, wild=0.3):
        if not mask.any():
            return
        before, after = game.clone(state), game.clone(state)
        game.apply(after, action)
        for step in steps_of(game, before, action, after):
            yield game, step, after


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4])
def test_news_account_for_all_money_but_what_the_move_itself_earns(players: int) -> None:
    for seed in range(GAMES):
        for game, step, after in steps(players, seed):
            others = [each for seat, each in enumerate(step.gains) if seat != step.move.seat]
            assert not any(others) or game.is_over(after), step
            verb = game.decode(step.move.action)[0]
            earns = verb in ("look", "bars", "take_loan", "repay", "sell_shares", "buy_shares")
            assert earns or not step.gains[step.move.seat] or game.is_over(after), step


def test_see_2_news_read_nothing_hidden() -> None:
    """Hands, face-down cards and later events change no news, if they are the same before and after the step."""
    told = 0
    for game, step, _ in steps(3, seed=5):
        before = step.move.state.copy()
        before["play_forced"] = 0  # so that the step is not followed by others
        after = before.copy()
        game.apply(after, step.move.action)
        expected = list(news_of(game, before, step.move.action, after))
        told += len(expected)
        for one in (before[0], after[0]):
            one["express"], one["events"], one["rng"] = GONE, NONE, 0
            one["contracts"][: after["contracts_left"][0]] = NONE
        assert list(news_of(game, before, step.move.action, after)) == expected
    assert told > 20
