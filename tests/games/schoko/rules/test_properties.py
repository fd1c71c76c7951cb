"""What holds in every position of every game, and from each position to the next.

`CF_GAMES` says how many random games of each number of players and each `upset` are played (default 150).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from firms import load
from long_runs import amount
from schoko_games import VARIANTS, moves, steps, variant_name

from chocofactory_env.core.jit import COMPILED
from chocofactory_env.games.schoko.constants import NONE, NUM_EVENTS, Express, Task

from .oracle_cards import EXPRESS
from .oracle_checks import check_position
from .oracle_view import view_of

EVERY = pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
GAMES = amount("CF_CHECKED_GAMES", 3, 30) if COMPILED else 1
MEETINGS = (Task.ATTEND, Task.OFFER, Task.RAISE, Task.CARD_C)


def pairs(game: Any, seed: int) -> Iterator[tuple[np.void, np.void]]:
    """Every position but the first, and that before it."""
    before = None
    for state, _ in steps(game, seed, wild=0.05):
        now = state.copy()[0]
        if before is not None:
            yield before, now
        before = now


def seats(game: Any, row: np.void) -> np.ndarray:
    found: np.ndarray = row["players"][: game.num_players]
    return found


@EVERY
@pytest.mark.long
def test_pay_1_set_8_and_set_9_nothing_is_negative_and_nothing_is_lost(options: dict[str, Any]) -> None:
    """PAY-1, SET-8, SET-9, STAFF-4"""
    game = load(**options)
    cards = game.cards.record
    for seed in range(GAMES):
        for _, row in pairs(game, seed):
            players = seats(game, row)
            assert (players["cash"] >= 0).all()
            for store in ("cocoa", "chocolate"):
                assert ((players[store] >= 0) & (players[store] <= 16)).all()
            there = [*players["staff"].sum(axis=0), players["loans"].sum(), players["shares"].sum()] + row["box"]
            assert there.tolist() == [*cards.staff, cards.loans, cards.shares]
            assert (row["box"] >= 0).all()


@EVERY
@pytest.mark.long
def test_cash_changes_only_by_what_the_rules_pay(options: dict[str, Any]) -> None:
    """LOOK-1, STAFF-5, COCOA-5, LOAN-1, SHARE-1: a decision that ends no phase costs what it says."""
    game = load(**options)
    cards = game.cards.record
    for seed in range(GAMES):
        for before, row in pairs(game, seed):
            if before["task"] != row["task"] or before["month"] != row["month"]:
                continue
            change = int(seats(game, row)["cash"].sum()) - int(seats(game, before)["cash"].sum())
            if row["task"] == Task.LOOK:
                looks = seats(game, row)["looked"].sum() - seats(game, before)["looked"].sum()
                assert change == -cards.look * looks
            elif row["task"] == Task.MONEY:
                shares = int(row["box"][5]) - int(before["box"][5])
                loans = int(before["box"][4]) - int(row["box"][4])
                assert change == shares * cards.share_price[row["month"]] + loans * cards.loan
            elif row["task"] in (Task.ANNOUNCE, Task.MAKE, Task.ATTEND, Task.OFFER, Task.RAISE, Task.CARD_B):
                assert change == 0


@EVERY
@pytest.mark.long
def test_cocoa_is_bought_and_becomes_chocolate_one_for_one(options: dict[str, Any]) -> None:
    """COCOA-2, COCOA-5, MAKE-1: a city sells what it offers at most, and the five differ by one bar at most."""
    game = load(**options)
    for seed in range(GAMES):
        for before, row in pairs(game, seed):
            cocoa = seats(game, row)["cocoa"].astype(int) - seats(game, before)["cocoa"]
            chocolate = seats(game, row)["chocolate"].astype(int) - seats(game, before)["chocolate"]
            if before["task"] == row["task"] == Task.MAKE:
                assert (cocoa + chocolate == 0).all()
                assert (chocolate >= 0).all()
            if before["task"] in (Task.BID_BARS, Task.BID_PRICE) and row["task"] in (Task.BID_BARS, Task.BID_PRICE):
                assert 0 <= cocoa.sum() <= before["market"].sum() - row["market"].sum()
            if before["task"] == Task.ANNOUNCE and row["task"] == Task.BID_BARS:
                announced = int(seats(game, row)["announced"].sum())
                assert row["market"].sum() <= announced
                assert row["market"][row["market"] > 0].max() <= -(-announced // 5)


@EVERY
@pytest.mark.long
def test_every_card_is_in_one_place(options: dict[str, Any]) -> None:
    """SET-3, SET-4, XP-1, XP-3, XP-5, SALE-9"""
    game = load(**options)
    cards = game.cards.array[0]["contracts"]
    for seed in range(GAMES):
        for before, row in pairs(game, seed):
            players = seats(game, row)
            held = players["contracts"][players["contracts"] != NONE].tolist()
            down = row["contracts"][: row["contracts_left"]].tolist()
            known = [*held, *down, *([int(row["offer"])] if row["offer"] != NONE else [])]
            assert len(set(known)) == len(known)
            prices = players["prices"][players["contracts"] != NONE]
            lowest, highest = cards["lowest"][held], cards["highest"][held]
            assert ((lowest <= prices) & (prices <= highest) | (prices == highest // 2)).all()
            if row["month"] == 0 and not players["out"].any():
                assert not players["has_played"].any()
            if row["month"] == before["month"]:
                assert players["has_played"].sum() == (players["struck_by"] != NONE).sum()
            for first in (0, NUM_EVENTS):
                assert sorted(row["events"][first : first + NUM_EVENTS]) == list(range(NUM_EVENTS))


@EVERY
@pytest.mark.long
def test_rows_are_paid_out_first_in_first_out(options: dict[str, Any]) -> None:
    """OFFICE-1, OFFICE-3, SALE-9: a row only loses its first contracts, and gains at the end but for XP-HAND."""
    game = load(**options)
    for seed in range(GAMES):
        for before, row in pairs(game, seed):
            for old, new in zip(seats(game, before), seats(game, row), strict=True):
                left = new["contracts"][: new["num_contracts"]].tolist()
                there = old["contracts"][: old["num_contracts"]].tolist()
                kept = [contract for contract in left if contract in there]
                assert left[: len(kept)] == kept
                given = before["express"][Express.HAND_OVER] != row["express"][Express.HAND_OVER]
                assert kept == there[len(there) - len(kept) :] or (given and kept == there[:-1])


@EVERY
@pytest.mark.long
def test_loan_5_nobody_with_a_loan_is_alone_the_largest(options: dict[str, Any]) -> None:
    """LOAN-5, LOAN-6, STAFF-2"""
    game = load(**options)
    for seed in range(GAMES):
        for before, row in pairs(game, seed):
            players = seats(game, row)
            grown = players["staff"].astype(int) - players["staff_before"]
            assert (grown <= 2).all()
            if before["task"] not in (Task.STAFF, Task.TRIM) or row["task"] not in (Task.CARD_A, Task.ANNOUNCE):
                continue
            loans = players["loans"]
            forces = np.sort(players["staff"].sum(axis=1))
            largest = int(players["staff"].sum(axis=1).argmax())
            if forces[-1] > forces[-2] and not (loans[players["out"] == 0] > 0).all():
                assert loans[largest] == 0


@EVERY
@pytest.mark.long
def test_the_seat_to_move_has_a_choice(options: dict[str, Any]) -> None:
    """MON-1, PAY-3: it is not bankrupt, and with `play_forced` has two answers at least."""
    game = load(**options)
    least = 2 if game.options["play_forced"] else 1
    for seed in range(GAMES):
        for state, mask in steps(game, seed, wild=0.05):
            if not game.is_over(state):
                assert seats(game, state[0])["out"][game.current_player(state)] == 0
                assert mask.sum() >= least


@EVERY
@pytest.mark.long
def test_only_one_seat_is_between_two_steps(options: dict[str, Any]) -> None:
    """COCOA-4: bars without a price are those of the seat that is asked for it."""
    game = load(**options)
    for seed in range(GAMES):
        for _, row in pairs(game, seed):
            players = seats(game, row)
            open_bids = [
                seat
                for seat in range(game.num_players)
                if (players["bid_bars"] * (players["bid_price"] == 0))[seat].any()
            ]
            assert open_bids == ([int(row["current"])] if row["task"] == Task.BID_PRICE else [])
            assert (row["card"] != NONE) == (row["task"] in (Task.TARGET, Task.HOLIDAY))
            assert row["task"] in MEETINGS or row["present"] == 0


def rotated(data: dict[str, Any], places: int) -> dict[str, Any]:
    """The position with every seat so many places further on."""
    number = len(data["players"])

    def moved(seat: int) -> int:
        return (seat + places) % number

    meeting = data["meeting"]
    return {
        **data,
        "current_player": moved(data["current_player"]),
        "leader": moved(data["leader"]),
        "players": data["players"][-places:] + data["players"][:-places],
        "meeting": {
            **meeting,
            "present": sorted(map(moved, meeting["present"])),
            "refused": sorted(map(moved, meeting["refused"])),
            "taker": None if meeting["taker"] is None else moved(meeting["taker"]),
        },
    }


@pytest.mark.parametrize("num_players", [2, 3, 4] if COMPILED else [3])
@pytest.mark.long
def test_who_sits_where_makes_no_difference(num_players: int) -> None:
    """Rotating the seats rotates masks, observations, scores, payoffs, standings, places and winners."""
    game = load(num_players=num_players)
    for seed in range(GAMES):
        places = 1 + seed % (num_players - 1)
        other = None
        for number, (state, mask, action) in enumerate(moves(game, seed, wild=0.05)):
            if number % 40 == 0 and action >= 0:  # in the middle of a game, too
                other = game.from_dict(rotated(game.to_dict(state), places))
            assert other is not None
            assert np.array_equal(game.legal_mask(other), mask)
            for result in ("scores", "payoffs", "standings", "ranking", "won"):
                one, two = getattr(game, result)(state), getattr(game, result)(other)
                assert np.array_equal(np.roll(one, places), two), result
            seat = number % num_players
            seen = game.observe(state, seat).flat.tobytes()
            assert game.observe(other, (seat + places) % num_players).flat.tobytes() == seen
            if action >= 0:
                game.apply(other, action)


@pytest.mark.parametrize("upset", ["bookkeepers", "all"])
@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.long
def test_random_games_end_and_keep_what_always_holds(num_players: int, upset: str) -> None:
    """Invariants 1, 4 to 9 and 11 in some positions; no error, no empty mask, no stuck state in any."""
    count = amount("CF_GAMES", 60, 5_000) if COMPILED else 1
    game = load(num_players=num_players, upset=upset)
    effects = {card["effect"].replace("_", "-"): card["effect"] for card in EXPRESS}
    rng = np.random.default_rng(num_players)
    state, mask = game.new(num_players), np.empty(game.num_actions, np.int8)
    for number in range(count):
        if number:
            game.renew(state)
        game.write_mask(state, mask)
        for step in range(12_000):
            legal = np.flatnonzero(mask)
            assert len(legal), f"empty mask: seed {game.seed_of(state)}"
            if step % 97 == number % 97:
                check_position(view_of(game.to_dict(state), game.months, effects))
            if game.advance(state, int(legal[int(rng.random() * len(legal))]), mask) < 0:
                break
        assert game.is_over(state), f"stuck: seed {game.seed_of(state)}"
        check_position(view_of(game.to_dict(state), game.months, effects))
        assert not mask.any()
