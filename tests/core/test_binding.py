"""Shared code that is bound to a game's rules: what is refused, and that games stay apart."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pytest
from games_under_test import pick, race_with

from chocofactory_env.core import binding
from chocofactory_env.core.binding import bind, rules_in, shared
from chocofactory_env.core.jit import jit
from toyrace import rules
from toyrace.game import RECORDS, RULES, ToyRace


@jit
def write_half(cards: Any, state: Any, standings: np.ndarray) -> None:
    rules.write_standings(cards, state, standings)
    for seat in range(state.num_players):
        standings[seat] //= 2


@jit
def write_everybody_wins(cards: Any, state: Any, scores: np.ndarray, ranking: np.ndarray, won: np.ndarray) -> None:
    for seat in range(state.num_players):
        scores[seat], ranking[seat], won[seat] = 7, 0, True


class HalfRace(ToyRace):
    kernel = race_with("half_race", write_standings=write_half)


class KindRace(ToyRace):
    kernel = race_with("kind_race", write_outcome=write_everybody_wins)


@pytest.mark.parametrize("name", binding.RULES)
def test_a_missing_rule_is_named(name: str) -> None:
    with pytest.raises(TypeError, match=f"^chess has no rule: {name}$"):
        bind("chess", {other: rule for other, rule in RULES.items() if other != name}, module="chess", records=RECORDS)


def test_optional_rules_have_defaults() -> None:
    class PlainRace(ToyRace):
        kernel = bind(
            "plain_race",
            {name: rule for name, rule in RULES.items() if name in binding.RULES},
            module="__main__",
            records=RECORDS,
        )
        value_features: ClassVar[Any] = ()

    assert RULES.keys() - binding.RULES.keys() < binding.OPTIONAL_RULES.keys()
    game = PlainRace()
    masks = np.zeros((game.num_players, game.num_actions + 1), np.int8)
    game.write_joint_masks(game.new(1), masks)
    assert np.flatnonzero(masks[:, -1] == 0).tolist() == [game.current_player(game.new(1))], "one seat is asked"
    features, stage = game.features(game.new(1), 0)
    assert (features.size, stage) == (0, 0)
    assert not game.turn_goes_on(game.new(1), 0)
    with pytest.raises(ValueError, match="the game 'toyrace' offers no features of positions at the end of a turn"):
        game.judge()


def test_a_rule_that_nobody_asks_for_is_named() -> None:
    with pytest.raises(TypeError, match=r"^chess has a rule that no shared code asks for: castle, fly$"):
        race_with("chess", fly=rules.advance, castle=rules.advance)


@jit
def misnamed(cards: Any, state: Any, out: np.ndarray) -> None:
    pass


@jit
def too_short(cards: Any, state: Any) -> None:
    pass


@pytest.mark.parametrize(("rule", "given"), [(misnamed, "cards, state, out"), (too_short, "cards, state")])
def test_a_rule_with_other_parameters_is_refused(rule: Callable[..., Any], given: str) -> None:
    expected = r"chess: expected write_scores\(cards, state, scores\), "
    with pytest.raises(TypeError, match=rf"^{expected}got write_scores\({given}\)$"):
        race_with("chess", write_scores=rule)


def test_rules_are_found_by_their_names() -> None:
    """Imported functions count, and other names do not."""
    one, two = ModuleType("one"), ModuleType("two")
    one.advance = two.advance = rules.advance  # type: ignore[attr-defined]
    one.helper = two.write_scores = rules.write_scores  # type: ignore[attr-defined]
    assert rules_in(one, two) == {"advance": rules.advance, "write_scores": rules.write_scores}
    one.write_scores = misnamed  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match=r"^write_scores: `one` and `two` define different functions$"):
        rules_in(one, two)


def test_two_shared_functions_have_two_names() -> None:
    def step() -> None: ...

    before = dict(binding.SHARED)
    with pytest.raises(ValueError, match="two shared functions are named step"):
        shared(step)
    assert before == binding.SHARED


def test_games_that_are_bound_to_the_same_functions_stay_apart() -> None:
    games = [ToyRace(), HalfRace(), KindRace()]
    race, half, kind = games
    assert len({id(game.kernel.standings) for game in games}) == len(games)
    state = race.random_playout(race.new(1), 1)
    for _ in range(2):
        assert race.scores(state).tolist() == race.random_playouts(state, [1]).scores[0].tolist()
        assert half.standings(state).tolist() == (race.standings(state) // 2).tolist() != race.standings(state).tolist()
        assert kind.standings(state).tolist() == race.standings(state).tolist()


def test_a_game_may_replace_a_shared_function_wherever_it_is_called() -> None:
    game, state = KindRace(), KindRace().new(1)
    assert game.scores(state).tolist() == [7, 7]
    assert game.won(state).tolist() == [True, True]
    playouts = game.random_playouts(state, range(5))
    assert (playouts.scores == 7).all()
    assert playouts.won.all()


def everything_played() -> str:
    """A hash of what all shared code does, of games of the toy race; for `test_library.py`."""
    digest = hashlib.sha256()
    for players in (1, 3):
        game = ToyRace(num_players=players)
        state, rng = game.new(5), np.random.default_rng(5)
        while not game.is_over(state):
            seat = game.current_player(state)
            playouts = game.random_playouts(state, range(3), player=seat)
            found = game.tree_search().search(state, 40, seed=5)
            for seen in (*playouts, found.visits, found.value.round(4), game.observe(state, seat).flat):
                digest.update(seen.tobytes())
            game.apply(state, pick(game.legal_mask(state), rng))
        digest.update(state.tobytes() + game.scores(state).tobytes() + game.won(state).tobytes())
    return digest.hexdigest()
