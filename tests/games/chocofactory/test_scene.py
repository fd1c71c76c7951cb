"""The picture of the table: every card and every block of the observation is in it, legibly."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chocofactory_games import MASTER_CHOCOLATIER, Position, load, play
from scenes import names, things

import chocofactory_env as cf
from chocofactory_env.core.game import IllegalActionError
from chocofactory_env.drawing import check, svg
from chocofactory_env.drawing.scene import Scene
from chocofactory_env.games.chocofactory.constants import Function
from chocofactory_env.games.chocofactory.display import pictures
from chocofactory_env.games.chocofactory.display.describe_cards import rule_in_words
from chocofactory_env.games.chocofactory.display.facts import part_rule
from chocofactory_env.games.chocofactory.display.question import rest_of
from chocofactory_env.games.chocofactory.display.seen import View
from chocofactory_env.games.chocofactory.view import parts as parts_of
from chocofactory_env.games.chocofactory.words import KINDS, STORES, SYMBOLS
from chocofactory_env.view.layout import wide
from chocofactory_env.view.tree import Face, Tree
from chocofactory_env.view.views import scene_of

MOST = 9_999  # more than a game can make of anything
Json = dict[str, Any]
Change = Callable[[Json], object]


def pictured(game: Any, position: Json, satisfied: Sequence[bool] = (False,) * 5) -> Scene:
    """The spectator's scene of a position that play need not come to."""
    return drawn_of(view_of(game, position, satisfied))


def drawn_of(view: View) -> Scene:
    title, when, signs, groups, _ = parts_of(view)
    return wide(Tree("chocofactory", title, when, len(view.position["players"]), view.viewer, signs, groups))


def view_of(game: Any, position: Json, satisfied: Sequence[bool] = (False,) * 5) -> View:
    sheets, won = [[MOST] * 5] * game.num_players, [False] * game.num_players
    return View(position, game.cards, None, (), sheets, won, satisfied)


def test_on_a_telephone_the_move_comes_first_and_then_the_viewers_own_panel() -> None:
    game, state = Position(num_players=4).phase("run").build()
    for viewer in range(4):
        names = [panel.name.partition(" ·")[0] for panel in scene_of(game, state, viewer).panels]
        assert names[:2] == ["Your move, player 0" if viewer == 0 else "Player 0 to move", f"Player {viewer}"]


@pytest.mark.parametrize(("day", "words"), [(5, "to be replaced"), (6, "completed")])
def test_clean_3_orders_completed_on_the_last_day_are_not_to_be_replaced(day: int, words: str) -> None:
    game, state = Position(num_players=2).phase("fulfil").build()
    position = game.to_dict(state) | {"day": day}
    position["players"][0].update(orders=[None, *position["players"][0]["orders"][1:]], to_replace=1)
    assert f"order 0: {words}" in names(pictured(game, position))


def test_solo_2_and_solo_7_cards_have_the_numbers_that_their_actions_use() -> None:
    game = load(num_players=1)
    position = game.to_dict(game.new(1))
    demands = ["bar-tray", "two-steps-salters_emporium"]
    position.update(target="house-contracts", demands=demands, num_demands=2, face_up=2)
    position["players"][0]["orders"][3:5] = ["tea-room", "barber"]
    drawn = [
        thing.name for thing in things(pictured(game, position)) if thing.name.startswith(("card ", "Special Order "))
    ]
    assert [name.partition(" (")[0].partition(": ")[0] for name in drawn if not name.endswith("completed")] == [
        "Special Order 3", "Special Order 4", "card 0", "card 1", "card 2",
    ]  # fmt: skip
    assert "Salter's Emporium: 2 steps" in next(name for name in drawn if name.startswith("card 2"))
    shown = names(pictured(game, position))
    assert sum(name.startswith(("Special Order 3: Tea Room", "Special Order 4: Barber")) for name in shown) == 2


