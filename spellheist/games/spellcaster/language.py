"""The language of Spellcaster's cards: its words with their numbers, and the sentence that a card says."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from spellheist.core.speech import count
from spellheist.games.spellcaster import rules
from spellheist.games.spellcaster.rules import CLAUSES, MAY, OF_CARDS, OF_ENERGY, OF_SAPPHIRES, OR, PAY, REPEAT, UNLESS, USE

Clause = tuple[int, int]  # word, amount


@dataclass(frozen=True)
class Word:
    """A word of the language: its number, the highest amount (0: it takes none), and what a card says."""

    number: int
    most: int
    says: str


# {n} is the amount as it is, {cards} and {sapphires} with the thing; {rival} is one mage, {other} a side.
WORDS = {
    "damage": Word(rules.DAMAGE, 9, "do {n} damage"),
    "drain": Word(rules.DRAIN, 9, "take {n} energy from {other}"),
    "energy": Word(rules.GAIN_ENERGY, 9, "gain {n} energy"),
    "sapphires": Word(rules.GAIN_SAPPHIRES, 9, "gain {sapphires}"),
    "steal": Word(rules.STEAL, 9, "steal {sapphires}"),
    "shatter": Word(rules.SHATTER, 9, "{other} loses {sapphires}"),
    "lose energy": Word(rules.LOSE_ENERGY, 9, "lose {n} energy"),
    "lose sapphires": Word(rules.LOSE_SAPPHIRES, 9, "lose {sapphires}"),
    "rival energy": Word(rules.RIVAL_ENERGY, 9, "{other} gains {n} energy"),
    "rival sapphires": Word(rules.RIVAL_SAPPHIRES, 9, "{other} gains {sapphires}"),
    "damage per card": Word(rules.DAMAGE_PER_CARD, 3, "do {n} damage for each card in {hands}"),
    "energy per card": Word(rules.ENERGY_PER_CARD, 3, "gain {n} energy for each card in {hands}"),
    "damage per pile": Word(rules.DAMAGE_PER_PILE, 3, "do {n} damage for each pile that faces you"),
    "energy per pile": Word(rules.ENERGY_PER_PILE, 3, "gain {n} energy for each pile that faces you"),
    "sapphires per pile": Word(rules.SAPPHIRES_PER_PILE, 3, "gain {sapphires} for each pile that faces you"),
    "actions": Word(rules.ACT_MORE, 2, "take {more} this turn"),
    "look": Word(rules.LOOK, 0, "look at {rival's} hand"),
    "repeat": Word(REPEAT, 0, "start this spell again"),
    "draw": Word(rules.DRAW_CARDS, 5, "draw {cards}"),
    "rival draws": Word(rules.RIVAL_DRAWS, 5, "{rival} draws {cards}"),
    "each mage draws": Word(rules.EACH_DRAWS, 4, "{each draws}"),
    "discard": Word(rules.DISCARD_CARDS, 5, "discard {cards}"),
    "rival discards": Word(rules.RIVAL_DISCARDS, 5, "{rival} discards {cards}"),
    "each rival discards": Word(rules.EACH_RIVAL_DISCARDS, 5, "each rival discards {cards}"),
    "each mage loses": Word(rules.EACH_DISCARDS, 4, "{each loses}"),
    "take": Word(rules.TAKE_ANY, 3, "take {cards} at random from {rival's} hand"),
    "strip": Word(rules.DROP_ANY, 3, "{rival} discards {cards} at random"),
    "take chosen": Word(rules.TAKE_CHOSEN, 3, "look at {rival's} hand and take {cards} of your choice"),
    "strip chosen": Word(rules.DROP_CHOSEN, 3, "look at {rival's} hand and discard {cards} of your choice from it"),
    "dispel": Word(rules.DISPEL, 4, "{times}discard an enchantment on top of a pile that does not face you"),
    "banish": Word(rules.BANISH, 4, "{times}discard the top card of a pile that does not face you"),
    "turn": Word(rules.TURN, 4, "{times}turn the top card of a pile that does not face you, to face you"),
    "recall": Word(rules.RECALL, 4, "{times}take the top card of a pile that faces you into your hand"),
    "use": Word(USE, 0, "use the incantation on top of a pile that does not face you"),
}
THINGS = {"energy": OF_ENERGY, "sapphires": OF_SAPPHIRES, "cards": OF_CARDS}
PRICES = {f"pay {thing}": Word(PAY + what, 9, "pay {price}") for thing, what in THINGS.items()}
OFFERS = {f"may pay {thing}": Word(MAY + what, 9, "you may pay {price}") for thing, what in THINGS.items()}
FINES = {  # after "unless"
    "rival pays energy": Word(UNLESS + OF_ENERGY, 9, "{rival} pays {n} energy"),
    "rival pays sapphires": Word(UNLESS + OF_SAPPHIRES, 9, "{rival} pays {sapphires}"),
    "rival discards": Word(UNLESS + OF_CARDS, 5, "{rival} discards {cards}"),
}
BY_NUMBER = {word.number: word for table in (WORDS, PRICES, OFFERS, FINES) for word in table.values()}
PHRASES = {word.number: phrase for table in (WORDS, PRICES, OFFERS, FINES) for phrase, word in table.items()}


def sentence(row: list[int], seats: int) -> str:
    """The text of a card, from its numbers."""
    return _sentence(tuple(row), seats)


@lru_cache(4096)
def _sentence(row: tuple[int, ...], seats: int) -> str:
    clauses = [(row[i], row[i + 1]) for i in range(0, 2 * CLAUSES, 2) if row[i]]
    said: list[str] = []
    start = ""
    place = 0
    while place < len(clauses):
        word, n = clauses[place]
        following = clauses[place + 1] if place + 1 < len(clauses) else (0, 0)
        phrase = says(word, n, seats)
        if PAY <= word < MAY:
            start = f"{upper(phrase)}: "
        elif MAY <= word < UNLESS:
            said.append(f"{phrase}; if you do, {listing(clauses[place + 1 :], seats)}")
            break
        elif word < UNLESS + len(FINES):
            said.append(f"{says(*following, seats)}, unless {phrase}")
            place += 1
        elif following[0] >= OR:
            said.append(f"choose: {phrase}, or {says(*following, seats)}")
            place += 1
        else:
            said.append(phrase)
        place += 1
    if start:
        return start + ". ".join([said[0], *map(upper, said[1:])]) + "."
    return ". ".join(map(upper, said)) + "."


def listing(clauses: list[Clause], seats: int) -> str:
    """What follows an offer, as one half of a sentence."""
    row = [number for clause in clauses for number in clause]
    rest = _sentence(tuple(row + [0] * (2 * CLAUSES - len(row))), seats)[:-1]
    return ", then ".join(part[0].lower() + part[1:] for part in rest.split(". "))


def upper(phrase: str) -> str:
    return phrase[0].upper() + phrase[1:]


def says(word: int, n: int, seats: int) -> str:
    """What one clause says, so that it can stand in a sentence."""
    word %= OR
    said = BY_NUMBER[word].says
    rival = "your rival" if seats == 2 else "the next rival"
    price = (f"{n} energy", count(n, "sapphire"), count(n, "card"))[(word - PAY) % 3]
    hands = {2: "your rival's hand", 3: "all rival hands", 4: "the bigger rival hand"}[seats]
    if seats == 3 and n > 1:  # SC-10, SC-v: of one card there is no half
        each = f"the solo mage {{verb}} {count(n, 'card')}, each mage of the team {(n + 1) // 2}"
    else:
        each = f"each mage {{verb}} {count(n, 'card')}"
    parts = {
        "{n}": str(n), "{cards}": count(n, "card"), "{sapphires}": count(n, "sapphire"), "{more}": count(n, "more action"),
        "{times}": "" if n == 1 else f"{n} times, ", "{price}": price,
        "{rival's}": f"{rival}'s", "{rival}": rival, "{other}": "your rival" if seats == 2 else "the other side",
        "{hands}": hands, "{each draws}": each.format(verb="draws"), "{each loses}": each.format(verb="loses"),
    }  # fmt: skip
    for part, value in parts.items():
        said = said.replace(part, value)
    return said
