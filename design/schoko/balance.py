"""Measure the balance of contracts, prices and cards in games between sensible agents, and report it as Markdown.

    python -m design.schoko.balance --games 500 --agent manager --out docs/schoko/logs/balance.md

In every second game the agents waver: now and then they look, come to a meeting, take a contract or a loan, play a
card or buy shares at random, so that what they would not choose is used, too. The same arguments give the same report.
`watch.py` makes the logs of games; `flows.py` tells why money moves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

import numpy as np

from chocofactory_env import Game
from chocofactory_env.games.schoko.vocabulary import MAX_PLAYERS, MIN_PLAYERS

from ..balance import (
    Section,
    add_agent,
    add_deck,
    command_of,
    made_with,
    make_report,
    parse,
    parser_of,
    percent,
    place_table,
    rate,
    seats_of,
    section_of,
    steady,
    table,
    with_interval,
)
from ..watch import WAVER
from .flows import CATEGORIES, EVENTS, EXPRESS, FLOWS
from .watch import LEVELS, VERBS, Key, Log, Setting, Watch

TABLES = range(MIN_PLAYERS, MAX_PLAYERS + 1)  # numbers of players
AGENT = "manager"
SIZES = range(1, 7)  # bars of a contract
PRICES = ((1, 1), (2, 2), (3, 5), (6, 9), (10, 30))  # ranges of prices of a bar of cocoa
SHARES = ((0, 0), (1, 3), (4, 7), (8, 10), (11, 99))  # ranges of shares bought in a game

ByPlayers = Mapping[int, Sequence[Log]]
Row = list[str]


def by_players(words: str, tables: ByPlayers) -> Row:
    """Column heads."""
    return [f"{words}, {players}" for players in tables]


def counts_of(logs: Iterable[Log]) -> Counter[Key]:
    """The counts of all seats together."""
    total: Counter[Key] = Counter()
    for seat in seats_of(logs):
        for key, number in seat.counts.items():
            total[key] += number
    return total


def table_counts_of(logs: Iterable[Log]) -> Counter[Key]:
    total: Counter[Key] = Counter()
    for log in logs:
        total.update(log.counts)
    return total


def mean(values: Iterable[float]) -> str:
    found = list(values)
    return f"{np.mean(found):.1f}" if found else "–"


def span(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


# --- money


def money_table(tables: ByPlayers) -> str:
    """Income and payments of all seats; the rows add up to the score minus the cash at the start."""
    games = {
        players: [(seat, log.share_price) for log in logs for seat in log.seats] for players, logs in tables.items()
    }
    rows = [[name, *(mean(seat.money[name] for seat, _ in seats) for seats in games.values())] for name in FLOWS]
    held = [mean(seat.shares * price for seat, price in seats) for seats in games.values()]
    return table(["", *by_players("players", tables)], [*rows, ["shares held at the end", *held]])


def wealth_table(tables: ByPlayers) -> str:
    rows = []
    for players, logs in steady(tables).items():
        seats = seats_of(logs)
        low, high = np.percentile([seat.score for seat in seats], [5, 95])
        rows.append(
            [
                str(players),
                mean(seat.score for seat in seats),
                f"{low:.0f} to {high:.0f}",
                mean(seat.score for seat in seats if seat.won),
                mean(seat.score for seat in seats if not seat.won),
                percent(sum(seat.score <= 0 for seat in seats), len(seats)),
                percent(sum(seat.bankrupt for seat in seats), len(seats)),
            ]
        )
    head = ["players", "money", "5 to 95 %", "winner", "others", "seats with 0 or less", "bankrupt"]
    return table(head, rows)


def loan_table(tables: ByPlayers) -> str:
    rows = []
    for wavering in (False, True):
        for players, logs in tables.items():
            some = [log for log in logs if log.wavering == wavering]
            seats, counts = seats_of(some), counts_of(some)
            rows.append(
                [
                    str(players),
                    "wavering" if wavering else "steady",
                    rate(counts["taken_loans",], len(seats)),
                    rate(counts["emergency_loans",], len(seats)),
                    rate(counts["emergency_shares",], len(seats)),
                    mean(seat.owed for seat in seats),
                    percent(sum(seat.bankrupt for seat in seats), len(seats)),
                    percent(sum(any(seat.bankrupt for seat in log.seats) for log in some), len(some)),
                ]
            )
    head = ["players", "games", "loans taken", "in an emergency", "shares sold in one", "loans owed at the end"]
    return table([*head, "seats bankrupt", "games with one"], rows)


# --- contracts


def contract_table(tables: ByPlayers) -> str:
    """Contracts by their bars."""
    rows = []
    for players, logs in steady(tables).items():
        counts = counts_of(logs)
        for bars in SIZES:
            taken = sum(counts["taken", bars, level] for level in LEVELS)
            money = sum(counts["money", bars, level] for level in LEVELS)
            ends = [counts[end, bars] for end in ("paid", "upset", "void")]
            rows.append(
                [
                    str(players),
                    str(bars),
                    rate(taken, len(logs)),
                    *(percent(counts["taken", bars, level], taken) for level in LEVELS),
                    rate(money, taken),
                    rate(money, taken * bars),
                    *(percent(end, sum(ends)) for end in ends),
                ]
            )
    ends_head = ["paid out", "struck by an event", "void at the end"]
    head = ["players", "bars", "taken", *LEVELS, "price", "price a bar", *ends_head]
    return table(head, rows)


def bar_table(tables: ByPlayers) -> str:
    """Costs and income of a bar of chocolate, over all seats."""
    rows = []
    for players, logs in steady(tables).items():
        seats, counts = seats_of(logs), counts_of(logs)
        made = counts["made",]
        money: Counter[str] = Counter()
        for seat in seats:
            for name, number in seat.money.items():
                money[name] += number
        months = sum(len(seat.staff) for seat in seats)
        sold = counts["delivered",]
        rows.append(
            [
                str(players),
                rate(made, months),
                rate(sold, months),
                rate(counts["banked",], months),
                rate(-money["salaries"] - money["severance"], sold),
                rate(-money["cocoa"], made),
                rate(-money["interest"], sold),
                rate(money["contracts"], sold),
            ]
        )
    head = ["players", "made", "by contract", "to the bank", "wages a bar sold", "cocoa a bar made"]
    return table([*head, "interest a bar sold", "contracts pay a bar"], rows)


def cocoa_table(tables: ByPlayers) -> str:
    rows = []
    for players, logs in steady(tables).items():
        counts = counts_of(logs)
        prices = {int(key[1]): number for key, number in counts.items() if key[0] == "cocoa"}
        bars = sum(prices.values())
        spans = [sum(number for price, number in prices.items() if low <= price <= high) for low, high in PRICES]
        mean_price = rate(sum(price * number for price, number in prices.items()), bars)
        announced = counts["announced",]
        rows.append(
            [str(players), rate(announced, len(logs)), rate(bars, len(logs)), percent(bars, announced), mean_price]
            + [percent(number, bars) for number in spans]
        )
    spans_head = [f"for {span(low, high)}" for low, high in PRICES]
    return table(["players", "announced", "bought", "of the announced", "price", *spans_head], rows)


def meeting_table(tables: ByPlayers) -> str:
    rows = []
    for players, logs in steady(tables).items():
        counts = table_counts_of(logs)
        cards = counts["turned",]
        offered = sum(number for key, number in counts.items() if key[0] == "present")
        refused = sum(number for key, number in counts.items() if key[0] == "cancelled")
        months = sum(log.months for log in logs)
        present = [percent(counts["present", number], cards) for number in range(1, MAX_PLAYERS + 1)]
        rows.append(
            [str(players), rate(cards, months), percent(cards - offered, cards), *present, percent(refused, cards)]
        )
    present_head = ["nobody", *(f"{number} present" for number in range(1, MAX_PLAYERS + 1))]
    return table(["players", "meetings a month", *present_head, "refused by all"], rows)


# --- staff, shares


def staff_table(tables: ByPlayers) -> str:
    rows = []
    for players, logs in steady(tables).items():
        seats = seats_of(logs)
        for month in range(1, max(log.months for log in logs) + 1):
            staff = [seat.staff[month] for seat in seats if month in seat.staff]
            means = [f"{number:.2f}" for number in np.mean(staff, axis=0)] if staff else ["–"] * len(CATEGORIES)
            rows.append([str(players), str(month), *means, percent(sum(sum(one) > 0 for one in staff), len(seats))])
    return table(["players", "month", *(f"`{category}`" for category in CATEGORIES), "seats with staff"], rows)


def share_table(tables: ByPlayers) -> str:
    """Shares bought in all and held at the end, the gain by them, and their part of the money of seats with money."""
    rows = []
    for players, logs in steady(tables).items():
        seats = [(seat, log.share_price) for log in logs for seat in log.seats]
        gains = [seat.money["shares sold"] + seat.money["shares bought"] + seat.shares * price for seat, price in seats]
        rich = [(seat.shares * price, seat.score) for seat, price in seats if seat.score > 0]
        rows.append(
            [
                str(players),
                rate(sum(seat.counts["bought_shares",] for seat, _ in seats), len(seats)),
                rate(sum(seat.shares for seat, _ in seats), len(seats)),
                mean(gains),
                percent(sum(value for value, _ in rich), sum(score for _, score in rich)),
            ]
        )
    return table(["players", "bought", "held at the end", "gained by shares", "of the money at the end"], rows)


def share_winner_table(tables: ByPlayers) -> str:
    """Wins by the shares that a seat bought, relative to chance."""
    rows = []
    for low, high in SHARES:
        cells = []
        for players, logs in tables.items():
            seats = [seat for seat in seats_of(logs) if low <= seat.counts["bought_shares",] <= high]
            cells += [str(len(seats)), rate(sum(seat.won for seat in seats), len(seats) / players)]
        label = f"{low} or more" if (low, high) == SHARES[-1] else span(low, high)
        rows.append([label, *cells])
    return table(["bought", *(cell for n in tables for cell in (f"seats, {n}", f"wins / chance, {n}"))], rows)


# --- events and express cards


def event_table(tables: ByPlayers) -> str:
    rows = []
    logs_of = steady(tables)
    counts = {players: counts_of(logs) for players, logs in logs_of.items()}
    turned = {players: table_counts_of(logs) for players, logs in logs_of.items()}
    for event in EVENTS:
        cells = [rate(turned[players]["event", event], len(logs_of[players])) for players in tables]
        for what in ("event", "lost", "bars"):
            cells += [rate(counts[players][what, event], turned[players]["event", event]) for players in tables]
        rows.append([f"`{event}`", *cells])
    heads = ("turned up", "seats struck", "thousands lost", "bars lost")
    return table(["event", *(cell for head in heads for cell in by_players(head, tables))], rows)


def express_table(tables: ByPlayers) -> str:
    rows = []
    counts = {players: counts_of(logs) for players, logs in steady(tables).items()}
    for card in EXPRESS:
        cells = [percent(one["struck", card], one["held", card]) for one in counts.values()]
        cells += [percent(one["richest", card], one["struck", card]) for one in counts.values()]
        for what in ("money", "bars"):
            cells += [rate(one[what, card], one["struck", card]) for one in counts.values()]
        rows.append([f"`{card}`", *cells])
    heads = ("played", "on the richest", "thousands", "bars")
    return table(["card", *(cell for head in heads for cell in by_players(head, tables))], rows)


def look_table(tables: ByPlayers) -> str:
    rows = []
    for players, logs in tables.items():
        looked = [seat for log in logs if log.wavering for seat in log.seats]
        wins = sum(seat.won for seat in looked if seat.counts["looks",])
        some = sum(seat.counts["looks",] > 0 for seat in looked)
        steady_looks = counts_of(log for log in logs if not log.wavering)["looks",]
        cell = with_interval(wins, some) if some else "–"
        rows.append(
            [str(players), str(steady_looks), rate(counts_of(logs)["looks",] - steady_looks, len(looked)), cell]
        )
    return table(["players", "looks in steady games", "a seat that wavers", "games won by who looked"], rows)


# --- seats, length


def length_table(tables: ByPlayers) -> str:
    rows = []
    for players, logs in steady(tables).items():
        ties = sum(log.level > 1 for log in logs)
        means = [mean(getattr(log, name) for log in logs) for name in ("months", "decisions", "forced")]
        rows.append([str(players), *means, percent(ties, len(logs))])
    return table(["players", "months", "decisions", "single answers", "level at the top"], rows)


# --- the report


def settings_for(games: int, deck: str | None = None, tables: Iterable[int] = TABLES) -> list[Setting]:
    """`games` for each of these numbers of players."""
    return [Setting(players, games, deck) for players in tables]


SECTIONS = (
    Section("Money at the end", "In thousands: means over all seats, then shares of seats.", [wealth_table]),
    Section(
        "Where money comes from and goes to",
        """\
