"""A line for every turn: its money and its deliveries are those of the accounts.

`CF_STORIES` says of how many games (default 3; 100 at full length).
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
from at_table import playing_of
from long_runs import amount
from schoko_games import Position, encode

import chocofactory_env as cf
from chocofactory_env.core.text.events import Event, StoryWords
from chocofactory_env.play.playing import Playing
from chocofactory_env.play.told import LogLine, stories_of

GAMES = amount("CF_STORIES", 3, 100)
PLAYED = [("chocofactory", "greedy"), ("candyfactory", "greedy"), ("schoko", "manager")]
NAMES = ["Player 0", "Player 1", "Player 2"]


def purse(position: dict[str, Any], seat: int) -> int:
    player = (position["seats"] if "seats" in position else position["players"])[seat]
    found = {name: player[name] for name in ("money", "coins", "cash") if name in player}
    return int(next(iter(found.values())))


def aboard(position: dict[str, Any], seat: int) -> Counter[str]:
    """Goods in the seat's trucks, for Candy Factory."""
    found: Counter[str] = Counter()
    _, *trucks = position["seats"][seat]["goods"].values()
    for goods in trucks:
        for kind, number in goods.items():
            candy, of_recipe, place = kind.partition(" of recipe ")
            name = f"{candy} {position['recipes'][int(place)]}" if of_recipe and number else kind
            found[name.removeprefix("plain ").replace("-", " ")] += number
    return +found


def shipped(words: str) -> Counter[str]:
    """What the line says of it: "shipped 1 sugar and 2 chocolate"."""
    found = re.search(r"shipped (.*?)(?:, (?:sold|gave|hired|made|mixed|decorated|brought|played|called) |; |$)", words)
    pairs = re.findall(r"(\d+) (.+?)(?:, | and |$)", found[1]) if found else []
    return Counter({kind.lower(): int(number) for number, kind in pairs})


def completed(position: dict[str, Any], seat: int) -> int:
    """Stages of orders that were paid so far, as far as the position of Chocolate Factory shows it."""
    return sum(position["players"][seat]["completed"].values())


@pytest.mark.long
@pytest.mark.parametrize(("name", "agent"), PLAYED)
def test_every_turn_is_told_with_its_money_and_its_deliveries(name: str, agent: str) -> None:
    game = cf.load(name, num_players=3)
    for seed in range(GAMES):
        playing = playing_of(game, seed)
        agents = [cf.make_agent(agent, game) for _ in range(3)]
        positions = [game.to_dict(playing.state)]
        for action in cf.record_game(game, agents, seed).actions:
            playing.add(action)
            positions.append(game.to_dict(playing.state))
        lines, stories = playing.log(None, len(playing.actions)), playing.stories(None, len(playing.actions))
        there = {place for one in stories for place in range(one.first, one.last + 1)}
        untold = [line.words for place, line in enumerate(lines) if place not in there]
        assert all("sells no chocolate to the bank" in words for words in untold), untold
        start, end = ([purse(positions[at], seat) for seat in range(3)] for at in (0, -1))
        moved = [sum(line.gains[seat] for line in lines if line.seat is not None) for seat in range(3)]
        news = [step.news for one in playing._steps for step in one]
        paid = [sum(line.gains[seat] for told in news for line in told if line.gains) for seat in range(3)]
        assert [sum(each) for each in zip(start, moved, paid, strict=True)] == end
        for story in stories:
            turn = lines[story.first : story.last + 1]
            assert {line.seat for line in turn} == {story.seat}
            if story.seat is None:
                assert [line.words for line in turn] == [story.words]
                continue
            first, last = turn[0].number, turn[-1].number
            gained = sum(line.gains[story.seat] for line in turn)
            check(name, story.words, [line.words for line in turn], story.seat, positions, first, last, gained)
            if name == "schoko":
                taken = [
                    game.cards.names[positions[at]["offer"]]  # type: ignore[attr-defined]
                    for at in sorted({line.number for line in turn if not line.words.endswith("(forced)")})
                    if game.decode(playing.actions[at])[0] == "accept"
                    and game.current_player(playing.states[at]) == story.seat
                ]
                assert ("sold to" in story.words) == bool(taken), story.words
                assert all(contract in story.words for contract in taken), (story.words, taken)
        other = Playing.of(game, playing.record(), NAMES)
        assert other.stories(None, len(other.actions)) == stories


