"""What environments show of observations: chosen blocks, flat or named, scaled or raw, one frame or several.

N = games, S = seats whose decisions a row shows, K = frames, R = bytes of a raw observation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from ..checks import as_flag, as_integer, check_choice
from ..observation.buffers import keep_frames, pick_raw, pick_scaled, show_frames
from ..observation.layout import ObservationLayout

ObservationForm = Literal["flat", "named"]
Observation = np.ndarray | dict[str, np.ndarray]
Blocks = Sequence[str] | None
ViewOptions = tuple[ObservationForm, bool, Blocks, int]  # the arguments of `View` after the first
MOST_FRAMES = 1_000


class View:
    """How an environment shows the observations of a layout, `whole`.

    Args:
        form: `"flat"`, one array, or `"named"`, a dictionary of its blocks.
        scaled: float32 in [0, 1] instead of raw integers.
        blocks: names of the blocks shown; None: all. `layout` is what remains of `whole`.
        stack: K frames: the present observation, and those at the seat's last K - 1 decisions of the game, else zeros.

    A flat observation is (size,), or with several frames (K, size), the present one last.

    Raises:
        TypeError, ValueError: an invalid option.
    """

    def __init__(
        self,
        whole: ObservationLayout,
        form: ObservationForm = "flat",
        scaled: bool = True,
        blocks: Blocks = None,
        stack: int = 1,
    ) -> None:
        check_choice("observation", form, ("flat", "named"))
        self.named = form == "named"
        self.scaled = as_flag("scaled", scaled)
        self.stack = as_integer("stack", stack, 1, MOST_FRAMES)
        self.layout = whole if blocks is None else whole.choose(blocks)
        self.chosen = blocks is not None
        self._runs = whole.runs_of(self.layout)
        self.size = self.layout.size if self.scaled else self.layout.raw_size
        self.dtype = np.dtype(np.float32 if self.scaled else np.uint8)
        self.shape = (self.size,) if self.stack == 1 else (self.stack, self.size)
        written_scaled = self.scaled and not self.chosen  # only what is shown has to be scaled
        self.direct = not self.chosen and self.stack == 1  # compiled code writes exactly what is shown
        self.written_dtype = np.dtype(np.float32 if written_scaled else np.uint8)
        self.written_size = whole.size if written_scaled else whole.raw_size

    def pick(self, raw: np.ndarray, rows: np.ndarray, out: np.ndarray) -> None:
        """Write the chosen blocks of `raw`, (N, S, R) uint8, in `rows` into `out`, (N, S, size) of `dtype`."""
        if self.scaled:
            pick_scaled(raw, rows, self._runs, self.layout.scale, out)
        else:
            pick_raw(raw, rows, self._runs, out)

    def of(self, flat: np.ndarray) -> Observation:
        """Flat observations, (..., *shape), in the form of this view."""
        return self.layout.views(flat) if self.named else flat


class Frames:
    """A batch's observations where they differ from what compiled code writes: chosen blocks, or several frames.

    Args:
        view: what is shown.
        decisions: (N,), or (N, P) where every step shows all seats.
        seats: S, the seats whose decisions are remembered.

    Compiled code writes into `written`. Methods take `seats`, (N,): whose decisions the rows show; None: all seats'.
    """

    def __init__(self, view: View, decisions: tuple[int, ...], seats: int) -> None:
        self._view = view
        self.written = np.zeros((*decisions, view.written_size), view.written_dtype)
        self.past = np.zeros((decisions[0], seats, view.stack - 1, view.size), view.dtype)  # newest last
        self._now = np.zeros((*decisions, view.size), view.dtype)

    def write_into(self, observations: np.ndarray) -> None:
        """Write the present frames into `observations`, unless `show` writes all frames."""
        if self._view.stack == 1:
            self._now = observations
        elif not self._view.chosen:
            self._now = self.written

    def pick(self, rows: np.ndarray) -> None:
        """Copy the chosen blocks of `written` in `rows`."""
        if self._view.chosen:
            self._view.pick(_by_row(self.written), rows, _by_row(self._now))

    def keep(self, deciding: np.ndarray, seats: np.ndarray | None) -> None:
        """Remember the present frames of the decisions that are about to be carried out; `deciding` is their mask."""
        by_row = deciding.reshape(len(deciding), -1)
        keep_frames(_as_bytes(self.past), _as_bytes(_by_row(self._now)), by_row, self._whose(seats))

    def show(self, seats: np.ndarray | None, out: np.ndarray) -> None:
        """Write all frames into `out`, (*decisions, K, size)."""
        whose = self._whose(seats)
        frames = _as_bytes(out).reshape(*whose.shape, -1)
        show_frames(_as_bytes(self.past), _as_bytes(_by_row(self._now)), whose, frames)

    def _whose(self, seats: np.ndarray | None) -> np.ndarray:
        """(N, S) int64: the remembered seat of every frame shown."""
        if seats is not None:
            return seats[:, None].astype(np.int64)
        return np.tile(np.arange(self.past.shape[1]), (len(self.past), 1))

    def end(self, rows: np.ndarray, written: np.ndarray, out: np.ndarray) -> None:
        """Write the last frames of ended games into `out`, (N, *shape). Compiled code filled `written`, (N, ...)."""
        last = np.zeros((len(out), self._view.size), self._view.dtype) if self._view.chosen else written
        if self._view.chosen:
            self._view.pick(_by_row(written), rows, _by_row(last))
        if self._view.stack > 1:
            out[rows, :-1], out[rows, -1] = self.past[rows, 0], last[rows]
        else:
            out[rows] = last[rows]

    def begin(self, rows: np.ndarray) -> None:
        """Forget the past of games that have begun."""
        self.past[rows] = 0


def _by_row(frames: np.ndarray) -> np.ndarray:
    """Frames of (N,) or (N, P) decisions as (N, S, size), a view."""
    return frames.reshape(len(frames), -1, frames.shape[-1])


def _as_bytes(frames: np.ndarray) -> np.ndarray:
    return frames.view(np.uint8)
