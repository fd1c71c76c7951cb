"""Chocofactory beside its oracle."""

from __future__ import annotations

from functools import cache
from random import Random

from chocofactory_games import cards_of_ring, flagged

import chocofactory_env as cf

from ..follow import GamePair, load
from .cards import KINDS, MASTER_CHOCOLATIER, REFINED, SIZES, STORES, Cards, read_cards
from .oracle import OF_THE_TABLE, Answer, Json, Oracle, copied
from .setup import PARTS_OF_A_DECK, REMOVED_PARTS, check_invariants

COMPARED = (*OF_THE_TABLE, "current_player", "players")
# How eagerly a random player does what; verbs not named weigh 1.
POLICIES: dict[str, dict[str, float]] = {
    "uniform": {},
    "eager": {
        "operate": 5, "assign": 5, "use_employee": 5, "fulfil": 10, "supply": 3, "deliver": 9, "trade": 0.1,
        "end_shift": 0.5, "finish_orders": 0.3,
    },
    "supplier": {
        "operate": 8, "use_employee": 3, "fulfil": 0.2, "supply": 10, "stop": 0.3, "trade": 0.02, "end_shift": 0.3,
        "finish_orders": 0.1,
    },
    "shopkeeper": {
        "operate": 8, "use_employee": 9, "fulfil": 20, "deliver": 20, "chute": 0.3, "trade": 0.02, "end_shift": 0.3,
        "finish_orders": 0.05,
    },
}  # fmt: skip
MIXES: dict[str | None, tuple[str | None, ...]] = {
    None: ("A", "B", "random", "ABABA", "BABAB", "BBAAB"),
    MASTER_CHOCOLATIER: (None, "C", "D", "DCACD", "DABCD", "CDDDD", "DDBDB", "DBCAC"),
}


CARDS_BY_HASH: dict[str, Cards] = {}  # of the decks that are played


@cache
def all_cards(expansion: str | None) -> Cards:
    return read_cards(expansion)


def cards_of(state: Json) -> Cards:
    return CARDS_BY_HASH[state["deck"]]


