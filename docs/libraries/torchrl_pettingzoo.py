"""TorchRL plays the game of several through its PettingZoo wrapper, one game and several in processes of their own.

Needs this package and `torchrl` (tested with 0.14.1). Every player is a group; `mask` says who moves,
`action_mask` what is legal for the mover (it allows everything to the others, whose actions are ignored).
"""

from typing import Any

import torch
from tensordict import TensorDictBase
from torch.distributions import Categorical
from torchrl.envs import ParallelEnv, PettingZooWrapper, check_env_specs

from chocofactory_env import chocofactory_v0


def make() -> Any:
    return PettingZooWrapper(chocofactory_v0.env(num_players=2, reward="shaped"), use_mask=True)


def assert_legal(played: Any, players: list[str]) -> Any:
    """Each player's decisions, none of them illegal and one at a time."""
    moves = {player: played[player, "mask"] for player in players}
    for player, moved in moves.items():
        legal = played[player, "action_mask"].gather(-1, played[player, "action"].unsqueeze(-1)).squeeze(-1)
        assert legal[moved].all()
    assert (sum(moved.int() for moved in moves.values()) == 1).all(), "exactly one player moves at a time"
    return moves


def legal_at_random(tensordict: TensorDictBase) -> TensorDictBase:
    """A policy that reads the masks, as batched environments need one: their own random actions are not masked."""
    for player in ("player_0", "player_1"):
        tensordict[player, "action"] = Categorical(tensordict[player, "action_mask"].float()).sample()
    return tensordict


if __name__ == "__main__":  # ParallelEnv starts processes, which import this file
    torch.manual_seed(7)
    env = make()
    check_env_specs(env, seed=7)
    played = env.rollout(10_000)  # legal random actions; stops by itself at the end of the game
    for player, moved in assert_legal(played, list(env.group_map)).items():
        money = played["next", player, "reward"].sum().item()
        assert money == env.infos[player]["score"]
        print(f"{player}: {int(moved.sum())} legal decisions, money {money:.0f}")

    several = ParallelEnv(2, make)
    played = several.rollout(100, legal_at_random, break_when_any_done=False)
    assert_legal(played, list(env.group_map))
    several.close()
    print(f"{played.numel()} legal decisions of two games at a time")
