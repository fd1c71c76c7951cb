"""The kind of network `sets`: its inputs on any device, and what pieces are worth, against plain computations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from positions import load
from torch.nn import functional

import chocofactory_env as cf
from agents.chocofactory.entities import entities_of
from agents.chocofactory.network import LinearPriceNetwork, Seen
from agents.chocofactory.piece_values import OF_FACTORY, piece_values
from agents.chocofactory.worth import STEPS, blocks_of, fitted_prices, worth_of
from agents.networks import inputs, pooling
from agents.networks.network import make_network
from agents.networks.sets import View
from agents.networks.sets import entities_of as entities_of_any

EVERY = pytest.mark.parametrize("options", [{"num_players": 1}, {"num_players": 3}], ids=["solo", "three"])


def raw_of(game: cf.Game) -> np.ndarray:
    """(B, R) from all over random games."""
    batch = cf.make_batch(game, 8, scaled=False)
    step, choose = batch.reset(seed=2), cf.LegalSampler(2)
    raw = []
    for at in range(300):
        if at % 6 == 0:
            raw.append(step.observations.copy())
        step = batch.step(choose(step.action_masks))
    return np.concatenate(raw)


@EVERY
def test_worth_is_that_of_the_differentiable_computation(options: dict[str, Any]) -> None:
    game = load(**options)
    raw = raw_of(game)
    network, prices = LinearPriceNetwork(game, width=8, prices=2), fitted_prices()
    layers = zip((network.price, network.coal_price), (prices[:2], prices[2:]), strict=True)
    with torch.no_grad():
        for layer, (weight, bias) in layers:
            layer.weight.copy_(torch.from_numpy(weight))
            layer.bias.copy_(torch.from_numpy(bias))
        see = Seen(network._layouts[raw.shape[1]], torch.from_numpy(raw))
        _, _, _, parts = network._parts(see)
        asked, _ = network._demands(see)
        each = functional.softplus(network._unbounded_prices(see, torch.zeros(len(raw), 7, 8), asked))
        each = each.unflatten(-1, (-1, 2)).permute(0, 2, 3, 1)  # type: ignore[no-untyped-call]
        context = torch.stack([see["coal"][:, 0], see["day"][:, 0], see["shift"][:, 0]], -1)
        coal = functional.softplus(network.coal_price(context) - 1)
        values = piece_values(parts, see.raw("operated"), see.clock(), each, coal).numpy()
    found: dict[str, np.ndarray] = {}
    worth, first = worth_of(game)(raw), 0
    for block in blocks_of(game.observation_layout):
        found[block.name] = worth[:, first : first + block.size].reshape(-1, *block.shape) / STEPS
        first += block.size
    assert first == worth.shape[1]
    display = len(found["worth_of_display"][0])
    others = values[:, :, OF_FACTORY:].reshape(len(raw), 2, display + 1, 4, 7)
    expected = {
        "worth_of_tiles": (found["worth_of_tiles"][..., :7].transpose(0, 2, 1, 3), values[:, :, 4:8]),
        "worth_of_slots": (found["worth_of_slots"][..., :7].transpose(0, 2, 1, 3), values[:, :, 8:16]),
        "in hand": (found["worth_of_slots"][:, :4, :, 7:14].transpose(0, 2, 1, 3), others[:, :, -1]),
        "worth_of_display": (found["worth_of_display"].transpose(0, 2, 1, 3, 4), others[:, :, :-1]),
        "prices": (found["worth_of_kinds"][..., 4:6].transpose(0, 2, 3, 1), each.numpy()),
        "demand": (found["demand"][..., : asked.shape[-1]], asked.numpy()),
    }
    for name, (here, there) in expected.items():
        assert there.max() > 0.1, name
        np.testing.assert_allclose(here, there.clip(0, 255 / STEPS), atol=0.6 / STEPS, err_msg=name)


def seen_of(game: cf.Game) -> torch.Tensor:
    raw = raw_of(game)
    return torch.from_numpy(np.concatenate([raw, worth_of(game)(raw)], 1))


@EVERY
def test_inputs_are_the_same_by_tensor_operations(options: dict[str, Any]) -> None:
    game = load(**options)
    filled, seen = View(game, entities_of(game)).inputs, seen_of(game)
    varied = 0
    for one, other in zip(filled(seen), filled.by_tensors(seen), strict=True):
        assert one.is_contiguous()
        torch.testing.assert_close(one, other)
        varied += int(one.std(0).max() > 0)
    assert varied >= len(filled.shapes) - 1, "orders are offered in few positions"


@EVERY
@pytest.mark.parametrize("threads", [1, 2])
def test_a_pass_is_the_same_by_tensor_operations(
    options: dict[str, Any], threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Logits, values and all gradients; entities are equal to each other where nothing is there, and share the most."""
    torch.manual_seed(3)
    game = load(**options)
    network, seen = make_network(game, "sets", width=10, trunk=16), seen_of(game)
    with torch.no_grad():
        for weights in network.parameters():
            weights.normal_(std=0.3)
    monkeypatch.setattr(torch, "get_num_threads", lambda: threads)

    def found() -> dict[str, torch.Tensor]:
        network.zero_grad()
        output = network(seen)
        weights = torch.linspace(-1, 1, output.logits.numel()).view_as(output.logits)
        (output.logits * weights).mean().add(output.value.square().mean()).backward()
        grads = {name: each.grad.clone() for name, each in network.named_parameters() if each.grad is not None}
        return {"logits": output.logits.detach(), "value": output.value.detach()} | grads

    compiled = found()
    for kind in (inputs.Inputs, pooling.Pools, pooling.Answers):
        monkeypatch.setattr(kind, "forward", kind.by_tensors)
    by_tensors = found()
    assert compiled.keys() == by_tensors.keys()
    for name, each in by_tensors.items():
        assert each.abs().max() > 0 or name == "encoders.offers.0.weight", name  # offered in few positions
        torch.testing.assert_close(compiled[name], each, msg=name, rtol=1e-4, atol=1e-6)


