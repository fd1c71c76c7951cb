"""Evaluate a policy over batches: a match in which all games are played side by side.

result = cf.evaluate(model, game, deals=range(900_000, 900_100), opponents="greedy")
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from inspect import signature
from time import perf_counter
from typing import Any, Final, Protocol

import numpy as np

import chocofactory_env as cf
from chocofactory_env import Game, IllegalActionError
from chocofactory_env.agents.protocol import AnyAgent, decide, make_agent, reset
from chocofactory_env.core.agents.agent import naming
from chocofactory_env.core.agents.moves import listens
from chocofactory_env.core.messages import shown

from .decks import Decks, label, loader_of, names_of
from .games import BY_SEAT, GameSeries, Makes
from .match import Result, as_deals, check_number, play_match
from .needs import need
from .play import Json, Outcome, Task, hides

DEALS: Final = range(900_000, 900_100)  # kept for evaluation: nothing shipped is trained on them
AT_ONCE: Final = 512  # games; each has agents of its own


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
            is called with observations as a tensor, and returns logits (K, A), or a tuple that begins with them; the
            likeliest legal action is played. A model of stable-baselines3 whose `predict` takes `action_masks` plays
            its likeliest action. An agent, or its name, plays its own games, as in `cf.play_match`.
        game: as `cf.load` gives it.
        deals: the seeds of the deals.
        opponents: names of agents as `cf.make_agent` takes them, one for each other seat, or one for all. Without
            meaning in a solo game.
        decks: as in `cf.play_match`.
        scaled: whether the policy gets observations in [0, 1]. False: raw whole numbers, as float32.
        name: of the policy in results.
        progress: whether to show a progress bar. None: on a terminal.

    Returns:
        The result of the match. `result.games` is a pandas frame; the policy is the first of `result.agents()`, with
        its win rate and Wilson's interval. `seconds` are shares of the time of whole batches.

    Raises:
        ValueError, TypeError: as `cf.play_match`, or the policy is of no such kind, or answers with a wrong shape.
        IllegalActionError: the policy or an agent chose an illegal action; names it and the deal.
        ImportError: the extra `arena` is not installed.
    """
    need("an evaluation")
    rivals = [] if game.num_players == 1 else _each(opponents, game.num_players - 1)
    if isinstance(policy, str) or hasattr(policy, "choose"):
        return play_match(game, [policy, *rivals], deals, decks=decks, progress=progress)
    acting, name = acting_for(policy), name or str(getattr(policy, "__name__", type(policy).__name__))
    table = (name, *rivals)
    check_number(game, table)
    if name in rivals:
        raise ValueError(f"name: expected another than an opponent's, got {shown(name)}")
    of_decks = names_of(decks)
    load = loader_of(game, of_decks, [])
    series = GameSeries(load, (table,), as_deals(deals), Makes({}), of_decks)
    for rival in dict.fromkeys(rivals):
        make_agent(rival, game)
    return Result(game, series, _played(series, acting, scaled, progress))


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
        with torch.inference_mode():
            answer = network(torch.from_numpy(observations).to(device))
        logits = answer[0] if isinstance(answer, tuple) else answer
        return logits.masked_fill(torch.from_numpy(masks == 0).to(device), -torch.inf).argmax(-1).cpu().numpy()

    return act


def _each(opponents: str | Sequence[str], number: int) -> list[str]:
    return [opponents] * number if isinstance(opponents, str) else list(opponents)


def _played(series: GameSeries, policy: Policy, scaled: bool, progress: bool | None) -> Outcome:
    from tqdm import tqdm

    tasks, done = series.tasks, list[tuple[Task, Json]]()
    with tqdm(total=len(tasks), unit="game", disable=hides(progress)) as bar:
        for first in range(0, len(tasks), AT_ONCE):
            some = tasks[first : first + AT_ONCE]
            done += zip(some, Games(series, some, scaled).play(policy, bar.update), strict=True)
    return Outcome(done, planned=len(tasks))


