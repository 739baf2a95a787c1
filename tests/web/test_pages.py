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
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from people import Server

from spellheist.core import record
from spellheist.core.game import find, names
from spellheist.server.race.arbiter import Times

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
    "spell_stealers": {"Turn_limit": "18"}, "dice_heist": {"Turn_limit": "24"},
    "mages_dice": {"Target": "4", "Turn_limit": "100"},
}  # fmt: skip
SOCKETS = """window.sockets = []; const Plain = WebSocket;
window.WebSocket = class extends Plain { constructor(...how) { super(...how); window.sockets.push(this); } };"""
MOMENT = """() => ({over: Boolean(document.querySelector(".result")), lost: Boolean(document.querySelector(".notice.line")),
  moves: [...document.querySelectorAll("[data-move]:not([disabled]), [data-go-on], .slam:not([disabled])")].length})"""
QUICK = """(n) => { const buttons = document.querySelectorAll("[data-move]:not([disabled]), [data-go-on]");
  buttons[n % buttons.length]?.click(); }"""
FIELDS = """Object.fromEntries([...document.querySelectorAll("[data-field]")]
  .map((row) => [row.dataset.field, row.cells[1].innerText]))"""
TURN = "[data-move]:not([disabled])"
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
        if live:
            page.get_by_label("live", exact=True).check()
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

    def lose_the_line(self) -> None:
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


@pytest.fixture
def person(browser: Any, server: str) -> Iterator[Callable[..., Person]]:
    """Makes people; afterwards nothing may have gone wrong in their pages."""
    made: list[Person] = []

    def new(name: str = "Ann", at: str = server) -> Person:
        made.append(Person(browser, at, name))
        return made[-1]

    yield new
    for one in made:
        one.context.close()
    assert [one.wrong for one in made] == [[] for _ in made]


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


@pytest.mark.parametrize("address", ["/", "/new/spell_stealers", "/rules/abraca_what", "/learn/dice_heist", "/settings"])
def test_everybody_can_use_the_pages_around_a_game(person: Any, address: str) -> None:
    page = person().page
    page.goto(address)
    page.wait_for_selector("h1:visible")
    page.wait_for_load_state("networkidle")
    if address.startswith("/new"):
        page.locator("summary").click()
    assert faults(page) == []


def test_whoever_cannot_be_let_in_is_told_why_in_one_sentence(person: Any) -> None:
    page = person().page
    page.goto("/t/nowhere")
    page.wait_for_selector("h1:has-text('This table cannot be opened')")
    assert page.locator(".card p").first.inner_text() == "There is no such table."
    assert page.title() == "This table cannot be opened · Spellheist"
    assert faults(page) == []


@pytest.mark.parametrize("address", ["/new/foo", "/rules/foo", "/learn/foo"])
def test_whoever_comes_to_an_address_that_leads_nowhere_finds_the_way_home(person: Any, address: str) -> None:
    page = (ann := person()).page
    page.goto(address)
    page.wait_for_selector("h1:has-text('There is nothing here')")
    assert page.title() == "There is nothing here · Spellheist"
    page.get_by_role("link", name="All games", exact=True).click()
    page.wait_for_selector("h1:has-text('Spells, thieves')")
    ann.wrong = [said for said in ann.wrong if "404" not in said]


def test_a_table_that_gathers_says_what_it_waits_for_and_whom_its_link_reaches(person: Any) -> None:
    ann, bob = person("Ann"), person("Bob")
    link = ann.make("mages_dice")
    assert ann.page.locator(".link-field", has_text="Invite the others").locator("small").inner_text() == (
        "This link works only on this computer. “make play HOST=0.0.0.0” prints one for others on the same network."
    )
    bob.page.goto(link)
    bob.page.wait_for_selector(":text('The host starts the game when every chair is taken.')")
    bob.sit_down(link)
    bob.page.wait_for_selector(":text('Every chair is taken. The host can start the game.')")


