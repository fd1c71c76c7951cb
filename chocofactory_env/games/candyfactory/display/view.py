"""A position as a tree (`chocofactory_env.view`), of what `scene.seen` lets the viewer know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ....core.text.words import counted
from ....drawing.scene import Look, Shape
from ....view.tree import Group, Item, Line, Row, Sign, group, row, signs_of
from ....view.views import Parts, notes_of, own_or_rival
from ..actions import ACTIONS, ADD_WORKER, DISMISS, KEEP_DIE, MAKE, MOVE, PLAY, RECRUIT, REMOVE_WORKER, TRUCK
from ..constants import (
    FIRST_TRUCK,
    MOST_TURN,
    NUM_CARDS,
    NUM_SPACES,
    NUM_SPECIALISTS,
    SPECIALIST_CARDS,
    WAREHOUSE,
    Ability,
    Half,
    Kind,
    Specialist,
    Step,
    Variety,
)
from ..words import describe
from .describe_cards import ability_in_words, cost_in_words
from .scene import marks
from .scene.board import ABILITIES, USES
from .scene.players import hold_name, piece_action, pieces
from .scene.seen import Player, Seen
from .scene.under_way import HINTS, buttons, facts, prompt

TITLE: Final = "Chocolate Factory (Manfredini)"
HALVES: Final = {Half.PLANTATION: "Plantation", Half.CANDY: "Candy factory"}
PILES: Final = ("sugar", "cacao", "coin", "worker")
SHIFT: Final = {  # labels above the buttons of a shift change, which have the numbers of spaces
    "add_worker": "Shift change: a worker to space",
    "remove_worker": "Shift change: the worker from space",
}


def view_of(seen: Seen) -> Parts:
    first = seen.viewer or 0
    over = seen.step == Step.OVER
    groups = [] if over else [choice(seen)]
    groups += [seat_group(seen, player) for player in [*seen.players[first:], *seen.players[:first]]]
    ring = [*spaces(seen, range(4)), die(seen), *spaces(seen, range(NUM_SPACES - 1, 3, -1))]
    groups.append(
        group("board", f"{HALVES[seen.half]}: {NUM_SPACES} spaces and the die", "shared", [row("ring", ring)])
    )
    groups.append(
        group(
            "market",
            "Supply and recipes",
            "shared",
            [row("piles", piles(seen)), recipes(seen), row("chips", effects(seen), "Specialists")],
        )
    )
    when = [HALVES[seen.half], "The end" if over else prompt(seen)]
    return Parts(TITLE, when, signs(seen), groups)


# --- signs


def named_marks(seen: Seen) -> dict[str, tuple[Shape, Look]]:
    found = {name: marks.GOODS[kind] for kind, name in enumerate(seen.kinds[: Kind.PLAIN + len(seen.recipes)])}
    found |= {"coin": marks.COIN, "worker": marks.WORKER, "decoration": marks.DECORATION}
    found |= {"candy": ("circle", "hue-4"), "recruit": ("person", "hue-2")}
    return found | {marks.specialist_name(seen.cards, kind): mark for kind, mark in enumerate(marks.SPECIALISTS)}


def signs(seen: Seen) -> dict[str, Sign]:
    return signs_of(named_marks(seen))


def good_face(seen: Seen, kind: int) -> Line:
    plain = f":{seen.kinds[marks.type_of(kind)]}"
    return [plain, ":decoration"] if marks.is_decorated(kind) else [plain]


# --- a player


def seat_group(seen: Seen, player: Player) -> Group:
    own = player.hand is not None
    hand = [] if player.hand is None else cards_of(seen, player.hand, PLAY)
    there = cards_of(seen, player.unplayed, None)
    if player.others:
        there.append(Item(counted(player.others, "other specialist card"), f"{player.others} ?", rule="OPEN-3"))
    played = [
        card(seen, SPECIALIST_CARDS + kind, seen.action(DISMISS + kind) if own else None, number)
        for kind, number in enumerate(player.played)
        if number
    ]
    rows = [
        row("facts", player_facts(seen, player)),
        row("cards", hand, "Hand"),
        row("chips", there, "In the deck" if own else "Not played"),
        row("chips", played, "Kept" if seen.step == Step.DISMISS else "Played"),
        row("holds", [hold(seen, player, place) for place in range(len(player.goods))]),
    ]
    over = seen.step == Step.OVER
    notes = notes_of(
        seen.viewer,
        player.seat,
        to_move=not over and player.seat == seen.current,
        starts=not over and player.seat == seen.start_player,
    )
    role = own_or_rival(seen.viewer, player.seat)
    return group(f"seat-{player.seat}", f"Player {player.seat}", role, rows, player.seat, notes)


def player_facts(seen: Seen, player: Player) -> Iterator[Item]:
    points = counted(seen.scores[player.seat], "point")
    yield Item(f"{points} so far", points, kind="money", rule="SCORE-1")
    yield Item(counted(player.coins, "coin"), str(player.coins), face=[[":coin"]], kind="coins", rule="COIN-1")
    yield Item(counted(player.hand_size, "card") + " in hand", f"{player.hand_size} in hand", rule="OPEN-2")
    yield Item(counted(player.deck_size, "card") + " in the deck", f"deck {player.deck_size}", rule="OPEN-2")
    changed = "shift changed" if player.whistle else "may change shift"
    yield Item(f"{changed}; once a half", changed, rule="WHIS-1")


def cards_of(seen: Seen, numbers: list[int], first: int | None) -> list[Item]:
    """A card for each. first: the action of playing the first kind of card."""
    found = []
    for number in range(NUM_CARDS):
        action = None if first is None else seen.action(first + number)
        found += [card(seen, number, action)] * numbers[number]
    return found


def card(seen: Seen, number: int, action: int | None = None, many: int = 1) -> Item:
    name = marks.card_name(seen.cards, number)
    if number < SPECIALIST_CARDS:
        return Item(name, str(number + 1), action=action, many=many, kind="number", rule="TURN-2")
    kind = number - SPECIALIST_CARDS
    rule = seen.cards.clauses[seen.cards.specialists[kind]] or "SPEC-1"
    words = f"{name}: {marks.effect_of(seen.cards, kind)}"
    return Item(words, name, face=[[f":{name}"]], action=action, many=many, kind="specialist", rule=rule)


def hold(seen: Seen, player: Player, place: int) -> Item:
    """The warehouse or a truck, with its goods and free places."""
    record, truck = seen.cards.record, place - FIRST_TRUCK
    mine = player.seat == seen.viewer == seen.current
    inside = [good(seen, place, *one, mine) for one in pieces(player, place)]
    free, berths = int(record.places[place]) - len(inside), int(record.berths[place])
    for spot in range(free):
        berth = spot >= free - berths
        name = "a free berth, for a specialist" if berth else "a free place"
        inside.append(Item(name, face=[[":worker"]] if berth else [], state="empty"))
    own = place == WAREHOUSE or bool(record.own[place])
    return Item(
        hold_name(seen, player, place, free),
        "Warehouse" if place == WAREHOUSE else seen.cards.names[seen.cards.trucks[truck]],
        small="" if own else "hired",
        items=inside,
        action=seen.action(TRUCK + truck) if mine and place != WAREHOUSE else None,
        kind="warehouse" if place == WAREHOUSE else "truck",
        state="now" if mine and place != WAREHOUSE and seen.turn.truck == truck else "",
        rule="ROOM-1",
    )


def good(seen: Seen, place: int, kind: int, stacked: bool, mine: bool) -> Item:
    name = seen.kinds[kind]
    action = piece_action(seen, place, kind) if mine else None
    words = f"2 {name}, stacked" if stacked else name
    return Item(words, face=[good_face(seen, kind)], many=1 + stacked, action=action, piece=name)


# --- the choice


def choice(seen: Seen) -> Group:
    name = "Your move" if seen.viewer == seen.current else f"Player {seen.current} to move"
    return group("choice", name, "choose", questions(seen), seen.current)


def questions(seen: Seen) -> Iterator[Row]:
    words = prompt(seen)
    settled = " · ".join(" ".join(filter(None, (label, value))) for label, value, _ in facts(seen))
    mine = seen.viewer == seen.current
    asked = words if mine else f"Player {seen.current}: {words[0].lower()}{words[1:]}"
    yield row(
        "ask", [Item(asked, asked, small=HINTS.get(seen.step, "") if mine else "", face=[[settled]] if settled else [])]
    )
    worded = {action: (label, more) for action, label, more in buttons(seen)}
    found: dict[str, list[Item]] = {}
    for action in sorted(seen.legal):
        verb, _ = ACTIONS.decode(action)
        found.setdefault(SHIFT.get(verb, ""), []).append(button(seen, action, worded))
    for label, there in found.items():
        yield row("buttons", there, label)


def button(seen: Seen, action: int, worded: dict[int, tuple[str, str]]) -> Item:
    verb, number = ACTIONS.decode(action)
    words, small = worded.get(action, (describe(action).capitalize(), ""))
    face: Line = []
    if verb == "play":
        name = marks.card_name(seen.cards, number)
        words, face = name[0].upper() + name[1:], [f":{name}"] if number >= SPECIALIST_CARDS else []
    elif verb in ("move", "sell"):
        words, face = f"{verb.capitalize()} {seen.kinds[number]}", good_face(seen, number)
    elif verb in ("make", "decorate"):
        name = seen.kinds[Kind.PLAIN + number]
        words, face = f"{verb.capitalize()} {name}", [f":{name}"]
    elif verb in SHIFT:
        words = str(number + 1)
    elif verb == "truck":
        words = seen.cards.names[seen.cards.trucks[number]]
    elif verb == "turn_die":
        words = f"Turn the die to {turned(seen, number)}"
    elif verb in ("hire", "dismiss"):
        name = marks.specialist_name(seen.cards, number + (verb == "hire"))
        words, face = f"{'Hire' if verb == 'hire' else 'Give up'} {name}", [f":{name}"]
    return Item(describe(action), words, small=small, face=[face] if face else [], action=action)


def turned(seen: Seen, number: int) -> int:
    """The die's face after `turn_die` with this number."""
    return (seen.die - 1 + number - MOST_TURN) % NUM_SPACES + 1


