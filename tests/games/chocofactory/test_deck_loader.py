"""A deck with a mistake is refused with a message that says where it is, what was expected and what is there."""

from __future__ import annotations

import copy
import random
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from damaged_decks import Tables, write
from hypothesis import given, settings
from hypothesis import strategies as st
from long_runs import amount
from random_decks import EXPANDED, EXPANSION, SHIPPED
from repository import ROOT

import chocofactory_env as cf
from chocofactory_env.core.cards.checks import Place
from chocofactory_env.core.errors import DeckError
from chocofactory_env.games.chocofactory.cards import (
    EXPANSIONS,
    Cards,
    load_cards,
)
from chocofactory_env.games.chocofactory.deck_schema import CHECKS, EXPANSION_CHECKS
from chocofactory_env.games.chocofactory.display.describe_cards import describe
from chocofactory_env.games.chocofactory.game import ChocolateFactory

NAME = EXPANSION
DECKS = amount("CF_DECKS", 50, 1_000)  # with mistakes drawn at random


def load(folder: Path, tables: Tables, expansion: str | None = None) -> Cards:
    return load_cards(write(folder / "my_deck.toml", tables), expansion)


def find(tables: Tables, table: str, identifier: str) -> Any:
    return next(record for record in tables[table] if record["id"] == identifier)


# --- decks that are fine


def test_a_deck_written_anew_is_the_same_deck(tmp_path: Path) -> None:
    cards = load(tmp_path, SHIPPED)
    assert cards.hash == load_cards().hash
    assert cards.array.tobytes() == load_cards().array.tobytes()


def test_a_table_in_the_deck_replaces_the_shipped_one(tmp_path: Path) -> None:
    orders = copy.deepcopy(SHIPPED["orders"])
    orders[0]["stages"][0]["pay"] = 9
    cards = load(tmp_path, {"orders": orders})
    assert cards.record.orders[0].stages[0].pay == 9
    assert cards.parts == load_cards().parts


def test_an_empty_deck_is_the_shipped_one(tmp_path: Path) -> None:
    assert load(tmp_path, {}).hash == load_cards().hash


def test_sizes_of_the_order_decks_may_vary(tmp_path: Path) -> None:
    """SET-3: 18 of each size is a ruling."""
    tables = copy.deepcopy(SHIPPED)
    order = find(tables, "orders", "bakery")
    order["size"] = "medium"
    order["stages"].append({"pieces": {"boxed": 2}, "pay": 12})
    cards = load(tmp_path, tables)
    assert [sum(o["deck"] == size for o in cards.record.orders[:54]) for size in range(3)] == [17, 19, 18]
    assert cards.orders.index("bakery") == 17  # medium orders come after the small ones, in the file's order


def test_the_split_of_the_factory_manager_cards_may_vary(tmp_path: Path) -> None:
    """SOLO-1: 8 targets and 18 demands are a ruling."""
    tables = copy.deepcopy(SHIPPED)
    tables["demands"].append(tables["targets"].pop(1))
    cards = load(tmp_path, tables)
    assert (cards.record.num_targets, cards.record.num_demands) == (7, 19)


def test_the_hash_covers_what_influences_play_and_nothing_else(tmp_path: Path) -> None:
    shipped = load_cards().hash

    def changed(change: Callable[[Tables], Any]) -> str:
        tables = copy.deepcopy(SHIPPED)
        change(tables)
        return load(tmp_path, tables).hash

    assert changed(lambda t: t["parts"][5].update(name="Another Name", note="A note.")) == shipped
    assert changed(lambda t: t["parts"][5].update(source="help", reconstructed=["cost", "options"])) == shipped
    assert (
        changed(lambda t: (t["parts"][5].pop("reconstructed"), t["parts"][5].update(source="reconstructed"))) == shipped
    )
    assert changed(lambda t: t["stores"].reverse()) == shipped
    assert changed(lambda t: t["parts"][5]["options"][1]["makes"].reverse()) == shipped
    assert changed(lambda t: t["parts"][5].update(id="another-id")) != shipped
    assert changed(lambda t: t["parts"][5].update(cost=2)) != shipped
    assert changed(lambda t: t["parts"][5]["options"].reverse()) != shipped
    assert changed(lambda t: t["orders"].reverse()) != shipped
    assert changed(lambda t: t["setup"][0].update(coal=[5, 6, 7, 8, 9, 11])) != shipped
    assert changed(lambda t: t["demands"][0]["stores"].update(palace_boutique=3)) != shipped


# --- an expansion


def test_the_expansion_is_a_folder_of_tables() -> None:
    assert EXPANSIONS == (NAME,)


def test_an_expansion_written_anew_is_the_same_and_not_in_play_without_being_asked_for(tmp_path: Path) -> None:
    cards = load(tmp_path, EXPANDED, NAME)
    assert cards.hash == load_cards(None, NAME).hash != load_cards().hash
    assert cards.array.tobytes() == load_cards(None, NAME).array.tobytes()
    assert load(tmp_path, EXPANDED).array.tobytes() == load_cards().array.tobytes()
    assert load(tmp_path, EXPANDED).hash == load_cards().hash