class Pair(GamePair):
    """One game in both; `seed` fixes the deal and every choice of the random players. `deck`: a generated one."""

    def __init__(self, seed: int, num_players: int, play_forced: bool, deck: cf.GeneratedDeck | None = None) -> None:
        self.seed = seed
        self.random = Random(f"{seed}-{num_players}-{play_forced}")
        self.expansion = self.random.choice((None, MASTER_CHOCOLATIER))
        self.cards = all_cards(self.expansion) if deck is None else read_cards(self.expansion, deck.tables)
        self.sides = self.random.choice(MIXES[self.expansion])
        self.difficulty = self.random.randrange(4) if num_players == 1 else 0
        self.policies = [self.random.choice(list(POLICIES)) for _ in range(num_players)]
        # How often the table is made richer by hand: more often where stores ask for particular pieces (MC-4).
        self.gifts = self.random.choice((0.0, 0.0, 0.05) if self.expansion is None else (0.0, 0.05, 0.05))
        self.game = load(
            "chocofactory",
            num_players=num_players,
            sides=self.sides,
            difficulty=self.difficulty,
            play_forced=play_forced,
            expansion=self.expansion,
            mode="simultaneous" if seed % 3 == 2 else "turns",
            deck=None if deck is None else deck.name,
            solo_money="completed" if num_players == 1 and seed % 2 else "paid",
        )
        CARDS_BY_HASH[self.game.deck_hash] = self.cards
        self.begin()
        self.oracle = Oracle.from_dict(for_oracle(self.game.to_dict(self.state)), self.cards)

    def where(self) -> str:
        return f"day {self.oracle.day}, {self.oracle.phase}, seat {self.oracle.current_player}"

    # --- Comparing ----------------------------------------------------------------------------------------------

    def positions(self) -> tuple[Json, Json]:
        """A task that is under way is compared by whether there is one."""
        engine, oracle = for_oracle(self.data), self.oracle.to_dict()
        compared = {name: engine[name] for name in COMPARED}
        compared["players"] = [
            {name: there[name] for name in player}
            for there, player in zip(engine["players"], oracle["players"], strict=True)
        ]
        compared["under_way"] = engine["under_way"] is not None
        expected = {name: oracle[name] for name in COMPARED} | {"under_way": self.oracle.in_a_move}
        if "together" in engine:
            begun = [task is not None for task in engine["together"]["under_way"]]
            compared["together"], expected["together"] = engine["together"] | {"under_way": begun}, oracle["together"]
        return compared, expected

    def in_a_move(self) -> bool:
        return self.oracle.in_a_move or any(self.oracle.together()["under_way"])

    def results(self) -> Json:
        """The ranking means something only at the end."""
        if self.in_a_move():
            return {}
        results = {"scores": self.oracle.scores(), "won": self.oracle.won()}
        return results | ({"ranking": self.oracle.ranking()} if self.oracle.over else {})

    def check_position(self) -> None:
        if not self.in_a_move():
            check_invariants(for_oracle(self.data), self.cards)

    # --- Playing ------------------------------------------------------------------------------------------------

    def choose(self, legal: dict[Answer, int]) -> Answer:
        seat = self.oracle.current_player
        assert seat is not None
        return self.chosen(legal, POLICIES[self.policies[seat]])

    def note(self, verb: str, argument: int) -> None:
        self.seen[verb] += 1
        if self.oracle.in_a_move or self.oracle.phase == "draft":
            return
        player = self.oracle.player
        if verb == "operate":
            self.seen[f"operate {player.factory[argument]}"] += 1
        elif verb in ("use_employee", "assign"):
            self.seen[f"{verb} {player.employee}"] += 1
        elif verb == "supply":
            self.seen[f"supply {STORES[argument]} {self.oracle.sides[STORES[argument]]}"] += 1
        elif verb == "deliver":
            self.seen[f"deliver {self.oracle.manager_card_names()[argument]}"] += 1

    def apply(self, answer: Answer, action: int) -> None:
        self.game.apply(self.state, action)
        self.oracle.apply(*answer)

    def start_again(self, legal: dict[Answer, int]) -> dict[Answer, int]:
        """Both read the position anew, in some games with gifts to the current player."""
        if self.in_a_move():
            return legal
        state = self.data
        before_a_supply = self.expansion is not None and self.oracle.phase in ("fulfil", "agents")
        if self.random.random() < self.gifts * (5 if before_a_supply else 1):
            enrich(state, state["players"][state["current"]], self.random)
            self.state = self.game.from_dict(state)
            self.oracle = Oracle.from_dict(for_oracle(state), self.cards)
            return self.compare_legal()
        if self.random.random() < 0.02:
            self.oracle = Oracle.from_dict(for_oracle(state), self.cards)
        return legal

    def play_ends(self, number: int) -> None:
        """Compare the results of made-up ends of this game."""
        assert self.oracle.over
        over = self.game.to_dict(self.state)
        for _ in range(number):
            made_up = make_up_end(over, self.random)
            self.state = self.game.from_dict(made_up)
            self.oracle = Oracle.from_dict(for_oracle(made_up), self.cards)
            self.compare()
            self.seen[f"{'solo' if self.oracle.is_solo else 'end'} won {any(self.oracle.won())}"] += 1


