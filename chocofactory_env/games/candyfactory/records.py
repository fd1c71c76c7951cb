"""Types of the records of this package, written by `python -m tools.records`."""

from __future__ import annotations

from ...core.rows import Array, Array2, Row


class Recipe(Row):
    sugar: int
    chocolate: int
    uses: int
    candies: int
    points: int
    tokens: int


class Turn(Row):
    card: int
    number: int
    way: int
    counter: int
    space: int
    left: int
    truck: int
    last: int
    open: Array[int]
    recipe: int
    uses: int
    recruited: int
    to_load: Array[int]
    surplus: int


class Cards(Row):
    abilities: Array2[int]
    outlet_coins: Array[int]
    places: Array[int]
    berths: Array[int]
    own: Array[int]
    recipes: Array[Recipe]
    numbers: Array[int]
    specialists: Array[int]
    lift: int
    turn: int
    sugar: int
    cacao: int
    coins: int
    pawns: int
    hand: int
    look: int
    open_recipes: Array[int]
    start_sugar: int
    start_cacao: int
    start_coins: int
    load: Array[int]
    short_specialists: int
    short_points: Array[int]


class CardRows(Row):
    abilities: Array2[int]
    recipes: Array2[int]
    trucks: Array[int]


class Seat(Row):
    coins: int
    whistle: int
    hand: Array[int]
    hand_size: int
    deck: Array[int]
    deck_size: int
    unplayed: Array[int]
    unknown: int
    played: Array[int]
    knows: Array[int]
    goods: Array2[int]
    stacks: Array2[int]
    free: Array[int]


class At(Row):
    half: int
    step: int
    to_move: int
    board: int
    die: int
    abilities: int
    supply: int
    specialist_deck: int
    known_specialists: int
    recipes: int
    trucks: int
    hand: int
    own_deck: int
    task_card: int
    task_number: int
    task_way: int
    task_space: int
    task_left: int
    task_truck: int
    task_last: int
    task_open: int
    task_recipe: int
    task_uses: int
    offer: int
    to_load: int
    surplus: int
    coins: int
    whistle: int
    hand_size: int
    deck_size: int
    unplayed: int
    unknown_specialists: int
    played_specialists: int
    goods: int
    stacks: int
    free: int


class Tables(Row):
    at: At
    rows: CardRows
    abilities: Array2[int]
    outlet_coins: Array[int]
    places: Array[int]
    berths: Array[int]
    own: Array[int]
    recipes: Array[Recipe]
    numbers: Array[int]
    specialists: Array[int]
    lift: int
    turn: int
    sugar: int
    cacao: int
    coins: int
    pawns: int
    hand: int
    look: int
    open_recipes: Array[int]
    start_sugar: int
    start_cacao: int
    start_coins: int
    load: Array[int]
    short_specialists: int
    short_points: Array[int]


class State(Row):
    num_players: int
    variant: int
    variety: int
    play_forced: int
    start_option: int
    seed: int
    rng: Array[int]
    half: int
    step: int
    current: int
    start_player: int
    turn: Turn
    board: Array[int]
    workers: int
    die: int
    supply: Array[int]
    recipes: Array[int]
    tokens: Array[int]
    seats: Array[Seat]
    specialists: Array[int]
    known_to: Array[int]
    specialists_left: int
    pool: Array[int]
