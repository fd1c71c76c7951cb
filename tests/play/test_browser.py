"""The table in a real browser: games are played by pointing at what the page offers.

`CF_BROWSER_MOVES=10000` plays every game to its end, and the solo game from its beginning.
"""

from __future__ import annotations

import json
import random
import re
import time
import webbrowser
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip(
    "playwright.sync_api", reason="no Playwright: the table's page is not tested (pip install playwright)"
)
from in_browser import CHROMIUM, LONGEST, PHONE, Problems, hurry, opened, play, point, server, start
from long_runs import amount
from playwright.sync_api import Browser, Page, expect, sync_playwright

import chocofactory_env as cf
from chocofactory_env.play.__main__ import open_browser

if TYPE_CHECKING:
    from axe_playwright_python.sync_playwright import Axe

pytestmark = [
    pytest.mark.programs,  # a server and Chromium
    pytest.mark.skipif(
        CHROMIUM is None, reason="no Chromium: the table's page is not tested (apt-get install chromium)"
    ),
]
expect.set_options(timeout=LONGEST)
MOVES = amount("CF_BROWSER_MOVES", 8, 10_000)
LAYOUT_MOVES = amount("CF_LAYOUT_MOVES", 28, 10_000)
LAST_ACTIONS = 20  # of a solo game, where a sample is played
PLAYED = [
    ("chocofactory", ["here", "greedy"], {}),
    ("chocofactory", ["here", "greedy", "here", "random"], {"expansion": "master_chocolatier"}),
    ("candyfactory", ["here", "greedy"], {}),
    ("candyfactory", ["here", "random", "greedy", "here"], {"game": "plantation"}),
    ("schoko", ["here", "manager"], {"months": "6"}),
    ("schoko", ["here", "manager", "random", "here"], {"months": "8"}),
]
TAKE_FIRST = "document.querySelector('#board [data-action]')?.dispatchEvent(new MouseEvent('click', {bubbles: true}))"
NO_STORAGE = """
for (const name of ["localStorage", "sessionStorage"]) {
  Object.defineProperty(window, name, { get() { throw new DOMException("blocked", "SecurityError"); } });
}
"""
STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Of a server that all tests share."""
    with server(tmp_path_factory.mktemp("tables"), "--port", "0") as (_, found):
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Not of the session: Playwright's event loop runs while it is there, and other tests start their own."""
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
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


def test_the_file_that_the_browser_is_started_with_leads_to_the_hosts_page(
    browser: Browser, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(browser, "about:blank") as page:
        monkeypatch.setattr(webbrowser, "open", page.goto)
        open_browser(address, tmp_path / "open.html")
        expect(page.locator("#new-game")).to_be_visible()


# --- whole games


@pytest.mark.long
def test_the_solo_game_is_played_to_its_end_and_looked_through(page: Page, axe: Axe, tmp_path: Path) -> None:
    if MOVES > 100:
        start(page, "chocofactory", ["here"])
    else:
        begin_near_the_end(page, tmp_path / "game.json")
    expect(page.locator("#pace")).to_be_hidden()
    assert play(page) > (30 if MOVES > 100 else 3)
    expect(page.locator("#outcome")).to_contain_text("The game is over")
    expect(page.locator("#outcome thead").first).not_to_contain_text("place")
    expect(page.locator("#outcome > table tbody td").last).to_have_text(re.compile("won|lost"))
    expect(page.locator("#outcome .accounts")).to_contain_text("corner shop")
    accessible(axe, page)
    page.click("#outcome >> text=Analyse the game")
    expect(page.locator("#replay")).to_be_visible()
    expect(page.locator("#replay .curve")).to_be_visible()
    expect(page.locator("#replay .curve > text")).to_contain_text(["0 %", "50 %", "100 %", "day 1", "day 4"])
    page.locator("#replay .stop").nth(2).press("Enter")
    expect(page.locator("#replay output")).not_to_contain_text("0 of")
    accessible(axe, page)
    page.click("#replay button:text-is('First')")
    last = int(page.locator("#replay input[type=range]").first.get_attribute("max") or 0)
    page.keyboard.press("]")
    expect(page.locator("#replay output")).to_have_text(f"1 of {last}")
    page.get_by_label("Jump to").select_option(label="day 3")
    expect(page.locator("header h1")).to_contain_text("day 3 of 6")
    page.click("#replay button:text-is('Last')")
    expect(page.locator("#outcome")).to_be_visible()
    with page.expect_download() as download:
        page.click("#replay button:text('Save the record')")
    assert len(cf.GameRecord.read(download.value.path()).actions) == last


@pytest.mark.long
@pytest.mark.parametrize("fingers", [False, True], ids=["keys", "fingers"])
def test_a_game_is_played_to_its_end_by_keys_or_by_fingers_alone(
    fingers: bool, browser: Browser, address: str, tmp_path: Path
) -> None:
    touch: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True} if fingers else {}
    with opened(browser, address, **touch) as page:
        begin_near_the_end(page, tmp_path / "game.json", None if MOVES > 100 else LAST_ACTIONS)
        rng, moves = random.Random(5), 0
        page.locator("#board [data-action]").first.focus()
        while page.get_attribute("#play", "data-over") != "true":
            decision = page.get_attribute("#play", "data-decision")
            if fingers:
                offered = page.locator("#moves li button")
                offered.nth(rng.randrange(offered.count())).tap()
            else:
                page.keyboard.press(rng.choice(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]))
                page.keyboard.press("Enter")
            page.wait_for_selector(f"#play:not([data-decision='{decision}'])")
            moves += 1
        assert moves > 3
        expect(page.locator("#outcome")).to_contain_text("The game is over")


