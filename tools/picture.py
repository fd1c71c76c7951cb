"""Draw positions and a game for the README and docs/pictures.md: `python -m tools.picture` writes docs/images.

The positions come from seeded games of fast agents, the game from two of different strength.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from tqdm import tqdm

import chocofactory_env as cf
from chocofactory_env.arena.draw import write_video
from chocofactory_env.core.command import Command
from chocofactory_env.drawing.scene import Scene
from chocofactory_env.play.playing import Playing
from chocofactory_env.view.views import Told

AGENTS: Final = {"chocofactory": "greedy", "candyfactory": "greedy", "schoko": "manager"}
LINES: Final = 12  # of the last moves
IMAGES: Final = Path(__file__).resolve().parent.parent / "docs" / "images"
VIDEO: Final = "game.gif"
PLAYERS: Final = ("expert", "greedy")  # of the video
FRAME: Final = (960, 600)  # the smallest that shows all boards


@dataclass(frozen=True)
class Picture:
    """A position from a game of `AGENTS`: the first whose `to_dict` satisfies `there`.

    own: seen by the seat to move, not by a spectator. draw: how it is drawn.
    """

    game: str
    options: dict[str, Any]
    seed: int
    there: Callable[[dict[str, Any]], bool]
    own: bool = True
    draw: dict[str, Any] = field(default_factory=dict)

    def scene(self) -> Scene:
        game, state, lines = play(self)
        player = game.current_player(state) if self.own and not game.is_over(state) else None
        return cf.scene_of(game, state, player, log=lines[-LINES:])


def play(picture: Picture) -> tuple[Any, Any, list[Told]]:
    """The game, the position, and the moves that led to it, as seen by a spectator."""
    game = cf.load(picture.game, **picture.options)
    agents = [cf.make_agent(AGENTS[picture.game], game) for _ in range(game.num_players)]
    state = game.new(picture.seed)
    lines: list[Told] = []
    while not picture.there(game.to_dict(state)):
        action = cf.decide(game, agents[game.current_player(state)], state)
        lines.append(Told(game.current_player(state), game.move_in_words(state, action)))
        game.apply(state, action)
    return game, state, [line for line in lines if line.words]


def in_shift(day: int, shift: int) -> Callable[[dict[str, Any]], bool]:
    """Chocolate Factory: the mover has begun a shift."""
    return lambda table: (
        (table["day"], table["shift"]) == (day, shift) and any(table["players"][table["current"]]["operated"])
    )


PICTURES: Final = {
    "position": Picture("chocofactory", {"num_players": 2, "start_player": 1}, 7, in_shift(5, 3)),
    "chocofactory-four": Picture(
        "chocofactory",
        {"num_players": 4, "expansion": "master_chocolatier", "sides": "random"},
        7,
        lambda table: (table["day"], table["phase"]) == (3, "draft") and table["task"]["kind"] == "nothing",
    ),
    "chocofactory-alone": Picture("chocofactory", {"num_players": 1}, 7, in_shift(4, 2), draw={"tall": True}),
    "candyfactory": Picture(
        "candyfactory", {"num_players": 3}, 7, lambda table: (table["half"], table["step"]) == ("candy", "goods")
    ),
    "schoko": Picture(
        "schoko",
        {"num_players": 4},
        7,
        lambda table: (table["month"], table["task"]) == (4, "make"),
        draw={"theme": "dark"},
    ),
}


@cache
def drawn(name: str) -> str:
    """The SVG of a picture."""
    picture = PICTURES[name]
    return cf.draw(picture.scene(), **picture.draw) + "\n"


def film(path: Path) -> None:
    """Write a game of `PLAYERS` as a moving picture, with a frame for each turn."""
    game = cf.load("chocofactory", num_players=len(PLAYERS))
    record = cf.record_game(game, [cf.make_agent(name, game) for name in PLAYERS], seed=1)
    write_video(Playing.of(game, record, list(PLAYERS)), None, path, FRAME)


def write_images() -> None:
    """Draw positions and a game for the README and docs/pictures.md into docs/images."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    film(IMAGES / VIDEO)
    for name in tqdm(PICTURES, unit="picture"):
        (IMAGES / f"{name}.svg").write_text(drawn(name), encoding="utf-8")


main = Command("python -m tools.picture", write_images, ("",)).run

if __name__ == "__main__":
    main()
