"""A second, slow and plain implementation of Chocolate Factory (1 to 4 players): the oracle of the tests.

It plays the base game and the mini-expansion Master Chocolatier (MC-1 to MC-6).

It is written from `rules.md` (the clause ids below) and `protocol.md` alone and shares nothing with the
engine but the card files. What is legal is found by listing: every top-level action is the beginning of *scripts*, the
complete ways in which its move can be carried through, step by step with what each step changes. An action is legal if
it begins a script; inside a move, the legal answers are the next steps of the scripts that begin with what was said so
far. So there are no dead ends, by construction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from itertools import combinations, product
from math import ceil
from typing import Any

from .cards import EXTRA, KINDS, NEXT_STAGE, REFINED, SIZES, STORES, Cards, ManagerCard, Order, Part, kinds_of

Answer = tuple[str, int]  # verb and argument
Effect = tuple[Any, ...]  # the name of an Oracle method and its arguments
Step = tuple[Answer, tuple[Effect, ...]]
Script = tuple[Step, ...]
Json = dict[str, Any]

PACKETS = {2: (3, 2), 3: (2, 2, 1), 4: (2, 1, 1, 1)}  # PREP-2, PREP-3
PACKETS_OF_SIX = {2: (3, 3), 3: (2, 2, 2), 4: (2, 2, 1, 1)}  # MC-5: of employees, with the expansion
SHIFTS = 3  # RUN-1
LAST_DAY = 6
TRACK_END = 9  # FUL-5
NEW_PARTS = 5  # SET-2
EMPLOYEES_PER_STORE = 7  # SET-4
EXTRA_EMPLOYEES = 6  # MC-5
KEPT_PIECES = {"several": 2, "solo": 6}  # CLEAN-2, SOLO-6
# SOLO-4: the employee of this store goes, and the part dealt on it.
SOLO_DISCARDS = {
    1: "dunstan_gilberts",
    2: "house_of_luxury",
    3: "salters_emporium",
    4: "fresh_fancies",
    5: "palace_boutique",
}

# Keys of a state that are neither a player's nor passed through.
OF_THE_TABLE = ("day", "phase", "start_player", "turn", "shift", "sides", "display", "decks", "offer", "solo")


def copied(value: Any) -> Any:
    """A JSON value of its own (`copy.deepcopy`, but fast)."""
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    if isinstance(value, list):
        return [copied(item) for item in value]
    return value


def kind_number(kind: str) -> int:
    return KINDS.index(kind)


def in_order(pieces: Iterable[str]) -> tuple[str, ...]:
    """Pieces in the order of kinds, as they are named in a move."""
    return tuple(sorted(pieces, key=kind_number))


def holds(have: Mapping[str, int], pieces: Iterable[str]) -> bool:
    return all(have[kind] >= number for kind, number in Counter(pieces).items())


def picks(have: Mapping[str, int], number: int, kinds: Iterable[str] = KINDS) -> Iterator[tuple[str, ...]]:
    """Every way to pick `number` pieces of these kinds out of `have`, each in the order of kinds."""
    return (pieces for pieces in any_picks(have, kinds, number) if len(pieces) == number)


def any_picks(have: Mapping[str, int], kinds: Iterable[str], most: int) -> Iterator[tuple[str, ...]]:
    """Every way to pick at most `most` pieces of these kinds out of `have`, nothing at all included."""
    kinds = in_order(kinds)
    for numbers in product(*(range(min(have[kind], most) + 1) for kind in kinds)):
        if sum(numbers) <= most:
            yield tuple(kind for kind, number in zip(kinds, numbers, strict=True) for _ in range(number))


def all_picks(have: Mapping[str, int], kinds: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Every way to pick one or more pieces of these kinds out of `have`."""
    kinds = tuple(kinds)
    return (pieces for pieces in any_picks(have, kinds, sum(have[kind] for kind in kinds)) if pieces)


def fillings(symbols: tuple[str, ...]) -> set[tuple[str, ...]]:
    """PART-2: everything that a row of icons can stand for, each in the order of kinds."""
    return {in_order(pieces) for pieces in product(*(kinds_of(symbol) for symbol in symbols))}


# --- Department stores (STORE-1 to STORE-6, MC-3, MC-4) ---------------------------------------------------------


def deliveries(store: str, side: str, store_room: Mapping[str, int]) -> Iterator[tuple[tuple[str, ...], int]]:
    """Every delivery that the store accepts from this store room, with its spaces; none is worth 0 (STORE-6).

    Not for sides C, which want no pieces, and not for side D of palace_boutique, which has no rule of its own.
    """
    match store, side:
        case "palace_boutique", "A":  # STORE-1 A: refined, all of one kind, 1 space each
            for kind in REFINED:
                for number in range(1, store_room[kind] + 1):
                    yield (kind,) * number, number
        case "palace_boutique", "B":  # STORE-1 B: refined, all of different kinds, 1 space each
            there = [kind for kind in REFINED if store_room[kind]]
            for number in range(1, len(there) + 1):
                for pieces in combinations(there, number):
                    yield pieces, number
        case "fresh_fancies", "A" | "B":  # STORE-2: chunks (A), fingers (B)
            yield from one_kind_deliveries("chunks" if side == "A" else "fingers", store_room)
        case "salters_emporium", "A" | "B":  # STORE-3: caramel (A), nuts (B)
            yield from one_kind_deliveries("caramel" if side == "A" else "nuts", store_room)
        case "house_of_luxury", "A":  # STORE-4 A: boxed
            yield from one_kind_deliveries("boxed", store_room)
        case "house_of_luxury", "B":  # STORE-4 B: 2 bars in any mix a space
            yield from pair_deliveries(kinds_of("bar"), store_room)
        case "dunstan_gilberts", "A":  # STORE-5 A: 2 wrapped or boxed in any mix a space
            yield from pair_deliveries((*kinds_of("wrapped"), "boxed"), store_room)
        case "dunstan_gilberts", "B":  # STORE-5 B: exactly 2 pieces, both bars, both wrapped or both boxed
            for stage, spaces in (("bar", 2), ("wrapped", 3), ("boxed", 4)):
                for pieces in picks(store_room, 2, kinds_of(stage)):
                    yield pieces, spaces
        case "fresh_fancies", "D":  # MC-4: exactly 1, 3 or 5 refined pieces, 1 space each
            for number in (1, 3, 5):
                for pieces in picks(store_room, number, REFINED):
                    yield pieces, number
        case "salters_emporium", "D":  # MC-4: one each of the first 2, 3, 4 or 5 kinds; the first alone is worth 0
            for number, spaces in ((2, 1), (3, 2), (4, 4), (5, 9)):
                first = ("chunks", "fingers", "caramel", "nuts", "boxed")[:number]
                if holds(store_room, first):
                    yield first, spaces
        case "house_of_luxury", "D":  # MC-4: chunks with fingers for 1 space, caramel with nuts for 2
            most_bars = min(store_room["chunks"], store_room["fingers"])
            most_wrapped = min(store_room["caramel"], store_room["nuts"])
            for bars, wrapped in product(range(most_bars + 1), range(most_wrapped + 1)):
                if bars or wrapped:
                    yield in_order(("chunks", "fingers") * bars + ("caramel", "nuts") * wrapped), bars + 2 * wrapped
        case "dunstan_gilberts", "D":  # MC-4: at most one pair of each refined kind, 1 space a pair
            doubled = [kind for kind in REFINED if store_room[kind] >= 2]
            for number in range(1, len(doubled) + 1):
                for kinds in combinations(doubled, number):
                    yield in_order(kinds * 2), number
        case _:
            raise ValueError(f"no rule for side {side} of {store}")


