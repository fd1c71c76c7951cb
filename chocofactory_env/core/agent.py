"""What an agent is, and how it is asked: with what its seat sees, or, where it searches, with a position."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

import numpy as np

from .checks import as_action
from .game import Game, State

# Of the deal that a searching agent is given. A constant says nothing about the true deal, and repeats itself.
REDEAL_SEED = 0


class Agent(Protocol):
    """A callable from what a seat sees to what it does.

    An agent that draws random numbers or remembers a game may also have `reset(seed: int)`; it is called before each
    game. The environments take agents as opponents as they are.
    """

    def __call__(self, observation: Any, mask: np.ndarray, /) -> int:
        """The number of a legal action.

        `observation` is `core.layout.Tensors`; `mask` is (A,), 1 where an action is legal, and never all zeros.
        """


class SearchAgent(Protocol):
    """An agent that looks ahead, and so is given a position in place of what it sees of one.

    Whoever asks it deals everything that the seat cannot know afresh before it hands the position over (`decide`), so
    such an agent cannot see more than the others. It may have `reset` too.
    """

    def choose(self, state: Any, player: int, /) -> int:
        """The number of a legal action of `player`, who moves in `state`; `state` is the agent's to change."""


AnyAgent = Agent | SearchAgent


def searches(agent: object) -> bool:
    """Whether the agent is asked by `choose(state, player)`; one that can also be called is asked so too."""
    return callable(getattr(agent, "choose", None))


def is_agent(agent: object) -> bool:
    """Whether the agent can be asked at all."""
    return callable(agent) or searches(agent)


def refusal(agent: object) -> str | None:
    """Why this is no agent, in words for a message; None if it is one."""
    if is_agent(agent):
        return None
    if isinstance(agent, str):
        return "expected an agent and not its name: cf.make_agent(name, game) makes one"
    return "expected a callable (observation, mask) -> action, or an agent with choose(state, player) -> action"


def one_for_each(agents: Any, places: int) -> list[Any]:
    """Those given one by one, or the one given in every place; nothing is checked."""
    one_by_one = isinstance(agents, Iterable) and not isinstance(agents, str) and not is_agent(agents)
    return list(agents) if one_by_one else [agents] * places


def decide(game: Game, agent: AnyAgent, state: State) -> int:
    """What the agent does in the seat that moves in `state`, which stays as it is.

    Raises:
        TypeError: the agent's answer is no integer. (Whether it is legal is the rules' matter.)
    """
    return as_action(ask(game, agent, state), game.num_actions)


def ask(game: Game, agent: Any, state: State) -> Any:
    """The agent's answer as it comes."""
    player = game.current_player(state)
    if searches(agent):
        return choose_blindly(game, agent, state, player)
    return agent(game.observe(state, player), game.legal_mask(state))


def choose_blindly(game: Game, agent: Any, state: State, player: int) -> Any:
    """The answer of an agent that searches: what `player` cannot know is drawn afresh in the position that it gets."""
    return agent.choose(game.redeal(state, player, REDEAL_SEED), player)


def reset_agent(agent: AnyAgent, seed: int) -> None:
    """Prepare `agent` for a game, if it wants to be prepared."""
    prepare = getattr(agent, "reset", None)
    if prepare is not None:
        prepare(seed)
