"""What environments show, by options that are the same everywhere: blocks, named or flat, scaled or raw, frames."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gymnasium
import numpy as np
import pytest
from games_under_test import GAMES, WITH_SOLO_GAME, GameMaker, chocofactory, pick, schoko, toy
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import FrameStackObservation
from vector_games import follow

import chocofactory_env as cf
from chocofactory_env.core.jit import COMPILED
from chocofactory_env.core.observation.layout import Tensors
from chocofactory_env.envs.aec import AECGameEnv
from chocofactory_env.envs.parallel import ParallelGameEnv
from chocofactory_env.envs.solo import SoloEnv
from chocofactory_env.envs.vector import SoloVectorEnv, VersusVectorEnv
from chocofactory_env.envs.versus import VersusEnv

STEPS = 700 if COMPILED else 60
SOME = "some"  # blocks of the game at hand
VIEWS = [
    {"blocks": SOME},
    {"stack": 3},
    {"observation": "named", "scaled": False},
    {"observation": "named", "blocks": SOME, "stack": 2},
    {"blocks": SOME, "scaled": False, "stack": 3},
]
EVERY_VIEW = pytest.mark.parametrize("view", VIEWS, ids=lambda view: "-".join(map(str, view)))


def options_for(game: Any, view: dict[str, Any]) -> dict[str, Any]:
    """The view, with the last block (of two bytes an entry, if there are such), the first, and one in the middle."""
    names = [block.name for block in game.observation_layout.blocks]
    some = [names[-1], names[0], names[len(names) // 2]]
    return {name: some if value == SOME else value for name, value in view.items()}


def assert_shows(shown: Any, env: Any, game: Any, options: dict[str, Any], frames: Iterable[np.ndarray]) -> None:
    """`shown` is what the options make of whole flat observations, `frames`, the seat's in this game."""
    seen = [game.observation_layout.views(frame) for frame in list(frames)[-options.get("stack", 1) :]]
    named = shown if options.get("observation") == "named" else env.observation_layout.views(shown)
    whole = [block.name for block in game.observation_layout.blocks]
    chosen = options.get("blocks", whole)
    assert list(named) == [name for name in whole if name in chosen]
    for name, tensor in named.items():
        expected = np.stack([frame[name] for frame in seen])
        if "stack" not in options:
            assert np.array_equal(tensor, expected[0])
            continue
        missing = options["stack"] - len(seen)
        assert tensor.shape == (options["stack"], *expected.shape[1:])
        assert not tensor[:missing].any()
        assert np.array_equal(tensor[missing:], expected)
    if options.get("observation") != "named":
        assert shown.dtype == (np.float32 if options.get("scaled", True) else np.uint8)


