"""The Python side that compiled games share: what a game must bring, and which states it takes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from games_under_test import GAMES, toy

import chocofactory_env as cf
from chocofactory_env.core.compiled import CompiledGame
from chocofactory_env.core.kernel.rules import MAX_SEATS, STATE_FIELDS
from chocofactory_env.core.records import field
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


def test_fields_that_shared_code_needs_and_the_state_record_lacks_are_named_and_no_others() -> None:
    with pytest.raises(ValueError, match=f"^toyrace: the state record has no field {', '.join(sorted(STATE_FIELDS))}$"):
        Bare(np.zeros(1, without(*STATE_FIELDS, "sponsor")))
    assert Bare(np.zeros(1, rules.State.dtype)).num_players == 2


@pytest.mark.parametrize("players", [0, MAX_SEATS + 1])
def test_a_number_of_players_that_records_have_no_room_for_is_refused(players: int) -> None:
    with pytest.raises(ValueError, match=f"num_players: expected 1 to {MAX_SEATS}, got {players}"):
        Bare(np.zeros(1, rules.State.dtype), players)


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
