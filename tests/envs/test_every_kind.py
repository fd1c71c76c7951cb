"""What environments and batches of every kind do alike: what they refuse, how they are copied, rendered and closed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from games_under_test import toy
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from toy_agents import Picks

import chocofactory_env as cf
from chocofactory_env.envs.aec import AECGameEnv
from chocofactory_env.envs.parallel import ParallelGameEnv

REST = toy().action_layout.encode("rest")
OF_ONE = {"num_players": 1, "rounds": 2}
OF_TWO = {"num_players": 2, "rounds": 2}


def of_one(**options: Any) -> dict[str, Any]:
    return {"games": toy(**OF_ONE), **options}


def of_two(**options: Any) -> dict[str, Any]:
    return {"games": toy(**OF_TWO), **options}


def aec(**options: Any) -> AECGameEnv:
    return AECGameEnv(options.pop("games", toy(**OF_TWO)), **options)


SOLO, VERSUS = "ChocoFactory/FactoryManager-v0", "ChocoFactory/Versus-v0"
# What is made, with options beside its own, and an action that it takes.
MAKERS: dict[str, tuple[Callable[..., Any], Any]] = {
    "AEC": (aec, REST),
    "parallel": (lambda **options: ParallelGameEnv(toy(**OF_TWO), **options), {"player_0": REST, "player_1": REST}),
    "solo": (lambda **options: gymnasium.make(SOLO, **of_one(**options)), REST),
    "versus": (lambda **options: gymnasium.make(VERSUS, **of_two(**options)), REST),
    "solo, many": (lambda num_envs=2, **o: gymnasium.make_vec(SOLO, num_envs, **of_one(**o)), [REST, REST]),
    "versus, many": (lambda num_envs=2, **o: gymnasium.make_vec(VERSUS, num_envs, **of_two(**o)), [REST, REST]),
    "batch": (lambda **options: cf.SelfPlayBatch(toy(**OF_TWO), 2, **options), [REST, REST]),
    "joint batch": (lambda **options: cf.ParallelBatch(toy(**OF_TWO), 2, **options), [[REST, REST]] * 2),
}


def position_of(env: Any) -> bytes:
    whole: Any = env.unwrapped if isinstance(env, gymnasium.Env | gymnasium.vector.VectorEnv) else env
    positions: bytes = (whole._batch.states if hasattr(whole, "_batch") else whole.game_state).tobytes()
    return positions


NO_SEEDS: list[tuple[Any, type[Exception]]] = [(True, TypeError), (1.5, TypeError), ("1", TypeError), (-1, ValueError)]
NO_RESETS: list[tuple[dict[str, Any], type[Exception], str]] = [
    *(({"seed": seed}, error, "seed") for seed, error in NO_SEEDS),
    *(
        (
            {"options": {key: 3}},
            TypeError,
            rf"'{key}', which is an option of the environment: make\w*\(..., {key}=...\)",
        )
        for key in ("num_players", "reward")
    ),
    *(
        ({"options": options}, TypeError, r"^reset\(options=...\): expected a dictionary or None, got ")
        for options in ([], [1], "", "months", 0, ())
    ),
]


@pytest.mark.parametrize("kind", MAKERS)
def test_a_refused_reset_changes_nothing(kind: str) -> None:
    env = MAKERS[kind][0]()
    env.reset(seed=4)
    before = position_of(env)
    for what, error, match in NO_RESETS:
        with pytest.raises(error, match=match):
            env.reset(**{"seed": 1, **what})
        assert position_of(env) == before
    env.reset(seed=np.uint32(4))  # NumPy's integers are taken too
    assert position_of(env) == before


ILLEGAL: dict[str, tuple[str, ...]] = {  # what `illegal_action` may be
    "AEC": ("raise", "terminate"),
    "parallel": ("raise", "terminate"),
    **dict.fromkeys(["solo", "versus", "solo, many", "versus, many"], ("penalty", "raise", "terminate")),
}


def with_action(actions: Any, action: int) -> Any:
    """The actions of a step with another one in the last place."""
    if isinstance(actions, dict):
        return {**actions, "player_1": action}
    return [*actions[:-1], with_action(actions[-1], action)] if isinstance(actions, list) else action


@pytest.mark.parametrize(
    ("kind", "options"),
    [(kind, {"illegal_action": how}) for kind, hows in ILLEGAL.items() for how in hows]
    + [(kind, {}) for kind in MAKERS if kind not in ILLEGAL],
)
def test_an_action_outside_the_space_raises_and_changes_nothing(kind: str, options: dict[str, Any]) -> None:
    make, action = MAKERS[kind]
    env = make(**options)
    env.reset(seed=4)
    before, size = position_of(env), toy().num_actions + (kind in ("parallel", "joint batch"))
    for outside in (-1, size, 5000, -(2**40)):
        with pytest.raises(
            cf.IllegalActionError, match=f"illegal action {max(outside, -1) if kind == 'parallel' else outside}"
        ):
            env.step(with_action(action, outside))
        assert position_of(env) == before


def test_an_aec_environment_warns_of_options_that_it_ignores_and_others_refuse_them() -> None:
    env = MAKERS["AEC"][0]()
    with pytest.warns(UserWarning, match=r"reset\(options=...\) ignores 'options': it takes state"):
        env.reset(seed=1, options={"options": 1})  # as `api_test` does
    env.reset(seed=1, options={"options": 1})  # once is enough: a warning is an error in these tests
    assert env.game.seed_of(env.game_state) == 1
    with pytest.raises(TypeError, match="unknown key 'nonsense'; reset"):
        MAKERS["solo"][0]().reset(options={"nonsense": 2})
    with pytest.raises(TypeError, match=r"'reset_maks' \(did you mean 'reset_mask'\?\)"):
        MAKERS["solo, many"][0]().reset(options={"reset_maks": np.array([True, False])})


@pytest.mark.parametrize("kind", MAKERS)
def test_nothing_goes_on_after_close(kind: str) -> None:
    make, action = MAKERS[kind]
    env = make()
    env.reset(seed=1)
    env.close()
    env.close()  # again is harmless
    actions = np.array(action) if isinstance(action, list) else action
    with pytest.raises(ClosedEnvironmentError, match=r"step\(\): the environment has been closed; make a new one"):
        env.step(actions)
    with pytest.raises(ClosedEnvironmentError, match=r"reset\(\): the environment has been closed"):
        env.reset(seed=1)
    for look in LOOKS[1:] if kind == "AEC" else []:
        with pytest.raises(ClosedEnvironmentError, match=r"\w+\(\): the environment has been closed"):
            look(env)
    unplayed = make()
    unplayed.close()
    with pytest.raises(ClosedEnvironmentError, match="closed"):
        unplayed.reset(seed=1)


# Beside `step`, what asks for a game that is under way, or resets one of several that are.
Calls = list[Callable[[Any], Any]]
SOME = np.array([True, False])
AGENTS: Calls = [lambda env: env.agents, lambda env: env.num_agents]
LOOKS: Calls = [lambda env: env.agent_selection, lambda env: env.last(), lambda env: env.observe("player_0")]
MANY: Calls = [lambda env: env.state(0), lambda env: env.reset(options={"reset_mask": SOME.copy()})]
BATCH: Calls = [lambda env: env.state(0), lambda env: env.snapshot(), lambda env: env.reset(games=SOME)]
OF_A_GAME: dict[str, Calls] = {
    "AEC": AGENTS + LOOKS,
    "parallel": AGENTS,
    "solo": [],
    "versus": [],
    **dict.fromkeys(["solo, many", "versus, many"], MANY),
    **dict.fromkeys(["batch", "joint batch"], BATCH),
}


@pytest.mark.parametrize("kind", MAKERS)
def test_before_the_first_reset_everything_says_so(kind: str) -> None:
    make, action = MAKERS[kind]
    env = make()
    env = getattr(env, "unwrapped", env)
    with pytest.raises(ResetNeeded, match="reset"):
        env.step(action)
    for call in OF_A_GAME[kind]:
        with pytest.raises(ResetNeeded, match="reset"):
            call(env)
    if "many" in kind or "batch" in kind:
        with pytest.raises(IndexError, match="row: expected 0 to"):
            env.state(99)
    env.reset(seed=1)
    for call in OF_A_GAME[kind]:
        call(env)


@pytest.mark.parametrize("name", ["agents", "nonsense", "num_nonsense"])
def test_an_aec_environment_has_no_other_attributes(name: str) -> None:
    assert not hasattr(AECGameEnv(toy()), name)


def test_a_closed_batch_takes_no_snapshot_back() -> None:
    batch = cf.SelfPlayBatch(toy(**OF_TWO), 2)
    batch.reset(seed=1)
    snapshot = batch.snapshot()
    batch.close()
    with pytest.raises(ClosedEnvironmentError, match=r"restore\(\)"):
        batch.restore(snapshot)


@pytest.mark.parametrize("kind", [kind for kind in MAKERS if "batch" not in kind])
def test_render_without_a_mode_says_which_there_are(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    warned: list[str] = []
    monkeypatch.setattr(gymnasium.logger, "warn", warned.append)
    env = MAKERS[kind][0]().unwrapped
    env.reset(seed=1)
    assert env.render() is None
    modes = "'ansi', 'rgb_array'" + ("" if "many" in kind else ", 'human'")
    expected = f"expected render_mode to be one of {modes}, got None"
    assert warned == [f"{type(env).__name__}.render() without a render mode: {expected}"]


@pytest.mark.parametrize("kind", [kind for kind in MAKERS if "batch" not in kind])
def test_the_table_is_rendered_in_text(kind: str) -> None:
    env = MAKERS[kind][0](render_mode="ansi").unwrapped
    with pytest.raises(ResetNeeded):
        env.render()
    env.reset(seed=1)
    if "many" in kind:
        seats = (0, 0) if "solo" in kind else env.seats
        assert env.render() == tuple(env.game.render(env.state(row), seats[row]) for row in range(2))
    else:
        seat = 0 if kind == "solo" else env.seat if kind == "versus" else None
        assert env.render() == env.game.render(env.game_state, seat)


# --- options


SOLO_KINDS = ("solo", "solo, many")
ONE_SEAT = (*SOLO_KINDS, "versus", "versus, many")
ONE_OR_MANY = ("AEC", *ONE_SEAT)
REFUSED: list[tuple[str, dict[str, Any], type[Exception], str]] = [
    *((kind, {"reward": "gold"}, ValueError, "reward") for kind in MAKERS),
    *((kind, {"illegal_action": "ignore"}, ValueError, "illegal_action") for kind in MAKERS if "batch" not in kind),
    *((kind, {"games": []}, ValueError, "games: expected one or more in the list") for kind in ONE_OR_MANY),
    *((kind, {"games": [toy(), 5]}, TypeError, r"games\[1\]: expected a game, as") for kind in ONE_OR_MANY),
    *((kind, {"decks": "generated:1-2"}, TypeError, "'decks': a loaded game has its own") for kind in ONE_OR_MANY),
    *(
        (kind, {switch: no_flag}, TypeError, f"^{switch}: expected True or False, got")
        for kind in ("batch", "joint batch")
        for switch, no_flag in (("scaled", "no"), ("autoreset", "Disabled"), ("autoreset", None))
    ),
    ("joint batch", {"asked_only": 300}, TypeError, "^asked_only: expected True or False, got"),
    *((kind, {"opponents": Picks(0)}, ValueError, "opponents: expected none in a game of one") for kind in SOLO_KINDS),
    ("AEC", {"illegal_action": "penalty"}, ValueError, "illegal_action"),
    ("parallel", {"illegal_action": "penalty"}, ValueError, "illegal_action must be one of"),
    *(("solo", {"reward": kind}, ValueError, "this game has one") for kind in ("rank", "margin")),
    ("solo, many", {"reward": "rank"}, ValueError, "compares players"),
    ("solo, many", {"autoreset_mode": "never"}, ValueError, "autoreset_mode"),
    (
        "versus",
        {"games": toy(num_players=4), "opponents": [Picks(0)] * 2},
        ValueError,
        "opponents: expected 3, or",
    ),
    ("versus", {"opponents": [5]}, TypeError, "opponent 0: expected a callable"),
    *((kind, {"seat": seat}, TypeError, "seat") for kind in ONE_SEAT for seat in (True, 1.0, "1", "first")),
    *((kind, {"seat": 1}, ValueError, "seat: expected 0 to 0, got 1") for kind in SOLO_KINDS),
    *((kind, {"seat": 2}, ValueError, "seat: expected 0 to 1, got 2") for kind in ("versus", "versus, many")),
]


@pytest.mark.parametrize(("kind", "options", "error", "match"), REFUSED)
def test_options_that_do_not_fit_are_refused(
    kind: str, options: dict[str, Any], error: type[Exception], match: str
) -> None:
    with pytest.raises(error, match=match):
        MAKERS[kind][0](**options)
