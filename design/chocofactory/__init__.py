"""The balance of Chocolate Factory."""

# Agent -> the report in `docs/chocofactory/logs/` with its games by seat.
SEAT_REPORTS = {"greedy": "balance", "expert": "balance-seats"}
