"""The log of a game for the balance report, recorded while it is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

import chocofactory_env as cf
from chocofactory_env import Game
from chocofactory_env.games.candyfactory.vocabulary import (
    NAME,
    RECIPE_ENTRIES,
    TRUCK_ENTRIES,
    Ability,
    Half,
    Step,
    Variety,
    words_of,
)

from ..watch import GameRecorder, GameWatch

FULL, PLANTATION_ALONE, CANDY_ALONE = words_of(Variety)
PLANTATION, CANDY = words_of(Half)
ABILITIES = words_of(Ability)
SOURCES: Final = ("candy", "decoration", "raw goods", "types", "coins")
VERBS = ("recruit", "hire", "dismiss", "make")  # decisions in which agents waver
ABILITY_OF: Final = {
    "mix": "mixer",
    "sell": "outlet",
    "recruit": "break_room",
    "make": "machine",
    "decorate": "decorator",
    "decorate_all": "decorator",
}
ANSWERED: Final = tuple(step.name.lower() for step in (Step.LOAD, Step.PLAY, Step.DISMISS))  # even single answers


@dataclass(frozen=True)
class Setting:
    """The variant, and the number of games; the seeds are 0, 1, 2 and so on."""

    game: str  # the option
    players: int
    games: int
    deck: str | None = None

    def load(self) -> Game:
        """Load the game with forced actions as decisions, so that every good that moves is an action."""
        return cf.load(NAME, num_players=self.players, game=self.game, deck=self.deck, play_forced=False)


@dataclass(frozen=True)
class Seat:
    """One player's game. Goods have the names of `Recorder._goods`."""

    won: bool
    score: int
    coins: int
    points: dict[str, int]  # by SOURCES; empty for the plantation alone, whose goods have other points
    aboard: Counter[str]  # in own trucks at the end; for the plantation alone, in all trucks
    left: int  # goods elsewhere at the end
    events: Counter[tuple[str, ...]]  # see `Recorder`
    shipped: Counter[tuple[str, str]]  # goods aboard after the plantation, with "own" or "hired"
    saved: int  # coins after the plantation
    kept: Counter[str]  # specialists shuffled in for the candy half


@dataclass(frozen=True)
class Log:
    """One game; seats are in the order of their first turns."""

    wavering: bool
    seats: tuple[Seat, ...]
    recipes: tuple[str, ...]
    sold_out: frozenset[str]  # recipes that ran out of tokens
    empty: frozenset[tuple[str, str]]  # (half, pile of the supply) that ran empty
    turns: Counter[str]  # by half
    turns_without: Counter[tuple[str, str]]  # turns that began with an empty pile, by half and pile
    decisions: int  # in the default variant
    forced: int  # single answers inside a turn
    level: int  # seats that share the most points
    level_coins: int  # of those, seats that share the most coins


