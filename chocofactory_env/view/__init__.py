"""What one viewer sees of a position, as a tree. Text and pictures are made of it here, the table's page by its CSS.

tree    groups, rows, items and signs
items   how an item is drawn
layout  rows flow into panels, panels into pictures
text    the names of the items, as lines
views   the tree of any game, with its result and its last moves
"""
