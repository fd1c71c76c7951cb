"""Profile PPO on the solo game: stepping, seeing, passes, learning, transfers, waiting, evaluating.

Each kind of network trains on one CPU thread and, if there is a GPU, on it with all cores for the games. A GPU works
asynchronously, so its time counts where the CPU waits for it. For comparison, there are sb3-contrib's MaskablePPO, and
collection with a few single environments. Epochs, minibatch and widths of `mlp` equal those of MaskablePPO in
`benchmarks.training`; SB3 has separate bodies for policy and value, our networks share one.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import torch
from stable_baselines3.common.vec_env import DummyVecEnv

from agents.networks.network import Network, masked
from training.evaluate import evaluate
from training.ppo import Learner
from training.ppo_config import Config
from training.self_play import Clocks, sample_actions

from .interfaces import SOLO
from .measure import command_line, print_row
from .threads import CORES
from .training import NETWORK, ROLLOUT, Timed, made

NETWORKS: tuple[dict[str, Any], ...] = (
    {"kind": "mlp", "width": 256},
    {"kind": "afterstates"},
)
FEW, MANY = 8, 1024  # games
PARTS = ("stepping", "seeing", "acting", "learning", "transfers", "waiting")  # clocks of `training.ppo`
DEALS = 64  # per evaluation


def config(network: dict[str, Any], games: int, steps: int, device: str = "cpu") -> Config:
    return Config(
        network=network,
        games=games,
        steps=steps,
        epochs=4,
        minibatch=512,
        max_kl=0.0,
        device=device,
        threads=1 if device == "cpu" else CORES,
        groups=1 if device == "cpu" else 2,
    )


def single_environments(network: Network) -> Callable[[], int]:
    """A step of FEW single environments in SB3's `DummyVecEnv`, with actions sampled as in PPO."""
    envs = DummyVecEnv([lambda: gymnasium.make(SOLO, reward="shaped", scaled=False)] * FEW)
    seen = envs.reset()

    def step() -> int:
        nonlocal seen
        masks = np.stack(envs.env_method("action_masks")).astype(np.int8)
        with torch.inference_mode():
            output = network(torch.from_numpy(np.asarray(seen, np.uint8)))
            actions = sample_actions(masked(output.logits, torch.from_numpy(masks)))
        seen, *_ = envs.step(actions.numpy())
        return FEW

    return step


def per_second(step: Callable[[], int], seconds: float) -> float:
    step()
    done, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        done += step()
    return done / (time.perf_counter() - start)


def collecting(network: dict[str, Any], seconds: float) -> None:
    learner = Learner(config(network, MANY, 16), None)
    table = learner.tables[0]

    def collect() -> int:
        return table.collect(learner.network, None, Clocks()).actions.numel()

    few = per_second(single_environments(learner.network), seconds)
    many = per_second(collect, seconds)
    name = f"collecting, {network['kind']}"
    print_row("loop", f"{name}: {FEW} single environments", round(few), "decisions/s", "SB3's DummyVecEnv")
    print_row("loop", f"{name}: batch of {MANY}", round(many), "decisions/s", f"{many / few:.1f} x")
    table.batch.close()


def whole_loop(network: dict[str, Any], device: str, seconds: float) -> None:
    games, steps = (ROLLOUT // 8, 8) if device == "cpu" else (MANY, 64)
    learner = Learner(config(network, games, steps, device), None)
    learner.iterate()
    iterations: list[dict[str, float]] = []
    end = time.perf_counter() + seconds
    while not iterations or time.perf_counter() < end:
        iterations.append(learner.iterate())
    speed = float(np.median([measured["decisions_per_s"] for measured in iterations]))
    shares = {part: np.mean([measured.get(f"{part}_share", 0.0) for measured in iterations]) for part in PARTS}
    where = ", ".join(f"{part} {share:.1%}" for part, share in shares.items())
    name = f"PPO, {network['kind']}, {device}"
    print_row("loop", name, round(speed), "decisions/s", f"4 epochs; {where}, rest {1 - sum(shares.values()):.1%}")
    begun = time.perf_counter()
    score = evaluate(learner.network, learner.tables[0].game, deals=DEALS)
    took = time.perf_counter() - begun
    print_row("loop", f"{name}: evaluating", round(score.games / took, 1), "games/s", f"{DEALS} side by side")


def maskable_ppo(seconds: float) -> None:
    env = made("BatchVecEnv", 512)
    model = Timed("MlpPolicy", env, n_steps=ROLLOUT // 512, batch_size=512, n_epochs=4, policy_kwargs=NETWORK, seed=1)
    model.learn(ROLLOUT)
    model.collected = model.trained = 0.0
    steps, end = 0, time.perf_counter() + seconds
    while not steps or time.perf_counter() < end:
        model.learn(ROLLOUT, reset_num_timesteps=False)
        steps += ROLLOUT
    took = model.collected + model.trained
    note = f"4 epochs, 2×256; collecting {model.collected / took:.1%}, learning {model.trained / took:.1%}"
    print_row("loop", "MaskablePPO, BatchVecEnv of 512, cpu", round(steps / took), "decisions/s", note)
    env.close()


def main() -> None:
    chosen = command_line(__doc__)
    seconds = chosen.seconds * chosen.repeats
    torch.set_num_threads(1)
    for network in NETWORKS:
        if chosen.only in str(network["kind"]):
            collecting(network, seconds)
            for device in ("cpu", *(["cuda"] if torch.cuda.is_available() else [])):
                whole_loop(network, device, seconds)
    if chosen.only in "MaskablePPO":
        maskable_ppo(seconds)


if __name__ == "__main__":
    main()
