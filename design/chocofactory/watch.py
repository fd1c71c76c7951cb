"""The log of a game for the balance report, recorded while it is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import chocofactory_env as cf
from arena.chocofactory.solo_benchmark import objectives_of
from chocofactory_env import Game
from chocofactory_env.games.chocofactory.vocabulary import NAME, OWN_ORDERS, Phase, day_of, phase_of

from ..watch import GameRecorder, GameWatch

VERBS = ("draft_part", "draft_employee", "choose_order")  # decisions in which agents waver


@dataclass(frozen=True)
class Setting:
    """The variant, and the number of games; the seeds are 0, 1, 2 and so on."""

    players: int
    difficulty: int
    games: int
    expansion: str | None = None

    def load(self) -> Game:
        """Load the base game with sides A, or an expansion with drawn sides, so that all of them are seen."""
        options: dict[str, Any] = {"difficulty": self.difficulty} if self.players == 1 else {}
        if self.expansion:
            options |= {"expansion": self.expansion, "sides": "random"}
        return cf.load(NAME, num_players=self.players, **options)


@dataclass(frozen=True)
class Seat:
    """One player's game."""

    won: bool
    score: int
    money: tuple[int, ...]  # by source
    coal: int
    tracks: dict[str, int]  # by store; with drawn sides, by store and side
    parts: tuple[str, ...]  # drafted
    owned: Counter[str]  # days that a part stood in the factory
    operated: Counter[str]
    employees: tuple[str, ...]
    held: tuple[str, ...]  # corner-shop orders, Special Orders left aside
    completed: tuple[str, ...]


@dataclass(frozen=True)
class Log:
    """One game; seats are in the turn order of day 1."""

    wavering: bool
    seats: tuple[Seat, ...]
    parts: tuple[str, ...]  # shown on the displays
    employees: tuple[str, ...]
    offers: tuple[tuple[str, tuple[str, ...]], ...]  # the order taken, and all orders offered
    cards: tuple[str, ...]  # the solo game's target and demands
    failed: tuple[str, ...]  # the solo game's objectives


class Recorder(GameRecorder[Log]):
    def __init__(self, game: Game, seed: int, wavering: bool) -> None:
        super().__init__(game, wavering)
        self._seats = range(game.num_players)
        self._seen: tuple[int, Phase] | None = None
        first = game.to_dict(game.new(seed=seed))
        self._start = first["start_player"]
        self._factories = [player["factory"] for player in first["players"]]
        self._held = [[order for order in player["orders"][:OWN_ORDERS] if order] for player in first["players"]]
        self._drafted: list[list[str]] = [[] for _ in self._seats]
        self._employees: list[list[str]] = [[] for _ in self._seats]
        self._owned: list[Counter[str]] = [Counter() for _ in self._seats]
        self._operated: list[Counter[str]] = [Counter() for _ in self._seats]
        self._parts_shown: list[str] = []
        self._employees_shown: list[str] = []
        self._offers: list[tuple[str, tuple[str, ...]]] = []

    def before(self, state: Any, player: int, action: int) -> None:
        now = day_of(state), phase_of(state)
        if now != self._seen and now[1] == Phase.DRAFT:
            self._note_display(self._game.to_dict(state))
        elif now != self._seen and now[1] == Phase.RUN:
            self._note_drafted(self._game.to_dict(state)["players"])
        self._seen = now
        verb, argument = self._game.decode(action)
        if verb == "operate":
            self._operated[player][self._factories[player][argument]] += 1
        elif verb == "choose_order":
            offer = list(self._game.to_dict(state)["offer"].values())
            self._held[player].append(offer[argument])
            self._offers.append((offer[argument], tuple(order for order in offer if order)))

    def _note_display(self, position: Mapping[str, Any]) -> None:
        self._parts_shown += [part for part in position["display_parts"] if part]
        self._employees_shown += [employee for employee in position["display_employees"].values() if employee]

    def _note_drafted(self, players: Sequence[Mapping[str, Any]]) -> None:
        for seat, player in enumerate(players):
            self._drafted[seat] += sorted({*player["factory"]} - {*self._factories[seat], None})
            self._employees[seat].append(player["employee"])
            self._owned[seat].update(part for part in player["factory"] if part)
            self._factories[seat] = player["factory"]

    def _log(self, state: Any) -> Log:
        position = self._game.to_dict(state)
        cards = [position["target"], *position["demands"][: position["num_demands"]]]
        solo = len(self._seats) == 1
        drawn = position["options"]["sides"] == "random"
        order = [(self._start + place) % len(self._seats) for place in self._seats]
        names = {store: f"{store}-{side.lower()}" if drawn else store for store, side in position["sides"].items()}
        return Log(
            wavering=self._wavering,
            seats=tuple(self._seat(state, position["players"][seat], seat, names) for seat in order),
            parts=tuple(self._parts_shown),
            employees=tuple(self._employees_shown),
            offers=tuple(self._offers),
            cards=tuple(cards) if solo else (),
            failed=self._failed(state) if solo else (),
        )

    def _seat(self, state: Any, player: Mapping[str, Any], seat: int, stores: Mapping[str, str]) -> Seat:
        return Seat(
            won=bool(self._game.won(state)[seat]),
            score=int(self._game.scores(state)[seat]),
            money=tuple(self._game.score_sheets(state)[seat].tolist()),  # type: ignore[attr-defined]
            coal=player["coal"],
            tracks={stores[store]: place for store, place in player["track"].items()},
            parts=tuple(self._drafted[seat]),
            owned=self._owned[seat],
            operated=self._operated[seat],
            employees=tuple(self._employees[seat]),
            held=tuple(self._held[seat]),
            completed=tuple(order for order in player["pile"] if order in self._held[seat]),
        )

    def _failed(self, state: Any) -> tuple[str, ...]:
        satisfied = self._game.observe(state, 0)["satisfied"]
        return tuple(name for name, done in zip(objectives_of(self._game), satisfied, strict=True) if not done)


@dataclass(frozen=True)
class Watch(GameWatch[Log]):
    verbs = VERBS

    def recorder(self, game: Game, seed: int, wavering: bool) -> Recorder:
        return Recorder(game, seed, wavering)
