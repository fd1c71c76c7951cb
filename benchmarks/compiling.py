"""Profile the compilation of a game: `python -m benchmarks.compiling [GAME]`.

The entries that a first game and a batch call are compiled in this order, in one process with an empty cache. Shared
code counts for the entry that needs it first. The output is in seconds of processor time.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

COLUMNS = {"type inference": "nopython_type_inference", "lowering": "native_lowering"}


class Clock:
    """Processor time by activity. The time of a nested activity counts only for the inner one."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.functions = 0
        self._doing = ["other"]
        self._since = process_time()

    def enter(self, kind: str) -> None:
        self._count()
        self._doing.append(kind)

    def leave(self) -> None:
        self._count()
        self._doing.pop()

    def _count(self) -> None:
        now = process_time()
        self.seconds[self._doing[-1]] += now - self._since
        self._since = now


def watch(clock: Clock) -> None:
    """Let the clock count Numba's passes and LLVM."""
    from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary
    from numba.core.event import Listener, register

    from chocofactory_env.core.compiling.linked_code import LinkedLibrary

    class Passes(Listener):
        def on_start(self, event: Any) -> None:
            name = str(event.data["name"])
            clock.enter(next((column for column, part in COLUMNS.items() if part in name), "other"))

        def on_end(self, event: Any) -> None:
            clock.leave()

    class Functions(Listener):
        def on_start(self, event: Any) -> None:
            clock.functions += 1

        def on_end(self, event: Any) -> None: ...

    def counted(kind: type, name: str) -> None:
        method = getattr(kind, name)

        def within(*arguments: Any) -> Any:
            clock.enter("LLVM")
            try:
                return method(*arguments)
            finally:
                clock.leave()

        setattr(kind, name, within)

    register("numba:run_pass", Passes())  # type: ignore[no-untyped-call]
    register("numba:compile", Functions())  # type: ignore[no-untyped-call]
    counted(CPUCodeLibrary, "finalize")
    counted(LinkedLibrary, "finalize")
    counted(CPUCodeLibrary, "add_ir_module")
    counted(JITCodeLibrary, "get_pointer_to_function")


def compile_and_print(name: str) -> None:
    import numpy as np

    import chocofactory_env as cf

    game: Any = cf.load(name)
    layout = game.observation_layout
    mask, raw = np.empty(game.num_actions, np.int8), np.empty(layout.raw_size, layout.raw_dtype)
    scaled = np.empty(layout.size, np.float32)
    clock = Clock()
    watch(clock)
    state = game.new(seed=1)
    uses: dict[str, Callable[[], object]] = {
        "new_game": lambda: None,  # above
        "legal_mask": lambda: game.write_mask(state, mask),
        "observe": lambda: game.write_raw_observation(state, 0, raw),
        "observe_scaled": lambda: game.write_observation(state, 0, scaled, raw),
        "step": lambda: game.advance(state, int(mask.argmax()), mask),
        "outcome": lambda: game.scores(state),
        "step_rows": lambda: cf.make_batch(game, 2).reset(seed=1),
    }
    print(f"| {name} | functions | {' | '.join(COLUMNS)} | LLVM | other | all |")
    print(f"|---|{'---:|' * (len(COLUMNS) + 4)}")
    before: dict[str, float] = {}
    functions = 0
    for entry, use in uses.items():
        use()
        clock.enter("other")
        clock.leave()
        spent = {kind: clock.seconds[kind] - before.get(kind, 0.0) for kind in (*COLUMNS, "LLVM", "other")}
        cells = [f"{seconds:.1f}" for seconds in (*spent.values(), sum(spent.values()))]
        print(f"| `{entry}` | {clock.functions - functions} | {' | '.join(cells)} |", flush=True)
        before, functions = dict(clock.seconds), clock.functions


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compiling", description=__doc__)
    parser.add_argument("game", nargs="?", default="chocofactory")
    name = parser.parse_args().game
    if os.environ.get("CHOCOFACTORY_COMPILE") == "alone":
        compile_and_print(name)
        return
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "CHOCOFACTORY_COMPILE": "alone", "CHOCOFACTORY_CACHE_DIR": cache}
        root = Path(__file__).resolve().parent.parent
        subprocess.run([sys.executable, "-m", "benchmarks.compiling", name], cwd=root, env=environment, check=True)


if __name__ == "__main__":
    main()