# --- what all share


def spaces(seen: Seen, numbers: range) -> Iterator[Item]:
    for number in numbers:
        ability = Ability(int(seen.cards.record.abilities[seen.half][number]))
        occupied, in_use = bool(seen.board[number]), seen.turn.space == number
        action = seen.action((REMOVE_WORKER if occupied else ADD_WORKER) + number)
        if in_use and ability in USES:
            action = seen.action(USES[ability])
        name = f"space {number + 1}: {ability_in_words(ability)}, {'a worker' if occupied else 'no worker'}"
        name += (", in use" if in_use else "") + (", the search begins here" if seen.turn.number == number + 1 else "")
        yield Item(
            name,
            str(number + 1),
            small=ability_in_words(ability),
            face=[ability_face(seen, ability)],
            tail=[":worker"] if occupied else [],
            action=action,
            state="now" if in_use else "",
            rule="ABIL-1",
        )


def ability_face(seen: Seen, ability: Ability) -> Line:
    if ability in ABILITIES:
        by_mark = {mark: name for name, mark in named_marks(seen).items()}
        return [f":{by_mark[mark]}" if mark in by_mark else "→" for mark in ABILITIES[ability]]
    coins = int(seen.cards.record.outlet_coins[seen.half])
    sold = [":cacao"] if seen.half == Half.PLANTATION else [":sugar", ":candy"]
    return [*sold, "→", *([str(coins)] if coins > 1 else []), ":coin"]


