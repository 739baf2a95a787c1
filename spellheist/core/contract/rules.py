"""`rules.py`: the seven verbs that make a game, and the questions that have a default answer.

All verbs are kernels over one packed state. Every State has the fields `seats`, `turn` (a seat, CHANCE, ANYONE or OVER)
and `phase` (what is being asked).
"""

from __future__ import annotations

from typing import Any

from spellheist.core.kernel import kernel
from spellheist.core.state import NONE

NEEDED = {
    "SEATS": "the most seats there can be",
    "MOVES": "how many moves there are, legal or not",
    "OUTCOMES": "how many outcomes chance can have",
    "State": "the fields of its states, made by `packed`",
    "setup(s)": "from `s.seats` and the option fields to the first question",
    "legal(s, moves)": "writes the ids of the legal moves, answers how many; at ANYONE those of every seat, and first one "
    "of the seat that the table waits for",
    "chance(s, odds)": "at CHANCE: writes the weight of each outcome, answers their sum",
    "play(s, move)": "the only verb that advances the game; deterministic",
    "score(s, out)": "at OVER: each seat's share of the win; shares sum to 1",
    "hide(s, seat)": "blanks what that seat, or WATCHER, may not know",
    "imagine(s, rng)": "fills the blanks in again: any world that fits, in proportion to its chance",
}

FIXED_SIDES: bool = False  # are seats not alike (a team against one)? Then the law of rotation does not apply
SHOW: int | None = None  # the phase in which a round's end lies open before chance goes on, for pages to rest at
# sample(s, rng): a quicker way to draw the same outcome as from `chance`, by one number below the total, which picks the
# outcome in whose part of the odds it falls. Only random games use it; a law compares the two.
sample: Any = None


@kernel
def owner(s, move):
    """Whose move is it? A seat, or JUDGE."""
    return s.turn


@kernel
def sees(s, move, seat):
    """Asked before `play`: does that seat (or WATCHER) learn which move this is?"""
    return True


@kernel
def side(s, seat):
    """The team of a seat; a seat alone is its own."""
    return seat


@kernel
def stage(s):
    """How many rounds are over?"""
    return 0


@kernel
def worth(s, out):
    """What the stage that just ended was worth to each seat, from 0 to 1: for searches that stop there."""
    for seat in range(s.seats):
        out[seat] = 0.0


@kernel
def limited(s):
    """At OVER: was it the turn limit that ended the game?"""
    return False


@kernel
def pieces(s, out):
    """Writes counts of pieces that never change during a game, answers how many it wrote."""
    return 0


@kernel
def rotated(s, move, by):
    """The same move when every seat is moved on by `by` places: another id if the move names a seat."""
    return move


@kernel
def seen_from(s, seat):
    """Asked of a view: turn fields that speak of seats or sides in a way that the schema does not know, so that this seat
    comes first. For observations."""


@kernel
def sound(s):
    """Could this be a position of the game, as far as its counts go? Asked of positions from outside."""
    return True


@kernel
def drawing(s):
    """At CHANCE: the seat that gets the card which the outcome names, or NONE: for studies of a deck."""
    return NONE
