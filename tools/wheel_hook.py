"""Add compiled code to a wheel, which ties it to this Python and this kind of machine: see CONTRIBUTING.md."""

from __future__ import annotations

import os
import platform
import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.tags import sys_tags

VARIABLE = "CHOCOFACTORY_MACHINE_CODE"  # names the folder written by tools/machine_code.py


class MachineCode(BuildHookInterface):  # type: ignore[type-arg]  # hatchling's configuration plays no part
    """A build hook that leaves the wheel pure unless the variable is set."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        folder = os.environ.get(VARIABLE)
        if folder and version == "standard":  # not in an editable installation
            build_data["force_include"][folder] = "chocofactory_env/machine_code"
            build_data["pure_python"] = False
            build_data["tag"] = tag()


def tag() -> str:
    """The wheel tag of this interpreter and machine. Package indexes do not accept plain `linux`.

    Of the C library, the code calls only `libm`, so it runs wherever NumPy's wheels do.
    """
    this = next(sys_tags())
    system = {"linux": f"manylinux_2_17_{platform.machine()}", "darwin": "macosx_11_0_arm64"}
    return f"{this.interpreter}-{this.abi}-{system.get(sys.platform, this.platform)}"
