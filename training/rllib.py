"""Self-play with Ray RLlib's PPO: one policy for all seats, trained by Ray's processes.

    python -m training.rllib --players 2 --out runs/rllib --iterations 100
    python -m training.rllib --players 4 --out runs/rllib-4 --runners 8 --address auto
    python -m training.rllib --players 2 --out runs/rllib --iterations 200 --resume

It needs its own virtual environment (`make rllib`), since RLlib requires an older Gymnasium. Without `--address`, it
starts a Ray on this machine and ends it afterwards. With it, it joins a cluster, whose machines need the same
environment: `--runners` processes play wherever Ray puts them, `agents` and `training` are sent to them, and the run's
folder is on the machine of the command.

* **Seats.** The seat to move gets an observation, and all seats get rewards at every step. So RLlib adds up a seat's
  rewards between two of its decisions, and the end of the game pays all seats, whichever moved last. `RllibGame`
  replaces RLlib's `PettingZooEnv`, which lacks raw observations and adds a layer.
* **Whole games.** Where RLlib cuts a game in two, it drops the open decision of every seat that is not to move. So
  games are played to the end before learning (`batch_mode="complete_episodes"`).
* **Masks** are in the observations. `MaskedModule` gives illegal actions probability 0, in play and in learning.

`best.safetensors` and `last.safetensors` are checkpoints like all others here. For resuming, RLlib's own state
(optimiser, counters) is in the folder `rllib` beside them; **it is pickled, so resume only your own runs.** Unfinished
games and random generators are not restored: a resumed run deals other games than before. Ctrl-C ends the run after the
present iteration.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from chocofactory_env.core.command import CommandParser, count, folder_to_write

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # otherwise Ray reports usage to its makers

import gymnasium
import numpy as np
import ray
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.env.multi_agent_env import MultiAgentEnv
from torch import Tensor
from tqdm import tqdm

from agents.networks.checkpoint import Checkpoint, CheckpointError, about_network
from agents.networks.network import Network, make_network, masked
from agents.protocol import make_agent
from chocofactory_env import Game
from chocofactory_env.core.kernel.rewards import Reward

from . import ROOT
from .evaluate import check_rival, evaluate, logged, win_rates
from .runs import BEST, LAST, Run, RunError, check_maker
from .settings import add_settings, check_limits, game_setting, given, load_game, setting

MAKER = "training.rllib"
POLICY = "all_seats"
CONFIG = "config"
STATE = "rllib"  # the folder of RLlib's state


@dataclass(frozen=True)
class Config:
    """What a run is made of; `python -m training.rllib --help` says what each setting means."""

    game: str = game_setting()
    players: int = setting(2, "seats at the table", least=2)
    options: Mapping[str, Any] = setting({}, "options of the game, as JSON")
    network: Mapping[str, Any] = setting({}, "kind and sizes of the network as JSON; empty: the game's default")
    runners: int = setting(
        0, "processes that play; 0: games are played in the learner process, one after the other", least=0
    )
    games: int = setting(32, "parallel games in each of them", least=1)
    batch: int = setting(8192, "least decisions between updates, in whole games", least=1)
    minibatch: int = setting(1024, "decisions in a minibatch", least=1)
    epochs: int = setting(3, "passes over a batch", least=1)
    learning_rate: float = setting(5e-4, "learning rate of Adam", least=0)
    gamma: float = setting(1.0, "discount for each decision", least=0, most=1)
    lam: float = setting(0.95, "lambda of generalised advantage estimation", least=0, most=1)
    clip: float = setting(0.2, "clip range of the probability ratio", least=0)
    entropy: float = setting(0.01, "entropy coefficient", least=0)
    value_weight: float = setting(0.5, "weight of the value loss", least=0)
    max_norm: float = setting(0.5, "largest norm of the gradient", least=0)
    win: float = setting(1.0, "reward for winning, shared if several seats win")
    score: float = setting(0.005, "reward for each point when it is earned, minus the mean of the other seats")
    evaluate_every: int = setting(10, "iterations between evaluations, which write the checkpoints", least=1)
    evaluate_deals: int = setting(100, "deals of an evaluation, each played from every seat", least=1)
    rivals: tuple[str, ...] = setting(("random",), "agents to evaluate against, each in turn")
    seed: int = setting(0, "random seed", least=0)
    threads: int = setting(1, "threads of torch in the learner process", least=1)

    def __post_init__(self) -> None:
        check_limits(self)

    def load(self) -> Game:
        return load_game(self, self.players)


# --- environment and module


class RllibGame(MultiAgentEnv):
    """One game as RLlib's environment: `player_0` and so on, one of whom is to move.

    An observation is `{"raw": (R,) of the layout's raw_dtype, "action_mask": (A,) int8}`, both fresh arrays.

    config: has the run's under CONFIG. RLlib adds the number of its process.
    """

    def __init__(self, config: Any) -> None:
        super().__init__()
        self._config = Config(**config[CONFIG])
        self._process = getattr(config, "worker_index", 0)
        self.game = self._config.load()
        layout = self.game.observation_layout
        space = gymnasium.spaces.Dict(
            {
                "raw": gymnasium.spaces.Box(0, layout.raw_high, dtype=np.uint8),
                "action_mask": gymnasium.spaces.Box(0, 1, (self.game.num_actions,), np.int8),
            }
        )
        self.agents = self.possible_agents = [f"player_{seat}" for seat in range(self.game.num_players)]
        self.observation_spaces = dict.fromkeys(self.agents, space)
        self.action_spaces = dict.fromkeys(self.agents, gymnasium.spaces.Discrete(self.game.num_actions))
        self._reward = Reward(self.game, "shaped")
        self._state: Any = None

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Deal the next game. Only the first seed counts.

        RLlib repeats the same seed before every batch of whole games, and gives neighbouring seeds to its processes.
        """
        if self._state is None:
            deal = None if seed is None else np.random.SeedSequence((self._process, seed)).generate_state(1)[0]
            self._state = self.game.new(None if deal is None else int(deal))
        else:
            self.game.renew(self._state)
        self._reward.begin(self._state)
        return self._seen(), {}

    def step(
        self, action_dict: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Returns the observation of the next seat to move (none at the end), all rewards, and whether it is over."""
        game, state = self.game, self._state
        game.apply(state, int(action_dict[self.agents[game.current_player(state)]]))
        over = game.is_over(state)
        paid = self._pay(over)
        rewards = {agent: float(paid[seat]) for seat, agent in enumerate(self.agents)}
        return {} if over else self._seen(), rewards, {"__all__": over}, {"__all__": False}, {}

    def _seen(self) -> dict[str, Any]:
        seat = self.game.current_player(self._state)
        raw = np.empty(self.game.observation_layout.raw_size, self.game.observation_layout.raw_dtype)
        self.game.write_raw_observation(self._state, seat, raw)
        return {self.agents[seat]: {"raw": raw, "action_mask": self.game.legal_mask(self._state)}}

    def _pay(self, over: bool) -> np.ndarray:
        """(P,) float64: the step's score relative to the others, and at the end the win."""
        earned = self._reward.at_the_end(self._state) if over else self._reward.so_far(self._state)
        others = (earned.sum() - earned) / (len(earned) - 1)
        pay: np.ndarray = (earned - others) * self._config.score
        if over:
            won = np.asarray(self.game.won(self._state), np.float64)
            pay += self._config.win * won / max(1.0, won.sum())
        return pay


class MaskedModule(TorchRLModule, ValueFunctionAPI):
    """A network of `agents.networks.network` as RLlib's module; `model_config` has the run's config under CONFIG."""

    def setup(self) -> None:
        config = Config(**self.model_config[CONFIG])
        self.network: Network = make_network(config.load(), **config.network)

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Log-probabilities, (B, A), with the values, (B,), as embeddings, so that they are computed once."""
        seen = batch[Columns.OBS]
        output = self.network(seen["raw"])
        return {
            Columns.ACTION_DIST_INPUTS: masked(output.logits, seen["action_mask"]),
            Columns.EMBEDDINGS: output.value,
        }

    def _forward_exploration(self, batch: dict[str, Any], **named: Any) -> dict[str, Any]:
        with torch.no_grad():
            output = self._forward(batch, **named)
        del output[Columns.EMBEDDINGS]  # otherwise RLlib stores them with every decision
        return output

    def _forward_inference(self, batch: dict[str, Any], **named: Any) -> dict[str, Any]:
        return self._forward_exploration(batch, **named)

    def compute_values(self, batch: dict[str, Any], embeddings: Tensor | None = None) -> Tensor:
        """The values, (B,) float32."""
        if embeddings is not None:
            return embeddings
        value: Tensor = self.network(batch[Columns.OBS]["raw"]).value
        return value


def seed_after(config: Config, done: int) -> int:
    """RLlib's seed in a run that begins or resumes after `done` iterations. Each deals other games."""
    if not done:
        return config.seed
    return int(np.random.SeedSequence((config.seed, done)).generate_state(1)[0]) >> 1  # RLlib adds to it, in 32 bits


def algorithm_config(config: Config, done: int = 0) -> PPOConfig:
    plain = {CONFIG: asdict(config)}  # RLlib adds entries of its own
    module = RLModuleSpec(module_class=MaskedModule, model_config=plain)
    return (
        PPOConfig()
        .environment(RllibGame, env_config=plain, disable_env_checking=True)  # the check would deal all games alike
        .framework("torch")
        .env_runners(
            num_env_runners=config.runners,
            num_envs_per_env_runner=config.games,
            batch_mode="complete_episodes",
            sample_timeout_s=3600.0,
        )
        .learners(num_learners=0, num_gpus_per_learner=0)
        .multi_agent(policies={POLICY}, policy_mapping_fn=lambda agent, episode, **_: POLICY)
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={POLICY: module}))
        .training(
            train_batch_size_per_learner=config.batch,
            minibatch_size=config.minibatch,
            num_epochs=config.epochs,
            lr=config.learning_rate,
            gamma=config.gamma,
            lambda_=config.lam,
            clip_param=config.clip,
            vf_clip_param=float("inf"),
            vf_loss_coeff=config.value_weight,
            entropy_coeff=config.entropy,
            grad_clip=config.max_norm,
            grad_clip_by="global_norm",
            use_kl_loss=False,
        )
        .debugging(seed=seed_after(config, done), log_level="ERROR")
    )


