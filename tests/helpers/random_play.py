"""Play a game at random on generated decks, in batches and alone with views, searches and agents: `--help`.

It prints the number of decisions. With libraries that check bounds, an index outside an array ends the process.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, Final

import numpy as np
import tyro

import chocofactory_env as cf

EXPANSION: Final = "master_chocolatier"
VARIANTS: Final[dict[str, list[dict[str, Any]]]] = {
    "chocofactory": [
        *({"num_players": 1, "difficulty": level, "expansion": EXPANSION if level % 2 else None} for level in range(4)),
        *({"num_players": n, "expansion": each} for n, each in product((2, 3, 4), (None, EXPANSION))),
        {"num_players": 2, "play_forced": False, "sides": "random"},
        *({"num_players": n, "expansion": each, "mode": "simultaneous"} for n, each in ((2, None), (4, EXPANSION))),
    ],
    "candyfactory": [
        {"num_players": n, "game": half} for n, half in product((2, 3, 4), ("full", "plantation", "candy"))
    ],
    "schoko": [{"num_players": n, "upset": upset} for n, upset in ((2, "all"), (3, "bookkeepers"), (4, "all"))],
}
AGENTS: Final = {
    "chocofactory": ("greedy", "planner:width=4", "expert:width=4,draft_width=2", "mcts:simulations=4", "learned"),
    "candyfactory": ("greedy", "expert", "mcts:simulations=8", "flat_mc:playouts=2", "learned"),
    "schoko": ("manager", "expert:simulations=8", "mcts:simulations=8", "flat_mc:playouts=2", "learned"),
}
LOOKS_EVERY: Final = 8  # decisions of a single game


def play_batches(name: str, decks: int, seed: int) -> int:
    """A game on every deck in every variant; the number of decisions."""
    decisions, choose = 0, cf.LegalSampler(seed)
    for number, options in enumerate(VARIANTS[name]):
        scaled = bool((number + seed) % 2)
        batch = cf.make_batch(name, decks, decks=f"generated:1-{decks}", scaled=scaled, **options)
        step, ended = batch.reset(seed=seed), np.zeros(decks, bool)
        while not ended.all():
            step = batch.step(choose(step.action_masks))
            decisions += decks
            ended |= step.dones
        batch.close()
    return decisions


def play_alone(name: str, decks: int, seed: int) -> int:
    """A game on every deck, each in the next variant and with the next agent in turn; the number of decisions."""
    return sum(1 for deck in range(1, decks + 1) for _ in decisions_of(name, deck, seed))


def decisions_of(name: str, deck: int, seed: int) -> Iterator[int]:
    number = deck + seed
    options = VARIANTS[name][number % len(VARIANTS[name])]
    game, rng = cf.load(name, deck=f"generated:{deck}", **options), np.random.default_rng(number)
    state, agent = game.new(seed), cf.make_agent(AGENTS[name][number % len(AGENTS[name])], game)
    while not game.is_over(state):
        seat = game.current_player(state)
        action = int(rng.choice(np.flatnonzero(game.legal_mask(state))))
        if rng.random() * LOOKS_EVERY < 1:
            look(game, state, seat, action)
            cf.reset_agent(agent, cf.agent_seed(game, state, seat))
            action = cf.decide(game, agent, state)
        game.apply(state, action)
        yield action


def look(game: Any, state: np.ndarray, seat: int, action: int) -> None:
    """Call what sees and tries a position."""
    for each in range(game.num_players):
        game.observe(state, each)
        game.redeal(state, each, seed=action)
    game.random_playouts(state, [action, action + 1], player=seat, action=action)
    game.random_playout(state, seed=action)
    game.prompt(state, seat)


def main(game: tyro.conf.Positional[str], *, decks: int, seed: int, alone: int) -> None:
    """decks: generated:1 to this one. alone: decks of single games."""
    print(play_batches(game, decks, seed), play_alone(game, alone, seed))


if __name__ == "__main__":
    tyro.cli(main)
