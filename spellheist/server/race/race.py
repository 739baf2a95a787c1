"""The race at a live table: cues, presses, votes and timers around the arbiter of `arbiter.py`.

A window opens when a roll lies on the table. Everybody is sent a cue, and from then on the time runs: for those who
connect later too, since they may have seen the roll elsewhere. Presses are written into the journal with all that was
measured, and after a short hold the ruling on them is an entry as well, so that it can be looked at later and gives the
same game again. Whatever goes wrong meanwhile, a window ends in a ruling: its timer is set anew after every entry, and
rings again after a ruling that could not be written.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import TYPE_CHECKING, Any

from spellheist.server.race import rulings
from spellheist.server.race.arbiter import Scored, bot_reaction, ruling_at, scored
from spellheist.server.race.rulings import Measured
from spellheist.server.table.actions.moving import Press
from spellheist.server.table.actions.pressing import Heat, Pressed, Ruled, Vote, Voted, WindowOut
from spellheist.server.table.connections import Connection
from spellheist.server.table.rights import NoTable
from spellheist.server.table.table import Table

if TYPE_CHECKING:
    from spellheist.server.table.live import Live

FIRST, GAP = 10, 0.1  # pings when somebody connects, and seconds between them
CALM, KEEN = 2.0, 1.0  # seconds between later pings: else, and while a window is open
AGAIN, LONGEST = 0.25, 8.0  # seconds until a ruling that could not be written is tried again: at first, and at most


def clock() -> float:
    """Milliseconds on this machine's own clock."""
    return time.monotonic() * 1000


class Pulse:
    """Feels when this process is held up, while a window is open anywhere: a press that came then is heard late, which is
    nobody's lag."""

    EVERY = 5.0  # milliseconds between two beats
    NEAR = 10.0  # a press is heard so soon after the beat that was late

    def __init__(self) -> None:
        self.races: set[Race] = set()  # whose window is open
        self.late: deque[tuple[float, float]] = deque(maxlen=3)  # the latest beats: when, and how late
        self.next: asyncio.TimerHandle | None = None

    def begin(self, race: Race) -> None:
        self.races.add(race)
        if self.next is None:
            self.beat(clock())

    def end(self, race: Race) -> None:
        self.races.discard(race)
        if not self.races and self.next:
            self.next.cancel()
            self.next = None

    def beat(self, due: float) -> None:
        now = clock()
        self.late.append((now, now - due))
        self.next = asyncio.get_running_loop().call_later(self.EVERY / 1000, self.beat, now + self.EVERY)

    def held(self, arrived: float) -> float:
        """How long nothing could be heard before this."""
        return max((late for at, late in self.late if 0 <= arrived - at <= self.NEAR and late > self.EVERY), default=0.0)


