"""A player's panel: coins and points, cards, warehouse and trucks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from .....core.text.words import counted
from .....drawing import text
from .....drawing.scene import SEATS, Box, Look, Mark, Panel, Part, Role, Text, Thing
from ...actions import DECORATE, DISMISS, MOVE, PLAY, SELL, TRUCK
from ...constants import (
    FIRST_TRUCK,
    NUM_CARDS,
    NUM_KINDS,
    NUM_SPACES,
    SPECIALIST_CARDS,
    WAREHOUSE,
    Kind,
    Step,
)
from .layout import HALF_HEIGHT, Place
from .marks import (
    COIN,
    DECORATION,
    SPECIALISTS,
    card_name,
    centred,
    effect_of,
    good,
    is_decorated,
    specialist_name,
)
from .seen import Player, Seen

LEFT: Final = 8
CARD: Final = 86  # width of a card face up
BACK: Final = 72  # height of a card face down, at most
DECK: Final = 34  # width of a deck's back, at most
BADGE: Final = 100  # width of the badge of the seat to move


class Sizes(NamedTuple):
    """Heights of rows, and the gap between them. A cell holds a good or a stack."""

    status: float
    hand: float
    chips: float
    cell: float
    gap: float


class Across(NamedTuple):
    """x and width of cards and of goods, beside their labels, or below labels of height `above`."""

    cards: float
    cards_width: float
    card: float  # width of a card face up
    goods: float
    goods_width: float
    above: float = 0.0


WIDE: Final = Across(104, 302, CARD, 104, 302)
NARROW_ACROSS: Final = Across(LEFT, 290, 84, 84, 214, above=15)
LOW: Final = Sizes(status=22, hand=56, chips=24, cell=34, gap=5)
HIGH: Final = Sizes(status=26, hand=124, chips=32, cell=46, gap=9)
NARROW_SIZES: Final = Sizes(status=22, hand=124, chips=26, cell=42, gap=5)


def player_panel(seen: Seen, player: Player, place: Place) -> Panel:
    sizes = LOW if place.height <= HALF_HEIGHT else HIGH
    things, _ = player_things(seen, player, place.width, sizes, WIDE)
    return place.panel(heading(seen, player), things, owner=player.seat)


def narrow_player_panel(seen: Seen, player: Player, width: float) -> Panel:
    """A panel as high as its contents, with the labels of cards above them."""
    things, height = player_things(seen, player, width, NARROW_SIZES, NARROW_ACROSS)
    role: Role = "own" if player.seat == seen.viewer else "rival"
    facts = counted(seen.scores[player.seat], "point"), counted(player.coins, "coin"), counted(player.hand_size, "card")
    return Panel(heading(seen, player), 0, 0, width, height, tuple(things), player.seat, role=role, summary=facts)


def heading(seen: Seen, player: Player) -> str:
    return f"Player {player.seat}{' (you)' if player.seat == seen.viewer else ''}"


def player_things(seen: Seen, player: Player, width: float, sizes: Sizes, at: Across) -> tuple[list[Thing], float]:
    """Everything a player has, and the height of the panel that holds it."""
    y = 28.0
    things = [*status(seen, player, y, sizes.status, width, at)]
    y += sizes.status * (2 if at.above else 1) + sizes.gap
    things += [*hand(seen, player, y, sizes.hand, at), deck(player, y + at.above, sizes.hand, at)]
    y += sizes.hand + sizes.gap + at.above
    things += unplayed(seen, player, y, sizes.chips, at)
    y += sizes.chips + sizes.gap + at.above
    things += played(seen, player, y, sizes.chips, at)
    y += sizes.chips + sizes.gap + at.above
    for hold in range(len(player.goods)):
        things += hold_things(seen, player, hold, y, sizes.cell, width - 2 * LEFT, at)
        y += sizes.cell + sizes.gap
    return things, y + 3


# --- coins and points


def status(seen: Seen, player: Player, y: float, height: float, width: float, at: Across) -> Iterator[Thing]:
    """Coins, points and whistle, in one row, or in two if the panel is narrow."""
    middle = height / 2
    coins = (Mark(10, middle, *COIN, 15), Text(22, middle + 4, str(player.coins), 13, bold=True))
    yield Thing(
        counted(player.coins, "coin"), LEFT, y, 46, height, coins, rule="COIN-1", piece="coin", many=player.coins
    )
    points = seen.scores[player.seat]
    score = Text(0, middle + 4, counted(points, "point"), 12, bold=True)
    yield Thing(f"{counted(points, 'point')} so far", LEFT + 48, y, 64, height, (score,), rule="SCORE-1")
    x, below = (LEFT, y + height) if at.above else (LEFT + 116, y)
    yield whistle(player, x, below, height)
    if player.seat == seen.start_player and seen.step != Step.OVER:
        between = seen.step == Step.DISMISS
        words = "will start" if between else "start player"
        name = "will start the next half" if between else "start player of this half"
        yield Thing(name, x + 114, below, 64, height, (Text(0, middle + 4, words, 10, "muted"),))
    yield from badge(seen, player, y, height, width)


def whistle(player: Player, x: float, y: float, height: float) -> Thing:
    """WHIS-1: the whistle; a coin lies on it once the shift change of this half was called."""
    middle, called = height / 2, bool(player.whistle)
    coin: Part = Mark(7, middle, *COIN, 12) if called else Box(1, middle - 6, 12, 12, None, "line", 6, dashed=True)
    words = "shift changed" if called else "shift change"
    name = "shift change: called in this half, the coin lies on the whistle" if called else "shift change: not called"
    return Thing(name, x, y, 108, height, (coin, Text(18, middle + 4, words, 10, "ink" if called else "muted")))


def badge(seen: Seen, player: Player, y: float, height: float, width: float) -> Iterator[Thing]:
    """A badge for the seat to move; at the end, the seat's place."""
    words: str
    look: Look = "accent"
    if seen.step == Step.OVER:
        words = place_in_words(seen, player.seat)
        look = "good" if seen.ranking[player.seat] == 0 else "muted"
    elif player.seat == seen.current:
        words = "your move" if player.seat == seen.viewer else "to move"
    else:
        return
    parts = (
        Box(0, 0, BADGE, height, look, corner=height / 2),
        centred(words, BADGE, height / 2 + 4, 11, "on-colour", True),
    )
    yield Thing(words, width - LEFT - BADGE, y, BADGE, height, parts)


