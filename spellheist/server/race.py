"""The race at a live table: cues, presses, votes and timers around the arbiter of `window.py`.

A window opens when a roll lies on the table. Everybody is sent a cue; from the moment it is sent to a seat first, the
time of that seat runs. Presses are written into the journal with all that was measured, and after a short hold the
ruling on them is an entry as well, so that it can be looked at later and gives the same game again.
"""

from __future__ import annotations

import asyncio
import dataclasses
import random
import time
from typing import TYPE_CHECKING, Any

from spellheist.server import entries as e
from spellheist.server import stealing, wire
from spellheist.server.lines import Line
from spellheist.server.tables import Table
from spellheist.server.window import Scored, ruling_at, scored

if TYPE_CHECKING:
    from spellheist.server.live import Live

FIRST, GAP = 6, 0.1  # pings when somebody connects, and seconds between them
CALM, KEEN = 2.0, 1.0  # seconds between later pings: else, and while a window is open


def clock() -> float:
    """Milliseconds on this machine's own clock."""
    return time.monotonic() * 1000


class Race:
    """The windows of one table, one after the other."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self.times = live.hall.settings.times
        self.ply: int | None = None  # of the open window
        self.cue = 0.0
        self.cues: dict[int, float] = {}  # when each seat was first sent the cue
        self.ruled: tuple[int, int] | None = None  # the plies before and after the latest ruling
        self.planned: set[int] = set()  # bots that are about to press
        self.timers: list[asyncio.TimerHandle] = []

    @property
    def on(self) -> bool:
        return self.ply is not None

    def follow(self) -> None:
        """After every entry: open a window, close it, or set the time of the ruling."""
        table = self.live.table
        if self.live.gone or not stealing.open_at(table):
            self.stop()
        elif self.ply != table.play.ply:
            self.open()
        else:
            self.arm()

    def stop(self) -> None:
        self.ply = None
        self.planned.clear()
        for timer in self.timers:
            timer.cancel()
        self.timers.clear()

    def open(self) -> None:
        self.stop()
        self.ply = self.live.table.play.ply
        self.cue, self.cues = clock(), {}
        for line in self.live.lines:
            self.tell_cue(line)
        self.plan_bots()
        self.arm()

    def tell_cue(self, line: Line) -> None:
        """Show somebody that the window is open; the time of that seat runs from when this is first sent."""
        ply, seat = self.ply, line.seat
        if ply is None:
            return
        line.tell(wire.WindowOut(ply=ply, open=True))
        if seat is not None:
            self.cues.setdefault(seat, clock())
        pressed = [entry.seat for entry in self.live.table.presses]
        if pressed:
            line.tell(wire.WindowOut(ply=ply, pressed=pressed))

    def arm(self) -> None:
        """Set the time of the ruling."""
        wait = max(0.0, self.cue + self.due() - clock()) / 1000
        self.timers.append(asyncio.get_running_loop().call_later(wait, self.ring, self.ply))

    def due(self) -> float:
        """When to rule, after the cue."""
        table = self.live.table
        if table.heat:
            waiting = [s for s in stealing.voters(table, table.heat.seats) if s not in table.heat.votes]
            return clock() - self.cue + max(0, table.heat.until - self.live.hall.now()) if waiting else 0.0
        out = [self.trip(seat) for seat in stealing.can_press(table) if self.may_come(seat)]
        return ruling_at(stealing.presses(table, self.times), out, self.times)

    def may_come(self, seat: int) -> bool:
        """Could a press of this seat be under way?"""
        return seat in self.planned or any(line.seat == seat for line in self.live.lines)

    def trip(self, seat: int) -> float:
        return max((line.trips.quantile(0.95) for line in self.live.lines if line.seat == seat), default=0.0)

    def ring(self, ply: int | None) -> None:
        if ply is None or self.ply != ply:
            return
        if self.is_due():
            self.live.hall.start(self.rule(ply))
        else:
            self.arm()

    def is_due(self) -> bool:
        return self.cue + self.due() <= clock() + 0.5

    async def rule(self, ply: int) -> None:
        """Rule on the presses, or let people vote on a dead heat first."""

        def decide(table: Table, now: int) -> Any:
            if self.ply != ply or not stealing.open_at(table) or table.play.ply != ply:
                return None
            if not self.is_due():  # another timer has rung at the same time, and now there is a vote
                return None
            tied = None if table.heat else stealing.heat(table, self.times)
            if tied:
                return e.Heat(at=now, ply=ply, seats=tied, until=now + int(self.times.vote))
            return stealing.rule(table, self.times, now, shut=not table.presses)

        await self.live.carry_out(decide)

    # People.

    def answers(self, ply: int, move: int) -> int:
        """The ply that a press answers. One that was on its way while the window was ruled on comes late (SS-h): it
        answers what the table asks now, be it the same window going on, or an attempt outside it (SS-11)."""
        table = self.live.table
        late = self.ruled == (ply, table.play.ply) and stealing.can_throw(table, move)
        return table.play.ply if late else ply

    async def press(self, line: Line, message: wire.Press, checked: Any) -> None:
        """A press arrives: it is measured, and written down."""
        seat, arrived = line.seat, line.arrived
        assert seat is not None
        elapsed = arrived - self.cues.get(seat, arrived)
        trip = line.trips.quantile(0.9, line.bound())

        def decide(table: Table, now: int) -> Any:
            bucket = table.bucket.get(seat, self.times.bucket_first)
            most = float(table.made.compensation)
            judged = scored(elapsed, message.reaction, trip, most, bucket, self.times)
            if stealing.goes_on(table):  # the roll has been seen for long
                judged = dataclasses.replace(judged, early=False)
            return stealing.press(
                table, seat, message.ply, message.move, elapsed, message.reaction, trip, judged, message.id, now
            )

        await checked(decide)

    def tell(self, entry: Any) -> None:
        """What an entry of the window tells everybody."""
        live = self.live
        if isinstance(entry, e.Window):
            live.tell_all(wire.WindowOut(ply=entry.ply, pressed=[press.seat for press in live.table.presses]))
        elif isinstance(entry, e.Heat):
            left = max(0, entry.until - live.hall.now())
            live.tell_all(wire.WindowOut(ply=entry.ply, vote=entry.seats, until=left))
        elif isinstance(entry, e.Ruled):
            self.ruled = entry.ply, live.table.play.ply
            live.tell_all(wire.WindowOut(ply=entry.ply, ruling=entry.verdicts))

    async def ping(self, line: Line) -> None:
        """Measure a line as long as it stands."""
        n = 0
        while True:
            n += 1
            line.ping(n)
            await asyncio.sleep(GAP if n < FIRST else KEEN if self.on else CALM)

    # Bots.

    def plan_bots(self) -> None:
        """Bots press, and let go of the marker, with reaction times like those of people."""
        table, times = self.live.table, self.times
        s, rules = table.play.state, table.game.rules
        luck = random.Random(f"{table.name}/{self.ply}")
        for seat in stealing.can_press(table):
            if table.chairs[seat].person:
                continue
            reaction = max(times.human + 60, luck.gauss(times.bot_mean, times.bot_spread))
            window = s.phase == rules.WINDOW
            if seat == s.current:
                reaction += times.earliest + times.space * (s.face if window else 0)
                self.plan(seat, rules.CLOSE if window else rules.PASS, reaction)
            elif window and s.token[seat] == rules.READY:
                self.plan(seat, None, reaction)

    def plan(self, seat: int, move: int | None, reaction: float) -> None:
        self.planned.add(seat)
        self.live.hall.start(self.bot_press(seat, move, reaction))

    async def bot_press(self, seat: int, move: int | None, reaction: float) -> None:
        """Press at the time of the reaction, or later if the bot has not thought that quickly; or do nothing."""
        ply, cue = self.ply, self.cue
        if move is None:
            move = await self.live.wanted(seat)
        elapsed = max(reaction, clock() - cue)
        await asyncio.sleep(max(0.0, cue + elapsed - clock()) / 1000)
        if self.ply != ply or ply is None:
            return
        self.planned.discard(seat)
        judged = Scored(elapsed, 0.0, 0.0, False, False)

        def decide(table: Table, now: int) -> Any:
            still = self.ply == ply and stealing.open_at(table) and table.play.ply == ply and not table.heat
            if move is None or not still or table.chairs[seat].person:
                return None
            return stealing.press(table, seat, ply, move, elapsed, elapsed, 0.0, judged, 0, now)

        await self.live.carry_out(decide)
        self.follow()