@pytest.mark.parametrize("game", names())
def test_two_people_and_a_bot_play_a_whole_game_by_clicking(person: Any, game: str) -> None:
    ann, bob = person("Ann"), person("Bob")
    link = ann.make(game)
    if game == names()[0]:
        assert faults(ann.page) == []
    bob.sit_down(link)
    ann.start()
    bob.see_the_table()
    play_with_mishaps(ann, bob, link, random.Random(game))
    look_back(ann)
    replayed = record_of(ann, link).replay()
    assert replayed.over
    part = {0: "–", 1: "wins"}
    shares = [part.get(share) or f"{round(share * 100)} % of the win" for share in replayed.score()]
    for one in (ann, bob):
        assert one.page.locator(".shares .share").all_inner_texts() == shares
        assert one.page.locator(".shares .standing").all_inner_texts() == find(game).standings(replayed.state)
    assert bob.page.evaluate(FIELDS) == {name: as_shown(value) for name, value in vars_of(replayed, 1).items()}


def play_with_mishaps(ann: Person, bob: Person, link: str, luck: random.Random) -> None:
    """A whole game, in which Ann's page is loaded anew, Bob's shows every field of his view, and his line is cut."""
    mishaps: dict[int, Callable[[], None]] = {
        3: lambda: reload(ann), 4: lambda: show_fields(bob, link), 6: bob.lose_the_line, 7: bob.lose_the_line,
    }  # fmt: skip
    played = 0
    checked = False
    while not (ann.over and bob.over):
        assert played < 2000, "the game does not end"
        for one in (ann, bob):
            if not one.moment()["moves"]:
                continue
            played += 1
            if one is ann and played >= 8 and not checked:
                checked = True
                assert faults(ann.page, [LOOKS[0], LOOKS[3]]) == []
            if played < SLOWLY:
                one.click_some_move(luck)
            else:
                one.move_quickly(luck)
            mishaps.get(played, lambda: None)()
        ann.wait()
    assert played > 8


def reload(one: Person) -> None:
    one.page.reload()
    one.page.wait_for_selector(".felt")


def show_fields(one: Person, link: str) -> None:
    one.page.goto(f"{link}?fields")
    one.page.wait_for_selector("[data-field]")


def look_back(one: Person) -> None:
    """At the end: the dice are proved, and the game is looked back at."""
    one.prove_the_dice()
    one.click("One ply back")
    one.page.wait_for_selector(".banner.back")
    assert faults(one.page, LOOKS[1:3]) == []
    one.click("Back to now")


def record_of(one: Person, link: str) -> record.Record:
    address = f"{link.replace('/t/', '/api/tables/')}/record?seat=open"
    return record.read(one.page.evaluate("(address) => fetch(address).then((answer) => answer.text())", address))


def vars_of(play: Any, seat: int) -> dict[str, Any]:
    view = play.view(seat)
    return {name: getattr(view, name) for name in play.game.rules.State.fields}


def as_shown(value: Any) -> str:
    """A field as the page writes it."""
    if isinstance(value, list):
        return (" | " if isinstance(value[0], list) else " ").join(map(as_shown, value))
    return "?" if value == -3 else str(value)


def test_a_game_against_bots_is_two_clicks_away(person: Any) -> None:
    page = (ann := person()).page
    page.goto("/")
    ann.click("Play against bots: Abraca")
    page.wait_for_selector(".felt")
    page.wait_for_selector("[data-move]")
    assert page.title().startswith("● Your turn")
    assert page.evaluate("document.getElementById('favicon').href.includes('favicon_turn')")


def test_the_keyboard_alone_plays_looks_back_and_comes_back(person: Any) -> None:
    page = person().page
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


def test_two_people_at_one_device_pass_it_on_behind_a_curtain(person: Any) -> None:
    page = (ann := person()).page
    page.goto("/new/abraca_what")
    ann.seat(2, "me")
    page.get_by_label("Name at seat 2").fill("Ben")
    page.get_by_label("Name at seat 2").blur()
    ann.click("Start the game")
    page.wait_for_selector(".felt, .curtain")
    luck = random.Random(3)
    seen = set()
    for _ in range(400):
        if page.locator(".curtain").count():
            assert page.locator(".felt").count() == 0
            seen.add(page.locator(".curtain h2").inner_text())
            page.locator(".curtain button").click()
        elif ann.moment()["moves"]:
            ann.click_some_move(luck)
        if len(seen) == 2 or ann.over:
            break
        ann.wait()
    assert seen == {"Pass the device to Ben", "Pass the device to Guest"}


