"""Tools of the checkout: generated pages, the site, wheels and releases."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