@EVERY_VIEW
@pytest.mark.parametrize("make", GAMES)
def test_aec_shows_each_seat_what_it_saw_at_its_own_decisions(make: GameMaker, view: dict[str, Any]) -> None:
    game = make(num_players=2)
    options = options_for(game, view)
    env, whole = AECGameEnv(game, **options), AECGameEnv(game, scaled=options.get("scaled", True))
    rng = np.random.default_rng(5)
    for seed in (3, None):
        env.reset(seed=seed)
        whole.reset(seed=seed)
        past: dict[str, list[np.ndarray]] = {agent: [] for agent in env.agents}
        for _ in range(STEPS // 8):
            mover = whole.agent_selection
            for agent in env.possible_agents:
                seen, plain = env.observe(agent), whole.observe(agent)
                assert env.observation_space(agent).contains(seen)
                assert np.array_equal(seen["action_mask"], plain["action_mask"])
                assert_shows(seen["observation"], env, game, options, [*past[agent], plain["observation"]])
            if whole.terminations[mover]:
                break
            past[mover].append(whole.observe(mover)["observation"])
            action = pick(whole.observe(mover)["action_mask"], rng)
            env.step(action)
            whole.step(action)


@EVERY_VIEW
@pytest.mark.parametrize("mode", list(AutoresetMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize("illegal", ["penalty", "terminate"])
def test_rows_of_one_seat_show_what_single_environments_show(
    mode: AutoresetMode, illegal: str, view: dict[str, Any]
) -> None:
    game = toy(num_players=2)
    options = {**options_for(game, view), "illegal_action": illegal}
    native = VersusVectorEnv(game, 3, autoreset_mode=mode, copy=mode is AutoresetMode.NEXT_STEP, **options)
    single = SyncVectorEnv([lambda: VersusEnv(game, **options)] * 3, autoreset_mode=mode)
    assert native.single_observation_space == single.single_observation_space
    assert native.observation_space == single.observation_space
    assert follow(native, single, STEPS // 4, illegal=0.05) > 2


@EVERY_VIEW
@pytest.mark.parametrize("make", WITH_SOLO_GAME)
def test_the_solo_environment_shows_its_decisions(make: GameMaker, view: dict[str, Any]) -> None:
    game = make(num_players=1)
    options = options_for(game, view)
    env, whole = SoloEnv(game, **options), SoloEnv(game, scaled=options.get("scaled", True))
    (seen, info), (plain, _) = env.reset(seed=4), whole.reset(seed=4)
    frames: list[Any] = [plain]
    rng, over = np.random.default_rng(1), False
    while not over and len(frames) < STEPS:
        assert env.observation_space.contains(seen)
        assert_shows(seen, env, game, options, frames)
        action = pick(info["action_mask"], rng)
        seen, _, over, _, info = env.step(action)
        frames.append(whole.step(action)[0])
    native = SoloVectorEnv(game, 2, autoreset_mode="SameStep", **options)
    single = SyncVectorEnv([lambda: SoloEnv(game, **options)] * 2, autoreset_mode="SameStep")
    follow(native, single, STEPS // 4, illegal=0.01)


@EVERY_VIEW
@pytest.mark.parametrize("make", GAMES)
def test_rows_of_self_play_show_what_the_aec_environment_shows(make: GameMaker, view: dict[str, Any]) -> None:
    game = make(num_players=3)
    options = options_for(game, view)
    batch = cf.make_batch(game, 3, **options)
    singles = [AECGameEnv(game, **options) for _ in range(3)]
    step, rng = batch.reset(seed=8), np.random.default_rng(2)
    for at, env in enumerate(singles):
        env.reset(seed=8 + at)
    kept, restored = None, None
    for count in range(STEPS):
        for at, env in enumerate(singles):
            seen = env.observe(env.agent_selection)["observation"]
            assert_row(step.observations, at, seen)
        if count == 40:
            kept = batch.snapshot()
        if count == 50 and kept is not None:  # and back
            later = batch.snapshot()
            restored = batch.restore(kept)
            step = batch.restore(later)
        actions = np.array([pick(mask, rng) for mask in step.action_masks])
        step = batch.step(actions)
        for env, action in zip(singles, actions.tolist(), strict=True):
            env.step(action)
            if env.terminations[env.agent_selection]:
                env.reset()
    assert restored is not None
    space = batch.single_observation_space
    assert all(space.contains(row_of(step.observations, at)) for at in range(3))


def row_of(observations: Any, at: Any) -> Any:
    if isinstance(observations, dict):
        return {name: np.asarray(each[at]) for name, each in observations.items()}
    return observations[at]


def assert_row(observations: Any, at: Any, seen: Any) -> None:
    row = row_of(observations, at)
    if isinstance(seen, dict):
        assert list(row) == list(seen)
        assert all(np.array_equal(row[name], seen[name]) for name in seen)
    else:
        assert row.dtype == seen.dtype
        assert np.array_equal(row, seen)


@EVERY_VIEW
@pytest.mark.parametrize("asked_only", [False, True])
@pytest.mark.parametrize("make", [toy, schoko, lambda **options: chocofactory(mode="simultaneous", **options)])
def test_rows_of_joint_steps_show_what_the_parallel_environment_shows(
    make: GameMaker, asked_only: bool, view: dict[str, Any]
) -> None:
    game = make(num_players=2)
    options = options_for(game, view)
    batch = cf.ParallelBatch(game, 2, asked_only=asked_only, num_threads=2, **options)
    singles = [ParallelGameEnv(game, **options) for _ in range(2)]
    step, rng = batch.reset(seed=8), np.random.default_rng(2)
    seen = [env.reset(seed=8 + at)[0] for at, env in enumerate(singles)]
    for _ in range(STEPS // 2):
        asked = step.action_masks[..., -1] == 0
        for at, env in enumerate(singles):
            for seat, agent in enumerate(env.possible_agents):
                if asked[at, seat] or not asked_only:
                    assert_row(step.observations, (at, seat), seen[at][agent]["observation"])
        actions = np.array([[pick(mask, rng) for mask in masks] for masks in step.action_masks])
        step = batch.step(actions)
        for at, env in enumerate(singles):
            seen[at], *_ = env.step(dict(zip(env.agents, actions[at], strict=True)))
            if not env.agents:
                seen[at], _ = env.reset()


def test_the_stack_is_that_of_gymnasium() -> None:
    """For `gymnasium.make`, whose wrapper also stacks; ours is for batches and for all seats, too."""
    ours = gymnasium.make("ChocoFactory/FactoryManager-v0", stack=4)
    theirs = FrameStackObservation(gymnasium.make("ChocoFactory/FactoryManager-v0"), 4, padding_type="zero")
    assert ours.observation_space == theirs.observation_space
    (one, info), (other, _) = ours.reset(seed=1), theirs.reset(seed=1)
    for _ in range(40):
        assert np.array_equal(one, other)
        action = int(info["action_mask"].argmax())
        (one, _, over, _, info), (other, *_) = ours.step(action), theirs.step(action)
        assert not over


def test_opponents_see_everything() -> None:
    game = toy(num_players=2)
    name = game.observation_layout.blocks[0].name

    def opponent(observation: Tensors, mask: np.ndarray) -> Any:
        assert np.asarray(observation).shape[-1] == game.observation_layout.size
        return mask.argmax(axis=-1)

    for env in (
        VersusEnv(game, opponents=opponent, blocks=[name]),
        VersusVectorEnv(game, 2, opponents=opponent, blocks=[name]),
    ):
        _, info = env.reset(seed=1)
        for _ in range(5):
            *_, info = env.step(info["action_mask"].argmax(axis=-1))


@pytest.mark.parametrize("view", [{"blocks": SOME}, {"blocks": SOME, "stack": 2}, {"stack": 2}])
def test_a_view_is_written_into_the_callers_memory(view: dict[str, Any]) -> None:
    game = toy(num_players=2)
    batch, other = (cf.SelfPlayBatch(game, 2, **options_for(game, view)) for _ in range(2))
    step, expected = batch.reset(seed=1), other.reset(seed=1)
    for _ in range(30):
        mine = np.full_like(expected.observations, 7)
        batch.write_into(observations=mine)
        actions = step.action_masks.argmax(axis=1)
        step, expected = batch.step(actions), other.step(actions)
        assert step.observations is mine
        assert np.array_equal(mine, expected.observations)


@pytest.mark.parametrize(
    ("options", "error", "match"),
    [
        (
            {"blocks": ["mony"]},
            ValueError,
            r"blocks: no block is named 'mony' \(did you mean 'money'\?\); blocks are: ",
        ),
        ({"blocks": ["money", "money"]}, ValueError, "blocks: 'money' is named twice"),
        ({"blocks": []}, ValueError, "blocks: expected one or more names, got none"),
        ({"blocks": "money"}, TypeError, "blocks: expected names in a list, got 'money'"),
        ({"stack": 0}, ValueError, "stack: expected 1 to"),
        ({"scaled": "no"}, TypeError, "scaled: expected True or False"),
        ({"observation": "raw"}, ValueError, "observation must be one of 'flat', 'named'"),
    ],
)
@pytest.mark.parametrize(
    "make",
    [AECGameEnv, ParallelGameEnv, VersusEnv, VersusVectorEnv, lambda game, **view: cf.make_batch(game, 2, **view)],
)
def test_a_view_that_there_is_not(make: Any, options: dict[str, Any], error: type[Exception], match: str) -> None:
    with pytest.raises(error, match=match):
        make(toy(num_players=2), **options)


@EVERY_VIEW
def test_games_of_several_shapes_show_what_their_layout_has_in_common(view: dict[str, Any]) -> None:
    """Rows of two to four players: single AEC environments show the same, with zeros for what a game lacks."""
    sets: dict[str, Any] = {"num_players": [2, 3, 4]}
    whole = cf.make_batch("chocofactory", 3, scaled=view.get("scaled", True), **sets)
    options = options_for(whole, view)
    shown = cf.make_batch("chocofactory", 3, **sets, **options)
    envs = [AECGameEnv("chocofactory", **sets, **options) for _ in range(3)]
    sampler, step, seen = cf.LegalSampler(2), shown.reset(seed=5), whole.reset(seed=5)
    for row, env in enumerate(envs):
        env.reset(seed=5 + row)
    for _ in range(min(STEPS, 200)):
        for row, env in enumerate(envs):
            observation = env.observe(env.agent_selection)["observation"]
            assert_row(step.observations, row, observation)
            if "stack" not in options:
                assert_shows(observation, env, whole, options, [seen.observations[row]])
        actions = sampler(step.action_masks)
        for env, action in zip(envs, actions.tolist(), strict=True):
            env.step(action)
            if not env.agents or env.terminations[env.agent_selection]:
                return
        step, seen = shown.step(actions), whole.step(actions)