class Games:
    """Games of a series, a row of a batch each. The first agent of the table is the policy."""

    def __init__(self, series: GameSeries, tasks: Sequence[Task], scaled: bool) -> None:
        first = series.game
        self._tasks, self._names = tasks, series.tables[0]
        options: dict[str, Any] = {"reward": "score", "autoreset": False, "scaled": scaled}
        if series.decks:
            of_game = {name: value for name, value in first.options.items() if name != "deck"}
            options |= of_game | {"decks": [label(deck) for deck in series.decks]}
        self.batch = cf.SelfPlayBatch(first.name if series.decks else first, len(tasks), **options)
        self.seats = np.array([task["rotation"] for task in tasks])  # of the policy
        seeds = [task["deal"] for task in tasks]
        self.batch.reset(seed=seeds)
        for deck in dict.fromkeys(task["deck"] for task in tasks) if series.decks else ():
            rows = np.array([task["deck"] == deck for task in tasks])
            self.batch.reset(seeds, rows, {"decks": deck})
        self._agents = {
            (row, seat): self._made(row, seat)
            for row, own in enumerate(self.seats.tolist())
            for seat in range(first.num_players)
            if seat != own
        }
        self._listeners: dict[int, dict[int, AnyAgent]] = {}
        for (row, seat), agent in self._agents.items():
            if listens(agent):
                self._listeners.setdefault(row, {})[seat] = agent
        self.decisions = np.zeros((len(tasks), first.num_players), np.int64)
        self.seconds = np.zeros((len(tasks), first.num_players))

    def _made(self, row: int, seat: int) -> AnyAgent:
        game, task = self.batch.game_of(row), self._tasks[row]
        agent = make_agent(task["agents"][seat], game)
        reset(agent, cf.agent_seed(game, self.batch.state(row), seat, task["rotation"]))
        return agent

    def play(self, policy: Policy, ended: Callable[[int], Any]) -> list[Json]:
        """The results of the games, in the order of their tasks. ended: called with the number of games that ended."""
        step, over = self.batch.buffers, 0
        actions = np.zeros(len(self._tasks), np.int64)
        while over < len(self._tasks):
            theirs = (step.current_player != self.seats) & ~step.dones
            mine = np.flatnonzero((step.current_player == self.seats) & ~step.dones)
            if len(mine):
                actions[mine] = self._asked(policy, mine)
            for row in np.flatnonzero(theirs).tolist():
                actions[row] = self._answer(row, int(step.current_player[row]))
            step = self.batch.step(actions)
            now = int(step.dones.sum())
            if now > over:
                ended(now - over)
            over = now
        return self._results()

    def _asked(self, policy: Policy, rows: np.ndarray) -> np.ndarray:
        """(K,): the policy's actions in these rows."""
        step, begun = self.batch.buffers, perf_counter()
        masks = step.action_masks[rows]
        chosen = np.asarray(policy(np.asarray(step.observations)[rows].astype(np.float32, copy=False), masks))
        if chosen.shape != (len(rows),) or chosen.dtype.kind not in "iu":
            raise TypeError(
                f"policy {shown(self._names[0])}: expected actions as whole numbers of shape ({len(rows)},), "
                f"got {chosen.dtype} of shape {chosen.shape}"
            )
        legal = (chosen >= 0) & (chosen < masks.shape[1])
        legal[legal] = masks[np.flatnonzero(legal), chosen[legal]] == 1
        if not legal.all():
            row = int(rows[~legal][0])
            raise IllegalActionError(
                f"policy {shown(self._names[0])} chose action {chosen[~legal][0]} "
                f"(seat {self.seats[row]}, deal {self._tasks[row]['deal']}), which is not legal; legal are: "
                f"{', '.join(map(str, np.flatnonzero(masks[~legal][0]).tolist()))}"
            )
        self.decisions[rows, self.seats[rows]] += 1
        self.seconds[rows, self.seats[rows]] += (perf_counter() - begun) / len(rows)
        for row in self._listeners.keys() & set(rows.tolist()):
            self._tell(row, int(chosen[np.searchsorted(rows, row)]))
        return chosen

    def _answer(self, row: int, seat: int) -> int:
        """The action of another seat's agent."""
        task, begun = self._tasks[row], perf_counter()
        game, state = self.batch.game_of(row), self.batch.state(row)
        with naming(lambda: f"agent {task['agents'][seat]!r} (seat {seat}, deal {task['deal']})"):
            action: int = decide(game, self._agents[row, seat], state)
        self._tell(row, action)
        self.decisions[row, seat] += 1
        self.seconds[row, seat] += perf_counter() - begun
        return action

    def _tell(self, row: int, action: int) -> None:
        if row in self._listeners:
            cf.tell(self.batch.game_of(row), self._listeners[row], self.batch.state(row), action)

    def _results(self) -> list[Json]:
        found = self.batch.results(np.arange(len(self._tasks)))
        columns = {
            "scores": found["scores"],
            "places": found["ranking"] + 1,
            "won": found["won"],
            "decisions": self.decisions,
            "seconds": self.seconds.round(6),
        }
        return [
            {name: columns[name][row].tolist() for name in BY_SEAT} | {"notes": {}} for row in range(len(self._tasks))
        ]
