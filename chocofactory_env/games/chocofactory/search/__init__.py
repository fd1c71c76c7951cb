"""Search over the compiled rules: what agents that look ahead are made of.

`weights.py` holds the weights of the evaluation, `evaluation.py` evaluates a position for a seat in pounds, `solo.py`
adds what the solo game's cards require, `plan.py` searches a player's own day by that evaluation, and `tree.py` the
game.
"""
