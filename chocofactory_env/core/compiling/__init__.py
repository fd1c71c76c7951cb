"""How compiled code is kept on disk, shipped, and found again; `core.jit` is the front door."""