class Recorder(GameRecorder[Log]):
    """Events: ("turn", half), ("played", half, specialist), ("go" | "capacity" | "moved", half, bring or ship),
    ("stood" | "used", half, ability of the space), ("machinist", half), ("shift", half, verb), ("use" | "made",
    recipe), ("hired", specialist), ("dismissed",), ("verb", half, verb of an ability).
    """

    def __init__(self, game: Game, seed: int, wavering: bool) -> None:
        super().__init__(game, wavering)
        state = game.new(seed=seed)
        self._at = game.to_dict(state)
        self._start = self._at["start_player"]
        seen = seen_of(game, state)
        self._own = [bool(own) for own in seen["trucks"][:, TRUCK_ENTRIES.index("own")]]
        points = seen["recipes"][:, RECIPE_ENTRIES.index("points")].tolist()
        self._recipes = [recipe for recipe in self._at["recipes"] if recipe]
        self._worth = dict(zip(self._recipes, points, strict=False))
        self._board = board_of(seen)
        seats = range(game.num_players)
        self._events: list[Counter[tuple[str, ...]]] = [Counter() for _ in seats]
        self._shipped: list[Counter[tuple[str, str]]] = [Counter() for _ in seats]
        self._saved = [0] * len(seats)
        self._kept: list[Counter[str]] = [Counter() for _ in seats]
        self._sold_out: set[str] = set()
        self._empty: set[tuple[str, str]] = set()
        self._turns: Counter[str] = Counter()
        self._turns_without: Counter[tuple[str, str]] = Counter()
        self._decisions = Counter[bool]()
        self._action = ("", 0)

    def before(self, state: Any, player: int, action: int) -> None:
        self._action = verb, _ = self._game.decode(action)
        at, half = self._at, self._at["half"]
        events = self._events[player]
        word = self._game.describe(action).split()[-1]
        forced = at["step"] not in ANSWERED and int(self._game.legal_mask(state).sum()) == 1
        self._decisions[forced] += 1
        if verb == "play":
            self._note_turn(half, events, word)
        elif verb in ("bring", "ship"):
            events["go", half, verb] += 1
        elif verb == "move":
            events["moved", half, at["turn"]["way"]] += 1
        elif verb in ("add_worker", "remove_worker"):
            events["shift", half, verb] += 1
        elif verb == "hire":
            events["hired", word] += 1
        elif verb == "dismiss":
            events["dismissed",] += 1
        elif verb in ABILITY_OF:
            self._note_use(half, events, verb)

    def _note_turn(self, half: str, events: Counter[tuple[str, ...]], card: str) -> None:
        events["turn", half] += 1
        self._turns[half] += 1
        self._turns_without.update((half, pile) for pile, left in self._at["supply"].items() if left == 0)
        if not card.isdecimal():
            events["played", half, card] += 1

    def _note_use(self, half: str, events: Counter[tuple[str, ...]], verb: str) -> None:
        """Count a use of an ability. A recipe's further uses belong to the same use of the machine."""
        if self._at["step"] != "ability":
            return
        events["verb", half, verb] += 1
        turn = self._at["turn"]
        if turn["open"]["space"] and self._ability() == ABILITY_OF[verb]:
            events["used", half, ABILITY_OF[verb]] += 1
        else:
            events["machinist", half] += 1

    def _ability(self) -> str:
        """That of the space of the turn."""
        return self._board[list(self._at["board"]).index(self._at["turn"]["space"])]

    def note(self, state: Any, player: int, seconds: float) -> None:
        before, self._at = self._at, self._game.to_dict(state)
        half, events = before["half"], self._events[player]
        verb, argument = self._action
        if verb in ("bring", "ship"):
            events["capacity", half, verb] += self._at["turn"]["left"]
            events["stood", half, self._ability()] += 1
        elif verb == "make":
            recipe = self._recipes[argument]
            events["use", recipe] += 1
            events["made", recipe] += before["tokens"][argument] - self._at["tokens"][argument]
        left = zip(self._recipes, self._at["tokens"], strict=False)
        self._sold_out.update(recipe for recipe, tokens in left if tokens == 0)
        self._empty.update((half, pile) for pile, left in self._at["supply"].items() if left == 0)
        if self._at["half"] != half:
            self._note_transition(state)
        super().note(state, player, seconds)

    def _note_transition(self, state: Any) -> None:
        self._board = board_of(seen_of(self._game, state))
        for seat, player in enumerate(self._at["seats"]):
            self._saved[seat] = player["coins"]
            cards = Counter(player["hand"]) + Counter(player["deck"][: player["deck_size"]])
            self._kept[seat].update(card for card in cards.elements() if not card.isdecimal())
            for own, aboard in zip(self._own, self._goods(player)[1:], strict=True):
                for good, number in aboard.items():
                    self._shipped[seat]["own" if own else "hired", good] += number

    def _goods(self, player: Mapping[str, Any]) -> list[Counter[str]]:
        """The goods in the warehouse, then in each truck; a candy is `plain RECIPE` or `decorated RECIPE`."""
        return [
            Counter({self._good(kind): number for kind, number in goods.items() if number})
            for goods in player["goods"].values()
        ]

    def _good(self, kind: str) -> str:
        """The name of a kind, which for a candy has the number of its recipe."""
        candy, of_recipe, place = kind.partition(" of recipe ")
        return f"{candy} {self._recipes[int(place)]}" if of_recipe else kind

    def _log(self, state: Any) -> Log:
        seats = len(self._events)
        order = [(self._start + place) % seats for place in range(seats)]
        scores = self._game.scores(state).tolist()
        coins = [player["coins"] for player in self._at["seats"]]
        first = [seat for seat in order if scores[seat] == max(scores)]
        most = max(coins[seat] for seat in first)
        return Log(
            wavering=self._wavering,
            seats=tuple(self._seat(state, seat, scores[seat]) for seat in order),
            recipes=tuple(self._recipes),
            sold_out=frozenset(self._sold_out),
            empty=frozenset(self._empty),
            turns=self._turns,
            turns_without=self._turns_without,
            decisions=self._decisions[False],
            forced=self._decisions[True],
            level=len(first),
            level_coins=sum(coins[seat] == most for seat in first),
        )

    def _seat(self, state: Any, seat: int, score: int) -> Seat:
        player = self._at["seats"][seat]
        alone = self._game.options["game"] == PLANTATION_ALONE
        aboard: Counter[str] = Counter()
        left, *trucks = self._goods(player)
        for own, truck in zip(self._own, trucks, strict=True):
            (aboard if own or alone else left).update(truck)
        return Seat(
            won=bool(self._game.won(state)[seat]),
            score=score,
            coins=player["coins"],
            points={} if alone else points_of(aboard, self._worth, player["coins"]),
            aboard=aboard,
            left=left.total(),
            events=self._events[seat],
            shipped=self._shipped[seat],
            saved=self._saved[seat],
            kept=self._kept[seat],
        )


def points_of(aboard: Mapping[str, int], worth: Mapping[str, int], coins: int) -> dict[str, int]:
    """SCORE-2 to SCORE-4: points by SOURCES. A candy's name is `plain RECIPE` or `decorated RECIPE`."""
    recipes = {good: good.partition(" ")[2] for good in aboard}
    return {
        "candy": sum(number * worth[recipes[good]] for good, number in aboard.items() if recipes[good]),
        "decoration": sum(number for good, number in aboard.items() if good.startswith("decorated ")),
        "raw goods": sum(number for good, number in aboard.items() if not recipes[good]),
        "types": len({recipes[good] or good for good in aboard}),
        "coins": coins,
    }


def seen_of(game: Game, state: Any) -> dict[str, np.ndarray]:
    """The observation of seat 0, in raw numbers."""
    highs = game.observation_layout.high_of
    return {name: np.rint(block * highs[name]).astype(int) for name, block in game.observe(state, 0).items()}


def board_of(seen: Mapping[str, np.ndarray]) -> list[str]:
    """The ability of every space of the half's board."""
    return [ABILITIES[ability] for ability in seen["abilities"].argmax(axis=1)]


@dataclass(frozen=True)
class Watch(GameWatch[Log]):
    plantation_agent: str  # plays the plantation alone
    verbs = VERBS

    def recorder(self, game: Game, seed: int, wavering: bool) -> Recorder:
        return Recorder(game, seed, wavering)

    def agent_for(self, game: Game) -> str:
        return self.plantation_agent if game.options["game"] == PLANTATION_ALONE else self.agent
