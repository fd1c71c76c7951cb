"""Agents: callables on an observation, or search agents, which get a position."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from inspect import isclass
from typing import Any, Final, Protocol

import numpy as np

from ..checks import as_action, as_integer, as_seed
from ..game import Game, IllegalActionError, State, seat_to_move
from ..messages import shown

# The seed of the deal that a search agent gets. A constant reveals nothing about the true deal, and is reproducible.
REDEAL_SEED = 0
LEAVING: Final = (SystemExit, GeneratorExit)  # what Python's loops and interpreters obey in silence


class Agent(Protocol):
    """A callable from an observation to an action.

    An agent that draws random numbers or remembers a game may also have `reset(seed: int)`; it is called before each
    game. Environments accept agents as opponents.

    An agent with `observe_move(move: SeenMove)` is told every move, its own included, as its seat may know it, before
    the move is played (`core.agents.moves`). Matches, recordings, the table, and Versus environments tell moves;
    batches, vector environments, and parallel environments do not.

    An agent made by `make_agent` from a shipped name has `made_for`, the name and number of players of its game. It
    plays one game at a time.
    """

    def __call__(self, observation: Any, mask: np.ndarray, /) -> int:
        """The number of a legal action.

        `observation` is `core.observation.layout.Tensors`; `mask` is (A,), 1 where an action is legal, and never all
        zeros.
        """


class SearchAgent(Protocol):
    """An agent that gets a position instead of an observation, as all shipped agents but `random` do.

    Everything that the seat cannot know is redealt before each call (`decide`), so the agent knows no more than others.
    It may define whatever an `Agent` may. It is made for one deck: given by name, it is made anew for each.
    """

    def choose(self, state: Any, player: int, /) -> int:
        """The number of a legal action of `player`, who is to move in `state`. The agent may change `state`."""


AnyAgent = Agent | SearchAgent


@dataclass(frozen=True)
class Consideration:
    """An agent's view of a position, for display.

    columns: numbers by action under a name such as "visits". The agent would take the action with the highest number
        in the first column.
    line: the actions that it expects next; may be empty.
    value: the position's value to the seat, with its name, such as ("score", 41.5), or None.
    """

    columns: Mapping[str, Mapping[int, float]] = field(default_factory=dict)
    line: tuple[int, ...] = ()
    value: tuple[str, float] | None = None


def searches(agent: object) -> bool:
    """Whether the agent has `choose(state, player)`, which takes precedence if the agent is also callable."""
    return callable(getattr(agent, "choose", None))


def reads_cards(agent: object) -> bool:
    """Whether the agent is made for one deck: it gets positions of its game, or a batch opponent's agents do."""
    return searches(agent) or bool(getattr(agent, "reads_cards", False))


def is_agent(agent: object) -> bool:
    """Whether this is an agent of either kind. A class is not, although it is callable."""
    return not isclass(agent) and (callable(agent) or searches(agent))


def refusal(agent: object, game: Game) -> str | None:
    """The reason, for a message, why this agent cannot play `game`; None if it can."""
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
    """The given agents, or a single agent repeated; nothing is checked."""
    if isinstance(agents, np.ndarray):  # arrays have a method `choose`, too
        agents = agents.tolist()
    one_by_one = isinstance(agents, Iterable) and not isinstance(agents, str) and not is_agent(agents)
    return list(agents) if one_by_one else [agents] * places


def decide(game: Any, agent: AnyAgent, state: Any = None) -> int:
    """Ask the agent for the action of the seat to move, which is not played: `decide(game, agent, state)`.

    In the loop of an environment `decide(env, agent)` asks for the seat that must move. Where several decide at the
    same time, `decide(env, agent, "player_1")` asks for one of them: a seat that is not asked waits.

    Raises:
        TypeError: `game` or `agent` is of another type, or the answer is not an integer. (Legality is not checked.)
        ValueError: the game is over, no game has been dealt in the environment, or it has no such seat.
    """
    if state is None or isinstance(state, str):
        environment, name = game, state
        game, state = _dealt_in(environment)
        if name is not None:
            state = _asked(game, state, environment, name)
            if state is None:
                return int(game.num_actions)  # to wait
    _check_agent(game, agent)
    return as_action(ask(game, agent, state), game.num_actions)


def _dealt_in(environment: Any) -> tuple[Game, State]:
    """The game and the position of an environment."""
    inner: Any = getattr(environment, "unwrapped", None)
    if not hasattr(inner, "game_state"):
        raise TypeError(f"decide: expected a game with a state, or an environment, got {shown(environment)}")
    if inner.game_state is None:
        raise ValueError("decide: expected a game under way in the environment: call reset()")
    return inner.game, inner.game_state