@contextmanager
def ray_at(address: str | None, config: Config) -> Iterator[None]:
    """Connect to the Ray at `address`, or start one on this machine that ends afterwards."""
    if address is None:
        ray.init(num_cpus=config.runners + 1, include_dashboard=False, log_to_driver=False, logging_level="error")
    else:
        modules = [str(ROOT / name) for name in ("agents", "training")]
        ray.init(address=address, runtime_env={"py_modules": modules}, logging_level="error")
    try:
        yield
    finally:
        ray.shutdown()


# --- the run


class Trainer:
    """RLlib's algorithm, and its progress. done: the iterations of the run that is resumed."""

    def __init__(self, config: Config, done: int = 0) -> None:
        torch.set_num_threads(config.threads)
        self.config = config
        self.game = config.load()
        self.algorithm = algorithm_config(config, done).build_algo()
        self.iteration = self.decisions = 0

    @property
    def network(self) -> Network:
        network: Network = self.algorithm.get_module(POLICY).network
        return network

    def iterate(self) -> dict[str, float]:
        """Do one iteration, and return its measurements."""
        begun = time.perf_counter()
        result = self.algorithm.train()
        seconds = time.perf_counter() - begun
        self.iteration += 1
        played, learned = result["env_runners"], result["learners"][POLICY]
        decisions = int(played["num_env_steps_sampled"])
        self.decisions += decisions
        names = ("policy_loss", "vf_loss", "vf_explained_var", "entropy")
        return {name: float(learned[name]) for name in names} | {
            "decisions": self.decisions,
            "decisions_per_s": decisions / seconds,
            "game_length": float(played["episode_len_mean"]),
            "playing_share": float(result["timers"]["env_runner_sampling_timer"]) / seconds,
        }

    def evaluated(self) -> dict[str, float]:
        """Win rates with Wilson's intervals; `score` is their mean."""
        deals = self.config.evaluate_deals
        return logged(
            {rival: evaluate(self.network, self.game, rival=rival, deals=deals) for rival in self.config.rivals}
        )

    def about(self) -> dict[str, Any]:
        return {
            **about_network(self.network, self.game),
            "made_by": MAKER,
            "trained_for_players": [self.config.players],
            "iteration": self.iteration,
            "decisions": self.decisions,
            "libraries": {"ray": version("ray")},
        }

    def save(self, run: Run, name: str) -> None:
        run.save(name, self.about(), {"network": self.network.state_dict()})

    def save_to_go_on(self, run: Run) -> None:
        self.algorithm.save_to_path(str((run.folder / STATE).resolve()))
        self.save(run, LAST)

    def resume_from(self, checkpoint: Checkpoint) -> None:
        """Restore from a checkpoint; CheckpointError if it does not fit this run."""
        check_maker(checkpoint, MAKER)
        own = checkpoint.network(self.game).state_dict()
        state = checkpoint.path.parent / STATE
        if not state.is_dir():
            raise CheckpointError(f"{state} is missing: RLlib's own state, without which a run cannot be resumed")
        self.algorithm.restore_from_path(str(state.resolve()))
        if any(not torch.equal(own[name], tensor.cpu()) for name, tensor in self.network.state_dict().items()):
            raise CheckpointError(f"{state} and {checkpoint.path} are not of the same moment")
        self.iteration, self.decisions = checkpoint.entry("iteration"), checkpoint.entry("decisions")


