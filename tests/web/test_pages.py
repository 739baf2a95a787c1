"""The pages around a game: everybody can use them, and an address that leads nowhere says so."""

from __future__ import annotations

from typing import Any

import pytest
from browsers import faults

from spellheist.core.game import find, names


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


def test_every_word_of_a_games_page_keeps_its_rule_ids_as_anchors(person: Any) -> None:
    page = person().page
    for name in names():
        page.goto(f"/rules/{name}")
        page.wait_for_selector(".rules-page")
        anchors = set(page.evaluate("[...document.querySelectorAll('tr[id]')].map((row) => row.id)"))
        assert set(find(name).rule) <= anchors
