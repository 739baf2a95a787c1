"""Mistakes: choices that were clearly worse than another, and that a search confirms.

Rollouts play on as par, and par can be blind: what they find is shown only if a search that spends the same on both moves
finds it too (or the exact solution, where the game is solved). Of the two, the smaller cost counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from spellheist.core.dice import Luck
from spellheist.core.memory import Past
from spellheist.core.play import Play
from spellheist.review.account import Decision, Mistake, Review
from spellheist.review.judge import CONFIRM, PURPOSES, Settings

KINDS = (("blunder", 0.10), ("mistake", 0.05), ("inaccuracy", 0.02))  # from so many shares of the win on
SIGNS = {"blunder": "??", "mistake": "?", "inaccuracy": "?!"}
SURE = 1.96  # standard errors by which a cost must be clear


def kind_of(cost: float) -> str | None:
    """What a choice that costs so much is called."""
    return next((kind for kind, least in KINDS if cost >= least), None)


def suspects(review: Review) -> list[Decision]:
    """Choices that look like mistakes by rollouts alone, the dearest first."""
    found = [decision for decision in review.decisions if kind_of(decision.error - SURE * decision.spread)]
    return sorted(found, key=lambda decision: (-decision.error, decision.ply))


def confirmed(review: Review, play: Play, settings: Settings) -> Iterator[tuple[Decision, Mistake | None]]:
    """Every suspect, with the mistake if search says so too."""
    from spellheist.bots.search import Bot

    asked = suspects(review)
    if not asked:
        return
    search = Bot(play.game, iterations=settings.search, exact=True)
    positions = seen_at(play, {decision.ply for decision in asked})
    for decision in asked:
        view, past = positions[decision.ply]
        number = (settings.seed << 27) + decision.ply * PURPOSES + CONFIRM
        worth = [search.worth(view, decision.seat, past, Luck(number), move) for move in (decision.best, decision.played)]
        found = worth[0].chance - worth[1].chance
        unsure = SURE * (worth[0].error + worth[1].error)
        cost = min(decision.error, found)
        kind = kind_of(cost) if found > unsure else None
        if kind and decision.worth is not None and decision.best_worth is not None:
            yield decision, Mistake(
                decision.ply, decision.seat, decision.played, decision.best, decision.worth, decision.best_worth,
                decision.error, decision.spread, found, kind,
            )  # fmt: skip
        else:
            yield decision, None


def seen_at(play: Play, plies: set[int]) -> dict[int, tuple[Any, Past]]:
    """What the seat to move saw before some plies: its view and its past."""
    again = Play(play.game, play.seats, play.settings, play.names, play.position)
    found: dict[int, tuple[Any, Past]] = {}
    for ply in play.plies:
        if again.ply in plies:
            found[again.ply] = again.view(ply.who), again.recall(ply.who)
        again.repeat(ply)
    return found


def confirm(
    review: Review, play: Play, settings: Settings, heard: Callable[[Review], None] | None = None,
    until: Callable[[], bool] | None = None,
) -> Review:  # fmt: skip
    """The review with its mistakes, in the order of the game. `heard` gets it after each; Ctrl-C, or `until`, ends it with
    those found so far."""
    found: list[Mistake] = []
    stopped = False
    try:
        for _, mistake in confirmed(review, play, settings):
            if mistake:
                found.append(mistake)
                if heard:
                    heard(replace(review, mistakes=in_order(found)))
            if until and until():
                stopped = True
                break
    except KeyboardInterrupt:
        stopped = True
    return replace(review, mistakes=in_order(found), confirmed=review.whole and not stopped)


def in_order(found: list[Mistake]) -> tuple[Mistake, ...]:
    return tuple(sorted(found, key=lambda mistake: mistake.ply))