def test_a_table_of_the_expansion_replaces_the_shipped_one(tmp_path: Path) -> None:
    stores = copy.deepcopy(EXPANDED[NAME]["stores"])
    find({"stores": stores}, "stores", "fresh_fancies-c")["pounds"] = 11
    cards = load(tmp_path, {NAME: {"stores": stores}}, NAME)
    assert cards.record.stores[1, 2].per == 11
    assert cards.hash != load_cards(None, NAME).hash


def all_by_money(stores: list[dict[str, Any]]) -> None:
    """MC-7: a draw needs one of these sides, however many of them go by the day's money."""
    about = ("id", "name", "store", "side", "source")
    stores[:] = [{key: store[key] for key in about} | {"pattern": "day_money", "pounds": 9} for store in stores]


def none_but_by_money(tables: Tables) -> None:
    tables["expansion"][0].update(most_money_sides=0)
    all_by_money(tables["stores"])


def test_the_draw_of_sides_keeps_to_the_deck(tmp_path: Path) -> None:
    """MC-3, MC-7: one side of ten does not go by the day's money, and none of the others may be drawn."""
    tables = copy.deepcopy(EXPANDED[NAME])
    kept = tables["stores"][7]
    all_by_money(tables["stores"])
    tables["stores"][7] = kept
    tables["expansion"][0]["most_money_sides"] = 0
    path = tmp_path / "own.toml"
    write(path, {NAME: tables})
    game = cf.load("chocofactory", num_players=2, expansion=NAME, deck=str(path))
    drawn = {"".join(game.to_dict(game.new(seed))["sides"].values()) for seed in range(30)}
    assert {sides[3] for sides in drawn} == {"D"}
    assert {letter for sides in drawn for letter in sides[:3] + sides[4:]} == {"A", "B"}


MISTAKES_IN_THE_EXPANSION = [
    (
        lambda t: t["stores"].pop(),
        ": master_chocolatier.stores: expected side D of dunstan_gilberts once, got it 0 times",
    ),
    (lambda t: t["stores"][0].update(side="A"), "'palace_boutique-c': side: expected one of C, D, got 'A'"),
    (lambda t: t["stores"][0].update(pounds=0), "pounds: expected an integer 1..30, got 0"),
    (lambda t: t["stores"][0].update(accepts=["refined"]), "accepts: expected no such field; the fields are"),
    (lambda t: t["stores"][1].update(pattern="exact_mix"), "pattern: expected one of any_mix,"),
    (lambda t: t["stores"][3].update(spaces_by_number=[1, 0]), "spaces_by_number[1]: expected the last number to"),
    (lambda t: t["stores"][3].update(spaces_by_number=[1] * 6), "expected a list of 1 to 5 entries"),
    (
        lambda t: t["stores"][5].update(accepts=["bar"]),
        "spaces_by_number: expected at most 2 entries, one for each kind",
    ),
    (lambda t: t["stores"][7]["sets"].append({"pieces": {"nuts": 2}, "spaces": 1}), "in no earlier set, got nuts"),
    (lambda t: t["stores"][7]["sets"][0]["pieces"].update(cocoa=1), "pieces: expected keys that are one of chunks,"),
    (lambda t: t["employees"][0].update(store="fresh_fancies"), "'owner': store: expected no such field"),
    (lambda t: t["employees"][0].update(effect="double_supply"), "'owner': effect: expected one of coal,"),
    (lambda t: t["employees"][0].update(count=1), ".employees: expected 6 employees, got 5"),
    (lambda t: t["parts"].pop(), ".parts: expected 2 parts of the deck of 'B', got 1"),
    (lambda t: t["parts"][0].update(deck="printed"), "deck: expected 'A' or 'B', got 'printed'"),
    (lambda t: t["parts"][0].update(options=[{"moves": "sugar"}]), "moves: expected one of bean,"),
    (lambda t: t["parts"][0].update(options=[{"moves": "any", "makes": ["any"]}]), "makes: expected no such field"),
    (lambda t: t["parts"][0].update(id="chute"), "'chute': id: expected an id that no other card of the deck has"),
    (lambda t: t["expansion"][0].update(new_parts=3), "new_parts: expected an integer 0..2, got 3"),
    (lambda t: t["expansion"][0].update(new_parts=1), ".parts: expected 1 parts of the deck of 'A', got 2"),
    (
        lambda t: t["expansion"][0]["employee_packets"].update({"2": [3, 2]}),
        "expected sizes that add up to 6, got [3, 2]",
    ),
    (lambda t: t["expansion"][0].update(id="another"), "id: expected 'master_chocolatier', got 'another'"),
    (lambda t: t["expansion"][0].update(sides=["D", "C"]), "sides: expected ['C', 'D'], got others"),
    (
        none_but_by_money,
        "'master_chocolatier': most_money_sides: expected at least 1, because all new sides go by the day's money",
    ),
    (lambda t: t["employees"][0].update(effect="other_store", uses=1), "'owner': effect: expected one of coal,"),
    (lambda t: t["employees"][2].update(amount=2), "'prodigy': amount: expected an integer 1..1, got 2"),
    (lambda t: t["expansion"].append(t["expansion"][0]), "master_chocolatier.expansion: expected 1 table, got 2"),
    (
        lambda t: t.update(orders=[]),
        "orders: expected no such table; the tables are expansion, parts, employees, stores",
    ),
]