def begin_near_the_end(page: Page, file: Path, last: int | None = LAST_ACTIONS) -> None:
    """Go on with a solo game of an agent, so many actions before its end, or from the beginning."""
    game = cf.load("chocofactory", num_players=1)
    record = cf.record_game(game, [cf.make_agent("greedy", game)], 7)
    file.write_text(record.text())
    page.wait_for_selector("#new-game button.main")
    page.set_input_files("#file", file)
    page.fill("#at", str(len(record.actions) - last if last else 0))
    page.click("#new-game button.main")
    page.wait_for_selector("#board svg")


@pytest.mark.long
@pytest.mark.parametrize(("game", "seats", "options"), PLAYED, ids=[f"{one[0]}-{len(one[1])}" for one in PLAYED])
def test_games_are_played_by_pointing_at_what_is_offered(
    game: str, seats: list[str], options: dict[str, str], page: Page
) -> None:
    start(page, game, seats, **options)
    hurry(page)
    moves = play(page, most=MOVES)
    assert moves == MOVES or page.get_attribute("#play", "data-over") == "true"


def test_the_mouse_reaches_all_that_is_offered(page: Page) -> None:
    start(page, "chocofactory", ["here"])
    point(page, random.Random(1), 6)
    page.click("#to-tables")
    start(page, "candyfactory", ["here", "greedy"])
    hurry(page)
    point(page, random.Random(2), 4)


# --- keys, focus, screen readers


def test_keys_alone_play_and_the_focus_is_never_lost(page: Page) -> None:
    start(page, "chocofactory", ["here"])
    rng = random.Random(3)
    page.locator("#board [data-action]").first.focus()
    for _ in range(6):
        for _ in range(rng.randrange(3)):
            page.keyboard.press(rng.choice(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]))
        decision = page.get_attribute("#play", "data-decision")
        page.keyboard.press(rng.choice(["Enter", " "]))
        page.wait_for_selector(f"#play:not([data-decision='{decision}'])")
        assert page.evaluate("document.activeElement.hasAttribute('data-action')")
    decision = page.get_attribute("#play", "data-decision")
    page.keyboard.press("1")
    page.wait_for_selector(f"#play:not([data-decision='{decision}'])")
    page.keyboard.press("h")
    expect(page.locator("#help-dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#help-dialog")).to_be_hidden()


HELD = """
async ([place, key]) => {
  const decision = document.querySelector("#play").dataset.decision;
  document.querySelector(place).focus();
  for (let times = 0; times < 30; times += 1) {
    const event = new KeyboardEvent("keydown", { key, repeat: times > 0, bubbles: true, cancelable: true });
    const target = document.activeElement;
    if (target.dispatchEvent(event) && key === "Enter" && target.matches("button")) target.click(); // as browsers do
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return [decision, document.querySelector("#play").dataset.decision];
}
"""


@pytest.mark.parametrize(
    ("place", "key"),
    [("body", "1"), ("#board [data-action]", "Enter"), ("#board [data-action]", " "), ("#moves button", "Enter")],
)
def test_a_key_that_is_held_takes_one_move(place: str, key: str, page: Page) -> None:
    start(page, "chocofactory", ["here"])
    before, after = (int(decision.split("-")[1]) for decision in page.evaluate(HELD, [place, key]))
    assert after == before + 1


def test_the_key_u_takes_back_one_step_while_it_is_held(page: Page) -> None:
    start(page, "chocofactory", ["here"])
    every = page.locator("#moves .undo button:text('Take back all 4')")
    for seed in range(60):
        if every.count():
            break
        play(page, seed, 1)
    expect(every).to_be_visible()
    page.evaluate(HELD, ["body", "u"])
    expect(page.locator("#moves .undo button").last).to_have_text("Take back all 3")


COVERED = """
() => {
  const { outlineOffset, outlineWidth } = getComputedStyle(document.activeElement);
  const scale = document.activeElement.getScreenCTM().a, beyond = scale * (parseFloat(outlineOffset) + parseFloat(outlineWidth));
  const box = document.activeElement.getBoundingClientRect();
  const words = [...document.querySelectorAll("#own text")].filter((one) => !document.activeElement.contains(one));
  const inside = ({ left, right, top, bottom }) => left < box.right + beyond && right > box.left - beyond && top < box.bottom + beyond && bottom > box.top - beyond;
  return words.filter((one) => inside(one.getBoundingClientRect())).map((one) => one.textContent);
}
"""  # noqa: E501


def test_the_frame_of_the_focus_covers_no_words_beside_it(page: Page) -> None:
    start(page, "candyfactory", ["here", "random"])
    hurry(page)
    page.wait_for_selector("#play:not([data-decision='']) #own [data-action]")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.locator("#own [data-action]").first.focus()
    page.keyboard.press("ArrowRight")  # so that the focus is one to be seen
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    assert page.evaluate(COVERED) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(scheme: Any, browser: Browser, address: str, axe: Axe) -> None:
    with opened(browser, address, color_scheme=scheme) as page:
        page.wait_for_selector("#new-game button.main")
        accessible(axe, page)
        start(page, "schoko", ["here", "manager"])
        hurry(page)
        play(page, most=4)
        page.evaluate("for (const one of document.querySelectorAll('#side details')) one.open = true")
        accessible(axe, page)
        page.keyboard.press("h")
        accessible(axe, page)


def test_what_happens_is_announced(page: Page) -> None:
    start(page, "chocofactory", ["here", "greedy"], start_player="0")
    hurry(page)
    expect(page.locator("#news")).to_contain_text("Your move")
    play(page, most=1)
    expect(page.locator("#news")).to_contain_text("greedy")


