"""Measure the balance of the cards in thousands of games between sensible agents, and report it as Markdown.

    python -m design.candyfactory.balance --games 2000 --agent expert --out docs/candyfactory/logs/balance.md

In every second game the agents waver: now and then they recruit, hire, keep or make at random, so that cards that they
would not choose are used, too. The same arguments give the same report. `watch.py` makes the logs of games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

import numpy as np

from chocofactory_env import Game
from chocofactory_env.games.candyfactory.vocabulary import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    Pile,
    Specialist,
    words_of,
)

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
    winning,
)
from ..watch import WAVER
from .watch import (
    ABILITIES,
    CANDY,
    CANDY_ALONE,
    FULL,
    PLANTATION,
    PLANTATION_ALONE,
    SOURCES,
    VERBS,
    Log,
    Seat,
    Setting,
    Watch,
)

TABLES = range(MIN_PLAYERS, MAX_PLAYERS + 1)  # numbers of players
AGENT = "expert"
PLANTATION_AGENT = "greedy"  # a value learned in the full game knows nothing of the plantation alone
GAMES = (FULL, CANDY_ALONE, PLANTATION_ALONE)
HALVES = (PLANTATION, CANDY)
WAYS = ("bring", "ship")
PILES = words_of(Pile)
SPECIALISTS = words_of(Specialist)
MANY = 6  # this many recruits of a seat, or more, count as one group

ByPlayers = Mapping[int, Sequence[Log]]
Row = list[str]


def by_players(words: str) -> Row:
    """Column heads."""
    return [f"{words}, {players}" for players in TABLES]


def events_of(logs: Iterable[Log]) -> Counter[tuple[str, ...]]:
    total: Counter[tuple[str, ...]] = Counter()
    for seat in seats_of(logs):
        total.update(seat.events)
    return total


def mean(values: Iterable[float]) -> str:
    return f"{np.mean(list(values)):.2f}"


# --- points


def points_table(tables: ByPlayers) -> str:
    rows = []
    for players, logs in steady(tables).items():
        seats = seats_of(logs)
        rows.append([str(players), *(mean(seat.points[source] for seat in seats) for source in SOURCES), *ends(seats)])
    return table(["players", *SOURCES, *END_HEAD], rows)


def plantation_points_table(tables: ByPlayers) -> str:
    rows = []
    for players, logs in steady(tables).items():
        seats = seats_of(logs)
        aboard = [mean(seat.aboard[good] for seat in seats) for good in ("sugar", "chocolate")]
        rows.append([str(players), *aboard, mean(seat.coins for seat in seats), *ends(seats)])
    return table(["players", "sugar aboard", "chocolate aboard", "coins", *END_HEAD], rows)


END_HEAD = ["points", "5 to 95 %", "winner", "goods left elsewhere"]


def ends(seats: Sequence[Seat]) -> Row:
    low, high = np.percentile([seat.score for seat in seats], [5, 95])
    return [
        mean(seat.score for seat in seats),
        f"{low:.0f} to {high:.0f}",
        mean(seat.score for seat in seats if seat.won),
        mean(seat.left for seat in seats),
    ]


def length_table(tables: ByPlayers) -> str:
    rows = []
    for players, logs in steady(tables).items():
        games = len(logs)
        rows.append(
            [
                str(players),
                mean(log.decisions for log in logs),
                mean(log.forced for log in logs),
                mean(log.turns.total() for log in logs),
                percent(sum(log.level > 1 for log in logs), games),
                percent(sum(log.level_coins > 1 for log in logs), games),
                percent(sum(sum(seat.won for seat in log.seats) > 1 for log in logs), games),
            ]
        )
    head = ["players", "decisions", "single answers", "turns", "level in points", "and in coins", "victory shared"]
    return table(head, rows)


# --- transport, abilities, supply


def turn_table(tables: ByPlayers, halves: Sequence[str] = HALVES) -> str:
    rows = []
    for players, logs in steady(tables).items():
        events, seats = events_of(logs), len(seats_of(logs))
        for half in halves:
            goods = [
                rate(events[what, half, way], events["go", half, way]) for way in WAYS for what in ("capacity", "moved")
            ]
            shifts = [rate(events["shift", half, verb], seats) for verb in ("add_worker", "remove_worker")]
            going = [rate(events["go", half, way], seats) for way in WAYS]
            rows.append([half, str(players), rate(events["turn", half], seats), *going, *goods, *shifts])
    head = ["half", "players", "turns", "bring", "ship", "capacity to bring", "brought", "capacity to ship", "shipped"]
    return table([*head, "workers added", "workers removed"], rows)


def ability_table(tables: ByPlayers) -> str:
    totals = {players: (events_of(logs), len(seats_of(logs))) for players, logs in steady(tables).items()}
    rows = []
    for half in HALVES:
        for ability in ABILITIES:
            stood = [rate(events["stood", half, ability], seats) for events, seats in totals.values()]
            used = [
                percent(events["used", half, ability], events["stood", half, ability]) for events, _ in totals.values()
            ]
            if any(events["stood", half, ability] for events, _ in totals.values()):
                rows.append([half, f"`{ability}`", *stood, *used])
        cells = [rate(events["machinist", half], seats) for events, seats in totals.values()]
        rows.append([half, "use by the Machinist", *cells, *[""] * len(totals)])
    return table(["half", "ability", *by_players("turns there"), *by_players("used")], rows)


def decorating_table(tables: ByPlayers) -> str:
    rows = []
    for players, logs in steady(tables).items():
        events, seats = events_of(logs), len(seats_of(logs))
        cells = [rate(events["verb", CANDY, verb], seats) for verb in ("decorate", "decorate_all")]
        rows.append([str(players), *cells])
    return table(["players", "decorate one", "decorate all for a coin"], rows)


def shipped_table(tables: ByPlayers) -> str:
    goods = [(truck, good) for truck in ("own", "hired") for good in ("sugar", "chocolate")]
    rows = []
    for players, logs in steady(tables).items():
        seats = seats_of(logs)
        cells = [mean(seat.shipped[good] for seat in seats) for good in goods]
        coins = mean(seat.saved for seat in seats)
        rows.append([str(players), *cells, mean(seat.shipped.total() for seat in seats), coins])
    return table(["players", *(f"{truck} {good}" for truck, good in goods), "together", "coins"], rows)


def supply_table(tables: ByPlayers, halves: Sequence[str] = HALVES) -> str:
    rows = []
    for players, logs in steady(tables).items():
        for half in halves:
            games = [percent(sum((half, pile) in log.empty for log in logs), len(logs)) for pile in PILES]
            turns = sum(log.turns[half] for log in logs)
            without = percent(sum(log.turns_without[half, "coins"] for log in logs), turns)
            rows.append([half, str(players), *games, without])
    head = ["half", "players", *(f"games without {pile}" for pile in PILES), "turns that begin without coins"]
    return table(head, rows)


# --- recipes and specialists


def recipe_table(tables: ByPlayers) -> str:
    logs = [log for some in tables.values() for log in some]
    calm = steady(tables)
    rows = []
    for recipe in sorted({recipe for log in logs for recipe in log.recipes}):
        there = {players: [log for log in some if recipe in log.recipes] for players, some in calm.items()}
        rows.append([f"`{recipe}`", *recipe_cells(recipe, there), *recipe_wins(recipe, tables)])
    head = ["recipe", *by_players("uses"), *by_players("made"), *by_players("sold out"), "aboard", "decorated"]
    return table([*head, "games not made", "wins / chance of who made most"], rows)


def recipe_cells(recipe: str, there: ByPlayers) -> Row:
    """Means per game, then shares, over games with the recipe."""
    uses = [rate(events_of(logs)["use", recipe], len(logs)) for logs in there.values()]
    made = [rate(events_of(logs)["made", recipe], len(logs)) for logs in there.values()]
    out = [percent(sum(recipe in log.sold_out for log in logs), len(logs)) for logs in there.values()]
    logs = [log for some in there.values() for log in some]
    seats = seats_of(logs)
    decorated = sum(seat.aboard[f"decorated {recipe}"] for seat in seats)
    aboard = sum(seat.aboard[f"plain {recipe}"] for seat in seats) + decorated
    never = sum(events_of([log])["made", recipe] == 0 for log in logs)
    whole = events_of(logs)["made", recipe]
    return [*uses, *made, *out, percent(aboard, whole), percent(decorated, aboard), percent(never, len(logs))]


def recipe_wins(recipe: str, tables: ByPlayers) -> Row:
    """Wins of the seat that made the most of it; games in which several made as many do not count."""

    def most_of(log: Log) -> list[Seat]:
        most = max(seat.events["made", recipe] for seat in log.seats)
        first = [seat for seat in log.seats if seat.events["made", recipe] == most]
        return first if most and len(first) == 1 else []

    pairs = [(players, seat) for players, logs in tables.items() for log in logs for seat in most_of(log)]
    return [rate(sum(seat.won for _, seat in pairs), sum(1 / players for players, _ in pairs))]


def specialist_table(tables: ByPlayers) -> str:
    calm = steady(tables)
    totals = [(events_of(logs), len(logs), seats_of(logs)) for logs in calm.values()]
    seats = [seat for _, _, some in totals for seat in some]
    hired = winning(tables, lambda seat: [one for one in SPECIALISTS if seat.events["hired", one]])
    kept = winning(tables, lambda seat: seat.kept)
    rows = []
    for one in SPECIALISTS:
        played = sum(events["played", PLANTATION, one] for events, _, _ in totals)
        stayed = sum(seat.kept[one] for seat in seats)
        rows.append(
            [
                f"`{one}`",
                *(rate(events["hired", one], games) for events, games, _ in totals),
                *(rate(sum(seat.kept[one] for seat in some), games) for _, games, some in totals),
                percent(stayed, played),
                hired.get(one, ""),
                kept.get(one, ""),
            ]
        )
    head = ["specialist", *by_players("recruited"), *by_players("kept"), "kept when played"]
    return table([*head, "wins / chance, recruited", "wins / chance, kept"], rows)


def count_table(tables: ByPlayers, what: str, number: Callable[[Seat], int]) -> str:
    """By a seat's `number`: the seats, their wins, and their points relative to the mean of all seats."""
    won = winning(tables, lambda seat: [str(number(seat))])
    mean_of = {players: np.mean([seat.score for seat in seats_of(logs)]) for players, logs in tables.items()}
    beyond: dict[int, list[float]] = {}
    for players, logs in tables.items():
        for seat in seats_of(logs):
            beyond.setdefault(number(seat), []).append(seat.score - float(mean_of[players]))
    rows = []
    for many in sorted(beyond):
        shares = [
            percent(sum(number(seat) == many for seat in seats_of(logs)), len(seats_of(logs)))
            for logs in steady(tables).values()
        ]
        label = f"{many} or more" if many == MANY else str(many)
        rows.append([label, *shares, won[str(many)], f"{np.mean(beyond[many]):+.2f}"])
    return table([what, *by_players("seats"), "wins / chance", "points beside the mean"], rows)


