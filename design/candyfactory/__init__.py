"""The balance of Manfredini's Chocolate Factory."""

# Agent -> the report in `docs/candyfactory/logs/` with its games by seat.
SEAT_REPORTS = {"expert": "balance"}
