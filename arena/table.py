"""One table of games, and what is asked of it. Intervals are at 95 %.

The table is a pandas frame with a row for every seat of every game. Columns: `game` (a number), `deal` (seed), `deck`
(a category; "" for a game's own), `seat`, `agent`, `score`, `place` (1 = first), `won`, `decisions`, `seconds` (spent
on own decisions), and a column for every note of the game.
Several seats may share a win. An agent wins a game when one of its seats does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations
from math import ceil, log, nan, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from .play import Json

if TYPE_CHECKING:
    from pandas import DataFrame

CONFIDENCE: Final = 0.95
Z: Final = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
POWER: Final = 0.8
RESAMPLES: Final = 2000
BOOTSTRAP_SEED: Final = 0
POINTS: Final = 400 / log(10)  # 400 points are odds of ten to one
HALF_A_GAME: Final = 0.5  # added to the wins of each side of a pairing
COLUMNS: Final = {"agents": "agent", "scores": "score", "places": "place"}  # lists by seat, and their columns


class Interval(NamedTuple):
    low: float
    high: float


def table_of(records: Sequence[Json]) -> DataFrame:
    """The table of these games, in their order."""
    import pandas as pd

    rows = [
        {
            "game": number,
            "deal": record["deal"],
            "deck": record.get("deck", ""),
            "seat": seat,
            **{COLUMNS.get(name, name): record[name][seat] for name in ("agents", "scores", "places")},
            **{name: record[name][seat] for name in ("won", "decisions", "seconds")},
            **{name: by_seat[seat] for name, by_seat in record.get("notes", {}).items()},
        }
        for number, record in enumerate(records)
        for seat in range(len(record["agents"]))
    ]
    table = pd.DataFrame(rows)
    decks = table["deck"].drop_duplicates() if rows else []
    return table.assign(deck=pd.Categorical(table["deck"], decks)) if rows else table


def agents_of(table: DataFrame) -> list[str]:
    return list(dict.fromkeys(table["agent"]))


# --- parts of the table


def games_of(table: DataFrame, *agents: str, alone: bool = False) -> DataFrame:
    """The games in which all these agents have seats. alone: only those in which the first has a single seat."""
    for agent in agents:
        table = table[table["game"].isin(table.loc[table["agent"] == agent, "game"])]
    if alone:
        seats = (table["agent"] == agents[0]).groupby(table["game"]).transform("sum")
        table = table[seats == 1]
    return table


def of_common_deals(table: DataFrame) -> DataFrame:
    """The games of the most played deals, which are those that every pairing played."""
    played = table.groupby("deal")["game"].transform("nunique")
    return table[played == played.max()]


def win_by_game(table: DataFrame, agent: str) -> DataFrame:
    """`won` and `deck` of each game, in which one of the agent's seats may have won."""
    mine = (table["won"] & (table["agent"] == agent)).groupby(table["game"]).any()
    return mine.to_frame("won").assign(deck=table.groupby("game")["deck"].first())


def score_by_deal(table: DataFrame, agent: str) -> DataFrame:
    """The agent's mean `score` in each deal, and its `deck`."""
    by_deal = table[table["agent"] == agent].groupby("deal")
    return by_deal.agg(score=("score", "mean"), deck=("deck", "first"))


# --- summaries


def summary(table: DataFrame, agent: str) -> Json:
    """One agent in its games of the table."""
    table = games_of(table, agent)
    games, deals = win_by_game(table, agent), score_by_deal(table, agent)
    return {
        "agent": agent,
        "games": len(games),
        "wins": int(games["won"].sum()),
        "win_rate": int(games["won"].sum()) / len(games),
        "win_rate_interval": win_rate_interval(games["won"].to_numpy(), codes(games)),
        "score": float(deals["score"].to_numpy().mean()),
        "score_interval": hierarchical_interval(deals["score"].to_numpy(), codes(deals)),
        "place": float(table.loc[table["agent"] == agent, "place"].to_numpy().mean()),
    }


def codes(rows: DataFrame) -> np.ndarray:
    """(N,) int: the deck of each row, in the order in which decks were dealt."""
    return np.asarray(rows["deck"].cat.codes)


def pairings(table: DataFrame, agents: Sequence[str]) -> list[Json]:
    """Every two agents, in the games without any other."""
    return [pairing(table, first, second) for first, second in combinations(agents, 2)]


def pairing(table: DataFrame, first: str, second: str) -> Json:
    table = games_of(table, first, second)
    one, other = score_by_deal(table, first), score_by_deal(table, second)
    differences = (one["score"] - other["score"]).to_numpy()
    games, decks = table["game"].nunique(), codes(one)
    more_deals = deals_needed(differences) if len(np.unique(decks)) < 2 else None  # they would bring no more decks
    return {
        "games": games,
        "sides": (summary(table, first), summary(table, second)),
        "difference": float(differences.mean()),  # the first agent's score less the second's
        "difference_interval": hierarchical_interval(differences, decks),
        # Until the difference is significant; None: unknown, as over several decks.
        "more_games": None if more_deals is None else more_deals * games // len(differences),
    }