def place_in_words(seen: Seen, seat: int) -> str:
    """ "2nd place"; it says if the place is shared."""
    place = seen.ranking[seat]
    shared = list(seen.ranking).count(place) > 1
    return f"{('1st', '2nd', '3rd', '4th')[place]} place{', shared' if shared else ''}"


# --- cards


def hand(seen: Seen, player: Player, y: float, height: float, at: Across) -> Iterator[Thing]:
    yield label("Hand", y, height, at, counted(player.hand_size, "card"))
    y += at.above
    if player.hand is None:
        tall = min(height, BACK)
        for place in range(player.hand_size):
            parts = (Box(0, 0, 0.7 * tall, tall, "hidden", "line"),)
            name, x = f"a card in the hand of player {player.seat}", at.cards + place * (0.7 * tall + 5)
            yield Thing(name, x, y + (height - tall) / 2, 0.7 * tall, tall, parts)
        return
    held = [card for card in range(NUM_CARDS) for _ in range(player.hand[card])]
    for place, card in enumerate(held):
        yield card_thing(seen, card, at.cards + place * (at.card + 3), y, height, seen.action(PLAY + card), at.card)


def card_thing(
    seen: Seen, card: int, x: float, y: float, height: float, action: int | None, width: float = CARD
) -> Thing:
    """A card face up: a large number; or a specialist's pictogram, name and, if there is room, effect."""
    name = card_name(seen.cards, card)
    parts: list[Part] = [Box(0, 0, width, height, "card", "line")]
    if card < SPECIALIST_CARDS:
        parts.append(Text(width / 2, height / 2 + 9, str(card + 1), 26, bold=True, anchor="middle"))
        return Thing(name, x, y, width, height, tuple(parts), action=action, rule="TURN-2", piece=f"card {card}")
    specialist = card - SPECIALIST_CARDS
    effect = effect_of(seen.cards, specialist)
    size, base = (18, 46) if height >= LOW.hand else (14, height - 5)
    parts += [Mark(width / 2, size, *SPECIALISTS[specialist], size), centred(name, width, base, 11, bold=True)]
    if height >= NARROW_SIZES.hand:
        parts += text.block(effect, 1, 52, width - 2, height - 54, 10, look="muted", anchor="middle")
    rule = seen.cards.clauses[seen.cards.specialists[specialist]] or "SPEC-1"
    what = f"card {card}"
    return Thing(f"{name}: {effect}", x, y, width, height, tuple(parts), action=action, rule=rule, piece=what)


