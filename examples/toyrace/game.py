"""The race as a game: options and words. `CompiledGame` does the rest."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from chocofactory_env.core.binding import bind, rules_in
from chocofactory_env.core.checks import UnknownOptionError, as_integer
from chocofactory_env.core.compiled import CompiledGame
from chocofactory_env.core.search.value import judge_dtype
from chocofactory_env.core.signature import Records

from . import rules

OPTIONS = ("num_players", "rounds", "start_player")
RULES: Final = rules_in(rules)
RECORDS: Final = Records(rules.Tables.dtype, rules.State.dtype, judge_dtype(len(rules.FEATURES), stages=2))


class ToyRace(CompiledGame):
    """A race of 1 to 4 players over `rounds` turns each. A solo player wins with `rules.WIN_ALONE` points."""

    name = "toyrace"
    rules_version = 1
    record = rules.State
    kernel = bind("toyrace", RULES, module=__name__, records=RECORDS)
    value_features = rules.FEATURES
    value_stages = 2

    def __init__(self, num_players: int = 2, rounds: int = 5, start_player: int | None = None, **unknown: Any) -> None:
        for option in unknown:
            raise UnknownOptionError.of(option, OPTIONS)
        num_players = as_integer("num_players", num_players, 1, rules.MAX_PLAYERS)
        rounds = as_integer("rounds", rounds, 1, 20)
        if start_player is not None:
            start_player = as_integer("start_player", start_player, 0, num_players - 1)
        layout = rules.observation_layout(num_players, rounds)
        blank = np.zeros(1, rules.State.dtype)
        blank["rounds"] = rounds
        blank["start_option"] = rules.NOBODY if start_player is None else start_player
        super().__init__(
            options={"num_players": num_players, "rounds": rounds, "start_player": start_player},
            num_players=num_players,
            tables=rules.tables_of(layout),
            deck_hash="toy-1",
            blank=blank,
            action_layout=rules.ACTIONS,
            observation_layout=layout,
        )

    def describe(self, action: int) -> str:
        verb, argument = self.decode(action)
        return f"move {argument + 1}" if verb == "move" else verb

    def when(self, state: np.ndarray) -> str:
        self.check_state(state)
        return f"turn {state['turn'][0]}"

    def render(self, state: np.ndarray, player: int | None = None) -> str:
        lines = [f"{self.when(state)}, seat {self.current_player(state)} to move"]
        row = state[0]
        lines += [
            f"seat {seat}: space {row['space'][seat]}, fuel {row['fuel'][seat]}, money {row['money'][seat]}"
            for seat in range(self.num_players)
        ]
        if player is not None:
            lines.append(f"your sponsor pays {row['sponsor'][player]}")
        return "\n".join(lines)
