"""Dan Manfredini's Chocolate Factory for tests: random games, and positions built and played in its words.

game, state = Position().workers(4).player(0, hand=["4"], warehouse={"sugar": 1}).build()
play(game, state, "play 4", "bring clockwise", "move sugar")
assert goods(game, state, 0) == {"sugar": 2}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Self

import numpy as np
from kept_games import mostly_doing, random_games
from repository import HELPERS

import chocofactory_env as cf
from chocofactory_env.games.candyfactory.actions import ACTIONS, STOP
from chocofactory_env.games.candyfactory.constants import NONE, Half, Kind, Pile, Specialist, Step
from chocofactory_env.games.candyfactory.rules.derived import derive

VARIANTS: tuple[dict[str, Any], ...] = (
    {"num_players": 2},
    {"num_players": 3, "play_forced": False},
    {"num_players": 4, "start_player": 2},
    {"num_players": 2, "game": "plantation", "play_forced": False},
    {"num_players": 4, "game": "plantation"},
    {"num_players": 2, "game": "candy", "start_player": 1},
    {"num_players": 3, "game": "candy", "play_forced": False},
)


def variant_name(options: dict[str, Any]) -> str:
    return f"{options.get('game', 'full')}, {options['num_players']} players"


choose = mostly_doing(np.arange(ACTIONS.size) == STOP)
steps = random_games(choose)


def scrambled(game: Any, state: np.ndarray, seat: int, draw: np.random.Generator) -> np.ndarray:
    """The position with everything that the seat cannot see shuffled, possible or not."""
    other = state.copy()
    row = other[0]
    row["seed"], row["rng"] = draw.integers(1 << 62), draw.integers(1 << 32, size=4, dtype=np.uint32)
    for number, player in enumerate(row["seats"]):
        player["deck"][: player["deck_size"]] = draw.permutation(player["deck"][: player["deck_size"]])
        if number != seat:
            player["hand"] = draw.permutation(player["hand"])
            player["knows"] = draw.permutation(player["knows"])
    unseen = np.flatnonzero((row["known_to"][: row["specialists_left"]] >> seat & 1) == 0)
    row["specialists"][unseen] = draw.permutation(row["specialists"][unseen])
    return other


# --- positions


KINDS = (
    "sugar",
    "cacao",
    "chocolate",
    *(f"{candy} {place}" for candy in ("plain", "decorated") for place in range(5)),
)
SPECIALISTS = tuple(specialist.name.lower() for specialist in Specialist)
CARDS = (*map(str, range(1, 9)), *SPECIALISTS)
HOLDS = ("warehouse", *(f"truck {truck}" for truck in range(4)))
ALL_NUMBERS = CARDS[:8]
SITUATIONS = HELPERS / "recipes_of_situations.toml"


@cache
def load(**options: Any) -> Any:
    """A game with these options, and the recipes of the situations. Games hold no state, so tests share them."""
    return cf.load("candyfactory", **{"deck": SITUATIONS, **options})


class Position:
    """A position that starts as a fresh deal of `seed`, seat 0 to move, and is then edited.

    `build` fills in what follows from the edits: the supply, the specialist deck, and derived fields.
    """

    def __init__(self, half: str = "plantation", *, seed: int = 1, recipes: Sequence[str] = (), **options: Any) -> None:
        self.game = load(**{"start_player": 0, **options})
        self.state = self.game.new(seed)
        self.row = self.state[0]
        if recipes:
            self.row["recipes"][: len(recipes)] = [self.game.cards.recipes.index(recipe) for recipe in recipes]
        if half == "candy" and options.get("game", "full") == "full":
            self._to_candy_half()

    def _to_candy_half(self) -> None:
        """Continue as after a transition with nothing kept and nothing aboard; every seat holds 1, 2 and 3."""
        self.row["half"] = Half.CANDY
        self.row["specialists"], self.row["known_to"], self.row["specialists_left"] = NONE, 0, 0
        for number in range(self.game.num_players):
            self.player(number, hand=["1", "2", "3"], deck=ALL_NUMBERS[3:], warehouse={})

    def workers(self, *spaces: int) -> Self:
        self.row["board"] = np.isin(np.arange(1, 9), spaces)
        return self

    def die(self, face: int) -> Self:
        self.row["die"] = face
        return self

    def tokens(self, *left: int) -> Self:
        """Set the tokens on the recipe cards, whatever players have, for tests of these alone."""
        self.row["tokens"][: len(left)] = left
        return self

    def known(self, *seats_by_place: Iterable[int]) -> Self:
        """Set the seats that know each card on top of the specialist deck."""
        for place, seats in enumerate(seats_by_place):
            self.row["known_to"][place] = sum(1 << seat for seat in seats)
        return self

    def deck_of_specialists(self, *names: str) -> Self:
        """Set the specialist deck, from the top; its other cards are out of sight."""
        self.row["specialists"], self.row["known_to"] = NONE, 0
        self.row["specialists"][: len(names)] = [SPECIALISTS.index(name) for name in names]
        self.row["specialists_left"] = len(names)
        return self

    def player(
        self,
        number: int,
        *,
        hand: Iterable[str] | None = None,
        deck: Iterable[str] = (),
        played: Iterable[str] | None = None,
        coins: int | None = None,
        whistle: int | None = None,
        warehouse: Mapping[str, int] | None = None,
        trucks: Mapping[int, Mapping[str, int]] | None = None,
        stacks: Mapping[str, Mapping[str, int]] | None = None,
    ) -> Self:
        """Edit a seat. `hand` also sets `deck`, from the top, empty by default. Stacks are by place and kind."""
        seat = self.row["seats"][number]
        if hand is not None:
            seat["hand"] = [list(hand).count(card) for card in CARDS]
            cards = [CARDS.index(card) for card in reversed(list(deck))]
            seat["deck"] = NONE
            seat["deck"][: len(cards)] = cards
            seat["deck_size"] = len(cards)
            if self.game.options["game"] == "candy":
                seat["odds"] = np.arange(4) == seat["hand"][9:].sum()
        if played is not None:
            seat["played"] = [list(played).count(name) for name in SPECIALISTS]
        seat["coins"] = seat["coins"] if coins is None else coins
        seat["whistle"] = seat["whistle"] if whistle is None else whistle
        if warehouse is not None:
            seat["goods"][0] = [warehouse.get(kind, 0) for kind in KINDS]
        for truck, aboard in (trucks or {}).items():
            seat["goods"][1 + truck] = [aboard.get(kind, 0) for kind in KINDS]
        for hold, piles in (stacks or {}).items():
            seat["stacks"][HOLDS.index(hold)] = [piles.get(kind, 0) for kind in KINDS]
        return self

    def build(self) -> tuple[Any, np.ndarray]:
        deck, row = self.game.cards.record, self.row
        goods = row["seats"]["goods"].astype(int).sum(axis=(0, 1))
        row["supply"][Pile.SUGAR] = deck.sugar - goods[Kind.SUGAR]
        row["supply"][Pile.CACAO] = deck.cacao - goods[Kind.CACAO] - goods[Kind.CHOCOLATE]
        row["supply"][Pile.COINS] = deck.coins - int(row["seats"]["coins"].sum()) - int(row["seats"]["whistle"].sum())
        assert (row["supply"] >= 0).all()
        derive(self.game.tables.view(np.recarray)[0], self.state.view(np.recarray)[0])
        assert (row["seats"]["free"] >= 0).all()
        return self.game, self.state


@cache
def words_of(game: Any) -> dict[str, int]:
    """Actions by the game's words for them, with the short names of KINDS."""
    return {describe(game, action): action for action in range(game.num_actions)}


