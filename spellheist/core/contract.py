"""The contract: the seven verbs that make a game, and the questions that have a default answer.

A rules file has the constants SEATS, MOVES and OUTCOMES, a `State`, and the verbs:

    setup(s)             from `s.seats` and the option fields to the first question
    legal(s, moves)      writes the ids of the legal moves, answers how many; at ANYONE those of every seat, and
                         first one of the seat that the table waits for
    chance(s, odds)      at CHANCE: writes the weight of each outcome, answers their sum
    play(s, move)        the only verb that advances the game; deterministic
    score(s, out)        at OVER: each seat's share of the win; shares sum to 1
    hide(s, seat)        blanks what that seat, or WATCHER, may not know
    imagine(s, rng)      fills the blanks in again: any world that fits, in proportion to its chance

Every State has the fields `seats`, `turn` (a seat, CHANCE, ANYONE or OVER) and `phase` (what is
being asked). A rules file may answer the questions below itself; where it does not, these do.
A game whose seats are not alike (a team against one) says FIXED_SIDES = True: the law of rotation
does not apply to it. A game may also have `sample(s, rng)`, a quicker way to draw the same outcome as
from `chance`: the number below the total picks the outcome in whose part of the odds it falls. Only
random games use it; a law compares the two.
"""

from __future__ import annotations

from types import ModuleType

from spellheist.core.kernel import kernel

VERBS = ("setup", "legal", "chance", "play", "score", "hide", "imagine")
CONSTANTS = ("SEATS", "MOVES", "OUTCOMES", "State")


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
def sound(s):
    """Could this be a position of the game, as far as its counts go? Asked of positions from outside."""
    return True


QUESTIONS = (owner, sees, side, stage, worth, limited, pieces, rotated, sound)


def complete(rules: ModuleType) -> ModuleType:
    """A rules module with the default answers filled in. Refuses one that lacks a verb."""
    missing = [name for name in (*CONSTANTS, *VERBS) if not hasattr(rules, name)]
    if missing:
        raise TypeError(f"{rules.__name__} lacks {', '.join(missing)}")
    for question in QUESTIONS:
        if not hasattr(rules, question.__name__):
            setattr(rules, question.__name__, question)
    return rules
