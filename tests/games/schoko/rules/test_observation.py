"""The observation says what the table says, seen from each seat, and nothing of what is secret."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from firms import Firms, asked, load, play
from long_runs import AT_LENGTH
from schoko_games import steps

from chocofactory_env.core.jit import COMPILED
from chocofactory_env.games.schoko.constants import GONE, NONE, NUM_EVENTS, Event, Express, Task

PLAYERS = [2, 3, 4]
SIZES = {2: 282, 3: 364, 4: 446}
WINDOW_TASKS = (Task.CARD_A, Task.CARD_B, Task.CARD_C, Task.TARGET, Task.HOLIDAY)
HIDDEN_TASKS = (*WINDOW_TASKS, Task.BID_BARS, Task.BID_PRICE)
OF_ONE = ("hand", "own_bid", "event_known")


def raw(game: Any, state: np.ndarray, seat: int) -> dict[str, np.ndarray]:
    out = np.empty(game.observation_layout.raw_size, np.uint8)
    game.write_raw_observation(state, seat, out)
    return dict(game.observation_layout.tensors(out))


def positions(game: Any) -> Iterator[np.ndarray]:
    """Of two games, with several steps between them."""
    for seed in range(2):
        for number, (state, _) in enumerate(steps(game, seed)):
            if number % (5 if COMPILED else 25) == 0:
                yield state


@pytest.mark.parametrize("players", PLAYERS)
def test_players_are_listed_from_the_observer_on(players: int) -> None:
    """What all see is the same for all, in another order."""
    game = load(num_players=players)
    assert game.observation_layout.size == SIZES[players]
    for state in positions(game):
        first = raw(game, state, 0)
        hidden = int(state["task"][0]) in HIDDEN_TASKS
        for seat in range(1, players):
            for name, seen in raw(game, state, seat).items():
                if name in OF_ONE or (hidden and name.startswith(("task", "to_move"))):
                    continue
                mine = np.roll(first[name], -seat, axis=0) if name in PER_SEAT else first[name]
                assert np.array_equal(seen, mine), name


PER_SEAT = (
    *("to_move", "leader", "chairman", "out", "cash", "staff", "staff_before", "absent", "salaries", "loans"),
    *("loan_this_month", "shares", "cocoa", "chocolate", "announced", "bids", "bid_made", "contracts"),
    *("contract_counts", "markers", "gained", "present", "refused", "taker", "looked", "hand_size", "struck_by"),
    "has_played",
)


@pytest.mark.parametrize("players", PLAYERS)
def test_see_1_everything_open_is_seen(players: int) -> None:
    """SEE-3"""
    game = load(num_players=players)
    for states in positions(game):
        state, seen = states[0], raw(game, states, 0)
        seats = state["players"][:players]
        for name in ("staff", "staff_before", "absent", "loans", "loan_this_month", "shares", "cocoa", "chocolate"):
            assert np.array_equal(seen[name], seats[name]), name
        for name in ("announced", "gained", "looked", "has_played"):
            assert np.array_equal(seen[name], seats[name]), name
        assert seen["cash"].tolist() == [[min(cash, 250), min(cash // 10, 250)] for cash in seats["cash"].tolist()]
        assert np.array_equal(seen["salaries"], np.minimum(seats["salaries"], 250))
        assert np.array_equal(seen["markers"], seats["marker"])
        assert np.array_equal(seen["out"], seats["out"] > 0)
        assert np.array_equal(seen["box"], state["box"])
        assert np.array_equal(seen["market"], state["market"])
        assert (seen["month"], seen["months"]) == (state["month"] + 1, state["months"])
        assert int(seen["leader"].argmax()) == state["leader"]
        assert seen["meetings_left"] == state["meetings_left"]
        open_and_booked = [seats["num_contracts"] - seats["num_booked"], seats["num_booked"]]
        assert np.array_equal(seen["contract_counts"].T, open_and_booked)
        price = game.cards.record.share_price
        after = price[state["month"] + 1] if state["month"] + 1 < state["months"] else 0
        assert seen["share_price"].tolist() == [price[state["month"]], after]


@pytest.mark.parametrize("players", PLAYERS)
def test_see_3_contracts_events_and_cards_are_known_as_sets(players: int) -> None:
    game = load(num_players=players)
    bars = game.cards.array["contracts"][0]["bars"]
    for states in positions(game):
        state, seen = states[0], raw(game, states, 1)
        down = bars[state["contracts"][: state["contracts_left"]]]
        assert seen["unseen"].tolist() == [int((down == size).sum()) for size in range(1, 7)]
        assert np.array_equal(np.flatnonzero(seen["hand"]), np.flatnonzero(state["express"] == 1))
        assert np.array_equal(np.flatnonzero(seen["cards_played"]), np.flatnonzero(state["express"] == GONE))
        sizes = [int((state["express"] == (1 + other) % players).sum()) for other in range(players)]
        assert seen["hand_size"].tolist() == sizes
        turned = int(state["month"]) + (state["event_turned"] != NONE)
        end = NUM_EVENTS if state["month"] < NUM_EVENTS else 2 * NUM_EVENTS
        assert set(np.flatnonzero(seen["events_left"])) == set(state["events"][turned:end].tolist())


def test_ev_0_no_event_is_to_come_until_all_are_shuffled_again_after_the_seventh_month() -> None:
    for month, left in ((7, 0), (8, NUM_EVENTS - 1)):
        firms = Firms(2, month=month, months=12).player(0, shares=1).player(1, shares=1)
        game, state = firms.ask("money", 0).build()
        assert raw(game, state, 0)["events_left"].sum() == left
    game, state = Firms(2, month=7, months=12).player(0, shares=1).ask("money", 0).build()
    play(game, state, "pass", "pass")
    assert (asked(game, state)[0], raw(game, state, 0)["events_left"].sum()) == ("look", NUM_EVENTS)


def test_contracts_are_shown_by_what_is_on_them() -> None:
    row = [("tea-room", 47), ("corner-grocer", 34), ("airline", 90)]
    game, state = Firms(2).player(1, contracts=row, num_booked=1).ask("look", 0).build()
    seen = raw(game, state, 0)["contracts"]
    assert seen[1][:4].tolist() == [[2, 47, 1], [2, 34, 0], [4, 90, 0], [0, 0, 0]]
    assert not seen[0].any()


def test_more_than_eight_contracts_are_counted() -> None:
    cards = load(num_players=2).cards
    row = list(zip(cards.contracts[:10], cards.array["contracts"][0]["lowest"].tolist(), strict=False))
    game, state = Firms(2).player(0, contracts=row).ask("look", 0).build()
    assert raw(game, state, 0)["contract_counts"][0].tolist() == [10, 0]
    assert raw(game, state, 0)["contracts"][0, :, 1].tolist() == [price for _, price in row[:8]]


def test_what_is_more_than_a_high_is_shown_as_the_high() -> None:
    firms = Firms(2).player(0, cash=2_345).player(1, cash=40_000, salaries=300)
    state = firms.ask("look", 0).state
    seen = raw(firms.game, state, 0)
    assert (seen["cash"].tolist(), seen["salaries"].tolist()) == ([[250, 234], [250, 250]], [0, 250])


def test_an_offer_is_shown_with_its_price_and_who_was_there() -> None:
    firms = Firms(3).meeting("ice-cream-maker", 50, left=3, present=[0, 2]).having(refused=1)
    for seat in (0, 2):
        firms.player(seat, chocolate=3, marker=2)
    game, state = firms.ask("offer", 2).build()
    seen = raw(game, state, 2)
    assert seen["offer"].tolist() == [3, 42, 78, 50]
    assert (seen["present"].tolist(), seen["refused"].tolist()) == ([1, 1, 0], [0, 1, 0])
    assert int(seen["task"].argmax()) == Task.OFFER


def test_in_window_c_the_contract_just_taken_is_shown_with_who_took_it() -> None:
    """XP-4"""
    firms = Firms(3).meeting("ice-cream-maker", 50, left=3, present=[0, 2]).having(refused=1)
    for seat in (0, 2):
        firms.player(seat, chocolate=3, marker=2)
    game, state = firms.player(0, hand=["hand_over"], chocolate=3, marker=2).ask("offer", 2).build()
    play(game, state, "accept")
    assert asked(game, state) == ("card_c", 0)
    for seat in range(3):
        seen = raw(game, state, seat)
        assert seen["offer"].tolist() == [3, 42, 78, 50]
        assert int(seen["taker"].argmax()) == (2 - seat) % 3


def test_see_2_the_event_is_known_to_who_has_looked_until_all_see_it() -> None:
    """LOOK-2, EV-0"""
    game, state = Firms(2).event("protest").ask("look", 0).build()
    assert not raw(game, state, 0)["event_known"].any()
    play(game, state, "look")
    assert np.flatnonzero(raw(game, state, 0)["event_known"]).tolist() == [Event.PROTEST]
    assert not raw(game, state, 1)["event_known"].any()
    for seat in range(2):
        assert raw(game, state, seat)["looked"][(0 - seat) % 2] == 1
    game, state = Firms(2).event("protest").player(0, looked=1).player(1, chocolate=1).ask("bank_sale", 1).build()
    play(game, state, "bars 0")
    assert not raw(game, state, 0)["event_known"].any()
    assert np.flatnonzero(raw(game, state, 1)["event_turned"]).tolist() == [Event.PROTEST]


def views(game: Any, state: np.ndarray, *seats: int) -> list[bytes]:
    """What these seats see, and what pictures and messages say."""
    seen = [b"".join(tensor.tobytes() for tensor in raw(game, state, seat).values()) for seat in seats]
    return [*seen, game.when(state).encode(), game.render(state).encode()]


def bids() -> Firms:
    firms = Firms(3)
    for seat in range(3):
        firms.player(seat, announced=10)
    return firms.ask("bid_bars", 0)


def test_see_5_of_a_bid_under_way_the_others_see_nothing() -> None:
    """SEE-2, COCOA-4"""
    game, state = bids().build()
    before = views(game, state, 1, 2)
    play(game, state, "bars 3")
    assert views(game, state, 1, 2) == before
    assert raw(game, state, 0)["own_bid"].tolist() == [3, 0]
    for seat in (1, 2):
        seen = raw(game, state, seat)
        assert not any(seen[name].any() for name in ("task", "to_move", "task_city", "own_bid", "bid_made", "bids"))


def test_see_5_a_complete_bid_is_seen_to_have_been_made_also_one_for_no_bars() -> None:
    seen = []
    for words in (["bars 3", "price 7"], ["bars 3", "price 8"], ["bars 0"]):
        game, state = bids().build()
        play(game, state, *words)
        assert asked(game, state) == ("bid_bars", 1)
        assert raw(game, state, 2)["bid_made"].tolist() == [0, 1, 0]
        seen.append(views(game, state, 1, 2))
    assert seen[0] == seen[1] == seen[2]


def test_bids_are_revealed_when_the_last_is_made() -> None:
    """COCOA-5"""
    game, state = bids().build()
    play(game, state, "bars 3", "price 7", "bars 0", "bars 1", "price 2")
    assert raw(game, state, 1)["bids"][:, 0].tolist() == [[0, 0], [1, 2], [3, 7]]
    assert raw(game, state, 1)["bid_made"].tolist() == [0, 0, 0]


def test_see_4_and_see_5_nobody_sees_who_is_asked_for_a_card() -> None:
    """XP-4"""
    firms = (
        Firms(3).player(0, hand=["levy"]).player(1, hand=["gifts"], staff=(1, 0, 0, 0)).player(2, staff=(1, 0, 0, 0))
    )
    game, state = firms.ask("card_a", 0).build()
    before = views(game, state, 2)
    assert int(raw(game, state, 0)["task"].argmax()) == Task.CARD_A
    play(game, state, "pass")
    assert asked(game, state) == ("card_a", 1)
    assert views(game, state, 2) == before
    play(game, state, "play gifts")
    assert asked(game, state) == ("target", 1)
    assert views(game, state, 2) == before  # the card is shown when it strikes
    assert np.flatnonzero(raw(game, state, 1)["task_card"]).tolist() == [Express.GIFTS]


def test_see_5_who_chooses_a_holiday_is_not_shown() -> None:
    """XP-HOLIDAY: the window is still under way; that the card was played is open."""
    firms = Firms(2).player(0, hand=["holiday"]).player(1, staff=(1, 0, 1, 0))
    game, state = firms.ask("card_a", 0).build()
    play(game, state, "play holiday")
    struck, other = raw(game, state, 1), raw(game, state, 0)
    assert int(struck["task"].argmax()) == Task.HOLIDAY
    assert struck["to_move"].tolist() == [1, 0]
    assert np.flatnonzero(struck["task_card"]).tolist() == [Express.HOLIDAY]
    assert not any(other[name].any() for name in ("task", "to_move", "task_card"))
    assert other["struck_by"][1, Express.HOLIDAY] == 1
    assert "to move" not in game.render(state)


# --- what a redeal draws


def redealt(game: Any, state: np.ndarray, seat: int, number: int = 60) -> list[np.ndarray]:
    return [game.redeal(state, seat, seed)[0] for seed in range(number)]


def test_see_2_a_redeal_draws_hands_contracts_and_events() -> None:
    game = load(num_players=3)
    state = game.new(3)
    dealt = redealt(game, state, 1)
    for field in ("express", "contracts", "events"):
        assert len({row[field].tobytes() for row in dealt}) > 50, field
    for row in dealt:
        assert ((row["express"] == 1) == (state[0]["express"] == 1)).all()
        assert sorted(row["express"].tolist()) == sorted(state[0]["express"].tolist())
        assert sorted(row["contracts"].tolist()) == sorted(state[0]["contracts"].tolist())


def test_a_redeal_keeps_the_event_for_who_has_looked() -> None:
    game = load(num_players=2, leader=0)
    state = game.new(3)
    play(game, state, "look")
    assert {int(row["events"][0]) for row in redealt(game, state, 0)} == {int(state[0]["events"][0])}
    assert len({int(row["events"][0]) for row in redealt(game, state, 1)}) == NUM_EVENTS


def test_a_redeal_draws_the_bids_of_the_others() -> None:
    """COCOA-4, SEE-5"""
    game, state = bids().build()
    play(game, state, "bars 3", "price 7", "bars 4")
    assert asked(game, state) == ("bid_price", 1)
    dealt = redealt(game, state, 2, 300)
    assert {int(row["players"][0]["bid_bars"][0]) for row in dealt} == set(range(7))
    assert {int(row["players"][1]["bid_bars"][0]) for row in dealt} == set(range(1, 7))
    for row in dealt:
        bars, price = (int(row["players"][0][name][0]) for name in ("bid_bars", "bid_price"))
        assert (price == 0) == (bars == 0)
        assert bars * price <= 100
    assert {int(row["players"][1]["bid_bars"][0]) for row in redealt(game, state, 1)} == {4}


@pytest.mark.parametrize("card", ["levy", "illness", "slow_shift"])
def test_who_is_asked_for_a_card_holds_one_that_explains_it(card: str) -> None:
    """SEE-5: seat 1 cannot be struck by cards for staff, so that seat 0 has one that strikes seat 2."""
    firms = Firms(3).player(0, hand=[card]).player(2, staff=(1, 0, 0, 0))
    game, state = firms.ask("card_a", 0).build()
    held = [set(np.flatnonzero(row["express"] == 0).tolist()) for row in redealt(game, state, 1, 200)]
    window_a = {int(each) for each in Express if each < Express.TAX_INSPECTION}
    unseen = {int(each) for each in Express if state[0]["express"][each] != GONE}
    assert all(len(hand) == 1 for hand in held)
    assert set.union(*held) == window_a & unseen


def test_who_names_a_target_has_a_card_with_several() -> None:
    firms = Firms(3).player(0, hand=["gifts"]).player(2, staff=(1, 0, 0, 0))
    game, state = firms.ask("card_a", 0).build()
    play(game, state, "play gifts")
    assert asked(game, state) == ("target", 0)
    for row in redealt(game, state, 1):
        assert row["card"] == Express.GIFTS  # the only one that can strike both
        assert row["express"][Express.GIFTS] == 0


@pytest.mark.slow
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.long
def test_a_redeal_changes_nothing_that_the_seat_sees_and_is_a_position_of_a_game(players: int) -> None:
    """SEE-2, SEE-5"""
    game = load(num_players=players)
    for number, state in enumerate(positions(game)):
        if number % (1 if AT_LENGTH else 3) or game.is_over(state):
            continue
        for seat in range(players):
            dealt = game.redeal(state, seat, number)
            assert game.observe(dealt, seat).flat.tobytes() == game.observe(state, seat).flat.tobytes()
            game.from_dict(game.to_dict(dealt))
            if seat == game.current_player(state):
                assert np.array_equal(game.legal_mask(dealt), game.legal_mask(state))
            while not game.is_over(dealt) and dealt["month"] == state["month"]:
                legal = np.flatnonzero(game.legal_mask(dealt))
                game.apply(dealt, int(legal[number % len(legal)]))