def deck(player: Player, y: float, height: float, at: Across) -> Thing:
    number, tall = player.deck_size, min(height, BACK)
    width = min(DECK, at.cards_width - 3 * (at.card + 3))
    parts = (
        Box(0, 0, width, tall, "hidden" if number else "empty", "line", dashed=not number),
        Text(width / 2, tall / 2 - 2, str(number), 16, "on-colour" if number else "muted", True, "middle"),
        Text(width / 2, tall / 2 + 14, "deck", 10, "on-colour" if number else "muted", anchor="middle"),
    )
    name, x = f"deck of player {player.seat}: {counted(number, 'card')}", at.cards + at.cards_width - width
    return Thing(name, x, y + (height - tall) / 2, width, tall, parts)


def unplayed(seen: Seen, player: Player, y: float, height: float, at: Across) -> Iterator[Thing]:
    """OPEN-3: the cards in hand or deck that all can name; for the viewer's own seat, those in the deck."""
    own = player.hand is not None
    yield label("In the deck" if own else "Not played", y, height, at)
    y += at.above
    numbers = [card for card in range(NUM_SPACES) for _ in range(int(seen.cards.record.numbers[card]))]
    others = [card for card in range(NUM_SPACES, NUM_CARDS) for _ in range(player.unplayed[card])]
    pitch = min(27.0, at.cards_width / (len(numbers) + len(others) + 2))
    where = "in your deck" if own else "not played"
    for place, card in enumerate(numbers):
        there = numbers[:place].count(card) < player.unplayed[card]
        name = f"{card_name(seen.cards, card)}: {'' if there else 'not '}{where}" if own else ""
        name = name or f"{card_name(seen.cards, card)}: {where if there else 'played'}"
        digit = Text((pitch - 3) / 2, height / 2 + 4, str(card + 1), 11, bold=True, anchor="middle")
        parts: tuple[Part, ...] = (Box(0, 0, pitch - 3, height, "card", "line"), digit)
        if not there:
            parts = (Box(0, 0, pitch - 3, height, "empty", "line", dashed=True),)
        yield Thing(name, at.cards + place * pitch, y, pitch - 3, height, parts, rule="OPEN-3")
    for place, card in enumerate(others, start=len(numbers)):
        mark = Mark((pitch - 3) / 2, height / 2, *SPECIALISTS[card - SPECIALIST_CARDS], min(14, pitch - 5))
        parts = (Box(0, 0, pitch - 3, height, "card", "line"), mark)
        name = f"{card_name(seen.cards, card)}: {where}"
        yield Thing(name, at.cards + place * pitch, y, pitch - 3, height, parts, rule="OPEN-3")
    if player.others:
        width = min(44, 2 * pitch - 3)
        words = centred(f"? ×{player.others}", width, height / 2 + 4, 11, "on-colour", True)
        x = at.cards + (len(numbers) + len(others)) * pitch
        name = f"{counted(player.others, 'other specialist card')} in the {'deck' if own else 'hand or the deck'}"
        yield Thing(name, x, y, width, height, (Box(0, 0, width, height, "hidden", "line"), words))


