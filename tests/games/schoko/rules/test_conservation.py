"""Where money, bars, contracts, cards and pieces come from and go to, in random games of the engine, step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from firms import load
from hypothesis import given, settings
from hypothesis import strategies as st
from long_runs import amount
from schoko_games import moves

from chocofactory_env.core.jit import COMPILED

from .ledger import Step, chocolate, cocoa, cocoa_used, money, wages
from .oracle_cards import EXPRESS, LENGTHS, Json
from .oracle_checks import check_position, check_step
from .oracle_view import view_of

EFFECTS = {card["effect"].replace("_", "-"): card["effect"] for card in EXPRESS}  # by the ids of the shipped deck
SEEDS = st.integers(0, 2**63 - 1)
GAMES = amount("CF_CHECKED_GAMES", 5, 50) if COMPILED else 2
SOME = settings(max_examples=GAMES, deadline=None, derandomize=True)  # a game is told by its seed
VARIANTS = [(players, upset) for players in LENGTHS for upset in ("bookkeepers", "all")]
EVERY = pytest.mark.parametrize(("num_players", "upset"), VARIANTS)
WILD = 0.1


def steps(num_players: int, upset: str, seed: int) -> Iterator[Step]:
    """Of a game in which all are asked, so that a step is one answer and what follows from it."""
    months = LENGTHS[num_players][seed % len(LENGTHS[num_players])]
    game = load(num_players=num_players, upset=upset, months=months, play_forced=False)
    before: Json | None = None
    answer = ("", 0)
    for state, _, action in moves(game, seed, WILD):
        after = view_of(game.to_dict(state), months, EFFECTS)
        if before is not None:
            yield Step(before, answer, after)
        before = after
        if action >= 0:
            answer = game.decode(action)


@EVERY
@pytest.mark.long
@SOME
@given(seed=SEEDS)
def test_each_position_and_each_step_is_one_of_the_rules(num_players: int, upset: str, seed: int) -> None:
    """Invariants 1 to 9 and 11"""
    for step in steps(num_players, upset, seed):
        check_position(step.after)
        check_step(step.before, step.after, step.answer)
        check_losses(step)
        for seat in set(range(num_players)) - set(step.after["bankrupts"]):
            check_stores(step, seat)
            if not (step.lost and (step.struck("gifts") is not None or step.after["seat"] is None)):
                check_money(step, seat)  # PAY-3: else as far as the cash goes; PAY-4: nobody pays any more


@pytest.mark.parametrize("seed", range(3))
def test_the_account_of_a_game_says_what_staff_and_cocoa_cost(seed: int) -> None:
    game = load(num_players=3, upset="all", months=LENGTHS[3][seed % len(LENGTHS[3])], play_forced=False)
    *begun, (end, _) = [(game.clone(state), action) for state, _, action in moves(game, seed, WILD)]
    account, checked = game.accounts(begun, end), list(steps(3, "all", seed))
    for seat in {0, 1, 2} - set(checked[-1].after["bankrupts"]):
        assert account["staff"][seat] == sum(wages(step, seat) for step in checked)
        assert account["cocoa"][seat] == sum(cocoa(step, seat) for step in checked)


def check_money(step: Step, seat: int) -> None:
    """Invariant 2: LOOK-1, STAFF-5, COCOA-5, SALE-12, OFFICE-3, EV-3, EV-4, LOAN-1, LOAN-2, SHARE-1, XP-LEVY"""
    received = step.now(seat)["cash"] - step.then(seat)["cash"]
    assert received in money(step, seat), (seat, step.answer, step.before["step"], step.event)


def check_stores(step: Step, seat: int) -> None:
    """Invariant 3: COCOA-5, MAKE-2, SALE-9, SALE-12, EV-2, XP-THIRD, XP-SHARE, XP-HAND"""
    then, now = step.then(seat), step.now(seat)
    assert now["chocolate"] - then["chocolate"] in chocolate(step, seat), (seat, step.answer, step.event)
    if step.before["step"] not in ("bid_bars", "bid_price"):
        assert now["cocoa"] == then["cocoa"] - cocoa_used(step, seat)


def check_losses(step: Step) -> None:
    """PAY-3: all goes back, and nobody gains by it but for gifts that were due."""
    for seat in step.lost:
        left = step.now(seat)
        assert not any(left[name] for name in ("cash", "loans", "shares", "cocoa", "chocolate", "hand"))
        assert not any((*left["staff"], *left["open"], *left["at_bookkeepers"]))
    payer = step.struck("gifts")
    if payer in step.lost:
        for seat in set(range(len(step.before["players"]))) - set(step.before["bankrupts"]) - {payer}:
            assert 0 <= step.now(seat)["cash"] - step.then(seat)["cash"] <= 5


@pytest.mark.skipif(not COMPILED, reason="uncompiled fewer games are checked")
def test_the_games_have_in_them_what_is_checked() -> None:
    found: Counter[str] = Counter()
    for num_players, upset in VARIANTS:
        for seed in range(3):
            for step in steps(num_players, upset, seed):
                found[step.answer[0]] += 1
                found[step.event or "no event"] += 1
                found["lost"] += len(step.lost)
                for effect in EFFECTS.values():
                    found[effect] += step.struck(effect) is not None
    wanted = {
        "look",
        "accept",
        "take_loan",
        "repay",
        "sell_shares",
        "buy_shares",
        "store_shock",
        "wage_subsidy",
        "lost",
    }
    wanted |= {"gifts", "levy", "bar_each", "third_to_bank", "protest"}
    assert wanted <= {what for what, number in found.items() if number}, found
