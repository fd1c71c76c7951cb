"""The tree of a position: complete, and in words that people read. `test_every_scene.py` sees that it has no secrets.

`CF_VIEWED_GAMES` says of how many games (default 1; 20 at full length).
"""

from __future__ import annotations

import random
import re
from html import escape
from operator import itemgetter
from typing import Any

import msgspec
import numpy as np
import pytest
from at_table import items_of, offered, play, playing_of
from games_under_test import GAMES_AND_EXPANSION, GameMaker, positions
from long_runs import amount

import chocofactory_env as cf
from chocofactory_env.drawing.scene import Box
from chocofactory_env.view.layout import alone
from chocofactory_env.view.text import UNREAD, group_in_words
from chocofactory_env.view.views import HUES, panels_of, scene_of, view_of
from tools.clauses import shipped_games
from tools.pages import cards_of

GAMES = amount("CF_VIEWED_GAMES", 1, 20)
LARGEST = 32_000  # bytes of JSON
VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("chocofactory", {"num_players": 1, "difficulty": 3}),
    ("chocofactory", {"num_players": 3, "expansion": "master_chocolatier", "sides": "random"}),
    ("chocofactory", {"num_players": 4}),
    ("candyfactory", {"num_players": 2, "game": "candy"}),
    ("candyfactory", {"num_players": 3, "game": "full"}),
    ("candyfactory", {"num_players": 4, "game": "plantation"}),
    ("schoko", {"num_players": 2}),
    ("schoko", {"num_players": 4, "upset": "all"}),
]
IDS = [f"{name}-{number}" for number, (name, _) in enumerate(VARIANTS)]


def built(game: Any, state: Any, viewer: int | None, **more: Any) -> dict[str, Any]:
    tree: dict[str, Any] = msgspec.to_builtins(view_of(game, state, viewer, **more))
    return tree


@pytest.mark.parametrize(("name", "options"), VARIANTS, ids=IDS)
def test_every_legal_action_stands_once_in_the_choice_and_nothing_illegal_anywhere(
    name: str, options: dict[str, Any]
) -> None:
    game = cf.load(name, **options)
    for state in positions(game, range(GAMES), 3):
        mover = game.current_player(state)
        for viewer in {None, 0, *([mover] if mover >= 0 else [])}:
            tree = built(game, state, viewer)
            legal = np.flatnonzero(game.legal_mask(state)).tolist() if viewer == mover else []
            assert sorted(offered(tree)) == legal
            assert {item["action"] for _, item in items_of(tree) if "action" in item} <= set(legal)
            assert len(msgspec.json.encode(tree)) < LARGEST


@pytest.mark.parametrize(("name", "options"), VARIANTS, ids=IDS)
def test_all_things_have_names_all_signs_are_known_and_all_rules_have_words(name: str, options: dict[str, Any]) -> None:
    from chocofactory_env.play.rules import pages_of

    game, clauses = cf.load(name, **options), pages_of(name)["clauses"]
    for state in positions(game, range(GAMES), 25):
        tree = built(game, state, 0)
        for _, item in items_of(tree):
            assert item["name"].isprintable()
            assert not re.search(r"[a-z]_[a-z]|None|packet \d|\bto draft\b", item["name"])
            words = [word for line in item.get("face", ()) for word in line] + item.get("tail", [])
            assert {word[1:] for word in words if word.startswith(":")} <= tree["signs"].keys()
            rule = item.get("rule")
            assert rule is None or rule in clauses or rule.split(".")[0] in clauses, rule


@pytest.mark.parametrize(("name", "options"), VARIANTS, ids=IDS)
def test_page_pictures_and_text_name_the_same_things(name: str, options: dict[str, Any]) -> None:
    """Labels of rows aside; a picture may lack the legend and the trays of packets, and buttons are not read out."""
    game = cf.load(name, **options)
    for state in positions(game, range(GAMES), 40):
        tree = view_of(game, state, 0)
        rows = [row for group in tree.groups for row in group.rows]
        named = {item["name"] for _, item in items_of(msgspec.to_builtins(tree))}
        aside = {item.name for row in rows if row.kind in ("legend", "packets") for item in row.items}
        for scene in (scene_of(game, state, 0), panels_of(game, state, 0)):
            drawn = {thing.name for panel in scene.panels for thing in panel.things} - {row.label for row in rows}
            assert drawn <= named
            assert named - aside <= drawn
        words = " ".join(game.render(state, 0).split())
        for row in rows:
            if row.kind not in UNREAD:
                assert all(" ".join(item.name.split()) in words for item in row.items)


