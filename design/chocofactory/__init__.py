"""The balance of Chocolate Factory."""

SEAT_REPORTS = {"greedy": "balance", "expert": "balance-seats"}  # agent -> the report of `docs/chocofactory/logs/` with its games by seat