def _asked(game: Game, state: State, environment: Any, name: str) -> State | None:
    """The position with this seat to move; None if it is not asked."""
    seat_to_move(game, state)  # raises at the end
    if name not in environment.agents:
        raise ValueError(f"decide: expected one of {', '.join(environment.agents)}, got {shown(name)}")
    seat = int(name.removeprefix("player_"))  # its place among `possible_agents` is another, if partners have seats
    masks = np.zeros((game.num_players, game.num_actions + 1), np.int8)
    game.write_joint_masks(state, masks)
    if masks[seat, game.num_actions]:
        return None
    state = game.clone(state)
    game.ask_seat(state, seat)
    return state


def ask(game: Game, agent: Any, state: State) -> Any:
    """The agent's action, unchecked."""
    player = seat_to_move(game, state)
    if searches(agent):
        return choose_blindly(game, agent, state, player)
    with staying(agent):
        return agent(game.observe(state, player), game.legal_mask(state))


@contextmanager
def staying(agent: object) -> Iterator[None]:
    """RuntimeError in place of an exception of the agent that would end the program without a word of it."""
    try:
        yield
    except LEAVING as end:
        raise left(f"agent {shown(agent)}", end) from end


def left(agent: str, end: BaseException) -> RuntimeError:
    return RuntimeError(f"{agent} raised {end!r}, which would end the program")


@contextmanager
def naming(agent: Callable[[], str]) -> Iterator[None]:
    """Add the agent's name to whatever an agent raises.

    An illegal action and an answer of a wrong type get it in their messages. Anything else keeps its type, and gets a
    note; so does Ctrl-C.

    agent: says which one it is and where it decided, as "agent 'mine' (seat 0, deal 7)".
    """
    try:
        yield
    except (IllegalActionError, TypeError) as error:
        kind = IllegalActionError if isinstance(error, IllegalActionError) else TypeError
        raise kind(f"{agent()}: {error}") from error
    except KeyboardInterrupt as stop:
        stop.add_note(f"It was stopped at the turn of {agent()}.")
        raise
    except BaseException as error:
        error.add_note(f"It was raised by {agent()}.")
        raise


def check_game(game: object) -> None:
    """Raise TypeError unless this is a game."""
    if not hasattr(game, "action_layout"):  # classes, names, and lists of games lack it
        raise TypeError(f"game: expected a game, as cf.load(name) makes one, got {shown(game)}")


def _check_agent(game: Game, agent: object) -> None:
    """Raise TypeError unless these are a game and an agent that can play it."""
    check_game(game)
    reason = refusal(agent, game)
    if reason is not None:
        raise TypeError(f"agent: {reason}, got {shown(agent)}")


def choose_blindly(game: Game, agent: Any, state: State, player: int) -> Any:
    """A search agent's action in a copy of `state` in which everything that `player` cannot know is redealt."""
    with staying(agent):
        return agent.choose(game.redeal(state, player, REDEAL_SEED), player)


def consider(game: Game, agent: Any, state: State) -> Consideration:
    """The agent's view of the position for the seat to move, with the same knowledge as in `decide`.

    An agent may define `consider` with the parameters of its `choose`, or of its call if it does not search. Otherwise
    the view is the action that it takes.

    Raises as `decide` does, and TypeError if `consider` does not return a Consideration.
    """
    _check_agent(game, agent)
    player = seat_to_move(game, state)
    method = getattr(agent, "consider", None)
    if method is None:
        return Consideration({"its choice": {decide(game, agent, state): 1.0}})
    seen = (
        (game.redeal(state, player, REDEAL_SEED), player)
        if searches(agent)
        else (game.observe(state, player), game.legal_mask(state))
    )
    with staying(agent):
        found = method(*seen)
    if not isinstance(found, Consideration):
        raise TypeError(f"consider: expected a Consideration, got {shown(found)}")
    return found


def reset_agent(agent: AnyAgent, seed: int) -> None:
    """Call `agent.reset(seed)` if it is defined. TypeError or ValueError for what is no seed."""
    seed = as_seed(seed)
    prepare = getattr(agent, "reset", None)
    if prepare is not None:
        with staying(agent):
            prepare(seed)


PURPOSE = b"seed of an agent"


def agent_seed(game: Game, state: State, seat: int, *numbers: int) -> int:
    """The 63-bit seed with which the agent in `seat` is reset when play begins in `state`.

    It is a hash of what the seat sees, so it reveals neither the seed of the deal, even a small one, nor a hidden card.
    Equal games give equal seeds.

    Args:
        game: the game of `state`.
        state: the position in which play begins.
        seat: the agent's seat, 0 to P - 1.
        numbers: further numbers that tell games apart and depend on no card, such as the rotation of the seats.

    Raises:
        TypeError, ValueError: not a position of the game, or no such seat.
    """
    seat = as_integer("seat", seat, 0, game.num_players - 1)
    game.current_player(state)  # checks the state
    layout = game.observation_layout
    seen = np.zeros(layout.raw_size, layout.raw_dtype)
    game.write_raw_observation(state, seat, seen)
    digest = blake2b(np.array([seat, *numbers], "<i8").tobytes(), digest_size=8, person=PURPOSE)
    digest.update(seen.tobytes())
    return int.from_bytes(digest.digest(), "little") >> 1