@pytest.mark.parametrize(("game", "phase"), [("chocofactory", "draft"), ("candyfactory", None), ("schoko", None)])
def test_help_tells_the_rules_and_unfolds_the_phase(page: Page, axe: Axe, game: str, phase: str | None) -> None:
    start(page, game, ["here", "random"])
    page.keyboard.press("h")
    expect(page.locator("#rules h3")).to_have_text("Rules in brief")
    expect(page.locator("#rules details.all > p")).not_to_have_count(0)
    expect(page.locator("#rules details[open] summary")).not_to_have_count(0)
    if phase:
        expect(page.locator("#rules details[open] summary")).to_have_text(phase)
    accessible(axe, page)
    page.keyboard.press("Escape")
    page.click("#to-tables")
    page.click("#help")
    expect(page.locator("#rules")).to_be_empty()


# --- looks

SMALLEST = """
() => {
  const shown = [...document.querySelectorAll("#play :is(svg text, button, summary, p, li, span, strong, label, td, th)")].filter((one) => one.textContent.trim() && one.getClientRects().length);
  const size = (one) => one instanceof SVGElement ? parseFloat(one.getAttribute("font-size")) * one.getScreenCTM().a : parseFloat(getComputedStyle(one).fontSize);
  const sizes = shown.map((one) => [size(one), one.textContent]).sort(([one], [other]) => one - other);
  return sizes[0];
}
"""  # noqa: E501
IN_VIEW = """
() => {
  const { top, bottom } = document.querySelector("#moves").getBoundingClientRect();
  const first = document.querySelector("#moves li button").getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight && first.bottom <= innerHeight;
}
"""
SCREENS = [(1280, 800), (1920, 1080), (390, 844)]
LAID_OUT = [
    ("chocofactory", ["here"]),
    ("chocofactory", ["here", "greedy"]),
    ("chocofactory", ["here", "greedy", "random", "random"]),
    ("candyfactory", ["here", "greedy"]),
    ("candyfactory", ["here", "random", "greedy", "random"]),
    ("schoko", ["here", "manager", "manager"]),
    ("schoko", ["here", "manager", "random", "random"]),
]


@pytest.mark.long
@pytest.mark.parametrize(("game", "seats"), LAID_OUT, ids=[f"{one[0]}-{len(one[1])}" for one in LAID_OUT])
def test_no_words_are_below_11_pixels_and_the_choice_is_in_view(game: str, seats: list[str], page: Page) -> None:
    start(page, game, seats)
    if len(seats) > 1:
        hurry(page)
    moves = 0
    while moves < LAYOUT_MOVES:
        for number, strip in enumerate(page.locator("#rivals details").all()):
            if number == moves % len(seats):
                strip.locator("summary").click()
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            size, words = page.evaluate(SMALLEST)
            assert size >= 11 - 1e-3, (size, words, width)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            if page.get_attribute("#play", "data-decision"):
                for top in (0, 400, 100_000) if width == PHONE["width"] else ():
                    page.evaluate("top => scrollTo(0, top)", top)
                    assert page.evaluate(IN_VIEW)
        if not play(page, moves, 7):
            break
        moves += 7


def test_what_a_thing_is_can_be_asked_by_mouse_focus_key_and_finger(browser: Browser, address: str, axe: Axe) -> None:
    about = "#about:not([hidden])"
    with opened(browser, address, has_touch=True) as page:
        start(page, "chocofactory", ["here"])
        part = page.locator("#choose .thing[aria-label^='part ']").first
        label = part.get_attribute("aria-label") or ""
        part.hover()
        expect(page.locator(about)).to_contain_text(label.partition(":")[0])
        expect(page.locator(about)).to_contain_text(re.compile(r"Rule PART-\d+: \w+ .+\."))
        expect(page.locator(about)).to_contain_text("If you take it")
        accessible(axe, page)
        page.keyboard.press("Escape")
        expect(page.locator(about)).to_have_count(0)
        other = page.locator("#own .thing:not([data-action], :has(.thing))").first
        other.evaluate("(thing) => thing.setAttribute('aria-label', 'money (all of it)')")
        other.hover()
        expect(page.locator(about)).to_contain_text("money (all of it)")
        page.locator("#board [data-action]").first.focus()
        page.keyboard.press("ArrowRight")  # so that the focus is one to be seen
        expect(page.locator(about)).to_contain_text("If you take it")
        page.keyboard.press("Escape")
        page.keyboard.press("?")
        expect(page.locator(about)).to_be_visible()
        page.keyboard.press("Shift+ArrowLeft")  # to what cannot be taken
        expect(page.locator(about)).to_be_visible()
        decision = page.get_attribute("#play", "data-decision")
        box = part.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        press(page, x, y, 700)
        expect(page.locator(about)).to_contain_text(label.partition(":")[0])
        assert page.get_attribute("#play", "data-decision") == decision  # a long press takes nothing
        page.keyboard.press("Escape")
        press(page, x, y, 0)
        page.wait_for_selector(f"#play:not([data-decision='{decision}'])")
        page.evaluate("addEventListener('contextmenu', (event) => (window.menu = !event.defaultPrevented))")
        page.locator("#log").click(button="right")
        assert page.evaluate("window.menu")


