"""The balance of Chocolate Factory."""

# Agent -> the report with its games; read by `design.seat_plots`.
SEAT_REPORTS = {
    "greedy": "balance",
    "expert": "balance-seats",
    "expert, near decks": "balance-seats-decks",
}