In thousands per seat and game; payments are negative. *Loans*: taken less repaid. *Bankruptcy*: what bankrupt players
lose.""",
        [lambda tables: money_table(steady(tables))],
    ),
    Section("Loans and bankruptcy", "Means per seat and game, then shares.", [loan_table]),
    Section(
        "Contracts",
        """\
*Taken*: per game, by all seats. Then shares of the contracts taken: at the lowest price, at the highest, between, or by
a seat that was alone at the meeting. *Void*: lost in its owner's bankruptcy, or not paid out at the end.""",
        [contract_table],
    ),
    Section(
        "What a bar costs and brings",
        """\
Bars per seat and month, then thousands. Wages are those of the whole staff, with severance.""",
        [bar_table],
    ),
    Section(
        "Cocoa", "Bars per game, then the price of a bar in thousands, and shares of the bars bought.", [cocoa_table]
    ),
    Section(
        "Meetings",
        """\
Shares of the contracts turned up. *Nobody*: held back at once, since nobody with enough chocolate came.""",
        [meeting_table],
    ),
    Section("Staff", "Means over the seats that are not bankrupt.", [staff_table]),
    Section(
        "Shares",
        """\
Means per seat and game. *Of the money at the end*: only seats with more than 0. The second table counts all games;
wins are relative to chance.""",
        [share_table, share_winner_table],
    ),
    Section(
        "Events",
        """\
*Turned up*: per game. The other columns: each time it is turned up, over all seats together; a gain is negative. EV-5
to EV-7 act in the next month, which is not counted here.""",
        [event_table],
    ),
    Section(
        "Express cards",
        """\
*Played*: share of the cards held at the start. *On the richest*: the struck player was the richest of those who could
be struck, or tied. *Thousands*, *bars*: what the struck player loses at once.""",
        [express_table],
    ),
    Section("Looks at the event", "", [look_table]),
    Section(
        "Places in player order",
        """\
Games won, by place in the player order of the first month, with 95 % intervals. The last column is the p-value of a
chi-square test for equal places.""",
        [partial(place_table, score="money")],
    ),
    Section("Length and ties", "Means per game, then a share of games.", [length_table]),
)