def check(
    name: str, words: str, lines: list[str], seat: int, positions: list[Any], first: int, last: int, gained: int
) -> None:  # fmt: skip
    assert words.startswith(NAMES[seat])
    assert words.count(NAMES[seat]) == 1
    before, after = positions[first], positions[last + 1]
    earned = purse(after, seat) - purse(before, seat)
    assert name == "schoko" or gained == earned  # news tell the rest
    told = re.search(r"; £?(\d+)(?: coins?)? (more|less)", words)
    assert (int(told[1]) * {"more": 1, "less": -1}[told[2]] if told else 0) == gained, words
    if name == "candyfactory" and before["half"] == after["half"]:
        assert shipped(words) == aboard(after, seat) - aboard(before, seat), words
    if name == "chocofactory":
        paid = sum(int(found[1]) for line in lines if (found := re.search(r"completes stage .* for £(\d+)", line)))
        assert earned >= paid
        handed = paid > 0 or any(re.search("chooses stage|skips stage", line) for line in lines)
        assert bool(re.search("delivered to|skipped", words)) == handed, words
        assert handed or completed(after, seat) == completed(before, seat)


def stories_after(game: Any, state: Any, *said: str) -> list[str]:
    """The public stories of the steps from a position on."""
    playing = playing_of(game)
    playing.states = [state]
    for each in said:
        playing.add(encode(game, each))
    return [story.words for story in playing.stories(None, len(said))]


def test_a_card_is_told_with_its_victim_and_what_all_gained() -> None:
    """XP-GIFTS"""
    firms = Position(3).player(0, hand=["gifts"])
    assert stories_after(*firms.ask("card_a", 0).build(), "play gifts", "target 1") == [
        "Player 0 played A Gift to Everybody on Player 1",
        "A Gift to Everybody: Player 0 gets 5, Player 1 pays 10, Player 2 gets 5",
    ]


def test_the_last_to_hire_is_not_told_to_pay_alone() -> None:
    """STAFF-6: all pay together, so the salaries are a line of their own."""
    hired = ["staff 2", "staff 1", "staff 0", "staff 0"]
    assert stories_after(*Position(2).ask("staff", 0).build(), *hired, *hired) == [
        "Player 0 employed 2 workers, 1 salesman, 0 secretaries and 0 bookkeepers",
        "Player 1 employed 2 workers, 1 salesman, 0 secretaries and 0 bookkeepers",
        "Salaries: Player 0 pays 24, Player 1 pays 24",
    ]


def test_a_contract_is_told_with_its_price() -> None:
    """SALE-6, SALE-9"""
    firms = Position(2).player(0, chocolate=4, marker=2).player(1, chocolate=4, marker=2)
    game, state = firms.meeting("bakers-guild", 48, left=2, present=[0, 1]).ask("offer", 0).build()
    assert stories_after(game, state, "accept")[0] == "Player 0 sold to Bakers' Guild at 48"


def test_no_bars_for_the_bank_are_no_sale() -> None:
    """SALE-12, EV-3: nor is the event told as the money of who was asked last."""
    firms = Position(2).event("store_shock").player(0, chocolate=2).player(1, chocolate=1)
    assert stories_after(*firms.ask("bank_sale", 1).build(), "bars 0") == [
        "Event: Shock in the Store; Player 0 pays 10, Player 1 pays 5",
    ]


def test_a_forced_move_is_told_like_any_other() -> None:
    lines = [
        LogLine(0, 1, "Player 1 plays worker card 4", (0, 0), Event("plays", "played", "worker card 4")),
        LogLine(0, 1, "Player 1 hires the Sorter (forced)", (0, -1), Event("hires", "hired", "the Sorter")),
    ]
    [story] = stories_of(cf.load("candyfactory", num_players=2), lines)
    assert story.words == "Player 1 played worker card 4, hired the Sorter; 1 coin less"


def test_money_of_others_that_no_news_tells_is_told_with_the_turn() -> None:
    words = StoryWords(amount=str, purse=lambda _state, _seat: 0)

    class Told:
        story = words

    takes = LogLine(0, 0, "Player 0 takes a coin", (1, -1, 0), Event("takes a coin", "took a coin"))
    lines = [takes, LogLine(0, None, "It rains")]
    assert [story.words for story in stories_of(Told(), lines)] == [
        "Player 0 took a coin; 1 more; Player 1: 1 less",
        "It rains",
    ]
