"""What a network over sets does with encoded entities: pools them, and answers queries with them.

By one pass of compiled code on a CPU, where dozens of small tensor operations take more time than their numbers; by
tensor operations elsewhere. B = rows, P = players, n = entities of an encoder, W = width of an entity, S = bytes that
are seen of an observation, A = actions, V = queries.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from chocofactory_env.core.jit import jit, jit_entry

from .threads import fill_shares, shares_of

MEAN, MOST, IN_USE = 0, 1, 2  # ways to pool; the last is the sum of those whose flag is set
WAYS: Final = {"mean": MEAN, "most": MOST, "in use": IN_USE}


class Pool(NamedTuple):
    """One pool: of `length` entities for each player, from number `first` on."""

    encoder: int  # number in the list of entities
    way: str  # of WAYS
    first: int
    length: int
    flags: int = -1  # number in `Pools.flags` of the first one


class Answer(NamedTuple):
    """Entities `first` to `first + length` answer a query in as many logits, from number `action` on."""

    encoder: int
    query: int
    first: int
    length: int
    action: int


class Pools(nn.Module):
    """Pools of the same entities, for each of `players` players; flags: places in what is seen."""

    flags: Tensor

    def __init__(self, pools: Sequence[Pool], flags: Sequence[int] = (), players: int = 1) -> None:
        super().__init__()
        self.players = players
        table = [[each[0], WAYS[each.way], *each[2:]] for each in pools]
        self.table = torch.tensor(table, dtype=torch.int64)  # stays on the CPU
        self.register_buffer("flags", torch.tensor(flags, dtype=torch.int64), persistent=False)

    def forward(self, entities: Sequence[Tensor], seen: Tensor) -> Tensor:
        """(B, P, pools, W) float32 of (B, n, W) each and (B, S) uint8."""
        numbers = [each.float() for each in entities]
        if not len(self.table):
            return numbers[0].new_zeros(len(seen), self.players, 0, numbers[0].shape[-1])
        if seen.device.type == "cpu":
            pooled: Tensor = _pooled(seen, self.flags, self.table, self.players, *numbers)
            return pooled
        return self.by_tensors(numbers, seen)

    def by_tensors(self, entities: Sequence[Tensor], seen: Tensor) -> Tensor:
        """The same on any device, up to the order of sums."""
        pooled = []
        for encoder, way, first, count, flag in self.table.tolist():
            some = entities[encoder][:, first : first + self.players * count].unflatten(1, (self.players, count))
            if count == 0:
                pooled.append(torch.zeros_like(entities[encoder][:, :1]).expand(-1, self.players, -1))
            elif way == MEAN:
                pooled.append(some.mean(2))
            elif way == MOST:
                pooled.append(some.amax(2))
            else:
                flags = seen[:, self.flags[flag : flag + count]]
                pooled.append((some * flags[:, None, :, None]).sum(2))
        return torch.stack(pooled, 2)


class Answers(nn.Module):
    """How well entities answer queries, added to the logits of the actions that speak of them."""

    actions: Tensor

    def __init__(self, answers: Sequence[Answer]) -> None:
        super().__init__()
        self.table = torch.tensor(answers)  # stays on the CPU
        actions = [action for each in answers for action in range(each.action, each.action + each.length)]
        self.register_buffer("actions", torch.tensor(actions), persistent=False)

    def forward(self, logits: Tensor, queries: Tensor, entities: Sequence[Tensor]) -> Tensor:
        """(B, A) float32 of (B, A), (B, V, W) and (B, n, W) each."""
        numbers = [each.float() for each in entities]
        if logits.device.type == "cpu":
            answered: Tensor = _answered(logits.float(), queries.float(), self.table, *numbers)
            return answered
        return self.by_tensors(logits.float(), queries.float(), numbers)

    def by_tensors(self, logits: Tensor, queries: Tensor, entities: Sequence[Tensor]) -> Tensor:
        """The same on any device, up to the order of sums."""
        found = [
            (queries[:, query, None] * entities[encoder][:, first : first + count]).sum(-1)
            for encoder, query, first, count, _ in self.table.tolist()
        ]
        return logits.index_add(1, self.actions, torch.cat(found, 1))


# --- compiled; `entities` is a tuple of arrays, (B, n, W) each, of which rows `begin` to `end` are meant


@jit_entry
def pool_rows(
    begin: int,
    end: int,
    entities: tuple[np.ndarray, ...],
    table: np.ndarray,
    seen: np.ndarray,
    flags: np.ndarray,
    out: np.ndarray,
) -> None:
    """Fill `out`, (B, P, pools, W)."""
    for row in range(begin, end):
        for pool in range(len(table)):
            encoder, way, first, count, flag = table[pool]
            own = entities[encoder][row]
            for player in range(out.shape[1]):
                to = out[row, player, pool]
                to[:] = 0
                for number in range(count):
                    of = own[first + player * count + number]
                    if way == MOST:
                        if number == 0:
                            to[:] = of
                        for at in range(len(to)):
                            to[at] = max(to[at], of[at])
                    else:
                        share = share_of(way, count, seen[row], flags, flag + number)
                        if share != 0:
                            for at in range(len(to)):
                                to[at] += share * of[at]


@jit
def share_of(way: int, count: int, seen: np.ndarray, flags: np.ndarray, flag: int) -> np.float32:
    """By which an entity counts in a sum."""
    return np.float32(1) / np.float32(count) if way == MEAN else np.float32(seen[flags[flag]])


@jit_entry
def pool_rows_back(
    begin: int,
    end: int,
    entities: tuple[np.ndarray, ...],
    table: np.ndarray,
    seen: np.ndarray,
    flags: np.ndarray,
    grad: np.ndarray,
    outs: tuple[np.ndarray, ...],
) -> None:
    """Fill the gradients of the entities by that of the pools, (B, P, pools, W).

    That of the most is divided among all that are.
    """
    most, equal = np.empty(grad.shape[3], np.float32), np.empty(grad.shape[3], np.float32)
    for row in range(begin, end):
        for encoder in range(len(outs)):
            outs[encoder][row] = 0
        for pool in range(len(table)):
            encoder, way, first, count, flag = table[pool]
            own, to_own = entities[encoder][row], outs[encoder][row]
            for player in range(grad.shape[1]):
                of, number_0 = grad[row, player, pool], first + player * count
                if way == MOST:
                    spread_most(own[number_0 : number_0 + count], of, most, equal, to_own[number_0 : number_0 + count])
                    continue
                for number in range(count):
                    to = to_own[number_0 + number]
                    share = share_of(way, count, seen[row], flags, flag + number)
                    if share != 0:
                        for at in range(len(to)):
                            to[at] += share * of[at]


@jit
def spread_most(own: np.ndarray, grad: np.ndarray, most: np.ndarray, equal: np.ndarray, out: np.ndarray) -> None:
    """own, out: (count, W); grad: (W,); most and equal are overwritten."""
    most[:], equal[:] = -np.inf, 0
    for number in range(len(own)):
        of = own[number]
        for at in range(len(of)):
            most[at] = max(most[at], of[at])
    for number in range(len(own)):
        of = own[number]
        for at in range(len(of)):
            equal[at] += np.float32(1) if of[at] == most[at] else np.float32(0)
    for number in range(len(own)):
        of, to = own[number], out[number]
        for at in range(len(of)):
            to[at] += grad[at] / equal[at] if of[at] == most[at] else np.float32(0)


@jit_entry
def answer_rows(
    begin: int,
    end: int,
    queries: np.ndarray,
    entities: tuple[np.ndarray, ...],
    table: np.ndarray,
    out: np.ndarray,
) -> None:
    """Add to `out`, (B, A), the products of queries, (B, V, W), with entities."""
    for row in range(begin, end):
        for answer in range(len(table)):
            encoder, number, first, count, action = table[answer]
            query, own = queries[row, number], entities[encoder][row]
            for entity in range(count):
                out[row, action + entity] += product(query, own[first + entity])


@jit
def product(one: np.ndarray, other: np.ndarray) -> np.float32:
    """Of two vectors; four sums side by side, since each waits for its own last term."""
    a = b = c = d = np.float32(0)
    whole = len(one) // 4 * 4
    for at in range(0, whole, 4):
        a += one[at] * other[at]
        b += one[at + 1] * other[at + 1]
        c += one[at + 2] * other[at + 2]
        d += one[at + 3] * other[at + 3]
    for at in range(whole, len(one)):
        a += one[at] * other[at]
    return (a + b) + (c + d)


@jit_entry
def answer_rows_back(
    begin: int,
    end: int,
    queries: np.ndarray,
    entities: tuple[np.ndarray, ...],
    table: np.ndarray,
    grad: np.ndarray,
    to_queries: np.ndarray,
    outs: tuple[np.ndarray, ...],
) -> None:
    """Fill the gradients of queries and entities by that of the logits, (B, A)."""
    for row in range(begin, end):
        to_queries[row] = 0
        for encoder in range(len(outs)):
            outs[encoder][row] = 0
        for answer in range(len(table)):
            encoder, number, first, count, action = table[answer]
            query, to_query = queries[row, number], to_queries[row, number]
            own, to_own = entities[encoder][row], outs[encoder][row]
            for entity in range(count):
                of = grad[row, action + entity]
                if of == 0:
                    continue  # as it is of an illegal action
                each, to_each = own[first + entity], to_own[first + entity]
                for at in range(len(query)):
                    to_query[at] += of * each[at]
                for at in range(len(query)):
                    to_each[at] += of * query[at]


# --- as operators of torch, so that `torch.compile` takes them as they are


def _by_shares(fill: Callable[..., None], rows: int, *arguments: Any) -> None:
    """Call `fill` for all rows, by as many threads as torch has. Arguments are tensors, or lists of them."""
    arrays = [tuple(map(_array, one)) if isinstance(one, list) else _array(one) for one in arguments]
    shares = shares_of(rows, torch.get_num_threads())
    fill_shares(fill, [[share.start, share.stop, *arrays] for share in shares])


def _array(tensor: Tensor) -> np.ndarray:
    array: np.ndarray = tensor.detach().contiguous().numpy()
    return array


def _empty(tensors: Sequence[Tensor]) -> list[Tensor]:
    """Contiguous, whatever the strides of the tensors."""
    return [each.new_empty(each.shape) for each in tensors]


def _empty_pools(seen: Tensor, flags: Tensor, table: Tensor, players: int, entities: list[Tensor]) -> Tensor:
    return entities[0].new_empty((len(seen), players, len(table), entities[0].shape[2]))


def _pool(seen: Tensor, flags: Tensor, table: Tensor, players: int, entities: list[Tensor]) -> Tensor:
    pooled = _empty_pools(seen, flags, table, players, entities)
    _by_shares(pool_rows, len(seen), entities, table, seen, flags, pooled)
    return pooled


def _pool_back(seen: Tensor, flags: Tensor, table: Tensor, entities: list[Tensor], grad: Tensor) -> list[Tensor]:
    grads = _empty(entities)
    _by_shares(pool_rows_back, len(seen), entities, table, seen, flags, grad, grads)
    return grads


def _answer(logits: Tensor, queries: Tensor, table: Tensor, entities: list[Tensor]) -> Tensor:
    answered = logits.clone(memory_format=torch.contiguous_format)
    _by_shares(answer_rows, len(logits), queries, entities, table, answered)
    return answered


def _answer_back(queries: Tensor, table: Tensor, entities: list[Tensor], grad: Tensor) -> list[Tensor]:
    to_queries, *grads = _empty([queries, *entities])
    _by_shares(answer_rows_back, len(grad), queries, entities, table, grad, to_queries, grads)
    return [to_queries, *grads]


def _operator(name: str, function: Callable[..., Any], fake: Callable[..., Any]) -> Any:
    operator = torch.library.custom_op(f"chocofactory_env::{name}", function, mutates_args=())
    operator.register_fake(fake)
    return operator


_pool_op = _operator("pool", _pool, _empty_pools)
_pool_back_op = _operator("pool_back", _pool_back, lambda seen, flags, table, entities, grad: _empty(entities))
_answer_op = _operator("answer", _answer, lambda logits, queries, table, entities: logits.new_empty(logits.shape))
_answer_back_op = _operator(
    "answer_back", _answer_back, lambda queries, table, entities, grad: _empty([queries, *entities])
)


# `torch.autograd.Function` takes a tenth of the time of `register_autograd`.


class _Pooled(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, seen: Tensor, flags: Tensor, table: Tensor, players: int, *entities: Tensor) -> Tensor:
        ctx.save_for_backward(seen, flags, table, *entities)
        pooled: Tensor = _pool_op(seen, flags, table, players, list(entities))
        return pooled

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        seen, flags, table, *entities = ctx.saved_tensors
        return None, None, None, None, *_pool_back_op(seen, flags, table, entities, grads[0])


class _Answered(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, logits: Tensor, queries: Tensor, table: Tensor, *entities: Tensor) -> Tensor:
        ctx.save_for_backward(queries, table, *entities)
        answered: Tensor = _answer_op(logits, queries, table, list(entities))
        return answered

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        queries, table, *entities = ctx.saved_tensors
        to_queries, *others = _answer_back_op(queries, table, entities, grads[0])
        return grads[0], to_queries, None, *others


_pooled: Any = _Pooled.apply
_answered: Any = _Answered.apply
