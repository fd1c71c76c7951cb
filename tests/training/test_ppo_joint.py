"""PPO where seats act at once: a step takes the decisions of all seats that are asked."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest
import torch
from msgspec.structs import replace

from chocofactory_env.agents.networks.network import make_network
from chocofactory_env.agents.scripted import ScriptedAgent
from chocofactory_env.training.ppo import Config, Learner, collect, decide_in
from chocofactory_env.training.rivals import Rival

JOINT = Config(
    players=(2,),
    options={"mode": "simultaneous"},
    network={"kind": "mlp", "width": 8},
    games=12,
    steps=120,
    iterations=2,
    minibatch=64,
    epochs=1,
    max_kl=0.0,
    past_share=0.25,
    rival_share=0.25,
    evaluate_every=1,
    evaluate_deals=1,
    remember_every=1,
    threads=1,
)


def test_every_seat_that_is_asked_decides_and_learns_except_rivals() -> None:
    learner = Learner(JOINT, None)
    table = learner.groups[0]
    assert table.joint
    seats = table.seats.copy()
    rollout = collect([table], learner.network, learner.past)[0]
    asked = table.movers >= 0
    assert asked.shape == (120, 24)
    assert rollout.decisions == asked.sum() > 1.2 * 120 * 12, "several seats a step"
    assert (table.movers[asked] == np.broadcast_to(np.tile([0, 1], 12), asked.shape)[asked]).all()
    assert (rollout.actions.numpy()[~asked] == table.game.num_actions).all()  # `wait`
    masks, actions = rollout.masks.numpy(), rollout.actions.numpy()
    assert masks[~asked].sum() == 0
    assert (np.take_along_axis(masks, actions[..., None].clip(max=106), 2)[..., 0][asked] == 1).all()
    learned = rollout.learn.numpy()
    assert not learned[~asked].any()
    first_game = np.repeat(~np.cumsum(table.dones, axis=0, dtype=bool), 2, axis=1)
    of_rival = asked & first_game & (table.movers != np.repeat(seats, 2))
    assert of_rival[:, :12].sum() > 100
    assert not learned[:, :12][of_rival[:, :12]].any()
    assert learned[:-60, 12:][asked[:-60, 12:]].mean() > 0.97


def test_on_many_decks_every_seat_is_seen_with_those_of_its_game() -> None:
    network: dict[str, Any] = {"kind": "afterstates", "width": 8, "trunk": 8}
    config = replace(JOINT, decks=("generated:100000-100003",), network=network, games=5, past_share=0, rival_share=0)
    learner = Learner(config, None)
    table = learner.groups[0]
    raw, _, movers = (part.copy() for part in table.look())
    of_games = [make_network(table.batch.game_of(game), **network) for game in range(5)]
    decide_in([table], learner.network, learner.past, 0)
    states, seats = table.positions(), movers.astype(np.int32)
    for row in np.flatnonzero(movers >= 0).tolist():
        here = slice(row, row + 1)
        seen = of_games[row // 2].see(torch.from_numpy(raw[here]), states[here], seats[here])
        assert torch.equal(table.seen[0, here], seen)
    assert not torch.equal(table.seen[0], learner.network.see(torch.from_numpy(raw), states, seats))


def test_rivals_see_their_own_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    """The agent of a row decides in the position in which its seat is asked."""
    learner = Learner(replace(JOINT, past_share=0.0, rival_share=1.0), None)
    table = learner.groups[0]
    rival, compared = cast(Rival, table.rival), [0]
    agent = ScriptedAgent(table.game)

    def choose(rows: np.ndarray, *of_all: np.ndarray) -> list[int]:
        actions: list[int] = Rival.choose(rival, rows, *of_all)
        for row, action in zip(rows.tolist(), actions, strict=True):
            position = rival.position_of(row, 2)
            assert table.game.current_player(position) == row % 2
            assert action == agent.choose(position, row % 2)
        compared[0] += len(rows)
        return actions

    monkeypatch.setattr(rival, "choose", choose)
    collect([table], learner.network, learner.past)
    assert compared[0] > 300
