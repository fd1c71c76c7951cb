"""Compile the games before anybody plays, for images and CI.

    chocofactory warm-up                                       # all games
    chocofactory warm-up schoko --parts rules search           # parts of one

Every part of every game is used once, so that all it needs is compiled and kept on disk; what is there already is only
loaded. Processes share the parts, one process a core. Compiled code does not depend on the variant, the deck or the
number of players. Kept where `CHOCOFACTORY_CACHE_DIR` says, else in the user's cache folder: docs/performance.md. The
exit status is 1 if the code could not be kept.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import suppress
from multiprocessing import get_context
from signal import SIG_DFL, SIGINT, signal
from time import perf_counter
from typing import Any

import numpy as np

from .core.command import CommandParser, count
from .core.compiling.code_cache import CacheFolderError, all_was_written, cache_folder
from .core.compiling.compile_ahead import ALONE, PART, VARIABLE, cores
from .core.game import Game
from .core.jit import COMPILED
from .core.kernel import stepping
from .core.kernel.batch import Batch, JointBatch, LegalSampler, seeds_of
from .core.kernel.views import View
from .envs.aec import AECGameEnv
from .envs.common import OneSeatEnv
from .envs.parallel import ParallelGameEnv
from .envs.solo import SoloEnv
from .envs.versus import VersusEnv
from .registry import GAMES, Registered, UnknownGameError, check_registered, load


def use_rules(game: Game) -> None:
    """One game of random play, and every question that can be asked about a position."""
    sampler, layout = LegalSampler(0), game.observation_layout
    state = game.new(seed=0)
    game.renew(state)
    state = game.from_dict(game.to_dict(game.redeal(state, game.current_player(state), seed=0)))
    mask, raw = game.legal_mask(state), np.empty(layout.raw_size, layout.raw_dtype)
    game.write_raw_observation(state, 0, raw)
    game.write_observation(state, 0, np.empty(layout.size, np.float32), raw)
    game.apply(state, sampler.one(mask))
    while not game.is_over(state):
        game.from_dict(game.to_dict(state))  # what it asks the rules differs from position to position
        game.write_mask(state, mask)
        game.advance(state, sampler.one(mask), mask)
    for ask in ("scores", "payoffs", "standings", "ranking", "won", "render", "score_sheets"):
        if hasattr(game, ask):  # not every game has the last one
            getattr(game, ask)(state)


def use_batches(game: Game) -> None:
    """The draw of a variant, steps of two games side by side, in turn and jointly, views of them, and playouts."""
    batch = Batch(game, 2)
    batch.games.draw(0)
    batch.deal(seeds_of(0, 2), None, stepping.PAY | stepping.SHOW)
    batch.take(LegalSampler(0)(batch.masks))
    batch.check()
    batch.run(stepping.MOVE | stepping.PAY | stepping.SHOW)
    batch.observe_movers(np.arange(2, dtype=np.int32))
    for scaled in (False, True):
        first = View(game.observation_layout, scaled=scaled, blocks=[game.observation_layout.blocks[0].name])
        Batch(game, 2, view=first).deal(seeds_of(0, 2), None, stepping.SHOW)
    stacked = Batch(game, 2, view=View(game.observation_layout, stack=2))
    stacked.deal(seeds_of(0, 2), None, stepping.SHOW)
    stacked.run(stepping.MOVE)
    joint = JointBatch(game, 2)
    joint.deal(seeds_of(0, 2), None, stepping.PAY | stepping.SHOW)
    joint.take(LegalSampler(0)(joint.masks))
    joint.check()
    joint.run(stepping.MOVE | stepping.PAY | stepping.SHOW)
    state = game.new(seed=0)
    game.random_playout(state, seed=0)
    game.random_playouts(state, [0])


def use_search(game: Any) -> None:
    """Every search that a game has."""
    if hasattr(game, "warm_up_search"):
        game.warm_up_search()


def use_environments(game: Game) -> None:
    """One game of all seats in turn, the beginning of one of all seats at once, and one of a single seat."""
    play_all_seats(AECGameEnv(game))
    step_all_seats(ParallelGameEnv(game))
    play_one_seat(SoloEnv(game) if game.num_players == 1 else VersusEnv(game))


def play_all_seats(env: Any) -> None:
    env.reset(seed=0)
    for _ in env.agent_iter():
        observation, _, over, *_ = env.last()
        env.step(None if over else int(observation["action_mask"].argmax()))


def step_all_seats(env: ParallelGameEnv) -> None:
    observations, _ = env.reset(seed=0)
    env.step({agent: int(seen["action_mask"].argmax()) for agent, seen in observations.items()})


def play_one_seat(env: OneSeatEnv) -> None:
    _, info = env.reset(seed=0)
    over = False
    while not over:
        _, _, over, _, info = env.step(int(info["action_mask"].argmax()))


def compile_ahead(game: Any) -> None:
    """The rules to which a process that uses a game comes last; without playing. See `core.compiling.compile_ahead`."""
    if hasattr(game, "compile_ahead"):
        game.compile_ahead()


PARTS: dict[str, Callable[[Game], None]] = {
    "rules": use_rules,
    "batches": use_batches,
    "search": use_search,
    "environments": use_environments,
    PART: compile_ahead,
}


def variants(name: str) -> list[Game]:
    """The default variant, and the game of one player if there is one: a few functions are called there alone."""
    games = [load(name)]
    with suppress(TypeError, ValueError):
        games.append(load(name, num_players=1))
    return games


def warm_up(name: str, part: str) -> float:
    """Use one of PARTS of a registered game; returns how many seconds it took."""
    start = perf_counter()
    for game in variants(name):
        PARTS[part](game)
    return perf_counter() - start


def warm_up_as(name: str, game: Registered, part: str) -> tuple[float, bool]:
    """`warm_up` in another process, which may not know the game yet; also returns whether all its code is kept."""
    GAMES[name] = game
    return warm_up(name, part), all_was_written()


def warm_up_all(tasks: Sequence[tuple[str, str]], processes: int) -> bool:
    """Use every (game, part) in `tasks`, and print a line for each on stdout. Returns whether all code is kept.

    Each function is compiled by the process that calls it first; others wait for it, or load it.
    """
    if processes == 1:
        for number, (name, part) in enumerate(tasks, 1):
            print(f"{name}, {part}: {warm_up(name, part):.1f} s ({number} of {len(tasks)})", flush=True)
        return all_was_written()
    whole = True
    with ProcessPoolExecutor(processes, get_context("spawn"), signal, (SIGINT, SIG_DFL)) as pool:
        running = {pool.submit(warm_up_as, name, GAMES[name], part): f"{name}, {part}" for name, part in tasks}
        try:
            for number, done in enumerate(as_completed(running), 1):
                seconds, kept = done.result()
                whole &= kept
                print(f"{running[done]}: {seconds:.1f} s ({number} of {len(tasks)})", flush=True)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return whole


def main(arguments: Sequence[str] | None = None) -> None:
    parser = CommandParser(
        prog="chocofactory warm-up",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"all unless named: {', '.join(sorted(GAMES))}")
    parts = [part for part in PARTS if part != PART]
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=parts, help=f"all but {PART} unless named")
    parser.add_argument("--processes", type=count, default=cores(), help="as many as there are cores unless given")
    chosen = parser.parse_args(arguments)
    try:
        for name in chosen.games:
            check_registered(name)
    except UnknownGameError as error:
        parser.error(str(error))
    if not COMPILED:
        parser.exit(1, "nothing is compiled while NUMBA_DISABLE_JIT is set\n")
    try:
        os.environ[VARIABLE] = ALONE  # the processes are those that were asked for
        folder = cache_folder()
        # Parts of different games first: those of one game call the same functions.
        tasks = [(name, part) for part in chosen.parts for name in chosen.games or sorted(GAMES)]
        whole = warm_up_all(tasks, min(chosen.processes, len(tasks)))
    except KeyboardInterrupt:
        parser.exit(130, "stopped; what is compiled is kept\n")
    except CacheFolderError as error:
        parser.exit(1, f"{error}\n")
    if folder is None or not whole:
        parser.exit(1, "what was compiled could not be kept\n")
    print(f"kept in {folder}")


if __name__ == "__main__":
    main()
