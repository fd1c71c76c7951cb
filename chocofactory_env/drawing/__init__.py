"""Pictures of positions: a game describes what lies where (`scene`), and this package draws it as SVG or frames.

It knows the contract of a game (`core.game`) but no game and no rules, and nothing in `core` knows it.
"""
