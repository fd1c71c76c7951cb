"""The rules of Chocolate Factory, one file per chapter; `docs/chocofactory/rules.md` explains the clause ids.

Functions take the card tables and a position as records. They allocate nothing and raise nothing. A decision has two
functions: `can_...` tells if it is legal; `...` carries it out and assumes that it is. `flow.py` orders the turns.
"""
