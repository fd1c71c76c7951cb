"""The plots of seats: what they read from reports, and that the pages of balance show them."""

import pytest
from repository import ROOT

from design.seat_plots import REPORTS, shares_of


def test_the_first_table_of_a_report_is_read() -> None:
    report = (
        "| players | games | starts | second | third |\n| --- | ---: |\n"
        "| 2 | 300 | 47.5% [42.0%, 53.0%] | 52.5% [47.0%, 58.0%] |  | 29.2 / 29.3 | 0.387 |\n"
        "| 3 | 300 | 33.0% [28.0%, 38.0%] | 35.0% [29.0%, 40.0%] | 32.0% [27.0%, 38.0%] | 1 / 2 / 3 | 0.879 |\n\n"
        "| 2 | 300 | 41.0% [35.0%, 46.0%] | 59.0% [53.0%, 64.0%] |  | 17.4 / 18.3 | 0.002 |\n"
    )
    shares = shares_of(report)
    assert {players: len(places) for players, places in shares.items()} == {2: 2, 3: 3}
    assert shares[2][0] == pytest.approx((0.475, 0.42, 0.53))


@pytest.mark.parametrize("game", REPORTS)
def test_the_page_of_balance_shows_the_seats_of_its_reports(game: str) -> None:
    folder = ROOT / "docs" / game
    page = (folder / "balance.md").read_text(encoding="utf-8")
    assert "](seats.svg)" in page
    assert (folder / "seats.svg").exists()
    for report in REPORTS[game].values():
        assert f"](logs/{report}.md)" in page
        text = (folder / "logs" / f"{report}.md").read_text(encoding="utf-8")
        assert all(
            sum(share[0] for share in places) == pytest.approx(1, abs=0.02) for places in shares_of(text).values()
        )
