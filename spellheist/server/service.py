"""The service: all tables of this server that are in memory. A table is read from its journal when somebody first
asks for it, and forgotten when nobody has for a while; the journal is the truth.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import secrets
import sys
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import msgspec

from spellheist.core import kernel
from spellheist.core.game import Game, Refused, find, names
from spellheist.core.warm import warm_up
from spellheist.server.limits import Limits
from spellheist.server.people import People
from spellheist.server.process.bot_pool import FIRST, Pool
from spellheist.server.process.metrics import Board, Counts
from spellheist.server.process.supervisor import Delay, Supervisor
from spellheist.server.process.workers import owner
from spellheist.server.race.arbiter import Times
from spellheist.server.race.race import Pulse
from spellheist.server.rate_limits import Shares
from spellheist.server.store import Append, Row, Store, Unavailable, Unsure
from spellheist.server.table import journal as e
from spellheist.server.table.decisions import ARCHIVED, NoTable
from spellheist.server.table.live import Live, holders, row_of
from spellheist.server.table.replays import Retold
from spellheist.server.table.table import Table, Unreadable, why_broken
from spellheist.server.table.views import eyes_for

IDLE = 300_000  # milliseconds after which an empty table is forgotten
BEAT = 1.0  # seconds between two notes of the service's time
LULL = 3000  # milliseconds that are counted of a while in which the clock was not looked at
GLIMPSE = 30_000  # milliseconds for which a list may show another worker's running game as it was
SWEEP = 5.0  # seconds between two looks at what is due
LIST = 50  # rows of a list
DUE, OLD = 100, 20  # tables that are seen to at one look
PATIENCE = 10.0  # seconds that a look waits for a table that is being read
WRITES = 1.5  # seconds within which a store that can be written is written
ENDING = 20.0  # seconds for each step of the end
SPARED = (10.0, 600.0)  # seconds that a table which failed is left alone by the sweep: at first, at most

log = logging.getLogger("spellheist")


@dataclass
class Settings:
    """How a server is set up."""

    public_url: str = ""  # the address that people open, without a slash at its end
    url_given: bool = False  # by whoever runs the server; else it was found out
    pace: float = 0.8  # seconds that a bot waits before it moves
    thinkers: int = 2  # processes for bots
    bots: str = kernel.MODE  # how their code runs
    rate: float = 1.0  # factor on all limits that are for each address or seat; 0: no such limits
    limits: Limits = field(default_factory=Limits)
    proxies: tuple[str, ...] = ()  # besides those of this machine, that are believed who asks
    metrics_token: str = ""  # with which figures are told to others than this machine
    slice: float = 0.001  # seconds of work on a long answer after which others have their turn
    soon: float = 0.5  # seconds in which those who come and go are told of together
    times: Times = field(default_factory=Times)  # of the live window
    grace: float = 10.0  # seconds after a start in which nobody runs out of time
    keep_days: int = 90  # days after which a table that nobody touches is archived
    workers: int = 1  # processes that share the tables
    number: int = 0  # of this one
    board: Board | None = None  # where workers note their figures for each other


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
        self.shares = Shares(settings.limits, settings.rate, settings.slice)
        self.retold = Retold(self.shares.labour)
        self.tables: dict[str, Live] = {}
        self.reading: dict[str, asyncio.Task[Live]] = {}
        self.warmed: dict[str, asyncio.Task[None]] = {}
        self.ran, self.looked = 0.0, time.monotonic() * 1000  # the service's time, and when it was last looked at
        self.grace = 0  # before this nobody runs out of time: people are still finding their way back
        self.resting: dict[str, Delay] = {}  # games whose rules could not be loaded
        self.spared: dict[str, tuple[Delay, float]] = {}  # tables that failed, and until when the sweep passes them by
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
            self.supervisor.finish("warming", self.warm_all)
        self.supervisor.every("sweep", SWEEP, self.sweep)

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
            for line in live.lines:
                line.end()

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

    # Getting ready.

    async def warm_all(self) -> None:
        """Compile all games, and then all bots. One game that fails does not keep the others waiting."""
        failed = []
        for name in names():
            try:
                await self.ready(find(name))
            except Refused as refusal:
                failed.append(refusal)
        if failed:
            raise failed[0]
        gc.collect()
        gc.freeze()  # what is loaded by now stays, and need not be searched for garbage again and again
        for name in names() if self.pool.needs_compiling else ():
            await asyncio.wait({self.pool.begin_to_warm(find(name))}, timeout=FIRST)

    async def ready(self, game: Game) -> None:
        """Wait until a game's rules are compiled. That happens in a process of its own and is then loaded in a thread:
        never where tables wait."""
        if kernel.PLAIN:
            return
        if game.name not in self.warmed:
            self.warmed[game.name] = self.start(self._warm(game), "warming")
        try:
            await asyncio.shield(self.warmed[game.name])
        except Exception:  # which was logged, and is tried again after a while
            raise Refused(f"The rules of {game.title} cannot be loaded now; try again in a moment.") from None

    async def _warm(self, game: Game) -> None:
        try:
            await self._compile(game)
        except OSError as error:  # no process could be begun: then the thread has to do it
            self.supervisor.fault("warming", error)
        try:
            await asyncio.to_thread(warm_up, game)
            await asyncio.to_thread(eyes_for, game.name)
        except Exception:
            wait = self.resting.setdefault(game.name, Delay()).next()
            asyncio.get_running_loop().call_later(wait, self.warmed.pop, game.name, None)
            raise
        log.info("ready", extra={"game": game.name})

    async def _compile(self, game: Game) -> None:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "spellheist", "warm", game.name, stdout=asyncio.subprocess.DEVNULL,
            env={**os.environ, "SPELLHEIST_KERNEL": kernel.MODE},
        )  # fmt: skip
        try:
            await process.wait()
        finally:
            if process.returncode is None:
                process.kill()

    # Now and then.

    async def sweep(self) -> None:
        """Forget what nobody uses, hear what others have written, read tables whose clock has run out, archive old ones.
        A part that fails does not keep the next ones from being done."""
        failed = []
        for part in (self.forget, self.look_elsewhere, self.people.check, self.wake_all, self.archive_old):
            try:
                await part()
            except Exception as error:
                failed.append(error)
        if failed:
            raise ExceptionGroup("parts of the sweep failed", failed)

    async def forget(self) -> None:
        clock = self.clock()
        self.glimpsed = {name: live for name, live in self.glimpsed.items() if clock - live.used < self.stale(live)}
        self.counts.post()
        for name, live in list(self.tables.items()):
            if not live.lines and not live.bot and not live.lock.locked() and clock - live.used > IDLE:
                live.stop()
                del self.tables[name]

    async def wake_all(self) -> None:
        await self.see_to(await self.store.due(self.clock(), DUE + len(self.spared)), self.wake)

    async def archive_old(self) -> None:
        before = self.now() - 86_400_000 * self.settings.keep_days
        await self.see_to(await self.store.old(before, OLD + len(self.spared)), partial(self.archive, before=before))

    async def see_to(self, tables: list[str], work: Callable[[str], Coroutine[Any, Any, None]]) -> None:
        """Do something for each of these tables that are ours. One that fails keeps none of the others from being seen to,
        and is left alone for a while; one that takes long is not waited for."""
        now = time.monotonic()
        self.spared = {name: (delay, until) for name, (delay, until) in self.spared.items() if now < until + SPARED[1]}
        ours = [name for name in tables if self.owns(name) and self.spared.get(name, (None, 0.0))[1] <= now]
        begun = {self.start(self.try_for(name, work), "sweep") for name in ours}
        if begun:
            await asyncio.wait(begun, timeout=PATIENCE)

    async def try_for(self, name: str, work: Callable[[str], Coroutine[Any, Any, None]]) -> None:
        try:
            await work(name)
        except (NoTable, Unreadable):  # archived meanwhile, or set aside
            pass
        except Exception as error:
            delay, _ = self.spared.get(name, (Delay(*SPARED), 0.0))
            self.spared[name] = delay, time.monotonic() + delay.next()
            self.supervisor.fault("sweep", error)
            return
        self.spared.pop(name, None)

    async def wake(self, name: str) -> None:
        """See to a table whose clock has run out while it was not in memory."""
        if name not in self.tables and name not in self.reading:
            live = await self.live(name)
            live.note()

    async def look_elsewhere(self) -> None:
        """Somebody beside this server may have written: `spellheist tables`, or another worker. Pages hear of it now."""
        known = {name: live.table.count for name, live in self.tables.items() if live.lines}
        moved = await self.store.elsewhere(known)
        if moved:
            self.moved_on(moved)

    async def archive(self, name: str, before: int | None = None) -> None:
        """Keep only the record of a table, unless it was used since; of one that cannot be read there is none."""
        try:
            table = await self.read(name)
            if before is not None and not table.broken and table.updated >= before:  # its row was wrong
                self.store.note(row_of(table))
                return
            if table.state not in ("over", "closed", "frozen"):
                table.state = "closed"
            text = "" if table.broken else (await self.retold.record(table, None, None)).decode()
        except Unreadable:
            text = ""
        await self.store.archive(name, text)
        if name in self.tables:
            self.tables[name].give_up()

    # Tables.

    def moved_on(self, names: list[str] | None) -> None:
        """Another server says that it has moved these tables on (None: any may have moved): look again."""
        for live in [self.tables[name] for name in names or self.tables if name in self.tables]:
            self.start(live.look_again())

    async def make(self, made: e.Made) -> str:
        """A new table, durable before its name is told."""
        name = secrets.token_urlsafe(12)
        while not self.owns(name) or name.startswith("-"):  # which would be an option on the command line
            name = secrets.token_urlsafe(12)
        made = msgspec.structs.replace(made, at=self.now(), t=self.clock())
        table = Table(name)
        table.apply(made)
        try:
            await self.store.append(Append(name, 1, e.encode(made), row_of(table), holders(made)))
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
        try:
            made = e.decode(bodies[0]) if bodies else None
        except e.Damaged as damage:
            made = damage
        if not isinstance(made, e.Made):  # what follows a journal that is gone was once written after it was archived
            row = await self.store.row(name)
            if row is None and not bodies:
                raise NoTable("There is no such table.")
            if row and row.record is not None:
                raise NoTable(ARCHIVED)
            raise Unreadable(why_broken(made or e.Damaged("is gone"), 1))
        try:
            game = find(made.game)
        except Refused:
            raise Unreadable(f"The game {made.game!r} is not here any more, so this table cannot go on.") from None
        await self.ready(game)
        table = Table.read(name, bodies, await self.store.snapshot(name))
        if table.broken:  # there may be holes in it: what closes it comes after everything else
            table.count = await self.store.count(name)
        return table


def frozen(row: Row) -> Row:
    """The row of a table that cannot be read."""
    return replace(row, state=row.state if row.state in ("over", "closed") else "frozen", due=None)
