"""Statistics of the games of a tournament. Intervals are at 95 %.

Axes: G games, P seats, N agents, D deals, K numbers of a note. A pairing may have more deals than others, but has all
its games of each. Scores may be negative. The game decides who has won, and several seats may share a win.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log, nan, sqrt

import numpy as np

from .match import CONFIDENCE, Interval, Z, wider, wilson_interval
from .series import Json

RESAMPLES = 2000
BOOTSTRAP_SEED = 0
POINTS = 400 / log(10)  # 400 points are odds of ten to one
HALF_A_GAME = 0.5  # added to the wins of each side of a pairing


@dataclass(frozen=True)
class Games:
    """The games of a tournament as arrays."""

    agents: tuple[str, ...]
    deals: np.ndarray  # (G,) int, 0 to D - 1
    deck_names: tuple[str, ...]  # K; one empty name if the series has no decks of its own
    decks: np.ndarray  # (G,) int, 0 to K - 1
    seats: np.ndarray  # (G, P) int, agents
    scores: np.ndarray  # (G, P) int
    places: np.ndarray  # (G, P) int, 1 = first
    won: np.ndarray  # (G, P) bool
    decisions: np.ndarray  # (G, P) int
    seconds: np.ndarray  # (G, P) float, spent on own decisions
    notes: dict[str, np.ndarray]  # (G, P, K) of each note, see `arena.notes`

    @classmethod
    def of(cls, agents: Sequence[str], records: Sequence[Json]) -> Games:
        def column(name: str) -> np.ndarray:
            return np.array([record[name] for record in records])

        number = {agent: place for place, agent in enumerate(agents)}
        decks = [record.get("deck", "") for record in records]
        deck_names = tuple(dict.fromkeys(decks))
        return cls(
            agents=tuple(agents),
            deals=np.unique(column("deal"), return_inverse=True)[1],
            deck_names=deck_names,
            decks=np.array([deck_names.index(deck) for deck in decks]),
            seats=np.array([[number[agent] for agent in record["agents"]] for record in records]),
            scores=column("scores"),
            places=column("places"),
            won=column("won"),
            decisions=column("decisions"),
            seconds=column("seconds"),
            notes={name: np.array([record["notes"][name] for record in records]) for name in records[0]["notes"]},
        )

    def of_agent(self, agent: int) -> np.ndarray:
        """(G,) bool: the agent's games."""
        return np.asarray((self.seats == agent).any(axis=1))

    def of_table(self, alone: int, others: int) -> np.ndarray:
        """(G,) bool: the games of one agent against copies of another on all other seats."""
        return np.asarray(((self.seats == alone).sum(axis=1) == 1) & self.of_agent(others))

    def wins(self, agent: int, games: np.ndarray) -> int:
        """The number of these games, (G,) bool, that one of the agent's seats won."""
        return int((self.won & (self.seats == agent))[games].any(axis=1).sum())

    def score_by_deal(self, agent: int, games: np.ndarray) -> np.ndarray:
        """The agent's mean score in these games, (G,) bool: one float per deal in which it has a seat."""
        mine = (self.seats == agent) & games[:, None]
        seats = np.bincount(self.deals, mine.sum(axis=1))
        total = np.bincount(self.deals, (self.scores * mine).sum(axis=1))
        return np.asarray(total[seats > 0] / seats[seats > 0])

    def decks_by_deal(self, games: np.ndarray) -> np.ndarray:
        """The deck of each deal of these games, (G,) bool: one int per deal."""
        _, first = np.unique(self.deals[games], return_index=True)
        return np.asarray(self.decks[games][first])

    def of_common_deals(self) -> Games:
        """The games of the most played deals, which are those that every pairing played."""
        played = np.bincount(self.deals)[self.deals]
        common = played == played.max()
        return Games(
            agents=self.agents,
            deals=np.unique(self.deals[common], return_inverse=True)[1],
            deck_names=self.deck_names,
            notes={name: kept[common] for name, kept in self.notes.items()},
            **{
                name: getattr(self, name)[common]
                for name in ("decks", "seats", "scores", "places", "won", "decisions", "seconds")
            },
        )


@dataclass(frozen=True)
class Summary:
    """One agent in some games. An agent wins a game when one of its seats does."""

    agent: str
    games: int
    wins: int
    win_rate: float
    win_rate_interval: Interval
    score: float
    score_interval: Interval | None  # None: one deal says nothing about the spread
    place: float


