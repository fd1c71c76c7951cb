"""What agents think of a position, from what the seat to move knows; and what the decisions of a game cost."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from math import isfinite
from typing import Any, Final

import numpy as np

from .. import make_agent
from ..core.agents.agent import Consideration, agent_seed, consider, reset_agent
from ..core.game import Game, State
from ..core.search.stopping import check_stop
from .playing import Playing
from .protocol import Message, Refusal
from .threads import in_thread
from .told import line_in_words, words_of_move

JUDGE: Final = f"{__package__.partition('.')[0]}.arena.regret"
NEEDS: Final = "scipy"  # the judge uses it
LONGEST: Final = 900.0  # seconds to judge the decisions of a game


def made_agent(text: str, game: Game, state: State, seat: int) -> Any:
    """A fresh agent for a seat; it may raise anything."""
    agent = make_agent(text, game)
    reset_agent(agent, agent_seed(game, state, seat))
    return agent


async def thought_of(playing: Playing, at: int, text: str) -> Message:
    """The message `thought` of an agent about a position; Refusal if there can be none."""
    game, state = playing.game, playing.game.clone(playing.states[at])
    if game.is_over(state):
        raise Refusal("the game is over")
    seat = game.current_player(state)

    def think() -> Message:
        found = consider(game, made_agent(text, game, state, seat), state)
        return described(game, state, found, playing.names)

    try:
        return await in_thread(think)
    except Exception as error:  # a user's agent may fail in any way
        raise Refusal(f"agent: {error}") from None


def described(game: Game, state: State, found: Consideration, names: list[str]) -> Message:
    """The message `thought`, without numbers that JSON lacks."""
    columns: list[dict[str, Any]] = [
        {"name": str(name), "numbers": {str(action): float(one) for action, one in numbers.items() if isfinite(one)}}
        for name, numbers in found.columns.items()
    ]
    value = None
    if found.value is not None and isfinite(found.value[1]):
        value = {"name": str(found.value[0]), "number": float(found.value[1])}
    line = line_in_words(game, state, found.line, game.current_player(state), names)
    return {"type": "thought", "columns": columns, "line": line, "value": value}


# --- costs of decisions


def why_none(game: Game) -> str | None:
    """Why there are no regrets of this game here; None if there can be."""
    try:
        judged = find_spec(JUDGE) is not None and import_module(JUDGE.replace("regret", "judge")).judge_class(game.name)
    except (ImportError, ValueError):
        judged = None
    if not judged:
        return f"nobody judges decisions of {game.name} yet"
    if find_spec(NEEDS) is None:
        return f'the analysis needs {NEEDS}, which is not installed here: pip install "chocofactory-env[arena]"'
    return None


async def regrets_of(playing: Playing, deals: int, report: Callable[[Message], Awaitable[None]]) -> Message:
    """The message `regrets` of the whole game. `report` gets the same for the turns judged so far.

    Turns left after LONGEST are skipped. Refusal if the judge cannot be used.
    """
    if (why := why_none(playing.game)) is not None:
        raise Refusal(why)
    begun = time.monotonic()
    try:
        judge: Any = await in_thread(partial(import_module, JUDGE))
        played = judge.Played(lambda: playing.game, playing.seed, tuple(playing.actions), ())
        finder = judge.RegretFinder(played, judge.Terms(deals=deals, check=0))
        turns = await in_thread(lambda: len(finder.turns))
        curve = await in_thread(lambda: judge.curve_of(played, finder.judges[judge.DEALS], check_stop))
    except Exception as error:  # another package may have the arena's name
        raise Refusal(f"the analysis is impossible: {error}") from None
    found: list[dict[str, Any]] = []
    playing.analysis = message(0, turns, found, curve)
    for turn in range(turns):
        if time.monotonic() - begun > LONGEST:
            break
        await report(playing.analysis)
        result = await in_thread(partial(finder, {"turn": turn}))
        found += [regret_of(playing, judge, *one) for one in result["regretted"]]
        found.sort(key=lambda one: (one["error"] - one["regret"], one["at"]))
        playing.analysis = message(turn + 1, turns, found, curve)
    playing.analysis = playing.analysis | {"ended": True}
    return playing.analysis


def message(done: int, turns: int, found: list[dict[str, Any]], curve: list[tuple[int, list[float]]]) -> Message:
    points = [{"at": at, "chances": [round(chance, 1) for chance in chances]} for at, chances in curve]
    return {"type": "regrets", "done": done, "all": turns, "ended": False, "regrets": list(found), "curve": points}


def regret_of(
    playing: Playing, judge: Any, number: int, lines: tuple[tuple[int, ...], tuple[int, ...]], gains: Any
) -> dict[str, Any]:
    """One regret, in points: hundredths of a win. gains: (D, 2), perhaps as lists; the first column is in points."""
    estimate = judge.Estimate.of(np.asarray(gains)[:, judge.POINTS])
    game, state = playing.game, playing.states[number]
    seat, better = game.current_player(state), int(lines[0][0])
    return {
        "at": number,
        "words": words_of_move(game, state, playing.actions[number], seat, playing.names),
        "better": words_of_move(game, state, better, seat, playing.names),
        "action": better,
        "regret": float(estimate.mean),
        "error": float(estimate.error),
    }
