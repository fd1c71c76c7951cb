"""A deck with a mistake is refused with a message that says where it is, what was expected and what is there."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from candy_decks import SHIPPED
from damaged_decks import Tables, write
from repository import ROOT

import chocofactory_env as cf
from chocofactory_env.core.errors import DeckError
from chocofactory_env.games.candyfactory.cards import Cards, load_cards


def load(folder: Path, tables: Tables) -> Cards:
    return load_cards(write(folder / "my_deck.toml", tables))


# --- decks that are fine


def test_a_deck_written_anew_is_the_same_deck(tmp_path: Path) -> None:
    cards = load(tmp_path, SHIPPED)
    assert cards.hash == load_cards().hash
    assert cards.array.tobytes() == load_cards().array.tobytes()


def test_a_table_in_the_deck_replaces_the_shipped_one(tmp_path: Path) -> None:
    trucks = copy.deepcopy(SHIPPED["trucks"])
    trucks[0]["places"] = 9
    cards = load(tmp_path, {"trucks": trucks})
    assert cards.record.places.tolist() == [7, 9, 3, 4, 3]
    assert cards.recipes == load_cards().recipes


def test_a_table_that_is_short_of_bounds_may_go_up_to_them(tmp_path: Path) -> None:
    """Every bound of the page of decks is itself allowed."""
    tables = copy.deepcopy(SHIPPED)
    tables["setup"][0].update(sugar=40, cacao=40, coins=30, warehouse=9, short_specialists=4)
    tables["recipes"][0].update(sugar=0, chocolate=7, uses=3, candies=3, points=9, tokens=9)
    tables["workers"][0]["numbers"] = [8, 8, 8, 1, 1, 1, 2, 2]
    for truck in tables["trucks"]:
        truck.update(places=9, berths=2)
    record = load(tmp_path, tables).record
    assert tuple(record.recipes[0].tolist()) == (0, 7, 3, 3, 9, 9)
    assert record.numbers.tolist() == [3, 2, 0, 0, 0, 0, 0, 3]
    assert (record.sugar, record.coins, record.places.tolist()) == (40, 30, [9] * 5)


def test_boards_and_specialists_are_numbered_by_what_they_are(tmp_path: Path) -> None:
    tables = {name: SHIPPED[name][::-1] for name in ("boards", "specialists")}
    cards = load(tmp_path, tables)
    assert cards.array.tobytes() == load_cards().array.tobytes()
    assert (cards.boards, cards.specialists) == (load_cards().boards, load_cards().specialists)


def test_the_hash_covers_what_influences_play_and_nothing_else(tmp_path: Path) -> None:
    shipped = load_cards().hash

    def changed(change: Callable[[Tables], Any]) -> str:
        tables = copy.deepcopy(SHIPPED)
        change(tables)
        return load(tmp_path, tables).hash

    assert changed(lambda t: t["trucks"][0].update(name="Another Name", note="A note.")) == shipped
    assert changed(lambda t: t["workers"][0]["numbers"].reverse()) == shipped
    assert changed(lambda t: t["trucks"][0].update(places=6)) != shipped
    assert changed(lambda t: t["recipes"].reverse()) != shipped
    assert changed(lambda t: t["recipes"][0].update(id="other")) != shipped


def test_the_decks_of_the_page_are_as_it_says(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "candyfactory" / "decks.md").read_text(encoding="utf-8")
    path = tmp_path / "my_deck.toml"
    path.write_text(page.split("```toml\n")[1].split("```")[0], encoding="utf-8")
    assert load_cards(path).record.numbers.tolist() == [2, 2, 2, 2, 0, 0, 0, 0]
    recipes = copy.deepcopy(SHIPPED["recipes"])
    recipes[2]["uses"] = 4
    with pytest.raises(DeckError) as refused:
        load(tmp_path, {"recipes": recipes})
    assert str(refused.value).removeprefix(f"{tmp_path}/") in page


def test_a_game_is_played_with_the_deck(tmp_path: Path) -> None:
    tables = copy.deepcopy(SHIPPED)
    tables["setup"][0]["start"]["coins"] = 2
    path = write(tmp_path / "my_deck.toml", tables)
    game = cf.load("candyfactory", deck=str(path))
    data = game.to_dict(game.new(1))
    assert [player["coins"] for player in data["players"]] == [2, 2]
    assert game.options["deck"] == str(path)
    with pytest.raises(cf.StateError, match=r"state\.deck"):
        cf.load("candyfactory").from_dict(data)


# --- decks with a mistake


def of(table: str, number: int = 0, **fields: Any) -> Callable[[Tables], Any]:
    """A change to some fields of a card."""
    return lambda tables: tables[table][number].update(fields)


def drop(table: str, number: int = 0) -> Callable[[Tables], Any]:
    return lambda tables: tables[table].pop(number)


NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8]
MISTAKES: list[tuple[str, Callable[[Tables], Any], str]] = [
    ("unknown table", lambda t: t.update(cars=[]), "cars: expected no such table; the tables are boards, trucks"),
    ("no list", lambda t: t.update(trucks={}), "trucks: expected a list of tables, each under [[trucks]], got {}"),
    ("unknown field", of("trucks", color="red"), "trucks 'own-large': color: expected no such field; the fields are"),
    ("no field", lambda t: t["trucks"][0].pop("own"), "trucks 'own-large': own: expected this field, got nothing"),
    ("bad id", of("trucks", id="A Truck"), "trucks number 1: id: expected an id of lower-case letters"),
    ("same id", of("trucks", id="fudge"), "expected an id that no other card of the deck has"),
    ("bad source", of("trucks", source="guess"), "source: expected 'rulebook', 'help', 'reconstructed' or 'generated'"),
    (
        "bad provenance",
        of("boards", reconstructed=["color"]),
        "reconstructed[0]: expected one of outlet_coins, half, spaces",
    ),
    # boards
    (
        "seven spaces",
        lambda t: t["boards"][0]["spaces"].pop(),
        "boards 'plantation-board': spaces: expected a list of 8",
    ),
    (
        "nine spaces",
        lambda t: t["boards"][1]["spaces"].append("outlet"),
        "boards 'candy-board': spaces: expected a list",
    ),
    (
        "other half's ability",
        of("boards", spaces=["machine"] * 8),
        "spaces[0]: expected one of mixer, break_room, outlet",
    ),
    ("unknown half", of("boards", half="evening"), "half: expected one of plantation, candy, got 'evening'"),
    ("one board", drop("boards", 1), "boards: expected 1 board of the half 'candy', got 0"),
    ("no coins", of("boards", outlet_coins=0), "outlet_coins: expected an integer 1..9, got 0"),
    # trucks
    ("three trucks", drop("trucks"), "trucks: expected 4 trucks, got 3"),
    ("ten places", of("trucks", places=10), "trucks 'own-large': places: expected an integer 1..9, got 10"),
    ("no places", of("trucks", places=0), "trucks 'own-large': places: expected an integer 1..9, got 0"),
    ("too many berths", of("trucks", berths=6), "trucks 'own-large': berths: expected at most the 5 places, got 6"),
    (
        "berths in all",
        lambda t: [truck.update(berths=3) for truck in t["trucks"]],
        "expected at most 8 berths in all, got 12",
    ),
    ("own is no flag", of("trucks", own=1), "trucks 'own-large': own: expected true or false, got 1"),
    (
        "SHORT-5 few places",
        lambda t: [truck.update(places=2) for truck in t["trucks"]],
        "short_load: expected at most 8 goods",
    ),
    # recipes
    ("nine recipes", drop("recipes"), "recipes: expected 10 recipes, got 9"),
    (
        "costs nothing",
        of("recipes", chocolate=0),
        "expected a cost of 1 to 7 goods, sugar and chocolate together, got 0",
    ),
    (
        "costs eight",
        of("recipes", sugar=4, chocolate=4),
        "recipes 'chocolate-peanuts': expected a cost of 1 to 7 goods",
    ),
    ("CANDY-7 costs cacao", of("recipes", cacao=1), "recipes 'chocolate-peanuts': cacao: expected no such field"),
    ("four uses", of("recipes", uses=4), "uses: expected an integer 1..3, got 4"),
    ("no uses", of("recipes", uses=0), "uses: expected an integer 1..3, got 0"),
    ("four candies", of("recipes", candies=4), "candies: expected an integer 1..3, got 4"),
    ("ten points", of("recipes", points=10), "points: expected an integer 0..9, got 10"),
    ("no tokens", of("recipes", tokens=0), "tokens: expected an integer 1..9, got 0"),
    ("ten tokens", of("recipes", tokens=10), "tokens: expected an integer 1..9, got 10"),
    ("true points", of("recipes", points=True), "points: expected an integer 0..9, got True"),
    # specialists
    ("two of an effect", of("specialists", 2, effect="stack"), "1 card with the effect 'counter_clockwise', got 0"),
    ("unknown effect", of("specialists", 2, effect="magic"), "effect: expected one of none, capacity"),
    ("four cards", of("specialists", 2, count=4), "specialists 'sorter': count: expected an integer 0..3, got 4"),
    ("17 specialists", of("specialists", 2, count=2), "specialists: expected 18 cards in all, got 17"),
    (
        "no temp",
        of("specialists", 0, each=0),
        "'temp': each: expected 1 for the effect 'none' and 0 for every other, got 0",
    ),
    ("a sorter each", of("specialists", 2, each=1), "'sorter': each: expected 1 for the effect 'none' and 0 for every"),
    ("temps in the deck", of("specialists", 0, count=3), "'temp': count: expected 0 for the effect 'none', got 3"),
    ("lift of two", of("specialists", 1, amount=2), "'lift_operator': amount: expected an integer 1..1, got 2"),
    ("turn of three", of("specialists", 3, amount=3), "'runner': amount: expected an integer 1..2, got 3"),
    ("amount of a sorter", of("specialists", 2, amount=1), "'sorter': amount: expected an integer 0..0, got 1"),
    # workers
    ("seven workers", of("workers", numbers=NUMBERS[:7]), "workers 'workers': numbers: expected a list of 8 entries"),
    ("a nine", of("workers", numbers=[*NUMBERS[:7], 9]), "numbers[7]: expected an integer 1..8, got 9"),
    ("a zero", of("workers", numbers=[0, *NUMBERS[1:]]), "numbers[0]: expected an integer 1..8, got 0"),
    (
        "four ones",
        of("workers", numbers=[1] * 4 + NUMBERS[4:]),
        "numbers: expected every number 3 times at most, got 1 4 times",
    ),
    ("two sets", lambda t: t["workers"].append({**t["workers"][0], "id": "more"}), "workers: expected 1 table, got 2"),
    # setup
    ("41 sugar", of("setup", sugar=41), "setup 'setup': sugar: expected an integer 0..40, got 41"),
    ("41 cacao", of("setup", cacao=41), "cacao: expected an integer 0..40, got 41"),
    ("31 coins", of("setup", coins=31), "coins: expected an integer 0..30, got 31"),
    ("nine workers", of("setup", pawns=9), "pawns: expected an integer 1..8, got 9"),
    ("no workers", of("setup", pawns=0), "pawns: expected an integer 1..8, got 0"),
    ("ten places", of("setup", warehouse=10), "warehouse: expected an integer 1..9, got 10"),
    ("a hand of four", of("setup", hand=4), "hand: expected an integer 1..3, got 4"),
    ("a look at four", of("setup", look=4), "look: expected an integer 1..3, got 4"),
    ("six recipes", of("setup", recipes={"2": 3, "3": 4, "4": 6}), "recipes.4: expected an integer 1..5, got 6"),
    ("no recipes for three", of("setup", recipes={"2": 3, "4": 5}), "recipes.3: expected this field, got nothing"),
    (
        "SHORT-5 short of sugar",
        of("setup", sugar=27),
        "sugar: expected at least the 28 that 4 players begin with, got 27",
    ),
    (
        "SHORT-5 short of cacao",
        of("setup", cacao=15),
        "cacao: expected at least the 16 that 4 players begin with, got 15",
    ),
    ("START-4 short of coins", of("setup", coins=3), "coins: expected at least the 4 that 4 players begin with, got 3"),
    (
        "START-4 no room",
        of("setup", warehouse=1),
        "start: expected at most 1 goods, one for each place of a warehouse, got 2",
    ),
    (
        "eight sugar to load",
        of("setup", short_load={"sugar": 8, "chocolate": 1}),
        "short_load.sugar: expected an integer 1..7",
    ),
    ("five hidden specialists", of("setup", short_specialists=5), "short_specialists: expected an integer 0..4, got 5"),
]


@pytest.mark.parametrize(
    ("change", "message"), [mistake[1:] for mistake in MISTAKES], ids=[name for name, *_ in MISTAKES]
)
def test_a_mistake_is_refused_where_it_stands(tmp_path: Path, change: Callable[[Tables], Any], message: str) -> None:
    tables = copy.deepcopy(SHIPPED)
    change(tables)
    with pytest.raises(DeckError) as refused:
        load(tmp_path, tables)
    assert message in str(refused.value)
    assert str(refused.value).startswith(str(tmp_path / "my_deck.toml"))


def test_a_file_that_is_not_there_and_a_path_that_is_none_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match="expected a file that can be read"):
        load_cards(tmp_path / "none.toml")
    with pytest.raises(TypeError, match="deck: expected the path of a TOML file"):
        load_cards(3)  # type: ignore[arg-type]  # no path
