"""`row_stepper` of any game in plain Python, with the game's own methods: what the compiled one is compared with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from chocofactory_env.core import stepping
from chocofactory_env.core.game import Step
from chocofactory_env.core.kernel import NOBODY
from chocofactory_env.core.rewards import SHAPED, write_rewards
from chocofactory_env.core.rng import choose_legal, draw_seat, opponent_seed, seed_generator


class RowByRow:
    """Mixed into a game. Needs `new`, `renew`, `seed_of` and the methods of the adapters' fast path."""

    def row_stepper(
        self: Any,
        step_options: np.ndarray,
        states: np.ndarray,
        row_info: np.ndarray,
        actions: np.ndarray,
        masks: np.ndarray,
        out: Step,
        observations: tuple[np.ndarray, np.ndarray],
        final: tuple[np.ndarray, np.ndarray],
    ) -> Callable[[np.ndarray], int]:
        def play(rows: np.ndarray) -> int:
            return sum(
                _Row(self, step_options[0], states[at : at + 1], row_info[at], masks[at], int(at)).play(
                    int(actions[at]), out, observations, final
                )
                for at in rows
            )

        return play

    def observe_movers(self: Any, states: np.ndarray, rows: np.ndarray, raw: np.ndarray, out: np.ndarray) -> None:
        for k, at in enumerate(rows):
            state = states[at : at + 1]
            self.write_observation(state, self.current_player(state), out[k])


class _Row:
    def __init__(self, game: Any, plan: np.void, state: np.ndarray, row: np.void, mask: np.ndarray, at: int) -> None:
        self.game, self.plan, self.state, self.row, self.mask, self.at = game, plan, state, row, mask, at
        self.players = game.num_players

    def play(self, action: int, out: Step, observations: Any, final: Any) -> int:
        row, stages = self.row, int(self.plan["stages"])
        event = 0
        if stages & (stepping.DEAL | stepping.MOVE):
            row["begun"], row["illegal"] = False, False
            row["rewards"] = 0
        if stages & stepping.DEAL:
            self.deal()
        elif stages & stepping.MOVE:
            self.move(action)
        elif stages & stepping.REPLY:
            row["mover"] = self.game.advance(self.state, action, self.mask)
        if stages & stepping.RIVALS:
            self.play_rivals()
        if stages & stepping.PAY:
            event = self.settle(stages, out, final)
        if stages & stepping.SHOW:
            out.action_masks[self.at] = 1 if row["over"] else self.mask
            self.show(observations)
        return event

    def deal(self) -> None:
        game, row, state, plan = self.game, self.row, self.state, self.plan
        if row["seed"] >= 0:
            state[:] = game.new(int(row["seed"]))
        else:
            game.renew(state)
        game.write_mask(state, self.mask)
        seed, words = game.seed_of(state), row["rivals"][0]
        row["seed"], row["dealt"], row["mover"] = -1, seed, game.current_player(state)
        row["over"], row["begun"], row["paid"] = False, True, 0
        if plan["reward"] == SHAPED:
            row["paid"][: self.players] = game.standings(state)
        row["seat"] = draw_seat(words, seed, self.players) if plan["seat"] == stepping.DRAWN else plan["seat"]
        for number in range(self.players - 1):
            words = row["rivals"][number]
            seed_generator(words, opponent_seed(words, seed, number))

    def move(self, action: int) -> None:
        row, plan = self.row, self.plan
        if row["over"]:
            if plan["autoreset"] == stepping.NEXT_STEP:
                self.deal()
        elif 0 <= action < len(self.mask) and self.mask[action]:
            row["mover"] = self.game.advance(self.state, action, self.mask)
        else:
            row["illegal"] = True
            row["rewards"][row["seat"]] = plan["illegal_reward"]
            if plan["illegal"] == stepping.TERMINATE:
                row["mover"] = NOBODY

    def play_rivals(self) -> None:
        row = self.row
        while row["mover"] not in (row["seat"], NOBODY):
            words = row["rivals"][(int(row["mover"]) - int(row["seat"])) % self.players - 1]
            row["mover"] = self.game.advance(self.state, choose_legal(words, self.mask), self.mask)

    def settle(self, stages: int, out: Step, final: Any) -> int:
        row, plan, at = self.row, self.plan, self.at
        ended = row["mover"] == NOBODY and not row["over"]
        if ended:
            row["over"], row["final_seat"] = True, row["seat"]
            if not row["illegal"]:
                self.pay_result()
        elif plan["reward"] == SHAPED and not row["over"] and not row["begun"]:
            self.pay_standings()
        all_seats = plan["seat"] == NOBODY
        out.rewards[at] = row["rewards"][: self.players] if all_seats else row["rewards"][row["seat"]]
        out.dones[at], out.current_player[at] = row["over"], row["mover"]
        event = int(ended or row["illegal"])
        if ended and plan["autoreset"] == stepping.SAME_STEP:
            if plan["keep_final"]:
                self.show(final)
            self.deal()
            if stages & stepping.RIVALS:
                self.play_rivals()
            out.current_player[at] = row["mover"]
        return event

    def pay_result(self) -> None:
        game, row, state, players = self.game, self.row, self.state, self.players
        row["scores"][:players] = game.scores(state)
        row["ranking"][:players] = game.ranking(state)
        row["won"][:players] = game.won(state)
        due = np.zeros(players)
        write_rewards(self.plan["reward"], *(row[name][:players] for name in ("scores", "ranking", "won")), due)
        row["rewards"][:players] = due - row["paid"][:players]

    def pay_standings(self) -> None:
        row, standings = self.row, self.game.standings(self.state)
        row["rewards"][: self.players] += standings - row["paid"][: self.players]
        row["paid"][: self.players] = standings

    def show(self, where: tuple[np.ndarray, np.ndarray]) -> None:
        raw, scaled = where
        seat = max(0, int(self.row["mover"] if self.plan["seat"] == NOBODY else self.row["seat"]))
        if self.plan["scaled"]:
            self.game.write_observation(self.state, seat, scaled[self.at])
        else:
            self.game.write_raw_observation(self.state, seat, raw[self.at])
