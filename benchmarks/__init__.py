"""Benchmarks: `python -m benchmarks` measures this package and its peers in one run. Nothing here is a test."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