def one_kind_deliveries(kind: str, store_room: Mapping[str, int]) -> Iterator[tuple[tuple[str, ...], int]]:
    for number in range(1, store_room[kind] + 1):
        yield (kind,) * number, number


def pair_deliveries(kinds: Iterable[str], store_room: Mapping[str, int]) -> Iterator[tuple[tuple[str, ...], int]]:
    """Full pairs only (STORE-6)."""
    for pieces in all_picks(store_room, kinds):
        if len(pieces) % 2 == 0:
            yield pieces, len(pieces) // 2


def fixed_number(store: str, side: str) -> int | None:
    """The number of pieces with which a delivery ends by itself, if the rule fixes one."""
    return 2 if (store, side) == ("dunstan_gilberts", "B") else None


# --- Chocolate orders of the solo game (SOLO-7) ------------------------------------------------------------------


def chocolate_orders(card: ManagerCard, store_room: Mapping[str, int]) -> Iterator[tuple[str, ...]]:
    """Every way to hand over the chocolate order of this card from this store room."""
    order = card.chocolate_order
    if order is None:
        return
    for pieces in picks(store_room, order.number, order.kinds):
        different = len(set(pieces))
        match order.pattern:
            case "any_mix":
                fits = True
            case "one_kind":
                fits = different == 1
            case "all_different":
                fits = different == len(pieces)
            case "one_stage":
                stages = ("bean", "cocoa", "bar", "wrapped", "boxed")
                fits = any(set(pieces) <= set(kinds_of(stage)) for stage in stages)
            case "exact_mix":
                fits = Counter(pieces) == order.mix
            case _:
                raise ValueError(f"unknown pattern {order.pattern}")
        if fits:
            yield pieces


# --- Players ----------------------------------------------------------------------------------------------------


@dataclass
class OpenOrder:
    """A corner-shop order in front of a player; `stage` counts the stages done."""

    order: str
    stage: int


@dataclass
class Player:
    coal: int
    money: int
    earned_today: int  # MC-3: what today's orders have paid
    store_room: Counter[str]
    belt: list[Counter[str]]
    factory: list[str | None]
    operated: set[int]
    assigned: int | None
    part_drafted: bool
    employee: str | None
    uses_left: int
    orders: list[OpenOrder | None]
    special_orders: list[OpenOrder | None]
    completed: list[str]  # Special Orders too
    completed_by_size: Counter[str]  # SOLO-10: without Special Orders
    to_replace: int
    tracks: dict[str, int]
    arrivals: dict[str, int]
    supplied: set[str]
    special_completed: int

    @classmethod
    def from_dict(cls, data: Json) -> Player:
        values = copied(data)
        values["store_room"] = Counter(data["store_room"])
        values["belt"] = [Counter(tile) for tile in data["belt"]]
        values["completed_by_size"] = Counter(data["completed_by_size"])
        values["operated"] = set(data["operated"])
        values["supplied"] = set(data["supplied"])
        for name in ("orders", "special_orders"):
            values[name] = [OpenOrder(**order) if order is not None else None for order in data[name]]
        return cls(**{name: values[name] for name in cls.__dataclass_fields__})

    def to_dict(self, cards: Cards) -> Json:
        data = {name: copied(getattr(self, name)) for name in self.__dataclass_fields__}
        data["store_room"] = {kind: self.store_room[kind] for kind in KINDS}
        data["belt"] = [{kind: tile[kind] for kind in KINDS} for tile in self.belt]
        data["completed_by_size"] = {size: self.completed_by_size[size] for size in SIZES}
        data["operated"] = sorted(self.operated)
        data["supplied"] = [store for store in STORES if store in self.supplied]
        data["completed"] = sorted(self.completed, key=list(cards.orders).index)
        for name in ("orders", "special_orders"):
            data[name] = [asdict(order) if order is not None else None for order in getattr(self, name)]
        return data

    def open_order(self, number: int) -> OpenOrder | None:
        """0-2 own orders, 3-5 Special Orders."""
        return (self.orders + self.special_orders)[number]


