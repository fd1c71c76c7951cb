"""The wheels: what is in them, and that they play with their own dependencies alone, and beside another `agents`."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from email import message_from_string
from hashlib import sha256
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from repository import ROOT

from chocofactory_env import registry
from chocofactory_env.agents.protocol import agents_of
from chocofactory_env.core.build import build, build_for, know, missing
from chocofactory_env.core.jit import ALL_GAMES, RULES
from chocofactory_env.core.library import SUFFIX
from chocofactory_env.core.safe_folder import library_folder
from chocofactory_env.core.targets import TARGETS, here
from tools.clauses import shipped_games
from tools.release import APART, LARGEST_WHEEL
from tools.tree import INSIDE
from tools.wheels import NETWORKS, PLATFORMS, asking_for_networks, platform_wheel

pytestmark = [
    pytest.mark.programs,  # builds, and plays in processes
    pytest.mark.skipif(find_spec("hatchling") is None, reason="hatchling builds the wheel; it is in the group `test`"),
]
builds = pytest.mark.skipif(bool(RULES) or bool(missing()), reason="no library is built here")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
INFO = f"chocofactory_env-{PROJECT['version']}.dist-info"
LIBRARIES = "chocofactory_env/libraries/"
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
    assert not any(name in sys.modules for name in ("cffi", "numba", "torch", "matplotlib", "scipy"))
    assert agents.DECOY
    print(cf.__file__)
    game = cf.load("chocofactory", num_players=1)
    made = [(name, game, cf.make_agent(name, game)) for name in sys.argv[1:]]
    with get_context("spawn").Pool(1) as pool:  # agents and the game are pickled, and play in a process of their own
        for result in pool.starmap(play, made):
            print(*result)
"""

SHIPPED = tuple(name for name in registry.GAMES if name in shipped_games())  # in the registry's order
# A game of each kind, a batch, and a search.
GAMES = """
import sys
import gymnasium
import chocofactory_env as cf

for name in cf.GAMES:
    env = cf.make_env(name, num_players=2)
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        env.step(None if terminated else int(observation["action_mask"].argmax()))
    batch = cf.make_batch(name, num_envs=8, num_players=2)
    batch.step(cf.LegalSampler(seed=1)(batch.reset(seed=7).action_masks))
    game = cf.load(name, num_players=2)
    cf.decide(game, cf.make_agent("mcts:simulations=2", game), game.new(seed=7))
    print(name)
assert not {"llvmlite", "numba", "ziglang"} & sys.modules.keys()
"""


def run(*words: object, where: Path, python: object = sys.executable, silent: bool = False, **variables: str) -> str:
    """The output of a Python process that knows nothing of the checkout. silent: and has nothing to say on stderr."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        [str(python), "-W", "ignore", *map(str, words)],
        cwd=where,
        env={**clean, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not silent or not done.stderr, done.stderr
    return done.stdout


def make(project: Path, target: str, folder: Path) -> Path:
    path = os.environ.get("PYTHONPATH", "")  # hatchling may lie there
    run("-m", "hatchling", "build", "-t", target, "-d", folder, where=project, PYTHONPATH=path)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(ROOT, "wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture(scope="module")
def platform_of_here(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel for this machine, of libraries that `chocofactory build` has made, or makes now."""
    folder = library_folder()
    assert folder is not None
    for game in SHIPPED:
        registry.load(game)
    for game in (*SHIPPED, ALL_GAMES):
        know(game)
    libraries = {f"{game}{SUFFIX}": build(game, None, folder) for game in (*SHIPPED, ALL_GAMES)}
    return platform_wheel(wheel, here(), libraries, tmp_path_factory.mktemp("platform"))


