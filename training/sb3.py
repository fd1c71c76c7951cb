"""Stable-Baselines3's PPO, with masks (sb3-contrib's MaskablePPO) or without, over native batches of games.

    python -m training.sb3 --algorithm maskable --env solo --out runs/sb3-solo --total-steps 200000
    python -m training.sb3 --algorithm maskable --env versus --players 3 --opponents random greedy --out runs/sb3-versus
    python -m training.sb3 --algorithm plain --env solo --out runs/sb3-plain --total-steps 200000
    python -m training.sb3 --algorithm maskable --env solo --out runs/sb3-solo --total-steps 400000 --resume

The policy is SB3's `MlpPolicy` on two feature layers shared by policy and value, so its parameters are those of a
`FlatNetwork`. Checkpoints are like all others here (safetensors and JSON, nothing pickled), and `load_policy` turns
them into networks that need no SB3. SB3's own `model.save` is not used.

**Plain PPO knows no masks.** Nine out of ten actions are illegal in a position. Each one it tries costs
`illegal_penalty` and a step in which the game does not advance. It learns slowly, and for a long time wastes most of
its steps on actions that a mask would rule out (logged as `illegal_share`). Evaluation plays the likeliest *legal*
action of either kind of policy, since an unmasked policy might repeat an illegal action forever.

**Resuming** restores the policy, the optimiser, the number of steps and the scale of rewards. It does not restore
unfinished games, which are dealt again, nor random generators, nor SB3's means over the last hundred games. A resumed
run is therefore equivalent to an uninterrupted one, but not identical. Ctrl-C discards the present rollout.
"""

from __future__ import annotations

import argparse
import math
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from sb3_contrib import MaskablePPO
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import KVWriter, Logger
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import VecNormalize
from torch import Tensor, nn
from tqdm import tqdm

from agents.networks.checkpoint import Checkpoint, CheckpointError, about_network, load_checkpoint
from agents.networks.network import FlatNetwork, Network, numbers_of
from agents.protocol import make_agent
from chocofactory_env import Game
from chocofactory_env.core.command import CommandParser, folder_to_write, integer
from chocofactory_env.envs.sb3 import BatchVecEnv
from chocofactory_env.envs.vector import SoloVectorEnv, VersusVectorEnv

from .evaluate import ALONE, Score, check_rival, evaluate, logged, rival_of
from .runs import BEST, LAST, Run, RunError, check_maker, device_of, optimiser_tensors, restore_optimiser
from .settings import add_settings, check_limits, game_setting, given, load_game, setting

MAKER = "training.sb3"
RIVAL = "rival"  # name of the game's rival among the agents to evaluate against
ALGORITHMS: Mapping[str, type[PPO | MaskablePPO]] = {"maskable": MaskablePPO, "plain": PPO}
ENVIRONMENTS: Mapping[str, type[SoloVectorEnv | VersusVectorEnv]] = {"solo": SoloVectorEnv, "versus": VersusVectorEnv}


