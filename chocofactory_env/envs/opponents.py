"""Opponents and partners of environments: checked, and made by name for each game of a list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..core.agents.agent import AnyAgent, one_for_each, reads_cards
from ..core.checks import as_seed
from ..core.game import Game
from ..core.kernel import stepping
from ..core.kernel.rng import WORDS, choose_legal, seed_generator
from ..core.kernel.variants import GameSet
from ..core.messages import shown
from ..core.observation.layout import Tensors


class RandomOpponent:
    """Plays a uniformly random legal action."""

    def __init__(self) -> None:
        self._words = np.zeros(WORDS, np.uint32)
        self.reset(None)

    def reset(self, seed: int | None = None) -> None:
        if seed is None:
            seed = int(np.random.SeedSequence().generate_state(1, np.uint32)[0])
        seed_generator(self._words, as_seed(seed))

    def __call__(self, observation: Tensors, mask: np.ndarray) -> int:
        return choose_legal(self._words, mask)

    def __repr__(self) -> str:
        return "RandomOpponent()"


@dataclass(frozen=True)
class MakeByName:
    """Makes agents by name. Imports `cf.make_agent` late, because environments do not depend on agents."""

    text: str
    game: Game

    def __call__(self) -> AnyAgent:
        from .. import make_agent

        agent: AnyAgent = make_agent(self.text, self.game)
        return agent

    def __repr__(self) -> str:
        return repr(self.text)


@dataclass(frozen=True)
class Compiled:
    """An opponent of batches that compiled code plays without asking Python. kind: see `Batch.set_rivals`."""

    text: str
    kind: int

    def __repr__(self) -> str:
        return repr(self.text)


RANDOM = Compiled("random", stepping.RANDOM)


def compiled(maker: MakeByName) -> Compiled | None:
    """The named opponent as compiled code has it; None if it has it not."""
    if maker.text == RANDOM.text:
        return RANDOM
    scripted = getattr(maker.game, "scripted_agent", "")
    return Compiled(maker.text, stepping.SCRIPTED) if scripted and maker.text == scripted else None


class NamedAgents:
    """An environment's agents that were made by name, and so can be remade for another game of the set."""

    def __init__(self, games: GameSet) -> None:
        self._games = games
        self._made: list[tuple[AnyAgent, MakeByName]] = []

    def make(self, maker: MakeByName) -> AnyAgent:
        agent = maker()
        self._made.append((agent, maker))
        return agent

    def for_game(self, agent: AnyAgent, game: Game) -> AnyAgent:
        """The agent, remade for this game if it looks at the cards, or if shapes differ."""
        if self._games.varies or (len(self._games) > 1 and reads_cards(agent)):
            for made, maker in self._made:
                if made is agent:
                    return replace(maker, game=game)()
        return agent


def made_by_name(text: str, games: GameSet, make: Callable[[MakeByName], Any]) -> Any:
    """Make a named agent for the first game, after checking that the other shapes have such an agent, too."""
    for game in games.shapes[1:]:
        MakeByName(text, game)()
    return make(MakeByName(text, games.first))


def check_agent(
    player: str, agent: Any, games: GameSet, refusal: Callable[[Any, Game], str | None], *, named: bool
) -> None:
    """Raise TypeError if an agent cannot play all games. A `named` agent is made for each of them."""
    for game in [games.first] if named else games.shapes:
        reason = refusal(agent, game)
        if reason is not None:
            raise TypeError(f"{player}: {reason}, got {shown(agent)}")
    if len(games) > 1 and not named and reads_cards(agent):
        raise TypeError(
            f"{player}: it looks at the cards of the game it was made for, and games differ; give its name "
            f"instead, which makes one for each, got {shown(agent)}"
        )


def rivals_of(
    games: GameSet,
    opponents: Any,
    refusal: Callable[[Any, Game], str | None],
    by_name: Callable[[MakeByName], Any],
) -> list[Any]:
    """Return P - 1 opponents: the given ones, or a single one repeated.

    `refusal` returns why an opponent cannot play the game, or None. `by_name` makes an opponent for one place.

    Raises:
        ValueError: the wrong number of opponents, or an unknown name or setting.
        TypeError: an opponent cannot play the game.
        ImportError: a named agent needs a package that is not installed.
    """
    rivals = games.most_players - 1
    if not rivals:
        raise ValueError(f"opponents: expected none in a game of one player, got {shown(opponents)}")
    chosen = one_for_each(opponents, rivals)
    if len(chosen) == 1:
        chosen *= rivals
    named = [isinstance(each, str) for each in chosen]
    chosen = [made_by_name(each, games, by_name) if isinstance(each, str) else each for each in chosen]
    for number, opponent in enumerate(chosen):
        check_agent(f"opponent {number}", opponent, games, refusal, named=named[number])
    if len(chosen) != rivals:
        expected = f"{rivals}, or one for all of them, in a game of {rivals + 1} players"
        raise ValueError(f"opponents: expected {expected}, got {len(chosen)}")
    return chosen
