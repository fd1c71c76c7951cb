"""Tools of the project's own pages."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
