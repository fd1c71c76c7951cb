"""Evaluate a policy over batches: a match in which all games are played side by side.

result = cf.evaluate(model, game, deals=range(900_000, 900_100), opponents="greedy")
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from inspect import signature
from typing import Any, Final, Protocol

import numpy as np

import chocofactory_env as cf
from chocofactory_env import Game, IllegalActionError
from chocofactory_env.agents.protocol import AnyAgent, make_agent
from chocofactory_env.core.agents.agent import check_game
from chocofactory_env.core.messages import shown

from .decks import Decks, loader_of, names_of, place_of
from .games import GameSeries, Makes, PlaysGames
from .match import Result, as_deals
from .needs import need
from .play import Json, Outcome, hides, play
from .rows import Choose, play_rows, table_with

DEALS: Final = range(900_000, 900_100)  # kept for evaluation: nothing shipped is trained on them


class Predicts(Protocol):
    """A model of stable-baselines3 that knows masks."""

    def predict(self, observation: Any, *, deterministic: bool, action_masks: Any) -> tuple[Any, Any]: ...


Policy = Callable[[np.ndarray, np.ndarray], Any]


def evaluate(
    policy: Policy | Predicts | str | AnyAgent,
    game: Game,
    *,
    deals: Iterable[int] = DEALS,
    opponents: str | Sequence[str] = "random",
    decks: Decks = None,
    scaled: bool = True,
    name: str | None = None,
    progress: bool | None = None,
) -> Result:
    """Play every deal once from each seat; a solo deal, once.

    Deals, seats, opponents and their seeds are those of `cf.play_match(game, [policy, *opponents], deals)`, so two
    policies are compared on the same cards.

    Args:
        policy: what decides for many games at once. A callable `(observations, masks) -> actions`, with observations
            (K, O) float32, masks (K, A) int8, and actions (K,), an array or tensor of legal ones. A `torch.nn.Module`
            is called in evaluation mode, with observations as a tensor, and returns logits (K, A), or a tuple that
            begins with them; the likeliest legal action is played. A model of stable-baselines3 whose `predict` takes
            `action_masks` plays its likeliest action. The name of an agent, an agent that `cf.make_agent` made, or one
            with `choose`, plays as in `cf.play_match`; a network of the agent `learned` decides for all games in one
            pass.
        game: as `cf.load` gives it.
        deals: the seeds of the deals.
        opponents: names of agents as `cf.make_agent` takes them, one for each other seat, or one for all. Without
            meaning in a solo game.
        decks: as in `cf.play_match`.
        scaled: whether the policy gets observations in [0, 1]. False: raw whole numbers, as float32.
        name: of the policy in results. Without it, `"greedy"` against `"greedy"` is one agent, which wins every game.
        progress: whether to show a progress bar. None: on a terminal.

    Returns:
        The result of the match. `result.games` is a pandas frame; the policy is the first of `result.agents()`, with
        its win rate and Wilson's interval. `seconds` are shares of the time of whole batches.

    Raises:
        ValueError, TypeError: as `cf.play_match`, or the policy is of no such kind, or answers with a wrong
            shape or NaN.
        IllegalActionError: the policy or an agent chose an illegal action; names it and the deal.
        ImportError: the extra `train` or `arena` is not installed.
    """
    need("an evaluation")
    check_game(game)
    by_name = isinstance(policy, str)
    called = str(policy if by_name else getattr(policy, "__name__", type(policy).__name__))
    table = table_with(name or called, opponents if game.num_players > 1 else (), game.num_players)
    renamed = not by_name or table[0] != policy
    if renamed and table[0] in table[1:]:
        raise ValueError(f"name: expected another than an opponent's, got {shown(table[0])}")
    agent: Any = make_agent(policy, game) if isinstance(policy, str) else policy
    is_agent = by_name or hasattr(policy, "choose") or hasattr(policy, "made_for")
    objects = [agent] if is_agent and not by_name else []
    of_decks = names_of(decks)
    load = loader_of(game, of_decks, objects)
    make = Makes({table[0]: [policy]}) if renamed else make_agent
    series = GameSeries(load, (table,), as_deals(deals), make, of_decks)
    for rival in dict.fromkeys(table[1:]):
        make_agent(rival, game)
    if is_agent and not hasattr(agent, "choose_rows"):
        given = {table[0]: objects} if objects else {}
        return Result(game, series, play(series, PlaysGames(series, given), progress=progress, ends=(BaseException,)))
    choose = _in_one_pass(agent) if is_agent else _checked(acting_for(policy), table[0])
    return Result(game, series, _played(series, choose, scaled and not is_agent, progress))


def _in_one_pass(agent: Any) -> Choose:
    def choose(batch: cf.SelfPlayBatch, step: Any, rows: np.ndarray) -> np.ndarray:
        of_rows = step.observations[rows], step.action_masks[rows], batch.states[rows], step.current_player[rows]
        return np.array(agent.choose_rows(*of_rows, batch.rules(rows)))

    return choose


def acting_for(policy: Any) -> Policy:
    """The policy as a callable on observations and masks. TypeError if it is of no kind that `evaluate` names."""
    predict = getattr(policy, "predict", None)
    if predict is not None:
        if "action_masks" not in signature(predict).parameters:
            raise TypeError(f"policy: expected a model whose predict takes action_masks, got {shown(policy)}")
        return lambda observations, masks: predict(observations, deterministic=True, action_masks=masks == 1)[0]
    if hasattr(policy, "named_parameters"):
        return _likeliest(policy)
    if not callable(policy) or isinstance(policy, type):
        raise TypeError(f"policy: expected a callable (observations, masks) -> actions, got {shown(policy)}")
    return policy  # type: ignore[no-any-return]


def _likeliest(network: Any) -> Policy:
    import torch

    device = next((each.device for each in network.parameters()), torch.device("cpu"))

    def act(observations: np.ndarray, masks: np.ndarray) -> Any:
        with _evaluating(network), torch.inference_mode():
            answer = network(torch.from_numpy(observations).to(device))
        logits = answer[0] if isinstance(answer, tuple) else answer
        shape = getattr(logits, "shape", None)
        if shape != masks.shape:
            raise TypeError(f"policy: expected logits of shape {masks.shape}, got {shown(shape or logits)}")
        if logits.isnan().any():  # argmax would take the first legal action
            raise ValueError("policy: expected logits that are numbers, got NaN")
        return logits.masked_fill(torch.from_numpy(masks == 0).to(device), -torch.inf).argmax(-1).cpu().numpy()

    return act


@contextmanager
def _evaluating(network: Any) -> Iterator[None]:
    """Dropout and batch norm as in use, not as in training; afterwards every module is in the mode in which it was."""
    modes = [(module, module.training) for module in network.modules()]
    network.eval()
    try:
        yield
    finally:
        for module, training in modes:
            module.training = training


def _checked(policy: Policy, name: str) -> Choose:
    """Asks the policy for its actions in rows of a batch, and checks them."""

    def choose(batch: cf.SelfPlayBatch, step: Any, rows: np.ndarray) -> np.ndarray:
        seen, masks = step.observations[rows].astype(np.float32, copy=False), step.action_masks[rows]
        chosen = np.asarray(policy(seen, masks))
        if chosen.shape != (len(rows),) or chosen.dtype.kind not in "iu":
            raise TypeError(
                f"policy {shown(name)}: expected actions as whole numbers of shape ({len(rows)},), "
                f"got {chosen.dtype} of shape {chosen.shape}"
            )
        legal = (chosen >= 0) & (chosen < masks.shape[1])
        legal[legal] = masks[np.flatnonzero(legal), chosen[legal]] == 1
        if not legal.all():
            wrong = np.flatnonzero(~legal)[0]
            row, allowed = int(rows[wrong]), np.flatnonzero(masks[wrong]).tolist()
            seat, when = int(step.current_player[row]), batch.game_of(row).when(batch.state(row))
            raise IllegalActionError(
                f"policy {shown(name)}, seat {seat}: action {chosen[wrong]} is not legal ({when}); "
                f"legal are: {', '.join(map(str, allowed))}"
            )
        return chosen

    return choose


def _played(series: GameSeries, choose: Choose, scaled: bool, progress: bool | None) -> Outcome:
    """Play the deals of each deck in batches."""
    from tqdm import tqdm

    table, tasks, found = series.tables[0], series.tasks, dict[tuple[int, int], Json]()
    decks = max(1, len(series.decks))
    with tqdm(total=len(tasks), unit="game", disable=hides(progress)) as bar:
        for deck in range(decks):
            deals = [deal for deal in series.deals if place_of(deal, decks) == deck]
            games = play_rows(choose, series.game_of(deals[0]), deals, table, scaled=scaled) if deals else ()
            for task, result in games:
                found[task["deal"], task["rotation"]] = result
                bar.update()
    return Outcome([(task, found[task["deal"], task["rotation"]]) for task in tasks], planned=len(tasks))
