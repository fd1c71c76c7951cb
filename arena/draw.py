"""Draw a position, or print it as text, from a recorded game or from a new game played by an agent.

`--page` writes the whole game as one HTML file, `--video` as a moving picture.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import chocofactory_env as cf
from chocofactory_env import Game, GameRecord
from chocofactory_env.core.command import file_to_write, integer, seed_of_deal
from chocofactory_env.core.files import whole, write_text
from chocofactory_env.drawing.frames import check as check_frames
from chocofactory_env.drawing.names import with_names
from chocofactory_env.drawing.pictures import prepared
from chocofactory_env.drawing.scene import PANEL_WIDTH, Scene
from chocofactory_env.drawing.small import seen_in
from chocofactory_env.play.tables.replays import Replay
from chocofactory_env.play.views.game_page import page_of

from .options import add_game, command_parser, input_reported, loader

SUFFIXES = (".svg", ".png")
WIDE = 1280  # width of a picture in pixels
VIDEO = (640, 400)
TURN = 900  # milliseconds


def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_parser(
        "draw",
        "Draw a position as a picture, or print it: after some moves of a game that an agent plays, or of a record.",
        "--players 3 --seed 7 --moves 60 --out position.svg",
        "--record game.json --moves 40 --seat 0",
        "--record game.json --moves 40 --panel 'Player 0' --type-scale 1.5 --out factory.svg",
        "--record game.json --names Ann Robo --page game.html",
        "--record game.json --page game.html --all-seats",
        "--record game.json --video game.gif",
    )
    add_game(parser, arguments, players=2)
    parser.add_argument("--seed", type=seed_of_deal, default=0, help="seed of the deal (0)")
    parser.add_argument("--agent", default="random", help="agent that plays all seats (random)")
    parser.add_argument("--record", type=Path, metavar="FILE", help="show this recorded game instead of a new one")
    parser.add_argument("--moves", type=integer(0), help="number of moves before the position (all)")
    parser.add_argument("--seat", type=integer(0), help="seat whose view is shown (a spectator's view)")
    parser.add_argument("--all-seats", action="store_true", help="with --page: a choice of all seats and a spectator")
    parser.add_argument("--out", type=file_to_write, help="file to write: .svg, or with the extra `render` .png")
    parser.add_argument("--page", type=file_to_write, help="write the whole game to this .html, to look through")
    parser.add_argument(
        "--video", type=file_to_write, help="write a picture of each turn to this .gif (extra `render`)"
    )
    parser.add_argument("--panel", metavar="NAME", help="draw this panel alone, as 'Player 0' or own")
    parser.add_argument("--type-scale", type=float, default=1, help="text is up to so many times as large, 1 to 3 (1)")
    parser.add_argument("--names", nargs="+", metavar="NAME", help="of the players, by seat")
    parser.add_argument("--theme", choices=("light", "dark"), default="light", help="theme of the picture (light)")
    chosen = parser.parse_args(arguments)
    with input_reported(parser):
        if chosen.out is not None and chosen.out.suffix not in SUFFIXES:
            raise ValueError(f"--out: expected a file ending in {' or '.join(SUFFIXES)}, got {chosen.out}")
        game, record = played(chosen)
        names = names_for(game, chosen.names)
        if chosen.page is not None:
            write_text(chosen.page, page_of(Replay(game, record, names), viewers(game, chosen)))
            return
        if chosen.video is not None:
            write_video(Replay(game, record, names), chosen.seat, chosen.video)
            return
        state = record.replay(game)
        if chosen.out is None:
            print(game.render(state, chosen.seat))
        else:
            scene_of = cf.scene_of if chosen.panel is None else cf.panels_of
            look = {"panel": chosen.panel, "names": chosen.names, "type_scale": chosen.type_scale}
            write_picture(scene_of(game, state, chosen.seat), chosen.theme, chosen.out, look)


def played(chosen: argparse.Namespace) -> tuple[Game, GameRecord]:
    """The game and the record, up to the position, that the command line describes."""
    if chosen.record is None:
        game = loader(chosen, chosen.players)()
        agents = [cf.make_agent(chosen.agent, game) for _ in range(game.num_players)]
        return game, cf.record_game(game, agents, chosen.seed, max_actions=chosen.moves)
    record = GameRecord.read(chosen.record)
    game = record.load()
    record.replay(game)
    if chosen.moves is not None:
        record.actions, record.result = record.actions[: chosen.moves], None
    return game, record


def names_for(game: Game, names: Sequence[str] | None) -> list[str]:
    """The players' names by seat; ValueError unless there is one per seat."""
    if names is not None and len(names) != game.num_players:
        raise ValueError(f"--names: expected {game.num_players}, got {len(names)}")
    return list(names or (f"Player {seat}" for seat in range(game.num_players)))


def write_picture(scene: Scene, theme: str, path: Path, look: Mapping[str, Any]) -> None:
    """Write a picture atomically. look: further arguments of `cf.draw`."""
    if path.suffix == ".svg":
        write_text(path, cf.draw(scene, theme=theme, **look))
        return
    one = prepared(scene, **look)
    wide = WIDE if look["panel"] is None else 2 * PANEL_WIDTH
    pixels = cf.frame(one, (wide, round(wide * one.height / one.width)), theme)
    from PIL import Image

    with whole(path) as unfinished:
        Image.fromarray(pixels).save(unfinished, format="PNG")


def viewers(game: Game, chosen: argparse.Namespace) -> list[int | None]:
    """The viewers of a page: seats, or None for a spectator."""
    return [None, *range(game.num_players)] if chosen.all_seats else [chosen.seat]


def write_video(replay: Replay, seat: int | None, path: Path) -> None:
    """Write a video with a small frame per turn. ValueError for an unsupported suffix."""
    if path.suffix != ".gif":
        raise ValueError(f"--video: expected a file ending in .gif, got {path}")
    check_frames()
    from PIL import Image

    end, images = len(replay.actions), []
    log = replay.log(seat, end)
    for at in [0, *sorted({log[story.last].number + 1 for story in replay.stories(seat, end)})]:
        lines = [line.words for line in log if line.number < at]
        scene = with_names(seen_in(replay.game, replay.states[at], seat, VIDEO, lines), replay.names)
        images.append(Image.fromarray(cf.frame(scene, VIDEO)).quantize(64))
    with whole(path) as unfinished:
        images[0].save(unfinished, format="GIF", save_all=True, append_images=images[1:], duration=TURN, loop=0)


if __name__ == "__main__":
    main()
