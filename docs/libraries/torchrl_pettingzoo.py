"""TorchRL plays the game of several through its PettingZoo wrapper.

Needs this package and `torchrl` (tested with 0.14.1). Every player is a group; `mask` says who moves,
`action_mask` what is legal for the mover (it allows everything to the others, whose actions are ignored).
"""

import torch
from torchrl.envs import PettingZooWrapper, check_env_specs

from chocofactory_env import chocofactory_v0

torch.manual_seed(7)
game = chocofactory_v0.env(num_players=2, reward="shaped")
env = PettingZooWrapper(game, use_mask=True)
check_env_specs(env, seed=7)

played = env.rollout(10_000)  # legal random actions; stops by itself at the end of the game
movers = 0
for player in env.group_map:
    moves = played[player, "mask"]
    legal = played[player, "action_mask"].gather(-1, played[player, "action"].unsqueeze(-1)).squeeze(-1)
    assert legal[moves].all()
    money = played["next", player, "reward"].sum().item()
    assert money == game.infos[player]["score"]
    movers = movers + moves.int()
    print(f"{player}: {int(moves.sum())} legal decisions, money {money:.0f}")
assert (movers == 1).all(), "exactly one player moves at a time"
assert played["next", "terminated"].sum() == 1
assert played["next", "terminated"][-1].all()
