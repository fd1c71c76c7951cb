"""Mutation testing of the rules: change the source in one place, and see whether a test fails.

`python -m tools.mutants schoko --out FILE` mutates the rules, actions and observation of a game in a copy of the
checkout, one place at a time, and runs the tests of its rules until one fails: the quick ones uncompiled, then
all by a library of the mutant. `core` stands for the shared code, `envs` for environments, records and the registry,
whose tests all run compiled. A seed chooses the same places as long as the source is unchanged.
"""

from __future__ import annotations

import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from chocofactory_env.core.command import Command, Count, OutFile, Seed

from . import ROOT

# A mutant this many times slower than the original counts as an infinite loop, and so as caught.
PATIENCE = 3
CORE = ("binding", "checks", "layout", "codec", "compiled", "entries", "answers", "prompts")
# What is shared by all games: its sources, and its tests.
SHARED = {
    "core": (
        ("core/binding.py", "core/checks.py", "core/compiled.py", "core/codec.py", "core/observation"),
        (
            *(f"tests/core/test_{what}.py" for what in CORE),
            "tests/properties/test_read_or_refused.py",  # for positions, which core reads
            "tests/properties/test_playthroughs.py",  # for observations, which core writes
            "tests/envs/test_wrappers.py",  # for places of blocks
        ),
    ),
    "envs": (
        ("envs", "record.py", "registry.py"),
        ("tests/properties", "tests/envs", "tests/package/test_record.py", "tests/package/test_register.py"),
    ),
}
# How the rules run, and which tests: the quick ones in plain Python, and all by the mutant's library, on more games.
UNCOMPILED, COMPILED = ("python", "not programs and not slow"), ("", "not programs")
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
}  # fmt: skip
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.Add,
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """A replacement for the UTF-8 bytes `start` to `end` of a file."""

    path: str
    line: int
    start: int
    end: int
    text: str
    kind: str

    def applied(self, source: bytes) -> bytes:
        return source[: self.start] + self.text.encode() + source[self.end :]


