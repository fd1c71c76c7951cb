"""CUDA graphs without a GPU: operations are recorded once, then replayed on the same memory with the same numbers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
import torch
from msgspec.structs import replace
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from chocofactory_env.training import graphs
from chocofactory_env.training.graphs import WARM_UP, Replays
from chocofactory_env.training.ppo import Config, Learner, collect

CPU = torch.device("cpu")
READS = ("aten::_local_scalar_dense", "aten::nonzero", "aten::item")  # for which a GPU would wait
AFTERSTATES, MLP = {"kind": "afterstates", "width": 8, "trunk": 8}, {"kind": "mlp", "width": 8}
TINY = Config(network=AFTERSTATES, games=8, steps=16, minibatch=32, epochs=2, max_kl=0.0, warm_up=1, threads=1)


class Recorder(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Records operations, as a CUDA graph does. The memory that they wrote to is kept."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.recorded: list[tuple[Any, Any, Any, Any]] = []

    def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        assert function._schema.name not in READS
        results = function(*args, **(kwargs or {}))
        self.recorded.append((function, args, kwargs or {}, results))
        return results

    def replay(self) -> None:
        with torch.inference_mode():
            for function, args, kwargs, results in self.recorded:
                again = function(*args, **kwargs)
                for output, kept in zip(tensors_in(again), tensors_in(results), strict=True):
                    if output.data_ptr() != kept.data_ptr():  # else a view, or written in place
                        kept.copy_(output)


def tensors_in(results: Any) -> list[torch.Tensor]:
    return [each for each in tree_leaves(results) if isinstance(each, torch.Tensor)]


def record(compute: Callable[[], Any]) -> tuple[Callable[[], None], Any]:
    with Recorder() as recorder:
        results = compute()
    calls = count()

    def replay() -> None:
        if next(calls):  # the recorder has done already what a capture leaves to the first replay
            recorder.replay()

    return replay, results


@pytest.mark.parametrize(
    "config",
    [
        TINY,
        replace(TINY, network=MLP, minibatch=30),  # the last minibatch of an epoch is smaller
        replace(TINY, players=(2,), past_share=0.25, rival_share=0.25),
        replace(TINY, network=MLP | {"players": 3}, players=(2, 3), groups=2),
    ],
    ids=["afterstates", "mlp", "with others", "groups of two numbers of players"],
)
def test_what_is_replayed_is_what_was_computed(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graphs, "capture_on", lambda device: record)
    found = []
    for calls in (WARM_UP, 10**9):  # then a graph; never one
        monkeypatch.setattr(graphs, "WARM_UP", calls)
        learner = Learner(config)
        measured = [learner.iterate() for _ in range(3)]
        found.append((measured, learner.network.state_dict()))
        assert bool(learner.replays._graphs) == any(table.replays._graphs for table in learner.groups) == (calls < 9)
    for one, other in zip(*(measured for measured, _ in found), strict=True):
        assert {name: one[name] for name in one if "second" not in name and not name.endswith("_s")} == {
            name: other[name] for name in other if "second" not in name and not name.endswith("_s")
        }
    for one, other in zip(*(weights.values() for _, weights in found), strict=True):
        assert torch.equal(one, other)


@pytest.mark.parametrize("network", [AFTERSTATES, MLP], ids=["afterstates", "mlp"])
def test_passes_of_a_fixed_shape_give_the_same(network: dict[str, Any]) -> None:
    learner = Learner(replace(TINY, network=network))
    rollout = collect(learner.groups, learner.network, learner.past)[0]
    found = []
    for learner.network.fixed in (False, True):
        learner.network.zero_grad()
        output = learner.network(rollout.seen.flatten(0, 1))
        (output.logits.square().sum() + output.value.sum()).backward()
        found.append([*output, *(parameter.grad for parameter in learner.network.parameters())])
    for one, other in zip(*found, strict=True):
        torch.testing.assert_close(one, other)


def test_on_a_cpu_computations_are_called_with_buffers_that_stay() -> None:
    learner = Learner(TINY)
    assert not learner.replays.captures
    assert not learner.network.fixed
    assert learner.groups[0].now is learner.groups[0].next
    replays, parts = Replays(CPU), [torch.arange(6), torch.arange(12).view(6, 2)]
    places = []
    for rows in (torch.tensor([5, 0, 3]), torch.tensor([4, 1])):
        gathered = replays.gather(parts, rows, 3)
        assert all(torch.equal(one, part[rows]) for one, part in zip(gathered, parts, strict=True))
        places.append([one.data_ptr() for one in gathered])
        assert replays("sum", gathered[0].sum) == rows.sum()
    assert places[0] == places[1]
