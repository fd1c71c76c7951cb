"""A line for every turn: its money and its deliveries are those of the accounts.

`CF_STORIES` says of how many games (default 6; 100 at full length).
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
from at_table import table_of
from long_runs import amount

import chocofactory_env as cf
from chocofactory_env.play.tables.game_files import record_of_table
from chocofactory_env.play.tables.replays import Replay

GAMES = amount("CF_STORIES", 6, 100)
PLAYED = [("chocofactory", "greedy"), ("candyfactory", "greedy"), ("schoko", "manager")]
NAMES = ["Ann", "Robo", "Guest 3"]  # the last is what a seat without a name is called


def purse(position: dict[str, Any], seat: int) -> int:
    player = position["players"][seat]
    found = {name: player[name] for name in ("money", "coins", "cash") if name in player}
    return int(next(iter(found.values())))


def aboard(position: dict[str, Any], seat: int) -> Counter[str]:
    """Goods in the seat's trucks, for Candy Factory."""
    found: Counter[str] = Counter()
    for truck in position["players"][seat]["trucks"]:
        for kind, number in truck["goods"].items():
            found[kind.removeprefix("plain ").replace("-", " ")] += number
    return found


def shipped(words: str) -> Counter[str]:
    """What the line says of it: "shipped 1 sugar and 2 chocolate"."""
    found = re.search(r"shipped (.*?)(?:, (?:sold|gave|hired|made|mixed|decorated|brought|played|called) |; |$)", words)
    pairs = re.findall(r"(\d+) (.+?)(?:, | and |$)", found[1]) if found else []
    return Counter({kind.lower(): int(number) for number, kind in pairs})


def completed(position: dict[str, Any], seat: int) -> int:
    """Stages of orders that were paid so far, as far as the position of Chocolate Factory shows it."""
    return sum(position["players"][seat]["completed_by_size"].values())


@pytest.mark.long
@pytest.mark.parametrize(("name", "agent"), PLAYED)
def test_every_turn_is_told_with_its_money_and_its_deliveries(name: str, agent: str) -> None:
    game = cf.load(name, num_players=3)
    for seed in range(GAMES):
        table = table_of(game, seed)
        for seat, typed in zip(table.seats, NAMES, strict=True):
            seat.name = typed
        agents = [cf.make_agent(agent, game) for _ in range(3)]
        positions = [game.to_dict(table.state)]
        for each in cf.record_game(game, agents, seed).actions:
            table._apply(each.action)
            positions.append(game.to_dict(table.state))
        lines, stories = table.log(None), table.stories(None)
        assert [place for one in stories for place in range(one.first, one.last + 1)] == list(range(len(lines)))
        for story in stories:
            turn = lines[story.first : story.last + 1]
            assert {line.seat for line in turn} == {story.seat}
            first, last = turn[0].number, turn[-1].number
            check(name, story.words, [line.words for line in turn], story.seat, positions, first, last)
            if name == "schoko":
                taken = [
                    game.cards.names[positions[at]["meeting"]["contract"]]  # type: ignore[attr-defined]
                    for at in sorted({line.number for line in turn if not line.words.endswith("(forced)")})
                    if game.decode(table.actions[at])[0] == "accept" and table.movers[at] == story.seat
                ]
                assert ("sold to" in story.words) == bool(taken), story.words
                assert all(contract in story.words for contract in taken), (story.words, taken)
        replay = Replay(game, record_of_table(table), table.names)
        assert replay.stories(None, len(replay.actions)) == stories


def check(
    name: str, words: str, lines: list[str], seat: int, positions: list[Any], first: int, last: int
) -> None:  # fmt: skip
    assert words.startswith(NAMES[seat])
    assert words.count(NAMES[seat]) == 1
    before, after = positions[first], positions[last + 1]
    earned = purse(after, seat) - purse(before, seat)
    told = re.search(r"; £?(\d+)(?: coins?)? (more|less)$", words)
    assert (int(told[1]) * {"more": 1, "less": -1}[told[2]] if told else 0) == earned, words
    if name == "candyfactory" and before["half"] == after["half"]:
        assert shipped(words) == aboard(after, seat) - aboard(before, seat), words
    if name == "chocofactory":
        paid = sum(int(found[1]) for line in lines if (found := re.search(r"completes stage .* for £(\d+)", line)))
        assert earned >= paid
        handed = paid > 0 or any(re.search("chooses stage|skips stage", line) for line in lines)
        assert bool(re.search("delivered to|skipped", words)) == handed, words
        assert handed or completed(after, seat) == completed(before, seat)
