"""A slow and plain implementation of the candy factory game, from its rules page alone: the oracle of the tests.

Clause ids are those of the rules page. Chance is never drawn here: what setup draws is given as `deal`, what play draws
comes from the object `chance`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from .deal import check_deal
from .results import all_scores, all_standings, ranking_of
from .seen import observable
from .view import view_of
from .words import (
    ALWAYS_ASKED,
    CARDS,
    DECORATED,
    DIE_TURNS,
    HIRED,
    KINDS,
    MACHINES,
    PLAIN,
    RAW,
    SPACES,
    SPECIALISTS,
    WORKERS,
    Answer,
    Player,
    Room,
    Tables,
    Turn,
    type_of,
)

STOP: Answer = ("stop", 0)


class Chance(Protocol):
    """What is drawn during play, asked for in the order in which the rules draw."""

    def die(self) -> int:
        """The face of a roll, 1 to 8: TURN-3, TRANS-5."""

    def deck(self, seat: int) -> list[str]:
        """TRANS-4: this seat's shuffled deck, top first, before 3 are drawn."""


class Oracle:
    """One game.

    options: `num_players` 2-4; `game` "full" (default), "plantation" or "candy"; `start_player` (a seat or None);
        `play_forced` (default True).
    cards: the tables of a deck, as TOML gives them: boards, trucks, recipes, specialists, workers, setup.
    deal: what setup draws, with these keys, in this order:
        `decks`: for every seat its own cards in the order in which they are drawn. Full, plantation: the 8 worker cards
            as "1" to "8", the temp left aside (START-5). Candy: 12 cards, the first 3 of which are the hand (SHORT-4).
        `specialists`: the specialist deck, top first, by name (START-6). Not for candy.
        `recipes`: ids of those in play, in any order (START-7). Not for plantation.
        `start_player`: START-8; `options["start_player"]` goes before it.
        `die`: the face, 1 to 8 (START-9).

    `seat` and `step` are None at the end.
    """

    def __init__(self, options: Mapping[str, Any], cards: Tables, deal: Mapping[str, Any]) -> None:
        check_deal(options, cards, deal)
        self.num_players: int = options["num_players"]
        self.game: str = options.get("game", "full")
        self.play_forced: bool = options.get("play_forced", True)
        self.tables = cards
        self.numbers = cards["setup"][0]
        self.boards = {board["half"]: board for board in cards["boards"]}
        self.amounts = {row["effect"]: row["amount"] for row in cards["specialists"] if "amount" in row}
        self.half = "candy" if self.game == "candy" else "plantation"
        fixed = options.get("start_player")
        self.start_player = int(deal["start_player"] if fixed is None else fixed)  # of this half: TRANS-5
        self.board = dict.fromkeys(SPACES, False)  # START-9
        self.die: int = deal["die"]
        self.sugar, self.cacao, self.coins = (
            int(self.numbers[name]) for name in ("sugar", "cacao", "coins")
        )  # the supply
        self.recipes = self.recipes_in_play(deal)
        self.tokens = [recipe["tokens"] for recipe in self.recipes]  # on the recipe cards
        self.specialist_deck: list[str] = [] if self.game == "candy" else list(deal["specialists"])  # START-6
        self.known_by: list[set[int]] = [set() for _ in self.specialist_deck]  # OPEN-4
        self.out_of_game: list[str] = []
        self.players = [self.new_player(deck) for deck in deal["decks"]]
        self.turn = Turn()
        self.dismissed: str | None = None  # the type last given up by the seat to move
        self.to_load: list[str] = []
        self.loaded_truck: int | None = None  # the last one of this kind: truck numbers never decrease
        self.seat: int | None = self.start_player
        self.step: str | None = "play"
        if self.game == "candy":
            self.begin_loading()

    def recipes_in_play(self, deal: Mapping[str, Any]) -> list[dict[str, Any]]:
        """START-7, in the order of the table; SHORT-2: none."""
        if self.game == "plantation":
            return []
        number = self.numbers["recipes"][str(self.num_players)]
        found = [recipe for recipe in self.tables["recipes"] if recipe["id"] in deal["recipes"]]
        assert len(found) == len(deal["recipes"]) == number
        return found

    def new_player(self, deck: Iterable[str]) -> Player:
        """START-3, START-4, START-5; SHORT-3, SHORT-4."""
        trucks = [Room(truck["places"], truck["berths"], truck["own"]) for truck in self.tables["trucks"]]
        player = Player(Room(self.numbers["warehouse"]), trucks, deck=list(deck))
        start = self.numbers["start"]
        player.coins = start["coins"]
        self.coins -= start["coins"]
        if self.game == "candy":
            self.draw(player)
            return player
        for kind in ("sugar", "cacao"):
            for _ in range(start[kind]):
                self.take_from_supply(kind)
                player.warehouse.put(kind)
        player.hand = ["temp"]
        self.draw(player)
        return player

    # --- The supply ---------------------------------------------------------------------------------------------

    def in_supply(self, kind: str) -> int:
        """Candy is on its recipe card."""
        if kind not in RAW:
            return int(self.tokens[PLAIN.index(type_of(kind))])
        return self.sugar if kind == "sugar" else self.cacao

    def take_from_supply(self, kind: str) -> None:
        """A cacao and a chocolate are two sides of one token."""
        if kind == "sugar":
            self.sugar -= 1
        elif kind in RAW:
            self.cacao -= 1
        else:
            self.tokens[PLAIN.index(type_of(kind))] -= 1

    def return_good(self, kind: str) -> None:
        """ABIL-5."""
        if kind == "sugar":
            self.sugar += 1
        elif kind in RAW:
            self.cacao += 1
        else:
            self.tokens[PLAIN.index(type_of(kind))] += 1

    def pay_coin(self) -> None:
        self.player.coins -= 1
        self.coins += 1

    # --- Legal answers ------------------------------------------------------------------------------------------

    @property
    def player(self) -> Player:
        assert self.seat is not None
        return self.players[self.seat]

    @property
    def board_now(self) -> dict[str, Any]:
        return self.boards[self.half]

    def legal(self) -> set[Answer]:
        """Every legal (verb, argument) of the seat to move; empty at the end."""
        if self.step is None:
            return set()
        answers: set[Answer] = getattr(self, f"legal_{self.step}")()
        return answers

    def legal_load(self) -> set[Answer]:
        """SHORT-5."""
        kind = self.to_load[0]
        to_come = self.to_load.count(kind)
        trucks = self.player.trucks
        return {
            ("truck", number)
            for number in range(self.loaded_truck or 0, len(trucks))
            if trucks[number].free > 0 and sum(truck.free for truck in trucks[number:]) >= to_come
        }

    def legal_play(self) -> set[Answer]:
        """TURN-1, TURN-7: nobody may pass."""
        return {("play", CARDS.index(card)) for card in self.player.hand}

    def legal_die(self) -> set[Answer]:
        """TURN-3."""
        return {("keep_die", 0), ("roll_die", 0)}

    def legal_runner(self) -> set[Answer]:
        """SPEC-5."""
        return {("turn_die", index) for index, turn in enumerate(DIE_TURNS) if abs(turn) <= self.amounts["turn_die"]}

    @property
    def workers_left(self) -> int:
        """In the supply."""
        return int(self.numbers["pawns"]) - sum(self.board.values())

    def search(self, occupied: bool, counter_clockwise: bool = False) -> tuple[int, int] | None:
        """TO-1, FROM-1: the space found and the number of spaces tried; None without such a space or worker."""
        assert self.turn.number is not None
        if not occupied and not self.workers_left:
            return None
        step = -1 if counter_clockwise else 1
        for tried in range(len(SPACES)):
            space = (self.turn.number - 1 + step * tried) % len(SPACES) + 1
            if self.board[space] == occupied:
                return space, tried + 1
        return None

    def legal_direct(self) -> set[Answer]:
        """TO-3, FROM-3, SPEC-4, WHIS-1 to WHIS-3."""
        answers: set[Answer] = set()
        for verb, occupied in (("bring", False), ("ship", True)):
            clockwise = self.search(occupied)
            if clockwise is not None:
                answers.add((verb, 0))
            if self.turn.plays("sorter") and self.search(occupied, counter_clockwise=True) != clockwise:
                answers.add((verb, 1))
        if self.player.coins and not self.player.whistle:
            answers |= {("remove_worker", space - 1) for space in SPACES if self.board[space]}
            if self.workers_left:
                answers |= {("add_worker", space - 1) for space in SPACES if not self.board[space]}
        return answers

    def from_supply(self) -> bool:
        return self.half == "plantation" and self.turn.way == "bring"

    def legal_goods(self) -> set[Answer]:
        if self.from_supply():
            return self.legal_goods_from_supply()
        turn = self.turn
        answers: set[Answer] = set()
        if turn.truck is not None:
            answers |= {("move", KINDS.index(kind)) for kind in self.movable(turn.truck) if self.in_order(kind)}
        started = turn.truck is not None and turn.last is None
        if not started:
            answers |= {STOP} | {("truck", number) for number in self.accessible() if self.movable(number)}
        return answers

    def in_order(self, kind: str) -> bool:
        """Kinds never decrease."""
        return self.turn.last is None or KINDS.index(kind) >= KINDS.index(self.turn.last)

    def legal_goods_from_supply(self) -> set[Answer]:
        """TO-4, TO-6, TO-7; SPEC-6: a Trucker may mix sugar and cacao."""
        answers = {STOP}
        for kind in ("sugar", "cacao"):
            of_the_turn = self.in_order(kind) if self.turn.plays("trucker") else self.turn.last in (None, kind)
            fits = self.player.warehouse.fits(kind, self.turn.plays("packer"))
            if of_the_turn and fits and self.in_supply(kind) > 0:
                answers.add(("move", KINDS.index(kind)))
        return answers

    def accessible(self) -> range:
        """ROOM-3: one truck; SPEC-6: with a Trucker more, in the order of their numbers."""
        number = len(self.player.trucks)
        if self.turn.truck is None:
            return range(number)
        return range(self.turn.truck + 1, number if self.turn.plays("trucker") else 0)

    def movable(self, truck: int) -> list[str]:
        """TO-5, FROM-4: kinds of which one good can be moved between the warehouse and this truck."""
        source, target = self.ends(truck)
        packer = self.turn.plays("packer")
        kinds = [kind for kind in KINDS if source.count(kind) and target.fits(kind, packer)]
        if self.half == "plantation":
            return [kind for kind in kinds if kind in ("sugar", "chocolate")]
        return kinds

    def ends(self, truck: int) -> tuple[Room, Room]:
        """Where goods come from and where they go."""
        warehouse, other = self.player.warehouse, self.player.trucks[truck]
        return (other, warehouse) if self.turn.way == "bring" else (warehouse, other)

    def legal_ability(self) -> set[Answer]:
        """ABIL-1, ABIL-4, SPEC-7, SPEC-11."""
        assert self.turn.space is not None
        answers = {STOP}
        if self.turn.space_open:
            answers |= self.uses_of(self.board_now["spaces"][self.turn.space - 1])
        if self.turn.machinist_open:
            answers |= self.uses_of(MACHINES[self.half])
        return answers

    def uses_of(self, ability: str) -> set[Answer]:
        uses: set[Answer] = getattr(self, f"uses_of_{ability}")()
        return uses

    def uses_of_mixer(self) -> set[Answer]:
        """ABIL-6; ROOM-6: places are counted after the sugar has left."""
        after = self.player.warehouse.copy()
        if not after.count("sugar"):
            return set()
        after.take("sugar")
        return {("mix", 0)} if after.can_turn("cacao") else set()

    def uses_of_break_room(self) -> set[Answer]:
        """ABIL-8, ABIL-12."""
        return {("recruit", 0)} if self.player.coins and self.specialist_deck else set()

    def uses_of_outlet(self) -> set[Answer]:
        """ABIL-7, ABIL-11."""
        bought = ("cacao",) if self.half == "plantation" else KINDS
        if not self.coins:
            return set()
        return {("sell", KINDS.index(kind)) for kind in bought if self.player.warehouse.count(kind)}

    def uses_of_machine(self) -> set[Answer]:
        """ABIL-9."""
        return {("make", place) for place in range(len(self.recipes)) if self.candies_made(place) > 0}

    def uses_of_decorator(self) -> set[Answer]:
        """ABIL-10, ABIL-15, CANDY-6."""
        warehouse = self.player.warehouse
        uses = {("decorate", place) for place, kind in enumerate(PLAIN) if warehouse.can_turn(kind)}
        plain = sum(warehouse.count(kind) for kind in PLAIN)
        return uses | {("decorate_all", 0)} if self.player.coins and plain > 1 else uses

    def cost(self, place: int) -> list[str]:
        recipe = self.recipes[place]
        return [kind for kind in ("sugar", "chocolate") for _ in range(recipe[kind])]

    def candies_made(self, place: int) -> int:
        """CANDY-2, CANDY-4, CANDY-5: how many candies a use would bring now; 0 if it is not offered."""
        after = self.player.warehouse.copy()
        for kind in self.cost(place):
            if not after.count(kind):
                return 0
            after.take(kind)
        return int(min(self.recipes[place]["candies"], self.tokens[place], after.free))

    def legal_recipe(self) -> set[Answer]:
        """CANDY-3."""
        place = self.turn.recipe
        assert place is not None
        again = self.turn.uses > 0 and self.candies_made(place) > 0
        return {STOP, ("make", place)} if again else {STOP}

    def legal_hire(self) -> set[Answer]:
        """ABIL-12: one must be taken."""
        return {("hire", HIRED.index(card)) for card in self.offer()}

    def offer(self) -> list[str]:
        return self.specialist_deck[: self.turn.looked_at]

    def legal_dismiss(self) -> set[Answer]:
        """TRANS-2, TRANS-3: types never decrease, and enough cards must remain."""
        cards = [SPECIALISTS.index(card) for card in self.player.played_specialists()]
        first = 0 if self.dismissed is None else SPECIALISTS.index(self.dismissed)
        surplus = self.player.surplus()
        return {
            ("dismiss", card) for card in cards if card >= first and sum(other >= card for other in cards) >= surplus
        }

    # --- Playing ------------------------------------------------------------------------------------------------

    def play(self, verb: str, argument: int, chance: Chance) -> None:
        """Carry out a legal answer, and with `play_forced` the single legal answers inside turns that follow."""
        assert (verb, argument) in self.legal()
        self.chance = chance
        self.carry_out(verb, argument)
        while self.play_forced and self.step is not None and self.step not in ALWAYS_ASKED:
            answers = self.legal()
            if len(answers) != 1:
                break
            self.carry_out(*answers.pop())

    def carry_out(self, verb: str, argument: int) -> None:
        getattr(self, f"play_{verb}")(argument)

    def begin_loading(self) -> None:
        """SHORT-5."""
        load = self.numbers["short_load"]
        self.to_load = ["sugar"] * load["sugar"] + ["chocolate"] * load["chocolate"]
        self.loaded_truck = None
        self.step = "load"

    def play_truck(self, number: int) -> None:
        if self.step != "load":
            self.turn.truck, self.turn.last = number, None
            return
        assert self.seat is not None
        kind = self.to_load.pop(0)
        self.take_from_supply(kind)
        self.player.trucks[number].put(kind)
        self.loaded_truck = number if kind in self.to_load else None
        if self.to_load:
            return
        self.seat = (self.seat + 1) % self.num_players  # SHORT-6
        if self.seat == self.start_player:
            self.step = "play"
        else:
            self.begin_loading()

    def play_play(self, card: int) -> None:
        """TURN-1, TURN-2, TURN-8."""
        name = CARDS[card]
        self.player.hand.remove(name)
        self.player.played.append(name)
        self.turn = Turn(card=name)
        if name in WORKERS:
            self.settle(int(name))
        else:
            self.step = "die"

    def settle(self, number: int) -> None:
        self.turn.number = number
        self.step = "direct"

    def play_keep_die(self, _: int) -> None:
        if self.turn.plays("runner"):
            self.step = "runner"
        else:
            self.settle(self.die)

    def play_roll_die(self, _: int) -> None:
        """TURN-3: the result must be used, and the die stays as it lies."""
        self.die = self.chance.die()
        self.play_keep_die(0)

    def play_turn_die(self, index: int) -> None:
        """SPEC-5, SPEC-9: the die itself is turned."""
        self.die = (self.die - 1 + DIE_TURNS[index]) % len(SPACES) + 1
        self.settle(self.die)

    def play_add_worker(self, index: int) -> None:
        self.change_shift(index + 1, True)

    def play_remove_worker(self, index: int) -> None:
        self.change_shift(index + 1, False)

    def change_shift(self, space: int, occupied: bool) -> None:
        """WHIS-1: the coin lies on the whistle, not in the supply."""
        self.player.coins -= 1
        self.player.whistle += 1
        self.board[space] = occupied

    def play_bring(self, way: int) -> None:
        """TO-8: place the worker, move goods, then the ability."""
        self.direct("bring", way)
        assert self.turn.space is not None
        self.board[self.turn.space] = True
        self.step = "goods"

    def play_ship(self, way: int) -> None:
        """FROM-6: find the worker, ability, remove the worker, move goods."""
        self.direct("ship", way)
        self.step = "ability"

    def direct(self, verb: str, way: int) -> None:
        turn = self.turn
        found = self.search(verb == "ship", counter_clockwise=way == 1)
        assert found is not None
        turn.way, turn.counter_clockwise = verb, way == 1
        turn.space, tried = found
        turn.left = tried + self.lift()
        turn.space_open, turn.machinist_open = True, turn.plays("machinist")

    def lift(self) -> int:
        """SPEC-3."""
        return int(self.amounts["capacity"]) if self.turn.plays("lift_operator") else 0

    def play_move(self, index: int) -> None:
        """TO-4, TO-5, FROM-4, SPEC-8, SPEC-10."""
        kind = KINDS[index]
        packer = self.turn.plays("packer")
        if self.from_supply():
            self.take_from_supply(kind)
            self.player.warehouse.put(kind, packer)
        else:
            assert self.turn.truck is not None
            source, target = self.ends(self.turn.truck)
            source.take(kind)
            target.put(kind, packer)
        self.turn.last = kind
        self.turn.left -= 1
        if self.turn.left == 0:
            self.end_goods()

    def play_stop(self, _: int) -> None:
        if self.step == "goods":
            self.end_goods()
        elif self.step == "recipe":
            self.end_use()
        else:
            self.end_abilities()

    def end_goods(self) -> None:
        self.turn.left, self.turn.truck, self.turn.last = 0, None, None
        if self.turn.way == "bring":
            self.step = "ability"
        else:
            self.end_turn()

    def end_use(self) -> None:
        """Back to the abilities; with both used nothing is left to decide."""
        self.turn.recipe, self.turn.uses = None, 0
        self.step = "ability"
        if not self.turn.space_open and not self.turn.machinist_open:
            self.end_abilities()

    def end_abilities(self) -> None:
        """TO-8, FROM-6."""
        self.turn.space_open, self.turn.machinist_open = False, False
        if self.turn.way == "bring":
            self.end_turn()
        else:
            assert self.turn.space is not None
            self.board[self.turn.space] = False
            self.step = "goods"

    # --- Abilities ----------------------------------------------------------------------------------------------

    def use_up(self, ability: str) -> None:
        """ABIL-1: once. The space's use goes first; at the plantation nothing follows the Machinist's."""
        assert self.turn.space is not None
        if self.turn.space_open and self.board_now["spaces"][self.turn.space - 1] == ability:
            self.turn.space_open = False
            return
        self.turn.machinist_open = False
        if self.half == "plantation":
            self.turn.space_open = False

    def play_mix(self, _: int) -> None:
        """ABIL-6."""
        self.use_up("mixer")
        self.player.warehouse.take("sugar")
        self.return_good("sugar")
        self.player.warehouse.turn("cacao", "chocolate")
        self.end_use()

    def play_sell(self, index: int) -> None:
        """ABIL-7, ABIL-11; COIN-1: the outlet pays what the supply has."""
        self.use_up("outlet")
        self.player.warehouse.take(KINDS[index])
        self.return_good(KINDS[index])
        paid = min(self.board_now["outlet_coins"], self.coins)
        self.coins -= paid
        self.player.coins += paid
        self.end_use()

    def play_recruit(self, _: int) -> None:
        """ABIL-8; OPEN-4: what others knew of the cards is cleared."""
        assert self.seat is not None
        self.use_up("break_room")
        self.pay_coin()
        self.turn.looked_at = min(self.numbers["look"], len(self.specialist_deck))
        for place in range(self.turn.looked_at):
            self.known_by[place] = {self.seat}
        self.turn.recruited = True
        self.step = "hire"

    def play_hire(self, index: int) -> None:
        """ABIL-13: of equal cards the upper one; the others go under the deck in their order."""
        assert self.seat is not None
        others = self.offer()
        others.remove(HIRED[index])
        self.player.hand.append(HIRED[index])
        self.specialist_deck = self.specialist_deck[self.turn.looked_at :] + others
        self.known_by = self.known_by[self.turn.looked_at :] + [{self.seat} for _ in others]
        self.turn.looked_at = 0
        self.end_use()

    def play_make(self, place: int) -> None:
        """CANDY-2 to CANDY-5."""
        if self.turn.recipe is None:
            self.use_up("machine")
            self.turn.recipe, self.turn.uses = place, self.recipes[place]["uses"]
        made = self.candies_made(place)
        for kind in self.cost(place):
            self.player.warehouse.take(kind)
            self.return_good(kind)
        for _ in range(made):
            self.take_from_supply(PLAIN[place])
            self.player.warehouse.put(PLAIN[place])
        self.turn.uses -= 1
        self.step = "recipe"
        if self.turn.uses == 0:
            self.end_use()

    def play_decorate(self, place: int) -> None:
        """ABIL-10."""
        self.use_up("decorator")
        self.player.warehouse.turn(PLAIN[place], DECORATED[place])
        self.end_use()

    def play_decorate_all(self, _: int) -> None:
        """ABIL-10, CANDY-6: stacks as stacks."""
        self.use_up("decorator")
        self.pay_coin()
        turned = dict(zip(PLAIN, DECORATED, strict=True))
        warehouse = self.player.warehouse
        warehouse.stacks = [[turned.get(good, good) for good in stack] for stack in warehouse.stacks]
        self.end_use()

    # --- Ends of turns and halves -------------------------------------------------------------------------------

    def draw(self, player: Player) -> None:
        """TURN-5."""
        while player.deck and len(player.hand) < self.numbers["hand"]:
            player.hand.append(player.deck.pop(0))

    def end_turn(self) -> None:
        """TURN-5, TURN-6, TURN-7."""
        assert self.seat is not None
        if not self.turn.recruited:
            self.draw(self.player)
        self.turn = Turn()
        following = [(self.seat + step) % self.num_players for step in range(1, self.num_players + 1)]
        with_cards = [seat for seat in following if self.players[seat].hand]
        if with_cards:
            self.seat, self.step = with_cards[0], "play"
        elif self.half == "plantation" and self.game == "full":
            self.begin_transition()
            self.next_dismissal()
        else:
            self.seat, self.step = None, None  # CLOSE-1, SHORT-1, CANDY-8

    def begin_transition(self) -> None:
        """TRANS-1, TRANS-2, TRANS-5."""
        assert self.seat is not None
        self.start_player = self.seat
        self.board = dict.fromkeys(SPACES, False)
        for player in self.players:
            for kind in player.warehouse.goods().elements():
                self.return_good(kind)
            player.warehouse.stacks = []
            self.coins += player.whistle
            player.whistle = 0
        self.out_of_game += self.specialist_deck
        self.specialist_deck, self.known_by = [], []

    def next_dismissal(self) -> None:
        """TRANS-3: clockwise from who starts the candy factory; nobody is asked who has no surplus."""
        self.dismissed = None
        for step in range(self.num_players):
            seat = (self.start_player + step) % self.num_players
            if self.players[seat].surplus():
                self.seat, self.step = seat, "dismiss"
                return
        self.begin_candy()

    def play_dismiss(self, index: int) -> None:
        """TRANS-2."""
        self.player.played.remove(SPECIALISTS[index])
        self.out_of_game.append(SPECIALISTS[index])
        self.dismissed = SPECIALISTS[index]
        if not self.player.surplus():
            self.next_dismissal()

    def begin_candy(self) -> None:
        """TRANS-4, TRANS-5; decks first, seat by seat, then the die."""
        for seat, player in enumerate(self.players):
            deck = list(self.chance.deck(seat))
            assert Counter(deck) == Counter(player.played)
            player.deck, player.hand, player.played = deck, [], []
            self.draw(player)
        self.die = self.chance.die()
        self.half, self.seat, self.step = "candy", self.start_player, "play"

    # --- What can be read ---------------------------------------------------------------------------------------

    def scores(self) -> list[int]:
        """Points of every seat, as if the game ended now: SCORE-*, SHORT-1."""
        return all_scores(self)

    def standings(self) -> list[int]:
        """Points of the goods aboard, coins left aside."""
        return all_standings(self)

    def ranking(self) -> list[int]:
        """Places, 0 = winner: how many seats are better. Seats that TIE-1 or SHORT-2 cannot tell apart share one."""
        return ranking_of(self)

    def winners(self) -> list[int]:
        """Seats in the first place: TIE-1."""
        return [seat for seat, place in enumerate(self.ranking()) if place == 0]

    def observable(self, seat: int) -> dict[str, Any]:
        """The page's observation blocks for this seat, as nested lists of whole numbers, not scaled."""
        return observable(self, seat)

    def view(self) -> dict[str, Any]:
        """The whole position as the page `protocol.md` writes it, hidden things included, but for the generator."""
        return view_of(self)
