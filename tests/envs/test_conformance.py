"""`check_game` on every variant that ships, and that it finds what is broken."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import chocofactory_env as cf
from chocofactory_env.testing import check_game
from toyrace.game import ToyRace

VARIANTS: list[dict[str, Any]] = [
    *({"num_players": players} for players in (1, 2, 3, 4)),
    {"num_players": 2, "play_forced": False},
    {"num_players": 3, "sides": "B", "start_player": 1},
    {"num_players": 4, "sides": "random"},
    {"num_players": 1, "difficulty": 2},
    *(
        {"num_players": players, "expansion": "master_chocolatier", "sides": sides}
        for players, sides in ((1, "random"), (2, "DCDDD"), (3, "random"), (4, "D"))
    ),
]


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_toy_conforms(players: int) -> None:
    check_game(ToyRace(num_players=players), seeds=range(3))


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_chocolate_factory_conforms(options: dict[str, Any]) -> None:
    check_game(cf.load("chocofactory", **options), seeds=range(1))


class LeakyRedeal(ToyRace):
    def redeal(self, state: np.ndarray, player: int, seed: int) -> np.ndarray:
        return state.copy()


class RedealsByMoving(ToyRace):
    """Whoever knows the seed can undo it."""

    def redeal(self, state: np.ndarray, player: int, seed: int) -> np.ndarray:
        dealt = super().redeal(state, player, seed)
        drawn = int(state["drawn"][0])
        dealt["deck"][0, drawn:] = np.random.default_rng(seed).permutation(state["deck"][0, drawn:])
        return dealt


class RedealsWhatIsSeen(ToyRace):
    def redeal(self, state: np.ndarray, player: int, seed: int) -> np.ndarray:
        dealt = super().redeal(state, player, seed)
        dealt["sponsor"][0, player] = 1 + (state["sponsor"][0, player] % 5)
        return dealt


class SharedClone(ToyRace):
    def clone(self, state: np.ndarray) -> np.ndarray:
        return state


class EmptyMask(ToyRace):
    def write_mask(self, state: np.ndarray, mask: np.ndarray) -> None:
        mask.fill(0)


class WrongMaskType(ToyRace):
    def legal_mask(self, state: np.ndarray) -> np.ndarray:
        return super().legal_mask(state).astype(np.bool_)


class Careless(ToyRace):
    def apply(self, state: np.ndarray, action: int) -> None:
        if 0 <= action < self.num_actions:
            self._play(state, action)
        else:
            super().apply(state, action)


class TooBright(ToyRace):
    def write_observation(
        self, state: np.ndarray, player: int, out: np.ndarray, scratch: np.ndarray | None = None
    ) -> None:
        super().write_observation(state, player, out)
        out[0] = 1.5


class Forgetful(ToyRace):
    def to_dict(self, state: np.ndarray) -> dict[str, Any]:
        return {**super().to_dict(state), "money": [0] * 4}


class Random(ToyRace):
    def _play(self, state: np.ndarray, action: int) -> None:
        super()._play(state, action)
        state["money"][0, 0] += np.random.default_rng().integers(2)


class OtherRenewal(ToyRace):
    def seed_of(self, state: np.ndarray) -> int:
        return int(state["turn"][0]) + 1


class OtherRows(ToyRace):
    def rows_player(self, plan: np.ndarray, states: np.ndarray, *arguments: Any) -> Any:
        play = super().rows_player(plan, states, *arguments)

        def careless(which: np.ndarray) -> int:
            events = play(which)
            states["money"][:, 0] += states["turn"] > 2
            return events

        return careless


class BlindRows(ToyRace):
    def rows_player(self, *arguments: Any) -> Any:
        return super().rows_player(*arguments[:-2], tuple(np.zeros_like(a) for a in arguments[-2]), arguments[-1])


class OtherPlayouts(ToyRace):
    def random_playouts(self, state: np.ndarray, seeds: Any, **options: Any) -> Any:
        return super().random_playouts(state, [seed + 1 for seed in seeds], **options)


class RanksUpsideDown(ToyRace):
    def ranking(self, state: np.ndarray) -> np.ndarray:
        return self.num_players - 1 - super().ranking(state)


@pytest.mark.parametrize(
    ("game", "promise"),
    [
        (LeakyRedeal, "drawn|draws what is hidden"),
        (RedealsByMoving, "how hidden things lay"),
        (RedealsWhatIsSeen, "redeal keeps the observation"),
        (SharedClone, "clone"),
        (EmptyMask, "never empty"),
        (WrongMaskType, "int8"),
        (Careless, "raises IllegalActionError"),
        (TooBright, r"\[0, 1\]"),
        (Forgetful, "from_dict"),
        (Random, "deterministic|advance does|from_dict"),
        (OtherRenewal, "seed_of"),
        (RanksUpsideDown, "more money|ranks first"),
        (OtherRows, "a row is the state"),
        (BlindRows, "a row's observation"),
        (OtherPlayouts, "random_playouts gives"),
    ],
)
def test_a_broken_promise_is_found(game: type[ToyRace], promise: str) -> None:
    with pytest.raises(AssertionError, match=promise):
        check_game(game(num_players=2), seeds=range(8))