@pytest.mark.parametrize(
    ("change", "said"), MISTAKES_IN_THE_EXPANSION, ids=[said for _, said in MISTAKES_IN_THE_EXPANSION]
)
def test_a_mistake_in_the_expansion_is_refused(tmp_path: Path, change: Change, said: str) -> None:
    tables = copy.deepcopy(EXPANDED[NAME])
    change(tables)
    with pytest.raises(DeckError, match=re.escape(said)):
        load(tmp_path, {NAME: tables}, NAME)


@pytest.mark.parametrize("pattern", ["by_number", "in_order", "sets", "day_money", "other_store"])
def test_sides_of_the_base_game_cannot_have_the_expansions_rules(tmp_path: Path, pattern: str) -> None:
    """Its observations would not show them."""
    stores = copy.deepcopy(SHIPPED["stores"])
    stores[0]["pattern"] = pattern
    with pytest.raises(DeckError, match="pattern: expected one of any_mix, one_kind, all_different, one_stage, got"):
        load(tmp_path, {"stores": stores})


def test_an_expansion_that_does_not_fit_the_deck_is_told_on_its_page(tmp_path: Path) -> None:
    parts = copy.deepcopy(SHIPPED["parts"])
    parts[5]["id"] = "carrier"
    load(tmp_path, {"parts": parts})
    page = describe(str(tmp_path / "my_deck.toml"))
    assert (
        f"With the expansion `{NAME}` this deck cannot be played: {NAME}/parts.toml: {NAME}.parts 'carrier': id:"
        in page
    )


def test_employees_may_all_be_different(tmp_path: Path) -> None:
    """SET-4, MC-5: 41 with the expansion's."""
    tables = copy.deepcopy(EXPANDED)
    for content in (tables, tables[NAME]):
        content["employees"] = [
            {**employee, "id": f"{employee['id']}-{copy}", "count": 1}
            for employee in content["employees"]
            for copy in range(employee["count"])
        ]
    cards = load(tmp_path, tables, NAME)
    assert len(cards.employees) == cards.record.num_employees == 41
    assert cards.record.employees[40].store == -1


def test_the_largest_prizes_add_up(tmp_path: Path) -> None:
    """END-2, END-3, END-4: also where the rules run uncompiled, as NumPy's numbers of few bits."""
    setup = {**SHIPPED["setup"][0], "store_prizes": [99] * 3, "most_orders_prize": 99, "variety_prizes": [99] * 6}
    path = tmp_path / "my_deck.toml"
    write(path, {"setup": [setup]})
    game = ChocolateFactory(path)
    state = game.new(1)
    player = state["players"][0, 0]
    player["track"], player["arrival"], player["completed"] = 9, range(1, 6), 1
    assert game.score_sheets(state)[0, 1:4].tolist() == [99, 5 * 99, 99]
    assert game.standings(state)[0] == 7 * 99


# --- what observations can show


@pytest.mark.parametrize(
    ("coal", "gifts", "said"),
    [
        ([48, 0, 0, 0, 0, 0], [2, 4], None),
        ([49, 0, 0, 0, 0, 0], [2, 4], "49 + 12"),
        ([6, 6, 6, 6, 6, 6], [4, 4, 4], None),
        ([6, 6, 6, 6, 6, 6], [4, 4, 4, 4], None),  # a player has six employees in six days
        ([6, 6, 6, 6, 6, 7], [4, 4, 4, 4], "37 + 24"),
        ([6, 6, 6, 6, 6, 6], [1, 5, 4, 4], "36 + 26"),
    ],
)
def test_a_deck_gives_no_more_coal_than_an_observation_shows(
    tmp_path: Path, coal: list[int], gifts: list[int], said: str | None
) -> None:
    """PREP-1, DRAFT-5: two employees each with these gifts."""
    tables = copy.deepcopy(SHIPPED)
    tables["setup"][0]["coal"] = coal
    for identifier, gift in zip(("miner", "expert-miner", "salesman", "mechanic"), gifts, strict=False):
        employee = find(tables, "employees", identifier)
        employee.pop("uses", None)
        employee.update(effect="coal", amount=gift)
    if said is None:
        assert list(load(tmp_path, tables).record.coal) == coal
        return
    expected = f"coal: expected at most 60 on 6 days, the largest gifts included, got {said}"
    with pytest.raises(DeckError, match=re.escape(expected)):
        load(tmp_path, tables)


