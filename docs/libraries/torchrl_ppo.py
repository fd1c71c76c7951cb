"""TorchRL's PPO learns the solo game on a native batch, with a masked policy.

    python docs/libraries/torchrl_ppo.py [DECISIONS]

Needs this package with the extra `arena`, and `torchrl` (tested with 0.14.1). The player is judged by the money earned.
torchrl_vector.py checks what the batch gives; torchrl_mappo.py plays several seats.
"""

import sys

import gymnasium
import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.data import Binary
from torchrl.envs import DTypeCastTransform, GymWrapper, TransformedEnv, default_info_dict_reader
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import chocofactory_env as cf

DECISIONS = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
GAMES, STEPS, MINIBATCH = 64, 128, 1024


def money(policy: nn.Module) -> float:
    """Of the likeliest actions, on deals that training does not use."""
    game = cf.load("chocofactory", num_players=1)
    return float(cf.evaluate(policy, game, deals=range(900_000, 900_064)).agents()[0]["score"])


def main() -> None:
    torch.manual_seed(7)
    torch.set_num_threads(1)
    name, options = "ChocoFactory/FactoryManager-v0", {"reward": "shaped", "illegal_action": "raise"}
    games = gymnasium.make_vec(name, num_envs=GAMES, autoreset_mode="Disabled", **options)
    size, actions = games.single_observation_space.shape[0], games.single_action_space.n
    wrapped = GymWrapper(games, categorical_action_encoding=True)
    mask = Binary(actions, shape=(GAMES, actions), dtype=torch.int8)
    wrapped.set_info_dict_reader(default_info_dict_reader(["action_mask"], spec=[mask]))
    env = TransformedEnv(wrapped, DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"]))

    actor_network, value_network = (
        nn.Sequential(nn.Linear(size, 128), nn.Tanh(), nn.Linear(128, outputs)) for outputs in (actions, 1)
    )
    actor = ProbabilisticActor(
        TensorDictModule(actor_network, ["observation"], ["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    critic = ValueOperator(value_network, in_keys=["observation"])
    rounds = max(1, DECISIONS // (GAMES * STEPS))
    collector = Collector(
        env,
        actor,
        frames_per_batch=GAMES * STEPS,
        total_frames=rounds * GAMES * STEPS,
        auto_register_policy_transforms=True,
    )
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic, average_gae=True)
    loss = ClipPPOLoss(actor, critic, clip_epsilon=0.2, entropy_coeff=0.01)
    optimizer = torch.optim.Adam(loss.parameters(), lr=1e-3)
    before = money(actor_network)
    for played in collector:
        played["next", "reward"] *= 0.05  # returns of about 1
        with torch.no_grad():
            advantage(played)
        rows = played.reshape(-1)
        for picks in (picks for _ in range(3) for picks in torch.randperm(len(rows)).split(MINIBATCH)):
            losses = loss(rows[picks])
            total = losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]
            optimizer.zero_grad()
            total.backward()
            optimizer.step()
    collector.shutdown()
    print(f"mean money {before:.1f} before, {money(actor_network):.1f} after {rounds * GAMES * STEPS} decisions")


if __name__ == "__main__":
    main()