def test_a_pass_is_made_of_operators_of_torch() -> None:
    game = load(num_players=1)
    view, seen = View(game, entities_of(game)), seen_of(game)[:8]
    filled = view.inputs
    table = (filled.sections, filled.base, filled.runs, filled.run_scale, filled.codes, filled.code_scale)
    entities = [torch.randn(8, sum(part.shape[-2:-1]), 4) for part in filled(seen)[: len(view.encoders)]]
    entities.append(torch.randn(8, 1, 4))
    pools = (seen, view.pools.flags, view.pools.table)
    queries = torch.randn(8, len(view.queries), 4)
    answers, logits = view.answers.table, torch.randn(8, game.num_actions)
    calls = (
        (inputs._filled, (seen, *table)),
        (pooling._pool_op, (*pools, 1, entities)),
        (pooling._pool_back_op, (*pools, entities, torch.randn(8, 1, len(view.pools.table), 4))),
        (pooling._answer_op, (logits, queries, answers, entities)),
        (pooling._answer_back_op, (queries, answers, entities, logits)),
    )
    for operator, arguments in calls:
        checked = torch.library.opcheck(operator, arguments)
        assert set(checked.values()) == {"SUCCESS"}, operator


def test_wide_numbers_and_codes() -> None:
    """A number of two bytes is the sum of two terms, and a code adds at the column of its value."""
    game = cf.load("chocofactory", num_players=1)
    read = inputs.Reader(game.observation_layout, [cf.Block("wide", (1, 2), 1000, "")])
    at = read.places("wide")
    columns = inputs.joined([read.numbers(at), read.one_of(read.places("day"), range(1, 4)), inputs.one_each(1)])
    seen = torch.zeros(2, game.observation_layout.raw_size + 4, dtype=torch.uint8)
    seen[1, at[0, 1]], seen[1, at[0, 1] + 1], seen[1, read.places("day")[0]] = 244, 1, 2  # 244 + 256
    assert inputs.Inputs([columns])(seen)[0][1].tolist() == [[0, 0.5, 0, 1, 0, 1]]


def test_a_game_without_a_description_is_refused() -> None:
    with pytest.raises(ValueError, match="network 'sets': nothing in agents/schoko/ says what its entities are"):
        entities_of_any(cf.load("schoko", num_players=2))
