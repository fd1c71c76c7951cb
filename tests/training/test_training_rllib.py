"""Self-play on RLlib: seats get what they are due, and a few iterations on a Ray of this machine.

RLlib lives in a virtual environment of its own: `make rllib` makes it and runs this there.
"""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("ormsgpack", reason="RLlib, which needs it, has a virtual environment of its own: make rllib")
pytest.importorskip("ray.rllib", reason="RLlib has a virtual environment of its own: make rllib")
import torch
from ray.rllib.core.columns import Columns
from ray.rllib.env.multi_agent_episode import MultiAgentEpisode

import chocofactory_env as cf
from agents.networks.checkpoint import CheckpointError, about_network, load_checkpoint, save_checkpoint
from agents.networks.network import make_network
from training import rllib
from training.evaluate import evaluate, likeliest
from training.runs import BEST, LAST, RunError, read_metrics

SMALL = rllib.Config(
    network={"kind": "mlp", "width": 16},
    games=2,
    batch=128,
    minibatch=64,
    epochs=1,
    evaluate_every=1,
    evaluate_deals=1,
)


def table(players: int, **changed: Any) -> rllib.RllibGame:
    config = dataclasses.replace(SMALL, players=players, **changed)
    return rllib.RllibGame({rllib.CONFIG: dataclasses.asdict(config)})


def masked_module() -> rllib.MaskedModule:
    spaces = table(2)
    return rllib.MaskedModule(
        observation_space=spaces.observation_spaces["player_0"],
        action_space=spaces.action_spaces["player_0"],
        model_config={rllib.CONFIG: dataclasses.asdict(SMALL), "vf_share_layers": False},
    )


def choice(seen: dict[str, Any], rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(seen["action_mask"])))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_seat_is_given_what_it_earned_since_its_own_decision(players: int) -> None:
    env, rng = table(players), np.random.default_rng(players)
    for game in range(3):
        seen, _ = env.reset(seed=game)
        episode = MultiAgentEpisode(
            observation_space=env.observation_spaces,
            action_space=env.action_spaces,
            agent_to_module_mapping_fn=lambda *_: rllib.POLICY,
        )
        episode.add_env_reset(observations=seen, infos={})
        due: dict[str, list[float]] = {agent: [] for agent in env.agents}  # an entry a decision
        standings = np.zeros(players)
        over = False
        while not over:
            ((agent, observed),) = seen.items()
            assert env.observation_spaces[agent].contains(observed)
            action = choice(observed, rng)
            due[agent].append(0.0)
            seen, rewards, terminated, truncated, _ = env.step({agent: action})
            over = terminated["__all__"]
            assert set(rewards) == set(env.agents)
            now = np.asarray(env.game.scores(env._state) if over else env.game.standings(env._state), np.float64)
            earned, standings = now - standings, now
            for seat, name in enumerate(env.agents):
                paid = 0.5 / 100 * (earned[seat] - np.delete(earned, seat).mean())
                if over:
                    won = env.game.won(env._state)
                    paid += won[seat] / max(1, won.sum())
                assert rewards[name] == pytest.approx(paid, abs=1e-9)
                if due[name]:
                    due[name][-1] += paid
            episode.add_env_step(seen, {agent: action}, rewards, {}, terminateds=terminated, truncateds=truncated)
        assert not seen
        assert episode.is_terminated
        for name in env.agents:
            of_seat = episode.agent_episodes[name]
            assert of_seat.is_terminated
            assert np.allclose(np.asarray(of_seat.get_rewards()), due[name], atol=1e-6)
            assert len(of_seat.get_actions()) == len(due[name])


def test_it_plays_the_games_of_the_game() -> None:
    env, rng = table(3), np.random.default_rng(0)
    seen, _ = env.reset(seed=5)
    deal = int(np.random.SeedSequence((0, 5)).generate_state(1)[0])
    state = env.game.new(deal)
    for _ in range(100):
        ((agent, observed),) = seen.items()
        seat = env.game.current_player(state)
        assert agent == f"player_{seat}"
        assert np.array_equal(observed["action_mask"], env.game.legal_mask(state))
        scaled = observed["raw"] * env.game.observation_layout.scale
        assert np.allclose(scaled, np.asarray(env.game.observe(state, seat)), atol=1e-6)
        action = choice(observed, rng)
        env.game.apply(state, action)
        seen = env.step({agent: action})[0]


def test_a_seed_that_is_given_again_does_not_deal_the_same_games_again() -> None:
    env = table(2)
    first = env.game.seed_of((env.reset(seed=1), env._state)[1])
    second = env.game.seed_of((env.reset(seed=1), env._state)[1])
    assert first != second
    again = table(2)
    again.reset(seed=1)
    assert env.game.seed_of(again._state) == first


def test_a_resumed_run_deals_other_games_than_before() -> None:
    seeds = [rllib.algorithm_config(SMALL, done).seed for done in range(100)]
    assert seeds[0] == SMALL.seed
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < 2**31 for seed in seeds)  # NumPy takes 32 bits of what RLlib adds to it


def test_illegal_actions_have_no_chance() -> None:
    module = masked_module()
    seen = table(2).reset(seed=1)[0].popitem()[1]
    batch = {Columns.OBS: {name: torch.from_numpy(it).unsqueeze(0) for name, it in seen.items()}}
    legal = seen["action_mask"] != 0
    for output in (module.forward_exploration(batch), module.forward_inference(batch), module.forward_train(batch)):
        chances = output[Columns.ACTION_DIST_INPUTS][0].exp().detach().numpy()
        assert chances[legal].sum() == pytest.approx(1, abs=1e-5)
        assert chances[~legal].max() == 0
    assert torch.equal(module.compute_values(batch), output[Columns.EMBEDDINGS])


