"""How well the cards are balanced, measured: thousands of games between sensible agents, reported as Markdown.

    python -m arena.chocofactory.balance --games 2000 --out docs/chocofactory/balance.md
    python -m arena.chocofactory.balance --games 2000 --expansion master_chocolatier \
        --out docs/chocofactory/balance-expansion.md

Greedy agents play every game. In every second game they waver: now and then they draft or take a card at random, so
that cards that they would leave are seen in use too. The same arguments give the same report.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

import chocofactory_env as cf
from agents.protocol import make_agent
from chocofactory_env import Game
from chocofactory_env.core.files import write_text
from chocofactory_env.games.chocofactory.vocabulary import (
    MAX_PLAYERS,
    NAME,
    Phase,
    Side,
    Store,
    day_of,
    phase_of,
    words_of,
)

from ..balance import Wavering, percent, rate, watch_all, winning, with_interval
from ..match import Entrant, play_game, versions
from ..workers import add_workers, workers_of
from .money import SOURCES
from .solo_benchmark import DIFFICULTIES, objectives_of

TABLES = range(2, MAX_PLAYERS + 1)  # numbers of players
AGENT = "greedy"
SIDES = tuple(f"-{side}" for side in words_of(Side))
WAVER = 0.1
VERBS = ("draft_part", "draft_employee", "choose_order")  # of agents that waver


# --- what is noted of a game


@dataclass(frozen=True)
class Setting:
    """What is played how often; the seeds are 0, 1, 2 and so on."""

    players: int
    difficulty: int
    games: int
    expansion: str | None = None

    def load(self) -> Game:
        """The base game with sides A; with an expansion sides are drawn, so that each of them is seen."""
        options: dict[str, Any] = {"difficulty": self.difficulty} if self.players == 1 else {}
        if self.expansion:
            options |= {"expansion": self.expansion, "sides": "random"}
        return cf.load(NAME, num_players=self.players, **options)


@dataclass(frozen=True)
class Seat:
    """One player's game."""

    after_start: int  # seats after the first start player
    won: bool
    money: tuple[int, ...]  # by source
    coal: int
    tracks: dict[str, int]  # by store; where sides were drawn, by store and side
    parts: tuple[str, ...]  # drafted
    owned: Counter[str]  # days on which a part stood in the factory
    operated: Counter[str]
    employees: tuple[str, ...]
    held: tuple[str, ...]  # corner-shop orders, Special Orders left aside
    completed: tuple[str, ...]


@dataclass(frozen=True)
class Log:
    """One game."""

    wavering: bool
    seats: tuple[Seat, ...]
    parts: tuple[str, ...]  # shown on the displays
    employees: tuple[str, ...]
    offers: tuple[tuple[str, tuple[str, ...]], ...]  # the order that was taken, and all that were offered
    cards: tuple[str, ...]  # the solo game's target and demands
    failed: tuple[str, ...]  # the solo game's objectives

    @property
    def decided(self) -> bool:
        """Whether the cards taken are those that the agents meant to take."""
        return not self.wavering


