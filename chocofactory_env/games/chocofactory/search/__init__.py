"""Search over the compiled rules: what agents that look ahead are made of.

`guess.py` holds the numbers by which positions are judged, `worth.py` says what one is worth to a seat in pounds,
`manager.py` what the solo game's cards add to that, and `plan.py` searches a player's own day by it.
"""
