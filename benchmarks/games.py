"""The same rows for each game: a batch of 1,024, the AEC environment, and the game from Python."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import chocofactory_env as cf
from chocofactory_env.registry import GAMES

from .batches import self_play
from .interfaces import engine, play_aec
from .measure import Play, Row, main

SIZE = 1024
PLAYERS = (2, 4)


def aec(game: str, players: int) -> Play:
    return play_aec(cf.make_env(game, num_players=players))


def rows_of(game: str) -> Iterator[Row]:
    for players in PLAYERS:
        for scaled, form, aim in ((False, "raw", "aim: 1,500,000"), (True, "float32", "")):
            name = f"{game}: batch of {SIZE:,}, {players} players, {form}"
            yield Row(name, partial(self_play, SIZE, players, game, scaled=scaled), aim)
    for players in PLAYERS:
        yield Row(f"{game}: AEC, {players} players", partial(aec, game, players), "aim: 60,000")
    yield Row(f"{game}: game from Python, {PLAYERS[0]} players", partial(engine, PLAYERS[0], game))


ROWS = [row for game in GAMES for row in rows_of(game)]

if __name__ == "__main__":
    main("games", ROWS, __doc__)