def test_solo_7_a_card_is_marked_while_its_chocolate_order_is_handed_over_and_no_other() -> None:
    game = load(num_players=1)
    position = game.to_dict(game.new(1))
    marked = []
    for kind in ("place_part", "give_card"):
        position["task"].update(kind=kind, card=1)
        cards = [thing for thing in things(pictured(game, position)) if thing.name.startswith("card ")]
        marked.append([thing.name.partition(" (")[0] for thing in cards if thing.marked])
    assert marked == [[], ["card 1"]]


def test_sim_2_all_seats_that_must_decide_are_to_move() -> None:
    game, state = Position(num_players=3, mode="simultaneous").phase("run").build()
    play(game, state, "end shift")
    position = game.to_dict(state)
    assert position["current"] == 1
    position["players"][2]["operated"][0] = True
    picture = pictured(game, position)
    assert picture.title == "Chocolate Factory · Day 5 of 6 · Run factory"
    shown = names(picture)
    assert [panel.name for panel in picture.panels if panel.owner is not None and "Player" in panel.name][-3:] == [
        "Player 0 · shift 2 · starts", "Player 1 · shift 1", "Player 2 · shift 1"
    ]  # fmt: skip
    assert [name for name in shown if "used this shift" in name] == [
        "slot 0: Roaster, 1 coal: 1 bean → 1 cocoa, used this shift"
    ]
    position.update(phase="fulfil", shift=0, finished=[0, 2])
    assert [panel.name for panel in pictured(game, position).panels if "to move" in panel.name][1:] == [
        "Player 1 · to move"
    ]


# --- limits


@pytest.mark.parametrize("players", [2, 4])
def test_numbers_of_any_size_are_legible(players: int) -> None:
    game, state = Position(num_players=players).phase("cleanup").build()
    position = game.to_dict(state)
    for one in position["players"]:
        one.update(coal=MOST, money=MOST, earned_today=MOST, completed=dict.fromkeys(one["completed"], 18))
        for place in one["pieces"].values():
            place.update(dict.fromkeys(KINDS, MOST))
    picture = pictured(game, position)
    assert check.faults(picture) == []
    assert any(f"{MOST} caramel" in thing.name for thing in things(picture))


def chunks(cards: Sequence[Any], size: int) -> Iterator[list[Any]]:
    """All cards, so many at a time; the last ones again where there are too few."""
    for first in range(0, len(cards), size):
        yield list(cards[-size:] if first + size > len(cards) else cards[first : first + size])


def positions_with_every_card(game: Any) -> Iterator[Json]:
    """Positions that play need not come to: each card of the deck at every place where it may be seen."""
    cards, position = game.cards, game.to_dict(game.new(1))
    order_of = dict(zip(cards.orders, cards.array["orders"][0]["deck"].tolist(), strict=False))
    for parts in chunks(cards.parts, 8):
        position["display_parts"] = parts[:5]
        for one in position["players"]:
            one.update(factory=parts, assigned=3, operated=[slot in (1, 2, 3) for slot in range(8)])
        yield position
        yield position | {"phase": "run", "current": 0, "shift": 4}
    decks = position["display_employees"]
    rows = cards.array["employees"][0]["store"].tolist()
    for employee, store in zip(cards.employees, rows, strict=False):
        decks[list(decks)[store]] = employee
        for one in position["players"]:
            one.update(employee=employee, uses=9, supplied=dict.fromkeys(STORES, False))
        yield position
        for one in position["players"]:
            one["supplied"]["dunstan_gilberts"] = True
        yield position | {"phase": "agents"}
    position["phase"] = "fulfil"
    for orders in chunks([order for order in cards.orders if order_of[order] == 2], 3):
        position["offer"] = dict(zip(position["offer"], orders, strict=True))
        for one in position["players"]:
            one.update(orders=[*orders, None, None, None], stage=[2] * 6)
        yield position | {"phase": "replace"}
    for side in "ABCD":
        yield position | {"sides": dict.fromkeys(position["sides"], side)}
    for card in cards.demands if game.num_players == 1 else ():
        position.update(demands=[card] * len(position["demands"]), face_up=2)
        yield position
    for card in cards.targets if game.num_players == 1 else ():
        position["target"] = card
        yield position


