"""Draw a position, or print it as text, from a recorded game or from a new game played by an agent.

`--page` writes the whole game as one HTML file, `--video` as a moving picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import chocofactory_env as cf
from chocofactory_env import Game, GameRecord
from chocofactory_env.core.command import Command, Count, Natural, Options, OutFile, Picture, Seed, file_ending
from chocofactory_env.core.files import whole, write_text
from chocofactory_env.drawing.frames import check as check_frames
from chocofactory_env.drawing.scene import PANEL_WIDTH, Scene, only
from chocofactory_env.play.export import page_of
from chocofactory_env.play.playing import Playing
from chocofactory_env.view.views import Told, seen_in

from .options import DEFAULT_GAME, game_of

WIDE = 1280  # width of a picture in pixels
VIDEO = (640, 400)
TURN = 900  # milliseconds


def draw_game(
    game: str = DEFAULT_GAME,
    *,
    players: Count | None = None,
    option: Options = {},  # noqa: B006
    seed: Seed = 0,
    agent: str = "random",
    record: Path | None = None,
    moves: Natural | None = None,
    seat: Natural | None = None,
    all_seats: bool = False,
    out: Picture | None = None,
    page: OutFile | None = None,
    video: Annotated[Path, file_ending(".gif")] | None = None,
    panel: str | None = None,
    names: Sequence[str] | None = None,
    theme: Literal["light", "dark"] = "light",
) -> str | None:
    """Draw a position as a picture, or print it: after some moves of a game that an agent plays, or of a record.

    Args:
        game: its name, or MODULE:ATTRIBUTE for a game of your own.
        players: number of players; the game's default unless given.
        option: an option of the game; repeat it for more.
        seed: seed of the deal.
        agent: agent that plays all seats.
        record: file of a recorded game, to show instead of a new one.
        moves: number of moves before the position; all unless given.
        seat: seat whose view is shown; a spectator's unless given.
        all_seats: with `page`, a choice of all seats and a spectator.
        out: file to write: .svg, or with the extra `render` .png.
        page: write the whole game to this .html, to look through.
        video: write a picture of each turn to this .gif (extra `render`).
        panel: draw this panel alone, as "Player 0" or own.
        names: of the players, by seat.
        theme: theme of the picture.

    Returns:
        The position as text; None if a file was asked for.

    Raises:
        ValueError, TypeError, OSError: there is no such game, agent, seat or record, or options exclude each other.
    """
    files = [name for name, file in (("--out", out), ("--page", page), ("--video", video)) if file is not None]
    if len(files) > 1:
        raise ValueError(f"expected one file, by --out, --page or --video, got {' and '.join(files)}")
    if all_seats and page is None:
        raise ValueError("--all-seats needs --page")
    if panel is not None and out is None:
        raise ValueError("--panel needs --out")
    for name, given in (("players", players), ("option", option)):
        if record is not None and given:
            raise ValueError(f"--{name}: a record names its own")
    if record is None:
        played, one = _played(game_of(game, players, option), agent, seed, moves)
    else:
        played, one = _recorded(record, game, moves)
    replay = Playing.of(played, one, names_for(played, names))
    if page is not None:
        write_text(page, page_of(replay, [None, *range(played.num_players)] if all_seats else [seat]))
    elif video is not None:
        write_video(replay, seat, video)
    elif out is not None:
        scene = (cf.scene_of if panel is None else cf.panels_of)(played, one.replay(played), seat, names=names or ())
        write_picture(scene, theme, out, panel)
    return None if page or video or out else played.render(one.replay(played), seat)


def _played(game: Game, agent: str, seed: int, moves: int | None) -> tuple[Game, GameRecord]:
    agents = [cf.make_agent(agent, game) for _ in range(game.num_players)]
    return game, cf.record_game(game, agents, seed, max_actions=moves)


def _recorded(file: Path, name: str, moves: int | None) -> tuple[Game, GameRecord]:
    """A record, and its game; one of one's own by `name`, because a file must not choose what is imported."""
    record = GameRecord.read(file)
    game = cf.load(name, **record.options) if ":" in name else record.load()
    record.replay(game)
    if moves is not None:
        record.actions, record.result = record.actions[:moves], None
    return game, record


def names_for(game: Game, names: Sequence[str] | None) -> list[str]:
    """The players' names by seat; ValueError unless there is one per seat."""
    if names is not None and len(names) != game.num_players:
        raise ValueError(f"--names: expected {game.num_players}, got {len(names)}")
    return list(names or (f"Player {seat}" for seat in range(game.num_players)))


def write_picture(scene: Scene, theme: str, path: Path, panel: str | None) -> None:
    """Write a picture, or one panel of it, atomically."""
    if path.suffix == ".svg":
        write_text(path, cf.draw(scene, theme, panel=panel))
        return
    one, wide = (scene, WIDE) if panel is None else (only(scene, panel), 2 * PANEL_WIDTH)
    pixels = cf.frame(one, (wide, round(wide * one.height / one.width)), theme)
    from PIL import Image

    with whole(path) as unfinished:
        Image.fromarray(pixels).save(unfinished, format="PNG")


def write_video(replay: Playing, seat: int | None, path: Path, size: tuple[int, int] = VIDEO) -> None:
    """Write a video with a frame per turn."""
    check_frames()
    from PIL import Image

    end, images = len(replay.actions), []
    log = replay.log(seat, end)
    for at in [0, *sorted({log[story.last].number + 1 for story in replay.stories(seat, end)})]:
        lines = [Told(line.seat, line.words) for line in log if line.number < at]
        scene = seen_in(replay.game, replay.states[at], seat, size, names=replay.names, log=lines)
        picture = Image.fromarray(cf.frame(scene, size))
        images.append(picture.quantize(64, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE))
    with whole(path) as unfinished:
        images[0].save(unfinished, format="GIF", save_all=True, append_images=images[1:], duration=TURN, loop=0)


COMMAND = Command(
    "chocofactory draw",
    draw_game,
    (
        "--players 3 --seed 7 --moves 60 --out position.svg",
        "--record game.json --moves 40 --seat 0",
        "--record game.json --names Ann Robo --page game.html",
    ),
)
main = COMMAND.run

if __name__ == "__main__":
    main()