def train(
    config: Config,
    folder: Path,
    iterations: int,
    *,
    address: str | None = None,
    resume: bool = False,
    progress: bool = True,
) -> Path:
    """Train until `iterations` in total are done, and return the path of the best checkpoint.

    Ctrl-C ends it after the present iteration.

    Raises:
        RunError, CheckpointError, ValueError: see `Run`, `load_checkpoint`, `Config`.
        ConnectionError: no accessible cluster at `address`.
        ImportError, TypeError: see `make_agent`.
    """
    for rival in config.rivals:  # before the run's folder, as it may fail
        check_rival(rival, make_agent(rival, config.load()))
    stopped = False

    def stop(*_: Any) -> None:
        nonlocal stopped
        stopped = True

    with Run(folder, asdict(config), resume=resume) as run, ray_at(address, config):
        trainer = Trainer(config, 0 if run.checkpoint is None else run.checkpoint.entry("iteration"))
        best = max((line["score"] for line in run.evaluations("score")), default=-1.0)
        if run.checkpoint is not None:
            trainer.resume_from(run.checkpoint)
        else:
            trainer.save_to_go_on(run)
        print(summary_of(config, address, trainer))
        begun, seconds = trainer.decisions, 0.0
        handler = signal.signal(signal.SIGINT, stop)
        bar = tqdm(total=iterations, initial=trainer.iteration, unit="iteration", disable=not progress)
        try:
            while trainer.iteration < iterations and not stopped:
                start = time.perf_counter()
                measured = trainer.iterate()
                seconds += time.perf_counter() - start
                bar.update()
                bar.set_postfix_str(f"{measured['decisions_per_s']:,.0f} env steps/s")
                keep = trainer.iteration % config.evaluate_every == 0 or trainer.iteration == iterations or stopped
                if keep:
                    measured |= trainer.evaluated()
                    if measured["score"] > best:
                        best = measured["score"]
                        trainer.save(run, BEST)
                    print(progress_line(trainer.iteration, measured))
                run.log(trainer.iteration, measured)
                if keep:  # after the metrics: a resumed run truncates them to it
                    trainer.save_to_go_on(run)
        finally:
            signal.signal(signal.SIGINT, handler)
            bar.close()
            trainer.algorithm.stop()
    print_end(trainer, trainer.decisions - begun, seconds, iterations if stopped else None)
    return folder / BEST


