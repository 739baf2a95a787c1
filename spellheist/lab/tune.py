"""Tuning the constants of a search, fairly: by matches between a candidate and the present constants.

One constant at a time is changed: how much to explore is halved and doubled, a share is set to none, half and all.
A candidate is played against the present one, seats rotated with the same dice, at equal iterations, and adopted
only if its whole interval lies above one half. What was measured is told, also when nothing changes: the answer is then
how much one would have had to play to know more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from spellheist.bots import CONSTANTS
from spellheist.core.game import find
from spellheist.lab.match import play_match

STEPS = (0.5, 2.0)
SHARES = (0.0, 0.5, 1.0)


def tune(
    game: str, iterations: int, games: int, seed: int, workers: int, options: dict[str, Any], say: Callable[[str], None]
) -> dict[str, float]:
    """The constants after one round of candidates; on Ctrl-C those so far."""
    known = find(game).bot
    now = {name: float(getattr(known, name.upper())) for name in CONSTANTS}
    for name in CONSTANTS:
        for value in candidates(name, now[name]):
            other = now | {name: value}
            match = play_match(game, [named(iterations, other), named(iterations, now)], games, seed, workers, options)
            if match.stopped:
                say(match.stopped)
                return now
            share = match.share(0)
            better = share.value - share.half > 0.5
            verdict = "adopted" if better else "not adopted"
            say(f"{name} {value:g} against {now[name]:g}: {share}, {verdict}")
            if better:
                now = other
    return now


def candidates(name: str, value: float) -> list[float]:
    """What to try instead of a value."""
    tried = {round(step * value, 4) for step in STEPS} if name == "explore" else set(SHARES)
    return sorted(tried - {value})


def named(iterations: int, constants: dict[str, float]) -> str:
    return f"sharp@{iterations}," + ",".join(f"{name}={value:g}" for name, value in constants.items())
