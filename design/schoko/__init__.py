"""The balance of Schoko & Co."""

# Agent -> the report in `docs/schoko/logs/` with its games by seat.
SEAT_REPORTS = {"manager": "balance", "expert": "balance-expert"}
