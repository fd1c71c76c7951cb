"""Agents by name: all of them play with other cards and from any position, and refuse what they do not play.

`CF_AGENT_POSITIONS` says from how many positions of every variant the quick agents play (default 120); the others play
from a part of them. For thousands of each:

    CF_AGENT_POSITIONS=5000 python -m pytest tests/agents/test_agents.py -k from_any_position -n 4
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chocofactory_decks import order, write_deck
from chocofactory_games import VARIANTS, Position, in_a_move, load, play, steps, variant_name
from long_runs import amount

import chocofactory_env as cf
from chocofactory_env.agents.any_game import AGENTS
from chocofactory_env.agents.mcts import TreeAgent
from chocofactory_env.agents.protocol import agents_of, decide, make_agent, reset
from chocofactory_env.arena.games import Entrant, play_game
from toyrace.game import ToyRace

POSITIONS = amount("CF_AGENT_POSITIONS", 120, 5_000)
# Of every so many positions an agent plays from one.
QUICK = {"random": 1, "greedy": 1}
SLOW = {
    "planner:width=2": 5,
    "solo:width=3": 5,
    "learned": 5,
    "expert:width=2,draft_width=1": 5,
    "flat_mc:playouts=1": 10,
    "ismcts:simulations=3": 10,
    "mcts:simulations=3,learned=true": 10,
}
STRIDE = 7  # steps of a random game between two positions
MOST_DECISIONS = 30  # with which an agent plays on from a position


def random_positions(game: Any) -> Iterator[np.ndarray]:
    """Positions of random games of all seats, in the middle of moves too, without end."""
    for seed in count():
        for step, (state, action) in enumerate(steps(game, seed)):
            if action >= 0 and step % STRIDE == seed % STRIDE:
                yield state


@pytest.mark.parametrize("text", [*QUICK, *SLOW])
@pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
@pytest.mark.long
def test_every_agent_plays_on_from_any_position(text: str, options: dict[str, Any]) -> None:
    """To the end of the move at least; `apply` refuses what is not legal."""
    name = text.partition(":")[0]
    if name == "solo" and options["num_players"] > 1:
        with pytest.raises(ValueError, match="plays the solo game"):
            make_agent(text, load(**options))
        return
    game = load(**options)
    agent = make_agent(text, game)
    every = {**QUICK, **SLOW}[text]
    for number, position in enumerate(islice(random_positions(game), 0, POSITIONS, every)):
        state = game.clone(position)
        reset(agent, number)
        for _ in range(MOST_DECISIONS):
            game.apply(state, decide(game, agent, state))
            if game.is_over(state) or not in_a_move(game.to_dict(state)):
                break


def test_the_agents_that_play_on_from_any_position_are_all() -> None:
    assert {text.partition(":")[0] for text in (*QUICK, *SLOW)} == set(agents_of("chocofactory")) - {
        "llm"
    }  # test_llm.py


@pytest.mark.parametrize("name", ["chocofactory", "candyfactory", "schoko"])
def test_every_agent_travels_to_another_process(name: str) -> None:
    """Without the addresses of its game's arrays."""
    for agent in agents_of(name):
        game = cf.load(name, num_players=1) if agent == "solo" else cf.load(name)
        text = "llm:model=any,url=http://localhost" if agent == "llm" else agent
        game.new(1)
        assert type(pickle.loads(pickle.dumps(make_agent(text, game)))) is type(make_agent(text, game)), agent


@pytest.mark.parametrize(
    ("employee", "moves"),
    [
        ("operator", ("use employee", "tile 1")),
        ("expert-operator", ("use employee", "tile 3")),
        ("technician", ("assign slot 2", "operate slot 2", "tile 1")),
    ],
)
def test_greedy_goes_on_with_a_move_that_brings_nothing(employee: str, moves: tuple[str, ...]) -> None:
    """A tile was chosen for it on which there are several kinds of pieces, and none that is needed."""
    belt = {tile: {"bean": 1, "cocoa": 2} for tile in (1, 3)}
    position = Position(num_players=2).phase("run", day=2).player(0, employee=employee, belt=belt, coal=5)
    game, state = position.build()
    play(game, state, *moves)
    assert game.describe(decide(game, make_agent("greedy", game), state)) == "take bean"


@pytest.mark.parametrize(
    "text",
    [
        "greedy",
        "planner:width=4",
        "expert:width=2,draft_width=1",
        "mcts:simulations=10",
        "flat_mc:playouts=1",
        "random",
    ],
)
@pytest.mark.parametrize("players", [1, 2, 4])
def test_agents_play_with_other_cards(text: str, players: int, tmp_path: Path) -> None:
    deck = write_deck(tmp_path / "deck.toml", orders=[order("own", ({"boxed": 1, "nuts": 1}, 9), ({"fingers": 4}, 14))])
    game = load(num_players=players, deck=str(deck))
    assert game.deck_hash != load(num_players=players).deck_hash
    entrants = [Entrant(text, make_agent(text, game)) for _ in range(players)]
    assert sum(play_game(game, entrants, seed=1).decisions) > 50 * players


