"""A position as a tree (`chocofactory_env.view`). Nothing in it lies face down, so all seats see the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from msgspec.structs import replace as with_fields

from ...core.text.words import counted
from ...view.tree import Face, Group, Item, Row, State, counted_signs, group, row
from ...view.views import Parts, around, notes_of, own_or_rival, place_of
from .actions import ACTIONS
from .constants import NUM_DAYS, NUM_TILES, OWN_ORDERS, STORE_ROOM, TRACK_END, Effect, Side
from .display import facts as told
from .display import pictures, question
from .display.describe_cards import (
    STORE_NAMES,
    effect_in_words,
    objectives_in_words,
    option_in_words,
    pieces_in_words,
    rule_in_words,
)
from .display.describe_cards import counted as counted_pieces
from .display.seen import PHASES, Json, View
from .rules.run import SHIFTS
from .words import EMPLOYEE_DECK_NAMES, KINDS, PLACES, SIZES, STORES, SYMBOLS, describe

ROOM: Final = 5  # pieces of a stage that are drawn one by one
TITLE: Final = "Chocolate Factory"
SOURCES: Final = ("orders", "most orders", "stores", "variety", "left over")  # of money
WITH_CARDS: Final = ("draft_part", "draft_employee", "choose_order")  # offered by the cards themselves
LABELS: Final = {  # above the buttons of a verb
    "fulfil": "Fulfil", "supply": "Supply", "place_part": "Build on", "deliver": "Deliver for",
    "operate": "Run a machine", "assign": "Assign your employee", "option": "Use it as", "take": "Take", "make": "Make",
    "tile": "Tile", "chute": "Down the chute", "trade": "Trade for 1 coal", "use_employee": "Employee",
}  # fmt: skip


def parts(view: View) -> Parts:
    groups = [choice(view)]
    if view.phase == "draft":
        groups.append(group("display", "Today's display", "choose", display(view)))
    if any(view.position["offer"].values()):
        groups.append(group("offer", "Orders on offer", "choose", [offer(view)]))
    groups += [seat_group(view, seat) for seat in around(view.viewer, len(view.position["players"]))]
    groups += [group("manager", "Target and demands", "goal", manager(view))] if view.is_solo else []
    groups += [group("week", "The week", "goal", [week(view)])] if view.is_solo else []
    left = ", ".join(str(deck["count"]) for deck in view.position["order_decks"].values())
    legend = row("legend", [Item(name, name, face=[[f":{name}"]]) for name in (*SYMBOLS, "coal")], "Signs")
    rows = [*stores(view), legend]
    groups.append(group("stores", "Department stores", "shared", rows, notes=[f"decks {left}"]))
    return Parts(title(view), when(view), pictures.SIGNS, groups, partial(deck, view))


def title(view: View) -> str:
    expansion = view.position["options"]["expansion"]
    return f"{TITLE} with {expansion.replace('_', ' ').title()}" if expansion else TITLE


def when(view: View) -> list[str]:
    position = view.position
    found = [f"Day {position['day']} of {NUM_DAYS}", PHASES[position["phase"]]]
    if position["shift"] and len(view.acting) < 2:
        found.append(f"shift {position['shift']} of {SHIFTS}")
    return found


# --- cards


def part(view: View, card: str, action: int | None = None, before: str = "", after: str = "", **more: Any) -> Item:
    """before, after: words around its own."""
    line = view.cards.row("parts", card)
    return Item(
        f"{before}{told.part_name(view.cards, card)}{after}",
        view.cards.names[card],
        face=pictures.part_words(line),
        tail=[str(line.cost), ":coal"] if line.cost else [],
        action=action,
        rule=told.part_rule(view.cards, card),
        **more,
    )


def order(view: View, card: str, done: int, before: str, **more: Any) -> Item:
    """done: completed stages; -1 for an order on offer. before: words before its name."""
    line = view.cards.row("orders", card)
    stages = [
        Item(
            f"{pieces_in_words(stage.pieces.tolist())} for £{stage.pay}{', done' if at < done else ''}",
            face=[pictures.pieces(stage.pieces.tolist(), ROOM)],
            tail=[f"£{stage.pay}"],
            state="done" if at < done else "now" if at == done else "",
        )
        for at, stage in enumerate(line.stages[: line.num_stages])
    ]
    title, size = view.cards.names[card], SIZES[int(line.deck)]
    return Item(f"{before}: {title}, {size}", title, small=size, items=stages, rule="FUL-2", **more)


def employee(view: View, card: str, action: int | None = None, status: str = "") -> Item:
    line = view.cards.row("employees", card)
    sort, effect = effect_in_words(line).split(": ", 1)
    title = told.title_of_employee(view.cards.names[card], int(line.store))
    name, _, store = title.replace(", ", " · ").partition(" · ")
    return Item(
        f"{title}, {sort}: {effect}{'; ' if status else ''}{status}",
        name,
        small=f"{store}: {effect}" if store else effect,
        status=status,
        face=[[":person"]],
        action=action,
        kind="employee",
        rule=view.cards.clauses[card] or "DRAFT-5",
    )


def deck(view: View) -> Iterator[tuple[str, Row]]:
    """Every card by its id."""
    cards = view.cards
    for number, sides in enumerate(cards.stores):
        for side, card in enumerate(sides):
            yield card, row("track", [store_track(view, number, STORES[number], side, [])])
    yield from ((card, row("machines", [part(view, card)])) for card in cards.parts)
    yield from ((card, row("orders", [order(view, card, -1, "order")])) for card in cards.orders)
    yield from ((card, row("cards", [with_fields(employee(view, card), kind="express")])) for card in cards.employees)
    for place, names in enumerate((cards.targets, cards.demands)):
        yield from ((name, row("demands", [manager_card(view, place, name, False, False)])) for name in names)


# --- a player


def seat_group(view: View, seat: int) -> Group:
    player = view.position["players"][seat]
    name = "Factory Manager" if view.is_solo else f"Player {seat}"
    orders = player["orders"][: OWN_ORDERS + told.special_orders_dealt(view)]
    rows = [
        row("facts", facts(view, seat, player)),
        row("staff", [staff(view, seat, player)]),
        row("machines", slots(view, seat, player, 0)),
        row("belt", belt(view, seat, player)),
        row("machines", slots(view, seat, player, NUM_TILES)),
        row("store", [store_room(view, seat, player)]),
        row("orders", [held_order(view, seat, number) for number in range(len(orders))]),
    ]
    now = view.to_move(seat)
    starts = not view.is_solo and seat == view.position["start_player"]
    notes = [*notes_of(view.viewer, seat), *([now] if now else []), *(["starts"] if starts else [])]
    return group(f"seat-{seat}", name, own_or_rival(view.viewer, seat), rows, seat, notes)


def facts(view: View, seat: int, player: Json) -> Iterator[Item]:
    """Money, coal, completed orders and, with others, what the seat would have if the game ended now."""
    money, today = player["money"], player["earned_today"]
    yield Item(
        f"money £{money}, of it £{today} today",
        f"£{money}",
        small=f"+{today}" if today else "",
        kind="money",
        rule="FUL-3",
    )
    yield Item(f"coal {player['coal']}", str(player["coal"]), face=[[":coal"]], kind="coal", rule="PREP-1")
    counts = {**player["completed"], **({"special": player["special_completed"]} if view.is_solo else {})}
    words = "completed orders: " + ", ".join(f"{number} {size}" for size, number in counts.items())
    yield Item(words, counted(sum(counts.values()), "order"), kind="orders", rule="END-2")
    if not view.is_solo:
        yield standing(view, seat)


def standing(view: View, seat: int) -> Item:
    sheets = view.sheets
    total = sum(sheets[seat])
    place = place_of(sum(sum(other) > total for other in sheets))
    sources = ", ".join(f"{name} {money}" for name, money in zip(SOURCES, sheets[seat], strict=True) if money)
    over = view.phase == "over"
    name = f"{'at the end' if over else 'if the game ended now'}: £{total} ({sources})"
    return Item(name, f"£{total}{'' if over else ' now'}, {place}", kind="standing", rule="END-6")


def staff(view: View, seat: int, player: Json) -> Item:
    status = told.employee_status(view, player)
    if not player["employee"]:
        name = f"no employee today{', ' if status else ''}{status}"
        return Item(name, "No employee", face=[[":person"]], state="empty", status=status, rule="DRAFT-5")
    return employee(view, player["employee"], view.action("use_employee", seat=seat), status)


def slots(view: View, seat: int, player: Json, first: int) -> Iterator[Item]:
    """Four slots from `first` on."""
    running = view.phase == "run" and seat in view.acting
    for slot in range(first, first + NUM_TILES):
        action = view.action("operate", slot, seat)
        if action is None:
            action = view.action("place_part", slot, seat)
        card = player["factory"][slot]
        if card is None:
            yield Item(f"slot {slot}: empty", state="empty", action=action, rule="DRAFT-4")
            continue
        now = view.under_way("slot", seat) == slot
        used, assigned = player["operated"][slot], player["assigned"] == slot
        state = "now" if now else "used" if running and used else ""
        options = list(options_of(view, seat, card)) if now and view.under_way("kind") == "option" else []
        said = f", used {'this' if running else 'in the last'} shift" if used else ""
        said += f", with the {told.assigned_to(view, player)}" if assigned else ""
        yield part(view, card, action, f"slot {slot}: ", said, state=state, assigned=assigned, items=options)


def options_of(view: View, seat: int, card: str) -> Iterator[Item]:
    line = view.cards.row("parts", card)
    for number, option in enumerate(line.options[: line.num_options]):
        face = [pictures.option_words(option)]
        yield Item(option_in_words(option), face=face, action=view.action("option", number, seat))


def belt(view: View, seat: int, player: Json) -> Iterator[Item]:
    """The entrance, four tiles, and the end."""
    card = player["employee"]
    line = view.cards.row("employees", card) if card else None
    load = 1 + (int(line.amount) if line is not None and line.effect == Effect.MORE_BEANS else 0)
    face = [*([f"{load}×"] if load > 1 else []), ":bean"]
    yield Item(f"the next shift brings {counted_pieces(load, 'bean')}", face=[face], kind="load", rule="RUN-2")
    for tile in range(NUM_TILES):
        there = player["pieces"][PLACES[tile]]
        now = view.under_way("tile", seat) == tile
        yield Item(
            f"tile {tile}",
            items=list(pieces(view, seat, there, tile)),
            action=view.action("tile", tile, seat),
            state="now" if now else "",
            rule="RUN-5",
        )
    yield Item("the end of the belt: pieces drop into the store room", kind="drop", rule="RUN-7")


def store_room(view: View, seat: int, player: Json) -> Item:
    there = player["pieces"][PLACES[STORE_ROOM]]
    inside = list(pieces(view, seat, there, None))
    return Item("store room", "Store room", items=inside, rule="RUN-7")


def pieces(view: View, seat: int, there: Mapping[str, int], tile: int | None) -> Iterator[Item]:
    """Pieces on a tile; None: in the store room."""
    for kind, name in enumerate(KINDS):
        if there[name]:
            action = told.piece_action(view, seat, kind, tile)
            words = counted_pieces(there[name], name)
            yield Item(words, face=[[f":{name}"]], many=there[name], piece=name, action=action)


def held_order(view: View, seat: int, number: int) -> Item:
    player = view.position["players"][seat]
    special = number >= OWN_ORDERS
    name = f"{'Special Order' if special else 'order'} {number}"
    card = player["orders"][number]
    if card is None:
        words = "completed" if special else told.empty_place(view, seat)
        return Item(f"{name}: {words}", words, state="empty", rule="CLEAN-3")
    waiting = view.position["paid"][number] if view.is_solo else 0
    name += f" (£{waiting} do not count yet)" if waiting else ""
    return order(view, card, player["stage"][number], name, action=view.action("fulfil", number, seat))


# --- the choice


def choice(view: View) -> Group:
    return group("choice", question.heading(view), "choose", questions(view), view.mover)


def questions(view: View) -> Iterator[Row]:
    task, words = view.task, question.prompt(view)
    details = question.details_of(task) if task else ()
    said = f"{words} ({pictures.in_words(details)})" if details else words
    asked = [Item(said, words, face=[details] if details else [])]
    asked += [Item(line, line) for line in question.others_under_way(view)]
    if task and task["kind"] == "place_part":
        asked.append(part(view, view.cards.parts[task["card"]], kind="card"))
    yield row("ask", asked)
    by_label: dict[str, list[Item]] = {}
    for action in sorted(view.legal):
        verb, number = ACTIONS.decode(action)
        if verb not in WITH_CARDS:
            by_label.setdefault(LABELS.get(verb, ""), []).append(button(view, verb, number, action))
    for label, found in by_label.items():
        yield row("buttons", found, label)


def button(view: View, verb: str, number: int, action: int) -> Item:
    """A button in the words of the table; its name is the action's."""
    words, face, tail = FACES[verb](view, number) if verb in FACES else (stop_words(view, verb), [], [])
    return Item(describe(action), words, face=[face] if face else [], tail=tail, action=action)


