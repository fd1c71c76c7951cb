"""The agent `expert`: shipped values for every table, and a draft that is thought through."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from chocofactory_games import Position, load

import chocofactory_env as cf
from chocofactory_env.agents.chocofactory import expert, shipped_value
from chocofactory_env.agents.chocofactory.draft import last_draft
from chocofactory_env.agents.chocofactory.expert import ExpertAgent
from chocofactory_env.agents.chocofactory.planner import SeatPlan
from chocofactory_env.agents.protocol import decide, make_agent, sources_of
from chocofactory_env.agents.values import about_value, read_value
from chocofactory_env.core.jit import COMPILED
from chocofactory_env.games.chocofactory.vocabulary import (
    NUM_DAYS,
    Draft,
    Phase,
    day_of,
    display_of,
    phase_of,
    shift_of,
)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_a_value_is_shipped_for_every_number_of_players(players: int) -> None:
    game = load(num_players=players)
    path = shipped_value(players)
    value = read_value(path, game.name, game.value_features, game.value_stages)
    assert np.isfinite(value.weights).all()
    assert value.weights.any()
    about = about_value(path)
    assert about["deck"] == game.deck_hash
    assert about["rules"] == game.rules_version
    assert about["config"]["players"] == players


@pytest.mark.parametrize(("players", "first"), [(2, "supply salters_emporium"), (3, "fulfil order 0")])
def test_with_two_players_it_plays_for_the_lead(players: int, first: str) -> None:
    """END-3: an order brings £8. So does overtaking at the store, which also takes £8 from the other seat."""
    position = Position(num_players=players, sides="A").phase("fulfil", current=1, day=6)
    position.player(0, tracks={"salters_emporium": 2})
    position.player(1, tracks={"salters_emporium": 2}, employee="expert-miner")
    position.player(1, store_room={"caramel": 1, "nuts": 1}, orders=[("grand-hotel", 1)])
    game, state = position.build()
    agent = ExpertAgent(game, width=4)
    assert game.describe(agent.choose(state, 1)) == first
    value = agent.consider(state, 1).value
    assert value is not None
    assert value[0] == {2: "pounds ahead at the end of the day", 3: "pounds at the end of the day"}[players]


@pytest.mark.parametrize("mode", ["turns", "simultaneous"])
def test_where_seats_act_at_once_an_earlier_plan_for_the_lead_does_not_count(
    mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SIM-1: the other seat has moved since, so the leads that the two plans promise cannot be compared."""
    game = load(num_players=2, mode=mode)
    state = game.new(seed=0)
    while shift_of(state) < 2 or game.legal_mask(state).sum() < 2:
        game.apply(state, int(game.legal_mask(state).argmax()))
    seat, (earlier, later) = game.current_player(state), np.flatnonzero(game.legal_mask(state))[:2].tolist()
    agent = ExpertAgent(game, width=1)
    monkeypatch.setattr(agent, "_plans", {seat: SeatPlan([earlier], 10.0, (day_of(state), Phase.RUN, 1))})
    monkeypatch.setattr(agent, "_best_plan", lambda *position: SeatPlan([later], 5.0))
    assert agent.choose(state, seat) == (earlier if mode == "turns" else later)


@pytest.mark.skipif(not COMPILED, reason="plays whole games")
@pytest.mark.parametrize("players", [1, 2])
def test_with_a_network_learned_decides_after_the_orders(players: int) -> None:
    pytest.importorskip("torch")
    game = load(num_players=players)
    plain, helped = (make_agent(f"expert:width=4,draft_width=1{more}", game) for more in ("", ",network=true"))
    learned, differ = make_agent("learned", game), 0
    for seed in range(3):
        state = game.new(seed)
        while not game.is_over(state):
            chosen = decide(game, helped, state)
            if phase_of(state) in (Phase.CLEANUP, Phase.REPLACE):
                assert chosen == decide(game, learned, state)
                differ += chosen != decide(game, plain, state)
            game.apply(state, chosen)
    assert differ > 0
    sources = sources_of(["expert", "expert:network=true"], make_agent, game)["sources"]
    assert sources["expert"] != sources["expert:network=true"]


