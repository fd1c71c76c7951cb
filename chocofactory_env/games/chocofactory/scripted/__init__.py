"""The player `greedy` as compiled rules: no search, one look at the table, a sensible move in every phase.

It prices one more piece of each kind in the store room by the pay of the seat's next open stages, the spaces of today's
store, in the solo game the demands of the cards, or else a little by its refinement. A piece on the belt is worth the
best that the parts ahead of it can make of it. Then it takes the action that gains most for its coal, and drafts the
part that adds most to the value of a bean.

`parts.py` values what parts make, `prices.py` pieces in the store room, `choices.py` cards to draft or choose;
`missing.py` counts what the solo game's cards still require, and `moves.py` chooses. All values are in pounds.
"""
