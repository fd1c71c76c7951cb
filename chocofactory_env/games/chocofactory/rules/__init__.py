"""The rules of Chocolate Factory, one file per chapter; `docs/chocofactory/rules.md` gives the clause ids.

Every function takes the card tables and a position as records, allocates nothing and raises nothing. A decision is a
pair: `can_...` says whether it is legal, `...` carries it out and trusts that it is. `flow.py` says whose turn it is.
"""
