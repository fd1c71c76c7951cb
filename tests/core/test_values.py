"""Numbers, flags and seats from outside: what is taken, and what is refused with a message."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import chocofactory_env as cf
from chocofactory_env.core.checks import as_flag, as_number


@pytest.mark.parametrize("value", [-1, 0.5, np.float32(0.5), np.int8(-1), Fraction(1, 2)])
def test_any_real_number_is_taken(value: Any) -> None:
    number = as_number("it", value)
    assert type(number) is float
    assert number == value


@pytest.mark.parametrize("value", ["0.1", b"1", True, np.True_, None, [1.0], 1j])
def test_what_is_no_number_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match=r"^it: expected a number, got "):
        as_number("it", value)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), np.float32("-inf")])
def test_numbers_are_finite(value: Any) -> None:
    with pytest.raises(ValueError, match=r"^it: expected a finite number, got "):
        as_number("it", value)


@pytest.mark.parametrize("value", [True, np.True_, False, np.False_])
def test_flags_of_numpy_are_taken(value: Any) -> None:
    assert as_flag("it", value) is bool(value)


@pytest.mark.parametrize("value", [1, 0, "True", None, np.int8(1)])
def test_what_is_no_flag_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match=r"^it: expected True or False, got "):
        as_flag("it", value)


@pytest.mark.parametrize("player", [True, 0.0, "0", None])
def test_a_seat_is_a_whole_number(player: Any) -> None:
    game = cf.load("chocofactory")
    state = game.new(1)
    looks: list[Callable[[], Any]] = [lambda: game.observe(state, player), lambda: game.redeal(state, player, 1)]
    if player is not None:  # nobody asks
        looks.append(lambda: game.random_playouts(state, [1], player=player))
    for look in looks:
        with pytest.raises(TypeError, match="player: expected a whole number, got "):
            look()
