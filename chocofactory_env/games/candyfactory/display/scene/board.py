"""The table between the players: board and die, supply and specialist deck, recipe cards, effects of specialists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from .....core.text.words import counted
from .....drawing import text
from .....drawing.scene import Box, Look, Mark, Panel, Part, Shape, Text, Thing
from ...actions import (
    ADD_WORKER,
    DECORATE_ALL,
    KEEP_DIE,
    MAKE,
    MIX,
    MOVE,
    RECRUIT,
    REMOVE_WORKER,
    ROLL_DIE,
    TURN_DIE,
)
from ...constants import MOST_TURN, NUM_SPACES, NUM_SPECIALISTS, Ability, Half, Kind, Pile, Specialist, Step, Variety
from ...words import PILES
from ..describe_cards import ability_in_words, cost_in_words
from .layout import Place
from .marks import COIN, DECORATION, GOODS, SPECIALISTS, WORKER, effect_of, good, specialist_name
from .seen import Seen

EDGE: Final = 10  # between a panel's border and its contents
GAP: Final = 6
TOP: Final = 28
STRIP: Final = 36  # height of the die between the two rows of spaces
ACROSS: Final = NUM_SPACES // 2
NARROW_BELOW: Final = 360  # width of a panel
ROW: Final = 36  # height of a recipe, at most
ROOMY: Final = 80  # height from which on a space's pictograms are larger
PILE: Final = 62  # widths: of a pile, at most; of a deck's back; of a known card beside it
BACK: Final = 30
KNOWN: Final = 16
KNOWN_WIDTH, KNOWN_ROW = 30, 18  # of a known card below the deck
PAWN: Final = 24
CAPTION: Final = 12  # height of a pile's name
WITH_CAPTION: Final = 40  # height from which on a pile has one
NO_WORKER: Final[tuple[Shape, Look]] = ("ring", "line")

# Pictograms of each ability, from left to right.
_ARROW: Final[tuple[Shape, Look]] = ("arrow", "muted")
_CANDY: Final[tuple[Shape, Look]] = ("circle", "hue-4")
_SUGAR, _CACAO, _CHOCOLATE = GOODS[: Kind.PLAIN]
ABILITIES: Final[Mapping[Ability, tuple[tuple[Shape, Look], ...]]] = {
    Ability.MIXER: (_SUGAR, _CACAO, _ARROW, _CHOCOLATE),
    Ability.BREAK_ROOM: (COIN, _ARROW, ("person", "hue-2")),
    Ability.MACHINE: (_SUGAR, _CHOCOLATE, _ARROW, _CANDY),
    Ability.DECORATOR: (_CANDY, _ARROW, DECORATION),
}
# Actions that belong to a space in use, by its ability.
USES: Final = {Ability.MIXER: MIX, Ability.BREAK_ROOM: RECRUIT, Ability.DECORATOR: DECORATE_ALL}


# --- board and die


def board(seen: Seen, place: Place) -> Panel:
    width = (place.width - 2 * EDGE - (ACROSS - 1) * GAP) / ACROSS
    height = (place.height - TOP - STRIP - 2 * GAP - EDGE) / 2
    things: list[Thing] = []
    for space in range(ACROSS):
        things += space_things(seen, space, EDGE + space * (width + GAP), TOP, width, height)
    things += die_things(seen, TOP + height + GAP, place.width)
    for space in range(ACROSS, NUM_SPACES):
        x = EDGE + (NUM_SPACES - 1 - space) * (width + GAP)
        things += space_things(seen, space, x, TOP + height + STRIP + 2 * GAP, width, height)
    return place.panel("Plantation Factory" if seen.half == Half.PLANTATION else "Candy Factory", things)


def space_things(seen: Seen, space: int, x: float, y: float, width: float, height: float) -> Iterator[Thing]:
    """A space with its number, ability and worker. If a shift change is offered, the worker is a thing of its own."""
    ability = Ability(int(seen.cards.record.abilities[seen.half][space]))
    turn, occupied = seen.turn, bool(seen.board[space])
    in_use, searched = turn.space == space, turn.number == space + 1
    name = f"space {space + 1}: {ability_in_words(ability)}, {'a worker' if occupied else 'no worker'}"
    name += (", in use" if in_use else "") + (", the search begins here" if searched else "")
    change = seen.action((REMOVE_WORKER if occupied else ADD_WORKER) + space)
    pawn = Mark(PAWN / 2, PAWN / 2, *(WORKER if occupied else NO_WORKER), 18 if occupied else 12)
    corner = width - PAWN - 3
    parts: list[Part] = [
        Box(0, 0, width, height, "card", "ink" if searched else "line"),
        *([replace(pawn, x=corner + pawn.x, y=3 + pawn.y)] if change is None else []),
        Text(9, 19, str(space + 1), 15, "ink" if searched else "muted", bold=True),
        *pictured(seen, ability, width / 2, (height + 12) / 2, 11 if height < ROOMY else min(15, width // 5)),
        Text(width / 2, height - 8, ability_in_words(ability), 10, "ink", anchor="middle"),
    ]
    action = seen.action(USES[ability]) if in_use and ability in USES else None
    whole = Thing(name, x, y, width, height, tuple(parts), None, action, in_use, rule="ABIL-1")
    yield replace(whole, piece="worker", many=int(occupied)) if change is None else whole
    if change is not None:
        words = f"shift change: {'remove the worker of' if occupied else 'add a worker to'} space {space + 1}"
        there = int(occupied)
        yield Thing(words, x + corner, y + 3, PAWN, PAWN, (pawn,), action=change, piece="worker", many=there)


def pictured(seen: Seen, ability: Ability, x: float, y: float, size: float) -> Iterator[Mark | Text]:
    """The pictograms of an ability, centred at (x, y)."""
    icons: tuple[tuple[Shape, Look] | str, ...] | None = ABILITIES.get(ability)
    if icons is None:  # an outlet: it sells cacao at the plantation, anything at the candy factory
        coins = int(seen.cards.record.outlet_coins[seen.half])
        sold = (_CACAO,) if seen.half == Half.PLANTATION else (_SUGAR, _CANDY)
        icons = (*sold, _ARROW, *([str(coins)] if coins > 1 else []), COIN)
    pitch = size * 1.25
    for number, icon in enumerate(icons):
        middle = x + (number - (len(icons) - 1) / 2) * pitch
        if isinstance(icon, str):
            yield Text(middle, y + 4, icon, 11, bold=True, anchor="middle")
        else:
            yield Mark(middle, y, *icon, size)


def die_things(seen: Seen, y: float, width: float) -> Iterator[Thing]:
    """The die, to keep, roll, or turn (the Runner)."""
    size = STRIP - 4
    keep, roll = seen.action(KEEP_DIE), seen.action(ROLL_DIE)
    x = width / 2 - size / 2
    yield Thing("the die", EDGE, y, 40, STRIP, (Text(0, 24, "Die", 12, "muted"),))
    if seen.step != Step.RUNNER or not any(seen.action(TURN_DIE + turned) for turned in range(2 * MOST_TURN + 1)):
        name = f"the die shows {seen.die}" + ("" if keep is None else ": keep it")
        yield die_face(name, seen.die, x, y + 2, size, keep)
        if roll is not None:
            parts = (
                Box(0, 0, 72, size, "card", "line"),
                Text(36, size / 2 + 4, "Roll", 12, bold=True, anchor="middle"),
            )
            yield Thing("roll the die", x + size + 14, y + 2, 72, size, parts, action=roll)
        return
    for turned in range(-MOST_TURN, MOST_TURN + 1):
        action = seen.action(TURN_DIE + MOST_TURN + turned)
        if action is None:
            continue
        face = (seen.die - 1 + turned) % NUM_SPACES + 1
        name = f"turn the die to {face}" if turned else f"leave the die at {face}"
        yield replace(die_face(name, face, x + turned * (size + 10), y + 2, size, action), marked=turned == 0)


def die_face(name: str, face: int, x: float, y: float, size: float, action: int | None) -> Thing:
    parts = (
        Box(0, 0, size, size, "panel", "ink", 8),
        Text(size / 2, size / 2 + 6, str(face), 17, bold=True, anchor="middle"),
    )
    return Thing(name, x, y, size, size, parts, action=action, rule="TURN-3")


# --- supply


def supply(seen: Seen, place: Place) -> Panel:
    """Sugar, cacao, coins, workers and the specialist deck."""
    height = place.height - TOP - 8 - (KNOWN_ROW + 2 if place.width < NARROW_BELOW else 0)
    things = []
    for pile, mark in enumerate((GOODS[Kind.SUGAR], GOODS[Kind.CACAO], COIN)):
        action = seen.action(MOVE + pile) if pile != Pile.COINS and seen.from_supply else None
        piece = "coin" if pile == Pile.COINS else seen.kinds[pile]
        things.append(pile_thing(PILES[pile], piece, pile, height, mark, seen.supply[pile], pile_width(place), action))
    workers = int(seen.cards.record.pawns) - sum(seen.board)
    words = "worker" if workers == 1 else "workers"
    things.append(pile_thing(words, "worker", len(PILES), height, WORKER, workers, pile_width(place)))
    if seen.variety != Variety.CANDY and seen.half == Half.PLANTATION:
        things += specialist_deck(seen, EDGE + (len(PILES) + 1) * (pile_width(place) + GAP), place.width - EDGE, height)
    return place.panel("Supply", things)


def pile_width(place: Place) -> float:
    """The width at which four piles and the deck fit in a row."""
    return min(PILE, (place.width - 2 * EDGE - BACK) / (len(PILES) + 1) - GAP)


def pile_thing(
    words: str,
    piece: str,
    number: int,
    height: float,
    mark: tuple[Shape, Look],
    count: int,
    width: float,
    action: int | None = None,
) -> Thing:
    middle = height / 2 - captioned(height)
    parts: tuple[Part, ...] = (
        Box(0, 0, width, height, "card", "line"),
        Mark(0.27 * width, middle, *mark, 16),
        Text(0.52 * width, middle + 5, str(count), 14, bold=True),
        *caption_below(words, width, height),
    )
    place = EDGE + number * (width + GAP), TOP, width, height
    return Thing(f"supply: {count} {words}", *place, parts, action=action, rule="START-2", piece=piece, many=count)


def captioned(height: float) -> float:
    """How far a caption moves up what stands above it; 0 on a pile too low for one."""
    return CAPTION / 2 if height >= WITH_CAPTION else 0


def caption_below(words: str, width: float, height: float, look: Look = "muted") -> tuple[Text, ...]:
    return (Text(width / 2, height - 6, words, 9, look, anchor="middle"),) if captioned(height) else ()


def specialist_deck(seen: Seen, x: float, right: float, height: float) -> Iterator[Thing]:
    """The deck face down, with the cards that the viewer knows (OPEN-4) beside it or, in a narrow panel, below."""
    number = seen.specialists_left
    name = f"specialist deck: {counted(number, 'card')}"
    look: Look = "on-colour" if number else "muted"
    parts: tuple[Part, ...] = (
        Box(0, 0, BACK, height, "hidden" if number else "empty", "line", dashed=not number),
        Text(BACK / 2, height / 2 - captioned(height) + 5, str(number), 14, look, True, "middle"),
        *caption_below("deck", BACK, height, look),
    )
    yield Thing(name, x, TOP, BACK, height, parts, action=seen.action(RECRUIT), rule="START-6")
    known = [(kind, count) for kind, count in enumerate(seen.knows, start=int(Specialist.LIFT_OPERATOR)) if count]
    for place, (kind, count) in enumerate(known):
        mark = Mark(KNOWN / 2, height / 2 - 7, *SPECIALISTS[kind], 11)
        words = f"you know {counted(count, 'card')} of the specialist deck: {specialist_name(seen.cards, kind)}"
        below = Text(KNOWN / 2, height / 2 + 12, str(count), 10, anchor="middle")
        if x + BACK + KNOWN > right:
            row = Mark(8, KNOWN_ROW / 2, *SPECIALISTS[kind], 11), Text(17, KNOWN_ROW / 2 + 4, str(count), 10)
            yield Thing(words, EDGE + place * KNOWN_WIDTH, TOP + height + 2, KNOWN_WIDTH, KNOWN_ROW, row)
        else:
            yield Thing(words, x + BACK + 4 + place * KNOWN, TOP, KNOWN, height, (mark, below))


# --- recipes


HEADS: Final = ("takes", "makes", "uses", "points", "left")


class AcrossRecipe(NamedTuple):
    """Columns of the recipes: x of the heads, and in a row the name's width, the cost and the candies."""

    heads: tuple[float, ...]
    name: float
    takes: float
    makes: float


