"""Board games about chocolate factories as reinforcement-learning environments.

Importing registers the environments with Gymnasium and PettingZoo; games are imported and compiled on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .core.agents.agent import Agent, Consideration, SearchAgent, consider, decide, reset_agent
from .core.cards.generated import GeneratedDeck
from .core.checkout import checkout
from .core.errors import CompileError, DeckError, StateError
from .core.game import Game, IllegalActionError, JointStep, Playouts, Step
from .core.observation.layout import ActionLayout, Block, ObservationLayout, Tensors
from .core.text.answers import MoveError
from .registry import GAMES, UnknownGameError, games, generate_deck, load, register, register_environments

__all__ = [
    "ActionLayout",
    "Agent",
    "AnswerCounts",
    "Block",
    "CompileError",
    "Consideration",
    "DeckError",
    "Game",
    "GameRecord",
    "GeneratedDeck",
    "IllegalActionError",
    "JointStep",
    "LegalSampler",
    "MoveError",
    "ObservationLayout",
    "ParallelBatch",
    "PerGame",
    "Playouts",
    "RecordError",
    "RowRules",
    "SearchAgent",
    "SeenMove",
    "SelfPlayBatch",
    "StateError",
    "Step",
    "Tensors",
    "UnknownGameError",
    "__version__",
    "agent_seed",
    "consider",
    "decide",
    "draw",
    "estimate_tokens",
    "evaluate",
    "frame",
    "games",
    "generate_deck",
    "load",
    "make_agent",
    "make_batch",
    "make_env",
    "make_parallel_env",
    "name_blocks",
    "panels_of",
    "play_match",
    "play_tournament",
    "record_game",
    "register",
    "reset_agent",
    "scene_of",
    "seen_moves",
    "show_blocks",
    "task",
    "tasks",
    "tell",
]

if TYPE_CHECKING:
    from .agents.protocol import make_agent
    from .arena.evaluate import evaluate
    from .arena.match import play_match
    from .arena.tasks import task, tasks
    from .arena.tournament import play_tournament
    from .core.agents.agent import agent_seed
    from .core.agents.moves import SeenMove, seen_moves, tell
    from .core.kernel.batch import LegalSampler
    from .core.kernel.variants import RowRules
    from .core.text.prompts import estimate_tokens
    from .drawing.frames import frame
    from .drawing.svg import draw
    from .envs.aec import make_env
    from .envs.parallel import make_parallel_env
    from .envs.selfplay import ParallelBatch, SelfPlayBatch, make_batch
    from .envs.text import AnswerCounts
    from .envs.vector import PerGame
    from .envs.wrappers import name_blocks, show_blocks
    from .record import GameRecord, RecordError, record_game
    from .view.views import panels_of, scene_of

    __version__: str

_LAZY = {
    "AnswerCounts": "envs.text",
    "GameRecord": "record",
    "LegalSampler": "core.kernel.batch",
    "ParallelBatch": "envs.selfplay",
    "PerGame": "envs.vector",
    "RecordError": "record",
    "RowRules": "core.kernel.variants",
    "SeenMove": "core.agents.moves",
    "SelfPlayBatch": "envs.selfplay",
    "agent_seed": "core.agents.agent",
    "draw": "drawing.svg",
    "estimate_tokens": "core.text.prompts",
    "evaluate": "arena.evaluate",
    "frame": "drawing.frames",
    "make_agent": "agents.protocol",
    "make_batch": "envs.selfplay",
    "make_env": "envs.aec",
    "make_parallel_env": "envs.parallel",
    "name_blocks": "envs.wrappers",
    "panels_of": "view.views",
    "play_match": "arena.match",
    "play_tournament": "arena.tournament",
    "record_game": "record",
    "scene_of": "view.views",
    "seen_moves": "core.agents.moves",
    "show_blocks": "envs.wrappers",
    "task": "arena.tasks",
    "tasks": "arena.tasks",
    "tell": "core.agents.moves",
}


def __getattr__(name: str) -> Any:
    """Look up public names on first use, so that importing the package stays cheap."""
    if name == "__version__":
        value: Any = _installed_version()
    elif name in _LAZY:
        value = getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _installed_version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("chocofactory-env")
    except PackageNotFoundError:
        return "0+checkout"  # run from a checkout that is not installed


if (_folder := checkout()) is not None:
    __path__.append(str(_folder))
for _name in GAMES:
    register_environments(_name)
