"""Decks of Dice Heist: which exhibits there are, read from a small TOML file into tables of the state.

A deck file has a section for each museum, as `deck.toml` shows. The order of sections, words and
cards does not matter: the same cards give the same tables. Whatever is wrong with a file is
refused with one sentence that names the line, or the total that does not add up.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from spellheist.core.files import read_text, worded
from spellheist.core.refused import Refused, did_you_mean
from spellheist.games.dice_heist.rules import ARTIFACT, BLUE, GREEN, KINDS, PAINTING, RED

STANDARD = Path(__file__).with_name("deck.toml")
LARGEST = 64 * 1024  # bytes

SECTIONS = ("Hermitage", "Metropolitan", "British", "Louvre")
NICKNAMES = {"Met": "Metropolitan", "British Museum": "British"}
COLOURS = {"red": RED, "green": GREEN, "blue": BLUE}
LISTS = {"paintings": (PAINTING, 240), "artifacts": (ARTIFACT, 2)}  # what the cards are, and the highest number on one
WORDS = (*LISTS, *COLOURS)

CARDS, PAINTINGS, ARTIFACTS, GEMS = 52, 11, 20, 21
VALUE, EACH_COLOUR = 250, 7

TABLES = ("kind_museum", "kind_what", "kind_worth", "kind_count")
Fields = dict[str, list[int]]
Card = tuple[int, int, int]  # museum, what, worth: the order of kinds


def fields(value: str) -> Fields:
    """The tables of a deck: `standard`, the path of a deck file, or the text of one."""
    if value == "standard":
        return {name: list(table) for name, table in standard().items()}
    if "\n" in value:
        return read(value, "The deck")
    return read(read_text(value, LARGEST), Path(value).name)


def text(value: str) -> str:
    """The text of a deck as we would write it, from a path or from any text of a deck."""
    return show(fields(value))


@cache
def standard() -> Fields:
    return read(read_text(STANDARD, LARGEST), STANDARD.name)


def read(text: str, name: str) -> Fields:
    """The tables of a deck in words; `name` is what a refusal calls it."""
    if len(text) > LARGEST:
        raise Refused(f"{name} is too large for a deck: over {LARGEST // 1024} KiB.")
    try:
        sections = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise Refused(f"{name} is not TOML: {problem}.") from None
    except (ValueError, RecursionError):
        raise Refused(f"{name} is not a deck: it has a number that is far too long, or brackets far too deep.") from None
    try:
        cards = counted(sections)
    except Misfit as wrong:
        raise Refused(f"{name}{line_of(text, wrong.words)}: {wrong}") from None
    check_totals(cards, name)
    return tables(cards)


class Misfit(Refused):
    """Something in a section is wrong; the words lead to its line."""

    def __init__(self, sentence: str, *words: str) -> None:
        super().__init__(sentence)
        self.words = words


def line_of(text: str, words: tuple[str, ...]) -> str:
    """', line 12' where these words stand, one after the other; nothing if they cannot be found."""
    found = 0
    for number, line in enumerate(text.split("\n"), 1):
        code = line.partition("#")[0]
        while re.search(rf"(?<![\w-]){re.escape(words[found])}(?![\w-])", code):
            found += 1
            if found == len(words):
                return f", line {number}"
    return ""


def counted(sections: dict[str, Any]) -> Counter[Card]:
    """How many there are of each card."""
    cards: Counter[Card] = Counter()
    seen: dict[int, str] = {}
    for title, section in sections.items():
        museum = museum_named(title)
        if museum in seen:
            raise Misfit(f"the {SECTIONS[museum]} has a section already, {worded(seen[museum])}.", title)
        if not isinstance(section, dict):
            raise Misfit(f"the {SECTIONS[museum]} needs a section, [{SECTIONS[museum]}].", title)
        seen[museum] = title
        for word, value in section.items():
            if word in COLOURS:
                if not whole(value) or not 0 <= value <= EACH_COLOUR:
                    raise Misfit(f"{word} takes how many gems, 0 to {EACH_COLOUR}, not {worded(value)}.", title, word)
                cards[museum, COLOURS[word], 0] += value
            elif word in LISTS:
                count_list(cards, museum, title, word, value)
            else:
                known = f"a museum has {', '.join(WORDS[:-1])} and {WORDS[-1]}"
                raise Misfit(f"{worded(word)} is not a word here; {known}.{did_you_mean(word[:40], WORDS)}", title, word)
    return cards


def museum_named(title: str) -> int:
    plain = " ".join(re.split(r"[\s_-]+", title.strip())).lower()
    for known in (*SECTIONS, *NICKNAMES):
        if plain == known.lower():
            return SECTIONS.index(NICKNAMES.get(known, known))
    listed = f"{', '.join(SECTIONS[:-1])} and {SECTIONS[-1]}"
    raise Misfit(f"there is no museum {worded(title)}; there are {listed}.{did_you_mean(title[:40], SECTIONS)}", title)


def count_list(cards: Counter[Card], museum: int, title: str, word: str, value: Any) -> None:
    what, highest = LISTS[word]
    if not isinstance(value, list):
        raise Misfit(f"{word} takes a list with a number for each card, not {worded(value)}.", title, word)
    for place, worth in enumerate(value, 1):
        if not whole(worth) or not 1 <= worth <= highest:
            raise Misfit(f"card {place} of {word} is {worded(worth)}, not a whole number from 1 to {highest}.", title, word)
        cards[museum, what, worth] += 1


def check_totals(cards: Counter[Card], name: str) -> None:
    of = Counter[int]()
    value = 0
    for (_, what, worth), count in cards.items():
        of[what] += count
        value += worth * count * (what == PAINTING)
    gems = of[RED] + of[GREEN] + of[BLUE]
    had = f"{of[PAINTING]} paintings, {of[ARTIFACT]} artifact cards and {gems} gems"
    needed = f"{PAINTINGS} paintings, {ARTIFACTS} artifact cards and {GEMS} gems"
    if cards.total() != CARDS:
        raise Refused(f"{name} has {cards.total()} cards ({had}); a deck has {CARDS} ({needed}).")
    if (of[PAINTING], of[ARTIFACT]) != (PAINTINGS, ARTIFACTS):
        raise Refused(f"{name} has {had}; a deck has {needed}.")
    for colour, what in COLOURS.items():
        if of[what] != EACH_COLOUR:
            raise Refused(f"{name} has {of[what]} {colour} gems; a deck has {EACH_COLOUR} of each colour.")
    if value != VALUE:
        raise Refused(f"{name} has paintings worth {value} in all; in a deck they are worth {VALUE}.")


def tables(cards: Counter[Card]) -> Fields:
    """The kinds of cards in their order, filled up with zeros."""
    kinds = sorted((*card, count) for card, count in cards.items() if count)
    columns = zip(*kinds, *[(0, 0, 0, 0)] * (KINDS - len(kinds)), strict=True)
    return {name: list(column) for name, column in zip(TABLES, columns, strict=True)}


def show(fields: Fields) -> str:
    """The deck file of these tables."""
    lines = []
    for museum, title in enumerate(SECTIONS):
        cards: dict[int, list[int]] = {what: [] for what in (PAINTING, ARTIFACT, *COLOURS.values())}
        for where, what, worth, count in zip(*(fields[name] for name in TABLES), strict=True):
            if where == museum:
                cards[what] += [worth] * count
        lines += [f"[{title}]", f"paintings = {cards[PAINTING]}", f"artifacts = {cards[ARTIFACT]}"]
        lines += [f"{colour} = {len(cards[what])}" for colour, what in COLOURS.items()]
    return "\n".join(lines) + "\n"


def digest(fields: Fields) -> str:
    """A short hash of a deck: equal for equal cards."""
    return hashlib.blake2b(show(fields).encode(), digest_size=8).hexdigest()


def whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