WIDE_RECIPE: Final = AcrossRecipe((172, 230, 280, 326, 374), 102, 142, 208)
NARROW_RECIPE: Final = AcrossRecipe((118, 172, 212, 240, 270), 66, 94, 158)


def recipes(seen: Seen, place: Place) -> Panel:
    """The recipe cards in play, one a row; for the plantation alone, the worth of goods instead."""
    if seen.variety == Variety.PLANTATION:
        return points_of_goods(seen, place)
    at = NARROW_RECIPE if place.width < NARROW_BELOW else WIDE_RECIPE
    parts = tuple(Text(x, 9, words, 9, "muted", anchor="middle") for words, x in zip(HEADS, at.heads, strict=True) if x)
    things = [Thing("what the columns of the recipes say", EDGE, 26, place.width - 2 * EDGE, 12, parts)]
    pitch = min(ROW, (place.height - 46) / len(seen.recipes))
    for number in range(len(seen.recipes)):
        things.append(recipe_row(seen, number, 39 + number * pitch, place.width - 2 * EDGE, pitch - 2, at))
    return place.panel("Recipes", things)


def recipe_row(seen: Seen, place: int, y: float, width: float, height: float, at: AcrossRecipe) -> Thing:
    recipe, name = seen.cards.record.recipes[seen.recipes[place]], seen.kinds[Kind.PLAIN + place]
    left, middle = seen.tokens[place], height / 2
    words = f"recipe {name}: {cost_in_words(recipe)}, {counted(recipe.points, 'point')}, {counted(left, 'token')} left"
    under_way = seen.turn.recipe == place
    if under_way:
        words += f", in use, {counted(seen.turn.uses, 'use')} left"
    parts: list[Part] = [Box(0, 0, width, height, "card" if left else "empty", "line")]
    parts.append(good(Kind.PLAIN + place, 13, middle, 14))
    parts += text.block_or_line(name, 26, 1, at.name, height - 2, 11, bold=True, centred=True)
    x = at.takes
    for kind, count in ((Kind.SUGAR, recipe.sugar), (Kind.CHOCOLATE, recipe.chocolate)):
        if count:
            parts += [Text(x, middle + 4, str(count), 11), good(kind, x + 14, middle, 11)]
            x += 30
    parts += [Mark(at.makes, middle, *_ARROW, 11), Text(at.makes + 13, middle + 4, str(recipe.candies), 11)]
    parts.append(good(Kind.PLAIN + place, at.makes + 27, middle, 11))
    for x, number in zip(at.heads[2:], (f"×{recipe.uses}", str(recipe.points), str(left)), strict=True):
        parts.append(Text(x, middle + 4, number, 11, bold=True, anchor="middle"))
    action = seen.action(MAKE + place)
    at_row = EDGE, y, width, height
    return Thing(words, *at_row, tuple(parts), None, action, under_way, rule="CANDY-2", piece=name, many=left)