@dataclass(frozen=True)
class Config:
    """What a run is made of; `python -m training.sb3 --help` says what each setting means."""

    algorithm: str = setting("maskable", "maskable: never samples illegal actions; plain: does, and is punished")
    game: str = game_setting()
    env: str = setting("solo", "solo: alone; versus: one seat against --opponents")
    players: int = setting(2, "seats at the table, in versus", least=2)
    opponents: tuple[str, ...] = setting(
        ("random",), "agents for the other seats in versus, one each or one for all; searching ones are slow"
    )
    options: Mapping[str, Any] = setting({}, "options of the game, as JSON")
    reward: str = setting("shaped", "win, rank, score, margin or shaped (score as it is earned)")
    illegal_penalty: float = setting(-0.01, "reward for an illegal action")
    games: int = setting(64, "parallel games", least=1)
    steps: int = setting(128, "decisions of each game in a rollout", least=1)
    width: int = setting(256, "width of the two hidden layers", least=1)
    learning_rate: float = setting(3e-4, "learning rate of Adam", least=0)
    epochs: int = setting(4, "passes over a rollout", least=1)
    minibatch: int = setting(1024, "decisions in a minibatch", least=2)
    gamma: float = setting(0.999, "discount for each decision", least=0, most=1)
    lam: float = setting(0.95, "lambda of generalised advantage estimation", least=0, most=1)
    clip: float = setting(0.2, "clip range of the probability ratio", least=0)
    entropy: float = setting(0.01, "entropy coefficient", least=0)
    value_weight: float = setting(0.5, "weight of the value loss", least=0)
    max_norm: float = setting(0.5, "largest norm of the gradient", least=0)
    max_kl: float = setting(0.03, "KL divergence; at 1.5 times this, the epochs of a rollout end early", least=0)
    evaluate_every: int = setting(100_000, "decisions between evaluations, which write the checkpoints", least=1)
    evaluate_deals: int = setting(100, "deals of an evaluation; in versus each is played from every seat", least=1)
    rivals: tuple[str, ...] = setting(
        ("random", RIVAL), f"in versus: agents to evaluate against, each in turn; {RIVAL}: that of the game"
    )
    seed: int = setting(0, "random seed", least=0)
    device: str = setting("cpu", "cpu or cuda")
    threads: int = setting(1, "threads of torch and of the games", least=1)

    def __post_init__(self) -> None:
        check_limits(self)
        for name, known in (("algorithm", ALGORITHMS), ("env", ENVIRONMENTS)):
            if getattr(self, name) not in known:
                raise ValueError(f"unknown {name} {getattr(self, name)!r}; there are: {', '.join(known)}")
        if self.env == "versus" and len(self.opponents) not in (1, self.players - 1):
            raise ValueError(f"expected 1 or {self.players - 1} opponents, got {len(self.opponents)}")

    def evaluated_against(self) -> list[str]:
        """The agents' names without duplicates; in the solo game, one empty name."""
        if self.env == "solo":
            return [""]
        return list(dict.fromkeys(rival_of(self.game) if name == RIVAL else name for name in self.rivals))

    def load(self) -> Game:
        if self.env == "versus":
            return load_game(self, self.players)
        try:
            return load_game(self, 1)
        except ValueError as error:
            if not str(error).startswith("num_players:"):
                raise
            raise ValueError(
                f"env: solo needs a game with a solo variant, which {self.game} lacks ({error})"
            ) from error


# Plain PPO needs a shorter horizon and a penalty that matters beside the score, or it never stops playing illegal
# actions.
PRESETS: dict[str, Config] = {
    "maskable": Config(),
    "plain": Config(algorithm="plain", gamma=0.99, illegal_penalty=-1.0),
}


# --- environment and model


