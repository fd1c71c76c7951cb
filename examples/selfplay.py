"""Self-play in plain PyTorch: one network learns to play every seat of a game, by PPO over a native batch.

python examples/selfplay.py --game chocofactory --players 2 --iterations 60 --out policy.pt
"""

import numpy as np
import torch
import tyro
from torch import Tensor, nn
from torch.distributions import Categorical

import chocofactory_env as cf


class Network(nn.Module):
    """Policy logits and a value, from flat observations (B, O) and masks (B, A)."""

    def __init__(self, game: cf.Game, width: int = 256) -> None:
        super().__init__()
        size = game.observation_layout.size
        self.body = nn.Sequential(nn.Linear(size, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.logits, self.value = nn.Linear(width, game.num_actions), nn.Linear(width, 1)

    def forward(self, observations: Tensor, masks: Tensor) -> tuple[Categorical, Tensor]:
        hidden = self.body(observations)
        logits = self.logits(hidden).masked_fill(masks == 0, -torch.inf)
        return Categorical(logits=logits), self.value(hidden).squeeze(-1)


@torch.no_grad()
def play(network: Network, batch: cf.SelfPlayBatch, steps: int) -> list[Tensor]:
    """Collect observations, masks, actions, log-probabilities, advantages and returns of all seats, (K, ...)."""
    taken, step = [], batch.buffers
    for _ in range(steps):
        now = [torch.tensor(each) for each in (step.observations, step.action_masks, step.current_player)]
        policy, values = network(*now[:2])
        actions = policy.sample()
        step = batch.step(actions.numpy())
        after = torch.tensor(step.rewards), torch.tensor(step.dones)
        taken.append((*now, actions, policy.log_prob(actions), values, *after))
    # Backwards: each seat's final reward. In an unfinished game, the seat's last value estimate replaces it.
    returns, known, rows = torch.zeros_like(after[0]), torch.zeros_like(after[0], dtype=torch.bool), range(len(values))
    found = []
    for seen, masks, seats, actions, log_probs, values, rewards, dones in reversed(taken):
        returns[dones], known[dones] = rewards[dones], True
        own, use = returns[rows, seats], known[rows, seats]
        found.append([each[use] for each in (seen, masks, actions, log_probs, own - values, own)])
        returns[rows, seats], known[rows, seats] = torch.where(use, own, values), True
    return [torch.cat(each) for each in zip(*found, strict=True)]


def learn(network: Network, optimizer: torch.optim.Optimizer, rollout: list[Tensor]) -> None:
    """Do three epochs of PPO on a rollout, in minibatches of about 2,000."""
    parts = 1 + len(rollout[0]) // 2000
    for picks in (picks for _ in range(3) for picks in torch.randperm(len(rollout[0])).chunk(parts)):
        seen, masks, actions, before, advantages, returns = (each[picks] for each in rollout)
        policy, values = network(seen, masks)
        ratio = (policy.log_prob(actions) - before).exp()
        gain = (advantages - advantages.mean()) / (advantages.std(correction=0) + 1e-6)
        surrogate = torch.min(ratio * gain, ratio.clamp(0.8, 1.2) * gain).mean()
        loss = -surrogate + 0.5 * (values - returns).square().mean() - 0.01 * policy.entropy().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@torch.no_grad()
def win_share(network: Network, game: cf.Game, games: int) -> float:
    """The network's win rate in seat 0 against random players (chance: 1 / players)."""
    batch, others = cf.make_batch(game, games, autoreset=False), cf.LegalSampler(seed=0)
    step = batch.reset(seed=10_000)
    while not step.dones.all():
        policy, _ = network(torch.tensor(step.observations), torch.tensor(step.action_masks))
        own, theirs = policy.sample().numpy(), others(step.action_masks)
        step = batch.step(np.where(step.current_player == 0, own, theirs))
    return float(batch.results(np.arange(games))["won"][:, 0].mean())


def main(
    game: str = "chocofactory",
    players: int = 2,
    games: int = 128,
    steps: int = 256,
    iterations: int = 60,
    evaluate: int = 200,
    seed: int = 0,
    out: str = "policy.pt",
) -> None:
    """Train, print the win rate now and then, and save the network.

    Args:
        game: name of the game.
        players: number of players.
        games: parallel games.
        steps: decisions of each game between updates.
        iterations: number of updates.
        evaluate: games of an evaluation.
        seed: random seed.
        out: file of the network.
    """
    torch.manual_seed(seed)
    loaded = cf.load(game, num_players=players)
    network, batch = Network(loaded), cf.make_batch(loaded, games)
    optimizer = torch.optim.Adam(network.parameters(), 3e-4)
    batch.reset(seed)
    for iteration in range(1, iterations + 1):
        learn(network, optimizer, play(network, batch, steps))
        if iteration % 10 == 0 or iteration == iterations:
            share = win_share(network, loaded, evaluate)
            print(f"iteration {iteration}: wins {share:.1%} of {evaluate} games against random", flush=True)
    torch.save(network.state_dict(), out)


if __name__ == "__main__":
    tyro.cli(main)