def points_of_goods(seen: Seen, place: Place) -> Panel:
    """SHORT-1"""
    sugar, chocolate = seen.cards.record.short_points.tolist()
    rows = (
        (GOODS[Kind.SUGAR], "a sugar aboard any truck", sugar),
        (GOODS[Kind.CHOCOLATE], "a chocolate aboard any truck", chocolate),
        (COIN, "a coin", 1),
    )
    things = []
    for number, (mark, words, points) in enumerate(rows):
        parts: tuple[Part, ...] = (Mark(13, 14, *mark, 14), Text(30, 18, f"{words}: {counted(points, 'point')}", 12))
        inner = place.width - 2 * EDGE
        things.append(Thing(f"{words}: {counted(points, 'point')}", EDGE, TOP + number * 32, inner, 28, parts))
    return place.panel("Points at the end", things)


# --- specialists


def specialists(seen: Seen, place: Place) -> Panel:
    """The effect of every specialist card."""
    things = []
    inner, each = place.width - 2 * EDGE, (place.height - TOP - GAP) / NUM_SPECIALISTS
    for kind in range(NUM_SPECIALISTS):
        name, effect = specialist_name(seen.cards, kind), effect_of(seen.cards, kind)
        rule = seen.cards.clauses[seen.cards.specialists[kind]] or "SPEC-1"
        parts: tuple[Part, ...] = (
            Mark(11, each / 2, *SPECIALISTS[kind], 13),
            text.line(name, 24, each / 2 + 4, 78, 11, bold=True),
            *text.block(effect, 104, 1, inner - 106, each - 1, 10, look="muted", centred=True),
        )
        things.append(Thing(f"{name}: {effect}", EDGE, TOP + kind * each, inner, each, parts, rule=rule))
    return place.panel("Specialist cards", things)
