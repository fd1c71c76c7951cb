"""Games on file, one JSON object per line: first the deal, then a line per action, and last the result.

    {"schema": 1, "game": "chocofactory", "options": {...}, "deck": "...", "rules": 2, "package": "0.1.0", "seed": 7}
    {"number": 0, "player": 2, "action": 3, "description": "draft part 3"}
    {"actions": 412, "over": true, "scores": [61, 48], "ranking": [0, 1], "won": [true, false]}

A record holds no positions: replaying plays the actions from the deal. A replay is exact or refused. `rules` is the
game's `rules_version`, which rises whenever old records may play differently; `package` is for information only.

A record may come from a stranger. So it is read only from a regular file of at most `MAX_BYTES`, in lines of at most
`MAX_LINE`. Lists and objects are nested at most `MAX_LEVELS` deep, and numbers have at most `MAX_DIGITS` digits.
A record has the hash of the deck. Its options name a generated deck, but never a deck's file: to replay a game with
your own deck, load the game with that deck and pass it to `replay`.
"""

from __future__ import annotations

import codecs
import io
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import numpy as np

from . import __version__
from .core.agents.agent import AnyAgent, agent_seed, decide, naming, one_for_each, refusal, reset_agent
from .core.agents.moves import tell
from .core.cards.generated import is_generated
from .core.checks import as_integer, as_seed
from .core.files import UnfitFileError, read_file, write_text
from .core.game import Game, IllegalActionError, State
from .core.messages import shortened, shown
from .core.strict_json import parse_json
from .registry import check_registered, load

SCHEMA = 1
HEADER = {"schema": int, "game": str, "options": dict, "deck": str, "rules": int, "package": str, "seed": int}
ACTION = {"number": int, "player": int, "action": int, "description": str}
RESULT = {"actions": int, "over": bool, "scores": list, "ranking": list, "won": list}
MAX_BYTES = 10_000_000  # a game of 4,000 actions takes 400,000
MAX_LINE = 100_000  # bytes; an action takes 100
MAX_LEVELS = 8
MAX_DIGITS = 19  # of a 64-bit integer
MAX_MESSAGE = 300  # characters of a quoted message
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_BRACKET = re.compile(rb"[\[\]{}]")
_WORDS = {int: "a whole number", str: "a string", dict: "an object", list: "a list", bool: "true or false"}


class RecordError(ValueError):
    """A record that cannot be trusted. `file`, `line` (from 1), `problem`, and `expected` say where and why."""

    def __init__(self, file: str, line: int, problem: str, expected: str) -> None:
        super().__init__(file, line, problem, expected)  # all of them, for pickling
        self.file = file
        self.line = line
        self.problem = problem
        self.expected = expected

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}: {self.problem}; expected {self.expected}"


@dataclass(frozen=True, slots=True)
class RecordedAction:
    """One line of the game."""

    player: int
    action: int
    description: str