def for_oracle(state: Json) -> Json:
    """A position of `to_dict` in the form that the oracle reads."""
    day, mode = state["day"], state["options"].get("mode", "turns")
    size = PARTS_OF_A_DECK + (0 if state["options"]["expansion"] is None else REMOVED_PARTS)
    deck_a, deck_b = state["part_deck"][:size], state["part_deck"][size : 2 * size]
    employees = state["employee_decks"]
    solo = {
        "target": state["target"],
        "demands": state["demands"][: state["num_demands"]],
        "face_up": state["face_up"],
        "delivered": flagged(state["delivered"]),
        **({"paid": state["paid"]} if only_completed(state) else {}),
    }
    tasks = [None if task["kind"] == "nothing" else task for task in (state["task"], *state["tasks"])]
    together = {"finished": state["finished"], "shifts": state["shifts"], "under_way": tasks[1:]}
    same = ("deck", "options", "day", "phase", "start_player", "turn", "shift", "marker_moves", "sides", "offer")
    return {name: state[name] for name in same} | {
        "current_player": state["current"],
        "display": {
            "parts": state["display_parts"],
            "employees": state["display_employees"],
            "part_packets": state["part_packets"],
            "employee_packets": state["employee_packets"],
        },
        "decks": {
            "parts": [*deck_a[:PARTS_OF_A_DECK], *deck_b[:PARTS_OF_A_DECK]][5 * day :],
            "removed_parts": {"A": deck_a[PARTS_OF_A_DECK:], "B": deck_b[PARTS_OF_A_DECK:]},
            "employees": {name: [card for card in cards[day:] if card] for name, cards in employees.items()},
            "mix": [] if is_solo(state) else [[name for name in mixed if name in employees] for mixed in state["mix"]],
            "orders": {name: cards_of_ring(deck) for name, deck in state["order_decks"].items()},
        },
        "players": [player_for_oracle(player) for player in state["players"]],
        "under_way": tasks[0],
        "solo": solo if is_solo(state) else None,
        **({"together": together} if mode == "simultaneous" else {}),
    }


def player_for_oracle(player: Json) -> Json:
    *belt, store_room = player["pieces"].values()
    held = zip(player["orders"], player["stage"], strict=True)
    orders = [None if order is None else {"order": order, "stage": stage} for order, stage in held]
    return player | {
        "store_room": store_room,
        "belt": belt,
        "operated": flagged(player["operated"]),
        "uses_left": player["uses"],
        "orders": orders[:3],
        "special_orders": orders[3:],
        "completed": player["pile"],
        "completed_by_size": player["completed"],
        "tracks": player["track"],
        "arrivals": player["arrival"],
        "supplied": flagged(player["supplied"]),
    }


def is_solo(state: Json) -> bool:
    return len(state["players"]) == 1


def only_completed(state: Json) -> bool:
    """SOLO-7"""
    return bool(state["options"].get("solo_money") == "completed")


def enrich(state: Json, player: Json, random: Random) -> None:
    """Gifts: coal, pieces, parts that were discarded, a marker moved on; or scarcity: order decks that run out."""
    player["coal"] += random.randrange(6)
    for _ in range(random.randrange(12)):
        player["pieces"]["store room"][random.choice(KINDS)] += 1
    if state["phase"] == "run":
        for _ in range(random.randrange(8)):
            player["pieces"][f"tile {random.randrange(4)}"][random.choice(KINDS)] += 1
    if random.random() < 0.5:
        place_discarded_part(state, player, random)
    if random.random() < 0.3:
        move_marker(state, player, random.choice(STORES), random.randrange(1, 10))
    if random.random() < 0.1:
        complete_orders(state, player, random.randrange(54), random)
    if state["options"]["expansion"] is not None:
        enrich_with_expansion(state, player, random)


def enrich_with_expansion(state: Json, player: Json, random: Random) -> None:
    """MC-3, MC-4: pieces for sets, pairs and kinds in order; money of the day."""
    if random.random() < 0.5:
        for kind in REFINED[: random.randrange(2, 6)]:
            player["pieces"]["store room"][kind] += random.randrange(1, 4)
    if state["phase"] in ("fulfil", "agents"):
        pounds = random.randrange(30)
        player["money"] += pounds
        player["earned_today"] += pounds


def place_discarded_part(state: Json, player: Json, random: Random) -> None:
    """MC-1: not one that left during setup. MC-2: rather one that can carry."""
    decks = for_oracle(state)["decks"]
    known = {*decks["parts"], *state["display_parts"]}
    known.update(part for parts in decks["removed_parts"].values() for part in parts)
    known.update(part for other in state["players"] for part in other["factory"])
    parts = cards_of(state).parts
    gone = [name for name, part in parts.items() if part.deck != "printed" and name not in known]
    carrying = [name for name in gone if any(option.moves is not None for option in parts[name].options)]
    if gone:
        slot = random.choice([slot for slot in range(8) if slot != 2])  # the Chute may stay
        if player["employee"] == "technician" and player["assigned"] not in (None, 2):
            slot = player["assigned"]  # EMP-16: a part that carries, or another, on any tile in reach
        player["factory"][slot] = random.choice(carrying or gone)


