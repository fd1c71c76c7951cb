"""What holds at every step of every game: conservation, non-interference, determinism, bounds."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from games_played import ENDS, VARIANTS, choose, steps, variant_name
from hidden_cards import scrambled
from hypothesis import given, settings
from hypothesis import strategies as st
from long_runs import amount
from positions import load

from chocofactory_env.core.jit import COMPILED
from chocofactory_env.games.chocofactory.constants import Effect, Kind, Phase, Task
from chocofactory_env.games.chocofactory.state import STATE

GAMES = amount("CF_CHECKED_GAMES", 3, 50) if COMPILED else 1
SEEDS = st.integers(0, 2**63 - 1)
SOME = settings(max_examples=GAMES, deadline=None, derandomize=True)  # a game is slow to shrink and told by its seed
EVERY = pytest.mark.parametrize(
    "options",
    VARIANTS,
    ids=variant_name,
)

# Verbs that may change a player's number of pieces, coal or money; every other verb must leave them alone. Composite
# moves are followed from the first step to the last, forced answers included.
MAKES_PIECES = {"operate", "tile", "option", "take", "make", "use_employee", "stop"}
COSTS_COAL = {"operate", "tile"}
PAYS_MONEY = {"fulfil", "take", "use_employee"}
GIVES_PIECES = {"fulfil", "deliver", "supply", "take", "stop", "use_employee"}


def total_pieces(player: np.void) -> int:
    return int(player["pieces"].sum())


@EVERY
@SOME
@given(seed=SEEDS)
@pytest.mark.long
def test_pieces_coal_and_money_change_only_where_a_rule_says_so(options: dict[str, Any], seed: int) -> None:
    """RUN-3, RUN-4, RUN-7, RUN-8, FUL-3, CLEAN-2, PREP-1"""
    game = load(**options)
    before, last = None, ("", 0)
    for state, action in steps(game, seed):
        if before is not None:
            check_step(game, before, state, last)
        before = state.copy()
        if action >= 0:
            last = game.decode(action)


def check_step(game: Any, before: np.ndarray, after: np.ndarray, move: tuple[str, int]) -> None:
    verb, argument = move
    seat = int(before["current"][0])
    new_day = before["day"][0] != after["day"][0]
    for other in range(game.num_players):
        old, new = before["players"][0][other], after["players"][0][other]
        pieces = total_pieces(new) - total_pieces(old)
        coal = int(new["coal"]) - int(old["coal"])
        money = int(new["money"]) - int(old["money"])
        if new_day:
            coal -= 5 + int(after["day"][0])
        ends_run = verb == "stop" and before["task"]["kind"][0] == Task.NOTHING  # DRAFT-5
        loads = verb == "end_shift" or ends_run or (before["phase"][0] == 0 and after["phase"][0] == 1)
        loaded = (0, beans_of_a_load(game, new)) if loads else (0,)
        if other != seat:
            assert (coal, money) == (0, 0)
            assert pieces in loaded
        elif verb == "trade":
            assert (pieces, coal, money) == (-1, 1, 0)
            assert (old["pieces"][4] - new["pieces"][4]).tolist() == [int(kind == argument) for kind in range(7)]
        elif verb == "chute":
            assert (pieces, coal, money) == (0, 0, 0)
        elif verb in ("draft_part", "place_part", "assign", "choose_order", "finish_orders", "finish_cleanup"):
            assert (coal, money) == (0, 0)
            assert pieces in loaded
        elif verb == "draft_employee":
            assert coal in (0, 2, 4)
            assert money == 0
        elif verb == "end_shift":
            assert (coal, money) == (0, 0)
            assert pieces in loaded
        else:
            assert coal <= 0
            assert verb in COSTS_COAL or coal == 0
            assert money >= 0
            assert money == 0 or verb in PAYS_MONEY
            assert pieces == 0 or verb in MAKES_PIECES | GIVES_PIECES
            in_fulfil = before["phase"][0] in (2, 3)
            assert pieces <= 0 or not in_fulfil
            room = new["pieces"][4] - old["pieces"][4]
            assert in_fulfil or (room >= 0).all(), "RUN-7"


@EVERY
@pytest.mark.long
def test_what_a_benefit_or_a_gift_adds_takes_no_choice_away(options: dict[str, Any]) -> None:
    """DRAFT-5: more beans, coal and money can be left alone, so that Supervisor, Miner and Salesman need no way out.

    The limit of Cleanup stays what it is: the beans beyond it become coal (CLEAN-2).
    """
    game = load(**options)
    finish_cleanup = game.action_layout.encode("finish_cleanup")
    for seed in range(GAMES):
        for step, (state, action) in enumerate(steps(game, seed)):
            if action < 0 or step % 3:
                continue
            legal = game.legal_mask(state).astype(bool)
            more = state.copy()
            player = more["players"][0][game.current_player(state)]
            player["coal"] += 1
            player["money"] += 1
            if state["phase"][0] in (Phase.FULFIL, Phase.AGENTS):
                player["earned_today"] += 1
            player["pieces"][step % 5, Kind.BEAN] += 1
            lost = np.flatnonzero(legal & (game.legal_mask(more) == 0)).tolist()
            assert set(lost) <= {finish_cleanup}, [game.describe(one) for one in lost]


def beans_of_a_load(game: Any, player: np.void) -> int:
    """RUN-3, EMP-13, MC-5"""
    employee = game.cards.record.employees[player["employee"]]
    return 1 + (employee.amount if player["employee"] >= 0 and employee.effect == Effect.MORE_BEANS else 0)


@EVERY
@pytest.mark.long
def test_each_card_is_in_exactly_one_place(options: dict[str, Any]) -> None:
    """SET-2, SET-3, SET-4, DRAFT-2, DRAFT-4, FUL-3, CLEAN-3, MC-1, MC-5"""
    game = load(**options)
    cards = game.cards
    copies = dict(zip(cards.employees, cards.array["employees"][0]["count"].tolist(), strict=False))
    for seed in range(GAMES):
        for step, (state, action) in enumerate(steps(game, seed)):
            if step % 5 and action >= 0:
                continue
            table = game.to_dict(state)
            orders = [order for deck in table["decks"]["orders"].values() for order in deck]
            orders += [order for order in table["offer"].values() if order]
            parts = [part for part in table["decks"]["parts"] + table["display"]["parts"] if part]
            parts += [part for removed in table["decks"]["removed_parts"].values() for part in removed]
            employees = [e for deck in table["decks"]["employees"].values() for e in deck]
            employees += [e for e in table["display"]["employees"].values() if e]
            for player in table["players"]:
                orders += [held["order"] for held in player["orders"] + player["special_orders"] if held]
                orders += player["completed"]
                parts += [part for part in player["factory"] if part and part not in cards.parts[:3]]
                employees += [player["employee"]] if player["employee"] else []
            assert sorted(orders) == sorted(cards.orders)
            assert len(set(parts)) == len(parts)
            assert all(number <= copies[e] for e, number in Counter(employees).items())


@EVERY
@SOME
@given(seed=SEEDS)
@pytest.mark.long
def test_what_a_seat_cannot_see_changes_neither_its_observation_nor_its_mask(
    options: dict[str, Any], seed: int
) -> None:
    game = load(**options)
    rng = np.random.default_rng(seed)
    for step, (state, action) in enumerate(steps(game, seed)):
        if action < 0 or step % (7 if COMPILED else 56):
            continue
        others = (scrambled(game, state, rng), game.redeal(state, 0, step))
        if step == 0:
            assert all((other["part_deck"] != state["part_deck"]).any() for other in others)
            assert all((other["order_decks"] != state["order_decks"]).any() for other in others)
        for other in others:
            assert game.legal_mask(other).tobytes() == game.legal_mask(state).tobytes()
            for seat in range(game.num_players):
                assert game.observe(other, seat).flat.tobytes() == game.observe(state, seat).flat.tobytes()


@EVERY
@pytest.mark.long
def test_a_redeal_keeps_what_all_have_seen_and_draws_the_rest_from_the_same_cards(options: dict[str, Any]) -> None:
    """CLEAN-3: orders that were put back face down at the bottom are known to everyone."""
    game = load(**options)
    for seed in range(GAMES):
        for step, (state, _) in enumerate(steps(game, seed)):
            if step % 11:
                continue
            old = game.to_dict(state)
            new = game.to_dict(game.redeal(state, 0, 1000 + step))
            for size, deck in old["decks"]["orders"].items():
                seen = old["decks"]["orders_seen"][size]
                assert new["decks"]["orders"][size][len(deck) - seen :] == deck[len(deck) - seen :]
                assert sorted(new["decks"]["orders"][size]) == sorted(deck)
            a_left = max(0, 15 - 5 * old["day"])
            for deck, places in (("A", slice(0, a_left)), ("B", slice(a_left, None))):
                unseen = [
                    table["decks"]["parts"][places] + table["decks"]["removed_parts"][deck] for table in (old, new)
                ]
                assert sorted(unseen[0]) == sorted(unseen[1]), "SET-2, MC-1"
            for deck, left in old["decks"]["employees"].items():
                assert sorted(new["decks"]["employees"][deck]) == sorted(left), "SET-4, MC-5"
            for public in ("players", "display", "offer", "sides", "under_way", "phase", "turn"):
                assert new[public] == old[public]


def test_a_redeal_draws_anew() -> None:
    game = load(num_players=2)
    state = game.new(5)
    decks = {str(game.to_dict(game.redeal(state, 0, seed))["decks"]) for seed in range(20)}
    assert len(decks) == 20


@EVERY
@pytest.mark.long
def test_no_number_comes_near_the_limits_of_its_width(options: dict[str, Any]) -> None:
    """SET-9: pieces and coal are unlimited, so their widths must be."""
    game = load(**options)
    largest: Counter[str] = Counter()
    for seed in range(2 * GAMES if COMPILED else 1):
        for state, _ in steps(game, seed):
            for field in ("coal", "money", "pieces", "arrival"):
                largest[field] = max(largest[field], int(state["players"][field].max()))
    limit = np.iinfo(np.int16).max
    assert max(largest.values()) < limit // 50, largest


def test_a_packer_every_day_cannot_overflow_a_tile() -> None:
    """EMP-15: the bound behind the sixteen bits: a tile passes eight parts before it leaves, each adds at most 4."""
    assert STATE["players"].base["pieces"].base == np.int16
    added_a_day = 4 * 8 * 4 + 2 * 4  # shifts, parts, pieces more than taken; beans loaded
    pieces = 0
    for _ in range(6):
        pieces = (pieces + added_a_day) * 2
    assert pieces < np.iinfo(np.int16).max


@pytest.mark.parametrize("expansion", [None, "master_chocolatier"])
@pytest.mark.parametrize("num_players", [1, 2, 3, 4])
@pytest.mark.long
def test_random_games_end(num_players: int, expansion: str | None) -> None:
    """No error, no empty mask, no stuck state. `CF_GAMES` says how many games (default 100)."""
    count = amount("CF_GAMES", 100, 10_000) if COMPILED else 1
    game = load(num_players=num_players, sides="random", expansion=expansion)
    rng = np.random.default_rng(num_players)
    state = game.new(num_players)
    mask = np.empty(game.num_actions, np.int8)
    for played in range(count):
        if played:
            game.renew(state)
        game.write_mask(state, mask)
        for _ in range(5000):
            legal = np.flatnonzero(mask)
            assert len(legal), f"empty mask: seed {game.seed_of(state)}"
            if game.advance(state, int(legal[int(rng.random() * len(legal))]), mask) < 0:
                break
        assert game.is_over(state), f"stuck: seed {game.seed_of(state)}"
        assert not mask.any()


def test_an_interesting_game_is_played_by_the_chooser() -> None:
    """The properties above are only worth something if orders are fulfilled and stores supplied in these games."""
    game = load(num_players=2)
    verbs = Counter(game.decode(action)[0] for seed in range(4) for _, action in steps(game, seed) if action >= 0)
    assert verbs["fulfil"]
    assert verbs["supply"]
    assert verbs["use_employee"]


def test_the_chooser_plays_legally_and_nine_times_in_ten_what_does_something() -> None:
    game, rng = load(num_players=2), np.random.default_rng(1)
    verbs: Counter[str] = Counter()
    for state, _ in steps(game, seed=1):
        mask = game.legal_mask(state)
        ends = np.array([game.decode(action)[0] in ENDS for action in np.flatnonzero(mask).tolist()])
        if len(ends) > 1 and 0 < ends.sum() < len(ends):
            chosen = [choose(game, mask, rng) for _ in range(20)]
            assert mask[chosen].all()
            verbs.update("ends" if game.decode(action)[0] in ENDS else "does" for action in chosen)
    assert verbs.total() > 1000
    assert 0.01 < verbs["ends"] / verbs.total() < 0.1
