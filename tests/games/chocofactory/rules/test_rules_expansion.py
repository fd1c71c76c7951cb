"""The mini-expansion Master Chocolatier. Deliveries of sides D are in `test_rules_stores.py`, by brute force."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest
from chocofactory_games import KINDS, STORES, Position, legal, load, pieces, play, player_of

from chocofactory_env.core.jit import COMPILED

NAME = "master_chocolatier"
SEEDS = range(200 if COMPILED else 20)
PLAYERS = pytest.mark.parametrize("players", [1, 2, 3, 4])
NEW_PARTS = {"A": {"carrier", "mould-or-carry"}, "B": {"free-carrier", "wrap-or-carry"}}
EMPTY = dict.fromkeys(range(8))
POUNDS = dict(zip(STORES, (8, 9, 9, 10, 9), strict=True))  # of the sides C: fresh_fancies' is published


def table(players: int = 2, seed: int = 3, **options: Any) -> dict[str, Any]:
    """A first position."""
    game = load(num_players=players, expansion=NAME, **options)
    found: dict[str, Any] = game.to_dict(game.new(seed))
    return found


def fulfilling(sides: str = "A", *, current: int = 0, **player: Any) -> tuple[Any, np.ndarray]:
    position = Position(expansion=NAME, sides=sides).phase("fulfil", current=current, day=2)
    return position.player(current, **player).build()


def track(game: Any, state: np.ndarray, store: str, seat: int = 0) -> int:
    place: int = player_of(game, state, seat)["tracks"][store]
    return place


# --- setup


@PLAYERS
def test_two_new_parts_are_shuffled_into_each_deck_and_two_parts_leave_it(players: int) -> None:
    """MC-1, SET-2"""
    game = load(num_players=players, expansion=NAME, start_player=0)
    state = game.new(3)
    if players == 1:
        state = Position(num_players=1, expansion=NAME, seed=3).build()[1]
    decks = game.to_dict(state)["decks"]
    for deck, number in (("A", 1), ("B", 2)):
        parts = {p for p, row in zip(game.cards.parts, game.cards.record.parts, strict=False) if row.deck == number}
        assert len(parts) == 17
        assert parts >= NEW_PARTS[deck]
        removed = set(decks["removed_parts"][deck])
        assert len(removed) == 2
        assert removed < parts
        assert not removed & set(decks["parts"])
    assert len(decks["parts"]) == 25


@pytest.mark.skipif(not COMPILED, reason="deals 4,000 games")
def test_every_part_leaves_as_often_as_any_other() -> None:
    """MC-1: of 17 parts two leave; five standard deviations to either side."""
    game, deals = load(num_players=2, expansion=NAME), 4000
    removed: Counter[int] = Counter()
    for seed in range(deals):
        deck = game.new(seed)["part_deck"][0]
        removed.update([*deck[15:17].tolist(), *deck[32:34].tolist()])
    assert len(removed) == 34
    expected = deals * 2 / 17
    assert max(abs(number - expected) for number in removed.values()) < 5 * (expected * 15 / 17) ** 0.5


@pytest.mark.skipif(not COMPILED, reason="deals 4,000 games")
def test_drawn_sides_are_even_over_all_that_are_allowed() -> None:
    """MC-3, MC-7: 243 - 32 ways without a side C, 405 with one, 270 with two; each of them in one of 886 deals."""
    game, deals = load(num_players=2, expansion=NAME, sides="random"), 20_000
    drawn = Counter(tuple(game.new(seed)["sides"][0].tolist()) for seed in range(deals))
    allowed = [sides for sides in product(range(4), repeat=5) if max(sides) >= 2 and sides.count(2) <= 2]
    assert len(allowed) == 886
    assert set(drawn) == set(allowed)
    expected = deals / 886
    assert sum((drawn[sides] - expected) ** 2 / expected for sides in allowed) < 885 + 5 * (2 * 885) ** 0.5
    with_c = Counter(sides.count(2) for sides in drawn.elements())
    for number, ways in enumerate((211, 405, 270)):
        share = ways / 886
        assert abs(with_c[number] - deals * share) < 5 * (deals * share * (1 - share)) ** 0.5


def test_the_parts_of_a_day_come_from_the_deck_of_the_day() -> None:
    """MC-1, SET-2"""
    game = load(num_players=2, expansion=NAME)
    state = game.new(5)
    rng = np.random.default_rng(5)
    shown: dict[int, list[str]] = {}
    coming = table(seed=5)["display"]["parts"] + table(seed=5)["decks"]["parts"]
    while not game.is_over(state):
        position = game.to_dict(state)
        if position["phase"] == "draft" and position["turn"] == 0:
            shown.setdefault(position["day"], position["display"]["parts"])
        game.apply(state, int(rng.choice(np.flatnonzero(game.legal_mask(state)))))
    assert sum((shown[day] for day in range(1, 7)), []) == coming  # noqa: RUF017  # thirty parts
    decks = [game.cards.record.parts[game.cards.parts.index(part)].deck for part in coming]
    assert decks == [1] * 15 + [2] * 15


@PLAYERS
def test_a_sixth_employee_from_a_deck_of_six_is_shown_every_day(players: int) -> None:
    """MC-5"""
    position = table(players)
    extra = [position["display"]["employees"]["extra"], *position["decks"]["employees"]["extra"]]
    assert Counter(extra) == {"owner": 2, "helpers": 2, "prodigy": 2}
    assert len(position["decks"]["employees"]["palace_boutique"]) == 6


@pytest.mark.parametrize(("players", "sizes"), [(2, [3, 3]), (3, [2, 2, 2]), (4, [2, 2, 1, 1])])
def test_employee_packets_are_larger_and_part_packets_are_not(players: int, sizes: list[int]) -> None:
    """MC-5, PREP-2, PREP-3"""
    for seed in range(5):
        position = table(players, seed)
        packets = position["display"]["employee_packets"]
        assert [Counter(packets.values())[packet] for packet in range(players)] == sizes
        base = load(num_players=players)
        assert position["display"]["part_packets"] == base.to_dict(base.new(1))["display"]["part_packets"]
        mixed = position["decks"]["mix"][0]
        assert sorted(mixed) == sorted([*STORES, "extra"])
        assert [packets[deck] for deck in mixed] == [packet for packet, size in enumerate(sizes) for _ in range(size)]


def test_the_extra_employee_is_mixed_into_any_packet() -> None:
    """MC-5"""
    assert {table(3, seed)["display"]["employee_packets"]["extra"] for seed in SEEDS} == {0, 1, 2}


def test_the_solo_game_has_one_more_employee_and_no_more_parts() -> None:
    """MC-5, SOLO-4, SOLO-5"""
    game, state = Position(num_players=1, expansion=NAME).build()
    for day in range(1, 7):
        position = game.to_dict(state)
        assert position["day"] == day
        assert position["display"]["employees"]["extra"] is not None
        gone = STORES[5 - day] if day < 6 else None
        assert [s for s, e in position["display"]["employees"].items() if e is None] == ([gone] if gone else [])
        assert sum(part is not None for part in position["display"]["parts"]) == (4 if gone else 5)
        assert len([words for words in legal(game, state) if words.startswith("draft employee")]) == (5 if gone else 6)
        part = next(words for words in sorted(legal(game, state)) if words.startswith("draft part"))
        play(game, state, "draft employee extra", part, "place part slot 7")
        if day < 6:
            while game.to_dict(state)["day"] == day:
                ends = [w for w in ("end shift", "finish orders", "finish cleanup") if w in legal(game, state)]
                play(game, state, ends[0] if ends else min(legal(game, state)))


def test_the_base_game_has_none_of_it() -> None:
    """MC-1, MC-5"""
    for players in (1, 2, 3, 4):
        game = load(num_players=players)
        position = game.to_dict(game.new(3))
        assert position["decks"]["removed_parts"] == {"A": [], "B": []}
        assert "extra" not in position["display"]["employees"]
        assert not NEW_PARTS["A"] & set(game.cards.parts)


# --- sides


def test_sides_are_drawn_from_all_four_with_at_most_two_by_the_days_money() -> None:
    """MC-3, SET-5"""
    drawn = ["".join(table(sides="random", seed=seed)["sides"].values()) for seed in SEEDS]
    assert {letter for sides in drawn for letter in sides} == set("ABCD")
    assert max(sides.count("C") for sides in drawn) == 2
    if COMPILED:
        assert all({sides[store] for sides in drawn} == set("ABCD") for store in range(5))


@PLAYERS
def test_one_or_more_new_sides_are_in_play_unless_sides_are_named(players: int) -> None:
    """MC-7"""
    game, base = load(num_players=players, expansion=NAME), load(num_players=players)
    assert (game.options["sides"], base.options["sides"]) == ("random", "A")
    assert load.__wrapped__(num_players=players, expansion=NAME, sides=None).options["sides"] == "random"
    for seed in range(100 if COMPILED else 10):
        state = game.new(seed)
        assert {"C", "D"} & set(game.to_dict(state)["sides"].values())
        assert state.tobytes() == load(num_players=players, expansion=NAME, sides="random").new(seed).tobytes()
        assert set(base.to_dict(base.new(seed))["sides"].values()) == {"A"}


@pytest.mark.parametrize("sides", ["A", "B", "BABAB"])
def test_named_sides_stay_as_given_without_a_new_one(sides: str) -> None:
    """MC-7"""
    given = "".join(table(sides=sides)["sides"].values())
    assert given == (sides if len(sides) == 5 else sides * 5)


def test_named_sides_may_have_more_of_them() -> None:
    """MC-3"""
    assert set(table(sides="C")["sides"].values()) == {"C"}
    assert "".join(table(sides="CCDCB")["sides"].values()) == "CCDCB"


@pytest.mark.parametrize("sides", ["C", "D", "ABCAA", "DDDDD"])
def test_sides_c_and_d_need_the_expansion(sides: str) -> None:
    with pytest.raises(ValueError, match="need an expansion"):
        load.__wrapped__(sides=sides)


@pytest.mark.parametrize("sides", ["E", "ABCDE", "AB", "", 3])
def test_no_other_sides_are_taken(sides: Any) -> None:
    with pytest.raises(ValueError, match=r'sides: expected "A", "B", "C", "D", "random"'):
        load.__wrapped__(sides=sides, expansion=NAME)


@pytest.mark.parametrize("expansion", ["master chocolatier", "", True, 1])
def test_no_other_expansion_is_taken(expansion: Any) -> None:
    with pytest.raises(ValueError, match='expansion: expected None or "master_chocolatier"'):
        load.__wrapped__(expansion=expansion)


# --- side C: the day's money


@pytest.mark.parametrize(("earned", "spaces"), [(25, 2), (9, 1), (17, 1), (18, 2), (200, 9)])
def test_side_c_moves_by_the_days_money_divided_by_its_number(earned: int, spaces: int) -> None:
    """MC-3: the example of fresh_fancies is published."""
    game, state = fulfilling("C", employee="clerk", earned_today=earned, store_room={"chunks": 3})
    play(game, state, "supply fresh_fancies")
    assert game.to_dict(state)["under_way"] is None
    assert track(game, state, "fresh_fancies") == spaces
    assert pieces(game, state) == {"chunks": 3}
    assert player_of(game, state)["supplied"] == ["fresh_fancies"]
    assert "supply fresh_fancies" not in legal(game, state), "FUL-4"


@pytest.mark.parametrize(("store", "pounds"), list(POUNDS.items()), ids=str)
def test_less_than_the_number_on_the_card_is_no_delivery(store: str, pounds: int) -> None:
    """MC-3, STORE-6"""
    for earned, offered in ((0, False), (pounds - 1, False), (pounds, True)):
        game, state = fulfilling("C", employee=f"director-{store}", earned_today=earned)
        assert (f"supply {store}" in legal(game, state)) == offered


def test_the_director_doubles_side_c() -> None:
    """MC-3, EMP-1"""
    game, state = fulfilling("C", employee="director-fresh_fancies", earned_today=25)
    play(game, state, "supply fresh_fancies")
    assert track(game, state, "fresh_fancies") == 4


def test_only_what_orders_have_paid_today_counts_and_only_until_the_supply() -> None:
    """MC-3, FUL-1, EMP-4"""
    orders = [("tea-room", 0), ("harbour-store", 1), None]  # £7 and £7
    room = {"caramel": 1, "nuts": 1, "fingers": 3}
    game, state = fulfilling("C", employee="salesman", money=40, store_room=room, orders=orders)
    assert "supply palace_boutique" not in legal(game, state)
    play(game, state, "fulfil order 0")
    assert player_of(game, state)["earned_today"] == 8
    play(game, state, "fulfil order 1")
    assert (player_of(game, state)["earned_today"], player_of(game, state)["money"]) == (16, 56)
    play(game, state, "supply palace_boutique")
    assert track(game, state, "palace_boutique") == 16 // POUNDS["palace_boutique"]

    game, state = fulfilling("C", employee="clerk", money=20, earned_today=9, store_room=room, orders=orders)
    play(game, state, "supply fresh_fancies", "fulfil order 0")
    assert track(game, state, "fresh_fancies") == 1
    play(game, state, "use employee")  # EMP-5: skipping a stage pays nothing
    assert player_of(game, state)["earned_today"] == 16


def test_the_days_money_is_gone_with_the_day() -> None:
    """MC-3, CLEAN-5"""
    game, state = fulfilling("C", current=1, employee="clerk", earned_today=9)
    play(game, state, "finish orders", "finish cleanup", "finish cleanup")
    assert game.to_dict(state)["day"] == 3
    assert [player["earned_today"] for player in game.to_dict(state)["players"]] == [0, 0]


def test_the_department_store_agent_supplies_a_side_c() -> None:
    """MC-3, EMP-14: it is his whole turn in Cleanup."""
    position = Position(expansion=NAME, sides="C").phase("agents", day=2)
    game, state = position.player(0, employee="department-store-agent", earned_today=21).build()
    assert legal(game, state) == {f"supply {store}" for store in STORES[:4]} | {"finish orders"}
    play(game, state, "supply house_of_luxury")
    assert track(game, state, "house_of_luxury") == 2
    assert game.to_dict(state)["phase"] == "cleanup"


# --- side D of the Palace Boutique: another store's rule


def borrowing(sides: str = "DAAAA", *, employee: str = "miner", **player: Any) -> tuple[Any, np.ndarray]:
    game, state = fulfilling(sides, employee=employee, **player)
    play(game, state, "supply palace_boutique")
    return game, state


def test_the_palace_boutique_borrows_any_rule_under_which_there_is_a_delivery() -> None:
    """MC-4"""
    room = {"chunks": 2, "caramel": 1, "boxed": 1}
    game, state = borrowing(store_room=room)
    assert legal(game, state) == {f"supply {store}" for store in STORES[1:]}
    play(game, state, "supply fresh_fancies", "take chunks")  # and the rest follows by itself
    player = player_of(game, state)
    assert player["tracks"] == dict.fromkeys(STORES, 0) | {"palace_boutique": 2}
    assert player["supplied"] == ["palace_boutique"]
    assert pieces(game, state) == {"caramel": 1, "boxed": 1}


def test_a_borrowed_pair_ends_by_itself_and_the_director_doubles_it() -> None:
    """MC-4, STORE-5, EMP-1"""
    game, state = borrowing("DAAAB", employee="director-palace_boutique", store_room={"nuts": 2, "boxed": 2})
    play(game, state, "supply dunstan_gilberts", "take nuts")
    assert game.to_dict(state)["under_way"] is None
    assert track(game, state, "palace_boutique") == 6


def test_the_palace_boutique_borrows_a_side_c() -> None:
    """MC-3, MC-4: its own marker moves by the day's money and the other card's number."""
    game, state = borrowing("DAACA", employee="director-palace_boutique", earned_today=20, store_room={"chunks": 1})
    assert legal(game, state) == {"supply fresh_fancies", "supply house_of_luxury"}
    play(game, state, "supply house_of_luxury")
    assert game.to_dict(state)["under_way"] is None
    assert player_of(game, state)["tracks"] == dict.fromkeys(STORES, 0) | {"palace_boutique": 4}
    assert pieces(game, state) == {"chunks": 1}


def test_a_single_rule_that_can_be_borrowed_is_chosen_by_itself() -> None:
    """MC-4"""
    game, state = borrowing(store_room={"caramel": 1})
    assert track(game, state, "palace_boutique") == 1


def test_without_a_delivery_under_any_other_rule_the_palace_boutique_is_not_offered() -> None:
    """MC-4, STORE-6"""
    game, state = fulfilling("DABBA", employee="miner", store_room={"fingers": 1, "caramel": 1})
    assert "supply palace_boutique" not in legal(game, state)


def test_the_other_store_may_be_full_but_the_palace_boutique_must_not_be_full() -> None:
    """MC-4, STORE-6"""
    full: dict[str, Any] = {"tracks": {"fresh_fancies": 9}, "arrivals": {"fresh_fancies": 1}}
    game, state = borrowing(store_room={"chunks": 2}, **full)
    play(game, state, "take chunks")
    assert track(game, state, "palace_boutique") == 2
    full = {"tracks": {"palace_boutique": 9}, "arrivals": {"palace_boutique": 1}}
    game, state = fulfilling("DAAAA", employee="miner", store_room={"chunks": 2}, **full)
    assert "supply palace_boutique" not in legal(game, state)


def test_the_department_store_agent_supplies_it_under_his_own_stores_rule_though_that_was_supplied() -> None:
    """MC-4, EMP-14"""
    position = Position(expansion=NAME, sides="DAAAD").phase("agents", day=2)
    room, own = {"nuts": 2, "boxed": 2}, "dunstan_gilberts"
    position.player(0, employee="department-store-agent", store_room=room, supplied=[own], tracks={own: 1})
    game, state = position.build()
    play(game, state, "supply palace_boutique")
    assert legal(game, state) == {"supply house_of_luxury", "supply dunstan_gilberts"}
    play(game, state, "supply dunstan_gilberts", "take nuts", "take boxed")
    assert track(game, state, "palace_boutique") == 2
    assert game.to_dict(state)["phase"] == "cleanup"


# --- other sides D


def test_five_kinds_in_order_reach_the_end_of_the_track_at_once() -> None:
    """MC-4: salters_emporium"""
    game, state = fulfilling("D", employee="expert-miner", store_room=dict.fromkeys(KINDS[2:], 1))
    play(game, state, "supply salters_emporium", "take caramel", "take nuts", "take boxed")
    assert track(game, state, "salters_emporium") == 9


def test_a_single_piece_moves_nothing_in_the_order_of_kinds_and_is_not_offered() -> None:
    """MC-4, STORE-6: salters_emporium"""
    game, state = fulfilling("D", employee="expert-miner", store_room={"chunks": 3, "caramel": 1, "boxed": 2})
    assert "supply salters_emporium" not in legal(game, state)


# --- employees without a store


@pytest.mark.parametrize("employee", ["owner", "helpers", "prodigy"])
def test_who_has_an_employee_without_a_store_supplies_none(employee: str) -> None:
    """MC-5, DRAFT-6"""
    for sides in "ABCD":
        room = dict.fromkeys(KINDS[2:], 3)
        game, state = fulfilling(sides, employee=employee, store_room=room, earned_today=50)
        assert not [words for words in legal(game, state) if words.startswith("supply")]


def test_the_owner_adds_four_pounds_to_every_stage() -> None:
    """MC-6"""
    game, state = fulfilling(employee="owner", store_room={"caramel": 1, "nuts": 1}, orders=[("tea-room", 0)])
    play(game, state, "fulfil order 0")
    assert (player_of(game, state)["money"], player_of(game, state)["earned_today"]) == (11, 11)


def test_the_helpers_bring_three_beans_with_every_load() -> None:
    """MC-6, RUN-3"""
    game, state = Position(expansion=NAME).phase("run").player(0, employee="helpers").build()
    play(game, state, "end shift", "end shift")
    assert [pieces(game, state, tile=tile) for tile in (0, 1)] == [{"bean": 3}, {"bean": 3}]


def test_the_prodigy_upgrades_four_times_a_day() -> None:
    """MC-6, EMP-6"""
    position = Position(expansion=NAME).phase("run")
    game, state = position.player(0, employee="prodigy", belt={0: {"bean": 1}, 2: {"cocoa": 1}}).build()
    play(game, state, "use employee", "tile 2", "make fingers", "use employee", "tile 2", "make nuts")
    play(game, state, "use employee", "tile 2", "use employee")  # single answers follow by themselves
    assert [pieces(game, state, tile=tile) for tile in (0, 2)] == [{"cocoa": 1}, {"boxed": 1}]
    assert "use employee" not in legal(game, state)


# --- parts that carry


def carrying(part: str, belt: dict[int, dict[str, int]], slot: int = 5, **player: Any) -> tuple[Any, np.ndarray]:
    position = Position(expansion=NAME, play_forced=False).phase("run")
    player = {"coal": 9, "factory": {**EMPTY, slot: part}, **player}
    return position.player(0, belt=belt, **player).build()


@pytest.mark.parametrize(("part", "cost"), [("carrier", 1), ("free-carrier", 0)])
def test_a_carrier_moves_one_piece_of_any_kind_to_any_other_tile(part: str, cost: int) -> None:
    """MC-2, RUN-4"""
    belt = {1: {"bean": 1, "boxed": 2}, 2: {"nuts": 1}}
    game, state = carrying(part, belt)
    play(game, state, "operate slot 5")
    assert legal(game, state) == {"take bean", "take boxed"}
    play(game, state, "take boxed")
    assert legal(game, state) == {"tile 0", "tile 2", "tile 3"}
    play(game, state, "tile 2")
    assert [pieces(game, state, tile=tile) for tile in (1, 2)] == [{"bean": 1, "boxed": 1}, {"boxed": 1, "nuts": 1}]
    assert player_of(game, state)["coal"] == 9 - cost
    assert "operate slot 5" not in legal(game, state), "once a shift"
    assert game.to_dict(state)["under_way"] is None


def test_a_part_either_converts_or_carries() -> None:
    """MC-2, PART-3"""
    game, state = carrying("wrap-or-carry", {1: {"chunks": 1, "bean": 1}})
    play(game, state, "operate slot 5")
    assert legal(game, state) == {"option 0", "option 1"}
    carried = game.clone(state)
    play(game, state, "option 0", "take chunks", "make caramel", "make nuts")
    assert pieces(game, state, tile=1) == {"bean": 1, "caramel": 1, "nuts": 1}
    play(game, carried, "option 1", "take bean", "tile 0")
    assert pieces(game, carried, tile=1) == {"chunks": 1}
    assert pieces(game, carried, tile=0) == {"bean": 1}
    game, state = carrying("mould-or-carry", {1: {"bean": 1}})
    play(game, state, "operate slot 5")
    assert legal(game, state) == {"option 1"}


def test_an_empty_tile_leaves_nothing_to_carry() -> None:
    """MC-2, RUN-5"""
    game, state = carrying("free-carrier", {0: {"bean": 1}, 1: {}})
    assert "operate slot 5" not in legal(game, state)


def test_the_mechanic_halves_a_carriers_coal_but_not_one_that_is_free() -> None:
    """MC-2, EMP-7"""
    game, state = carrying("carrier", {1: {"bean": 1}}, employee="mechanic")
    assert "assign slot 5" in legal(game, state)
    game, state = carrying("free-carrier", {1: {"bean": 1}}, employee="mechanic")
    assert "assign slot 5" not in legal(game, state)


def test_the_technicians_carrier_takes_from_a_neighbouring_tile_and_brings_it_anywhere() -> None:
    """MC-2, EMP-16"""
    game, state = carrying("carrier", {2: {"nuts": 1}}, employee="technician", assigned=5, uses_left=0)
    play(game, state, "operate slot 5", "tile 2", "take nuts")
    assert player_of(game, state)["coal"] == 7
    assert legal(game, state) == {"tile 0", "tile 1", "tile 3"}
    play(game, state, "tile 1")
    assert pieces(game, state, tile=1) == {"nuts": 1}


# --- what agents see


@PLAYERS
def test_the_observation_is_that_of_the_base_game_and_more(players: int) -> None:
    base, game = load(num_players=players), load(num_players=players, expansion=NAME)
    assert game.observation_layout.blocks[: len(base.observation_layout.blocks)] == base.observation_layout.blocks
    assert game.num_actions == base.num_actions
    assert game.observation_layout.size > base.observation_layout.size


def test_the_observation_says_what_is_borrowed_earned_and_shown() -> None:
    """MC-3, MC-4, MC-5"""
    game, state = Position(expansion=NAME, sides="DCCDD", seed=4).build()
    seen = game.observe(state, 0)
    extra = game.to_dict(state)["display"]["employees"]["extra"]
    effect = {"owner": "stage_pay", "helpers": "more_beans", "prodigy": "upgrade_piece"}[extra]
    block = next(block for block in game.observation_layout.blocks if block.name == "extra_employee")
    assert [name for name, amount in zip(block.entries, seen["extra_employee"], strict=True) if amount] == [effect]
    assert round(float(seen["extra_packet"][0]) * 6) == 1 + game.to_dict(state)["display"]["employee_packets"]["extra"]

    game, state = fulfilling("DCCDD", employee="miner", earned_today=20, store_room={"chunks": 1, "fingers": 1})
    assert np.rint(game.observe(state, 1)["earned_today"] * 250).tolist() == [0, 20]
    play(game, state, "supply palace_boutique")
    assert game.observe(state, 1)["task_borrow"].tolist() == [1]
    assert not game.observe(state, 1)["task"].any()
    play(game, state, "supply house_of_luxury")
    position = game.to_dict(state)
    assert position["under_way"] is None  # the one pair is given by itself
    assert track(game, state, "palace_boutique") == 1


def test_the_store_whose_rule_is_followed_shows_while_pieces_are_given() -> None:
    """MC-4"""
    game, state = borrowing(store_room={"chunks": 2, "boxed": 2})
    play(game, state, "supply fresh_fancies")
    seen = game.observe(state, 0)
    assert (seen["task_store"].tolist(), seen["task_rule_of"].tolist()) == ([1, 0, 0, 0, 0], [0, 1, 0, 0, 0])
    assert seen["task_borrow"].tolist() == [0]
    assert game.to_dict(state)["under_way"]["rule_of"] == "fresh_fancies"
