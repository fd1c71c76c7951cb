"""TorchRL plays many solo games at once: one call of compiled code steps them all.

Needs this package and `torchrl` (tested with 0.14.1). Automatic resets are off, so TorchRL itself resets the games that
are over, and nothing said at an end is lost. `score` and `won` mean something only where `done` is set.
"""

import gymnasium
import torch
from torchrl.data import Binary, Composite, Unbounded
from torchrl.envs import ActionMask, Compose, DTypeCastTransform, GymWrapper, TransformedEnv, check_env_specs
from torchrl.envs import default_info_dict_reader as info_reader

import chocofactory_env  # noqa: F401 - registers the environments

GAMES, STEPS = 64, 400


def main() -> None:
    torch.manual_seed(7)
    torch.set_num_threads(1)  # with tensors this small more can be slower
    games = gymnasium.make_vec(
        "ChocoFactory/FactoryManager-v0",
        num_envs=GAMES,
        autoreset_mode="Disabled",
        reward="score",
        illegal_action="raise",
    )
    wrapped = GymWrapper(games, categorical_action_encoding=True)
    actions = games.single_action_space.n
    told = Composite(
        action_mask=Binary(actions, shape=(GAMES, actions), dtype=torch.int8),
        score=Unbounded((GAMES,), dtype=torch.int64),
        won=Unbounded((GAMES,), dtype=torch.bool),
        shape=(GAMES,),
    )
    wrapped.set_info_dict_reader(info_reader(list(told.keys()), spec=told))
    to_bool = DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"])
    env = TransformedEnv(wrapped, Compose(to_bool, ActionMask()))  # without a policy: random legal actions
    check_env_specs(env, seed=7)

    played = env.rollout(STEPS, break_when_any_done=False)
    over = played["next", "done"].squeeze(-1)
    rewards = played["next", "reward"].squeeze(-1)
    assert played["action_mask"].gather(-1, played["action"].unsqueeze(-1)).all(), "only legal actions"
    assert (over.sum(1) >= 2).all(), "every row plays on after its first game"
    assert torch.equal(played["next", "score"][over].float(), rewards[over]), "the last step pays the money"
    assert not rewards[~over].any()
    assert played["next", "action_mask"][over].all(), "a game that is over masks nothing"
    print(f"{int(over.sum())} games in {played.numel()} legal decisions, mean money {rewards[over].mean():.1f}")


if __name__ == "__main__":
    main()
