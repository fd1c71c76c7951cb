"""Does memory help? A GRU and its memoryless twin foresee a rival's sealed bids in Schoko & Co., in plain PyTorch.

    python docs/libraries/recurrent_bids.py [GAMES] [habits | managers]

Needs this package and `torch`. Bids stay on the table until the month ends (COCOA-6); what a rival bid in earlier
months only a memory knows. `habits`: every game each seat draws a price that it bids four times in five, else any. All
else is decided by the agent `manager`. `managers`: it decides on prices too, by rules that are the same in every game.
The twin has the same weights to learn, but begins at every bid with an empty memory.
"""

import sys

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

import chocofactory_env as cf

GAMES = int(sys.argv[1]) if len(sys.argv) > 1 else 800
HABITS = sys.argv[2:] != ["managers"]
HIGHEST, EPOCHS = 10, 30

torch.set_num_threads(1)
game = cf.load("schoko", num_players=2, months=12)
manager, layout = cf.make_agent("manager", game), game.observation_layout
cheapest = game.action_layout.encode("price", 0)  # the action of bidding 1
told = layout.choose(["month", "task_city", "market", "bids", "own_bid"])  # what the network gets: bids, and when
asks = next(block.entries for block in layout.blocks if block.name == "task").index("bid_price")


def play(games: int, seed: int) -> tuple[Tensor, Tensor, Tensor]:
    """What each seat saw when it named a price (B, T, O), its rival's price in the same city, from 0 and -1 if it made
    no bid or the game is over (B, T), and whether it was the seat's first bid of the month (B, T).
    """
    rng = np.random.default_rng(seed)
    habits = rng.integers(HIGHEST, size=(games, 2))
    batch = cf.make_batch(game, games, autoreset=False)
    step = batch.reset(seed=seed)
    seen: dict[tuple[int, int], list[np.ndarray]] = {(row, seat): [] for row in range(games) for seat in (0, 1)}
    when: dict[tuple[int, int], list[tuple[int, int]]] = {each: [] for each in seen}
    prices: dict[tuple[int, int, int, int], int] = {}
    while not step.dones.all():
        tensors, actions = layout.tensors(step.observations), np.zeros(games, np.int64)
        for row in np.flatnonzero(~step.dones).tolist():
            shown, mask, seat = tensors.row(row), step.action_masks[row], int(step.current_player[row])
            action = cf.decide(game, manager, batch.state(row))
            if shown["task"][asks]:
                if HABITS:
                    price = habits[row, seat] if rng.random() < 0.8 else rng.integers(HIGHEST)
                    action = cheapest + min(int(price), int(mask[cheapest : cheapest + HIGHEST].sum()) - 1)
                month, city = round(float(shown["month"][0]) * 12), int(shown["task_city"].argmax())
                numbers = [shown[block.name].ravel() * block.high / HIGHEST for block in told.blocks]
                seen[row, seat].append(np.concatenate(numbers))
                when[row, seat].append((month, city))
                prices[row, seat, month, city] = action - cheapest
            actions[row] = action
        step = batch.step(actions)
    length = max(map(len, when.values()))
    inputs, targets = torch.zeros(len(seen), length, told.size), torch.full((len(seen), length), -1)
    first = torch.zeros(len(seen), length, dtype=torch.bool)
    for k, (row, seat) in enumerate(seen):
        months = [month for month, _ in when[row, seat]]
        for t, (month, city) in enumerate(when[row, seat]):
            inputs[k, t] = torch.from_numpy(seen[row, seat][t])
            targets[k, t] = min(prices.get((row, 1 - seat, month, city), -1), HIGHEST - 1)
            first[k, t] = month not in months[:t] and t > 0
    return inputs, targets, first


class Foresight(nn.Module):
    """Logits of the rival's price, (B, T, HIGHEST), from observations (B, T, O)."""

    def __init__(self, *, memory: bool) -> None:
        super().__init__()
        self.memory = memory
        self.body = nn.Sequential(nn.Linear(told.size, 64), nn.ReLU())
        self.cell, self.price = nn.GRU(64, 64, batch_first=True), nn.Linear(64, HIGHEST)

    def forward(self, seen: Tensor) -> Tensor:
        now = self.body(seen)
        known = self.cell(now)[0] if self.memory else self.cell(now.reshape(-1, 1, 64))[0].reshape(now.shape)
        return self.price(known)


def learn(network: Foresight, seen: Tensor, targets: Tensor) -> None:
    optimizer = torch.optim.Adam(network.parameters(), lr=2e-3)
    for _ in range(EPOCHS):
        for picks in torch.randperm(len(seen)).split(32):
            loss = cross_entropy(network(seen[picks]).flatten(0, 1), targets[picks].flatten(), ignore_index=-1)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


@torch.no_grad()
def foreseen(network: Foresight, seen: Tensor, targets: Tensor, which: Tensor) -> tuple[float, float]:
    """The share of prices that it foresees, and half of the 95 % interval (games are independent, seats are not)."""
    asked = which & (targets >= 0)
    right = ((network(seen).argmax(-1) == targets) & asked).sum(1).reshape(-1, 2).sum(1)
    number = asked.sum(1).reshape(-1, 2).sum(1)
    share = right.sum() / number.sum()
    errors = (right - share * number).double()
    return float(share), float(1.96 * errors.square().sum().sqrt() / number.sum())


seen, targets, _ = play(GAMES, seed=100_000)
test, prices, first = play(max(20, GAMES // 2), seed=200_000)
results = {}
for name, memory in (("memory", True), ("no memory", False)):
    torch.manual_seed(7)
    network = Foresight(memory=memory)
    untrained, _ = foreseen(network, test, prices, prices >= 0)
    learn(network, seen, targets)
    for what, which in (("all bids", prices >= 0), ("first bids of later months", first)):
        share, half = foreseen(network, test, prices, which)
        print(f"{name}, {what}: {share:.1%} ± {half:.1%}")
    results[name] = untrained, foreseen(network, test, prices, first)[0]
print(
    f"foresees {results['memory'][0]:.0%} before, {results['memory'][1]:.0%} after {GAMES} games, "
    f"{results['no memory'][1]:.0%} without memory"
)
