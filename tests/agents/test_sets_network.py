"""The kind of network `sets`: its inputs on any device, and what pieces are worth, against plain computations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from chocofactory_games import load
from torch.nn import functional

import chocofactory_env as cf
from agents.chocofactory.entities import entities_of
from agents.chocofactory.network import LinearPriceNetwork, Seen
from agents.chocofactory.piece_values import OF_FACTORY, piece_values
from agents.chocofactory.worth import STEPS, blocks_of, fitted_prices, worth_of
from agents.networks import inputs, pooling
from agents.networks.checkpoint import about_network, load_checkpoint, save_checkpoint
from agents.networks.entities import entities_of as entities_of_any
from agents.networks.network import make_network
from agents.networks.sets import View
from toyrace.game import ToyRace

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


# --- games without a description of their own

NAMED = pytest.mark.parametrize("name", ["candyfactory", "schoko"])


def network_with_even_heads(game: cf.Game) -> Any:
    """Whose heads do not begin at almost nothing."""
    torch.manual_seed(4)
    network: Any = make_network(game, "sets", width=16, trunk=32)
    for layer in (network.query, network.policy):
        torch.nn.init.normal_(layer.weight)
    return network


def test_verbs_speak_of_what_shares_an_axis() -> None:
    candy, schoko = (entities_of_any(cf.load(name, num_players=3)) for name in ("candyfactory", "schoko"))
    spoken = candy.speaks_of
    assert spoken["move"] == spoken["sell"], "kinds"
    assert spoken["make"] == spoken["decorate"], "recipes"
    assert spoken["add_worker"] == spoken["remove_worker"], "spaces"
    assert len({spoken[verb] for verb in ("play", "move", "make", "add_worker", "truck")}) == 5
    assert {"play", "category"} <= schoko.speaks_of.keys()
    assert not {"staff", "bars", "price", "pass"} & schoko.speaks_of.keys(), "numbers"
    assert 8 in {len(sort.columns.at) for sort in schoko.sorts.values()}, "contracts, of which no verb speaks"


def test_an_entity_reads_what_blocks_say_of_it() -> None:
    game = cf.load("candyfactory", num_players=2)
    entities, layout = entities_of_any(game), game.observation_layout
    recipes = inputs.Inputs([entities.sorts[entities.speaks_of["make"]].columns])
    raw = torch.zeros(1, layout.raw_size, dtype=torch.uint8)
    seen = layout.tensors(raw.numpy())
    before = recipes(raw)[0]
    seen["recipes"][:, 3], seen["task_recipe"][:, 3], seen["goods"][:] = 9, 1, 7
    changed = recipes(raw)[0] - before
    assert changed[0].any(-1).tolist() == [False, False, False, True, False]
    assert changed[0, 3].max() == 3, "the root of the high"


@NAMED
def test_every_block_counts_and_every_parameter_learns(name: str) -> None:
    game = cf.load(name, num_players=3)
    network, raw = network_with_even_heads(game), raw_of(game)
    few, layout = raw[::16], game.observation_layout
    output = network(torch.from_numpy(raw))
    assert output.logits.shape == (len(raw), game.num_actions)
    (output.logits.square().sum() + output.value.square().sum()).backward()
    for parameter_name, parameter in network.named_parameters():
        assert parameter.grad.abs().max() > 0, parameter_name
    before = network(torch.from_numpy(few)).value
    for block in layout.blocks:
        changed = few.copy()
        part = layout.tensors(changed)[block.name]
        part[:] = np.where(part == 0, 1, part - 1)
        assert not torch.equal(network(torch.from_numpy(changed)).value, before), block.name


@NAMED
def test_other_players_are_alike(name: str) -> None:
    """Which of them has what makes no difference to a network that no verb of the game tells which of them to name."""
    game = cf.load(name, num_players=4)
    network, raw = network_with_even_heads(game), raw_of(game)
    moved, layout = raw.copy(), game.observation_layout
    for block in layout.blocks:
        if block.axes[:1] == ("seat",):
            layout.tensors(moved)[block.name][:] = layout.tensors(raw)[block.name][:, [0, 2, 3, 1]]
    assert (moved != raw).any(-1).mean() > 0.5
    before, after = network(torch.from_numpy(raw)), network(torch.from_numpy(moved))
    torch.testing.assert_close(after.logits, before.logits, atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(after.value, before.value, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("candyfactory", [{"num_players": 3}, {"num_players": 4}, {"game": "candy"}]),
        ("schoko", [{"num_players": 3}, {"num_players": 4}, {"months": 8}]),
    ],
)
def test_a_checkpoint_plays_other_numbers_of_players_and_options(
    name: str, changes: list[dict[str, Any]], tmp_path: Path
) -> None:
    game = cf.load(name, num_players=2)
    network = network_with_even_heads(game)
    path = tmp_path / "net.safetensors"
    save_checkpoint(path, about_network(network, game), {"network": network.state_dict()})
    for changed in changes:
        other = cf.load(name, **{"num_players": 2, **changed})
        again = load_checkpoint(path).network(other)
        network.accept(other)
        raw = torch.from_numpy(raw_of(other))
        assert torch.equal(again(raw).logits, network(raw).logits)
        assert again(raw).logits.shape == (len(raw), other.num_actions)


def test_observations_of_another_make_are_refused() -> None:
    candy, schoko = (cf.load(name, num_players=2) for name in ("candyfactory", "schoko"))
    with pytest.raises(ValueError, match=r"built for other observations or actions: actions: .*; half: "):
        make_network(candy, "sets", width=8, trunk=16).accept(schoko)


def test_a_game_that_names_no_entities_is_refused() -> None:
    game: Any = ToyRace(num_players=2)
    with pytest.raises(ValueError, match="network 'sets': no verb of 'toyrace' has as many arguments as a named axis"):
        make_network(game, "sets")
