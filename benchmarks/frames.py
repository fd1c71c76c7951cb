"""Frames per second in random games: every frame shows a new position, with the move and the log."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import chocofactory_env as cf
from chocofactory_env.registry import GAMES

from .interfaces import play_aec
from .measure import Play, Row, main

PLAYERS = 4
SIZES = (((1280, 800), "aim: 15"), ((640, 400), "aim: 40"))


def frames(game: str, size: tuple[int, int]) -> Play:
    """The AEC environment, rendered after every decision."""
    env = cf.make_env(game, num_players=PLAYERS, render_mode="rgb_array", render_size=size)
    play = play_aec(env)

    def draw(count: int) -> int:
        for _ in range(count):
            play(1)
            env.render()
        return count

    return draw


def rows_of(game: str) -> Iterator[Row]:
    for (width, height), aim in SIZES:
        name = f"{game}: frames of {width} × {height}, {PLAYERS} players"
        yield Row(name, partial(frames, game, (width, height)), aim)


ROWS = [row for game in GAMES for row in rows_of(game)]

if __name__ == "__main__":
    main("frames", ROWS, __doc__, "frames/s")
