"""Decks of Spellcaster: sixty spells in a small language, read from a TOML file into tables of the state.

A card has a name, a colour, a kind and an effect, as `deck.toml` shows. An effect is up to four clauses,
each a word of `WORDS` with an amount; the rules read them as numbers, `text` writes them as the sentence
on the card. The order of cards does not matter. Whatever is wrong with a file is refused with one
sentence that names the card and the word.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from spellheist.core.files import read_text, worded
from spellheist.core.refused import Refused, did_you_mean
from spellheist.core.speech import count
from spellheist.games.spellcaster import rules
from spellheist.games.spellcaster.language import BY_NUMBER, FINES, OFFERS, PHRASES, PRICES, WORDS, Clause, Word
from spellheist.games.spellcaster.rules import (
    CARDS,
    CLAUSES,
    EACH,
    MAY,
    OF_CARDS,
    OF_ENERGY,
    OF_SAPPHIRES,
    OR,
    PAY,
    REPEAT,
    UNLESS,
)

STANDARD = Path(__file__).with_name("deck.toml")
LARGEST = 64 * 1024  # bytes
LONGEST = 28  # letters of a name

COLOURS = ("red", "yellow", "blue", "green")
KINDS = ("incantation", "enchantment")
PARTS = ("name", "colour", "kind", "effect")


GIVES_BACK = {
    OF_ENERGY: {rules.GAIN_ENERGY, rules.DRAIN, rules.ENERGY_PER_CARD, rules.ENERGY_PER_PILE},
    OF_SAPPHIRES: {rules.GAIN_SAPPHIRES, rules.STEAL, rules.SAPPHIRES_PER_PILE},
    OF_CARDS: set(),  # cards never return to the deck, so they run out
}

Fields = dict[str, Any]


@dataclass(frozen=True)
class Card:
    """A card as it was read."""

    colour: int
    kind: int
    name: str
    effect: tuple[Clause, ...]


Cards = tuple[Card, ...]


def fields(value: str) -> Fields:
    """The tables of a deck: `standard`, the path of a deck file, or the text of one."""
    return tables(cards(value))


def text(value: str) -> str:
    """The text of a deck as we would write it, from a path or from any text of a deck."""
    return show(cards(value))


def cards(value: str) -> Cards:
    """The cards of a deck, in the order of the tables."""
    if value == "standard":
        return standard()
    if "\n" in value:
        return read(value, "The deck")
    return read(read_text(value, LARGEST), Path(value).name)


@cache
def standard() -> Cards:
    return read(read_text(STANDARD, LARGEST), STANDARD.name)


class Misfit(ValueError):
    """Something about a card is wrong."""


@lru_cache(32)
def read(text: str, name: str) -> Cards:
    """The cards of a deck in words, in the order of the tables; `name` is what a refusal calls the deck."""
    if len(text) > LARGEST:
        raise Refused(f"{name} is too large for a deck: over {LARGEST // 1024} KiB.")
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise Refused(f"{name} is not TOML: {problem}.") from None
    except (ValueError, RecursionError):
        raise Refused(f"{name} is not a deck: it has a number that is far too long, or brackets far too deep.") from None
    for key in found:
        if key != "card":
            raise Refused(f"{name}: {worded(key)} is not a word here; a deck is a list of tables [[card]].")
    rows = found.get("card", [])
    if not isinstance(rows, list):
        raise Refused(f"{name}: card takes a list of cards, not {worded(rows)}.")
    deck: list[Card] = []
    for place, row in enumerate(rows, 1):
        title = f"card {place}"
        try:
            if not isinstance(row, dict):
                raise Misfit(f"a card is a table with {', '.join(PARTS)}, not {worded(row)}.")
            if isinstance(row.get("name"), str) and row["name"].strip():
                title = worded(row["name"])[1:-1]
            deck.append(card(row))
            if any(deck[-1].name.lower() == other.name.lower() for other in deck[:-1]):
                raise Misfit("this card is in the deck already.")
        except Misfit as wrong:
            raise Refused(f"{name}{line_of(text, row)}: {title}: {wrong}") from None
    check_counts(deck, name)
    return tuple(sorted(deck, key=lambda card: (card.colour, card.kind, card.name.lower())))


def line_of(text: str, row: Any) -> str:
    """', line 12' where the last card of this name stands; nothing if it cannot be found."""
    title = row.get("name") if isinstance(row, dict) else None
    if isinstance(title, str) and title.strip():
        for number, line in reversed(list(enumerate(text.split("\n"), 1))):
            if f'"{title}"' in line or f"'{title}'" in line:
                return f", line {number}"
    return ""


def card(row: dict[str, Any]) -> Card:
    """One card of a deck file."""
    for part in row:
        if part not in PARTS:
            near = did_you_mean(part[:40], PARTS)
            raise Misfit(f"{worded(part)} is not a word here; a card has {', '.join(PARTS)}.{near}")
    for part in PARTS:
        if part not in row:
            raise Misfit(f"there is no {part}; a card has {', '.join(PARTS)}.")
        if not isinstance(row[part], str):
            raise Misfit(f"{part} takes words in quotes, not {worded(row[part])}.")
    name = row["name"]
    if len(name) > LONGEST or not re.fullmatch(r"[^\W_]+(?:[ '-]{1,2}[^\W_]+)*", name) or "  " in name:
        raise Misfit(f"a name has up to {LONGEST} letters, digits, single spaces, hyphens and apostrophes.")
    colour, kind = one_of(row, "colour", COLOURS), one_of(row, "kind", KINDS)
    return Card(colour, kind, name, effect(row["effect"], kind))


def one_of(row: dict[str, str], part: str, known: tuple[str, ...]) -> int:
    word = row[part].strip().lower()
    if word not in known:
        listed = f"{', '.join(known[:-1])} or {known[-1]}"
        raise Misfit(f"{worded(row[part])} is not a {part}; it is {listed}.{did_you_mean(word[:40], known)}")
    return known.index(word)


def effect(words: str, kind: int) -> tuple[Clause, ...]:
    """The clauses of an effect in words, such as 'pay energy 1, damage 3'."""
    clauses: list[Clause] = []
    for part in words.split(","):
        phrase = " ".join(part.lower().split())
        if not phrase:
            raise Misfit("an effect is one or more clauses with commas between them, and one is empty.")
        first, unless, fine = phrase.partition(" unless ")
        one, either, other = phrase.partition(" or ")
        if unless:
            clauses += [clause(fine, FINES), clause(first, WORDS)]
        elif either:
            clauses += [clause(one, WORDS), clause(other, WORDS)]
            if clauses[-1] == clauses[-2]:
                raise Misfit(f"{worded(phrase)} is no choice.")
            clauses[-1] = (clauses[-1][0] + OR, clauses[-1][1])
        else:
            clauses.append(clause(phrase, WORDS | PRICES | OFFERS))
        if REPEAT in (word % OR for word, _ in clauses[-2:]) and (unless or either):
            raise Misfit("repeat stands alone as the last clause.")
    if len(clauses) > CLAUSES:
        raise Misfit(f"the effect is too long: {len(clauses)} words, and a card has at most {CLAUSES}.")
    check_order([word % OR for word, _ in clauses], kind)
    return tuple(clauses)


def clause(phrase: str, known: dict[str, Word]) -> Clause:
    """A word with its amount."""
    found = re.fullmatch(r"(.*?)(?: (-?[0-9]+))?", phrase)
    name = found[1] if found else phrase
    if name not in known:
        elsewhere = {**WORDS, **PRICES, **OFFERS, **FINES}
        if name in elsewhere:
            raise Misfit(f"{worded(name)} cannot stand there.")
        raise Misfit(f"{worded(name)} is not a word of effects.{did_you_mean(name[:40], elsewhere)}")
    word, given = known[name], found[2] if found else None
    if word.most == 0:
        if given:
            raise Misfit(f"{worded(name)} takes no amount, not {worded(given)}.")
        return word.number, 1
    if given is None or len(given) > 4 or not 1 <= int(given) <= word.most:
        raise Misfit(f"{worded(name)} takes an amount from 1 to {word.most}, not {given[:9] if given else 'none'}.")
    return word.number, int(given)


def check_order(words: list[int], kind: int) -> None:
    """Prices come first, something follows them, and nothing goes on for ever."""
    for place, word in enumerate(words):
        phrase = worded(PHRASES[word])
        if PAY <= word < MAY:
            if place:
                raise Misfit(f"{phrase} is a price and stands first; later it is 'may {phrase[1:]}.")
            if KINDS[kind] == "enchantment":
                raise Misfit(f"{phrase} is a price, and an enchantment goes off by itself; write 'may {phrase[1:]}.")
        if PAY <= word < UNLESS and place + 1 == len(words):
            raise Misfit(f"nothing follows {phrase}.")
        if word == REPEAT:
            if place + 1 < len(words):
                raise Misfit("repeat stands alone as the last clause.")
            check_loop(words)


def check_loop(words: list[int]) -> None:
    """A card that repeats itself asks a price each time, in something that the card does not give back."""
    if PAY <= words[0] < MAY:
        raise Misfit(f"repeat starts the spell again without its price; write 'may {PHRASES[words[0]]}'.")
    offers = [word for word in words if MAY <= word < UNLESS]
    if not offers:
        raise Misfit("repeat would go on for ever: there is no 'may pay' before it.")
    if all(GIVES_BACK[word - MAY] & set(words) for word in offers):
        back = PHRASES[next(word for word in words if word in GIVES_BACK[offers[0] - MAY])]
        raise Misfit(f"repeat would go on for ever: {worded(back)} gives back what {worded(PHRASES[offers[0]])} takes.")


def check_counts(deck: list[Card], name: str) -> None:
    if len(deck) != CARDS:
        raise Refused(f"{name} has {count(len(deck), 'card')}; a deck has {CARDS}, {EACH} of each colour.")
    of = Counter(card.colour for card in deck)
    for colour, word in enumerate(COLOURS):
        if of[colour] != EACH:
            raise Refused(f"{name} has {count(of[colour], f'{word} card')}; a deck has {EACH} of each colour.")


_names: dict[tuple[int, ...], tuple[str, ...]] = {}


def tables(deck: Cards) -> Fields:
    """What the state has of a deck. The names stay here, found again by the mark."""
    mark = digest(deck)
    marks = [int(mark, 16) >> 15 * k & rules.ALL for k in range(4)]
    _names[tuple(marks)] = tuple(card.name for card in deck)
    enchantments = [0] * len(COLOURS)
    for number, card in enumerate(deck):
        enchantments[card.colour] |= card.kind << number % EACH
    rows = []
    for card in deck:
        row = [number for clause in card.effect for number in clause]
        rows.append(row + [0] * (2 * CLAUSES - len(row)))
    return {"card_effect": rows, "enchantments": enchantments, "deck_mark": marks}


def names(mark: list[int]) -> tuple[str, ...]:
    """The names of the cards of a deck that has been read; others are known by colour and number."""
    found = _names.get(tuple(mark))
    if found is None:
        tables(standard())
        found = _names.get(tuple(mark), tuple(f"{COLOURS[n // EACH]} {n % EACH + 1}" for n in range(CARDS)))
    return found


@lru_cache(32)
def show(deck: Cards) -> str:
    """The deck file of these cards."""
    lines = ["card = ["]
    for card in deck:
        parts = zip(PARTS, (card.name, COLOURS[card.colour], KINDS[card.kind], spelled(card.effect)), strict=True)
        lines.append("  { " + ", ".join(f'{part} = "{value}"' for part, value in parts) + " },")
    return "\n".join([*lines, "]", ""])


def spelled(effect: tuple[Clause, ...]) -> str:
    """An effect in the words of a deck file."""
    parts: list[str] = []
    fine = ""
    for word, n in effect:
        phrase = f"{PHRASES[word % OR]} {n}" if BY_NUMBER[word % OR].most else PHRASES[word % OR]
        if UNLESS <= word < UNLESS + len(FINES):
            fine = f" unless {phrase}"
        elif word >= OR:
            parts[-1] += f" or {phrase}"
        else:
            parts.append(phrase + fine)
            fine = ""
    return ", ".join(parts)


def digest(deck: Cards) -> str:
    """A short hash of a deck: equal for equal cards."""
    return hashlib.blake2b(show(deck).encode(), digest_size=8).hexdigest()


# What a study of a deck asks.


def faces(value: str) -> list[tuple[str, str]]:
    """The name and the colour of each card."""
    return [(card.name, COLOURS[card.colour]) for card in cards(value)]


def turns(s: Any) -> int:
    """How many turns a finished game took."""
    return int(s.turns) + 1


def ending(s: Any) -> str:
    """What a finished game was decided by."""
    if not min(s.energy):
        return "energy"
    return "sapphires" if max(s.sapphires) >= rules.GOAL else "empty deck"
