"""`row_stepper` of any game in plain Python, with the game's own methods: what the compiled one is compared with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from chocofactory_env.core.game import Step
from chocofactory_env.core.kernel import stepping
from chocofactory_env.core.kernel.rewards import SHAPED, write_rewards
from chocofactory_env.core.kernel.rng import choose_legal, draw_seat, opponent_seed, seed_generator
from chocofactory_env.core.kernel.rules import NOBODY


class RowByRow:
    """Mixed into a game, before its class. Needs `new`, `renew`, `seed_of` and the adapters' fast path."""

    def row_stepper(
        self: Any,
        step_options: np.ndarray,
        variants: Any,
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
                _Row(self, step_options[0], states[number : number + 1], row_info[number], masks[number], number).play(
                    int(actions[number]), out, observations, final
                )
                for number in rows.tolist()
            )

        return play

    def observe_movers(
        self: Any,
        variants: Any,
        states: np.ndarray,
        row_info: np.ndarray,
        rows: np.ndarray,
        raw: np.ndarray,
        out: np.ndarray,
    ) -> None:
        for k, number in enumerate(rows.tolist()):
            state = states[number : number + 1]
            self.write_observation(state, self.current_player(state), out[k])


class _Row:
    def __init__(
        self, game: Any, options: np.void, state: np.ndarray, info: np.void, mask: np.ndarray, number: int
    ) -> None:
        self.game, self.options, self.state = game, options, state
        self.info, self.mask, self.number = info, mask, number
        self.players = game.num_players

    def play(self, action: int, out: Step, observations: Any, final: Any) -> int:
        info, stages = self.info, int(self.options["stages"])
        event = 0
        if stages & (stepping.DEAL | stepping.MOVE):
            info["begun"], info["illegal"] = False, False
            info["rewards"] = 0
        if stages & stepping.DEAL:
            self.deal()
        elif stages & stepping.MOVE:
            self.move(action)
        elif stages & stepping.REPLY:
            info["mover"] = self.game.advance(self.state, action, self.mask)
        if stages & stepping.RIVALS:
            self.play_rivals()
        if stages & stepping.PAY:
            event = self.settle(stages, out, final)
        if stages & stepping.SHOW:
            out.action_masks[self.number] = 1 if info["over"] else self.mask
            self.show(observations)
        return event

    def deal(self) -> None:
        game, info, state, options = self.game, self.info, self.state, self.options
        if info["seed"] >= 0:
            state[:] = game.new(int(info["seed"]))
        else:
            game.renew(state)
        game.write_mask(state, self.mask)
        seed, words = game.seed_of(state), info["rivals"][0]
        info["seed"], info["dealt"], info["mover"] = -1, seed, game.current_player(state)
        info["over"], info["begun"], info["paid"] = False, True, 0
        if options["reward"] == SHAPED:
            info["paid"][: self.players] = game.standings(state)
        info["seat"] = draw_seat(words, seed, self.players) if options["seat"] == stepping.DRAWN else options["seat"]
        for number in range(self.players - 1):
            words = info["rivals"][number]
            seed_generator(words, opponent_seed(words, seed, number))

    def move(self, action: int) -> None:
        info, options = self.info, self.options
        if info["over"]:
            if options["autoreset"] == stepping.NEXT_STEP:
                self.deal()
        elif 0 <= action < len(self.mask) and self.mask[action]:
            info["mover"] = self.game.advance(self.state, action, self.mask)
        else:
            info["illegal"] = True
            info["rewards"][info["seat"]] = options["illegal_reward"]
            if options["illegal"] == stepping.TERMINATE:
                info["mover"] = NOBODY

    def play_rivals(self) -> None:
        info = self.info
        while info["mover"] not in (info["seat"], NOBODY):
            words = info["rivals"][(int(info["mover"]) - int(info["seat"])) % self.players - 1]
            info["mover"] = self.game.advance(self.state, choose_legal(words, self.mask), self.mask)

    def settle(self, stages: int, out: Step, final: Any) -> int:
        info, options, number = self.info, self.options, self.number
        ended = info["mover"] == NOBODY and not info["over"]
        if ended:
            info["over"], info["final_seat"] = True, info["seat"]
            if not info["illegal"]:
                self.pay_result()
        elif options["reward"] == SHAPED and not info["over"] and not info["begun"]:
            self.pay_standings()
        all_seats = options["seat"] == NOBODY
        out.rewards[number] = info["rewards"][: self.players] if all_seats else info["rewards"][info["seat"]]
        out.dones[number], out.current_player[number] = info["over"], info["mover"]
        event = int(ended or info["illegal"])
        if ended and options["autoreset"] == stepping.SAME_STEP:
            if options["keep_final"]:
                self.show(final)
            self.deal()
            if stages & stepping.RIVALS:
                self.play_rivals()
            out.current_player[number] = info["mover"]
        return event

    def pay_result(self) -> None:
        game, info, state, players = self.game, self.info, self.state, self.players
        info["scores"], info["ranking"], info["won"] = 0, NOBODY, False  # of seats that the game lacks
        info["scores"][:players] = game.scores(state)
        info["ranking"][:players] = game.ranking(state)
        info["won"][:players] = game.won(state)
        due = np.array(game.payoffs(state), np.float64)
        write_rewards(self.options["reward"], info["ranking"][:players], info["won"][:players], due)
        info["rewards"][:players] = due - info["paid"][:players]

    def pay_standings(self) -> None:
        info, standings = self.info, self.game.standings(self.state)
        info["rewards"][: self.players] += standings - info["paid"][: self.players]
        info["paid"][: self.players] = standings

    def show(self, where: tuple[np.ndarray, np.ndarray]) -> None:
        raw, scaled = where
        seat = max(0, int(self.info["mover"] if self.options["seat"] == NOBODY else self.info["seat"]))
        if self.options["scaled"]:
            self.game.write_observation(self.state, seat, scaled[self.number])
        else:
            self.game.write_raw_observation(self.state, seat, raw[self.number])