def recruit_table(tables: ByPlayers) -> str:
    return count_table(
        tables, "recruited", lambda seat: min(MANY, sum(seat.events["hired", one] for one in SPECIALISTS))
    )


def kept_table(tables: ByPlayers) -> str:
    return count_table(tables, "kept", lambda seat: seat.kept.total())


def berth_table(tables: ByPlayers) -> str:
    rows = []
    for players, logs in steady(tables).items():
        seats = seats_of(logs)
        played = [sum(seat.events["played", PLANTATION, one] for one in SPECIALISTS) for seat in seats]
        given_up = sum(seat.events["dismissed",] > 0 for seat in seats)
        rows.append(
            [str(players), mean(played), mean(seat.kept.total() for seat in seats), percent(given_up, len(seats))]
        )
    return table(["players", "specialists played", "kept", "seats that gave up cards"], rows)


# --- the report


def settings_for(games: int, deck: str | None = None) -> list[Setting]:
    """`games` of the full game and of each short one, for each number of players."""
    return [Setting(game, players, games, deck) for game in GAMES for players in TABLES]


SECTIONS = (
    Section("Points", "Means over all seats.", [points_table]),
    Section(
        "Places in turn order",
        """\
Games won, by place in turn order, with 95 % intervals. The last column is the p-value of a chi-square test for equal
places. A shared victory counts for each seat that shares it.""",
        [partial(place_table, score="points")],
    ),
    Section("Length and ties", "Means per game, then shares of games.", [length_table]),
    Section("Turns and transport", "Means per seat; capacity and goods: means per transport.", [turn_table]),
    Section(
        "Abilities",
        """\
Mean number of turns per seat on spaces with the ability, and how often it was used there. One use of the candy machine
may use a recipe several times.""",
        [ability_table],
    ),
    Section("Decorating", "Means per seat.", [decorating_table]),
    Section("Goods aboard after the plantation", "Means per seat.", [shipped_table]),
    Section(
        "Supply",
        """\
Games in which a pile was empty at some time, and turns of the half that began without a coin in the supply.""",
        [supply_table],
    ),
    Section(
        "Recipes",
        """\
*Uses*, *made*: means per game with the recipe, over all seats together. *Sold out*: at some time no token was left.
*Aboard*: share of the candies made that are on own trucks at the end.""",
        [recipe_table],
    ),
    Section(
        "Specialists",
        """\
Means per game, over all seats together. *Wins / chance*: how often seats that recruited or kept one won, relative to
chance.""",
        [specialist_table],
    ),
    Section(
        "Recruits",
        """\
By number of cards that a seat recruited. Points are relative to the mean for the number of players.""",
        [recruit_table],
    ),
    Section("Berths", "By number of specialist cards that a seat kept for the candy factory, as above.", [kept_table]),
    Section("Surplus of specialists", "Means per seat, then a share of seats.", [berth_table]),
)


