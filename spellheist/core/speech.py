"""Small parts of English sentences, so that news reads well for "You" and for "Ann"."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

IRREGULAR = {"have": "has", "be": "is", "go": "goes", "do": "does"}


@lru_cache(4096)
def does(name: str, verb: str) -> str:
    """'Ann calls', 'You call'."""
    if name == "You":
        return f"You {'are' if verb == 'be' else verb}"
    if verb in IRREGULAR:
        return f"{name} {IRREGULAR[verb]}"
    if verb.endswith(("s", "sh", "ch", "x", "z")):
        return f"{name} {verb}es"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{name} {verb[:-1]}ies"
    return f"{name} {verb}s"


def whose(name: str) -> str:
    """'Ann's', 'your'."""
    return "your" if name == "You" else f"{name}'s"


def whom(name: str) -> str:
    """'Ann', 'you'."""
    return "you" if name == "You" else name


def count(n: int, thing: str) -> str:
    """'1 life', '2 lives', 'no lives'."""
    if thing.endswith("fe"):
        plural = thing[:-2] + "ves"
    elif thing.endswith("y") and thing[-2] not in "aeiou":
        plural = thing[:-1] + "ies"
    else:
        plural = thing + "s"
    return f"{n or 'no'} {thing if n == 1 else plural}"


def listed(parts: Sequence[str], last: str = "and") -> str:
    """'Ann, Bob and Cy'."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"
