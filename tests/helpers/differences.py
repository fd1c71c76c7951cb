"""Where two values as JSON writes them differ."""

from __future__ import annotations

from typing import Any


def differences(engine: Any, oracle: Any, path: str = "") -> list[str]:
    """Every place that differs, in the keys that the oracle knows: those of `protocol.md`."""
    if engine == oracle:
        return []
    if isinstance(engine, dict) and isinstance(oracle, dict):
        return [
            line for key in oracle for line in differences(engine.get(key, "no such key"), oracle[key], f"{path}.{key}")
        ]
    if isinstance(engine, list) and isinstance(oracle, list) and len(engine) == len(oracle):
        return [
            line
            for number, (left, right) in enumerate(zip(engine, oracle, strict=True))
            for line in differences(left, right, f"{path}[{number}]")
        ]
    return [f"{path}: engine {engine!r}, oracle {oracle!r}"]
