"""Pressing: the entries of the live window, in which several seats may want to be first, and what is told of it. What a
press means is decided in `race/`.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import UNSET, Meta, UnsetType

from spellheist.core.play import Ahead
from spellheist.server.race.arbiter import LAST, marks_of
from spellheist.server.table.journal import Entry, Plies
from spellheist.server.table.messages import Message, Number, Out, Request, Who
from spellheist.server.table.table import Table

if TYPE_CHECKING:
    from spellheist.server.table.connections import Connection
    from spellheist.server.table.live import Live


@dataclass
class DeadHeat:
    """A dead heat that is voted on."""

    ply: int
    seats: list[int]
    until: int
    votes: dict[int, int] = field(default_factory=dict)


class Pressed(Entry, tag="window", frozen=True):
    """The live window: a press as it was measured, all in milliseconds."""

    tells = ("window",)

    seat: int
    ply: int
    move: int
    elapsed: float  # from the cue to the arrival
    reaction: float | None  # what the page says
    rtt: float
    allowance: float
    score: float
    bucket: float  # in old entries: what was left of the lag that was believed beyond the allowance; now 0
    clamped: bool = False  # more lag was claimed than allowed
    early: bool = False  # a false start
    flagged: bool = False  # in old entries: this seat had claimed too much in most of its presses
    least: float = 0  # the smallest round trip of its pings, but one
    recent: float = 0  # what its latest pings took
    fresh: bool = False  # a person's attempt to steal in answer to the roll, when nobody had thrown a die at it yet
    late: bool = False  # over a connection that was opened after the cue: its reaction is no claim
    id: int = 0

    def apply(self, table: Table) -> None:
        table.presses.append(self)
        if not self.fresh:
            return
        attempts = table.attempts.setdefault(self.seat, deque(maxlen=LAST))
        attempts.append(self)
        least = table.least[self.seat] = min(self.least, table.least.get(self.seat, self.least))
        marks = table.marks.setdefault(self.seat, [])
        marks += [mark for mark in marks_of(attempts, least) if mark not in marks]


class Heat(Entry, tag="heat", frozen=True):
    """A dead heat: these seats pressed at the same instant, and the others vote."""

    tells = ("window",)

    ply: int
    seats: list[int]
    until: int

    def apply(self, table: Table) -> None:
        table.heat = DeadHeat(self.ply, self.seats, self.until if self.t else 0)  # older ones were by the time of day


class Voted(Entry, tag="voted", frozen=True):
    """Somebody says who was first."""

    tells = ()

    seat: int
    ply: int
    choice: int  # a seat, or -1: undecided
    id: int = 0

    def apply(self, table: Table) -> None:
        if table.heat:
            table.heat.votes[self.seat] = self.choice


class Ruled(Entry, tag="ruled", frozen=True):
    """The ruling on the presses at a ply: the plies it makes, in order, and how it came about."""

    tells = ("plies", "window")

    ply: int
    plies: Plies
    check: int
    verdicts: list[dict[str, Any]]

    def apply(self, table: Table, ahead: Ahead | None = None) -> None:
        table.advance(self.plies, self.check, self.t, ahead)


class Vote(Request, tag="vote", frozen=True):
    """In a dead heat: who was first, or -1 for undecided."""

    ply: Number
    seat: Annotated[int, Meta(ge=-1, le=9)]

    async def carry_out(self, live: Live, connection: Connection) -> bool:
        vote = live.race.vote
        return await live.once(connection, self.id, lambda table, asker, now: vote(table, asker.seat, self))


class Pong(Message, tag="pong", frozen=True):
    """Answers `ping`."""

    who = Who.ANYBODY

    n: Number

    async def carry_out(self, live: Live, connection: Connection) -> bool:
        connection.pong(self.n)
        return False


class Ping(Out, tag="ping", frozen=True):
    """Answered at once with `pong`."""

    n: int


class WindowOut(Out, tag="window", frozen=True):
    """The live window at a ply: `open` is the cue, then who has `pressed`, the seats of a dead heat on which the others
    `vote` (`until`: milliseconds left to vote), and the `ruling`, a list of `{seat, move, reaction, lag, score, verdict}`
    with the verdicts `stole`, `failed`, `late`, `early`, `undecided`, `unclear`, `release` and `too late` (a release after
    a theft)."""

    ply: int
    open: bool | UnsetType = UNSET
    pressed: list[int] | UnsetType = UNSET
    vote: list[int] | UnsetType = UNSET
    until: int | UnsetType = UNSET
    ruling: list[dict[str, Any]] | UnsetType = UNSET
