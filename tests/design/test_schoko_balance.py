"""The balance report's tables, and that games are noted as they are played."""

from __future__ import annotations

from functools import cache

import pytest
from balance_reports import GAMES, REPORTS
from long_runs import amount

from design.schoko.balance import SECTIONS, main, settings_for
from design.schoko.flows import CATEGORIES, EVENTS, EXPRESS, FLOWS, Deck
from design.schoko.watch import LEVELS, Log, Setting, Watch, turned
from design.watch import watch_all

REPORT = REPORTS["schoko"]
Logs = dict[Setting, list[Log]]
RANDOM_GAMES = amount("CF_WATCHED_GAMES", 4, 20)


@cache
def watched(agent: str) -> Logs:
    """Games that are looked at alone."""
    return REPORT.logs if agent == "manager" else watch_all(Watch(agent), settings_for(RANDOM_GAMES), progress=False)


def test_every_number_of_players_is_played() -> None:
    assert [setting.players for setting in REPORT.logs] == [2, 3, 4]


def test_the_report_has_every_table() -> None:
    assert [line[3:] for line in REPORT.text.splitlines() if line.startswith("## ")] == [
        section.title for section in SECTIONS
    ]
    for name in (*FLOWS, *(f"`{word}`" for word in (*EVENTS, *EXPRESS))):
        assert f"| {name} |" in REPORT.text


@pytest.mark.parametrize("agent", ["manager", "random"])
@pytest.mark.long
def test_money_adds_up_to_the_score(agent: str) -> None:
    """SET-2, END-1; random players go bankrupt and sell in emergencies."""
    deck = Deck(Setting(2, 1).load())
    seats = [(seat, log) for games in watched(agent).values() for log in games for seat in log.seats]
    assert agent == "manager" or any(seat.bankrupt for seat, _ in seats)
    for seat, log in seats:
        assert set(seat.money) <= set(FLOWS)
        if seat.bankrupt:
            assert 100 + seat.money.total() == seat.score == 0
        else:
            assert 100 + seat.money.total() + seat.shares * log.share_price - deck.loan * seat.owed == seat.score


@pytest.mark.parametrize("agent", ["manager", "random"])
@pytest.mark.long
def test_what_is_left_over_is_what_the_rules_say(agent: str) -> None:
    """A flow that is not computed is the rest of a change of cash; here it is checked by its own clause."""
    deck = Deck(Setting(2, 1).load())
    for games in watched(agent).values():
        for log in games:
            for seat in (seat for seat in log.seats if not seat.bankrupt):
                assert seat.money["interest"] <= 0
                assert seat.money["interest"] % deck.interest == 0  # LOAN-2
                assert seat.money["severance"] <= 0  # STAFF-5
                cocoa = sum(int(key[1]) * number for key, number in seat.counts.items() if key[0] == "cocoa")
                assert seat.money["cocoa"] == -cocoa  # COCOA-5
                paid = [sum(staff[place] for staff in seat.staff.values()) for place in range(len(CATEGORIES))]
                salaries = [deck.salaries[category] for category in CATEGORIES]
                assert -seat.money["salaries"] == sum(map(lambda a, b: a * b, paid, salaries))
                assert seat.money["contracts"] == seat.counts["value", "paid"]
                assert seat.money["bank sales"] == deck.bank_price * seat.counts["banked",]


def test_every_contract_that_was_taken_has_an_end() -> None:
    """Of all seats together: a contract may change hands (XP-HAND)."""
    for games in REPORT.logs.values():
        for log in games:
            for bars in range(1, 7):
                taken = sum(seat.counts["taken", bars, level] for seat in log.seats for level in LEVELS)
                ends = sum(seat.counts[end, bars] for seat in log.seats for end in ("paid", "upset", "void"))
                assert taken == ends


def test_cards_and_events_are_counted() -> None:
    """XP-3, EV-0"""
    for setting, games in REPORT.logs.items():
        for log in games:
            held = sum(seat.counts["held", card] for seat in log.seats for card in EXPRESS)
            assert held == 3 * setting.players
            for card in EXPRESS:
                struck, played, had = (
                    sum(seat.counts[what, card] for seat in log.seats) for what in ("struck", "played", "held")
                )
                assert struck == played <= had <= 1
            assert sum(log.counts["event", event] for event in EVENTS) == log.months


def test_a_meeting_is_of_a_contract_that_was_turned_up() -> None:
    for games in REPORT.logs.values():
        for log in games:
            offered = sum(number for key, number in log.counts.items() if key[0] == "present")
            taken = sum(number for seat in log.seats for key, number in seat.counts.items() if key[0] == "taken")
            refused = sum(number for key, number in log.counts.items() if key[0] == "cancelled")
            assert log.counts["turned",] >= offered == taken + refused


def test_a_renewed_deck_is_counted_through() -> None:
    """SALE-11"""
    before = {"face_down": ["a", "b"], "held_back": ["c", "d"]}
    assert turned(before, {"face_down": ["a"], "held_back": ["b", "c", "d"]}) == 1
    assert turned(before, {"face_down": ["d"], "held_back": ["c"]}) == 3


def test_one_number_of_players_alone() -> None:
    some = {setting: games for setting, games in REPORT.logs.items() if setting.players == 2}
    page = REPORT.page(some)
    assert f"--games {GAMES} --agent manager --players 2`" in page
    assert "players, 3" not in page


def test_five_players_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--players", "5"])
    assert "invalid choice" in capsys.readouterr().err
