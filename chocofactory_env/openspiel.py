"""The games as OpenSpiel games: importing this module registers them with `pyspiel` under their names.

    import pyspiel
    import chocofactory_env.openspiel
    game = pyspiel.load_game("schoko(num_players=3,options=months:6;upset:all)")
    game = chocofactory_env.openspiel.load_game("schoko", num_players=3, months=6, upset="all")  # the same

Chance moves once, at the start. It draws one of `deals` seeds, starting at `first_deal`. The seed decides everything
random in the game. Returns are zero-sum: 1 for a sole winner and -1 / (P - 1) for a loser; tied winners share. The
solo game returns 1 if it is won, else 0.

A chance node may have more outcomes than a seat has actions, and OpenSpiel would write them beyond a seat's mask. So
`legal_actions` and `legal_actions_mask` answer here that seats have none. OpenSpiel's searching bots in C++ cannot play
Python games; see `docs/libraries.md`.

An observation is the seat's own; other kinds of observers are refused. An information state is a string, a digest of
all that the seat has seen and done.
There is no information-state tensor, because it would have to hold the whole history in a fixed size.

Needs `open_spiel` (tested with 2.0.2).
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import Any, ClassVar, Final
from urllib.parse import quote, unquote

import numpy as np
import pyspiel

from .core.cards.generated import is_generated
from .core.checks import SEED_LIMIT, as_integer
from .core.game import Game, State
from .core.kernel.rewards import Reward
from .core.kernel.rules import MAX_SEATS
from .registry import GAMES, load, players_of

TERMINAL: Final = int(pyspiel.PlayerId.TERMINAL)
CHANCE: Final = int(pyspiel.PlayerId.CHANCE)
OWN: Final = pyspiel.PrivateInfoType.SINGLE_PLAYER
MAX_LENGTH: Final = 100_000  # decisions, more than any game takes; OpenSpiel wants a bound
PARAMETERS: Final[Mapping[str, Any]] = {"num_players": 2, "deals": 1_000, "first_deal": 100_000, "options": ""}


def _variant(name: str, num_players: int, options: str) -> Game:
    deck = _options(options).get("deck")
    is_file = deck is not None and not is_generated(deck)  # which may be edited
    return (_kept.__wrapped__ if is_file else _kept)(name, num_players, options)


@lru_cache(maxsize=32)
def _kept(name: str, num_players: int, options: str) -> Game:
    return load(name, num_players=num_players, **_options(options))


def _options(text: str) -> dict[str, Any]:
    """`{"months": 8, "upset": "all"}` of `"months:8;upset:all"`; OpenSpiel reads "=" and "," itself.

    Values are percent-encoded where they hold such characters: `"deck:generated:17%2Cstray%3D1"`.
    """
    options = {}
    for pair in filter(None, text.split(";")):
        name, colon, value = pair.partition(":")
        if not colon:
            raise ValueError(f'options: expected "NAME:VALUE;NAME:VALUE", got {pair!r}')
        value = unquote(value)
        try:
            options[name] = json.loads(value)
        except json.JSONDecodeError:
            options[name] = value
    return options


def load_game(
    name: str, *, num_players: int = 2, deals: int = 1_000, first_deal: int = 100_000, **options: Any
) -> OpenSpielGame:
    """Load a game for OpenSpiel, like `pyspiel.load_game`.

    Args:
        name: name of a registered game.
        deals: number of deals that chance draws from.
        first_deal: seed of the first deal; deals 0 to 99,999 are for measurement.
        options: as for `cf.load`.

    Raises:
        UnknownGameError, TypeError, ValueError: as from `cf.load`.
        ValueError: `deals` or `first_deal` is out of range.
    """
    written = {
        key: value if isinstance(value, str) else json.dumps(value, default=_plain) for key, value in options.items()
    }
    words = ";".join(f"{key}:{quote(value, safe='/:')}" for key, value in written.items())
    parameters = {"num_players": num_players, "deals": deals, "first_deal": first_deal, "options": words}
    _variant(name, num_players, words)
    if name not in _GAMES:
        _register(name)
    _GAMES[name](parameters)  # its errors are Python's own, which `pyspiel` replaces
    game: OpenSpielGame = pyspiel.load_game(name, parameters)
    return game


def _plain(value: Any) -> Any:
    """A path, or a number of NumPy, as JSON takes it."""
    return value.item() if isinstance(value, np.generic) else os.fspath(value)


def _load_registered(text: str) -> Any:
    return pyspiel.load_game(text)


class OpenSpielGame(pyspiel.Game):
    """A variant, `game`, as an OpenSpiel game. Every registered game has a subclass, which sets `name`."""

    name: ClassVar[str]

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        given = {**PARAMETERS, **(parameters or {})}
        self.game = _variant(self.name, given["num_players"], given["options"])
        self.deals = as_integer("deals", given["deals"], 1)
        self.first_deal = as_integer("first_deal", given["first_deal"], 0, SEED_LIMIT - self.deals)
        self.position_dtype = self.game.blank_states(1).dtype
        players = self.game.num_players
        info = pyspiel.GameInfo(
            num_distinct_actions=self.game.num_actions,
            max_chance_outcomes=self.deals,
            num_players=players,
            min_utility=-1 / (players - 1) if players > 1 else 0.0,
            max_utility=1.0,
            utility_sum=0.0 if players > 1 else None,
            max_game_length=MAX_LENGTH,
        )
        super().__init__(_game_type(self.name, players), info, given)

    def __reduce__(self) -> Any:  # through this module, so that where it is read the games are registered
        return _load_registered, (str(self),)

    def new_initial_state(self) -> OpenSpielState:
        return OpenSpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        return 1

    def make_py_observer(
        self, kind: pyspiel.IIGObservationType | None = None, parameters: Mapping[str, Any] | None = None
    ) -> Observer:
        """The observer of a seat's observations or, for `perfect_recall`, of its information states.

        Raises:
            ValueError: parameters, or another kind than all that one seat sees, such as what is public alone.
        """
        if parameters:
            raise ValueError(f"observation: expected no parameters, got {dict(parameters)}")
        if kind is not None and not (kind.public_info and kind.private_info == OWN):
            raise ValueError(
                "observation: expected public_info=True and private_info=SINGLE_PLAYER, all that one seat sees, got "
                f"public_info={kind.public_info} and private_info={kind.private_info.name}"
            )
        return Observer(self.game, recalls=kind is not None and kind.perfect_recall)


class OpenSpielState(pyspiel.State):
    """A position of the game and what its seats have seen so far.

    OpenSpiel copies and pickles the attributes, so they are plain. `_bytes` is the position, None before the deal;
    `_views` holds for every seat a digest of all that it saw and did, and its last raw observation.
    """

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self._bytes: bytearray | None = None
        self._mover: int = CHANCE
        self._views = [(b"", b"")] * game.game.num_players

    @property
    def position(self) -> State:
        """The position for methods of the game, not a copy. Raises ValueError before the deal."""
        if self._bytes is None:
            raise ValueError("position: expected a game that has been dealt")
        return np.frombuffer(self._bytes, self.get_game().position_dtype)

    def _place(self, position: State) -> None:
        self._bytes = bytearray(position.tobytes())
        seat = self.get_game().game.current_player(position)
        self._mover = seat if seat >= 0 else TERMINAL

    def current_player(self) -> int:
        return self._mover

    def is_terminal(self) -> bool:
        return self._mover == TERMINAL

    def legal_actions(self, player: int | None = None) -> list[int]:
        """As OpenSpiel's, but at a chance node seats have none."""
        if player is not None and player != CHANCE and self.is_chance_node():
            return []
        return list(super().legal_actions(*(() if player is None else (player,))))

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        """As OpenSpiel's, but at a chance node the mask of a seat is all 0."""
        if player is not None and player != CHANCE and self.is_chance_node():
            return [0] * self.num_distinct_actions()
        return list(super().legal_actions_mask(*(() if player is None else (player,))))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The deals. Raises ValueError where chance does not move."""
        if not self.is_chance_node():
            raise ValueError("chance_outcomes: expected a chance node, but the game has been dealt")
        deals = self.get_game().deals
        return [(deal, 1 / deals) for deal in range(deals)]

    def _legal_actions(self, player: int) -> list[int]:
        return np.flatnonzero(self.get_game().game.legal_mask(self.position)).tolist()

    def _apply_action(self, action: int) -> None:
        whole, mover = self.get_game(), self._mover
        if self._bytes is None:
            self._place(whole.game.new(whole.first_deal + as_integer("deal", action, 0, whole.deals - 1)))
        else:
            position = self.position
            whole.game.apply(position, action)
            self._place(position)
        self._look({mover: action})

    def _look(self, notes: Mapping[int, int]) -> None:
        """Add to the views what seats see now, if it is new to them, and a number for the seats in `notes`."""
        game, position = self.get_game().game, self.position
        for seat, (digest, last) in enumerate(self._views):
            raw = np.empty(game.observation_layout.raw_size, np.uint8)
            game.write_raw_observation(position, seat, raw)
            seen = raw.tobytes()
            if seat in notes or seen != last:
                note = f"{notes.get(seat, '')} ".encode()
                self._views[seat] = blake2b(digest + note + seen, digest_size=16).digest(), seen

    def _action_to_string(self, player: int, action: int) -> str:
        whole = self.get_game()
        if player < 0:
            return f"deal {whole.first_deal + as_integer('deal', action, 0, whole.deals - 1)}"
        words: str = whole.game.describe(action)
        return words

    def returns(self) -> list[float]:
        game = self.get_game().game
        players = game.num_players
        if not self.is_terminal():
            return [0.0] * players
        shares = Reward(game, "win").at_the_end(self.position)
        returns: list[float] = (shares if players == 1 else (players * shares - 1) / (players - 1)).tolist()
        return returns

    def information_digest(self, player: int) -> str:
        """A digest of all that the seat has seen and done: equal for equal histories, else different.

        Raises TypeError or ValueError if there is no such seat.
        """
        player = as_integer("player", player, 0, len(self._views) - 1)
        return f"seat {player}, {self._views[player][0].hex()}"

    def resample_from_infostate(self, player: int, sample: Callable[[], float]) -> OpenSpielState:
        """A copy in which all that the seat cannot know is drawn afresh, for OpenSpiel's information-set search.

        `history()` still names the true deal. The other seats' information states restart from what they see now,
        because what they saw before is no longer true.
        """
        copy: OpenSpielState = self.clone()
        seed = int(sample() * 2**53)
        copy._place(self.get_game().game.redeal(self.position, player, seed))
        copy._look({seat: seed for seat in range(len(self._views)) if seat != player})
        return copy

    def __str__(self) -> str:
        if self._bytes is None:
            return "before the deal"
        digests = [self.information_digest(seat) for seat in range(len(self._views))]
        return f"{json.dumps(self.get_game().game.to_dict(self.position))} {digests}"


class Observer:
    """OpenSpiel's protocol of observers: `tensor` is flat, `dict` has its named blocks; None and {} with `recalls`."""

    def __init__(self, game: Game, *, recalls: bool) -> None:
        self._game = game
        self._recalls = recalls
        self.tensor = None if recalls else np.zeros(game.observation_layout.size, np.float32)
        self.dict = {} if self.tensor is None else dict(game.observation_layout.tensors(self.tensor))

    def set_from(self, state: OpenSpielState, player: int) -> None:
        player = as_integer("player", player, 0, self._game.num_players - 1)
        if self.tensor is not None:
            self.tensor[:] = 0 if state.is_chance_node() else self._game.observe(state.position, player).flat

    def string_from(self, state: OpenSpielState, player: int) -> str:
        if self._recalls or state.is_chance_node():
            return state.information_digest(player)
        return self._game.prompt(state.position, player, rules=False)


def _game_type(name: str, num_players: int = 2) -> pyspiel.GameType:
    kinds = pyspiel.GameType
    players = players_of(name)
    return pyspiel.GameType(
        short_name=name,
        long_name=name if name not in GAMES else GAMES[name].title or name,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if num_players > 1 else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=max(players, default=MAX_SEATS),
        min_num_players=min(players, default=1),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=dict(PARAMETERS),
    )


_GAMES: dict[str, type[OpenSpielGame]] = {}


def _register(name: str) -> None:
    # A class: OpenSpiel lets go of what it is given after Python has ended, and a function would be freed then.
    _GAMES[name] = type(f"OpenSpielGame_{name}", (OpenSpielGame,), {"name": name})
    pyspiel.register_game(_game_type(name), _GAMES[name])


for _name in GAMES:
    _register(_name)
