"""The tree of any game's position, with its result and its last moves, and its picture."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import cycle
from typing import Any, Final, NamedTuple, Protocol, TypeVar, get_args, runtime_checkable

import numpy as np
from msgspec import Struct

from ..core.checks import as_integer
from ..core.game import Game, State
from ..drawing.scene import Look, Role, Scene
from . import layout
from .tree import Group, Item, Row, Sign, Tree, group, row, signs_of, so

S = TypeVar("S", bound=Struct)
NUMBERED: Final = re.compile(r"\b[Pp]layer ([0-9])\b")  # a seat in the words of games
PLACES: Final = ("1st", "2nd", "3rd")
HUES: Final[list[Look]] = [look for look in get_args(Look) if look.startswith("hue-")]
SMALL: Final = 0.75  # scale of the whole picture below which a frame counts as small


class Parts(NamedTuple):
    """What a game's `view` returns: a tree without what all games have alike.

    deck: yields the id of every card and a row that shows it.
    """

    title: str
    when: list[str]
    signs: dict[str, Sign]
    groups: list[Group]
    deck: Callable[[], Iterable[tuple[str, Row]]] = tuple


@runtime_checkable
class HasView(Protocol):
    """A game that says what is there to see."""

    def view(self, state: State, player: int | None = None) -> Parts:
        """What a seat, or a spectator (None), may know. If it is to move, each legal action is the action of one item
        of the groups with the role "choose"."""


class Told(NamedTuple):
    """A line of what has happened. seat: None for news."""

    seat: int | None
    words: str


def view_of(
    game: Any,
    state: State,
    viewer: int | None = None,
    *,
    names: Sequence[str] = (),
    log: Sequence[Told] = (),
    accounts: Mapping[str, Sequence[int]] | None = None,
) -> Tree:
    """The position as `viewer` may see it: a seat, or None for a spectator.

    Args:
        game: any game. One with a method `view(state, viewer) -> Parts` says what is there; for others, it is `render`.
        state: a position, which is not changed.
        viewer: if it is to move, every legal action is the action of one item of the groups with the role "choose".
        names: of the seats; by default they are called "Player 0".
        log: what has happened, latest last.
        accounts: where the scores came from, by source, at the end: `game.accounts(steps, state)`.

    Raises:
        TypeError, ValueError: no such seat, or the state is no position of the game.
    """
    if viewer is not None:
        viewer = as_integer("player", viewer, 0, game.num_players - 1)
    parts: Parts = game.view(state, viewer) if isinstance(game, HasView) else parts_in_words(game, state, viewer)
    groups = parts.groups
    if game.is_over(state):
        groups = [result_of(game, state, accounts or {}), *(one for one in groups if one.id != "choice")]
    if log:
        lines = [Item(words[:], _without_seat(words, seat)[:], seat=seat) for seat, words in reversed(log)]
        groups = [*groups, group("moves", "Last moves", "shared", [row("log", lines)])]
    sources = signs_of(
        {f"from {name}": ("square", hue) for name, hue in zip(accounts or {}, cycle(HUES), strict=False)}
    )
    tree = Tree(game.name, parts.title, parts.when, game.num_players, viewer, parts.signs | sources, groups)
    return with_names(tree, names) if names else tree


def scene_of(
    game: Game,
    state: State,
    player: int | None = None,
    *,
    names: Sequence[str] = (),
    log: Sequence[Told] = (),
    accounts: Mapping[str, Sequence[int]] | None = None,
) -> Scene:
    """The position as a picture of 1280 × 800, as `player` may see it, or with None a spectator.

    If `player` is to move, every legal action is the action of a thing. names, log, accounts: as in `view_of`.

    Raises:
        TypeError, ValueError: no such seat, or the state is no position of the game.
    """
    return layout.wide(view_of(game, state, player, names=names, log=log, accounts=accounts))


def panels_of(game: Game, state: State, player: int | None = None, *, names: Sequence[str] = ()) -> Scene:
    """Like `scene_of`, as a row of narrow panels."""
    return layout.narrow(view_of(game, state, player, names=names))


def seen_in(
    game: Game,
    state: State,
    player: int | None,
    size: tuple[int, int],
    *,
    names: Sequence[str] = (),
    log: Sequence[Told] = (),
) -> Scene:
    """Like `scene_of`, for a frame of `size` pixels: a small one shows one board whole, and the others in brief."""
    tree = view_of(game, state, player, names=names, log=log)
    whole = layout.wide(tree)
    is_small = min(size[0] / whole.width, size[1] / whole.height) < SMALL
    return layout.small(tree, size) if is_small else whole


def legal_of(game: Game, state: State, viewer: int | None) -> list[int]:
    """The legal actions of the viewer; none unless it is to move."""
    return np.flatnonzero(game.legal_mask(state)).tolist() if viewer == game.current_player(state) else []


def parts_in_words(game: Game, state: State, viewer: int | None) -> Parts:
    """The parts of a game without a view of its own."""
    mover = game.current_player(state)
    whose = f"Player {mover} to move"
    legal = legal_of(game, state, viewer)
    buttons = [Item(game.describe(action), game.describe(action).capitalize(), action=action) for action in legal]
    choice = group("choice", whose, "choose", [row("ask", [Item(whose, whose)]), row("buttons", buttons)], mover)
    lines = [Item(line, line) for line in game.render(state, viewer).splitlines() if line.strip()]
    return Parts(game.name, [game.when(state)], {}, [choice, group("board", "The table", "own", [row("text", lines)])])


def result_of(game: Game, state: State, accounts: Mapping[str, Sequence[int]]) -> Group:
    """Places and scores, best first, and where they came from."""
    scores, ranking, won = (each(state).tolist() for each in (game.scores, game.ranking, game.won))
    order = sorted(range(game.num_players), key=lambda seat: ranking[seat])
    winners = " and ".join(f"Player {seat}" for seat in order if won[seat])
    alone = game.num_players == 1
    words = f"{winners} {'win' if sum(won) > 1 else 'wins'}" if winners else "Nobody wins"
    if alone:
        words = "Won" if won[0] else "Lost"
    places = ["" if alone else place_of(rank) for rank in ranking]
    rows = [
        Item(
            f"Player {seat}: {', '.join(filter(None, [places[seat], str(scores[seat]), 'won' if won[seat] else '']))}",
            f"Player {seat}",
            small=places[seat],
            tail=[str(scores[seat])],
            state="now" if won[seat] else "",
            seat=seat,
            items=[share(source, amounts[seat]) for source, amounts in accounts.items() if amounts[seat]],
        )
        for seat in order
    ]
    sources = [name for name, amounts in accounts.items() if any(amounts)]
    legend = row("legend", [Item(name, name, face=[[f":from {name}"]]) for name in sources])
    return group("result", "The end", "choose", [row("ask", [Item(words, words)]), legend, row("result", rows)])


def share(source: str, amount: int) -> Item:
    """A part of a score."""
    return Item(
        f"{source} {amount}",
        str(amount),
        face=[[f":from {source}"]],
        kind="share",
        state="used" if amount < 0 else "",
    )


def place_of(rank: int) -> str:
    return PLACES[rank] if rank < len(PLACES) else f"{rank + 1}th"


def own_or_rival(viewer: int | None, seat: int) -> Role:
    return "own" if seat == viewer else "rival"


def around(viewer: int | None, players: int) -> list[int]:
    """The seats, the viewer first."""
    return [((viewer or 0) + after) % players for after in range(players)]


def notes_of(viewer: int | None, seat: int, **conditions: object) -> list[str]:
    """Notes beside the name of a seat."""
    return so(you=seat == viewer, **conditions)


def named(words: str, names: Sequence[str]) -> str:
    """The words with names instead of "Player 0". names: of all seats, in order."""
    by_seat = {str(seat): name for seat, name in enumerate(names)}
    return NUMBERED.sub(lambda found: by_seat.get(found[1], found[0]), words)  # a card may be named after another seat


def with_names(tree: Tree, names: Sequence[str]) -> Tree:
    """The tree with names instead of "Player 0" in all words."""

    def item(one: Item) -> Item:
        if not any("layer " in word for word in _words(one)):
            return one
        words = {key: named(getattr(one, key), names) for key in ("name", "words", "small", "status")}
        face = [[named(word, names) for word in line] for line in one.face]
        return _replaced(one, **words, face=face, items=[item(each) for each in one.items])

    def rows(there: Sequence[Row]) -> list[Row]:
        return [_replaced(one, items=[item(each) for each in one.items]) for one in there]

    groups = [_replaced(one, name=named(one.name, names), rows=rows(one.rows)) for one in tree.groups]
    return _replaced(tree, when=[named(words, names) for words in tree.when], groups=groups)


def _words(one: Item) -> Iterator[str]:
    """All words of an item and of those in it."""
    yield from (one.name, one.words, one.small, one.status)
    for line in one.face:
        yield from line
    for each in one.items:
        yield from _words(each)


def _replaced(one: S, **fields: Any) -> S:
    return type(one)(**{name: fields.get(name, getattr(one, name)) for name in one.__struct_fields__})


def _without_seat(words: str, seat: int | None) -> str:
    return words.removeprefix(f"Player {seat} ")