@dataclass
class GameRecord:
    """One game, from its deal on.

    Attributes:
        header: the keys of `HEADER`.
        actions: the actions in the order of play.
        result: the keys of `RESULT`; None while the record is being made.
        file: the file that it was read from, for messages.
    """

    header: dict[str, Any]
    actions: list[RecordedAction] = field(default_factory=list)
    result: dict[str, Any] | None = None
    file: str = field(default="<record>", compare=False)

    @classmethod
    def begin(cls, game: Game, seed: int) -> GameRecord:
        """Begin the record of the game that starts with `game.new(seed)`."""
        header = {
            "schema": SCHEMA,
            "game": game.name,
            "options": _plain_options(game),
            "deck": game.deck_hash,
            "rules": game.rules_version,
            "package": __version__,
            "seed": as_seed(seed),
        }
        return cls(header)

    def add(self, game: Game, state: State, action: int) -> None:
        """Record `action`, which is about to be applied to `state`."""
        self.actions.append(RecordedAction(game.current_player(state), int(action), game.describe(int(action))))

    def finish(self, game: Game, state: State) -> None:
        """Record the result, even of an unfinished game."""
        self.result = _result(game, state, len(self.actions))

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the file, whole or not at all.

        Raises:
            ValueError: the record is not finished.
        """
        write_text(Path(path), self.text())

    def text(self) -> str:
        """The text of the file.

        Raises:
            ValueError: the record is not finished.
        """
        if self.result is None:
            raise ValueError("a record is written with its result: call finish(game, state) first")
        lines = [json.dumps(self.header)]
        for number, each in enumerate(self.actions):
            line = {"number": number, "player": each.player, "action": each.action, "description": each.description}
            lines.append(json.dumps(line))
        lines.append(json.dumps(self.result))
        return "\n".join(lines) + "\n"

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> GameRecord:
        """Read a file and check its form; `replay` checks its content.

        Raises:
            RecordError: no file can have this name; the file is not regular, or too large; a line is missing, is not a
                JSON object, or has missing or additional keys; the schema is another; or the options name a deck's
                file.
            OSError: the file cannot be read.
        """
        file = os.fspath(path)
        lines = _lines(file)
        number, header = next(lines, (1, None))
        if header is None:
            raise RecordError(file, 1, "the file is empty", f"a line with {_names(HEADER)}")
        if header.get("schema") != SCHEMA:
            raise RecordError(file, 1, f"schema is {shown(header.get('schema'))}", f"schema {SCHEMA}")
        _check_keys(file, 1, header, HEADER)
        if "deck" in header["options"] and not is_generated(header["options"]["deck"]):
            expected = "a generated deck or none (load the game with its deck: replay(game))"
            raise RecordError(file, 1, f"options name the deck {shown(header['options']['deck'])}", expected)
        actions: list[RecordedAction] = []
        for number, line in lines:
            if "actions" in line:
                break
            _check_keys(file, number, line, ACTION)
            if line["number"] != len(actions):
                raise RecordError(file, number, f"action number {shown(line['number'])}", f"number {len(actions)}")
            actions.append(RecordedAction(line["player"], line["action"], line["description"]))
        else:
            raise RecordError(file, number, "the record ends without a result", f"a line with {_names(RESULT)}")
        _check_keys(file, number, line, RESULT)
        if line["actions"] != len(actions):
            problem = f"the result counts {shown(line['actions'])} actions"
            raise RecordError(file, number, problem, f"{len(actions)}, as many as there are lines")
        for after, _ in lines:
            raise RecordError(file, after, "a line after the result", "the end of the file")
        return cls(header, actions, line, file)

    def replay(self, game: Game | None = None) -> State:
        """Play the record, and return the position at its end.

        `game` is needed only for your own deck; by default the game is loaded by its recorded name and options.

        Raises:
            RecordError: the game, options, deck, or rules differ; an action is another player's, illegal, or not what
                its description says; or the result differs.
        """
        game = self._game(game)
        try:
            state = game.new(self.header["seed"])
        except (ValueError, OverflowError) as error:
            problem = f"seed {shown(self.header['seed'])}: {shortened(str(error), MAX_MESSAGE)}"
            raise self._error(1, problem, "a seed of this game") from error
        for number, each in enumerate(self.actions):
            line = number + 2
            player = game.current_player(state)
            if player < 0:
                raise self._error(line, "an action after the end of the game", "the result")
            if each.player != player:
                raise self._error(line, f"player {shown(each.player)} acts", f"player {player}")
            try:
                words = game.describe(each.action)
            except (IndexError, ValueError):
                raise self._error(
                    line, f"action {shown(each.action)}", f"a number in 0..{game.num_actions - 1}"
                ) from None
            if words != each.description:
                raise self._error(line, f"action {each.action} is called {shown(each.description)}", repr(words))
            try:
                game.apply(state, each.action)
            except IllegalActionError as error:
                raise self._error(line, str(error), "a legal action") from error
        if self.result is not None:
            result = _result(game, state, len(self.actions))
            for key, value in result.items():
                if not _same(self.result[key], value):
                    raise self._error(len(self.actions) + 2, f"{key} is {shown(self.result[key])}", str(value))
        return state

    def _game(self, game: Game | None) -> Game:
        header = self.header
        if game is None:
            try:
                check_registered(header["game"])
                game = load(header["game"], **header["options"])
            except (ValueError, TypeError) as error:
                why = shortened(str(error), MAX_MESSAGE)
                problem = f"game {shown(header['game'])} with options {shown(header['options'], MAX_MESSAGE)}: {why}"
                raise self._error(1, problem, "a game and options that can be loaded") from error
        for what, written, now in (
            ("game", header["game"], game.name),
            ("options", header["options"], _plain_options(game)),
            ("rules", header["rules"], game.rules_version),
        ):
            if not _same(written, now):
                raise self._error(
                    1, f"{what} {shown(written, MAX_MESSAGE)}", f"{now!r}, those of the game that replays"
                )
        if header["deck"] != game.deck_hash:
            problem = f"the record was played with another deck (hash {shown(header['deck'])})"
            advice = f"load the game with the record's deck, cf.load({game.name!r}, ..., deck=FILE)"
            advice += ", and call record.replay(game)"
            if "deck" in header["options"]:  # a generated one
                advice = f"replay it with version {shown(header['package'])} of the package, which generated it"
            raise self._error(1, problem, f"the deck of the game that replays it (hash {game.deck_hash!r}); {advice}")
        return game

    def _error(self, line: int, problem: str, expected: str) -> RecordError:
        return RecordError(self.file, line, problem, expected)


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
        TypeError: an agent is not one, or its answer is not an integer.
        IllegalActionError: an agent chose an illegal action. Both errors name agent, seat, and decision, as does a note
            with an error of the agent's own.
    """
    seed = as_seed(seed)
    max_actions = None if max_actions is None else as_integer("max_actions", max_actions, 0)
    players = _by_seat(game, agents)
    state = game.new(seed)
    begun: set[int] = set()
    record = GameRecord.begin(game, seed)

    def named(seat: int) -> AbstractContextManager[None]:
        where = f"seat {seat}, deal {seed}, decision {len(record.actions)}"
        return naming(lambda: f"agent {shown(players[seat])} ({where})")

    for seat, agent in enumerate(players):
        if id(agent) not in begun:  # reset an agent of several seats once
            with named(seat):
                reset_agent(agent, agent_seed(game, state, seat))
            begun.add(id(agent))
    while not game.is_over(state) and (max_actions is None or len(record.actions) < max_actions):
        player = game.current_player(state)
        with named(player):
            action = decide(game, players[player], state)
            after = game.clone(state)
            game.apply(after, action)  # first, because illegal actions may have no description
        for seat, agent in enumerate(players):
            with named(seat):
                tell(game, {seat: agent}, state, action)
        state = after
        record.actions.append(RecordedAction(player, action, game.describe(action)))
    record.finish(game, state)
    return record


