"""A position as a tree (`chocofactory_env.view`), of what `display.seen` lets the viewer know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

import numpy as np

from ...core.text.words import counted
from ...view.tree import Face, Group, Item, Row, Sign, group, row, signs_of
from ...view.views import Parts, around, notes_of, own_or_rival
from . import actions as act
from .actions import ACTIONS
from .constants import (
    FIRST_TRUCK,
    MOST_TURN,
    NONE,
    NUM_CARDS,
    NUM_HOLDS,
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
    Way,
)
from .display import marks
from .display.describe_cards import ability_in_words, cost_in_words
from .display.seen import Seen
from .words import describe

TITLE: Final = "Chocolate Factory (Manfredini)"
HALVES: Final = {Half.PLANTATION: "Plantation", Half.CANDY: "Candy factory"}
PILES: Final = ("sugar", "cacao", "coin", "worker")
SHIFT: Final = {  # labels above the buttons of a shift change, which have the numbers of spaces
    "add_worker": "Shift change: a worker to space",
    "remove_worker": "Shift change: the worker from space",
}

# Pictograms of each ability, from left to right; an outlet's depend on the half
ABILITIES: Final[Mapping[Ability, Face]] = {
    Ability.MIXER: [":sugar", ":cacao", "→", ":chocolate"],
    Ability.BREAK_ROOM: [":coin", "→", ":recruit"],
    Ability.MACHINE: [":sugar", ":chocolate", "→", ":candy"],
    Ability.DECORATOR: [":candy", "→", ":decoration"],
}
# Actions that belong to a space in use, by its ability.
USES: Final = {Ability.MIXER: act.MIX, Ability.BREAK_ROOM: act.RECRUIT, Ability.DECORATOR: act.DECORATE_ALL}
HINTS: Final = {
    Step.LOAD: "Choose a truck: first for the sugar, then for the chocolate.",
    Step.PLAY: "Choose a card of the hand: its number, or the die, says where the search on the board begins.",
    Step.DIE: "Choose the die as it lies, or roll it.",
    Step.RUNNER: "Choose the face that the die is turned to.",
    Step.DIRECT: "Bring: a worker comes to the first empty space from the number on. Ship: the first worker leaves. "
    "The spaces tried are the goods that may be moved.",
    Step.GOODS: "Choose goods, or a truck where one is to be loaded or unloaded.",
    Step.ABILITY: "Choose what is marked: goods, a recipe, the space in use; or nothing.",
    Step.DISMISS: "Choose cards to give up: a card is kept for every free berth.",
}
STOPS: Final = {
    Step.GOODS: "Move no more goods",
    Step.ABILITY: "Use no ability",
    Step.RECIPE: "Make no more",
}


def parts(seen: Seen) -> Parts:
    over = seen.step == Step.OVER
    groups = [] if over else [choice(seen)]
    groups += [seat_group(seen, seat) for seat in around(seen.viewer, int(seen.record.num_players))]
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
    return Parts(TITLE, when, signs(seen), groups, partial(deck, seen))


# --- signs


def signs(seen: Seen) -> dict[str, Sign]:
    found = {name: marks.GOODS[kind] for kind, name in enumerate(seen.kinds[: Kind.PLAIN + len(seen.recipes)])}
    found |= marks.OTHERS
    found |= {marks.specialist_name(seen.cards, kind): mark for kind, mark in enumerate(marks.SPECIALISTS)}
    return signs_of(found)


def good_face(seen: Seen, kind: int) -> Face:
    if kind < Kind.DECORATED:
        return [f":{seen.kinds[kind]}"]
    return [f":{seen.kinds[kind - Kind.DECORATED + Kind.PLAIN]}", ":decoration"]


# --- a player


def seat_group(seen: Seen, seat: int) -> Group:
    own, hand = seat == seen.viewer, seen.hand(seat)
    there = cards_of(seen, seen.unplayed(seat), None)
    if others := seen.others(seat):
        there.append(Item(counted(others, "other specialist card"), f"{others} ?", rule="OPEN-3"))
    played = [
        card(seen, SPECIALIST_CARDS + kind, seen.action(act.DISMISS + kind) if own else None, number)
        for kind, number in enumerate(seen.record.seats[seat].played.tolist())
        if number
    ]
    rows = [
        row("facts", player_facts(seen, seat)),
        row("cards", cards_of(seen, hand, act.PLAY) if hand else [], "Hand"),
        row("chips", there, "In the deck" if own else "Not played"),
        row("chips", played, "Kept" if seen.step == Step.DISMISS else "Played"),
        row("holds", [hold(seen, seat, place) for place in range(NUM_HOLDS)]),
    ]
    over = seen.step == Step.OVER
    starts = "will_start_the_next_half" if seen.step == Step.DISMISS else "starts"
    notes = notes_of(
        seen.viewer,
        seat,
        to_move=not over and seat == seen.record.current,
        **{starts: not over and seat == seen.record.start_player},
    )
    return group(f"seat-{seat}", f"Player {seat}", own_or_rival(seen.viewer, seat), rows, seat, notes)


def player_facts(seen: Seen, seat: int) -> Iterator[Item]:
    player, points = seen.record.seats[seat], counted(seen.scores[seat], "point")
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


def hold(seen: Seen, seat: int, place: int) -> Item:
    """The warehouse or a truck, with its goods and free places."""
    record, truck = seen.cards.record, place - FIRST_TRUCK
    mine = seen.is_mover and seat == seen.viewer
    inside = [*stored(seen, seat, place, mine)]
    free, berths = int(seen.record.seats[seat].free[place]), int(record.berths[place])
    for spot in range(free):
        berth = spot >= free - berths
        name = "a free berth, for a specialist" if berth else "a free place"
        inside.append(Item(name, face=[[":worker"]] if berth else [], state="empty"))
    room = f"{free} of {record.places[place]} places free"
    if place == WAREHOUSE:
        return Item(f"Warehouse, {room}", "Warehouse", items=inside, kind="warehouse", rule="ROOM-1")
    whose, loading = "own" if record.own[place] else "hired", mine and seen.step != Step.DISMISS
    return Item(
        f"truck {truck} ({truck_name(seen, truck)}), {whose}, {counted(berths, 'berth')}, {room}",
        truck_name(seen, truck),
        small="" if record.own[place] else "hired",
        items=inside,
        action=seen.action(act.TRUCK + truck) if mine else None,
        kind="truck",
        state="now" if loading and seen.turn.truck == truck else "",
        rule="ROOM-1",
    )


def stored(seen: Seen, seat: int, place: int, mine: bool) -> Iterator[Item]:
    player = seen.record.seats[seat]
    for kind, (goods, stacks) in enumerate(
        zip(player.goods[place].tolist(), player.stacks[place].tolist(), strict=True)
    ):
        name, action = seen.kinds[kind], good_action(seen, kind, place) if mine else None
        for stacked in [True] * stacks + [False] * (goods - 2 * stacks):
            words = f"2 {name}, stacked" if stacked else name
            yield Item(words, face=[good_face(seen, kind)], many=1 + stacked, action=action, piece=name, rule="ROOM-1")


def good_action(seen: Seen, kind: int, place: int) -> int | None:
    """The action of pointing at a good of the viewer."""
    if place == seen.source:
        return seen.action(act.MOVE + kind)
    if place == WAREHOUSE:
        return None
    if Kind.PLAIN <= kind < Kind.DECORATED and seen.action(act.SELL + kind) is None:
        return seen.action(act.DECORATE + kind - Kind.PLAIN)
    return seen.action(act.SELL + kind)


# --- the choice


def choice(seen: Seen) -> Group:
    current = int(seen.record.current)
    name = "Your move" if seen.is_mover else f"Player {current} to move"
    return group("choice", name, "choose", questions(seen), current)


def questions(seen: Seen) -> Iterator[Row]:
    words = prompt(seen)
    done = " · ".join(settled(seen))
    asked = words if seen.is_mover else f"Player {seen.record.current}: {words[0].lower()}{words[1:]}"
    hint = HINTS.get(seen.step, "") if seen.is_mover else ""
    yield row("ask", [Item(f"{asked} ({done})" if done else asked, asked, hint, face=[[done]] if done else [])])
    if seen.offer:
        looked = [card(seen, SPECIALIST_CARDS + kind) for kind in seen.offer]
        yield row("cards", looked, "Looked at")
    worded = {action: (label, more) for action, label, more in buttons(seen)}
    found: dict[str, list[Item]] = {}
    for action in sorted(seen.legal):
        verb, _ = ACTIONS.decode(action)
        found.setdefault(SHIFT.get(verb, ""), []).append(button(seen, action, worded))
    for label, there in found.items():
        yield row("buttons", there, label)


def prompt(seen: Seen) -> str:
    turn = seen.turn
    moving = "Bring" if turn.way == Way.BRING else "Ship"
    return {
        Step.LOAD: "Load the trucks",
        Step.PLAY: "Play a card",
        Step.DIE: "Keep or roll the die",
        Step.RUNNER: "Turn the die",
        Step.DIRECT: "Bring or ship",
        Step.GOODS: f"{moving} goods: up to {turn.left} more",
        Step.ABILITY: "Use abilities",
        Step.RECIPE: f"Make more: {counted(turn.uses, 'use')} left",
        Step.HIRE: "Hire one of the specialists looked at",
        Step.DISMISS: f"Give up {counted(turn.surplus, 'specialist card')}",
    }[seen.step]


def buttons(seen: Seen) -> Iterator[tuple[int, str, str]]:
    """(action, its word, its effect)."""
    for action, (space, capacity) in seen.ways.items():
        first = act.BRING if action < act.SHIP else act.SHIP
        words = "Bring" if first == act.BRING else "Ship"
        target = f"worker to space {space}" if first == act.BRING else f"worker of space {space}"
        other = ", counter-clockwise" if action > first else ""
        yield action, words + other, f"{target}, up to {counted(capacity, 'good')}"
    named = {
        act.MIX: ("Mix", "1 sugar + 1 cacao → 1 chocolate"),
        act.RECRUIT: ("Recruit", f"pay 1 coin, look at {counted(seen.looks_at, 'card')}"),
        act.DECORATE_ALL: ("Decorate all", "pay 1 coin"),
        act.STOP: (STOPS.get(seen.step, "Stop"), ""),
    }
    for action, (words, more) in named.items():
        if action in seen.legal:
            yield action, words, more


def settled(seen: Seen) -> Iterator[str]:
    """What the turn has settled so far."""
    turn, open_uses = seen.turn, zip(("space", "Machinist"), seen.turn.open, strict=True)
    uses = " and ".join(name for name, still in open_uses if still)
    going = "bring a worker to" if turn.way == Way.BRING else "ship: the worker of"
    named = {
        "given up: {}" if seen.step == Step.DISMISS else "card: {}": turn.card != NONE
        and marks.card_name(seen.cards, turn.card),
        "number: {}": turn.number,
        f"{going} space {{}}{', counter-clockwise' if turn.counter else ''}": turn.way != Way.NONE and turn.space + 1,
        "{} more to move": turn.left and counted(turn.left, "good"),
        "truck: {}": turn.truck != NONE and truck_name(seen, turn.truck),
        "last moved: {}": turn.last != NONE and seen.kinds[turn.last],
        "abilities to come: {}": uses,
        "recipe in use: {}": turn.recipe != NONE and seen.kinds[Kind.PLAIN + turn.recipe],
        "{} of the recipe left": turn.uses and counted(turn.uses, "use"),
        "recruited: {}": turn.recruited and "the drawn card is replaced",
        "sugar to load: {}": turn.to_load[0],
        "chocolate to load: {}": turn.to_load[1],
        "surplus: {}": turn.surplus and counted(turn.surplus, "card"),
    }
    return (words.format(value) for words, value in named.items() if value)


def truck_name(seen: Seen, truck: int) -> str:
    return seen.cards.names[seen.cards.trucks[truck]]


def button(seen: Seen, action: int, worded: dict[int, tuple[str, str]]) -> Item:
    verb, number = ACTIONS.decode(action)
    words, small = worded.get(action, (describe(action).capitalize(), ""))
    face: Face = []
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
        words = truck_name(seen, number)
    elif verb == "turn_die":
        words = f"Turn the die to {turned(seen, number)}"
    elif verb in ("hire", "dismiss"):
        name = marks.specialist_name(seen.cards, number + (verb == "hire"))
        words, face = f"{'Hire' if verb == 'hire' else 'Give up'} {name}", [f":{name}"]
    return Item(describe(action), words, small=small, face=[face] if face else [], action=action)


def turned(seen: Seen, number: int) -> int:
    """The die's face after `turn_die` with this number."""
    return int(seen.record.die - 1 + number - MOST_TURN) % NUM_SPACES + 1


