"""Hugging Face `datasets` reads games of an agent from Parquet, and a network in PyTorch learns to play like it.

    python docs/libraries/datasets_imitation.py [DEALS]

Needs this package with the extra `data`, `torch`, and `datasets` (tested with 5.2.0).
"""

import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from datasets import load_dataset
from torch import nn

import chocofactory_env as cf
from chocofactory_env.training.dataset import Export, write_dataset

DEALS = int(sys.argv[1]) if len(sys.argv) > 1 else 20

torch.manual_seed(7)
torch.set_num_threads(1)
with TemporaryDirectory() as folder:
    parquet = Path(folder, "games")
    deals = range(100_000, 100_000 + DEALS)
    write_dataset(
        parquet, Export(partial(cf.load, "chocofactory", num_players=2), ("greedy", "greedy"), deals, deals_per_part=1)
    )
    parts = sorted(map(str, parquet.glob("part-*.parquet")))
    files = {"train": parts[: -DEALS // 5], "test": parts[-DEALS // 5 :]}  # whole deals are held out
    games = load_dataset("parquet", data_files=files, columns=["observation", "mask", "action"], cache_dir=folder)
    games = games.with_format("torch")
    train, test = (
        (rows["observation"].float(), rows["mask"], rows["action"].long())
        for rows in (games["train"][:], games["test"][:])
    )

scale = 1 / train[0].amax(0).clamp(min=1)
network = nn.Sequential(nn.Linear(len(scale), 256), nn.ReLU(), nn.Linear(256, train[1].shape[1]))
optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)


def logits(seen, masks):
    return network(seen * scale).masked_fill(masks == 0, -torch.inf)


@torch.no_grad()
def agreement():
    seen, masks, actions = test
    return (logits(seen, masks).argmax(1) == actions).float().mean().item()


before = agreement()
for picks in (picks for _ in range(10) for picks in torch.randperm(len(train[0])).split(256)):
    seen, masks, actions = (each[picks] for each in train)
    loss = nn.functional.cross_entropy(logits(seen, masks), actions)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"same move as greedy: {before:.0%} before, {agreement():.0%} after {len(train[0])} decisions")
