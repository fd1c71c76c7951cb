"""Types of the records of this package, written by `python -m tools.records`."""

from __future__ import annotations

import numpy as np

from ...core.rows import Array, Array2, Row


class Employee(Row):
    store: int
    effect: int
    amount: int
    uses: int
    count: int


class Option(Row):
    num_takes: int
    takes: Array[int]
    num_makes: int
    makes: Array[int]


class Stage(Row):
    pieces: Array[int]
    number: int
    pay: int


class PlannedDay(Row):
    key: int
    value: float


class OrderRow(Row):
    pieces: Array[int]
    pay: Array[int]


class Turn(Row):
    next: int
    best: int
    lead: Array[float]
    part: int
    employee: int


class Requirements(Row):
    money: int
    orders: Array[int]
    steps: Array[int]


class Part(Row):
    deck: int
    function: int
    cost: int
    amount: int
    num_options: int
    options: Array[Option]


class Order(Row):
    deck: int
    num_stages: int
    stages: Array[Stage]


class Delivery(Row):
    kinds: int
    pattern: int
    number: int
    per: int
    spaces: Array[int]
    set_pieces: Array[int]
    first_of_set: Array[int]
    most_of_a_set: int
    most_pieces: int
    by_number: Array[int]


class Move(Row):
    parent: int
    number: int
    actions: Array[int]


class UnderWay(Row):
    kind: int
    slot: int
    tile: int
    option: int
    order: int
    store: int
    rule_of: int
    card: int
    points: int
    last_take: int
    last_make: int
    left: int
    count: int
    open: Array[int]
    given: Array[int]


class Node(Row):
    value: float
    key: int
    parent: int
    number: int
    actions: Array[int]


class Feasibility(Row):
    room: Array[int]
    card: Array[int]
    chosen: Array[int]


class ManagerCard(Row):
    money: int
    orders: Array[int]
    steps: Array[int]
    open_boxes: int
    open_steps: int
    order: Delivery
    special: Array[int]


class OrderDeck(Row):
    cards: Array[int]
    top: int
    count: int
    returned: int


class Search(Row):
    counts: Array[int]
    moves: int
    tried: int
    best: float
    best_parent: int
    best_number: int
    best_actions: Array[int]


class Player(Row):
    coal: int
    money: int
    earned_today: int
    pieces: Array2[int]
    factory: Array[int]
    operated: Array[int]
    assigned: int
    part_drafted: int
    employee: int
    uses: int
    orders: Array[int]
    stage: Array[int]
    completed: Array[int]
    special_completed: int
    to_replace: int
    pile: int
    track: Array[int]
    arrival: Array[int]
    supplied: Array[int]


class RareRows(Row):
    new_rules: np.ndarray
    targets: Array2[int]
    demands: Array2[int]


class State(Row):
    num_players: int
    variant: int
    play_forced: int
    simultaneous: int
    difficulty: int
    only_completed: int
    start_option: int
    side_options: Array[int]
    seed: int
    rng: Array[int]
    day: int
    phase: int
    start_player: int
    turn: int
    current: int
    shift: int
    marker_moves: int
    task: UnderWay
    finished: int
    shifts: Array[int]
    tasks: Array[UnderWay]
    players: Array[Player]
    sides: Array[int]
    display_parts: Array[int]
    part_packets: Array[int]
    display_employees: Array[int]
    employee_packets: Array[int]
    offer: Array[int]
    part_deck: Array[int]
    employee_decks: Array2[int]
    mix: Array2[int]
    order_decks: Array[OrderDeck]
    target: int
    demands: Array[int]
    num_demands: int
    face_up: int
    delivered: Array[int]
    paid: Array[int]
    needed: Requirements
    search: Feasibility


class Prices(Row):
    of_room: Array2[float]
    of_belt: Array2[float]
    later: Array2[float]
    result: float
    offers: Array2[float]
    steps: Array[float]
    features: Array[float]


class CardRows(Row):
    parts: Array2[int]
    orders: Array[OrderRow]
    rules: np.ndarray


class Value(Row):
    constant: Array[float]
    weights: Array2[float]


class Weights(Row):
    piece_value: Array[float]
    unwanted: float
    later_stage: float
    wanted: float
    space: float
    tomorrow: float
    belt: float
    coal: float
    copied: float
    pair: float
    beans: float
    kept: float
    open_stage: float
    new_order: float
    variety: Array[float]
    race: float
    race_a_day: float
    won: float
    pound_missing: float
    spare_pound: float
    spare_money: float
    order_missing: float
    spare_order: float
    chocolate_order: float
    step_missing: float
    spare_step: float
    spare_steps: float
    learned: int
    value: Value
    lead: int
    foresight: int


class Cards(Row):
    employees: Array[Employee]
    parts: Array[Part]
    stores: Array2[Delivery]
    orders: Array[Order]
    coal: Array[int]
    packets: Array2[int]
    store_prizes: Array[int]
    most_orders_prize: int
    variety_prizes: Array[int]
    kept_pieces: Array[int]
    expanded: int
    part_deck_size: int
    employee_decks: int
    employee_packets: Array2[int]
    num_sides: int
    least_new_sides: int
    most_money_sides: int
    targets: Array[ManagerCard]
    demands: Array[ManagerCard]
    num_parts: int
    num_orders: int
    num_employees: int
    num_targets: int
    num_demands: int


class At(Row):
    day: int
    phase: int
    shift: int
    to_move: int
    start_player: int
    drafted: int
    task: int
    task_part: int
    task_slot: int
    task_tile: int
    task_order: int
    task_store: int
    task_points: int
    task_left: int
    task_last: int
    task_open: int
    task_given: int
    display_parts: int
    part_packets: int
    display_employees: int
    employee_packets: int
    operated: int
    assigned: int
    factories: int
    belts: int
    store_rooms: int
    coal: int
    money: int
    orders: int
    order_pay: int
    order_stage: int
    completed: int
    tracks: int
    arrivals: int
    supplied: int
    employees: int
    store_rules: int
    offer: int
    offer_pay: int
    order_decks: int
    money_needed: int
    orders_needed: int
    steps_needed: int
    open_boxes: int
    chocolate_orders: int
    satisfied: int
    task_borrow: int
    task_rule_of: int
    extra_employee: int
    extra_packet: int
    earned_today: int
    new_rules: int
    only_completed: int
    order_paid: int
    shifts: int
    operated_by: int
    assigned_to: int


class Tables(Row):
    at: At
    rows: CardRows
    employees: Array[Employee]
    parts: Array[Part]
    stores: Array2[Delivery]
    orders: Array[Order]
    coal: Array[int]
    packets: Array2[int]
    store_prizes: Array[int]
    most_orders_prize: int
    variety_prizes: Array[int]
    kept_pieces: Array[int]
    expanded: int
    part_deck_size: int
    employee_decks: int
    employee_packets: Array2[int]
    num_sides: int
    least_new_sides: int
    most_money_sides: int
    targets: Array[ManagerCard]
    demands: Array[ManagerCard]
    num_parts: int
    num_orders: int
    num_employees: int
    num_targets: int
    num_demands: int
    rare_rows: RareRows
