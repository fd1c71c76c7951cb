"""Minari records solo games of an agent in its own format, and d3rlpy learns from them, offline.

    python docs/libraries/minari_solo.py record [GAMES]    # needs `minari` (tested with 0.5.4)
    python docs/libraries/minari_solo.py learn [STEPS]     # needs `minari` and `d3rlpy` (tested with 2.8.1)

d3rlpy knows no masks: `mean_money` plays the legal action that the learnt values rate highest.
"""

import sys

import minari
import numpy as np

import chocofactory_env as cf

NAME, NUMBER = "chocofactory/solo-greedy-v0", int(sys.argv[2]) if len(sys.argv) > 2 else 0


def record(games: int) -> None:
    import gymnasium

    env = minari.DataCollector(gymnasium.make("ChocoFactory/FactoryManager-v0", reward="shaped"), data_format="arrow")
    game, greedy = env.unwrapped.game, cf.make_agent("greedy", env.unwrapped.game)
    for number in range(games):
        env.reset(seed=100_000 + number)
        over = False
        while not over:
            _, _, over, _, _ = env.step(cf.decide(game, greedy, env.unwrapped.game_state))
    made = env.create_dataset(NAME, algorithm_name="greedy", eval_env="ChocoFactory/FactoryManager-v0")
    print(f"{made.total_episodes} games of greedy, {made.total_steps} decisions")


def learn(steps: int) -> None:
    import torch
    from d3rlpy import algos, dataset, logging

    torch.set_num_threads(1)

    games = list(minari.load_dataset(NAME))
    names = ("actions", "rewards", "terminations")
    actions, rewards, ends = (np.concatenate([getattr(game, name) for game in games]) for name in names)
    seen = np.concatenate([game.observations[:-1] for game in games])
    data = dataset.MDPDataset(seen, actions, rewards * 0.05, ends, action_size=107)
    learner = algos.DiscreteCQLConfig(alpha=4.0, learning_rate=1e-3, batch_size=256).create(device=False)
    learner.build_with_dataset(data)
    before = mean_money(learner)
    quiet = logging.NoopAdapterFactory()
    learner.fit(data, n_steps=steps, n_steps_per_epoch=steps, show_progress=False, logger_adapter=quiet)
    print(f"mean money {before:.1f} before, {mean_money(learner):.1f} after {steps} steps of learning")


def mean_money(learner) -> float:
    batch = cf.make_batch("chocofactory", num_envs=50, num_players=1, autoreset=False)
    step = batch.reset(seed=200_000)
    while not step.dones.all():
        rows, actions = np.nonzero(step.action_masks)
        values = np.full(step.action_masks.shape, -np.inf)
        values[rows, actions] = learner.predict_value(step.observations[rows], actions)
        step = batch.step(values.argmax(1))
    return float(batch.results(np.arange(50))["scores"][:, 0].mean())


if __name__ == "__main__":
    {"record": lambda: record(NUMBER or 200), "learn": lambda: learn(NUMBER or 1_000)}[sys.argv[1]]()
