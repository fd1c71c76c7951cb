"""Agents that a network meets: a rival in games of training, and the opponent of evaluations.

An evaluation is a match of the arena, in which the network decides for all games in one pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from chocofactory_env import Game, SelfPlayBatch
from chocofactory_env.agents.by_game import addition
from chocofactory_env.agents.learned import LearnedAgent
from chocofactory_env.agents.networks.network import Network, look
from chocofactory_env.agents.protocol import AnyAgent, decide, make_agent, reset
from chocofactory_env.arena.rows import play_rows, table_with
from chocofactory_env.arena.table import summary, table_of
from chocofactory_env.core.agents.moves import listens
from chocofactory_env.core.kernel.variants import GameSet
from chocofactory_env.core.reading import need

from .settings import TRAINING, names_of_variants

FIRST_DEAL = 10_000_000  # of evaluations; apart from the deals of training and benchmarks
NETWORK = "network"  # its name in the table


def rival_of(game: str) -> str:
    """The game's opponent in evaluations: `RIVAL` in `training/<game>/`."""
    return addition(TRAINING, game, "RIVAL", "random")


class Rival:
    """An agent that plays some seats of the games of a batch."""

    def __init__(self, name: str, batch: Any) -> None:
        self.name, self.batch = name, batch
        self.game = batch.games.first
        self.agent = make_agent(name, self.game)
        need(not listens(self.agent), "an agent without observe_move, as it would not be told the moves", name, "rival")
        self._seeds = [0] * batch.num_envs
        # By game and seat; each is an agent that may remember its game.
        self._at: dict[tuple[int, int], tuple[Game, AnyAgent]] = {}

    def reset(self, seed: tuple[int, ...]) -> None:
        self._seeds = np.random.SeedSequence(seed).generate_state(self.batch.num_envs).tolist()
        reset(self.agent, self._seeds[0])
        self._at.clear()

    def forget(self, games: np.ndarray) -> None:
        """Forget the games with these numbers, which have ended."""
        for number in games.tolist():
            for seat in range(self.game.num_players):
                self._at.pop((number, seat), None)
            self._seeds[number] += self.game.num_players  # the next game's, as the games of a rollout are not the same

    def choose(
        self, rows: np.ndarray, raw: np.ndarray, masks: np.ndarray, seats: np.ndarray, positions: np.ndarray
    ) -> Any:
        """Its actions in K rows. raw: (B, R), masks: (B, A), of all rows: one for each game, or for each seat.

        seats, positions: (B,), who decides in them.
        """
        each = len(raw) // self.batch.num_envs
        if isinstance(self.agent, LearnedAgent):
            of_rows = raw[rows], masks[rows], positions[rows], seats[rows].astype(np.int32)
            return self.agent.choose_rows(*of_rows, self.batch.rules(rows // each))
        return [
            decide(*self._agent_at(row // each, seat), self.position_of(row, each))
            for row, seat in zip(rows.tolist(), seats[rows].tolist(), strict=True)
        ]

    def _agent_at(self, number: int, seat: int) -> tuple[Game, AnyAgent]:
        place = number, seat
        if place not in self._at:
            game = self.batch.game_of(number)
            self._at[place] = game, make_agent(self.name, game)
            reset(self._at[place][1], self._seeds[number] + seat)
        return self._at[place]

    def position_of(self, row: int, each: int) -> Any:
        """The position of the row's decision, where a game has so many rows."""
        number, seat = divmod(row, each)
        if each == 1:
            return self.batch.state(number)
        position = self.game.clone(self.batch.state(number))
        self.game.ask_seat(position, seat)
        return position


# --- evaluations


def evaluated(network: Network, games: Sequence[GameSet], deals: int, rival: str | None = None) -> dict[str, float]:
    """Win rates with intervals of each variant, against the rival (None: its own) or alone; `score` is their mean."""
    measured: dict[str, float] = {}
    for each, variant in zip(games, names_of_variants([each.first for each in games]), strict=True):
        against = rival or rival_of(each.first.name)
        names = table_with(NETWORK, against, each.first.num_players)
        played = play_rows(chooser(network), each, range(FIRST_DEAL, FIRST_DEAL + deals), names)
        table = table_of([task | result for task, result in played])
        found, name = summary(table, NETWORK), alone_or_against(against, variant)
        low, high = found["win_rate_interval"]
        score = float(table.loc[table["agent"] == NETWORK, "score"].mean())
        measured |= {
            f"{name}/won": found["win_rate"], f"{name}/low": low, f"{name}/high": high, f"{name}/score": score,
        }  # fmt: skip
    return measured | {"score": float(np.mean([rate for name, rate in measured.items() if name.endswith("/won")]))}


def alone_or_against(rival: str, variant: str) -> str:
    """The name of a variant's result, see `names_of_variants`."""
    players, *options = variant.split(",")
    return ",".join(["alone" if players == "1" else f"{rival}_{players}", *options])


def chooser(network: Network) -> Any:
    """The network's likeliest actions in rows of a batch, as `play_rows` asks for them."""

    def choose(batch: SelfPlayBatch, step: Any, rows: np.ndarray) -> np.ndarray:
        of_rows = step.observations[rows], step.action_masks[rows], batch.states[rows], step.current_player[rows]
        log_probs, _ = look(network, *of_rows, batch.rules(rows))
        actions: np.ndarray = log_probs.argmax(-1)
        return actions

    return choose
