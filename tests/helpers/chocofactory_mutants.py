"""Mutations of positions of this game, for the attacks of `mutations.py`."""

from __future__ import annotations

import random
from collections.abc import Iterable
from copy import deepcopy
from typing import Any

from chocofactory_games import KINDS, MASTER_CHOCOLATIER, STORES, VARIANTS, choose, load, steps
from mutations import ANY_VALUE, NUMBERS, Attacked, Json, Mutation, at, put, some_place

SIZES = ("small", "medium", "large")
ATTACKED_VARIANTS = (
    *VARIANTS,
    {"num_players": 1, "difficulty": 3, "play_forced": False},
    {"num_players": 2, "start_player": 1, "play_forced": False},
    {"num_players": 1, "expansion": MASTER_CHOCOLATIER, "difficulty": 2, "sides": "DCDDD", "play_forced": False},
    {"num_players": 4, "expansion": MASTER_CHOCOLATIER, "sides": "CDCDA", "start_player": 2},
)


# --- positions to begin with


def samples(game: Any, seed: int, number: int) -> list[Json]:
    """Positions of a random game, every other one within a move if there are such."""
    rng = random.Random(seed)
    whole: list[Json] = []
    moving: list[Json] = []
    for state, _ in steps(game, seed):
        pool = moving if state["task"]["kind"][0] else whole
        if rng.random() < 0.15:
            pool.append(game.to_dict(state))
    whole.append(game.to_dict(state))  # the end
    half = rng.sample(moving, min(len(moving), number // 2))
    return half + rng.sample(whole, min(len(whole), number - len(half)))


# --- mutations


def other_word(game: Any, data: Json, rng: random.Random) -> None:
    """A word of the same sort, from somewhere in the position."""
    cards = game.cards
    path = some_place(data, rng, lambda value: isinstance(value, str))
    if path:
        word = at(data, path)
        sorts: list[Iterable[str]] = [cards.parts, cards.orders, cards.employees, cards.targets, cards.demands]
        sorts += [STORES, KINDS, SIZES, "ABCD"]
        sorts += [("draft", "run", "fulfil", "agents", "cleanup", "replace", "over")]
        put(data, path, rng.choice(next((list(words) for words in sorts if word in words), [word])))


# --- mutations that keep more of the position together


def pieces(game: Any, data: Json, rng: random.Random) -> None:
    player = rng.choice(data["players"])
    most = rng.choice((2, 9, 40, 500))
    for place in rng.sample([player["store_room"], *player["belt"]], rng.randrange(1, 6)):
        for kind in rng.sample(KINDS, rng.randrange(1, 8)):
            place[kind] = rng.randrange(most)


def coal_and_money(game: Any, data: Json, rng: random.Random) -> None:
    for player in rng.sample(data["players"], rng.randrange(1, len(data["players"]) + 1)):
        player["coal"] = rng.choice((0, 1, 5, 60, 61, 100, 500, 2000, rng.choice(NUMBERS)))
        player["money"] = rng.choice((0, 5, 250, 256, 9999, 10_300, rng.choice(NUMBERS)))
        player["earned_today"] = min(player["earned_today"], player["money"])
        if data["phase"] in ("fulfil", "agents", "cleanup") and rng.random() < 0.5:
            player["earned_today"] = rng.randrange(player["money"] + 1)


def markers(game: Any, data: Json, rng: random.Random) -> None:
    times = rng.sample(range(1, 100), 20)
    for player in data["players"]:
        for store in STORES:
            if rng.random() < 0.7:
                player["tracks"][store] = rng.choice((0, 0, 1, 5, 8, 9))
                player["arrivals"][store] = times.pop() if player["tracks"][store] else 0
    data["marker_moves"] = rng.choice((99, 100, 300, 32_600, 32_700, max(times)))


def part_in_factory(game: Any, data: Json, rng: random.Random) -> None:
    """Put a part on any slot: one that is nowhere, or one of the decks or the display, which get another one for it."""
    player = rng.choice(data["players"])
    piles = [data["decks"]["parts"], data["display"]["parts"], *data["decks"]["removed_parts"].values()]
    known = {part for pile in piles for part in pile} | {part for p in data["players"] for part in p["factory"]}
    gone = [part for part in game.cards.parts[3:] if part not in known]
    slot = rng.randrange(8)
    if gone and rng.random() < 0.7:
        player["factory"][slot] = rng.choice(gone)
    else:
        pile = rng.choice([pile for pile in piles if pile])
        place = rng.randrange(len(pile))
        pile[place], player["factory"][slot] = player["factory"][slot], pile[place]


def other_employee(game: Any, data: Json, rng: random.Random) -> None:
    player = rng.choice(data["players"])
    if player["employee"]:
        row = game.cards.array["employees"][0]
        number = rng.randrange(len(game.cards.employees))
        player["employee"] = game.cards.employees[number]
        player["uses_left"] = rng.randrange(int(row["uses"][number]) + 1)
        needs_slot = row["effect"][number] in (6, 13) and player["uses_left"] == 0
        player["assigned"] = rng.randrange(8) if needs_slot else None
        if rng.random() < 0.8:
            player["supplied"] = []
        for pile in data["decks"]["employees"].values():
            rng.shuffle(pile)


def decks_shuffled(game: Any, data: Json, rng: random.Random) -> None:
    decks = data["decks"]
    a_left = max(0, 3 - data["day"]) * 5
    first, rest = decks["parts"][:a_left], decks["parts"][a_left:]
    for pile in (first, rest, *decks["employees"].values(), *decks["orders"].values(), *decks["mix"][data["day"] :]):
        rng.shuffle(pile)
    decks["parts"] = first + rest


def orders_moved(game: Any, data: Json, rng: random.Random) -> None:
    """Move orders between deck, hand and pile, and change the numbers that count them."""
    size = rng.randrange(3)
    player, deck = rng.choice(data["players"]), data["decks"]["orders"][SIZES[size]]
    for _ in range(rng.choice((1, 2, 5, 18))):
        if not deck:
            break
        place = rng.randrange(3)
        if rng.random() < 0.5:
            player["completed"].append(deck.pop())
            player["completed_by_size"][SIZES[size]] += 1
        elif player["orders"][place] is None:
            player["orders"][place] = {"order": deck.pop(0), "stage": rng.randrange(size + 1)}
        elif game.cards.orders.index(player["orders"][place]["order"]) // 18 == size:
            held = player["orders"][place]
            held["order"], deck[0] = deck[0], held["order"]
            held["stage"] = rng.randrange(size + 1)
    data["decks"]["orders_seen"][SIZES[size]] = rng.randrange(len(deck) + 1)
    player["completed"].sort(key=game.cards.orders.index)
    if rng.random() < 0.3:
        player["to_replace"] = player["orders"].count(None)


def time_moved(game: Any, data: Json, rng: random.Random) -> None:
    """Another turn, and whose it is; perhaps another phase of those that look alike."""
    players = len(data["players"])
    if data["phase"] == "draft" or data["current_player"] is None:
        data["start_player"] = rng.randrange(players)
        return
    data["turn"] = rng.randrange(players)
    if rng.random() < 0.3:
        data["start_player"] = rng.randrange(players)
    data["current_player"] = (data["start_player"] + data["turn"]) % players
    if rng.random() < 0.7:
        data["phase"] = rng.choice(("run", "fulfil", "agents", "cleanup", "replace"))
        data["shift"] = rng.randrange(1, 5) if data["phase"] == "run" else 0
    if rng.random() < 0.5:
        data["under_way"] = None
        data["offer"] = dict.fromkeys(SIZES)
    if data["phase"] == "run":
        for player in data["players"]:
            player.update(supplied=[], earned_today=0, to_replace=0)


def ended(game: Any, data: Json, rng: random.Random) -> None:
    """Jump to the last day or the end."""
    data["day"], data["under_way"] = 6, None
    data["decks"]["parts"] = []
    data["decks"]["employees"] = {
        deck: [] if deck == "extra" else cards[-1:] for deck, cards in data["decks"]["employees"].items()
    }
    for field, cards in data["display"].items():
        data["display"][field] = [None] * 5 if isinstance(cards, list) else dict.fromkeys(cards)
    data["offer"] = dict.fromkeys(SIZES)
    for player in data["players"]:
        player["part_drafted"] = True
        if player["employee"] is None:
            player["employee"] = rng.choice(["director-fresh_fancies", "miner", "supervisor", "engineer"])
    if data["solo"]:
        data["solo"]["face_up"] = len(data["solo"]["demands"])
    data["phase"], data["shift"], data["turn"] = (*rng.choice((("over", 0), ("fulfil", 0), ("run", 1))), 0)
    data["current_player"] = None if data["phase"] == "over" else data["start_player"]


def move_under_way(game: Any, data: Json, rng: random.Random) -> None:
    """Change the move under way, and the pieces it works on."""
    task = data["under_way"]
    if task is None or data["current_player"] is None:
        return pieces(game, data, rng)
    for _ in range(rng.randrange(1, 3)):
        field = rng.choice(("slot", "tile", "option", "order", "points", "last_take", "last_make", "left", "count"))
        if field.startswith("last"):
            task[field] = rng.choice((None, *KINDS))
        elif task[field] is not None:
            task[field] = rng.choice((task[field] + 1, max(0, task[field] - 1), rng.randrange(10), None))
        elif rng.random() < 0.3:
            task[field] = rng.randrange(4)
        if rng.random() < 0.2:
            task["open"][rng.choice(list(task["open"]))] += rng.choice((1, -1))
        if rng.random() < 0.2:
            task["given"][rng.choice(KINDS)] += rng.choice((1, 1, 5, 300))
    if rng.random() < 0.5:
        pieces(game, data, rng)
    return None


def stages(game: Any, data: Json, rng: random.Random) -> None:
    for player in data["players"]:
        for held in (*player["orders"], *player["special_orders"]):
            if held is not None:
                held["stage"] = rng.randrange(game.cards.orders.index(held["order"]) // 18 + 1)


def seats_swapped(game: Any, data: Json, rng: random.Random) -> None:
    rng.shuffle(data["players"])


def demands(game: Any, data: Json, rng: random.Random) -> None:
    solo = data["solo"]
    if solo is None:
        return seats_swapped(game, data, rng)
    if rng.random() < 0.5:
        solo["demands"] = rng.sample(game.cards.demands, len(solo["demands"]))
    else:
        solo["delivered"] = sorted(rng.sample(range(solo["face_up"] + 1), rng.randrange(3)))
    return None


def operated(game: Any, data: Json, rng: random.Random) -> None:
    player = rng.choice(data["players"])
    used = [slot for slot, part in enumerate(player["factory"]) if part and part != "chute"]
    player["operated"] = sorted(rng.sample(used, rng.randrange(len(used) + 1)))
    if rng.random() < 0.3:
        player["uses_left"] = rng.randrange(4)
    if rng.random() < 0.2:
        player["assigned"] = rng.choice((None, rng.randrange(8)))


def packets(game: Any, data: Json, rng: random.Random) -> None:
    shown = data["display"]
    how = rng.randrange(4)
    if how == 0:
        rng.shuffle(shown["parts"])
    elif how == 1:
        rng.shuffle(shown["part_packets"])
    elif how == 2:
        player = rng.choice(data["players"])
        player["part_drafted"] = not player["part_drafted"]
    else:
        shown["employees"][rng.choice(list(shown["employees"]))] = rng.choice(game.cards.employees)


OF_THE_GAME: tuple[Mutation, ...] = (
    pieces, coal_and_money, markers, part_in_factory, other_employee, decks_shuffled, orders_moved, time_moved, ended,
    move_under_way, stages, seats_swapped, demands, operated, packets,
)  # fmt: skip


def graft(other: Json) -> Mutation:
    """Replace a branch by that of another position of the same variant."""

    def mutate(game: Any, data: Json, rng: random.Random) -> None:
        whole = rng.choice(("display", "decks", "offer", "players", "under_way", "solo", "sides", "time", "player"))
        if whole == "time":
            for key in ("day", "phase", "start_player", "turn", "shift", "current_player"):
                if rng.random() < 0.7:
                    data[key] = other[key]
        elif whole == "player":
            seat = rng.randrange(len(data["players"]))
            field = rng.choice(list(data["players"][seat]))
            data["players"][seat][field] = deepcopy(other["players"][seat][field])
        else:
            data[whole] = deepcopy(other[whole])

    return mutate


ATTACKED = Attacked(
    load, ATTACKED_VARIANTS, samples, choose, any_value=(*ANY_VALUE, other_word), of_the_game=OF_THE_GAME, graft=graft,
    searchers=("planner:width=4", "mcts:simulations=8", "flat_mc:playouts=4"),
)  # fmt: skip
