"""The rules of Schoko & Co., one file per chapter; `docs/schoko/rules.md` gives the clause ids.

Every function takes the card tables and a position as records, allocates nothing and raises nothing. A decision is a
pair: `most_...` or `can_...` says what is legal, another function carries it out and trusts that it is. `flow.py` says
who is asked next.
"""