@pytest.mark.parametrize("make_game", GAMES_AND_EXPANSION)
def test_typed_names_stand_wherever_a_seat_is_named_and_the_winners_are_named(make_game: GameMaker) -> None:
    playing = playing_of(make_game(num_players=3), 3)
    names = ["Ann", "Robo", "Wilhelmina von und zu Knusperhausen"]
    for seat, name in zip(playing.seats, names, strict=True):
        seat.name = name
    rng = random.Random(1)
    while not playing.over:
        play(playing, 20, rng)
        text = msgspec.json.encode(playing.view(None, len(playing.actions))).decode()
        assert not re.search(r"\bplayer \d", text, re.IGNORECASE)
    tree = msgspec.to_builtins(playing.view(0, len(playing.actions)))
    [result] = [group for group in tree["groups"] if group["id"] == "result"]
    asked = result["rows"][0]["items"][0]["name"]
    won = playing.game.won(playing.state).tolist()
    assert [name in asked for name in names] == won
    if hasattr(playing.game, "accounts"):
        shares = [one.get("items", []) for one in sorted(result["rows"][-1]["items"], key=itemgetter("seat"))]
        sums = [sum(int(share["words"]) for share in there) for there in shares]
        assert sums == playing.game.scores(playing.state).tolist()


def test_a_bar_for_each_seat_shows_the_shares_of_its_score() -> None:
    playing, rng = playing_of(cf.load("schoko", num_players=2), 3), random.Random(1)
    while not playing.over:
        play(playing, 20, rng)
    accounts = {"start": (30, 60), "nothing": (0, 0), "sales": (60, 0), "staff": (-30, -20)}
    result = view_of(playing.game, playing.state, None, accounts=accounts).groups[0]
    _, legend, scores = result.rows
    assert [one.name for one in legend.items] == ["start", "sales", "staff"]
    said = {item.seat: [one.name for one in item.items] for item in scores.items}
    assert said == {0: ["start 30", "sales 60", "staff -30"], 1: ["start 60", "staff -20"]}
    assert all(
        words in " ".join(" ".join(group_in_words(result)).split()) for names in said.values() for words in names
    )
    scene = scene_of(playing.game, playing.state, accounts=accounts)
    bars = [thing for panel in scene.panels for thing in panel.things if thing.name in said[0]]
    assert [bar.width / bars[0].width for bar in bars] == pytest.approx([1, 2, 1])
    fills = [part.fill for bar in bars for part in bar.parts if isinstance(part, Box)]
    assert fills == [HUES[0], HUES[2], "empty"]  # what was paid is hollow


@pytest.mark.parametrize("name", shipped_games())
def test_every_card_is_drawn_alone_with_its_name_and_signs(name: str) -> None:
    signs, cards = cards_of(name)
    assert len(cards) > 15
    for row in cards.values():
        light, dark = (alone(signs, row, theme) for theme in ("light", "dark"))
        assert light != dark
        assert escape(row.items[0].name) in light
        assert ">:" not in light, "a sign that is not there"


def test_several_winners_are_all_named() -> None:
    from chocofactory_env.view.views import result_of

    class Tied:
        num_players = 3

        def scores(self, _: Any) -> Any:
            return np.array([5, 7, 7])

        def ranking(self, _: Any) -> Any:
            return np.array([2, 0, 0])

        def won(self, _: Any) -> Any:
            return np.array([False, True, True])

    game: Any = Tied()
    group = result_of(game, None, {})
    assert group.rows[0].items[0].name == "Player 1 and Player 2 win"
    assert [item.small for item in group.rows[1].items] == ["1st", "1st", "3rd"]
