"""Sales meetings, and the office that handles their contracts."""

from ....core.jit import jit
from ....core.kernel.rng import shuffle
from ..constants import MAX_CONTRACTS, MAX_RAISE, NONE, Category, Express
from ..layout import Tables
from ..state import Player, State
from .player_order import at_work, has_bit, number_of, with_bit


@jit
def set_markers(cards: Tables, state: State) -> None:
    """SALE-1, SALE-2: set the markers before window B, where XP-MISS may change them."""
    most = 0
    for seat in range(state.num_players):
        meetings = meetings_of(cards, state, seat)
        state.players[seat].marker = meetings
        most = max(most, meetings)
    state.meetings_left = most


@jit
def meetings_of(cards: Tables, state: State, seat: int) -> int:
    """SALE-2: the meetings that the seat's salesmen can attend in a month."""
    return min(int(cards.last_field), int(state.num_players) * at_work(state.players[seat], Category.SALESMAN))


@jit
def open_meeting(cards: Tables, state: State) -> bool:
    """SALE-3: turn up a contract. Seats that gain nothing by staying away come (SALE-4). False: none (SALE-10)."""
    if state.meetings_left <= 0 or not anyone_has_chocolate(state) or not draw_contract(cards, state):
        return False
    for seat in range(state.num_players):
        if may_attend(cards, state, seat) and state.players[seat].marker >= state.meetings_left:
            attend(state, seat)
    return True


@jit
def anyone_has_chocolate(state: State) -> bool:
    """SALE-10"""
    for seat in range(state.num_players):
        if state.players[seat].chocolate > 0:
            return True
    return False


@jit
def draw_contract(cards: Tables, state: State) -> bool:
    """SALE-3, SALE-11: returns False if there is no contract."""
    if state.contracts_left == 0:
        renew_contracts(cards, state)
        if state.contracts_left == 0:
            return False
    state.contracts_left -= 1
    state.offer = state.contracts[state.contracts_left]
    state.contracts[state.contracts_left] = NONE
    return bool(state.offer != NONE)


@jit
def renew_contracts(cards: Tables, state: State) -> None:
    """SALE-11: shuffle the held-back contracts, which are all that no player has."""
    taken = 0
    for seat in range(state.num_players):
        player = state.players[seat]
        for place in range(player.num_contracts):
            if player.contracts[place] != NONE:
                taken |= 1 << int(player.contracts[place])
    left = 0
    for card in range(cards.num_contracts):
        if (taken >> card) & 1 == 0:
            state.contracts[left] = card
            left += 1
    state.contracts_left = left
    shuffle(state.rng, state.contracts, 0, left)


@jit
def may_attend(cards: Tables, state: State, seat: int) -> bool:
    """SALE-4, SALE-9"""
    player = state.players[seat]
    return bool(player.marker > 0 and player.chocolate >= cards.contracts[state.offer].bars)


@jit
def is_asked_to_attend(cards: Tables, state: State, seat: int) -> bool:
    """SALE-4: whether the seat may attend and does not come unasked."""
    return bool(may_attend(cards, state, seat) and not has_bit(state.present, seat))


@jit
def attend(state: State, seat: int) -> None:
    """SALE-5"""
    state.present = with_bit(state.present, seat)
    state.players[seat].marker -= 1


@jit
def set_first_price(cards: Tables, state: State) -> None:
    """SALE-6; SALE-8: the highest price if only one seat can take it."""
    contract = cards.contracts[state.offer]
    state.price = contract.highest if number_of(state.present) == 1 else contract.lowest


@jit
def most_raise(cards: Tables, state: State) -> int:
    """SALE-7"""
    if state.offer == NONE:
        return 0  # only in a position that play cannot reach
    return min(MAX_RAISE, int(cards.contracts[state.offer].highest) - int(state.price))


@jit
def raise_price(state: State, number: int) -> None:
    """SALE-7: raise the price, and ask all again."""
    state.price += number
    state.refused = 0


