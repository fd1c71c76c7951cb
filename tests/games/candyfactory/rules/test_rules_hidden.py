"""What is known to whom: redeals, and what others know of the specialist deck."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from all_games import raw_tensors
from candyfactory_games import (
    ALL_NUMBERS,
    SPECIALISTS,
    VARIANTS,
    Position,
    deck,
    hand,
    load,
    play,
    specialist_deck,
    step,
    steps,
    variant_name,
)
from real_deals import check_redeals

from chocofactory_env.core.jit import COMPILED
from chocofactory_env.games.candyfactory.constants import MOST_ODDS, NONE
from chocofactory_env.games.candyfactory.rules.unseen import reduce_odds

EVERY = pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
STRIDE = 11 if COMPILED else 37  # of the positions of a game, for what looks at each of them from all seats
HIRED = set(SPECIALISTS[1:])
DRAWS = 2000 if COMPILED else 150


def all_cards(state: np.ndarray, players: int) -> Counter[str]:
    """Specialists in hands, decks, the specialist deck and before players."""
    row = state[0]
    cards = Counter(specialist_deck(state))
    for seat in range(players):
        cards.update(card for card in hand(state, seat) + deck(state, seat) if card in HIRED)
        cards.update(
            {name: int(number) for name, number in zip(SPECIALISTS, row["seats"][seat]["played"], strict=True)}
        )
    return cards


@EVERY
def test_a_redeal_keeps_what_is_known_and_what_is_there(options: dict[str, Any]) -> None:
    """OPEN-1, OPEN-2, OPEN-3"""
    game = load(**options)
    for number, (state, _) in enumerate(steps(game, 3)):
        for seat in range(game.num_players) if number % STRIDE == 0 else ():
            dealt = game.redeal(state, seat, number)
            assert hand(dealt, seat) == hand(state, seat)
            before, after = state[0]["seats"], dealt[0]["seats"]
            for name in ("hand_size", "deck_size", "unplayed", "unknown", "played", "coins", "goods", "stacks"):
                assert np.array_equal(before[name], after[name]), name
            assert np.array_equal(dealt[0]["known_to"], state[0]["known_to"])
            for place, known in enumerate(state[0]["known_to"][: state[0]["specialists_left"]]):
                if known >> seat & 1:
                    assert specialist_deck(dealt)[place] == specialist_deck(state)[place]
            for other in range(game.num_players):
                check_seat(dealt, other)
            if options.get("game", "full") != "candy":
                assert all_cards(dealt, game.num_players) == all_cards(state, game.num_players)
            assert max((all_cards(dealt, game.num_players) - Counter(temp=9)).values(), default=0) <= 3


def check_seat(state: np.ndarray, number: int) -> None:
    """Named cards are in hand or deck; the others are specialists from the specialist deck."""
    seat, held, left = state[0]["seats"][number], hand(state, number), deck(state, number)
    assert len(held) == seat["hand_size"]
    assert len(left) == seat["deck_size"]
    named = Counter({card: int(seat["unplayed"][place]) for place, card in enumerate([*ALL_NUMBERS, *SPECIALISTS])})
    others = Counter(held + left) - named
    assert set(others) <= HIRED
    assert others.total() == seat["unknown"]
    assert not named - Counter(held + left)


def recruiting(*others: int) -> tuple[Any, np.ndarray]:
    """Seat 0 is about to recruit; the seats named know the first four cards."""
    table = Position(play_forced=False, num_players=3).player(0, hand=["2"], coins=2)
    table.deck_of_specialists("runner", "packer", "sorter", "trucker", "machinist", "packer")
    game, state = table.known(*[others] * 4).build()
    play(game, state, "play 2", "bring clockwise", "stop")
    return game, state


def test_who_looked_knows_the_two_put_back() -> None:
    """OPEN-4, ABIL-13"""
    game, state = recruiting()
    play(game, state, "recruit", "hire packer")
    assert specialist_deck(state) == ["trucker", "machinist", "packer", "runner", "sorter"]
    assert state[0]["known_to"].tolist() == [0, 0, 0, 1, 1] + [0] * 13
    assert state[0]["seats"]["knows"][:3].sum(axis=1).tolist() == [2, 0, 0]
    for seed in range(20):
        assert specialist_deck(game.redeal(state, 0, seed))[3:] == ["runner", "sorter"]
    assert len({tuple(specialist_deck(game.redeal(state, 1, seed))[3:]) for seed in range(20)}) > 5


def test_a_recruit_clears_what_others_knew_of_the_cards_that_it_shows() -> None:
    """OPEN-4"""
    game, state = recruiting(1)
    assert state[0]["seats"]["knows"][:3].sum(axis=1).tolist() == [0, 4, 0]
    play(game, state, "recruit")
    assert state[0]["known_to"][:5].tolist() == [1, 1, 1, 2, 0]
    assert state[0]["seats"]["knows"][:3].sum(axis=1).tolist() == [3, 1, 0]


def test_cards_that_another_seat_looks_at_are_drawn_anew() -> None:
    """OPEN-4, ABIL-14"""
    game, state = recruiting()
    play(game, state, "recruit")
    own, theirs = ({tuple(specialist_deck(game.redeal(state, seat, s))[:3]) for s in range(30)} for seat in (0, 1))
    assert own == {("runner", "packer", "sorter")}
    assert len(theirs) > 15


def test_what_was_taken_is_not_shown() -> None:
    """ABIL-14, OPEN-3"""
    game, state = recruiting()
    play(game, state, "recruit", "hire sorter")
    views = []
    for taken in ("sorter", "runner"):
        other = state.copy()
        row = other[0]["seats"][0]["hand"]
        row[8:] = [taken == name for name in SPECIALISTS]
        views.append([game.observe(other, seat).flat.tobytes() for seat in range(3)])
    assert views[0][1:] == views[1][1:]
    assert views[0][0] != views[1][0]


def test_hands_and_looks_are_shown_to_their_seat_alone() -> None:
    """OPEN-2, OPEN-3, OPEN-4"""
    table = Position(play_forced=False).player(0, hand=["2", "6", "temp"], deck=["8"], coins=1)
    game, state = table.deck_of_specialists("runner", "packer", "runner", "sorter").build()
    play(game, state, "play 2", "bring clockwise", "stop", "recruit")
    assert step(state) == "hire"
    own, other = raw_tensors(game, state, 0), raw_tensors(game, state, 1)
    assert own["offer"].tolist() == [0, 0, 2, 0, 0, 1]
    assert not other["offer"].any()
    assert own["known_specialists"].tolist() == [0, 0, 2, 0, 0, 1]
    assert not other["known_specialists"].any()
    play(game, state, "hire packer")
    own, other = raw_tensors(game, state, 0), raw_tensors(game, state, 1)
    assert np.flatnonzero(own["hand"]).tolist() == [5, 8, 14]
    assert np.flatnonzero(own["own_deck"]).tolist() == [7]
    assert own["known_specialists"].tolist() == [0, 0, 2, 0, 0, 0]
    assert own["specialist_deck"] == 3
    assert np.flatnonzero(other["unplayed"][1]).tolist() == [5, 7, 8]
    assert other["unknown_specialists"].tolist() == [0, 1]
    assert other["unplayed"][1].tolist() == own["unplayed"][0].tolist()


def play_without_evidence(game: Any, state: np.ndarray, mask: np.ndarray, rng: np.random.Generator) -> int:
    """Any action, and any card of the hand."""
    legal = np.flatnonzero(mask)
    if step(state) != "play":
        return int(rng.choice(legal))
    cards = state[0]["seats"][state[0]["current"]]["hand"].astype(float)
    return int(rng.choice(len(cards), p=cards / cards.sum()))  # `play` of a card is the action with its number


def unseen_by_seat_0(state: np.ndarray) -> np.ndarray:
    """What seat 1 holds, the top of the own deck, and the top of the specialist deck."""
    own, other = state[0]["seats"][:2]
    top = own["deck"][own["deck_size"] - 1] if own["deck_size"] else NONE
    specialist = state[0]["specialists"][0]
    hired = np.arange(4) == other["hand"][9:].sum()
    return np.concatenate([other["hand"], hired, np.arange(15) == top, np.arange(len(SPECIALISTS)) == specialist])


def turn_of_seat_0(game: Any, state: np.ndarray) -> tuple[int, int] | None:
    """Half, and how many cards seat 1 has still to draw."""
    if step(state) != "play" or game.current_player(state) != 0:
        return None
    return int(state[0]["half"]), int(state[0]["seats"][1]["deck_size"])


@pytest.mark.skipif(not COMPILED, reason="uncompiled, enough deals take too long")
@EVERY
@pytest.mark.long
def test_redeals_are_like_real_deals_turn_by_turn(options: dict[str, Any]) -> None:
    """SHORT-4, OPEN-2, OPEN-3: hands and decks, by how many cards were drawn."""
    check_redeals(load(**options), play_without_evidence, unseen_by_seat_0, turn_of_seat_0)


def test_odds_from_outside_are_reduced_to_what_play_can_multiply() -> None:
    """SHORT-4: in play their sum stays below `MOST_ODDS`; a position that somebody wrote may have any."""
    _, state = Position("full").build()
    odds = state[0]["seats"][0]["odds"]
    odds[:2] = MOST_ODDS, MOST_ODDS - 1  # the most that a position may have, without a common divisor
    reduce_odds(odds)
    assert odds.tolist() == [MOST_ODDS // 2, MOST_ODDS // 2 - 1] + [0] * (len(odds) - 2)


def odds_of(plays: str, hand: tuple[bool, ...], deck: tuple[bool, ...]) -> np.ndarray:
    """How likely these plays are ("s": a specialist, "w": another card), by the specialists held after them."""
    odds = np.zeros(4)
    if not plays:
        odds[sum(hand)] = 1
        return odds
    for place, card in enumerate(hand):
        if card == (plays[0] == "s"):
            odds += odds_of(plays[1:], (*hand[:place], *hand[place + 1 :], *deck[:1]), deck[1:]) / len(hand)
    return odds


@pytest.mark.parametrize("plays", ["w", "ww", "wwwww", "ws", "wwsw", "wswsw", "wwwwssw"])
def test_unseen_specialists_of_a_hand_are_drawn_exactly_after_each_history(plays: str) -> None:
    """SHORT-4: three of the nine cards of the deck are specialists, and every card of a hand may be played."""
    game = load(game="candy", num_players=2, start_player=0, play_forced=False)
    odds = np.zeros(4)
    for there in combinations(range(9), 3):
        odds += odds_of(plays, (False,) * 3, tuple(place in there for place in range(9)))
    odds /= odds.sum()
    state = deal_with(game, plays)
    hands = [hand(game.redeal(state, 1, seed), 0) for seed in range(DRAWS)]
    found = np.bincount([sum(card in HIRED for card in cards) for cards in hands], minlength=4)
    assert (abs(found - DRAWS * odds) <= 5 * np.sqrt(DRAWS * odds * (1 - odds))).all(), (found, odds)


def deal_with(game: Any, plays: str) -> np.ndarray:
    """Play deals at random until seat 0 makes these plays; its next turn."""
    for seed in range(1000):
        state: np.ndarray = game.new(seed)
        rng, left = np.random.default_rng(seed), plays
        while left or step(state) != "play" or game.current_player(state) != 0:
            action = int(rng.choice(np.flatnonzero(game.legal_mask(state))))
            if step(state) == "play" and game.current_player(state) == 0:
                if (action >= 9) != (left[0] == "s"):
                    break
                left = left[1:]
            game.apply(state, action)
        else:
            return state
    raise AssertionError(f"no deal with {plays}")


def test_open_3_what_all_can_infer_of_cards_is_drawn() -> None:
    game = load(num_players=2)
    cards = [*(f"worker card {number}" for number in range(1, 9)), "Temp"]
    groups = {group.id: group for group in game.view(game.new(3)).groups}
    for seat in range(2):
        unplayed = next(row for row in groups[f"seat-{seat}"].rows if row.label == "Not played")
        assert [item.name.partition(":")[0] for item in unplayed.items] == cards