@dataclass(frozen=True)
class Pairing:
    """Two agents, in the games without any other."""

    games: int
    sides: tuple[Summary, Summary]
    difference: float  # the first agent's score less the second's
    difference_interval: Interval | None
    more_games: int | None  # until the difference is significant; None: unknown, as over several decks


@dataclass(frozen=True)
class OneVersusRest:
    """One agent against copies of another on all other seats, with more than two seats."""

    others: str
    even: float  # the win rate of an equally strong agent
    alone: Summary


@dataclass(frozen=True)
class Rating:
    """A rating in points; the mean of all agents is 0. `error` is the standard error."""

    agent: str
    points: float
    error: float
    interval: Interval


def summary(games: Games, agent: int, among: np.ndarray) -> Summary:
    """Summarize an agent. among: (G,) bool, some of the agent's games."""
    wins, number = games.wins(agent, among), int(among.sum())
    scores = games.score_by_deal(agent, among)
    mine = (games.seats == agent) & among[:, None]
    return Summary(
        agent=games.agents[agent],
        games=number,
        wins=wins,
        win_rate=wins / number,
        win_rate_interval=win_rate_interval(
            (games.won & (games.seats == agent))[among].any(axis=1), games.decks[among]
        ),
        score=float(scores.mean()),
        score_interval=hierarchical_interval(scores, games.decks_by_deal(among)),
        place=float(games.places[mine].mean()),
    )


def summaries(games: Games) -> list[Summary]:
    return [summary(games, agent, games.of_agent(agent)) for agent in range(len(games.agents))]


def pairings(games: Games) -> list[Pairing]:
    return [pairing(games, first, second) for first, second in _pairs(games)]


def pairing(games: Games, first: int, second: int) -> Pairing:
    among = games.of_agent(first) & games.of_agent(second)
    differences = games.score_by_deal(first, among) - games.score_by_deal(second, among)
    decks = games.decks_by_deal(among)
    more_deals = deals_needed(differences) if len(np.unique(decks)) < 2 else None  # they would bring no more decks
    return Pairing(
        games=int(among.sum()),
        sides=(summary(games, first, among), summary(games, second, among)),
        difference=float(differences.mean()),
        difference_interval=hierarchical_interval(differences, decks),
        more_games=None if more_deals is None else more_deals * int(among.sum()) // len(differences),
    )


def one_versus_rest(games: Games) -> list[OneVersusRest]:
    """Each agent of every pair alone against the other; empty with two players, where pairings say it all."""
    players = games.seats.shape[1]
    if players == 2:
        return []
    both_ways = [way for first, second in _pairs(games) for way in ((first, second), (second, first))]
    return [
        OneVersusRest(games.agents[others], 1 / players, summary(games, alone, games.of_table(alone, others)))
        for alone, others in both_ways
    ]


def _pairs(games: Games) -> list[tuple[int, int]]:
    agents = range(len(games.agents))
    return [(first, second) for first in agents for second in agents[first + 1 :]]


def bootstrap_interval(values: np.ndarray) -> Interval | None:
    """Bootstrap percentile interval of the mean of independent values, (D,). None for a single value."""
    if len(values) < 2:
        return None
    from scipy import stats

    found = stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=RESAMPLES,
        confidence_level=CONFIDENCE,
        method="percentile",
        batch=100,
        rng=np.random.default_rng(BOOTSTRAP_SEED),
    ).confidence_interval
    return Interval(float(found.low), float(found.high))


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
    by_deck, first = values[np.argsort(which, kind="stable")], np.cumsum(counts) - counts
    means = np.empty(RESAMPLES)
    for resample in range(RESAMPLES):
        drawn = rng.integers(len(counts), size=len(counts))
        drawn = np.repeat(drawn, counts[drawn])
        means[resample] = by_deck[first[drawn] + rng.integers(counts[drawn])].mean()
    return means


