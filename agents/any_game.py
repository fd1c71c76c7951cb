"""The agents of every game, by name. A game's folder adds and replaces some in a dictionary of its own."""

from collections.abc import Callable
from typing import Any

from .flat_mc import FlatAgent
from .learned import LearnedAgent
from .llm import LanguageModel
from .mcts import TreeAgent
from .random_agent import for_game

AGENTS: dict[str, Callable[..., Any]] = {
    "flat_mc": FlatAgent,
    "learned": LearnedAgent,
    "llm": LanguageModel,
    "mcts": TreeAgent,
    "random": for_game,
}
