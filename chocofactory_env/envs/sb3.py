"""Native batches for Stable-Baselines3: a `VecEnv` for SB3 and for `MaskablePPO` of sb3-contrib.

Needs stable-baselines3 (`pip install stable-baselines3`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from stable_baselines3.common.vec_env import VecEnv

from ..core.messages import shown
from .vector import SeatVectorEnv


class BatchVecEnv(VecEnv):
    """SB3's view of N games that one compiled call steps.

    Args:
        env: the name of an environment, or a native vector environment, possibly in a wrapper such as
            `cf.show_blocks`. SB3 requires autoreset SAME_STEP.
        num_envs: N, if `env` is a name.
        options: options of the environment, if `env` is a name, such as `max_episode_steps`.

    The info of a game's last step holds `terminal_observation`, `TimeLimit.truncated`, `score`, `won`, and so on;
    other infos hold at most `illegal_action`. SB3's `VecMonitor` around it adds `episode` (`r`, `l`, `t`).

    Raises:
        TypeError, ValueError: the environment has no native batch, or its autoreset mode is not SAME_STEP.
        gymnasium.error.Error: there is no such environment.
    """

    def __init__(self, env: VectorEnv[Any, Any, Any] | str, num_envs: int = 1, **options: Any) -> None:
        if isinstance(env, str):
            env = gymnasium.make_vec(
                env,
                num_envs,
                autoreset_mode=AutoresetMode.SAME_STEP,
                **{"copy": False, **options},
            )
        elif options or num_envs != 1:
            raise TypeError("num_envs and options: expected only with the name of an environment, got an environment")
        native = getattr(env, "unwrapped", env)
        if not isinstance(native, SeatVectorEnv):
            raise TypeError(f"expected a native vector environment, got {env!r}")
        if native.autoreset_mode != AutoresetMode.SAME_STEP:
            raise ValueError(f"SB3 resets within the step: expected SAME_STEP, got {native.autoreset_mode.name}")
        self.env = native
        self._wrapped: Any = env
        self._actions: Any = None
        super().__init__(native.num_envs, env.single_observation_space, env.single_action_space)

    def reset(self) -> Any:
        """Begin all games with the seeds and options given by `seed` and `set_options`; return the observations.

        Raises:
            TypeError, ValueError: an unknown option or value, or options that differ between games.
        """
        unseeded = all(seed is None for seed in self._seeds)
        options = self._options[0]
        if any(other != options for other in self._options):
            raise ValueError(f"set_options: the games of a batch share their options, got {shown(self._options)}")
        observations, infos = self._wrapped.reset(seed=None if unseeded else self._seeds, options=options or None)
        labels = {name: values for name, values in infos.items() if f"_{name}" in infos and name != "action_mask"}
        self.reset_infos = [
            {name: values[row] for name, values in labels.items() if infos[f"_{name}"][row]}
            for row in range(self.num_envs)
        ]
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_async(self, actions: np.ndarray) -> None:
        self._actions = actions

    def step_wait(self) -> tuple[Any, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Observations, rewards (N,) float32, dones (N,) bool, and one info per game."""
        observations, rewards, terminations, truncations, batch_infos = self._wrapped.step(self._actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for row in np.flatnonzero(batch_infos["illegal_action"]).tolist():
            infos[row]["illegal_action"] = True
        dones = terminations | truncations
        for row in np.flatnonzero(dones).tolist():
            infos[row] = self._final_info(batch_infos, row)
            infos[row]["TimeLimit.truncated"] = bool(not terminations[row])
        return observations, rewards, dones, infos

    def _final_info(self, batch_infos: dict[str, Any], row: int) -> dict[str, Any]:
        final = batch_infos["final_info"]
        info = {name: values[row] for name, values in final.items() if f"_{name}" in final and final[f"_{name}"][row]}
        info["terminal_observation"] = batch_infos["final_obs"][row]
        return info

    def get_images(self) -> Sequence[np.ndarray | None]:
        """A picture of every game, with `render_mode="rgb_array"`."""
        return list(self.env.render() or ())

    def action_masks(self) -> np.ndarray:
        """(N, A) bool: the actions that are legal now."""
        return self.env.action_masks()

    def close(self) -> None:
        self.env.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The batch's attribute, repeated for every requested row."""
        return [getattr(self.env, attr_name)] * len(self._rows(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set the batch's attribute for all rows."""
        self._check_all(attr_name, self._rows(indices))
        setattr(self.env, attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """Call the batch's method once, and return for every requested row what it returned.

        Only `action_masks` and `render` return one entry per row, of which each row gets its own.

        Raises:
            ValueError: a method that sets something, which the games share, was requested for some of them.
        """
        rows = self._rows(indices)
        if method_name.startswith("set_"):
            self._check_all(method_name, rows)
        returned = getattr(self.env, method_name)(*method_args, **method_kwargs)
        if method_name in ("action_masks", "render") and returned is not None:
            return [returned[row] for row in rows]
        return [returned] * len(rows)

    def env_is_wrapped(
        self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: Any = None
    ) -> list[bool]:
        """False: a batch has no wrappers for single environments."""
        return [False] * len(self._rows(indices))

    def _check_all(self, name: str, rows: Sequence[int]) -> None:
        if len(rows) != self.num_envs:
            raise ValueError(f"{name}: the games of a batch share it; set it for all {self.num_envs}, not for {rows}")

    def _rows(self, indices: Any) -> Sequence[int]:
        return list(self._get_indices(indices))
