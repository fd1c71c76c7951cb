"""Build the wheels of all platforms on one machine: `python -m tools.wheels --out DIR`.

One wheel is pure. Each of the others adds the games' libraries for one kind of machine, and serves every Python there.
The networks have a wheel of their own, which the extra `learned` asks for. All are built with hatchling from the source
distribution. It needs the group `release`, and takes minutes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Final

from chocofactory_env.core.command import Command, OutFolder
from chocofactory_env.core.targets import TARGETS

from . import ROOT

TOOLS = ("__init__.py", "installed.py", "programs.py")  # run where the wheel is installed
LIBRARIES = "chocofactory_env/libraries/"
NETWORKS: Final = "tools/networks"  # the project of their package
NEEDS_NETWORKS: Final = "Requires-Dist: chocofactory-env-networks=={version}; extra == 'learned'\n"
# What installers call a platform of `core.targets.TARGETS`. A library for Linux names no C library, so it serves both.
PLATFORMS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "linux-x86_64": ("manylinux2014_x86_64", "musllinux_1_1_x86_64"),
        "linux-aarch64": ("manylinux2014_aarch64", "musllinux_1_1_aarch64"),
        "darwin-arm64": ("macosx_11_0_arm64",),
        "windows-amd64": ("win_amd64",),
    }
)


class BuildError(ValueError):
    """A command failed."""


def run(*words: str | Path, where: Path = ROOT, **environment: str) -> None:
    """Run a command to its end, without the checkout on Python's path; BuildError if it fails."""
    print("$", *(str(word) for word in words), flush=True)
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run([*map(str, words)], cwd=where, env={**clean, **environment}, check=False)
    if done.returncode:
        raise BuildError(f"{' '.join(map(str, words))} failed (exit status {done.returncode}): see above")


def build_source(work: Path, out: Path) -> Path:
    """Build the source distribution in `out`, and unpack it in `work` for the wheel."""
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", out)
    (source,) = out.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        archive.extractall(work / "source", filter="data")
    return source


def build_pure_wheel(work: Path, out: Path) -> Path:
    """Build the wheel for all machines, and that of the networks, from the unpacked source distribution."""
    (tree,) = (work / "source").iterdir()
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", out, where=tree / NETWORKS)
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", work / "pure", where=tree)
    (wheel,) = (work / "pure").glob("*.whl")
    return asking_for_networks(wheel, out)


def asking_for_networks(wheel: Path, out: Path) -> Path:
    """Write the wheel with the networks in its extra `learned`. In a checkout they lie beside the agents."""
    need = NEEDS_NETWORKS.format(version=wheel.name.split("-")[1])

    def more(text: str) -> str:
        headers, blank, description = text.partition("\n\n")
        return f"{headers}\n{need}{blank[1:]}{description}"

    return rewritten(wheel, out / wheel.name, {"METADATA": more})


def build_libraries(folder: Path) -> dict[str, dict[str, Path]]:
    """Build the libraries of all games for all platforms, as many games at once as there are cores.

    Returns: by platform and name in the wheel, the files in `folder`.
    """
    from chocofactory_env.core.build import build_for
    from chocofactory_env.core.jit import ALL_GAMES
    from chocofactory_env.registry import GAMES, load

    made: dict[str, dict[str, Path]] = {}
    for target in PLATFORMS:
        (folder / target).mkdir(parents=True)
        names = [f"{game}{TARGETS[target].suffix}" for game in (*GAMES, ALL_GAMES)]
        made[target] = {name: folder / target / name for name in names}
    for game in GAMES:
        load(game)

    def build(game: str) -> None:
        build_for(game, {target: made[target][f"{game}{TARGETS[target].suffix}"] for target in PLATFORMS})
        print(f"built {game}", flush=True)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(build, (*GAMES, ALL_GAMES)))
    return made