def one_versus_rest(table: DataFrame, agents: Sequence[str]) -> list[Json]:
    """Each agent of every pair alone against the other on all other seats; empty with two players."""
    players = table["seat"].max() + 1
    if players == 2:
        return []
    ways = (way for pair in combinations(agents, 2) for way in (pair, pair[::-1]))
    return [
        {
            "others": others,
            "even": float(1 / players),  # the win rate of an equally strong agent
            "alone": summary(games_of(table, alone, others, alone=True), alone),
        }
        for alone, others in ways
    ]


def by_deck(table: DataFrame, agents: Sequence[str]) -> Json:
    """Win rates by agent and deck."""
    return {
        agent: win_by_game(games_of(table, agent), agent).groupby("deck", observed=True)["won"].mean().to_dict()
        for agent in agents
    }


def note_means(table: DataFrame, agents: Sequence[str], notes: Sequence[str]) -> Json:
    """Means of each note's numbers over an agent's seats, by agent and name of the note."""
    return {
        agent: {note: np.array(rows[note].tolist()).mean(axis=0).tolist() for note in notes}
        for agent, rows in ((agent, table[table["agent"] == agent]) for agent in agents)
    }


def speeds(table: DataFrame, agents: Sequence[str]) -> dict[str, float | None]:
    """Each agent's decisions per second of its own time, the median over its seats; None without any time.

    The median discounts the first games of a process, which load libraries.
    """
    found: dict[str, float | None] = {}
    for agent in agents:
        mine = table[(table["agent"] == agent) & (table["seconds"] > 0)]
        found[agent] = float(np.median(mine["decisions"] / mine["seconds"])) if len(mine) else None
    return found


# --- intervals


def wilson_interval(wins: int, games: int) -> Interval:
    """Wilson's score interval of a win rate."""
    rate, more = wins / games, Z * Z / games
    middle, half = rate + more / 2, sqrt(more * (rate * (1 - rate) + more / 4))
    low, high = ((middle + side) / (1 + more) for side in (-half, half))
    return Interval(low if wins else 0.0, high if wins < games else 1.0)


def win_rate_interval(won: np.ndarray, decks: np.ndarray) -> Interval:
    """Interval of the win rate in games, (G,) bool, on these decks, (G,) int.

    On one deck it is Wilson's. On several decks it is `hierarchical_interval`, but never narrower than Wilson's: an
    agent that won every game, or none, may still do otherwise on another deck.
    """
    wilson = wilson_interval(int(won.sum()), len(won))
    if len(np.unique(decks)) < 2:
        return wilson
    found = _quantiles(hierarchical_means(won, decks))
    return Interval(max(0.0, min(wilson.low, found.low)), min(1.0, max(wilson.high, found.high)))


