"""Adds compiled code to the wheel, which makes it one for this Python and this kind of machine: CONTRIBUTING.md."""

from __future__ import annotations

import os
import platform
import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.tags import sys_tags

VARIABLE = "CHOCOFACTORY_MACHINE_CODE"  # the folder that tools/machine_code.py has written


class MachineCode(BuildHookInterface):  # type: ignore[type-arg]  # hatchling's configuration plays no part
    """Without the variable the wheel stays a pure one."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        folder = os.environ.get(VARIABLE)
        if folder and version == "standard":  # not in an editable installation
            build_data["force_include"][folder] = "chocofactory_env/machine_code"
            build_data["pure_python"] = False
            build_data["tag"] = tag()


def tag() -> str:
    """Of this interpreter and machine, as package indexes take it; they take no plain `linux`.

    The code calls nothing of the C library but `libm`, so it runs where NumPy's wheels do.
    """
    this = next(sys_tags())
    system = {"linux": f"manylinux_2_17_{platform.machine()}", "darwin": "macosx_11_0_arm64"}
    return f"{this.interpreter}-{this.abi}-{system.get(sys.platform, this.platform)}"
