"""A function is short enough to be read at once."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator

from repository import ROOT

MOST_LINES = 60


def lengths(text: str) -> dict[str, int]:
    """name -> lines of every function, decorators left aside."""
    functions = functions_in(ast.parse(text))
    return {node.name: (node.end_lineno or node.lineno) - node.lineno + 1 for node in functions}


def functions_in(node: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """At any depth. `ast.walk` goes through expressions too, which are most of a file."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                yield child
            yield from functions_in(child)


def test_lines_are_counted() -> None:
    assert lengths("@one\ndef f(a):\n    def g():\n        pass\n    return g\n") == {"f": 4, "g": 2}
    hidden = "class C:\n try:\n  pass\n except E:\n  match a:\n   case 1:\n    async def f():\n     pass\n"
    assert lengths(hidden) == {"f": 2}


def test_no_function_is_longer() -> None:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.py"]
    files = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    assert "chocofactory_env/core/kernel/stepping.py" in files
    long = {
        f"{file}: {name}": lines
        for file in files
        if (ROOT / file).exists()
        for name, lines in lengths((ROOT / file).read_text(encoding="utf-8")).items()
        if lines > MOST_LINES
    }
    assert long == {}
