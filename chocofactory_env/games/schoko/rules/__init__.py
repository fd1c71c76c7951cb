"""The rules of Schoko & Co., one file per chapter; `docs/schoko/rules.md` gives the clause ids.

Every function takes the card tables and a position as records, allocates nothing and raises nothing. Each decision has
two functions: `most_...` or `can_...` says what is legal; the other carries it out without checking. `flow.py` finds
the next seat to ask.
"""
