"""The picture of the table: everything that a seat sees is shown, and lines of the log are in the game's words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from candyfactory_games import Position, load, play, steps, words_of
from scenes import names

from chocofactory_env.games.candyfactory.constants import Step
from chocofactory_env.view.views import scene_of

# --- everything that a seat sees is drawn


def changed(field: str, place: Any = (), by: int = 1) -> Callable[[np.void], None]:
    """Add to a number of the record."""

    def change(record: np.void) -> None:
        owner = record
        *path, last = field.split(".")
        for name in path:
            owner = owner["seats"][1] if name == "other" else owner["seats"][0] if name == "own" else owner[name]
        if place == ():
            owner[last] += by
        else:
            owner[last][place] += by

    return change


# What is seen (blocks of the observation) -> a change of it.
SEEN: dict[str, Callable[[np.void], None]] = {
    "half, abilities": changed("half"),
    "step": changed("step"),
    "to_move": changed("current"),
    "board": changed("board", 5),
    "die": changed("die"),
    "supply of sugar": changed("supply", 0),
    "supply of cacao": changed("supply", 1),
    "supply of coins": changed("supply", 2),
    "specialist_deck": changed("specialists_left", by=-1),
    "known_specialists": changed("own.knows", 2),
    "recipes": changed("recipes", 0, by=-1),
    "tokens": changed("tokens", 1, by=-1),
    "hand": changed("own.hand", 3),
    "own_deck": changed("own.unplayed", 6, by=-1),
    "task_card": changed("turn.card"),
    "task_number": changed("turn.number"),
    "task_way": changed("turn.way", by=-1),
    "task_counter": changed("turn.counter"),
    "task_space": changed("turn.space"),
    "task_left": changed("turn.left"),
    "task_truck": changed("turn.truck"),
    "task_last": changed("turn.last"),
    "task_open of the space": changed("turn.open", 0),
    "task_open of the Machinist": changed("turn.open", 1),
    "task_recipe": changed("turn.recipe"),
    "task_uses": changed("turn.uses"),
    "to_load of sugar": changed("turn.to_load", 0),
    "to_load of chocolate": changed("turn.to_load", 1),
    "surplus": changed("turn.surplus"),
    "recruited": changed("turn.recruited"),
    "coins": changed("other.coins"),
    "whistle": changed("other.whistle"),
    "hand_size": changed("other.hand_size", by=-1),
    "deck_size": changed("other.deck_size", by=-1),
    "unplayed": changed("other.unplayed", 2, by=-1),
    "unknown_specialists": changed("other.unknown"),
    "played_specialists": changed("other.played", 4),
    "start player": changed("start_player", by=-1),
    "goods": changed("other.goods", (3, 2)),
    "decorated candy": changed("other.goods", (0, 8)),
    "stacks": changed("other.stacks", (1, 0)),
}


@pytest.mark.parametrize("what", SEEN)
def test_open_1_open_3_what_a_seat_sees_is_in_its_picture(what: str) -> None:
    game, state = (
        Position("plantation", num_players=2)
        .workers(2, 7)
        .die(4)
        .player(0, hand=["3", "5", "sorter"], deck=["1", "7"], warehouse={"sugar": 2, "chocolate": 1})
        .player(1, hand=["1", "2", "temp"], deck=["3", "4"], trucks={0: {"sugar": 2}}, coins=2)
        .build()
    )
    play(game, state, "play 5", "ship clockwise", "truck 1", "move sugar")
    state[0]["recipes"][:3] = [1, 4, 7]
    state[0]["start_player"] = 1
    state[0]["turn"]["recipe"] = 0
    before = scene_of(game, state, 0)
    SEEN[what](state[0])
    assert scene_of(game, state, 0) != before


# --- in words


def test_abil_14_the_card_hired_is_in_the_log_of_its_player_alone() -> None:
    game, state = (
        Position("plantation", num_players=3)
        .deck_of_specialists("sorter", "runner", "packer", "packer")
        .player(0, hand=["2", "3", "4"], deck=["5"], coins=1)
        .build()
    )
    play(game, state, "play 2", "bring clockwise", "move sugar", "recruit")
    action = words_of(game)["hire runner"]
    assert game.move_in_words(state, action, 0) == "Player 0 hires the Runner"
    assert game.move_in_words(state, action, 1) == "Player 0 hires a specialist"
    assert game.move_in_words(state, action) == "Player 0 hires a specialist"
    offered = [name for name in names(scene_of(game, state, 0), "Your move") if name.startswith(("Sorter", "Runner"))]
    assert len(offered) == 2
    assert not [name for name in names(scene_of(game, state, 1), "Player 0 to move") if "Runner" in name]
    looked = game.render(state, 0).partition("Looked at:")[2]
    assert [looked.index(name) for name in ("Sorter", "Runner", "Packer")] == sorted(
        looked.index(name) for name in ("Sorter", "Runner", "Packer")
    )
    assert "Looked at" not in game.render(state, 1)


def test_lines_of_a_turn_are_in_the_words_of_the_rulebook() -> None:
    game, state = (
        Position("plantation", num_players=2, play_forced=False)
        .workers(4)
        .player(0, hand=["2", "3", "4"], deck=["5"], warehouse={"sugar": 2, "cacao": 1}, coins=1)
        .build()
    )
    lines = []
    for move in ("play 2", "add worker space 8", "ship clockwise", "sell cacao", "truck 0", "move sugar", "stop"):
        action = words_of(game)[move]
        lines.append(game.move_in_words(state, action))
        game.apply(state, action)
    assert lines == [
        "Player 0 plays worker card 2",
        "Player 0 pays 1 coin for a shift change: a worker comes to space 8",
        "Player 0 ships goods: worker of space 4, capacity 3",
        "Player 0 sells 1 cacao",
        "Player 0 loads the Large truck",
        "Player 0 ships 1 sugar into the Large truck",
        "Player 0 moves no more goods",
    ]


def test_the_end_shows_the_places_and_an_even_one_is_shared() -> None:
    game = load(num_players=3, game="plantation")
    *_, (state, _) = steps(game, 6)
    for player in state[0]["seats"][:3]:
        player["coins"], player["goods"] = 2, 0
    state[0]["seats"][1]["coins"] = 1
    placed = names(scene_of(game, state), "The end")
    assert placed[1:] == ["Player 0: 1st, 2, won", "Player 2: 1st, 2, won", "Player 1: 3rd, 1"]


def test_trans_5_between_the_halves_the_seat_that_will_start_is_named() -> None:
    game = load(num_players=2)
    state = game.new(1)
    assert any(panel.name.endswith("· starts") for panel in scene_of(game, state).panels)
    state[0]["step"] = Step.DISMISS
    assert any(panel.name.endswith("· will start the next half") for panel in scene_of(game, state).panels)


def test_spec_8_a_stack_takes_one_place() -> None:
    game, state = (
        Position("candy", num_players=2)
        .player(0, trucks={0: {"sugar": 3, "chocolate": 1}}, stacks={"truck 0": {"sugar": 1}})
        .build()
    )
    shown = names(scene_of(game, state), "Player 0")
    assert shown.count("2 sugar, stacked") == shown.count("sugar") == shown.count("chocolate") == 1
