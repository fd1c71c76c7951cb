"""Pictures of positions: a game says what lies where (`scene`), and one drawer makes SVG and frames of it.

Knows no game, and nothing of the rules.
"""
