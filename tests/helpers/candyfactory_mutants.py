"""Mutations of positions of this game, for the attacks of `mutations.py`."""

from __future__ import annotations

import random
from copy import deepcopy
from typing import Any

from candyfactory_games import VARIANTS, choose, load, steps
from mutations import ANY_VALUE, Attacked, Json, Mutation, at, put, some_place

NUMBERS = [str(number) for number in range(1, 9)]
SPECIALISTS = ["temp", "lift_operator", "sorter", "runner", "trucker", "machinist", "packer"]
CARDS = [*NUMBERS, *SPECIALISTS]
STEPS = ["play", "die", "runner", "direct", "goods", "ability", "recipe", "hire", "load", "dismiss", "over"]


def samples(game: Any, seed: int, number: int) -> list[Json]:
    """Positions of a random game, most of them within a turn, including the last ones."""
    rng = random.Random(seed)
    positions = [game.to_dict(state) for state, _ in steps(game, seed)]
    rare = [position for position in positions if position["step"] in ("recipe", "hire", "load", "dismiss", "over")]
    chosen = rng.sample(rare, min(len(rare), number // 3))
    return chosen + rng.sample(positions, number - len(chosen))


# --- mutations


def other_word(game: Any, data: Json, rng: random.Random) -> None:
    """A word of the same sort, from somewhere in the position."""
    path = some_place(data, rng, lambda value: isinstance(value, str))
    if path:
        word = at(data, path)
        kinds = kinds_of(data)
        sorts = [CARDS, STEPS, kinds, list(game.cards.recipes), ["plantation", "candy"], ["bring", "ship"]]
        put(data, path, rng.choice(next((words for words in sorts if word in words), [word])))


def kinds_of(data: Json) -> list[str]:
    return [
        "sugar",
        "cacao",
        "chocolate",
        *(f"{how} {name}" for name in data["recipes"] for how in ("plain", "decorated")),
    ]


def holds_of(player: Json) -> list[Json]:
    return [player["warehouse"], *player["trucks"]]


def settle_supply(game: Any, data: Json) -> None:
    """Put everything that nobody has into the supply and on the recipe cards."""
    goods: dict[str, int] = {}
    for player in data["players"]:
        for hold in holds_of(player):
            for kind, number in hold["goods"].items():
                goods[kind] = goods.get(kind, 0) + number
    data["supply"]["sugar"] = 30 - goods.get("sugar", 0)
    data["supply"]["cacao"] = 30 - goods.get("cacao", 0) - goods.get("chocolate", 0)
    data["supply"]["coins"] = 15 - sum(player["coins"] + player["whistle"] for player in data["players"])
    for name in data["recipes"]:
        data["recipes"][name] = 6 - goods.get(f"plain {name}", 0) - goods.get(f"decorated {name}", 0)


def goods_moved(game: Any, data: Json, rng: random.Random) -> None:
    """Change goods and stacks anywhere, and the supply to match."""
    kinds = kinds_of(data)
    for _ in range(rng.randrange(1, 6)):
        hold = rng.choice(holds_of(rng.choice(data["players"])))
        kind = rng.choice(kinds if data["half"] == "candy" else kinds[:3])
        number = rng.choice((0, 1, 1, 2, 3, 4, 7, 9, 14))
        hold["goods"] = {k: n for k in kinds if (n := number if k == kind else hold["goods"].get(k, 0))}
        if rng.random() < 0.4:
            stacks = rng.randrange(number // 2 + 1)
            hold["stacks"] = {k: n for k in kinds if (n := stacks if k == kind else hold["stacks"].get(k, 0))}
    settle_supply(game, data)


def coins(game: Any, data: Json, rng: random.Random) -> None:
    for player in data["players"]:
        player["coins"] = rng.choice((0, 1, 2, 3, 5))
        player["whistle"] = rng.random() < 0.5
    settle_supply(game, data)


def workers(game: Any, data: Json, rng: random.Random) -> None:
    data["board"] = sorted(rng.sample(range(1, 9), rng.randrange(9)))


def die(game: Any, data: Json, rng: random.Random) -> None:
    data["die"] = rng.randrange(1, 9)
    if data["turn"] and data["turn"]["card"] in SPECIALISTS and data["turn"]["number"]:
        data["turn"]["number"] = data["die"]


def cards_moved(game: Any, data: Json, rng: random.Random) -> None:
    """Move cards between hand and deck, or play them."""
    player = rng.choice(data["players"])
    if player["hand"] and player["deck"] and rng.random() < 0.7:
        place, other = rng.randrange(len(player["hand"])), rng.randrange(len(player["deck"]))
        player["hand"][place], player["deck"][other] = player["deck"][other], player["hand"][place]
    elif player["hand"] and player["deck"]:
        player["hand"].pop()
        player["hand"].append(player["deck"].pop(0))
    elif player["hand"]:
        player["hand"].pop(rng.randrange(len(player["hand"])))
    player["hand"].sort(key=CARDS.index)
    rng.shuffle(player["deck"])


def specialists_moved(game: Any, data: Json, rng: random.Random) -> None:
    """Move specialist cards between the specialist deck, hands, and played cards."""
    player, deck = rng.choice(data["players"]), data["specialist_deck"]
    rng.shuffle(deck)
    pile = rng.choice((player["hand"], player["played"], player["deck"]))
    places = [place for place, card in enumerate(pile) if card in SPECIALISTS[1:]]
    if deck and places:
        place, entry = rng.choice(places), rng.choice(deck)
        pile[place], entry["card"] = entry["card"], pile[place]
    elif places:
        pile[rng.choice(places)] = rng.choice(SPECIALISTS)
    if deck and rng.random() < 0.5:
        player["played"].append(deck.pop()["card"])
    for cards in (player["hand"], player["played"]):
        cards.sort(key=CARDS.index)


def knowledge(game: Any, data: Json, rng: random.Random) -> None:
    for entry in data["specialist_deck"]:
        if rng.random() < 0.3:
            entry["known_to"] = rng.choice(([], [0], [1], [0, 1]))


def time_moved(game: Any, data: Json, rng: random.Random) -> None:
    """Another seat to move or to start; perhaps another step that looks alike."""
    data["start_player"] = rng.randrange(len(data["players"]))
    if data["current_player"] is not None and rng.random() < 0.5:
        data["current_player"] = rng.randrange(len(data["players"]))
    if rng.random() < 0.3:
        data["step"] = rng.choice(STEPS)
    if data["step"] == "play" and rng.random() < 0.5:
        data["turn"] = None


def ended(game: Any, data: Json, rng: random.Random) -> None:
    for player in data["players"]:
        player["hand"], player["deck"] = [], []
    data["step"], data["turn"], data["current_player"] = "over", None, None


def turn_changed(game: Any, data: Json, rng: random.Random) -> None:
    """Change one or two fields of the turn under way."""
    turn = data["turn"]
    if turn is None:
        return workers(game, data, rng)
    for _ in range(rng.randrange(1, 3)):
        field = rng.choice([field for field in turn if field != "to_load"])
        value = turn[field]
        if isinstance(value, bool):
            turn[field] = not value
        elif field == "card":
            turn[field] = rng.choice((*CARDS, None))
        elif field == "last":
            turn[field] = rng.choice((*kinds_of(data), None))
        elif field == "recipe":
            turn[field] = rng.choice((*data["recipes"], None))
        elif field == "way":
            turn[field] = rng.choice(("bring", "ship", None))
        else:
            turn[field] = rng.choice((rng.randrange(10), (value or 0) + 1, None))
        if rng.random() < 0.2:
            turn["to_load"][rng.choice(("sugar", "chocolate"))] += rng.choice((-1, 1, 1))
    return None


def search_moved(game: Any, data: Json, rng: random.Random) -> None:
    """Change the space, and the capacity to match."""
    turn = data["turn"]
    if turn is None or turn["space"] is None:
        return die(game, data, rng)
    turn["space"] = rng.randrange(1, 9)
    tries = (turn["space"] - turn["number"]) % 8 + 1
    if turn["left"]:
        turn["left"] = tries
    spaces = [(turn["number"] - 1 + step) % 8 + 1 for step in range(tries)]
    if turn["way"] == "bring":
        data["board"] = sorted({*data["board"], *spaces})
    else:
        board = {*data["board"]} - {*spaces}
        data["board"] = sorted(board if data["step"] == "goods" else {*board, spaces[-1]})
    return None


def seats_swapped(game: Any, data: Json, rng: random.Random) -> None:
    rng.shuffle(data["players"])


def graft(other: Json) -> Mutation:
    """Replace a branch by that of another position of the same variant."""

    def mutate(game: Any, data: Json, rng: random.Random) -> None:
        whole = rng.choice(("board", "supply", "recipes", "specialist_deck", "players", "turn", "time", "player"))
        if whole == "time":
            for key in ("half", "step", "current_player", "start_player", "turn"):
                if rng.random() < 0.8:
                    data[key] = deepcopy(other[key])
        elif whole == "player":
            seat = rng.randrange(len(data["players"]))
            field = rng.choice(list(data["players"][seat]))
            data["players"][seat][field] = deepcopy(other["players"][seat][field])
            settle_supply(game, data)
        else:
            data[whole] = deepcopy(other[whole])

    return mutate


ATTACKED = Attacked(
    load, VARIANTS, samples, choose,
    any_value=(*ANY_VALUE, other_word),
    of_the_game=(
        goods_moved, goods_moved, coins, workers, die, cards_moved, specialists_moved, knowledge, time_moved, ended,
        turn_changed, turn_changed, search_moved, seats_swapped,
    ),
    graft=graft,
    searchers=("mcts:simulations=8", "flat_mc:playouts=4"),
)  # fmt: skip
