"""What one viewer sees of a position, as a tree; pages lay it out.

tree   groups, rows, items and signs
views  the tree of any game, with its result and its last moves
"""
