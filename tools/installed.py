"""Check an installed package against the promises of a release; `tools.release` runs it outside the checkout.

    python installed.py EXTRA ...

Every game and variant must pass `check_game`, and every environment PettingZoo's `api_test` or Gymnasium's `check_env`.
Every shipped agent that needs no server must play a game, or name the extra it lacks. The command `chocofactory match`
must play a user's agent, or name the extra it lacks. All is played from the wheel's libraries.
"""

from __future__ import annotations

import subprocess
import sys
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import gymnasium
from gymnasium.utils.env_checker import check_env

import chocofactory_env as cf
from chocofactory_env import registry
from chocofactory_env.testing import check_game

EXPANSION = "master_chocolatier"
VARIANTS: dict[str, list[dict[str, Any]]] = {
    "chocofactory": [
        *({"num_players": players} for players in (1, 2, 3, 4)),
        {"num_players": 1, "difficulty": 3},
        *({"num_players": players, "expansion": EXPANSION, "sides": "random"} for players in (1, 2, 4)),
    ],
    "candyfactory": [
        *({"num_players": players} for players in (2, 3, 4)),
        {"num_players": 2, "game": "candy"},
        {"num_players": 2, "game": "plantation", "play_forced": False},
    ],
    "schoko": [{"num_players": players} for players in (2, 3, 4)],
}
DICE = {"candyfactory": ["roll_die"]}
# With default settings, searching agents would take minutes.
QUICK = {
    "expert": {"chocofactory": "expert:width=2,draft_width=1", "schoko": "expert:simulations=2"},
    "flat_mc": {"": "flat_mc:playouts=1"},
    "mcts": {"": "mcts:simulations=2"},
    "planner": {"": "planner:width=2"},
    "solo": {"": "solo:width=2"},
}
NEEDS_EXTRA = {"learned": "learned"}  # agent -> extra
NEEDS_SERVER = {"llm"}  # agents that ask a language model


def check_games() -> None:
    for name, variants in VARIANTS.items():
        for options in variants:
            check_game(cf.load(name, **options), seeds=range(3), dice=DICE.get(name, ()))
            print(f"check_game {name} {options}", flush=True)


def check_environments() -> None:
    import pettingzoo.test  # emits warnings

    for name, game in registry.GAMES.items():
        pettingzoo.test.api_test(cf.make_env(name, num_players=3), num_cycles=50)
        for environment in filter(None, (game.versus, game.solo)):
            made = gymnasium.make(registry.environment_id(environment))
            check_env(made.unwrapped, skip_render_check=True)
            gymnasium.make_vec(registry.environment_id(environment), num_envs=4).reset(seed=1)
            print(f"check_env {registry.environment_id(environment)}", flush=True)


def check_agents(extras: list[str]) -> None:
    from chocofactory_env.agents.protocol import agents_of

    for name in registry.GAMES:
        for agent in set(agents_of(name)) - NEEDS_SERVER:
            game = cf.load(name, num_players=1 if agent == "solo" else 2)
            text = QUICK.get(agent, {}).get(name, QUICK.get(agent, {}).get("", agent))
            if agent in NEEDS_EXTRA and NEEDS_EXTRA[agent] not in extras:
                check_refusal(agent, game)
            else:
                cf.record_game(game, [cf.make_agent(text, game) for _ in range(game.num_players)], seed=1)
                print(f"{name}: {text} plays", flush=True)


STRANGER = "def Agent(game):\n    return lambda observation, mask: int(mask.argmax())\n"


def check_arena() -> None:
    """Check the arena with a user's agent, written to the current folder."""
    Path("stranger.py").write_text(STRANGER, encoding="utf-8")
    command = Path(sys.executable).with_name("chocofactory")
    for game in registry.GAMES:
        words = ["match", "--game", game, "--agents", "stranger:Agent", "random", "--deals", "2"]
        done = subprocess.run([command, *words], capture_output=True, text=True, check=False)
        if find_spec("pebble") is None:
            assert 'pip install "chocofactory-env[arena]"' in done.stderr, done.stderr
        else:
            assert done.returncode == 0, done.stderr
            assert "2 players  stranger:Agent" in done.stdout, done.stdout
        print(f"{game}: chocofactory match", flush=True)


def check_libraries() -> None:
    """SystemExit unless every game has a library that the wheel brought."""
    from chocofactory_env.core.library import SHIPPED, SUFFIX

    for game in registry.GAMES:
        if not (SHIPPED / f"{game}{SUFFIX}").exists():
            raise SystemExit(f"{game}: expected a library in {SHIPPED}, got none")
    if compilers := {"llvmlite", "numba", "ziglang"} & sys.modules.keys():
        raise SystemExit(f"expected no compiler in this process, got {sorted(compilers)}")


def check_refusal(agent: str, game: cf.Game) -> None:
    try:
        cf.make_agent(agent, game)
    except ImportError as error:
        if f"chocofactory-env[{NEEDS_EXTRA[agent]}]" in str(error):
            return
    raise AssertionError(f"{agent} without its extra: expected an ImportError that names it")


def main() -> None:
    extras = sys.argv[1:]
    if {"data", "train"} & {*extras}:
        extras.append("learned")  # which they bring
    place = Path(cf.__file__)
    if "site-packages" not in place.parts:
        raise SystemExit(f"expected the installed package, got {place}")
    if "learned" not in extras and find_spec("torch"):
        raise SystemExit("expected an environment without torch")
    warnings.simplefilter("ignore")  # the checkers warn about dictionary observations
    check_environments()
    check_agents(extras)
    check_arena()
    check_games()
    check_libraries()
    print(f"chocofactory_env {cf.__version__}: all checks passed")


if __name__ == "__main__":
    main()