@dataclass
class Oracle:
    """A game in progress. `scripts` are the ways in which the move that is under way can still be carried through."""

    cards: Cards
    num_players: int
    play_forced: bool
    day: int
    phase: str
    start_player: int
    turn: int
    shift: int
    sides: dict[str, str]
    display: Json
    decks: Json
    offer: dict[str, str | None]
    players: list[Player]
    solo: Json | None
    given: Json  # what the oracle passes through
    scripts: list[Script] = field(default_factory=list)
    # SIM-1: who has ended the phase; shift and scripts of the seats that are not asked
    finished: set[int] = field(default_factory=set)
    aside: dict[int, tuple[int, list[Script]]] = field(default_factory=dict)

    @classmethod
    def from_dict(cls, state_dict: Mapping[str, Any], cards: Cards) -> Oracle:
        data = copied(dict(state_dict))
        if data.pop("under_way") is not None:
            raise ValueError("the oracle starts from positions in which nothing is under way")
        together = data.pop("together", None) or {"finished": [], "shifts": [], "under_way": []}
        if any(together["under_way"]):
            raise ValueError("the oracle starts from positions in which no seat has a move under way")
        players = [Player.from_dict(player) for player in data.pop("players")]
        data["decks"] = {name: data["decks"][name] for name in ("parts", "removed_parts", "employees", "mix", "orders")}
        return cls(
            cards=cards,
            num_players=len(players),
            play_forced=data["options"].get("play_forced", True),
            players=players,
            **{name: data.pop(name) for name in OF_THE_TABLE},
            finished=set(together["finished"]),
            aside={seat: (shift, []) for seat, shift in enumerate(together["shifts"])},
            given=data,
        )

    def to_dict(self) -> Json:
        """`under_way` is left out: the oracle knows it only as `scripts`."""
        return {
            **self.given,
            **{name: copied(getattr(self, name)) for name in OF_THE_TABLE},
            "current_player": self.current_player,
            "players": [player.to_dict(self.cards) for player in self.players],
            **({"together": self.together()} if self.simultaneous else {}),
        }

    def together(self) -> Json:
        """SIM-1; of what the seats have under way, whether they have something."""
        aside = {seat: kept for seat, kept in self.aside.items() if seat != self.current_player}
        nothing: tuple[int, list[Script]] = (0, [])
        kept = [aside.get(seat, nothing) for seat in range(self.num_players)]
        return {
            "finished": sorted(self.finished),
            "shifts": [shift for shift, _ in kept],
            "under_way": [bool(scripts) for _, scripts in kept],
        }

    # --- Whose turn ---------------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self.phase == "over"

    @property
    def is_solo(self) -> bool:
        return self.num_players == 1

    @property
    def only_completed(self) -> bool:
        """SOLO-7: whether only completed orders count towards money targets."""
        return bool(self.given["options"].get("solo_money", "paid") == "completed")

    @property
    def simultaneous(self) -> bool:
        return bool(self.given["options"].get("mode") == "simultaneous")

    @property
    def all_act(self) -> bool:
        """SIM-1: Run factory and Fulfil orders."""
        return self.simultaneous and self.phase in ("run", "fulfil")

    @property
    def expansion(self) -> str | None:
        name: str | None = self.given["options"]["expansion"]
        return name

    @property
    def employee_decks(self) -> tuple[str, ...]:
        """The stores; MC-5: and the employees who have none."""
        return STORES if self.expansion is None else (*STORES, EXTRA)

    @property
    def in_a_move(self) -> bool:
        return bool(self.scripts)

    @property
    def current_player(self) -> int | None:
        if self.over:
            return None
        if self.phase == "draft":  # DRAFT-1: clockwise to the last, then back
            return self.draft_order()[self.turn]
        return self.turn_order()[self.turn]

    def turn_order(self) -> list[int]:
        """From the start player clockwise."""
        return [(self.start_player + place) % self.num_players for place in range(self.num_players)]

    def draft_order(self) -> list[int]:
        """DRAFT-1, DRAFT-3: the last player takes two packets in a row."""
        return self.turn_order() + self.turn_order()[::-1]

    @property
    def player(self) -> Player:
        seat = self.current_player
        assert seat is not None
        return self.players[seat]

    def works_for(self, player: Player, effect: str) -> int:
        """The amount of today's employee if this is its effect, else 0."""
        if player.employee is None:
            return 0
        employee = self.cards.employees[player.employee]
        return employee.amount if employee.effect == effect else 0

    def has_employee(self, player: Player, effect: str) -> bool:
        return player.employee is not None and self.cards.employees[player.employee].effect == effect

    # --- What is legal, and playing it --------------------------------------------------------------------------

    def legal(self) -> set[Answer]:
        if self.in_a_move:
            return {script[0][0] for script in self.scripts}
        return {script[0][0] for script in self.beginnings()}

    def beginnings(self) -> Iterator[Script]:
        """One script of every legal top-level action."""
        for _, scripts in self.moves():
            first = next(scripts, None)
            if first is not None:
                yield first

    def apply(self, verb: str, argument: int = 0) -> None:
        """Play a legal step; then, if so asked, the single answers inside the move that follow it."""
        asked = (self.phase, self.current_player)
        self.take_step((verb, argument))
        while self.play_forced and self.in_a_move and len(self.legal()) == 1:
            (answer,) = self.legal()
            self.take_step(answer)
        if self.all_act and (self.phase, self.current_player) == asked:
            self.ask_next()

    def ask_next(self) -> None:
        """SIM-2: in turn order one decision each, round and round."""
        order = self.turn_order()
        self.ask(next(seat for seat in order[self.turn + 1 :] + order if seat not in self.finished))

    def ask(self, seat: int) -> None:
        asked = self.current_player
        assert asked is not None
        self.aside[asked] = self.shift, self.scripts
        self.turn = self.turn_order().index(seat)
        self.shift, self.scripts = self.aside.pop(seat, (0, []))

    def begin_run(self) -> None:
        """RUN-1; SIM-1: all begin at once."""
        self.turn = 0
        self.begin_shift(1)
        if self.all_act:
            for seat in self.turn_order()[1:]:
                self.ask(seat)
                self.begin_shift(1)
            self.ask(self.start_player)

    def end_part(self) -> bool:
        """SIM-2: the seat has ended its part of the phase; whether all have."""
        assert self.current_player is not None
        self.finished.add(self.current_player)
        self.shift = 0
        if len(self.finished) < self.num_players:
            self.ask_next()
            return False
        self.finished, self.aside = set(), {}
        return True

    def take_step(self, answer: Answer) -> None:
        if answer not in self.legal():
            raise ValueError(f"{answer} is not legal; legal are {sorted(self.legal())}")
        scripts = self.scripts or [script for first, found in self.moves() if first == answer for script in found]
        scripts = [script for script in scripts if script[0][0] == answer]
        effects = scripts[0][0][1]
        assert all(script[0][1] == effects for script in scripts), "one answer means one thing"
        self.scripts = [script[1:] for script in scripts if script[1:]]
        assert len(self.scripts) in (0, len(scripts)), "a move ends here or it does not"
        assert self.scripts or len(scripts) == 1, "one way of saying it has one script"
        for name, *arguments in effects:
            getattr(self, name)(*arguments)

    def moves(self) -> Iterator[tuple[Answer, Iterator[Script]]]:
        """Every top-level action of the phase that might be legal, with its scripts (none, if it is not)."""
        match self.phase:
            case "draft":
                return self.draft_moves()
            case "run":
                return self.operate_step_moves()
            case "fulfil":
                return self.fulfil_moves()
            case "agents":
                return self.agents_moves()
            case "cleanup":
                return self.cleanup_moves()
            case "replace":
                return self.replace_moves()
            case _:
                return iter(())

    # --- Expand and recruit -------------------------------------------------------------------------------------

    def draft_moves(self) -> Iterator[tuple[Answer, Iterator[Script]]]:
        player = self.player
        if not player.part_drafted:  # DRAFT-3: one part, one employee
            for place, part in enumerate(self.display["parts"]):
                if part is not None:
                    yield ("draft_part", place), self.part_scripts(place, part)
        if player.employee is None:
            for number, deck in enumerate(self.employee_decks):
                if self.display["employees"][deck] is not None:
                    answer = ("draft_employee", number)
                    yield answer, iter([((answer, (("recruit", deck), ("end_draft_turn",))),)])

    def part_scripts(self, place: int, part: str) -> Iterator[Script]:
        """DRAFT-4: placed at once on any of the 8 slots."""
        for slot in range(8):
            yield (
                (("draft_part", place), (("keep_part_of_packet", place),)),
                (("place_part", slot), (("place_part", part, slot), ("end_draft_turn",))),
            )

    def keep_part_of_packet(self, place: int) -> None:
        """DRAFT-2: the rest of the packet leaves the game."""
        self.player.part_drafted = True
        packet = self.display["part_packets"][place]
        for other in range(NEW_PARTS):
            if self.display["part_packets"][other] == packet:
                self.display["parts"][other] = None

    def place_part(self, part: str, slot: int) -> None:
        """DRAFT-4: what is covered is gone."""
        self.player.factory[slot] = part

    def recruit(self, deck: str) -> None:
        """DRAFT-2, DRAFT-5: a gift is taken at once; EMP-2, EMP-9."""
        player = self.player
        name = self.display["employees"][deck]
        packet = self.display["employee_packets"][deck]
        for other in self.employee_decks:
            if self.display["employee_packets"][other] == packet:
                self.display["employees"][other] = None
        player.employee = name
        player.uses_left = self.cards.employees[name].uses
        player.coal += self.works_for(player, "coal")

    def end_draft_turn(self) -> None:
        self.turn += 1
        if self.turn < 2 * self.num_players:
            return
        self.clear_display()
        self.phase = "run"
        self.begin_run()

    def clear_display(self) -> None:
        """Solo: the rest of the display is discarded. With several players every packet has been taken by now."""
        for laid_out in ("employees", "employee_packets"):
            self.display[laid_out] = dict.fromkeys(self.employee_decks)
        for laid_out in ("parts", "part_packets"):
            self.display[laid_out] = [None] * NEW_PARTS

    # --- Run factory --------------------------------------------------------------------------------------------

    def begin_shift(self, shift: int) -> None:
        """RUN-2, RUN-3: load (EMP-13: more beans) and push."""
        player = self.player
        self.shift = shift
        player.operated = set()
        beans = 1 + self.works_for(player, "more_beans")
        player.belt.insert(0, Counter({"bean": beans}))
        player.store_room += player.belt.pop()

    def end_shift(self) -> None:
        """RUN-1: the next shift, or the end of the run after the last one."""
        if self.shifts_still_to_come():
            self.begin_shift(self.shift + 1)
        else:
            self.end_run()

    def shifts_still_to_come(self) -> int:
        """RUN-1, EMP-12"""
        return SHIFTS + self.works_for(self.player, "more_shifts") - self.shift

    def end_run(self) -> None:
        player = self.player
        if self.day == LAST_DAY:  # RUN-9
            for tile in player.belt:
                player.store_room += tile
            player.belt = [Counter() for _ in player.belt]
        if self.all_act:
            if self.end_part():
                self.phase, self.turn = "fulfil", 0
            return
        self.turn += 1
        if self.turn < self.num_players:
            self.begin_shift(1)
        else:
            self.phase, self.turn, self.shift = "fulfil", 0, 0

    def operate_step_moves(self) -> Iterator[tuple[Answer, Iterator[Script]]]:
        for slot, part in enumerate(self.player.factory):
            if part is not None:
                yield ("operate", slot), self.operate_scripts(slot, self.cards.parts[part])
                yield ("assign", slot), self.assign_scripts(slot, self.cards.parts[part])
        for number, kind in enumerate(KINDS):
            yield ("chute", number), self.chute_scripts(kind)
            yield ("trade", number), self.trade_scripts(kind)
        yield ("use_employee", 0), self.factory_employee_scripts()
        yield ("end_shift", 0), iter([((("end_shift", 0), (("end_shift",),)),)])
        if self.shift >= SHIFTS and self.shifts_still_to_come():  # DRAFT-5: nobody needs the Engineer's shift
            yield ("stop", 0), iter([((("stop", 0), (("end_run",),)),)])

    def part_cost(self, slot: int, part: Part) -> int:
        """RUN-4; EMP-7: the Mechanic's part at half, rounded up."""
        player = self.player
        if self.has_employee(player, "half_cost") and player.assigned == slot:
            return ceil(part.cost / 2)
        return part.cost

    def is_technicians(self, slot: int) -> bool:
        return self.has_employee(self.player, "reach") and self.player.assigned == slot

    def tiles_in_reach(self, slot: int) -> list[tuple[int, int]]:
        """Tiles on which the part may work, each with the extra coal: RUN-5, EMP-16."""
        own = slot % 4
        if not self.is_technicians(slot):
            return [(own, 0)]
        extra = self.works_for(self.player, "reach")
        return [(tile, 0 if tile == own else extra) for tile in (own - 1, own, own + 1) if 0 <= tile < 4]

    def operate_scripts(self, slot: int, part: Part) -> Iterator[Script]:
        player = self.player
        if part.function == "chute":
            yield from self.reaching_chute_scripts(slot)
            return
        if slot in player.operated:  # RUN-4
            return
        for tile, extra in self.tiles_in_reach(slot):
            cost = self.part_cost(slot, part) + extra
            if cost > player.coal:
                continue
            paying = (("pay_coal", cost), ("mark_operated", slot))
            if self.is_technicians(slot):
                opening: Script = ((("operate", slot), ()), (("tile", tile), paying))
            else:
                opening = ((("operate", slot), paying),)
            for use in self.uses_of(part, tile):
                yield opening + use

    def uses_of(self, part: Part, tile: int) -> Iterator[Script]:
        """Every complete use of the part on this tile."""
        match part.function:
            case "converter":
                return self.converter_uses(part, tile)
            case "upgrader":
                return self.upgrader_uses(self.player.belt[tile], tile, part.amount, (-1, -1))
            case "repeater":
                return self.repeater_uses(part, tile)
            case _:
                raise ValueError(f"a part that does {part.function}")

    def converter_uses(self, part: Part, tile: int) -> Iterator[Script]:
        """PART-1 to PART-4, MC-2: one option; all it takes is there at once; then all it makes arrives."""
        for number, option in enumerate(part.options):
            choosing: Script = ((("option", number), ()),) if len(part.options) > 1 else ()
            if option.moves is not None:
                for use in self.carrying_uses(option.moves, tile):
                    yield choosing + use
                continue
            for taken in fillings(option.takes):
                if holds(self.player.belt[tile], taken):
                    for made in fillings(option.makes):
                        yield choosing + self.take_from_tile(tile, taken) + self.make_on_tile(tile, made)

    def carrying_uses(self, symbol: str, tile: int) -> Iterator[Script]:
        """MC-2: one piece goes from the tile to any other; how far the part reaches does not matter."""
        for kind, other in product(kinds_of(symbol), range(4)):
            if self.player.belt[tile][kind] and other != tile:
                yield (*self.take_from_tile(tile, [kind]), (("tile", other), (("arrive_on_tile", other, kind),)))

    @staticmethod
    def take_from_tile(tile: int, pieces: Iterable[str]) -> Script:
        return tuple((("take", kind_number(kind)), (("leave_tile", tile, kind),)) for kind in pieces)

    @staticmethod
    def make_on_tile(tile: int, pieces: Iterable[str]) -> Script:
        return tuple((("make", kind_number(kind)), (("arrive_on_tile", tile, kind),)) for kind in pieces)

    def upgrader_uses(
        self, on_tile: Mapping[str, int], tile: int, points: int, at_least: tuple[int, int]
    ) -> Iterator[Script]:
        """PART-5: one point after another; (take, make) never decreases; the rest may be forfeited after the first."""
        for kind in KINDS:
            for better in NEXT_STAGE[kind]:
                pair = (kind_number(kind), kind_number(better))
                if not on_tile[kind] or pair < at_least:
                    continue
                point = self.take_from_tile(tile, [kind]) + self.make_on_tile(tile, [better])
                if points == 1:
                    yield point
                    continue
                yield (*point, (("stop", 0), ()))
                after = Counter(on_tile) - Counter([kind]) + Counter([better])
                for rest in self.upgrader_uses(after, tile, points - 1, pair):
                    yield point + rest

    def repeater_uses(self, part: Part, tile: int) -> Iterator[Script]:
        """PART-6: the copies are added to the piece."""
        for kind in KINDS:
            if self.player.belt[tile][kind]:
                yield ((("take", kind_number(kind)), (("arrive_on_tile", tile, kind),) * part.amount),)

    def chute_scripts(self, kind: str) -> Iterator[Script]:
        """RUN-6: if it is not covered."""
        for slot, part in enumerate(self.player.factory):
            if part is not None and self.cards.parts[part].function == "chute":
                tile = slot % 4
                if self.player.belt[tile][kind]:
                    answer = ("chute", kind_number(kind))
                    yield ((answer, (("leave_tile", tile, kind), ("to_store_room", kind))),)

    def reaching_chute_scripts(self, slot: int) -> Iterator[Script]:
        """EMP-16 on the Chute: 1 coal, a tile beside its own, one or more pieces in the order of kinds."""
        if not self.is_technicians(slot):
            return
        for tile, extra in self.tiles_in_reach(slot):
            if tile == slot % 4 or extra > self.player.coal:
                continue
            opening: Script = ((("operate", slot), ()), (("tile", tile), (("pay_coal", extra),)))
            for pieces in all_picks(self.player.belt[tile], KINDS):
                moving = tuple(
                    (("take", kind_number(kind)), (("leave_tile", tile, kind), ("to_store_room", kind)))
                    for kind in pieces
                )
                yield (*opening, *moving, (("stop", 0), ()))

    def trade_scripts(self, kind: str) -> Iterator[Script]:
        """RUN-8, CLEAN-2: 1 piece for 1 coal."""
        if self.player.store_room[kind]:
            yield ((("trade", kind_number(kind)), (("leave_store_room", kind), ("receive_coal", 1))),)

    def assign_scripts(self, slot: int, part: Part) -> Iterator[Script]:
        """EMP-17: once a day; the Mechanic to a part that costs coal (EMP-7), the Technician to any (EMP-16)."""
        player = self.player
        if player.assigned is not None or player.uses_left == 0:
            return
        mechanic = self.has_employee(player, "half_cost") and part.cost > 0
        if mechanic or self.has_employee(player, "reach"):
            yield ((("assign", slot), (("assign", slot),)),)

    def factory_employee_scripts(self) -> Iterator[Script]:
        """EMP-18: Operator, Expert Operator, Decorator and Packer act in an operate step."""
        player = self.player
        if player.employee is None or player.uses_left == 0:
            return
        begin: Step = (("use_employee", 0), (("use_employee",),))
        match self.cards.employees[player.employee].effect:
            case "move_piece":  # EMP-3, EMP-10
                for tile, other, kind in product(range(4), range(4), KINDS):
                    if tile != other and player.belt[tile][kind]:
                        taking: Script = ((("tile", tile), ()), *self.take_from_tile(tile, [kind]))
                        yield (begin, *taking, (("tile", other), (("arrive_on_tile", other, kind),)))
            case "upgrade_piece":  # EMP-6
                for tile, kind in product(range(4), KINDS):
                    for better in NEXT_STAGE[kind] if player.belt[tile][kind] else ():
                        upgrade = self.take_from_tile(tile, [kind]) + self.make_on_tile(tile, [better])
                        yield (begin, (("tile", tile), ()), *upgrade)
            case "double_tile":  # EMP-15
                for tile in range(4):
                    if player.belt[tile].total():
                        yield (begin, (("tile", tile), (("double_tile", tile),)))

    # --- What the steps of a shift change ----------------------------------------------------------------------

    def pay_coal(self, number: int) -> None:
        self.player.coal -= number
        assert self.player.coal >= 0

    def receive_coal(self, number: int) -> None:
        self.player.coal += number

    def mark_operated(self, slot: int) -> None:
        self.player.operated.add(slot)

    def leave_tile(self, tile: int, kind: str) -> None:
        self.player.belt[tile][kind] -= 1
        assert self.player.belt[tile][kind] >= 0

    def arrive_on_tile(self, tile: int, kind: str) -> None:
        self.player.belt[tile][kind] += 1

    def double_tile(self, tile: int) -> None:
        self.player.belt[tile] += self.player.belt[tile]

    def to_store_room(self, kind: str) -> None:
        self.player.store_room[kind] += 1

    def leave_store_room(self, kind: str) -> None:
        self.player.store_room[kind] -= 1
        assert self.player.store_room[kind] >= 0

    def assign(self, slot: int) -> None:
        self.player.assigned = slot
        self.player.uses_left -= 1

    def use_employee(self) -> None:
        self.player.uses_left -= 1

    # --- Fulfil orders ------------------------------------------------------------------------------------------

    def fulfil_moves(self) -> Iterator[tuple[Answer, Iterator[Script]]]:
        player = self.player
        for number in range(6):
            yield ("fulfil", number), self.fulfil_scripts(number)
        if self.solo is not None:
            for number in range(1 + len(self.solo["demands"])):
                yield ("deliver", number), self.deliver_scripts(number)
        if player.employee is not None:  # DRAFT-6
            store = self.cards.employees[player.employee].store
            if store is not None:  # MC-5
                yield ("supply", STORES.index(store)), self.supply_scripts(store, ())
        yield ("use_employee", 0), self.order_employee_scripts()
        yield ("finish_orders", 0), iter([((("finish_orders", 0), (("finish_orders",),)),)])

    def card_of(self, order: OpenOrder) -> Order:
        return self.cards.orders[order.order]

    def stage_pieces(self, order: OpenOrder) -> tuple[str, ...]:
        """What the current stage asks for."""
        return in_order(self.card_of(order).stages[order.stage].pieces.elements())

    def handing_over(self, pieces: Iterable[str]) -> tuple[Effect, ...]:
        return tuple(("leave_store_room", kind) for kind in pieces)

    def fulfil_scripts(self, number: int) -> Iterator[Script]:
        """FUL-1, FUL-2: exactly the pieces of the current stage."""
        order = self.player.open_order(number)
        if order is not None and holds(self.player.store_room, self.stage_pieces(order)):
            effects = (*self.handing_over(self.stage_pieces(order)), ("complete_stage", number))
            yield ((("fulfil", number), effects),)

    def complete_stage(self, number: int) -> None:
        """FUL-3: it pays at once; EMP-4: the Salesman's pound more. MC-3: all of it counts for sides C."""
        player = self.player
        order = player.open_order(number)
        assert order is not None
        pay = self.card_of(order).stages[order.stage].pay + self.works_for(player, "stage_pay")
        player.money += pay
        player.earned_today += pay
        if self.only_completed:  # SOLO-7
            assert self.solo is not None
            self.solo["paid"][number] += pay
        self.move_up(number)

    def move_up(self, number: int) -> None:
        """FUL-3: a completed order is set aside, to be replaced in Cleanup. SOLO-2: Special Orders are not."""
        player = self.player
        order = player.open_order(number)
        assert order is not None
        order.stage += 1
        if order.stage < len(self.card_of(order).stages):
            return
        player.completed.append(order.order)
        if self.only_completed:
            assert self.solo is not None
            self.solo["paid"][number] = 0
        if number < 3:
            player.orders[number] = None
            player.completed_by_size[self.card_of(order).size] += 1
            player.to_replace += 1
        else:
            player.special_orders[number - 3] = None
            player.special_completed += 1

    def order_employee_scripts(self) -> Iterator[Script]:
        """EMP-18: Clerk, Corner Shop Agent and Dealer act in Fulfil orders."""
        player = self.player
        if player.employee is None or player.uses_left == 0:
            return
        effect = self.cards.employees[player.employee].effect
        begin: Step = (("use_employee", 0), (("use_employee",),))
        for number in range(6):
            order = player.open_order(number)
            if order is None:
                continue
            asked = self.stage_pieces(order)
            choose: Step = (("fulfil", number), ())
            if effect == "skip_stage":  # EMP-5: no money
                yield (begin, (("fulfil", number), (("move_up", number),)))
            elif effect == "any_pieces":  # EMP-8: any refined pieces, as many
                for pieces in picks(player.store_room, len(asked), REFINED):
                    yield (begin, choose, *self.giving(pieces, last=(("complete_stage", number),)))
            elif effect == "fewer_pieces":  # EMP-11: one piece fewer
                for kind in sorted(set(asked)):
                    rest = list(asked)
                    rest.remove(kind)
                    if holds(player.store_room, rest):
                        effects = (*self.handing_over(rest), ("complete_stage", number))
                        yield (begin, choose, (("take", kind_number(kind)), effects))

    def giving(self, pieces: tuple[str, ...], last: tuple[Effect, ...]) -> Script:
        """Pieces handed over one by one; with the last one something happens."""
        steps = [(("take", kind_number(kind)), (("leave_store_room", kind),)) for kind in pieces]
        answer, effects = steps[-1]
        return (*steps[:-1], (answer, (*effects, *last)))

    def supply_scripts(self, store: str, afterwards: tuple[Effect, ...]) -> Iterator[Script]:
        """FUL-4, STORE-1 to STORE-6, MC-3, MC-4: one delivery a day that fits the rule and moves the marker."""
        player = self.player
        if store in player.supplied or player.tracks[store] >= TRACK_END:
            return
        if (store, self.sides[store]) != ("palace_boutique", "D"):
            yield from self.delivery_scripts(store, store, afterwards)
            return
        borrowing: Step = (("supply", STORES.index(store)), ())
        for other in STORES:  # MC-4: whatever the other store's own track and supplies are
            if other != store:
                for script in self.delivery_scripts(other, store, afterwards):
                    yield (borrowing, *script)

    def delivery_scripts(self, rule: str, store: str, afterwards: tuple[Effect, ...]) -> Iterator[Script]:
        """What the rule of one store accepts, and the marker of a store that it moves (nearly always the same)."""
        side = self.sides[rule]
        if side == "C":  # MC-3: no pieces
            spaces = self.player.earned_today // self.cards.pounds[rule]
            if spaces:
                yield ((("supply", STORES.index(rule)), (("move_marker", store, spaces), *afterwards)),)
            return
        for pieces, spaces in deliveries(rule, side, self.player.store_room):
            moving = (("move_marker", store, spaces), *afterwards)
            opening: Step = (("supply", STORES.index(rule)), ())
            if fixed_number(rule, side) is not None:
                yield (opening, *self.giving(pieces, last=moving))
            else:
                yield (opening, *self.giving(pieces, last=()), (("stop", 0), moving))

    def move_marker(self, store: str, spaces: int) -> None:
        """FUL-5: no further than the track; FUL-6: a fresh place in the order of arrival; EMP-1: doubled."""
        player = self.player
        assert player.employee is not None
        if self.cards.employees[player.employee].store == store:
            spaces *= max(1, self.works_for(player, "double_supply"))
        player.tracks[store] = min(TRACK_END, player.tracks[store] + spaces)
        player.arrivals[store] = 1 + max(number for other in self.players for number in other.arrivals.values())
        player.supplied.add(store)
        if self.all_act:
            self.arrive_in_turn()

    def arrive_in_turn(self) -> None:
        """SIM-3: this move comes before those of the phase by seats that are later in turn order."""
        seats = [self.players[seat] for seat in self.turn_order()[self.turn :]]
        moves = [(player, store) for player in seats for store in STORES if store in player.supplied]
        numbers = sorted(player.arrivals[store] for player, store in moves)
        for (player, store), number in zip(moves, numbers, strict=True):
            player.arrivals[store] = number

    def deliver_scripts(self, number: int) -> Iterator[Script]:
        """SOLO-7: face-up cards, each once, all pieces at once."""
        assert self.solo is not None
        if number > self.solo["face_up"] or number in self.solo["delivered"]:
            return
        card = self.manager_cards()[number]
        for pieces in chocolate_orders(card, self.player.store_room):
            yield ((("deliver", number), ()), *self.giving(pieces, last=(("delivered", number),)))

    def delivered(self, number: int) -> None:
        assert self.solo is not None
        self.solo["delivered"] = sorted([*self.solo["delivered"], number])

    def manager_card_names(self) -> list[str]:
        """The Weekly Target, then the Demands as dealt."""
        assert self.solo is not None
        return [self.solo["target"], *self.solo["demands"]]

    def manager_cards(self) -> list[ManagerCard]:
        target, *demands = self.manager_card_names()
        return [self.cards.targets[target], *(self.cards.demands[name] for name in demands)]

    def finish_orders(self) -> None:
        if self.all_act:
            if self.end_part():
                self.find_agent(0)
            return
        self.turn += 1
        if self.turn == self.num_players:
            self.find_agent(0)

    # --- Cleanup ------------------------------------------------------------------------------------------------

    def find_agent(self, place: int) -> None:
        """CLEAN-1, END-1: the next Department Store Agent in turn order; after the last one the day goes on."""
        for turn in range(place, self.num_players):
            if self.has_employee(self.players[self.turn_order()[turn]], "other_store"):
                self.phase, self.turn = "agents", turn
                return
        self.turn = 0
        self.phase = "over" if self.day == LAST_DAY else "cleanup"  # END-1

    def agents_moves(self) -> Iterator[tuple[Answer, Iterator[Script]]]:
        """EMP-14: any one other store."""
        player = self.player
        assert player.employee is not None
        own = self.cards.employees[player.employee].store
        done = (("use_employee",), ("end_agent",))
        for number, store in enumerate(STORES):
            if store != own:
                yield ("supply", number), self.supply_scripts(store, done)
        yield ("finish_orders", 0), iter([((("finish_orders", 0), (("end_agent",),)),)])

    def end_agent(self) -> None:
        self.find_agent(self.turn + 1)

    def cleanup_moves(self) -> Iterator[tuple[Answer, Iterator[Script]]]:
        """CLEAN-2, SOLO-6."""
        for number, kind in enumerate(KINDS):
            yield ("trade", number), self.trade_scripts(kind)
        if self.player.store_room.total() <= KEPT_PIECES["solo" if self.is_solo else "several"]:
            yield ("finish_cleanup", 0), iter([((("finish_cleanup", 0), (("replace_orders",),)),)])

    def replace_orders(self) -> None:
        """CLEAN-3, CLEAN-4: one by one; then the next player cleans up."""
        player = self.player
        if player.to_replace and any(self.decks["orders"].values()):
            self.phase = "replace"
            for size in SIZES:
                deck = self.decks["orders"][size]
                self.offer[size] = deck.pop(0) if deck else None
            return
        player.to_replace = 0
        self.turn += 1
        self.phase = "cleanup"
        if self.turn == self.num_players:
            self.end_day()

    def replace_moves(self) -> Iterator[tuple[Answer, Iterator[Script]]]:
        for number, size in enumerate(SIZES):
            if self.offer[size] is not None:
                answer = ("choose_order", number)
                yield answer, iter([((answer, (("choose_order", size),)),)])

    def choose_order(self, size: str) -> None:
        """CLEAN-3: to the lowest empty place; the other two to the bottom of their decks."""
        player = self.player
        chosen = self.offer[size]
        assert chosen is not None
        player.orders[player.orders.index(None)] = OpenOrder(chosen, 0)
        player.to_replace -= 1
        for other in SIZES:
            left = self.offer[other]
            if other != size and left is not None:
                self.decks["orders"][other].append(left)
            self.offer[other] = None
        self.replace_orders()

    def end_day(self) -> None:
        """CLEAN-5: employees are discarded, the start marker passes clockwise. MC-3: a new day's money is counted."""
        for player in self.players:
            player.earned_today = 0
            player.employee = None
            player.uses_left = 0
            player.assigned = None
            player.operated = set()
            player.supplied = set()
            player.part_drafted = False
        self.start_player = (self.start_player + 1) % self.num_players
        self.day += 1
        self.prepare()

    # --- Prepare ------------------------------------------------------------------------------------------------

    def prepare(self) -> None:
        for player in self.players:
            player.coal += self.cards.coal[self.day - 1]  # PREP-1
        self.display["parts"] = [self.decks["parts"].pop(0) for _ in range(NEW_PARTS)]  # PREP-2
        for deck in self.employee_decks:  # PREP-3, MC-5
            self.display["employees"][deck] = self.decks["employees"][deck].pop(0)
        self.display["part_packets"], self.display["employee_packets"] = self.packets()
        if self.is_solo:
            self.prepare_solo()
        self.phase, self.turn, self.shift = "draft", 0, 0

    def packets(self) -> tuple[list[int], dict[str, int]]:
        """PREP-2, PREP-3: packet numbers of the five places, and of the stores as today's employees were mixed.

        MC-5: with the expansion there are six employees. SOLO-4: no packets; every card counts as a packet of its own.
        """
        if self.is_solo:
            return list(range(NEW_PARTS)), {deck: place for place, deck in enumerate(self.employee_decks)}

        def numbers(sizes: tuple[int, ...]) -> list[int]:
            return [packet for packet, size in enumerate(sizes) for _ in range(size)]

        of_employees = PACKETS if self.expansion is None else PACKETS_OF_SIX
        mixed = self.decks["mix"][self.day - 1]
        by_deck = dict(zip(mixed, numbers(of_employees[self.num_players]), strict=True))
        return numbers(PACKETS[self.num_players]), {deck: by_deck[deck] for deck in self.employee_decks}

    def prepare_solo(self) -> None:
        """SOLO-3, SOLO-4. MC-5: the sixth employee stays."""
        assert self.solo is not None
        if self.day < LAST_DAY:
            self.solo["face_up"] += 1
            store = SOLO_DISCARDS[self.day]
            self.display["employees"][store] = None
            self.display["parts"][STORES.index(store)] = None

    # --- End of the game ----------------------------------------------------------------------------------------

    def score_sheets(self) -> list[Json]:
        """END-2 to END-5, player by player, whether or not the game is over."""
        most = max(len(player.completed) for player in self.players)
        prizes = [self.store_prizes(store) for store in STORES]
        sheets = []
        for seat, player in enumerate(self.players):
            supplied = sum(space > 0 for space in player.tracks.values())
            sheets.append(
                {
                    "corner_shops": player.money,
                    "most_orders": 12 if most and len(player.completed) == most else 0,  # END-2
                    "stores": [paid[seat] for paid in prizes],
                    "variety": {3: 6, 4: 12, 5: 24}.get(supplied, 0),  # END-4
                    "leftovers": player.store_room.total() + player.coal,  # END-5
                }
            )
        return sheets

    def store_prizes(self, store: str) -> list[int]:
        """END-3, FUL-6: what each player gets from this store."""
        return store_prizes([(player.tracks[store], player.arrivals[store]) for player in self.players])

    def scores(self) -> list[int]:
        """Money, with the prizes of the end once the game is over. SOLO-9: no prizes."""
        if not self.over or self.is_solo:
            return [player.money for player in self.players]
        return [
            sheet["corner_shops"] + sheet["most_orders"] + sum(sheet["stores"]) + sheet["variety"] + sheet["leftovers"]
            for sheet in self.score_sheets()
        ]

    def ranking(self) -> list[int]:
        """END-6: most money; tied, who came later in turn order on the last day."""
        scores = self.scores()
        best_first = sorted(
            range(self.num_players), key=lambda seat: (scores[seat], self.turn_order().index(seat)), reverse=True
        )
        return [best_first.index(seat) for seat in range(self.num_players)]

    def won(self) -> list[bool]:
        """Who has won, once the game is over; solo: SOLO-8."""
        if not self.over:
            return [False] * self.num_players
        if self.is_solo:
            return [self.satisfied()]
        return [place == 0 for place in self.ranking()]

    def satisfied(self) -> bool:
        """SOLO-8: does one assignment satisfy every card?"""
        assert self.solo is not None
        player = self.players[0]
        cards = self.manager_cards()
        handed_over = all(
            card.chocolate_order is None or number in self.solo["delivered"] for number, card in enumerate(cards)
        )
        special = player.special_completed == sum(cards[0].special_orders.values())  # SOLO-2
        waiting = sum(self.solo["paid"]) if self.only_completed else 0  # SOLO-7: what open orders have paid
        money = player.money - waiting >= sum(card.money for card in cards)
        return (
            handed_over
            and special
            and money
            and orders_suffice(player.completed_by_size, [card.orders for card in cards])
            and steps_suffice(player.tracks, cards)
        )


