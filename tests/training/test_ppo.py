"""PPO: rewards go to the right decisions, rivals are not learned from, and a run goes on as if never stopped."""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import torch
from msgspec.structs import replace
from safetensors.torch import load_file

import chocofactory_env as cf
from chocofactory_env import load
from chocofactory_env.agents.learned import LearnedAgent
from chocofactory_env.agents.networks.checkpoint import CheckpointError, load_checkpoint, save_network
from chocofactory_env.agents.networks.network import make_network, masked
from chocofactory_env.agents.protocol import decide, make_agent
from chocofactory_env.agents.random_agent import RandomAgent
from chocofactory_env.arena.match import play_match
from chocofactory_env.arena.rows import play_rows, table_with
from chocofactory_env.training.chocofactory.goals import done_of_goals
from chocofactory_env.training.ppo import Config, Learner, collect, decide_in, gae_by_seat, sample, train
from chocofactory_env.training.rivals import Rival, chooser
from chocofactory_env.training.runs import BEST, CONFIG, LAST, METRICS, Run, RunError, read_metrics
from chocofactory_env.training.settings import games_with_decks

TINY = Config(
    network={"kind": "afterstates", "width": 8, "trunk": 8},
    games=12,
    steps=24,
    iterations=4,
    minibatch=64,
    epochs=2,
    max_kl=0.0,
    evaluate_every=2,
    evaluate_deals=1,
    remember_every=1,
    threads=1,
)
DUEL = replace(TINY, players=(2,), past_share=0.25, rival_share=0.25)
QUICK: dict[str, Any] = {"network": {"kind": "mlp", "width": 8}}  # a fifth of the time; for what no network changes
# Of two numbers of players.
FEW: dict[str, Any] = {"games": 6, "steps": 12, "iterations": 3, "evaluate_every": 3}
DIFFICULTIES: dict[str, Any] = {"options": {"difficulty": [0, 3]}}
DECKS: dict[str, Any] = {"decks": ("generated:100000-100003",)}


# --- credit


def advantages_seat_by_seat(
    values: np.ndarray, pay: np.ndarray, movers: np.ndarray, dones: np.ndarray, gamma: float, lam: float
) -> dict[tuple[int, int], float]:
    """What `gae_by_seat` must give, (t, game) -> advantage: each seat's decisions of each game one after the other."""
    found = {}
    steps, games, players = pay.shape
    for game in range(games):
        ends = [-1, *np.flatnonzero(dones[:, game]).tolist()]
        spans = [(first + 1, last, True) for first, last in pairwise(ends)]
        spans.append((ends[-1] + 1, steps - 1, False))
        for first, last, whole in spans:
            for seat in range(players):
                own = [t for t in range(first, last + 1) if movers[t, game] == seat]
                advantage = 0.0
                for t, after in reversed([*pairwise([*own, None])]):
                    assert t is not None
                    if after is None and not whole:
                        continue
                    paid = pay[t : (last + 1 if after is None else after), game, seat].sum()
                    worth_then = 0.0 if after is None else values[after, game]
                    surprise = paid + gamma * worth_then - values[t, game]
                    advantage = surprise + gamma * lam * (advantage if (after, game) in found else 0.0)
                    found[t, game] = advantage
    return found


@pytest.mark.parametrize("players", [1, 2, 4])
@pytest.mark.parametrize("nobody", [0, 0.4], ids=["", "nobody is asked in some steps"])
def test_gae_by_seat_is_generalised_advantage_estimation_of_each_seat_apart(players: int, nobody: float) -> None:
    rng = np.random.default_rng(players)
    shape = (40, 9)
    values = rng.normal(size=shape).astype(np.float32)
    pay = rng.normal(size=(*shape, players)).astype(np.float32)
    movers, dones = rng.integers(players, size=shape), rng.random(shape) < 0.08
    movers[rng.random(shape) < nobody] = -1
    advantages, known = gae_by_seat(values, pay, movers, dones, 0.97, 0.9)
    expected = advantages_seat_by_seat(values, pay, movers, dones, 0.97, 0.9)
    assert {(int(t), int(game)) for t, game in zip(*known.nonzero(), strict=True)} == set(expected)
    for (t, game), advantage in expected.items():
        assert advantages[t, game] == pytest.approx(advantage, abs=1e-4)


