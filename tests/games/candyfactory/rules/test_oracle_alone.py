"""The oracle by itself: the page's situations played by hand, and its invariants in random games of every variant.

`CF_CANDY_ORACLE_GAMES` says how many games are played of every variant and number of players (default 4).
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from itertools import product
from random import Random
from typing import Any

import pytest
from candy_decks import SHIPPED
from candy_positions import SITUATIONS
from long_runs import amount

from .oracle import IllegalAnswerError, Oracle
from .oracle_checks import check_position, directions, rooms_of
from .oracle_deal import RandomChance, random_deal
from .oracle_goods import Rooms, Transport
from .oracle_words import (
    ALWAYS_ASKED,
    CARDS,
    HIRED,
    KINDS,
    PLAIN,
    SPACES,
    SPECIALISTS,
    STEPS,
    VERBS,
    WORKERS,
    Answer,
    Room,
    Tables,
    Turn,
)

GAMES = amount("CF_CANDY_ORACLE_GAMES", 4, 200)
MOST_DECISIONS = 3000
VARIANTS = ("full", "plantation", "candy")
TABLES: Tables = {**SHIPPED, **tomllib.loads(SITUATIONS.read_text(encoding="utf-8"))}
# Movers prefer to move: a random player that stops at half of the steps ships next to nothing.
WEIGHTS = {
    "stop": 0.4,
    "recruit": 3.0,
    "mix": 3.0,
    "make": 3.0,
    "decorate_all": 5.0,
    "add_worker": 0.1,
    "remove_worker": 0.1,
}
PRETZEL_AND_PEANUTS = ("chocolate-peanuts", "chocolate-pretzel", "lollipop")


def new_game(seed: int = 0, num_players: int = 2, **options: Any) -> Oracle:
    chosen = {"num_players": num_players, "play_forced": False} | options
    return Oracle(chosen, TABLES, random_deal(chosen, TABLES, Random(seed)))


def in_candy_half(recipes: tuple[str, ...] = PRETZEL_AND_PEANUTS, **options: Any) -> Oracle:
    """A full game at the start of its candy half, seat 0 to move, with nothing aboard."""
    chosen = {"num_players": 2, "play_forced": False} | options
    oracle = Oracle(chosen, TABLES, random_deal(chosen, TABLES, Random(0)) | {"recipes": recipes})
    oracle.half, oracle.seat, oracle.start_player = "candy", 0, 0
    oracle.specialist_deck, oracle.known_by = [], []
    for player in oracle.players:
        player.warehouse.stacks = []
    return oracle


def give(room: Room, **goods: int) -> None:
    """Goods in places of their own; `plain_0` is the kind "plain 0"."""
    room.stacks = [[kind.replace("_", " ")] for kind, number in goods.items() for _ in range(number)]


def play_card(oracle: Oracle, card: str, *answers: Answer, die: int | None = None) -> Oracle:
    """Seat 0 plays this card with the die on `die`."""
    oracle.seat, oracle.step = 0, "play"
    oracle.players[0].hand = [card, *oracle.players[0].hand[:2]]
    if die is not None:
        oracle.die = die
    oracle.play("play", CARDS.index(card))
    if card in SPECIALISTS:
        oracle.play("keep_die", 0)
    for answer in answers:
        oracle.play(*answer)
    return oracle


def workers_on(oracle: Oracle, *spaces: int) -> None:
    oracle.board = {space: space in spaces for space in SPACES}


def occupied(oracle: Oracle) -> list[int]:
    return [space for space in SPACES if oracle.board[space]]


def move(kind: str) -> Answer:
    return "move", KINDS.index(kind)


def sell(kind: str) -> Answer:
    return "sell", KINDS.index(kind)


def arguments(oracle: Oracle, verb: str) -> set[int]:
    return {argument for name, argument in oracle.legal() if name == verb}


BRING, SHIP, STOP = ("bring", 0), ("ship", 0), ("stop", 0)


# --- Setup ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_start_4_to_7_what_is_dealt(num_players: int) -> None:
    oracle = new_game(num_players=num_players)
    assert (oracle.sugar, oracle.cacao, oracle.coins) == (30 - num_players, 30 - num_players, 15 - num_players)
    assert len(oracle.recipes) == num_players + 1
    assert len(oracle.specialist_deck) == 18
    for player in oracle.players:
        assert player.warehouse.goods() == Counter(sugar=1, cacao=1)
        assert (player.coins, len(player.hand), len(player.deck)) == (1, 3, 6)
        assert player.hand[0] == "temp"


def test_short_3_to_6_the_candy_factory_alone_begins_with_loading() -> None:
    oracle = new_game(game="candy", num_players=3, start_player=1)
    rows = [oracle.observable(seat) for seat in range(3)]
    assert (oracle.seat, oracle.step, oracle.sugar, oracle.cacao) == (1, "load", 30, 30)
    assert all(row["deck_size"] == [9, 9, 9] and row["unknown_specialists"] == [3, 3, 3] for row in rows)
    assert all(sum(row["own_deck"]) == 6 and sum(row["hand"]) == 3 for row in rows)
    # 7 sugar fit into trucks of 5, 3, 4 and 3 places: from each of them on at most as long as they do.
    assert arguments(oracle, "truck") == {0, 1, 2}
    for truck in (2, 2, 2, 2):
        oracle.play("truck", truck)
    assert arguments(oracle, "truck") == {3}
    for truck in (3, 3, 3, 0, 0, 1, 1):
        oracle.play("truck", truck)
    assert (oracle.seat, oracle.step) == (2, "load")
    assert [truck.goods().total() for truck in oracle.players[1].trucks] == [2, 2, 4, 3]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"decks": []}, "deal.decks: 0 decks"),
        ({"decks": [["1"] * 8] * 2}, r"deal.decks\[0\]"),
        ({"die": 9}, "deal.die: 9"),
        ({"recipes": ["lollipop"] * 3}, "deal.recipes"),
    ],
)
def test_a_deal_that_the_rules_do_not_know_is_refused(change: dict[str, Any], message: str) -> None:
    options = {"num_players": 2}
    with pytest.raises(ValueError, match=message):
        Oracle(options, TABLES, random_deal(options, TABLES, Random(0)) | change)


def test_an_illegal_answer_is_refused_before_anything_changes() -> None:
    oracle = new_game()
    before = oracle.view()
    with pytest.raises(IllegalAnswerError, match=r"bring\(0\) at play, seat"):
        oracle.play("bring", 0)
    assert oracle.view() == before


# --- Situations of the page -------------------------------------------------------------------------------------


def test_situation_1_TO_1_the_search_goes_on_from_an_occupied_space() -> None:
    oracle = new_game()
    workers_on(oracle, 4)
    play_card(oracle, "4", BRING)
    assert occupied(oracle) == [4, 5]
    assert oracle.turn.left == 2
    for _ in range(2):
        oracle.play(*move("sugar"))
    assert oracle.step == "ability"
    assert oracle.players[0].warehouse.goods() == Counter(sugar=3, cacao=1)
    oracle.play("mix", 0)
    assert oracle.players[0].warehouse.goods() == Counter(sugar=2, chocolate=1)
    assert (oracle.seat, oracle.step) == (1, "play")


def test_situation_2_FROM_1_the_ability_comes_before_the_goods() -> None:
    oracle = new_game()
    workers_on(oracle, 4)
    player = oracle.players[0]
    give(player.warehouse, sugar=1, cacao=1, chocolate=1)
    play_card(oracle, "2", SHIP)
    assert (oracle.step, oracle.turn.left, occupied(oracle)) == ("ability", 3, [4])
    assert oracle.legal() == {STOP, sell("cacao")}
    oracle.play(*sell("cacao"))
    assert player.coins == 3
    for answer in (("truck", 1), move("sugar"), move("chocolate"), STOP):
        oracle.play(*answer)
    assert player.trucks[1].goods() == Counter(sugar=1, chocolate=1)
    assert occupied(oracle) == []
    assert oracle.seat == 1


@pytest.mark.parametrize(("hired", "score"), [(False, 23), (True, 19)])
def test_situation_3_SCORE_5_the_worked_example(hired: bool, score: int) -> None:
    oracle = in_candy_half()
    player = oracle.players[0]
    large, small, other, _ = player.trucks
    give(large, chocolate=1, sugar=1, decorated_1=3)
    give(other if hired else small, plain_0=1, decorated_0=1)
    player.coins, player.whistle = 2, 1
    assert oracle.scores()[0] == score
    assert oracle.standings()[0] == score - 2
    assert oracle.winners() == [0]


def test_situation_4_TO_3_FROM_3_full_and_empty_boards() -> None:
    oracle = new_game()
    oracle.players[0].coins = 0
    play_card(oracle, "3")
    assert oracle.legal() == {BRING}
    oracle.play(*BRING)
    assert oracle.turn.left == 1
    workers_on(oracle, *SPACES)
    play_card(oracle, "3")
    assert oracle.legal() == {SHIP}


def test_situation_4_WHIS_3_a_shift_change_can_fill_the_board() -> None:
    oracle = new_game()
    workers_on(oracle, *range(1, 8))
    oracle.players[0].coins = 1
    supply = oracle.coins
    play_card(oracle, "3")
    assert oracle.legal() == {BRING, SHIP, ("add_worker", 7), *(("remove_worker", space) for space in range(7))}
    oracle.play("add_worker", 7)
    assert oracle.legal() == {SHIP}
    assert (oracle.players[0].coins, oracle.players[0].whistle, oracle.coins) == (0, 1, supply)


def test_situation_5_SPEC_4_the_sorter_may_search_the_other_way() -> None:
    oracle = new_game()
    oracle.players[0].coins = 0
    workers_on(oracle, 4)
    play_card(oracle, "sorter", die=5)
    assert oracle.legal() == {BRING, SHIP, ("ship", 1)}
    assert deepcopy(oracle).search(occupied=True) == (4, 8)
    oracle.play("ship", 1)
    assert (oracle.turn.space, oracle.turn.left) == (4, 2)
    oracle = new_game()
    oracle.players[0].coins = 0
    workers_on(oracle, 4)
    play_card(oracle, "sorter", die=4)
    assert oracle.legal() == {BRING, ("bring", 1), SHIP}


@pytest.mark.parametrize(("die", "turned", "number"), [(8, 3, 1), (1, 0, 7), (5, 2, 5)])
def test_situation_6_SPEC_5_SPEC_9_the_runner_turns_the_die(die: int, turned: int, number: int) -> None:
    oracle = play_card(new_game(), "runner", die=die)
    assert arguments(oracle, "turn_die") == {0, 1, 2, 3, 4}
    oracle.play("turn_die", turned)
    assert (oracle.turn.number, oracle.die) == (number, number)


def test_situation_7_ABIL_8_a_recruit_takes_the_place_of_drawing() -> None:
    oracle = new_game()
    oracle.specialist_deck[:4] = ["packer", "packer", "runner", "sorter"]
    rest = oracle.specialist_deck[3:]
    player, deck = oracle.players[0], list(oracle.players[0].deck)
    play_card(oracle, "2", BRING, STOP, ("recruit", 0))
    assert oracle.legal() == {("hire", HIRED.index("packer")), ("hire", HIRED.index("runner"))}
    assert oracle.observable(0)["offer"] == [0, 0, 1, 0, 0, 2]
    assert oracle.observable(1)["offer"] == [0] * 6
    oracle.play("hire", HIRED.index("packer"))
    assert oracle.specialist_deck == [*rest, "packer", "runner"]
    assert oracle.known_by[-2:] == [{0}, {0}]
    assert (len(player.hand), player.deck, player.coins) == (3, deck, 0)
    assert "packer" in player.hand


def test_situation_7_ABIL_14_a_recruit_with_the_last_card_gives_another_turn() -> None:
    oracle = new_game()
    for player in oracle.players:
        player.hand, player.deck = [], []
    play_card(oracle, "2", BRING, STOP, ("recruit", 0), ("hire", HIRED.index(oracle.specialist_deck[0])))
    assert (oracle.seat, oracle.step, len(oracle.players[0].hand)) == (0, "play", 1)


def test_open_4_a_recruit_clears_what_others_knew_of_the_cards_it_shows() -> None:
    oracle = new_game()
    oracle.specialist_deck = ["packer", "runner", "sorter"]
    oracle.known_by = [{1}, {1}, {0, 1}]
    play_card(oracle, "2", BRING, STOP, ("recruit", 0))
    assert oracle.known_by == [{0}, {0}, {0}]
    assert oracle.observable(1)["known_specialists"] == [0] * 6
    assert oracle.observable(1)["specialist_deck"] == [3]


def test_situation_8_SPEC_8_the_packer_stacks_what_is_moved() -> None:
    oracle = new_game()
    warehouse = oracle.players[0].warehouse
    warehouse.stacks = [
        ["sugar"],
        ["cacao"],
        ["chocolate"],
        ["chocolate"],
        ["chocolate"],
        ["cacao", "cacao"],
        ["cacao"],
    ]
    workers_on(oracle, 4)
    play_card(oracle, "packer", BRING, die=4)
    # TO-4: cacao would be stacked as well.
    assert oracle.legal() == {move("sugar"), move("cacao"), STOP}
    oracle.play(*move("sugar"))
    assert oracle.legal() == {STOP}
    oracle.play(*STOP)
    oracle.play("mix", 0)
    assert (warehouse.count("sugar"), warehouse.count("chocolate"), warehouse.free) == (1, 4, 0)
    assert warehouse.stacked() == Counter(cacao=1)


def test_situation_8_SPEC_14_without_a_packer_goods_of_a_stack_need_places() -> None:
    oracle = new_game()
    player = oracle.players[0]
    player.warehouse.stacks = [["sugar", "sugar"]]
    give(player.trucks[1], chocolate=2)
    workers_on(oracle, 4)
    play_card(oracle, "3", SHIP, STOP, ("truck", 1), move("sugar"))
    assert oracle.legal() == {STOP}
    assert player.warehouse.stacks == [["sugar"]]


def test_room_6_turning_one_good_of_a_stack_needs_a_place() -> None:
    """Counted after the sugar has left: one of a stack of sugar frees no place."""
    oracle = new_game(start_player=0)
    warehouse = oracle.players[0].warehouse
    warehouse.stacks = [["cacao", "cacao"], ["sugar"], *([["chocolate"]] * 5)]
    assert oracle.uses_of("mixer") == {("mix", 0)}
    warehouse.stacks[1] = ["sugar", "sugar"]
    assert oracle.uses_of("mixer") == set()


def test_situation_9_CANDY_4_candies_without_a_place_stay_on_the_card() -> None:
    oracle = in_candy_half()
    player = oracle.players[0]
    give(player.warehouse, chocolate=1, sugar=6)
    play_card(oracle, "1", BRING, STOP, ("make", 0))
    assert (player.warehouse.count(PLAIN[0]), oracle.tokens[0]) == (1, 5)
    assert oracle.legal() == {STOP}


def test_situation_9_CANDY_5_the_last_token() -> None:
    oracle = in_candy_half()
    player = oracle.players[0]
    give(player.warehouse, chocolate=2)
    oracle.tokens[0] = 1
    play_card(oracle, "1", BRING, STOP, ("make", 0))
    assert (player.warehouse.count(PLAIN[0]), oracle.tokens[0]) == (1, 0)
    assert oracle.legal() == {STOP}


def test_candy_3_a_recipe_is_used_up_to_its_number_of_times() -> None:
    oracle = in_candy_half()
    player = oracle.players[0]
    give(player.warehouse, chocolate=3)
    play_card(oracle, "1", BRING, STOP, ("make", 0))
    assert oracle.legal() == {STOP, ("make", 0)}
    oracle.play("make", 0)
    assert oracle.seat == 1
    assert player.warehouse.goods() == Counter({"chocolate": 1, PLAIN[0]: 4})


def test_spec_11_the_machinist_doubles_the_machine() -> None:
    oracle = in_candy_half()
    player = oracle.players[0]
    give(player.warehouse, chocolate=3, sugar=2)
    play_card(oracle, "machinist", BRING, STOP, die=1)
    for answer in (("make", 1), ("make", 1)):
        oracle.play(*answer)
    assert oracle.legal() == {STOP, ("make", 0)}
    oracle.play("make", 0)
    oracle.play(*STOP)
    assert oracle.seat == 1
    assert player.warehouse.goods() == Counter({PLAIN[1]: 2, PLAIN[0]: 2})


def test_abil_10_abil_15_decorating() -> None:
    oracle = in_candy_half()
    warehouse = oracle.players[0].warehouse
    warehouse.stacks = [["plain 0", "plain 0"], ["plain 1"], *([["sugar"]] * 5)]
    oracle.players[0].coins = 1
    play_card(oracle, "2", BRING, STOP)
    # ROOM-6: one of the stack would need a place.
    assert oracle.legal() == {STOP, ("decorate", 1), ("decorate_all", 0)}
    oracle.play("decorate_all", 0)
    assert warehouse.stacks[:2] == [["decorated 0", "decorated 0"], ["decorated 1"]]
    assert oracle.players[0].coins == 0


def test_situation_10_TRANS_1_to_5() -> None:
    """14 of 15 places covered: one berth is free."""
    oracle = new_game(seed=3)
    for player in oracle.players:
        player.hand, player.deck = [], []
        player.played = [card for card in CARDS[:8] if card != "2"]
    first, second = oracle.players
    second.played.append("2")
    first.played += ["temp", "packer", "runner"]
    oracle.out_of_game = ["temp", "packer", "runner"]
    for truck, number in zip(first.trucks, (5, 3, 4, 2), strict=True):
        truck.stacks = [["sugar"]] * number
    first.whistle, second.whistle = 1, 1
    coins, sugar = oracle.coins, oracle.sugar
    play_card(oracle, "2", BRING, STOP)
    oracle.play(*STOP)
    assert (oracle.step, oracle.seat, oracle.coins, oracle.sugar) == ("dismiss", 0, coins + 2, sugar + 2)
    assert not any(player.warehouse.stacks for player in oracle.players)
    # Types never decrease, so the packer cannot be the first of two.
    assert arguments(oracle, "dismiss") == {SPECIALISTS.index("temp"), SPECIALISTS.index("runner")}
    oracle.play("dismiss", SPECIALISTS.index("runner"))
    assert arguments(oracle, "dismiss") == {SPECIALISTS.index("packer")}
    oracle.play("dismiss", SPECIALISTS.index("packer"), RandomChance(oracle, Random(0)))
    assert (oracle.half, oracle.seat, oracle.step) == ("candy", 0, "play")
    assert Counter(first.hand + first.deck) == Counter(CARDS[:9])
    assert occupied(oracle) == []


@pytest.mark.parametrize(("supply", "paid"), [(0, None), (1, 1), (2, 2)])
def test_situation_10_COIN_1_the_outlet_pays_what_the_supply_has(supply: int, paid: int | None) -> None:
    oracle = new_game()
    player = oracle.players[0]
    oracle.coins = supply
    play_card(oracle, "4", BRING, STOP)
    assert oracle.legal() == ({STOP} if paid is None else {STOP, sell("cacao")})
    if paid is not None:
        oracle.play(*sell("cacao"))
        assert player.coins == 1 + paid


def test_from_4_no_cacao_is_shipped_and_room_3_only_one_truck() -> None:
    oracle = new_game()
    give(oracle.players[0].warehouse, sugar=2, cacao=2, chocolate=1)
    workers_on(oracle, 8)
    play_card(oracle, "1", SHIP, STOP)
    assert oracle.legal() == {STOP, *(("truck", number) for number in range(4))}
    oracle.play("truck", 1)
    assert oracle.legal() == {move("sugar"), move("chocolate")}
    oracle.play(*move("chocolate"))
    assert oracle.legal() == {STOP}


def test_spec_6_the_trucker_accesses_trucks_in_the_order_of_their_numbers() -> None:
    oracle = new_game()
    give(oracle.players[0].warehouse, sugar=2, chocolate=1)
    give(oracle.players[0].trucks[3], sugar=3)
    workers_on(oracle, 8)
    play_card(oracle, "trucker", SHIP, STOP, ("truck", 1), move("chocolate"), die=1)
    assert oracle.legal() == {STOP, ("truck", 2)}
    oracle.play("truck", 2)
    assert oracle.legal() == {move("sugar")}


# --- Goods: a naive enumeration (check 8) -----------------------------------------------------------------------


def rooms_now(oracle: Oracle, seat: int) -> Rooms:
    rooms = oracle.players[seat].rooms()
    return tuple(tuple((room.count(kind), room.stacked()[kind]) for kind in KINDS) for room in rooms)


def branch(oracle: Oracle) -> Oracle:
    kept = (oracle.tables, oracle.boards, oracle.numbers, oracle.recipes)
    return deepcopy(oracle, {id(thing): thing for thing in kept})


def results_of_sequences(oracle: Oracle) -> Iterator[Rooms]:
    """The rooms after every sequence of answers that ends the goods step."""
    seat, turn = oracle.seat, oracle.turn
    assert seat is not None
    for answer in oracle.legal():
        after = branch(oracle)
        after.play(*answer)
        if after.step == "goods" and after.turn.card == turn.card:
            yield from results_of_sequences(after)
        else:
            yield rooms_now(after, seat)


def naive_results(oracle: Oracle) -> set[Rooms]:
    assert oracle.seat is not None
    turn, rooms = oracle.turn, rooms_now(oracle, oracle.seat)
    assert turn.way is not None
    assert turn.card is not None
    places = [room.places for room in oracle.player.rooms()]
    supply = {"sugar": oracle.sugar, "cacao": oracle.cacao}
    return Transport(oracle.half, turn.way, turn.card, turn.left, rooms, places, supply).results()


def random_stacks(random: Random, places: int, kinds: list[str]) -> list[list[str]]:
    return [[random.choice(kinds)] * random.choice((1, 1, 2)) for _ in range(random.randrange(places + 1))]


def goods_position(random: Random, half: str, way: str, card: str) -> Oracle:
    oracle = in_candy_half() if half == "candy" else new_game()
    kinds = ["sugar", "chocolate", "plain 0", "decorated 0"] if half == "candy" else ["sugar", "chocolate"]
    player = oracle.players[0]
    player.warehouse.stacks = random_stacks(random, 7, kinds if half == "candy" else [*kinds, "cacao"])
    for truck in player.trucks:
        truck.stacks = random_stacks(random, truck.places, kinds)
    oracle.sugar, oracle.cacao = random.randrange(4), random.randrange(4)
    oracle.seat, oracle.step = 0, "goods"
    oracle.turn = Turn(card=card, way=way, space=1, number=1, left=random.randrange(1, 4))
    return oracle


@pytest.mark.parametrize("card", ["3", "packer", "trucker"])
@pytest.mark.parametrize("way", ["bring", "ship"])
@pytest.mark.parametrize("half", ["plantation", "candy"])
def test_check_8_one_sequence_for_every_result_of_a_naive_enumeration(half: str, way: str, card: str) -> None:
    random = Random(f"{half} {way} {card}")
    moved = 0
    for _ in range(12):
        oracle = goods_position(random, half, way, card)
        found = list(results_of_sequences(oracle))
        assert len(found) == len(set(found))
        assert set(found) == naive_results(oracle)
        moved += len(found) - 1
    assert moved > 0


# --- Random games -----------------------------------------------------------------------------------------------


class RandomGame:
    """One random game and what has happened in it."""

    def __init__(self, seed: int, num_players: int, game: str, *, play_forced: bool = True) -> None:
        self.random = Random(f"{seed} {num_players} {game}")
        self.options = {"num_players": num_players, "game": game, "play_forced": play_forced}
        self.oracle = Oracle(self.options, TABLES, random_deal(self.options, TABLES, self.random))
        self.chance = RandomChance(self.oracle, self.random)
        self.turns: Counter[tuple[str, int]] = Counter()
        self.recruits: Counter[int] = Counter()
        self.kept: Counter[int] = Counter()
        self.packers: set[int] = set()
        self.seen: Counter[str] = Counter()

    def run(self, at_every_step: Callable[[RandomGame], None]) -> Oracle:
        oracle = self.oracle
        for _ in range(MOST_DECISIONS):
            at_every_step(self)
            if oracle.step is None:
                return oracle
            answers = sorted(oracle.legal())
            answer = self.random.choices(answers, [WEIGHTS.get(verb, 1.0) for verb, _ in answers])[0]
            self.note(*answer)
            half = oracle.half
            oracle.play(*answer, self.chance)
            if oracle.half != half:
                self.note_kept()
        raise AssertionError(f"no end within {MOST_DECISIONS} decisions")

    def note_kept(self) -> None:
        """Check 4; a seat has played its temp and what it recruited."""
        for seat, player in enumerate(self.oracle.players):
            self.kept[seat] = len(player.hand + player.deck) - 8
            berths = sum(min(truck.berths, truck.places - len(truck.stacks)) for truck in player.trucks)
            assert self.kept[seat] == min(1 + self.recruits[seat], berths)

    def note(self, verb: str, argument: int) -> None:
        oracle = self.oracle
        assert oracle.seat is not None
        self.seen[verb] += 1
        if verb == "play":
            self.turns[oracle.half, oracle.seat] += 1
            if CARDS[argument] == "packer":
                self.packers.add(oracle.seat)
        elif verb == "recruit":
            self.recruits[oracle.seat] += 1


def check_step(played: RandomGame) -> None:
    """Checks 1 to 3, 5 to 7; `play_forced`."""
    oracle = played.oracle
    view = oracle.view()
    check_position(view, TABLES, oracle.game)
    check_all_cards(oracle)
    for seat, player in enumerate(view["players"]):
        assert seat in played.packers or not any(room["stacks"] for room in rooms_of(player))
    legal = oracle.legal()
    assert all(0 <= argument < VERBS[verb] for verb, argument in legal)
    if oracle.step is None:
        assert oracle.seat is None
        assert not legal
        return
    assert oracle.step in STEPS
    assert len(legal) > (0 if oracle.step in ALWAYS_ASKED else int(oracle.play_forced))
    if oracle.step == "direct":
        check_directions(oracle, legal)


def check_all_cards(oracle: Oracle) -> None:
    """Check 3, with played worker cards and those out of the game."""
    owned = Counter(oracle.specialist_deck + oracle.out_of_game)
    for player in oracle.players:
        cards = Counter(player.hand + player.deck + player.played)
        assert all(cards[worker] == 1 for worker in WORKERS)
        owned += Counter({card: cards[card] for card in SPECIALISTS})
        assert oracle.game != "candy" or sum(cards[card] for card in HIRED) == 3
    assert owned["temp"] == oracle.num_players
    assert oracle.game == "candy" or all(owned[card] == 3 for card in HIRED)


def check_directions(oracle: Oracle, legal: set[Answer]) -> None:
    """Check 5."""
    assert oracle.turn.number is not None
    assert oracle.turn.card is not None
    found = directions(occupied(oracle), oracle.turn.number, oracle.turn.card)
    assert {answer for answer in legal if answer[0] in ("bring", "ship")} == found.keys() != set()
    for answer, space_and_capacity in found.items():
        after = branch(oracle)
        after.play_forced = False
        after.play(*answer)
        assert (after.turn.space, after.turn.left) == space_and_capacity


def check_turns(played: RandomGame) -> None:
    """Check 4."""
    for seat in range(played.oracle.num_players):
        if played.oracle.game == "candy":
            assert played.turns["candy", seat] == 12
            continue
        assert played.turns["plantation", seat] == 9 + played.recruits[seat]
        candy = 8 + played.kept[seat] if played.oracle.game == "full" else 0
        assert played.turns["candy", seat] == candy


@pytest.mark.parametrize("game", VARIANTS)
@pytest.mark.slow
@pytest.mark.long
def test_checks_1_to_7_hold_in_random_games(game: str) -> None:
    seen: Counter[str] = Counter()
    for num_players, seed in product((2, 3, 4), range(GAMES)):
        played = RandomGame(seed, num_players, game, play_forced=seed % 2 == 0)
        played.run(check_step)
        check_turns(played)
        check_results(played.oracle)
        seen += played.seen
    never = {
        "full": set(),
        "plantation": {"make", "decorate", "decorate_all", "dismiss"},
        "candy": {"mix", "recruit", "hire", "dismiss"},
    }
    assert VERBS.keys() - seen.keys() == never[game]


def naive_score(player: dict[str, Any], points: dict[str, int], own: list[bool], game: str) -> int:
    """SCORE-1 to SCORE-4, SHORT-1, read off the view; points by recipe."""
    trucks = player["trucks"]
    if game == "plantation":
        return int(
            player["coins"]
            + sum(truck["goods"].get("sugar", 0) + 2 * truck["goods"].get("chocolate", 0) for truck in trucks)
        )
    aboard: Counter[str] = Counter()
    for truck, counts in zip(trucks, own, strict=True):
        aboard += Counter(truck["goods"]) if counts else Counter()
    score = player["coins"] + sum(aboard[kind] + (aboard[kind] > 0) for kind in KINDS[:3])
    for recipe, value in points.items():
        plain, decorated = aboard[f"plain {recipe}"], aboard[f"decorated {recipe}"]
        score += value * plain + (value + 1) * decorated + (plain + decorated > 0)
    return int(score)


def check_results(oracle: Oracle) -> None:
    """Check 12; TIE-1, TIE-2."""
    view = oracle.view()
    points = {recipe["id"]: recipe["points"] for recipe in oracle.recipes}
    own = [truck["own"] for truck in TABLES["trucks"]]
    scores = [naive_score(player, points, own, oracle.game) for player in view["players"]]
    assert oracle.scores() == scores
    assert [score - player.coins for score, player in zip(scores, oracle.players, strict=True)] == oracle.standings()
    ranking = oracle.ranking()
    assert oracle.winners() == [seat for seat, place in enumerate(ranking) if place == 0] != []
    for seat, place in enumerate(ranking):
        assert place == 0 or scores[seat] <= min(scores[winner] for winner in oracle.winners())
        assert sum(score > scores[seat] for score in scores) <= place
    rotated = branch(oracle)
    rotated.players = rotated.players[1:] + rotated.players[:1]
    assert rotated.scores() == scores[1:] + scores[:1]
    assert rotated.ranking() == ranking[1:] + ranking[:1]


def test_tie_1_coins_then_goods_elsewhere_then_a_shared_victory() -> None:
    oracle = in_candy_half(("lollipop", "toffee", "fudge", "truffle"), num_players=3)
    first, second, third = oracle.players
    for player in (first, second):
        player.coins = 2
    third.coins = 1
    give(third.trucks[0], sugar=0, chocolate=0)
    give(first.trucks[0], sugar=1)
    give(second.trucks[0], sugar=1)
    give(third.trucks[0], sugar=2)
    assert oracle.scores() == [4, 4, 4]
    assert (oracle.ranking(), oracle.winners()) == ([0, 0, 2], [0, 1])
    give(second.trucks[2], sugar=1)
    assert (oracle.ranking(), oracle.winners()) == ([1, 0, 2], [1])
    first.warehouse.stacks = [["sugar", "sugar"]]
    assert oracle.ranking() == [0, 1, 2]


def test_tie_1_goods_in_own_trucks_do_not_break_ties() -> None:
    oracle = in_candy_half(("lollipop", "toffee", "truffle"))
    first, second = oracle.players
    give(first.trucks[0], plain_2=1)
    give(second.trucks[0], sugar=4)
    assert oracle.scores() == [6, 6]
    assert oracle.ranking() == [0, 0]


# --- What a seat may know ---------------------------------------------------------------------------------------


def size(value: Any) -> int:
    return sum(map(size, value)) if isinstance(value, list) else 1


def scramble(oracle: Oracle, seat: int, random: Random) -> None:
    """Check 10: other hands, all decks, the specialist deck where the seat does not know it."""
    for other, player in enumerate(oracle.players):
        random.shuffle(player.deck)
        if other != seat:
            exchange(random, [player.hand, player.deck], CARDS if oracle.half == "candy" else WORKERS)
    others = [player for other, player in enumerate(oracle.players) if other != seat]
    if oracle.game == "candy":
        own = oracle.players[seat].deck
        exchange(random, [own, *(cards for player in others for cards in (player.hand, player.deck))], HIRED)
    elif oracle.half == "plantation" and oracle.step != "hire":
        unknown = [
            card for card, seats in zip(oracle.specialist_deck, oracle.known_by, strict=True) if seat not in seats
        ]
        exchange(random, [unknown, *(player.hand for player in others)], HIRED)
        for place, seats in enumerate(oracle.known_by):
            if seat not in seats:
                oracle.specialist_deck[place] = unknown.pop()


def exchange(random: Random, piles: list[list[str]], cards: Sequence[str]) -> None:
    """Shuffle those of these cards that lie in the piles over the places where they lie."""
    places = [(pile, place) for pile in piles for place, card in enumerate(pile) if card in cards]
    found = [pile[place] for pile, place in places]
    for (pile, place), card in zip(places, random.sample(found, len(found)), strict=True):
        pile[place] = card


@pytest.mark.parametrize("game", VARIANTS)
@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.long
def test_check_10_what_a_seat_cannot_see_leaves_its_observation_unchanged(num_players: int, game: str) -> None:
    changed = 0

    def check(played: RandomGame) -> None:
        nonlocal changed
        random = played.random
        if random.random() > 0.1:
            return
        for seat in range(num_players):
            before = played.oracle.observable(seat)
            assert size(list(before.values())) == 219 + 163 * num_players
            hidden = branch(played.oracle)
            scramble(hidden, seat, random)
            assert hidden.observable(seat) == before
            changed += hidden.view() != played.oracle.view()

    for seed in range(max(1, GAMES // 4)):
        RandomGame(seed, num_players, game).run(check)
    assert changed > 0


# --- Forced answers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", VARIANTS)
def test_play_forced_only_leaves_out_single_answers(game: str) -> None:
    """The same choices with and without it lead to the same positions."""

    class Faces:
        """The same chance for both games."""

        def __init__(self, oracle: Oracle) -> None:
            self.random, self.oracle = Random(5), oracle

        def die(self) -> int:
            return self.random.choice(SPACES)

        def deck(self, seat: int) -> list[str]:
            return self.random.sample(sorted(self.oracle.players[seat].played), len(self.oracle.players[seat].played))

    random = Random(game)
    options = {"num_players": 3, "game": game}
    deal = random_deal(options, TABLES, random)
    short = Oracle(options, TABLES, deal)
    long = Oracle(options | {"play_forced": False}, TABLES, deal)
    chance, slow_chance = Faces(short), Faces(long)
    forced = 0
    while short.step is not None:
        assert long.view() == short.view()
        answer = random.choice(sorted(short.legal()))
        short.play(*answer, chance)
        long.play(*answer, slow_chance)
        while long.step not in (None, *ALWAYS_ASKED) and len(long.legal()) == 1:
            long.play(*long.legal().pop(), slow_chance)
            forced += 1
    assert long.view() == short.view()
    assert forced > 0
