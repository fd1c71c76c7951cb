"""Where money, bars, contracts, cards and pieces come from and go to, in random games of the engine, step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from firms import load
from hypothesis import given, settings
from hypothesis import strategies as st
from schoko_games import moves

from chocofactory_env.core.jit import COMPILED

from .ledger import Step, chocolate, cocoa_used, money
from .oracle_cards import EXPRESS, LENGTHS, Json
from .oracle_checks import check_position, check_step
from .oracle_view import view_of

EFFECTS = {card["effect"].replace("_", "-"): card["effect"] for card in EXPRESS}  # by the ids of the shipped deck
SEEDS = st.integers(0, 2**63 - 1)
SOME = settings(max_examples=12 if COMPILED else 2, deadline=None, derandomize=True)  # a game is told by its seed
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
@SOME
@given(seed=SEEDS)
def test_what_holds_in_every_position_and_in_every_step(num_players: int, upset: str, seed: int) -> None:
    """Invariants 1, 3 to 9, 11"""
    for step in steps(num_players, upset, seed):
        check_position(step.after)
        check_step(step.before, step.after, step.answer)


@EVERY
@SOME
@given(seed=SEEDS)
def test_each_player_pays_and_receives_what_the_clauses_say(num_players: int, upset: str, seed: int) -> None:
    """Invariant 2: LOOK-1, STAFF-5, COCOA-5, SALE-12, OFFICE-3, EV-3, EV-4, LOAN-1, LOAN-2, SHARE-1, XP-LEVY"""
    for step in steps(num_players, upset, seed):
        if step.lost and (step.struck("gifts") is not None or step.after["seat"] is None):
            continue  # PAY-3: as far as the cash goes; PAY-4: nobody pays any more
        for seat in set(range(num_players)) - set(step.after["bankrupts"]):
            received = step.now(seat)["cash"] - step.then(seat)["cash"]
            assert received in money(step, seat), (seat, step.answer, step.before["step"], step.event)


@EVERY
@SOME
@given(seed=SEEDS)
def test_what_a_bankrupt_player_had_goes_to_the_bank(num_players: int, upset: str, seed: int) -> None:
    """Invariant 2, PAY-3: nobody gains by it, but for the gifts that were due."""
    for step in steps(num_players, upset, seed):
        for seat in step.lost:
            left = step.now(seat)
            assert not any(left[name] for name in ("cash", "loans", "shares", "cocoa", "chocolate", "hand"))
            assert not any((*left["staff"], *left["open"], *left["at_bookkeepers"]))
        if step.lost and step.struck("gifts") is not None:
            payer = step.struck("gifts")
            others = set(range(num_players)) - set(step.before["bankrupts"]) - {payer}
            given = [step.now(seat)["cash"] - step.then(seat)["cash"] for seat in others]
            assert all(0 <= gift <= 5 for gift in given)


@EVERY
@SOME
@given(seed=SEEDS)
def test_each_store_changes_as_the_clauses_say(num_players: int, upset: str, seed: int) -> None:
    """Invariant 3: COCOA-5, MAKE-2, SALE-9, SALE-12, EV-2, XP-THIRD, XP-SHARE, XP-HAND"""
    for step in steps(num_players, upset, seed):
        for seat in set(range(num_players)) - set(step.after["bankrupts"]):
            then, now = step.then(seat), step.now(seat)
            assert now["chocolate"] - then["chocolate"] in chocolate(step, seat), (seat, step.answer, step.event)
            if step.before["step"] not in ("bid_bars", "bid_price"):
                assert now["cocoa"] == then["cocoa"] - cocoa_used(step, seat)


def test_the_games_have_in_them_what_is_checked() -> None:
    found: Counter[str] = Counter()
    for num_players, upset in VARIANTS:
        for seed in range(10 if COMPILED else 3):
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