def _quantiles(means: np.ndarray) -> Interval:
    low, high = np.quantile(means, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return Interval(float(low), float(high))


def win_rate_interval(won: np.ndarray, decks: np.ndarray) -> Interval:
    """Interval of the win rate in games, (G,) bool, on these decks, (G,) int.

    On one deck it is Wilson's. On several decks it is `hierarchical_interval`, but never narrower than Wilson's: an
    agent that won every game, or none, may still do otherwise on another deck.
    """
    wilson = wilson_interval(int(won.sum()), len(won))
    if len(np.unique(decks)) < 2:
        return wilson
    found = _quantiles(hierarchical_means(won, decks))
    return wider(wilson, found)


def gap(ours: tuple[np.ndarray, np.ndarray], others: tuple[np.ndarray, np.ndarray]) -> tuple[float, Interval]:
    """The difference of two means over decks, `ours` less `others` (values, decks), with its interval."""
    difference = float(ours[0].mean() - others[0].mean())
    means = hierarchical_means(*ours) - hierarchical_means(*others, seed=BOOTSTRAP_SEED + 1)
    return difference, _quantiles(means)


def spread_of_decks(values: np.ndarray) -> float:
    """The standard deviation of the decks' true means, from (D, G) values: that of observed means, less noise.

    nan with one deck, or with one game per deck.
    """
    decks, games = values.shape
    if min(decks, games) < 2:
        return nan
    noise = values.var(axis=1, ddof=1).mean() / games
    return sqrt(max(0.0, float(values.mean(axis=1).var(ddof=1) - noise)))


def deals_needed(differences: np.ndarray) -> int | None:
    """How many more deals make the mean of the differences, (D,), significant, if mean and spread stay.

    The interval mean ± z s / √n leaves 0 out when n > (z s / mean)², with s the standard deviation of the differences
    and z = 1.96. None if the mean is 0, or with a single deal.
    """
    mean = float(differences.mean())
    if len(differences) < 2 or mean == 0:
        return None
    return max(0, ceil((Z * float(differences.std(ddof=1)) / mean) ** 2) - len(differences))


def win_matrix(games: Games) -> np.ndarray:
    """(N, N) float: the row agent's wins against the column agent; a shared win counts half."""
    wins = np.zeros((len(games.agents),) * 2)
    for first, second in _pairs(games):
        among = games.of_agent(first) & games.of_agent(second)
        both = [(games.won & (games.seats == agent))[among].any(axis=1) for agent in (first, second)]
        shared = (both[0] & both[1]).sum() / 2
        wins[first, second], wins[second, first] = (won.sum() - shared for won in both)
    return wins


def ratings(agents: Sequence[str], wins: np.ndarray) -> list[Rating]:
    """Fit a Bradley-Terry model to the matrix of wins, (N, N).

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
    rated = []
    for agent, strength, variance in zip(agents, strengths, np.diag(covariance), strict=True):
        points, error = POINTS * float(strength), POINTS * sqrt(variance)
        rated.append(Rating(agent, points, error, Interval(points - Z * error, points + Z * error)))
    return rated


def by_rating(points: Mapping[str, float]) -> list[str]:
    """Agents, best first; those of equal rating, up to rounding errors, in the given order."""
    return sorted(points, key=lambda agent: -round(points[agent], 3))


def win_rates_by_deck(games: Games) -> dict[str, dict[str, float]]:
    """Win rates by agent and deck."""
    rates = {}
    for agent, name in enumerate(games.agents):
        mine = games.of_agent(agent)
        won = (games.won & (games.seats == agent)).any(axis=1)
        rates[name] = {
            deck: float(won[mine & (games.decks == place)].mean())
            for place, deck in enumerate(games.deck_names)
            if (mine & (games.decks == place)).any()
        }
    return rates


def note_means(games: Games) -> dict[str, dict[str, list[float]]]:
    """Means of each note's numbers over an agent's seats, by agent and name of the note."""
    return {
        name: {note: kept[games.seats == agent].mean(axis=0).tolist() for note, kept in games.notes.items()}
        for agent, name in enumerate(games.agents)
    }


def speeds(games: Games) -> dict[str, float | None]:
    """Each agent's decisions per second of its own time, the median over its seats; None without any time.

    The median discounts the first games of a process, which load compiled code.
    """
    found: dict[str, float | None] = {}
    for agent, name in enumerate(games.agents):
        timed = (games.seats == agent) & (games.seconds > 0)
        found[name] = float(np.median(games.decisions[timed] / games.seconds[timed])) if timed.any() else None
    return found
