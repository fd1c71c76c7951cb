"""The programs of docs/libraries/ run, with small numbers, each where the library that it shows is installed."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest
from processes import output
from repository import ROOT

PROGRAMS = ROOT / "docs" / "libraries"


class Run(NamedTuple):
    """A program: which modules it needs, the dependency group that brings them, and what it is given, run by run."""

    name: str
    modules: tuple[str, ...]
    group: str = "libraries"
    arguments: tuple[str, ...] = ("",)
    too_short: str = ""  # why so short a run need not end better than it began

    @property
    def learns(self) -> bool:
        """Whether its last line says how well it played before and after."""
        return self.arguments[-1] != "" and "record" not in self.arguments[-1]


def first_number(text: str) -> float:
    found = re.search(r"-?\d+(\.\d+)?", text)
    assert found is not None, text
    return float(found[0])


RUNS = [
    Run("agilerl_ppo.py", ("agilerl", "peft"), "agilerl", ("16384",), "CI has no AgileRL, so it is not known"),
    Run("cleanrl_ppo.py", ("torch",), "train", ("49152",)),
    Run("datasets_imitation.py", ("torch", "datasets"), arguments=("5",)),
    Run("jax_policy_gradient.py", ("jax",), arguments=("65536",)),
    Run("minari_solo.py", ("minari",), arguments=("record 5",)),
    Run("minari_solo.py", ("minari", "d3rlpy"), "offline", ("record 5", "learn 50"), "50 steps leave it near chance"),
    Run("openspiel_dqn.py", ("torch", "pyspiel", "tree"), arguments=("100",)),
    Run("recurrent_bids.py", ("torch",), "train", ("40",)),
    Run("rllib_ppo.py", ("torch", "ray", "ormsgpack"), "rllib", ("3",)),
    Run("tianshou_pettingzoo.py", ("torch", "tianshou"), arguments=("15",)),
    Run("torchrl_mappo.py", ("torch", "torchrl"), arguments=("2",), too_short="it rises in a minute, not in seconds"),
    Run("torchrl_pettingzoo.py", ("torch", "torchrl")),
    Run("torchrl_ppo.py", ("torch", "torchrl"), arguments=("32768",)),
    Run("torchrl_solo.py", ("torch", "torchrl")),
    Run("torchrl_vector.py", ("torch", "torchrl")),
]


def test_every_program_is_run_and_linked() -> None:
    programs = {path.name for path in PROGRAMS.glob("*.py")}
    assert programs == {run.name for run in RUNS}
    page = (ROOT / "docs" / "libraries.md").read_text(encoding="utf-8")
    assert all(f"(libraries/{name})" in page for name in programs)


@pytest.mark.programs
@pytest.mark.parametrize("run", RUNS, ids=lambda run: "-".join([run.name, *run.modules]))
def test_a_program_of_the_page_runs(run: Run, tmp_path: Path) -> None:
    # Not `importorskip`: importing TorchRL changes how this process would start others.
    missing = [module for module in run.modules if find_spec(module) is None]
    if missing:
        pytest.skip(f"needs {', '.join(missing)}: docs/libraries.md says how to install {run.group}")
    for arguments in run.arguments:
        words = PROGRAMS / run.name, *arguments.split()
        said = output(*words, where=tmp_path, MINARI_DATASETS_PATH=str(tmp_path))
        assert said.strip()
    if run.learns:
        before, after = said.splitlines()[-1].split(" before, ")
        assert first_number(after) > first_number(before) or run.too_short
