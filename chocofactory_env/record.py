"""Games on file, one JSON object a line: first which game was dealt, then a line per action, last the result.

    {"schema": 1, "game": "chocofactory", "options": {...}, "deck": "...", "rules": 2, "package": "0.1.0", "seed": 7}
    {"number": 0, "player": 2, "action": 3, "description": "draft part 3"}
    {"actions": 412, "over": true, "scores": [61, 48], "ranking": [0, 1], "won": [true, false]}

A record holds no positions: replaying plays the actions from the deal. It is exact or refused. `rules` is the game's
`rules_version`, which rises with every change after which old records may play differently; `package` only informs.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import numpy as np

from . import __version__
from .core.game import Game, IllegalActionError, State
from .registry import load

SCHEMA = 1
HEADER = {"schema": int, "game": str, "options": dict, "deck": str, "rules": int, "package": str, "seed": int}
ACTION = {"number": int, "player": int, "action": int, "description": str}
RESULT = {"actions": int, "over": bool, "scores": list, "ranking": list, "won": list}
_WORDS = {int: "a whole number", str: "a string", dict: "an object", list: "a list", bool: "true or false"}

Agent = Callable[[Any, np.ndarray], Any]


class RecordError(ValueError):
    """A record that cannot be trusted. `file`, `line` (from 1), `problem` and `expected` say where and why."""

    def __init__(self, file: str, line: int, problem: str, expected: str) -> None:
        super().__init__(file, line, problem, expected)  # all of them, so that it can be pickled
        self.file = file
        self.line = line
        self.problem = problem
        self.expected = expected

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}: {self.problem}; expected {self.expected}"


@dataclass(frozen=True)
class RecordedAction:
    """One line of the game."""

    player: int
    action: int
    description: str


@dataclass
class GameRecord:
    """One game from its deal on.

    Attributes:
        header: the keys of `HEADER`.
        actions: in the order in which they were played.
        result: the keys of `RESULT`; None while the record is being made.
        file: where it was read from, for messages.
    """

    header: dict[str, Any]
    actions: list[RecordedAction] = field(default_factory=list)
    result: dict[str, Any] | None = None
    file: str = field(default="<record>", compare=False)

    @classmethod
    def begin(cls, game: Game, seed: int) -> GameRecord:
        """The record of the game that begins with `game.new(seed)`."""
        header = {
            "schema": SCHEMA,
            "game": game.name,
            "options": _plain_options(game),
            "deck": game.deck_hash,
            "rules": game.rules_version,
            "package": __version__,
            "seed": int(seed),
        }
        return cls(header)

    def add(self, game: Game, state: State, action: int) -> None:
        """Note `action`, which is about to be applied to `state`."""
        self.actions.append(RecordedAction(game.current_player(state), int(action), game.describe(int(action))))

    def finish(self, game: Game, state: State) -> None:
        """Note the result; also of a game that is left before its end."""
        self.result = _result(game, state, len(self.actions))

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the file, whole or not at all.

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
        target = Path(path)
        unfinished = target.with_name(target.name + ".part")
        unfinished.write_text("\n".join(lines) + "\n", encoding="utf-8")
        unfinished.replace(target)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> GameRecord:
        """Read a file and check its form; `replay` checks what it says.

        Raises:
            RecordError: a line is missing, is no JSON object, or lacks or adds a key; or another schema.
            OSError: the file cannot be read.
        """
        file = os.fspath(path)
        raw = Path(path).read_bytes().split(b"\n")
        if raw and not raw[-1]:
            raw.pop()
        lines = [_parse(file, number, text) for number, text in enumerate(raw, 1)]
        if not lines:
            raise RecordError(file, 1, "the file is empty", f"a line with {_names(HEADER)}")
        header = lines[0]
        if header.get("schema") != SCHEMA:
            raise RecordError(file, 1, f"schema is {header.get('schema')!r}", f"schema {SCHEMA}")
        _check_keys(file, 1, header, HEADER)
        if len(lines) < 2 or "actions" not in lines[-1]:
            raise RecordError(file, len(lines), "the record ends without a result", f"a line with {_names(RESULT)}")
        _check_keys(file, len(lines), lines[-1], RESULT)
        actions = []
        for number, line in enumerate(lines[1:-1]):
            _check_keys(file, number + 2, line, ACTION)
            if line["number"] != number:
                raise RecordError(file, number + 2, f"action number {line['number']}", f"number {number}")
            actions.append(RecordedAction(line["player"], line["action"], line["description"]))
        if lines[-1]["actions"] != len(actions):
            problem = f"the result counts {lines[-1]['actions']} actions"
            raise RecordError(file, len(lines), problem, f"{len(actions)}, as many as there are lines")
        return cls(header, actions, lines[-1], file)

    def replay(self, game: Game | None = None) -> State:
        """The position at the end of the record, reached by playing it.

        `game` is needed only for a deck of one's own; by default the game is loaded by the name and options recorded.

        Raises:
            RecordError: another game, options, deck or rules; an action that is not this player's, not legal or not
                what its description says; a result that does not come out.
        """
        game = self._game(game)
        try:
            state = game.new(self.header["seed"])
        except (ValueError, OverflowError) as error:
            raise self._error(1, f"seed {self.header['seed']}: {error}", "a seed of this game") from error
        for number, each in enumerate(self.actions):
            line = number + 2
            player = game.current_player(state)
            if player < 0:
                raise self._error(line, "an action after the end of the game", "the result")
            if each.player != player:
                raise self._error(line, f"player {each.player} acts", f"player {player}")
            try:
                words = game.describe(each.action)
            except (IndexError, ValueError):
                raise self._error(line, f"action {each.action}", f"a number in 0..{game.num_actions - 1}") from None
            if words != each.description:
                raise self._error(line, f"action {each.action} is called {each.description!r}", repr(words))
            try:
                game.apply(state, each.action)
            except IllegalActionError as error:
                raise self._error(line, f"illegal: {error}", "a legal action") from error
        if self.result is not None:
            result = _result(game, state, len(self.actions))
            for key, value in result.items():
                if self.result[key] != value:
                    raise self._error(len(self.actions) + 2, f"{key} is {self.result[key]}", str(value))
        return state

    def _game(self, game: Game | None) -> Game:
        header = self.header
        if game is None:
            try:
                game = load(header["game"], **header["options"])
            except (ValueError, TypeError) as error:
                problem = f"game {header['game']!r} with options {header['options']}: {error}"
                raise self._error(1, problem, "a game and options that can be loaded") from error
        for what, written, now in (
            ("game", header["game"], game.name),
            ("options", header["options"], _plain_options(game)),
            ("rules", header["rules"], game.rules_version),
        ):
            if written != now:
                raise self._error(1, f"{what} {written!r}", f"{now!r}, those of the game that replays")
        if header["deck"] != game.deck_hash:
            expected = f"{game.deck_hash!r}, that of the game that replays (load the game with its deck: replay(game))"
            raise self._error(1, f"deck {header['deck']!r}", expected)
        return game

    def _error(self, line: int, problem: str, expected: str) -> RecordError:
        return RecordError(self.file, line, problem, expected)


def record_game(
    game: Game,
    agents: Sequence[Agent] | Agent,
    seed: int,
    *,
    max_actions: int | None = None,
) -> GameRecord:
    """Play the game dealt by `seed` and record it.

    Args:
        game: any game of P players.
        agents: P callables `(observation, mask) -> action` by seat, or one for all. They get what `game.observe`
            shows their seat and the (A,) int8 mask. Whoever has a method `reset(seed)` is told first.
        seed: of the deal; the agents' seeds are drawn from it.
        max_actions: stop there, with a result that is not over.

    Raises:
        ValueError: not one agent per seat.
        IllegalActionError: an agent chose what is not legal.
    """
    players: list[Agent] = [agents] * game.num_players if callable(agents) else list(agents)
    if len(players) != game.num_players:
        raise ValueError(f"{game.num_players} agents are needed, or one for all; got {len(players)}")
    seeds = np.random.default_rng(seed).integers(2**31, size=len(players)).tolist()
    for agent, own_seed in {id(agent): (agent, own) for agent, own in zip(players, seeds, strict=True)}.values():
        tell = getattr(agent, "reset", None)
        if tell is not None:
            tell(own_seed)
    state = game.new(seed)
    record = GameRecord.begin(game, seed)
    while not game.is_over(state) and (max_actions is None or len(record.actions) < max_actions):
        player = game.current_player(state)
        action = int(players[player](game.observe(state, player), game.legal_mask(state)))
        game.apply(state, action)  # first, so that it refuses what cannot be described
        record.actions.append(RecordedAction(player, action, game.describe(action)))
    record.finish(game, state)
    return record


def _plain_options(game: Game) -> dict[str, Any]:
    """The options as JSON gives them back; the deck is told by its hash."""
    options = {name: value for name, value in game.options.items() if name != "deck"}
    return cast(dict[str, Any], json.loads(json.dumps(options)))


def _result(game: Game, state: State, actions: int) -> dict[str, Any]:
    return {
        "actions": actions,
        "over": bool(game.is_over(state)),
        "scores": np.asarray(game.scores(state)).tolist(),
        "ranking": np.asarray(game.ranking(state)).tolist(),
        "won": np.asarray(game.won(state)).tolist(),
    }


def _parse(file: str, line: int, text: bytes) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise RecordError(file, line, f"no JSON: {error}", "one JSON object") from None
    if not isinstance(value, dict):
        raise RecordError(file, line, f"{type(value).__name__}, not an object", "one JSON object")
    return value


def _check_keys(file: str, line: int, value: Mapping[str, Any], wanted: Mapping[str, type]) -> None:
    if value.keys() != wanted.keys():
        raise RecordError(file, line, f"keys {_names(value)}", f"keys {_names(wanted)}")
    for key, kind in wanted.items():
        if type(value[key]) is not kind:
            raise RecordError(file, line, f"{key} is {value[key]!r}", f"{_WORDS[kind]}")


def _names(keys: Iterable[str]) -> str:
    return ", ".join(keys)