def played(seen: Seen, player: Player, y: float, height: float, at: Across) -> Iterator[Thing]:
    """TURN-8: cards played; at the transition, cards still kept (TRANS-3). Names are shown if there is room."""
    chips = [(kind, number) for kind, number in enumerate(player.played) if number]
    kept = seen.step == Step.DISMISS
    if not chips:
        yield label("Played", y, height, at, "no specialist")
        return
    yield label("Kept" if kept else "Played", y, height, at, "specialists")
    y += at.above
    names = [specialist_name(seen.cards, kind) + (f" ×{number}" if number > 1 else "") for kind, number in chips]
    widths = [text.width(name, 10, True) + 30 for name in names]
    named = sum(widths) + 4 * len(widths) <= at.cards_width
    x = at.cards
    for (kind, number), name, full in zip(chips, names, widths, strict=True):
        width = full if named else at.cards_width / len(chips) - 4
        words = name if named else (f"×{number}" if number > 1 else "")
        parts: list[Part] = [Box(0, 0, width, height, "empty", "line"), Mark(12, height / 2, *SPECIALISTS[kind], 13)]
        if words:
            parts.append(Text(22, height / 2 + 4, words, 10, bold=True))
        action = seen.action(DISMISS + kind) if player.seat == seen.current else None
        what = f"{'kept' if kept else 'played'}: {name}" + ("" if action is None else "; give it up")
        card = f"card {SPECIALIST_CARDS + kind}"
        yield Thing(what, x, y, width, height, tuple(parts), action=action, rule="SPEC-1", piece=card, many=number)
        x += width + 4


def label(words: str, y: float, height: float, at: Across, more: str = "") -> Thing:
    """A row's label, and a lighter second line. It is a note, because the cards beside it show what was moved."""
    said = f"{words}: {more}" if more else words
    if at.above:
        after = (Text(10 + text.width(words, 11, True), 11, more, 10, "muted"),) if more else ()
        above = (Text(4, 11, words, 11, bold=True), *after)
        return Thing(said, LEFT, y, at.cards_width, at.above - 1, above)
    parts: list[Part] = [Text(4, height / 2 + (-2 if more else 4), words, 11, bold=True)]
    if more:
        parts.append(Text(4, height / 2 + 10, more, 9, "muted"))
    return Thing(said, LEFT, y, at.cards - LEFT - 4, height, tuple(parts))


# --- warehouse and trucks


def hold_things(
    seen: Seen, player: Player, hold: int, y: float, cell: float, width: float, at: Across
) -> Iterator[Thing]:
    """A warehouse or a truck with a cell for every place, and the goods in the cells."""
    record, mine = seen.cards.record, player.seat == seen.current
    places, berths = int(record.places[hold]), int(record.berths[hold])
    lying = list(pieces(player, hold))
    pitch = min(cell, at.goods_width / places)
    access = None if hold == WAREHOUSE or not mine else seen.action(TRUCK + hold - FIRST_TRUCK)
    parts = [*hold_ground(seen, player, hold, width, cell, at)]
    for place in range(len(lying), places):
        x = at.goods - LEFT + place * pitch
        parts.append(Box(x, 2, pitch - 3, cell - 4, "empty", "line", dashed=place < places - berths))
        if place >= places - berths:
            parts.append(Mark(x + (pitch - 3) / 2, cell / 2, "person", "line", min(16, pitch - 8)))
    accessed = mine and hold != WAREHOUSE and seen.turn.truck == hold - FIRST_TRUCK and seen.step != Step.DISMISS
    name = hold_name(seen, player, hold, places - len(lying))
    yield Thing(
        name,
        LEFT,
        y,
        width,
        cell,
        tuple(parts),
        player.seat,
        access,
        accessed,
        rule="ROOM-1" if hold == WAREHOUSE else "ROOM-2",
    )
    for place, (kind, stacked) in enumerate(lying):
        action = piece_action(seen, hold, kind) if mine else None
        moved = mine and hold == seen.target and kind == seen.last
        x = at.goods + place * pitch
        yield piece(seen, kind, stacked, x, y + 2, pitch - 3, cell - 4, access if action is None else action, moved)


