"""The balance of Chocolate Factory."""

# Agent -> the report with its games; read by `design.seat_plots`.
SEAT_REPORTS = {
    "greedy": "balance",
    "narrow expert": "balance-seats",
    "narrow expert, near decks": "balance-seats-decks",
    "expert:network=true": "balance-seats-network",
}
