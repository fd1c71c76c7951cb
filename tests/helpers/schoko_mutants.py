"""Mutations of positions of this game, for the attacks of `mutations.py`."""

from __future__ import annotations

import random
from copy import deepcopy
from typing import Any

import numpy as np
from mutations import ANY_VALUE, Attacked, Json, Mutation
from schoko_games import PASS, VARIANTS, steps

from chocofactory_env.games.schoko.game import Schoko

TASKS = ("look", "staff", "card_a", "announce", "bid_bars", "make", "card_b", "money", "over")
BRANCHES = ("under_way", "box", "market", "meeting", "events", "express", "contracts", "players", "time")


def samples(game: Any, seed: int, number: int) -> list[Json]:
    """Positions of a game, with every task equally often."""
    rng = random.Random(seed)
    by_task: dict[str, list[Json]] = {}
    for step, (state, _) in enumerate(steps(game, seed, wild=0.1)):
        if step % 3 == seed % 3 or game.is_over(state):
            data = game.to_dict(state)
            by_task.setdefault(data["task"], []).append(data)
    return [rng.choice(by_task[rng.choice(list(by_task))]) for _ in range(number)]


# --- mutations that keep more of the position together


def some_player(data: Json, rng: random.Random) -> Json:
    player: Json = rng.choice(data["players"])
    return player


def other_word(game: Any, data: Json, rng: random.Random) -> None:
    """Another task, or another card of the same sort."""
    if rng.random() < 0.5:
        data["task"] = rng.choice(
            ("look", "staff", "card_a", "announce", "bid_bars", "make", "card_b", "money", "over")
        )
        return
    pile = rng.choice((data["events"]["order"], data["contracts"]["face_down"], data["express"]["gone"]))
    if pile:
        cards = game.cards
        ids = next(ids for ids in (cards.events, cards.contracts, cards.express) if pile[0] in ids)
        pile[rng.randrange(len(pile))] = rng.choice(ids)


def cash(game: Any, data: Json, rng: random.Random) -> None:
    for player in data["players"]:
        player["cash"] = rng.choice((0, 1, 15, 49, 50, 250, 999, 900_000, 999_999, 2**31 - 1))


def stores(game: Any, data: Json, rng: random.Random) -> None:
    for player in data["players"]:
        player["cocoa"], player["chocolate"] = rng.randrange(17), rng.randrange(17)


def staff(game: Any, data: Json, rng: random.Random) -> None:
    """Change the staff, and with it the box and the salaries."""
    player = some_player(data, rng)
    category = rng.choice(list(player["staff"]))
    number = rng.randrange(6)
    data["box"][category] += player["staff"][category] - number
    player["staff"][category] = number
    player["staff_before"][category] = max(0, number - rng.randrange(3))
    if player["salaries"]:
        salaries = game.cards.record.salaries.tolist()
        pairs = zip(player["staff"].values(), salaries, strict=True)
        player["salaries"] = sum(there * salary for there, salary in pairs)


def papers(game: Any, data: Json, rng: random.Random) -> None:
    player = some_player(data, rng)
    for name in ("loans", "shares"):
        number = rng.randrange(5)
        data["box"][name] += player[name] - number
        player[name] = number
    player["loan_this_month"] = rng.random() < 0.5


def cards_moved(game: Any, data: Json, rng: random.Random) -> None:
    """Move express cards, move contracts to a row, or shuffle face-down piles."""
    places = [data["express"]["unseen"], data["express"]["gone"], *(player["hand"] for player in data["players"])]
    one, other = rng.sample([place for place in places if place] or [["levy"]], 1)[0], rng.choice(places)
    if one and other:
        left, right = rng.randrange(len(one)), rng.randrange(len(other))
        one[left], other[right] = other[right], one[left]
    for place in places:
        place.sort(key=game.cards.express.index)
    face_down = data["contracts"]["face_down"]
    rng.shuffle(face_down)
    if face_down and rng.random() < 0.5:
        contract = face_down.pop()
        card = game.cards.record.contracts[game.cards.contracts.index(contract)]
        price = rng.choice((card.lowest, card.highest, card.highest // 2, card.highest + 1))
        some_player(data, rng)["contracts"].append({"contract": contract, "price": int(price)})


def events_moved(game: Any, data: Json, rng: random.Random) -> None:
    order = data["events"]["order"]
    for first in range(0, len(order), 7):
        shuffle = order[first : first + 7]
        rng.shuffle(shuffle)
        order[first : first + 7] = shuffle


def meeting(game: Any, data: Json, rng: random.Random) -> None:
    shown, seats = data["meeting"], range(len(data["players"]))
    field = rng.choice(("left", "price", "present", "refused", "taker", "marker", "gained"))
    if field in ("left", "price"):
        shown[field] += rng.choice((-5, -1, 1, 5))
    elif field in ("present", "refused"):
        shown[field] = sorted(rng.sample(seats, rng.randrange(len(seats) + 1)))
    elif field == "taker":
        shown[field] = rng.choice((None, *seats))
    else:
        some_player(data, rng)[field] = rng.randrange(10)


def bids(game: Any, data: Json, rng: random.Random) -> None:
    bid = rng.choice(some_player(data, rng)["bids"])
    bid["bars"], bid["price"] = rng.randrange(14), rng.choice((0, 1, 2, 30))
    if rng.random() < 0.3:
        data["under_way"]["city"] = rng.randrange(1, 6)


def time_moved(game: Any, data: Json, rng: random.Random) -> None:
    """Another turn, and whose it is; perhaps another month."""
    seats = len(data["players"])
    if rng.random() < 0.5:
        data["month"] = rng.randrange(1, game.months + 1)
    if data["current_player"] is not None:
        data["turn"] = rng.randrange(seats)
        data["current_player"] = (data["leader"] + data["turn"]) % seats
    if rng.random() < 0.3:
        data["leader"] = rng.randrange(seats)


def bankrupt(game: Any, data: Json, rng: random.Random) -> None:
    some_player(data, rng)["bankrupt"] = rng.randrange(4)


def seats_swapped(game: Any, data: Json, rng: random.Random) -> None:
    rng.shuffle(data["players"])


OF_THE_GAME: tuple[Mutation, ...] = (
    other_word, cash, stores, staff, papers, cards_moved, events_moved, meeting, bids, time_moved, bankrupt,
    seats_swapped,
)  # fmt: skip


def graft(other: Json) -> Mutation:
    """Replace a branch by that of another position of the same variant."""

    def mutate(game: Any, data: Json, rng: random.Random) -> None:
        branch = rng.choice(
            ("under_way", "box", "market", "meeting", "events", "express", "contracts", "players", "time")
        )
        if branch == "time":
            for key in ("month", "task", "current_player", "leader", "turn"):
                data[key] = deepcopy(other[key])
        else:
            data[branch] = deepcopy(other[branch])

    return mutate


def choose(game: Any, mask: np.ndarray, rng: np.random.Generator) -> int:
    """Any legal action, passing less often."""
    legal = np.flatnonzero(mask)
    doing = legal[legal != PASS]
    return int(rng.choice(doing if len(doing) and rng.random() < 0.7 else legal))


def nobody_owes_cash(game: Any, state: np.ndarray) -> bool:
    """PAY-1"""
    return bool((state["players"]["cash"] >= 0).all())


ATTACKED = Attacked(
    load=Schoko,
    variants=VARIANTS,
    samples=samples,
    choose=choose,
    any_value=ANY_VALUE,
    of_the_game=OF_THE_GAME,
    graft=graft,
    searchers=("mcts:simulations=8", "flat_mc:playouts=4"),
    is_sound=nobody_owes_cash,
)
