"""TorchRL plays many solo games at once through `gymnasium.make_vec`.

Needs this package and `torchrl` (tested with 0.14.1). Automatic resets are off, so TorchRL itself
resets the games that are over and nothing said at an end is lost. `score` means something only where `done` is set.
"""

import gymnasium
import torch
from gymnasium.vector import AutoresetMode
from torchrl.data import Binary, Composite, Unbounded
from torchrl.envs import GymWrapper, check_env_specs, default_info_dict_reader

import chocofactory_env  # noqa: F401 - registers the environments

GAMES, STEPS = 4, 400


def legal_at_random(tensordict):
    tensordict["action"] = torch.distributions.Categorical(tensordict["action_mask"].float()).sample()
    return tensordict


def main() -> None:
    torch.manual_seed(7)
    games = gymnasium.make_vec(
        "ChocoFactory/FactoryManager-v0",
        num_envs=GAMES,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": AutoresetMode.DISABLED},
        reward="score",
    )
    env = GymWrapper(games, categorical_action_encoding=True)
    actions = games.single_action_space.n
    told = Composite(
        action_mask=Binary(actions, shape=(GAMES, actions), dtype=torch.int8),
        score=Unbounded((GAMES,), dtype=torch.int64),
        shape=(GAMES,),
    )
    env.set_info_dict_reader(default_info_dict_reader(list(told.keys()), spec=told))
    check_env_specs(env, seed=7)

    played = env.rollout(STEPS, legal_at_random, break_when_any_done=False)
    over = played["next", "done"].squeeze(-1)
    legal = played["action_mask"].gather(-1, played["action"].unsqueeze(-1))
    assert legal.all()
    assert (over.sum(1) >= 2).all(), "every environment plays on after its first game"
    assert torch.equal(played["next", "score"][over].float(), played["next", "reward"].squeeze(-1)[over])
    assert not played["next", "reward"].squeeze(-1)[~over].any()
    money = played["next", "score"][over].tolist()
    print(f"{len(money)} games in {played.numel()} legal decisions, money {money}")


if __name__ == "__main__":
    main()
