"""Agents: callables on an observation, or search agents, which get a position."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from inspect import isclass
from typing import Any, Protocol

import numpy as np

from ..checks import as_action
from ..game import Game, State, seat_to_move
from ..messages import shown

# The seed of the deal that a search agent gets. A constant reveals nothing about the true deal, and is reproducible.
REDEAL_SEED = 0


class Agent(Protocol):
    """A callable from an observation to an action.

    An agent that draws random numbers or remembers a game may also have `reset(seed: int)`; it is called before each
    game. The environments take agents as opponents as they are.

    One with `observe_move(move: SeenMove)` is told every move of the game as its seat may know it, its own included,
    before the move is played (`core.agents.moves`): in matches, in recordings, at the table, and as an opponent in
    Versus environments. Batches, vector and parallel environments tell no moves.

    An agent that `make_agent` made by a shipped name has `made_for`, the name and the number of players of the game
    that it can play. It plays one game at a time.
    """

    def __call__(self, observation: Any, mask: np.ndarray, /) -> int:
        """The number of a legal action.

        `observation` is `core.observation.layout.Tensors`; `mask` is (A,), 1 where an action is legal, and never all
        zeros.
        """


class SearchAgent(Protocol):
    """An agent that searches: it gets a position in place of an observation.

    Before each call everything that the seat cannot know is dealt afresh (`decide`). So the agent sees no more than
    others do. It may have `reset` too.
    """

    def choose(self, state: Any, player: int, /) -> int:
        """The number of a legal action of `player`, who moves in `state`; `state` is the agent's to change."""


AnyAgent = Agent | SearchAgent


@dataclass(frozen=True)
class Consideration:
    """What an agent makes of a position, for whoever wants to look on.

    columns: by what the numbers are, as "visits", the number of each action that has one; the first says what the agent
        goes by: it would do what has the highest.
    line: actions that it expects to follow each other from here; may be empty.
    value: what it finds the position worth to the seat, and what that is, as ("score", 41.5); None if it says nothing.
    """

    columns: Mapping[str, Mapping[int, float]] = field(default_factory=dict)
    line: tuple[int, ...] = ()
    value: tuple[str, float] | None = None


def searches(agent: object) -> bool:
    """Whether the agent has `choose(state, player)`, which is then called even where the agent itself can be called."""
    return callable(getattr(agent, "choose", None))


def is_agent(agent: object) -> bool:
    """Whether this is an agent of either kind; a class is none, though it can be called."""
    return not isclass(agent) and (callable(agent) or searches(agent))


def refusal(agent: object, game: Game) -> str | None:
    """Why this is no agent that can play `game`, in words for a message; None if it is one."""
    if is_agent(agent):
        name, players = getattr(agent, "made_for", (game.name, game.num_players))
        if (name, players) == (game.name, game.num_players):
            return None
        needed = f"{game.num_players} players of {game.name!r}"
        return f"expected an agent made for {needed}, and not for {players} of {name!r}"
    if isinstance(agent, str):
        return "expected an agent and not its name: cf.make_agent(name, game) makes one"
    if isclass(agent):
        return "expected an agent and not a class"
    return "expected a callable (observation, mask) -> action, or an agent with choose(state, player) -> action"


def one_for_each(agents: Any, places: int) -> list[Any]:
    """Those given one by one, or the one given in every place; nothing is checked."""
    if isinstance(agents, np.ndarray):  # which has a method `choose`, too
        agents = agents.tolist()
    one_by_one = isinstance(agents, Iterable) and not isinstance(agents, str) and not is_agent(agents)
    return list(agents) if one_by_one else [agents] * places


def decide(game: Game, agent: AnyAgent, state: State) -> int:
    """The agent's action for the seat that moves in `state`, which is not changed.

    Raises:
        TypeError: no game, no agent, or its answer is no integer. (Whether it is legal is the rules' matter.)
        ValueError: the game is over.
    """
    _check_agent(game, agent)
    return as_action(ask(game, agent, state), game.num_actions)


def ask(game: Game, agent: Any, state: State) -> Any:
    """The agent's action, unchecked."""
    player = seat_to_move(game, state)
    if searches(agent):
        return choose_blindly(game, agent, state, player)
    return agent(game.observe(state, player), game.legal_mask(state))


def _check_agent(game: Game, agent: object) -> None:
    """TypeError for what is no game, no agent, or none of this game."""
    if not hasattr(game, "action_layout"):  # nor has a class, or a name
        raise TypeError(f"game: expected a game, as cf.load(name) makes one, got {shown(game)}")
    reason = refusal(agent, game)
    if reason is not None:
        raise TypeError(f"agent: {reason}, got {shown(agent)}")


def choose_blindly(game: Game, agent: Any, state: State, player: int) -> Any:
    """The action of a search agent, for a copy in which everything that `player` cannot know is dealt afresh."""
    return agent.choose(game.redeal(state, player, REDEAL_SEED), player)


def consider(game: Game, agent: Any, state: State) -> Consideration:
    """What the agent makes of the position for the seat to move, knowing what it knows in `decide`.

    An agent may have a method `consider` with the parameters of its `choose`, or of its call where it does not search.
    Of one that has none this is the action that it takes.

    Raises as `decide` does, and TypeError if `consider` answers something else than a Consideration.
    """
    _check_agent(game, agent)
    player = seat_to_move(game, state)
    method = getattr(agent, "consider", None)
    if method is None:
        return Consideration({"choice": {decide(game, agent, state): 1.0}})
    seen = (
        (game.redeal(state, player, REDEAL_SEED), player)
        if searches(agent)
        else (game.observe(state, player), game.legal_mask(state))
    )
    found = method(*seen)
    if not isinstance(found, Consideration):
        raise TypeError(f"consider: expected a Consideration, got {shown(found)}")
    return found


def reset_agent(agent: AnyAgent, seed: int) -> None:
    """Call `agent.reset(seed)` where it is defined."""
    prepare = getattr(agent, "reset", None)
    if prepare is not None:
        prepare(seed)


PURPOSE = b"seed of an agent"


def agent_seed(game: Game, state: State, seat: int, *numbers: int) -> int:
    """The 63-bit seed with which the agent in `seat` is reset when play begins in `state`.

    It is a hash of what the seat sees, so neither the seed of the deal nor a hidden card follows from it, however small
    the seeds of deals are. Equal games give equal seeds.

    Args:
        game: the game of `state`.
        state: the position in which play begins.
        seat: the agent's seat, 0 to P - 1.
        numbers: further numbers that tell games apart and depend on no card, such as the rotation of the seats.
    """
    layout = game.observation_layout
    seen = np.zeros(layout.raw_size, layout.raw_dtype)
    game.write_raw_observation(state, seat, seen)
    digest = blake2b(np.array([seat, *numbers], "<i8").tobytes(), digest_size=8, person=PURPOSE)
    digest.update(seen.tobytes())
    return int.from_bytes(digest.digest(), "little") >> 1
