"""Was it luck or skill? The review of a finished game.

    review = spellheist.review(game)          # a Play that is over, a Record, or the path of a record
    review.seat(0).luck                       # in shares of the win
    review.mistakes                           # both moves, what each was worth, and how sure that is

For every seat start + own play + others' play + luck = result, exactly. `docs/review.md` says what these are, how they
are computed, and what they cannot say. Without a time limit a review is a function of the record and the settings: the
same bytes on every machine.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from spellheist.core import record
from spellheist.core.game import Game
from spellheist.core.play import Play, new
from spellheist.core.refused import Refused
from spellheist.review import kept
from spellheist.review.account import Decision, Mistake, Review, Seat, Step
from spellheist.review.examination import Progress, examine
from spellheist.review.judge import Settings
from spellheist.review.mistakes import confirm

__all__ = ["Decision", "Mistake", "Review", "Seat", "Settings", "Step", "review"]

COARSE, FINER = 0.08, 0.5  # with a time limit: the first target, and each one after it as a share of the one before


def review(
    game: Play | record.Record | Path | str, settings: Settings | None = None, seconds: float | None = None,
    progress: Progress | None = None, heard: Callable[[Review], None] | None = None,
) -> Review:  # fmt: skip
    """Look at a finished game. `progress` gets plies looked at and all of them; `heard` gets the account as soon as it is
    there, and again with each mistake. Ctrl-C gives what there is. With `seconds` it is looked at as exactly as the time
    allows, and the review depends on the machine."""
    play = finished(game)
    settings = settings or Settings()
    if seconds is not None:
        return within(play, settings, seconds, progress, heard)
    key = kept.digest(play, settings)
    found = kept.recall(key)
    if found is None:
        found = examine(play, settings, progress)
        if heard:
            heard(found)
        if found.whole:
            found = confirm(found, play, settings, heard)
        if found.confirmed:
            kept.keep(key, found)
    return found


def within(
    play: Play, settings: Settings, seconds: float, progress: Progress | None, heard: Callable[[Review], None] | None
) -> Review:
    """Look again and again, each time more exactly, until the time is over: half of it is for the account, the other half
    for confirming mistakes."""
    began = time.perf_counter()

    def half() -> bool:
        return time.perf_counter() - began > seconds / 2

    def whole() -> bool:
        return time.perf_counter() - began > seconds

    settings = replace(settings, target=COARSE)
    found = examine(play, settings, progress, whole)
    while found.whole and not half():
        settings = replace(settings, target=settings.target * FINER)
        finer = examine(play, settings, progress, half)
        found = finer if finer.whole else found
    if heard:
        heard(found)
    return confirm(found, play, settings, heard, whole) if found.whole else found


def finished(game: Play | record.Record | Path | str) -> Play:
    """The game that is to be reviewed. Refuses one that is not over, that one seat saw, or that has other rules."""
    if isinstance(game, Path | str):
        game = record.load(game)
    if isinstance(game, record.Record):
        if game.other_rules() and not game.seen_by:
            raise Refused(f"This record cannot be reviewed. {game.other_rules()}")
        game = game.replay()
    if not game.over:
        raise Refused("The game is not over, and a review would tell its secrets.")
    return game


def warm(game: Game) -> None:
    """Compile what reviews of a game need, by looking at the first plies of one."""
    from spellheist.core.dice import Luck

    play, luck = new(game, game.seats[0]), Luck(1)
    while not play.over:
        moves = play.legal()
        if moves:
            play.play(moves[luck.below(len(moves))])
        else:
            play.roll(luck)
    seen = 0

    def few() -> bool:
        nonlocal seen
        seen += 1
        return seen > 60

    found = examine(play, Settings(first=2, most=4, graph=1, worlds=8), until=few)
    confirm(found, play, Settings(search=1))


class _Callable(ModuleType):
    """`spellheist.review` is this package, and `spellheist.review(game)` the function in it."""

    def __call__(self, *given: Any, **named: Any) -> Review:
        return review(*given, **named)


sys.modules[__name__].__class__ = _Callable
