"""The shipped cards are those of the rulebook where it publishes them, and elsewhere as they were reconstructed."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from candyfactory_decks import SHIPPED
from damaged_decks import write
from repository import ROOT

from chocofactory_env.core.errors import DeckError
from chocofactory_env.games.candyfactory.cards import Recipe, load_cards
from chocofactory_env.games.candyfactory.constants import FIRST_TRUCK, WAREHOUSE, Ability, Half, Specialist
from chocofactory_env.games.candyfactory.display import describe_cards

CARDS = load_cards()
RECORD: Any = CARDS.record
RECIPE_CARDS = CARDS.array["recipes"][0]


def abilities(half: Half) -> list[str]:
    return [Ability(ability).name.lower() for ability in RECORD.abilities[half].tolist()]


# --- what the rulebook publishes


def test_start_2_the_supply_and_the_cards() -> None:
    assert (RECORD.sugar, RECORD.cacao, RECORD.coins, RECORD.pawns) == (30, 30, 15, 8)
    assert len(CARDS.recipes) == 10
    assert RECIPE_CARDS["tokens"].tolist() == [6] * 10
    assert RECORD.specialists.tolist() == [0, 3, 3, 3, 3, 3, 3]


def test_start_4_what_a_player_begins_with() -> None:
    assert (RECORD.start_sugar, RECORD.start_cacao, RECORD.start_coins) == (1, 1, 1)


def test_start_7_recipes_by_number_of_players() -> None:
    assert RECORD.open_recipes.tolist() == [0, 0, 3, 4, 5]


def test_turn_1_and_abil_8_three_cards_in_hand_and_three_to_look_at() -> None:
    assert (RECORD.hand, RECORD.look) == (3, 3)


def test_room_1_a_warehouse_has_seven_places_and_no_berth() -> None:
    assert (RECORD.places[WAREHOUSE], RECORD.berths[WAREHOUSE], RECORD.own[WAREHOUSE]) == (7, 0, 0)


def test_abil_7_and_abil_11_the_outlets_and_abil_6_a_mixer_are_where_the_examples_have_them() -> None:
    """TO-8: the example of bringing ends on space 5, that of shipping on space 4."""
    plantation = abilities(Half.PLANTATION)
    assert (plantation[5 - 1], plantation[4 - 1]) == ("mixer", "outlet")
    assert RECORD.outlet_coins.tolist() == [2, 1]


@pytest.mark.parametrize(
    ("half", "kinds"),
    [
        pytest.param(Half.PLANTATION, {"mixer", "outlet", "break_room"}, id="ABIL-6 ABIL-7 ABIL-8"),
        pytest.param(Half.CANDY, {"machine", "decorator", "outlet"}, id="ABIL-9 ABIL-10 ABIL-11"),
    ],
)
def test_the_abilities_of_a_half(half: Half, kinds: set[str]) -> None:
    assert set(abilities(half)) == kinds


def test_score_5_the_two_recipes_of_the_example() -> None:
    points = dict(zip(CARDS.recipes, RECIPE_CARDS["points"].tolist(), strict=True))
    assert (points["chocolate-peanuts"], points["chocolate-pretzel"]) == (1, 3)


def test_spec_3_and_spec_5_the_amounts_of_lift_operator_and_runner() -> None:
    assert (RECORD.lift, RECORD.turn) == (1, 2)


def test_specialists_are_named_as_what_they_do() -> None:
    assert CARDS.specialists == tuple(specialist.name.lower() for specialist in Specialist)


def test_short_1_short_4_and_short_5_the_shorter_games() -> None:
    assert RECORD.short_points.tolist() == [1, 2]
    assert RECORD.short_specialists == 3
    assert RECORD.load.tolist() == [7, 4]


# --- what is reconstructed


def test_the_boards_have_a_machine_on_every_second_space_and_twins_opposite_each_other() -> None:
    assert abilities(Half.PLANTATION) == 2 * ["mixer", "break_room", "mixer", "outlet"]
    assert abilities(Half.CANDY) == 2 * ["machine", "decorator", "machine", "outlet"]


def test_room_2_and_score_1_the_trucks() -> None:
    trucks = slice(FIRST_TRUCK, None)
    assert RECORD.places[trucks].tolist() == [5, 3, 4, 3]
    assert RECORD.berths[trucks].tolist() == [1, 1, 1, 1]
    assert RECORD.own[trucks].tolist() == [1, 1, 0, 0]


def test_short_5_the_places_without_berths_hold_just_what_is_loaded() -> None:
    assert RECORD.places[FIRST_TRUCK:].sum() - RECORD.berths.sum() == RECORD.load.sum()


def test_start_3_one_worker_card_of_every_number() -> None:
    assert RECORD.numbers.tolist() == [1] * 8


RECIPES = {  # sugar, chocolate, uses, candies, points: tuned by simulation
    "chocolate-peanuts": (0, 1, 2, 3, 1),
    "chocolate-pretzel": (1, 1, 1, 2, 3),
    "lollipop": (1, 0, 1, 1, 2),
    "cotton-candy": (1, 0, 1, 2, 1),
    "peppermint": (2, 0, 2, 1, 3),
    "toffee": (3, 0, 1, 1, 6),
    "truffle": (0, 1, 1, 1, 4),
    "fudge": (1, 1, 1, 3, 2),
    "chocolate-bar": (0, 1, 2, 1, 4),
    "chocolate-bunny": (2, 1, 1, 1, 8),
}


@pytest.mark.parametrize("name", RECIPES)
def test_candy_2_and_candy_3_a_recipe(name: str) -> None:
    recipe = RECIPE_CARDS[CARDS.recipes.index(name)]
    assert recipe.tolist()[:5] == RECIPES[name]


def test_a_use_gains_more_with_chocolate_which_is_twice_the_work() -> None:
    sugar, chocolate, _, candies, points = (RECIPE_CARDS[field].astype(int) for field in (Recipe.dtype.names or ())[:5])
    gained = candies * points - sugar - chocolate
    assert sorted(gained[chocolate == 0].tolist()) == [1, 1, 1, 3]
    assert sorted(gained[chocolate > 0].tolist()) == [2, 3, 3, 4, 4, 5]
    assert set(chocolate.tolist()) == {0, 1}


# --- how they say which is which


def test_what_is_published_of_boards_recipes_and_worker_cards_is_told_from_the_rest() -> None:
    in_part = {identifier: fields for identifier, fields in CARDS.reconstructed.items() if fields}
    cost = ["sugar", "chocolate", "uses", "candies"]
    assert in_part == {
        "plantation-board": ["spaces"],
        "candy-board": ["spaces"],
        "chocolate-peanuts": cost,
        "chocolate-pretzel": cost,
        "workers": ["numbers"],
    }
    assert [recipe for recipe in CARDS.recipes if CARDS.sources[recipe] == "rulebook"] == [*RECIPES][:2]
    assert {CARDS.sources[truck] for truck in CARDS.trucks} == {"reconstructed"}
    assert {CARDS.sources[specialist] for specialist in CARDS.specialists} == {"rulebook"}


def test_the_page_of_cards_says_all_of_it() -> None:
    page = describe_cards.describe()
    assert "| recipes | 10 | 0 | 2 | 0 | 8 |" in page
    rows = {line.split("`")[1]: line for line in page.splitlines() if line.startswith("| `")}
    assert "| 2 sugar + 1 chocolate → 1 candy, once | 8 | 6 | reconstructed |" in rows["chocolate-bunny"]
    assert rows["own-large"].endswith("| 5 | 1 | own | reconstructed |")
    assert set(rows) == {*CARDS.boards, *CARDS.trucks, *CARDS.recipes, *CARDS.specialists, *CARDS.workers}


# --- own decks


def test_a_table_that_is_short_of_bounds_may_go_up_to_them(tmp_path: Path) -> None:
    """Every bound of the page of decks is itself allowed."""
    tables = copy.deepcopy(SHIPPED)
    tables["setup"][0].update(sugar=40, cacao=40, coins=30, warehouse=9, short_specialists=4)
    tables["recipes"][0].update(sugar=0, chocolate=7, uses=3, candies=3, points=9, tokens=9)
    tables["workers"][0]["numbers"] = [8, 8, 8, 1, 1, 1, 2, 2]
    for truck in tables["trucks"]:
        truck.update(places=9, berths=2)
    record = load_cards(write(tmp_path / "my_deck.toml", tables)).record
    assert tuple(record.recipes[0].tolist()) == (0, 7, 3, 3, 9, 9)
    assert record.numbers.tolist() == [3, 2, 0, 0, 0, 0, 0, 3]
    assert (record.sugar, record.coins, record.places.tolist()) == (40, 30, [9] * 5)


def test_the_decks_of_the_page_are_as_it_says(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "candyfactory" / "decks.md").read_text(encoding="utf-8")
    path = tmp_path / "my_deck.toml"
    path.write_text(page.split("```toml\n")[1].split("```")[0], encoding="utf-8")
    assert load_cards(path).record.numbers.tolist() == [2, 2, 2, 2, 0, 0, 0, 0]
    recipes = copy.deepcopy(SHIPPED["recipes"])
    recipes[2]["uses"] = 4
    with pytest.raises(DeckError) as refused:
        load_cards(write(tmp_path / "my_deck.toml", {"recipes": recipes}))
    assert str(refused.value).removeprefix(f"{tmp_path}/") in page