@pytest.fixture(scope="module")
def networks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked wheel of the networks."""
    folder = tmp_path_factory.mktemp("networks")
    with zipfile.ZipFile(make(ROOT / NETWORKS, "wheel", tmp_path_factory.mktemp("wheel"))) as archive:
        archive.extractall(folder)
    return folder


def decoy(folder: Path) -> Path:
    """A folder with other packages that are called `agents`, as openai-agents has one, and `arena`."""
    for name in INSIDE:
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


def test_it_has_every_file_of_the_package_with_agents_arena_and_training_and_no_other(wheel: Path) -> None:
    package = {str(path.relative_to(ROOT)) for path in files_in(ROOT / "chocofactory_env")}
    inside = {f"chocofactory_env/{path.relative_to(ROOT)}" for name in INSIDE for path in files_in(ROOT / name)}
    inside = {name for name in inside if APART not in name}
    assert {name for name in names_of(wheel) if not name.startswith(INFO)} == package | inside
    assert "chocofactory_env/py.typed" in package
    assert any(name.endswith(".toml") for name in package)  # the cards


def test_the_networks_have_a_wheel_of_their_own_which_the_published_one_asks_for(
    wheel: Path, networks: Path, tmp_path: Path
) -> None:
    for game in shipped_games():
        there = {path.name: path.read_bytes() for path in files_in(ROOT / "agents" / game / "checkpoints")}
        packed = files_in(networks / "chocofactory_env_networks" / game)
        assert {path.name: path.read_bytes() for path in packed} == there
    made = asking_for_networks(wheel, tmp_path)
    assert names_of(made) == names_of(wheel)
    with zipfile.ZipFile(made) as archive:
        about = message_from_string(archive.read(f"{INFO}/METADATA").decode())
    (needed,) = [text for text in about.get_all("Requires-Dist", []) if "networks" in text]
    assert needed == f"chocofactory-env-networks=={PROJECT['version']}; extra == 'learned'"
    assert (networks / f"chocofactory_env_networks-{PROJECT['version']}.dist-info").exists()
    assert str(about.get_payload()).lstrip().startswith("# ")


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]


PACKAGE_OF = {  # of imported modules; Numba pins llvmlite
    "PIL": "pillow",
    "_cffi_backend": "cffi",
    "docstring_parser": "docstring-parser",
    "llvmlite": "numba",
    "pygame": "pygame-ce",
    "resvg_py": "resvg-py",
}


def test_it_asks_for_what_it_imports_and_for_a_compiler_only_as_an_extra(unpacked: Path) -> None:
    """OpenSpiel, Ray and Stable-Baselines3 alone have a module for those who have installed them, and no extra."""
    metadata = (unpacked / INFO / "METADATA").read_text(encoding="utf-8").splitlines()
    extras = [line.removeprefix("Provides-Extra: ") for line in metadata if line.startswith("Provides-Extra: ")]
    assert extras == sorted(PROJECT["optional-dependencies"])
    required = [Requirement(line.partition(": ")[2]) for line in metadata if line.startswith("Requires-Dist: ")]
    always = {each.name for each in required if each.marker is None}
    assert always == {Requirement(each).name for each in PROJECT["dependencies"]}
    assert always.isdisjoint({"llvmlite", "numba", "torch", "ziglang"})
    imported = {name for file in (unpacked / "chocofactory_env").rglob("*.py") for name in imports_of(file)}
    outside = {PACKAGE_OF.get(name, name) for name in imported} - set(sys.stdlib_module_names)
    assert outside - {each.name for each in required} == {
        "chocofactory_env",
        "pyspiel",
        "ray",
        "sb3_contrib",
        "stable_baselines3",
    }
    assert imports_of(unpacked / "chocofactory_env" / "envs" / "sb3.py") >= {"stable_baselines3"}


def imports_of(source: Path) -> set[str]:
    """The top-level modules that a file imports by absolute names, anywhere in it."""
    nodes = list(ast.walk(ast.parse(source.read_text(encoding="utf-8"))))
    names = [one.name for node in nodes if isinstance(node, ast.Import) for one in node.names]
    names += [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module and not node.level]
    return {name.partition(".")[0] for name in names}


def test_the_source_distribution_builds_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    source = make(ROOT, "sdist", tmp_path / "sdist")
    with tarfile.open(source) as archive:
        archive.extractall(tmp_path / "source", filter="data")
    (project,) = (tmp_path / "source").iterdir()
    assert make(project, "wheel", tmp_path / "again").read_bytes() == wheel.read_bytes()


@builds
def test_a_game_is_compiled_once_for_all_platforms_and_a_wheel_for_each_lists_what_it_adds(
    wheel: Path, tmp_path: Path
) -> None:
    """The compiler itself refuses a library with other names than the entries'."""
    paths = {target: tmp_path / f"{target}{TARGETS[target].suffix}" for target in PLATFORMS}
    build_for(ALL_GAMES, paths)
    for target, tags in PLATFORMS.items():
        suffix = TARGETS[target].suffix
        made = platform_wheel(wheel, target, {f"{ALL_GAMES}{suffix}": paths[target]}, tmp_path)
        assert made.name == f"chocofactory_env-{PROJECT['version']}-py3-none-{'.'.join(tags)}.whl"
        assert set(names_of(made)) - set(names_of(wheel)) == {f"{LIBRARIES}{ALL_GAMES}{suffix}"}
        with zipfile.ZipFile(made) as archive:
            about = archive.read(f"{INFO}/WHEEL").decode().splitlines()
            record = archive.read(f"{INFO}/RECORD").decode().splitlines()
            digests = {name: sha256(archive.read(name)).digest() for name in archive.namelist()}
        assert [line for line in about if line.startswith(("Tag", "Root"))] == [
            "Root-Is-Purelib: false",
            *(f"Tag: py3-none-{tag}" for tag in tags),
        ]
        listed = dict(line.rsplit(",", 2)[:2] for line in record)
        assert listed.pop(f"{INFO}/RECORD") == ""
        del digests[f"{INFO}/RECORD"]
        assert listed == {
            name: f"sha256={urlsafe_b64encode(digest).decode().rstrip('=')}" for name, digest in digests.items()
        }


