"""Wrappers of single and vector environments that show observations by name, or only some of their blocks.

For frames use Gymnasium's own wrappers, such as `FrameStackObservation`; all of them can be combined.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import VectorEnv, VectorWrapper
from gymnasium.vector.utils import batch_space

from ..core.messages import shown
from ..core.observation.layout import ObservationLayout, places_in

Environment: TypeAlias = gymnasium.Env[Any, Any] | VectorEnv[Any, Any, Any]


def show_blocks(env: Environment, names: Sequence[str]) -> Any:
    """Show only these blocks of an environment's observations, in the layout's order.

    Args:
        env: a Gymnasium environment or native vector environment of this package, possibly wrapped, whose observations
            are (..., O). `SyncVectorEnv` and `AsyncVectorEnv` wrap each of their environments.
        names: names of blocks (`env.unwrapped.observation_layout.blocks`).

    The wrapper's `observation_layout` is the layout of what it shows. Masks and opponents are not affected.

    Raises:
        TypeError, ValueError: `names` is not a list of one or more blocks, each once, or `env` is another environment
            or has other observations.
    """
    return _wrapped(env, _Some(layout_of(env), names))


def name_blocks(env: Environment) -> Any:
    """Show observations as dictionaries of named blocks, views of one array, in the layout's order.

    Args:
        env: as in `show_blocks`; also with the frames of a wrapper of Gymnasium, (K, O).

    Raises:
        TypeError: `env` is another environment, or has other observations.
    """
    return _wrapped(env, _Named(layout_of(env)))


def layout_of(env: Any) -> ObservationLayout:
    """The layout of what the environment, or the outermost of its wrappers that has one, shows.

    TypeError if observations are not in this layout: a flattened stack of frames would be read as its first frame.
    """
    inner = env if isinstance(env, gymnasium.Env | VectorEnv) else None
    while inner is not None and not hasattr(inner, "observation_layout"):
        inner = getattr(inner, "env", None)
    if inner is None:
        raise TypeError(f"env: expected a Gymnasium or native vector environment of this package, got {shown(env)}")
    layout: ObservationLayout = inner.observation_layout
    space = env.single_observation_space if isinstance(env, VectorEnv) else env.observation_space
    if (space.shape or (0,))[-1] != layout.size:
        raise TypeError(f"env: expected observations (..., {layout.size}), got {shown(space)}")
    return layout


class _Some:
    """Shows some blocks of observations (..., O), as a fresh array."""

    def __init__(self, whole: ObservationLayout, names: Sequence[str]) -> None:
        self.layout = whole.choose(names)
        self._places = places_in(whole, self.layout)

    def __call__(self, seen: np.ndarray) -> np.ndarray:
        return seen[..., self._places]

    def space(self, box: Any) -> spaces.Space[Any]:
        return spaces.Box(self(box.low), self(box.high), dtype=box.dtype)


class _Named:
    """Shows observations (..., O) as a dictionary of views."""

    def __init__(self, layout: ObservationLayout) -> None:
        self.layout = layout

    def __call__(self, seen: np.ndarray) -> dict[str, np.ndarray]:
        return self.layout.views(seen)

    def space(self, box: Any) -> spaces.Space[Any]:
        low, high = self(box.low), self(box.high)
        boxes = ((name, spaces.Box(low[name], high[name], dtype=box.dtype)) for name in low)
        return spaces.Dict(OrderedDict(boxes))  # keeps its order; Gymnasium sorts a plain dictionary


def _wrapped(env: Environment, look: _Some | _Named) -> Any:
    return _ManyLook(env, look) if isinstance(env, VectorEnv) else _OneLooks(env, look)


class _OneLooks(gymnasium.ObservationWrapper[Any, Any, Any]):
    def __init__(self, env: gymnasium.Env[Any, Any], look: _Some | _Named) -> None:
        super().__init__(env)
        self._look, self.observation_layout = look, look.layout
        self.observation_space = look.space(env.observation_space)

    def observation(self, observation: np.ndarray) -> Any:
        return self._look(observation)


class _ManyLook(VectorWrapper):
    """As Gymnasium's `VectorObservationWrapper`, but also for SAME_STEP, which puts last observations into `infos`."""

    def __init__(self, env: VectorEnv[Any, Any, Any], look: _Some | _Named) -> None:
        super().__init__(env)
        self._look, self.observation_layout = look, look.layout
        self.single_observation_space = look.space(env.single_observation_space)
        self.observation_space = batch_space(self.single_observation_space, env.num_envs)

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        observations, infos = self.env.reset(seed=seed, options=options)
        return self._look(observations), infos

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        observations, rewards, terminations, truncations, infos = self.env.step(actions)
        for row in np.flatnonzero(infos.get("_final_obs", ())):
            infos["final_obs"][row] = self._look(infos["final_obs"][row])
        return self._look(observations), rewards, terminations, truncations, infos
