"""Positions of Schoko & Co. that were tampered with: each is refused with the field that does not fit, or can be played
to its end.

`python tests/helpers/schoko_mutants.py 10000 7` attacks with 10,000 mutants of seed 7 and prints what became of them.
"""

from __future__ import annotations

import json
import random
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy

import numpy as np
from mutations import ANY_VALUE, LONGEST_MESSAGE, PATH, Broken, Json, Mutation, require
from schoko_games import VARIANTS, played_on, steps

from chocofactory_env.core.errors import StateError
from chocofactory_env.core.position import difference
from chocofactory_env.games.schoko.game import Schoko

MOST_DECISIONS = 12_000
TASKS = ("look", "staff", "card_a", "announce", "bid_bars", "make", "card_b", "money", "over")
BRANCHES = ("under_way", "box", "market", "meeting", "events", "express", "contracts", "players", "time")


def samples(game: Schoko, seed: int, number: int) -> list[Json]:
    """Positions of a game, each task as often as another."""
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


def other_word(game: Schoko, data: Json, rng: random.Random) -> None:
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


def cash(game: Schoko, data: Json, rng: random.Random) -> None:
    for player in data["players"]:
        player["cash"] = rng.choice((0, 1, 15, 49, 50, 250, 999, 900_000, 999_999, 2**31 - 1))


def stores(game: Schoko, data: Json, rng: random.Random) -> None:
    for player in data["players"]:
        player["cocoa"], player["chocolate"] = rng.randrange(17), rng.randrange(17)


def staff(game: Schoko, data: Json, rng: random.Random) -> None:
    """With what follows from it: the box, and the salaries."""
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


def papers(game: Schoko, data: Json, rng: random.Random) -> None:
    player = some_player(data, rng)
    for name in ("loans", "shares"):
        number = rng.randrange(5)
        data["box"][name] += player[name] - number
        player[name] = number
    player["loan_this_month"] = rng.random() < 0.5


def cards_moved(game: Schoko, data: Json, rng: random.Random) -> None:
    """Express cards change places; contracts go to a row; face-down piles are shuffled."""
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


def events_moved(game: Schoko, data: Json, rng: random.Random) -> None:
    order = data["events"]["order"]
    for first in range(0, len(order), 7):
        shuffle = order[first : first + 7]
        rng.shuffle(shuffle)
        order[first : first + 7] = shuffle


def meeting(game: Schoko, data: Json, rng: random.Random) -> None:
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


def bids(game: Schoko, data: Json, rng: random.Random) -> None:
    bid = rng.choice(some_player(data, rng)["bids"])
    bid["bars"], bid["price"] = rng.randrange(14), rng.choice((0, 1, 2, 30))
    if rng.random() < 0.3:
        data["under_way"]["city"] = rng.randrange(1, 6)


def time_moved(game: Schoko, data: Json, rng: random.Random) -> None:
    """Another turn, and whose it is; perhaps another month."""
    seats = len(data["players"])
    if rng.random() < 0.5:
        data["month"] = rng.randrange(1, game.months + 1)
    if data["current_player"] is not None:
        data["turn"] = rng.randrange(seats)
        data["current_player"] = (data["leader"] + data["turn"]) % seats
    if rng.random() < 0.3:
        data["leader"] = rng.randrange(seats)


def bankrupt(game: Schoko, data: Json, rng: random.Random) -> None:
    some_player(data, rng)["bankrupt"] = rng.randrange(4)


def seats_swapped(game: Schoko, data: Json, rng: random.Random) -> None:
    rng.shuffle(data["players"])


OF_THE_GAME: tuple[Mutation, ...] = (
    other_word, cash, stores, staff, papers, cards_moved, events_moved, meeting, bids, time_moved, bankrupt,
    seats_swapped,
)  # fmt: skip


def graft(other: Json) -> Mutation:
    """A branch of another position of the same variant."""

    def mutate(game: Schoko, data: Json, rng: random.Random) -> None:
        branch = rng.choice(
            ("under_way", "box", "market", "meeting", "events", "express", "contracts", "players", "time")
        )
        if branch == "time":
            for key in ("month", "task", "current_player", "leader", "turn"):
                data[key] = deepcopy(other[key])
        else:
            data[branch] = deepcopy(other[branch])

    return mutate