@builds
def test_a_wheel_plays_from_its_libraries_with_nothing_but_what_it_requires(
    platform_of_here: Path, tmp_path: Path
) -> None:
    """What it requires is linked from here, so that no network is needed."""
    assert platform_of_here.stat().st_size <= LARGEST_WHEEL
    run("-m", "venv", "--without-pip", "alone", where=tmp_path)
    python = tmp_path / "alone" / ("Scripts" if os.name == "nt" else "bin") / "python"
    words = ("--python", python, "install", "--quiet", "--no-deps", "--no-index", platform_of_here)
    run("-m", "pip", *words, where=tmp_path)
    (site,) = (tmp_path / "alone").rglob("site-packages")
    for entry in {entry for name in required_by(PROJECT["dependencies"]) for entry in entries_of(name)}:
        (site / entry.name).symlink_to(entry)
    cache = tmp_path / "cache"
    said = run("-c", GAMES, where=tmp_path, python=python, silent=True, CHOCOFACTORY_CACHE_DIR=str(cache))
    assert said.split() == [*SHIPPED]
    assert not cache.exists()


def required_by(requirements: list[str]) -> Iterator[str]:
    """The names of packages, and of those that they require here without extras."""
    for requirement in map(Requirement, requirements):
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield requirement.name
            yield from required_by(distribution(requirement.name).requires or [])


def entries_of(package: str) -> set[Path]:
    """The files and folders of a package in `site-packages`."""
    found = distribution(package)
    tops = {file.parts[0] for file in found.files or () if file.parts[0] not in ("..", "__pycache__")}
    return {Path(str(found.locate_file(top))) for top in tops}


def test_every_shipped_agent_plays_from_the_wheel_beside_another_package_called_agents(
    unpacked: Path, networks: Path, tmp_path: Path
) -> None:
    pytest.importorskip("torch")
    (tmp_path / "play.py").write_text(PLAY)
    texts = [QUICK.get(name, name) for name in agents_of("chocofactory") if name != "llm"]  # it needs an endpoint
    path = os.pathsep.join(map(str, (decoy(tmp_path / "decoy"), unpacked, networks)))
    where, *played = run("play.py", *texts, where=tmp_path, PYTHONPATH=path).splitlines()
    assert Path(where).is_relative_to(unpacked)
    assert [line.split()[0] for line in played] == texts
    assert all(line.split()[1].startswith("chocofactory_env.agents.") for line in played)


def test_the_command_plays_from_the_wheel_beside_another_package_called_arena(unpacked: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def agent(game):\n    return lambda observation, mask: int(mask.argmax())\n")
    path = os.pathsep.join(map(str, (decoy(tmp_path / "decoy"), unpacked)))
    words = ("match", "--agents", "mine:agent", "random", "--deals", "2", "--out", "match")
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
    unpacked: Path, networks: Path, tmp_path: Path
) -> None:
    code = (
        "import sys; sys.modules['torch'] = None; import chocofactory_env as cf; game = cf.load('chocofactory')\n"
        "try: cf.make_agent('learned', game)\nexcept ImportError as error: print(error)"
    )
    for path, needed in ((f"{unpacked}{os.pathsep}{networks}", "torch, which is"), (unpacked, "networks, which are")):
        said = run("-c", code, where=tmp_path, PYTHONPATH=str(path)).strip()
        assert said.startswith("agent 'learned' needs ")
        assert said.endswith(f'{needed} not installed: pip install "chocofactory-env[learned]"')
