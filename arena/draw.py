"""A position as a picture, or as text on the terminal: of a game that agents play, or of a recorded one."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import chocofactory_env as cf
from chocofactory_env import Game
from chocofactory_env.core.files import whole, write_text

from .options import add_game, command_parser, file_to_write, loader

SUFFIXES = (".svg", ".png")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_parser(
        "draw",
        "Draw a position as a picture, or print it: after some moves of a game that an agent plays, or of a record.",
        "--players 3 --seed 7 --moves 60 --out position.svg",
        "--record game.jsonl --moves 40 --seat 0",
    )
    add_game(parser, arguments, players=2)
    parser.add_argument("--seed", type=int, default=0, help="of the deal (0)")
    parser.add_argument("--agent", default="random", help="plays all seats (random)")
    parser.add_argument("--record", type=Path, metavar="FILE", help="of the game, in place of one that is played")
    parser.add_argument("--moves", type=int, help="how many are played (all)")
    parser.add_argument("--seat", type=int, help="as it may see the position; a spectator unless given")
    parser.add_argument("--out", type=file_to_write, help="a file, .svg or, with the extra `render`, .png")
    parser.add_argument("--theme", choices=("light", "dark"), default="light", help="of the picture (light)")
    chosen = parser.parse_args(arguments)
    try:
        if chosen.out is not None and chosen.out.suffix not in SUFFIXES:
            raise ValueError(f"--out: expected a file ending in {' or '.join(SUFFIXES)}, got {chosen.out}")
        if chosen.moves is not None and chosen.moves < 0:
            raise ValueError("--moves: expected 0 or more")
        game, state = position(chosen)
        if chosen.out is None:
            print(game.render(state, chosen.seat))
        else:
            write_picture(cf.scene_of(game, state, chosen.seat), chosen.theme, chosen.out)
    except (ImportError, OSError, TypeError, ValueError) as error:
        parser.error(str(error))


def position(chosen: argparse.Namespace) -> tuple[Game, Any]:
    """The game, and the position that the command line describes."""
    if chosen.record is None:
        game = loader(chosen, chosen.players)()
        agents = [cf.make_agent(chosen.agent, game) for _ in range(game.num_players)]
        record = cf.record_game(game, agents, chosen.seed, max_actions=chosen.moves)
    else:
        record = cf.GameRecord.read(chosen.record)
        game = cf.load(record.header["game"], **record.header["options"])
        if chosen.moves is not None:
            record = replace(record, actions=record.actions[: chosen.moves], result=None)
    return game, record.replay(game)


def write_picture(scene: Any, theme: str, path: Path) -> None:
    """Whole or not at all."""
    if path.suffix == ".svg":
        write_text(path, cf.draw(scene, theme=theme))
        return
    pixels = cf.frame(scene, theme=theme)
    from PIL import Image

    with whole(path) as unfinished:
        Image.fromarray(pixels).save(unfinished, format="PNG")


if __name__ == "__main__":
    main()