def test_every_word_of_a_games_page_keeps_its_rule_ids_as_anchors(person: Any) -> None:
    page = person().page
    for name in names():
        page.goto(f"/rules/{name}")
        page.wait_for_selector(".rules-page")
        anchors = set(page.evaluate("[...document.querySelectorAll('tr[id]')].map((row) => row.id)"))
        assert set(find(name).rule) <= anchors


def test_people_chat_pause_ask_for_a_hint_and_play_again(person: Any) -> None:
    ann, bob = person("Ann"), person("Bob")
    link = ann.make("mages_dice", Target="2")
    bob.sit_down(link)
    ann.start()
    chat(ann, bob)
    pause(ann, bob)
    play_with_a_hint(ann, bob, random.Random(5))
    ann.click("Play again")
    ann.page.wait_for_selector(".gather")
    bob.page.get_by_role("link", name="To the new table").click()
    bob.page.wait_for_selector(".gather")
    ann.start()
    bob.see_the_table()
    assert ann.page.url == bob.page.url != link


def chat(ann: Person, bob: Person) -> None:
    """Bob says something; Ann reads it as it was written, and mutes him."""
    bob.page.get_by_label("Say something").fill("<b>Good luck</b>")
    bob.click("Send")
    ann.page.wait_for_selector(".chat-list :text('<b>Good luck</b>')")
    ann.click("Mute the chat")
    assert ann.page.locator(".chat-list").count() == 0


def pause(ann: Person, bob: Person) -> None:
    ann.page.locator("summary", has_text="Table menu").click()
    ann.click("Ask the others to pause")
    bob.click("Agree")
    bob.page.wait_for_selector(".banner :text('The table is paused')")
    assert bob.page.locator("[data-move]").count() == 0
    ann.click("Resume")
    ann.page.wait_for_selector("[data-move], .banner :text('’s turn')")


def play_with_a_hint(ann: Person, bob: Person, luck: random.Random) -> None:
    asked = False
    while not ann.over:
        if not asked and ann.page.locator(TURN).count() > 1:
            asked = True
            ann.click("Hint")
            ann.page.wait_for_selector(".chance:has-text('% to win')")
        for one in (ann, bob):
            one.move_quickly(luck)
        ann.wait()
    assert asked


def test_a_move_is_taken_back_when_the_other_agrees_and_stands_when_not(person: Any) -> None:
    ann, bob = person("Ann"), person("Bob")
    bob.sit_down(ann.make("dice_heist", seats=2, Turn_limit="400"))
    ann.start()
    bob.see_the_table()
    mover, other = name_a_target(ann, bob)
    planned = mover.page.locator(".news-list li", has_text="plan a heist").first.inner_text()
    assert latest(mover) == planned
    greyed = "[aria-disabled]:text('Take back')"
    assert (mover.page.locator(greyed).count(), other.page.locator(greyed).count()) == (0, 1)
    mover.click("Take back")
    other.page.wait_for_selector(f".notice:has-text('{mover.name} would like to take the last move back.')")
    mover.page.wait_for_selector(f".notice:has-text('Waiting for: {other.name}')")
    assert mover.page.locator(greyed).count() == 1
    other.click("No")
    mover.page.wait_for_selector(".notice:has-text('Waiting for')", state="detached")
    assert latest(mover) == planned
    mover.click("Take back")
    other.click("Agree")
    mover.page.wait_for_selector(f"{TURN}:has-text('heist')")
    assert latest(mover) != planned
    assert "plans a heist" not in latest(other)


