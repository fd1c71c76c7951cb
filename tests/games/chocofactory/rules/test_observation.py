"""The observation says what the table says, seen from each seat."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from all_games import raw_tensors
from chocofactory_games import KINDS, MASTER_CHOCOLATIER, STORES, VARIANTS, flagged, load, steps, variant_name
from long_runs import amount

import chocofactory_env as cf
from chocofactory_env.core.jit import COMPILED
from chocofactory_env.games.chocofactory.constants import NUM_DAYS, OWN_ORDERS, Phase, Task

EVERY = pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
GAMES = amount("CF_CHECKED_GAMES", 1, 10)
STRIDE = 1 if COMPILED else 29  # of the positions of a game, for what looks at each of them from all seats
SIZES = ("small", "medium", "large")


@EVERY
def test_what_play_can_raise_beyond_a_high_is_shown_as_the_high_and_marked_so(options: dict[str, Any]) -> None:
    game = load(**options)
    state = game.new(1)
    state["phase"], state["current"] = Phase.FULFIL, 0
    state["task"]["kind"] = Task.GIVE_STORE
    before = raw_tensors(game, state, 0)
    for high in (300, np.iinfo(np.int16).max):  # bytes would wrap
        state["task"]["given"] = high
        for field in ("coal", "money", "earned_today", "pieces"):
            state["players"][field] = high
        after = raw_tensors(game, state, 0)
        for block in game.observation_layout.blocks:
            if block.clipped:
                assert (before[block.name] == 0).all() or block.name == "coal"
                assert (after[block.name] == block.high).all(), block.name
            else:
                assert after[block.name].tolist() == before[block.name].tolist(), block.name


@pytest.mark.parametrize("num_players", [1, 2])
def test_play_cannot_complete_more_orders_than_are_shown(num_players: int) -> None:
    """FUL-3, CLEAN-3: a completed order is replaced overnight."""
    blocks = {block.name: block for block in load(num_players=num_players).observation_layout.blocks}
    assert blocks["completed"].high >= NUM_DAYS * OWN_ORDERS
    assert not blocks["completed"].clipped


@EVERY
@pytest.mark.long
def test_every_seat_sees_the_table_from_its_own_place(options: dict[str, Any]) -> None:
    game = load(**options)
    for seed in range(GAMES):
        for step, (state, _) in enumerate(steps(game, seed)):
            if step % (5 * STRIDE):
                continue
            table = game.to_dict(state)
            for seat in range(game.num_players):
                check_seen(game, table, raw_tensors(game, state, seat), seat)


def check_seen(game: Any, table: dict[str, Any], seen: dict[str, np.ndarray], seat: int) -> None:
    players = game.num_players
    assert seen["day"][0] == table["day"]
    acting = seats_acting(table)
    assert {(seat + place) % players for place in np.flatnonzero(seen["to_move"]).tolist()} == acting
    if is_simultaneous(table):
        check_together(table, seen, seat)
    else:
        assert seen["shift"][0] == table["shift"]
    assert (seat + seen["start_player"].argmax()) % players == table["start_player"]
    for other in range(players):
        player = table["players"][(seat + other) % players]
        assert seen["coal"][other] == min(player["coal"], 60)
        assert seen["money"][other] == min(player["money"], 250)
        assert seen["store_rooms"][other].tolist() == [min(player["pieces"]["store room"][kind], 20) for kind in KINDS]
        belt = [[player["pieces"][f"tile {tile}"][kind] for kind in KINDS] for tile in range(4)]
        assert seen["belts"][other].tolist() == belt
        assert seen["tracks"][other].tolist() == [player["track"][store] for store in STORES]
        assert seen["supplied"][other].tolist() == list(player["supplied"].values())
        check_factory(game, player, seen["factories"][other])
        check_orders(game, player, {name: seen[name][other] for name in ("orders", "order_pay", "order_stage")})
        check_employee(game, player, seen["employees"][other])
    if table["options"].get("solo_money") == "completed":
        assert seen["only_completed"].tolist() == [1]
        assert seen["order_paid"].tolist() == table["paid"]
    if table["options"]["expansion"]:
        check_expansion(game, table, seen, seat)
    for index, store in enumerate(STORES):
        moved = sorted(p["arrival"][store] for p in table["players"] if p["arrival"][store])
        for other in range(players):
            arrival = table["players"][(seat + other) % players]["arrival"][store]
            assert seen["arrivals"][other][index] == (moved.index(arrival) + 1 if arrival else 0)


def is_simultaneous(table: dict[str, Any]) -> bool:
    return bool(table["options"].get("mode") == "simultaneous")


def all_act(table: dict[str, Any]) -> bool:
    """SIM-1"""
    return is_simultaneous(table) and table["phase"] in ("run", "fulfil")


def seats_acting(table: dict[str, Any]) -> set[int]:
    """SIM-1"""
    if table["current"] is None:
        return set()
    if not all_act(table):
        return {table["current"]}
    return set(range(len(table["players"]))) - set(table["finished"])


def task_seen(table: dict[str, Any], seat: int) -> Any:
    """What has been begun: SIM-1: by the seat itself, where all act."""
    return table["tasks"][seat] if all_act(table) and seat != table["current"] else table["task"]


def check_together(table: dict[str, Any], seen: dict[str, np.ndarray], seat: int) -> None:
    """SIM-1: a seat sees what it has begun itself, and how far the others are."""
    players, current = len(table["players"]), table["current"]
    shifts = list(table["shifts"])
    if current is not None:
        shifts[current] = table["shift"]
    assert [int(seen["shifts"][(other - seat) % players]) for other in range(players)] == shifts
    assert seen["shift"][0] == shifts[seat]
    task = task_seen(table, seat)
    assert seen["task"].any() == (task["kind"] not in ("nothing", "borrow"))
    for other in range(players):
        player = table["players"][(seat + other) % players]
        assert seen["operated_by"][other].astype(bool).tolist() == player["operated"]
        assigned = [] if player["assigned"] is None else [player["assigned"]]
        assert np.flatnonzero(seen["assigned_to"][other]).tolist() == assigned
    if all_act(table):
        assert seen["operated"].tolist() == seen["operated_by"][0].tolist()
        assert seen["assigned"].tolist() == seen["assigned_to"][0].tolist()


def check_expansion(game: Any, table: dict[str, Any], seen: dict[str, np.ndarray], seat: int) -> None:
    """MC-3, MC-4, MC-5"""
    players, under_way = table["players"], task_seen(table, seat)
    earned = [players[(seat + other) % len(players)]["earned_today"] for other in range(len(players))]
    assert seen["earned_today"].tolist() == earned
    assert seen["task_borrow"][0] == (under_way["kind"] == "borrow")
    assert seen["task_rule_of"].tolist() == [store == under_way["rule_of"] for store in STORES]
    extra, packet = table["display_employees"]["extra"], table["employee_packets"]["extra"]
    assert seen["extra_packet"][0] == (0 if extra is None else packet + 1)
    shown = np.zeros(14, int)
    if extra is not None:
        card = game.cards.record.employees[game.cards.employees.index(extra)]
        shown[card.effect] = max(card.amount, card.uses)
    assert seen["extra_employee"].tolist() == shown.tolist()
    sides = {
        ("fresh_fancies", "C"): {"pounds for a space": 9},
        ("fresh_fancies", "D"): {"spaces for 1 piece": 1, "spaces for 3 pieces": 3, "spaces for 5 pieces": 5},
        ("house_of_luxury", "D"): {
            "spaces for fingers": 1,
            "spaces for nuts": 2,
            **{f"set of {kind}": number for number, kinds in ((1, KINDS[2:4]), (2, KINDS[4:6])) for kind in kinds},
            **{f"{kind} in its set": 1 for kind in KINDS[2:6]},
        },
        ("fresh_fancies", "A"): {"spaces for fingers": 1, "spaces for nuts": 1},
        ("palace_boutique", "D"): {},
    }
    entries = next(block.entries for block in game.observation_layout.blocks if block.name == "new_rules")
    for index, (store, side) in enumerate(table["sides"].items()):
        if (store, side) in sides:
            rule = dict(zip(entries, seen["new_rules"][index].tolist(), strict=True))
            assert {name: value for name, value in rule.items() if value} == sides[store, side]


def check_factory(game: Any, player: dict[str, Any], seen: np.ndarray) -> None:
    for slot, part in enumerate(player["factory"]):
        if part is None:
            assert not seen[slot].any()
            continue
        card = game.cards.record.parts[game.cards.parts.index(part)]
        options = np.zeros(11, int)
        for option, place in zip(range(card.num_options), (0, 7), strict=False):
            what = card.options[option]
            options[place : place + what.num_takes] = what.takes[: what.num_takes] + 1
            options[place + 2 : place + 2 + what.num_makes] = what.makes[: what.num_makes] + 1
        assert seen[slot].tolist() == [card.cost, card.function, card.amount, *options]


def check_orders(game: Any, player: dict[str, Any], seen: dict[str, np.ndarray]) -> None:
    for place, order in enumerate(player["orders"][: len(seen["orders"])]):
        if order is None:
            assert not any(tensor[place].any() for tensor in seen.values())
            continue
        card = game.cards.record.orders[game.cards.orders.index(order)]
        for stage in range(card.num_stages):
            assert seen["orders"][place][stage].tolist() == card.stages[stage].pieces[2:].tolist()
            assert seen["order_pay"][place][stage] == card.stages[stage].pay
        assert seen["order_stage"][place] == player["stage"][place]


def check_employee(game: Any, player: dict[str, Any], seen: np.ndarray) -> None:
    if player["employee"] is None:
        assert not seen.any()
        return
    card = game.cards.record.employees[game.cards.employees.index(player["employee"])]
    assert np.flatnonzero(seen[:14]).tolist() == [card.effect]
    assert seen[card.effect] == max(card.amount, card.uses)
    assert np.flatnonzero(seen[14:19]).tolist() == ([] if card.store < 0 else [card.store])
    assert seen[19] == player["uses"]


def test_the_solo_game_shows_what_the_face_up_cards_ask_for_together() -> None:
    """SOLO-3, SOLO-7, SOLO-8"""
    game = load(num_players=1, difficulty=3)
    cards = game.cards
    for state, _ in steps(game, 2):
        table, seen = game.to_dict(state), raw_tensors(game, state, 0)
        rows = [cards.record.targets[cards.targets.index(table["target"])]]
        face_up = table["demands"][: table["face_up"]]
        rows += [cards.record.demands[cards.demands.index(demand)] for demand in face_up]
        assert seen["money_needed"][0] == sum(row.money for row in rows)
        assert seen["orders_needed"].tolist() == np.sum([row.orders for row in rows], axis=0).tolist()
        assert seen["steps_needed"].tolist() == np.sum([row.steps for row in rows], axis=0).tolist()
        shown = [[row.open_boxes, row.open_steps] for row in rows]
        assert seen["open_boxes"][: len(rows)].tolist() == shown
        assert not seen["open_boxes"][len(rows) :].any()
        assert not seen["chocolate_orders"][len(rows) :].any()
        delivered = [card for card, row in enumerate(seen["chocolate_orders"]) if row[-1]]
        assert delivered == flagged(table["delivered"])
        assert seen["satisfied"][0] == (table["players"][0]["money"] >= seen["money_needed"][0])


def test_an_order_on_offer_shows_its_stages() -> None:
    """CLEAN-3"""
    game = load(num_players=2)
    offers = 0
    for seed in range(20) if COMPILED else (3, 5):  # of the first 20 random games five are offered orders
        for state, action in steps(game, seed):
            if action < 0 or game.decode(action)[0] != "choose_order":
                continue
            offers += 1
            seen, offer = raw_tensors(game, state, 1), game.to_dict(state)["offer"]
            for first, size in zip((0, 1, 3), SIZES, strict=True):
                card = game.cards.record.orders[game.cards.orders.index(offer[size])]
                for stage in range(card.num_stages):
                    assert seen["offer"][first + stage].tolist() == card.stages[stage].pieces[2:].tolist()
                    assert seen["offer_pay"][first + stage] == card.stages[stage].pay
    assert offers


# Players, an option, the names of the blocks that it adds, and the value that is the default.
ADDING: list[tuple[int, dict[str, Any], list[str] | None, dict[str, Any]]] = [
    (1, {"solo_money": "completed"}, ["only_completed", "order_paid"], {"solo_money": "paid"}),
    (2, {"mode": "simultaneous"}, ["shifts", "operated_by", "assigned_to"], {"mode": "turns"}),
    *((players, {"expansion": MASTER_CHOCOLATIER, "sides": "A"}, None, {"expansion": None}) for players in (1, 4)),
]


@pytest.mark.parametrize(("players", "option", "names", "default"), ADDING, ids=str)
def test_an_option_adds_blocks_behind_the_usual_ones(
    players: int, option: dict[str, Any], names: list[str] | None, default: dict[str, Any]
) -> None:
    usual, other = load(num_players=players), load(num_players=players, **option)
    number = len(usual.observation_layout.blocks)
    assert other.observation_layout.blocks[:number] == usual.observation_layout.blocks
    added = [block.name for block in other.observation_layout.blocks[number:]]
    assert added == names if names else added
    assert other.num_actions == usual.num_actions
    assert other.options == {**usual.options, **option}
    assert load(num_players=players, **default).options == usual.options
    with pytest.raises(cf.StateError):
        usual.from_dict(other.to_dict(other.new(1)))
    for state, stranger in ((usual.new(1), other), (other.new(1), usual)):
        with pytest.raises(ValueError, match="state: expected one position of this variant"):
            stranger.render(state)
