"""Write type classes for the records of compiled code: `python -m tools.records [package ...]` (default: all).

A package that declares record types (NumPy dtypes, as constants of its modules) gets a module `records` with a class
for each: `PLAYER` becomes `Player`. `core.rows` explains their use. A record type that begins with all fields of
another one inherits from it. An unnamed one is named after its field.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType
from typing import Any

import numpy as np

from . import ROOT, clauses

HEAD = '''"""Types of the records of this package, written by `python -m tools.records`."""

from __future__ import annotations

{numpy}from {rows} import {names}
'''
CORE, GAMES = "chocofactory_env.core", "chocofactory_env.games."
ARRAYS = {1: "Array", 2: "Array2"}


class Missing(ModuleType):
    """Stands in for a module `records` while it is written, so that modules that use it can be imported."""

    def __getattr__(self, name: str) -> Any:
        return object


def packages() -> list[str]:
    return [CORE, *(f"{GAMES}{game}" for game in clauses.shipped_games()), "toyrace"]


def module_of(package: str) -> str:
    """The text of the package's module `records`.

    Raises:
        ValueError: two record types have the same name.
    """
    classes: dict[str, np.dtype] = {}
    for name, dtype in sorted(_declared(package), key=lambda one: one[1].itemsize):
        for inner, record in (*_unnamed(dtype, classes), (name, dtype)):
            if classes.setdefault(inner, record) != record:
                raise ValueError(f"{package} has two record types named {inner}")
    text = "".join(_class(name, dtype, classes) for name, dtype in classes.items())
    rows = ".rows" if package == CORE else "...core.rows" if package.startswith(GAMES) else f"{CORE}.rows"
    used = [name for name in ("Array", "Array2", "Row") if f"{name}[" in text or f"({name})" in text]
    numpy = "import numpy as np\n\n" if "np." in text else ""
    return HEAD.format(numpy=numpy, rows=rows, names=", ".join(used)) + text


def _declared(package: str) -> Iterator[tuple[str, np.dtype]]:
    """The class names and record types that the package's modules declare."""
    root = import_module(package)
    for found in walk_packages(root.__path__, f"{package}."):
        if found.name == f"{package}.records":
            continue
        module = import_module(found.name)
        text = Path(str(module.__file__)).read_text(encoding="utf-8")
        for name, value in vars(module).items():
            if isinstance(value, np.dtype) and value.names and f"\n{name} = " in text:
                yield "".join(word.capitalize() for word in name.split("_")), value


def _unnamed(dtype: np.dtype, classes: dict[str, np.dtype]) -> Iterator[tuple[str, np.dtype]]:
    """The record types of fields that are not among the classes, innermost first."""
    for field, (kind, *_) in (dtype.fields or {}).items():
        if kind.base.names and kind.base not in classes.values():
            yield from _unnamed(kind.base, classes)
            yield field.capitalize(), kind.base


def _class(name: str, dtype: np.dtype, classes: dict[str, np.dtype]) -> str:
    fields = list((dtype.fields or {}).items())
    base, inherited = "Row", 0
    for other, record in classes.items():
        length = len(record.names or ())
        if inherited < length < len(fields) and list((record.fields or {}).items()) == fields[:length]:
            base, inherited = other, length
    lines = [f"    {field}: {_type(kind, classes)}" for field, (kind, *_) in fields[inherited:]]
    return "\n\n" + "\n".join([f"class {name}({base}):", *lines]) + "\n"


def _type(kind: np.dtype, classes: dict[str, np.dtype]) -> str:
    if kind.base.names:
        item = next(name for name, record in classes.items() if record == kind.base)
    else:
        item = "float" if kind.base.kind == "f" else "int"
    if not kind.shape:
        return item
    return f"{ARRAYS[len(kind.shape)]}[{item}]" if len(kind.shape) in ARRAYS else "np.ndarray"


def main() -> None:
    sys.path.append(str(ROOT / "examples"))
    named = sys.argv[1:] or packages()
    for package in named:
        sys.modules[f"{package}.records"] = Missing("records")
    for package in named:
        folder = Path(str(import_module(package).__file__)).parent
        (folder / "records.py").write_text(module_of(package), encoding="utf-8")


if __name__ == "__main__":
    main()
