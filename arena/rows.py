"""Play the games of a match side by side in a batch, one agent of the table being a network that decides for all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from time import perf_counter
from typing import Any, Final

import numpy as np

import chocofactory_env as cf
from chocofactory_env import Game, SelfPlayBatch
from chocofactory_env.agents.protocol import AnyAgent, decide, make_agent, reset
from chocofactory_env.core.agents.agent import naming
from chocofactory_env.core.agents.moves import listens
from chocofactory_env.core.messages import shown

from .games import seated
from .play import Json, Task

Choose = Callable[[SelfPlayBatch, Any, np.ndarray], np.ndarray]  # (batch, its step, rows (K,)) -> (K,) actions
WHO: Final = "agent {!r} (seat {}, deal {})"
MOST_GAMES: Final = 256  # side by side: each needs agents of its own, and fewer make smaller passes


def table_with(name: str, opponents: str | Sequence[str], players: int) -> tuple[str, ...]:
    """The agents around the table.

    Raises:
        TypeError: `opponents` is neither a name nor a list.
        ValueError: there is not one agent for each seat.
    """
    if not isinstance(opponents, Sequence):
        raise TypeError(f"opponents: expected an agent's name, or names in a list, got {shown(opponents)}")
    others = (opponents,) * (players - 1) if isinstance(opponents, str) else tuple(opponents)
    if len(others) != players - 1:
        raise ValueError(f"opponents: expected one, or {players - 1}, got {len(others)}")
    return name, *others


def play_rows(
    choose: Choose, games: Any, deals: Sequence[int], table: tuple[str, ...], *, scaled: bool = False
) -> Iterator[tuple[Task, Json]]:
    """Play each deal in every rotation of the table, whose first place `choose` has; yield records of the arena.

    games: a game, or a set of games, from which the seed of a deal chooses. scaled: the observations of `choose`.
    """
    agents = Agents(table)
    at_once = len(deals) if len(table) == 1 else max(1, MOST_GAMES // len(table))
    for first in range(0, len(deals), at_once):
        yield from _play_batch(choose, games, deals[first : first + at_once], agents, scaled)


class Agents:
    """The agents of the table by row and place, made on first use, and again for another deck."""

    def __init__(self, table: tuple[str, ...]) -> None:
        self.table = table
        self._made: dict[tuple[int, int], tuple[str, AnyAgent]] = {}

    def __call__(self, game: Game, row: int, place: int) -> AnyAgent:
        deck, agent = self._made.get((row, place), ("", None))
        if agent is None or deck != game.deck_hash:
            agent = make_agent(self.table[place], game)
            self._made[row, place] = game.deck_hash, agent
        return agent


def _play_batch(
    choose: Choose, games: Any, deals: Sequence[int], agents: Agents, scaled: bool
) -> Iterator[tuple[Task, Json]]:
    players = len(agents.table)
    rotations = np.tile(np.arange(players), len(deals))  # also the seats of the first place
    rows = np.arange(len(rotations))
    batch = SelfPlayBatch(games, len(rows), reward="score", autoreset=False, scaled=scaled)
    step: Any = batch.reset(seed=np.repeat(deals, players).tolist())
    of_rows = [batch.game_of(row) for row in rows.tolist()] if players > 1 else []
    told: dict[int, dict[int, AnyAgent]] = {}  # agents to whom moves are told, by row and seat
    for row, game in enumerate(of_rows):
        for place in range(1, players):
            seat, agent = int((place + rotations[row]) % players), agents(game, row, place)
            reset(agent, cf.agent_seed(game, batch.state(row), seat, int(rotations[row])))
            if listens(agent):
                told.setdefault(row, {})[seat] = agent
    actions = np.zeros(len(rows), np.int64)
    decisions, seconds = np.zeros((len(rows), players), np.int64), np.zeros((len(rows), players))
    while not step.dones.all():
        places = (step.current_player - rotations) % players
        mine = np.flatnonzero((places == 0) & ~step.dones)
        if len(mine):
            begun = perf_counter()
            actions[mine] = choose(batch, step, mine)
            seconds[mine, rotations[mine]] += (perf_counter() - begun) / len(mine)
        for row in np.flatnonzero((places > 0) & ~step.dones).tolist():
            seat, place, begun = int(step.current_player[row]), int(places[row]), perf_counter()
            with naming(partial(WHO.format, agents.table[place], seat, deals[row // players])):
                actions[row] = decide(of_rows[row], agents(of_rows[row], row, place), batch.state(row))
            seconds[row, seat] += perf_counter() - begun
        for row in told.keys() & set(np.flatnonzero(~step.dones).tolist()) if told else ():
            cf.tell(of_rows[row], told[row], batch.state(row), int(actions[row]))
        decisions[rows[~step.dones], step.current_player[~step.dones]] += 1
        step = batch.step(actions)
    found = batch.results(rows)
    lists = {
        "scores": found["scores"],
        "places": found["ranking"] + 1,
        "won": found["won"],
        "decisions": decisions,
        "seconds": seconds.round(6),
    }
    for row in rows.tolist():
        rotation = int(rotations[row])
        decks = {"deck": str(found["deck"][row])} if "deck" in found else {}
        task = {"deal": int(deals[row // players]), "rotation": rotation, "agents": seated(agents.table, rotation)}
        yield task | decks, {name: values[row].tolist() for name, values in lists.items()} | {"notes": {}}
