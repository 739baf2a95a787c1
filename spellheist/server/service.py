"""The service: all tables of this server that are in memory. A table is read from its journal when somebody first
asks for it, and forgotten when nobody has for a while; the journal is the truth.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Coroutine
from dataclasses import replace
from typing import Any

import msgspec

from spellheist.core import kernel
from spellheist.core.game import Game, find
from spellheist.core.refused import Refused
from spellheist.server.people import People
from spellheist.server.process.bot_pool import Pool
from spellheist.server.process.metrics import Counts
from spellheist.server.process.supervisor import Supervisor
from spellheist.server.process.workers import owner
from spellheist.server.race.race import Pulse
from spellheist.server.rate_limits import RateLimits
from spellheist.server.settings import Settings
from spellheist.server.store import Append, Store, TableRow, Unavailable, Unsure
from spellheist.server.sweep import Sweep
from spellheist.server.table.actions import read_entry
from spellheist.server.table.actions.making import Made
from spellheist.server.table.journal import Damaged, encode
from spellheist.server.table.live import Live
from spellheist.server.table.reading import Unreadable, read_table, why_broken
from spellheist.server.table.replays import Replays
from spellheist.server.table.rights import ARCHIVED, NoTable
from spellheist.server.table.rows import row_of
from spellheist.server.table.table import Table
from spellheist.server.warming import Warming

BEAT = 1.0  # seconds between two notes of the service's time
LULL = 3000  # milliseconds that are counted of a while in which the clock was not looked at
GLIMPSE = 30_000  # milliseconds for which a list may show another worker's running game as it was
SWEEP = 5.0  # seconds between two looks at what is due
LIST = 50  # rows of a list
WRITES = 1.5  # seconds within which a store that can be written is written
ENDING = 20.0  # seconds for each step of the end

log = logging.getLogger("spellheist")


class Service:
    """Tables, bots and the store."""

    def __init__(self, store: Store, settings: Settings, pool: Pool | None = None) -> None:
        self.store = store
        self.settings = settings
        self.supervisor = Supervisor()
        self.pool = pool or Pool(settings.thinkers, mode=settings.bots)
        self.pool.supervisor = self.supervisor
        self.counts = Counts(self)
        self.people = People(self)
        self.pulse = Pulse()
        self.rate_limits = RateLimits(settings.limits, settings.rate, settings.slice)
        self.replays = Replays(self.rate_limits.work)
        self.warming = Warming(self)
        self.sweep = Sweep(self)
        self.tables: dict[str, Live] = {}
        self.reading: dict[str, asyncio.Task[Live]] = {}
        self.ran, self.looked = 0.0, time.monotonic() * 1000  # the service's time, and when it was last looked at
        self.grace = 0  # before this nobody runs out of time: people are still finding their way back
        self.probe: asyncio.Task[bool] | None = None  # a small write that is under way
        self.glimpsed: dict[str, Live] = {}  # tables of other workers, as they were lately

    def owns(self, name: str) -> bool:
        """Is this table in the care of this worker?"""
        return owner(name, self.settings.workers) == self.settings.number

    def now(self) -> int:
        """The time in milliseconds since 1970."""
        return time.time_ns() // 1_000_000

    def clock(self) -> int:
        """The milliseconds that the service has run, on which everybody's time is counted: kept in the store, and
        standing still while no server runs. Steps of the time of day do not touch it, and of a while in which this
        process was held up, so that nobody could be heard, it counts little."""
        now = time.monotonic() * 1000
        self.ran += min(now - self.looked, LULL)
        self.looked = now
        return int(self.ran)

    async def beat(self) -> None:
        """Keep the service's time, and go by that of a server which is ahead."""
        kept = await self.store.beat(self.clock())
        self.ran = max(self.ran, kept)  # which has gone on meanwhile, and never goes back

    # Its life.

    async def open(self) -> None:
        if hasattr(self.store, "moved"):
            self.store.moved = self.moved_on
        if hasattr(self.store, "supervisor"):
            self.store.supervisor = self.supervisor
        await self.store.open()
        await self.beat()
        self.grace = self.clock() + int(1000 * self.settings.grace)
        self.supervisor.every("heartbeat", BEAT, self.beat, SWEEP)
        if not kernel.PLAIN or self.pool.needs_compiling:
            self.supervisor.finish("warming", self.warming.warm_all)
        self.supervisor.every("sweep", SWEEP, self.sweep.run)

    async def close(self) -> None:
        """Stop: nothing more is begun, what is being written is finished. A step that fails does not keep the next ones
        from being taken."""
        for step in (self._leave_tables, self.supervisor.close, self._finish_tables, self.pool.close, self.store.close):
            try:
                async with asyncio.timeout(ENDING):
                    await step()
            except Exception as error:
                self.supervisor.fault("other", error)

    async def _leave_tables(self) -> None:
        for live in self.tables.values():
            live.stop()
            for connection in live.connections:
                connection.end()

    async def _finish_tables(self) -> None:
        for live in self.tables.values():
            async with live.lock:
                pass

    def start(self, work: Coroutine[Any, Any, Any], name: str = "other") -> asyncio.Task[Any]:
        """Do something once, beside everything else; what goes wrong in it is logged and counted."""
        return self.supervisor.start(work, name)

    async def can_write(self) -> bool:
        """Can the store be written now? It is tried, once for all who ask meanwhile."""
        if self.probe is None or self.probe.done():
            self.probe = self.start(self._write())
        await asyncio.wait({self.probe}, timeout=WRITES)
        return self.probe.done() and not self.probe.cancelled() and self.probe.result()

    async def _write(self) -> bool:
        try:
            await self.store.beat(0)
        except Exception as error:  # whatever it is, this is what was asked
            log.warning("the store cannot be written: %s", error)
            return False
        return True

    async def ready(self, game: Game) -> None:
        """Wait until a game's rules can be run."""
        await self.warming.ready(game)

    # Tables.

    async def archive(self, name: str, before: int | None = None) -> None:
        """Keep only the record of a table, unless it was used since; of one that cannot be read there is none."""
        try:
            table = await self.read(name)
            if before is not None and not table.broken and table.updated >= before:  # its row was wrong
                self.store.note(row_of(table))
                return
            if table.state not in ("over", "closed", "frozen"):
                table.state = "closed"
            text = "" if table.broken else (await self.replays.record(table, None, None)).decode()
        except Unreadable:
            text = ""
        await self.store.archive(name, text)
        if name in self.tables:
            self.tables[name].give_up()

    def moved_on(self, names: list[str] | None) -> None:
        """Another server says that it has moved these tables on (None: any may have moved): look again."""
        for live in [self.tables[name] for name in names or self.tables if name in self.tables]:
            self.start(live.look_again())

    async def make(self, made: Made) -> str:
        """A new table, durable before its name is told."""
        name = secrets.token_urlsafe(12)
        while not self.owns(name) or name.startswith("-"):  # which would be an option on the command line
            name = secrets.token_urlsafe(12)
        made = msgspec.structs.replace(made, at=self.now(), t=self.clock())
        table = Table(name)
        table.apply(made)
        try:
            await self.store.append(Append(name, 1, encode(made), row_of(table), made.holders()))
        except Unsure as error:
            log.error("a table could not be written: %s", error)
            raise Unavailable("No table can be written now; try again.") from None
        self.counts.entries += 1
        self.tables[name] = Live(self, table)
        return name

    async def live(self, name: str) -> Live:
        """The table of a name, read if it has to be."""
        live = self.tables.get(name)
        if live is not None:
            return live
        if not self.owns(name):  # an address that the gate could not read: no page asks like that
            raise NoTable("There is no such table.")
        if name not in self.reading:
            task = self.reading[name] = self.start(self._read_live(name))
            task.add_done_callback(lambda _: self.reading.pop(name, None))
        return await asyncio.shield(self.reading[name])

    async def glimpse(self, name: str) -> Live:
        """The table of a name, for a list. One of another worker may have moved on a few seconds ago."""
        if self.owns(name):
            return await self.live(name)
        if name not in self.glimpsed:
            self.glimpsed[name] = Live(self, await self.read(name))
        return self.glimpsed[name]

    def stale(self, live: Live) -> int:
        """Milliseconds after which another worker's table is looked at again: sooner where people gather, which is also
        where its journal is short."""
        return 0 if live.table.state == "gathering" else GLIMPSE

    async def _read_live(self, name: str) -> Live:
        """Read a table. One that cannot go on is set aside: it is in no list of open tables, and never due."""
        try:
            table = await self.read(name)
        except Unreadable:
            row = await self.store.row(name)
            if row:
                self.store.note(frozen(row))
            raise
        live = self.tables[name] = Live(self, table)
        if table.broken:
            live.note()
        live.follow()
        return live

    async def read(self, name: str) -> Table:
        """The table of a name, from its journal."""
        bodies = await self.store.entries(name)
        made: Any = None
        try:
            made = read_entry(bodies[0]) if bodies else None
        except Damaged as damage:
            made = damage
        if not isinstance(made, Made):  # what follows a journal that is gone was once written after it was archived
            row = await self.store.row(name)
            if row is None and not bodies:
                raise NoTable("There is no such table.")
            if row and row.record is not None:
                raise NoTable(ARCHIVED)
            raise Unreadable(why_broken(made or Damaged("is gone"), 1))
        try:
            game = find(made.game)
        except Refused:
            raise Unreadable(f"The game {made.game!r} is no longer here, so this table cannot go on.") from None
        await self.ready(game)
        table = read_table(name, bodies, await self.store.snapshot(name))
        if table.broken:  # there may be holes in it: what closes it comes after everything else
            table.count = await self.store.count(name)
        return table


def frozen(row: TableRow) -> TableRow:
    """The row of a table that cannot be read."""
    return replace(row, state=row.state if row.state in ("over", "closed") else "frozen", due=None)