Looks = tuple[str, Face, Face]  # words, face, tail


def slot_face(view: View, slot: int) -> Looks:
    card = view.moving["factory"][slot]
    if card is None:
        return f"empty slot {slot}", [], []
    if view.under_way("kind") == "place_part":
        return f"over {view.cards.names[card]}", [], []
    cost = view.cards.row("parts", card).cost
    return view.cards.names[card], [], [str(cost), ":coal"] if cost else []


def kind_face(_: View, kind: int) -> Looks:
    return KINDS[kind], [f":{KINDS[kind]}"], []


def option_face(view: View, number: int) -> Looks:
    part = view.cards.row("parts", view.moving["factory"][view.under_way("slot")])
    return "", pictures.option_words(part.options[number]), []


def tile_face(view: View, tile: int) -> Looks:
    return f"tile {tile}", counted_signs(view.moving["pieces"][PLACES[tile]].items()), []


def order_face(view: View, number: int) -> Looks:
    card, done = view.moving["orders"][number], view.moving["stage"][number]
    stage = view.cards.row("orders", card).stages[done]
    return view.cards.names[card], pictures.pieces(stage.pieces.tolist(), ROOM), [f"£{stage.pay}"]


def employee_face(view: View, _: int) -> Looks:
    return f"use the {view.cards.names[view.moving['employee']]}", [], []


