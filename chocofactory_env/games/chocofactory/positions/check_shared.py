"""Checks of what belongs to no seat: the turn, the display, the decks, and the cards of the solo game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from ....core.positions.reading import Fault, Faults, difference, named, numbered, repeated
from ..cards import PRINTED_PARTS
from ..constants import DAILY_DEMANDS, DAYS_OF_A_DECK, DISPLAY, NONE, NUM_DAYS, NUM_STORES, Deck, Effect, Side
from ..rules.prepare import packet_at
from ..rules.run import shifts_of
from ..rules.setup import deck_of
from .basis import SIZES, STORES, Position


def check_sides(p: Position) -> Faults:
    """SET-5: a side named by the variant is in play."""
    for store, chosen in zip(STORES, p.state.side_options.tolist(), strict=True):
        if chosen != NONE and p.data["sides"][store] != Side(chosen).name:
            yield Fault(f"sides.{store}", f"{Side(chosen).name!r}, as in the options", p.data["sides"][store])


def check_time(p: Position) -> Faults:
    """DRAFT-1, RUN-1, CLEAN-5, END-1: day, phase, start player, turn, seat to move, and shift agree."""
    over, turn, start = p.phase == "over", p.data["turn"], p.data["start_player"]
    if over and p.day < NUM_DAYS:
        yield Fault("day", f"{NUM_DAYS} when the game is over", p.day)
    if p.phase in ("cleanup", "replace") and p.day == NUM_DAYS:
        yield Fault("day", f"1 to {NUM_DAYS - 1} in Cleanup", p.day)
    first = int(p.state.start_option)
    starts = (first + p.day - 1) % len(p.players)
    if first != NONE and start != starts:
        yield Fault("start_player", f"{starts}, who starts on day {p.day}", start)
    last = 0 if over else len(p.turns) - 1
    if turn > last:
        yield Fault("turn", f"0 to {last} in this phase", turn)
    if not over and p.mover != p.turns[turn]:
        yield Fault("current_player", f"{p.turns[turn]}, whose turn it is", p.mover)
    low, high = (1, int(shifts_of(p.deck, p.state.players[p.mover]))) if p.phase == "run" else (0, 0)
    if not low <= p.data["shift"] <= high:
        yield Fault("shift", f"{low} to {high} here", p.data["shift"])


def check_together(p: Position) -> Faults:
    """SIM-1, SIM-2: a seat that has ended the phase has no task under way; the seat to move has not ended it."""
    if "together" not in p.data:
        return
    together = p.data["together"]
    if not p.all_act and together["finished"]:
        yield Fault("together.finished", "[] but where all act", together["finished"])
    if p.all_act and p.mover in together["finished"]:
        yield Fault("together.finished", "seats that are not to move", together["finished"])
    for seat in range(len(p.players)):
        aside = p.all_act and seat != p.mover and seat not in together["finished"]
        runs = aside and p.phase == "run"
        low, high = (1, int(shifts_of(p.deck, p.state.players[seat]))) if runs else (0, 0)
        if not low <= together["shifts"][seat] <= high:
            yield Fault(f"together.shifts[{seat}]", f"{low} to {high} here", together["shifts"][seat])
        task = together["under_way"][seat]
        if task is not None and not aside:
            yield Fault(f"together.under_way[{seat}]", "null of who is to move, or has nothing to do", task)
        if task is not None and task["task"] == "place_part":
            yield Fault(f"together.under_way[{seat}].task", "a part to be placed in the draft alone", "place_part")


def check_agents(p: Position) -> Faults:
    """CLEAN-1, EMP-14: only Department Store Agents have a turn in `agents`, and none has supplied before it."""
    if p.phase == "agents" and p.mover is not None and not p.has(p.mover, Effect.OTHER_STORE):
        employee = p.players[p.mover]["employee"]
        yield Fault(f"players[{p.mover}].employee", "one who supplies another store in Cleanup", employee)
    for seat, player in enumerate(p.players):
        ahead = p.phase in ("run", "fulfil") or (p.phase == "agents" and p.turns.index(seat) >= p.data["turn"])
        if ahead and p.has(seat, Effect.OTHER_STORE) and player["uses_left"] == 0:
            yield Fault(f"players[{seat}].uses_left", "1 until this player's turn in Cleanup", 0)


def check_drafted(p: Position) -> Faults:
    """DRAFT-1, DRAFT-3: as many new cards as turns taken; after the draft a new part and an employee."""
    placing = p.task is not None and p.task["task"] == "place_part"
    if placing and p.phase != "draft":
        yield Fault("under_way.task", "a part to be placed in the draft alone", "place_part")
    for seat, player in enumerate(p.players):
        cards = p.turns[: p.data["turn"]].count(seat) if p.phase == "draft" else 2
        cards += placing and seat == p.mover  # the card of the turn under way
        path, employee = f"players[{seat}]", player["employee"]
        if employee is not None and cards == 0:
            yield Fault(f"{path}.employee", "null before the first turn of the draft", employee)
        if employee is None and cards == 2:
            yield Fault(f"{path}.employee", "an employee, with two cards drafted", None)
        part = cards - (employee is not None) == 1
        if player["part_drafted"] != part:
            yield Fault(f"{path}.part_drafted", f"{part}, with {cards} cards drafted today", player["part_drafted"])


def check_mix(p: Position) -> Faults:
    """PREP-3: `mix` is a permutation of the decks on every day."""
    for path, employee_order in numbered("decks.mix", p.data["decks"]["mix"]):
        if sorted(employee_order) != sorted(p.data["decks"]["employees"]):
            yield Fault(path, "every deck once", employee_order)


def dealt_packets(p: Position, table: str, cards: int) -> list[int]:
    """The packets of that many cards, in the order in which they are laid out."""
    sizes = p.deck[table][len(p.players)]
    return [int(packet_at(p.state, sizes, place)) for place in range(cards)]


def check_packets(p: Position, path: str, cards: Sequence[Any], packets: Sequence[int], taken: int) -> Faults:
    """DRAFT-2, SOLO-4: packets are whole or gone, and `taken` of them are gone; the solo game discards a pair."""
    discards = p.is_solo and p.day < NUM_DAYS
    if discards and cards[NUM_STORES - p.day] is not None:
        yield Fault(path, f"nothing in place {NUM_STORES - p.day}, which is discarded on day {p.day}", cards)
    left = Counter(packet for packet, card in zip(packets, cards, strict=True) if card is not None)
    for packet, size in Counter(packets).items():
        if left[packet] not in (0, size):
            yield Fault(path, f"packet {packet} whole or taken", cards)
    expected = len(set(packets)) - discards - taken
    if sum(size > 0 for size in left.values()) != expected:
        yield Fault(path, f"{expected} packets, one less for every card drafted", cards)


def check_display(p: Position) -> Faults:
    """PREP-2, PREP-3, DRAFT-2: in the draft, packets as dealt, less one for every card drafted; later, nothing."""
    shown = p.data["display"]
    if p.phase != "draft":
        for field, cards in shown.items():
            entries = named if isinstance(cards, dict) else numbered
            for path, card in entries(f"display.{field}", cards):
                yield Fault(path, "null after the draft", card)
        return
    decks = list(shown["employees"])
    employee_order = decks if p.is_solo else p.data["decks"]["mix"][p.day - 1]
    parts = dealt_packets(p, "packets", DISPLAY)
    employees = dealt_packets(p, "employee_packets", len(decks))
    by_deck = {deck: employees[employee_order.index(deck)] for deck in decks}
    for field, packets in (("part_packets", parts), ("employee_packets", by_deck)):
        fault = difference(shown[field], packets, f"display.{field}")
        if fault:
            yield fault
    drafted = sum(player["part_drafted"] for player in p.players)
    recruited = sum(player["employee"] is not None for player in p.players)
    yield from check_packets(p, "display.parts", shown["parts"], parts, drafted)
    cards = [shown["employees"][deck] for deck in decks]
    yield from check_packets(p, "display.employees", cards, list(by_deck.values()), recruited)


def check_parts(p: Position) -> Faults:
    """SET-2, SET-7, MC-1: every part is in its own deck, printed parts are on their own slots, and none is twice."""
    decks, days_of_a = p.data["decks"], max(0, DAYS_OF_A_DECK - p.day)
    to_come = list(numbered("decks.parts", decks["parts"]))
    removed = {deck: list(numbered(f"decks.removed_parts.{deck}", decks["removed_parts"][deck])) for deck in ("A", "B")}
    shown = list(numbered("display.parts", p.data["display"]["parts"]))
    if p.task is not None and p.task["part"] is not None:
        shown.append(("under_way.part", p.task["part"]))
    for deck, cards in (
        (Deck.A, [*to_come[: days_of_a * DISPLAY], *removed["A"]]),
        (Deck.B, [*to_come[days_of_a * DISPLAY :], *removed["B"]]),
        (Deck.A if p.day <= DAYS_OF_A_DECK else Deck.B, shown),
    ):
        for path, part in cards:
            if p.part(part).deck != deck:
                yield Fault(path, f"a part of deck {deck.name}", part)
    placed = []
    for seat, player in enumerate(p.players):
        for slot, part in enumerate(player["factory"]):
            path = f"players[{seat}].factory[{slot}]"
            if part in p.cards.parts[:PRINTED_PARTS]:
                if part != p.cards.parts[slot]:
                    yield Fault(path, "a printed part on its own slot alone", part)
            elif part is not None:
                placed.append((path, part))
    for path, part in repeated([*to_come, *removed["A"], *removed["B"], *shown, *placed]):
        yield Fault(path, "a part that is nowhere else", part)


def check_employees(p: Position) -> Faults:
    """SET-4, MC-5: employees are in their own decks, none more often than it has cards."""
    decks = list(p.data["decks"]["employees"])
    left = Counter(dict(zip(p.cards.employees, p.deck.employees["count"].tolist(), strict=False)))
    cards = list(p.employees_to_come())
    for seat, player in enumerate(p.players):
        if player["employee"] is not None:
            cards.append((f"players[{seat}].employee", player["employee"], ""))
    for path, card, deck in cards:
        if deck and decks[deck_of(p.deck, p.cards.employees.index(card))] != deck:
            yield Fault(path, f"an employee of the deck {deck}", card)
        left[card] -= 1
        if left[card] < 0:
            yield Fault(path, "an employee of whom there is another card", card)


def check_orders(p: Position) -> Faults:
    """SET-3, FUL-3, CLEAN-3: every order is in exactly one place, in decks and offer by its size."""
    decks, offer = p.data["decks"]["orders"], p.data["offer"]
    everywhere = []
    for size, name in enumerate(SIZES):
        of_size = [*numbered(f"decks.orders.{name}", decks[name]), (f"offer.{name}", offer[name])]
        of_size = [(path, order) for path, order in of_size if order is not None]
        for path, order in of_size:
            if p.sizes[order] != size:
                yield Fault(path, f"a {name} order", order)
        everywhere += of_size
    for seat, player in enumerate(p.players):
        for field in ("orders", "special_orders"):
            held = numbered(f"players[{seat}].{field}", player[field])
            everywhere += [(f"{path}.order", order["order"]) for path, order in held]
        everywhere += numbered(f"players[{seat}].completed", player["completed"])
    for path, order in repeated(everywhere):
        yield Fault(path, "an order that is nowhere else", order)
    for order in sorted(set(p.cards.orders) - {order for _, order in everywhere}):
        name = SIZES[p.sizes[order]]
        yield Fault(f"decks.orders.{name}", f"{order!r}, which is nowhere else", decks[name])


def check_offer(p: Position) -> Faults:
    """CLEAN-3, CLEAN-4: the top card of every deck is on offer if a player is replacing an order, and only then."""
    if p.phase != "replace" or p.mover is None:
        for path, order in named("offer", p.data["offer"]):
            yield Fault(path, "null while nobody chooses an order", order)
        return
    if p.players[p.mover]["to_replace"] == 0:
        yield Fault(f"players[{p.mover}].to_replace", "1 or more for who chooses an order", 0)
    for size, order in p.data["offer"].items():
        if order is None and p.data["decks"]["orders"][size]:
            yield Fault(f"offer.{size}", "an order, since its deck has some", None)
    if not any(p.data["offer"].values()):
        yield Fault("offer", "an order to choose", p.data["offer"])


def check_solo(p: Position) -> Faults:
    """SOLO-1, SOLO-3, SOLO-7: no demand is twice, the day tells which are face up, and delivered orders are."""
    if not p.is_solo:
        return
    solo = p.data["solo"]
    for path, demand in repeated(numbered("solo.demands", solo["demands"])):
        yield Fault(path, "a demand that is not dealt before", demand)
    face_up = 1 + p.game.variant.difficulty + min(p.day, DAILY_DEMANDS)
    if solo["face_up"] != face_up:
        yield Fault("solo.face_up", f"{face_up} on day {p.day}", solo["face_up"])
    cards = [p.deck.targets[p.cards.targets.index(solo["target"])]]
    cards += [p.deck.demands[p.cards.demands.index(demand)] for demand in solo["demands"][:face_up]]
    for path, card in numbered("solo.delivered", solo["delivered"]):
        if card >= len(cards) or cards[card].order.number == 0:
            yield Fault(path, "a face-up card with a chocolate order", card)
