"""Bots' turns at a live table: one that is to move is asked, and its move made."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING

from spellheist.core.refused import Refused
from spellheist.core.state import ANYONE
from spellheist.server.process.bot_pool import Stopped
from spellheist.server.process.supervisor import Delay
from spellheist.server.table import clocks
from spellheist.server.table.actions.moving import move as decide_move
from spellheist.server.table.actions.talking import Said
from spellheist.server.table.journal import Decision
from spellheist.server.table.rights import NoTable
from spellheist.server.table.table import Table
from spellheist.server.table.views import views_of

if TYPE_CHECKING:
    from spellheist.server.table.live import Live

SHOWN = 5  # times as long a bot waits when people look at a round's end


class BotTurns:
    """The bots of one table."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self.task: asyncio.Task[None] | None = None
        self.dumb: set[int] = set()  # seats whose bot has stopped thinking, as everybody was told

    def follow(self) -> None:
        """Begin to move, if a bot is to."""
        if self.task is None and self.next() is not None:
            self.task = self.live.service.start(self.run(), "bot")

    def stop(self) -> None:
        if self.task:
            self.task.cancel()

    def next(self) -> int | None:
        """The seat of a bot that is to move. Where anyone may, the table waits for one; in an open window bots press."""
        live, table = self.live, self.live.table
        if table.state != "playing" or live.gone:
            return None
        seat = table.play.turn
        if seat == ANYONE:
            if live.race.on:
                return None
            seat = table.play.owner(table.play.legal()[0])
        return seat if seat >= 0 and not table.chairs[seat].person else None

    async def run(self) -> None:
        """Let bots move as long as it is their turn. Whatever goes wrong, they are asked again in a while."""
        service, delay = self.live.service, Delay(clocks.RETRY, clocks.LONGEST)
        try:
            while True:
                try:
                    seat = self.next()
                    if seat is None:
                        return
                    await asyncio.sleep(service.settings.pace * (SHOWN if self.live.telling.round_ended else 1))
                    if self.next() == seat:
                        await self.play_for(seat, self.live.table.chairs[seat].level)
                        service.supervisor.well("bot")
                        delay.reset()
                except NoTable:  # archived meanwhile
                    return
                except Exception as error:
                    service.supervisor.fault("bot", error)
                    await asyncio.sleep(delay.next())
        finally:
            self.task = None

    async def play_for(self, seat: int, level: str, late: bool = False) -> None:
        """A bot's move for a seat, from its view and its past."""
        table, views = self.live.table, views_of(self.live.table.game.name)
        ply = table.play.ply
        view = views.view(table.truth, seat)
        legal = views.legal(view, seat)
        move = legal[0] if len(legal) == 1 else await self.thought(level, view, seat, legal)

        def decide(table: Table, now: int) -> Decision:
            back = table.chairs[seat].person and not late  # while the bot was thinking
            still = table.state == "playing" and table.play.ply == ply and not back
            return decide_move(table, seat, ply, move, now, by=level, late=late) if still else None

        await self.live.carry_out(decide)

    async def thought(self, level: str, view: bytes, seat: int, legal: list[int]) -> int:
        """What a bot chooses. One that stops thinking is replaced; if that happens twice, any move is made for it."""
        table = self.live.table
        past = table.play.recall(seat)
        for attempt in range(1 if seat in self.dumb else 2):
            try:
                found = await self.live.service.pool.choose(level, table.game, view, seat, past)
            except (Stopped, Refused):
                if seat not in self.dumb:
                    how = "and was replaced" if attempt == 0 else "again: a random move is made for it"
                    await self.say(f"The bot of {table.play.names[seat]} stopped thinking {how}.")
            else:
                self.dumb.discard(seat)
                if found in legal:
                    return found
        self.dumb.add(seat)  # nobody needs to be told before every move
        return secrets.choice(legal)

    async def wanted(self, seat: int) -> int | None:
        """The move that a bot wants to make where anyone may move; None to wait."""
        table, views = self.live.table, views_of(self.live.table.game.name)
        view = views.view(table.truth, seat)
        past = table.play.recall(seat)
        for _ in range(2):
            with suppress(Stopped, Refused):
                found = await self.live.service.pool.choose(table.chairs[seat].level, table.game, view, seat, past)
                return found if found in views.legal(view, seat) else None
        return None

    async def say(self, text: str) -> None:
        """The table's own word."""
        await self.live.carry_out(lambda table, now: Said(text=text))
