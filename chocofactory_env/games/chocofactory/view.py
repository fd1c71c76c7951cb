"""What a viewer sees of a position, as a tree of groups, rows and items. Nothing face down is in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from ...drawing.scene import Role
from ...view.tree import Face, Group, Item, Row, Sign, Tree, player_name
from .actions import ACTIONS
from .constants import NUM_DAYS, NUM_SLOTS, NUM_TILES, OWN_ORDERS, STORE_ROOM, TRACK_END, Effect, Side
from .display import facts, pictures, question
from .display.describe_cards import (
    STORE_NAMES,
    counted,
    effect_in_words,
    objectives_in_words,
    option_in_words,
    pieces_in_words,
    rule_in_words,
)
from .display.facts import PLACE_WORDS, place_of
from .display.position import PHASES, in_title, seats_acting, to_move
from .display.seen import View
from .words import EMPLOYEE_DECK_NAMES, KINDS, PLACES, SIZES, STORES, SYMBOLS, describe

LABELS: Final = {
    "operate": "Run a machine",
    "assign": "Assign your employee",
    "option": "Use it as",
    "take": "Take",
    "make": "Make",
    "tile": "Tile",
    "chute": "Down the chute",
    "trade": "Trade for 1 coal",
    "use_employee": "Employee",
    "fulfil": "Fulfil",
    "supply": "Supply",
    "place_part": "Build on",
    "deliver": "Deliver",
}
ON_CARDS: Final = ("draft_part", "draft_employee", "choose_order")  # the cards themselves are offered
SOURCES: Final = ("orders", "most orders", "stores", "variety", "left over")


def tree(view: View) -> Tree:
    shown, number = view.position, len(view.position["players"])
    groups = [choice(view)]
    if any(shown["display_parts"]) or any(shown["display_employees"].values()):
        role: Role = "choose" if view.task is None else "shared"  # while a part is placed, the factory is chosen from
        groups.append(Group("display", "Today's display", role, tuple(display(view))))
    if any(shown["offer"].values()):
        groups.append(Group("offer", "Orders on offer", "choose", (Row("orders", tuple(offered(view))),)))
    groups += [seat_group(view, ((view.viewer or 0) + after) % number) for after in range(number)]
    if view.is_solo:
        groups.append(Group("manager", facts.solo_title(view), "shared", tuple(manager(view))))
        week = Row("week", tuple(day(view, number) for number in range(NUM_DAYS)))
        groups.append(Group("week", "The week", "shared", (week,)))
    groups.append(Group("stores", "Department stores", "shared", tuple(stores(view))))
    when = [f"day {shown['day']} of {NUM_DAYS}", PHASES[view.phase]]
    if shown["shift"] and len(seats_acting(shown)) < 2:
        when.append(f"shift {shown['shift']}")
    expansion = shown["options"]["expansion"]
    title = f"Chocolate Factory{f' with {in_title(expansion)}' if expansion else ''}"
    return Tree(title, tuple(when), view.viewer, tuple(groups), SIGNS)


# --- signs


def all_signs() -> dict[str, Sign]:
    marks = {**pictures.OTHER_MARKS, **dict(enumerate(pictures.KIND_MARKS))}
    found = {NAMES[number]: Sign(look, shape) for number, (shape, look) in marks.items()}
    for symbol, pair in pictures.CLASS_KINDS.items():
        found[NAMES[symbol]] = Sign(of=tuple(NAMES[kind] for kind in pair))
    for number, (letter, look) in pictures.CLASS_LETTERS.items():
        found[NAMES[number]] = Sign(look, letter=letter)
    return found


NAMES: Final = (*SYMBOLS, "coal", "→", "person")  # of pictograms, by number
SIGNS: Final[Mapping[str, Sign]] = all_signs()
COAL: Final = ":coal"


def signs(words: Iterable[pictures.Word]) -> Face:
    return tuple(word if isinstance(word, str) else f":{NAMES[word]}" for word in words)


def pieces_face(pieces: Mapping[str, int], room: int = 5) -> Face:
    return signs(pictures.pieces([pieces[kind] for kind in KINDS], room))


# --- the choice


def choice(view: View) -> Group:
    if view.phase == "over":
        return Group(
            "choice",
            question.heading(view),
            "choose",
            (Row("ask", (Item(question.prompt(view)),)), Row("places", tuple(places(view)))),
        )
    rows = [Row("ask", (Item(question.prompt(view)),)), Row("settled", tuple(settled(view)))]
    buttons: dict[str, list[Item]] = {}
    for action in sorted(view.legal):
        verb, number = ACTIONS.decode(action)
        if verb not in ON_CARDS:
            buttons.setdefault(LABELS.get(verb, ""), []).append(button(view, verb, number, action))
    rows += [Row("buttons", tuple(items), label) for label, items in buttons.items()]
    return Group("choice", question.heading(view), "choose", tuple(rows), view.mover)


def settled(view: View) -> Iterator[Item]:
    """The place of the task under way, the pieces so far, and those still to come."""
    task, acting = view.task, seats_acting(view.position)
    if task is not None:
        if task["kind"] == "place_part" and task["card"] is not None:
            yield part(view, view.cards.parts[task["card"]])
        for words in (question.place_of(task), order_of(task), *question.pieces_of(task), question.rest_of(task)):
            if words:
                yield Item(question.in_words(tuple(words)), face=(signs(words),))
    for seat in acting:
        other = view.position["tasks"][seat]["kind"]
        if seat != view.mover and other != "nothing":
            yield Item(f"player {seat}: {other.replace('_', ' ')}")


def order_of(task: Mapping[str, Any]) -> list[pictures.Word]:
    return [f"order {task['order']}"] if task["order"] is not None else []


def button(view: View, verb: str, number: int, action: int) -> Item:
    cards, me, task = view.cards, view.position["players"][view.mover], view.task
    words, face, tail = describe(action).capitalize(), (), ()  # type: tuple[str, Face, Face]
    if verb in ("operate", "assign", "place_part"):
        there = me["factory"][number]
        words = cards.names[there] if there else f"empty slot {number}"
        if there and verb == "place_part":
            words = f"over {words}"
        elif there and verb == "operate":
            tail = str(cards.record.parts[cards.parts.index(there)].cost), COAL
    elif verb in ("take", "make", "chute", "trade"):
        words, face = KINDS[number], (f":{KINDS[number]}",)
    elif verb == "option" and task is not None:
        option = cards.record.parts[cards.parts.index(me["factory"][task["slot"]])].options[number]
        words, face = option_in_words(option), signs(pictures.option_words(option))
    elif verb == "tile":
        words, face = f"tile {number}", pieces_face(me["pieces"][PLACES[number]])
    elif verb == "fulfil":
        row = cards.record.orders[cards.orders.index(me["orders"][number])]
        stage = row.stages[me["stage"][number]]
        words, face, tail = (
            cards.names[me["orders"][number]],
            signs(pictures.pieces(stage.pieces.tolist(), 5)),
            (f"£{stage.pay}",),
        )
    elif verb == "supply":
        words = STORE_NAMES[STORES[number]]
    elif verb == "use_employee":
        words = f"use the {cards.names[me['employee']]}"
    elif verb == "stop":
        words = question.STOPS.get(view.under_way("kind"), "stop").capitalize()
    return Item(describe(action), words, face=(face,) if face else (), tail=tail, action=action)


def places(view: View) -> Iterator[Item]:
    for seat in sorted(range(len(view.accounts.sheets)), key=lambda seat: view.accounts.ranking[seat]):
        yield Item(
            f"{PLACE_WORDS[place_of(view, seat)]}: player {seat}, {account(view, seat)}", seat=seat, rule="END-6"
        )


def account(view: View, seat: int) -> str:
    sheet = view.accounts.sheets[seat]
    sources = ", ".join(f"{name} £{money}" for name, money in zip(SOURCES, sheet, strict=True) if money)
    return f"£{sum(sheet)}{f' ({sources})' if sources else ''}"


# --- cards


def part(view: View, card: str, before: str = "", after: str = "", **more: Any) -> Item:
    """before, after: words around its own name."""
    row = view.cards.record.parts[view.cards.parts.index(card)]
    face, tail = tuple(signs(words) for words in pictures.part_words(row)), (str(row.cost), COAL) if row.cost else ()
    name, rule = f"{before}{facts.part_name(view.cards, card)}{after}", facts.part_rule(view.cards, card)
    return Item(name, view.cards.names[card], face=face, tail=tail, piece=f"part {card}", rule=rule, **more)


def order(view: View, card: str, stage: int, name: str, **more: Any) -> Item:
    """stage: the number of completed stages, or -1 for an order that nobody has."""
    row = view.cards.record.orders[view.cards.orders.index(card)]
    stages = []
    for number, asked in enumerate(row.stages[: row.num_stages]):
        state: Any = "done" if number < stage else "now" if number == stage else ""
        words = f"{pieces_in_words(asked.pieces.tolist())} for £{asked.pay}{', done' if number < stage else ''}"
        face = (signs(pictures.pieces(asked.pieces.tolist(), 5)),)
        stages.append(Item(words, face=face, tail=(f"£{asked.pay}",), state=state))
    size, title = SIZES[int(row.deck)], view.cards.names[card]
    return Item(
        f"{name}: {title}, {size}", title, size, items=tuple(stages), piece=f"order {card}", rule="FUL-2", **more
    )


def employee(view: View, card: str, name: str, status: str = "", action: int | None = None) -> Item:
    row = view.cards.record.employees[view.cards.employees.index(card)]
    title, store = view.cards.names[card], list(STORE_NAMES.values())[int(row.store)] if row.store >= 0 else ""
    effect, rule = effect_in_words(row), view.cards.clauses[card] or "DRAFT-5"
    where = facts.title_of_employee(title, int(row.store)).replace(" · ", ", ")
    words = f"{name}{where}: {effect}{', ' if status else ''}{status}"
    return Item(
        words,
        title.removesuffix(f", {store}"),
        effect.partition(": ")[2],
        ((":person",),),
        (status,) if status else (),
        kind="employee",
        action=action,
        piece=f"employee {card}",
        rule=rule,
    )


# --- the display


def display(view: View) -> Iterator[Row]:
    """Parts and employees to draft, packet by packet."""
    shown, decks = view.position, view.position["display_employees"]
    parts = [
        (packet, part(view, card, f"part {place}: ", action=view.action("draft_part", place)))
        for place, (packet, card) in enumerate(zip(shown["part_packets"], shown["display_parts"], strict=True))
        if card
    ]
    staff = [
        (
            shown["employee_packets"][deck],
            employee(view, card, "", action=view.action("draft_employee", EMPLOYEE_DECK_NAMES.index(deck))),
        )
        for deck, card in decks.items()
        if card
    ]
    for label, kind, cards in (("Parts", "display", parts), ("Employees", "recruits", staff)):
        yield Row(kind if view.is_solo else "packets", tuple(in_packets(view, cards)), label)


def in_packets(view: View, cards: Sequence[tuple[int | None, Item]]) -> Iterator[Item]:
    if view.is_solo:  # PREP-2
        yield from (card for _, card in cards)
        return
    for packet in sorted({packet for packet, _ in cards if packet is not None}):
        yield Item(f"packet {packet + 1}", items=tuple(card for of, card in cards if of == packet), rule="DRAFT-3")


def offered(view: View) -> Iterator[Item]:
    """CLEAN-3: one order of each size."""
    for number, (size, card) in enumerate(view.position["offer"].items()):
        if card:
            yield order(view, card, -1, f"{size} order", action=view.action("choose_order", number))


# --- players


def seat_group(view: View, seat: int) -> Group:
    player, own = view.position["players"][seat], seat == view.viewer
    belt = [
        Item(
            f"load: {counted(load_of(view, player), 'bean')}",
            face=((*[str(load_of(view, player))] * (load_of(view, player) > 1), ":bean"),),
            kind="load",
            rule="RUN-1",
        ),
        *(tile(view, seat, player, number) for number in range(NUM_TILES)),
        Item("then the store room", kind="drop", rule="RUN-1"),
    ]
    rows = (
        Row("facts", tuple(money_of(view, seat, player))),
        Row("staff", (today(view, seat, player),)),
        Row("machines", tuple(slot(view, seat, player, number) for number in range(NUM_TILES))),
        Row("belt", tuple(belt), "Belt"),
        Row("machines", tuple(slot(view, seat, player, number) for number in range(NUM_TILES, NUM_SLOTS))),
        Row("store", (Item("store room", "Store room", items=tuple(held(view, seat, player, STORE_ROOM))),)),
        Row("orders", tuple(orders_of(view, seat, player))),
    )
    notes = {to_move(view.position, seat): True, "starts": seat == view.position["start_player"] and not view.is_solo}
    said = tuple(note for note, holds in notes.items() if note and holds)
    name = "Factory Manager" if view.is_solo else player_name(seat, view.viewer)
    return Group(f"seat-{seat}", name, "own" if own else "rival", rows, seat, said)


def money_of(view: View, seat: int, player: Mapping[str, Any]) -> Iterator[Item]:
    money, earned, coal = player["money"], player["earned_today"], player["coal"]
    words = f"money £{money}{f', of it £{earned} today' if earned else ''}"
    yield Item(words, f"£{money}", f"+{earned}" if earned else "", kind="money", many=money, rule="FUL-3")
    yield Item(f"coal {coal}", str(coal), face=((COAL,),), kind="coal", many=coal, rule="PREP-1")
    done = {**player["completed"], **({"special": player["special_completed"]} if view.is_solo else {})}
    said = ", ".join(f"{number} {size}" for size, number in done.items())
    total = sum(player["completed"].values())
    yield Item(f"completed orders: {said}", f"{total} order{'s' * (total != 1)}", kind="orders", rule="END-2")
    if not view.is_solo and view.phase != "over":
        place = PLACE_WORDS[place_of(view, seat)]
        name, total = f"if the game ended now: {place}, {account(view, seat)}", sum(view.accounts.sheets[seat])
        yield Item(name, f"£{total} now, {place}", kind="standing", rule="END-2")


def load_of(view: View, player: Mapping[str, Any]) -> int:
    """RUN-1: the beans of the next load."""
    cards, card = view.cards, player["employee"]
    row = cards.record.employees[cards.employees.index(card)] if card else None
    return 1 + (int(row.amount) if row is not None and row.effect == Effect.MORE_BEANS else 0)


def today(view: View, seat: int, player: Mapping[str, Any]) -> Item:
    """Today's employee, and what is yet to be drafted."""
    status = facts.employee_status(view, player)
    if player["employee"] is not None:
        return employee(view, player["employee"], "employee: ", status, view.action("use_employee", seat=seat))
    name, tail = f"no employee{', ' if status else ''}{status}", (status,) if status else ()
    return Item(name, "No employee", face=((":person",),), tail=tail, state="empty")


