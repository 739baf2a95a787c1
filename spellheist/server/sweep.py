"""The sweep: what is looked at every few seconds. Tables that nobody uses are forgotten, what others have written is heard
of, clocks that have run out are seen to, old tables are archived.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any

from spellheist.server.process.supervisor import Delay
from spellheist.server.table.reading import Unreadable
from spellheist.server.table.rights import NoTable

if TYPE_CHECKING:
    from spellheist.server.service import Service

IDLE = 300_000  # milliseconds after which an empty table is forgotten
DUE, OLD = 100, 20  # tables that are seen to at one look
PATIENCE = 10.0  # seconds that a look waits for a table that is being read
SPARED = (10.0, 600.0)  # seconds that a table which failed is left alone by the sweep: at first, at most


class Sweep:
    """The looks at all tables of a server."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.spared: dict[str, tuple[Delay, float]] = {}  # tables that failed, and until when the sweep passes them by

    async def run(self) -> None:
        """Forget what nobody uses, hear what others have written, read tables whose clock has run out, archive old ones.
        A part that fails does not keep the next ones from being done."""
        failed, service = [], self.service
        for part in (self.forget, self.look_elsewhere, service.people.check, self.wake_all, self.archive_old):
            try:
                await part()
            except Exception as error:
                failed.append(error)
        if failed:
            raise ExceptionGroup("parts of the sweep failed", failed)

    async def forget(self) -> None:
        service, clock = self.service, self.service.clock()
        seen = service.glimpsed.items()
        service.glimpsed = {name: live for name, live in seen if clock - live.used < service.stale(live)}
        self.service.counts.post()
        for name, live in list(self.service.tables.items()):
            if not live.connections and not live.bots.task and not live.lock.locked() and clock - live.used > IDLE:
                live.stop()
                del self.service.tables[name]

    async def wake_all(self) -> None:
        await self.see_to(await self.service.store.due(self.service.clock(), DUE + len(self.spared)), self.wake)

    async def archive_old(self) -> None:
        service = self.service
        before = service.now() - 86_400_000 * service.settings.keep_days
        old = await service.store.old(before, OLD + len(self.spared))
        await self.see_to(old, partial(service.archive, before=before))

    async def see_to(self, tables: list[str], work: Callable[[str], Coroutine[Any, Any, None]]) -> None:
        """Do something for each of these tables that are ours. One that fails keeps none of the others from being seen to,
        and is left alone for a while; one that takes long is not waited for."""
        now = time.monotonic()
        self.spared = {name: (delay, until) for name, (delay, until) in self.spared.items() if now < until + SPARED[1]}
        ours = [name for name in tables if self.service.owns(name) and self.spared.get(name, (None, 0.0))[1] <= now]
        begun = {self.service.start(self.try_for(name, work), "sweep") for name in ours}
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
            self.service.supervisor.fault("sweep", error)
            return
        self.spared.pop(name, None)

    async def wake(self, name: str) -> None:
        """See to a table whose clock has run out while it was not in memory."""
        if name not in self.service.tables and name not in self.service.reading:
            live = await self.service.live(name)
            live.note()

    async def look_elsewhere(self) -> None:
        """Somebody beside this server may have written: `spellheist tables`, or another worker. Pages hear of it now."""
        known = {name: live.table.count for name, live in self.service.tables.items() if live.connections}
        moved = await self.service.store.elsewhere(known)
        if moved:
            self.service.moved_on(moved)
