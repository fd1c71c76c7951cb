"""For all tests: windows are opened on no screen, and torch computes with one thread, in processes of tests too."""

from __future__ import annotations

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
# Tests run beside each other, and two threads of torch that share a core are many times slower than one.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Workers share the compiling already.
os.environ.setdefault("CHOCOFACTORY_COMPILE", "alone")
