"""The rules of Schoko & Co., one file per chapter; `docs/schoko/rules.md` gives the clause ids.

Every function takes the card tables and a position as records, allocates nothing and raises nothing. Each decision has
two functions: `most_...` or `can_...` says what is legal; the other carries it out without checking. `flow.py` finds
the next seat to ask.

A position from outside is within the bounds of `state.py`, but play need not reach it: a few rules limit their numbers
for its sake alone, so that none leaves its arrays.
"""