def card_face(view: View, card: int) -> Looks:
    return view.cards.names[view.manager_card(card)], [], []


def store_face(_: View, store: int) -> Looks:
    return STORE_NAMES[STORES[store]], [], []


FACES: Final = {
    "operate": slot_face, "assign": slot_face, "place_part": slot_face, "option": option_face, "tile": tile_face,
    "take": kind_face, "make": kind_face, "chute": kind_face, "trade": kind_face, "fulfil": order_face,
    "deliver": card_face, "supply": store_face, "use_employee": employee_face,
}  # fmt: skip


def stop_words(view: View, verb: str) -> str:
    if verb == "stop":
        return question.STOPS.get(view.under_way("kind"), "stop").capitalize()
    return {"end_shift": f"End shift {view.position['shift']}", "finish_cleanup": "Finish Cleanup"}.get(
        verb, "Finish orders"
    )


# --- what all share


def display(view: View) -> Iterator[Row]:
    """Parts and employees to draft, packet by packet."""
    shown = view.position
    decks = list(shown["display_employees"])

    def part_card(place: int) -> Item | None:
        card = shown["display_parts"][place]
        return part(view, card, view.action("draft_part", place), f"part {place}: ") if card else None

    def employee_card(place: int) -> Item | None:
        card = shown["display_employees"][decks[place]]
        number = EMPLOYEE_DECK_NAMES.index(decks[place])
        return employee(view, card, view.action("draft_employee", number)) if card else None

    for label, packets, make in (
        ("Parts", shown["part_packets"], part_card),
        ("Employees", list(shown["employee_packets"].values()), employee_card),
    ):
        trays: dict[int, list[Item]] = {}
        for place, packet in enumerate(packets):
            card = make(place)
            if card is not None:
                trays.setdefault(place if packet is None else packet, []).append(card)
        yield row(
            "packets", [Item(tray_name(label, len(cards)), items=cards) for _, cards in sorted(trays.items())], label
        )


