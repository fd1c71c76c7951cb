"""The balance of Manfredini's Chocolate Factory."""

# Agent -> the report with its games; read by `design.seat_plots`.
SEAT_REPORTS = {"expert": "balance"}
