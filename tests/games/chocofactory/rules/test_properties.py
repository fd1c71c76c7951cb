"""What holds at every step of every game: gifts take no choice away, and redeals keep what all have seen."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from chocofactory_games import VARIANTS, load, steps, variant_name
from long_runs import amount

from chocofactory_env.core.jit import COMPILED
from chocofactory_env.games.chocofactory.constants import Kind, Phase

GAMES = amount("CF_CHECKED_GAMES", 3, 50) if COMPILED else 1
EVERY = pytest.mark.parametrize("options", VARIANTS, ids=variant_name)


@EVERY
@pytest.mark.long
def test_what_a_benefit_or_a_gift_adds_takes_no_choice_away(options: dict[str, Any]) -> None:
    """DRAFT-5: more beans, coal and money can be left alone, so that Supervisor, Miner and Salesman need no way out.

    The limit of Cleanup stays what it is: the beans beyond it become coal (CLEAN-2).
    """
    game = load(**options)
    finish_cleanup = game.action_layout.encode("finish_cleanup")
    for seed in range(GAMES):
        for step, (state, action) in enumerate(steps(game, seed)):
            if action < 0 or step % 3:
                continue
            legal = game.legal_mask(state).astype(bool)
            more = state.copy()
            player = more["players"][0][game.current_player(state)]
            player["coal"] += 1
            player["money"] += 1
            if state["phase"][0] in (Phase.FULFIL, Phase.AGENTS):
                player["earned_today"] += 1
            player["pieces"][step % 5, Kind.BEAN] += 1
            lost = np.flatnonzero(legal & (game.legal_mask(more) == 0)).tolist()
            assert set(lost) <= {finish_cleanup}, [game.describe(one) for one in lost]


@EVERY
@pytest.mark.long
def test_a_redeal_keeps_what_all_have_seen_and_draws_the_rest_from_the_same_cards(options: dict[str, Any]) -> None:
    """CLEAN-3: orders that were put back face down at the bottom are known to everyone."""
    game = load(**options)
    for seed in range(GAMES):
        for step, (state, _) in enumerate(steps(game, seed)):
            if step % 11:
                continue
            old = game.to_dict(state)
            new = game.to_dict(game.redeal(state, 0, 1000 + step))
            for size, deck in old["decks"]["orders"].items():
                seen = old["decks"]["orders_seen"][size]
                assert new["decks"]["orders"][size][len(deck) - seen :] == deck[len(deck) - seen :]
                assert sorted(new["decks"]["orders"][size]) == sorted(deck)
            a_left = max(0, 15 - 5 * old["day"])
            for deck, places in (("A", slice(0, a_left)), ("B", slice(a_left, None))):
                unseen = [
                    table["decks"]["parts"][places] + table["decks"]["removed_parts"][deck] for table in (old, new)
                ]
                assert sorted(unseen[0]) == sorted(unseen[1]), "SET-2, MC-1"
            for deck, left in old["decks"]["employees"].items():
                assert sorted(new["decks"]["employees"][deck]) == sorted(left), "SET-4, MC-5"
            for public in ("players", "display", "offer", "sides", "under_way", "phase", "turn"):
                assert new[public] == old[public]


def test_a_redeal_draws_anew() -> None:
    game = load(num_players=2)
    state = game.new(5)
    decks = {str(game.to_dict(game.redeal(state, 0, seed))["decks"]) for seed in range(20)}
    assert len(decks) == 20
