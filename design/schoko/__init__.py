"""The balance of Schoko & Co."""

# Agent -> the report with its games; read by `design.seat_plots`.
SEAT_REPORTS = {
    "manager": "balance",
    "expert": "balance-expert",
}
