"""Games on file, each one JSON document: how it was dealt, the actions, and the result.

    {"schema": 2, "game": "chocofactory", "options": {...}, "deck": "...", "rules": 2, "seed": 7, "package": "0.1.0",
     "agents": ["expert", null], "actions": [3, 0, 41, ...],
     "result": {"over": true, "scores": [61, 48], "ranking": [0, 1], "won": [true, false]}}

A record holds no positions: it is checked by being played. A replay is exact or refused. `rules` is the game's
`rules_version`, which rises whenever old records may play differently; `package` is for information only.

A record may come from a stranger. So it is read only from a regular file of at most `MAX_BYTES`. It has the hash of the
deck. Its options name a generated deck, but never a deck's file: to replay a game with your own deck, load the game
with that deck and pass it to `replay`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec
import numpy as np
from msgspec import Struct

from . import __version__
from .core.agents.agent import AnyAgent, agent_seed, check_game, decide, naming, one_for_each, refusal, reset_agent
from .core.agents.moves import tell
from .core.cards.generated import is_generated
from .core.checks import SEED_LIMIT, as_integer, as_seed
from .core.files import UnfitFileError, read_file, write_text
from .core.game import Game, IllegalActionError, State
from .core.messages import shortened, shown
from .core.reading import ReadError, between, field_at, line, read, read_json
from .record_lines import document_of, is_lines
from .registry import check_registered, load

MAX_BYTES: Final = 10_000_000  # a game of 4,000 actions takes 15,000
MAX_MESSAGE: Final = 300  # characters of a quoted message or value

Text = Annotated[str, line(1_000)]
Action = Annotated[int, between(0, (1 << 31) - 1)]
T = TypeVar("T")


class RecordError(ValueError):
    """A record that cannot be trusted.

    Attributes:
        file: the file.
        place: the place in its document, as `seed` or `actions[12]`; empty for the document as a whole.
        problem: what is there.
        expected: what should be there.
    """

    def __init__(self, file: str, place: str, problem: str, expected: str) -> None:
        super().__init__(file, place, problem, expected)  # all of them, for pickling
        self.file = file
        self.place = place
        self.problem = problem
        self.expected = expected

    def __str__(self) -> str:
        where = f"{self.file}, {self.place}" if self.place else self.file
        return f"{where}: {self.problem}; expected {self.expected}"


class Result(Struct, forbid_unknown_fields=True):
    """How a game stands after its last action, by seat: `ranking` has 0 for the winner."""

    over: bool
    scores: list[int]
    ranking: list[int]
    won: list[bool]

    @classmethod
    def of(cls, game: Game, state: State) -> Result:
        by_seat = (np.asarray(each(state)).tolist() for each in (game.scores, game.ranking, game.won))
        return cls(bool(game.is_over(state)), *by_seat)


class GameRecord(Struct, forbid_unknown_fields=True, kw_only=True, dict=True):
    """One game, from its deal on.

    Attributes:
        schema: of the document.
        game: its name.
        options: those of the variant; a deck only if it is a generated one.
        deck: its hash.
        rules: the game's `rules_version`.
        seed: of the deal.
        package: the version of the package that played it.
        agents: their names by seat, None where unknown; empty if none is known.
        actions: in the order of play.
        result: None if it is unknown.
    """

    schema: Literal[2]
    game: Text
    options: dict[Text, bool | int | float | Text | None]
    deck: Text
    rules: int
    seed: Annotated[int, between(0, SEED_LIMIT - 1)]
    package: Text
    agents: list[Text | None] = []
    actions: list[Action]
    result: Result | None = None

    @classmethod
    def of(
        cls, game: Game, seed: int, actions: Sequence[int], state: State, agents: Sequence[str | None] = ()
    ) -> GameRecord:
        """The record of the game that was dealt by `seed`, and came to `state` by these actions.

        Raises:
            TypeError, ValueError: a bad seed, an action that is no integer, or agents for other seats than there are.
        """
        if len(agents) not in (0, game.num_players):
            raise ValueError(f"agents: expected none or {game.num_players}, one a seat, got {len(agents)}")
        return cls(
            schema=2,
            game=game.name,
            options=_plain_options(game),
            deck=game.deck_hash,
            rules=game.rules_version,
            seed=as_seed(seed),
            package=__version__,
            agents=list(agents),
            actions=[as_integer(f"actions[{number}]", action, 0) for number, action in enumerate(actions)],
            result=Result.of(game, state),
        )

    @property
    def file(self) -> str:
        """The file that it was read from, for messages."""
        return str(vars(self).get("file", "<record>"))

    @file.setter
    def file(self, name: str) -> None:
        vars(self)["file"] = name

    def text(self) -> str:
        """The text of the file."""
        return msgspec.json.encode(self).decode() + "\n"

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the file, whole or not at all."""
        write_text(Path(path), self.text())

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> GameRecord:
        """Read a file and check its form; `replay` checks its content.

        Raises:
            RecordError: no file can have this name; the file is not regular, or too large; or as in `parse`.
            OSError: the file cannot be read.
        """
        file = os.fspath(path)
        try:
            content = read_file(file, MAX_BYTES)
        except UnfitFileError as error:
            raise RecordError(file, "", f"the file is {error.got}", error.expected) from error
        except ValueError as error:  # as of a null byte
            raise RecordError(file, "", f"no file can have this name: {error}", "the name of a file") from error
        return cls.parse(content, file)

    @classmethod
    def parse(cls, content: bytes, file: str = "<record>") -> GameRecord:
        """Read the content of a file and check its form; `file` is for messages.

        Raises:
            RecordError: it is no JSON; a field is missing, unknown, of another type or out of bounds; or the options
                name a deck's file.
        """
        record = parsed(content, cls, file)
        record.file = file
        if "deck" in record.options and not is_generated(record.options["deck"]):
            expected = "a generated deck or none (load the game with its deck: replay(game))"
            raise record._error("options", f"they name the deck {shown(record.options['deck'])}", expected)
        return record

    def replay(self, game: Game | None = None) -> State:
        """Play the record, and return the position at its end.

        `game` is needed only for your own deck; by default the game is loaded by its recorded name and options.

        Raises:
            RecordError: the game, options, deck, or rules differ; there are agents for other seats than the game has;
                an action is illegal; or the result differs.
        """
        game = self.load() if game is None else game
        self._check_game(game)
        state = game.new(self.seed)
        for number, action in enumerate(self.actions):
            try:
                game.apply(state, action)
            except IllegalActionError as error:
                raise self._error(f"actions[{number}]", str(error), "a legal action") from error
        if self.result is not None:
            for name, value in msgspec.structs.asdict(Result.of(game, state)).items():
                if (written := getattr(self.result, name)) != value:
                    raise self._error(f"result.{name}", shown(written, MAX_MESSAGE), f"{value}, as the game is played")
        return state

    def load(self) -> Game:
        """The game by its recorded name and options. RecordError if it cannot be loaded."""
        try:
            check_registered(self.game)
            return load(self.game, **self.options)
        except (ValueError, TypeError) as error:
            what = f"{shown(self.game)} with {shown(self.options, MAX_MESSAGE)}"
            problem = f"{what}: {shortened(str(error), MAX_MESSAGE)}"
            raise self._error("game", problem, "a game and options that can be loaded") from error

    def _check_game(self, game: Game) -> None:
        for place, written, now in (
            ("game", self.game, game.name),
            ("options", self.options, _plain_options(game)),
            ("rules", self.rules, game.rules_version),
        ):
            if not _same(written, now):
                raise self._error(place, shown(written, MAX_MESSAGE), f"{now!r}, as the game that replays has")
        if len(self.agents) not in (0, game.num_players):
            raise self._error("agents", f"{len(self.agents)} of them", f"none or {game.num_players}, one a seat")
        if self.deck != game.deck_hash:
            advice = f"load the game with the record's deck, cf.load({game.name!r}, ..., deck=FILE)"
            advice += ", and call record.replay(game)"
            if "deck" in self.options:  # a generated one
                advice = f"replay it with version {shown(self.package)} of the package, which generated it"
            problem = f"another deck (hash {shown(self.deck)})"
            raise self._error("deck", problem, f"that of the game that replays (hash {game.deck_hash!r}); {advice}")

    def _error(self, place: str, problem: str, expected: str) -> RecordError:
        return RecordError(self.file, place, problem, expected)