@pytest.mark.parametrize("players", [1, 3, 4])  # two players' panels are as high as one's
def test_every_card_of_the_shipped_deck_is_legible_wherever_it_is_seen(players: int) -> None:
    game = load(num_players=players, expansion=MASTER_CHOCOLATIER, start_player=0)
    for position in positions_with_every_card(game):
        assert check.faults(pictured(game, position)) == []


def with_assignments(game: Any, parts: Sequence[Any]) -> Scene:
    """The parts in the factory of seat 0, which may assign its employee to any of them."""
    position = game.to_dict(game.new(1)) | {"phase": "run", "current": 0, "shift": 1}
    position["players"][0].update(employee="mechanic", factory=parts)
    assigning = [game.action_layout.encode("assign", slot) for slot in range(8)]
    sheets, won = [[MOST] * 5] * game.num_players, [False] * game.num_players
    return drawn_of(View(position, game.cards, 0, assigning, sheets, won, (False,) * 5))


@pytest.mark.parametrize("players", [1, 3, 4])
def test_options_as_long_as_a_deck_may_have_are_shown_in_full(players: int, tmp_path: Path) -> None:
    deck = cf.generate_deck("chocofactory", 115, stray=1)
    first = {"takes": ["any", "refined"], "makes": ["any", "bar", "wrapped", "refined", "any"]}
    second = first | {"makes": ["refined", "any"]}
    converters = [part for part in deck.tables["parts"] if part["function"] == "converter"]
    for part in converters[::2]:
        part["options"] = [first, second]
    deck.save(tmp_path / "long.toml")
    game = load(deck=str(tmp_path / "long.toml"), num_players=players, start_player=0)
    for parts in chunks(game.cards.parts, 8):
        assert check.faults(with_assignments(game, parts)) == []


# --- every block of the observation has its place


def drawn(game: Any, position: Json, satisfied: Sequence[bool] = (False,) * 5) -> str:
    """What a reader sees: the lines and marks without the names that only screen readers tell."""
    return svg.draw(pictured(game, position, satisfied))


@cache
def base(name: str) -> tuple[Any, Json]:
    """A position to change a block of, and its game."""
    if name == "solo":
        game = load(num_players=1)
        return game, game.to_dict(game.new(1))
    if name == "draft":
        game = load(num_players=2, expansion=MASTER_CHOCOLATIER, start_player=0)
        return game, game.to_dict(game.new(1))
    position = Position(expansion=MASTER_CHOCOLATIER, sides="DADAA").phase("run")
    position.player(0, employee="mechanic", belt={0: {"bean": 2}, 1: {"cocoa": 1}}, store_room={"nuts": 2, "boxed": 1})
    for seat in (0, 1):
        position.player(seat, tracks={"fresh_fancies": 2}, arrivals={"fresh_fancies": 1 + seat})
    game, state = position.build()
    data = game.to_dict(state)
    if name == "task":
        data["task"] |= {"kind": "convert_take", "slot": 0, "tile": 0, "option": 0, "left": 1}
        data["task"]["open"]["bean"] = 1
    elif name == "placing":
        data["task"] |= {"kind": "place_part", "card": game.cards.parts.index("nut-coater")}
    return game, data


def entry(*path: Any, to: Any) -> Change:
    """Sets an entry of a position."""

    def change(position: Json) -> None:
        place: Any = position
        for key in path[:-1]:
            place = place[key]
        assert place[path[-1]] != to, path
        place[path[-1]] = to

    return change


def player(*path: Any, to: Any) -> Change:
    return entry("players", 0, *path, to=to)


def under_way(*path: Any, to: Any) -> Change:
    return entry("task", *path, to=to)


