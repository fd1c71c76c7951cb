"""The rules' own `exp`, which all platforms compute alike."""

from __future__ import annotations

import itertools
import math

import numpy as np

from chocofactory_env.core.kernel.exponential import LEAST, exp
from chocofactory_env.core.search.value import MOST_EXPONENT

STEP = 1e-12


def samples() -> list[float]:
    """Of all sizes, in order, and beside the places where the power of 2 changes."""
    rng = np.random.default_rng(1)
    edges = [(half + 0.5) * math.log(2) + step for half in range(-1070, 1010) for step in (-STEP, 0, STEP)]
    spread = [*rng.uniform(LEAST, MOST_EXPONENT, 3000), *rng.normal(0, 1, 3000), *10.0 ** rng.uniform(-300, 0, 500)]
    return sorted([*map(float, spread), *edges, 0.0, -0.0, LEAST, MOST_EXPONENT])


def test_it_is_within_a_unit_in_the_last_place_and_grows() -> None:
    found = [(x, exp(x)) for x in samples()]
    for x, result in found:
        assert abs(result - math.exp(x)) <= math.ulp(math.exp(x)), x
    assert all(before <= after for (_, before), (_, after) in itertools.pairwise(found))


def test_it_is_exact_at_0_and_0_where_nothing_is_left() -> None:
    assert exp(0.0) == exp(-0.0) == 1.0
    for x in (math.nextafter(LEAST, -math.inf), -1e3, -1e300, -math.inf):
        assert exp(x) == 0.0
    assert 0.0 < exp(-745.1) <= math.ulp(0.0)
