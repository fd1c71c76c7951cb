"""How long games are, what payoffs say, and options."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from damaged_decks import write
from repository import ROOT
from schoko_decks import setup, shipped
from schoko_games import Position

import chocofactory_env as cf
from chocofactory_env.agents.flat_mc import FlatAgent
from chocofactory_env.core.jit import COMPILED
from chocofactory_env.games.schoko.actions import ACTIONS
from chocofactory_env.games.schoko.constants import Task
from chocofactory_env.games.schoko.words import MOMENTS


def longest_game() -> int:
    """Steps from a position that is made up for it: the longest contract alone comes up, in 15 meetings a month.

    All attend and refuse, and the chairman raises the price by one.
    """
    firms = Position(4, month=1, months=12, play_forced=False)
    cards = firms.game.cards
    by_range = sorted(range(len(cards.contracts)), key=lambda card: np.ptp(cards.record.contracts[card].tolist()[1:]))
    held = [(cards.contracts[card], int(cards.record.contracts[card]["lowest"])) for card in by_range[:-1]]
    for seat in range(4):
        firms.player(seat, cash=100_000, staff=(0, 4, 0, 0), chocolate=16, contracts=held[seat::4])
    game, state = firms.next_contracts(cards.contracts[by_range[-1]]).ask("look", 0).build()
    row, mask, steps = state[0], game.legal_mask(state), 0
    while row["task"] != Task.OVER:
        action = int(mask.argmax())  # attend, raise by one, make nothing
        if row["task"] in (Task.OFFER, Task.CARD_A, Task.CARD_B, Task.CARD_C):
            action = ACTIONS.first["pass"]
        elif row["task"] == Task.STAFF:
            action = ACTIONS.first["staff"] + int(row["players"][row["current"]]["staff"][row["category"]])
        game.advance(state, action, mask)
        steps += 1
    return steps


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="uncompiled it takes minutes")
def test_the_page_says_how_long_a_game_can_be() -> None:
    page = (ROOT / "docs" / "schoko" / "protocol.md").read_text("utf-8")
    bound = int(re.findall(r"every game ends within ([\d,]+) steps", page)[0].replace(",", ""))
    longest = longest_game()
    assert f"a game of {longest:,} steps" in page
    assert longest < bound


def test_the_moment_of_a_secret_names_nobody() -> None:
    """SEE-5"""
    words = {MOMENTS[task] for task in (Task.CARD_A, Task.CARD_B, Task.CARD_C, Task.TARGET, Task.HOLIDAY)}
    assert words == {"card window"}
    assert MOMENTS[Task.BID_BARS] == MOMENTS[Task.BID_PRICE]
    assert set(MOMENTS) == set(Task)


def test_payoffs_never_rate_a_bankrupt_seat_above_another_one() -> None:
    """END-3: neither in playouts, nor in what `flat_mc` makes of them."""
    game = cf.load("schoko", num_players=2)
    state = game.new(seed=1)
    ends = game.random_playouts(state, np.arange(100), player=0)
    winner = ends.ranking.argmin(axis=1)
    every = np.arange(100)
    assert (ends.scores[every, winner] < ends.scores[every, 1 - winner]).any()
    assert (ends.payoffs[every, winner] >= ends.payoffs[every, 1 - winner]).all()
    agent = FlatAgent(game, playouts=100)
    for won, lead in agent._tried(state, game.current_player(state), np.flatnonzero(game.legal_mask(state)).tolist()):
        assert (lead[won] >= 0).all()
        assert (lead[~won] <= 0).all()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_shaped_rewards_never_pay_for_going_bankrupt(players: int) -> None:
    """PAY-3, END-3"""
    game = cf.load("schoko", num_players=players)
    mask, bankruptcies = np.empty(game.num_actions, np.int8), 0
    for seed in range(10):
        state, rng = game.new(seed), np.random.default_rng(seed)
        game.write_mask(state, mask)
        while not game.is_over(state):
            before, out = game.standings(state), state["players"]["out"][0, :players].astype(bool)
            game.advance(state, int(rng.choice(np.flatnonzero(mask))), mask)
            gone = state["players"]["out"][0, :players].astype(bool)
            assert (game.standings(state)[gone & ~out] < before[gone & ~out]).all()
            assert (game.standings(state)[out] == before[out]).all()
            bankruptcies += int((gone & ~out).sum())
    assert bankruptcies > 5


@pytest.mark.parametrize(("loans", "loan"), [(13, 50), (4, 7), (0, 250)])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_seat_that_is_out_earns_as_the_page_says(tmp_path: Path, players: int, loans: int, loan: int) -> None:
    """SET-9: and no debt is worse."""
    page = (ROOT / "docs" / "rewards.md").read_text(encoding="utf-8")
    said = "-`loan` × (`loans` + P - n), a solvent seat its score, at least -`loan` × `loans`"
    assert said.replace("-", "\u2212") in " ".join(page.split())
    tables = shipped()
    setup(tables).update({"loans": loans, "loan": loan})
    game = cf.load("schoko", num_players=players, deck=write(tmp_path / "deck.toml", tables))
    state = game.new(seed=1)
    for seat in range(players - 1):
        state["players"]["out"][0, seat] = seat + 1
    assert game.payoffs(state)[:-1].tolist() == [-loan * (loans + players - n) for n in range(1, players)]
    for field, number in {"cash": 0, "shares": 0, "loans": loans}.items():
        state["players"][field][0, players - 1] = number
    assert game.payoffs(state)[-1] == -loan * loans


def test_searches_judge_ends_by_payoffs() -> None:
    """END-3: the best rival is the one in debt, not the bankrupt one with its 0."""
    firms = Position(3, month=9).player(0, cash=0, out=1).player(1, cash=0, loans=3)
    game, state = firms.player(2, cash=50).ask("money", 2).build()
    leads = game.turn_search(game.judge()).leads(state, deals=1, seed=0)
    assert leads[game.action_layout.first["pass"]] == 50 + 150