@jit
def refuse(state: State, seat: int) -> None:
    """SALE-6"""
    state.refused = with_bit(state.refused, seat)


@jit
def accept(cards: Tables, state: State, seat: int) -> None:
    """SALE-9. `present` is kept until the meeting is closed."""
    deliver(cards, state.players[seat], int(state.offer), int(state.price))
    state.offer = NONE
    state.price = 0
    state.refused = 0
    state.taker = seat


@jit
def deliver(cards: Tables, player: Player, contract: int, price: int) -> None:
    """SALE-9: bars go to the bank; the contract and its money go behind the player's others.

    There is a place for it in every position that play can reach.
    """
    if player.num_contracts == MAX_CONTRACTS:
        return
    player.chocolate -= cards.contracts[contract].bars
    player.contracts[player.num_contracts] = contract
    player.prices[player.num_contracts] = price
    player.num_contracts += 1
    player.gained += 1


@jit
def hand_over(cards: Tables, giver: Player, receiver: Player) -> None:
    """XP-HAND. A contract given away does not count as gained (SALE-12)."""
    giver.num_contracts -= 1
    last = int(giver.num_contracts)
    contract, price = int(giver.contracts[last]), int(giver.prices[last])
    giver.contracts[last] = NONE
    giver.prices[last] = 0
    giver.chocolate += cards.contracts[contract].bars
    giver.gained -= 1
    deliver(cards, receiver, contract, price)


@jit
def close_meeting(state: State) -> None:
    """SALE-7: hold back a contract that nobody took; the meeting counts all the same."""
    state.offer = NONE
    state.price = 0
    state.present = 0
    state.refused = 0
    state.taker = NONE
    state.meetings_left -= 1


@jit
def clear_markers(state: State) -> None:
    state.meetings_left = 0
    for seat in range(state.num_players):
        state.players[seat].marker = 0


@jit
def most_bank_bars(cards: Tables, player: Player) -> int:
    """SALE-12"""
    return max(0, min(int(cards.bank_bars), int(player.chocolate)))


@jit
def sell_to_bank(cards: Tables, player: Player, bars: int) -> None:
    """SALE-12"""
    player.chocolate -= bars
    player.cash += bars * cards.bank_price


@jit
def process_contracts(cards: Tables, player: Player) -> None:
    """OFFICE-1 to OFFICE-4: handle one player's contracts; no other player is affected."""
    player.num_booked = min(int(player.num_contracts), int(player.num_booked) + handled(cards, player))
    paid = min(int(player.num_booked), paid_out(cards, player))
    for place in range(paid):
        player.cash += player.prices[place]
    remove_oldest(player, paid)


@jit
def handled(cards: Tables, player: Player) -> int:
    """OFFICE-2: contracts that the secretaries bring to the bookkeepers in a month."""
    return at_work(player, Category.SECRETARY) * int(cards.contracts_a_secretary)


@jit
def paid_out(cards: Tables, player: Player) -> int:
    """OFFICE-3: contracts that the bookkeepers pay out in a month."""
    each = int(cards.contracts_a_bookkeeper)
    if player.struck_by == Express.IDLE_BOOKS:
        each = min(each, int(cards.express_amounts[Express.IDLE_BOOKS]))
    return at_work(player, Category.BOOKKEEPER) * each


@jit
def remove_oldest(player: Player, number: int) -> None:
    """OFFICE-3, EV-1: hold back the oldest contracts; all others keep their order (OFFICE-4)."""
    if number == 0:
        return
    left = max(0, int(player.num_contracts) - number)
    for place in range(left):
        player.contracts[place] = player.contracts[place + number]
        player.prices[place] = player.prices[place + number]
    for place in range(left, min(MAX_CONTRACTS, left + number)):
        player.contracts[place] = NONE
        player.prices[place] = 0
    player.num_contracts = left
    player.num_booked -= min(number, int(player.num_booked))