def bootstrap_interval(values: np.ndarray) -> Interval | None:
    """Bootstrap percentile interval of the mean of independent values, (D,). None for a single value."""
    if len(values) < 2:
        return None
    rng, shape = np.random.default_rng(BOOTSTRAP_SEED), (RESAMPLES // 20, len(values))
    return _quantiles(np.concatenate([values[rng.integers(len(values), size=shape)].mean(axis=1) for _ in range(20)]))


def hierarchical_interval(values: np.ndarray, decks: np.ndarray) -> Interval | None:
    """Interval of the mean of values per deal, (D,), which resamples their decks, (D,) int, as well.

    Deals of one deck are correlated, so an interval over deals alone would be too narrow for a claim about decks. With
    one deck it is `bootstrap_interval`, a claim about this deck only.
    """
    if len(np.unique(decks)) < 2:
        return bootstrap_interval(values)
    return _quantiles(hierarchical_means(values, decks))


def hierarchical_means(values: np.ndarray, decks: np.ndarray, seed: int = BOOTSTRAP_SEED) -> np.ndarray:
    """(RESAMPLES,): means over resampled decks with resampled deals; see `hierarchical_interval`."""
    rng = np.random.default_rng(seed)
    _, which, counts = np.unique(decks, return_inverse=True, return_counts=True)
    grouped, first = values[np.argsort(which, kind="stable")], np.cumsum(counts) - counts
    means = np.empty(RESAMPLES)
    for resample in range(RESAMPLES):
        drawn = rng.integers(len(counts), size=len(counts))
        drawn = np.repeat(drawn, counts[drawn])
        means[resample] = grouped[first[drawn] + rng.integers(counts[drawn])].mean()
    return means


def _quantiles(means: np.ndarray) -> Interval:
    low, high = np.quantile(means, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return Interval(float(low), float(high))


def mean_interval(values: Sequence[float]) -> tuple[float, Interval]:
    """The mean and its Student interval, which is nan for a single value."""
    from scipy import stats

    mean = float(np.mean(values))
    if len(values) < 2:
        return mean, Interval(nan, nan)
    half = float(stats.t.ppf((1 + CONFIDENCE) / 2, len(values) - 1) * stats.sem(values))
    return mean, Interval(mean - half, mean + half)


def gap(ours: tuple[np.ndarray, np.ndarray], others: tuple[np.ndarray, np.ndarray]) -> tuple[float, Interval]:
    """The difference of two means over decks, `ours` less `others` (values, decks), with its interval."""
    difference = float(ours[0].mean() - others[0].mean())
    means = hierarchical_means(*ours) - hierarchical_means(*others, seed=BOOTSTRAP_SEED + 1)
    return difference, _quantiles(means)


# --- how many more games


def deals_needed(differences: np.ndarray) -> int | None:
    """How many more deals make the mean of the differences, (D,), significant, if mean and spread stay.

    The interval mean ± z s / √n leaves 0 out when n > (z s / mean)², with s the standard deviation of the differences
    and z = 1.96. None if the mean is 0, or with a single deal.
    """
    mean = float(differences.mean())
    if len(differences) < 2 or mean == 0:
        return None
    return max(0, ceil((Z * float(differences.std(ddof=1)) / mean) ** 2) - len(differences))


def games_to_separate(win_rate: float, games: int) -> int | None:
    """How many more games separate two agents with probability POWER, if the win rate stays; None at 50 %.

    Two agents are separated when Wilson's interval excludes 50 %. 0: they already are.
    """
    lead = abs(win_rate - 0.5)
    if 2 * lead * sqrt(games) > Z:
        return 0
    if lead == 0:
        return None
    spread = Z / 2 + NormalDist().inv_cdf(POWER) * sqrt(win_rate * (1 - win_rate))
    return ceil((spread / lead) ** 2) - games


# --- ratings


def win_matrix(table: DataFrame, agents: Sequence[str]) -> np.ndarray:
    """(N, N) float: the row agent's wins against the column agent; a shared win counts half."""
    wins = np.zeros((len(agents),) * 2)
    for first, second in combinations(range(len(agents)), 2):
        among = games_of(table, agents[first], agents[second])
        one, other = (win_by_game(among, agents[each])["won"] for each in (first, second))
        shared = (one & other).sum() / 2
        wins[first, second], wins[second, first] = one.sum() - shared, other.sum() - shared
    return wins


def ratings(agents: Sequence[str], wins: np.ndarray) -> list[Json]:
    """Fit a Bradley-Terry model to the matrix of wins, (N, N): points with mean 0, and their standard errors.

    Half a game is added to the wins of each side of a pairing, as is usual for logits, so an agent that has won every
    game gets a finite rating and a wide interval. Errors come from the curvature of the likelihood and treat games as
    independent. For two agents the difference is the logit of the win rate, and its error √(1/wins + 1/losses).
    """
    import choix

    smoothed = (wins + HALF_A_GAME) * (1 - np.eye(len(agents)))
    strengths = choix.ilsr_pairwise_dense(smoothed)
    strengths = strengths - strengths.mean()
    expected = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    information = (smoothed + smoothed.T) * expected * expected.T
    covariance = np.linalg.pinv(np.diag(information.sum(axis=1)) - information, hermitian=True)
    return list(_rated(agents, POINTS * strengths, POINTS * np.sqrt(np.diag(covariance))))


def _rated(agents: Sequence[str], points: np.ndarray, errors: np.ndarray) -> Iterator[Json]:
    for agent, value, error in zip(agents, points.tolist(), errors.tolist(), strict=True):
        yield {"agent": agent, "points": value, "error": error, "interval": (value - Z * error, value + Z * error)}


def ranked(rated: Sequence[Json]) -> list[str]:
    """Agents, best first; those of equal rating, up to rounding errors, in the given order."""
    return [one["agent"] for one in sorted(rated, key=lambda one: -round(one["points"], 3))]


def cycles(found: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """The cycles of three agents: each beats the next, and the last beats the first.

    To beat means a win rate whose interval lies above 50 %. A cycle begins with the agent listed first.
    found: a tournament's result.
    """
    agents = [rating["agent"] for rating in found["ratings"]]
    beats = {
        (one["agent"], other["agent"])
        for each in found["pairings"]
        for one, other in permutations(each["sides"])
        if one["win_rate_interval"][0] > 0.5
    }
    return [
        (first, second, third)
        for first, second, third in permutations(agents, 3)
        if {(first, second), (second, third), (third, first)} <= beats
        and agents.index(first) < min(agents.index(second), agents.index(third))
    ]
