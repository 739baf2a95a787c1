"""People at their browsers: a page each, what they click on it, and what is wrong with it.

The browser is the chromium of this machine. Where there is none, or the packages that drive it are not installed, the
tests that need it are skipped and say so.
"""

from __future__ import annotations

import random
import re
import shutil
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
if not CHROMIUM:
    pytest.skip("there is no chromium here", allow_module_level=True)
playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")

QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
LOOKS = [(1280, 860, "light"), (1280, 860, "dark"), (360, 780, "light"), (360, 780, "dark")]
SHORT = {  # so that games between people who click at random come to an end soon
    "spell_stealers": {"Turn_limit": "18"}, "dice_heist": {"Turn_limit": "24"},
    "mages_dice": {"Target": "4", "Turn_limit": "100"},
}  # fmt: skip
SOCKETS = """window.sockets = []; const Plain = WebSocket;
window.WebSocket = class extends Plain { constructor(...how) { super(...how); window.sockets.push(this); } };"""
MOMENT = """() => ({over: Boolean(document.querySelector(".result")), lost: Boolean(document.querySelector(".notice.lost")),
  moves: [...document.querySelectorAll("[data-move]:not([disabled]), [data-go-on], .slam:not([disabled])")].length})"""
QUICK = """(n) => { const buttons = document.querySelectorAll("[data-move]:not([disabled]), [data-go-on]");
  buttons[n % buttons.length]?.click(); }"""
TURN = "[data-move]:not([disabled])"


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

    # Coming to a table.

    def click(self, name: str) -> None:
        """Clicks the button whose name begins so."""
        self.page.get_by_role("button", name=re.compile(f"^{re.escape(name)}")).click()

    def choose(self, **given: str) -> None:
        """Fills in options of a table that is being made; those that are folded away are unfolded first."""
        for option, value in given.items():
            field = self.page.get_by_label(option.replace("_", " "))
            if not field.is_visible():
                self.page.locator("summary").click()
            field.fill(value)
            field.blur()

    def seat(self, number: int, who: str) -> None:
        """Says who sits at a chair of a table that is being made: me, open or bot."""
        self.page.get_by_label(f"Who sits at seat {number}").select_option(who)

    def make(self, game: str, seats: int = 3, free: tuple[int, ...] = (), live: bool = False, **given: str) -> str:
        """Makes a table with a free chair, or with all of these, and a bot on the rest; the link for the others."""
        page = self.page
        page.goto(f"/new/{game}")
        page.get_by_label(str(seats), exact=True).check()
        page.get_by_label("Your name").fill(self.name)
        for number in free:
            self.seat(number, "open")
        if game == "spell_stealers":
            assert page.get_by_label("live", exact=True).is_checked()  # the usual game of several people
            page.get_by_label("live" if live else "polite", exact=True).check()
        self.choose(**{**SHORT.get(game, {}), **given})
        self.click("Make the table")
        link = page.get_by_label("Invite the others with this link").input_value()
        assert re.search(r"/t/[\w-]{16,}$", link)
        return str(link)

    def sit_down(self, link: str) -> None:
        self.page.goto(link)
        self.page.get_by_label("Your name").fill(self.name)
        self.page.get_by_role("button", name=re.compile("Sit down here")).first.click()
        self.page.wait_for_selector("button:has-text('Get up'), .felt")

    def start(self) -> None:
        self.click("Start the game")
        self.see_the_table()

    def see_the_table(self) -> None:
        self.page.wait_for_selector(".felt:not(:has-text('One moment'))")

    # Playing.

    def moment(self) -> dict[str, Any]:
        found: dict[str, Any] = self.page.evaluate(MOMENT)
        return found

    @property
    def over(self) -> bool:
        return bool(self.moment()["over"])

    def click_some_move(self, luck: random.Random) -> None:
        """Clicks one of the legal moves."""
        buttons = self.page.locator("[data-move]:not([disabled]), [data-go-on], .slam:not([disabled])")
        buttons.nth(luck.randrange(buttons.count())).click(timeout=5_000)

    def move_quickly(self, luck: random.Random) -> None:
        """Lets the page click a legal move, if there is one."""
        self.page.evaluate(QUICK, luck.randrange(1000))

    def wait(self) -> None:
        self.page.wait_for_timeout(15)

    def prove_the_dice(self) -> None:
        self.click("Prove the dice")
        self.page.wait_for_selector("#proof-said:has-text('Proved')")

    def lose_the_connection(self) -> None:
        self.page.evaluate("for (const socket of window.sockets) socket.close()")
        self.forgive("WebSocket")

    def forgive(self, word: str) -> None:
        """From here on errors with this word are expected."""
        self.wrong = Forgiving(word, self.wrong)


class Forgiving(list[str]):
    """Errors without those that have a word in them."""

    def __init__(self, word: str, errors: list[str]) -> None:
        super().__init__(errors)
        self.word = word

    def append(self, error: str) -> None:
        if self.word not in error:
            super().append(error)


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
