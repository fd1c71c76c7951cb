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
from chocofactory_env.games.candyfactory.cards import load_cards
from chocofactory_env.games.candyfactory.constants import Ability, Half
from chocofactory_env.games.candyfactory.display import describe_cards

CARDS = load_cards()
RECORD: Any = CARDS.record
RECIPE_CARDS = CARDS.array["recipes"][0]


def abilities(half: Half) -> list[str]:
    return [Ability(ability).name.lower() for ability in RECORD.abilities[half].tolist()]


def test_the_boards_have_a_machine_on_every_second_space_and_twins_opposite_each_other() -> None:
    """ABIL-6 to ABIL-11. TO-8: the examples have a mixer on space 5, and an outlet on 4."""
    assert abilities(Half.PLANTATION) == 2 * ["mixer", "break_room", "mixer", "outlet"]
    assert abilities(Half.CANDY) == 2 * ["machine", "decorator", "machine", "outlet"]


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
