"""What a viewer sees of a position, as a tree of groups, rows and items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from ...core.text.words import counted
from ...view.tree import Face, Group, Item, Row, Sign, Tree, player_name
from . import actions as act
from .actions import ACTIONS
from .constants import (
    FIRST_HIRED,
    FIRST_TRUCK,
    NONE,
    NUM_SPACES,
    SPECIALIST_CARDS,
    WAREHOUSE,
    Ability,
    Half,
    Kind,
    Pile,
    Step,
    Variety,
    Way,
)
from .display import marks
from .display.describe_cards import ability_in_words, cost_in_words
from .display.marks import card_name, effect_of, specialist_name
from .display.seen import Player, Seen
from .words import PILES, describe

COIN, WORKER, DECORATION, CANDY, RECRUIT = ":coin", ":worker", ":decoration", ":candy", ":recruit"
SHIFT: Final = {
    "add_worker": "Shift change: a worker to space",
    "remove_worker": "Shift change: the worker from space",
}
# Pictograms of each ability, from left to right; an outlet's depend on the half
ABILITIES: Final[Mapping[Ability, Face]] = {
    Ability.MIXER: (":sugar", ":cacao", "→", ":chocolate"),
    Ability.BREAK_ROOM: (COIN, "→", RECRUIT),
    Ability.MACHINE: (":sugar", ":chocolate", "→", CANDY),
    Ability.DECORATOR: (CANDY, "→", DECORATION),
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
VARIETIES: Final = {Variety.FULL: "", Variety.PLANTATION: " alone", Variety.CANDY: " alone"}


def tree(seen: Seen) -> Tree:
    first = seen.viewer or 0
    players = [*seen.players[first:], *seen.players[:first]]
    board = "Plantation Factory" if seen.half == Half.PLANTATION else "Candy Factory"
    groups = (
        choice(seen),
        *(seat_group(seen, player) for player in players),
        Group("board", board, "shared", (Row("ring", tuple(ring(seen))),)),
        Group("market", "Supply and recipes", "shared", tuple(market(seen))),
    )
    when = board + VARIETIES[seen.variety], "end of the game" if seen.step == Step.OVER else prompt(seen).lower()
    return Tree("Chocolate Factory (Manfredini)", when, seen.viewer, groups, signs(seen))


def signs(seen: Seen) -> dict[str, Sign]:
    shown = dict(zip([kind for kind in seen.kinds[: Kind.DECORATED] if kind], marks.GOODS, strict=False))
    shown |= {"coin": marks.COIN, "worker": marks.WORKER, "decoration": marks.DECORATION}
    shown |= {"candy": marks.CANDY, "recruit": marks.RECRUIT}
    shown |= {specialist_name(seen.cards, kind): mark for kind, mark in enumerate(marks.SPECIALISTS)}
    return {name: Sign(look, shape) for name, (shape, look) in shown.items()}


def sign_of(seen: Seen, kind: int) -> Face:
    decorated = (DECORATION,) if marks.is_decorated(kind) else ()
    return (f":{seen.kinds[marks.type_of(kind)]}", *decorated)


# --- the choice


def choice(seen: Seen) -> Group:
    if seen.step == Step.OVER:
        return Group("choice", "End of the game", "choose", (Row("places", tuple(places(seen))),))
    mine = seen.viewer == seen.current
    asked = Item(prompt(seen), small=HINTS.get(seen.step, "") if mine else "")
    rows = [Row("ask", (asked,)), Row("settled", tuple(settled(seen)))]
    if seen.offer:
        rows.append(Row("cards", tuple(looked_at(seen)), "Looked at"))
    said = {action: (words, more) for action, words, more in buttons(seen)}
    offered: dict[str, list[Item]] = {}
    for action in sorted(seen.legal):
        verb, number = ACTIONS.decode(action)
        if verb != "hire":
            words, more = said.get(action, ("", ""))
            offered.setdefault(SHIFT.get(verb, ""), []).append(button(seen, action, verb, number, words, more))
    rows += [Row("buttons", tuple(items), label) for label, items in offered.items()]
    name = "Your move" if mine else f"Player {seen.current} to move"
    return Group("choice", name, "choose", tuple(rows), seen.current)


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


def looked_at(seen: Seen) -> Iterator[Item]:
    for place, kind in enumerate(seen.offer):
        first = seen.offer.index(kind) == place  # of equal cards
        yield card(seen, SPECIALIST_CARDS + kind, seen.action(act.HIRE + kind - FIRST_HIRED) if first else None)


def button(seen: Seen, action: int, verb: str, number: int, words: str, more: str) -> Item:
    face: tuple[Face, ...] = ()
    words = words or describe(action).capitalize()
    if verb == "play":
        words = card_name(seen.cards, number).capitalize()
        face = ((f":{card_name(seen.cards, number)}",),) if number >= SPECIALIST_CARDS else ()
    elif verb in ("move", "sell"):
        words, face = f"{verb.capitalize()} {seen.kinds[number]}", (sign_of(seen, number),)
    elif verb in ("make", "decorate"):
        words = f"{verb.capitalize()} {seen.kinds[Kind.PLAIN + number]}"
    elif verb == "truck":
        words = truck_name(seen, number)
    elif verb == "dismiss":
        words = f"Give up the {specialist_name(seen.cards, number)}"
    elif verb in SHIFT:
        words = str(number + 1)
    return Item(describe(action), words, more, face, action=action)


def settled(seen: Seen) -> Iterator[Item]:
    """What the turn has settled so far."""
    turn, open_uses = seen.turn, zip(("space", "Machinist"), seen.turn.open, strict=True)
    uses = " and ".join(name for name, still in open_uses if still)
    going = "bring a worker to" if turn.way == Way.BRING else "ship: the worker of"
    named = {
        "given up: {}" if seen.step == Step.DISMISS else "card: {}": turn.card != NONE
        and card_name(seen.cards, turn.card),
        "number: {}": turn.number,
        f"{going} space {{}}{', counter-clockwise' if turn.counter else ''}": turn.way != Way.NONE and turn.space + 1,
        "{} more to move": turn.left and counted(turn.left, "good"),
        "truck {}": turn.truck != NONE and str(turn.truck),
        "last moved: {}": turn.last != NONE and seen.kinds[turn.last],
        "abilities to come: {}": uses,
        "recipe in use: {}": turn.recipe != NONE and seen.kinds[Kind.PLAIN + turn.recipe],
        "{} of the recipe left": turn.uses and counted(turn.uses, "use"),
        "recruited: {}": turn.recruited and "the drawn card is replaced",
        "sugar to load: {}": turn.to_load[0],
        "chocolate to load: {}": turn.to_load[1],
        "surplus: {}": turn.surplus and counted(turn.surplus, "card"),
    }
    return (Item(words.format(value)) for words, value in named.items() if value)


def places(seen: Seen) -> Iterator[Item]:
    for player in sorted(seen.players, key=lambda player: seen.ranking[player.seat]):
        points, coins = counted(seen.scores[player.seat], "point"), counted(player.coins, "coin")
        name = f"{place_in_words(seen, player.seat)}: player {player.seat}, {points}, {coins}"
        yield Item(name, seat=player.seat, rule="SCORE-4")


def place_in_words(seen: Seen, seat: int) -> str:
    """ "2nd place"; it says if the place is shared."""
    place = seen.ranking[seat]
    shared = list(seen.ranking).count(place) > 1
    return f"{('1st', '2nd', '3rd', '4th')[place]} place{', shared' if shared else ''}"


# --- players


def seat_group(seen: Seen, player: Player) -> Group:
    own, over = player.seat == seen.viewer, seen.step == Step.OVER
    starts = "will start the next half" if seen.step == Step.DISMISS else "starts"
    notes = {"to move": player.seat == seen.current, starts: player.seat == seen.start_player}
    unplayed = [card(seen, number) for number in cards_of(player.unplayed)]
    if player.others:
        unplayed.append(Item(counted(player.others, "other specialist card"), f"? ×{player.others}", kind="back"))
    rows = (
        Row("facts", tuple(facts(seen, player))),
        Row("cards", tuple(hand(seen, player)), "Hand"),
        Row("chips", tuple(unplayed), "In the deck" if own else "Not played"),
        Row("chips", tuple(played(seen, player)), "Kept" if seen.step == Step.DISMISS else "Played"),
        Row("holds", tuple(hold(seen, player, place) for place in range(len(player.goods)))),
    )
    said = tuple(note for note, holds in notes.items() if holds and not over)
    name = player_name(player.seat, seen.viewer)
    return Group(f"seat-{player.seat}", name, "own" if own else "rival", rows, player.seat, said)


def facts(seen: Seen, player: Player) -> Iterator[Item]:
    points = counted(seen.scores[player.seat], "point")
    yield Item(f"{points} so far", points, kind="score", rule="SCORE-1")
    coins = counted(player.coins, "coin")
    yield Item(coins, str(player.coins), face=((COIN,),), piece="coin", many=player.coins, rule="COIN-1")
    called = "called in this half" if player.whistle else "not called"
    face = ((COIN,),) if player.whistle else ()
    words = f"shift change{'d' * player.whistle}"
    yield Item(f"shift change {called}", words, face=face, kind="whistle", rule="WHIS-1")


def hand(seen: Seen, player: Player) -> Iterator[Item]:
    """The own cards face up, or the backs of others; then the deck."""
    if player.hand is None:
        yield from (Item("card face down", kind="back") for _ in range(player.hand_size))
    else:
        yield from (card(seen, number, seen.action(act.PLAY + number)) for number in cards_of(player.hand))
    size = player.deck_size
    yield Item(f"deck: {counted(size, 'card')}", str(size), "deck", kind="back", state="" if size else "empty")


def cards_of(numbers: list[int]) -> list[int]:
    """Every card as often as it is there."""
    return [card for card, number in enumerate(numbers) for _ in range(number)]


def card(seen: Seen, number: int, action: int | None = None) -> Item:
    name, piece = card_name(seen.cards, number), f"card {number}"
    if number < SPECIALIST_CARDS:
        return Item(name, str(number + 1), kind="number", action=action, piece=piece, rule="TURN-2")
    effect = effect_of(seen.cards, number - SPECIALIST_CARDS)
    return Item(name, name, effect, ((f":{name}",),), kind="specialist", action=action, piece=piece, rule="SPEC-1")


def played(seen: Seen, player: Player) -> Iterator[Item]:
    for kind in cards_of(player.played):
        yield card(
            seen, SPECIALIST_CARDS + kind, seen.action(act.DISMISS + kind) if player.seat == seen.viewer else None
        )


def truck_name(seen: Seen, truck: int) -> str:
    return seen.cards.names[seen.cards.trucks[truck]]


def hold(seen: Seen, player: Player, place: int) -> Item:
    """The warehouse or a truck, with its goods and its free places; a berth is for a specialist."""
    record, mine = seen.cards.record, player.seat == seen.viewer == seen.current
    goods = [*stored(seen, player, place, mine)]
    free, berths = player.free[place], int(record.berths[place])
    spots = [Item("free berth", face=((WORKER,),), state="empty")] * min(berths, free)
    spots = [Item("free place", state="empty")] * (free - len(spots)) + spots
    room = f"{free} of {record.places[place]} places free"
    if place == WAREHOUSE:
        return Item(f"Warehouse, {room}", "Warehouse", items=(*goods, *spots), kind="warehouse", rule="ROOM-1")
    truck, whose = place - FIRST_TRUCK, "own" if record.own[place] else "hired"
    name = f"truck {truck} ({truck_name(seen, truck)}), {whose}, {counted(berths, 'berth')}, {room}"
    return Item(
        name,
        truck_name(seen, truck),
        "" if record.own[place] else "hired",
        items=(*goods, *spots),
        kind="truck",
        state="now" if mine and seen.turn.truck == truck and seen.step != Step.DISMISS else "",
        action=seen.action(act.TRUCK + truck) if mine else None,
        rule="ROOM-2",
    )


def stored(seen: Seen, player: Player, place: int, mine: bool) -> Iterator[Item]:
    for kind, number in enumerate(player.goods[place]):
        stacks, action = player.stacks[place][kind], good_action(seen, kind, place) if mine else None
        for stacked in [True] * stacks + [False] * (number - 2 * stacks):
            name, many = seen.kinds[kind], 1 + stacked
            words = f"stack of 2 {name}" if stacked else name
            yield Item(words, face=(sign_of(seen, kind),), action=action, piece=name, many=many, rule="ROOM-1")


def good_action(seen: Seen, kind: int, place: int) -> int | None:
    """The action of pointing at a good of the viewer."""
    if place == seen.source:
        return seen.action(act.MOVE + kind)
    if place == WAREHOUSE:
        return None
    if Kind.PLAIN <= kind < Kind.DECORATED and seen.action(act.SELL + kind) is None:
        return seen.action(act.DECORATE + kind - Kind.PLAIN)
    return seen.action(act.SELL + kind)


# --- the table between the players


def ring(seen: Seen) -> Iterator[Item]:
    """The spaces and the die as they lie, clockwise from space 1."""
    yield from (space(seen, number) for number in range(NUM_SPACES // 2))
    yield Item(f"the die shows {seen.die}", str(seen.die), kind="die", action=seen.action(act.KEEP_DIE), rule="TURN-3")
    yield from (space(seen, number) for number in range(NUM_SPACES // 2, NUM_SPACES))


def space(seen: Seen, number: int) -> Item:
    record, turn = seen.cards.record, seen.turn
    ability = Ability(int(record.abilities[seen.half][number]))
    if ability in ABILITIES:
        face = ABILITIES[ability]
    else:
        coins = int(record.outlet_coins[seen.half])
        sold = (":cacao",) if seen.half == Half.PLANTATION else (":sugar", CANDY)
        face = (*sold, "→", *((str(coins),) if coins > 1 else ()), COIN)
    occupied, in_use = bool(seen.board[number]), turn.space == number
    change = seen.action((act.REMOVE_WORKER if occupied else act.ADD_WORKER) + number)
    said = f"{', a worker' if occupied else ''}{', in use' if in_use else ''}"
    return Item(
        f"space {number + 1}: {ability_in_words(ability)}{said}",
        str(number + 1),
        ability_in_words(ability),
        (face,),
        (WORKER,) if occupied else (),
        kind="space",
        state="now" if in_use else "",
        action=seen.action(USES[ability]) if in_use and ability in USES else change,
        piece="worker",
        many=int(occupied),
        rule="ABIL-1",
    )


def market(seen: Seen) -> Iterator[Row]:
    yield Row("piles", tuple(piles(seen)), "Supply")
    known = [number + SPECIALIST_CARDS + FIRST_HIRED for number in cards_of(seen.knows)]
    yield Row("chips", tuple(card(seen, number) for number in known), "You know")
    if seen.variety == Variety.PLANTATION:
        sugar, chocolate = seen.cards.record.short_points.tolist()
        worth = {"a sugar aboard any truck": sugar, "a chocolate aboard any truck": chocolate, "a coin": 1}
        items = tuple(Item(f"{words}: {counted(points, 'point')}", rule="SHORT-1") for words, points in worth.items())
        yield Row("chips", items, "Points at the end")
    else:
        yield Row("recipes", tuple(recipe(seen, place) for place in range(len(seen.recipes))), "Recipes")
    kinds = enumerate(marks.SPECIALISTS)
    effects = [(specialist_name(seen.cards, kind), effect_of(seen.cards, kind)) for kind, _ in kinds]
    items = tuple(Item(f"{name}: {effect}", name, effect, ((f":{name}",),), rule="SPEC-1") for name, effect in effects)
    yield Row("legend", items, "Specialist cards")


def piles(seen: Seen) -> Iterator[Item]:
    for pile, (words, number) in enumerate(zip(PILES, seen.supply, strict=True)):
        piece = "coin" if pile == Pile.COINS else words
        action = seen.action(act.MOVE + pile) if pile != Pile.COINS and seen.from_supply else None
        yield Item(
            f"{number} {words}",
            str(number),
            words,
            ((f":{piece}",),),
            action=action,
            piece=piece,
            many=number,
            rule="START-2",
        )
    workers = int(seen.cards.record.pawns) - sum(seen.board)
    yield Item(counted(workers, "worker"), str(workers), "workers", ((WORKER,),), piece="worker", many=workers)
    if seen.variety != Variety.CANDY:
        left = seen.specialists_left
        name, action = f"specialist deck: {counted(left, 'card')}", seen.action(act.RECRUIT)
        yield Item(name, str(left), "specialists", kind="deck", action=action, rule="START-6")


def recipe(seen: Seen, place: int) -> Item:
    row, name, left = seen.cards.record.recipes[seen.recipes[place]], seen.kinds[Kind.PLAIN + place], seen.tokens[place]
    cost = [word for kind in ("sugar", "chocolate") if (many := int(row[kind])) for word in (str(many), f":{kind}")]
    return Item(
        f"recipe {place} ({name}): {cost_in_words(row)}, {counted(int(row.points), 'point')}, {left} left",
        name,
        f"{left} left",
        ((*cost, "→", str(row.candies), f":{name}"),),
        (f"×{row.uses}", f"{row.points} pt"),
        kind="recipe",
        state="now" if seen.turn.recipe == place else "",
        action=seen.action(act.MAKE + place),
        rule="ABIL-10",
    )