def platform_wheel(pure: Path, target: str, libraries: Mapping[str, Path], out: Path) -> Path:
    """Write the pure wheel with a platform's libraries, by their names, into the folder `out`."""
    names = PLATFORMS[target]
    tags = "".join(f"Tag: py3-none-{name}\n" for name in names)

    def tagged(text: str) -> str:
        return text.replace("Root-Is-Purelib: true", "Root-Is-Purelib: false").replace("Tag: py3-none-any\n", tags)

    made = out / pure.name.replace("-py3-none-any.whl", f"-py3-none-{'.'.join(names)}.whl")
    return rewritten(pure, made, {"WHEEL": tagged}, {LIBRARIES + name: file for name, file in libraries.items()})


def rewritten(
    wheel: Path,
    made: Path,
    changes: Mapping[str, Callable[[str], str]],
    more: Mapping[str, Path] = MappingProxyType({}),
) -> Path:
    """Write a wheel with changed texts in its `.dist-info`, and more files, by their names; returns `made`."""
    record: list[str] = []
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(made, "w") as new:

        def add(about: zipfile.ZipInfo, content: bytes) -> None:
            new.writestr(about, content, zipfile.ZIP_DEFLATED, 9)
            digest = urlsafe_b64encode(sha256(content).digest()).decode().rstrip("=")
            record.append(f"{about.filename},sha256={digest},{len(content)}\n")

        *files, last = old.infolist()  # the last one is the list of all
        for name, file in sorted(more.items()):
            about = zipfile.ZipInfo(name, files[0].date_time)
            about.external_attr = 0o100755 << 16
            add(about, file.read_bytes())
        for about in files:
            content, (folder, _, name) = old.read(about), about.filename.rpartition("/")
            if folder.endswith(".dist-info") and name in changes:
                content = changes[name](content.decode()).encode()
            add(about, content)
        new.writestr(last, "".join([*record, f"{last.filename},,\n"]), zipfile.ZIP_DEFLATED)
    return made


def build_platform_wheels(pure: Path, work: Path, out: Path) -> dict[str, Path]:
    """Build the wheel of each platform into `out`."""
    libraries = build_libraries(work / "libraries")
    return {target: platform_wheel(pure, target, libraries[target], out) for target in PLATFORMS}


def install(wheel: Path, place: Path, extras: Sequence[str], groups: Sequence[str] = ()) -> Path:
    """Install the wheel with the versions of constraints.txt into a new environment, and return its Python.

    The tools that run there are copied beside it. groups: dependency groups of the checkout to install as well.
    """
    # Upgraded, since the bundled pip may not know dependency groups.
    venv.create(place / "environment", with_pip=True, clear=True, upgrade_deps=True)
    python = place / "environment" / ("Scripts" if os.name == "nt" else "bin") / "python"
    named = f"{wheel}[{','.join(extras)}]" if extras else str(wheel)
    pip: list[str | Path] = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    grouped = [f"--group={ROOT / 'pyproject.toml'}:{group}" for group in groups]
    run(*pip, "--find-links", wheel.parent, "--constraint", ROOT / "constraints.txt", named, *grouped)
    run(python, "-m", "pip", "check")
    (place / "tools").mkdir(exist_ok=True)
    for name in TOOLS:
        shutil.copyfile(ROOT / "tools" / name, place / "tools" / name)
    return python


def build_wheels(*, out: OutFolder) -> None:
    """Build the wheels: one for each platform with its libraries, one without, and one of the networks.

    Args:
        out: output folder.

    Raises:
        BuildError: a wheel cannot be built.
    """
    place = Path(out).absolute()
    place.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        build_source(Path(folder), Path(folder))
        pure = build_pure_wheel(Path(folder), place)
        build_platform_wheels(pure, Path(folder), place)
    for wheel in sorted(place.glob("*.whl")):
        print(f"{wheel}: {wheel.stat().st_size / 1e6:.1f} MB")


main = Command("python -m tools.wheels", build_wheels, ("--out dist",), failures=(BuildError,)).run

if __name__ == "__main__":
    main()