def replacements(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield (kind, replacement) for a node."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in COMPARISONS:
            yield "compare", _text(ast.Compare(node.left, [COMPARISONS[type(op)]()], node.comparators))
        case ast.BinOp(op=op) if type(op) in OPERATORS:
            yield "arithmetic", _text(ast.BinOp(node.left, OPERATORS[type(op)](), node.right))
        case ast.BoolOp(op=op):
            other = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield "logic", _text(ast.BoolOp(other, node.values))
        case ast.Constant(value=bool() as value):
            yield "constant", str(not value)
        case ast.Constant(value=int() as value):
            yield "constant", str(value + 1)
        case ast.If() | ast.IfExp():
            yield "condition", _text(ast.UnaryOp(ast.Not(), node.test))
        case ast.AugAssign():
            yield "statement", "pass"
        case ast.Expr(value=ast.Call()):
            yield "statement", "pass"


def _text(expression: ast.expr) -> str:
    return f"({ast.unparse(ast.fix_missing_locations(expression))})"


def mutants_of(path: Path) -> list[Mutant]:
    """Every mutant of the function bodies in a file."""
    source = path.read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = []
    for node in _nodes(ast.parse(source)):
        place = node.test if isinstance(node, ast.If | ast.IfExp) else node
        for kind, text in replacements(node):
            assert isinstance(place, ast.expr | ast.stmt)
            assert place.end_lineno is not None
            assert place.end_col_offset is not None
            start = starts[place.lineno - 1] + place.col_offset
            end = starts[place.end_lineno - 1] + place.end_col_offset
            found.append(Mutant(str(path.relative_to(ROOT)), place.lineno, start, end, text, kind))
    return found


def _nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes of function bodies, without annotations, defaults, patterns of `match`, and f-strings."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            waiting: list[ast.AST] = [*function.body]
            while waiting:
                node = waiting.pop()
                if isinstance(node, ast.FunctionDef | ast.JoinedStr | ast.pattern | ast.Raise):
                    continue
                yield node
                annotation = getattr(node, "annotation", None)
                waiting += [child for child in ast.iter_child_nodes(node) if child is not annotation]


def chosen(target: str, number: int, seed: int) -> list[Mutant]:
    """Choose `number` mutants of a target, determined by the seed."""
    package = ROOT / "chocofactory_env"
    game = package / "games" / target
    places = [package / place for place in SHARED[target][0]] if target in SHARED else [
        game / "rules", game / "actions.py", game / "observation.py"]  # fmt: skip
    files = [file for place in places for file in _files(place)]
    every = [mutant for file in files for mutant in mutants_of(file)]
    return random.Random(seed).sample(every, min(number, len(every)))


def _files(place: Path) -> list[Path]:
    return sorted(place.rglob("*.py")) if place.is_dir() else [place]


def tests_of(target: str) -> list[str]:
    """The test files. Tests of whole games come first, since they find most."""
    places = (
        SHARED[target][1]
        if target in SHARED
        else (
            "tests/properties/test_playthroughs.py",
            "tests/oracles",
            f"tests/games/{target}/rules",
            "tests/properties/test_every_game.py",
        )
    )
    files = [str(file.relative_to(ROOT)) for place in places for file in _files(ROOT / place)]
    return [file for file in files if Path(file).name.startswith("test_")]


@dataclass(frozen=True)
class Tests:
    """The tests of a target, in a copy of the checkout."""

    target: str
    folder: Path

    @property
    def stages(self) -> Sequence[tuple[str, str]]:
        return (COMPILED,) if self.target == "envs" else (UNCOMPILED, COMPILED)

    def first_failure(self, patience: Mapping[str, float] = {}) -> tuple[str, dict[str, float]]:
        """The first test that fails, "" if all pass; and the seconds of each stage that ran.

        patience: the seconds after which a stage counts as an infinite loop.
        """
        seconds: dict[str, float] = {}
        for rules, selected in self.stages:
            began = time.monotonic()
            failure = self._failure_of(rules, selected, patience.get(selected))
            seconds[selected] = time.monotonic() - began
            if failure:
                return failure, seconds
        return "", seconds

    def _failure_of(self, rules: str, selected: str, limit: float | None) -> str:
        options = ["-x", "-q", "-p", "no:cacheprovider", "--tb=no", "-m", selected]
        only = [] if self.target in SHARED else ["-k", self.target]  # in files that test all games
        command = [sys.executable, "-m", "pytest", *options, *only, *tests_of(self.target)]
        variables = {"PYTHONPATH": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1", "CHOCOFACTORY_RULES": rules}
        variables["CHOCOFACTORY_CACHE_DIR"] = str(self.folder / "libraries")  # apart from those that are played by
        try:
            ran = subprocess.run(
                command,
                cwd=self.folder,
                env={**os.environ, **variables},
                capture_output=True,
                text=True,
                timeout=limit,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return "timeout"
        if ran.returncode == 0:
            return ""
        failed = [line for line in ran.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
        return failed[0].split(" - ")[0] if failed else (ran.stderr.strip().splitlines() or ["no test ran"])[-1]


def mutate(target: str, *, out: OutFile, number: Count = 60, seed: Seed = 1) -> None:
    """Count the mutants of a game's rules, or of shared code, that the tests catch.

    Args:
        target: a game, `core`, or `envs`.
        out: output file, a line of JSON for each mutant.
        number: number of mutants.
        seed: random seed that chooses them.
    """
    results: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name, out.open("w") as rows:
        folder = Path(name)
        for tracked in subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True).split("\0")[:-1]:
            if (ROOT / tracked).exists():
                (folder / tracked).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / tracked, folder / tracked)
        tests = Tests(target, folder)
        failure, seconds = tests.first_failure()
        if failure:
            raise ValueError(f"without any mutation: {failure}")
        patience = {stage: PATIENCE * most for stage, most in seconds.items()}
        for mutant in tqdm(chosen(target, number, seed), unit="mutant"):
            file = folder / mutant.path
            source = file.read_bytes()
            file.write_bytes(mutant.applied(source))
            caught, _ = tests.first_failure(patience)
            file.write_bytes(source)
            results["caught" if caught else "survived"] += 1
            was = source[mutant.start : mutant.end].decode()
            row = {"place": f"{mutant.path}:{mutant.line}", "kind": mutant.kind, "was": was, "is": mutant.text}
            print(json.dumps(row | {"caught": caught}), file=rows, flush=True)
    print(f"{target}: {results['caught']} of {results.total()} mutants caught (seed {seed})")


main = Command("python -m tools.mutants", mutate, ("schoko --number 55 --out FILE",), positional=("target",)).run

if __name__ == "__main__":
    main()
