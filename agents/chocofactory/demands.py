"""What orders, stores and the solo game's cards would give for one more piece of each kind: plain features.

B = rows, R = refined kinds, N = orders. Pieces, pounds and spaces are whole numbers, not scaled.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import torch
from torch import Tensor

from chocofactory_env.games.chocofactory.vocabulary import (
    CHOCOLATE_ORDER_ENTRIES,
    EMPLOYEE_ENTRIES,
    REFINED,
    RULE_ENTRIES,
    Effect,
    Pattern,
    Store,
    words_of,
)

POUNDS: Final = 10.0  # by which pay is divided
SPACES_OF_KINDS: Final = [
    RULE_ENTRIES.index(f"spaces for {name}") for name in ("bars", "bars", "wrapped", "wrapped", "boxed")
]
PER: Final = RULE_ENTRIES.index("per")
FIRST_STORE: Final = EMPLOYEE_ENTRIES.index(words_of(Store)[0])
NUMBER, PATTERN, DELIVERED = (CHOCOLATE_ORDER_ENTRIES.index(name) for name in ("number", "pattern + 1", "delivered"))
FIRST_KIND: Final = PATTERN + 1
OF_STAGES: Final = 4
OF_STORES: Final = 3
OF_CARDS: Final = 2


class Stages(NamedTuple):
    """The current stage of every own order, and the one after it."""

    missing: Tensor  # (B, N, R): pieces of the current stage that the store room lacks
    later: Tensor  # (B, N, R): what it lacks for the next stage besides
    pay: Tensor  # (B, N, 2), of both, divided by POUNDS
    number: Tensor  # (B, N, 2), pieces of both


def stages_of(orders: Tensor, pay: Tensor, done: Tensor, room: Tensor) -> Stages:
    """orders: (B, N, stages, R); pay: (B, N, stages); done: (B, N), stages completed; room: (B, R)."""
    count = orders.shape[2]
    at = torch.arange(count, device=orders.device)
    here = torch.stack([at == done.unsqueeze(-1), at == done.unsqueeze(-1) + 1], -2).float()  # (B, N, 2, stages)
    wanted = here @ orders  # (B, N, 2, R)
    held = room.unsqueeze(1)
    missing = (wanted[:, :, 0] - held).clamp(min=0)
    both = (wanted.sum(2) - held).clamp(min=0)
    paid = (here @ pay.unsqueeze(-1)).squeeze(-1) / POUNDS
    return Stages(missing, both - missing, paid, wanted.sum(-1))


def demands_of_stages(stages: Stages) -> Tensor:
    """(B, R, OF_STAGES): the most that a current stage pays for each of its pieces, the most for each piece that it
    still lacks, how many pieces current stages lack, the most that a next stage pays for each of its pieces."""
    lacking, later = (stages.missing > 0).float(), (stages.later > 0).float()
    share = stages.pay / stages.number.clamp(min=1)
    left = stages.pay[:, :, :1] / stages.missing.sum(-1, keepdim=True).clamp(min=1)
    return torch.stack(
        [
            (share[:, :, :1] * lacking).amax(1),
            (left * lacking).amax(1),
            stages.missing.sum(1) / POUNDS,
            (share[:, :, 1:] * later).amax(1),
        ],
        -1,
    )


def spaces_of_kinds(rules: Tensor) -> Tensor:
    """(B, stores, R): spaces that the store's rule gives for a piece; rules: (B, stores, F)."""
    return rules[..., : len(REFINED)] * rules[..., SPACES_OF_KINDS] / rules[..., PER : PER + 1].clamp(min=1)


def demands_of_stores(spaces: Tensor, employee: Tensor, supplied: Tensor, steps_missing: Tensor) -> Tensor:
    """(B, R, OF_STORES): spaces for a piece at today's store, there of those still asked for, and anywhere.

    spaces: (B, stores, R); employee: (B, F), the observer's; supplied, steps_missing: (B, stores).
    """
    today = employee[:, FIRST_STORE : FIRST_STORE + len(Store)] * (1 - supplied)
    today = today * employee[:, int(Effect.DOUBLE_SUPPLY), None].clamp(min=1)
    asked = (steps_missing > 0).float()
    weights = torch.stack([today, today * asked], 1)  # (B, 2, stores)
    return torch.cat([(weights @ spaces), (spaces * asked.unsqueeze(-1)).amax(1, keepdim=True)], 1).transpose(1, 2)


def demands_of_cards(cards: Tensor, room: Tensor) -> Tensor:
    """(B, cards, R): of the pieces that each chocolate order asks for, the share that one more piece would be.

    cards: (B, cards, F); room: (B, R).
    """
    number, kinds = cards[..., NUMBER : NUMBER + 1], cards[..., FIRST_KIND : FIRST_KIND + len(REFINED)]
    exact = cards[..., PATTERN : PATTERN + 1] == int(Pattern.EXACT_MIX) + 1
    held = room.unsqueeze(1)
    some = (kinds > 0).float()
    lacks = torch.where(exact, held < kinds, (held * some).sum(-1, keepdim=True) < number).float() * some
    return lacks * (1 - cards[..., DELIVERED : DELIVERED + 1]) / number.clamp(min=1)