# --- what all share


def spaces(seen: Seen, numbers: range) -> Iterator[Item]:
    for number in numbers:
        ability = Ability(int(seen.cards.record.abilities[seen.half][number]))
        occupied, in_use = seen.record.board[number] != 0, seen.turn.space == number
        action = seen.action((act.REMOVE_WORKER if occupied else act.ADD_WORKER) + number)
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


def ability_face(seen: Seen, ability: Ability) -> Face:
    if ability in ABILITIES:
        return ABILITIES[ability]
    coins = int(seen.cards.record.outlet_coins[seen.half])
    sold = [":cacao"] if seen.half == Half.PLANTATION else [":sugar", ":candy"]
    return [*sold, "→", *([str(coins)] if coins > 1 else []), ":coin"]


def die(seen: Seen) -> Item:
    face = str(seen.record.die)
    return Item(f"the die shows {face}", face, kind="die", action=seen.action(act.KEEP_DIE), rule="TURN-3")


def piles(seen: Seen) -> Iterator[Item]:
    there = [*seen.record.supply.tolist(), int(seen.cards.record.pawns) - sum(seen.record.board.tolist())]
    for pile, (name, number) in enumerate(zip(PILES, there, strict=True)):
        action = seen.action(act.MOVE + pile) if name in ("sugar", "cacao") and seen.from_supply else None
        small = f"{name}s" if name in ("coin", "worker") else name
        yield Item(
            f"supply: {number} {name}", str(number), face=[[f":{name}"]], small=small, action=action, rule="START-1"
        )
    if seen.record.variety != Variety.CANDY and seen.half == Half.PLANTATION:
        left = seen.record.specialists_left
        known = [
            f"{count} {marks.specialist_name(seen.cards, kind)}"
            for kind, count in enumerate(seen.knows, start=int(Specialist.LIFT_OPERATOR))
            if count
        ]
        said = f"specialist deck: {counted(left, 'card')}{'; you know ' if known else ''}{', '.join(known)}"
        action = seen.action(act.RECRUIT)
        yield Item(said, str(left), small="specialists", action=action, kind="deck", rule="START-6")


