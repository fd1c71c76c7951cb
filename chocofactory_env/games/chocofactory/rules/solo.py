"""Factory Manager, the solo game: what the Weekly Target and the Demands require, and whether it is satisfied.

Requirements add up and nothing counts twice (SOLO-8). Money, orders, tracks, and chocolate orders use different
resources, so each is checked separately. Only open boxes need a search: steps on stores of the player's choice, taken
from a different track for every box of a card.
"""

from ....core.jit import jit
from ..cards import ManagerCard
from ..constants import NUM_SIZES, NUM_STORES, ORDER_SLOTS, Task
from ..layout import Tables
from ..state import Feasibility, Player, State
from .stores import can_deliver_under, can_give, give
from .under_way import nothing_under_way

ANY_SIZE = NUM_SIZES


@jit
def manager_card(cards: Tables, state: State, card: int) -> ManagerCard:
    """Card 0 is the Weekly Target; card i is the i-th Demand dealt."""
    if card == 0:
        return cards.targets[state.target]
    return cards.demands[state.demands[card - 1]]


@jit
def cards_face_up(state: State) -> int:
    """The number of cards face up: the Weekly Target and the revealed Demands, which come first."""
    return 1 + state.face_up


# --- chocolate orders (SOLO-7)


@jit
def can_deliver(cards: Tables, state: State, card: int) -> bool:
    """Whether the card has a face-up, undelivered chocolate order, and the store room holds its pieces."""
    if state.num_players > 1 or card >= cards_face_up(state) or state.delivered[card] != 0:
        return False
    rule = manager_card(cards, state, card).order
    return rule.number > 0 and can_deliver_under(rule, state.task, state.players[0])


@jit
def deliver(state: State, card: int) -> None:
    state.task.kind = Task.GIVE_CARD
    state.task.card = card


@jit
def can_give_for_card(cards: Tables, state: State, player: Player, kind: int) -> bool:
    return can_give(manager_card(cards, state, state.task.card).order, state.task, player, kind)


@jit
def give_for_card(cards: Tables, state: State, player: Player, kind: int) -> None:
    """SOLO-7: an order's pieces are handed over in one delivery."""
    give(state.task, player, kind)
    if state.task.count == manager_card(cards, state, state.task.card).order.number:
        state.delivered[state.task.card] = 1
        nothing_under_way(state)


@jit
def chocolate_orders_delivered(cards: Tables, state: State) -> bool:
    for card in range(cards_face_up(state)):
        if manager_card(cards, state, card).order.number > 0 and state.delivered[card] == 0:
            return False
    return True


# --- requirements that add up


@jit
def add_up_requirements(cards: Tables, state: State) -> None:
    """SOLO-7, SOLO-8: sum the requirements of all face-up cards. Call it whenever a card is revealed."""
    needed = state.needed
    clear_requirements(state)
    for card in range(cards_face_up(state)):
        wanted = manager_card(cards, state, card)
        needed.money += wanted.money
        for size in range(NUM_SIZES + 1):
            needed.orders[size] += wanted.orders[size]
        for store in range(NUM_STORES):
            needed.steps[store] += wanted.steps[store]


@jit
def clear_requirements(state: State) -> None:
    state.needed.money = 0
    state.needed.orders[:] = 0
    state.needed.steps[:] = 0


@jit
def money_that_counts(state: State) -> int:
    """SOLO-7, SOLO-9: the money of every stage paid; with `solo_money="completed"` without that of open orders."""
    money = state.players[0].money
    for order in range(ORDER_SLOTS):
        money -= state.paid[order]
    return money


@jit
def enough_money(state: State) -> bool:
    return money_that_counts(state) >= state.needed.money


@jit
def orders_satisfied(state: State) -> bool:
    """SOLO-8: an order counts once. Orders left over by the requirements of a size count for those of any size."""
    player = state.players[0]
    spare = 0
    for size in range(NUM_SIZES):
        left = player.completed[size] - state.needed.orders[size]
        if left < 0:
            return False
        spare += left
    return spare >= state.needed.orders[ANY_SIZE]


