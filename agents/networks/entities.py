"""Entities of a game's observations, as the kind of network `sets` reads them.

The description stands in the game's folder (`ENTITIES` in `agents/<game>/__init__.py`), or follows from the names of
the axes of its blocks. n = entities of a sort, k = columns, P = players, B = rows, R = bytes of an observation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np

from chocofactory_env import Block, Game

from ..by_game import AGENTS, hook
from .inputs import Columns, Reader, blank, joined, one_each
from .network import Code


class Sort(NamedTuple):
    """Entities of a sort: (n, k) columns, or (P, n, k) `by_player`. Sorts of one encoder have the same columns."""

    columns: Columns
    encoder: str
    by_player: bool = False
    focus: np.ndarray | None = None  # (n,) places of flags: which entities are in use


@dataclass(frozen=True)
class Entities:
    """What a network makes of a game's observations.

    sorts: by name; one, `players`, has an entity for each player, the observer first. alone: what the trunk reads as it
    is. speaks_of: of verbs, the sort whose entities their arguments are, in order. computed: blocks that `compute`
    gives, (B, bytes) uint8, for raw observations, (B, R). free_axes, free_highs: blocks whose first axis, and whose
    highest value, may be others than those of the game that a network was built for. codes: columns whose names
    may grow.
    """

    sorts: Mapping[str, Sort]
    alone: Sequence[Columns]
    speaks_of: Mapping[str, str]
    computed: Sequence[Block] = ()
    compute: Callable[[np.ndarray], np.ndarray] | None = None
    free_axes: Sequence[str] = ()
    codes: Mapping[str, Code] = field(default_factory=dict)
    free_highs: Sequence[str] = ()


PLAYERS: Final = "players"


def entities_of(game: Game) -> Entities:
    """As the game's folder describes them, else by the names of axes; ValueError if these say too little."""
    describe = hook(AGENTS, game.name, "ENTITIES")
    described: Entities = named_entities(game) if describe is None else describe(game)
    return described


# --- by the names of axes

SEAT: Final = "seat"  # the first axis of what every player has
LEAST: Final = 3  # numbers that blocks give of an entity

Axis = tuple[str | tuple[str, ...], int]  # as `Block.axes` or `Block.entries` names it, and its length


def named_entities(game: Game) -> Entities:
    """Each place of a named axis is an entity, described by all numbers that the blocks with this axis have at it.

    A verb speaks of the first axis that several blocks share, or whose places are listed, and that is as long as it has
    arguments. An axis of which no verb speaks is a sort if one word names its places, which are interchangeable then.
    The trunk reads all but what the other players have, who are pooled. Numbers are divided by the root of their high:
    most are small beside it.

    Raises:
        ValueError: no verb speaks of an axis.
    """
    blocks = game.observation_layout.blocks
    read = Reader(game.observation_layout, power=0.5)
    own = {block.name: read.places(block.name)[0] if is_seated(block) else read.places(block.name) for block in blocks}
    arguments = {count for _, count in game.action_layout.verbs if count > 1}
    sorts: dict[str, Sort] = {}
    sort_of: dict[int, str] = {}  # by the number of arguments
    for axis, mine in blocks_by_axis(blocks).items():
        at = numbers_along(axis, mine, own)
        (names, count), name = axis, f"axis_{len(sorts)}"
        is_spoken_of = count in arguments and count not in sort_of and (len(mine) > 1 or names in mine[0].axes)
        if at.shape[1] < LEAST or not (is_spoken_of or isinstance(names, str)):
            continue
        sorts[name] = Sort(joined([read.numbers(at), one_each(count)]), name)
        if is_spoken_of:
            sort_of[count] = name
    if not sort_of:
        raise ValueError(f"network 'sets': no verb of {game.name!r} has as many arguments as a named axis has places")
    seated = [block.name for block in blocks if is_seated(block)]
    of_players = [read.of_each(name) for name in seated] or [blank(game.num_players, 1)]
    return Entities(
        sorts | {PLAYERS: Sort(joined(of_players), PLAYERS)},
        [read.numbers(at.ravel()) for at in own.values()],
        {verb: sort_of[count] for verb, count in game.action_layout.verbs if count in sort_of},
        free_axes=seated,
    )


def is_seated(block: Block) -> bool:
    return block.axes[:1] == (SEAT,)


def axes_of(block: Block) -> tuple[Axis, ...]:
    """All but the players'; none if some have no name."""
    named = (*block.axes, block.entries) if block.entries else block.axes
    axes = tuple(zip(named, block.shape, strict=True)) if len(named) == len(block.shape) else ()
    return axes[is_seated(block) :]


def blocks_by_axis(blocks: Sequence[Block]) -> dict[Axis, list[Block]]:
    found: dict[Axis, list[Block]] = {}
    for block in blocks:
        for axis in dict.fromkeys(axes_of(block)):
            found.setdefault(axis, []).append(block)
    return found


def numbers_along(axis: Axis, blocks: Sequence[Block], own: Mapping[str, np.ndarray]) -> np.ndarray:
    """(n, k): the places of the numbers that blocks have of each entity of an axis."""
    parts = [np.moveaxis(own[block.name], axes_of(block).index(axis), 0) for block in blocks]
    return np.concatenate([part.reshape(len(part), -1) for part in parts], 1)
