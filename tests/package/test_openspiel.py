"""The games as OpenSpiel games: OpenSpiel's own tests, and what a seat may know."""

from __future__ import annotations

import pickle
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="needs OpenSpiel: pip install --group libraries")

from chocofactory_env import generate_deck, load, openspiel  # noqa: E402 - after the check

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::SyntaxWarning")  # of OpenSpiel's modules
VARIANTS = [
    *(f"chocofactory(num_players={players})" for players in (1, 2, 3, 4)),
    *(f"{name}(num_players={players})" for name in ("candyfactory", "schoko") for players in (2, 3, 4)),
    "chocofactory(num_players=3,options=mode:simultaneous;expansion:master_chocolatier)",
    "schoko(num_players=3,deals=20,first_deal=7,options=months:6;upset:all;play_forced:false)",
]
FEW = [VARIANTS[0], VARIANTS[2], VARIANTS[6], VARIANTS[-1]]


def dealt(text: str, deal: int = 3) -> Any:
    state = pyspiel.load_game(text).new_initial_state()
    state.apply_action(deal)
    return state


@pytest.mark.slow
@pytest.mark.parametrize("text", VARIANTS)
def test_open_spiels_own_tests_pass(text: str) -> None:
    from open_spiel.python.tests.games_sim_test import GamesSimTest

    game = pyspiel.load_game(text)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False, mask_test=True)
    GamesSimTest().sim_game(game)


@pytest.mark.parametrize("text", FEW)
def test_a_seat_sees_its_own_observation_and_a_redeal_changes_nothing_of_it(text: str) -> None:
    state, rng = dealt(text), random.Random(7)
    game, seats = state.get_game().game, range(state.num_players())
    differed = False
    while not state.is_terminal():
        for seat in seats:
            other = state.resample_from_infostate(seat, rng.random)
            tensor = np.array(state.observation_tensor(seat), np.float32)
            assert np.array_equal(tensor, game.observe(state.position, seat).flat)
            assert np.array_equal(tensor, other.observation_tensor(seat))
            assert state.information_state_string(seat) == other.information_state_string(seat)
            differed = differed or other.position.tobytes() != state.position.tobytes()
        state.apply_action(rng.choice(state.legal_actions()))
    assert differed
    returns, won = np.array(state.returns()), game.won(state.position)
    if len(seats) == 1:
        assert returns.tolist() == won.tolist()
    else:
        assert np.array_equal(returns == returns.max(), won)
        assert returns.sum() == pytest.approx(0)


@pytest.mark.parametrize("text", FEW)
def test_an_information_state_remembers_what_the_seat_did(text: str) -> None:
    state = dealt(text)
    mover, legal = state.current_player(), state.legal_actions()
    after = [state.child(action).information_state_string(mover) for action in legal]
    assert len({*after, state.information_state_string(mover)}) == len(legal) + 1
    assert state.child(legal[0]).information_state_string(mover) == after[0]
    assert state.observation_string(mover) == state.get_game().game.prompt(state.position, mover, rules=False)


@pytest.mark.slow
@pytest.mark.parametrize("text", FEW[1:])
def test_information_set_search_plays(text: str) -> None:
    from open_spiel.python.algorithms.ismcts import ISMCTSBot
    from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

    draws = np.random.RandomState(7)  # what OpenSpiel takes
    bot = ISMCTSBot(None, RandomRolloutEvaluator(1, draws), 2.0, 8, random_state=draws)
    state = dealt(text)
    for _ in range(4):
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)


@pytest.mark.parametrize("text", FEW)
def test_seats_have_no_actions_at_a_chance_node(text: str) -> None:
    """OpenSpiel's own method writes the outcomes, more than a seat has actions, beyond the mask."""
    start = pyspiel.load_game(text).new_initial_state()
    actions, deals = start.num_distinct_actions(), len(start.chance_outcomes())
    for state in (start, start.clone(), pickle.loads(pickle.dumps(start))):
        for player in (*range(state.num_players()), 9, 127, 10**6, -4):
            assert state.legal_actions(player) == []
            assert state.legal_actions_mask(player) == [0] * actions
        for player in ((), (pyspiel.PlayerId.CHANCE,)):
            assert state.legal_actions(*player) == list(range(deals))
            assert state.legal_actions_mask(*player) == [1] * deals
    for deal in (deals, 10**6, 2**40):
        with pytest.raises(ValueError, match=f"deal: expected 0 to {deals - 1}, got {deal}"):
            start.apply_action(deal)
    assert start.history() == []
    start.apply_action(0)
    mover, legal = start.current_player(), start.legal_actions()
    assert start.legal_actions(mover) == np.flatnonzero(start.legal_actions_mask(mover)).tolist() == legal
    assert not any(map(start.legal_actions, set(range(start.num_players())) - {mover}))
    with pytest.raises(ValueError, match="expected a chance node"):
        start.chance_outcomes()


