""" "Played like gentle to steady": errors set beside those of bots, in place of an invented accuracy in per cent."""

from __future__ import annotations

import math
from collections.abc import Sequence

from spellheist.core.game import find
from spellheist.review.account import Decision, Review

SURE = 1.0  # standard errors to either side
FEWEST = 10  # choices, below which nothing is said


def played_like(review: Review, seat: int) -> str | None:
    """The bots between whose errors those of a seat lie; None where there is too little to say, or nothing to compare."""
    return level_of(review.game, [decision for decision in review.decisions if decision.seat == seat])


def level_of(game: str, decisions: Sequence[Decision]) -> str | None:
    """The same of many choices in one game."""
    errors = find(game).bot.ERRORS
    if len(decisions) < FEWEST or not errors:
        return None
    count = len(decisions)
    mean = math.fsum(decision.error for decision in decisions) / count
    squares = math.fsum((decision.error - mean) * (decision.error - mean) for decision in decisions)
    spread = SURE * math.sqrt(squares) / count
    names = sorted(errors, key=errors.__getitem__, reverse=True)  # the worst first
    low, high = (nearest(errors, names, mean + way * spread) for way in (1, -1))
    return low if low == high else f"{low} to {high}"


def nearest(errors: dict[str, float], names: Sequence[str], error: float) -> str:
    """The bot whose errors are closest, by their ratio: from one level to the next they shrink by a share."""
    least = min(errors.values()) / 2
    return min(names, key=lambda name: abs(math.log(max(errors[name], least) / max(error, least))))
