"""Clocks: what happens at a live table when a time is over, whoever is connected."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from spellheist.server.process.supervisor import Delay
from spellheist.server.table import levels
from spellheist.server.table.actions.moving import late
from spellheist.server.table.actions.proposing import follows
from spellheist.server.table.journal import Decision
from spellheist.server.table.rights import NoTable
from spellheist.server.table.table import Table

if TYPE_CHECKING:
    from spellheist.server.table.live import Live

RETRY, LONGEST = 2.0, 30.0  # seconds until a clock, or a bot, is seen to again after something went wrong: first, at most


class Clocks:
    """The timer of one table: it rings when the next of its times is over."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self.timer: asyncio.TimerHandle | None = None
        self.delay = Delay(RETRY, LONGEST)  # until what could not be settled is tried again

    def set(self, due: int | None) -> None:
        """Ring at a time of the service's clock."""
        self.stop()
        if due is not None:
            service = self.live.service
            self.ring_in(max(0, max(due, service.grace) - service.clock()) / 1000)

    def ring_in(self, seconds: float) -> None:
        self.timer = asyncio.get_running_loop().call_later(seconds, self.ring)

    def ring(self) -> None:
        self.timer = None
        self.live.service.start(self.on_time(), "timer")

    async def on_time(self) -> None:
        """A clock has run out. If that cannot be settled now, it rings again."""
        live, wait = self.live, RETRY
        try:
            await self.settle()
        except NoTable:  # archived meanwhile
            return
        except Exception as error:
            live.service.supervisor.fault("timer", error)
            wait = self.delay.next()
        else:
            live.service.supervisor.well("timer")
            self.delay.reset()
        here = live.service.tables.get(live.table.name) is live
        if here and self.timer is None and live.table.due() is not None:
            self.ring_in(wait)

    async def settle(self) -> None:
        """Do what the table does when a clock has run out."""
        live, seat = self.live, None

        def decide(table: Table, now: int) -> Decision:
            nonlocal seat
            following = follows(table, now)
            overdue = None if following or now < live.service.grace else late(table, now)
            if isinstance(overdue, int):
                seat = overdue
                return None
            return following or overdue

        await live.carry_out(decide)
        if seat is not None:
            await live.bots.play_for(seat, levels.STAND_IN, late=True)
        live.follow()

    def stop(self) -> None:
        if self.timer:
            self.timer.cancel()
            self.timer = None