def slot(view: View, seat: int, player: Mapping[str, Any], number: int) -> Item:
    card, marked = player["factory"][number], view.under_way("slot", seat) == number
    action = view.action("operate", number, seat)
    if action is None:
        action = view.action("place_part", number, seat)
    if card is None:
        return Item(f"slot {number}: empty", str(number), state="empty", action=action, rule="DRAFT-4")
    running = view.phase == "run" and seat in seats_acting(view.position)
    used = player["operated"][number]
    inside: list[Item] = []
    row = view.cards.record.parts[view.cards.parts.index(card)]
    if marked and view.under_way("kind") == "option":
        for place, option in enumerate(row.options[: row.num_options]):
            inside.append(
                Item(
                    option_in_words(option),
                    face=(signs(pictures.option_words(option)),),
                    kind="option",
                    action=view.action("option", place, seat),
                )
            )
    if player["assigned"] == number or view.action("assign", number, seat) is not None:
        whose = "with" if player["assigned"] == number else "assign"
        inside.append(
            Item(
                f"{whose} the {facts.assigned_to(view, player)}",
                face=((":person",),),
                kind="assigned",
                action=view.action("assign", number, seat),
            )
        )
    state = "now" if marked else "used" if used and running else ""
    said = "" if not used else ", used this shift" if running else ", used in the last shift"
    return part(view, card, f"slot {number}: ", said, action=action, items=tuple(inside), state=state)


