"""The wheel: what is in it, and that its agents and arena play where other packages are called `agents` and `arena`."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tarfile
import textwrap
import tomllib
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest
from repository import ROOT

from agents.protocol import agents_of
from chocofactory_env._checkout import PACKAGES
from chocofactory_env.core.compiling.shipped_code import target
from chocofactory_env.core.jit import COMPILED

pytestmark = [
    pytest.mark.programs,  # builds, and plays in processes
    pytest.mark.skipif(find_spec("hatchling") is None, reason="hatchling builds the wheel; it is in the group `test`"),
]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
INFO = f"chocofactory_env-{PROJECT['version']}.dist-info"
QUICK = {
    "expert": "expert:width=2,draft_width=1",
    "flat_mc": "flat_mc:playouts=1",
    "mcts": "mcts:simulations=2,plan_width=1",
    "planner": "planner:width=2",
    "solo": "solo:width=2",
}

PLAY = """
import sys
import agents, chocofactory_env as cf
from multiprocessing import get_context

def play(name, game, agent):
    state = game.new(1)
    agent.reset(cf.agent_seed(game, state, 0)) if hasattr(agent, "reset") else None
    while not game.is_over(state):
        player = game.current_player(state)
        if hasattr(agent, "choose"):
            action = agent.choose(game.redeal(state, player, 0), player)
        else:
            action = agent(game.observe(state, player), game.legal_mask(state))
        game.apply(state, action)
    return name, type(agent).__module__

if __name__ == "__main__":
    assert "numba" not in sys.modules and not any(name in sys.modules for name in ("torch", "matplotlib", "scipy"))
    assert agents.DECOY
    print(cf.__file__)
    game = cf.load("chocofactory", num_players=1)
    made = [(name, game, cf.make_agent(name, game)) for name in sys.argv[1:]]
    with get_context("spawn").Pool(1) as pool:  # agents and the game are pickled, and play in a process of their own
        for result in pool.starmap(play, made):
            print(*result)