@pytest.mark.skipif(not COMPILED, reason="plays whole games")
@pytest.mark.parametrize("players", [1, 2])
def test_with_a_network_learned_has_a_say_in_the_draft(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """If only the network's probabilities counted, the first card taken would be its likeliest of a sort."""
    pytest.importorskip("torch")
    monkeypatch.setattr(expert, "LIKING", 1e4)
    game, seen = load(num_players=players), 0
    agent, learned = (make_agent(text, game) for text in ("expert:width=2,draft_width=1,network=true", "learned"))
    state = game.new(5)
    while not game.is_over(state):
        chosen, player = decide(game, agent, state), game.current_player(state)
        if game.decode(chosen)[0].startswith("draft_") and day_of(state) < NUM_DAYS:
            chances = cf.consider(game, learned, state).columns["probability"]
            alike = [action for action in chances if game.decode(action)[0] == game.decode(chosen)[0]]
            assert chosen == max(alike, key=chances.__getitem__), player
            seen += 1
        game.apply(state, chosen)
    assert seen == 10 * players


def widths_planned(game: Any, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The widths of the game's planners from now on."""
    widths: list[int] = []
    planner = game.planner

    def noted(width: int, weights: np.ndarray) -> Any:
        widths.append(width)
        return planner(width, weights)

    monkeypatch.setattr(game, "planner", noted)
    return widths


def test_with_a_time_plans_are_made_wider_while_there_is_time(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load(num_players=1)
    widths = widths_planned(game, monkeypatch)
    hurried = ExpertAgent(game, time_s=1e-6)
    hurried.choose(game.new(1), 0)
    assert widths == [4, 2]
    widths.clear()
    patient = ExpertAgent(game, time_s=1e6)
    patient.choose(game.new(1), 0)
    assert widths == [4, 2, 8, 16, 32, 64, 128]


class _Plans:
    """A planner that finds one draft better with each doubling of the width, and counts the plans."""

    def __init__(self, width: int, tried: list[tuple[int, Draft]]) -> None:
        self._width = width
        self._tried = tried

    def values_with(self, state: Any, seat: int, drafts: list[Draft]) -> list[float]:
        self._tried += [(self._width, draft) for draft in drafts]
        return [float(self._width * draft.employee) for draft in drafts]


@pytest.mark.parametrize(("won", "last"), [(np.inf, 8), (4.0, 2)])
def test_the_last_draft_tries_the_better_half_again_until_a_day_wins(won: float, last: int) -> None:
    """SOLO-8: nothing counts after the last day but having won."""
    game = load(num_players=1)
    state = game.new(1)
    for verb in ("draft_part", "place_part"):
        legal = np.flatnonzero(game.legal_mask(state)).tolist()
        game.apply(state, next(action for action in legal if game.decode(action)[0] == verb))
    employees = display_of(state)[1]
    tried: list[tuple[int, Draft]] = []
    card = last_draft(lambda width: _Plans(width, tried), [1, 2, 4, 8], state, 0, won)
    assert card == Draft(employee=max(employees))
    numbers = [sum(width == each for each, _ in tried) for width in (1, 2, 4, 8)]
    assert numbers[0] == len(employees)
    assert [number > 0 for number in numbers] == [width <= last for width in (1, 2, 4, 8)]
    assert all(after == (before + 1) // 2 for before, after in pairwise(numbers) if after)


@pytest.mark.skipif(not COMPILED, reason="plays whole games")
def test_on_the_last_day_alone_plans_are_made_wider_until_one_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load(num_players=1, difficulty=3)
    widths = widths_planned(game, monkeypatch)
    helper, ends = make_agent("solo:width=4", load(num_players=1, difficulty=3)), set()
    for seed in range(4):
        state = game.new(seed)
        while not game.is_over(state):
            if phase_of(state) == Phase.RUN and day_of(state) >= NUM_DAYS - 1:
                widths.clear()
                expert = ExpertAgent(game, width=2, draft_width=1)
                expert.advise(state, 0)
                tried = list(widths)
                found = expert.consider(state, 0).value
                assert found is not None
                won = bool(found[1] >= game.evaluation_weights()["won"][0])
                assert tried == [2, 4, 8, 16, 32][: len(tried)]
                if day_of(state) < NUM_DAYS or not won:
                    assert len(tried) == (5 if day_of(state) == NUM_DAYS else 1)
                ends.add((day_of(state), won))
            game.apply(state, decide(game, helper, state))
    assert ends == {(NUM_DAYS - 1, False), (NUM_DAYS, False), (NUM_DAYS, True)}
