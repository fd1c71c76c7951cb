"""Thoughts of agents about a position, from what the seat to move knows."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import isfinite
from typing import Any

from ...core.agents.agent import AnyAgent, Consideration, consider
from ...core.game import Game, State
from ..protocol import Message, Refusal
from ..tables.hall import Hall
from ..tables.pictures import line_in_words


class Considerations:
    """Thoughts of agents for one browser, one at a time. The last agent is kept."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._last: tuple[Game, str, AnyAgent] | None = None

    async def of(self, game: Game, state: State, text: str, names: Sequence[str], who: Hashable) -> Message:
        """The message `thought` about `state`, which must not change; Refusal if there can be none.

        names: of the seats. who: for whom, see `WorkerThreads.run`.
        """
        last, self._last = self._last, None  # if given up, it may still be at work, and is not used again
        seat = game.current_player(state)

        def think() -> tuple[AnyAgent, Message]:
            known = last is not None and last[0] is game and last[1] == text
            agent = last[2] if last is not None and known else self._hall.agents.make(text, game, state, seat)
            return agent, described(game, state, text, consider(game, agent, state), names)

        try:
            agent, message = await self._hall.advice_threads.run(think, who)
        except Refusal:
            raise
        except Exception as error:  # a user's agent may fail in any way
            raise Refusal(f"agent: {error}", "agent") from None
        self._last = (game, text, agent)
        return message


def described(game: Game, state: State, text: str, found: Consideration, names: Sequence[str]) -> Message:
    """The message `thought`, without numbers that JSON lacks."""
    columns: list[dict[str, Any]] = [
        {"name": str(name), "numbers": {str(action): float(one) for action, one in numbers.items() if isfinite(one)}}
        for name, numbers in found.columns.items()
    ]
    value = None
    if found.value is not None and isfinite(found.value[1]):
        value = {"name": str(found.value[0]), "number": float(found.value[1])}
    seat = game.current_player(state)
    line = line_in_words(game, state, found.line, seat, names)
    return {"type": "thought", "seat": seat, "agent": text, "columns": columns, "line": line, "value": value}