def test_the_expansions_gifts_of_coal_count_where_it_is_in_play(tmp_path: Path) -> None:
    """MC-5"""
    employees = copy.deepcopy(EXPANDED[NAME]["employees"])
    employees[0] = {**COMMON, "id": "owner", "effect": "coal", "amount": 4, "count": 2}
    setup = {**SHIPPED["setup"][0], "coal": [5, 6, 7, 8, 9, 11]}
    load(tmp_path, {"setup": [setup], NAME: {"employees": employees}})
    with pytest.raises(DeckError, match=re.escape("coal: expected at most 60 on 6 days, the largest gifts")):
        load(tmp_path, {"setup": [setup], NAME: {"employees": employees}}, NAME)


COMMON = {"name": "A card", "source": "reconstructed"}


def manager_cards(targets: int, demands: int, most: dict[str, Any]) -> Tables:
    """So many cards of each, of which all targets and 18 demands ask for `most`, and the rest for £1."""
    least = {"money": 1}
    return {
        "targets": [{**COMMON, "id": f"target-{n}", **most} for n in range(targets)],
        "demands": [{**COMMON, "id": f"demand-{n}", **(most if n < 18 else least)} for n in range(demands)],
    }


@pytest.mark.parametrize("split", [(8, 18), (1, 25)])
@pytest.mark.parametrize(
    ("asked", "field", "said"),
    [
        ({"money": 13}, None, ""),
        ({"money": 14}, "money: expected at most 250", "266"),
        ({"orders": {"small": 1, "medium": 1, "large": 1, "any": 1}}, None, ""),
        ({"orders": {"small": 1, "any": 2}}, "orders.any: expected at most 20", "38"),
        ({"stores": {"palace_boutique": 1, "dunstan_gilberts": 1}}, None, ""),
        ({"stores": {"palace_boutique": 1, "dunstan_gilberts": 2}}, "stores.dunstan_gilberts: expected at most", "38"),
    ],
)
def test_a_week_asks_for_no_more_than_an_observation_shows(
    tmp_path: Path, split: tuple[int, int], asked: dict[str, Any], field: str | None, said: str
) -> None:
    """SOLO-1, SOLO-8: a target and as many demands as can be dealt."""
    tables = manager_cards(*split, asked)
    if field is None:
        assert load(tmp_path, tables).record.num_demands == split[1]
        return
    with pytest.raises(
        DeckError, match=f"targets and demands: {field}.*on a target and 18 demands together, got {said}"
    ):
        load(tmp_path, tables)


# --- mistakes in a table

Change = Callable[[Tables], Any]


def at(table: str, identifier: str, **fields: Any) -> Change:
    return lambda tables: find(tables, table, identifier).update(fields)


def without(table: str, identifier: str, field: str) -> Change:
    return lambda tables: find(tables, table, identifier).pop(field)


def option(**fields: Any) -> Change:
    """A part with one option, of which these fields are changed."""
    return at("parts", "bean-moulder", options=[{"takes": ["bean"], "makes": ["bar"], **fields}])


def stage(**fields: Any) -> Change:
    return at("orders", "bakery", stages=[{"pieces": {"chunks": 3}, "pay": 6, **fields}])


def chocolate(**fields: Any) -> Change:
    return at("demands", "bar-tray", chocolate_order=fields)


def drop(table: str, identifier: str) -> Change:
    return lambda tables: tables[table].remove(find(tables, table, identifier))


def several(*changes: Change) -> Change:
    def change(tables: Tables) -> None:
        for one in changes:
            one(tables)

    return change


