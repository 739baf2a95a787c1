"""`deck.py`: cards that are read from a file, for a game with a Deck among its options. What is given as the value of
that option is `standard`, the path of a file, or the text of one.

The balance of a deck can be studied (`spellheist deck balance`) in a game of two sides, if there are `faces` here and the
rules say who is `drawing`.
"""

from __future__ import annotations

from typing import Any

NEEDED = {
    "fields(value)": "the fields of the state that hold the cards",
    "text(value)": "the text of a deck, checked, so that a game does not depend on a file",
}


def faces(value: str) -> list[tuple[str, str]]:
    """The name and the colour of each card, in the order of their numbers; none: there is nothing to study."""
    return []


def ending(s: Any) -> str:
    """At OVER: what decided the game, in a word or two."""
    return "the end"


def turns(s: Any) -> int:
    """At OVER: how many turns the game took."""
    return 0
