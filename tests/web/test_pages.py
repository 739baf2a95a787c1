"""People at their browsers: whole games by clicking, lost lines, fair dice proved, and pages that everybody can use.

The server is a process of its own; the browser is the chromium of this machine. Where there is none, or the packages
that drive it are not installed, these tests are skipped and say so.
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from spellheist.core import record
from spellheist.core.game import find, names

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
if not CHROMIUM:
    pytest.skip("there is no chromium here", allow_module_level=True)
playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")

ROOT = Path(__file__).parent.parent.parent
QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
LOOKS = [(1280, 860, "light"), (1280, 860, "dark"), (360, 780, "light"), (360, 780, "dark")]
SHORT = {  # so that games between people who click at random come to an end soon
    "spell_stealers": {"Turn limit": "18"}, "dice_heist": {"Turn limit": "24"},
    "mages_dice": {"Target": "4", "Turn limit": "100"},
}  # fmt: skip
SOCKETS = """window.sockets = []; const Plain = WebSocket;
window.WebSocket = class extends Plain { constructor(...how) { super(...how); window.sockets.push(this); } };"""
MOMENT = """() => ({over: Boolean(document.querySelector(".result")), lost: Boolean(document.querySelector(".notice.line")),
  moves: [...document.querySelectorAll("[data-move]:not([disabled]), [data-go-on], .slam:not([disabled])")].length})"""
QUICK = """(n) => { const buttons = document.querySelectorAll("[data-move]:not([disabled]), [data-go-on]");
  buttons[n % buttons.length]?.click(); }"""
FIELDS = """Object.fromEntries([...document.querySelectorAll("[data-field]")]
  .map((row) => [row.dataset.field, row.cells[1].innerText]))"""
SLOWLY = 24  # so many moves of a game are clicked as a hand does it, the others by the page itself, which is quicker


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of our own, whose bots answer at once."""
    store = tmp_path_factory.mktemp("tables") / "tables.db"
    command = [
        sys.executable, "-m", "spellheist", "serve", "--port", "0", "--pace", "0", "--rate", "0", "--thinkers", "1",
        "--bots", "plain", "--store", f"sqlite:///{store}",
    ]  # fmt: skip
    surroundings = {**os.environ, "SPELLHEIST_KERNEL": "plain", "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, env=surroundings, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found, "the server did not say where it is"
        yield found[0]
        process.terminate()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield chromium
        chromium.close()


class Person:
    """Somebody at a browser of their own."""

    def __init__(self, browser: Any, server: str, name: str) -> None:
        self.context = browser.new_context(
            base_url=server, viewport={"width": 1280, "height": 860}, reduced_motion="reduce"
        )
        self.context.add_init_script(SOCKETS)
        self.page = self.context.new_page()
        self.page.set_default_timeout(20_000)
        self.wrong: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("console", lambda said: self.wrong.append(said.text) if said.type == "error" else None)
        self.name = name

    def moment(self) -> dict[str, Any]:
        found: dict[str, Any] = self.page.evaluate(MOMENT)
        return found

    def click_some_move(self, luck: random.Random) -> None:
        """Clicks one of the legal moves."""
        buttons = self.page.locator("[data-move]:not([disabled]), [data-go-on], .slam:not([disabled])")
        buttons.nth(luck.randrange(buttons.count())).click(timeout=5_000)

    def lose_the_line(self) -> None:
        self.page.evaluate("for (const socket of window.sockets) socket.close()")


def faults(page: Any, looks: list[tuple[int, int, str]] = LOOKS) -> list[str]:
    """What axe finds wrong with a page, on a phone and a desktop, in light and dark."""
    found = []
    for width, height, theme in looks:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=theme)
        over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if over > 0:
            found.append(f"{theme} {width}: {over} pixels too wide")
        for violation in axe.Axe().run(page).response["violations"]:
            where = [" ".join(map(str, node["target"])) for node in violation["nodes"][:3]]
            why = violation["nodes"][0].get("failureSummary", "")
            found.append(f"{theme} {width}: {violation['id']} at {where}: {why}")
    page.set_viewport_size({"width": 1280, "height": 860})
    page.emulate_media(color_scheme="light")
    return found