class CardRecorder:
    """Looks on while the game dealt from a seed is played; see `play_game`."""

    def __init__(self, game: Game, seed: int, wavering: bool) -> None:
        self.log: Log | None = None  # there when the game is over
        self._game = game
        self._wavering = wavering
        self._seats = range(game.num_players)
        self._seen: tuple[int, Phase] | None = None
        first = game.to_dict(game.new(seed=seed))
        self._start = first["start_player"]
        self._factories = [player["factory"] for player in first["players"]]
        self._held = [[order["order"] for order in player["orders"] if order] for player in first["players"]]
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
            self._note_display(self._game.to_dict(state)["display"])
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

    def note(self, state: Any, player: int, seconds: float) -> None:
        if self._game.is_over(state):
            self.log = self._log(state)

    def _note_display(self, display: Mapping[str, Any]) -> None:
        self._parts_shown += [part for part in display["parts"] if part]
        self._employees_shown += [employee for employee in display["employees"].values() if employee]

    def _note_drafted(self, players: Sequence[Mapping[str, Any]]) -> None:
        for seat, player in enumerate(players):
            self._drafted[seat] += sorted({*player["factory"]} - {*self._factories[seat], None})
            self._employees[seat].append(player["employee"])
            self._owned[seat].update(part for part in player["factory"] if part)
            self._factories[seat] = player["factory"]

    def _log(self, state: Any) -> Log:
        position = self._game.to_dict(state)
        solo = position["solo"]
        drawn = position["options"]["sides"] == "random"
        names = {store: f"{store}-{side.lower()}" if drawn else store for store, side in position["sides"].items()}
        return Log(
            wavering=self._wavering,
            seats=tuple(self._seat(state, position["players"][seat], seat, names) for seat in self._seats),
            parts=tuple(self._parts_shown),
            employees=tuple(self._employees_shown),
            offers=tuple(self._offers),
            cards=(solo["target"], *solo["demands"]) if solo else (),
            failed=self._failed(state) if solo else (),
        )

    def _seat(self, state: Any, player: Mapping[str, Any], seat: int, stores: Mapping[str, str]) -> Seat:
        return Seat(
            after_start=(seat - self._start) % len(self._seats),
            won=bool(self._game.won(state)[seat]),
            money=tuple(self._game.score_sheets(state)[seat].tolist()),  # type: ignore[attr-defined]
            coal=player["coal"],
            tracks={stores[store]: place for store, place in player["tracks"].items()},
            parts=tuple(self._drafted[seat]),
            owned=self._owned[seat],
            operated=self._operated[seat],
            employees=tuple(self._employees[seat]),
            held=tuple(self._held[seat]),
            completed=tuple(order for order in player["completed"] if order in self._held[seat]),
        )

    def _failed(self, state: Any) -> tuple[str, ...]:
        satisfied = self._game.observe(state, 0)["satisfied"]
        return tuple(name for name, done in zip(objectives_of(self._game), satisfied, strict=True) if not done)


def watch(game: Game, seed: int) -> Log:
    """Play a game; with an odd seed the agents waver."""
    wavering = seed % 2 == 1
    agents: list[Any] = [make_agent(AGENT, game) for _ in range(game.num_players)]
    if wavering:
        agents = [Wavering(game, agent, VERBS, WAVER) for agent in agents]
    recorder = CardRecorder(game, seed, wavering)
    play_game(game, [Entrant(AGENT, agent) for agent in agents], seed, note=recorder.note, before=recorder.before)
    assert recorder.log is not None
    return recorder.log


# --- tables

Row = Sequence[str]