def swap(packets: dict[str, int], deck: str = "fresh_fancies") -> None:
    packets[deck] = 1 - packets[deck]


def swap_arrivals(position: Json) -> None:
    """Who came later to the same space now came first."""
    first, second = (one["arrival"] for one in position["players"])
    store = "fresh_fancies"
    assert first[store] != second[store]
    first[store], second[store] = second[store], first[store]


ORDER, DEMAND = "grand-hotel", "ten-pounds-more"
# Block -> a base position, and changes of what it shows, each of which must be seen.
CHANGES: dict[str, tuple[str, tuple[Change, ...]]] = {
    "day": ("run", (entry("day", to=3),)),
    "phase": ("run", tuple(entry("phase", to=phase) for phase in ("fulfil", "agents", "cleanup", "replace"))),
    "shift": ("run", (entry("shift", to=2),)),
    "to_move": ("run", (entry("current", to=1),)),
    "start_player": ("run", (entry("start_player", to=1),)),
    "drafted": ("draft", (player("part_drafted", to=True), player("employee", to="miner"))),
    "task": ("task", tuple(under_way("kind", to=task) for task in ("convert_make", "repeat_take", "leave_out"))),
    "task_part": ("placing", (under_way("card", to=3),)),
    "task_slot": ("task", (under_way("slot", to=1),)),
    "task_tile": ("task", (under_way("tile", to=1),)),
    "task_order": ("task", (under_way("order", to=1),)),
    "task_store": ("task", (under_way("store", to="fresh_fancies"),)),
    "task_points": ("task", (under_way("points", to=2),)),
    "task_left": ("task", (lambda position: position["task"].update(left=2, open=dict.fromkeys(SYMBOLS, 0)),)),
    "task_last": ("task", (under_way("last_take", to="cocoa"), under_way("last_make", to="nuts"))),
    "task_open": ("task", tuple(under_way("open", symbol, to=2) for symbol in SYMBOLS)),
    "task_given": ("task", tuple(under_way("given", kind, to=1) for kind in KINDS)),
    "task_borrow": ("task", (under_way("kind", to="borrow"),)),
    "task_rule_of": ("task", (under_way("rule_of", to="fresh_fancies"),)),
    "display_parts": ("draft", tuple(entry("display_parts", place, to=None) for place in range(5))),
    "part_packets": ("draft", (entry("part_packets", 0, to=1),)),
    "display_employees": ("draft", (entry("display_employees", "fresh_fancies", to=None),)),
    "employee_packets": ("draft", (lambda position: swap(position["employee_packets"]),)),
    "extra_employee": ("draft", (entry("display_employees", "extra", to=None),)),
    "extra_packet": ("draft", (lambda position: swap(position["employee_packets"], "extra"),)),
    "operated": ("run", tuple(player("operated", slot, to=True) for slot in range(3))),
    "assigned": ("run", tuple(player("assigned", to=slot) for slot in range(3))),
    "factories": ("run", tuple(player("factory", slot, to="gift-packer") for slot in range(8))),
    "belts": ("run", tuple(player("pieces", f"tile {tile}", kind, to=7) for tile in range(4) for kind in KINDS)),
    "store_rooms": ("run", tuple(player("pieces", "store room", kind, to=7) for kind in KINDS)),
    "coal": ("run", (player("coal", to=57),)),
    "money": ("run", (player("money", to=57),)),
    "earned_today": ("run", (player("earned_today", to=57),)),
    "orders": ("run", tuple(player("orders", place, to=ORDER) for place in range(3))),
    "order_pay": ("run", (player("orders", 0, to=ORDER),)),
    "order_stage": ("run", (player("stage", 2, to=1),)),
    "completed": ("run", tuple(player("completed", size, to=7) for size in ("small", "medium", "large"))),
    "tracks": ("run", tuple(player("track", "fresh_fancies", to=space) for space in (1, 9))),
    "arrivals": ("run", (swap_arrivals,)),
    "supplied": ("run", (player("supplied", "fresh_fancies", to=True),)),
    "employees": ("run", (player("employee", to="packer"), player("uses", to=7))),
    "store_rules": ("run", (entry("sides", "fresh_fancies", to="B"),)),
    "new_rules": ("run", tuple(entry("sides", "fresh_fancies", to=side) for side in "CD")),
    "offer": (
        "run",
        (lambda position: position.update(phase="replace", offer=position["offer"] | {"small": "barber"}),),
    ),
    "offer_pay": ("run", (lambda position: position.update(phase="replace"),)),
    "order_decks": ("run", tuple(entry("order_decks", size, "count", to=0) for size in ("small", "medium", "large"))),
    "money_needed": ("solo", (entry("demands", 0, to=DEMAND),)),
    "orders_needed": ("solo", (entry("target", to="steady-custom"),)),
    "steps_needed": ("solo", (entry("demands", 0, to="two-steps-dunstan_gilberts"),)),
    "open_boxes": ("solo", (entry("target", to="grand-tour"),)),
    "chocolate_orders": ("solo", (entry("demands", 0, to="bar-tray"), entry("delivered", 0, to=True))),
}


