"""Compile the two measured environments of PufferLib, with the Python of its virtual environment.

The package's own build compiles everything against PyTorch, and downloads parts that only other environments and web
pages need. Here pip only unpacks the source (the build it then tries may fail), and the two extensions are compiled
with the package's own flags.
"""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy as np
from setuptools import Extension, setup

RELEASE = "3.0.0"
RAYLIB = "raylib-5.5_linux_amd64"  # drawing library in the source, needed for linking


def unpack(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-build-isolation", "--no-clean"]
    output = subprocess.run(
        [*command, f"pufferlib=={RELEASE}"],
        cwd=folder,
        env={**os.environ, "TMPDIR": str(folder)},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    ).stdout
    found = sorted(folder.glob("*/pufferlib*/setup.py"))
    if not found:
        raise SystemExit(f"no source of pufferlib {RELEASE}: {output.strip()[-300:]}")
    return found[0].parent


def compile_alone(source: Path) -> None:
    os.chdir(source.parent)  # outside the source, whose settings would be read otherwise
    extensions = [
        Extension(
            f"pufferlib.ocean.{name}.binding",
            sources=[f"{source.name}/pufferlib/ocean/{name}/binding.c"],
            include_dirs=[np.get_include(), f"{source.name}/{RAYLIB}/include"],
            extra_compile_args=["-DNPY_NO_DEPRECATED_API=NPY_1_7_API_VERSION", "-DPLATFORM_DESKTOP", "-O2", "-flto"],
            extra_link_args=["-fwrapv", "-O2"],
            extra_objects=[f"{source.name}/{RAYLIB}/lib/libraylib.a"],
        )
        for name in ("checkers", "go")
    ]
    setup(name="bindings", packages=[], ext_modules=extensions, script_args=["build_ext", f"--build-lib={source}"])


if __name__ == "__main__":
    source = unpack(Path(sys.prefix) / "source")
    compile_alone(source)
    Path(sysconfig.get_path("purelib"), "pufferlib.pth").write_text(f"{source}\n", encoding="utf-8")
