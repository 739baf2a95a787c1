"""The hall: all tables of this server that are in memory. A table is read from its journal when somebody first
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
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from spellheist.core import kernel
from spellheist.core.game import Game, Refused, find, names
from spellheist.core.warm import warm_up
from spellheist.server import entries as e
from spellheist.server.gate import owner
from spellheist.server.house import NoTable
from spellheist.server.live import Live, holders, row_of
from spellheist.server.metrics import Board, Counts
from spellheist.server.sights import eyes_for
from spellheist.server.store import Append, Store
from spellheist.server.tables import Table
from spellheist.server.thinkers import Pool
from spellheist.server.window import Times

IDLE = 300_000  # milliseconds after which an empty table is forgotten
SWEEP = 5.0  # seconds between two looks at what is due
LIST = 50  # rows of a list
DUE, OLD = 100, 20  # tables that are seen to at one look

log = logging.getLogger("spellheist")


@dataclass
class Settings:
    """How a server is set up."""

    public_url: str = ""  # the address that people open, without a slash at its end
    pace: float = 0.8  # seconds that a bot waits before it moves
    thinkers: int = 2  # processes for bots
    bots: str = kernel.MODE  # how their code runs
    rate: float = 1.0  # factor on all limits of how often something may be asked; 0: no limits
    times: Times = field(default_factory=Times)  # of the live window
    keep_days: int = 90  # days after which a table that nobody touches is archived
    workers: int = 1  # processes that share the tables
    number: int = 0  # of this one
    board: Board | None = None  # where workers note their figures for each other


class Hall:
    """Tables, bots and the store."""

    def __init__(self, store: Store, settings: Settings, pool: Pool | None = None) -> None:
        self.store = store
        self.settings = settings
        self.pool = pool or Pool(settings.thinkers, mode=settings.bots)
        self.counts = Counts(self)
        self.tables: dict[str, Live] = {}
        self.reading: dict[str, asyncio.Task[Live]] = {}
        self.tasks: set[asyncio.Task[Any]] = set()
        self.warmed: dict[str, asyncio.Task[None]] = {}
        self.glimpsed: dict[str, Live] = {}  # tables of other workers, as they were lately

    def owns(self, name: str) -> bool:
        """Is this table in the care of this worker?"""
        return owner(name, self.settings.workers) == self.settings.number

    def now(self) -> int:
        """The time in milliseconds since 1970."""
        return time.time_ns() // 1_000_000

    # Its life.

    async def open(self) -> None:
        if hasattr(self.store, "moved"):
            self.store.moved = self.moved_on
        await self.store.open()
        if not kernel.PLAIN or self.pool.needs_compiling:
            self.start(self.warm_all())
        self.start(self.sweep())

    async def close(self) -> None:
        """Stop: nothing more is begun, what is being written is finished."""
        for live in self.tables.values():
            live.stop()
            for line in live.lines:
                line.end()
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        for live in self.tables.values():
            async with live.lock:
                pass
        await self.pool.close()
        await self.store.close()

    def start(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Do something beside everything else; what goes wrong in it is logged."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self.tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, Refused):  # a refusal was told to whoever asked
            log.error("a task failed", exc_info=error)

    async def warm_all(self) -> None:
        for name in names():
            await self.ready(find(name))
        gc.collect()
        gc.freeze()  # what is loaded by now stays, and need not be searched for garbage again and again
        for name in names() if self.pool.needs_compiling else ():
            await self.pool.begin_to_warm(find(name))

    async def ready(self, game: Game) -> None:
        """Wait until a game's rules are compiled. That happens in a process of its own and is then loaded in a thread:
        never where tables wait."""
        if kernel.PLAIN:
            return
        if game.name not in self.warmed:
            self.warmed[game.name] = self.start(self._warm(game))
        await asyncio.shield(self.warmed[game.name])

    async def _warm(self, game: Game) -> None:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "spellheist", "warm", game.name, stdout=asyncio.subprocess.DEVNULL,
            env={**os.environ, "SPELLHEIST_KERNEL": kernel.MODE},
        )  # fmt: skip
        try:
            await process.wait()
        finally:
            if process.returncode is None:
                process.kill()
        await asyncio.to_thread(warm_up, game)
        await asyncio.to_thread(eyes_for, game.name)
        log.info("ready", extra={"game": game.name})

    async def sweep(self) -> None:
        """Now and then: read tables whose clock has run out, forget those that nobody uses, archive old ones."""
        while True:
            await asyncio.sleep(SWEEP)
            now = self.now()
            self.glimpsed.clear()
            self.counts.post()
            for name in await self.store.due(now, DUE):
                if name not in self.tables and self.owns(name):
                    with suppress(NoTable):  # archived meanwhile
                        live = await self.live(name)
                        live.note()
            for name, live in list(self.tables.items()):
                if not live.lines and not live.bot and not live.lock.locked() and now - live.used > IDLE:
                    live.stop()
                    del self.tables[name]
            for name in await self.store.old(now - 86_400_000 * self.settings.keep_days, OLD):
                if self.owns(name):
                    with suppress(NoTable):
                        await self.archive(name)

    async def archive(self, name: str) -> None:
        """Keep only the record of a table."""
        table = await self.read(name)
        if table.state not in ("over", "closed", "frozen"):
            table.state = "closed"
        await self.store.archive(name, table.record() if table.state != "frozen" else "")
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
        table = Table(name)
        table.apply(made)
        await self.store.append(Append(name, 1, e.encode(made), row_of(table), holders(made)))
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

    async def _read_live(self, name: str) -> Live:
        table = await self.read(name)
        live = self.tables[name] = Live(self, table)
        live.follow()
        return live

    async def read(self, name: str) -> Table:
        bodies = await self.store.entries(name)
        made = e.decode(bodies[0]) if bodies else None
        if not isinstance(made, e.Made):  # what follows a journal that is gone was once written after it was archived
            row = await self.store.row(name)
            raise NoTable("This table was archived; only its record is kept." if row else "There is no such table.")
        await self.ready(find(made.game))
        return Table.read(name, bodies, await self.store.snapshot(name))
