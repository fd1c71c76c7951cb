"""Draw a position, and word a move, for one viewer: a seat, or None for a spectator."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any, Final, NamedTuple

import numpy as np

from ...core.agents.agent import REDEAL_SEED
from ...core.agents.moves import Move
from ...core.game import Game, State
from ...drawing import svg
from ...drawing.moved import with_moved
from ...drawing.names import named, with_names
from ...drawing.plain import panels_of
from ...drawing.scene import Panel, Scene

MOST_SCENES: Final = 4  # positions kept for a viewer
FORCED: Final = " (forced)"  # ends the line of a forced move, here and in page/turns.js


class Picture(NamedTuple):
    title: str
    panels: list[dict[str, Any]]


class Scenes:
    """The scenes of the latest positions by viewer, for comparison with the next picture."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._seen: dict[int | None, dict[int, tuple[State, Scene]]] = {}  # by viewer, then by `id` of the state

    def of(self, state: State, viewer: int | None) -> Scene:
        """The scene of a state, which must not change."""
        seen = self._seen.setdefault(viewer, {})
        if id(state) not in seen:
            seen[id(state)] = state, panels_of(self._game, state, viewer)  # keeping the state keeps its `id` unique
            while len(seen) > MOST_SCENES:
                del seen[next(iter(seen))]
        return seen[id(state)][1]


def picture_of(
    scenes: Scenes, state: State, viewer: int | None, names: Sequence[str], earlier: Iterable[State] = ()
) -> Picture:
    """The panels that the viewer may see, with the last moves marked. Colours are classes of the page's style sheet.

    names: of the seats. earlier: the positions before, latest first.
    """
    scene = with_moved(scenes.of(state, viewer), (scenes.of(before, viewer) for before in earlier))
    scene = with_names(scene, names)
    return Picture(scene.title, [_described(panel) for panel in scene.panels])


def _described(panel: Panel) -> dict[str, Any]:
    """An entry of `panels` in the message `view`. Equal pictures have the same `key`."""
    drawn = svg.draw_panel(panel, classes=True)
    return {
        "role": panel.role,
        "owner": panel.owner,
        "name": panel.name,
        "summary": list(panel.summary),
        "width": panel.width,
        "height": panel.height,
        "key": sha256(drawn.encode()).hexdigest()[:16],
        "svg": drawn,
    }


def words_of_move(game: Game, state: State, action: int, viewer: int | None, names: Sequence[str] = ()) -> str:
    """The move about to be made in `state`, as the viewer may know it; "" if the move itself is secret.

    names: of the seats; without them seats are called "Player 0".
    """
    words = game.move_in_words(state, action, viewer)
    return named(words, names) if names else words


def open_mover(game: Any, state: State) -> int | None:
    """The seat to move, if everyone may know it; None at the end."""
    if game.is_over(state):
        return None
    by_default = not game.observation_layout.has_private  # few games lack the method
    lies_open = game.mover_lies_open(state) if hasattr(game, "mover_lies_open") else by_default
    return int(game.current_player(state)) if lies_open else None


def line_of_move(game: Any, move: Move, viewer: int | None) -> str:
    """A move's line in the log, with seats for names.

    It says that the move was forced if the viewer may know the choices.
    """
    words = words_of_move(game, move.state, move.action, viewer)
    if words and move.forced and game.choices_lie_open(move.state, viewer):
        return words + FORCED
    return words


def chapter_of(game: Game, state: State) -> str:
    """How far the game is, in its own words: the day, month, or half."""
    return game.when(state).partition(",")[0]


def rules_of(game: Any) -> dict[str, Any] | None:
    """The rules in brief, for all phases and for each; None if the game has none."""
    if not hasattr(game, "rules_in_brief"):
        return None
    general, phases = game.rules_in_brief()
    return {"general": general, "phases": [{"name": name, "words": words} for name, words in phases.items()]}


def phases_of(game: Any, state: State, viewer: int | None) -> list[str]:
    """The viewer's phases; none for a spectator, because a phase may be a seat's secret."""
    return game.phases_now(state, viewer) if viewer is not None and hasattr(game, "phases_now") else []


def actions_of(game: Game, state: State, names: Sequence[str]) -> list[dict[str, Any]]:
    """All legal actions, as worded for the seat to move."""
    mover, legal = game.current_player(state), np.flatnonzero(game.legal_mask(state)).tolist()
    return [{"action": action, "words": words_of_move(game, state, action, mover, names)} for action in legal]


def line_in_words(
    game: Game, state: State, line: Iterable[int], viewer: int, names: Sequence[str]
) -> list[dict[str, Any]]:
    """A line of actions in words, as far as it is legal, in a redeal of what the viewer cannot know."""
    found = []
    dealt = game.redeal(state, viewer, REDEAL_SEED)
    for action in line:
        if game.is_over(dealt) or not game.legal_mask(dealt)[action]:
            break
        words = words_of_move(game, dealt, action, viewer, names) or game.describe(action)
        found.append({"action": int(action), "words": words})
        game.apply(dealt, action)
    return found