def test_solo_is_planner_in_the_solo_game() -> None:
    game = load(num_players=1)
    solo, planner = (play_game(game, [Entrant(name, make_agent(name, game))], seed=2) for name in ("solo", "planner"))
    assert (solo.scores, solo.decisions) == (planner.scores, planner.decisions)


def test_learned_refuses_a_game_for_which_the_shipped_network_was_not_trained() -> None:
    game = load(num_players=1, difficulty=4)
    trained = (
        r"solo.safetensors: trained for num_players 1; sides A, random; difficulty 0, 1, 2, 3; expansion None, .*; "
    )
    with pytest.raises(ValueError, match=trained + "it does not fit chocofactory .* have more blocks, or longer"):
        make_agent("learned", game)


# --- any game


def test_a_game_without_a_folder_of_its_own_has_the_agents_that_play_any_game() -> None:
    assert set(agents_of("toyrace")) == set(AGENTS) == {"random", "flat_mc", "mcts", "learned", "llm"}
    for name in ("networks", "protocol", "../chocofactory", "no such game"):  # a folder, a module, no names at all
        assert agents_of(name) == agents_of("toyrace")
    with pytest.raises(
        ValueError, match=r"unknown agent 'planner'; there are: flat_mc, learned, llm, mcts, random, and"
    ):
        make_agent("planner", ToyRace())
    with pytest.raises(
        ValueError, match=r"there are: expert, flat_mc, greedy, ismcts, learned, llm, mcts, planner, random, solo"
    ):
        make_agent("nobody", load(num_players=2))


def test_an_unknown_agent_is_refused_with_the_one_that_it_resembles() -> None:
    with pytest.raises(ValueError, match=r"^unknown agent 'Gredy' \(did you mean 'greedy'\?\); there are: "):
        make_agent("Gredy", load(num_players=2))


@pytest.mark.parametrize(
    ("text", "game", "said"),
    [
        (ToyRace(), "random", "an agent's name, got ToyRace.num_players=2"),
        (None, ToyRace(), "an agent's name, got None"),
        ("random", "toyrace", "a game, as .* makes one, got 'toyrace'"),
        ("random", ToyRace, "a game, as .* makes one, got <class"),
    ],
    ids=["swapped", "no name", "name of a game", "class"],
)
def test_an_agent_is_made_of_a_name_and_a_game(text: Any, game: Any, said: str) -> None:
    with pytest.raises(TypeError, match=rf"^make_agent\(text, game\): expected {said}"):
        make_agent(text, game)


@pytest.mark.parametrize(
    ("game", "agent", "said"),
    [
        (ToyRace(), "random", "agent: expected an agent and not its name: .*, got 'random'"),
        (ToyRace(), TreeAgent, "agent: expected an agent and not a class, got <class"),
        (ToyRace(), None, "agent: expected a callable .*, got None"),
        (make_agent("random", ToyRace()), ToyRace(), "game: expected a game, as .* makes one, got "),
        (ToyRace, ToyRace(), "game: expected a game, as .* makes one, got "),
    ],
)
@pytest.mark.parametrize("ask", [cf.decide, cf.consider])
def test_what_is_no_agent_or_no_game_decides_nothing(ask: Any, game: Any, agent: Any, said: str) -> None:
    with pytest.raises(TypeError, match=f"^{said}"):
        ask(game, agent, ToyRace().new(1))


@pytest.mark.parametrize("ask", [cf.decide, cf.consider])
@pytest.mark.parametrize("name", ["random", "mcts"])
def test_nobody_decides_when_the_game_is_over(ask: Any, name: str) -> None:
    game = ToyRace()
    agent, end = make_agent(name, game), game.random_playout(game.new(1), 1)
    with pytest.raises(ValueError, match=r"^state: expected a decision of a seat, but the game is over$"):
        ask(game, agent, end)


class WithoutTree(ToyRace):
    tree_search = None  # type: ignore[assignment]  # as a game that is not compiled


def test_the_tree_search_of_any_game_needs_nothing_else_of_it() -> None:
    game = load(num_players=2)
    agent = TreeAgent(game, simulations=20)
    state = game.new(3)
    for _ in range(20):
        game.apply(state, decide(game, agent, state))
    with pytest.raises(ValueError, match=r"agent 'mcts': the game 'toyrace' has no tree search"):
        make_agent("mcts", WithoutTree())


def test_learned_without_a_network_for_the_game_says_how_to_name_one() -> None:
    pytest.importorskip("torch")
    with pytest.raises(ValueError, match=r"no network is shipped for 'toyrace' with .*: name one of your own as learn"):
        make_agent("learned", ToyRace())


def test_learned_names_the_decks_that_its_network_was_trained_on() -> None:
    pytest.importorskip("torch")
    for players in (1, 2):
        agent: Any = make_agent("learned", load(num_players=players))
        assert agent.trained_decks == ("shipped*222", "generated:100000-100999", "generated:101000-101999,stray=1")