def test_take_back_is_grey_and_tells_why_when_there_is_nothing_to_take_back(person: Any) -> None:
    page = (ann := person()).page
    page.goto("/")
    ann.click("Play against bots: Dice")
    page.wait_for_selector(TURN)
    undo = page.get_by_role("button", name="Take back")
    assert undo.get_attribute("aria-disabled") == "true"
    assert undo.get_attribute("title") == "You have no move to take back."
    page.locator(TURN, has_text="recruit").click()
    page.wait_for_selector(".news-list :text('You recruit')")
    page.wait_for_selector(TURN)
    reason = "Something else has happened since your last move, so it stands."
    assert undo.get_attribute("title") == reason
    undo.click(force=True)
    page.wait_for_selector(f".moves .notice:has-text('{reason}')")


def name_a_target(*people: Person) -> tuple[Person, Person]:
    """Plays Dice Heist until somebody has named a museum and is asked how many sidekicks help, before any die rolls; who
    did, and who did not."""
    for n in range(400):
        for one in people:
            if one.page.locator(TURN, has_text="roll alone").count():
                return one, next(other for other in people if other is not one)
            wanted = one.page.locator(TURN, has_text="recruit" if n < 20 else "heist")
            if wanted.count():
                wanted.first.click()
        people[0].wait()
    raise AssertionError("nobody can go on a heist")


def latest(one: Person) -> str:
    return str(one.page.locator(".news-list li").first.inner_text())


def test_whoever_wins_because_the_other_gave_up_is_told_so(person: Any) -> None:
    ann, bob = person("Ann"), person("Bob")
    bob.sit_down(ann.make("mages_dice", seats=2))
    ann.start()
    bob.see_the_table()
    bob.page.locator("summary", has_text="Table menu").click()
    bob.click("Give up")
    bob.click("Yes")
    ann.page.wait_for_selector(".result h2:has-text('You win!')")
    assert ann.page.locator(".banner-text").inner_text().split("\n")[-1] == "Bob resigned."
    assert ann.page.locator(".shares tr").all_inner_texts() == ["Ann\tno points\twins", "Bob\tno points\t–"]
    assert faults(ann.page, [LOOKS[0], LOOKS[3]]) == []


def test_a_page_does_not_believe_dice_that_were_changed_afterwards(person: Any) -> None:
    page = (ann := person()).page
    page.goto("/new/mages_dice")
    ann.seat(2, "bot")
    ann.choose(Target="1", Turn_limit="40")
    ann.start()
    luck = random.Random(6)
    while not ann.over:
        ann.move_quickly(luck)
        ann.wait()

    def other_words(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=re.sub(r"^words: .*$", "words: others", answer.text(), flags=re.M))

    page.route("**/record*", other_words)
    ann.click("Prove the dice")
    page.wait_for_selector("#proof-said:has-text('your own browser')")


def test_in_a_live_window_people_slam_and_see_how_it_was_judged(person: Any) -> None:
    ann, bob = person("Ann"), person("Bob")
    bob.sit_down(ann.make("spell_stealers", seats=2, live=True, Turn_limit="4"))
    ann.start()
    luck = random.Random(9)
    rulings = 0
    for _ in range(600):
        if ann.over:
            break
        for one in (ann, bob):
            with contextlib.suppress(playwright.TimeoutError):  # somebody else was quicker, and the buttons are gone
                press_or_move(one, luck)
            rulings += one.page.locator(".ruling td", has_text=" ms").count() > 0
        ann.wait()
    assert ann.over
    assert rulings > 0
    ann.prove_the_dice()


def press_or_move(one: Person, luck: random.Random) -> None:
    """In a window a press; outside it a throw is punished, so that only whoever is on turn acts."""
    if one.page.locator(".slam").count():
        one.page.locator(".slam:not([disabled])").first.click(timeout=400)
        return
    own = own_moves(one)
    if found := own.count():  # asked once: they may be gone a moment later
        own.nth(luck.randrange(found)).click(timeout=400)


def own_moves(one: Person) -> Any:
    return one.page.locator(TURN, has_not_text="steal")