@pytest.mark.parametrize(
    "address", ["/", "/new/spell_stealers", "/rules/abraca_what", "/learn/dice_heist", "/settings", "/t/nowhere"]
)
def test_everybody_can_use_the_pages_around_a_game(browser: Any, server: str, address: str) -> None:
    person = Person(browser, server, "Ann")
    person.page.goto(address)
    person.page.wait_for_selector("h1:visible")
    person.page.wait_for_load_state("networkidle")
    if address.startswith("/new"):
        person.page.locator("summary").click()
    assert faults(person.page) == []
    person.context.close()


def make_a_table(ann: Person, game: str, **given: str) -> str:
    """Ann makes a table with a free chair and a bot; the link that she sends."""
    page = ann.page
    page.goto(f"/new/{game}")
    page.get_by_label("3", exact=True).check()
    page.get_by_label("Your name").fill(ann.name)
    for option, value in {**SHORT.get(game, {}), **given}.items():
        if not page.get_by_label(option).is_visible():
            page.locator("summary").click()
        page.get_by_label(option).fill(value)
        page.get_by_label(option).blur()
    page.get_by_role("button", name="Make the table").click()
    link = page.get_by_label("Invite the others with this link").input_value()
    assert re.search(r"/t/[\w-]{16,}$", link)
    return str(link)


@pytest.mark.parametrize("game", names())
def test_two_people_and_a_bot_play_a_whole_game_by_clicking(browser: Any, server: str, game: str) -> None:
    ann, bob = Person(browser, server, "Ann"), Person(browser, server, "Bob")
    link = make_a_table(ann, game)
    if game == names()[0]:
        assert faults(ann.page) == []
    bob.page.goto(link)
    bob.page.get_by_label("Your name").fill("Bob")
    bob.page.get_by_role("button", name=re.compile("Sit down here")).click()
    ann.page.get_by_role("button", name="Start the game").click()
    for person in (ann, bob):
        person.page.wait_for_selector(".felt:not(:has-text('One moment'))")

    luck = random.Random(game)
    played = 0
    checked = False
    while not (ann.moment()["over"] and bob.moment()["over"]):
        assert played < 2000, "the game does not end"
        for person in (ann, bob):
            if not person.moment()["moves"]:
                continue
            played += 1
            if person is ann and played >= 8 and not checked:
                checked = True
                assert faults(ann.page, [LOOKS[0], LOOKS[3]]) == []
            if played < SLOWLY:
                person.click_some_move(luck)
            else:
                person.page.evaluate(QUICK, luck.randrange(1000))
            if played == 3:
                ann.page.reload()
                ann.page.wait_for_selector(".felt")
            if played == 4:
                bob.page.goto(f"{link}?fields")  # from here on Bob's page shows every field of his view
                bob.page.wait_for_selector("[data-field]")
            if played in (6, 7):
                bob.lose_the_line()
        ann.page.wait_for_timeout(15)

    assert played > 8
    ann.page.get_by_role("button", name="Prove the dice").click()
    ann.page.wait_for_selector("#proof-said:has-text('Proved')")
    ann.page.get_by_role("button", name="One ply back").click()
    ann.page.wait_for_selector(".banner.back")
    assert faults(ann.page, LOOKS[1:3]) == []
    ann.page.get_by_role("button", name="Back to now").click()

    address = f"{link.replace('/t/', '/api/tables/')}/record?seat=open"
    text = ann.page.evaluate("(address) => fetch(address).then((answer) => answer.text())", address)
    replayed = record.read(text).replay()
    assert replayed.over
    part = {0: "–", 1: "wins"}
    shares = [part.get(share) or f"{round(share * 100)} % of the win" for share in replayed.score()]
    for person in (ann, bob):
        assert person.page.locator(".shares .share").all_inner_texts() == shares
    assert bob.page.evaluate(FIELDS) == {name: as_shown(value) for name, value in vars_of(replayed, 1).items()}
    assert ann.wrong == []
    assert [line for line in bob.wrong if "WebSocket" not in line] == []
    ann.context.close()
    bob.context.close()


def vars_of(play: Any, seat: int) -> dict[str, Any]:
    view = play.view(seat)
    return {name: getattr(view, name) for name in play.game.rules.State.fields}


def as_shown(value: Any) -> str:
    """A field as the page writes it."""
    if isinstance(value, list):
        return (" | " if isinstance(value[0], list) else " ").join(map(as_shown, value))
    return "?" if value == -3 else str(value)


