"""A rematch: the same people go on at another table."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from spellheist.core.play import new
from spellheist.core.refused import Refused
from spellheist.server.table.actions.making import Made, Seating
from spellheist.server.table.journal import Entry, deck_hash
from spellheist.server.table.messages import AlreadyDone, Request
from spellheist.server.table.table import Chair, Table

if TYPE_CHECKING:
    from spellheist.server.table.connections import Connection
    from spellheist.server.table.live import Live


class Rematch(Entry, tag="rematch", frozen=True):
    """The same people go on at another table."""

    survives = True
    when_broken = True

    table: str
    seat: int = 0
    id: int = 0

    def apply(self, table: Table) -> None:
        table.rematch = self.table


class Again(Request, tag="rematch", frozen=True):
    """A new table for the same people, once the game has ended."""

    async def carry_out(self, live: Live, connection: Connection) -> bool:
        """The other table is made first, then this one points to it."""
        if live.table.rematch:
            raise AlreadyDone(live.table.play.ply)
        live.service.rate_limits.tables.take(connection.address)
        name = await live.service.make(again(live.table, secrets.token_bytes(32), connection.token))
        return await live.once(
            connection, self.id,
            lambda table, asker, now: None if table.rematch else Rematch(table=name, seat=asker.seat, id=self.id),
        )  # fmt: skip


def again(table: Table, secret: bytes, token: str) -> Made:
    """A table for the same people with the same settings."""
    made = table.made
    if table.state not in ("over", "closed"):
        raise Refused("A rematch comes after the game.")
    play = new(table.game, made.seats, dict(made.settings))
    return Made(
        game=made.game, seats=made.seats, signature=table.game.signature, deck=deck_hash(play.bytes),
        settings=made.settings, secret=secret.hex(), host=token, chairs=[seated_again(chair) for chair in table.chairs],
        clock=made.clock, listed=made.listed, watchers=made.watchers, hints=made.hints, leavers=made.leavers,
        compensation=made.compensation,
    )  # fmt: skip


def seated_again(chair: Chair) -> Seating:
    """A chair at the next table. That of somebody who was removed, or had given up for good, is open."""
    if chair.kind == "bot":
        return Seating("bot", chair.name, chair.level)
    stays = chair.token and not chair.final
    return Seating("person", chair.name, token=chair.token) if stays else Seating("open")
