"""What holds at every step of every game: gifts take no choice away, and redeals keep what all have seen."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from chocofactory_games import VARIANTS, load, order_decks, steps, variant_name
from long_runs import amount

from chocofactory_env.core.jit import COMPILED
from chocofactory_env.games.chocofactory.constants import Kind, Phase

GAMES = amount("CF_CHECKED_GAMES", 3, 50) if COMPILED else 1
PUBLIC = ("players", "display_parts", "display_employees", "offer", "sides", "task", "phase", "turn")
FACE_DOWN = ("part_deck", "employee_decks", "mix", "order_decks")
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
            redealt = game.redeal(state, 0, 1000 + step)
            old, new = game.to_dict(state), game.to_dict(redealt)
            after = order_decks(game, redealt)
            for size, deck in order_decks(game, state).items():
                unseen = len(deck) - old["order_decks"][size]["returned"]
                assert after[size][unseen:] == deck[unseen:]
                assert sorted(after[size]) == sorted(deck)
            parts, day = int(game.cards.record.part_deck_size), old["day"]
            for number, days_dealt in enumerate((min(day, 3), max(day - 3, 0))):
                hidden = slice(number * parts + 5 * days_dealt, (number + 1) * parts)
                assert Counter(new["part_deck"][hidden]) == Counter(old["part_deck"][hidden]), "SET-2, MC-1"
            for name, cards in old["employee_decks"].items():
                assert Counter(new["employee_decks"][name][day:]) == Counter(cards[day:]), "SET-4, MC-5"
            for public in PUBLIC:
                assert new[public] == old[public]


def test_a_redeal_draws_anew() -> None:
    game = load(num_players=2)
    state = game.new(5)
    redealt = [game.to_dict(game.redeal(state, 0, seed)) for seed in range(20)]
    assert len({str([table[deck] for deck in FACE_DOWN]) for table in redealt}) == 20