def describe(game: Any, action: int) -> str:
    words: str = game.describe(action)
    return words.replace("candy of recipe ", "")


def legal(game: Any, state: np.ndarray, verb: str = "") -> set[str]:
    """The legal actions that begin with `verb`, in words."""
    actions = np.flatnonzero(game.legal_mask(state)).tolist()
    return {words for words in (describe(game, action) for action in actions) if words.startswith(verb)}


def play(game: Any, state: np.ndarray, *actions: str) -> None:
    for words in actions:
        game.apply(state, words_of(game)[words])


def finish_turn(game: Any, state: np.ndarray) -> None:
    """End the turn with as little as possible: keep the die, bring or ship clockwise, stop."""
    dull = ("stop", "keep die", "bring clockwise", "ship clockwise")
    while step(state) not in ("load", "play", "dismiss", "over"):
        play(game, state, next(words for words in dull if words in legal(game, state)))


def goods(game: Any, state: np.ndarray, seat: int = 0, hold: str = "warehouse") -> dict[str, int]:
    """The goods in a hold, by kind."""
    row = state[0]["seats"][seat]["goods"][HOLDS.index(hold)]
    return {kind: number for kind, number in zip(KINDS, row.tolist(), strict=True) if number}


def stacks(game: Any, state: np.ndarray, seat: int = 0, hold: str = "warehouse") -> dict[str, int]:
    row = state[0]["seats"][seat]["stacks"][HOLDS.index(hold)]
    return {kind: number for kind, number in zip(KINDS, row.tolist(), strict=True) if number}


def free(state: np.ndarray, seat: int = 0, hold: str = "warehouse") -> int:
    return int(state[0]["seats"][seat]["free"][HOLDS.index(hold)])


def hand(state: np.ndarray, seat: int = 0) -> list[str]:
    """The hand, in the order of cards."""
    counts = state[0]["seats"][seat]["hand"].tolist()
    return [card for card, number in zip(CARDS, counts, strict=True) for _ in range(number)]


def deck(state: np.ndarray, seat: int = 0) -> list[str]:
    """The deck, from the top."""
    row = state[0]["seats"][seat]
    return [CARDS[card] for card in row["deck"][: row["deck_size"]][::-1].tolist()]


def specialist_deck(state: np.ndarray) -> list[str]:
    """The specialist deck, from the top."""
    row = state[0]
    return [SPECIALISTS[card] for card in row["specialists"][: row["specialists_left"]].tolist()]


def board(state: np.ndarray) -> list[int]:
    """The spaces with workers."""
    return (np.flatnonzero(state[0]["board"]) + 1).tolist()


def supply(state: np.ndarray) -> dict[str, int]:
    return dict(zip(("sugar", "cacao", "coins"), state[0]["supply"].tolist(), strict=True))


def coins(state: np.ndarray, seat: int = 0) -> int:
    return int(state[0]["seats"][seat]["coins"])


def step(state: np.ndarray) -> str:
    return Step(int(state[0]["step"])).name.lower()
