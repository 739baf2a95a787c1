"""Moving: a decision, and the chance that follows it. Where anyone may move, a move is a press."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from spellheist.core.play import Ahead
from spellheist.core.refused import Refused
from spellheist.server.table.actions.leaving import Resigned
from spellheist.server.table.journal import Decided, Decision, Entry, Plies, checksum
from spellheist.server.table.messages import Asker, Number, Request
from spellheist.server.table.rights import playing
from spellheist.server.table.table import RECENT, Table

if TYPE_CHECKING:
    from spellheist.server.table.connections import Connection
    from spellheist.server.table.live import Live

STALE = "The game has moved on since."


class Moved(Entry, tag="moved", frozen=True):
    """A decision with the chance plies that follow it."""

    tells = ("plies",)

    seat: int
    plies: Plies
    check: int
    id: int = 0
    by: str = ""  # the bot that decided, where it was not the person
    late: bool = False  # because the person's time was over
    spent: int = 0

    def apply(self, table: Table, ahead: Ahead | None = None) -> None:
        if self.spent:  # kept, should the move be taken back
            table.took[len(table.play.plies)] = self.spent
            if len(table.took) > RECENT:
                del table.took[next(iter(table.took))]
        if self.late:
            table.say(f"{table.chairs[self.seat].name} ran out of time, so a bot made this move.", self.at)
        table.advance(self.plies, self.check, self.t, ahead)


class Move(Request, tag="move", frozen=True):
    """Plays a move in answer to the question at `ply`; `id` is a number that is new for this seat (the time in milliseconds
    will do)."""

    answers_ply = True

    ply: Number
    move: Number

    async def carry_out(self, live: Live, connection: Connection) -> bool:
        if live.race.ply == self.ply:  # where presses are ruled on, it is one
            return await Press(id=self.id, ply=self.ply, move=self.move).carry_out(live, connection)
        return await live.once(connection, self.id, self.decide)

    def decide(self, table: Table, asker: Asker, now: int) -> Decided:
        return move(table, asker.seat, self.ply, self.move, now, self.id)


class Press(Request, tag="press", frozen=True):
    """Where anyone may move: a move with the time from shown to pressed in milliseconds, or null."""

    answers_ply = True

    ply: Number
    move: Number
    reaction: Annotated[float, Meta(ge=-1e6, le=1e9)] | None = None

    async def carry_out(self, live: Live, connection: Connection) -> bool:
        """In an open window presses are ruled on; else whoever comes first is first."""
        press = msgspec.structs.replace(self, ply=live.race.answers(self.ply, self.move))
        if not live.race.on:
            return await live.once(connection, self.id, press.decide)

        def once(decide: Callable[[Table, int], Decision]) -> Awaitable[bool]:
            return live.once(connection, self.id, lambda table, asker, now: decide(table, now))

        await live.race.press(connection, press, once)
        return True

    def decide(self, table: Table, asker: Asker, now: int) -> Decided:
        return move(table, asker.seat, self.ply, self.move, now, self.id)


def move(
    table: Table, seat: int, ply: int, chosen: int, now: int, number: int = 0, by: str = "", late: bool = False
) -> Decided:  # fmt: skip
    """A decision, with the chance that follows it."""
    if table.state != "playing":
        playing(table)
        raise Refused("The game is paused.")
    if table.chairs[seat].away and not by:
        raise Refused("A bot plays for you; take your seat back first.")
    if ply != table.play.ply:
        raise Refused(STALE)
    ahead = table.play.ahead(table.dice, (chosen, seat))
    moved = Moved(
        seat=seat, plies=ahead.plies, check=checksum(ahead.end), id=number, by=by, late=late, spent=table.used(now)
    )
    return Decided(moved, ahead)


def late(table: Table, now: int) -> Resigned | int | None:
    """Somebody's time is over: lost with two sides, else the seat whose move a bot makes. None: nobody's."""
    deadline = table.deadline()
    if deadline is None or now < deadline:
        return None
    seat = table.play.turn
    return Resigned(seat=seat, late=True) if table.two_sides() else seat
