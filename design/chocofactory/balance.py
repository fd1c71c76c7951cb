"""Measure the balance of the cards in thousands of games between sensible agents, and report it as Markdown.

    python -m design.chocofactory.balance --games 2000 --out docs/chocofactory/logs/balance.md
    python -m design.chocofactory.balance --games 2000 --expansion master_chocolatier \
        --out docs/chocofactory/logs/balance-expansion.md

Greedy agents play every game. In every second game they waver: now and then they draft or take a card at random, so
that cards that they would not choose are used, too. The same arguments give the same report.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

import chocofactory_env as cf
from arena.chocofactory.money import SOURCES
from arena.chocofactory.solo_benchmark import DIFFICULTIES, objectives_of
from chocofactory_env import Game
from chocofactory_env.games.chocofactory.vocabulary import MAX_PLAYERS, NAME, Side, Store, words_of

from ..balance import (
    made_with,
    make_report,
    parse,
    parser_of,
    percent,
    place_table,
    rate,
    seats_of,
    steady,
    table,
    winning,
    with_interval,
)
from ..watch import WAVER
from .watch import Log, Seat, Setting, Watch

TABLES = range(2, MAX_PLAYERS + 1)  # numbers of players
AGENT = "greedy"
SIDES = tuple(f"-{side}" for side in words_of(Side))

Row = Sequence[str]
ByPlayers = Mapping[int, Sequence[Log]]


# --- tables


def count(names: Iterable[Iterable[str]]) -> Counter[str]:
    return Counter(name for some in names for name in some)


def total(counters: Iterable[Counter[str]]) -> Counter[str]:
    result: Counter[str] = Counter()
    for counter in counters:
        result.update(counter)
    return result


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
    return table(head, rows)


def drafted_rates(
    tables: ByPlayers, shown: Callable[[Log], Sequence[str]], taken: Callable[[Seat], Sequence[str]]
) -> dict[str, list[str]]:
    """By card: the share of its times on the display in which it was drafted, by number of players."""
    rates: dict[str, list[str]] = defaultdict(list)
    names = sorted(count(shown(log) for logs in tables.values() for log in logs))
    for logs in steady(tables).values():
        there, drafted = count(map(shown, logs)), count(map(taken, seats_of(logs)))
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
    return table(["part", *tables_head({**tables, **solo}), "operated a day", "wins / chance"], rows)


def employee_table(tables: ByPlayers, solo: Mapping[int, Sequence[Log]]) -> str:
    rates = drafted_rates({**tables, **solo}, lambda log: log.employees, lambda seat: seat.employees)
    won = winning(tables, lambda seat: seat.employees)
    rows = [[f"`{employee}`", *cells, won.get(employee, "")] for employee, cells in rates.items()]
    return table(["employee", *tables_head({**tables, **solo}), "wins / chance"], rows)


def order_table(tables: ByPlayers) -> str:
    logs = [log for some in tables.values() for log in some]
    offers = [offer for some in steady(tables).values() for log in some for offer in log.offers]
    offered = count(offer for _, offer in offers)
    taken = Counter(order for order, _ in offers)
    held, completed = count(seat.held for seat in seats_of(logs)), count(seat.completed for seat in seats_of(logs))
    rows = [
        [f"`{order}`", percent(taken[order], offered[order]), percent(completed[order], held[order])]
        for order in sorted(held)
    ]
    return table(["order", "taken when offered", "completed when held"], rows)


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
    return table([*head, *(f"{number} of them" for number in range(max(TABLES) + 1))], rows, text_columns=(0, 1))


def solo_table(solos: Mapping[int, Sequence[Log]], objectives: Sequence[str]) -> str:
    rows = []
    for difficulty, logs in solos.items():
        failed = count(log.failed for log in logs)
        alone = Counter(log.failed[0] for log in logs if len(log.failed) == 1)
        cells = [f"{percent(failed[name], len(logs))} ({percent(alone[name], len(logs))})" for name in objectives]
        wins = sum(log.seats[0].won for log in logs)
        rows.append([str(difficulty), str(len(logs)), with_interval(wins, len(logs)), *cells])
    return table(["difficulty", "games", "won", *(name.replace("_", " ") for name in objectives)], rows)


def manager_table(logs: Sequence[Log]) -> str:
    """Only cards in play count. The last one is revealed on day 5."""
    played, won = count(log.cards for log in logs), count(log.cards for log in logs if log.seats[0].won)
    targets = {log.cards[0] for log in logs}
    rows = []
    for card in sorted(played, key=lambda card: (card not in targets, card)):
        sort = "target" if card in targets else "demand"
        rows.append([sort, f"`{card}`", str(played[card]), percent(won[card], played[card])])
    return table(["", "card", "games", "won"], rows, text_columns=(0, 1))


# --- the report


def settings_for(games: int, expansion: str | None = None) -> list[Setting]:
    """`games` for each number of players, and half as many for each difficulty of the solo game."""
    several = [Setting(players, 0, games, expansion) for players in TABLES]
    return several + [Setting(1, difficulty, max(games // 2, 2), expansion) for difficulty in DIFFICULTIES]


def report(logs: Mapping[Setting, Sequence[Log]], watch: Watch, game: Game) -> str:
    """The page as Markdown. It is long because it is a template with all words of the page."""
    tables = {setting.players: some for setting, some in logs.items() if setting.players > 1}
    solos = {setting.difficulty: some for setting, some in logs.items() if setting.players == 1}
    games = max(setting.games for setting in logs)
    solo = {1: solos[0]}
    expansion = game.options["expansion"]
    arguments = f"--games {games}" + (f" --expansion {expansion}" if expansion else "")
    played = f"\n- Expansion: `{expansion}`, with store sides drawn for every game" if expansion else ""
    return f"""\
