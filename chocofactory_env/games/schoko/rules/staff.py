"""Hiring and laying off, and the salaries."""

from ....core.jit import jit
from ..constants import NUM_CATEGORIES, Category, Event
from ..layout import Tables
from ..state import Player, State
from .payments import go_bankrupt, raise_cash
from .player_order import largest_other, others_have_loans, work_force


@jit
def half_salaries(cards: Tables, player: Player, first: int) -> int:
    """The cost of laying off everyone in the categories from `first` on (STAFF-5)."""
    cost = 0
    for category in range(first, NUM_CATEGORIES):
        cost += int(player.staff[category]) * (int(cards.salaries[category]) // 2)
    return cost


@jit
def cost_of(cards: Tables, player: Player, category: int, number: int) -> int:
    """STAFF-5: salaries, and severance for those laid off."""
    salary = int(cards.salaries[category])
    return number * salary + max(0, int(player.staff_before[category]) - number) * (salary // 2)


@jit
def begin_staff(cards: Tables, state: State, seat: int) -> bool:
    """STAFF-8: raise the cash to lay off everyone, or go bankrupt. Returns whether there is a decision."""
    player = state.players[seat]
    least = half_salaries(cards, player, 0)
    raise_cash(cards, state, seat, least)
    if player.cash < least:
        go_bankrupt(state, seat)
    return bool(player.out == 0)


@jit
def most_staff(cards: Tables, state: State, seat: int) -> int:
    """STAFF-2 to STAFF-4, STAFF-6 to STAFF-8: the largest number of the category under way; smaller ones are legal."""
    player, category = state.players[seat], int(state.category)
    before = int(player.staff_before[category])
    most = before + max(0, min(int(cards.most_hired), int(state.box[category])))
    if category == Category.BOOKKEEPER and state.event_in_force == Event.NO_BOOKKEEPERS:
        most = before  # STAFF-7
    left = int(player.cash) - half_salaries(cards, player, category + 1)
    for decided in range(category):
        left -= cost_of(cards, player, decided, int(player.staff[decided]))
    while most > 0 and cost_of(cards, player, category, most) > left:  # STAFF-6
        most -= 1
    return most


@jit
def employ(state: State, seat: int, number: int) -> None:
    """STAFF-3, STAFF-4: the box changes at once."""
    player, category = state.players[seat], state.category
    state.box[category] -= number - int(player.staff[category])
    player.staff[category] = number


@jit
def left_to_trim(state: State, seat: int) -> int:
    """LOAN-5, LOAN-6, PAY-2: the number of employees that the player has to lay off, usually 0."""
    if state.players[seat].loans == 0 or others_have_loans(state, seat):
        return 0
    return max(0, work_force(state.players[seat]) - largest_other(state, seat))


@jit
def can_trim(state: State, seat: int, category: int) -> bool:
    """LOAN-5: categories in order, and enough left in this one and those after it."""
    player = state.players[seat]
    if category < state.category or player.staff[category] == 0:
        return False
    there = 0
    for later in range(category, NUM_CATEGORIES):
        there += int(player.staff[later])
    return there >= left_to_trim(state, seat)


@jit
def trim(state: State, seat: int, category: int) -> None:
    """LOAN-5"""
    state.category = category
    state.players[seat].staff[category] -= 1
    state.box[category] += 1


@jit
def pay_salaries(cards: Tables, state: State) -> None:
    """STAFF-5, STAFF-6: nobody falls short. EV-4 needs the salaries without severance."""
    for seat in range(state.num_players):
        player = state.players[seat]
        cost, salaries = 0, 0
        for category in range(NUM_CATEGORIES):
            number = int(player.staff[category])
            cost += cost_of(cards, player, category, number)
            salaries += number * int(cards.salaries[category])
        player.cash -= cost
        player.salaries = salaries