def report(logs: Mapping[Setting, Sequence[Log]], watch: Watch, game: Game) -> str:
    """The page as Markdown. `game` has the deck that was played."""
    tables = {setting.players: some for setting, some in logs.items()}
    games = min(setting.games for setting in logs)
    chosen = [] if list(tables) == list(TABLES) else [f"--players {' '.join(map(str, tables))}"]
    command = command_of(game, games, watch.agent, *chosen)
    verbs = ", ".join(f"`{verb}`" for verb in VERBS)
    head = f"""\
# Balance

Generated by `{command}`; do not edit.

- Deck: `{game.deck_hash}`, rules {game.rules_version}
- Seeds: 0 to {games - 1} for each number of players
- Agents: `{watch.agent}` on every seat. In games with odd seeds every seat wavers: at a decision with
  {verbs}
  it plays one of these at random with probability {WAVER}.
- Versions: {made_with()}

Unless a table says otherwise, places, looks and wins by shares are counted in all games, everything else in games
without wavering. A number at the end of a column's head is the number of players. The figures describe this agent as
much as the game.
"""
    return "\n".join([head, *(section_of(section, tables) for section in SECTIONS)])


def main(arguments: Sequence[str] | None = None) -> None:
    parser = parser_of("design.schoko.balance", "contracts, prices and cards", 500, "for each number of players")
    add_agent(parser, AGENT)
    parser.add_argument("--players", type=int, nargs="+", choices=TABLES, default=list(TABLES), help="(all numbers)")
    add_deck(parser)
    chosen = parse(parser, arguments)
    settings = settings_for(chosen.games, chosen.deck, chosen.players)
    make_report(parser, chosen, Watch(chosen.agent), settings, report)


if __name__ == "__main__":
    main()