# Balance

Generated by `python -m design.chocofactory.balance {arguments}`; do not edit.

- Deck: `{game.deck_hash}`{played}
- Seeds: 0 to {games - 1} for each number of players, 0 to {max(games // 2, 2) - 1} for each difficulty of the solo game
- Agents: `{watch.agent}` on every seat. In games with odd seeds each seat wavers: it drafts or takes a random card with
  probability {WAVER}.
- Versions: {made_with()}

Draft and take rates are counted in games without wavering, everything else in all games. Intervals are Wilson's 95 %
intervals. The figures describe this agent as much as the cards.

## Money

Means over all seats, in pounds.

{money_table(tables)}

## Seats

Games won, by place in the turn order of day 1. The last column is the p-value of a chi-square test for equal places.
All seats play alike, so a significant difference comes from the turn order: a start player chooses first that day, and
cards drafted early are used longer. The stronger B parts come on day 4, which seat 2 of 2, seat 1 of 3 and seat 4 of 4
starts. With 4 players the first two seats start twice, the others once.

{place_table(tables, "money")}

## Stores

{store_table(tables)}

## Parts

*Drafted*: how often the part was drafted when it was on the display. The average is 40, 60 and 80 % for 2, 3 and 4
players, and 24 % in the solo game, because on the first five days a pair leaves the display before the choice.
*Operated*: uses per day in a factory. *Wins / chance*: how often seats that drafted the part won, relative to chance.

{part_table(tables, solo)}

## Employees

{employee_table(tables, solo)}

## Orders

*Taken*: how often the order was taken when offered. *Completed*: how often it was completed when held, dealt or taken.

{order_table(tables)}

## Factory Manager, the solo game

Games won by difficulty, then games in which an objective was not satisfied; in brackets, games in which it was the only
one.

{solo_table(solos, objectives_of(cf.load(NAME, num_players=1)))}

Games won at difficulty 0, by card in play:

{manager_table(solos[0])}
"""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = parser_of(
        "design.chocofactory.balance", "the cards", 2000, "for each number of players, solo half as many"
    )
    parser.add_argument("--expansion", help="play with this expansion, and with store sides drawn for every game")
    chosen = parse(parser, arguments)
    make_report(parser, chosen, Watch(AGENT), settings_for(chosen.games, chosen.expansion), report)


if __name__ == "__main__":
    main()