class Body(BaseFeaturesExtractor):
    """The hidden layers of a `FlatNetwork`, from raw observations (B, R) to (B, width).

    scale, narrow: (O,) and the number of one-byte entries, both of the layout.
    """

    scale: Tensor

    def __init__(self, observation_space: spaces.Box, scale: Tensor, narrow: int, width: int) -> None:
        super().__init__(observation_space, width)
        self.register_buffer("scale", scale, persistent=False)
        size = len(scale)
        self._narrow = narrow
        self.body = nn.Sequential(nn.Linear(size, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())

    def forward(self, raw: Tensor) -> Tensor:
        hidden: Tensor = self.body(numbers_of(raw, self._narrow) * self.scale)
        return hidden


def make_env(config: Config) -> VecNormalize:
    """Make an SB3 environment with raw observations, which need a quarter of the memory, and normalized rewards."""
    others: dict[str, Any] = {}
    if config.env == "versus":  # None: random ones, which compiled code plays
        others["opponents"] = None if set(config.opponents) == {"random"} else list(config.opponents)
    environment = ENVIRONMENTS[config.env](
        config.load(),
        config.games,
        autoreset_mode=AutoresetMode.SAME_STEP,
        episode_statistics=True,
        copy=False,
        scaled=False,
        reward=config.reward,
        illegal_action="penalty",
        illegal_penalty=config.illegal_penalty,
        num_threads=config.threads,
        **others,
    )
    return VecNormalize(BatchVecEnv(environment), norm_obs=False, gamma=config.gamma)


def make_model(config: Config, env: VecNormalize, seed: int) -> PPO | MaskablePPO:
    layout = config.load().observation_layout
    of_body = {"scale": torch.from_numpy(layout.scale.copy()), "narrow": layout.narrow, "width": config.width}
    return ALGORITHMS[config.algorithm](
        "MlpPolicy",
        env,
        learning_rate=config.learning_rate,
        n_steps=config.steps,
        batch_size=config.minibatch,
        n_epochs=config.epochs,
        gamma=config.gamma,
        gae_lambda=config.lam,
        clip_range=config.clip,
        ent_coef=config.entropy,
        vf_coef=config.value_weight,
        max_grad_norm=config.max_norm,
        target_kl=config.max_kl,
        policy_kwargs={
            "features_extractor_class": Body,
            "features_extractor_kwargs": of_body,
            "net_arch": [],
        },
        seed=seed,
        device=device_of(config.device),
    )


# --- checkpoints


def modules(policy: Any) -> dict[str, nn.Module]:
    """The layers of SB3's policy, by their names in `FlatNetwork`."""
    return {"body": policy.features_extractor.body, "policy": policy.action_net, "value": policy.value_net}


def network_of(model: PPO | MaskablePPO, config: Config) -> FlatNetwork:
    """A copy of the policy that needs no SB3."""
    network = FlatNetwork(config.load(), config.width)
    for name, module in modules(model.policy).items():
        getattr(network, name).load_state_dict(module.state_dict())
    return network


def load_policy(path: Path | str) -> tuple[Network, Game]:
    """Load the network of a checkpoint, and its game. Evaluate it with `training.evaluate`.

    Raises:
        CheckpointError: the file is missing, damaged, or not a checkpoint, or the game has changed since.
    """
    checkpoint = load_checkpoint(path)
    check_maker(checkpoint, MAKER)
    game = checkpoint.game()
    return checkpoint.network(game).eval(), game


def about(model: PPO | MaskablePPO, config: Config, steps: int) -> dict[str, Any]:
    env = model.get_vec_normalize_env()
    assert env is not None
    return {
        **about_network(network_of(model, config), config.load()),
        "made_by": MAKER,
        "algorithm": config.algorithm,
        "iteration": steps,  # the name that `Run` reads progress from
        "reward_scale": [float(env.ret_rms.mean), float(env.ret_rms.var), float(env.ret_rms.count)],
        "libraries": {name: version(name) for name in ("stable_baselines3", "sb3_contrib")},
    }


def tensors(model: PPO | MaskablePPO, config: Config) -> dict[str, dict[str, Tensor]]:
    """The network's tensors, and Adam's moments and step counts, by owner and name."""
    optimiser = optimiser_tensors(model.policy.optimizer)
    return {"network": network_of(model, config).state_dict(), "optimiser": optimiser}


def resume_from(checkpoint: Checkpoint, model: PPO | MaskablePPO, config: Config) -> None:
    """Restore a model; CheckpointError if the checkpoint does not fit it."""
    check_maker(checkpoint, MAKER)
    network = checkpoint.network(config.load())
    try:
        for name, module in modules(model.policy).items():
            module.load_state_dict(getattr(network, name).state_dict())
        restore_optimiser(model.policy.optimizer, checkpoint)
        env = model.get_vec_normalize_env()
        assert env is not None
        mean, variance, count = checkpoint.about["reward_scale"]
        env.ret_rms.mean, env.ret_rms.var, env.ret_rms.count = np.array(mean), np.array(variance), count
        model.num_timesteps = checkpoint.entry("iteration")
    except CheckpointError:
        raise
    except (AttributeError, KeyError, ValueError, RuntimeError, TypeError) as error:
        raise CheckpointError(f"{checkpoint.path}: not a checkpoint that this run can resume from: {error}") from error


# --- the run


class IntoRun(KVWriter):
    """Writes SB3's logs to the run's metrics, and so to TensorBoard."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def write(self, key_values: dict[str, Any], key_excluded: dict[str, tuple[str, ...]], step: int = 0) -> None:
        numbers = {
            name: float(value)
            for name, value in key_values.items()
            if isinstance(value, int | float | np.number) and "tensorboard" not in key_excluded.get(name, ())
        }
        self._run.log(step, {name: value for name, value in numbers.items() if math.isfinite(value)})

    def close(self) -> None:
        """Do nothing: the run closes its files itself."""


class EvaluationCallback(BaseCallback):
    """Evaluates and saves between rollouts, keeps further counts, and ends training on request.

    `learned`: decisions trained on. `seconds`: spent training, without evaluations.
    """

    def __init__(self, run: Run, config: Config, total_steps: int, *, progress: bool) -> None:
        super().__init__()
        self.stopped = False
        self.seconds = 0.0
        self.learned = 0
        self._run, self._config, self._total = run, config, total_steps
        self._evaluated = -1
        self._best = max(map(rank, run.evaluations("eval/won")), default=(-1.0, -math.inf))
        self._illegal = self._steps = 0
        self._won: list[bool] = []
        self._bar = tqdm(total=total_steps, unit="step", disable=not progress)

    def stop(self, *_: Any) -> None:
        """End training at the next step; a signal handler."""
        self.stopped = True

    def save(self, name: str) -> None:
        self._run.save(name, about(self.model, self._config, self.learned), tensors(self.model, self._config))  # type: ignore[arg-type]

    def _on_training_start(self) -> None:
        self.learned = self.num_timesteps
        self._evaluated = self.learned
        if self._run.checkpoint is None:
            self.save(LAST)
        self._bar.update(self.learned)
        self._begun = time.perf_counter()

    def _on_rollout_start(self) -> None:
        self._learned_from_all()
        if self.learned - self._evaluated >= self._config.evaluate_every:
            self._evaluate()

    def _on_step(self) -> bool:
        infos = self.locals["infos"]
        self._steps += len(infos)
        self._illegal += sum(info.get("illegal_action", False) for info in infos)
        self._won += [bool(info["won"]) for info in infos if "won" in info]
        self._bar.update(len(infos))
        return not self.stopped

    def _on_rollout_end(self) -> None:
        self.logger.record("rollout/illegal_share", self._illegal / self._steps)
        if self._won:
            self.logger.record("rollout/won", float(np.mean(self._won)))
        self._illegal = self._steps = 0
        self._won.clear()

    def _on_training_end(self) -> None:
        if not self.stopped:
            self._learned_from_all()
            if self.learned > self._evaluated:
                self._evaluate()
        self.save(LAST)
        self.seconds += time.perf_counter() - self._begun
        self._bar.close()

    def _learned_from_all(self) -> None:
        self.learned = self.model.num_timesteps

    def _evaluate(self) -> None:
        """Log win rates with Wilson's intervals, and save the policy."""
        begun = time.perf_counter()
        network = network_of(self.model, self._config)  # type: ignore[arg-type]
        game = self._config.load()
        scores: dict[str, Score] = {}
        for rival in self._config.evaluated_against():
            score = scores[rival or ALONE] = evaluate(network, game, rival=rival, deals=self._config.evaluate_deals)
            whom = f" against {rival}" if rival else ""
            self._bar.write(f"{self.learned:>11,} steps{whom}: {score}", file=sys.stderr)
        measured = {f"eval/{name}": value for name, value in logged(scores).items()}
        measured["eval/won"] = measured["eval/score"]
        measured["eval/score"] = float(np.mean([score.score for score in scores.values()]))
        self._run.log(self.learned, measured)
        self._evaluated = self.learned
        if rank(measured) > self._best:
            self._best = rank(measured)
            self.save(BEST)
        self.save(LAST)
        self._begun += time.perf_counter() - begun


def rank(measured: Mapping[str, float]) -> tuple[float, float]:
    """The sort key of evaluations: win rate, then score."""
    return measured["eval/won"], measured["eval/score"]


def first_deal(seed: int, done: int) -> int:
    """The first deal, apart from those of benchmarks and evaluation, and from those before resuming."""
    return 1_000_000_000 + int(np.random.SeedSequence((seed, done)).generate_state(1)[0]) % 1_000_000_000


def train(
    config: Config, folder: Path, total_steps: int, *, resume: bool = False, progress: bool = True
) -> PPO | MaskablePPO:
    """Train in whole rollouts until `total_steps` decisions are played, or until Ctrl-C; returns SB3's model.

    The folder then holds the files of `training.runs`. With `resume` it continues the run there. `total_steps` counts
    from the beginning, and may be larger than before.

    Raises:
        RunError, CheckpointError, ValueError: see `Run`, `load_checkpoint`, `Config`.
        ImportError, TypeError: see `make_agent`, `VersusVectorEnv`.
    """
    torch.set_num_threads(config.threads)
    for rival in filter(None, config.evaluated_against()):
        check_rival(rival, make_agent(rival, config.load()))
    model = make_model(config, make_env(config), first_deal(config.seed, 0))  # before the run's folder, as it may fail
    with Run(folder, asdict(config), resume=resume) as run:
        done = 0
        if run.checkpoint is not None:
            resume_from(run.checkpoint, model, config)
            done = model.num_timesteps
            model.set_random_seed(first_deal(config.seed, done))
        model.set_logger(Logger(None, [IntoRun(run)]))
        callback = EvaluationCallback(run, config, total_steps, progress=progress)
        if done >= total_steps:
            return model
        before = signal.signal(signal.SIGINT, callback.stop)
        try:
            # On resuming, SB3 expects the remaining steps.
            model.learn(total_steps - done, callback=callback, reset_num_timesteps=False)
        finally:
            signal.signal(signal.SIGINT, before)
    played = callback.learned - done
    print(f"{played:,} steps in {callback.seconds:.0f} s: {played / callback.seconds:,.0f} steps/s without evaluations")
    if callback.stopped:
        print(f"stopped after {callback.learned:,} of {total_steps:,} steps; --resume continues it", file=sys.stderr)
    return model


def config_from(arguments: argparse.Namespace) -> Config:
    """The preset of the algorithm, overridden by the command line."""
    changed = given(arguments, Config)
    return replace(PRESETS[changed.get("algorithm", "maskable")], **changed)


def of_plain(name: str) -> str:
    """The plain preset's value of a setting, in words, if it differs."""
    of_both = [getattr(PRESETS[algorithm], name) for algorithm in ("maskable", "plain")]
    return "" if of_both[0] == of_both[1] or name == "algorithm" else f"; plain: {of_both[1]}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = CommandParser(
        prog="python -m training.sb3", description="Train with Stable-Baselines3's PPO, with masks or without."
    )
    parser.add_argument("--out", type=folder_to_write, required=True, help="folder of the run")
    parser.add_argument(
        "--total-steps",
        type=integer(1, 10**12),
        default=1_000_000,
        help="decisions of the learner, from the beginning (1000000)",
    )
    parser.add_argument("--resume", action="store_true", help="resume the run in the folder")
    add_settings(parser, Config, {"algorithm": ALGORITHMS, "env": ENVIRONMENTS}, of_plain)
    chosen = parser.parse_args(arguments)
    try:
        train(config_from(chosen), chosen.out, chosen.total_steps, resume=chosen.resume)
    except (ImportError, RunError, CheckpointError, TypeError, ValueError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