def die(seen: Seen) -> Item:
    return Item(f"the die shows {seen.die}", str(seen.die), kind="die", action=seen.action(KEEP_DIE), rule="TURN-3")


def piles(seen: Seen) -> Iterator[Item]:
    there = [*seen.supply, int(seen.cards.record.pawns) - sum(seen.board)]
    for pile, (name, number) in enumerate(zip(PILES, there, strict=True)):
        action = seen.action(MOVE + pile) if name in ("sugar", "cacao") and seen.from_supply else None
        small = f"{name}s" if name in ("coin", "worker") else name
        yield Item(
            f"supply: {number} {name}", str(number), face=[[f":{name}"]], small=small, action=action, rule="START-1"
        )
    if seen.variety != Variety.CANDY and seen.half == Half.PLANTATION:
        words = counted(seen.specialists_left, "card")
        known = [
            f"{count} {marks.specialist_name(seen.cards, kind)}"
            for kind, count in enumerate(seen.knows, start=int(Specialist.LIFT_OPERATOR))
            if count
        ]
        said = f"specialist deck: {words}{'; you know ' if known else ''}{', '.join(known)}"
        action = seen.action(RECRUIT)
        yield Item(said, str(seen.specialists_left), small="specialists", action=action, kind="deck", rule="START-6")


def recipes(seen: Seen) -> Row:
    """Recipe cards; for the plantation alone, the worth of goods at its end."""
    if seen.variety == Variety.PLANTATION:
        sugar, chocolate = seen.cards.record.short_points.tolist()
        worth = (
            ("sugar", "a sugar on a truck", sugar),
            ("chocolate", "a chocolate on a truck", chocolate),
            ("coin", "a coin", 1),
        )
        rows = [
            Item(
                f"{words}: {counted(points, 'point')}",
                words,
                face=[[f":{sign}"]],
                tail=[f"{points} pt"],
                rule="SHORT-1",
            )
            for sign, words, points in worth
        ]
        return row("recipes", rows)
    return row("recipes", [recipe(seen, place) for place in range(len(seen.recipes))])


def recipe(seen: Seen, place: int) -> Item:
    one, name, left = seen.cards.record.recipes[seen.recipes[place]], seen.kinds[Kind.PLAIN + place], seen.tokens[place]
    cost = [
        word
        for kind, many in (("sugar", one.sugar), ("chocolate", one.chocolate))
        if many
        for word in (str(many), f":{kind}")
    ]
    return Item(
        f"{name}: {cost_in_words(one)}, {counted(one.points, 'point')}, {counted(left, 'token')} left",
        name,
        face=[[*cost, "→", str(one.candies), f":{name}"]],
        tail=[f"{one.points} pt"],
        small=f"{left} left",
        action=seen.action(MAKE + place),
        state="now" if seen.turn.recipe == place else "",
        rule="CANDY-2",
    )


def effects(seen: Seen) -> Iterator[Item]:
    for kind in range(NUM_SPECIALISTS):
        one = card(seen, SPECIALIST_CARDS + kind)
        yield Item(one.name, one.words, face=one.face, kind="specialist", rule=one.rule)
