"""Search over the compiled rules, for agents that look ahead.

`evaluation.py` evaluates a position for a seat, in pounds, with the weights in `weights.py`; `solo.py` adds the solo
game's requirements. `plan.py` searches a player's own day by that evaluation, and `tree.py` the game.
"""