@pytest.mark.slow
@pytest.mark.parametrize("runners", [0, 1])
def test_it_trains_on_a_ray_of_this_machine_and_is_resumed(
    runners: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    players = 2 + runners
    config = dataclasses.replace(SMALL, players=players, runners=runners)
    rllib.train(config, tmp_path, 2, progress=False)
    said = capsys.readouterr().out
    assert f"self-play of {players}" in said
    assert "won against random" in said
    assert "env steps/s" in said

    checkpoint = load_checkpoint(tmp_path / LAST)
    game = config.load()
    network = checkpoint.network(game)
    torch.manual_seed(config.seed)
    assert any(
        not torch.equal(it, other)
        for it, other in zip(
            network.state_dict().values(), make_network(game, **config.network).state_dict().values(), strict=True
        )
    )
    assert all(bool(torch.isfinite(it).all()) for it in network.state_dict().values())
    assert evaluate(network, game, rival="random", deals=1).games == players
    lines = read_metrics(tmp_path)
    assert [line["iteration"] for line in lines] == [1, 2]
    assert all(line["random/low"] <= line["random/won"] <= line["random/high"] for line in lines)
    assert lines[1]["decisions"] > lines[0]["decisions"] >= config.batch
    assert (tmp_path / BEST).exists()

    rllib.train(config, tmp_path, 3, resume=True, progress=False)
    assert "begins with iteration 3" in capsys.readouterr().out
    longer = load_checkpoint(tmp_path / LAST)
    assert longer.about["iteration"] == 3
    assert longer.about["decisions"] > checkpoint.about["decisions"]
    # What it learned lies near what it went on from, not near a fresh network.
    was, now = checkpoint.of("network"), longer.of("network")
    assert any(not torch.equal(was[name], now[name]) for name in was)
    assert max(float((was[name] - now[name]).abs().max()) for name in was) < 0.01


@pytest.mark.slow
def test_a_run_goes_on_only_from_what_it_saved(tmp_path: Path) -> None:
    rllib.train(SMALL, tmp_path, 1, progress=False)
    with pytest.raises(RunError, match="holds a run already"):
        rllib.train(SMALL, tmp_path, 1, progress=False)
    with pytest.raises(RunError, match="gamma is"):
        rllib.train(dataclasses.replace(SMALL, gamma=0.5), tmp_path, 2, resume=True, progress=False)
    saved = load_checkpoint(tmp_path / LAST)
    (tmp_path / LAST).unlink()  # what was read of a file is read when it is used, so it must not be written over
    (tmp_path / LAST).write_bytes(b"no checkpoint")
    with pytest.raises(CheckpointError, match="no checkpoint can be read"):
        rllib.train(SMALL, tmp_path, 2, resume=True, progress=False)

    with rllib.ray_at(None, SMALL):
        trainer = rllib.Trainer(SMALL)
        trainer.resume_from(saved)
        assert trainer.iteration == 1
        others = {name: torch.zeros_like(it) for name, it in saved.of("network").items()}
        save_checkpoint(tmp_path / LAST, saved.about, {"network": others})
        with pytest.raises(CheckpointError, match="not of the same moment"):
            trainer.resume_from(load_checkpoint(tmp_path / LAST))
        save_checkpoint(tmp_path / LAST, saved.about | {"made_by": "somebody"}, {"network": others})
        with pytest.raises(CheckpointError, match=r"expected a checkpoint of training\.rllib, got one of 'somebody'"):
            trainer.resume_from(load_checkpoint(tmp_path / LAST))
        shutil.rmtree(tmp_path / rllib.STATE)
        with pytest.raises(CheckpointError, match="is missing"):
            trainer.resume_from(saved)
        trainer.algorithm.stop()


def test_what_is_exported_plays_as_the_module_does(tmp_path: Path) -> None:
    module, game = masked_module(), SMALL.load()
    about = about_network(module.network, game)
    save_checkpoint(tmp_path / LAST, about, {"network": module.network.state_dict()})
    network = load_checkpoint(tmp_path / LAST).network(game)
    step = cf.make_batch(game, 32, scaled=False).reset(seed=1)
    seen = {"raw": torch.from_numpy(step.observations), "action_mask": torch.from_numpy(step.action_masks)}
    of_module = module.forward_inference({Columns.OBS: seen})[Columns.ACTION_DIST_INPUTS].argmax(-1).numpy()
    assert np.array_equal(likeliest(network, step.observations, step.action_masks), of_module)


def test_settings_that_cannot_be_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="players: expected at least 2, got 1"):
        dataclasses.replace(SMALL, players=1)
    for name, least in {"runners": 0, "games": 1, "batch": 1, "minibatch": 1, "epochs": 1, "evaluate_every": 1}.items():
        changed: dict[str, Any] = {name: least - 1}
        with pytest.raises(ValueError, match=f"{name}: expected at least {least}, got {least - 1}"):
            dataclasses.replace(SMALL, **changed)
    with pytest.raises(SystemExit):
        rllib.main(["--out", str(tmp_path / "none"), "--resume"])
    assert "holds no run to resume" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"), [("--rivals nobody", "unknown agent 'nobody'"), ('--options {"months":6}', "months")]
)
def test_a_start_that_fails_leaves_no_folder(
    words: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        rllib.main([*words.split(), "--out", str(tmp_path / "run")])
    assert said in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
