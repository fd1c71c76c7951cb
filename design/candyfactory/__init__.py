"""The balance of Manfredini's Chocolate Factory."""

SEAT_REPORTS = {"expert": "balance"}  # agent -> the report of `docs/candyfactory/logs/` with its games by seat
