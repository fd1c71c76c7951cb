"""The cost of decisions in a replayed game. It needs the extra `arena`."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Hashable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

import numpy as np

from ...core.game import Game
from ...core.search.stopping import check_stop
from ..limits import ANALYSIS_SECONDS
from ..protocol import Message, Refusal
from ..tables.background import WorkerThreads
from ..tables.pictures import words_of_move
from ..tables.replays import Replay

PLACE: Final = f"{__package__.partition('.')[0]}.arena.regret"
NEEDS: Final = "scipy"  # the judge uses it


def why_none(game: Game) -> str | None:
    """Why there are no regrets of this game here; None if there can be."""
    try:
        judged = find_spec(PLACE) is not None and import_module(PLACE.replace("regret", "judge")).judge_class(game.name)
    except (ImportError, ValueError):
        judged = None
    if not judged:
        return f"nobody judges decisions of {game.name} yet"
    if find_spec(NEEDS) is None:
        return f'regrets need {NEEDS}, which is not installed here: pip install "chocofactory-env[arena]"'
    return None


async def regrets_of(
    replay: Replay, threads: WorkerThreads, who: Hashable, deals: int, report: Callable[[Message], Awaitable[None]]
) -> Message:
    """The message `regrets` of the whole game. `report` gets the same for the turns judged so far.

    who: for whom, see `WorkerThreads.run`. Turns left after `ANALYSIS_SECONDS` are skipped. Refusal if the judge cannot
    be used.
    """
    game, begun = replay.game, time.monotonic()
    try:
        judge = await threads.run(partial(import_module, PLACE), who)
        played = judge.Played(lambda: game, replay.record.seed, tuple(replay.actions), ())
        finder = judge.RegretFinder(played, judge.Terms(deals=deals, check=0))
        turns = await threads.run(lambda: len(finder.turns), who)
        curve = await threads.run(lambda: judge.curve_of(played, finder.judges[judge.DEALS], check_stop), who)
    except Exception as error:  # another package may have the arena's name
        raise Refusal(f"regrets cannot be had: {error}") from None
    found: list[dict[str, Any]] = []
    replay.analysis = message(0, turns, found, curve)
    for turn in range(turns):
        if time.monotonic() - begun > ANALYSIS_SECONDS:
            break
        await report(replay.analysis)
        result = await threads.run(partial(finder, {"turn": turn}), who)
        found += [described(replay, judge, *one) for one in result["regretted"]]
        found.sort(key=lambda one: (one["error"] - one["regret"], one["at"]))
        replay.analysis = message(turn + 1, turns, found, curve)
    replay.analysis = replay.analysis | {"ended": True}
    return replay.analysis


def message(done: int, turns: int, found: list[dict[str, Any]], curve: list[tuple[int, list[float]]]) -> Message:
    points = [{"at": at, "chances": [round(chance, 1) for chance in chances]} for at, chances in curve]
    return {"type": "regrets", "done": done, "all": turns, "ended": False, "regrets": list(found), "curve": points}


def described(
    replay: Replay, judge: Any, number: int, lines: tuple[tuple[int, ...], tuple[int, ...]], gains: list[list[float]]
) -> dict[str, Any]:
    """One regret, in points: hundredths of a win. gains: (D, 2); the first column is in points."""
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