def tile(view: View, seat: int, player: Mapping[str, Any], number: int) -> Item:
    state: Any = "now" if view.under_way("tile", seat) == number else ""
    there = tuple(held(view, seat, player, number))
    return Item(
        f"tile {number}", items=there, kind="tile", state=state, action=view.action("tile", number, seat), rule="RUN-5"
    )


def held(view: View, seat: int, player: Mapping[str, Any], place: int) -> Iterator[Item]:
    """The pieces on a tile or in the store room."""
    for kind, (name, number) in enumerate(player["pieces"][PLACES[place]].items()):
        if number:
            action = facts.piece_action(view, seat, kind, None if place == STORE_ROOM else place)
            yield Item(
                counted(number, name), face=((f":{name}",),), action=action, piece=name, many=number, rule="RUN-5"
            )


def orders_of(view: View, seat: int, player: Mapping[str, Any]) -> Iterator[Item]:
    for number, (card, stage) in enumerate(zip(player["orders"], player["stage"], strict=True)):
        name = f"{'order' if number < OWN_ORDERS else 'Special Order'} {number}"
        if card is not None:
            waiting = view.position["paid"][number] if view.is_solo else 0
            name = f"{name} (£{waiting} do not count yet)" if waiting else name
            yield order(view, card, stage, name, action=view.action("fulfil", number, seat))
        elif number < OWN_ORDERS + facts.special_orders_dealt(view):
            words = "completed" if number >= OWN_ORDERS else facts.empty_place(view, seat)
            yield Item(f"{name}: {words}", words, state="empty")