def test_the_card_of_a_move_covers_no_other_move_and_lets_clicks_through(browser: Browser, address: str) -> None:
    for size in ({"width": 1440, "height": 900}, {"width": 1000, "height": 900}):
        with opened(browser, address, viewport=size) as page:
            start(page, "chocofactory", ["here"])
            page.locator("#moves li button").first.hover()
            expect(page.locator("#about")).to_contain_text("If you take it")
            card, moves = page.locator("#about").bounding_box(), page.locator("#moves").bounding_box()
            assert card is not None
            assert moves is not None
            beside = card["x"] + card["width"] <= moves["x"]
            above = card["y"] + card["height"] <= moves["y"]
            assert beside or above or card["y"] >= moves["y"] + moves["height"]
            below = "([x, y]) => document.elementFromPoint(x, y).closest('#about') === null"
            assert page.evaluate(below, [card["x"] + card["width"] / 2, card["y"] + card["height"] / 2])


def test_a_mouse_at_rest_opens_no_card(page: Page) -> None:
    x, y = 250, 400
    page.wait_for_selector("#new-game button.now")
    page.evaluate(
        """() => {
          window.shown = 0;
          const card = document.querySelector("#about");
          new MutationObserver(() => (window.shown += !card.hidden)).observe(card, { attributes: true });
          [...document.querySelectorAll("#new-game button.now")].at(-1).style.cssText = "position: fixed; inset: 0";
        }"""
    )
    page.mouse.click(x, y)
    page.wait_for_selector("#board svg")
    assert page.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('.thing') !== null", [x, y])
    page.wait_for_timeout(700)
    assert page.evaluate("window.shown") == 0
    page.mouse.move(x + 2, y)
    expect(page.locator("#about")).to_be_visible()


def press(page: Page, x: float, y: float, milliseconds: int) -> None:
    """With a finger."""
    fingers = page.context.new_cdp_session(page)
    fingers.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    page.wait_for_timeout(milliseconds)
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_nothing_jumps_while_playing(page: Page) -> None:
    def places() -> Any:  # asked at once: the picture is another element after every move
        boxes = "names => names.map(name => JSON.stringify(document.querySelector(name).getBoundingClientRect()))"
        return page.evaluate(boxes, ["#board", "#own svg", "#choose svg", "#moves", "#log", "#advice"])

    start(page, "chocofactory", ["here", "greedy"])
    hurry(page)
    before = places()
    for seed in range(4):
        play(page, seed, 2)
        assert places() == before


def test_a_new_question_scrolls_into_view(page: Page) -> None:
    start(page, "chocofactory", ["here"])
    page.set_viewport_size({"width": 1280, "height": 500})
    top = "document.querySelector('#middle').scrollTop"
    question = page.locator("#choose text:not([data-action] *)")
    for _ in range(12):
        page.evaluate("document.querySelector('#middle').scrollTop = 200")
        before = question.all_inner_texts()
        play(page, most=1)
        if question.all_inner_texts() == before:
            assert page.evaluate(top) > 0
        else:
            assert page.evaluate(top) == 0


def test_a_phone_shows_all_without_scrolling_sideways(browser: Browser, address: str, axe: Axe) -> None:
    with opened(browser, address, viewport=PHONE, has_touch=True, is_mobile=True) as page:
        page.wait_for_selector("#new-game button.main")
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
        start(page, "candyfactory", ["here", "greedy"])
        hurry(page)
        decision = page.get_attribute("#play", "data-decision")
        page.locator("#board [data-action]").first.tap()
        page.wait_for_selector(f"#play:not([data-decision='{decision}'])")
        play(page, most=4)
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
        accessible(axe, page)


def test_light_and_dark_can_be_chosen_and_are_kept(browser: Browser, address: str) -> None:
    with opened(browser, address, color_scheme="light") as page:
        colour = "getComputedStyle(document.body).backgroundColor"
        light = page.evaluate(colour)
        page.click("#theme:text-is('Dark')")
        dark = page.evaluate(colour)
        assert dark != light
        page.reload()
        assert page.evaluate(colour) == dark
        expect(page.locator("#theme")).to_have_text("Light")


def test_a_browser_without_storage_plays_and_forgets(browser: Browser, address: str) -> None:
    with opened(browser, "about:blank", new=True) as page:
        page.add_init_script(NO_STORAGE)
        page.goto(address)
        start(page, "chocofactory", ["here"])
        page.click("#guide button:text('No, thanks')")
        expect(page.locator("#guide")).to_be_hidden()
        assert play(page, most=1) == 1
        page.click("#theme:text-is('Dark')")
        expect(page.locator("#theme")).to_have_text("Light")


# --- what a table can


