"""The Python side that compiled games share: what a game must bring, and which states it takes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from inspect import getmembers, ismethod, signature
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from games_under_test import GAMES, chocofactory, toy

import chocofactory_env as cf
from chocofactory_env.core.build import seconds_building
from chocofactory_env.core.compiled import CompiledGame
from chocofactory_env.core.kernel.rules import MAX_SEATS, STATE_FIELDS
from chocofactory_env.core.records import field
from chocofactory_env.view.views import scene_of
from toyrace import rules
from toyrace.game import ToyRace


class Bare(ToyRace):
    """A race whose parts can be exchanged."""

    def __init__(self, blank: np.ndarray, num_players: int = 2) -> None:
        layout = rules.observation_layout(2, 5)
        CompiledGame.__init__(
            self,
            options={},
            num_players=num_players,
            tables=rules.tables_of(layout),
            deck_hash="",
            blank=blank,
            action_layout=rules.ACTIONS,
            observation_layout=layout,
        )


def without(*names: str) -> np.dtype[Any]:
    kept = [name for name in rules.State.dtype.names or () if name not in names]
    return np.dtype([(name, rules.State.dtype[name]) for name in kept])


@pytest.mark.parametrize("name", STATE_FIELDS)
def test_a_state_record_without_a_field_that_shared_code_needs_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"^toyrace: the state record has no field {name}$"):
        Bare(np.zeros(1, without(name)))


def test_a_game_and_its_layouts_are_shown_in_a_line() -> None:
    game = toy(num_players=3, rounds=2)
    assert repr(game) == "ToyRace(num_players=3, rounds=2)"
    assert repr(game.action_layout) == f"ActionLayout({len(game.action_layout.verbs)} verbs, size={game.num_actions})"
    layout = game.observation_layout
    assert repr(layout) == f"ObservationLayout({len(layout.blocks)} blocks, size={layout.size})"
    with_deck = repr(cf.load("schoko", months=6, deck="generated:3"))
    assert with_deck == "Schoko(num_players=2, months=6, upset='bookkeepers', play_forced=True, deck='generated:3')"


def test_a_field_with_the_name_of_a_key_of_positions_as_data_is_refused() -> None:
    class Taken(rules.State):
        deck: int = field("i1")

    class OfTaken(Bare):
        record = Taken

    with pytest.raises(ValueError, match=r"^toyrace: the state record has a field deck, a key of positions as data$"):
        OfTaken(np.zeros(1, Taken.dtype))


def test_all_missing_fields_are_named_and_no_others() -> None:
    with pytest.raises(ValueError, match=r"has no field rng, seed$"):
        Bare(np.zeros(1, without("seed", "rng", "sponsor")))
    assert Bare(np.zeros(1, rules.State.dtype)).num_players == 2


@pytest.mark.parametrize("players", [0, MAX_SEATS + 1])
def test_a_number_of_players_that_records_have_no_room_for_is_refused(players: int) -> None:
    with pytest.raises(ValueError, match=f"num_players: expected 1 to {MAX_SEATS}, got {players}"):
        Bare(np.zeros(1, rules.State.dtype), players)


FAST = {  # the adapters' fast path, which checks nothing
    "advance",
    "advance_jointly",
    "ask_seat",
    "write_joint_masks",
    "write_mask",
    "write_observation",
    "write_raw_observation",
}
OTHERS = {"action": 0, "player": 0, "seat": 0, "seed": 1, "seeds": [1], "text": "0"}


def uses_of(game: Any) -> dict[str, Callable[[Any], Any]]:
    """Whatever takes a position of the game, by name."""
    uses: dict[str, Callable[[Any], Any]] = {
        "scene": lambda state: scene_of(game, state),
        "tree_search": lambda state: game.tree_search().search(state, 1, 1),
    }
    for name, method in getmembers(game, ismethod):
        parameters = dict(signature(method).parameters)
        if not name.startswith("_") and name not in FAST and parameters.pop("state", None) is not None:
            more = {other: OTHERS[other] for other, each in parameters.items() if each.default is each.empty}
            uses[name] = partial(method, **more)
    return uses


def test_the_uses_are_found() -> None:
    expected = {"apply", "clone", "current_player", "is_over", "legal_mask", "observe", "renew", "scores", "when"}
    assert expected < uses_of(toy()).keys()
    assert uses_of(toy()).keys() | {"day_end", "panels", "score_sheets", "view"} == uses_of(chocofactory()).keys()


@pytest.mark.parametrize("make", GAMES)
def test_what_is_no_position_of_the_game_is_refused_everywhere(make: Callable[..., Any]) -> None:
    game = make(num_players=2)
    other = chocofactory if make is toy else toy
    for use in uses_of(game).values():
        with pytest.raises(ValueError, match=rf"^state: expected a position of {game.name}, got an array of"):
            use(other(num_players=2).new(1))
        for nothing in (None, "position", game):
            with pytest.raises(TypeError, match=rf"^state: expected a position of {game.name}, got "):
                use(nothing)


@pytest.mark.parametrize("make", GAMES)
def test_positions_of_another_variant_and_more_than_one_are_refused_everywhere(make: Callable[..., Any]) -> None:
    game = make(num_players=2)
    uses = uses_of(game)
    del uses["clone"]  # a copy does no harm
    for use in uses.values():
        for states in (make(num_players=3).new(1), game.blank_states(2), game.new(1)[0:0], game.new(1)[0]):
            with pytest.raises(ValueError, match=r"^state: expected one position of this variant, 2 players"):
                use(states)


@pytest.mark.parametrize("options", [{"months": 12}, {"play_forced": False}, {"deck": "generated:5"}], ids=str)
def test_positions_with_other_options_or_cards_are_refused_everywhere(options: dict[str, Any]) -> None:
    other = cf.load("schoko", num_players=2, **options).new(1)
    uses = uses_of(cf.load("schoko", num_players=2))
    del uses["clone"]
    for use in uses.values():
        with pytest.raises(ValueError, match=r"^state: expected one position of this variant, 2 players"):
            use(other)


def test_the_name_of_a_deck_does_not_matter_to_its_positions(tmp_path: Path) -> None:
    cf.generate_deck("schoko", seed=5).save(tmp_path / "mine.toml")
    mine, generated = (cf.load("schoko", deck=deck) for deck in (str(tmp_path / "mine.toml"), "generated:5"))
    assert mine.to_dict(generated.new(1)) == generated.to_dict(generated.new(1))


@pytest.mark.parametrize("make", GAMES)
def test_a_read_only_position_is_not_changed(make: Callable[..., Any]) -> None:
    game = make(num_players=2)
    data = game.new(1).tobytes()
    kept, state = bytes(bytearray(data)), np.frombuffer(data, game.new(1).dtype)
    action = int(game.legal_mask(game.clone(state)).argmax())
    changes: tuple[Callable[[], None], ...] = (lambda: game.apply(state, action), lambda: game.renew(state))
    for change in changes:
        with pytest.raises(ValueError, match=r"^state: expected a position that can be changed, got a read-only array"):
            change()
    assert data == kept
    game.apply(game.clone(state), action)


@pytest.mark.parametrize("make", GAMES)
@pytest.mark.parametrize("action", [None, "stop", 1.0, np.ones(3, np.int8)], ids=str)
def test_what_is_no_integer_is_no_action(make: Callable[..., Any], action: Any) -> None:
    game = make(num_players=2)
    state = game.new(1)
    before = state.tobytes()
    uses: tuple[Callable[[], Any], ...] = (
        lambda: game.apply(state, action),
        lambda: game.forced_moves(state, action),
        lambda: game.random_playouts(state, [1], action=np.array([1.0]) if action is None else action),
        lambda: game.describe(action),
        lambda: game.decode(action),
    )
    for use in uses:
        with pytest.raises(TypeError, match=rf"^an action is an integer in 0\.\.{game.num_actions - 1}, got "):
            use()
    assert state.tobytes() == before


def test_integers_of_numpy_are_actions_and_compile_nothing() -> None:
    game = chocofactory(num_players=2)
    one, other = game.new(1), game.new(1)
    action = int(game.legal_mask(one).argmax())
    game.apply(one, action)
    compiled = seconds_building()
    game.apply(other, np.uint8(action))
    assert one.tobytes() == other.tobytes()
    assert seconds_building() == compiled


def test_a_number_of_playouts_is_no_seeds() -> None:
    game = toy()
    with pytest.raises(TypeError, match=r"^seeds: expected one for each playout, as range\(100\), got 100$"):
        game.random_playouts(game.new(1), 100)


@pytest.mark.parametrize(("simulations", "error"), [(0, ValueError), (-1, ValueError), (1.5, TypeError)])
def test_a_tree_without_simulations_is_refused(simulations: Any, error: type[Exception]) -> None:
    game = toy()
    with pytest.raises(error, match=f"^simulations: expected .*, got {simulations}$"):
        game.tree_search().search(game.new(1), simulations, seed=1)


@pytest.mark.parametrize("player", [-1, 2])
def test_seats_that_do_not_exist_are_refused(player: int) -> None:
    game = toy(num_players=2)
    state = game.new(1)
    uses: tuple[Callable[[], Any], ...] = (
        lambda: game.observe(state, player),
        lambda: game.redeal(state, player, 1),
        lambda: game.random_playouts(state, [1], player=player),
    )
    for use in uses:
        with pytest.raises(ValueError, match=f"^player: expected 0 to 1, got {player}$"):
            use()
