"""A live table: a table in memory with everybody connected to it.

Whatever is asked here goes one way: a decision makes an entry, the entry becomes durable in the journal, then the table
applies it, and then everybody is told. One request at a time.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from spellheist.core.refused import Refused
from spellheist.core.state import ANYONE
from spellheist.server.race.race import Race
from spellheist.server.store import Append, Taken, Unavailable, Unsettled, Unsure
from spellheist.server.table.actions.proposing import follows
from spellheist.server.table.bot_turns import BotTurns
from spellheist.server.table.clocks import Clocks
from spellheist.server.table.connections import Connection
from spellheist.server.table.journal import Decided, Decision, Entry, encode
from spellheist.server.table.messages import HOST, AlreadyDone, Asker, Message, Who
from spellheist.server.table.rights import ARCHIVED, NoTable, NotYours, Quicker, attend, mine
from spellheist.server.table.rows import OFTEN, due_of, row_of
from spellheist.server.table.table import Table
from spellheist.server.table.telling import Before, Telling

if TYPE_CHECKING:
    from spellheist.server.service import Service

log = logging.getLogger("spellheist")
NOT_YOURS, NO_TABLE = 4403, 4404  # close codes: of who may no longer be here, and of a table that is archived
SNAPSHOT = 100  # entries between two snapshots


class Done(NamedTuple):
    """What was carried out, and whether telling it has answered the message that asked for it."""

    entry: Entry
    answered: bool


class Live:
    """One table and everybody connected to it."""

    def __init__(self, service: Service, table: Table) -> None:
        self.service = service
        self.table = table
        self.connections: set[Connection] = set()
        self.present: Counter[int | None] = Counter()  # how many connections each seat has, and watchers
        self.lock = asyncio.Lock()
        self.telling = Telling(self)
        self.clocks = Clocks(self)
        self.bots = BotTurns(self)
        self.race = Race(self)
        self.noted: tuple[object, ...] = ()
        self.used = service.clock()
        self.gone = False  # archived: nothing happens here any more

    # What is asked.

    async def hear(self, connection: Connection, message: Message) -> None:
        """Do what a message asks, and answer it. A connection that has been ended is not heard any more."""
        if connection.ended.is_set():
            return
        number = getattr(message, "id", None)
        try:
            if connection.seat is None:
                self.admit(connection, message)
            unanswered = await message.carry_out(self, connection)
        except AlreadyDone as before:
            self.telling.did(connection, number or 0, before.ply)
        except Unsettled:  # neither yes nor no would be true: the page connects anew and asks again
            connection.end()
        except Refused as refusal:
            self.telling.refuse(connection, number, refusal)
            if message.answers_ply and getattr(message, "ply", None) != self.table.play.ply:
                self.telling.show(connection)
        else:
            if unanswered:
                self.telling.did(connection, number or 0)

    def admit(self, connection: Connection, message: Message) -> None:
        """Refuses a message that is not for those without a seat."""
        host = bool(connection.token) and connection.token == self.table.made.host
        if message.who is Who.SEATED or (message.who is Who.HOST and not host):
            raise NotYours("Watchers cannot do that.")

    async def once(self, connection: Connection, number: int, decide: Callable[[Table, Asker, int], Decision]) -> bool:
        """Carry something out unless this message was carried out before. Is it still to be answered?"""
        asker = connection.asker

        def checked(table: Table, now: int) -> Decision:
            before = table.did.get(asker.seat, {}).get(number)
            if before is not None:
                raise AlreadyDone(before)
            if asker.seat != HOST:
                mine(table, asker.seat, asker.token)
            return decide(table, asker, now)

        done = await self.carry_out(checked)
        return done is None or not done.answered or connection not in self.connections

    # Changing the table.

    async def carry_out(self, decide: Callable[[Table, int], Decision]) -> Done | None:
        """Do what somebody asks, if it is allowed; None when there is nothing to do."""
        async with self.lock:
            for _ in range(3):
                self.used = now = self.service.clock()
                decision = decide(self.table, now)
                if decision is None:
                    return None
                try:
                    done = await self.write(decision, now)
                    following = follows(self.table, now)
                    if following:
                        await self.write(following, now)
                    return done
                except Taken:  # another server has moved this table on, or somebody has archived it
                    await self.reload()
                except Unsure:
                    log.error("an entry could not be written", exc_info=True)
                    await self.find_out(decide)
        raise Quicker("Somebody else was quicker; try again.")

    async def write(self, decision: Entry | Decided, now: int) -> Done:
        """Make an entry durable, apply it, tell everybody."""
        entry, ahead = decision if isinstance(decision, Decided) else (decision, None)
        table, service = self.table, self.service
        if table.broken and not entry.when_broken:
            raise Refused(table.broken)
        entry = msgspec.structs.replace(entry, at=service.now(), t=now)
        number = table.count + 1
        snapshot = table.truth if number % SNAPSHOT == 0 and table.begun else None
        cancelled = await self.keep(Append(table.name, number, encode(entry), None, entry.holders(), snapshot))
        before = Before(table.state, table.wish, table.said)
        table.apply(entry, ahead)
        answered = self.telling.tell(entry, before)
        self.note()
        self.follow()
        if cancelled:
            raise cancelled
        return Done(entry, answered)

    async def keep(self, what: Append) -> asyncio.CancelledError | None:
        """Make an entry durable. Whoever is cancelled meanwhile goes on until it is, and is cancelled then."""
        writing = self.service.store.append(what)
        cancelled = None
        try:
            await writing
        except asyncio.CancelledError as error:  # which a `Writing` answers when it is settled
            cancelled = error
            if writing.exception():
                raise
        self.service.counts.entries += 1
        return cancelled

    async def find_out(self, decide: Callable[[Table, int], Decision]) -> None:
        """Nobody knows whether an entry was written: the journal does."""
        try:
            await self.reload()
        except Unavailable:
            raise Unsettled("The journal cannot be read now; check later whether this was done.") from None
        decide(self.table, self.service.clock())  # if it was written after all, this says so
        raise Refused("The journal cannot be written now; try again.")

    async def reload(self) -> None:
        """Read the journal again, and show everybody where the table stands."""
        said = self.table.said
        try:
            self.table = await self.service.read(self.table.name)
        except NoTable:
            self.give_up()
            raise
        self.dismiss()
        self.telling.tell_table()
        self.telling.show_all()
        self.telling.tell_chat(said)

    async def look_again(self) -> None:
        """Somebody else may have moved this table on."""
        async with self.lock:
            if await self.service.store.count(self.table.name) != self.table.count:
                await self.reload()
                self.follow()

    # What follows by itself.

    def note(self) -> None:
        """Keep the row for lists up to date. It is no truth: what it says is read from the journal again."""
        table = self.table
        due = due_of(table, table.due())
        noted = (table.state, due and due // OFTEN, table.updated // 60_000)
        if noted != self.noted:
            self.noted = noted
            self.service.store.note(row_of(table))

    def follow(self) -> None:
        """See to whatever is next: a window, a bot's move, a clock."""
        if self.gone:
            return
        if self.race.on or self.table.play.turn == ANYONE:
            self.race.follow()
        self.clocks.set(self.table.due())
        self.bots.follow()

    # Coming and going.

    async def join(self, connection: Connection) -> None:
        """Somebody connects."""
        async with self.lock:
            self.used = self.service.clock()
            if self.gone:
                connection.end()
                return
            self.connections.add(connection)
            self.present[connection.seat] += 1
            self.dismiss([connection])  # whose seat it is may have changed since it was opened
            if connection in self.connections:
                self.telling.welcome(connection)
                self.follow()

    def leave(self, connection: Connection) -> None:
        if connection in self.connections:
            self.drop(connection)
            self.used = self.service.clock()
            self.telling.tell_here_soon()

    def drop(self, connection: Connection) -> None:
        self.connections.discard(connection)
        self.present[connection.seat] -= 1
        if not any(other.seat == connection.seat for other in self.connections):
            self.telling.forget(connection.looks_from)

    def dismiss(self, connections: Iterable[Connection] | None = None) -> None:
        """End every connection, or every one of these, that may no longer be here. This is asked after every entry that
        could change it, and after every reload, before anything else is told."""
        for connection in [*(self.connections if connections is None else connections)]:
            try:
                attend(self.table, connection.seat, connection.token)
            except NotYours as refusal:
                connection.end(NOT_YOURS, str(refusal))
                self.drop(connection)

    def may_look(self, connection: Connection) -> bool:
        return connection.seat is not None or self.table.public

    @property
    def watching(self) -> int:
        return self.present[None]

    def left(self) -> int | None:
        """The milliseconds that whoever is asked has left."""
        deadline = self.table.deadline()
        return None if deadline is None else max(0, deadline - self.service.clock())

    def give_up(self) -> None:
        """The table was archived, and whoever is connected is told so."""
        self.gone = True
        if self.service.tables.get(self.table.name) is self:
            del self.service.tables[self.table.name]
        self.stop()
        for connection in self.connections:
            connection.end(NO_TABLE, ARCHIVED)

    def stop(self) -> None:
        self.race.stop()
        self.telling.stop()
        self.clocks.stop()
        self.bots.stop()
