"""PPO in CleanRL's style: one file, plain PyTorch, Gymnasium's vector environment; the masks come in `info`.

    python docs/libraries/cleanrl_ppo.py [DECISIONS]

Needs this package with the extra `train`. The solo game, judged by the money earned. For self-play see
examples/selfplay.py.
"""

import sys

import gymnasium
import torch
from torch import nn
from torch.distributions import Categorical

import chocofactory_env as cf

DECISIONS = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
GAMES, STEPS, LAMBDA = 64, 128, 0.95

torch.manual_seed(7)
torch.set_num_threads(1)  # for a network this small more are slower
envs = gymnasium.make_vec(
    "ChocoFactory/FactoryManager-v0",
    num_envs=GAMES,
    autoreset_mode="SameStep",
    reward="shaped",
    illegal_action="raise",
)
size, actions = envs.single_observation_space.shape[0], envs.single_action_space.n
actor, critic = (nn.Sequential(nn.Linear(size, 128), nn.Tanh(), nn.Linear(128, out)) for out in (actions, 1))
optimizer = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=1e-3, eps=1e-5)
scale = 0.05


def policy(seen, masks):
    return Categorical(logits=actor(seen).masked_fill(masks == 0, -torch.inf))


game = cf.load("chocofactory", num_players=1)


def money():
    """Of the likeliest actions, on deals that training does not use."""
    return cf.evaluate(actor, game, deals=range(900_000, 900_064)).agents()[0]["score"]


before = money()
seen, info = envs.reset(seed=7)
for _ in range(max(1, DECISIONS // (GAMES * STEPS))):
    rows = []
    for _ in range(STEPS):
        seen, masks = torch.tensor(seen), torch.tensor(info["action_mask"])
        with torch.no_grad():
            chances = policy(seen, masks)
            action, value = chances.sample(), critic(seen).squeeze(-1)
        decided = (seen, masks, action, chances.log_prob(action), value)
        seen, reward, done, _, info = envs.step(action.numpy())
        rows.append((*decided, torch.tensor(reward * scale, dtype=torch.float32), torch.tensor(done)))
    with torch.no_grad():
        following, advantage, advantages = critic(torch.tensor(seen)).squeeze(-1), 0, []
        for *_, value, reward, done in reversed(rows):  # generalised advantage estimation
            advantage = reward + ~done * following - value + ~done * LAMBDA * advantage
            advantages.insert(0, advantage)
            following = value
    *played, values, _, _ = (torch.cat(each) for each in zip(*rows, strict=True))
    advantages = torch.cat(advantages)
    played += [advantages, advantages + values]
    for picks in (picks for _ in range(3) for picks in torch.randperm(len(advantages)).split(1024)):
        s, m, a, old, gain, target = (each[picks] for each in played)
        chances, gain = policy(s, m), (gain - gain.mean()) / (gain.std() + 1e-8)
        ratio = (chances.log_prob(a) - old).exp()
        loss = -torch.min(ratio * gain, ratio.clamp(0.8, 1.2) * gain).mean() - 0.01 * chances.entropy().mean()
        loss = loss + 0.5 * (critic(s).squeeze(-1) - target).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
print(f"mean money {before:.1f} before, {money():.1f} after {DECISIONS} decisions")