# --- playing


def test_rivals_are_not_learned_from_and_everybody_else_is() -> None:
    learner = Learner(replace(DUEL, steps=200, **QUICK), None)
    table = learner.groups[0]
    seats = table.seats.copy()
    rollout = collect([table], learner.network, learner.past)[0]
    learned = rollout.learn.numpy()
    movers = table.movers
    first_games = ~np.cumsum(table.dones, axis=0, dtype=bool)  # seats are drawn anew after a game
    rivals = (movers != seats) & first_games
    assert not learned[:, :6][rivals[:, :6]].any()  # against past selves and greedy
    assert learned[:, 6:].sum() > 0.97 * learned[:, 6:].size
    own = (movers == seats) & first_games
    assert learned[:-80, :6][own[:-80, :6]].all()


@pytest.mark.parametrize(
    "changed",
    [
        {"rival_share": 1.0},
        {"rival_share": 1.0, "rival": "learned"},
        {"against": "learned"},
        {"against": "learned", "players": (3,)},
        {"against": "planner:width=4"},
    ],
    ids=["the game's rival", "another rival", "a best response", "three players", "a plan for each game"],
)
def test_a_rivals_moves_are_the_rivals(changed: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    config = TINY if "against" in changed else replace(DUEL, past_share=0)
    learner = Learner(replace(replace(config, players=(2,), steps=60, **QUICK), **changed), None)
    table = learner.groups[0]
    own = [make_agent(learner.config.opponent, table.game) for _ in range(table.rows)]
    rival, compared = cast(Rival, table.rival), [0]

    def choose(rows: np.ndarray, raw: np.ndarray, masks: np.ndarray, *of_all: np.ndarray) -> list[int]:
        actions: list[int] = Rival.choose(rival, rows, raw, masks, *of_all)
        assert actions == [decide(table.game, own[row], table.batch.state(row)) for row in rows.tolist()]
        compared[0] += int((masks[rows].sum(1) > 1).sum())
        return actions

    monkeypatch.setattr(rival, "choose", choose)
    collect([table], learner.network, learner.past)
    assert compared[0] > 50


class OfOneSeat:
    """Takes the first action, and remembers its seat."""

    def __init__(self, game: cf.Game) -> None:
        self._game, self._seat = game, -1

    def choose(self, state: Any, player: int) -> int:
        assert self._seat in (-1, player)
        self._seat = player
        return int(self._game.legal_mask(state).argmax())


@pytest.mark.parametrize("mode", ["turns", "simultaneous"])
def test_each_seat_of_a_rival_has_an_agent_of_its_own(mode: str) -> None:
    config = replace(TINY, players=(3,), options={"mode": mode}, steps=40, against="test_ppo:OfOneSeat")
    learner = Learner(replace(config, **QUICK), None)
    collect(learner.groups, learner.network, learner.past)
    rival = cast(Rival, learner.groups[0].rival)
    assert {seat for _, seat in rival._at} == {0, 1, 2}


def test_on_many_decks_every_row_is_seen_and_played_with_its_own(tmp_path: Path) -> None:
    games = games_with_decks("chocofactory", {"num_players": 2}, DECKS["decks"])
    torch.manual_seed(5)
    network, path = make_network(games.first, **TINY.network), tmp_path / "net.safetensors"
    save_network(path, network, games.first)
    table = Learner(replace(TINY, players=(2,), against=f"learned:checkpoint={path}", **DECKS), None).groups[0]
    assert len({table.batch.game_of(row).deck_hash for row in range(table.rows)}) > 1
    collect([table], network, network)
    raw, masks, _ = (part.copy() for part in table.look())
    of_rows = [table.batch.game_of(row) for row in range(table.rows)]
    seats = table.step.current_player.copy()
    states = [table.batch.state(row).copy() for row in range(table.rows)]
    of_all = np.arange(table.rows), raw, masks, seats, table.positions()
    rivals = cast(Rival, table.rival).choose(*of_all)
    decide_in([table], network, network, 0)
    for row, game in enumerate(of_rows):
        decided = torch.from_numpy(raw[row : row + 1]), states[row], seats[row : row + 1]
        assert torch.equal(table.seen[0, row : row + 1], make_network(game, **TINY.network).see(*decided))
        assert LearnedAgent(game, path).choose(states[row], int(seats[row])) == rivals[row]


def test_a_game_pays_what_was_earned_and_who_won() -> None:
    config = replace(TINY, players=(2,), steps=700, games=4, score=0.1, win=3.0, **QUICK)
    learner = Learner(config, None)
    table = learner.groups[0]
    collect([table], learner.network, learner.past)
    for game in range(4):
        first, second = np.flatnonzero(table.dones[:, game])[:2]  # the second game, from its first step to its last
        paid = table.rewards[first + 1 : second + 1, game].sum(0)
        assert paid.sum() == pytest.approx(config.win, abs=1e-3)  # scores are relative: one's gain is the other's loss
        assert abs(paid[0] - paid[1]) >= config.win - 1e-3


def test_a_return_is_what_a_learning_seat_was_paid_in_a_game_over_rollouts() -> None:
    learner = Learner(replace(DUEL, score=0.1, **QUICK), None)
    table = learner.groups[0]
    paid, returned, won = np.zeros((12, 2)), 0.0, 0
    expected: list[float] = []
    for _ in range(30):  # a game takes about twelve of these rollouts
        seats = table.seats.copy()
        collect([table], learner.network, learner.past)
        for t, game in np.ndindex(table.dones.shape):
            paid[game] += table.rewards[t, game]
            if table.dones[t, game]:
                expected += paid[game][[seats[game]]].tolist() if game < 6 else paid[game].tolist()
                paid[game] = 0
        returned += sum(float(returns.sum()) for returns in table.returns)
        won += sum(int(wins.sum()) for wins in table.won)
    assert len(expected) > 20
    assert returned == pytest.approx(sum(expected), abs=1e-2)
    assert 0 < won < len(expected)


def test_goals_are_done_when_all_cards_are_satisfied() -> None:
    game = load("chocofactory", num_players=1)
    agent, random = make_agent("planner", game), np.random.default_rng(1)
    before = []
    for seed in range(4):
        state = game.new(seed)
        while not game.is_over(state):
            raw = np.empty((1, game.observation_layout.size), np.uint8)
            game.write_raw_observation(state, 0, raw[0])
            seen = game.observation_layout.tensors(raw)
            done = float(done_of_goals(seen)[0])
            assert 0 <= done <= 1
            assert (done == 1) == bool(seen["satisfied"].all())
            before.append(done)
            plays = decide(game, agent, state) if seed % 2 else random.choice(np.flatnonzero(game.legal_mask(state)))
            game.apply(state, int(plays))
    assert len(set(before)) > 12


def test_groups_share_the_games_and_are_all_learned_from() -> None:
    learner = Learner(replace(TINY, groups=3, **QUICK), None)
    assert learner.iterate()["decisions"] == 12 * TINY.steps
    learned = [int(table.rollout().learn.sum()) for table in learner.groups]
    assert [len(table.seats) for table in learner.groups] == [4, 4, 4]
    assert min(learned) > 0.7 * 4 * TINY.steps
    first = {table.batch.state(0).tobytes() for table in learner.groups}
    assert len(first) == 3, "groups play different games"
    with pytest.raises(ValueError, match="games: expected a multiple of the 5 groups, got 12"):
        replace(TINY, groups=5)


@pytest.mark.parametrize("rival", ["planner:width=4", "learned"])
def test_rivals_of_several_groups_choose_at_once_what_they_choose_one_by_one(rival: str) -> None:
    config = replace(TINY, players=(2,), groups=3, rival=rival, rival_share=0.5)
    at_once, one_by_one = (Learner(config, None) for _ in range(2))
    for _ in range(3):
        torch.manual_seed(7)
        here_all = collect(at_once.groups, at_once.network, at_once.past)
        torch.manual_seed(7)
        for table in one_by_one.groups:
            table.begin(0)
        for t in range(config.steps):
            for half in (one_by_one.groups[::2], one_by_one.groups[1::2]):
                for table, actions in zip(half, decide_in(half, one_by_one.network, one_by_one.past, t), strict=True):
                    table.step_games(one_by_one.network, t, actions)
        for here, there in zip(here_all, one_by_one.groups, strict=True):
            for one, other in zip(here[:7], there.rollout()[:7], strict=True):
                assert torch.equal(one, other)


def test_an_update_makes_rewarded_actions_likelier() -> None:
    learner = Learner(replace(TINY, learning_rate=3e-3, entropy=0.0, value_weight=0.0, epochs=6), None)
    rollout = collect(learner.groups[:1], learner.network, learner.past)[0]
    rewarded = rollout.actions % 2 == 0
    choice = rollout.masks.sum(-1) > 1
    told = rollout._replace(advantages=torch.where(rewarded, 1.0, -1.0), learn=choice)

    def log_probs() -> torch.Tensor:
        of_all = masked(learner.network(rollout.seen.flatten(0, 1)).logits, rollout.masks.flatten(0, 1))
        return of_all.gather(-1, rollout.actions.flatten()[:, None])[:, 0].reshape(rewarded.shape)

    before = log_probs()
    learner.learn([told], 0.0)
    change = log_probs() - before
    assert change[rewarded & choice].mean() > 0.05
    assert change[~rewarded & choice].mean() < -0.05


def test_an_epoch_is_a_pass_over_the_rollouts_of_all_numbers_of_players() -> None:
    learner = Learner(replace(TINY, players=(2, 3), minibatch=40, **FEW), None)
    assert learner.iterate()["epochs"] == TINY.epochs


def test_a_group_without_a_decision_to_learn_from_adds_nothing() -> None:
    learner = Learner(replace(TINY, groups=2, **QUICK), None)
    rollouts = collect(learner.groups, learner.network, learner.past)
    rollouts[0].learn[:] = False
    measured = learner.learn(rollouts, 0.01)
    assert np.isfinite(list(measured.values())).all()
    assert measured["epochs"] == TINY.epochs


def test_warming_up_changes_the_value_alone() -> None:
    learner = Learner(replace(TINY, warm_up=1), None)

    def changed() -> set[str]:
        before = {name: tensor.clone() for name, tensor in learner.network.state_dict().items()}
        learner.iterate()
        after = learner.network.state_dict()
        return {name.partition(".")[0] for name, tensor in before.items() if not torch.equal(tensor, after[name])}

    assert changed() == {"value"}
    assert {"value", "body", "query", "changes"} <= changed()


# --- runs


def same_run(one: Path, other: Path) -> None:
    def is_timed(name: str) -> bool:
        return name.startswith(("decisions_per_s", "seconds"))

    lines = [
        [{name: value for name, value in line.items() if not is_timed(name)} for line in read_metrics(folder)]
        for folder in (one, other)
    ]
    assert lines[0] == lines[1]
    for name in (LAST, BEST):
        tensors, others = load_file(one / name), load_file(other / name)
        assert tensors.keys() == others.keys()
        assert all(torch.equal(tensor, others[name]) for name, tensor in tensors.items())


@pytest.mark.parametrize(
    ("config", "how"),
    [
        pytest.param(replace(TINY, **QUICK), "ctrl-c", id="solo, ctrl-c"),
        pytest.param(replace(TINY, warm_up=3, evaluate_every=4, **QUICK), "killed", id="before an evaluation, killed"),
        pytest.param(replace(DUEL, rival="random", **QUICK), "killed", id="rivals that draw, killed"),
        pytest.param(replace(TINY, players=(2, 3), **FEW), "killed", id="2 and 3, killed"),
        pytest.param(replace(DUEL, groups=3, **QUICK), "ctrl-c", id="groups, ctrl-c"),
        pytest.param(replace(TINY, groups=2, **DIFFICULTIES), "killed", id="afterstates and difficulties, killed"),
        pytest.param(replace(DUEL, **DECKS), "killed", id="decks, killed"),
        pytest.param(replace(DUEL, options={"mode": "simultaneous"}, **QUICK), "killed", id="all at once, killed"),
    ],
)
def test_a_run_that_was_stopped_goes_on_to_the_same_curve(
    config: Config, how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    train(config, tmp_path / "whole", progress=False)
    iterate = Learner.iterate

    def stopped(learner: Learner) -> dict[str, float]:
        if learner.iteration == 2:
            if how == "killed":
                raise SystemExit
            os.kill(os.getpid(), signal.SIGINT)
        measured: dict[str, float] = iterate(learner)
        return measured

    monkeypatch.setattr(Learner, "iterate", stopped)
    if how == "killed":
        with pytest.raises(SystemExit):
            train(config, tmp_path / "parts", progress=False)
    else:
        assert train(config, tmp_path / "parts", progress=False) is None
    assert len(read_metrics(tmp_path / "parts")) == (2 if how == "killed" else 3)
    monkeypatch.setattr(Learner, "iterate", iterate)
    with (tmp_path / "parts" / "metrics.jsonl").open("a") as metrics:
        metrics.write('{"iteration": 4, "half a li')  # what a killed process leaves behind
    train(config, tmp_path / "parts", resume=True, progress=False)
    same_run(tmp_path / "whole", tmp_path / "parts")


def test_a_run_in_slices_is_a_run_in_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slice that is too short for anything is one iteration; and past selves that are met no more are deleted."""
    config = replace(DUEL, iterations=3, evaluate_every=3, most_selves=2, **QUICK)
    train(config, tmp_path / "whole", progress=False)
    parts = tmp_path / "parts"
    slices = [train(config, parts, resume=number > 0, minutes=0, progress=False) for number in range(3)]
    assert slices == [None, None, parts / BEST]
    same_run(tmp_path / "whole", parts)
    for folder in (tmp_path / "whole", parts):
        assert sorted(path.name for path in (folder / "past").iterdir()) == ["2.safetensors", "3.safetensors"]


def test_a_rival_draws_anew_in_every_iteration() -> None:
    table = Learner(replace(TINY, players=(2,), games=2, against="random", **QUICK), None).groups[0]
    mask = np.ones(10_000, np.int8)
    drawn = []
    for iteration in (0, 1, 0):
        table.begin(iteration)
        agents = [cast(RandomAgent, cast(Rival, table.rival)._agent_at(row, 0)[1]) for row in range(2)]
        drawn.append([agent({}, mask) for agent in agents])
    assert drawn[0] == drawn[2]
    assert len({*drawn[0], *drawn[1]}) == 4  # in every game, too


def test_no_two_rivals_of_an_iteration_have_one_seed() -> None:
    config = replace(TINY, players=(2,), options={"play_forced": [True, False]}, games=4, groups=2, against="random")
    groups = Learner(replace(config, **QUICK), None).groups
    drawn = []
    for group in groups:
        group.begin(0)
        rival = cast(Rival, group.rival)
        for _ in range(2):  # games of a row that follow each other
            agents = [cast(RandomAgent, rival._agent_at(row, seat)[1]) for row in range(2) for seat in range(2)]
            drawn += [agent({}, np.ones(10_000, np.int8)) for agent in agents]
            rival.forget(np.arange(2))
    assert len({*drawn}) == len(drawn) == 4 * 2 * 2 * 2


def test_a_run_is_not_overwritten_and_not_gone_on_with_otherwise(tmp_path: Path) -> None:
    config = replace(TINY, iterations=1, evaluate_every=1, **QUICK)
    with pytest.raises(RunError, match="holds no run to resume"):
        train(config, tmp_path / "run", resume=True, progress=False)
    train(config, tmp_path / "run", progress=False)
    with pytest.raises(RunError, match="holds a run already"):
        train(config, tmp_path / "run", progress=False)
    with pytest.raises(RunError, match="epochs is 2 there and 3 here"):
        train(replace(config, epochs=3), tmp_path / "run", resume=True, progress=False)
    longer = "iterations is 1 there and 2 here; to train on, begin a new run with --start .*last.safetensors"
    with pytest.raises(RunError, match=longer):
        train(replace(config, iterations=2), tmp_path / "run", resume=True, progress=False)


def test_a_folder_is_for_one_process_at_a_time(tmp_path: Path) -> None:
    config = replace(TINY, iterations=1, evaluate_every=1)
    with Run(tmp_path / "run", {}), pytest.raises(RunError, match="another process is at work in it"):
        train(config, tmp_path / "run", progress=False)


def test_games_of_other_rules_are_not_gone_on_with(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(shutil.copytree(finished, tmp_path / "run"))
    monkeypatch.setattr(cf, "__version__", "99.0")
    with pytest.raises(
        CheckpointError, match=r'last\.safetensors: its games are not .*: version is .* and "99\.0" here$'
    ):
        train(WITH_PAST, folder, resume=True, progress=False)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"players": (2, 2)}, "players: expected different numbers, got"),
        ({"players": ()}, "players: expected different numbers, got"),
        ({"players": (2,), "steps": 4}, "steps: expected at least 8 with several players, got 4"),
        ({"past_share": 0.8, "rival_share": 0.3}, "shares: expected at most the 12 games of a group together"),
        ({"gamma": -3.0}, r"gamma: expected a number 0..1, got -3.0"),
        ({"lam": float("nan")}, r"lam: expected a number 0..1, got nan"),
        ({"against": "greedy"}, "against: expected two players or more, got"),
        ({"against": "greedy", "rival": "planner", "rival_share": 0.1, "players": (2,)}, "against: expected no rival"),
        ({"rival": "planner"}, "rival: expected several players beside it"),
    ],
)
def test_settings_with_which_nothing_can_be_learned_are_refused(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        replace(TINY, **changed)


@pytest.mark.parametrize(
    ("players", "network"), [((1, 2), {"kind": "afterstates"}), ((2, 3), {"kind": "mlp"})], ids=["afterstates", "mlp"]
)
def test_numbers_of_players_that_one_network_cannot_serve_are_refused(players: Any, network: Any) -> None:
    with pytest.raises(ValueError, match="built for other observations"):
        Learner(replace(TINY, players=players, network=network | {"width": 8}), None)


def test_what_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match=r"network 'afterstates': .*breadth"):
        Learner(replace(TINY, network={"breadth": 3}), None)
    if not torch.cuda.is_available():
        with pytest.raises(ValueError, match="cuda is not available here"):
            Learner(replace(TINY, device="cuda"), None)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run to be copied before it is damaged, with past selves."""
    folder = tmp_path_factory.mktemp("ppo") / "run"
    train(WITH_PAST, folder, progress=False)
    return folder


WITH_PAST = replace(TINY, players=(2,), past_share=0.5, games=4, steps=8, iterations=2, evaluate_every=1, **QUICK)


@pytest.mark.parametrize(
    ("name", "damage", "error", "said"),
    [
        (CONFIG, lambda whole: whole[:40], RunError, r"config\.json is not JSON: .*; expected the settings of a run"),
        (METRICS, lambda whole: b'{"a": 1}\n' + whole, RunError, r"metrics\.jsonl, line 1 lacks the field iteration"),
        (METRICS, lambda whole: whole.replace(b'"score": ', b'"score": "x'), RunError, r"metrics\.jsonl, line 1 is n"),
        (METRICS, None, RunError, r"metrics\.jsonl: No such file"),
        (LAST, lambda whole: whole[:-100], CheckpointError, r"last\.safetensors: no checkpoint can be read"),
        (LAST, None, RunError, r"holds no run to resume: expected last\.safetensors"),
        (BEST, lambda whole: whole[:-100], CheckpointError, r"best\.safetensors: no checkpoint can be read"),
    ],
)  # fmt: skip
def test_a_damaged_run_is_refused_and_stays_as_it_is(
    name: str, damage: Any, error: type[Exception], said: str, finished: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(finished, tmp_path / "run"))
    whole = (folder / name).read_bytes()
    (folder / name).unlink()
    if damage is not None:
        (folder / name).write_bytes(damage(whole))

    def files() -> dict[str, bytes]:
        some = (path for path in folder.rglob("*") if path.is_file() and "tfevents" not in path.name)
        return {str(path): path.read_bytes() for path in some}

    before = files()
    with pytest.raises(error, match=said):
        train(WITH_PAST, folder, resume=True, progress=False)
    assert files() == before


def test_a_network_that_chooses_illegal_actions_is_named() -> None:
    learner = Learner(WITH_PAST, None)
    with torch.no_grad():
        learner.past.get_parameter("policy.bias")[:] = -3e38  # below what stands for an illegal action
    with pytest.raises(RunError, match="the network, or a past self, has diverged: it chose an illegal action"):
        learner.iterate()


def test_a_draw_of_zero_chooses_a_legal_action(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch, "rand_like", torch.zeros_like)  # each number of a row is 0 once in 2^24 draws
    learner = Learner(TINY, None)
    [group] = learner.groups
    mask = torch.zeros_like(group.now[1][:1])
    mask[0, 5] = 1
    actions, log_probs, _ = sample(learner.network, TINY, [group.now[0][:1]], [mask])
    assert (int(actions[0]), float(log_probs[0])) == (5, 0)


def test_a_rollout_without_a_decision_to_learn_from_says_so() -> None:
    config = replace(TINY, players=(4,), games=1, steps=8, against="greedy", **QUICK)
    with pytest.raises(RunError, match=r"a rollout has \d decisions to learn from: expected more games, or more steps"):
        Learner(config, None).iterate()


def test_a_network_that_has_diverged_does_not_replace_the_last_checkpoint(tmp_path: Path) -> None:
    learner = Learner(TINY, None)
    with Run(tmp_path, {}) as run:
        run.save(LAST, learner.about(), learner.tensors())
        before = (tmp_path / LAST).read_bytes()
        with torch.no_grad():
            next(learner.network.parameters())[0] = float("nan")
        with pytest.raises(CheckpointError, match=r"last\.safetensors: tensor 'network.*' holds nan or infinity"):
            run.save(LAST, learner.about(), learner.tensors())
    assert (tmp_path / LAST).read_bytes() == before


def test_a_run_tells_what_it_is_made_of(tmp_path: Path) -> None:
    best = train(replace(TINY, iterations=1, **QUICK), tmp_path / "run", progress=False)
    assert best is not None
    about = json.loads((tmp_path / "run" / "config.json").read_text())
    assert about["config"]["seed"] == 0
    assert about["versions"]["torch"] == torch.__version__
    assert {"alone/won", "alone/low", "alone/high", "entropy", "kl", "explained_variance", "decisions_per_s"} <= set(
        read_metrics(tmp_path / "run")[0]
    )
    assert list((tmp_path / "run").glob("events.out.tfevents.*"))
    LearnedAgent(load("chocofactory", num_players=1), best)


def test_a_run_of_several_variants_names_them(tmp_path: Path) -> None:
    config = replace(TINY, iterations=1, **DIFFICULTIES)
    best = train(config, tmp_path / "run", progress=False)
    assert best is not None
    assert {"alone,difficulty=0/won", "alone,difficulty=3/won"} <= set(read_metrics(tmp_path / "run")[0])
    checkpoint = load_checkpoint(best)
    assert checkpoint.about["trained_for_players"] == [1]
    assert checkpoint.about["trained_for_variants"] == ["1,difficulty=0", "1,difficulty=3"]
    for difficulty in range(4):
        game = load("chocofactory", num_players=1, difficulty=difficulty)
        LearnedAgent(game, best)
    groups = Learner(replace(config, groups=2, games=4), None).groups
    assert len({table.name for table in groups}) == len({table.rng.random() for table in groups}) == 4


# --- evaluation


@pytest.mark.parametrize(("players", "decks"), [(1, []), (3, []), (1, DECKS["decks"]), (2, DECKS["decks"])])
def test_evaluation_is_a_match_of_the_arena(players: int, decks: Sequence[str], tmp_path: Path) -> None:
    games = games_with_decks("chocofactory", {"num_players": players}, decks)
    torch.manual_seed(5)
    network = make_network(games.first, "afterstates" if decks else "mlp", width=8)
    path = tmp_path / "net.safetensors"
    save_network(path, network, games.first)
    agents = (f"learned:checkpoint={path}", *["greedy"] * (players - 1))
    found = list(play_rows(chooser(network), games, range(70, 73), table_with(agents[0], "greedy", players)))
    assert len(found) == 3 * players
    assert len({task.get("deck") for task, _ in found}) > 1 or not decks
    for task, result in found:
        game = games[games.draw(task["deal"])]
        records = play_match(game, agents, [task["deal"]], progress=False).outcome.records
        same = next(record for record in records if record["rotation"] == task["rotation"])
        for name in ("agents", "scores", "places", "won", "decisions"):
            assert (task | result)[name] == same[name]
