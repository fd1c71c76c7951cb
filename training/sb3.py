"""MaskablePPO of sb3-contrib, from nothing to a saved player and its win rate, over a native batch of games.

    chocofactory train sb3 ChocoFactory/Versus-v0 --option num_players=3 --option opponents=greedy --out runs/sb3

The folder gets `best_model.zip` (the best in evaluations during training), `last_model.zip`, `checkpoints/`,
`evaluations.npz`, `progress.csv`, and TensorBoard's file. `MaskablePPO.load` reads a model. Its file holds pickled
Python objects, which may run code when loaded: load only files that you trust.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.callbacks import CheckpointCallback
from stable_baselines3.common.logger import configure
from stable_baselines3.common.vec_env import VecMonitor, VecNormalize

from chocofactory_env.core.command import Command, Options, OutFolder, Seed, integer
from chocofactory_env.envs.sb3 import BatchVecEnv

GAMES, ROLLOUT = 64, 128  # parallel games, and decisions of each between updates
EVALUATIONS, GAMES_EACH = 5, 64  # during training
FIRST_DEAL, MEASURED = 1_000_000, 256  # the deals on which the player is measured at the end


def make_games(env: str, options: Mapping[str, Any], *, training: bool) -> VecNormalize:
    """A batch of the environment `env`. In training, rewards are divided by a running estimate of their spread.

    Raises:
        TypeError, ValueError, gymnasium.error.Error: an unknown option, value, or environment.
    """
    games = VecMonitor(BatchVecEnv(env, GAMES, **{"reward": "shaped", "illegal_action": "raise", **options}))
    return VecNormalize(games, norm_obs=False, norm_reward=training, training=training, gamma=0.999)


def measure(model: MaskablePPO, games: VecNormalize) -> str:
    """The win rate and mean score in `MEASURED` games, the same in every call, by its likeliest legal actions."""
    results: list[tuple[bool, int]] = []

    def note(playing: Mapping[str, Any], _: Mapping[str, Any]) -> None:
        if playing["done"]:
            results.append((playing["info"]["won"], playing["info"]["score"]))

    games.seed(FIRST_DEAL)
    evaluate_policy(model, games, MEASURED, callback=note)
    return "won {:.1%}, scored {:.1f}".format(*np.mean(results, axis=0))


def train(
    env: str,
    *,
    out: OutFolder,
    option: Options = {},  # noqa: B006
    steps: Annotated[int, integer(1, 10**12)] = 200_000,
    seed: Seed = 0,
) -> tuple[str, str]:
    """Train a player with MaskablePPO of sb3-contrib, from nothing, and save it. Returns its strength before and after.

    Args:
        env: name of a Gymnasium environment of this package.
        out: new folder for the models and curves.
        option: an option of the environment; repeat it for more.
        steps: decisions to train on, rounded up to whole rollouts.
        seed: random seed.

    Raises:
        FileExistsError: the folder is there already.
        TypeError, ValueError, gymnasium.error.Error: see `make_games`.
    """
    folder = Path(out)
    games, others = make_games(env, option, training=True), make_games(env, option, training=False)
    folder.mkdir(parents=True)
    torch.set_num_threads(1)  # for a network this small more are slower
    model = MaskablePPO(
        "MlpPolicy",
        games,
        learning_rate=1e-3,
        n_steps=ROLLOUT,
        batch_size=1024,
        n_epochs=4,
        gamma=0.999,
        ent_coef=0.01,
        target_kl=0.03,
        policy_kwargs={"net_arch": [256, 256]},
        seed=seed,
        device="cpu",
    )
    model.set_logger(configure(str(folder), ["csv", "tensorboard"]))
    before = measure(model, others)
    every = max(1, steps // (GAMES * EVALUATIONS))  # callbacks count steps of the whole batch
    best = MaskableEvalCallback(
        others, n_eval_episodes=GAMES_EACH, eval_freq=every, log_path=str(folder), best_model_save_path=str(folder)
    )
    model.learn(steps, callback=[best, CheckpointCallback(every, str(folder / "checkpoints"))])
    model.save(folder / "last_model")
    model.logger.close()
    return before, measure(MaskablePPO.load(folder / "best_model"), others)


main = Command(
    "chocofactory train sb3",
    train,
    ("ChocoFactory/Versus-v0 --option num_players=3 --option opponents=random --out runs/sb3",),
    positional=("env",),
    tell=lambda strengths: print("before: {}\nbest_model.zip: {}".format(*strengths)),
    failures=(gymnasium.error.Error,),
).run

if __name__ == "__main__":
    main()