def short_tables(tables: ByPlayers, half: str) -> str:
    """Tables of a short game. The plantation alone has its own points, and no recipes."""
    halves = [half]
    parts = [
        place_table(tables, "points"),
        length_table(tables),
        turn_table(tables, halves),
        supply_table(tables, halves),
    ]
    if half == PLANTATION:
        return "\n\n".join([plantation_points_table(tables), *parts])
    return "\n\n".join([points_table(tables), *parts, recipe_table(tables)])


def report(logs: Mapping[Setting, Sequence[Log]], watch: Watch, game: Game) -> str:
    """The page as Markdown. `game` has the deck that was played."""
    tables = {name: {s.players: some for s, some in logs.items() if s.game == name} for name in GAMES}
    games, other = min(setting.games for setting in logs), watch.plantation_agent
    command = command_of(
        game, games, watch.agent, *([] if other == PLANTATION_AGENT else [f"--plantation-agent {other}"])
    )
    head = f"""\
# Balance

Generated by `{command}`; do not edit.

- Deck: `{game.deck_hash}`
- Seeds: 0 to {games - 1} of each game, for each number of players
- Agents: `{watch.agent}` on every seat; `{watch.plantation_agent}` in the plantation alone. With odd seeds each
  seat wavers: where it may {", ".join(VERBS[:-1])} or {VERBS[-1]}, it does so at random with probability {WAVER}.
- Versions: {made_with()}

Places, and wins and points by card, are counted in all games, everything else in games without wavering. A number at
the end of a column's head is the number of players. The figures describe this agent as much as the cards.
"""
    full = [section_of(section, tables[FULL]) for section in SECTIONS]
    candy = f"## The candy factory alone\n\nThe same tables.\n\n{short_tables(tables[CANDY_ALONE], CANDY)}\n"
    plantation = (
        f"## The plantation alone\n\nThe same tables.\n\n{short_tables(tables[PLANTATION_ALONE], PLANTATION)}\n"
    )
    return "\n".join([head, *full, candy, plantation])


def main(arguments: Sequence[str] | None = None) -> None:
    parser = parser_of("design.candyfactory.balance", "the cards", 2000, "of each game, for each number of players")
    add_agent(parser, AGENT)
    parser.add_argument(
        "--plantation-agent", default=PLANTATION_AGENT, help=f"in the plantation alone ({PLANTATION_AGENT})"
    )
    add_deck(parser)
    chosen = parse(parser, arguments)
    watch = Watch(chosen.agent, chosen.plantation_agent)
    make_report(parser, chosen, watch, settings_for(chosen.games, chosen.deck), report)


if __name__ == "__main__":
    main()
