"""What a deck of Chocolate Factory may hold, its expansion, and the page about decks."""

from __future__ import annotations

import copy
import re
import tomllib
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from chocofactory_decks import EXPANDED, EXPANSION, SHIPPED
from damaged_decks import Tables, write
from refusals import change
from repository import ROOT

import chocofactory_env as cf
from chocofactory_env.core.errors import DeckError
from chocofactory_env.core.reading import read
from chocofactory_env.games.chocofactory.cards import Cards, load_cards
from chocofactory_env.games.chocofactory.deck_schema import BaseDeck, Expansion
from chocofactory_env.games.chocofactory.display.describe_cards import describe
from chocofactory_env.games.chocofactory.game import ChocolateFactory

NAME = EXPANSION


def load(folder: Path, tables: Tables, expansion: str | None = None) -> Cards:
    return load_cards(write(folder / "my_deck.toml", tables), expansion)


def find(tables: Tables, table: str, identifier: str) -> Any:
    return next(record for record in tables[table] if record["id"] == identifier)


# --- decks that are fine


def test_sizes_of_the_order_decks_may_vary(tmp_path: Path) -> None:
    """SET-3: 18 of each size is a ruling."""
    tables = copy.deepcopy(SHIPPED)
    order = find(tables, "orders", "bakery")
    order["size"] = "medium"
    order["stages"].append({"pieces": {"boxed": 2}, "pay": 12})
    cards = load(tmp_path, tables)
    assert [sum(o["deck"] == size for o in cards.record.orders[:54]) for size in range(3)] == [17, 19, 18]
    assert cards.orders.index("bakery") == 17  # medium orders come after the small ones, in the file's order
    for order in [order for order in tables["orders"] if order["size"] == "small"][:6]:
        order.update(size="medium", stages=[*order["stages"], {"pieces": {"boxed": 2}, "pay": 20}])
    with pytest.raises(DeckError, match="orders: expected at least 12 small orders, got 11"):
        load(tmp_path, tables)


def test_the_split_of_the_factory_manager_cards_may_vary(tmp_path: Path) -> None:
    """SOLO-1: 8 targets and 18 demands are a ruling."""
    tables = copy.deepcopy(SHIPPED)
    tables["demands"].append(tables["targets"].pop(1))
    cards = load(tmp_path, tables)
    assert (cards.record.num_targets, cards.record.num_demands) == (7, 19)


# --- an expansion


def test_an_expansion_written_anew_is_the_same_and_not_in_play_without_being_asked_for(tmp_path: Path) -> None:
    cards = load(tmp_path, EXPANDED, NAME)
    assert cards.hash == load_cards(None, NAME).hash != load_cards().hash
    assert cards.array.tobytes() == load_cards(None, NAME).array.tobytes()
    assert load(tmp_path, EXPANDED).array.tobytes() == load_cards().array.tobytes()
    assert load(tmp_path, EXPANDED).hash == load_cards().hash


def all_by_money(stores: list[dict[str, Any]]) -> None:
    """MC-7: a draw needs one of these sides, however many of them go by the day's money."""
    about = ("id", "name", "store", "side", "source")
    stores[:] = [{key: store[key] for key in about} | {"pattern": "day_money", "pounds": 9} for store in stores]


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


def test_a_deck_whose_new_sides_cannot_be_drawn_is_refused(tmp_path: Path) -> None:
    """MC-3, MC-7: a draw has one of them."""
    tables = copy.deepcopy(EXPANDED[NAME])
    tables["expansion"][0].update(most_money_sides=0)
    all_by_money(tables["stores"])
    with pytest.raises(DeckError, match=r"most_money_sides: expected at least 1, because all new sides go by"):
        load(tmp_path, {NAME: tables}, NAME)


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


FOURS = 'employees.salesman.effect = "coal" ; employees.salesman.amount = 4 ; employees.miner.amount = 4'
TWO_MORE = 'employees.mechanic.effect = "coal" ; employees.mechanic.amount = 4 ; - employees.mechanic.uses'


@pytest.mark.parametrize(
    "changes",
    [
        "setup.setup.coal = [48, 0, 0, 0, 0, 0]",
        f"setup.setup.coal = [6, 6, 6, 6, 6, 6] ; {FOURS}",
        f"setup.setup.coal = [6, 6, 6, 6, 6, 6] ; {FOURS} ; {TWO_MORE}",  # a player has six employees in six days
    ],
)
def test_a_deck_gives_as_much_coal_as_an_observation_shows(changes: str, tmp_path: Path) -> None:
    """PREP-1, DRAFT-5: two employees of each kind; `refusals.txt` has decks that give more."""
    tables = change(copy.deepcopy(SHIPPED), changes)
    assert load(tmp_path, tables).record.coal.tolist() == tables["setup"][0]["coal"]


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
            f"{NAME}/parts.toml: {NAME}.expansion and {NAME}.parts: expected 0 parts of the deck of 'A', got 2",
        ),
    ):
        with pytest.raises(DeckError, match=f"my_deck.toml and {re.escape(message)}"):
            load(tmp_path, tables)


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
    for kind, there in ((Expansion, content.pop(NAME, {})), (BaseDeck, content)):
        kinds = get_type_hints(kind)
        for table, cards in there.items():
            assert read(list[get_args(kinds[table])], cards)  # type: ignore[misc]  # a type found at run time