@pytest.mark.parametrize("at_chance", [True, False])
@pytest.mark.parametrize("seat", [-1, 2, 127, 10**6])
def test_seats_that_there_are_not_see_nothing(at_chance: bool, seat: int) -> None:
    state = pyspiel.load_game(VARIANTS[4]).new_initial_state() if at_chance else dealt(VARIANTS[4])
    observer = state.get_game().make_py_observer()
    recalling = state.get_game().make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    for look in (observer.set_from, observer.string_from, recalling.set_from, recalling.string_from):
        with pytest.raises(ValueError, match=f"player: expected 0 to 1, got {seat}"):
            look(state, seat)
    for look in (state.observation_tensor, state.observation_string, state.information_state_string):
        with pytest.raises(pyspiel.SpielError):
            look(seat)


@pytest.mark.parametrize("private", pyspiel.PrivateInfoType.__members__)
@pytest.mark.parametrize("public", [True, False])
@pytest.mark.parametrize("recalls", [True, False])
def test_observers_of_other_kinds_are_refused(private: str, public: bool, recalls: bool) -> None:
    """They would show a seat's hand as if it were public."""
    game = pyspiel.load_game("schoko(num_players=3)")
    private_info = pyspiel.PrivateInfoType.__members__[private]
    kind = pyspiel.IIGObservationType(public_info=public, perfect_recall=recalls, private_info=private_info)
    for make in (game.make_py_observer, lambda kind: game.make_observer(kind, {})):
        if public and private == "SINGLE_PLAYER":
            make(kind)
        else:
            with pytest.raises(ValueError, match=f"got public_info={public} and private_info={private}"):
                make(kind)


@pytest.mark.parametrize("name", ["chocofactory", "candyfactory", "schoko"])
def test_game_types_name_the_players_that_variants_have(name: str) -> None:
    (registered,) = [each for each in pyspiel.registered_games() if each.short_name == name]
    for kind in (registered, openspiel.load_game(name).get_type()):
        for players in range(1, 9):
            if kind.min_num_players <= players <= kind.max_num_players:
                assert openspiel.load_game(name, num_players=players).num_players() == players
            else:
                with pytest.raises(ValueError, match="num_players: expected"):
                    openspiel.load_game(name, num_players=players)


def test_a_game_is_found_again_by_its_text_and_by_pickle() -> None:
    options = {"months": 6, "upset": "all", "play_forced": False}
    game = openspiel.load_game("schoko", num_players=3, deals=20, first_deal=7, **options)
    assert str(game) == str(pyspiel.load_game(VARIANTS[-1])) == str(pyspiel.load_game(str(game)))
    assert dict(pickle.loads(pickle.dumps(game)).game.options) == dict(game.game.options)
    assert game.game.options["months"] == 6
    start = game.new_initial_state()
    assert start.chance_outcomes() == [(deal, 1 / 20) for deal in range(20)]
    start.apply_action(5)
    assert start.position.tobytes() == game.game.new(12).tobytes()


def test_a_deck_whose_name_openspiel_would_take_apart_is_found_again() -> None:
    game = openspiel.load_game("schoko", deck="generated:17,stray=1")
    for again in (pyspiel.load_game(str(game)), pickle.loads(pickle.dumps(game))):
        assert again.game.options["deck"] == "generated:17,stray=1"
        assert again.game.deck_hash == game.game.deck_hash


def test_a_deck_that_was_edited_is_read_again(tmp_path: Path) -> None:
    deck = tmp_path / "own deck.toml"
    hashes = []
    for seed in (17, 18):
        generate_deck("schoko", seed).save(deck)
        hashes.append(openspiel.load_game("schoko", deck=deck, months=np.int64(6)).game.deck_hash)
        assert hashes[-1] == load("schoko", deck=deck).deck_hash
    assert hashes[0] != hashes[1]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"name": "schoko", "num_players": 1}, "num_players: expected 2 to 4"),
        ({"name": "schoko", "month": 6}, "month"),
        ({"name": "schoko", "deals": 0}, "deals: expected 1 or more"),
        ({"name": "shoko"}, "unknown game"),
    ],
)
def test_what_there_is_not_is_refused(options: dict[str, Any], error: str) -> None:
    with pytest.raises((TypeError, ValueError), match=error):
        openspiel.load_game(**options)
    assert "shoko" not in pyspiel.registered_names()


def test_a_game_registered_later_can_be_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    from chocofactory_env import registry

    monkeypatch.setitem(registry.GAMES, "late", registry.GAMES["candyfactory"])
    game = openspiel.load_game("late", num_players=3)
    assert game.num_players() == 3
    assert (game.get_type().min_num_players, game.get_type().max_num_players) == (2, 4)


def test_players_of_a_game_of_ones_own_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from chocofactory_env import registry

    monkeypatch.setitem(registry.GAMES, "toy", registry.Registered("toyrace.game:ToyRace", "Toy", "ToyVersus"))
    kind = openspiel.load_game("toy").get_type()
    assert (kind.min_num_players, kind.max_num_players) == (1, 4)