def test_a_game_against_bots_is_two_clicks_away(browser: Any, server: str) -> None:
    person = Person(browser, server, "Ann")
    person.page.goto("/")
    person.page.get_by_role("button", name="Play against bots: Abraca").click()
    person.page.wait_for_selector(".felt")
    person.page.wait_for_selector("[data-move]")
    assert person.page.title().startswith("● Your turn")
    assert person.page.evaluate("document.getElementById('favicon').href.includes('favicon_turn')")
    assert person.wrong == []
    person.context.close()


def test_the_keyboard_alone_plays_looks_back_and_comes_back(browser: Any, server: str) -> None:
    person = Person(browser, server, "Ann")
    page = person.page
    page.goto("/")
    page.get_by_role("button", name="Play against bots: Dice").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-move]")
    page.keyboard.press("1")
    page.wait_for_selector(".news-list li:nth-child(2)")
    page.wait_for_selector("[data-move]")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(".banner.back")
    assert page.locator("[data-move]").count() == 0
    page.keyboard.press("Escape")
    page.wait_for_selector("[data-move]")
    assert person.wrong == []
    person.context.close()


def test_two_people_at_one_device_pass_it_on_behind_a_curtain(browser: Any, server: str) -> None:
    person = Person(browser, server, "Ann")
    page = person.page
    page.goto("/new/abraca_what")
    page.get_by_label("Who sits at seat 2").select_option("me")
    page.get_by_label("Name at seat 2").fill("Ben")
    page.get_by_label("Name at seat 2").blur()
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_selector(".felt, .curtain")
    luck = random.Random(3)
    seen = set()
    for _ in range(400):
        if page.locator(".curtain").count():
            assert page.locator(".felt").count() == 0
            seen.add(page.locator(".curtain h2").inner_text())
            page.locator(".curtain button").click()
        elif person.moment()["moves"]:
            person.click_some_move(luck)
        if len(seen) == 2 or person.moment()["over"]:
            break
        page.wait_for_timeout(15)
    assert seen == {"Pass the device to Ben", "Pass the device to Guest"}
    assert person.wrong == []
    person.context.close()


def test_every_word_of_a_games_page_keeps_its_rule_ids_as_anchors(browser: Any, server: str) -> None:
    person = Person(browser, server, "Ann")
    for name in names():
        person.page.goto(f"/rules/{name}")
        person.page.wait_for_selector(".rules-page")
        anchors = set(person.page.evaluate("[...document.querySelectorAll('tr[id]')].map((row) => row.id)"))
        assert set(find(name).rule) <= anchors
    person.context.close()


def test_people_chat_pause_ask_for_a_hint_and_play_again(browser: Any, server: str) -> None:
    ann, bob = Person(browser, server, "Ann"), Person(browser, server, "Bob")
    link = make_a_table(ann, "mages_dice", Target="2")
    bob.page.goto(link)
    bob.page.get_by_label("Your name").fill("Bob")
    bob.page.get_by_role("button", name=re.compile("Sit down here")).click()
    ann.page.get_by_role("button", name="Start the game").click()
    bob.page.get_by_label("Say something").fill("<b>Good luck</b>")
    bob.page.get_by_role("button", name="Send").click()
    ann.page.wait_for_selector(".chat-list :text('<b>Good luck</b>')")
    ann.page.get_by_role("button", name="Mute the chat").click()
    assert ann.page.locator(".chat-list").count() == 0

    ann.page.locator("summary", has_text="Table menu").click()
    ann.page.get_by_role("button", name="Pause").click()
    bob.page.wait_for_selector(".banner :text('The table is paused')")
    assert bob.page.locator("[data-move]").count() == 0
    ann.page.get_by_role("button", name="Go on").click()
    ann.page.wait_for_selector("[data-move], .banner :text('’s turn')")

    luck = random.Random(5)
    asked = False
    while not ann.moment()["over"]:
        for person in (ann, bob):
            if person is ann and not asked and person.page.locator("[data-move]:not([disabled])").count() > 1:
                asked = True
                person.page.get_by_role("button", name="Hint").click()
                person.page.wait_for_selector(".chance:has-text('% to win')")
            person.page.evaluate(QUICK, luck.randrange(1000))
        ann.page.wait_for_timeout(15)
    assert asked
    ann.page.get_by_role("button", name="Play again").click()
    ann.page.wait_for_selector(".gather")
    bob.page.get_by_role("link", name="To the new table").click()
    bob.page.wait_for_selector(".gather")
    ann.page.get_by_role("button", name="Start the game").click()
    bob.page.wait_for_selector(".felt")
    assert ann.page.url == bob.page.url != link
    assert ann.wrong == bob.wrong == []
    ann.context.close()
    bob.context.close()