def record_game(
    game: Game,
    agents: Sequence[str | AnyAgent] | str | AnyAgent,
    seed: int,
    *,
    max_actions: int | None = None,
) -> GameRecord:
    """Play the game dealt by `seed` and record it.

    Args:
        game: any game of P players.
        agents: P agents by seat, or one for all seats; or their names, as for `cf.make_agent`. A callable
            `(observation, mask) -> action` gets the seat's `game.observe` and the (A,) int8 mask. A search agent, with
            `choose(state, player) -> action`, gets a position in which all that its seat cannot know is redealt.
            `reset(seed)` is called first if it is defined.
        seed: the seed of the deal. The agents' seeds are `agent_seed(game, state, seat)`, which hide it.
        max_actions: stop after this many actions, with a result that is not over.

    Raises:
        ValueError: not one agent per seat, an unknown name, or an invalid seed.
        TypeError: `game` is not a loaded game, an agent is not one, or its answer is not an integer.
        IllegalActionError: an agent chose an illegal action. Both errors name agent, seat, and decision, as does a note
            with an error of the agent's own.
    """
    seed = as_seed(seed)
    max_actions = None if max_actions is None else as_integer("max_actions", max_actions, 0)
    players = _by_seat(game, agents)
    state = game.new(seed)
    begun: set[int] = set()
    actions: list[int] = []

    def named(seat: int) -> AbstractContextManager[None]:
        where = f"seat {seat}, deal {seed}, decision {len(actions)}"
        return naming(lambda: f"agent {shown(players[seat])} ({where})")

    for seat, agent in enumerate(players):
        if id(agent) not in begun:  # reset an agent of several seats once
            with named(seat):
                reset_agent(agent, agent_seed(game, state, seat))
            begun.add(id(agent))
    while not game.is_over(state) and (max_actions is None or len(actions) < max_actions):
        player = game.current_player(state)
        with named(player):
            action = decide(game, players[player], state)
            after = game.clone(state)
            game.apply(after, action)
        for seat, agent in enumerate(players):
            with named(seat):
                tell(game, {seat: agent}, state, action)
        state = after
        actions.append(action)
    return GameRecord.of(game, seed, actions, state, _names(agents, game.num_players))


