"""Express cards: which seats are asked for one, their possible targets, and their effects."""

from ....core.jit import jit
from ..constants import GONE, NONE, NUM_EXPRESS, WINDOW_A, WINDOW_B, WINDOW_C, Category, Event, Express, Task
from ..layout import Tables
from ..state import Player, State
from .payments import go_bankrupt, pay_bank, raise_cash
from .player_order import at_work, has_bit, number_of, players_left, seat_after, work_force
from .sale import hand_over

CARD_A, CARD_B, CARD_C = int(Task.CARD_A), int(Task.CARD_B), int(Task.CARD_C)  # plain numbers, for the compiler


@jit
def first_card(task: int) -> int:
    """XP-4: the first card of the window."""
    if task == Task.CARD_A:
        return WINDOW_A
    return WINDOW_B if task == Task.CARD_B else WINDOW_C


@jit
def end_of_cards(task: int) -> int:
    """XP-4: the end of the window's cards."""
    if task == Task.CARD_A:
        return WINDOW_B
    return WINDOW_C if task == Task.CARD_B else NUM_EXPRESS


@jit
def window_of(card: int) -> int:
    """The task in which the card is played."""
    if card < WINDOW_B:
        return CARD_A
    return CARD_B if card < WINDOW_C else CARD_C


@jit
def is_asked_for_card(cards: Tables, state: State, seat: int) -> bool:
    """XP-1, XP-2, XP-4: only a seat that holds a card it can play now is asked."""
    if state.month == 0 or state.players[seat].has_played:
        return False
    for card in range(first_card(state.task), end_of_cards(state.task)):
        if can_play(cards, state, seat, card):
            return True
    return False


@jit
def can_play(cards: Tables, state: State, seat: int, card: int) -> bool:
    """XP-3, XP-4: the seat holds the card, and the card has a target."""
    return bool(state.express[card] == seat) and number_of_targets(cards, state, seat, card) > 0


@jit
def number_of_targets(cards: Tables, state: State, seat: int, card: int) -> int:
    targets = 0
    for places in range(1, state.num_players):
        if can_strike(cards, state, seat, seat_after(state, seat, places), card):
            targets += 1
    return targets


@jit
def can_strike(cards: Tables, state: State, seat: int, struck: int, card: int) -> bool:
    """XP-3, XP-5: the target is another player, not bankrupt, not yet struck this month, and affected by the card."""
    player = state.players[struck]
    if player.out or player.struck_by != NONE:
        return False
    if card >= WINDOW_C:
        return can_strike_taker(state, seat, struck, card)
    if card >= WINDOW_B:
        return can_strike_sale(cards, player, card)
    if card == Express.LEVY or card == Express.HOLIDAY:  # XP-LEVY, XP-HOLIDAY
        return work_force(player) > 0
    if card == Express.ILLNESS:  # XP-ILL
        return at_work(player, Category.WORKER) > 0
    if card == Express.SLOW_SHIFT:  # XP-SLOW
        return bool(player.staff[Category.WORKER] > 0 and state.event_in_force != Event.SLOW_WORK)
    return True  # XP-GIFTS


@jit
def can_strike_sale(cards: Tables, player: Player, card: int) -> bool:
    """`can_strike` for the cards of window B."""
    if card == Express.THIRD_TO_BANK:  # XP-THIRD
        return bool(player.chocolate >= cards.express_amounts[card])
    if card == Express.BAR_EACH:  # XP-SHARE
        return bool(player.chocolate > 0)
    if card == Express.MISSED_MEETINGS:  # XP-MISS
        return at_work(player, Category.SALESMAN) > 0
    if card == Express.IDLE_BOOKS:  # XP-IDLE
        return at_work(player, Category.BOOKKEEPER) > 0
    return True  # XP-TAX


@jit
def can_strike_taker(state: State, seat: int, struck: int, card: int) -> bool:
    """XP-HAND: the player of the card was at the meeting. XP-HALF: nobody but the taker was."""
    if struck != state.taker or state.players[struck].num_contracts == 0:
        return False
    if card == Express.HAND_OVER:
        return has_bit(state.present, seat)
    return number_of(state.present) == 1


@jit
def only_target(cards: Tables, state: State, seat: int, card: int) -> int:
    """The only player whom the card can strike; NONE if there are several."""
    found = NONE
    for places in range(1, state.num_players):
        struck = seat_after(state, seat, places)
        if can_strike(cards, state, seat, struck, card):
            if found != NONE:
                return NONE
            found = struck
    return found


@jit
def carry_out(cards: Tables, state: State, seat: int, struck: int, card: int) -> None:
    """XP-5: the card leaves the game and takes effect. XP-HOLIDAY and XP-TAX change nothing by themselves."""
    player, amount = state.players[struck], int(cards.express_amounts[card])
    state.express[card] = GONE
    state.players[seat].has_played = 1
    player.struck_by = card
    if card == Express.LEVY:  # XP-LEVY, XP-6
        pay_bank(cards, state, struck, amount * work_force(player))
    elif card == Express.GIFTS:
        give(cards, state, struck, amount)
    elif card == Express.ILLNESS:  # XP-ILL
        player.absent[Category.WORKER] += amount
    elif card == Express.THIRD_TO_BANK:  # XP-THIRD
        player.chocolate -= player.chocolate // amount
    elif card == Express.BAR_EACH:
        give_bars(cards, state, struck)
    elif card == Express.MISSED_MEETINGS:  # XP-MISS
        player.marker = max(0, int(player.marker) - amount)
    elif card == Express.HAND_OVER:  # XP-HAND
        hand_over(cards, player, state.players[seat])
    elif card == Express.HALF_PRICE:  # XP-HALF
        player.prices[player.num_contracts - 1] //= amount


@jit
def give(cards: Tables, state: State, payer: int, amount: int) -> None:
    """XP-GIFTS, XP-6, PAY-3: pay the others in order, as far as the cash goes."""
    player = state.players[payer]
    due = amount * (players_left(state) - 1)
    raise_cash(cards, state, payer, due)
    short = player.cash < due
    for places in range(1, state.num_players):
        other = state.players[seat_after(state, payer, places)]
        if other.out == 0:
            gift = min(amount, int(player.cash))
            player.cash -= gift
            other.cash += gift
    if short:
        go_bankrupt(state, payer)


@jit
def give_bars(cards: Tables, state: State, giver: int) -> None:
    """XP-SHARE"""
    player = state.players[giver]
    for places in range(1, state.num_players):
        other = state.players[seat_after(state, giver, places)]
        if other.out == 0 and player.chocolate > 0 and other.chocolate < cards.chocolate_store:
            player.chocolate -= 1
            other.chocolate += 1


@jit
def can_send_on_holiday(state: State, seat: int, category: int) -> bool:
    """XP-HOLIDAY"""
    return at_work(state.players[seat], category) > 0


@jit
def send_on_holiday(cards: Tables, state: State, seat: int, category: int) -> None:
    """XP-HOLIDAY"""
    state.players[seat].absent[category] += int(cards.express_amounts[Express.HOLIDAY])
