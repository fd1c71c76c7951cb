"""Solve the metagame of a tournament, in which two players each choose an agent and the payoff is its win rate.

Nash averaging (Balduzzi et al. 2018) weights agents by the maximum-entropy equilibrium, so copies of an agent share its
weight, and beating many weak agents gains nothing. Alpha-rank (Omidshafiei et al. 2019) is each agent's share of time
in a population that better agents take over, so agents in a cycle share it. `docs/arena.md` explains how to read both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from .play import Json
from .table import CONFIDENCE

RESAMPLES = 500
SEED = 0
PRIOR = 0.5  # Jeffreys' prior of a win rate
MUTATION = 1e-6  # alpha-rank's chance of a step to a worse agent, close to the limit 0
DECIMALS = 4  # kept, so that results do not depend on library versions
SMALLEST = 1e-9  # least weight in an equilibrium, since entropy has no slope at 0


def solutions(agents: Sequence[str], wins: np.ndarray) -> list[Json]:
    """The solutions of all agents, as shares of 1, with intervals at 95 %. wins: (N, N); every pair has played.

    nash: the weight in the equilibrium; against_nash: the win rate against an opponent drawn from the equilibrium, 50 %
    for the equilibrium's agents.

    Intervals are percentiles over draws of all win rates from their posterior (a parametric bootstrap), since result
    files hold no single games. Games count as independent, as in ratings.
    """
    rng = np.random.default_rng(SEED)
    drawn = [_solved(_drawn(wins, rng), some_equilibrium) for _ in range(RESAMPLES)]  # almost surely the only one
    low, high = np.quantile(drawn, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2], axis=0)  # each (3, N)
    found = _solved(rates_of(wins), nash)  # (3, N)
    found, low, high = (np.round(each, DECIMALS).tolist() for each in (found, low, high))
    names = ("nash", "against_nash", "alpha_rank")
    return [
        {"agent": agent}
        | {name: found[one][place] for one, name in enumerate(names)}
        | {f"{name}_interval": (low[one][place], high[one][place]) for one, name in enumerate(names)}
        for place, agent in enumerate(agents)
    ]


def rates_of(wins: np.ndarray) -> np.ndarray:
    """(N, N): win rates of row agents against column agents; 50 % on the diagonal and for pairs without games."""
    games = wins + wins.T
    return np.where(games > 0, wins / np.maximum(games, 1), 0.5)


def _drawn(wins: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(N, N): win rates drawn from their posterior."""
    above = np.triu(rng.beta(wins + PRIOR, wins.T + PRIOR), 1)
    return above + np.tril(1 - above.T, -1) + np.eye(len(wins)) / 2


def _solved(rates: np.ndarray, equilibrium: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """(3, N): weights of the equilibrium, win rates against it, alpha-rank."""
    weights = equilibrium(rates)
    return np.array([weights, rates @ weights, alpha_rank(rates)])


def nash(rates: np.ndarray) -> np.ndarray:
    """(N,): the maximum-entropy equilibrium of the symmetric zero-sum game with win rates (N, N).

    The equilibria are the weights against which no agent wins more than half. They form a polytope, on which entropy is
    concave.
    """
    from scipy import optimize

    payoffs, number = rates - 0.5, len(rates)
    start = some_equilibrium(rates)
    found = optimize.minimize(
        lambda weights: float(weights @ np.log(weights)),
        np.clip(start, SMALLEST, 1),
        jac=lambda weights: np.log(weights) + 1,
        bounds=[(SMALLEST, 1)] * number,
        constraints=[
            {"type": "eq", "fun": lambda weights: weights.sum() - 1, "jac": lambda weights: np.ones(number)},
            {"type": "ineq", "fun": lambda weights: SMALLEST - payoffs @ weights, "jac": lambda weights: -payoffs},
        ],
        method="SLSQP",
        options={"maxiter": 200, "ftol": 1e-10},
    )
    weights = np.where(found.x > 1e-6, found.x, 0)
    return np.asarray(weights / weights.sum())


def some_equilibrium(rates: np.ndarray) -> np.ndarray:
    """(N,): a vertex of the polytope of equilibria, by linear programming unless one agent beats all."""
    unbeaten = np.flatnonzero((rates >= 0.5).all(axis=1))
    if len(unbeaten):
        return np.asarray(np.eye(len(rates))[unbeaten[0]])
    from scipy.optimize import linprog

    nothing = np.zeros(len(rates))
    found = linprog(nothing, A_ub=rates - 0.5, b_ub=nothing, A_eq=np.ones((1, len(rates))), b_eq=[1])
    return np.asarray(found.x / found.x.sum())


def alpha_rank(rates: np.ndarray) -> np.ndarray:
    """(N,): shares of time in the limit of strong selection, from win rates (N, N).

    The whole population plays one agent. A random other agent takes over with probability 1 - MUTATION if it wins
    against it, MUTATION if it loses, and 1/2 if they are equal.
    """
    number = len(rates)
    better = np.select([rates.T > 0.5, rates.T < 0.5], [1 - MUTATION, MUTATION], 0.5)  # from the row to the column
    steps = (better / max(number - 1, 1)) * (1 - np.eye(number))
    steps += np.diag(1 - steps.sum(axis=1))
    equations = np.vstack([steps.T - np.eye(number), np.ones(number)])
    shares = np.linalg.lstsq(equations, np.append(np.zeros(number), 1), rcond=None)[0]
    return np.asarray(np.clip(shares, 0, 1))