def hold_ground(seen: Seen, player: Player, hold: int, width: float, height: float, at: Across) -> Iterator[Part]:
    """The background with the name; own trucks have their player's colour."""
    middle = height / 2
    if hold == WAREHOUSE:
        yield Box(0, 0, width, height, "panel", "line")
        yield Text(6, middle + 4, "Warehouse", 11, bold=True)
        return
    own = bool(seen.cards.record.own[hold])
    yield Box(0, 0, width, height, "card", SEATS[player.seat] if own else "line")
    name = seen.cards.names[seen.cards.trucks[hold - FIRST_TRUCK]]
    if at.above:
        yield from text.block_or_line(name, 6, 3, at.goods - LEFT - 10, 24, 10, bold=True)
    else:
        yield text.line(name, 6, middle - 1, at.goods - LEFT - 10, 10, bold=True)
    yield Text(
        6,
        height - 5 if at.above else middle + 11,
        "own" if own else "hired",
        9,
        SEATS[player.seat] if own else "muted",
        own,
    )


def hold_name(seen: Seen, player: Player, hold: int, free: int) -> str:
    record = seen.cards.record
    if hold == WAREHOUSE:
        return f"warehouse of player {player.seat}: {free} of {record.places[hold]} places free"
    name = seen.cards.names[seen.cards.trucks[hold - FIRST_TRUCK]]
    own = "own" if record.own[hold] else "hired"
    berths = counted(int(record.berths[hold]), "berth")
    return f"{name} of player {player.seat}, {own}, {berths}: {free} of {record.places[hold]} places free"


def pieces(player: Player, hold: int) -> Iterator[tuple[int, bool]]:
    """(kind, whether it is a stack of two) for every occupied place."""
    for kind in range(NUM_KINDS):
        stacks = player.stacks[hold][kind]
        for _ in range(stacks):
            yield kind, True
        for _ in range(player.goods[hold][kind] - 2 * stacks):
            yield kind, False


def piece_action(seen: Seen, hold: int, kind: int) -> int | None:
    """The action offered on a good: move it, sell it, or decorate it."""
    if hold == seen.source:
        return seen.action(MOVE + kind)
    if hold != WAREHOUSE:
        return None
    sell = seen.action(SELL + kind)
    if sell is None and Kind.PLAIN <= kind < Kind.DECORATED:
        return seen.action(DECORATE + kind - Kind.PLAIN)
    return sell


def piece(
    seen: Seen,
    kind: int,
    stacked: bool,
    x: float,
    y: float,
    width: float,
    height: float,
    action: int | None,
    moved: bool,
) -> Thing:
    """A good, with a star if it is decorated, and a 2 if it is a stack."""
    small = min(width, height)
    corner, beside = small * 0.32, width - small * 0.19
    parts: list[Part] = [Box(0, 0, width, height, "panel", "line"), good(kind, *_middle(kind, stacked, width, height))]
    if is_decorated(kind):
        parts.append(Mark(beside, height * 0.25, *DECORATION, corner))
    if stacked:
        parts.append(Text(beside, height - 4, "2", 10, bold=True, anchor="middle"))
    name = f"2 {seen.kinds[kind]}, stacked" if stacked else seen.kinds[kind]
    what = seen.kinds[kind], 1 + stacked
    return Thing(name, x, y, width, height, tuple(parts), None, action, moved, piece=what[0], many=what[1])


def _middle(kind: int, stacked: bool, width: float, height: float) -> tuple[float, float, float]:
    """x, y and size of the pictogram; it moves aside if something stands beside it."""
    size = min(width, height) * 0.56
    if is_decorated(kind) or stacked:
        return size / 2 + 2, height / 2 + 1, size
    return width / 2, height / 2, size
