"""A position with one field that does not fit is refused with that field."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from candy_games import steps
from candy_positions import load
from mutations import nested, refusal

from chocofactory_env.games.candyfactory.positions.check_turn import NOTHING


def position(until: Callable[[dict[str, Any]], bool], **options: Any) -> tuple[Any, dict[str, Any]]:
    """The first position of some random game, all of whose choices are asked, of which this holds."""
    game = load(**{"num_players": 2, "play_forced": False, **options})
    for seed in range(40):
        for state, _ in steps(game, seed):
            data = game.to_dict(state)
            if until(data):
                return game, data
    raise AssertionError("no such position")


def begun(data: dict[str, Any]) -> bool:
    return bool(data["step"] == "play")


Change = Callable[[dict[str, Any]], Any]
START: list[tuple[Change, str]] = [
    (lambda d: d.update(game="chocofactory"), "state.game: expected 'candyfactory', got 'chocofactory'"),
    (lambda d: d.update(schema=2), "state.schema: expected 1, got 2"),
    (lambda d: d.update(deck="0"), "state.deck: expected "),
    (lambda d: d["options"].update(num_players=3), "state.options.num_players: expected 2, got 3"),
    (lambda d: d.update(extra=1), "state: expected no unknown key, got 'extra'"),
    (lambda d: d.pop("board"), "state: expected a table with 'board'"),
    (lambda d: d.update(seed=-1), "state.seed: expected a whole number from 0"),
    (lambda d: d.update(seed=nested(5000)), "state.seed: expected a whole number from 0"),
    (lambda d: d["rng"].pop(), "state.rng: expected a list of 4"),
    (lambda d: d.update(half="morning"), "state.half: expected one of plantation, candy, got 'morning'"),
    (lambda d: d.update(step="recipe", turn=dict(NOTHING)), "state.step: expected one of play, die"),
    (lambda d: d.update(step="load", turn=dict(NOTHING)), "state.step: expected one of play, die"),
    (lambda d: d.update(step="over"), "state.step: expected one of play, die"),
    (lambda d: d.update(current_player=None), "state.current_player: expected a seat until the game is over"),
    (lambda d: d.update(current_player=2), "state.current_player: expected a whole number from 0 to 1, got 2"),
    (lambda d: d.update(board=[3, 3]), "state.board: expected [3], got [3, 3]"),
    (lambda d: d.update(board=[9]), "state.board[0]: expected a whole number from 1 to 8, got 9"),
    (lambda d: d.update(die=0), "state.die: expected a whole number from 1 to 8, got 0"),
    (lambda d: d["supply"].update(sugar=29), "state.supply.sugar: expected 28, since there are 30 and players have 2"),
    (lambda d: d["supply"].update(cacao=41), "state.supply.cacao: expected a whole number from 0 to 40"),
    (lambda d: d["supply"].update(cacao=30), "state.supply.cacao: expected 28, since there are 30 and players have 2"),
    (lambda d: d["supply"].update(coins=12), "state.supply.coins: expected 13, since there are 15 and players have 2"),
    (lambda d: d["recipes"].update(fudge=10), "state.recipes.fudge: expected a whole number from 0 to 9, got 10"),
    (lambda d: d["recipes"].update(caramel=6), "state.recipes: expected keys that are ids of recipes, got 'caramel'"),
    (lambda d: d["recipes"].popitem(), "state.recipes: expected 3 recipes"),
    (lambda d: d["recipes"].update({next(iter(d["recipes"])): 5}), "expected 6, since there are 6 and players have 0"),
    (lambda d: d["specialist_deck"].pop(), "state.specialist_deck: expected 3 "),
    (lambda d: d["specialist_deck"][0].update(card="temp"), "state.specialist_deck"),
    (lambda d: d["specialist_deck"][0].update(card="boss"), "state.specialist_deck[0].card: expected one of temp"),
    (lambda d: d["specialist_deck"][4].update(known_to=[0, 1]), "state.specialist_deck[4].known_to: expected one seat"),
    (lambda d: d["players"].pop(), "state.players: expected a list of 2"),
    (lambda d: d["players"][0].update(coins=31), "state.players[0].coins: expected a whole number from 0 to 30"),
    (lambda d: d["players"][0].update(whistle=0), "state.players[0].whistle: expected true or false, got 0"),
    (lambda d: d["players"][0]["hand"].pop(), "state.players[0].hand: expected 3 cards, since the deck is not empty"),
    (lambda d: d["players"][0]["hand"].reverse(), "state.players[0].hand[0]: expected "),
    (lambda d: d["players"][0]["hand"].append("temp"), "state.players[0].hand: expected at most 3 cards here"),
    (lambda d: d["players"][0]["deck"].append("1"), "state.players[0].hand: expected at most 1 cards "),
    (lambda d: d["players"][0]["deck"].append("9"), "state.players[0].deck[6]: expected one of 1, 2"),
    (lambda d: d["players"][0]["deck"].append("temp"), "state.players[0]: expected one temp, got 2"),
    (lambda d: d["players"][0]["played"].append("temp"), "state.players[0]: expected one temp, got 2"),
    (lambda d: d["players"][0]["warehouse"]["goods"].update(sugar=0), "goods.sugar: expected a whole number from 1"),
    (
        lambda d: d["players"][0]["warehouse"]["goods"].update(salt=1),
        "goods: expected keys that are kinds of goods in play, got 'salt'",
    ),
    (
        lambda d: d["players"][0]["warehouse"]["stacks"].update(sugar=1),
        "stacks.sugar: expected at most 0, two goods each",
    ),
    (lambda d: d["players"][0]["trucks"].pop(), "state.players[0].trucks: expected a list of 4"),
    (lambda d: (aboard(d, "cacao", 1), d["supply"].update(cacao=27)), "trucks[1].goods.cacao: expected no cacao here"),
    (
        lambda d: (aboard(d, "sugar", 4), d["supply"].update(sugar=24)),
        "trucks[1].goods: expected goods and stacks on 3",
    ),
    (
        lambda d: (aboard(d, "sugar", 2), aboard(d, "sugar", 1, "stacks"), d["supply"].update(sugar=26)),
        "trucks[1].stacks: expected none, since no Packer was played",
    ),
    (lambda d: d.update(turn={}), "state.turn: expected None, got {}"),
]


def aboard(data: dict[str, Any], kind: str, number: int, what: str = "goods") -> bool:
    data["players"][0]["trucks"][1][what][kind] = number
    return True


@pytest.mark.parametrize(("change", "message"), START, ids=[message for _, message in START])
def test_a_field_that_does_not_fit_the_start_is_refused(change: Change, message: str) -> None:
    game, data = position(begun)
    change(data)
    assert message in refusal(game, data)


def turn_of(step: str, **fields: Any) -> Callable[[dict[str, Any]], bool]:
    """Whether a position is in this step with these fields of the turn."""

    def holds(data: dict[str, Any]) -> bool:
        return data["step"] == step and all(data["turn"][key] == value for key, value in fields.items())

    return holds


def change_turn(**fields: Any) -> Change:
    return lambda data: data["turn"].update(fields)


WORKER = turn_of("direct", card="4")
BRING = turn_of("goods", way="bring", last=None)
SHIP_ABILITY = turn_of("ability", way="ship", card="4")
Until = Callable[[dict[str, Any]], bool]
TURNS: list[tuple[str, Until, Change, str]] = [
    ("full", WORKER, change_turn(number=5), "state.turn.number: expected 4, of the card or the die, got 5"),
    ("full", WORKER, change_turn(card="5"), "state.turn.number: expected 5, of the card or the die, got 4"),
    ("full", WORKER, change_turn(card=None), "state.turn.card: expected one of 1, 2"),
    ("full", WORKER, change_turn(left=1), "state.turn.left: expected 0, got 1"),
    ("full", WORKER, change_turn(truck=1), "state.turn.truck: expected None, got 1"),
    ("full", WORKER, change_turn(recruited=True), "state.turn.recruited: expected False, got True"),
    ("full", WORKER, lambda d: d.update(turn=None), "state.turn: expected a table with 'card', got None"),
    ("full", turn_of("die"), change_turn(card=None), "state.turn.card: expected one of temp"),
    ("full", turn_of("die", card="temp"), change_turn(card="runner"), "expected 'runner', which is in play"),
    ("full", turn_of("runner"), change_turn(card="packer"), "state.turn.card: expected one of runner, got 'packer'"),
    ("full", BRING, change_turn(space=None), "state.turn.space: expected not null here"),
    ("full", BRING, change_turn(way=None), "state.turn.way: expected not null here"),
    ("full", BRING, lambda d: d.update(board=[]), "state.board: expected workers on ["),
    ("full", BRING, change_turn(left=9), "state.turn.left: expected 1 to "),
    ("full", BRING, change_turn(counter_clockwise=True), "counter_clockwise: expected false without a Sorter"),
    ("full", BRING, change_turn(space_ability=False), "state.turn.space_ability: expected True here, got False"),
    ("full", BRING, change_turn(machinist=True), "state.turn.machinist: expected False here, got True"),
    ("full", BRING, change_turn(truck=0), "state.turn.truck: expected null, since goods come from the supply, got 0"),
    ("full", BRING, change_turn(last="sugar"), "state.turn.last: expected null, got 'sugar'"),
    ("full", BRING, change_turn(last=""), "state.turn.last: expected a kind of goods, got ''"),
    ("full", turn_of("ability", way="bring"), change_turn(left=1), "state.turn.left: expected 0 to 0 here, got 1"),
    ("full", SHIP_ABILITY, change_turn(left=0), "state.turn.left: expected "),
    ("full", SHIP_ABILITY, lambda d: d.update(board=list(range(1, 9))), "state.board: expected no workers on ["),
    ("full", turn_of("hire"), lambda d: d["specialist_deck"][0].update(known_to=[]), "[0].known_to: expected ["),
    ("full", turn_of("hire"), change_turn(recruited=False), "state.turn.recruited: expected true, in a Break Room"),
    ("full", turn_of("dismiss"), change_turn(surplus=9), "state.turn.surplus: expected "),
    ("full", turn_of("dismiss"), lambda d: d.update(board=[1]), "state.board: expected [] after the plantation"),
    ("candy", turn_of("recipe"), change_turn(recipe=None), "state.turn.recipe: expected a recipe, got None"),
    ("candy", turn_of("recipe"), change_turn(uses=9), "state.turn.uses: expected 1 to "),
    ("candy", turn_of("load"), lambda d: d["turn"]["to_load"].update(chocolate=3), "to_load: expected sugar before"),
    ("candy", turn_of("load", truck=1), change_turn(truck=None), "state.turn.truck: expected the truck loaded last"),
    ("candy", turn_of("load", truck=1), change_turn(truck=0), "state.turn.truck: expected "),
]


@pytest.mark.parametrize(
    ("game_option", "until", "change", "message"),
    TURNS,
    ids=[f"{message} {n}" for n, (*_, message) in enumerate(TURNS)],
)
def test_a_field_that_does_not_fit_the_turn_is_refused(
    game_option: str, until: Until, change: Change, message: str
) -> None:
    game, data = position(until, game=game_option)
    change(data)
    assert message in refusal(game, data)


@pytest.mark.parametrize("value", [None, [], "state", 3, nested(5000)], ids=["null", "list", "text", "number", "deep"])
def test_what_is_no_table_is_refused(value: Any) -> None:
    assert refusal(load(num_players=2), value).startswith("state: expected a table with 'game'")


def test_short_4_no_more_hidden_specialists_are_seen_than_cards_were_drawn() -> None:
    game, data = position(begun, game="candy")
    player = data["players"][0]
    place = next(place for place, card in enumerate(player["deck"]) if card not in ("temp", *map(str, range(1, 9))))
    player["hand"][0], player["deck"][place] = player["deck"][place], player["hand"][0]
    player["hand"].sort(key=lambda card: (not card.isdigit(), card))
    assert "expected at most 0 of the hidden specialists by now, got 1" in refusal(game, data)
