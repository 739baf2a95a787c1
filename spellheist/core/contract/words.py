"""`words.py`: labels and sentences. All are made from a view, so no word can tell more than its reader may know."""

from __future__ import annotations

from typing import Any

NEEDED = {
    "TURN_RULE": "the id of the rule on whose turn it is",
    "label(s, move)": "the words of a legal move or a possible outcome, on one line and unlike those of the others",
    "question(s, names)": "what is being asked, of whom",
    "news(before, move, after, names)": "the sentence on what just happened; the move may be HIDDEN",
    "why_not(s, move)": "the rule that stands in the way of a move, by its id, and a sentence",
    "rules_now(s)": "the ids of the rules that explain the present question",
}

QUIET: tuple[int, ...] = ()  # phases whose news need not be told one by one: the table shows it


def key(s: Any, move: int) -> str:
    """What to type for a move in a terminal; nothing: moves are counted from 1 on."""
    return ""


def hints(s: Any, seat: int) -> list[str]:
    """What somebody good at sums would tell a seat about its moves: odds that are exact."""
    return []


def cards(s: Any) -> Any:
    """What is printed on the cards or dice of this game, for its table on the page to draw."""
    return None


def standings(s: Any) -> list[str]:
    """What each seat has at the end, in words; nothing where a game counts nothing."""
    return []