def tray_name(label: str, cards: int) -> str:
    if cards == 1:
        return f"a packet of {label.lower()} with one card"
    return f"a packet of {label.lower()}: take one card, and the others leave the game"


def offer(view: View) -> Row:
    cards = enumerate(view.position["offer"].items())
    found = [
        order(view, card, -1, f"{size} order", action=view.action("choose_order", place))
        for place, (size, card) in cards
        if card
    ]
    return row("orders", found)


def stores(view: View) -> Iterator[Row]:
    for number, (store, side) in enumerate(view.position["sides"].items()):
        markers = told.markers_of(view.position["players"], store)
        yield row("track", [store_track(view, number, store, Side[side], markers)])


def store_track(view: View, number: int, store: str, side: int, markers: Sequence[tuple[int, int, bool]]) -> Item:
    cards = view.cards
    card, rule = cards.stores[number][side], cards.record.stores[number, side]
    now = store in (view.under_way("store"), view.under_way("rule_of"))
    return Item(
        f"{cards.names[card]}: {rule_in_words(rule)}",
        STORE_NAMES[store],
        face=[pictures.rule_words(rule)],
        items=[space_of(view, store, space, markers) for space in range(TRACK_END + 1)],
        action=view.action("supply", number),
        state="now" if now else "",
        rule=cards.clauses[card] or "FUL-4",
    )


