"""What decisions of a replayed game cost, where what judges them is installed: the extra `arena`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

import numpy as np

from ...core.game import Game
from ..protocol import Message, Refusal
from ..tables.background import WorkerThreads
from ..tables.pictures import words_of_move
from ..tables.replays import Replay

PLACE: Final = f"{__package__.partition('.')[0]}.arena.{{}}.regret"  # by the name of the game
NEEDS: Final = "scipy"  # what judges uses it


def why_none(game: Game) -> str | None:
    """Why regrets of this game cannot be had here; None if they can."""
    try:
        found = find_spec(PLACE.format(game.name))
    except (ImportError, ValueError):
        found = None
    if found is None:
        return f"nobody judges decisions of {game.name} yet"
    if find_spec(NEEDS) is None:
        return f'regrets need {NEEDS}, which is not installed here: pip install "chocofactory-env[arena]"'
    return None


async def regrets_of(
    replay: Replay, threads: WorkerThreads, who: Hashable, deals: int, report: Callable[[Message], Awaitable[None]]
) -> Message:
    """The message `regrets` of the whole game; `report` gets it of the turns that have been looked at so far.

    who: for whom, see `WorkerThreads.run`. Refusal if what judges them cannot be used.
    """
    game = replay.game
    try:
        judge = await threads.run(partial(import_module, PLACE.format(game.name)), who)
        played = judge.Played(lambda: game, replay.record.header["seed"], tuple(replay.actions), ())
        finder = judge.RegretFinder(played, judge.Terms(deals=deals, check=0))
        turns = await threads.run(lambda: len(finder.turns), who)
    except Exception as error:  # another package may go by the arena's name
        raise Refusal(f"regrets cannot be had: {error}") from None
    found: list[dict[str, Any]] = []
    for turn in range(turns):
        result = await threads.run(partial(finder, (turn,)), who)
        found += [described(replay, judge, *one) for one in result["regretted"]]
        found.sort(key=lambda one: (one["error"] - one["regret"], one["at"]))
        if turn + 1 < turns:
            await report(message(turn + 1, turns, found))
    return message(turns, turns, found)


def message(done: int, turns: int, found: list[dict[str, Any]]) -> Message:
    return {"type": "regrets", "done": done, "all": turns, "regrets": found}


def described(
    replay: Replay, judge: Any, number: int, lines: tuple[tuple[int, ...], tuple[int, ...]], gains: list[list[float]]
) -> dict[str, Any]:
    """One regret, in points: hundredths of a win. gains: (D, 2), of which the first column is in points."""
    estimate = judge.Estimate.of(np.asarray(gains)[:, judge.POINTS])
    game, state = replay.game, replay.states[number]
    seat = game.current_player(state)
    return {
        "at": number,
        "seat": seat,
        "words": words_of_move(game, state, replay.actions[number], seat, replay.names),
        "better": words_of_move(game, state, int(lines[0][0]), seat, replay.names),
        "regret": float(estimate.mean),
        "error": float(estimate.error),
    }
