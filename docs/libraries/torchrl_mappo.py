"""TorchRL's multi-agent PPO (MAPPO) learns the game of three in simultaneous mode.

    python docs/libraries/torchrl_mappo.py [ITERATIONS]

Needs this package and `torchrl` (tested with 0.14.1). MAPPO wants a parallel environment: all agents are one group, act
in every step, and share one policy; a critic of all observations judges for all. Who has nothing to decide has a mask
that allows `wait` alone.
"""

import sys

import torch
from tensordict.nn import TensorDictModule, TensorDictSequential
from torchrl.collectors import Collector
from torchrl.envs import PettingZooWrapper, RewardSum, TransformedEnv
from torchrl.modules import MaskedCategorical, MultiAgentMLP, ProbabilisticActor
from torchrl.objectives import ClipPPOLoss, ValueEstimators

from chocofactory_env import chocofactory_v0

PLAYERS, STEPS, EPOCHS, MINIBATCH = 3, 600, 4, 200
ITERATIONS = int(sys.argv[1]) if len(sys.argv) > 1 else 20
GROUP = "players"
SEEN, MASK, ACTION = (GROUP, "observation", "observation"), (GROUP, "action_mask"), (GROUP, "action")


def make_env() -> TransformedEnv:
    game = chocofactory_v0.parallel_env(num_players=PLAYERS, reward="shaped", illegal_action="raise")
    env = PettingZooWrapper(
        game, group_map={GROUP: game.possible_agents}, categorical_actions=True, use_mask=False, done_on_any=True
    )
    return TransformedEnv(env, RewardSum(in_keys=[(GROUP, "reward")], out_keys=[(GROUP, "episode_reward")]))


def network(env: TransformedEnv, outputs: int, *, centralised: bool) -> MultiAgentMLP:
    size = env.observation_spec[SEEN].shape[-1]
    return MultiAgentMLP(size, outputs, PLAYERS, centralized=centralised, share_params=True, depth=2, num_cells=128)


def main() -> None:
    torch.manual_seed(7)
    torch.set_num_threads(1)
    env = make_env()
    actions = env.full_action_spec[ACTION].space.n
    policy = ProbabilisticActor(
        TensorDictModule(network(env, actions, centralised=False), in_keys=[SEEN], out_keys=[(GROUP, "logits")]),
        in_keys={"logits": (GROUP, "logits"), "mask": MASK},
        out_keys=[ACTION],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
        log_prob_key=(GROUP, "log_prob"),
    )
    critic = TensorDictSequential(
        TensorDictModule(network(env, 1, centralised=True), in_keys=[SEEN], out_keys=[(GROUP, "state_value")])
    )
    collector = Collector(
        env, policy, frames_per_batch=STEPS, total_frames=STEPS * ITERATIONS, auto_register_policy_transforms=True
    )
    loss = ClipPPOLoss(policy, critic, clip_epsilon=0.2, entropy_coeff=0.01, normalize_advantage=True)
    loss.set_keys(
        reward=(GROUP, "reward"),
        action=ACTION,
        value=(GROUP, "state_value"),
        sample_log_prob=(GROUP, "log_prob"),
        done=(GROUP, "done"),
        terminated=(GROUP, "terminated"),
    )
    loss.make_value_estimator(ValueEstimators.GAE, gamma=1.0, lmbda=0.95)
    optimiser = torch.optim.Adam(loss.parameters(), lr=1e-3)
    money = []  # of a seat in the games of an iteration, mean
    for played in collector:
        assert played[MASK].gather(-1, played[ACTION].unsqueeze(-1)).all(), "only legal actions"
        asked = ~played[MASK][..., -1]
        assert asked.any(-1).all(), "somebody is asked in every step"
        assert (asked.sum(-1) > 1).any(), "some steps move several seats"
        played["next", GROUP, "reward"] *= 0.02  # returns of about 1
        with torch.no_grad():
            critics = {"params": loss.critic_network_params, "target_params": loss.target_critic_network_params}
            loss.value_estimator(played, **critics)
        for _ in range(EPOCHS):
            for rows in torch.randperm(len(played)).split(MINIBATCH):
                losses = loss(played[rows])
                total = losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]
                assert torch.isfinite(total)
                optimiser.zero_grad()
                total.backward()
                torch.nn.utils.clip_grad_norm_(loss.parameters(), 1.0)
                optimiser.step()
        over = played["next", "done"].squeeze(-1)
        money.append(float(played["next", GROUP, "episode_reward"][over].mean()))
    collector.shutdown()
    print(f"mean money {money[0]:.1f} before, {money[-1]:.1f} after {ITERATIONS} iterations")


if __name__ == "__main__":
    main()