def mutated(game: Schoko, position: Json, other: Json, rng: random.Random) -> tuple[Json, list[str]]:
    """A copy with one or two mutations, and what these are called."""
    data = deepcopy(position)
    chosen = [
        rng.choice(OF_THE_GAME)
        if rng.random() < 0.7
        else graft(other)
        if rng.random() < 0.15
        else rng.choice(ANY_VALUE)
        for _ in range(rng.choice((1, 1, 2)))
    ]
    for mutation in chosen:
        try:
            mutation(game, data, rng)
        except (TypeError, KeyError, IndexError, ValueError, AttributeError, RecursionError):
            break  # an earlier mutation has left no such field
    return data, [mutation.__name__ for mutation in chosen]


# --- what becomes of them


def judge(game: Schoko, data: Json, seed: int) -> str:
    """Whether the position is refused or accepted; Broken if not as it should be."""
    try:
        state = game.from_dict(data)
    except StateError as error:
        message = str(error)
        require(PATH.match(message) is not None, f"no path in {message!r}")
        require(len(message) <= LONGEST_MESSAGE, f"a message of {len(message)} characters: {message[:200]!r}")
        return "refused"
    require(json.dumps(game.to_dict(state), sort_keys=True) == json.dumps(data, sort_keys=True), "not what was given")
    look = seed % 37 + 10
    for step, (position, _) in enumerate(played_on(game, state, seed, wild=0.1)):
        require(step < MOST_DECISIONS, "no end")
        require(bool((position["players"]["cash"] >= 0).all()), "negative cash")
        if step % look == 0 or game.is_over(position):
            look_at(game, position, step)
    return "accepted"


def look_at(game: Schoko, state: np.ndarray, seed: int) -> None:
    """What is shown of the position fits, and it is a position again, as it lies and dealt anew."""
    raw = np.empty(game.observation_layout.raw_size, np.uint8)
    for seat in range(game.num_players):
        game.write_raw_observation(state, seat, raw)
        above = np.flatnonzero(raw > game.observation_layout.raw_high)
        require(not len(above), f"observation above its high at {above[:5].tolist()}")
    require(max(map(len, game.render(state).splitlines())) <= 100, "a long line")
    for position in (state, game.redeal(state, seed % game.num_players, seed)):
        described = game.to_dict(position)
        require(game.to_dict(game.from_dict(described)) == described, "not the same position again")


def attack(number: int, seed: int, a_game: int = 12) -> Iterator[tuple[str, list[str], str]]:
    """(what became of it, its mutations, why) of so many mutants; positions of one game are mutated in turn."""
    rng = random.Random(seed)
    games = [Schoko(**options) for options in VARIANTS]
    for done in range(number):
        if done % a_game == 0:
            game = games[done // a_game % len(games)]
            positions = samples(game, rng.randrange(1 << 32), a_game)
        position = positions[done % a_game]
        data, names = mutated(game, position, rng.choice(positions), rng)
        try:
            unchanged = difference(data, position) is None
            yield ("unchanged" if unchanged else judge(game, data, done)), names, ""
        except Broken as error:
            yield "broken", names, str(error)
        except Exception:  # whatever else comes is what is looked for
            yield "broken", names, traceback.format_exc()


def main() -> None:
    """Attack and count."""
    number, seed = (int(argument) for argument in [*sys.argv[1:], "1000", "1"][:2])
    results: Counter[str] = Counter()
    by_mutation: dict[str, Counter[str]] = {}
    for done, (result, names, why) in enumerate(attack(number, seed), 1):
        results[result] += 1
        for name in names:
            by_mutation.setdefault(name, Counter())[result] += 1
        if result == "broken":
            print(f"mutant {done} of seed {seed}, {names}: {why}", flush=True)
    print(f"{number} mutants of seed {seed}: {dict(results)}")
    for name, counts in sorted(by_mutation.items()):
        print(f"  {name:24} {dict(counts)}")


if __name__ == "__main__":
    main()