def print_end(trainer: Trainer, played: int, seconds: float, stopped_before: int | None) -> None:
    """Print a summary. stopped_before: the planned number of iterations, if Ctrl-C ended the run."""
    if seconds:
        print(f"{played:,} env steps in {seconds:.0f} s: {played / seconds:,.0f} env steps/s without evaluations")
    if stopped_before is not None:
        where = f"stopped after {trainer.iteration} of {stopped_before} iterations"
        print(f"{where}; --resume continues it", file=sys.stderr)


def summary_of(config: Config, address: str | None, trainer: Trainer) -> str:
    where = f"the cluster at {address}" if address else "a Ray of this machine"
    who = f"{config.runners} processes" if config.runners else "one process"
    parameters = sum(each.numel() for each in trainer.network.parameters())
    return (
        f"self-play of {config.players}: one policy of {parameters:,} parameters, {config.games} games side by side in"
        f" {who}, {config.batch:,} decisions an iteration, on {where}; begins with iteration {trainer.iteration + 1}"
    )


def progress_line(iteration: int, measured: Mapping[str, float]) -> str:
    return (
        f"{iteration:5}  {int(measured['decisions']):>11,} env steps  {measured['decisions_per_s']:,.0f}/s"
        f"  won against {win_rates(measured)}"
        f"  entropy {measured['entropy']:.2f}  explained {measured['vf_explained_var']:.2f}"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = CommandParser(prog="python -m training.rllib", description="Train by self-play on Ray RLlib.")
    parser.add_argument("--out", type=folder_to_write, required=True, help="folder of the run")
    parser.add_argument("--iterations", type=count, default=100, help="iterations in total, also when resuming (100)")
    parser.add_argument(
        "--address", help="address of a running Ray: auto, HOST:PORT or ray://HOST:PORT (starts its own)"
    )
    parser.add_argument("--resume", action="store_true", help="resume the run in the folder")
    add_settings(parser, Config)
    chosen = parser.parse_args(arguments)
    try:
        config = replace(Config(), **given(chosen, Config))
        best = train(config, chosen.out, chosen.iterations, address=chosen.address, resume=chosen.resume)
    except (ImportError, RunError, CheckpointError, ConnectionError, TypeError, ValueError) as error:
        parser.error(str(error))
    print(f"best: {best}")


if __name__ == "__main__":
    main()
