"""Leaving: before the game a seat is free again, during it a bot plays on, and whoever resigns does not come back."""

from __future__ import annotations

from spellheist.core.refused import Refused
from spellheist.server.table import levels
from spellheist.server.table.journal import Entry
from spellheist.server.table.messages import Asker, Request
from spellheist.server.table.rights import mine, playing
from spellheist.server.table.table import Chair, Table

BOT_PLAYS = "A bot already plays there."


class Rose(Entry, tag="rose", frozen=True):
    """A person gave up a seat before the game began, or was sent away by the host."""

    survives = True

    seat: int
    id: int = 0
    by_host: bool = False
    asker: int | None = None  # the seat whose message `id` is, where it is another one

    def apply(self, table: Table) -> None:
        if self.by_host:
            table.remove(table.chairs[self.seat])
        table.chairs[self.seat] = Chair("open", "")
        table.name_chairs()


class Away(Entry, tag="away", frozen=True):
    """A bot plays for a person from here on; `final` when the person cannot come back."""

    tells = ("table", "views")
    survives = True

    seat: int
    level: str
    final: bool = False
    by_host: bool = False  # removed by others
    asker: int | None = None  # the seat whose message `id` is, where it is another one
    id: int = 0
    spent: int = 0

    def apply(self, table: Table) -> None:
        chair = table.chairs[self.seat]
        chair.away, chair.level, chair.final = True, self.level, self.final
        table.since, table.spent = self.t, self.spent
        if self.by_host:
            table.remove(chair)
        if table.wish and self.seat in (table.wish.by, *table.wish.waits_for):
            table.wish = None
        proposal = table.proposal
        if proposal and (self.by_host or (self.final and self.seat in (proposal.by, proposal.about))):
            table.proposal = None
        elif proposal and self.seat in proposal.waits_for:
            proposal.waits_for.remove(self.seat)


class Resigned(Entry, tag="resigned", frozen=True):
    """With two sides: a person gave up, or ran out of time, and the game is lost for that side."""

    tells = ("table", "views")

    seat: int
    id: int = 0
    late: bool = False

    def apply(self, table: Table) -> None:
        sides = table.sides()
        left = [seat for seat in range(table.seats) if sides[seat] != sides[self.seat]]
        table.end("over", [1 / len(left) if seat in left else 0.0 for seat in range(table.seats)])
        name = table.chairs[self.seat].name
        table.reason = f"{name} ran out of time." if self.late else f"{name} resigned."


class Resign(Request, tag="resign", frozen=True):
    """Gives up; with two sides the game ends as lost, with more a bot plays on for good."""

    def decide(self, table: Table, asker: Asker, now: int) -> Resigned | Away:
        playing(table)
        if table.chairs[asker.seat].away:
            raise Refused(BOT_PLAYS)
        if table.two_sides():
            return Resigned(seat=asker.seat, id=self.id)
        level = levels.STAND_IN
        return Away(seat=asker.seat, level=level, final=True, id=self.id, spent=table.used(now))


def rise(table: Table, seat: int, token: str, now: int) -> Rose | Away:
    """Leave a seat: before the game it is free again, during it a bot plays on."""
    mine(table, seat, token)
    if table.state in ("gathering", "promising"):
        if table.state == "promising":
            raise Refused("The game is just beginning.")
        return Rose(seat=seat)
    playing(table)
    if table.chairs[seat].away:
        raise Refused(BOT_PLAYS)
    if table.made.leavers == "wait" and table.two_sides():
        raise Refused("This table waits for people who leave. To give up, resign.")
    return Away(seat=seat, level=levels.STAND_IN, spent=table.used(now))


def removal(table: Table, seat: int, now: int, by: int | None = None, number: int = 0) -> Away:
    """Others have removed somebody from a running game."""
    return Away(seat=seat, level=levels.STAND_IN, final=True, by_host=True, asker=by, id=number, spent=table.used(now))
