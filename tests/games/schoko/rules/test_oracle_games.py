"""What the page of rules wants of every position, held over random games of the oracle of *Schoko & Co.*

CF_ORACLE_GAMES sets how many games of each variant are played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest
from long_runs import amount

from .oracle import Oracle
from .oracle_cards import CARDS, EXPRESS, LENGTHS, RandomChance, random_deal
from .oracle_checks import check_position, check_step
from .oracle_observation import TASKS
from .oracle_position import EFFECTS, Answer
from .oracle_tables import any_answer, thrifty_answer

GAMES = amount("CF_ORACLE_GAMES", 3, 60)
VARIANTS = [
    (num_players, upset, play_forced)
    for num_players in (2, 3, 4)
    for upset in ("bookkeepers", "all")
    for play_forced in (False, True)
]
FLOWS = {"looks", "salaries", "severance", "cocoa", "contracts", "bank_sales", "loans", "interest", "shares"}
FLOWS |= {"store_shock", "wage_subsidy", "levy"}
MOST_STEPS = 12_000


class Checked(Oracle):
    """Invariant 10, at the moment for which it is said; all cash flows to and from the bank."""

    def pay_salaries(self) -> None:
        seats = list(self.player_order())
        loans = {seat: self.players[seat].loans for seat in seats}
        alone = [seat for seat in seats if self.has_largest_work_force(seat)]
        assert all(loans.values()) or not any(loans[seat] for seat in alone)
        super().pay_salaries()


def games(num_players: int, upset: str, play_forced: bool, number: int = GAMES) -> Iterator[tuple[Oracle, Random]]:
    """Every second one is played by thrifty players: `random` is for the answers."""
    for seed in range(number):
        random = Random(f"{num_players} {upset} {play_forced} {seed}")
        options = {"num_players": num_players, "upset": upset, "play_forced": play_forced}
        options["months"] = random.choice(LENGTHS[num_players])
        yield Checked(options, CARDS, random_deal(random, num_players)), random


def answers(oracle: Oracle, random: Random) -> Iterator[Answer]:
    """Plays the game, and yields each answer before it is given."""
    player = random.choice([any_answer, thrifty_answer])
    chance = RandomChance(random)
    for _ in range(MOST_STEPS):
        if oracle.seat is None:
            return
        answer = player(oracle, random)
        yield answer
        oracle.play(*answer, chance)
    raise AssertionError(f"the game has not ended within {MOST_STEPS} steps")


@pytest.mark.parametrize(("num_players", "upset", "play_forced"), VARIANTS)
@pytest.mark.long
def test_what_holds_in_every_position(num_players: int, upset: str, play_forced: bool) -> None:
    """Invariants 1 to 11; games end in time, with one winner."""
    for oracle, random in games(num_players, upset, play_forced):
        before, bank, cash = oracle.view(), Counter(oracle.bank), 100 * num_players
        given: list[Answer] = []
        for answer in answers(oracle, random):
            after = oracle.view()
            check_position(after)
            total = sum(player["cash"] for player in after["players"])
            assert total - cash == oracle.bank.total() - bank.total()
            if given and not play_forced:
                check_step(before, after, given[-1])
            before, bank, cash = after, Counter(oracle.bank), total
            given.append(answer)
        assert set(oracle.bank) <= FLOWS
        check_position(oracle.view())
        check_result(oracle)


def check_result(oracle: Oracle) -> None:
    """END-3, PAY-4"""
    ranking, scores = oracle.ranking(), oracle.scores()
    places = sorted(range(oracle.num_players), key=lambda seat: ranking[seat])
    assert sorted(ranking) == list(range(oracle.num_players))
    assert places[oracle.num_players - len(oracle.bankrupts) :] == oracle.bankrupts[::-1]
    left = places[: oracle.num_players - len(oracle.bankrupts)]
    assert all(scores[first] >= scores[second] for first, second in pairwise(left))
    assert oracle.winners() == left[:1]
    assert oracle.month == oracle.months or len(left) == 1


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.long
def test_forced_answers_are_what_an_asked_seat_can_say(num_players: int) -> None:
    """The same game, asked and unasked: where a seat is asked although it has one answer, that one was played."""
    for seed in range(GAMES):
        random = Random(seed)
        options = {"num_players": num_players, "months": LENGTHS[num_players][0]}
        deal = random_deal(random, num_players)
        unasked = Oracle(options | {"play_forced": True}, CARDS, deal)
        asked = Oracle(options | {"play_forced": False}, CARDS, deal)
        chances = RandomChance(Random(1)), RandomChance(Random(1))
        while unasked.seat is not None:
            answer = thrifty_answer(unasked, random)
            unasked.play(*answer, chances[0])
            asked.play(*answer, chances[1])
            while len(asked.legal()) == 1:
                asked.play(*next(iter(asked.legal())), chances[1])
            assert asked.view() == unasked.view()
        assert asked.seat is None


# --- What is seen -----------------------------------------------------------------------------------------------


def size(value: object) -> int:
    return sum(size(item) for item in value) if isinstance(value, list) else 1


def highest(value: object) -> int:
    return max(highest(item) for item in value) if isinstance(value, list) else int(str(value))


def scramble(oracle: Oracle, seat: int, random: Random) -> None:
    """SEE-2, SEE-3: lays what the seat cannot know in another way that is as possible."""
    scramble_hands(oracle, seat, random)
    random.shuffle(oracle.deck)
    known = oracle.month - (oracle.turned is None and not oracle.players[seat].looked)
    shuffle = len(oracle.events) if known < len(oracle.events) else 2 * len(oracle.events)
    to_come = oracle.events_dealt[known:shuffle]
    random.shuffle(to_come)
    oracle.events_dealt[known:shuffle] = to_come
    for place, player in enumerate(oracle.players):
        if player.bid is not None and place != seat:
            bars = random.randrange(1 + min(max(oracle.market), 16 - player.cocoa, player.cash))
            player.bid = [bars, random.randrange(1, 1 + min(30, player.cash // bars))] if bars else [0, 0]
    if oracle.decision is not None and oracle.step == "bid_price" and oracle.decision.seat != seat:
        oracle.decision.bars = random.randrange(1, 5)


def scramble_hands(oracle: Oracle, seat: int, random: Random) -> None:
    """Who is asked for a card keeps what explains it."""
    kept = {seat, oracle.seat} if oracle.step in ("card_a", "card_b", "card_c", "target") else {seat}
    others = [player for place, player in enumerate(oracle.players) if place not in kept]
    unseen = [effect for player in others for effect in player.hand] + oracle.out_of_game
    random.shuffle(unseen)
    for player in others:
        player.hand, unseen = unseen[: len(player.hand)], unseen[len(player.hand) :]
    oracle.out_of_game = unseen


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.long
def test_a_seat_sees_nothing_of_what_is_hidden(num_players: int) -> None:
    """Invariant 12, SEE-2, SEE-5: the blocks are bytes."""
    sizes = {2: 282, 3: 364, 4: 446}
    for oracle, random in games(num_players, "all", False):
        seats = Random(1)
        for _ in answers(oracle, random):
            seat = seats.randrange(num_players)
            seen = oracle.observable(seat)
            assert size(list(seen.values())) == sizes[num_players]
            assert highest(list(seen.values())) <= 250
            hidden, legal = oracle.view(), oracle.legal()
            scramble(oracle, seat, seats)
            assert oracle.observable(seat) == seen, (oracle.step, hidden)
            if seat == oracle.seat:
                assert oracle.legal() == legal


@pytest.mark.long
def test_every_task_and_every_card_comes_up() -> None:
    """So that the tests above have seen all rules."""
    tasks: Counter[str] = Counter()
    cards: Counter[str] = Counter()
    renewals = bankrupts = 0
    for num_players in (2, 3, 4):
        for oracle, random in games(num_players, "bookkeepers", False, number=max(30, GAMES)):
            face_down = len(oracle.deck)
            for verb, number in answers(oracle, random):
                tasks[oracle.step or ""] += 1
                renewals += len(oracle.deck) > face_down
                face_down = len(oracle.deck)
                if verb == "play":
                    cards[EFFECTS[number]] += 1
            bankrupts += len(oracle.bankrupts)
    assert set(tasks) == set(TASKS), tasks
    assert set(cards) == {card["effect"] for card in EXPRESS}, cards
    assert min(renewals, bankrupts) > 0
