"""Keep compiled code on disk, ship it, and find it again; the entry point is `core.jit`."""
