"""`cf.evaluate`: a match whose games are played side by side."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from toy_agents import Picks

import chocofactory_env as cf

DEALS = range(900_000, 900_003)
COMPARED = ["deal", "deck", "seat", "agent", "score", "place", "won", "decisions"]


def last_legal(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """A policy for many games that depends on the mask alone."""
    assert observations.dtype == np.float32
    assert observations.shape[0] == masks.shape[0]
    last: np.ndarray = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
    return last


@pytest.mark.parametrize(
    ("name", "options", "opponents", "decks"),
    [
        ("chocofactory", {"num_players": 1}, [], None),
        ("chocofactory", {"num_players": 3}, ["greedy", "random"], None),
        ("chocofactory", {"num_players": 2}, ["greedy"], ["generated:3", "shipped"]),
        ("candyfactory", {"num_players": 2, "game": "plantation"}, ["greedy"], None),
        ("schoko", {"num_players": 2, "months": 6}, ["manager"], None),
    ],
)
def test_games_are_those_of_a_match(name: str, options: dict[str, Any], opponents: list[str], decks: Any) -> None:
    game = cf.load(name, **options)
    batched = cf.evaluate(last_legal, game, deals=DEALS, opponents=opponents, decks=decks, progress=False)
    match = cf.play_match(game, [Picks(-1), *opponents], DEALS, decks=decks, progress=False)
    expected = match.games.replace({"agent": {"Picks": "last_legal"}})
    assert batched.games[COMPARED].astype(str).equals(expected[COMPARED].astype(str))
    assert batched.agents()[0]["games"] == len(DEALS) * game.num_players


def test_a_network_plays_its_likeliest_legal_action() -> None:
    torch = pytest.importorskip("torch")
    game = cf.load("candyfactory", num_players=2)
    size = game.observation_layout.size

    class Rising(torch.nn.Module):  # type: ignore[name-defined]
        def forward(self, seen: Any) -> Any:
            assert seen.shape[1] == size
            assert not self.training  # so that dropout changes nothing
            return torch.arange(game.num_actions).expand(len(seen), -1).float(), seen.sum(-1)

    rising = Rising()
    network = cf.evaluate(rising, game, deals=DEALS, name="same", progress=False)
    assert rising.training
    assert network.games["score"].equals(
        cf.evaluate(last_legal, game, deals=DEALS, name="same", progress=False).games["score"]
    )


@pytest.mark.parametrize(
    ("answer", "error", "said"),
    [
        (lambda seen: seen[:, :50], TypeError, r"of shape \(\d+, 99\), got torch\.Size\(\[\d+, 50\]\)"),
        (lambda seen: {"logits": seen}, TypeError, r"of shape \(\d+, 99\), got {'logits': tensor"),
        (lambda seen: seen[:, :99] * float("nan"), ValueError, "that are numbers, got NaN"),
    ],
)
def test_logits_of_another_kind_are_refused(answer: Any, error: type[Exception], said: str) -> None:
    torch = pytest.importorskip("torch")

    class Network(torch.nn.Module):  # type: ignore[name-defined]
        def forward(self, seen: Any) -> Any:
            return answer(seen)

    with pytest.raises(error, match=f"^policy: expected logits {said}"):
        cf.evaluate(Network(), cf.load("candyfactory", num_players=2), deals=DEALS, progress=False)


def test_a_model_is_asked_for_its_likeliest_actions() -> None:
    class Model:
        def predict(self, observation: Any, deterministic: bool, action_masks: np.ndarray) -> tuple[Any, None]:
            assert deterministic
            assert action_masks.dtype == bool
            return last_legal(observation, action_masks), None

    game = cf.load("candyfactory", num_players=2)
    assert cf.evaluate(Model(), game, deals=DEALS).games["agent"][0] == "Model"


@pytest.mark.parametrize(("name", "rival"), [("greedy", "random"), ("random", "greedy")])
def test_an_agent_plays_its_match_under_the_given_name(name: str, rival: str) -> None:
    """`random` reads observations, as a policy does, but of one game."""
    game = cf.load("candyfactory", num_players=2)
    match = cf.play_match(game, [name, rival], DEALS)
    assert cf.evaluate(name, game, deals=DEALS, opponents=rival).games[COMPARED].equals(match.games[COMPARED])
    for agent in (name, cf.make_agent(name, game)):
        named = cf.evaluate(agent, game, deals=DEALS, opponents=rival, name="mine").games[COMPARED]
        assert named.astype(str).equals(match.games.replace({"agent": {name: "mine"}})[COMPARED].astype(str))


def test_a_named_agent_is_made_for_each_deck() -> None:
    game = cf.load("chocofactory", num_players=2)
    decks = ["generated:3", "shipped"]
    named = cf.evaluate("ismcts:simulations=2", game, deals=range(900_000, 900_002), decks=decks, name="mine")
    assert named.agents()[0]["agent"] == "mine"
    assert named.agents()[0]["games"] == 4


class Unmasked:
    def predict(self, observation: Any, deterministic: bool) -> None: ...


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        (Picks, "policy: expected a callable"),
        (Unmasked(), "policy: expected a model whose predict takes action_masks"),
        (3, "policy: expected a callable"),
        (lambda seen, masks: masks, r"of shape \(\d+,\), got int8 of shape"),
        (lambda seen, masks: masks.argmax(1) * 0.5, "whole numbers"),
    ],
)
def test_another_policy_is_refused(policy: Any, said: str) -> None:
    with pytest.raises(TypeError, match=said):
        cf.evaluate(policy, cf.load("candyfactory", num_players=2), deals=DEALS)


@pytest.mark.parametrize("action", [-1, 10_000])
def test_an_illegal_action_is_named_with_what_is_legal(action: int) -> None:
    game = cf.load("candyfactory", num_players=2)
    with pytest.raises(
        cf.IllegalActionError, match=rf"policy '<lambda>', seat [01]: action {action} is not legal .*legal are: \d"
    ):
        cf.evaluate(lambda seen, masks: np.full(len(seen), action), game, deals=DEALS)


def test_a_name_tells_the_policy_from_its_opponents() -> None:
    with pytest.raises(ValueError, match="name: expected another than an opponent's, got 'random'"):
        cf.evaluate(last_legal, cf.load("candyfactory", num_players=2), deals=DEALS, name="random")


@pytest.mark.parametrize("opponents", [last_legal, 5, None])
def test_opponents_are_names(opponents: Any) -> None:
    with pytest.raises(TypeError, match=r"^opponents: expected an agent's name, or names in a list, got "):
        cf.evaluate(last_legal, cf.load("candyfactory", num_players=2), deals=DEALS, opponents=opponents)


@pytest.mark.parametrize("game", ["candyfactory", cf.games("candyfactory", num_players=2), None])
@pytest.mark.parametrize(
    "play",
    [
        lambda game: cf.evaluate(last_legal, game, deals=DEALS),
        lambda game: cf.play_match(game, ["random", "greedy"], DEALS),
        lambda game: cf.play_tournament(game, ["random", "greedy"], DEALS),
        lambda game: cf.record_game(game, "random", seed=1),
    ],
    ids=["evaluate", "play_match", "play_tournament", "record_game"],
)
def test_a_game_is_loaded_first(play: Any, game: Any) -> None:
    with pytest.raises(TypeError, match=r"^game: expected a game, as cf\.load\(name\) makes one, got "):
        play(game)
