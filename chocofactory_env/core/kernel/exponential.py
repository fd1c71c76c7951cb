"""`exp` as the rules compute it: platforms' own differ in the last bit, and a search may turn on that.

The method and its constants are those of FreeBSD's msun, `e_exp.c` (Sun Microsystems, 1993); it errs by less than one
unit in the last place. Only sums, products and quotients of float64 are used, so that every platform agrees.
"""

from __future__ import annotations

from typing import Final

from ..jit import jit

LEAST: Final = -745.2  # below it the result is 0
LN2_HIGH: Final = 6.93147180369123816490e-01  # its low bits are 0, so that multiples of it are exact
LN2_LOW: Final = 1.90821492927058770002e-10
PER_LN2: Final = 1.44269504088896338700
P1: Final = 1.66666666666666019037e-01
P2: Final = -2.77777777770155933842e-03
P3: Final = 6.61375632143793436117e-05
P4: Final = -1.65339022054652515390e-06
P5: Final = 4.13813679705723846039e-08


@jit
def exp(x: float) -> float:
    """e to the power of `x`, at most 709."""
    if x < LEAST:
        return 0.0
    power = int(PER_LN2 * x + (0.5 if x >= 0 else -0.5))
    high, low = x - power * LN2_HIGH, power * LN2_LOW
    rest = high - low
    square = rest * rest
    c = rest - square * (P1 + square * (P2 + square * (P3 + square * (P4 + square * P5))))
    return scaled(1.0 - ((low - rest * c / (2.0 - c)) - high), power)


@jit
def scaled(number: float, power: int) -> float:
    """`number`, between 0.5 and 2, times 2 to the `power`."""
    factor = 2.0 if power >= 0 else 0.5
    left = abs(power)
    while left > 0:
        if left & 1:
            number *= factor
        factor *= factor
        left >>= 1
    return number
