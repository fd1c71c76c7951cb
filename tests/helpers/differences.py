"""Differences between two JSON values."""

from __future__ import annotations

from typing import Any, Literal


def differences(
    engine: Any, oracle: Any, path: str = "", *, keys_of: Literal["engine", "oracle"] = "oracle"
) -> list[str]:
    """Every place that differs. keys_of: the side whose keys are compared; the other may have more."""
    if engine == oracle:
        return []
    if isinstance(engine, dict) and isinstance(oracle, dict):
        none = "no such key"
        return [
            line
            for key in (engine if keys_of == "engine" else oracle)
            for line in differences(engine.get(key, none), oracle.get(key, none), f"{path}.{key}", keys_of=keys_of)
        ]
    if isinstance(engine, list) and isinstance(oracle, list) and len(engine) == len(oracle):
        return [
            line
            for number, (left, right) in enumerate(zip(engine, oracle, strict=True))
            for line in differences(left, right, f"{path}[{number}]", keys_of=keys_of)
        ]
    return [f"{path}: engine {engine!r}, oracle {oracle!r}"]