def space_of(view: View, store: str, space: int, markers: Sequence[tuple[int, int, bool]]) -> Item:
    tokens = [token(view, store, place, seat, today) for place, (seat, on, today) in enumerate(markers) if on == space]
    return Item(f"space {space}", str(space), items=tokens, state="" if tokens else "empty")


def token(view: View, store: str, place: int, seat: int, today: bool) -> Item:
    """place: among the markers of the store, in the order of their last moves (FUL-6)."""
    moved = view.position["players"][seat]["arrival"][store] > 0 and not view.is_solo
    said = f"{f', moved {place_of(place)}' if moved else ''}{', supplied today' if today else ''}"
    state: State = "today" if today else ""
    return Item(f"Player {seat}{said}", str(seat), seat=seat, kind="token", state=state, rule="FUL-6")


# --- the solo game


def manager(view: View) -> Iterator[Row]:
    """SOLO-1, SOLO-3, SOLO-8: the target, the demands, and what is satisfied."""
    position, found = view.position, []
    giving = [view.under_way("card")] if view.under_way("kind") == "give_card" else []
    for card in range(1 + position["face_up"]):
        found.append(manager_card(view, card, view.manager_card(card), position["delivered"][card], card in giving))
    hidden = position["num_demands"] - position["face_up"]
    found += [Item("a demand, face down", "face down", state="empty", kind="back")] * hidden
    yield row("demands", found)
    yield row("asked", asked(view), "Satisfied so far")


def manager_card(view: View, card: int, name: str, delivered: bool, giving: bool) -> Item:
    """card: 0 is the target."""
    line, money = view.cards.row("demands" if card else "targets", name), "£{} more" if card else "earn £{}"
    words, sort = objectives_in_words(line, money), "demand" if card else "target"
    return Item(
        f"card {card} ({sort} {view.cards.names[name]}): {words}{', delivered' if delivered else ''}",
        view.cards.names[name],
        small=sort,
        face=[told.manager_words(line, money)],
        action=view.action("deliver", card),
        state="done" if delivered else "now" if giving else "",
        rule=view.cards.clauses[name] or "SOLO-7",
    )


def asked(view: View) -> Iterator[Item]:
    for name, words, satisfied in zip(told.ASKED, told.asked_in_words(view), view.satisfied, strict=True):
        state: State = "done" if satisfied else ""
        said = f"{name}: {words or 'none asked'}, {'' if satisfied else 'not '}satisfied"
        yield Item(
            said, name, small=words or "none asked", tail=["✓" if satisfied else "–"], state=state, rule="SOLO-8"
        )


def week(view: View) -> Row:
    """PREP-1, SOLO-4: every day's coal, and the employee who leaves the display."""
    coal, days = view.cards.record.coal.tolist(), []
    for day in range(NUM_DAYS):
        leaves = f"without {list(STORE_NAMES.values())[-1 - day]}" if day < len(STORES) else ""
        today = day + 1 == view.position["day"]
        name = f"day {day + 1}{' (today)' if today else ''}: {coal[day]} coal{', ' if leaves else ''}{leaves}"
        days.append(
            Item(
                name,
                f"Day {day + 1}",
                small=leaves,
                tail=[str(coal[day]), ":coal"],
                state="now" if today else "",
                rule="PREP-1",
            )
        )
    return row("week", days)
