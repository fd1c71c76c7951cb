"""Benchmarks: `python -m benchmarks` measures this package and its peers in one run. Nothing here is a test."""