def store_prizes(markers: list[tuple[int, int]]) -> list[int]:
    """END-3 for markers (space, arrival): 16, 8, 4; the earlier of two on a space ranks higher (FUL-6)."""
    ranked = sorted(
        (seat for seat, (space, _) in enumerate(markers) if space > 0),
        key=lambda seat: (-markers[seat][0], markers[seat][1]),
    )
    paid = [0] * len(markers)
    for place, prize in enumerate((16, 8, 4)):
        if place >= len(ranked):
            break
        space = markers[ranked[place]][0]
        if place > 0 and space < ceil(markers[ranked[place - 1]][0] / 2):
            break  # nobody after this one is paid either
        paid[ranked[place]] = prize
    return paid


def orders_suffice(completed: Mapping[str, int], wanted: list[Mapping[str, int]]) -> bool:
    """SOLO-7, SOLO-8: discard completed orders, each once: first those of a named size, then those of any size."""
    total = Counter[str]()
    for asked in wanted:
        total.update(asked)
    left = dict(completed)
    for size in SIZES:
        left[size] = left.get(size, 0) - total[size]
        if left[size] < 0:
            return False
    return sum(left.values()) >= total["any"]


def steps_suffice(tracks: Mapping[str, int], cards: list[ManagerCard]) -> bool:
    """SOLO-7, SOLO-8: can the cards' steps be taken one card after another? Every choice of stores is tried."""
    if any(steps < 0 for steps in tracks.values()):
        return False
    if not cards:
        return True
    card, *others = cards
    named = {store for store in STORES if card.steps[store]}
    for chosen in combinations([store for store in STORES if store not in named], card.open_boxes):
        left = {
            store: tracks[store] - card.steps[store] - (card.open_steps if store in chosen else 0) for store in STORES
        }
        if steps_suffice(left, others):
            return True
    return False
