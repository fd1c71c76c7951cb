"""Schoko & Co. for tests: random games of firms that do not ruin themselves at once, and positions in short words.

firms = Position(num_players=3).player(0, cash=40, staff=(2, 1, 0, 0)).ask("staff", 0)
game, state = firms.build()
play(game, state, "staff 3", "staff 1", "staff 0", "staff 0")
assert money(state) == [16, 100, 100]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Self

import numpy as np
from kept_games import kept_uncompiled

import chocofactory_env as cf
from chocofactory_env.games.schoko.actions import ACTIONS
from chocofactory_env.games.schoko.constants import (
    GONE,
    LOANS,
    NONE,
    NUM_CATEGORIES,
    NUM_CITIES,
    NUM_EVENTS,
    NUM_EXPRESS,
    SHARES,
    UNSEEN,
    WINDOW_A,
    WINDOW_B,
    WINDOW_C,
    Event,
    Express,
    Task,
)
from chocofactory_env.games.schoko.game import Schoko

VARIANTS: list[dict[str, Any]] = [
    {"num_players": 2},
    {"num_players": 2, "months": 12, "upset": "all", "play_forced": False},
    {"num_players": 3, "leader": 1},
    {"num_players": 3, "months": 6, "play_forced": False},
    {"num_players": 4},
    {"num_players": 4, "months": 12, "upset": "all"},
]
PASS = ACTIONS.first["pass"]


def variant_name(options: dict[str, Any]) -> str:
    return "-".join(f"{key}={value}" for key, value in options.items())


def weight_of(action: int, *, makes: bool) -> float:
    verb, argument = ACTIONS.decode(action)
    if verb == "staff":
        return (1.0, 4.0, 2.0)[argument] if argument < 3 else 0.05
    if verb == "price":
        return 1.0 / (1 + argument) ** 2
    if verb == "bars" and makes:
        return 1.0 + 3 * argument
    return 0.6 if verb == "pass" else 1.0


WEIGHTS = np.array([[weight_of(action, makes=makes) for action in range(ACTIONS.size)] for makes in (False, True)])


def weights(task: int, legal: np.ndarray) -> np.ndarray:
    """Weights of the legal actions: firms stay small and bid little; now and then they do anything."""
    weight = WEIGHTS[int(task == Task.MAKE)][legal]
    shares: np.ndarray = weight / weight.sum()
    return shares


@kept_uncompiled
def moves(game: Schoko, seed: int, wild: float = 0.0) -> Iterator[tuple[np.ndarray, np.ndarray, int]]:
    """Yield every position of a game, its mask, and the action played in it (-1 at the end).

    Position and mask are reused. `wild`: share of random steps.
    """
    rng = np.random.default_rng(seed)
    state = game.new(seed)
    mask = game.legal_mask(state)
    while not game.is_over(state):
        legal = np.flatnonzero(mask)
        even = np.full(len(legal), 1 / len(legal))
        chance = even if rng.random() < wild else weights(int(state["task"][0]), legal)
        shares = chance.cumsum()
        # As `rng.choice(legal, p=chance)` draws, without its checks, which take as long as the step.
        action = int(legal[(shares / shares[-1]).searchsorted(rng.random(), side="right")])
        yield state, mask, action
        game.advance(state, action, mask)
    yield state, mask, -1


def steps(game: Schoko, seed: int, wild: float = 0.0) -> Iterator[tuple[np.ndarray, int]]:
    """Yield every position of a game, and the action played in it."""
    for state, _, action in moves(game, seed, wild):
        yield state, action


# --- changes of hidden information


# XP-4: the cards of each window
WINDOWS = {
    Task.CARD_A: range(WINDOW_A, WINDOW_B),
    Task.CARD_B: range(WINDOW_B, WINDOW_C),
    Task.CARD_C: range(WINDOW_C, NUM_EXPRESS),
}
BIDS = (Task.BID_BARS, Task.BID_PRICE)


def scrambled(game: Any, state: np.ndarray, seat: int, rng: np.random.Generator) -> np.ndarray:
    """The position with everything that the seat cannot see changed, possible or not.

    SEE-2, SEE-5: generator, face-down contracts and events, other hands, others' bids, and the seat asked for a card.
    """
    other = state.copy()
    row = other[0]
    row["seed"], row["rng"] = rng.integers(1 << 62), rng.integers(1 << 32, size=4, dtype=np.uint32)
    shuffle(row["contracts"], 0, int(row["contracts_left"]), rng)
    known = int(row["month"]) + bool(row["event_turned"] != NONE or row["players"][seat]["looked"])
    end = NUM_EVENTS if row["month"] < NUM_EVENTS else 2 * NUM_EVENTS
    shuffle(row["events"], known, end, rng)
    shuffle(row["events"], end, 2 * NUM_EVENTS, rng)
    unseen = (row["express"] != seat) & (row["express"] != GONE)
    row["express"][unseen] = rng.permutation(row["express"][unseen])
    if row["task"] in BIDS:
        scramble_bids(game, row, seat, rng)
    if row["task"] in (*WINDOWS, Task.TARGET) and row["current"] != seat:
        scramble_window(game, row, seat, rng)
    return other


def shuffle(cards: np.ndarray, first: int, end: int, rng: np.random.Generator) -> None:
    cards[first:end] = rng.permutation(cards[first:end])


def scramble_bids(game: Any, row: np.void, seat: int, rng: np.random.Generator) -> None:
    """Change the bids made, and the stage of the bid under way."""
    for turn in range(int(row["turn"]) + 1):
        other = (int(row["leader"]) + turn) % game.num_players
        player = row["players"][other]
        if other == seat or player["out"]:
            continue
        player["bid_bars"][row["city"]] = rng.integers(17)
        player["bid_price"][row["city"]] = rng.integers(31)
        if turn == row["turn"]:
            row["task"] = rng.choice(BIDS)


def scramble_window(game: Any, row: np.void, seat: int, rng: np.random.Generator) -> None:
    """Change the seat that is asked, and whether for a card or for a target."""
    window = Task(row["task"])
    if window == Task.TARGET:
        window = next(task for task, cards in WINDOWS.items() if row["card"] in cards)
    possible = [other for other in range(game.num_players) if other not in (seat, row["taker"])]
    row["current"] = rng.choice([other for other in possible if not row["players"][other]["out"]])
    first = row["taker"] if window == Task.CARD_C else row["leader"]
    row["turn"] = (row["current"] - first) % game.num_players
    row["task"], row["card"] = window, NONE
    if rng.random() < 0.5:
        row["task"], row["card"] = Task.TARGET, rng.choice(WINDOWS[window])


# --- positions


ANNOUNCED = (Event.NO_COCOA, Event.SLOW_WORK, Event.NO_BOOKKEEPERS)
MEETINGS = (Task.ATTEND, Task.OFFER, Task.RAISE, Task.CARD_C)
FROM_1 = ("price", "raise", "sell_shares", "buy_shares", "target")  # verbs that count from 1
CATEGORIES = ("worker", "salesman", "secretary", "bookkeeper")


@cache
def load(**options: Any) -> Any:
    """A game with these options. Games hold no state, so tests share them."""
    return cf.load("schoko", **options)


class Position:
    """A position that starts as a fresh deal and is then edited, by default of month 3 with nothing in force.

    Seats have 100 and nothing else, and no express cards. `build` keeps the box, the hands and the contracts in order.
    """

    def __init__(self, num_players: int = 4, *, month: int = 3, leader: int = 0, seed: int = 1, **options: Any) -> None:
        self.game = load(num_players=num_players, **options)
        self.state = self.game.new(seed)
        self.row = self.state[0]
        self.row["month"], self.row["leader"] = month - 1, leader
        if month > 1:  # XP-1: before that no card is gone
            self.row["express"] = UNSEEN
        self.hold_events("stomach_upset", "protest")

    def hold_events(self, *known: str, month: int = 1) -> Self:
        """Set the events from `month` on; the other months of the shuffle get the other events in order."""
        first = (month - 1) // NUM_EVENTS * NUM_EVENTS
        at = {month - 1 + number: Event[name.upper()] for number, name in enumerate(known)}
        others = iter([event for event in Event if event not in at.values()])
        for place in range(first, first + NUM_EVENTS):
            self.row["events"][place] = at[place] if place in at else next(others)
        return self

    def event(self, name: str) -> Self:
        """Set the event of this month."""
        return self.hold_events(name, month=int(self.row["month"]) + 1)

    def in_force(self, name: str) -> Self:
        """Set the event that last month announced."""
        return self.hold_events(name, month=int(self.row["month"]))

    def player(
        self,
        seat: int,
        *,
        staff: Sequence[int] | None = None,
        before: Sequence[int] | None = None,
        contracts: Sequence[tuple[str, int]] = (),
        hand: Sequence[str] = (),
        struck_by: str | None = None,
        **fields: Any,
    ) -> Self:
        """Edit a seat. `staff` is also last month's, unless `before` is given.

        Salaries and markets follow from staff and announcements. In meetings, seats without staff have salesmen.
        """
        player = self.row["players"][seat]
        if staff is not None:
            player["staff"], player["staff_before"] = staff, staff
        if before is not None:
            player["staff_before"] = before
        for place, (contract, price) in enumerate(contracts):
            player["contracts"][place] = self.game.cards.contracts.index(contract)
            player["prices"][place] = price
        if contracts:
            player["num_contracts"] = len(contracts)
        for card in hand:
            self.row["express"][Express[card.upper()]] = seat
        if struck_by is not None:
            player["struck_by"] = Express[struck_by.upper()]
        for field, value in fields.items():
            player[field] = value
        return self

    def meeting(self, contract: str, price: int = 0, *, left: int = 4, present: Sequence[int] = ()) -> Self:
        """Turn up a contract; with a price, it is offered."""
        self.row["offer"] = self.game.cards.contracts.index(contract)
        self.row["price"], self.row["meetings_left"] = price, left
        self.row["present"] = sum(1 << seat for seat in present)
        return self

    def next_contracts(self, *ids: str) -> Self:
        """Set the contracts turned up next; no others are face down."""
        numbers = [self.game.cards.contracts.index(contract) for contract in reversed(ids)]
        self.row["contracts"] = NONE
        self.row["contracts"][: len(numbers)] = numbers
        self.row["contracts_left"] = len(numbers)
        return self

    def having(self, **fields: Any) -> Self:
        for field, value in fields.items():
            self.row[field] = value
        return self

    def ask(self, task: str, seat: int, **fields: Any) -> Self:
        """Set the task, and the seat that is asked."""
        self.row["task"], self.row["current"] = Task[task.upper()], seat
        self.row["turn"] = (seat - self.row["leader"]) % self.game.num_players
        return self.having(**fields)

    def build(self) -> tuple[Any, np.ndarray]:
        """The game and the state; StateError if a number is beyond its bounds, or nothing is legal."""
        cards, row = self.game.cards.record, self.row
        players = row["players"][: self.game.num_players]
        self._fill_in()
        for category in range(NUM_CATEGORIES):
            row["box"][category] = cards.staff[category] - players["staff"][:, category].sum()
        row["box"][LOANS] = cards.loans - players["loans"].sum()
        row["box"][SHARES] = cards.shares - players["shares"].sum()
        self._take_contracts_out()
        places = row["express"].tolist() if row["month"] else []
        left = [card for card, place in enumerate(places) if place in (UNSEEN, GONE)]
        struck = set(players["struck_by"].tolist())
        for number, card in enumerate(sorted(left, key=lambda card: card in struck)):
            unseen = number < NUM_EXPRESS - int(cards.hand) * self.game.num_players
            row["express"][card] = UNSEEN if unseen else GONE
        return self.game, self.game.from_dict(self.game.to_dict(self.state))

    def _fill_in(self) -> None:
        """Fill in what follows from the edits."""
        cards, row, task = self.game.cards.record, self.row, int(self.row["task"])
        players = row["players"][: self.game.num_players]
        for player in players:
            if task in MEETINGS and not player["staff"].any() and not player["out"]:
                player["staff"] = player["staff_before"] = 0, int(cards.staff[1]) // self.game.num_players, 0, 0
            if task not in (Task.LOOK, Task.STAFF, Task.TRIM):
                player["salaries"] = (player["staff"] * cards.salaries).sum()
        if task in (Task.BID_BARS, Task.BID_PRICE):
            total, city = int(players["announced"].sum()), int(row["city"])
            bars = [total // NUM_CITIES + (each < total % NUM_CITIES) for each in range(NUM_CITIES)]
            row["market"] = [0] * city + bars[city:]
            order = [(int(row["leader"]) + place) % self.game.num_players for place in range(self.game.num_players)]
            named = order[: int(row["turn"]) + (task == Task.BID_PRICE)]
            row["named"] = sum(1 << seat for seat in named if not players[seat]["out"])
        month = int(row["month"])
        announced = int(row["events"][month - 1]) if month else NONE
        row["event_in_force"] = announced if announced in ANNOUNCED else NONE
        row["event_turned"] = row["events"][month] if task == Task.MONEY else NONE

    def _take_contracts_out(self) -> None:
        """Remove contracts that lie elsewhere from the face-down ones."""
        row = self.row
        taken = {int(card) for player in row["players"] for card in player["contracts"] if card != NONE}
        left = [card for card in row["contracts"].tolist() if card not in taken | {NONE, int(row["offer"])}]
        row["contracts"] = NONE
        row["contracts"][: len(left)] = left
        row["contracts_left"] = len(left)


def encode(game: Any, words: str) -> int:
    """`staff 3`, `category worker`, `play levy`, `pass` -> the number of the action."""
    verb, _, argument = words.partition(" ")
    if verb == "play":
        number = int(Express[argument.upper()])
    elif verb == "category":
        number = CATEGORIES.index(argument)
    else:
        number = int(argument or 0) - (verb in FROM_1)
    return int(game.action_layout.encode(verb, number))


def decode(game: Any, action: int) -> str:
    verb, argument = game.decode(action)
    if verb == "play":
        return f"play {Express(argument).name.lower()}"
    if verb == "category":
        return f"category {CATEGORIES[argument]}"
    if dict(game.action_layout.verbs)[verb] == 1:
        return str(verb)
    return f"{verb} {argument + (verb in FROM_1)}"


def legal(game: Any, state: np.ndarray) -> list[str]:
    """The legal actions in words, in order."""
    return [decode(game, action) for action in np.flatnonzero(game.legal_mask(state)).tolist()]


def most(game: Any, state: np.ndarray) -> int:
    """The largest number that may be named, if all smaller ones may be, too."""
    numbers = [int(words.split()[1]) for words in legal(game, state)]
    assert numbers == list(range(numbers[0], numbers[-1] + 1))
    return numbers[-1]


def play(game: Any, state: np.ndarray, *words: str) -> None:
    for each in words:
        game.apply(state, encode(game, each))


def asked(game: Any, state: np.ndarray) -> tuple[str, int]:
    """The task, and the seat that is asked."""
    return Task(int(state["task"][0])).name.lower(), int(game.current_player(state))


def of(state: np.ndarray, field: str, seat: int | None = None) -> Any:
    """A field of all seats, or of one."""
    values = state["players"][field][0, : int(state["num_players"][0])]
    return (values if seat is None else values[seat]).tolist()


def money(state: np.ndarray) -> list[int]:
    found: list[int] = of(state, "cash")
    return found


def row_of(game: Any, state: np.ndarray, seat: int) -> list[tuple[str, int]]:
    """The seat's contracts with their money, the oldest first."""
    player = state["players"][0, seat]
    there = int(player["num_contracts"])
    ids = [game.cards.contracts[card] for card in player["contracts"][:there]]
    return list(zip(ids, player["prices"][:there].tolist(), strict=True))


def gone(state: np.ndarray) -> set[str]:
    """Express cards out of the game, face up."""
    return {Express(card).name.lower() for card in range(NUM_EXPRESS) if state["express"][0, card] == GONE}
