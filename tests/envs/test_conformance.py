"""`check_game` on the toy race finds what is broken; variants that ship: `properties/test_every_game.py`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from games_under_test import race_with

import chocofactory_env as cf
from chocofactory_env.core.jit import jit
from chocofactory_env.core.text.events import Event
from chocofactory_env.testing import _require_equal, check_game
from chocofactory_env.view.views import Parts, parts_in_words
from toyrace import rules
from toyrace.game import ToyRace


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_toy_conforms(players: int) -> None:
    check_game(ToyRace(num_players=players), seeds=range(3), dice=["roll"])


class LeakyRedeal(ToyRace):
    def redeal(self, state: np.ndarray, player: int, seed: int) -> np.ndarray:
        return state.copy()


class RedealsByMoving(ToyRace):
    """Whoever knows the seed can undo it."""

    def redeal(self, state: np.ndarray, player: int, seed: int) -> np.ndarray:
        dealt: np.ndarray = super().redeal(state, player, seed)
        drawn = int(state["drawn"][0])
        dealt["stack"][0, drawn:] = np.random.default_rng(seed).permutation(state["stack"][0, drawn:])
        return dealt


class RedealsWhatIsSeen(ToyRace):
    def redeal(self, state: np.ndarray, player: int, seed: int) -> np.ndarray:
        dealt: np.ndarray = super().redeal(state, player, seed)
        dealt["sponsor"][0, player] = 1 + (state["sponsor"][0, player] % 5)
        return dealt


class RedealKeepsHands(ToyRace):
    """A search learns who the others' sponsors are."""

    def redeal(self, state: np.ndarray, player: int, seed: int) -> np.ndarray:
        dealt: np.ndarray = super().redeal(state, player, seed)
        dealt["sponsor"] = state["sponsor"]
        return dealt


class RedealKeepsChance(ToyRace):
    """A search foresees the dice, since they come from the generator as it is."""

    def redeal(self, state: np.ndarray, player: int, seed: int) -> np.ndarray:
        dealt: np.ndarray = super().redeal(state, player, seed)
        dealt["rng"] = state["rng"]
        return dealt


@jit
def advance_by_the_turn(cards: Any, state: Any, action: int, mask: np.ndarray) -> int:
    """The die is not drawn, but follows from what all can see."""
    if action == rules.ROLL:
        state.space[state.current] = min(rules.TRACK, state.space[state.current] + 1 + state.turn % rules.DIE)
        state.fuel[state.current] -= 1
        rules.write_legal_mask(cards, state, mask)
        return int(state.current)
    return rules.advance(cards, state, action, mask)


class ForeseenDice(ToyRace):
    kernel = race_with("foreseen", advance=advance_by_the_turn)


@jit
def write_all_sponsors(cards: Any, state: Any, seat: int, out: np.ndarray) -> None:
    rules.write_observation(cards, state, seat, out)
    out[cards.at.sponsor] = state.sponsor[0]


class ShowsAHand(ToyRace):
    """Everybody sees the sponsor of seat 0."""

    kernel = race_with("leaky", write_observation=write_all_sponsors)


@jit
def redeal_nothing(cards: Any, state: Any, seat: int, seed: int) -> None:
    return


class Open(ToyRace):
    kernel = race_with("open", redeal_hidden=redeal_nothing)


def test_a_game_in_which_nothing_is_hidden_need_not_redeal() -> None:
    check_game(Open(num_players=2), seeds=range(2), hidden=False)
    with pytest.raises(AssertionError, match="cannot foresee what chance brings"):
        check_game(Open(num_players=2), seeds=range(2))


class SharedClone(ToyRace):
    def clone(self, state: np.ndarray) -> np.ndarray:
        return state


class EmptyMask(ToyRace):
    def legal_mask(self, state: np.ndarray) -> np.ndarray:
        return np.zeros(self.num_actions, np.int8)


