"""Minari records solo games of an agent in its own format, and d3rlpy learns from them, offline.

    python docs/libraries/minari_solo.py record [GAMES]    # needs `minari` (tested with 0.5.4)
    python docs/libraries/minari_solo.py learn [STEPS]     # needs `minari` and `d3rlpy` (tested with 2.8.1)

d3rlpy knows no masks, so what it learns may be illegal. The figures are of games that are held out.
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
    train, test = games[: -len(games) // 5], games[-len(games) // 5 :]
    names = ("actions", "rewards", "terminations")
    actions, rewards, ends = (np.concatenate([getattr(game, name) for game in train]) for name in names)
    seen = np.concatenate([game.observations[:-1] for game in train])
    data = dataset.MDPDataset(seen, actions, rewards, ends, action_size=107)
    learner = algos.DiscreteBCConfig(batch_size=256).create(device=False)
    learner.build_with_dataset(data)

    def agreement() -> float:
        return float(np.mean([np.mean(learner.predict(game.observations[:-1]) == game.actions) for game in test]))

    before, quiet = agreement(), logging.NoopAdapterFactory()
    learner.fit(data, n_steps=steps, n_steps_per_epoch=steps, show_progress=False, logger_adapter=quiet)
    print(f"same move as greedy: {before:.0%} before, {agreement():.0%} after {steps} steps of learning")


if __name__ == "__main__":
    {"record": lambda: record(NUMBER or 60), "learn": lambda: learn(NUMBER or 1_000)}[sys.argv[1]]()
