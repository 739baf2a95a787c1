"""The live window of Spell Stealers: what presses mean at a table (SS-8 to SS-13, SS-g, SS-h)."""

from spellheist.core.kernel import plain
from spellheist.games.spell_stealers import rules
from spellheist.games.spell_stealers.rules import CLOSE, MISSED, PASS, READY, STEAL_BY, UNCLEAR, VOID, WINDOW

LIVE = ("stealing", "live")
ONE_PRESS = "SS-g"
DEAD_HEAT = "SS-13"

die_of = plain(rules.die_of)


def is_open(s):
    """SS-12: a roll lies there and the marker is not let go, or the dice are not passed on."""
    return s.phase in (WINDOW, MISSED)


def release(s):
    """The current player lets go of the marker, or passes the dice on after no match."""
    return CLOSE if s.phase == WINDOW else PASS


def spaces(s):
    """The marker is moved by the number of the artifact."""
    return s.face if s.phase == WINDOW else 0


def goes_on(s):
    """SS-9: has somebody thrown a die at this roll already?"""
    return any(s.threw)


def may_come_late(s, move):
    """SS-11, SS-h: an attempt at a roll of this turn answers what the table asks now, in the window or outside it."""
    return move >= STEAL_BY and bool(s.rolled)


def may_succeed(s, seat, move):
    """SS-8: the matching die, with a ready token, at an artifact."""
    return s.phase == WINDOW and move >= STEAL_BY and s.token[seat] == READY and die_of(move) == s.die


def succeeded(s, seat):
    """SS-8: has this seat got the artifact?"""
    return s.taker == seat


def void(move):
    """SS-h: judged to fail."""
    return move + VOID - STEAL_BY


def unclear(move):
    """SS-12, SS-19: perhaps outside the window."""
    return move + UNCLEAR - STEAL_BY
