"""The live window on the page: people press, and see how it was judged."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsers import LOOKS, TURN, Person, faults, playwright
from people import Server

from spellheist.server.race.arbiter import Times


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
    verdicts = roller.page.locator(".ruling tbody td:last-child").all_inner_texts()
    assert set(verdicts) <= {"in time, and stolen", "in time, and failed", "too late: it was gone"}


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
