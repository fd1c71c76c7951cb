"""The balance of Schoko & Co."""

SEAT_REPORTS = {"manager": "balance", "expert": "balance-expert"}  # agent -> the report of `docs/schoko/logs/` with its games by seat