@pytest.fixture
def calm(tmp_path: Path) -> Iterator[str]:
    """The address of a server at which all presses of a window are a dead heat."""
    times = Times(dead_heat=600_000, slack=8_000, hold=60_000, human=0, shut=60_000, vote=60_000)
    running = Server(f"sqlite:///{tmp_path}/tables.db", times=times).start()
    yield running.base
    running.stop()


def test_in_a_dead_heat_the_third_says_who_was_first(calm: str, person: Any) -> None:
    ann, bob, cy = people = [person(name, calm) for name in ("Ann", "Bob", "Cy")]
    link = ann.make("spell_stealers", free=(2, 3), live=True, Success_faces="7,0,1")
    bob.sit_down(link)
    cy.sit_down(link)
    ann.start()
    roller = roll_something(people)
    first, second = (one for one in people if one is not roller)
    for one in (first, second):
        one.page.locator(".slam", has_text="pyramid").click()
    for one in (first, second):
        one.page.wait_for_selector(".vote:has-text('The others are deciding')")
    assert faults(roller.page, [LOOKS[0], LOOKS[3]]) == []
    roller.page.locator(".vote").get_by_role("button", name=second.name).click()
    for one in people:
        one.page.wait_for_selector(".ruling tbody tr")
    assert roller.page.locator(".ruling tbody th").all_inner_texts() == [second.name, first.name]
    assert roller.page.locator(".vote").count() == 0


def roll_something(people: list[Person]) -> Person:
    """Whoever is on turn rolls the pyramid until something can be stolen; who that is."""
    for _ in range(400):
        for one in people:
            if one.page.locator(".slam", has_text="close").count():
                return one
            for words in ("roll pyramid", "pass"):
                with contextlib.suppress(playwright.TimeoutError):
                    button = one.page.locator("[data-move]:not([disabled]), .slam", has_text=words)
                    if button.count():
                        button.first.click(timeout=1_000)
        people[0].wait()
    raise AssertionError("nothing is rolled that could be stolen")


def test_a_greyed_move_tells_the_rule_behind_it(person: Any) -> None:
    page = (ann := person()).page
    page.goto("/")
    ann.click("Play against bots: Dice")
    luck = random.Random(2)
    grey = page.locator(".felt button.dim")
    for _ in range(60):
        page.wait_for_selector(TURN)
        if grey.count():
            break
        ann.click_some_move(luck)
    grey.first.click()
    told = page.locator(".moves .notice")
    told.wait_for()
    rule = told.locator("a").inner_text()
    assert rule in find("dice_heist").rule
    assert told.locator("a").get_attribute("href") == f"/rules/dice_heist#{rule}"


def test_a_guide_leads_through_a_first_game(person: Any) -> None:
    page = (ann := person()).page
    page.goto("/learn/abraca_what")
    ann.click("Begin the first game")
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
        ann.move_quickly(luck)
        ann.wait()
    assert "Step 2" in guide.inner_text()
    guide.get_by_role("button", name="Stop explaining").click()
    assert guide.count() == 0


def test_whoever_is_removed_is_told_and_whoever_gets_up_is_not(person: Any) -> None:
    ann, bob = person("Ann"), person("Bob")
    told = bob.page.locator(".notice", has_text="You were removed from the table.")
    link = ann.make("mages_dice")
    bob.sit_down(link)
    bob.click("Get up")
    ann.page.wait_for_selector(".chair-now.open")
    bob.page.wait_for_selector(".chair-now.open")
    assert told.count() == 0
    bob.sit_down(link)
    ann.click("Remove Bob")
    told.wait_for()
    bob.sit_down(link)
    assert told.count() == 0
    ann.start()
    bob.see_the_table()
    ann.page.locator("summary", has_text="Table menu").click()
    ann.click("Ask the others to remove Bob")
    ann.click("Yes")
    bob.page.wait_for_selector(".proposal h2:text('Ann asks to remove you from the game.')")
    bob.click("Agree")
    told.wait_for()