class WrongMaskType(ToyRace):
    def legal_mask(self, state: np.ndarray) -> np.ndarray:
        return super().legal_mask(state).astype(np.bool_)


class Careless(ToyRace):
    def apply(self, state: np.ndarray, action: int) -> None:
        if 0 <= action < self.num_actions:
            self.advance(state, action, np.empty(self.num_actions, np.int8))
        else:
            super().apply(state, action)


class TooBright(ToyRace):
    def write_observation(
        self, state: np.ndarray, player: int, out: np.ndarray, scratch: np.ndarray | None = None
    ) -> None:
        super().write_observation(state, player, out)
        out[0] = 1.5


class Forgetful(ToyRace):
    def to_dict(self, state: np.ndarray) -> dict[str, Any]:
        return {**super().to_dict(state), "money": [0] * 4}


class NumbersOfNumpy(ToyRace):
    def to_dict(self, state: np.ndarray) -> dict[str, Any]:
        return {**super().to_dict(state), "more": {"fuel": [1, state["fuel"][0, 0]]}}


class OptionOfAnotherKind(ToyRace):
    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.options = {**self.options, "deck": Path("deck.toml")}


class Roundabout(ToyRace):
    """What is read back has another generator."""

    def from_dict(self, data: Mapping[str, Any]) -> np.ndarray:
        state: np.ndarray = super().from_dict({**data, "rng": [1, *data["rng"][1:]]})
        return state


@jit
def begin_with_leftovers(cards: Any, state: Any) -> None:
    money = state.money[1]
    rules.begin_game(cards, state)
    if money != 0:
        state.money[1] = money


class Leftovers(ToyRace):
    """A game begins with the money that seat 1 had in the one before."""

    kernel = race_with("leftovers", begin_game=begin_with_leftovers)


class Random(ToyRace):
    def apply(self, state: np.ndarray, action: int) -> None:
        super().apply(state, action)
        state["money"][0, 0] += np.random.default_rng().integers(2)


class OtherRenewal(ToyRace):
    def seed_of(self, state: np.ndarray) -> int:
        return int(state["turn"][0]) + 1


class OtherRows(ToyRace):
    def row_stepper(self, step_options: np.ndarray, variants: Any, states: np.ndarray, *arguments: Any) -> Any:
        step = super().row_stepper(step_options, variants, states, *arguments)

        def careless(rows: np.ndarray) -> int:
            events = step(rows)
            states["money"][:, 0] += states["turn"] > 2
            return events

        return careless


class BlindRows(ToyRace):
    def row_stepper(self, *arguments: Any) -> Any:
        *others, observations, final = arguments
        blind = (*others, tuple(np.zeros_like(a) for a in observations), final)
        return super().row_stepper(*blind)


class AskingCosts(ToyRace):
    def ask_seat(self, state: np.ndarray, seat: int) -> None:
        super().ask_seat(state, seat)
        state["money"][0, seat] += 1


class AsksNobody(ToyRace):
    def write_joint_masks(self, state: np.ndarray, masks: np.ndarray) -> None:
        masks[:, :-1], masks[:, -1] = 0, 1


class OtherPlayouts(ToyRace):
    def random_playouts(self, state: np.ndarray, seeds: Any, **options: Any) -> Any:
        return super().random_playouts(state, [seed + 1 for seed in seeds], **options)


class RanksUpsideDown(ToyRace):
    def ranking(self, state: np.ndarray) -> np.ndarray:
        return self.num_players - 1 - super().ranking(state)


class PaysTheLast(ToyRace):
    def payoffs(self, state: np.ndarray) -> np.ndarray:
        return super().ranking(state)


class NothingToPointAt(ToyRace):
    def view(self, state: np.ndarray, player: int | None = None) -> Parts:
        return parts_in_words(self, state, None)


class AnyoneMoves(ToyRace):
    def view(self, state: np.ndarray, player: int | None = None) -> Parts:
        return parts_in_words(self, state, self.current_player(state))