# --- the stores, and the solo game


def stores(view: View) -> Iterator[Row]:
    for number, store in enumerate(STORES):
        yield Row("track", (track(view, number, store),))
    decks = {size: deck["count"] for size, deck in view.position["order_decks"].items()}
    yield Row("decks", tuple(Item(f"{count} {size}", str(count), size) for size, count in decks.items()), "Order decks")
    yield Row("legend", tuple(Item(name, name, face=((f":{name}",),)) for name in (*SYMBOLS, "coal")), "Signs")


def track(view: View, number: int, store: str) -> Item:
    side, cards = Side[view.position["sides"][store]], view.cards
    card, rule = cards.stores[number][side], cards.record.stores[number, side]
    markers = facts.markers_of(view.position["players"], store)
    on = [
        tuple(marker(view, store, place, *each) for place, each in enumerate(markers, 1) if each[1] == space)
        for space in range(TRACK_END + 1)
    ]
    spaces = tuple(
        Item(f"space {space}", str(space), items=there, state="" if there else "empty")
        for space, there in enumerate(on)
    )
    state: Any = "now" if store in (view.under_way("store"), view.under_way("rule_of")) else ""
    return Item(
        f"{cards.names[card]}: {rule_in_words(rule)}",
        cards.names[card],
        face=(signs(pictures.rule_words(rule)),),
        items=spaces,
        kind="store",
        state=state,
        action=view.action("supply", number),
        rule=cards.clauses[card] or "FUL-4",
    )


