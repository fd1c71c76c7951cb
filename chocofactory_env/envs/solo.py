"""A game of one player as a Gymnasium environment."""

from __future__ import annotations

from typing import Any

from ..core.game import Game
from ..core.kernel.rewards import RewardFunction
from ..core.kernel.views import Blocks, ObservationForm
from .common import OneSeatEnv
from .loading import Decks, solo_games_of
from .pictures import DEFAULT_SIZE, RenderSize


class SoloEnv(OneSeatEnv):
    """A one-player game.

    Args:
        name: name of a game, which is loaded with `num_players=1` and `options`, or a loaded game of one player.
        reward: `"win"` (1 at the end of a won game), `"score"` (at the end), `"shaped"` (the score as it grows),
            or your own function; see `chocofactory_env.core.kernel.rewards.Reward`.
        illegal_action: `"penalty"` (nothing changes, `illegal_penalty` is paid, `info["illegal_action"]` is True),
            `"raise"`, or `"terminate"` (the game ends with -1). The default suits learners without masks, and the
            checkers of Gymnasium and SB3, which draw actions from the whole space. A policy without randomness may then
            repeat an illegal action forever: evaluate it with `"terminate"`, or with `max_episode_steps`.
        illegal_penalty: the reward of an illegal action under `"penalty"`.
        observation: `"flat"`, (O,) float32, or `"named"`, a dictionary. Learners take a flat one directly, and
            `env.observation_layout.views(vector)` names its parts without copying.
        scaled: True: float32 in [0, 1]. False: whole numbers, in bytes; `observation_layout.scaled(raw)` scales them.
        blocks: names of the blocks to show (`game.observation_layout.blocks`); None shows all. `env.observation_layout`
            is the layout of what is shown. Masks and opponents are not affected.
        stack: number of frames, (stack, O): the seat's observations at its last decisions of the game, the present one
            last, and zeros before its first.
        render_mode: None, `"ansi"` (text), `"rgb_array"` (frames), or `"human"` (a window that shows every move).
            Frames and windows need the extra `render`.
        render_size: (width, height) of frames and windows in pixels.
        decks: several decks, as `"generated:100000-100999"` or a list. The seed of a deal chooses one, and
            `infos["deck"]` names it. `name` must then be a string.
        options: options of the game. A list declares a set of values: deals draw from it, `reset(options=...)` chooses.

    `info` holds `action_mask`, `illegal_action` (bool), `score` (int), `won` (bool), and the value of each option given
    as a list. Before the end, and in a game that an illegal action ended, `score` is 0 and `won` False.

    Raises:
        ValueError: an invalid option, or the game has more than one player.
    """

    def __init__(
        self,
        name: Game | str,
        *,
        reward: str | RewardFunction = "win",
        illegal_action: str = "penalty",
        illegal_penalty: float = -0.01,
        observation: ObservationForm = "flat",
        scaled: bool = True,
        blocks: Blocks = None,
        stack: int = 1,
        render_mode: str | None = None,
        render_size: RenderSize = DEFAULT_SIZE,
        decks: Decks = None,
        **options: Any,
    ) -> None:
        super().__init__(
            solo_games_of(name, options, type(self), decks),
            reward=reward,
            illegal_action=illegal_action,
            illegal_penalty=illegal_penalty,
            view=(observation, scaled, blocks, stack),
            render_mode=render_mode,
            render_size=render_size,
        )