def test_the_form_offers_what_the_variant_can_be(page: Page) -> None:
    def choose(option: str, value: str) -> None:
        page.select_option(f"#option-{option}", value)
        page.wait_for_selector("#new-game[aria-busy=false]")

    page.wait_for_selector("#new-game button.main")
    page.click("#more > summary")
    page.fill("#seed", "17")
    agent = page.locator("[data-seat='1'] .agent")
    agent.locator("[aria-label=Agent]").select_option("expert")
    agent.locator("summary").click()
    agent.get_by_label("network", exact=True).check()
    choose("expansion", "master_chocolatier")
    choose("expansion", "")
    assert agent.evaluate("(group) => group.value") == "expert:network=true"
    choose("num_players", "1")
    choose("difficulty", "2")
    expect(page.locator("#seed")).to_have_value("17")
    page.select_option("#option-sides", label="a letter for each store, as ABBAA …")
    page.fill("#option-sides", "ABBAB")
    page.press("#option-sides", "Tab")
    expect(page.locator("select#option-sides")).to_have_value("ABBAB")
    page.select_option("#option-num_players", "3")  # a difficulty goes with the solo game alone
    expect(page.locator("#option-difficulty")).to_have_count(0)
    expect(page.locator("[data-seat]")).to_have_count(3)
    page.select_option("#option-expansion", "master_chocolatier")
    expect(page.locator("#option-sides option[value=D]")).to_have_count(1)
    page.select_option("#game", label="Schoko & Co.")
    expect(page.locator("#option-months")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_one_click_plays_now_and_folded_options_are_explained(
    scheme: Any, browser: Browser, address: str, axe: Axe
) -> None:
    with opened(browser, address, color_scheme=scheme) as page:
        expect(page.locator("#game-words")).to_contain_text("six days, with about 130 choices")
        expect(page.locator("[data-seat='1'] [aria-label=Agent]")).to_have_value("planner")
        page.click("#new-game button:text('Play now: you against planner')")
        page.wait_for_selector("#own svg")
        expect(page.locator("#seats strong")).to_have_text(["Guest 1 (you)", "planner"])
        page.click("#to-tables")
        page.click("#new-game button:text('Play now: alone')")
        page.wait_for_selector("#own svg")
        expect(page.locator("#seats li")).to_have_count(1)
        page.click("#to-tables")
        expect(page.locator("#option-sides")).to_be_hidden()
        page.click("#more > summary")
        expect(page.locator("#option-expansion-words")).to_have_text(re.compile("Master Chocolatier adds"))
        accessible(axe, page)
        page.select_option("#game", "candyfactory")
        page.wait_for_selector("#new-game[aria-busy=false] #option-game")
        expect(page.locator("#new-game button.now")).to_have_text(["Play now: you against greedy"])


def test_what_was_done_can_be_taken_back(page: Page) -> None:
    start(page, "chocofactory", ["here"])
    before = page.locator("#board").inner_text()
    page.locator("#board [data-action]").first.click()
    page.wait_for_selector("#moves .undo button")
    assert page.locator("#board").inner_text() != before
    expect(page.locator("#log li")).to_have_count(1)
    expect(page.locator("#board .moved").first).to_be_visible()
    page.keyboard.press("u")
    expect(page.locator("#moves .undo button")).to_have_count(0)
    expect(page.locator("#board .moved")).to_have_count(0)
    assert page.locator("#board").inner_text() == before
    expect(page.locator("#log li")).to_have_count(0)


def test_a_curtain_stands_between_two_persons(page: Page) -> None:
    start(page, "candyfactory", ["here", "here"])
    page.wait_for_selector("#curtain[open]")
    seen: list[str] = []
    while len(seen) < 4 or len(set(seen)) < 2:
        assert len(seen) < 40
        page.wait_for_selector("#curtain[open], #play:not([data-decision=''])")
        if page.locator("#curtain").is_visible():
            assert page.locator("#board svg").count() == 0
            seen.append(page.locator("#curtain-title").inner_text())
            page.keyboard.press("Escape")  # it is not drawn back by this
            expect(page.locator("#curtain")).to_be_visible()
            page.click("#curtain button")
            expect(page.locator("#curtain")).to_be_hidden()
        play(page, most=1)
    assert set(seen) == {"Guest 1 is to move", "Guest 2 is to move"}


def test_a_name_is_typed_once_and_marked_as_ones_own(page: Page) -> None:
    page.wait_for_selector("#new-game button.main")
    page.fill("[aria-label='Name of seat 0']", "Ann")
    start(page, "chocofactory", ["here", "greedy"])
    page.click("#seats > summary")
    expect(page.locator("#seats strong")).to_have_text(["Ann (you)", "greedy"])
    page.click("#to-tables")
    page.wait_for_selector("#new-game button.main")
    page.reload()
    expect(page.locator("[aria-label='Name of seat 0']")).to_have_value("Ann")


ORDERS = {
    "Ann takes the part Bars and Nuts": "Take the part Bars and Nuts",
    "Ann passes": "Pass",
    "Ann finishes Cleanup": "Finish Cleanup",
    "Ann mixes 1 sugar and 1 cacao": "Mix 1 sugar and 1 cacao",
    "Ann copies 1 nut": "Copy 1 nut",
    "Ann employs 2 workers": "Employ 2 workers",
    "Ann chooses tile 3": "Choose tile 3",
    "Ann discusses nothing": "Discuss nothing",
    "Ann does not look": "Do not look",
    "Ann is done with loans and shares": "Be done with loans and shares",
    "Ann pays 15 and looks at the event": "Pay 15 and look at the event",
    "Ann, the chairman, raises the price to 64": "Raise the price to 64",
    "Anna takes a part": "Anna takes a part",
    "play 3": "Play 3",
}


def test_the_list_of_moves_says_what_to_do(page: Page) -> None:
    asked = "async (all) => all.map((one) => window.asOrder(one, 'Ann'))"
    page.evaluate("import('/page/dom.js').then(({ asOrder }) => { window.asOrder = asOrder })")
    assert page.evaluate(asked, list(ORDERS)) == list(ORDERS.values())
    start(page, "chocofactory", ["here"])
    expect(page.locator("#moves li button").first).to_have_text(re.compile("^Take the part "))


def test_an_agent_is_asked_what_it_thinks(page: Page) -> None:
    start(page, "chocofactory", ["here"])
    page.click("#advice > summary")
    page.locator("#advice [aria-label=Agent]").select_option("greedy")
    page.click("text=What would it do?")
    expect(page.locator("#board .number.best")).to_have_text("100 %")
    expect(page.locator("#advice .best")).to_have_count(1)
    alone = page.locator("#advice .style").inner_text()
    page.click("#to-tables")
    start(page, "chocofactory", ["here", "random"])  # with other ratings
    expect(page.locator("#advice .style")).not_to_have_text(alone)
    expect(page.locator("#advice [aria-label=Agent]")).to_have_value("greedy")


def test_agents_are_paused_stepped_and_hurried(page: Page) -> None:
    start(page, "candyfactory", ["random", "random"], game="plantation")
    page.keyboard.press("p")
    expect(page.locator("#pace button").first).to_have_text("Go on")
    expect(page.locator("#moves")).to_have_text(re.compile(r"^random \d is to move\.$"))
    hurry(page)  # an answer that comes after all lines of the log so far
    asked = page.locator("#log li", has_not_text="(forced)")
    lines = asked.count()
    page.keyboard.press("n")
    expect(asked).to_have_count(lines + 1)
    page.click("text=Go on")
    expect(page.locator("#outcome")).to_be_visible()
    page.click("#to-tables")
    game = page.locator("#tables li", has_text="random 1 · over").first
    expect(game.locator("button").first).to_have_text("Look back")


def test_spectators_read_who_is_to_move_and_are_offered_nothing_of_a_player(page: Page) -> None:
    start(page, "schoko", ["manager", "manager", "manager"])
    expect(page.locator("#moves")).to_have_text(re.compile(r"^manager \d is to move\.$"))
    page.click("#seats > summary")
    page.click("#seats button:text('Look with these eyes')")
    expect(page.locator("#turns > .row")).to_be_empty()


def test_a_game_is_deleted_once_that_is_confirmed(browser: Browser, tmp_path: Path, axe: Axe) -> None:
    with server(tmp_path, "--port", "0") as (_, address), opened(browser, address) as page:
        start(page, "chocofactory", ["here"])
        page.click("#to-tables")
        tab = page.context.new_page()
        tab.goto(address)
        tab.wait_for_selector("#tables li")
        for answer in ("Escape", "Enter"):  # the focus is on what does nothing
            page.click("#tables button:text('Delete')")
            expect(page.locator("#sure")).to_contain_text("Chocolate Factory: Guest 1")
            accessible(axe, page)
            page.keyboard.press(answer)
            expect(page.locator("#sure")).to_be_hidden()
            expect(page.locator("#tables li")).to_have_count(1)
        page.click("#tables button:text('Delete')")
        page.click("#sure button:text('Delete')")
        expect(page.locator("#tables li")).to_have_count(0)
        tab.click("#tables button:text('Play on')")
        expect(tab.locator("#refusal")).to_be_visible()
        start(tab, "chocofactory", ["here"])  # which has its own tokens alone: of the seat, and to watch
        assert tab.evaluate("Object.values(JSON.parse(sessionStorage['chocofactory-table']).tokens)[0].length") == 2


def test_a_record_from_a_file_is_replayed_or_gone_on_with(browser: Browser, address: str, tmp_path: Path) -> None:
    game = cf.load("schoko", num_players=2, months=6)
    record = cf.record_game(game, [cf.make_agent("manager", game)] * 2, 5)
    (tmp_path / "game.json").write_text(record.text())
    (tmp_path / "damaged.json").write_text("{}")
    problems = Problems()
    with opened(browser, address, problems) as page:
        page.wait_for_selector("#new-game button.main")
        page.set_input_files("#file", tmp_path / "damaged.json")
        page.click("#refusal")
        assert len(problems) == 1  # the browser's words about the answer
        problems.clear()
        replay_and_go_on(page, tmp_path)
        assert not problems


def replay_and_go_on(page: Page, tmp_path: Path) -> None:
    page.set_input_files("#file", tmp_path / "game.json")
    page.click("text=Watch the replay")
    page.get_by_label("Jump to").select_option(label="month 2")
    expect(page.locator("header h1")).to_contain_text("month 2 of 6")
    page.get_by_label("With the eyes of").select_option("1")
    expect(page.locator("#board")).to_contain_text("you")
    page.click("#replay button:text('Analyse')")
    expect(page.locator("#replay progress")).to_be_visible()
    page.click("#to-tables")
    page.fill("#at", "30")
    expect(page.locator("#refusal")).to_be_hidden()
    page.click("#new-game button.main")
    page.wait_for_selector("#board svg")
    # Move 30 of the record's 368, and the agent's reply. The replay's longer log stands there until the game arrives.
    expect(page.locator("#log li:not(.news)", has_not_text="(forced)")).to_have_count(31)


# --- following, and a first day

FLIGHTS = """
() => {
  window.flights = window.changes = 0;
  const count = (one) => (one.className === "change" ? (window.changes += 1) : (window.flights += 1));
  new MutationObserver((all) => all.forEach(({ addedNodes }) => addedNodes.forEach(count))).observe(document.querySelector("#sky"), { childList: true });
}
"""  # noqa: E501


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
@pytest.mark.parametrize(("game", "seats"), [LAID_OUT[1], LAID_OUT[3], LAID_OUT[5]])
def test_pieces_move_unless_motion_is_reduced(
    game: str, seats: list[str], motion: Any, browser: Browser, address: str
) -> None:
    with opened(browser, address, reduced_motion=motion) as page:
        start(page, game, seats)
        hurry(page)
        page.evaluate(FLIGHTS)
        play(page, most=12)
        assert (page.evaluate("window.flights") > 0) == (motion == "no-preference")
        assert page.evaluate("window.changes") > 0 or motion == "reduce" or game == "candyfactory"  # coins fly
        expect(page.locator("#sky > div")).to_have_count(0)  # all have arrived


@pytest.mark.parametrize("game", ["chocofactory", "candyfactory", "schoko"])
def test_a_new_player_is_offered_hints_step_by_step(game: str, browser: Browser, address: str, axe: Axe) -> None:
    with opened(browser, address, new=True) as page:
        start(page, game, ["here", "random"])
        hurry(page)
        page.click("#guide button:text('Show hints')")
        page.wait_for_selector("#play:not([data-decision=''])")
        first = page.locator("#guide p").first.inner_text()
        accessible(axe, page)
        page.click("#guide summary")
        expect(page.locator("#guide details p").first).to_contain_text(re.compile(r"[A-Z]+-\w+ \w+"))
        page.set_viewport_size({"width": 1280, "height": 800})
        assert page.evaluate(SMALLEST)[0] >= 11 - 1e-3
        while page.locator("#guide .main").is_visible():
            page.click("#guide .main")
        page.reload()  # what was shown is not shown again
        page.wait_for_selector("#play:not([data-decision=''])")
        expect(page.locator("#guide", has_text=first)).to_have_count(0)
        page.keyboard.press("h")
        page.uncheck("#hints-on")
        expect(page.locator("#guide")).to_be_hidden()


def test_what_cannot_be_taken_back_is_asked_once_more_unless_never(browser: Browser, address: str, axe: Axe) -> None:
    def asked(page: Page) -> str:
        """Take first choices until the page asks; the decision."""
        for _ in range(60):
            decision = page.get_attribute("#play", "data-decision") or ""
            page.locator("#moves li button").last.click()
            page.wait_for_selector(f".doubt, #play:not([data-decision='{decision}'])")
            if page.locator(".doubt").count():
                return decision
        raise AssertionError("nothing is final")

    with opened(browser, address, new=True) as page:
        start(page, "chocofactory", ["here"])
        decision = asked(page)
        accessible(axe, page)
        page.locator("#moves li button").last.click()  # the same again
        page.wait_for_selector(f"#play:not([data-decision='{decision}'])")
        asked(page)
        page.click(".doubt button:text('do not ask again')")
        expect(page.locator(".doubt")).to_have_count(0)
        page.keyboard.press("h")
        expect(page.locator("#asks-first")).not_to_be_checked()


def test_a_seat_is_found_again_in_a_new_tab(page: Page, address: str) -> None:
    page.wait_for_selector("#new-game button.main")
    page.fill("[aria-label='Name of seat 0']", "Ann")
    start(page, "candyfactory", ["here", "greedy"])
    hurry(page)
    page.wait_for_selector("#play:not([data-decision=''])")
    tab = page.context.new_page()
    tab.goto(address.partition("#")[0])
    expect(tab.locator("#continue h2")).to_have_text("Continue as Ann?")
    tab.click("#continue button")
    tab.wait_for_selector("#play:not([data-decision=''])")
    assert tab.locator("#own").inner_text() == page.locator("#own").inner_text()
    tab.click("#to-tables")
    expect(tab.locator("#continue h2")).to_have_text("Continue as Ann?")


def test_the_list_tells_tables_apart_and_the_last_one_played_is_offered(browser: Browser, tmp_path: Path) -> None:
    with server(tmp_path, "--port", "0") as (process, address), opened(browser, address, Problems()) as page:
        start(page, "chocofactory", ["here"])
        page.click("#to-tables")
        start(page, "candyfactory", ["here", "greedy"], game="plantation")
        hurry(page)
        expect(page.locator("header h1")).to_contain_text("Chocolate Factory (Manfredini) · Plantation")
        play(page, most=2)
        page.click("#to-tables")
        table = "Chocolate Factory (Manfredini): Guest 1, greedy · plantation half"
        expect(page.locator("#tables li span")).to_have_text([table, "Chocolate Factory: Guest 1 · day 1"])
        expect(page.locator("#tables time").last).to_have_text(re.compile(r"^began \d.*, last move \d"))
        expect(page.locator("#continue p")).to_have_text(table)
        process.kill()
        process.wait()
        with server(tmp_path, "--port", address.split(":")[2].partition("/")[0]):
            expect(page.locator("#connection")).to_be_empty()
            expect(page.locator("#tables li span")).to_have_text([table, "Chocolate Factory: Guest 1 · day 1"])
            page.click("#tables li:last-of-type button")  # to look is not to play
            page.wait_for_selector("#board svg")
            page.click("#to-tables")
            expect(page.locator("#continue p")).to_have_text(table)


def test_a_move_is_taken_back_after_others_have_moved_if_they_agree(
    browser: Browser, address: str, page: Page, axe: Axe
) -> None:
    start(page, "chocofactory", ["here", "link"], start_player="0")
    page.click("#seats > summary")
    link = page.get_attribute("#seats [data-address]:text('of this seat')", "data-address")
    assert link is not None
    with opened(browser, link) as guest:
        back = page.locator("#moves button:text('Take back my last move')")
        for _ in range(60):
            if back.count():
                break
            for one in (page, guest):
                one.evaluate(TAKE_FIRST)
            page.wait_for_timeout(50)
        expect(page.locator("#play:not([data-decision=''])")).to_have_count(1)
        lines = page.locator("#log li").count()
        back.click()
        expect(page.locator("#request")).to_contain_text("Waiting for Guest 2")
        expect(guest.locator("#request")).to_contain_text("Guest 1 asks to take back")
        accessible(axe, guest)
        guest.click("#request button:text('No')")
        expect(page.locator("#request")).to_contain_text("does not agree")
        page.keyboard.press("u")
        guest.click("#request button:text('Agree')")
        expect(page.locator("#request")).to_be_hidden()
        expect(page.locator(f"#log li:nth-child({lines})")).to_have_count(0)


# --- several browsers, reloading, a server that ends


def test_two_browsers_play_one_game_and_a_third_looks_on(browser: Browser, address: str, page: Page) -> None:
    start(page, "schoko", ["here", "link"])
    page.wait_for_selector("#board svg")
    page.click("#seats > summary")
    guest_link, watch_link = (
        page.get_attribute(f"#seats [data-address]:text('{words}')", "data-address")
        for words in ("of this seat", "to watch")
    )
    assert guest_link is not None
    assert watch_link is not None
    with opened(browser, guest_link) as guest, opened(browser, watch_link) as third:
        guest.wait_for_selector("#board svg")
        third.wait_for_selector("#board svg")
        end = time.monotonic() + LONGEST / 1000
        while third.locator("#log li").count() <= 4:
            assert time.monotonic() < end
            for one in (page, guest):
                one.evaluate(TAKE_FIRST)
            page.wait_for_timeout(50)
        assert third.locator("#board [data-action]").count() == 0
        expect(third.locator("#log li.by-1").first).to_be_attached()
        expect(page.locator("#seats")).to_contain_text("1 watching")
        for one, files in ((guest, 1), (third, 0)):
            one.click("#seats > summary")
            expect(one.locator("#seats button:text('Save the')")).to_have_count(files)
        third.keyboard.press("p")
        expect(third.locator("#seats")).to_contain_text("1 watching")
        expect(third.locator("#refusal")).to_be_hidden()
        guest.click("#advice > summary")  # the guest may ask, too
        expect(guest.locator("#advice [aria-label=Agent]")).to_be_visible()


def test_a_page_that_is_loaded_again_finds_its_seat(page: Page) -> None:
    start(page, "schoko", ["here", "manager"])
    hurry(page)
    play(page, most=3)
    before = page.locator("#board").inner_text()
    page.reload()
    page.wait_for_selector("#play:not([data-decision=''])")
    assert page.locator("#board").inner_text() == before
    assert play(page, 2, 2) == 2


def test_a_server_that_is_killed_and_comes_back_is_found_again(browser: Browser, tmp_path: Path) -> None:
    problems = Problems()  # the browser itself complains of the server that is gone
    with server(tmp_path, "--port", "0") as (process, address), opened(browser, address, problems) as page:
        start(page, "chocofactory", ["here"])
        play(page, most=4)
        wait_for_record(tmp_path, 4)
        before = page.locator("#board").inner_text()
        process.kill()
        process.wait()
        expect(page.locator("#connection")).to_contain_text("Connecting again")
        port = address.split(":")[2].partition("/")[0]
        with server(tmp_path, "--port", port):
            expect(page.locator("#connection")).to_be_empty()
            page.wait_for_selector("#play:not([data-decision=''])")
            assert page.locator("#board").inner_text() == before
            assert play(page, 2, 3) == 3
            page.close()
    assert all("ERR_CONNECTION_REFUSED" in one or "WebSocket" in one for one in problems), problems


def wait_for_record(folder: Path, actions: int) -> None:
    """It is written beside the answer."""
    end = time.monotonic() + LONGEST / 1000
    while len(json.loads(next(folder.glob("tables/*.json")).read_text())["record"]["actions"]) < actions:
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_replay_goes_on_after_a_drop(browser: Browser, address: str) -> None:
    problems = Problems()
    with opened(browser, address, problems) as page:
        sockets: list[Any] = []
        thoughts: list[str] = []

        def heard(socket: Any, text: str) -> None:
            """Keep thoughts, and end analyses at once, as if time ran out."""
            if '"type": "thought"' in text:
                thoughts.append(text)
            else:
                socket.send(text.replace('"ended": false', '"ended": true'))

        def routed(socket: Any) -> None:
            sockets.append((socket, there := socket.connect_to_server()))
            there.on_message(partial(heard, socket))

        page.route_web_socket("**/socket", routed)
        page.reload()
        start(page, "candyfactory", ["random", "random"], game="plantation")
        hurry(page)
        page.click("text=Look through the game")
        expect(page.locator("#replay output")).to_contain_text("0 of")
        for _ in range(3):
            page.keyboard.press("]")
        page.wait_for_selector("#play[data-at='3']")  # the last answer: nothing is sent while the sockets close
        expect(page.locator("#replay output")).to_contain_text("3 of")
        page.evaluate("document.querySelector('#replay output').dataset.old = true")
        here, there = sockets[-1]
        here.close()
        there.close()
        expect(page.locator("#connection")).to_contain_text("Connecting again")
        expect(page.locator("#connection")).to_be_empty()
        expect(page.locator("#replay output:not([data-old])")).to_contain_text("3 of")
        page.wait_for_selector("#play[data-at='3']")
        page.keyboard.press("t")
        expect(page.locator("#advice")).to_contain_text("It thinks")
        end = time.monotonic() + LONGEST / 1000
        while not thoughts:
            assert time.monotonic() < end
            page.wait_for_timeout(10)
        page.keyboard.press("]")
        page.wait_for_selector("#play[data-at='4']")
        sockets[-1][0].send(thoughts.pop())  # too late
        page.click("#replay button:text('Analyse')")
        expect(page.locator("#replay")).to_contain_text("Time is up: 0 of")
        expect(page.locator("#replay progress")).to_have_count(0)
        expect(page.locator("#advice .best")).to_have_count(0)
        page.keyboard.press("t")
        expect(page.locator("#advice")).to_contain_text("It thinks")
        page.click("#advice button:text('Stop')")
        expect(page.locator("#advice")).not_to_contain_text("It thinks")
        assert not problems


def test_a_host_key_of_another_server_is_said_to_be_wrong(browser: Browser, address: str) -> None:
    with opened(browser, f"{address.partition('#')[0]}#host=wrong") as page:
        expect(page.locator("#refusal")).to_contain_text("host key")


def test_a_link_that_opens_nothing_says_so(browser: Browser, address: str) -> None:
    with opened(browser, f"{address.partition('#')[0]}#join=no.token") as page:
        expect(page.locator("#refusal")).to_contain_text("opens nothing")
        expect(page.locator("#nothing")).to_be_visible()