class Race:
    """The windows of one table, one after the other."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self.times = live.service.settings.times
        self.ply: int | None = None  # of the open window
        self.opened: int | None = None  # the ply of the latest window
        self.again = False  # this one was interrupted, and everybody knows the roll
        self.cue = 0.0  # when it was sent to all
        self.cues: dict[Connection, float] = {}  # when it was sent over each line that stood then
        self.ruled: tuple[int, int] | None = None  # the plies before and after the latest ruling
        self.planned: set[int] = set()  # bots that are about to press
        self.asked: set[int] = set()  # bots that were asked in this window whether they press
        self.timer: asyncio.TimerHandle | None = None
        self.failed = 0  # rulings at this window that could not be written
        self.marked = 0  # marks that those at the table were told of

    @property
    def on(self) -> bool:
        return self.ply is not None

    def follow(self) -> None:
        """After every entry: open a window, close it, or set the time of the ruling."""
        table = self.live.table
        if self.live.gone or not rulings.open_at(table):
            self.stop()
        elif self.ply != table.play.ply:
            self.open()
        else:
            self.plan_bots(clock() - self.cue)  # somebody may have left, and a bot plays there now
            self.arm()

    def stop(self) -> None:
        self.ply, self.failed = None, 0
        self.planned.clear()
        self.asked.clear()
        self.disarm()
        self.live.service.pulse.end(self)

    def open(self) -> None:
        """Open a window. After a pause, or in another process, the time goes on where it was at the latest press, so that
        nobody gets before those who had pressed already."""
        self.stop()
        table = self.live.table
        self.again = bool(table.presses) or self.opened == table.play.ply
        self.ply = self.opened = table.play.ply
        spent = max((entry.elapsed for entry in table.presses), default=0.0)
        self.cue, self.cues = clock() - spent, {}
        for line in self.live.connections:
            self.tell_cue(line)
            self.cues[line] = clock() - spent
        self.plan_bots(spent)
        self.arm()
        self.live.service.pulse.begin(self)

    def tell_cue(self, line: Connection) -> None:
        """Show somebody that the window is open."""
        ply = self.ply
        if ply is None or not self.live.may_look(line):
            return
        line.tell(WindowOut(ply=ply, open=True))
        pressed = [entry.seat for entry in self.live.table.presses]
        if pressed:
            line.tell(WindowOut(ply=ply, pressed=pressed))

    def arm(self, least: float = 0.0) -> None:
        """Set the time of the ruling: when it is due, and so many seconds from now at the earliest."""
        self.disarm()
        wait = max(least, (self.cue + self.due() - clock()) / 1000)
        self.timer = asyncio.get_running_loop().call_later(wait, self.ring, self.ply)

    def disarm(self) -> None:
        if self.timer:
            self.timer.cancel()
            self.timer = None

    def due(self) -> float:
        """When to rule, after the cue."""
        table = self.live.table
        if table.heat:
            waiting = [s for s in rulings.voters(table, table.heat.seats) if s not in table.heat.votes]
            return clock() - self.cue + self.left(table.heat.until) if waiting else 0.0
        out = [self.trip(seat) for seat in rulings.can_press(table) if self.may_come(seat)]
        return ruling_at(rulings.presses(table, self.times), out, self.times)

    def left(self, until: int) -> int:
        """How long a vote goes on that ends at a time of the journal."""
        return max(0, until - self.live.service.clock())

    def may_come(self, seat: int) -> bool:
        """Could a press of this seat be under way?"""
        return seat in self.planned or any(line.seat == seat for line in self.live.connections)

    def trip(self, seat: int) -> float:
        return max((line.trips.quantile(0.95) for line in self.live.connections if line.seat == seat), default=0.0)

    def ring(self, ply: int | None) -> None:
        self.timer = None
        if ply is None or self.ply != ply:
            return
        if self.is_due():
            self.live.service.start(self.rule(ply))
        else:
            self.arm()

    def is_due(self) -> bool:
        return self.cue + self.due() <= clock() + 0.5

    async def rule(self, ply: int) -> None:
        """Rule on the presses, or let people vote on a dead heat first. What cannot be written is tried again."""

        def decide(table: Table, now: int) -> Any:
            if self.ply != ply or not rulings.open_at(table) or table.play.ply != ply:
                return None
            if not self.is_due():  # a press or a vote has come meanwhile
                return None
            tied = None if table.heat else rulings.heat(table, self.times)
            if tied:
                return Heat(ply=ply, seats=tied, until=now + int(self.times.vote))
            return rulings.rule(table, self.times, now, shut=not table.presses)

        try:
            done = await self.live.carry_out(decide)
        except NoTable:  # archived: there is nothing to rule on
            raise
        except Exception:
            if self.ply == ply:
                self.failed += 1
                self.arm(min(LONGEST, AGAIN * 2.0**self.failed))
            raise
        if done is None and not self.live.gone:  # another server may have ruled
            self.follow()

    # People.

    def answers(self, ply: int, move: int) -> int:
        """The ply that a press answers. One that was on its way while the window was ruled on comes late (SS-h): it
        answers what the table asks now, be it the same window going on, or an attempt outside it (SS-11)."""
        table = self.live.table
        late = self.ruled == (ply, table.play.ply) and rulings.can_throw(table, move)
        return table.play.ply if late else ply

    async def press(self, line: Connection, message: Press, checked: Any) -> None:
        """A press arrives: it is measured, and written down."""
        seat, arrived = line.seat, line.arrived
        assert seat is not None
        elapsed = arrived - self.cues.get(line, self.cue)  # who came later is measured from the cue of the others
        trips, held = line.trips, self.live.service.pulse.held(arrived)
        late = line not in self.cues
        measured = Measured(trips.believed(), trips.least(), trips.recent(), late, self.again)

        def decide(table: Table, now: int) -> Any:
            judged = scored(elapsed, message.reaction, measured.trip, float(table.made.compensation), self.times, held)
            return rulings.press(
                table, seat, message.ply, message.move, elapsed, message.reaction, measured, judged, message.id, now
            )

        await checked(decide)

    def vote(self, table: Table, seat: int, message: Vote, now: int) -> Voted:
        return rulings.vote(table, seat, message.ply, message.seat, message.id, now)

    def tell(self, entry: Any) -> None:
        """What an entry of the window tells everybody."""
        live = self.live
        if isinstance(entry, Pressed):
            live.telling.tell_all(WindowOut(ply=entry.ply, pressed=[press.seat for press in live.table.presses]))
            marks = sum(map(len, live.table.marks.values()))
            if marks != self.marked:
                self.marked = marks
                live.telling.tell_table()
        elif isinstance(entry, Heat):
            live.telling.tell_all(WindowOut(ply=entry.ply, vote=entry.seats, until=self.left(entry.until)))
        elif isinstance(entry, Ruled):
            self.ruled = entry.ply, live.table.play.ply
            live.telling.tell_all(WindowOut(ply=entry.ply, ruling=entry.verdicts))

    async def ping(self, line: Connection) -> None:
        """Measure a line as long as it stands."""
        n = 0
        while True:
            n += 1
            line.ping(n)
            await asyncio.sleep(GAP if n < FIRST else KEEN if self.on else CALM)

    # Bots.

    def plan_bots(self, after: float) -> None:
        """Bots press, and let go of the marker, with reaction times like those of people. One that takes over from a
        person in an open window reacts `after` so long."""
        table, times, ply = self.live.table, self.times, self.ply
        s, rules = table.play.state, table.game.rules
        assert ply is not None
        for seat in rulings.can_press(table):
            if table.chairs[seat].person or seat in self.asked:
                continue
            self.asked.add(seat)
            reaction = after + bot_reaction(bytes.fromhex(table.made.secret), ply, seat, times)
            window = s.phase == rules.WINDOW
            if seat == s.current:
                reaction += times.earliest + times.space * (s.face if window else 0)
                self.plan(seat, rules.CLOSE if window else rules.PASS, reaction)
            elif window and s.token[seat] == rules.READY:
                self.plan(seat, None, reaction)

    def plan(self, seat: int, move: int | None, reaction: float) -> None:
        self.planned.add(seat)
        self.live.service.start(self.bot_press(seat, move, reaction))

    async def bot_press(self, seat: int, move: int | None, reaction: float) -> None:
        """Press at the time of the reaction, or later if the bot has not thought that quickly; or do nothing."""
        ply, cue = self.ply, self.cue
        try:
            if move is None:
                move = await self.live.bots.wanted(seat)
            elapsed = max(reaction, clock() - cue)
            await asyncio.sleep(max(0.0, cue + elapsed - clock()) / 1000)
            if move is not None:
                await self.live.carry_out(lambda table, now: self.bot_pressed(table, ply, seat, move, elapsed, now))
        finally:  # whatever went wrong, nobody waits for this bot any more
            if self.ply == ply and self.cue == cue:
                self.planned.discard(seat)
                if not self.live.gone:
                    self.follow()

    def bot_pressed(self, table: Table, ply: int | None, seat: int, move: int, elapsed: float, now: int) -> Any:
        """The press of a bot, if the window is still the one that it saw, and nobody has come back to its seat."""
        still = self.ply == ply and rulings.open_at(table) and table.play.ply == ply and not table.heat
        if ply is None or not still or table.chairs[seat].person or seat not in rulings.can_press(table):
            return None
        judged = Scored(elapsed, 0.0, False, False)
        return rulings.press(table, seat, ply, move, elapsed, elapsed, Measured(), judged, 0, now)