class CutTitle(ToyRace):
    def view(self, state: np.ndarray, player: int | None = None) -> Parts:
        return parts_in_words(self, state, player)._replace(title="a title " * 60, when=["a day " * 60])


class ShowsSponsors(ToyRace):
    def render(self, state: np.ndarray, player: int | None = None) -> str:
        return f"{super().render(state, player)}\nsponsors {state['sponsor'][0].tolist()}"


class TellsSponsors(ToyRace):
    def event(self, state: np.ndarray, action: int, player: int | None) -> Event:
        return Event("moves", thing=f"sponsor {state['sponsor'][0, 1]}")


class WidePicture(ToyRace):
    def render(self, state: np.ndarray, player: int | None = None) -> str:
        return super().render(state, player) + "x" * (0 if player is None else 101)


@pytest.mark.parametrize(
    ("game", "promise"),
    [
        (NothingToPointAt, "the scene of player . offers the legal actions"),
        (AnyoneMoves, "the scene of a spectator offers the legal actions"),
        (CutTitle, "the scene of a spectator is legible: .* in the title is cut"),
        (ShowsSponsors, "redeal for player . changes nothing that a spectator sees"),
        (TellsSponsors, "redeal for player . changes nothing that a spectator sees"),
        (WidePicture, "render has 100 columns"),
        (LeakyRedeal, "drawn|draws what is hidden|foresee"),
        (RedealsByMoving, "how hidden things lay, but not in stack$"),
        (RedealsWhatIsSeen, "redeal keeps the observation of player ., but not in sponsor$"),
        (RedealKeepsHands, "another alone can see: sponsor"),
        (RedealKeepsChance, "cannot foresee what chance brings"),
        (ForeseenDice, "no search foresees: roll"),
        (ShowsAHand, "redeal keeps the observation"),
        (SharedClone, "what is done to a clone leaves the original unchanged, but not in seed, rng, "),
        (Leftovers, r"renew deals as new\(seed_of\) does, but not in money$"),
        (NumbersOfNumpy, r"JSON takes to_dict, but not to_dict\['more'\]\['fuel'\]\[1\]: Object of type int8 is not"),
        (OptionOfAnotherKind, r"JSON takes options, but not options\['deck'\]: Object of type \w*Path is not"),
        (Roundabout, r"from_dict\(to_dict\) through JSON loses nothing, but not in rng\[0\]$"),
        (EmptyMask, "never empty"),
        (WrongMaskType, "int8"),
        (Careless, "raises IllegalActionError"),
        (TooBright, r"\[0, 1\]"),
        (Forgetful, "from_dict"),
        (Random, "deterministic.* money$|advance does.* money$|from_dict.* money"),
        (OtherRenewal, r"new\(seed_of\(state\)\) deals the same, but not in seed, rng, "),
        (RanksUpsideDown, "ranks first"),
        (PaysTheLast, "no seat has a higher payoff than one that ranks before it"),
        (OtherRows, "a row is the state of the game, but not in money$"),
        (BlindRows, "a row's observation"),
        (AskingCosts, "a joint step is the decisions of those asked, .*, but not in money$"),
        (AsksNobody, "the seat to move is one of those that are asked"),
        (OtherPlayouts, "random_playouts gives"),
    ],
)
def test_a_broken_promise_is_found(game: type[ToyRace], promise: str) -> None:
    with pytest.raises(AssertionError, match=promise):
        check_game(game(num_players=2), seeds=range(8), dice=["roll"])


def test_fields_of_records_inside_a_position_are_named_by_their_paths() -> None:
    game = cf.load("chocofactory", num_players=2)
    one, other = game.new(1), game.new(1)
    other["day"] += 1
    other["players"]["factory"][0, 1, 3] += 1
    for two in (other, other.tobytes()):
        with pytest.raises(AssertionError, match=r"^here: they are equal, but not in day, players\.factory$"):
            _require_equal(one, two, "they are equal", "here")