def marker(view: View, store: str, place: int, seat: int, space: int, supplied: bool) -> Item:
    """place: among the markers of the store, in the order of their last moves (FUL-6)."""
    moved = view.position["players"][seat]["arrival"][store] > 0
    said = [player_name(seat, view.viewer)] if not view.is_solo else ["marker"]
    said += [f"moved {('1st', '2nd', '3rd', '4th')[place - 1]}"] * (moved and not view.is_solo) + [
        "supplied today"
    ] * supplied
    return Item(" ".join(said), str(seat), kind="marker", state="now" if supplied else "", seat=seat, rule="FUL-6")


def manager(view: View) -> Iterator[Row]:
    """SOLO-1, SOLO-3, SOLO-8, PREP-1"""
    shown = view.position
    yield Row("manager", tuple(manager_card(view, card) for card in range(1 + shown["face_up"])), "Cards")
    hidden = shown["num_demands"] - shown["face_up"]
    if hidden:
        yield Row("cards", (Item("a demand face down", kind="back"),) * hidden)
    asked = zip(facts.ASKED, facts.asked_in_words(view), view.satisfied, strict=True)
    items = [
        Item(
            f"{name}: {words or 'none asked'}, {'satisfied' if done else 'not satisfied'}",
            name,
            words,
            state="done" if done else "",
            rule="SOLO-8",
        )
        for name, words, done in asked
    ]
    yield Row("asked", tuple(items), "Asked")


def manager_card(view: View, card: int) -> Item:
    shown, cards = view.position, view.cards
    name = shown["target"] if card == 0 else shown["demands"][card - 1]
    words = objectives_in_words(facts.manager_row(cards, card, name), "earn £{}" if card == 0 else "£{} more")
    done = ", delivered" if shown["delivered"][card] else ""
    said = f"card {card} ({cards.names[name]}): {words}{done}"
    state: Any = (
        "done" if done else "now" if view.under_way("kind") == "give_card" and view.under_way("card") == card else ""
    )
    return Item(
        said,
        cards.names[name],
        words,
        state=state,
        action=view.action("deliver", card),
        rule=cards.clauses[name] or "SOLO-7",
    )


def day(view: View, number: int) -> Item:
    leaves = f"without the employee of {STORE_NAMES[STORES[-1 - number]]}" if number < len(STORES) else ""
    coal, today = int(view.cards.record.coal[number]), number + 1 == view.position["day"]
    words = f"day {number + 1}: {coal} coal{', ' if leaves else ''}{leaves}"
    small = leaves.replace("the employee of ", "")
    return Item(words, f"day {number + 1}", small, tail=(str(coal), COAL), state="now" if today else "", rule="PREP-1")