def test_whoever_gets_up_on_one_device_is_told_so_on_the_other(person: Any) -> None:
    ann, bob, phone = person("Ann"), person("Bob"), person("Bob on the phone")
    link = ann.make("mages_dice")
    bob.sit_down(link)
    phone.page.goto(link_for_another_device(bob))
    phone.click("Yes, as Bob")
    phone.page.wait_for_selector("button:has-text('Get up')")
    assert phone.page.url == link, "the link leads back to where it was made"
    bob.click("Get up")
    told = "You got up from this table in another window or on another device."
    phone.page.wait_for_selector(f".notice:has-text('{told}')")
    bob.page.wait_for_selector(".chair-now.open")
    assert bob.page.locator(".notice").count() == 0
    phone.sit_down(link)
    assert phone.page.locator(".notice").count() == 0


def link_for_another_device(one: Person) -> str:
    one.click("Link for another device")
    return str(one.page.get_by_label("Your link for one other device").input_value())


def test_a_link_for_another_device_asks_first_and_warns_whoever_is_somebody_already(person: Any) -> None:
    ann, bob = person("Ann"), person("Bob")
    ann.make("mages_dice")
    table = bob.make("mages_dice")
    bob.page.goto(link_for_another_device(ann))
    bob.page.wait_for_selector("h1:text('Use this browser as Ann?')")
    told = "This browser is Bob at one table, and would no longer be."
    bob.page.wait_for_selector(f".notice.warn:has-text('{told}')")
    assert faults(bob.page, [LOOKS[0], LOOKS[3]]) == []
    bob.click("No, leave it as it is")
    bob.page.wait_for_selector("h1:has-text('Spells, thieves')")
    bob.page.goto(table)
    bob.page.wait_for_selector("button:has-text('Get up')")


def test_a_link_that_is_none_says_so_and_leads_nowhere_else(person: Any) -> None:
    page = (ann := person()).page
    for address in ("/me", f"/me#{'x' * 43}", f"/me/{'x' * 43}?to=https://evil.example", f"/me#{'x' * 43}//evil.example"):
        page.goto("/")
        page.goto(address)
        page.wait_for_selector("h1:text('Link for another device')")
        page.wait_for_selector("[role=alert]")
        page.get_by_role("link", name="All games", exact=True).click()
        page.wait_for_selector("h1:has-text('Spells, thieves')")
    ann.wrong = [said for said in ann.wrong if "400" not in said]


def test_a_device_is_signed_out_from_another_and_told_so_at_the_table(person: Any) -> None:
    ann, phone = person("Ann"), person("Ann on the phone")
    ann.make("mages_dice")
    phone.page.goto(link_for_another_device(ann))
    phone.click("Yes, as Ann")
    phone.page.wait_for_selector("button:has-text('Get up')")
    ann.page.goto("/settings")
    ann.page.wait_for_selector("li:has-text('this browser')")
    ann.click("Link for another device")
    ann.page.wait_for_selector("#link-personal")
    assert faults(ann.page, [LOOKS[0], LOOKS[3]]) == []
    ann.click("Sign out")
    ann.click("Yes")
    phone.page.wait_for_selector("h1:text('Signed out')")
    assert "This browser was signed out" in phone.page.locator("[role=alert]").inner_text()
    ann.page.wait_for_selector("button:has-text('Sign out')", state="detached")
    ann.click("Revoke")
    ann.click("Yes")
    ann.page.wait_for_selector("#links", state="detached")
    phone.page.get_by_role("link", name="All games", exact=True).click()
    phone.page.wait_for_selector("h1:has-text('Spells, thieves')")
    assert phone.page.locator("#mine").count() == 0