def markdown(head: Row, rows: Iterable[Row]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def seats_of(logs: Iterable[Log]) -> list[Seat]:
    return [seat for log in logs for seat in log.seats]


def count(names: Iterable[Iterable[str]]) -> Counter[str]:
    return Counter(name for some in names for name in some)


def total(counters: Iterable[Counter[str]]) -> Counter[str]:
    result: Counter[str] = Counter()
    for counter in counters:
        result.update(counter)
    return result


ByPlayers = Mapping[int, Sequence[Log]]


def money_table(tables: ByPlayers) -> str:
    rows = []
    for players, logs in tables.items():
        sheets = np.array([seat.money for seat in seats_of(logs)])
        winners = [sum(seat.money) for seat in seats_of(logs) if seat.won]
        low, high = np.percentile(winners, [5, 95])
        rows.append(
            [
                str(players),
                *(f"{mean:.1f}" for mean in sheets.mean(axis=0)),
                f"{sheets.sum(axis=1).mean():.1f}",
                f"{np.mean(winners):.1f}",
                f"{low:.0f} to {high:.0f}",
                percent(sum(90 <= money <= 160 for money in winners), len(winners)),
                f"{np.mean([seat.coal for seat in seats_of(logs)]):.2f}",
            ]
        )
    head = ["players", *SOURCES, "together", "winner", "winner, 5 to 95 %", "winner £90 to £160", "coal left"]
    return markdown(head, rows)


def seat_table(tables: ByPlayers) -> str:
    rows = []
    for players, logs in tables.items():
        wins = Counter(seat.after_start for seat in seats_of(logs) if seat.won)
        by_seat = [with_interval(wins[seat], len(logs)) if seat < players else "" for seat in range(max(TABLES))]
        money = [np.mean([sum(s.money) for s in seats_of(logs) if s.after_start == seat]) for seat in range(players)]
        chance = stats.chisquare([wins[seat] for seat in range(players)]).pvalue
        rows.append([str(players), *by_seat, " / ".join(f"{m:.1f}" for m in money), f"{chance:.3f}"])
    head = ["players", "starts", "second", "third", "fourth", "money by seat", "p if seats were equal"]
    return markdown(head, rows)


def drafted_rates(
    tables: ByPlayers, shown: Callable[[Log], Sequence[str]], taken: Callable[[Seat], Sequence[str]]
) -> dict[str, list[str]]:
    """By card: how often it was drafted of the times that it was on the display, by the number of players."""
    rates: dict[str, list[str]] = defaultdict(list)
    names = sorted(count(shown(log) for logs in tables.values() for log in logs))
    for logs in tables.values():
        decided = [log for log in logs if log.decided]
        there, drafted = count(map(shown, decided)), count(map(taken, seats_of(decided)))
        for name in names:
            rates[name].append(percent(drafted[name], there[name]))
    return rates


def tables_head(tables: ByPlayers) -> list[str]:
    return [f"drafted, {players} players" if players > 1 else "drafted, solo" for players in tables]


def part_table(tables: ByPlayers, solo: Mapping[int, Sequence[Log]]) -> str:
    everyone = seats_of(log for logs in (*tables.values(), *solo.values()) for log in logs)
    owned, operated = total(seat.owned for seat in everyone), total(seat.operated for seat in everyone)
    rates = drafted_rates({**tables, **solo}, lambda log: log.parts, lambda seat: seat.parts)
    won = winning(tables, lambda seat: seat.parts)
    rows = [
        [f"`{part}`", *rates.get(part, ["", "", "", ""]), rate(operated[part], owned[part]), won.get(part, "")]
        for part in sorted(owned)
    ]
    return markdown(["part", *tables_head({**tables, **solo}), "operated a day", "wins / chance"], rows)


def employee_table(tables: ByPlayers, solo: Mapping[int, Sequence[Log]]) -> str:
    rates = drafted_rates({**tables, **solo}, lambda log: log.employees, lambda seat: seat.employees)
    won = winning(tables, lambda seat: seat.employees)
    rows = [[f"`{employee}`", *cells, won.get(employee, "")] for employee, cells in rates.items()]
    return markdown(["employee", *tables_head({**tables, **solo}), "wins / chance"], rows)


def order_table(tables: ByPlayers) -> str:
    logs = [log for some in tables.values() for log in some]
    decided = [log for log in logs if log.decided]
    offered = count(offer for log in decided for _, offer in log.offers)
    taken = Counter(order for log in decided for order, _ in log.offers)
    held, completed = count(seat.held for seat in seats_of(logs)), count(seat.completed for seat in seats_of(logs))
    rows = [
        [f"`{order}`", percent(taken[order], offered[order]), percent(completed[order], held[order])]
        for order in sorted(held)
    ]
    return markdown(["order", "taken when offered", "completed when held"], rows)


def store_table(tables: ByPlayers) -> str:
    rows = []
    played = {store for logs in tables.values() for log in logs for store in log.seats[0].tracks}
    stores = [f"{store}{side}" for store in words_of(Store) for side in ("", *SIDES) if f"{store}{side}" in played]
    for players, logs in tables.items():
        names = sorted({name for log in logs for name in log.seats[0].tracks}, key=stores.index)
        for store in names:
            tracks = np.array(
                [[seat.tracks[store] for seat in log.seats] for log in logs if store in log.seats[0].tracks]
            )
            there = (tracks > 0).sum(axis=1)
            shares = [percent(int((there == number).sum()), len(tracks)) for number in range(max(TABLES) + 1)]
            cells = [f"{there.mean():.2f}", *shares[: players + 1], *[""] * (max(TABLES) - players)]
            means = [f"{tracks.mean():.2f}", f"{tracks.max(axis=1).mean():.2f}"]
            rows.append([str(players), f"`{store}`", *means, *cells])
    head = ["players", "store", "mean track", "best track", "markers above 0"]
    return markdown([*head, *(f"{number} of them" for number in range(max(TABLES) + 1))], rows)


def solo_table(solos: Mapping[int, Sequence[Log]], objectives: Sequence[str]) -> str:
    rows = []
    for difficulty, logs in solos.items():
        failed = count(log.failed for log in logs)
        alone = Counter(log.failed[0] for log in logs if len(log.failed) == 1)
        cells = [f"{percent(failed[name], len(logs))} ({percent(alone[name], len(logs))})" for name in objectives]
        wins = sum(log.seats[0].won for log in logs)
        rows.append([str(difficulty), str(len(logs)), with_interval(wins, len(logs)), *cells])
    return markdown(["difficulty", "games", "won", *(name.replace("_", " ") for name in objectives)], rows)


def manager_table(logs: Sequence[Log]) -> str:
    """Only cards in play count; the last is revealed on day 5."""
    played, won = count(log.cards for log in logs), count(log.cards for log in logs if log.seats[0].won)
    targets = {log.cards[0] for log in logs}
    rows = []
    for card in sorted(played, key=lambda card: (card not in targets, card)):
        sort = "target" if card in targets else "demand"
        rows.append([sort, f"`{card}`", str(played[card]), percent(won[card], played[card])])
    return markdown(["", "card", "games", "won"], rows)


# --- the report


def settings_for(games: int, expansion: str | None = None) -> list[Setting]:
    """So many games for each number of players, and half as many for each difficulty of the solo game."""
    several = [Setting(players, 0, games, expansion) for players in TABLES]
    return several + [Setting(1, difficulty, max(games // 2, 2), expansion) for difficulty in DIFFICULTIES]


def report(logs: Mapping[Setting, Sequence[Log]], games: int, expansion: str | None = None) -> str:
    """The page as Markdown. It is long since it is a template: the words of the page stand in one place."""
    tables = {setting.players: some for setting, some in logs.items() if setting.players > 1}
    solos = {setting.difficulty: some for setting, some in logs.items() if setting.players == 1}
    solo = {1: solos[0]}
    game = cf.load(NAME, num_players=2, expansion=expansion)
    arguments = f"--games {games}" + (f" --expansion {expansion}" if expansion else "")
    played = f"\n- Expansion: `{expansion}`, with store sides drawn for every game" if expansion else ""
    made_with = ", ".join(f"{name} {version}" for name, version in versions().items())
    return f"""\
# Balance

Generated by `python -m arena.chocofactory.balance {arguments}`; do not edit.

- Deck: `{game.deck_hash}`{played}
- Seeds: 0 to {games - 1} for each number of players, 0 to {max(games // 2, 2) - 1} for each difficulty of the solo game
- Agents: `{AGENT}` on every seat. In games of odd seeds every seat wavers: it drafts or takes a random card with
  probability {WAVER}.
- Versions: {made_with}

How often cards are drafted and taken is counted in the games without wavering, everything else in all games. Intervals
are Wilson's, at 95 %. These figures describe this agent as much as the cards.

## Money

Means over all seats, in pounds.

{money_table(tables)}

## Seats

Games won, by the place in turn order on day 1. The last column is a chi-square test of equal seats. All seats play
alike, so a real difference comes from the turn order: a start player chooses first on that day, and cards drafted early
are used longer. The stronger B parts come on day 4, which seat 2 of 2, seat 1 of 3 and seat 4 of 4 start. With
4 players the first two seats start twice, the others once.

{seat_table(tables)}

## Stores

{store_table(tables)}

## Parts

*Drafted*: of the times that the part was on the display. On average that is 40, 60 and 80 % with 2, 3 and 4 players; in
the solo game 24 %, because on the first five days a pair leaves the display before the choice. *Operated*: for each day
in a factory. *Wins / chance*: how often those who drafted it won, where 1 is as often as anyone.

{part_table(tables, solo)}

## Employees

{employee_table(tables, solo)}

## Orders

*Taken*: one of the three that are offered is taken. *Completed*: of those held, dealt ones included.

{order_table(tables)}

## Factory Manager, the solo game

By difficulty: games won; then games in which an objective was not satisfied, in brackets those in which it was the
only one.

{solo_table(solos, objectives_of(cf.load(NAME, num_players=1)))}

Games won at difficulty 0, by the cards in play:

{manager_table(solos[0])}
"""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m arena.chocofactory.balance", description="Measure the balance of the cards."
    )
    parser.add_argument("--games", type=int, default=2000, help="for each number of players; solo half as many")
    parser.add_argument("--expansion", help="play with this expansion, and with store sides drawn for every game")
    add_workers(parser)
    parser.add_argument("--out", type=Path, help="write the report to this file instead of printing it")
    chosen = parser.parse_args(arguments)
    if chosen.games < 2:
        parser.error("at least 2 games")
    settings = settings_for(chosen.games, chosen.expansion)
    text = report(watch_all(watch, settings, **workers_of(chosen)), chosen.games, chosen.expansion)
    if chosen.out:
        write_text(chosen.out, text)
    else:
        print(text)


if __name__ == "__main__":
    main()