def blocks() -> set[str]:
    games = [load(num_players=players, expansion=name) for players in (1, 2) for name in (None, MASTER_CHOCOLATIER)]
    return {name for game in games for name in game.observation_layout.offset_of}


def test_every_block_of_the_observation_is_looked_for() -> None:
    assert blocks() == set(CHANGES) | {"satisfied"}


@pytest.mark.parametrize("block", CHANGES)
def test_what_the_observation_shows_is_seen(block: str) -> None:
    name, changes = CHANGES[block]
    game, before = base(name)
    seen = drawn(game, before)
    for number, change in enumerate(changes):
        after = copy.deepcopy(before)
        change(after)
        assert drawn(game, after) != seen, f"change {number}"


def test_what_of_the_solo_game_is_satisfied_is_seen() -> None:
    game, position = base("solo")
    seen = {drawn(game, position, [place == number for place in range(5)]) for number in range(5)}
    assert len(seen | {drawn(game, position)}) == 6


def test_solo_4_the_week_names_the_employee_who_is_not_on_the_display() -> None:
    _, position = base("solo")
    gone = [deck for deck, employee in position["display_employees"].items() if employee is None]
    game, state = Position(num_players=1).phase("run", day=1).build()
    week = scene_of(game, state, 0)
    (today,) = [thing.name for thing in things(week) if thing.name.startswith("day 1") and thing.marked]
    assert gone == ["dunstan_gilberts"]
    assert today == "day 1 (today): 5 coal, without Dunstan & Gilbert's"


# --- pictograms


def test_every_kind_has_a_shape_and_a_colour_of_its_own() -> None:
    assert len({shape for shape, _ in pictures.MARKS.values()}) == len(pictures.MARKS)
    assert len({pictures.MARKS[kind][1] for kind in KINDS}) == len(KINDS)


def numbers_in(face: Face) -> set[str]:
    return {
        number
        for number in " ".join(face).replace("£", " ").replace(":", " ").replace(",", " ").split()
        if number.isdigit()
    }


def test_rules_of_stores_in_pictograms_have_the_numbers_of_the_rules_in_words() -> None:
    cards = load(num_players=2, expansion=MASTER_CHOCOLATIER).cards
    for rule in cards.record.stores.reshape(-1):
        words = rule_in_words(rule).replace(";", " ").replace(",", " ").replace("£", " ")
        spaces = {word for word in words.split() if word.isdigit() and word != "1"}
        missing = spaces - numbers_in(pictures.rule_words(rule))
        assert not missing - {str(rule.most_pieces), str(max(rule.set_pieces))}, words


