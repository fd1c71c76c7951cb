"""A race in plain NumPy: proof that `core/` and `envs/` know no game, and a partner for their tests.

All chance is in the deal: the order of the prize cards, everyone's secret sponsor, the start seat. A turn is any number
of steps: `move` 1-3 spaces for fuel, `draw` the top prize card for 2 fuel, then `refuel` or `rest`, which end the turn.
After `rounds` turns each, the sponsors pay. Ties go to who came later in turn order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from row_by_row import RowByRow

from chocofactory_env.core.game import IllegalActionError
from chocofactory_env.core.layout import ActionLayout, Block, ObservationLayout, Tensors

MAX_PLAYERS = 4
TRACK = 12
TANK = 6
DECK = np.repeat(np.arange(1, 6, dtype=np.int8), 4)
DRAW_COST = 2
WIN_MONEY = 20  # alone
STATE = np.dtype(
    [
        ("seed", "i8"),
        ("rng", "u8"),
        ("start", "i1"),
        ("turn", "i1"),  # turns ended
        ("drawn", "i1"),  # cards gone from the deck
        ("space", "i1", MAX_PLAYERS),
        ("fuel", "i1", MAX_PLAYERS),
        ("money", "i2", MAX_PLAYERS),
        ("sponsor", "i1", MAX_PLAYERS),
        ("deck", "i1", len(DECK)),
    ]
)
VERBS = (("move", 3), ("draw", 1), ("refuel", 1), ("rest", 1))
MOVE, DRAW, REFUEL, REST = 0, 3, 4, 5


class ToyRace(RowByRow):
    name = "toyrace"
    deck_hash = "toy-1"
    rules_version = 1

    def __init__(self, num_players: int = 2, rounds: int = 5, start_player: int | None = None, **unknown: Any) -> None:
        if unknown:
            raise TypeError(f"unknown options {sorted(unknown)}; there are: num_players, rounds, start_player")
        if not 1 <= num_players <= MAX_PLAYERS:
            raise ValueError(f"num_players must be in 1..{MAX_PLAYERS}, got {num_players}")
        self.options: Mapping[str, Any] = {"num_players": num_players, "rounds": rounds, "start_player": start_player}
        self.num_players = num_players
        self.rounds = rounds
        self.start_player = start_player
        self.action_layout = ActionLayout(VERBS)
        self.num_actions = self.action_layout.size
        n = num_players
        self.observation_layout = ObservationLayout(
            [
                Block("turn", (1,), rounds * n, "turns ended"),
                Block("to_move", (n,), 1, "who moves"),
                Block("racers", (n, 2), TRACK, "space and fuel"),
                Block("money", (n,), 5 * len(DECK), "prizes"),
                Block("sponsor", (), 5, "the observer's"),
            ]
        )

    def new(self, seed: int | None = None) -> np.ndarray:
        if seed is None:
            seed = int(np.random.default_rng().integers(2**63))
        state = np.zeros(1, STATE)
        rng = np.random.default_rng(seed)
        s = state[0]
        s["seed"] = seed
        s["rng"] = int(rng.integers(2**63))
        drawn_start = int(rng.integers(self.num_players))
        s["start"] = drawn_start if self.start_player is None else self.start_player
        s["fuel"][: self.num_players] = 1
        s["sponsor"][: self.num_players] = rng.integers(1, 6, self.num_players)
        s["deck"] = rng.permutation(DECK)
        return state

    def blank_states(self, number: int) -> np.ndarray:
        return np.zeros(number, STATE)

    def renew(self, state: np.ndarray) -> None:
        state[:] = self.new(int(state["rng"][0]))

    def seed_of(self, state: np.ndarray) -> int:
        return int(state["seed"][0])

    def current_player(self, state: np.ndarray) -> int:
        turn = int(state["turn"][0])
        if turn >= self.rounds * self.num_players:
            return -1
        return (int(state["start"][0]) + turn) % self.num_players

    def legal_mask(self, state: np.ndarray) -> np.ndarray:
        mask = np.empty(self.num_actions, np.int8)
        self.write_mask(state, mask)
        return mask

    def write_mask(self, state: np.ndarray, mask: np.ndarray) -> None:
        mask.fill(0)
        player = self.current_player(state)
        if player < 0:
            return
        s = state[0]
        fuel, space = int(s["fuel"][player]), int(s["space"][player])
        mask[MOVE : MOVE + min(3, fuel, TRACK - space)] = 1
        mask[DRAW] = fuel >= DRAW_COST and int(s["drawn"]) < len(DECK)
        mask[REFUEL] = fuel < TANK
        mask[REST] = 1

    def apply(self, state: np.ndarray, action: int) -> None:
        legal = self.legal_mask(state)
        if not (0 <= action < self.num_actions and legal[action]):
            what = self.describe(action) if 0 <= action < self.num_actions else f"action {action}"
            now = ", ".join(map(self.describe, np.flatnonzero(legal).tolist())) or "nothing"
            raise IllegalActionError(f"{what} is not legal in turn {int(state['turn'][0])}; legal: {now}")
        self._play(state, action)

    def _play(self, state: np.ndarray, action: int) -> None:
        s, player = state[0], self.current_player(state)
        if action < DRAW:
            s["space"][player] += action + 1
            s["fuel"][player] -= action + 1
        elif action == DRAW:
            s["money"][player] += s["deck"][s["drawn"]]
            s["drawn"] += 1
            s["fuel"][player] -= DRAW_COST
        else:
            if action == REFUEL:
                s["fuel"][player] = min(TANK, int(s["fuel"][player]) + 3)
            s["turn"] += 1

    def advance(self, state: np.ndarray, action: int, mask: np.ndarray) -> int:
        self._play(state, action)
        self.write_mask(state, mask)
        return self.current_player(state)

    def is_over(self, state: np.ndarray) -> bool:
        return self.current_player(state) < 0

    def standings(self, state: np.ndarray) -> np.ndarray:
        s, n = state[0], self.num_players
        return np.asarray(s["money"][:n] + s["space"][:n], np.int64)

    def scores(self, state: np.ndarray) -> np.ndarray:
        if not self.is_over(state):
            return self.standings(state)
        s, n = state[0], self.num_players
        return np.asarray(self.standings(state) + s["sponsor"][:n] * (s["space"][:n] == TRACK) + s["fuel"][:n])

    def ranking(self, state: np.ndarray) -> np.ndarray:
        later = (np.arange(self.num_players) - int(state["start"][0])) % self.num_players
        order = np.lexsort((-later, -self.scores(state)))
        ranking = np.empty(self.num_players, np.int64)
        ranking[order] = np.arange(self.num_players)
        return ranking

    def won(self, state: np.ndarray) -> np.ndarray:
        if not self.is_over(state):
            return np.zeros(self.num_players, np.bool_)
        if self.num_players == 1:
            return np.asarray(self.scores(state) >= WIN_MONEY)
        return np.asarray(self.ranking(state) == 0)

    def observe(self, state: np.ndarray, player: int) -> Tensors:
        flat = np.empty(self.observation_layout.size, np.float32)
        self.write_observation(state, player, flat)
        return self.observation_layout.tensors(flat)

    def write_raw_observation(self, state: np.ndarray, player: int, out: np.ndarray) -> None:
        s, n, current = state[0], self.num_players, self.current_player(state)
        seats = (player + np.arange(n)) % n
        out[0] = s["turn"]
        out[1 : 1 + n] = seats == current
        out[1 + n : 1 + 3 * n : 2] = s["space"][seats]
        out[2 + n : 1 + 3 * n : 2] = s["fuel"][seats]
        out[1 + 3 * n : 1 + 4 * n] = s["money"][seats]
        out[1 + 4 * n] = s["sponsor"][player]

    def write_observation(
        self, state: np.ndarray, player: int, out: np.ndarray, scratch: np.ndarray | None = None
    ) -> None:
        self.write_raw_observation(state, player, out)
        out *= self.observation_layout.scale

    def clone(self, state: np.ndarray) -> np.ndarray:
        return state.copy()

    def redeal(self, state: np.ndarray, player: int, seed: int) -> np.ndarray:
        copy = state.copy()
        s, rng = copy[0], np.random.default_rng(seed)
        s["seed"] = s["rng"] = int(rng.integers(2**63))
        drawn = int(s["drawn"])
        s["deck"] = [*s["deck"][:drawn], *rng.permutation(np.sort(s["deck"][drawn:]))]
        for other in range(self.num_players):
            if other != player:
                s["sponsor"][other] = rng.integers(1, 6)
        return copy

    def to_dict(self, state: np.ndarray) -> dict[str, Any]:
        return {"game": self.name, **{name: state[name][0].tolist() for name in STATE.names or ()}}

    def from_dict(self, data: Mapping[str, Any]) -> np.ndarray:
        if data.get("game") != self.name:
            raise ValueError(f"game: expected {self.name!r}, got {data.get('game')!r}")
        state = np.zeros(1, STATE)
        for name in STATE.names or ():
            state[name][0] = data[name]
        return state

    def describe(self, action: int) -> str:
        verb, argument = self.decode(int(action))
        return f"move {argument + 1}" if verb == "move" else verb

    def decode(self, action: int) -> tuple[str, int]:
        return self.action_layout.decode(action)

    def render(self, state: np.ndarray) -> str:
        s = state[0]
        lines = [f"turn {int(s['turn'])}, seat {self.current_player(state)} to move"]
        lines += [
            f"seat {seat}: space {s['space'][seat]}, fuel {s['fuel'][seat]}, money {s['money'][seat]}"
            for seat in range(self.num_players)
        ]
        return "\n".join(lines)