def _by_seat(game: Game, agents: Any) -> list[AnyAgent]:
    """An agent for every seat: the given ones, those made by name, or a single one repeated."""
    from . import make_agent  # late, because records do not depend on agents

    check_game(game)
    given = one_for_each(agents, game.num_players)
    players = [make_agent(agent, game) if isinstance(agent, str) else agent for agent in given]
    for number, agent in enumerate(players):
        reason = refusal(agent, game)
        if reason is not None:
            raise TypeError(f"agent {number}: {reason}, got {shown(agent)}")
    if len(players) != game.num_players:
        raise ValueError(f"{game.num_players} agents are needed, or one for all; got {len(players)}")
    return players


def _names(agents: Any, players: int) -> list[str | None]:
    """The agents' names by seat, None for those that were not given by name; empty if none was."""
    names = [agent if isinstance(agent, str) else None for agent in one_for_each(agents, players)]
    return names if any(names) else []


def _plain_options(game: Game) -> dict[str, Any]:
    """The options without a deck's file; the deck's hash identifies it."""
    return {name: value for name, value in game.options.items() if name != "deck" or is_generated(value)}


def _same(one: object, other: object) -> bool:
    """Whether the values are equal as JSON, where 1 differs from `true` and 1.0."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def parsed(content: bytes, kind: type[T], file: str) -> T:
    """The JSON document, or the lines of an older release, as a value of this type.

    Raises:
        RecordError: it is no JSON, or does not fit the type; says where in the document, what is there, and what fits.
    """
    try:
        value: T = read(kind, document_of(content)) if is_lines(content) else read_json(kind, content)
    except ReadError as error:
        raise RecordError(file, field_at(error.path), error.found, error.expected) from None
    return value