MISTAKES: dict[str, tuple[Change, str]] = {
    # every record
    "unknown table": (lambda t: t.update(cards=[]), "cards: expected no such table; the tables are parts, orders"),
    "table as a value": (lambda t: t.update(parts=3), "parts: expected a list of tables, each under [[parts]], got 3"),
    "record as a value": (lambda t: t["parts"].insert(0, 3), "parts number 1: expected a table, got 3"),
    "unknown field": (
        at("parts", "a-repeater", price=2),
        "parts 'a-repeater': price: expected no such field; the fields are id, name, source, reconstructed, clause,",
    ),
    "missing field": (
        without("parts", "twin-mould", "cost"),
        "parts 'twin-mould': cost: expected this field, got nothing",
    ),
    "missing id": (without("parts", "twin-mould", "id"), "parts number 13: id: expected this field, got nothing"),
    "bad id": (at("parts", "twin-mould", id="Twin Mould"), "parts number 13: id: expected an id of lower-case letters"),
    "same id in a table": (
        at("orders", "bakery", id="barber"),
        "orders 'barber': id: expected an id that no other card of the deck has, got that of a card in orders",
    ),
    "same id in two tables": (
        at("demands", "two-stores", id="miner"),
        "demands 'miner': id: expected an id that no other card of the deck has, got that of a card in employees",
    ),
    "empty name": (
        at("parts", "twin-mould", name=""),
        "parts 'twin-mould': name: expected a name of 1 to 40 characters",
    ),
    "number as a name": (at("parts", "twin-mould", name=7), "name: expected a name of 1 to 40 characters, got 7"),
    "unknown source": (
        at("parts", "twin-mould", source="memory"),
        "source: expected 'rulebook', 'help', 'reconstructed' or 'generated', got 'memory'",
    ),
    "reconstructed field that the card has not": (
        at("parts", "bean-magic", reconstructed=["deck", "amount"]),
        "parts 'bean-magic': reconstructed[1]: expected one of deck, function, cost, options, got 'amount'",
    ),
    "reconstructed field that is none of play": (
        at("demands", "five-pounds-more", reconstructed=["name"]),
        "reconstructed[0]: expected one of money, orders, stores, any_stores, chocolate_order, got 'name'",
    ),
    "reconstructed field twice": (
        at("employees", "miner", reconstructed=["amount", "amount"]),
        "employees 'miner': reconstructed[1]: expected every field once, got 'amount'",
    ),
    "reconstructed field of a card that is so as a whole": (
        at("orders", "bakery", reconstructed=["stages"]),
        "orders 'bakery': reconstructed: expected no list where the whole card is reconstructed, got ['stages']",
    ),
    "no reconstructed fields": (
        at("stores", "fresh_fancies-a", reconstructed=[]),
        "reconstructed: expected a list of 1 to 9 entries, got []",
    ),
    "bad clause": (at("parts", "twin-mould", clause="part 8"), "clause: expected a clause id such as 'PART-8'"),
    # parts
    "bool is no integer": (at("parts", "twin-mould", cost=True), "cost: expected an integer 0..9, got True"),
    "float is no integer": (at("parts", "twin-mould", cost=1.0), "cost: expected an integer 0..9, got 1.0"),
    "cost too high": (at("parts", "twin-mould", cost=10), "cost: expected an integer 0..9, got 10"),
    "cost negative": (at("parts", "twin-mould", cost=-1), "cost: expected an integer 0..9, got -1"),
    "huge number": (
        at("parts", "twin-mould", cost=2**63 - 1),
        "cost: expected an integer 0..9, got 9223372036854775807",
    ),
    "long id": (
        at("parts", "twin-mould", id="a" * 61),
        "parts number 13: id: expected an id of lower-case letters, digits and single hyphens, at most 60, got 'aaaa",
    ),
    "unknown deck": (at("parts", "twin-mould", deck="C"), "deck: expected one of printed, A, B, got 'C'"),
    "unknown function": (
        at("parts", "twin-mould", function="oven"),
        "parts 'twin-mould': function: expected one of converter, upgrader, repeater, chute, got 'oven'",
    ),
    "no function": (without("parts", "twin-mould", "function"), "function: expected one of converter, "),
    "part that does nothing": (at("parts", "twin-mould", function="nothing"), "function: expected one of converter"),
    "no options": (at("parts", "twin-mould", options=[]), "options: expected a list of 1 to 2 entries, got []"),
    "three options": (
        lambda t: find(t, "parts", "twin-mould")["options"].extend(find(t, "parts", "nut-coater")["options"]),
        "parts 'twin-mould': options: expected a list of 1 to 2 entries",
    ),
    "empty option": (
        option(makes=[]),
        "parts 'bean-moulder': options[0].makes: expected a list of 1 to 5 entries, got []",
    ),
    "takes nothing": (option(takes=[]), "options[0].takes: expected a list of 1 to 2 entries, got []"),
    "takes three": (option(takes=["bean"] * 3), "options[0].takes: expected a list of 1 to 2 entries"),
    "makes six": (option(makes=["bar"] * 6), "options[0].makes: expected a list of 1 to 5 entries"),
    "unknown symbol": (
        option(makes=["bar", "truffle"]),
        "makes[1]: expected one of bean, cocoa, chunks, fingers, caramel, nuts, boxed, bar, wrapped, refined, any, got",
    ),
    "symbol of a wrong type": (option(makes=[["bar"]]), "options[0].makes[0]: expected one of bean"),
    "second option makes much": (
        at(
            "parts",
            "bean-moulder",
            options=[{"takes": ["bean"], "makes": ["bar"]}, {"takes": ["cocoa"], "makes": ["bar"] * 3}],
        ),
        "options[1].makes: expected at most 2 pieces of a second option (the one that makes more comes first), got 3",
    ),
    "upgrader with options": (
        at("parts", "a-upgrader", options=[]),
        "parts 'a-upgrader': options: expected no such field",
    ),
    "upgrader without points": (at("parts", "a-upgrader", amount=0), "amount: expected an integer 1..5, got 0"),
    "repeater without copies": (without("parts", "a-repeater", "amount"), "amount: expected this field, got nothing"),
    "chute that costs": (at("parts", "chute", cost=1), "parts 'chute': cost: expected no such field"),
    "too few parts": (drop("parts", "twin-mould"), "parts: expected 15 parts of the deck of 'A', got 14"),
    "parts in the wrong deck": (
        at("parts", "twin-mould", deck="B"),
        "parts: expected 15 parts of the deck of 'A', got 14",
    ),
    "no printed chute": (drop("parts", "chute"), "parts: expected 3 parts of the deck of 'printed', got 2"),
    "printed parts in another order": (
        lambda t: t["parts"].insert(0, t["parts"].pop(1)),
        "parts: expected the printed parts to be converter, upgrader, chute, by slot, got upgrader, converter, chute",
    ),
    "a second chute": (
        several(
            at("parts", "twin-mould", function="chute"),
            without("parts", "twin-mould", "cost"),
            without("parts", "twin-mould", "options"),
        ),
        "parts: expected no chute but the printed one, got 'twin-mould'",
    ),
    # orders
    "unknown size": (
        at("orders", "bakery", size="tiny"),
        "orders 'bakery': size: expected one of small, medium, large",
    ),
    "wrong number of stages": (at("orders", "bakery", size="medium"), "stages: expected 2 for a medium order, got 1"),
    "stage without pieces": (stage(pieces={}), "stages[0].pieces: expected at least one entry, one of chunks, fingers"),
    "stage with zero pieces": (stage(pieces={"nuts": 0}), "stages[0].pieces.nuts: expected an integer 1..9, got 0"),
    "unrefined pieces": (
        stage(pieces={"cocoa": 1}),
        "stages[0].pieces: expected keys that are one of chunks, fingers, caramel, nuts, boxed, got 'cocoa'",
    ),
    "too many pieces": (
        stage(pieces={"nuts": 5, "boxed": 5}),
        "stages[0].pieces: expected at most 9 pieces in all, got 10",
    ),
    "pieces as a list": (stage(pieces=["nuts"]), "stages[0].pieces: expected a table, got ['nuts']"),
    "pay of nothing": (stage(pay=0), "stages[0].pay: expected an integer 1..30, got 0"),
    "pay too high": (stage(pay=31), "stages[0].pay: expected an integer 1..30, got 31"),
    "pay that falls": (
        lambda t: find(t, "orders", "harbour-store")["stages"][1].update(pay=3),
        "orders 'harbour-store': stages[1].pay: expected more than the 4 of the stage before, got 3",
    ),
    "pay that stays": (
        lambda t: find(t, "orders", "harbour-store")["stages"][1].update(pay=4),
        "orders 'harbour-store': stages[1].pay: expected more than the 4 of the stage before, got 4",
    ),
    "too few orders": (drop("orders", "bakery"), "orders: expected 54 orders in all, got 53"),
    "too few of a size": (
        lambda t: [
            order.update(size="medium", stages=[*order["stages"], {"pieces": {"boxed": 2}, "pay": 20}])
            for order in t["orders"][:7]
        ],
        "orders: expected at least 12 small orders, got 11",
    ),
    # employees
    "unknown store": (
        at("employees", "miner", store="kiosk"),
        "employees 'miner': store: expected one of palace_boutique",
    ),
    "unknown effect": (at("employees", "miner", effect="steal"), "effect: expected one of double_supply, coal, "),
    "amount too high": (at("employees", "miner", amount=10), "amount: expected an integer 1..9, got 10"),
    "amount of an effect without": (
        at("employees", "clerk", amount=1),
        "employees 'clerk': amount: expected no such field",
    ),
    "uses of a gift": (at("employees", "miner", uses=1), "employees 'miner': uses: expected no such field"),
    "too many shifts": (at("employees", "engineer", amount=2), "amount: expected an integer 1..1, got 2"),
    "no copies": (at("employees", "miner", count=0), "count: expected an integer 1..7, got 0"),
    "eight employees": (
        at("employees", "miner", count=3),
        "employees: expected 7 employees of the store of 'palace_boutique', got 8",
    ),
    # stores
    "unknown side": (at("stores", "fresh_fancies-a", side="E"), "stores 'fresh_fancies-a': side: expected one of A, B"),
    "side twice": (
        at("stores", "fresh_fancies-b", side="A"),
        "stores: expected side A of fresh_fancies once, got it 2 times",
    ),
    "side missing": (
        drop("stores", "fresh_fancies-b"),
        "stores: expected side B of fresh_fancies once, got it 0 times",
    ),
    "store of beans": (
        at("stores", "fresh_fancies-a", accepts=["bean"]),
        "accepts[0]: expected one of chunks, fingers, caramel, nuts, boxed, bar, wrapped, refined, got 'bean'",
    ),
    "store of nothing": (
        at("stores", "fresh_fancies-a", accepts=[]),
        "accepts: expected a list of 1 to 8 entries, got []",
    ),
    "unknown pattern": (at("stores", "fresh_fancies-a", pattern="pairs"), "pattern: expected one of any_mix, one_kind"),
    "store of an exact mix": (at("stores", "fresh_fancies-a", pattern="exact_mix"), "pattern: expected one of any_mix"),
    "no spaces": (at("stores", "fresh_fancies-a", spaces=0), "spaces: expected an integer 1..9, got 0"),
    "odd number": (
        at("stores", "dunstan_gilberts-b", number=3),
        "stores 'dunstan_gilberts-b': number: expected a multiple of `per`, which is 2, got 3",
    ),
    "stage without spaces": (
        at("stores", "dunstan_gilberts-b", spaces={"bar": 2, "boxed": 4}),
        "spaces: expected an entry for caramel, which is accepted, got none",
    ),
    "more different pieces than kinds": (
        at("stores", "palace_boutique-b", number=6),
        "number: expected at most the 5 different kinds accepted, got 6",
    ),
    # Factory Manager
    "asks for nothing": (
        without("demands", "five-pounds-more", "money"),
        "expected at least one of money, orders, stores",
    ),
    "named stores and stores of choice": (
        at("demands", "two-stores", stores={"fresh_fancies": 1}),
        "demands 'two-stores': any_stores: expected no stores of choice beside named ones on one card, got both",
    ),
    "more boxes than stores": (
        at("demands", "two-stores", any_stores={"number": 6, "steps": 1}),
        "any_stores.number: expected an integer 1..5, got 6",
    ),
    "more steps than the track": (
        at("demands", "two-stores", any_stores={"number": 1, "steps": 10}),
        "any_stores.steps: expected an integer 1..9, got 10",
    ),
    "special orders of a demand": (
        at("demands", "two-stores", special_orders={"small": 1}),
        "demands 'two-stores': special_orders: expected no such field",
    ),
    "four special orders": (
        at("targets", "house-contracts", special_orders={"small": 2, "large": 2}),
        "targets 'house-contracts': special_orders: expected at most 3 in all, got 4",
    ),
    "unknown size of an order target": (
        at("demands", "a-large-order", orders={"huge": 1}),
        "orders: expected keys that are one of small, medium, large, any, got 'huge'",
    ),
    "money that is not": (at("demands", "five-pounds-more", money=0), "money: expected an integer 1..250, got 0"),
    "chocolate order without a number": (
        chocolate(pattern="any_mix", accepts=["bar"]),
        "demands 'bar-tray': chocolate_order.number: expected this field, got nothing",
    ),
    "chocolate order of a mix without pieces": (
        chocolate(pattern="exact_mix", pieces={}),
        "chocolate_order.pieces: expected at least one entry",
    ),
    "chocolate order of too much": (
        chocolate(pattern="exact_mix", pieces={"nuts": 9, "boxed": 1}),
        "chocolate_order.pieces: expected at most 9 pieces in all, got 10",
    ),
    "chocolate order that nobody can fill": (
        chocolate(pattern="all_different", accepts=["bar"], number=3),
        "chocolate_order.number: expected at most the 2 different kinds accepted, got 3",
    ),
    "too few manager cards": (drop("demands", "two-stores"), "targets and demands: expected 26 cards together, got 25"),
    "no targets": (lambda t: t["targets"].clear(), "targets: expected at least 1 card, got 0"),
    "five demands": (lambda t: t.update(demands=t["demands"][:5]), "demands: expected at least 6 cards, got 5"),
    # setup
    "two setups": (lambda t: t["setup"].append(t["setup"][0]), "setup: expected 1 table, got 2"),
    "five days": (at("setup", "setup", coal=[5] * 5), "setup 'setup': coal: expected a list of 6 entries"),
    "packets that do not add up": (
        lambda t: t["setup"][0]["packets"].update({"2": [3, 3]}),
        "packets.2: expected sizes that add up to 5, got [3, 3]",
    ),
    "packets of five players": (
        lambda t: t["setup"][0]["packets"].update({"5": [1] * 5}),
        "packets.5: expected no such",
    ),
    "two prizes": (
        at("setup", "setup", store_prizes=[16, 8]),
        "store_prizes: expected a list of 3 entries, got [16, 8]",
    ),
}


