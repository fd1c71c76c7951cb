"""The cards as a page of Markdown: `python -m chocofactory_env.games.candyfactory.display.describe_cards [deck.toml]`.

The page is made from the record that the rules play with, so it shows what is played. `make site` writes it for the
shipped deck.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ....core.cards.deck_pages import head, notes, summary, table
from ....core.command import Command
from ....core.text.words import counted, up_to
from ..cards import Cards, Recipe, load_cards
from ..constants import FIRST_TRUCK, MAX_PLAYERS, MIN_PLAYERS, NUM_SPACES, WAREHOUSE, Ability, Half, Specialist

EFFECT_WORDS = {
    Specialist.TEMP: "no ability",
    Specialist.LIFT_OPERATOR: "the capacity is {lift} higher",
    Specialist.SORTER: "the search may go counter-clockwise",
    Specialist.RUNNER: "the die may be turned by up to {turn}",
    Specialist.TRUCKER: "any number of trucks; sugar and cacao from the supply may be mixed",
    Specialist.MACHINIST: "one more use of the mixer or the candy machine",
    Specialist.PACKER: "moved goods may be stacked, two of a kind",
}


def ability_in_words(ability: int) -> str:
    return Ability(ability).name.lower().replace("_", " ")


def cost_in_words(recipe: Recipe) -> str:
    """`1 sugar + 2 chocolate → 3 candies, twice`."""
    goods = ((recipe.sugar, "sugar"), (recipe.chocolate, "chocolate"))
    cost = " + ".join(f"{number} {kind}" for number, kind in goods if number)
    times = ("", "once", "twice")[recipe.uses] if recipe.uses < 3 else f"{recipe.uses} times"
    return f"{cost} → {recipe.candies} {'candy' if recipe.candies == 1 else 'candies'}, {times}"


def boards(cards: Cards) -> Iterator[str]:
    record = cards.record
    spaces = " | ".join(str(space) for space in range(1, NUM_SPACES + 1))
    yield from table(
        cards,
        "Boards",
        f"{spaces} | coins of the outlet",
        (
            (name, *map(ability_in_words, record.abilities[half].tolist()), str(record.outlet_coins[half]))
            for half, name in enumerate(cards.boards)
        ),
    )


def trucks(cards: Cards) -> Iterator[str]:
    record = cards.record
    rows = (
        (name, *(str(record[field][FIRST_TRUCK + truck]) for field in ("places", "berths")), own)
        for truck, name in enumerate(cards.trucks)
        for own in ("own" if record.own[FIRST_TRUCK + truck] else "hired",)
    )
    yield from table(cards, "Trucks", "places | of them berths | own or hired", rows)


def recipes(cards: Cards) -> Iterator[str]:
    rows = (
        (name, cost_in_words(recipe), str(recipe.points), str(recipe.tokens))
        for name, recipe in zip(cards.recipes, cards.record.recipes, strict=True)
    )
    yield from table(cards, "Recipes", "a use of the machine | points | tokens", rows)


def specialists(cards: Cards) -> Iterator[str]:
    record = cards.record
    rows = (
        (
            name,
            EFFECT_WORDS[Specialist(number)].format(lift=record.lift, turn=record.turn),
            "one for each player" if number == Specialist.TEMP else str(record.specialists[number]),
        )
        for number, name in enumerate(cards.specialists)
    )
    yield from table(cards, "Specialist cards", "in the turn in which it is played | cards", rows)


def workers(cards: Cards) -> Iterator[str]:
    numbers = [str(place + 1) for place, count in enumerate(cards.record.numbers.tolist()) for _ in range(count)]
    yield from table(cards, "Worker cards", "numbers", [(cards.workers[0], ", ".join(numbers))])


def setup_numbers(cards: Cards) -> Iterator[str]:
    record = cards.record
    sugar, cacao, coins = (int(record[f"start_{kind}"]) for kind in ("sugar", "cacao", "coins"))
    open_recipes = ", ".join(
        f"{record.open_recipes[players]} with {players} players" for players in range(MIN_PLAYERS, MAX_PLAYERS + 1)
    )
    of_sugar, of_chocolate = record.short_points.tolist()
    yield "## Numbers of the game"
    yield ""
    yield f"- the supply: {record.sugar} sugar, {record.cacao} cacao, {record.coins} coins, {record.pawns} workers"
    yield f"- places of a warehouse: {record.places[WAREHOUSE]}; of all trucks: {record.places[FIRST_TRUCK:].sum()}"
    yield f"- cards of a hand: {record.hand}; cards that a recruit looks at: {record.look}"
    yield f"- recipes: {open_recipes}"
    yield f"- each player begins with sugar, cacao, coins: {sugar}, {cacao}, {coins}"
    yield f"- the candy factory alone, sugar and chocolate to load: {record.load[0]}, {record.load[1]}"
    yield f"- the candy factory alone, specialist cards shuffled into each deck: {record.short_specialists}"
    yield f"- the plantation alone, points of a sugar and of a chocolate: {of_sugar}, {of_chocolate}"


def numbers_in_brief(cards: Cards) -> Mapping[str, object]:
    """The deck's numbers in the rules in brief, by their names in `data/brief.md`."""
    record = cards.record
    return {
        "warehouse": record.places[WAREHOUSE],
        "short_sugar": record.short_points[0],
        "short_chocolate": record.short_points[1],
        "load_sugar": record.load[0],
        "load_chocolate": record.load[1],
        "lift": record.lift,
        "turn": record.turn,
        "turned": up_to(int(record.turn)),
        "outlet": counted(int(record.outlet_coins[Half.PLANTATION]), "coin"),
        "candy_outlet": record.outlet_coins[Half.CANDY],
    }


def sections(cards: Cards) -> Iterator[str]:
    """The page, line by line."""
    yield from head("The cards", "candyfactory")
    tables = {
        "boards": cards.boards,
        "trucks": cards.trucks,
        "recipes": cards.recipes,
        "kinds of specialists": cards.specialists,
        "sets of worker cards": cards.workers,
    }
    yield from summary(cards, tables)
    for section in (boards, trucks, recipes, specialists, workers, setup_numbers, notes):
        yield from section(cards)


def describe(path: str | None = None) -> str:
    """The cards of the shipped deck, or of your own, in words; DeckError if there is no such deck.

    Args:
        path: TOML file of your own deck.
    """
    return "\n".join(sections(load_cards(path))) + "\n"


COMMAND = Command(
    "python -m chocofactory_env.games.candyfactory.display.describe_cards",
    describe,
    ("my_deck.toml",),
    positional=("path",),
)
main = COMMAND.run

if __name__ == "__main__":
    main()
