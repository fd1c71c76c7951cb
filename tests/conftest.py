"""Environment of all tests and their processes: windows open on no screen, and torch computes with one thread."""

from __future__ import annotations

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
# Tests run in parallel, and two threads of torch that share a core are many times slower than one.
os.environ.setdefault("OMP_NUM_THREADS", "1")
