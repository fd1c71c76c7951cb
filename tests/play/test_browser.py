"""The table in a real browser, with scrollbars shown.

`CF_BROWSER_MOVES=10000` plays every game to its end.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip(
    "playwright.sync_api", reason="no Playwright: the table's page is not tested (pip install playwright)"
)
from in_browser import CHROMIUM, LONGEST, PHONE, hurry, opened, play, server, start
from long_runs import amount
from playwright.sync_api import Browser, Page, expect, sync_playwright

import chocofactory_env as cf
from chocofactory_env.play.export import page_of
from chocofactory_env.play.playing import Playing

if TYPE_CHECKING:
    from axe_playwright_python.sync_playwright import Axe

pytestmark = [
    pytest.mark.programs,  # a server and Chromium
    pytest.mark.skipif(
        CHROMIUM is None, reason="no Chromium: the table's page is not tested (apt-get install chromium)"
    ),
]
expect.set_options(timeout=LONGEST)
MOVES = amount("CF_BROWSER_MOVES", 12, 10_000)
SIZES = [{"width": 1280, "height": 800}, {"width": 1920, "height": 1080}, {"width": 1366, "height": 650}, PHONE]
PLAYED: list[tuple[str, list[str], dict[str, str]]] = [
    ("chocofactory", ["person"], {}),
    ("chocofactory", ["person", "greedy"], {}),
    ("chocofactory", ["person", "greedy", "greedy", "random"], {"expansion": "master_chocolatier"}),
    ("candyfactory", ["person", "random", "greedy", "random"], {}),
    ("schoko", ["person", "manager", "random", "random"], {}),
]
STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]
CHOICES = "#table [data-role=choose] [data-action]"

# What a page of this size does wrong: small words, small targets, scrollbars, boards that are out of view or overflow.
LOOK = """(large) => {
  const wrong = [], root = document.documentElement;
  const seen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const at = (one) => `${one.closest("[data-group]")?.dataset.group ?? one.tagName}: ${one.textContent.trim().slice(0, 30)}`;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const one = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !seen(one) || one.matches(".unseen") || ["SCRIPT", "OPTION"].includes(one.tagName)) continue;
    const size = parseFloat(getComputedStyle(one).fontSize);
    if (!one.ownerSVGElement && size < 11) wrong.push(`words of ${size} px: ${at(one)}`);
    if (one.closest("#table") && one.scrollWidth > one.clientWidth + 1 && !["inline", "contents"].includes(getComputedStyle(one).display)) wrong.push(`clipped: ${at(one)}`);
  }
  for (const one of document.querySelectorAll("#table button, #tools button")) {
    const { width, height } = one.getBoundingClientRect();
    if (seen(one) && (width < 24 || height < 24)) wrong.push(`target of ${width} x ${height}: ${at(one)}`);
  }
  if (root.scrollWidth > root.clientWidth) wrong.push("the page scrolls sideways");
  if (!large) return wrong;
  if (root.scrollHeight > innerHeight) wrong.push(`the page scrolls down: ${root.scrollHeight}`);
  for (const one of document.querySelectorAll("[data-group^=seat-], [data-group=choice]")) {
    const box = one.getBoundingClientRect();
    if (!seen(one) || box.top < 0 || box.left < 0 || box.right > innerWidth || box.bottom > innerHeight) wrong.push(`out of view: ${at(one)}`);
    for (const row of one.querySelectorAll(".row")) if (row.getBoundingClientRect().bottom > box.bottom + 1) wrong.push(`leaves its board: ${at(row)}`);
  }
  return wrong;
}"""  # noqa: E501


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Of a server that all tests share."""
    with server(tmp_path_factory.mktemp("games"), "--port", "0") as (_, found):
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Not of the session: Playwright's event loop runs while it is there, and other tests start their own."""
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox"], ignore_default_args=["--hide-scrollbars"]
        )
        yield made
        made.close()


@pytest.fixture(scope="module")
def axe() -> Axe:
    module = pytest.importorskip("axe_playwright_python.sync_playwright", reason="no axe-core: see pyproject.toml")
    made: Axe = module.Axe()
    return made


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    with opened(browser, address) as page:
        yield page


def accessible(axe: Axe, page: Page) -> None:
    found = axe.run(page, options={"runOnly": {"type": "tag", "values": STANDARDS}})
    faults = [(one["id"], [node["html"][:200] for node in one["nodes"][:3]]) for one in found.response["violations"]]
    assert not faults, faults


