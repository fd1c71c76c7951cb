"""The agents of every game, by name. A game's folder adds and replaces some in a dictionary of its own."""

from .flat_mc import FlatAgent
from .learned import LearnedAgent
from .llm import LanguageModel
from .mcts import TreeAgent
from .random_agent import for_game

AGENTS = {
    "flat_mc": FlatAgent,
    "learned": LearnedAgent,
    "llm": LanguageModel,
    "mcts": TreeAgent,
    "random": for_game,
}