def test_a_page_does_not_believe_dice_that_were_changed_afterwards(browser: Any, server: str) -> None:
    person = Person(browser, server, "Ann")
    page = person.page
    page.goto("/new/mages_dice")
    page.get_by_label("Who sits at seat 2").select_option("bot")
    page.locator("summary").click()
    page.get_by_label("Target").fill("1")
    page.get_by_label("Turn limit").fill("40")
    page.get_by_label("Turn limit").blur()
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_selector(".felt")
    luck = random.Random(6)
    while not person.moment()["over"]:
        page.evaluate(QUICK, luck.randrange(1000))
        page.wait_for_timeout(15)

    def other_words(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=re.sub(r"^words: .*$", "words: others", answer.text(), flags=re.M))

    page.route("**/record*", other_words)
    page.get_by_role("button", name="Prove the dice").click()
    page.wait_for_selector("#proof-said:has-text('your own browser')")
    person.context.close()


def test_in_a_live_window_people_slam_and_see_how_it_was_judged(browser: Any, server: str) -> None:
    ann, bob = Person(browser, server, "Ann"), Person(browser, server, "Bob")
    page = ann.page
    page.goto("/new/spell_stealers")
    page.get_by_label("2", exact=True).check()
    page.get_by_label("live", exact=True).check()
    page.locator("summary").click()
    page.get_by_label("Turn limit").fill("4")
    page.get_by_label("Turn limit").blur()
    page.get_by_role("button", name="Make the table").click()
    bob.page.goto(page.get_by_label("Invite the others with this link").input_value())
    bob.page.get_by_role("button", name=re.compile("Sit down here")).click()
    page.get_by_role("button", name="Start the game").click()
    luck = random.Random(9)
    rulings = 0
    for _ in range(600):
        if ann.moment()["over"]:
            break
        for person in (ann, bob):
            with contextlib.suppress(playwright.TimeoutError):  # somebody else was quicker, and the buttons are gone
                if person.page.locator(".slam").count():
                    person.page.locator(".slam:not([disabled])").first.click(timeout=400)
                else:  # outside the window a throw is punished, so only whoever is on turn acts
                    own = person.page.locator("[data-move]:not([disabled])", has_not_text="steal")
                    if own.count():
                        own.nth(luck.randrange(own.count())).click(timeout=400)
            rulings += person.page.locator(".ruling td", has_text=" ms").count() > 0
        page.wait_for_timeout(15)
    assert ann.moment()["over"]
    assert rulings > 0
    page.get_by_role("button", name="Prove the dice").click()
    page.wait_for_selector("#proof-said:has-text('Proved')")
    assert ann.wrong == bob.wrong == []
    ann.context.close()
    bob.context.close()


def test_a_greyed_move_tells_the_rule_behind_it(browser: Any, server: str) -> None:
    person = Person(browser, server, "Ann")
    page = person.page
    page.goto("/")
    page.get_by_role("button", name="Play against bots: Dice").click()
    luck = random.Random(2)
    grey = page.locator(".felt button.dim")
    for _ in range(60):
        page.wait_for_selector("[data-move]:not([disabled])")
        if grey.count():
            break
        person.click_some_move(luck)
    grey.first.click()
    told = page.locator(".moves .notice")
    told.wait_for()
    rule = told.locator("a").inner_text()
    assert rule in find("dice_heist").rule
    assert told.locator("a").get_attribute("href") == f"/rules/dice_heist#{rule}"
    assert person.wrong == []
    person.context.close()


def test_a_guide_leads_through_a_first_game(browser: Any, server: str) -> None:
    person = Person(browser, server, "Ann")
    page = person.page
    page.goto("/learn/abraca_what")
    page.get_by_role("button", name="Begin the first game").click()
    guide = page.locator(".guide")
    guide.wait_for()
    first = guide.inner_text()
    assert "Step 1" in first
    assert faults(page, [LOOKS[0], LOOKS[3]]) == []
    guide.get_by_role("button", name="Got it").click()
    luck = random.Random(4)
    for _ in range(200):
        if guide.count() and guide.inner_text() != first:
            break
        page.evaluate(QUICK, luck.randrange(1000))
        page.wait_for_timeout(15)
    assert "Step 2" in guide.inner_text()
    guide.get_by_role("button", name="Stop explaining").click()
    assert guide.count() == 0
    person.context.close()