@pytest.mark.parametrize(("change", "message"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_refused_where_it_stands(change: Change, message: str, tmp_path: Path) -> None:
    tables = copy.deepcopy(SHIPPED)
    change(tables)
    with pytest.raises(DeckError, match=re.escape(message)) as raised:
        load(tmp_path, tables)
    assert str(tmp_path / "my_deck.toml") in str(raised.value)


def test_a_message_names_both_files_when_their_cards_clash(tmp_path: Path) -> None:
    """A deck with tables of its own is checked together with the shipped rest."""
    demands = copy.deepcopy(SHIPPED["demands"])
    demands[0]["id"] = "grand-tour"
    with pytest.raises(DeckError, match=r"my_deck.toml: demands 'grand-tour': id: .* that of a card in targets"):
        load(tmp_path, {"demands": demands})


def test_a_message_names_both_files_when_their_tables_do_not_fit(tmp_path: Path) -> None:
    """A deck with one of the two tables is checked together with the shipped other."""
    manifest = {**EXPANDED[NAME]["expansion"][0], "new_parts": 0}
    for tables, message in (
        ({"targets": SHIPPED["targets"][:3]}, "manager.toml: targets and demands: expected 26 cards together, got 21"),
        (
            {NAME: {"expansion": [manifest]}},
            f"{NAME}/parts.toml: {NAME}.parts: expected 0 parts of the deck of 'A', got 2",
        ),
    ):
        with pytest.raises(DeckError, match=f"my_deck.toml and {re.escape(message)}"):
            load(tmp_path, tables)


# --- anything at all: a deck or a DeckError, never another error

SCALARS = st.one_of(
    st.booleans(),
    st.integers(-3, 100),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=8),
    st.sampled_from(["bean", "any", "A", "small", "exact_mix", "chute", "coal", "palace_boutique", "id"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


def loads_or_is_refused(path: Path, expansion: str | None = None) -> None:
    """A refusal names the file, what was expected and what is there, and is short."""
    message = why_refused(path, expansion)
    if message is not None:
        assert re.fullmatch(rf"{path}.*: expected .+, got .+", message, re.DOTALL)
        assert len(message) < 1_000


def why_refused(path: Path, expansion: str | None = None) -> str | None:
    try:
        load_cards(path, expansion)
    except DeckError as error:
        return str(error)
    return None


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("deck") / "my_deck.toml"


def mutate(value: Any, chance: random.Random, new: Any) -> None:
    """Go down to a random place of the tables and change, remove, repeat or add something there."""
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not keys:
            break
        key = chance.choice(keys)
        if isinstance(value[key], dict | list) and chance.random() < 0.85:
            value = value[key]
            continue
        action = chance.randrange(4)
        if action == 0:
            del value[key]
        elif action == 1 and isinstance(value, list):
            value.append(copy.deepcopy(value[key]))
        elif action == 2 and isinstance(value, dict):
            value["amount"] = new
        else:
            value[key] = new
        break


@pytest.mark.long
@settings(max_examples=DECKS, deadline=None)
@given(st.randoms(use_true_random=False), st.lists(VALUES, min_size=1, max_size=3))
def test_a_deck_with_random_mistakes_is_loaded_or_refused(path: Path, chance: random.Random, values: list[Any]) -> None:
    tables = copy.deepcopy(SHIPPED)
    for value in values:
        mutate(tables, chance, value)
    write(path, tables)
    loads_or_is_refused(path)


@pytest.mark.long
@settings(max_examples=DECKS // 2, deadline=None)
@given(st.randoms(use_true_random=False), st.lists(VALUES, min_size=1, max_size=3))
def test_an_expansion_with_random_mistakes_is_loaded_or_refused(
    path: Path, chance: random.Random, values: list[Any]
) -> None:
    tables = copy.deepcopy(EXPANDED[NAME])
    for value in values:
        mutate(tables, chance, value)
    write(path, {NAME: tables})
    loads_or_is_refused(path, NAME)


@pytest.mark.long
@settings(max_examples=DECKS, deadline=None)
@given(st.dictionaries(st.sampled_from(list(CHECKS)), VALUES | st.lists(VALUES, max_size=3), max_size=3))
def test_tables_of_random_values_are_refused(path: Path, tables: dict[str, Any]) -> None:
    write(path, tables)
    loads_or_is_refused(path)


@pytest.mark.long
@settings(max_examples=DECKS, deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_random_bytes_and_text_are_loaded_or_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    loads_or_is_refused(path)


# --- the page that explains decks


def toml_blocks() -> list[str]:
    page = (ROOT / "docs" / "chocofactory" / "decks.md").read_text(encoding="utf-8")
    return re.findall(r"```toml\n(.*?)```", page, re.DOTALL)


def test_the_deck_on_the_page_about_decks_can_be_played(tmp_path: Path) -> None:
    path = tmp_path / "my_deck.toml"
    path.write_text(toml_blocks()[0], encoding="utf-8")
    assert list(load_cards(path).record.coal) == [6, 7, 8, 8, 9, 10]


@pytest.mark.parametrize("block", toml_blocks(), ids=lambda block: block.split("\n")[0])
def test_every_card_on_the_page_about_decks_is_sound(block: str) -> None:
    content = tomllib.loads(block)
    tables = [(CHECKS, content), (EXPANSION_CHECKS, content.pop(NAME, {}))]
    for checks, there in tables:
        for table, records in there.items():
            for record in records:
                checks[table].card(record, Place("docs/chocofactory/decks.md", table))