"""


def run(*words: object, where: Path, **environment: str) -> str:
    """The output of a Python process that knows nothing of the checkout."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", *map(str, words)],
        cwd=where,
        env={**clean, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def build(project: Path, target: str, folder: Path, **variables: str) -> Path:
    environment = {"PYTHONPATH": os.environ.get("PYTHONPATH", ""), **variables}  # hatchling may lie there
    run("-m", "hatchling", "build", "-t", target, "-d", folder, where=project, **environment)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, "wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def decoy(folder: Path) -> Path:
    """A folder with other packages that are called `agents`, as openai-agents has one, and `arena`."""
    for name in PACKAGES:
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text("DECOY = True\n")
    (folder / "agents" / "protocol.py").write_text("raise ImportError('the wrong agents')\n")
    return folder


def names_of(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        return sorted(archive.namelist())


def test_its_only_top_level_module_is_the_package(wheel: Path) -> None:
    top = {name.partition("/")[0] for name in names_of(wheel)}
    assert top == {"chocofactory_env", INFO}


def test_it_has_every_file_of_the_package_the_agents_and_the_arena_and_no_other(wheel: Path) -> None:
    package = {str(path.relative_to(ROOT)) for path in files_in(ROOT / "chocofactory_env")}
    inside = {f"chocofactory_env/{path.relative_to(ROOT)}" for name in PACKAGES for path in files_in(ROOT / name)}
    assert {name for name in names_of(wheel) if not name.startswith(INFO)} == package | inside
    assert "chocofactory_env/py.typed" in package
    assert "chocofactory_env/agents/chocofactory/checkpoints/solo.safetensors" in inside
    assert any(name.endswith(".toml") for name in package)  # the cards


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]


PACKAGE_OF = {
    "PIL": "pillow",
    "llvmlite": "numba",
    "pygame": "pygame-ce",
    "resvg_py": "resvg-py",
}  # of imported modules; Numba pins llvmlite


def test_the_font_of_pictures_goes_with_its_licence(unpacked: Path) -> None:
    files = {path.name for path in (unpacked / "chocofactory_env" / "drawing" / "data").iterdir()}
    assert files == {"Inter-Regular.ttf", "Inter-Bold.ttf", "LICENCE-Inter", "widths.json"}


def test_it_asks_for_what_it_imports(wheel: Path, unpacked: Path) -> None:
    """OpenSpiel, Ray and Stable-Baselines3 alone have a module for those who have installed them, and no extra."""
    metadata = (unpacked / INFO / "METADATA").read_text(encoding="utf-8").splitlines()
    extras = [line.removeprefix("Provides-Extra: ") for line in metadata if line.startswith("Provides-Extra: ")]
    assert extras == ["arena", "learned", "mcp", "openenv", "play", "render", "textarena", "verifiers"]
    declared = {found[1] for line in metadata if (found := re.match(r"Requires-Dist: ([\w-]+)", line))}
    imported = {name for file in (unpacked / "chocofactory_env").rglob("*.py") for name in imports_of(file)}
    outside = (
        {PACKAGE_OF.get(name, name) for name in imported}
        - set(sys.stdlib_module_names)
        - {"chocofactory_env", "__future__"}
    )
    assert outside - declared == {"pyspiel", "ray", "stable_baselines3"}
    assert imports_of(unpacked / "chocofactory_env" / "envs" / "sb3.py") >= {"stable_baselines3"}


def imports_of(source: Path) -> set[str]:
    """The top-level modules that a file imports by absolute names, anywhere in it."""
    nodes = list(ast.walk(ast.parse(source.read_text(encoding="utf-8"))))
    names = [one.name for node in nodes if isinstance(node, ast.Import) for one in node.names]
    names += [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module and not node.level]
    return {name.partition(".")[0] for name in names}


def test_the_source_distribution_builds_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    source = build(ROOT, "sdist", tmp_path / "sdist")
    with tarfile.open(source) as archive:
        archive.extractall(tmp_path / "source", filter="data")
    (project,) = (tmp_path / "source").iterdir()
    assert build(project, "wheel", tmp_path / "again").read_bytes() == wheel.read_bytes()


FIRST = """
from chocofactory_env.core.kernel.rng import seed_generator
import numpy as np
rng = np.zeros(4, np.uint32)
seed_generator(rng, 7)
print(rng[0])
"""


@pytest.fixture(scope="module")
def platform_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With compiled code of a few small functions."""
    code, cache = tmp_path_factory.mktemp("machine_code"), tmp_path_factory.mktemp("cache")
    program = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
import pathlib
{FIRST}
from tools.machine_code import pack
pack(pathlib.Path({str(code)!r}))
"""
    portable = target()
    assert portable is not None
    variables = {"NUMBA_CPU_NAME": portable.name, "NUMBA_CPU_FEATURES": "", "CHOCOFACTORY_CACHE_DIR": str(cache)}
    run("-c", program, where=code, **variables)
    return build(ROOT, "wheel", tmp_path_factory.mktemp("platform"), CHOCOFACTORY_MACHINE_CODE=str(code))


@pytest.mark.skipif(not COMPILED or target() is None, reason="no code is compiled for this kind of machine")
def test_a_wheel_with_compiled_code_is_of_one_python_and_machine_and_compiles_nothing(
    wheel: Path, platform_wheel: Path, tmp_path: Path
) -> None:
    with zipfile.ZipFile(platform_wheel) as archive:
        archive.extractall(tmp_path)
        about = archive.read(f"{INFO}/WHEEL").decode()
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert wheel.stem.endswith("-py3-none-any")
    assert re.search(rf"-{python}-{python}t?-(manylinux_2_17|macosx_11_0|win)_\w+$", platform_wheel.stem)
    assert "Root-Is-Purelib: false" in about
    added = set(names_of(platform_wheel)) - set(names_of(wheel))
    assert {name.rpartition("/")[0] for name in added} == {"chocofactory_env/machine_code"}
    cache = tmp_path / "cache"
    never = {"CHOCOFACTORY_COMPILE": "never", "CHOCOFACTORY_CACHE_DIR": str(cache), "PYTHONPATH": str(tmp_path)}
    assert run("-c", FIRST, where=tmp_path, **never) == "3991190901\n"
    assert not cache.exists()


def test_the_wheel_without_compiled_code_compiles_and_can_be_forbidden_to(unpacked: Path, tmp_path: Path) -> None:
    never = {"CHOCOFACTORY_COMPILE": "never", "CHOCOFACTORY_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(unpacked)}
    program = f"try:\n{textwrap.indent(FIRST, '  ')}\nexcept RuntimeError as error: print(error)"
    assert "no compiled code was found of chocofactory_env.core.kernel.rng.seed_generator(" in run(
        "-c", program, where=tmp_path, **never
    )


def test_every_shipped_agent_plays_from_the_wheel_beside_another_package_called_agents(
    unpacked: Path, tmp_path: Path
) -> None:
    pytest.importorskip("torch")
    (tmp_path / "play.py").write_text(PLAY)
    texts = [QUICK.get(name, name) for name in agents_of("chocofactory") if name != "llm"]  # it needs an endpoint
    path = os.pathsep.join(map(str, (decoy(tmp_path / "decoy"), unpacked)))
    where, *played = run("play.py", *texts, where=tmp_path, PYTHONPATH=path).splitlines()
    assert Path(where).is_relative_to(unpacked)
    assert [line.split()[0] for line in played] == texts
    assert all(line.split()[1].startswith("chocofactory_env.agents.") for line in played)


def test_the_command_plays_from_the_wheel_beside_another_package_called_arena(unpacked: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def agent(game):\n    return lambda observation, mask: int(mask.argmax())\n")
    path = os.pathsep.join(map(str, (decoy(tmp_path / "decoy"), unpacked)))
    words = ("match", "--agents", "mine:agent", "random", "--deals", "2", "--json", "match.json")
    said = run("-m", "chocofactory_env.arena", *words, where=tmp_path, PYTHONPATH=path)
    assert "2 players  mine:agent" in said
    tasks = ("tournament", "mine:agent", "random", "--deals", "1", "--processes", "2", "--out", "runs")
    assert "alpha-rank" in run("-m", "chocofactory_env.arena", *tasks, where=tmp_path, PYTHONPATH=path)


def test_the_checkout_finds_its_agents_beside_another_package_called_agents(tmp_path: Path) -> None:
    code = (
        "import agents, chocofactory_env as cf; assert agents.DECOY; "
        "import chocofactory_env.agents.chocofactory.planner as planner; "
        "print(type(cf.make_agent('planner', cf.load('chocofactory'))).__module__, planner.__file__)"
    )
    path = os.pathsep.join(map(str, (decoy(tmp_path / "decoy"), ROOT)))
    module, file = run("-c", code, where=tmp_path, PYTHONPATH=path).split()
    assert module == "chocofactory_env.agents.chocofactory.planner"
    assert Path(file) == ROOT / "agents" / "chocofactory" / "planner.py"


def test_a_package_that_an_agent_needs_and_that_is_missing_is_named_with_its_extra(
    unpacked: Path, tmp_path: Path
) -> None:
    code = (
        "import sys; sys.modules['torch'] = None; import chocofactory_env as cf; game = cf.load('chocofactory')\n"
        "try: cf.make_agent('learned', game)\nexcept ImportError as error: print(error)"
    )
    said = run("-c", code, where=tmp_path, PYTHONPATH=str(unpacked))
    assert said.startswith("agent 'learned' needs torch, which is not installed: ")
    assert said.strip().endswith('pip install "chocofactory-env[learned]"')


def test_what_the_wheel_holds_imports_nothing_by_a_bare_name() -> None:
    """Import contracts do not see it: to them `from .match` and `from arena.match` are the same."""
    for source in [file for name in (*PACKAGES, "chocofactory_env") for file in (ROOT / name).rglob("*.py")]:
        assert not imports_of(source) & {*PACKAGES, "design", "training"}, source
