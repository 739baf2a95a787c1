"""A live table: a table in memory with its sockets, its bots and its timers.

Whatever is asked here goes one way: a decision of the house makes an entry, the entry becomes durable in the
journal, then the table takes it in, and then everybody is told. One request at a time.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from spellheist.core.game import Refused
from spellheist.core.state import ANYONE, WATCHER
from spellheist.server import entries as e
from spellheist.server import house, wire
from spellheist.server.house import NoTable
from spellheist.server.lines import Line
from spellheist.server.race import Race
from spellheist.server.sights import Face, Teller, eyes_for
from spellheist.server.store import Append, Row, Taken, Unsure
from spellheist.server.tables import Table
from spellheist.server.thinkers import Stopped

if TYPE_CHECKING:
    from spellheist.server.hall import Hall

RETRY = 2.0  # seconds until a bot is asked again after something went wrong
SHOWN = 5  # times as long a bot waits when people look at a round's end
log = logging.getLogger("spellheist")
SNAPSHOT = 100  # entries between two snapshots
Decide = Callable[[Table, int], Any]
RACE = frozenset({e.Window, e.Heat, e.Ruled})  # entries of the live window
PLIES = frozenset({e.Moved, e.Ruled})  # entries of which everybody is told what has changed
QUIET = PLIES | {e.Said, e.Window, e.Heat, e.Voted}  # those that change nothing in the `table` message
WHOLE = frozenset({e.Begun, e.Wished, e.Agreed, e.Resigned, e.Back, e.Away, e.Paused})  # after which all is shown again


class Live:
    """One table and everybody connected to it."""

    def __init__(self, hall: Hall, table: Table) -> None:
        self.hall = hall
        self.table = table
        self.lines: set[Line] = set()
        self.faces: dict[int, Face] = {}  # what those who are connected have been shown
        self.lock = asyncio.Lock()
        self.bot: asyncio.Task[None] | None = None
        self.timer: asyncio.TimerHandle | None = None
        self.noted: tuple[Any, ...] = ()
        self.race = Race(self)
        self.answered: tuple[int, int] | None = None  # the seat and the message that the last update answered
        self.pause = 1  # how many times as long as else a bot waits now
        self.used = hall.now()
        self.gone = False  # archived: nothing happens here any more

    # Changing the table.

    async def carry_out(self, decide: Decide) -> Any:
        """Do what somebody asks, if the house allows it; None when there is nothing to do."""
        async with self.lock:
            self.used = self.hall.now()
            for _ in range(3):
                entry = decide(self.table, self.hall.now())
                if entry is None:
                    return None
                try:
                    await self.write(entry)
                    begun = house.begin(self.table, self.hall.now())
                    if begun:
                        await self.write(begun)
                except Taken:  # another server has moved this table on, or somebody has archived it
                    await self.reload()
                    continue
                except Unsure:
                    log.error("an entry could not be written", exc_info=True)
                    await self.reload()
                    raise Refused("The journal cannot be written now; try again.") from None
                return entry
        raise house.Quicker("Somebody else was quicker; try again.")

    async def write(self, entry: Any) -> None:
        """Make an entry durable, take it in, tell everybody."""
        table = self.table
        number = table.count + 1
        snapshot = table.truth if table.begun and number % SNAPSHOT == 0 else None
        await self.hall.store.append(Append(table.name, number, e.encode(entry), None, holders(entry), snapshot))
        self.hall.counts.entries += 1
        before = table.state
        table.apply(entry)
        self.note()
        self.tell(entry, before)
        self.follow()

    async def reload(self) -> None:
        """Read the journal again, and show everybody where the table stands."""
        try:
            self.table = await self.hall.read(self.table.name)
        except NoTable:
            self.give_up()
            raise
        self.tell_table()
        self.show_all()

    async def look_again(self) -> None:
        """Somebody else may have moved this table on."""
        async with self.lock:
            if len(await self.hall.store.entries(self.table.name)) != self.table.count:
                await self.reload()
                self.follow()

    def note(self) -> None:
        """Keep the row for lists up to date. It is no truth: what it says is read from the journal again."""
        table = self.table
        noted = (table.state, due_of(table), table.updated // 60_000)
        if noted != self.noted:
            self.noted = noted
            self.hall.store.note(row_of(table))

    # Telling.

    def tell(self, entry: Any, before: str) -> None:
        """Tell everybody what an entry has changed."""
        kind = type(entry)
        if kind in PLIES:
            self.tell_plies(entry)
        elif kind is e.Said:
            self.tell_all(wire.ChatOut(lines=[self.table.chat[-1]]))
        if kind in RACE:
            self.race.tell(entry)
        if kind not in QUIET or self.table.state != before:
            self.tell_table()
        if kind in WHOLE:
            self.show_all()

    def tell_all(self, message: wire.Out) -> None:
        text = wire.write(message)
        for line in self.lines:
            line.tell_text(text)

    def tell_table(self) -> None:
        for line in self.lines:
            line.tell(self.described(line))

    def tell_plies(self, entry: Any) -> None:
        """Send each seat what has changed for it; whoever looks from the same seat gets the same bytes. To the seat that
        has moved the update is the answer as well, and comes when all others have been told."""
        mover, did = (entry.seat, entry.id) if isinstance(entry, e.Moved) and entry.id else (WATCHER, 0)
        teller = Teller(self.table, self.faces)
        left = self.left()
        texts: dict[int, list[bytes]] = {}
        for line in sorted(self.lines, key=lambda line: line.seat == mover):
            seat = watched(line)
            if seat not in texts:
                old, new = self.faces.get(seat), teller.face(seat)
                self.faces[seat] = new
                if old is None or old.ply > new.ply:
                    texts[seat] = [wire.write(teller.whole(new, seat, left))]
                else:
                    answer = did if seat == mover else 0
                    texts[seat] = [wire.write(message) for message in teller.updates(old, new, seat, left, answer)]
                    if answer:
                        self.answered = mover, did
                    self.pause = SHOWN if len(texts[seat]) > 1 else 1
                for text in texts[seat]:
                    self.hall.counts.update(len(text))
            for text in texts[seat]:
                line.tell_text(text)

    def show_all(self) -> None:
        """Send everybody the whole view."""
        self.faces.clear()
        for line in self.lines:
            self.show(line)

    def show(self, line: Line) -> None:
        if not self.table.begun or not self.may_look(line):
            return
        seat = watched(line)
        teller = Teller(self.table, {})
        if seat not in self.faces:
            self.faces[seat] = teller.face(seat)
        line.tell(teller.whole(self.faces[seat], seat, self.left()))

    def may_look(self, line: Line) -> bool:
        return line.seat is not None or self.table.made.watchers

    def left(self) -> int | None:
        deadline = self.table.deadline()
        return None if deadline is None else max(0, deadline - self.hall.now())

    def described(self, line: Line) -> wire.TableOut:
        """The `table` message for one connection."""
        table, made = self.table, self.table.made
        wish = table.wish
        personal = f"{self.hall.settings.public_url}/me/{line.key}" if line.seat is not None else None
        return wire.TableOut(
            table=table.name, game=table.game.name, title=table.game.title, seats=table.seats, seat=line.seat,
            mine=table.seats_of(line.token), settings=shown_settings(table), state=table.state,
            host=bool(line.token) and line.token == made.host, commitment=table.commitment, names=table.play.names,
            chairs=self.chairs(), clock={"kind": made.clock.kind, "seconds": made.clock.seconds},
            watchers=made.watchers, watching=sum(1 for other in self.lines if other.seat is None), hints=made.hints,
            leavers=made.leavers, undo={"by": wish.by, "waits_for": wish.waits_for} if wish else None,
            rematch=table.rematch, personal=personal, reason=table.reason, left_out=table.left_out,
            removed=table.removed.get(line.token, []),
        )  # fmt: skip

    def chairs(self) -> list[wire.ChairOut]:
        here = {line.seat for line in self.lines}
        sides = self.table.sides() if self.table.state != "frozen" else list(range(self.table.seats))
        return [
            wire.ChairOut(chair.kind, chair.name, chair.level, chair.kind == "bot" or seat in here, sides[seat], chair.away)
            for seat, chair in enumerate(self.table.chairs)
        ]

    # Coming and going.

    async def join(self, line: Line) -> None:
        """Somebody connects: everything there is to know."""
        async with self.lock:
            self.used = self.hall.now()
            if self.gone:
                line.end()
                return
            self.lines.add(line)
            self.tell_table()
            self.show(line)
            self.race.tell_cue(line)
            if self.table.chat and self.may_look(line):
                line.tell(wire.ChatOut(lines=list(self.table.chat)))
            self.follow()

    def leave(self, line: Line) -> None:
        if line in self.lines:
            self.lines.discard(line)
            if not any(watched(other) == watched(line) for other in self.lines):
                self.faces.pop(watched(line), None)
            self.used = self.hall.now()
            self.tell_table()

    # What happens by itself.

    def follow(self) -> None:
        """See to whatever is next: a window, a bot's move, a clock."""
        if self.gone:
            return
        self.race.follow()
        if self.timer:
            self.timer.cancel()
            self.timer = None
        due = self.table.due()
        if due is not None:
            wait = max(0, due - self.hall.now()) / 1000
            self.timer = asyncio.get_running_loop().call_later(wait, self.ring)
        if self.bot is None and self.next_bot() is not None:
            self.bot = self.hall.start(self.run_bots())

    def ring(self) -> None:
        self.timer = None
        self.hall.start(self.on_time())

    async def on_time(self) -> None:
        """A clock has run out."""
        seat = None

        def decide(table: Table, now: int) -> Any:
            nonlocal seat
            begun = house.begin(table, now)
            late = None if begun else house.late(table, now)
            if isinstance(late, int):
                seat = late
                return None
            return begun or late

        await self.carry_out(decide)
        if seat is not None:
            await self.play_for(seat, house.STAND_IN)

    def next_bot(self) -> int | None:
        """The seat of a bot that is to move."""
        table = self.table
        if table.state != "playing" or self.gone:
            return None
        asked = table.asked()
        if self.race.on:
            return None
        if table.play.turn == ANYONE:
            asked = [seat for seat in asked if seat == table.play.state.current]
        return next((seat for seat in asked if not table.chairs[seat].person), None)

    async def run_bots(self) -> None:
        """Let bots move as long as it is their turn."""
        try:
            while (seat := self.next_bot()) is not None:
                await asyncio.sleep(self.hall.settings.pace * self.pause)
                if self.next_bot() == seat:
                    await self.play_for(seat, self.table.chairs[seat].level)
        finally:
            self.bot = None
            if self.next_bot() is not None:  # something went wrong: the bot is asked again in a while
                asyncio.get_running_loop().call_later(RETRY, self.follow)

    async def play_for(self, seat: int, level: str) -> None:
        """A bot's move for a seat, from its view and its past."""
        table, eyes = self.table, eyes_for(self.table.game.name)
        ply = table.play.ply
        view = eyes.view(table.truth, seat)
        legal = eyes.legal(view, seat)
        move = legal[0] if len(legal) == 1 else await self.thought(level, view, seat, legal)

        def decide(table: Table, now: int) -> Any:
            still = table.state == "playing" and table.play.ply == ply
            return house.move(table, seat, ply, move, 0, now, by=level) if still else None

        await self.carry_out(decide)

    async def thought(self, level: str, view: bytes, seat: int, legal: list[int]) -> int:
        """What a bot chooses. One that stops thinking is replaced; if that happens twice, any move is made for it."""
        past = self.table.play.recall(seat)
        for attempt in range(2):
            try:
                found = await self.hall.pool.choose(level, self.table.game, view, seat, past)
            except (Stopped, Refused):
                name = self.table.play.names[seat]
                how = "and was replaced" if attempt == 0 else "again: a random move is made for it"
                await self.say(f"The bot of {name} stopped thinking {how}.")
            else:
                if found in legal:
                    return found
        return secrets.choice(legal)

    async def wanted(self, seat: int) -> int | None:
        """The move that a bot wants to make where anyone may move; None to wait."""
        table, eyes = self.table, eyes_for(self.table.game.name)
        view = eyes.view(table.truth, seat)
        try:
            found = await self.hall.pool.choose(table.chairs[seat].level, table.game, view, seat, table.play.recall(seat))
        except (Stopped, Refused):
            return None
        return found if found in eyes.legal(view, seat) else None

    async def say(self, text: str) -> None:
        """The table's own word."""
        await self.carry_out(lambda table, now: e.Said(at=now, text=text))

    def give_up(self) -> None:
        """The table was archived. Whoever is connected is cut off, and is told so on connecting anew."""
        self.gone = True
        if self.hall.tables.get(self.table.name) is self:
            del self.hall.tables[self.table.name]
        self.stop()
        for line in self.lines:
            line.end()

    def stop(self) -> None:
        self.race.stop()
        if self.timer:
            self.timer.cancel()
        if self.bot:
            self.bot.cancel()


def watched(line: Line) -> int:
    """Through whose eyes a connection looks."""
    return WATCHER if line.seat is None else line.seat


def holders(entry: Any) -> tuple[tuple[str, int], ...]:
    if isinstance(entry, e.Made):
        return tuple((chair.token, seat) for seat, chair in enumerate(entry.chairs) if chair.token)
    return ((entry.token, entry.seat),) if isinstance(entry, e.Sat) else ()


def due_of(table: Table) -> int | None:
    """When a table is to be looked at. One with a clock always has something due: if only to look at it again."""
    due = table.due()
    if due is None and table.made.clock.kind != "none" and table.state == "playing":
        due = table.since
    return due


def row_of(table: Table) -> Row:
    """A table for lists."""
    made = table.made
    return Row(table.name, table.game.name, table.state, made.listed, made.at, table.updated, due_of(table))


def shown_settings(table: Table) -> dict[str, str]:
    """The options as the table has them; a deck of one's own is not told card by card."""
    settings = table.play.settings
    return {o.name: "own" if o.kind == "deck" and settings[o.name] != "standard" else o.show(settings[o.name])
            for o in table.game.options}  # fmt: skip