def test_spaces_and_pieces_are_counted_in_words() -> None:
    rule = load(num_players=2).cards.record.stores[0, 0].copy()
    assert pictures.rule_words(rule)[-1] == "each = 1 space"
    rule.spaces[:] = 2
    assert pictures.rule_words(rule)[-1] == "each = 2 spaces"
    task = {"open": dict.fromkeys(SYMBOLS, 0), "left": 2, "points": 0}
    assert rest_of(task) == ["still 2 pieces"]
    assert rest_of(task | {"left": 1, "points": 2}) == ["still 1 piece", "2 upgrade steps left"]


def test_parts_show_all_that_they_take_and_make() -> None:
    cards = load(num_players=2, expansion=MASTER_CHOCOLATIER).cards
    for part in cards.record.parts[: cards.record.num_parts]:
        if part.function != Function.CONVERTER:
            continue
        for option, words in zip(part.options[: part.num_options], pictures.part_words(part), strict=True):
            arrow = words.index(pictures.ARROW)
            assert words[:arrow] == [f":{SYMBOLS[symbol]}" for symbol in option.takes[: option.num_takes]]
            if option.num_makes:
                assert words[arrow + 1 :] == [f":{SYMBOLS[symbol]}" for symbol in option.makes[: option.num_makes]]


# --- the log


def log(game: Any, state: np.ndarray, *said: str) -> list[str]:
    """Plays actions told in words, and returns the lines of the log."""
    lines = []
    for words in said:
        (action,) = (
            action for action in np.flatnonzero(game.legal_mask(state)).tolist() if game.describe(action) == words
        )
        lines.append(game.move_in_words(state, action))
        play(game, state, words)
    return lines


def test_the_log_tells_what_parts_do() -> None:
    factory: dict[int, str | None] = {0: "roast-or-mould", 1: "upgrader"}
    position = Position(play_forced=False).phase("run").player(0, coal=9, factory=factory, belt={0: {"bean": 2}})
    said = log(*position.build(), "operate slot 0", "option 0", "take bean", "make cocoa", "end shift")
    assert said == [
        "Player 0 operates slot 0: Roast or Mould",
        "Player 0 chooses bean → cocoa",
        "Player 0 puts 1 bean into the Roast or Mould",
        "Player 0 makes 1 cocoa",
        "Player 0 ends shift 1",
    ]


def test_the_log_tells_what_a_stage_pays() -> None:
    position = Position().phase("fulfil").player(
        0, employee="salesman", store_room={"caramel": 1, "nuts": 1}, orders=[("tea-room", 0)]
    )  # fmt: skip
    said = log(*position.build(), "fulfil order 0", "finish orders")
    assert said == [
        "Player 0 completes stage 1 of Tea Room with 1 caramel + 1 nut for £8",
        "Player 0 finishes the orders of the day",
    ]


def test_the_log_tells_what_employees_do() -> None:
    position = Position().phase("fulfil").player(0, employee="clerk", orders=[("tea-room", 0), ("bakery", 0)])
    said = log(*position.build(), "use employee", "fulfil order 0")
    assert said == ["Player 0 uses the Clerk", "Player 0 skips stage 1 of Tea Room"]


def test_a_move_that_is_not_legal_has_no_words() -> None:
    game = load(num_players=2)
    state = game.new(1)
    for action in (-1, game.num_actions, game.action_layout.encode("end_shift")):
        with pytest.raises(IllegalActionError, match="illegal action"):
            game.move_in_words(state, action)


def test_a_part_cites_the_clause_of_what_it_does() -> None:
    """PART-1, PART-5, PART-6; a published part cites its own clause."""
    cards = load(num_players=2).cards
    cited = {cards.names[part]: part_rule(cards, part) for part in cards.parts if part}
    expected = {
        "Roaster": "PART-7",
        "Double Upgrader": "PART-5",
        "Doubler": "PART-6",
        "Twin Mould": "PART-1",
        "Straight to Box": "PART-8.3",
    }
    assert expected.items() <= cited.items()
