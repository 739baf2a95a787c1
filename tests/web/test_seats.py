"""Seats and devices: who sits where, who is removed, signed out or gives up, and what the others are asked."""

from __future__ import annotations

from typing import Any

from browsers import LOOKS, TURN, Person, faults


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


def test_whoever_is_removed_while_the_connection_is_lost_is_told_afterwards(person: Any) -> None:
    ann, bob = person("Ann"), person("Bob")
    bob.sit_down(ann.make("mages_dice"))
    bob.forgive("WebSocket")
    bob.context.set_offline(True)
    bob.lose_the_connection()
    bob.page.wait_for_selector(".notice.lost")
    ann.click("Remove Bob")
    ann.page.wait_for_selector(".chair-now.open")
    bob.context.set_offline(False)
    bob.page.wait_for_selector(".notice:has-text('You were removed from the table.')")
    assert bob.page.locator(".notice.lost").count() == 0
