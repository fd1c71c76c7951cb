"""TorchRL plays the solo game: legal random actions, then a masked policy.

Needs this package and `torchrl` (tested with 0.14.1). The mask comes in `info`, so TorchRL has to be told
to read it; as booleans it serves both `ActionMask` (random play) and `MaskedCategorical` (a policy).
"""

import gymnasium
import torch
from tensordict.nn import InteractionType, TensorDictModule
from torchrl.data import Binary
from torchrl.envs import (
    ActionMask,
    Compose,
    DTypeCastTransform,
    GymWrapper,
    TransformedEnv,
    check_env_specs,
    default_info_dict_reader,
)
from torchrl.modules import MaskedCategorical, ProbabilisticActor

import chocofactory_env  # noqa: F401 - registers the environments

torch.manual_seed(7)
wrapped = GymWrapper(
    gymnasium.make("ChocoFactory/FactoryManager-v0", illegal_action="raise"), categorical_action_encoding=True
)
size, actions = wrapped.observation_spec["observation"].shape[-1], wrapped.action_spec.n
mask_spec = Binary(actions, dtype=torch.int8)
wrapped.set_info_dict_reader(default_info_dict_reader(["action_mask"], spec=[mask_spec]))
to_bool = DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"])
env = TransformedEnv(wrapped, Compose(to_bool, ActionMask()))
check_env_specs(env, seed=7)

network = torch.nn.Sequential(torch.nn.Linear(size, 64), torch.nn.Tanh(), torch.nn.Linear(64, actions))
actor = ProbabilisticActor(
    TensorDictModule(network, ["observation"], ["logits"]),
    in_keys={"logits": "logits", "mask": "action_mask"},
    distribution_class=MaskedCategorical,
    default_interaction_type=InteractionType.RANDOM,
    return_log_prob=True,
)

for name, policy in (("random", None), ("masked policy", actor)):
    with torch.no_grad():
        game = env.rollout(10_000, policy)  # stops by itself at the end of the game
    legal = game["action_mask"].gather(-1, game["action"].unsqueeze(-1))
    assert legal.all()
    assert game["next", "terminated"].sum() == 1
    assert game["next", "terminated"][-1].all()
    print(f"{name}: a game of {len(game)} legal decisions")
