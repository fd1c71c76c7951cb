"""A position with one field that does not fit is refused with that field."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
from firms import Firms
from long_runs import amount
from mutations import refusal
from schoko_games import VARIANTS, steps, variant_name

from chocofactory_env.core.errors import StateError
from chocofactory_env.games.schoko.game import Schoko

EVERY = pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
GAMES = amount("CF_CHECKED_GAMES", 1, 10)


@EVERY
@pytest.mark.long
def test_nobody_ever_has_less_than_nothing(options: dict[str, Any]) -> None:
    """PAY-1, PAY-2, STAFF-8: a player whose shares and loan do not cover half the salaries is bankrupt."""
    for seed in range(GAMES + 1):
        for state, _ in steps(Schoko(**options), seed, wild=0.05):
            assert (state["players"]["cash"] >= 0).all(), f"seed {seed}"


@cache
def cached_position(task: str) -> tuple[Schoko, dict[str, Any]]:
    """The first position of this task after month 1; nobody is bankrupt."""
    game = Schoko(num_players=3, leader=0)
    for seed in range(50):
        for state, _ in steps(game, seed):
            data = game.to_dict(state)
            if data["task"] == task and data["month"] >= 2 and not any(p["bankrupt"] for p in data["players"]):
                return game, data
    raise AssertionError(f"no position of {task}")


FAULTS: list[tuple[str, Callable[[dict[str, Any]], Any], str]] = [
    ("look", lambda d: d.update(month=10), "state.month: expected a whole number from 1 to 9, got 10"),
    ("look", lambda d: d.update(task="over"), "state.current_player: expected a seat until the game is over"),
    ("look", lambda d: d.update(leader=0), "state.leader: expected 1, who leads in month 2"),
    ("look", lambda d: d["box"].update(loans=14), "state.box.loans: expected "),
    ("look", lambda d: d["players"][0].update(cash=-1), "state.players[0].cash: expected a whole number from 0"),
    ("look", lambda d: d["players"][0].update(cash=2**31 - 1), "state.players[0].cash: expected at most "),
    ("look", lambda d: d["players"][0].update(salaries=12), "state.players[0].salaries: expected 0 this month"),
    ("look", lambda d: d["players"][0].update(announced=3), "state.players[0].announced: expected 0 now"),
    ("look", lambda d: d["players"][0].update(marker=3), "state.players[0].marker: expected 0 to 0 now"),
    ("look", lambda d: d["players"][0].update(gained=1), "state.players: expected at most 0 contracts gained"),
    ("look", lambda d: d["players"][0]["absent"].update(worker=1), "state.players[0].absent: expected nobody"),
    ("look", lambda d: d["players"][0].update(bankrupt=1), "state.players[0]."),
    ("look", lambda d: d["players"][0].update(bankrupt=2), "state.players[0].bankrupt: expected 1, 2, 3"),
    ("look", lambda d: d["players"][0].update(struck_by="levy"), "state.players[0].struck_by: expected a card that"),
    ("look", lambda d: d["players"][0].update(has_played=True), "state.players[0].hand: expected at most 2 cards"),
    ("look", lambda d: d["express"]["unseen"].pop(), "state.express.gone: expected "),
    ("look", lambda d: d["events"].update(turned="protest"), "state.events.turned: expected null until"),
    ("look", lambda d: d["events"]["order"].__setitem__(13, d["events"]["order"][12]), "state.events.order[13]: "),
    ("look", lambda d: d["contracts"]["face_down"].append("airline"), "state.contracts.face_down["),
    ("look", lambda d: d["under_way"].update(card="levy"), "state.under_way.card: expected a card while"),
    ("look", lambda d: d["under_way"].update(money=["sold"]), "state.under_way.money: expected [] but in"),
    ("look", lambda d: d["meeting"].update(left=1), "state.meeting.left: expected 0 to 0 here"),
    (
        "look",
        lambda d: d["meeting"].update(contract=d["contracts"]["face_down"].pop()),
        "state.meeting.contract: expected a",
    ),
    ("look", lambda d: d["meeting"].update(price=1), "state.meeting.price: expected 0 to 0 here"),
    ("look", lambda d: d["meeting"].update(taker=1), "state.meeting.taker: expected a seat in window C"),
    ("look", lambda d: d["meeting"].update(present=[0]), "state.meeting.present: expected [] between meetings"),
    ("look", lambda d: d.update(market=[1, 0, 0, 0, 0]), "state.market: expected [0, 0, 0, 0, 0]"),
    ("staff", lambda d: d["players"][d["current_player"]].update(cash=0), "state."),
    ("bid_bars", lambda d: d["under_way"].update(city=6), "state.under_way.city: expected a whole number from 1 to 5"),
    ("bid_price", lambda d: d["players"][d["current_player"]].update(cocoa=16), "state.players["),
    ("offer", lambda d: d["meeting"].update(price=150), "state.meeting.price: expected "),
    ("offer", lambda d: d["meeting"].update(refused=[d["current_player"]]), "state.meeting.refused: expected "),
    ("offer", lambda d: d["meeting"].update(left=15), "state.meeting.left: expected 1 to "),
    ("card_c", lambda d: d["meeting"].update(taker=None), "state.meeting.taker: expected a seat in window C"),
    ("money", lambda d: d["events"].update(turned=None), "state.events.turned: expected "),
    ("money", lambda d: d["under_way"].update(money=["repaid", "took_loan"]), "state.under_way.money: expected no"),
]


@pytest.mark.parametrize(("task", "change", "message"), FAULTS)
def test_one_field_that_does_not_fit_is_named(task: str, change: Callable[[dict[str, Any]], Any], message: str) -> None:
    game, data = cached_position(task)
    data = deepcopy(data)
    change(data)
    assert refusal(game, data).startswith(message)


@pytest.mark.parametrize(("loans", "accepted"), [((1, 0), True), ((1, 1), False), ((0, 1), False)])
def test_who_lays_off_follows_from_all_loans(loans: tuple[int, int], accepted: bool) -> None:
    """LOAN-5, LOAN-6, PAY-2: emergency loans of this month included."""
    firms = Firms(2)
    for seat, staff in enumerate(((3, 2, 0, 0), (3, 0, 0, 0))):
        firms.player(seat, staff=staff, loans=loans[seat], loan_this_month=loans[seat])
    firms.ask("trim", 0)
    if accepted:
        firms.build()
    else:
        with pytest.raises(StateError, match="expected a seat that is asked in the task 'trim'"):
            firms.build()


def test_another_deck_variant_or_game_is_refused() -> None:
    game, data = cached_position("look")
    assert "state.options" in refusal(Schoko(num_players=3, leader=1), data)
    assert "state.game: expected 'schoko'" in refusal(game, {**data, "game": "chocofactory"})
    assert "state.deck" in refusal(game, {**data, "deck": "0" * 64})
    assert "state.schema" in refusal(game, {**data, "schema": 0})