def move_marker(state: Json, player: Json, store: str, space: int) -> None:
    moves = max(number for other in state["players"] for number in other["arrival"].values())
    player["track"][store] = space
    player["arrival"][store] = state["marker_moves"] = moves + 1


def complete_orders(state: Json, player: Json, number: int, random: Random) -> None:
    """Orders out of the decks, as if the player had completed them."""
    for _ in range(number):
        size = random.choice(SIZES)
        deck = state["order_decks"][size]
        if deck["count"]:
            player["pile"].append(cards_of_ring(deck)[-1])
            player["completed"][size] += 1
            deck["count"] -= 1
        deck["returned"] = 0
    player["pile"].sort(key=list(cards_of(state).orders).index)


def make_up_end(over: Json, random: Random) -> Json:
    """The same end with other markers, money, coal, pieces, completed orders and delivered cards."""
    state: Json = copied(over)
    arrivals = iter(random.sample(range(1, 100), 20))
    top = random.choice((3, 9))
    for player in state["players"]:
        player["money"] = random.randrange(80)
        player["coal"] = random.randrange(5)
        player["pieces"]["store room"] = {kind: random.choice((0, 0, 1, 2)) for kind in KINDS}
        for store in STORES:
            player["track"][store] = random.choice((0, random.randrange(top + 1)))
            player["arrival"][store] = next(arrivals) if player["track"][store] else 0
        complete_orders(state, player, random.randrange(6), random)
    if random.random() < 0.2:
        make_equal(state["players"])
    state["marker_moves"] = 100
    if is_solo(state):
        make_up_solo_end(state, random)
    for player in state["players"]:
        player["earned_today"] = min(player["earned_today"], player["money"])
    return state


def make_equal(players: list[Json]) -> None:
    """END-6: nothing but turn order tells players apart who completed as many orders."""
    for player in players:
        player["money"], player["coal"] = 7, 0
        player["pieces"]["store room"] = dict.fromkeys(KINDS, 0)
        player["track"] = dict.fromkeys(STORES, 0)
        player["arrival"] = dict.fromkeys(STORES, 0)


def make_up_solo_end(state: Json, random: Random) -> None:
    """Close to what the cards ask for, and mostly with all chocolate orders and Special Orders done."""
    (player,) = state["players"]
    cards = Oracle.from_dict(for_oracle(state), cards_of(state)).manager_cards()
    if only_completed(state):
        pay_open_orders(state, random)
    waiting = sum(state["paid"])
    player["money"] = waiting + max(0, sum(card.money for card in cards) + random.choice((-1, 0, 0, 0, 7)))
    complete_orders(state, player, random.randrange(8), random)
    for store in STORES:
        space = random.choice((0, 1, 2, 3, 4, 5, 7, 9))
        player["track"][store], player["arrival"][store] = space, STORES.index(store) + 1 if space else 0
    if random.random() < 0.9:
        for number, card in enumerate(cards):
            state["delivered"][number] = card.chocolate_order is not None
    if random.random() < 0.9:
        done = [order for order in player["orders"][3:] if order is not None]
        player["special_completed"] += len(done)
        player["pile"] = sorted(player["pile"] + done, key=list(cards_of(state).orders).index)
        player["orders"][3:], player["stage"][3:] = [None] * 3, [0] * 3
        player["money"] -= sum(state["paid"][3:])
        state["paid"][3:] = [0, 0, 0]


def pay_open_orders(state: Json, random: Random) -> None:
    """SOLO-7: stages of open orders that are done, and have paid what is printed or nothing (EMP-5)."""
    (player,) = state["players"]
    orders = cards_of(state).orders
    for number, order in enumerate(player["orders"]):
        state["paid"][number] = 0
        if order is not None:
            stages = orders[order].stages
            player["stage"][number] = done = random.randrange(len(stages))
            state["paid"][number] = sum(stage.pay for stage in stages[:done] if random.random() < 0.8)