def _by_seat(game: Game, agents: Any) -> list[AnyAgent]:
    """An agent for every seat: the given ones, those made by name, or a single one repeated."""
    from . import make_agent  # late, because records do not depend on agents

    given = one_for_each(agents, game.num_players)
    players = [make_agent(agent, game) if isinstance(agent, str) else agent for agent in given]
    for number, agent in enumerate(players):
        reason = refusal(agent, game)
        if reason is not None:
            raise TypeError(f"agent {number}: {reason}, got {shown(agent)}")
    if len(players) != game.num_players:
        raise ValueError(f"{game.num_players} agents are needed, or one for all; got {len(players)}")
    return players


def _plain_options(game: Game) -> dict[str, Any]:
    """The options as read back from JSON, without a deck's file; the deck's hash identifies it."""
    options = {name: value for name, value in game.options.items() if name != "deck" or is_generated(value)}
    return cast(dict[str, Any], json.loads(json.dumps(options)))


def _result(game: Game, state: State, actions: int) -> dict[str, Any]:
    return {
        "actions": actions,
        "over": bool(game.is_over(state)),
        "scores": np.asarray(game.scores(state)).tolist(),
        "ranking": np.asarray(game.ranking(state)).tolist(),
        "won": np.asarray(game.won(state)).tolist(),
    }


def _same(one: object, other: object) -> bool:
    """Whether the values are equal as JSON, where 1 differs from `true` and 1.0."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _lines(file: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the JSON objects of the file lazily, with their line numbers from 1."""
    try:
        content = read_file(file, MAX_BYTES)
    except UnfitFileError as error:
        raise RecordError(file, 1, f"the file is {error.got}", error.expected) from error
    except ValueError as error:  # as of a null byte
        raise RecordError(file, 1, f"no file can have this name: {error}", "the name of a file") from error
    for number, line in enumerate(io.BytesIO(content), 1):
        yield number, _parse(file, number, line)


def _parse(file: str, line: int, text: bytes) -> dict[str, Any]:
    if len(text) > MAX_LINE:
        raise RecordError(file, line, f"a line of {len(text):,} bytes", f"at most {MAX_LINE:,}")
    if text.startswith(codecs.BOM_UTF8):
        raise RecordError(file, line, "a byte order mark", "UTF-8 without one")
    if _levels(text) > MAX_LEVELS:
        raise RecordError(file, line, f"more than {MAX_LEVELS} levels", "lists and objects in each other less deep")
    try:
        value = parse_json(text.decode("utf-8"), MAX_DIGITS)
    except ValueError as error:
        raise RecordError(file, line, f"no JSON: {shortened(str(error), MAX_MESSAGE)}", "one JSON object") from None
    if not isinstance(value, dict):
        raise RecordError(file, line, f"{type(value).__name__}, not an object", "one JSON object")
    return value


def _levels(text: bytes) -> int:
    """The nesting depth of lists and objects, without parsing them."""
    most = text.count(b"[") + text.count(b"{")
    if most <= MAX_LEVELS:
        return most
    level = most = 0
    for bracket in _BRACKET.finditer(_STRING.sub(b"", text)):
        level += 1 if bracket.group() in b"[{" else -1
        most = max(most, level)
    return most


def _check_keys(file: str, line: int, value: Mapping[str, Any], wanted: Mapping[str, type]) -> None:
    if value.keys() != wanted.keys():
        raise RecordError(file, line, f"keys {shortened(_names(value), MAX_MESSAGE)}", f"keys {_names(wanted)}")
    for key, kind in wanted.items():
        if type(value[key]) is not kind:
            raise RecordError(file, line, f"{key} is {shown(value[key])}", f"{_WORDS[kind]}")


def _names(keys: Iterable[str]) -> str:
    return ", ".join(keys)
