"""`window.py`: the live window, in which all press at once and the quickest counts. Plain functions of a state.

The server measures presses, puts them in order and rules on them (`server/race`); here the game says what they mean. A
window is a question to ANYONE. In it a seat may make one press: an attempt, or the release, with which the seat that the
table waits for closes the window. Without this file no window ever opens.
"""

from __future__ import annotations

from typing import Any

NEEDED: dict[str, str] = {
    "LIVE": "the option, and its value, with which windows are opened",
    "ONE_PRESS": "the id of the rule that a seat presses once",
    "DEAD_HEAT": "the id of the rule on attempts at the same time",
    "is_open(s)": "at ANYONE: is this a question on which presses are ruled?",
    "release(s)": "the move that closes the window",
    "spaces(s)": "how far the marker is moved before it can be let go: a release counts later by that",
    "goes_on(s)": "was this question asked before, and is asked again after an attempt?",
    "may_come_late(s, move)": "is this an attempt that may also be made just after the window was closed?",
    "may_succeed(s, seat, move)": "could this attempt succeed, if it is first?",
    "succeeded(s, seat)": "after an attempt of this seat: did it succeed?",
    "void(move)": "the same attempt, judged to fail",
    "unclear(move)": "the same attempt, when nobody can tell whether it was in time",
}

LIVE: tuple[str, str] | None = None


def is_open(s: Any) -> bool:
    """Without windows none is ever open."""
    return False
