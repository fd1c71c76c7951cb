"""A mask holds 0 and 1. Compiled code counts legal actions by their sum, and agents take 1 for legal."""

from __future__ import annotations

import numpy as np
import pytest

import chocofactory_env as cf
from chocofactory_env.agents.random_agent import RandomAgent

WRONG = (-1, 2, 127, -128)


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("shape", [(3, 9), (2, 3, 9)])
def test_the_sampler_refuses_other_numbers(wrong: int, shape: tuple[int, ...]) -> None:
    sample = cf.LegalSampler(seed=1)
    masks = np.ones(shape, np.int8)
    masks[..., 1, 4] = wrong
    with pytest.raises(ValueError, match=rf"of 0 and 1, got {wrong} at \[.*1, 4\]"):
        sample(masks)
    mask = np.zeros(9, np.int8)
    mask[[0, 4]] = 1, wrong
    with pytest.raises(ValueError, match=rf"of 0 and 1, got {wrong} at \[4\]"):
        sample.one(mask)
    with pytest.raises(ValueError, match="of 0 and 1"):
        sample(np.repeat(masks, 2, axis=-1)[..., ::2])  # not contiguous


def test_a_refused_mask_draws_nothing() -> None:
    sample, other = cf.LegalSampler(seed=1), cf.LegalSampler(seed=1)
    with pytest.raises(ValueError, match="of 0 and 1"):
        sample(np.full((5, 9), -1, np.int8))
    masks = np.ones((50, 9), np.int8)
    assert np.array_equal(sample(masks), other(masks))


def test_masks_of_bool_and_none_are_taken() -> None:
    sample = cf.LegalSampler(seed=1)
    assert sample(np.eye(4, dtype=bool)).tolist() == [0, 1, 2, 3]
    assert sample(np.eye(4, dtype=np.int8)).tolist() == [0, 1, 2, 3]
    assert sample(np.zeros((0, 4), np.int8)).tolist() == []


def test_the_random_agent_refuses_other_numbers() -> None:
    game = cf.load("chocofactory", num_players=2)
    state = game.new(seed=1)
    mask, made = game.legal_mask(state), RandomAgent()
    observation = game.observe(state, game.current_player(state))
    assert mask[made(observation, mask)] == 1
    assert mask[made(observation, mask.astype(bool))] == 1
    for wrong in WRONG:
        for places in (mask != 0, mask == 0):
            with pytest.raises(ValueError, match=f"mask: expected 0 or 1 for every action, got {wrong} for action"):
                made(observation, np.where(places, np.int8(wrong), mask))
    for share in (0.5, np.nan):
        with pytest.raises(ValueError, match="expected 0 or 1"):
            made(observation, np.where(mask, share, 1.0))
    with pytest.raises(ValueError, match="mask: it allows no action"):
        made(observation, np.zeros_like(mask))
