"""Agents by name: all of them play with other cards, and refuse what they do not play."""

from __future__ import annotations

from pathlib import Path

import pytest
from own_decks import order, write_deck
from positions import load

from agents.match import Entrant, play_game
from agents.protocol import make_agent


@pytest.mark.parametrize("text", ["greedy", "planner:width=4", "mcts:simulations=10", "flat_mc:playouts=1", "random"])
@pytest.mark.parametrize("players", [1, 2, 4])
def test_agents_play_with_other_cards(text: str, players: int, tmp_path: Path) -> None:
    deck = write_deck(tmp_path / "deck.toml", orders=[order("own", ({"boxed": 1, "nuts": 1}, 9), ({"fingers": 4}, 14))])
    game = load(num_players=players, deck=str(deck))
    assert game.deck_hash != load(num_players=players).deck_hash
    entrants = [Entrant(text, make_agent(text, game)) for _ in range(players)]
    assert play_game(game, entrants, seed=1).decisions > 50 * players


def test_solo_is_planner_in_the_solo_game_and_refuses_others() -> None:
    game = load(num_players=1)
    solo, planner = (play_game(game, [Entrant(name, make_agent(name, game))], seed=2) for name in ("solo", "planner"))
    assert (solo.money, solo.decisions) == (planner.money, planner.decisions)
    with pytest.raises(ValueError, match="plays the solo game, got one of 3 players"):
        make_agent("solo", load(num_players=3))


def test_learned_refuses_a_game_for_which_the_shipped_network_was_not_trained() -> None:
    game = load(num_players=2, expansion="master_chocolatier")
    with pytest.raises(ValueError, match=r"players.safetensors does not fit chocofactory .*: built for other"):
        make_agent("learned", game)