def test_what_somebody_proposes_is_asked_of_the_others_who_agree_or_refuse(person: Any) -> None:
    ann, bob = person("Ann"), person("Bob")
    bob.sit_down(ann.make("mages_dice", Target="9"))
    ann.start()
    bob.see_the_table()
    bob.page.locator("summary", has_text="Table menu").click()
    bob.click("Ask the others to pause")  # not only the host may ask
    ann.page.wait_for_selector(".proposal h2:text('Bob asks to pause the game.')")
    ann.page.wait_for_selector("#announcer:has-text('Bob asks to pause the game.')", state="attached")
    bob.page.wait_for_selector(".proposal:has-text('You have asked to pause the game.')")
    bob.page.wait_for_selector(".proposal:has-text('Waiting for Ann')")
    assert bob.page.locator(".proposal button").count() == 0
    assert faults(ann.page, [LOOKS[0], LOOKS[3]]) == []
    ann.click("Agree")
    for one in (ann, bob):
        one.page.wait_for_selector(".banner :text('The table is paused')")
        assert one.page.locator(".proposal").count() == 0
    bob.click("Resume")
    ann.page.wait_for_selector(".banner :text('The table is paused')", state="detached")
    bob.click("Ask the others to close the table")
    bob.click("Yes")
    ann.page.wait_for_selector(".proposal h2:text('Bob asks to close the table for everybody.')")
    ann.click("Refuse")
    for one in (ann, bob):
        one.page.wait_for_selector(".proposal", state="detached")
        one.page.wait_for_selector(".notice.word:has-text('Ann does not agree.')")
    assert ann.page.locator(".banner :text('turn')").count() == 1


def test_whoever_is_alone_with_bots_decides_alone(person: Any) -> None:
    page = (ann := person()).page
    page.goto("/")
    ann.click("Play against bots: Dice")
    page.wait_for_selector(TURN)
    page.locator("summary", has_text="Table menu").click()
    ann.click("Pause")
    page.wait_for_selector(".banner :text('The table is paused')")
    ann.click("Close the table")
    ann.click("Yes")
    page.wait_for_selector(".banner :text('closed the table.')")


def test_whoever_gives_up_for_good_is_told_so_and_watches(person: Any) -> None:
    ann, bob = person("Ann"), person("Bob")
    bob.sit_down(ann.make("mages_dice"))
    ann.start()
    bob.see_the_table()
    bob.page.locator("summary", has_text="Table menu").click()
    bob.click("Give up")
    bob.click("Yes")
    bob.page.wait_for_selector(".notice:text('You have given up this seat.')")
    bob.page.wait_for_selector(":text('You are watching.')")
    assert bob.page.locator("button:has-text('Take my seat back')").count() == 0
    bob.page.reload()
    bob.page.wait_for_selector(":text('You are watching.')")


def test_a_time_out_is_told_also_to_whoever_has_muted_the_chat(person: Any) -> None:
    ann, bob = person("Ann"), person("Bob")
    ann.page.goto("/new/mages_dice")
    ann.page.get_by_label("Your name").fill("Ann")
    ann.page.get_by_label("per move").check()
    ann.page.get_by_label("Seconds for a move").fill("5")
    ann.choose(Target="9")
    ann.click("Make the table")
    bob.sit_down(ann.page.get_by_label("Invite the others with this link").input_value())
    ann.start()
    bob.see_the_table()
    bob.click("Mute the chat")
    for one in (ann, bob):
        one.page.wait_for_selector(".clock")
        one.page.wait_for_selector(".notice.word:has-text('ran out of time')")
    assert bob.page.locator(".notice.word[role=status]").count() == 1
    assert faults(bob.page, [LOOKS[0], LOOKS[3]]) == []
    bob.click("OK")
    bob.page.wait_for_selector(".notice.word", state="detached")


def test_whoever_is_removed_while_the_line_is_cut_is_told_afterwards(person: Any) -> None:
    ann, bob = person("Ann"), person("Bob")
    bob.sit_down(ann.make("mages_dice"))
    bob.forgive("WebSocket")
    bob.context.set_offline(True)
    bob.lose_the_line()
    bob.page.wait_for_selector(".notice.line")
    ann.click("Remove Bob")
    ann.page.wait_for_selector(".chair-now.open")
    bob.context.set_offline(False)
    bob.page.wait_for_selector(".notice:has-text('You were removed from the table.')")
    assert bob.page.locator(".notice.line").count() == 0