def recipes(seen: Seen) -> Row:
    """Recipe cards; for the plantation alone, the worth of goods at its end."""
    if seen.record.variety == Variety.PLANTATION:
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
    tokens = seen.record.tokens
    return row("recipes", [recipe(seen, place, number, tokens[place]) for place, number in enumerate(seen.recipes)])


def recipe(seen: Seen, place: int, number: int, left: int, candy: str = "") -> Item:
    """A recipe card. left: tokens on it. candy: the sign of its candy, if it is not its name."""
    one, name = seen.cards.record.recipes[number], seen.cards.names[seen.cards.recipes[number]]
    cost = [
        word
        for kind, many in (("sugar", one.sugar), ("chocolate", one.chocolate))
        if many
        for word in (str(many), f":{kind}")
    ]
    return Item(
        f"recipe {place} ({name}): {cost_in_words(one)}, {counted(one.points, 'point')}, {counted(left, 'token')} left",
        name,
        face=[[*cost, "→", str(one.candies), f":{candy or name}"]],
        tail=[f"{one.points} pt"],
        small=f"{left} left",
        action=seen.action(act.MAKE + place),
        state="now" if seen.turn.recipe == place else "",
        rule="CANDY-2",
    )


def deck(seen: Seen) -> Iterator[tuple[str, Row]]:
    """Every card by its id."""
    cards = seen.cards
    for number, name in enumerate(cards.recipes):
        yield name, row("machines", [recipe(seen, 0, number, cards.record.recipes[number].tokens, "candy")])
    for kind, name in enumerate(cards.specialists):
        yield name, row("cards", [card(seen, SPECIALIST_CARDS + kind)])
    numbers = np.repeat(np.arange(SPECIALIST_CARDS), cards.record.numbers).tolist()
    yield cards.workers[0], row("cards", [card(seen, number) for number in numbers])


def effects(seen: Seen) -> Iterator[Item]:
    for kind in range(NUM_SPECIALISTS):
        one = card(seen, SPECIALIST_CARDS + kind)
        yield Item(one.name, one.words, face=one.face, kind="specialist", rule=one.rule)