@jit
def special_orders_completed(cards: Tables, state: State) -> bool:
    """SOLO-2"""
    dealt = 0
    for size in range(NUM_SIZES):
        dealt += cards.targets[state.target].special[size]
    return state.players[0].special_completed == dealt


# --- steps on tracks


@jit
def tracks_satisfied(cards: Tables, state: State) -> bool:
    """SOLO-8: decide exactly if the markers can be moved back by all required steps."""
    for store in range(NUM_STORES):
        if state.players[0].track[store] < state.needed.steps[store]:
            return False
    room = state.search.room
    for store in range(NUM_STORES):
        room[store] = state.players[0].track[store] - state.needed.steps[store]
    possible = open_boxes_fit(cards, state)
    for store in range(NUM_STORES):
        room[store] = 0  # the search leaves no trace: equal positions stay equal bytes
    return possible


@jit
def open_boxes_fit(cards: Tables, state: State) -> bool:
    """Backtracking search over the cards with open boxes; each takes its steps from a set of tracks."""
    search = state.search
    levels = list_open_cards(cards, state)
    level = 0
    while 0 <= level < levels:
        card = manager_card(cards, state, search.card[level])
        take_steps(search, search.chosen[level], -card.open_steps)
        search.chosen[level] = next_choice(search, search.chosen[level], card.open_boxes, card.open_steps)
        take_steps(search, search.chosen[level], card.open_steps)
        if search.chosen[level] == 0:
            level -= 1
        elif rest_may_fit(cards, state, level + 1, levels):
            level += 1
    for used in range(levels):
        search.card[used] = 0
        search.chosen[used] = 0
    return level == levels


@jit
def list_open_cards(cards: Tables, state: State) -> int:
    """Write the cards with open boxes into the search, most steps per box first; returns how many there are."""
    search = state.search
    levels = 0
    for card in range(cards_face_up(state)):
        wanted = manager_card(cards, state, card)
        if wanted.open_boxes == 0:
            continue
        place = levels
        while place > 0 and manager_card(cards, state, search.card[place - 1]).open_steps < wanted.open_steps:
            search.card[place] = search.card[place - 1]
            place -= 1
        search.card[place] = card
        levels += 1
    return levels


@jit
def take_steps(search: Feasibility, stores: int, steps: int) -> None:
    """Move the markers of these stores (a bit mask) back by `steps`."""
    for store in range(NUM_STORES):
        if (stores >> store) & 1:
            search.room[store] -= steps


@jit
def next_choice(search: Feasibility, last: int, boxes: int, steps: int) -> int:
    """The next set of stores after `last` that fits; 0 if there is none."""
    for stores in range(last + 1, 1 << NUM_STORES):
        if fits(search, stores, boxes, steps):
            return stores
    return 0


@jit
def fits(search: Feasibility, stores: int, boxes: int, steps: int) -> bool:
    """Whether there are as many stores as boxes, each with room. Of tracks with equal room, the first goes first."""
    chosen = 0
    for store in range(NUM_STORES):
        if (stores >> store) & 1 == 0:
            continue
        if search.room[store] < steps:
            return False
        for earlier in range(store):
            if (stores >> earlier) & 1 == 0 and search.room[earlier] == search.room[store]:
                return False
        chosen += 1
    return chosen == boxes


@jit
def rest_may_fit(cards: Tables, state: State, first: int, levels: int) -> bool:
    """Prune the search: whether there is room for all steps, and for all boxes if each took the fewest steps."""
    if first == levels:
        return True
    search = state.search
    boxes = 0
    steps = 0
    for level in range(first, levels):
        card = manager_card(cards, state, search.card[level])
        boxes += card.open_boxes
        steps += card.open_boxes * card.open_steps
    fewest = manager_card(cards, state, search.card[levels - 1]).open_steps
    room = 0
    places = 0
    for store in range(NUM_STORES):
        room += search.room[store]
        places += search.room[store] // fewest
    return room >= steps and places >= boxes


@jit
def all_satisfied(cards: Tables, state: State) -> bool:
    """SOLO-8: the game is won if one assignment satisfies everything."""
    return (
        enough_money(state)
        and special_orders_completed(cards, state)
        and chocolate_orders_delivered(cards, state)
        and orders_satisfied(state)
        and tracks_satisfied(cards, state)
    )
