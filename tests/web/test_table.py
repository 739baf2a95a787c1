"""The page of a table: whole games by clicking, lost connections, looking back, and fair dice proved."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from browsers import LOOKS, TURN, Person, faults

from spellheist.core import record
from spellheist.core.game import find, names

FIELDS = """Object.fromEntries([...document.querySelectorAll("[data-field]")]
  .map((row) => [row.dataset.field, row.cells[1].innerText]))"""
SLOWLY = 24  # so many moves of a game are clicked as a hand does it, the others by the page itself, which is quicker


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
        assert one.page.locator(".shares .standing").all_inner_texts() == find(game).words.standings(replayed.state)
    assert bob.page.evaluate(FIELDS) == {name: as_shown(value) for name, value in vars_of(replayed, 1).items()}


def play_with_mishaps(ann: Person, bob: Person, link: str, luck: random.Random) -> None:
    """A whole game, in which Ann's page is loaded anew, Bob's shows every field of his view, and his connection is lost."""
    mishaps: dict[int, Callable[[], None]] = {
        3: lambda: reload(ann), 4: lambda: show_fields(bob, link), 6: bob.lose_the_connection, 7: bob.lose_the_connection,
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
