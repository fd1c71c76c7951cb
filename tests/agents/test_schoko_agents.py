"""The agents of Schoko & Co."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from schoko_games import Position, encode

import chocofactory_env as cf
from chocofactory_env.agents.protocol import decide, make_agent
from chocofactory_env.games.schoko.constants import Express


class Shareholder:
    """Buys shares and does nothing else."""

    def __init__(self, game: Any) -> None:
        verbs = [game.decode(action)[0] for action in range(game.num_actions)]
        self.rank = np.array([{"buy_shares": 2, "pass": 1}.get(verb, 0) for verb in verbs])

    def __call__(self, observation: cf.Tensors, mask: np.ndarray) -> int:
        """Of what it likes most the highest number if it buys, else the lowest."""
        legal = np.flatnonzero(mask)
        liked = legal[self.rank[legal] == self.rank[legal].max()]
        return int(liked[-1] if self.rank[liked[0]] == 2 else liked[0])


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 4])
def test_who_only_buys_shares_does_not_beat_the_manager(players: int) -> None:
    game = cf.load("schoko", num_players=players)
    agents: list[Any] = ["manager", *(Shareholder(game) for _ in range(players - 1))]
    assert cf.play_match(game, agents, range(24 // players), progress=False).agents()[0]["win_rate"] > 0.8


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_manager_answers_from_any_position(players: int) -> None:
    """Of games in which others play at random; `apply` refuses what is not legal."""
    game = cf.load("schoko", num_players=players, play_forced=False)
    manager, rng, asked = make_agent("manager", game), np.random.default_rng(players), set()
    for seed in range(4):
        state = game.new(seed)
        while not game.is_over(state):
            legal = np.flatnonzero(game.legal_mask(state))
            answer = decide(game, manager, state)
            asked.add(game.decode(answer)[0])
            game.apply(state, answer if rng.random() < 0.8 else int(rng.choice(legal)))
    assert asked >= {"staff", "bars", "price", "accept", "raise", "play", "pass", "buy_shares"}


@pytest.mark.parametrize(("bars", "answer"), [(1, "play slow_shift"), (2, "play slow_shift"), (3, "pass")])
def test_the_manager_reads_from_the_deck_what_a_card_costs_a_rival(bars: int, answer: str, tmp_path: Path) -> None:
    """XP-SLOW: who makes three bars a worker loses nothing where the card allows three."""
    deck = cf.generate_deck("schoko", 17, stray=1)
    deck.tables["express"][Express.SLOW_SHIFT]["amount"] = bars
    deck.save(tmp_path / "deck.toml")
    firms = Position(2, month=2, deck=str(tmp_path / "deck.toml")).player(1, staff=(4, 0, 0, 0))
    game, state = firms.player(0, hand=["slow_shift"]).ask("card_a", 0).build()
    assert decide(game, make_agent("manager", game), state) == encode(game, answer)


def test_values_of_a_bankrupt_seat_are_of_nothing() -> None:
    """Its features are zeros, and all others are finite."""
    game: Any = cf.load("schoko", num_players=3)
    rng, bankrupt = np.random.default_rng(1), 0
    for seed in range(6):
        state = game.new(seed)
        while not game.is_over(state):
            game.apply(state, int(rng.choice(np.flatnonzero(game.legal_mask(state)))))
            for seat in range(game.num_players):
                features, stage = game.features(state, seat)
                out = bool(state["players"]["out"][0, seat])
                bankrupt += out
                assert np.isfinite(features).all()
                assert 0 <= stage < game.value_stages - 1
                assert features.any() != out
    assert bankrupt > 0
