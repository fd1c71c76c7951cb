"""How a turn is told in one line, and where a score came from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from ....core.text.events import StoryWords
from ..constants import Task
from .news import news_of

STORY: Final = StoryWords(
    amount=str,
    purse=lambda state, seat: int(state["players"]["cash"][0, seat]),
    news=news_of,
)


# --- the account at the end of the game


START, SHARES, BANKRUPTCY = "start", "shares", "bankruptcy"
SALES: Final = "sales, events, interest"
TASKS: Final = {  # tasks that earn or cost money other than by shares and loans; all others belong to the sale
    "looks at events": (Task.LOOK,),
    "staff": (Task.STAFF, Task.TRIM),
    "cocoa": (Task.BID_BARS, Task.BID_PRICE),
    "express cards": (Task.CARD_A, Task.CARD_B, Task.CARD_C, Task.TARGET, Task.HOLIDAY),
}
ORDER: Final = (START, SALES, "cocoa", "staff", "express cards", "looks at events", SHARES, BANKRUPTCY)


def sources(game: Any, steps: Iterable[tuple[Any, int]], end: Any) -> dict[str, tuple[int, ...]]:
    """The money of every seat by source. Loans cancel out, because they are owed (END-1)."""
    moves = [move for state, action in steps for move in [(state, action), *game.forced_moves(state, action)]]
    afters = [state for state, _ in moves[1:]] + [end]
    sums = {name: np.zeros(game.num_players, int) for name in ORDER}
    sums[START] += money(game, moves[0][0] if moves else end)
    for (before, action), after in zip(moves, afters, strict=True):
        change = money(game, after) - money(game, before)
        if not change.any():
            continue
        lost = players(game, after)["out"] != players(game, before)["out"]
        shares = np.where(lost, 0, by_shares(game, before, action, after))
        sums[BANKRUPTCY] += np.where(lost, change, 0)
        sums[SHARES] += shares
        sums[source_of(before, after)] += np.where(lost, 0, change - shares)
    return {name: tuple(amounts.tolist()) for name, amounts in sums.items()}


def source_of(before: Any, after: Any) -> str:
    """The source of a step's change. The step that turns up the event still belongs to the sale."""
    if before["event_turned"][0] != after["event_turned"][0]:
        return SALES
    return next((source for source, tasks in TASKS.items() if before["task"][0] in tasks), SALES)


def players(game: Any, state: Any) -> Any:
    return state["players"][0, : game.num_players]


def price(game: Any, state: Any) -> int:
    """SHARE-1"""
    return int(game.cards.array["share_price"][0, state["month"][0]])


def money(game: Any, state: Any) -> np.ndarray:
    """(P,), END-1"""
    seats = players(game, state)
    loan = int(game.cards.array["loan"][0])
    return np.array(
        seats["cash"] + seats["shares"].astype(int) * price(game, state) - seats["loans"].astype(int) * loan
    )


def by_shares(game: Any, before: Any, action: int, after: Any) -> np.ndarray:
    """(P,): gains by shares in a step, which may also buy or sell some, or lead into another month."""
    had = players(game, before)["shares"].astype(int)
    verb, number = game.decode(action)
    bought = np.zeros_like(had)
    if verb == "buy_shares":
        bought[int(before["current"][0])] = number + 1
    return np.array((had + bought) * (price(game, after) - price(game, before)))