def decided(page: Page) -> str:
    """Wait until something is asked; returns the decision."""
    page.wait_for_selector("body[data-decision]:not([data-decision=''])")
    return str(page.get_attribute("body", "data-decision"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("game", "seats", "options"), PLAYED, ids=[f"{one[0]}-{len(one[1])}" for one in PLAYED])
def test_all_boards_are_in_view_and_legible_at_every_size(
    game: str, seats: list[str], options: dict[str, str], scheme: Any, browser: Browser, address: str, axe: Axe
) -> None:
    with opened(browser, address, color_scheme=scheme, viewport=SIZES[0]) as page:
        start(page, game, seats, 7, **options)
        hurry(page)
        play(page, most=MOVES)
        for size in SIZES:
            page.set_viewport_size(size)  # type: ignore[arg-type]
            assert page.evaluate(LOOK, size is not PHONE) == []
            assert page.locator("[data-group^=seat-]").count() == len(seats)
        accessible(axe, page)
        tab = page.locator("nav [data-tab=rivals]")
        tab.click()
        assert page.evaluate(LOOK, False) == []


@pytest.mark.parametrize(
    ("game", "agent"), [("candyfactory", "greedy"), ("chocofactory", "random"), ("schoko", "random")]
)
def test_who_watches_sees_all_boards_and_the_end(
    game: str, agent: str, browser: Browser, address: str, axe: Axe
) -> None:
    with opened(browser, address, viewport=SIZES[0]) as page:
        start(page, game, [agent] * 4)
        hurry(page)
        page.wait_for_selector("body[data-over=true]")
        for size in SIZES[::-1][1:]:
            page.set_viewport_size(size)  # type: ignore[arg-type]
            assert page.evaluate(LOOK, True) == []
        expect(page.locator("[data-group=result]")).to_contain_text("win")
        lowest, side = (page.locator(where).last.bounding_box() for where in ("#play > .group", "#side"))
        assert lowest
        assert side
        assert lowest["y"] + lowest["height"] <= side["y"]
        accessible(axe, page)
        page.keyboard.press("ArrowLeft")
        page.wait_for_selector("body[data-live=false]")
        expect(page.locator("#tools output")).to_contain_text("/")
        page.select_option("[aria-label='With the eyes of']", "mover")
        page.wait_for_selector(".number:text('played')")


def test_a_game_is_played_by_keys_alone_and_the_focus_is_never_lost(page: Page) -> None:
    start(page, "candyfactory", ["person", "greedy"])
    hurry(page)
    for number in range(MOVES):
        before = decided(page)
        assert page.evaluate("document.activeElement !== document.body")
        page.keyboard.press("1" if number % 2 else "Tab")
        if not number % 2:
            page.locator(CHOICES).last.focus()
            page.keyboard.press("Enter")
        page.wait_for_function("before => document.body.dataset.decision !== before", arg=before)
    decided(page)
    moves = page.evaluate("Number(document.body.dataset.at)")
    page.keyboard.press("u")
    page.wait_for_function("at => Number(document.body.dataset.at) < at", arg=moves)


def test_a_game_is_played_by_fingers_and_a_thing_is_explained(browser: Browser, address: str) -> None:
    phone: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    with opened(browser, address, **phone) as page:
        start(page, "schoko", ["person", "manager"])
        hurry(page)
        for _ in range(MOVES):
            before = decided(page)
            page.locator(CHOICES).first.tap()
            page.wait_for_function("before => document.body.dataset.decision !== before", arg=before)
        decided(page)
        page.locator("[data-role=own] [data-row=staff4] .item").first.tap()
        expect(page.locator("#about")).to_contain_text("worker")


def test_a_new_player_gets_hints_that_end_with_their_phase(browser: Browser, address: str) -> None:
    with opened(browser, address, new=True) as page:
        page.wait_for_selector("#new-game button.main")
        page.fill("[data-seat-row='0'] [data-name]", "Ann")
        page.click("text=/^Easy/")
        decided(page)
        expect(page.locator("[data-role=own] h2")).to_contain_text("Ann")  # typed, and played at once
        page.click("#guide >> text=Show hints")
        expect(page.locator("#guide p").first).not_to_be_empty()
        hurry(page)
        for _ in range(30):
            hint = page.locator("#guide p").first.inner_text() if page.locator("#guide").is_visible() else ""
            play(page, most=1)
            phases = page.evaluate("document.body.dataset.decision")
            if hint and phases and not page.locator(f"#guide >> text={hint[:20]}").is_visible():
                return
        pytest.fail("a hint outlives its phase")


def test_an_analysis_goes_with_the_moves_that_it_was_of(page: Page) -> None:
    pytest.importorskip("scipy")
    start(page, "candyfactory", ["greedy", "greedy"], game="plantation")
    hurry(page)
    page.wait_for_selector("body[data-over=true]")
    page.click("text=Analyse")
    expect(page.locator("#panel h2")).to_contain_text("Chances to win")
    page.click("[aria-label='To the start']")
    page.click("text=Go on from here")
    expect(page.locator("#panel")).to_be_hidden()
    page.wait_for_selector("body[data-over=true]")
    assert page.evaluate("document.body.dataset.live") == "true"


def test_a_curtain_stands_between_two_persons(page: Page) -> None:
    start(page, "candyfactory", ["person", "person"])
    page.wait_for_selector("#curtain[open]")
    assert page.locator("#table .group[data-group]").count() == 0
    page.click("#curtain button")
    decided(page)


def test_a_reload_finds_the_game_and_an_agent_is_asked(page: Page) -> None:
    start(page, "chocofactory", ["person", "greedy"])
    decided(page)
    page.locator(CHOICES).first.click()
    at = page.evaluate("document.body.dataset.at")
    page.reload()
    decided(page)
    assert int(page.evaluate("document.body.dataset.at")) >= int(at)
    page.keyboard.press("t")
    page.wait_for_selector("#panel table, #panel ol, #panel .quiet:text('says nothing')")
    assert page.locator(".number").count() > 0


def test_a_saved_page_is_looked_through_by_keyboard_without_a_server(browser: Browser, tmp_path: Path) -> None:
    game = cf.load("candyfactory", game="plantation")
    playing = Playing.of(game, cf.record_game(game, "greedy", 3), ["Ann", "Robo"])
    file = tmp_path / "game.html"
    file.write_text(page_of(playing, [None, 0, 1]), encoding="utf-8")
    with opened(browser, file.as_uri(), viewport=SIZES[0]) as page:
        expect(page.locator("#count")).to_have_text(f"0 of {len(playing.actions)}")
        page.keyboard.press("End")
        expect(page.locator("[data-group=result]")).to_be_visible()
        page.select_option("[aria-label='With the eyes of']", "2")  # nobody, Ann, Robo
        expect(page.locator("[data-role=own] h2")).to_contain_text("Robo")
        assert page.evaluate(LOOK, True) == []


@pytest.mark.parametrize(("game", "seats", "options"), PLAYED, ids=[f"{one[0]}-{len(one[1])}" for one in PLAYED])
def test_a_move_costs_few_bytes_and_little_time(
    game: str, seats: list[str], options: dict[str, str], page: Page
) -> None:
    """From a click to the next view: bytes as the server squeezes them, and processor time of the page's main thread.

    `CF_BROWSER_MOVES=10000 python -m pytest -s tests/play/test_browser.py -k costs` prints them for whole games.
    """
    session, sent = page.context.new_cdp_session(page), list[str]()
    session.on("Network.webSocketFrameReceived", lambda event: sent.append(event["response"]["payloadData"]))
    session.send("Network.enable")
    session.send("Performance.enable")

    def worked() -> float:
        found: list[dict[str, Any]] = session.send("Performance.getMetrics")["metrics"]
        return float(next(one["value"] for one in found if one["name"] == "ThreadTime"))

    start(page, game, seats, 7, **options)
    hurry(page)
    decided(page)
    begun, first = worked(), len(sent)
    play(page, most=MOVES)
    squeezing = zlib.compressobj(wbits=-15, memLevel=5)  # as `WideSocket` does
    sizes = [len(squeezing.compress(text.encode()) + squeezing.flush(zlib.Z_SYNC_FLUSH)) for text in sent]
    views = sum('"type":"view"' in text for text in sent[first:])
    kilobytes, milliseconds = sum(sizes[first:]) / views / 1000, (worked() - begun) / views * 1000
    print(f"\n{game}, {len(seats)} seats, {views} views: {kilobytes:.2f} kB and {milliseconds:.1f} ms each")
    assert kilobytes <= 2
    assert milliseconds <= 40


def test_names_of_agents_and_files_reach_the_list_of_saved_games(page: Page) -> None:
    start(page, "schoko", ["person", "manager"])
    decided(page)
    page.select_option("[aria-label=More]", "New game")
    row = page.locator("#saved li").filter(has_text=re.compile("Schoko.*manager")).first
    row.locator("button", has_text="Go on").click()
    assert decided(page)
    assert json.loads(page.evaluate("JSON.stringify(document.body.dataset)"))["over"] == "false"
