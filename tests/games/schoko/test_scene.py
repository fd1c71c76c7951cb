"""The picture of a position that play rarely reaches, what a seat alone knows, and the lines of the log."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scenes import actions, names, words_of
from schoko_games import Position, encode, play

from chocofactory_env.drawing.check import faults
from chocofactory_env.drawing.scene import PANEL_WIDTH, Scene
from chocofactory_env.drawing.text import width
from chocofactory_env.games.schoko.constants import Event
from chocofactory_env.games.schoko.game import Schoko
from chocofactory_env.games.schoko.vocabulary import Task, task_of
from chocofactory_env.testing import _check_pictures
from chocofactory_env.view.views import panels_of, scene_of

EXTREMES: dict[str, Any] = {
    "cash": 900_000,
    "loans": 3,
    "loan_this_month": 1,
    "shares": 2,
    "cocoa": 16,
    "chocolate": 16,
}


def check_picture(game: Schoko, state: np.ndarray, mask: np.ndarray, viewer: int | None) -> Scene:
    """Nothing is covered or cut; what the viewer may do stands on things."""
    scene = scene_of(game, state, viewer)
    assert faults(scene) == []
    assert width(scene.title, 16, bold=True) <= PANEL_WIDTH
    moves_now = viewer is not None and viewer == game.current_player(state)
    assert actions(scene) == (set(np.flatnonzero(mask).tolist()) if moves_now else set())
    return scene


# --- positions that play rarely reaches


def all_contracts(game: Schoko) -> list[tuple[str, int]]:
    return list(zip(game.cards.contracts, game.cards.array["contracts"][0]["highest"].tolist(), strict=False))


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("number", [9, 10, 15, 22])
def test_many_contracts_and_large_numbers_find_their_places(players: int, number: int) -> None:
    firms = Position(players)
    row = all_contracts(firms.game)[-number:]
    firms.player(1, contracts=row, num_booked=number // 2, staff=(20, 16, 16, 10), **EXTREMES)
    game, state = firms.player(0, announced=16, hand=["levy", "bar_each", "idle_books"]).ask("money", 0).build()
    for viewer in (None, 0, 1):
        scene = check_picture(game, state, game.legal_mask(state), viewer)
        assert sum(name.endswith((", at the bookkeepers", ", open")) for name in names(scene)) == number


@pytest.mark.parametrize("players", [2, 4])
def test_every_number_has_a_button(players: int) -> None:
    """The most that a step offers: 17 numbers of bars, 30 prices, 21 of staff; 10 shares, loans, and an end to it."""
    rich: dict[str, Any] = {"cash": 9_000}
    bid = Position(players).player(0, announced=16, **rich).player(1, announced=16).ask("bid_bars", 0).build()
    play(*bid, "bars 3")
    found = []
    for game, state in (
        Position(players).player(0, **rich).ask("announce", 0).build(),
        bid,
        Position(players).player(0, staff=(19, 0, 0, 0), **rich).ask("staff", 0).build(),
        Position(players).player(0, **rich).ask("money", 0).build(),
        Position(players).player(0, shares=10, loans=3, **rich).ask("money", 0).build(),
    ):
        found.append(len(actions(check_picture(game, state, game.legal_mask(state), 0))))
    assert found == [17, 30, 21, 12, 13]


# --- what a seat alone knows


def test_the_own_hand_lies_open_and_others_have_backs() -> None:
    """SEE-2"""
    game, state = Position(2).player(0, hand=["levy", "idle_books"]).ask("look", 0).build()
    own, other = names(scene_of(game, state, 0)), names(scene_of(game, state, 1))
    assert any(name.startswith("Staff Levy: ") for name in own)
    assert not any(name.startswith("Staff Levy: ") for name in other)
    assert "an express card in hand" in other
    assert "Express: Staff Levy: pays the bank 1 for each employee; " in game.render(state, 0)
    assert "Staff Levy: " not in game.render(state, 1) + game.render(state)


def test_who_has_looked_sees_the_event_and_nobody_else() -> None:
    """LOOK-2"""
    game, state = Position(2).event("protest").ask("look", 0).build()
    play(game, state, "look")
    shown = {viewer: [name for name in names(scene_of(game, state, viewer)) if "you know" in name] for viewer in (0, 1)}
    assert [name.partition(" (")[0] for name in shown[0]] == ["Protest"]
    assert not shown[1]
    assert "Protest (you know): everybody loses" in game.render(state, 0)
    assert "you know" not in game.render(state, 1)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_own_panel_names_the_event_for_who_has_looked(players: int) -> None:
    """LOOK-1, LOOK-2: until it is turned up, for nobody else."""
    for event in Event:
        firms = Position(players).event(event.name.lower()).player(0, looked=1, has_played=1)
        firms.player(1, struck_by="gifts")
        game, state = firms.ask("announce", 0).build()
        name = game.cards.names[game.cards.events[event]]
        for viewer in (None, *range(players)):
            for draw in (scene_of, panels_of):
                scene = draw(game, state, viewer)
                assert faults(scene) == []
                seen = names(scene)
                assert "played an express card this month" in seen
                assert (viewer == 0) == (f"knows: {name}" in seen) == any("you know" in words for words in seen)
                assert (viewer != 0) == ("looked at the event" in seen)


def test_staff_5_a_bill_runs_while_staff_is_hired() -> None:
    """SEE-1: it is made of what lies open, so all see it; of seats that have decided nothing there is none."""
    firms = Position(3, leader=1).player(1, cash=100, staff=(3, 2, 0, 0)).player(2, cash=80)
    game, state = firms.ask("staff", 1).build()

    def bills(viewer: int | None) -> dict[str, str]:
        due = "to pay so far in salaries and severance: "
        return {
            group.id: item.name.removeprefix(due)
            for group in game.view(state, viewer).groups
            for row in group.rows
            for item in row.items
            if item.name.startswith(due)
        }

    assert bills(1) == {}
    play(game, state, "staff 2")
    assert bills(1) == bills(0) == bills(None) == {"seat-1": "15"}
    play(game, state, "staff 1", "staff 0", "staff 0", "staff 1")
    assert bills(2) == {"seat-1": "33", "seat-2": "6"}
    play(game, state, *["staff 0"] * 7)
    assert bills(1) == {}
    assert "salaries paid: 24" in names(scene_of(game, state, 1))


def test_of_sealed_bids_a_seat_sees_the_own_one() -> None:
    """SEE-5"""
    firms = Position(2)
    for seat in range(2):
        firms.player(seat, announced=10)
    game, state = firms.ask("bid_bars", 0).build()
    play(game, state, "bars 3")
    assert "3 at ?" in words_of(scene_of(game, state, 0))
    play(game, state, "price 7")
    assert "3 at 7" in words_of(scene_of(game, state, 0))
    assert "Player 0: 3 at 7" in game.render(state, 0)
    for viewer in (1, None):
        assert "bid made" in words_of(scene_of(game, state, viewer))
        assert "3 at 7" not in words_of(scene_of(game, state, viewer))
        assert "3 at 7" not in game.render(state, viewer)


def test_in_a_card_window_only_who_is_asked_sees_a_question() -> None:
    """SEE-4"""
    game, state = Position(2).player(0, hand=["gifts"]).ask("card_a", 0).build()
    first = {viewer: scene_of(game, state, viewer).panels[0].name for viewer in (0, 1, None)}
    assert first == {0: "Your move", 1: "Under way", None: "Under way"}
    for viewer in (1, None):
        assert not [
            words for words in words_of(scene_of(game, state, viewer)) if "to move" in words or "decides" in words
        ]
    assert "Player 0 · you · to move" in game.render(state, 0)
    assert "to move" not in game.render(state, 1)


def test_the_end_shows_places() -> None:
    """END-3"""
    firms = Position(2, month=8).player(0, cash=30, shares=1).player(1, cash=80)
    game, state = firms.ask("money", 0).build()
    play(game, state, "pass")
    while not game.is_over(state):
        play(game, state, "pass")
    names = [thing.name for thing in scene_of(game, state, 0).panels[0].things]
    share = game.cards.record.share_price[7]
    assert names[1:] == ["Player 1: 1st, 80, won", f"Player 0: 2nd, {30 + share}"]


# --- lines of the log


def lines_of(game: Schoko, state: np.ndarray, *said: str) -> list[tuple[str, str]]:
    """What seat 0 and a spectator read of these steps."""
    found = []
    for each in said:
        action = encode(game, each)
        found.append((game.move_in_words(state, action, 0), game.move_in_words(state, action)))
        game.apply(state, action)
    return found


def test_open_moves_are_told_alike() -> None:
    game, state = Position(2).ask("look", 0).build()
    said = lines_of(game, state, "look", "pass", "staff 2", "staff 0")
    assert said == [(line, line) for line, _ in said]
    assert [line for line, _ in said] == [
        "Player 0 pays 15 and looks at the event",
        "Player 1 does not look at the event",
        "Player 0 employs 2 workers, 0 last month",
        "Player 0 employs 0 salesmen",
    ]


def test_a_bid_is_told_when_it_is_complete() -> None:
    """SEE-5"""
    firms = Position(2).player(0, announced=10, cash=5).player(1, announced=10)
    game, state = firms.ask("bid_bars", 0).build()
    sealed = "Player 0 has made a sealed bid in New York"
    assert lines_of(game, state.copy(), "bars 2", "price 1") == [
        ("Player 0 bids for 2 bars in New York", ""),
        ("Player 0 offers 1 for each of 2 bars in New York", sealed),
    ]
    assert lines_of(game, state.copy(), "bars 0") == [("Player 0 bids nothing in New York", sealed)]
    assert lines_of(game, state.copy(), "bars 3") == [
        ("Player 0 bids for 3 bars in New York", sealed)
    ]  # 1 is all it has


def test_a_card_is_told_when_it_strikes() -> None:
    """SEE-4, SEE-5, XP-5"""
    firms = Position(3).player(0, hand=["levy", "gifts"])
    game, state = firms.player(2, staff=(1, 0, 0, 0)).ask("card_a", 0).build()
    assert lines_of(game, state.copy(), "pass") == [("Player 0 plays no express card", "")]
    line = "Player 0 plays Staff Levy on Player 2: pays the bank 1 for each employee"
    assert lines_of(game, state.copy(), "play levy") == [(line, line)]
    assert lines_of(game, state, "play gifts", "target 1") == [
        ("Player 0 chooses the card A Gift to Everybody", ""),
        ("Player 0 plays A Gift to Everybody on Player 1: pays 5 to every other player",) * 2,
    ]


def test_a_line_may_tell_what_its_move_shows() -> None:
    """XP-5: a redeal draws another card than the one whose target is being named."""
    firms = Position(3).player(0, hand=["levy", "gifts"]).player(1, staff=(1, 0, 0, 0)).player(2, staff=(1, 0, 0, 0))
    game, state = firms.ask("card_a", 0).build()
    play(game, state, "play gifts")
    assert task_of(state) == Task.TARGET
    for seed in range(5):
        _check_pictures(game, state, np.random.default_rng(seed), "a target is named")
