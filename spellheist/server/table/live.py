"""A live table: a table in memory with its sockets, its bots and its timers.

Whatever is asked here goes one way: a decision of the house makes an entry, the entry becomes durable in the
journal, then the table takes it in, and then everybody is told. One request at a time.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from spellheist.core.game import Refused
from spellheist.core.state import ANYONE, WATCHER
from spellheist.server.process.bot_pool import Stopped
from spellheist.server.process.supervisor import Delay
from spellheist.server.race.race import Race
from spellheist.server.store import Append, Row, Taken, Unavailable, Unsettled, Unsure
from spellheist.server.table import decisions, messages
from spellheist.server.table import journal as e
from spellheist.server.table.connections import Line
from spellheist.server.table.decisions import NoTable
from spellheist.server.table.table import Table
from spellheist.server.table.views import Face, Teller, eyes_for

if TYPE_CHECKING:
    from spellheist.server.service import Service

RETRY, LONGEST = 2.0, 30.0  # seconds until a bot or a clock is seen to again after something went wrong: first, at most
SHOWN = 5  # times as long a bot waits when people look at a round's end
log = logging.getLogger("spellheist")
NOT_YOURS, NO_TABLE = 4403, 4404  # close codes: of a line that may no longer be here, and of a table that is archived
SNAPSHOT = 100  # entries between two snapshots
OFTEN, LATE = 5_000, 10_000  # milliseconds: a row's due may be behind by the first; it is later than needed by the second
Decide = Callable[[Table, int], Any]
RACE = frozenset({e.Pressed, e.Heat, e.Ruled})  # entries of the live window
PLIES = frozenset({e.Moved, e.Ruled})  # entries of which everybody is told what has changed
QUIET = PLIES | {e.Said, e.Pressed, e.Heat, e.Voted}  # those that change nothing in the `table` message
WHOLE = frozenset({e.Begun, e.Wished, e.Agreed, e.Resigned, e.Back, e.Away, e.Paused})  # after which all is shown again


class Live:
    """One table and everybody connected to it."""

    def __init__(self, service: Service, table: Table) -> None:
        self.service = service
        self.table = table
        self.lines: set[Line] = set()
        self.faces: dict[int, Face] = {}  # what those who are connected have been shown
        self.present: Counter[int | None] = Counter()  # how many lines each seat has, and watchers
        self.told_here: messages.HereOut | None = None  # who is connected, as it was last told
        self.telling_here: asyncio.TimerHandle | None = None  # until it is told again
        self.shown: dict[int, tuple[Any, bytes]] = {}  # the last whole view of each seat, and of when it is
        self.lock = asyncio.Lock()
        self.bot: asyncio.Task[None] | None = None
        self.timer: asyncio.TimerHandle | None = None
        self.noted: tuple[Any, ...] = ()
        self.race = Race(self)
        self.answered: tuple[int, int] | None = None  # the seat and the message that the last update answered
        self.rings = Delay(RETRY, LONGEST)  # until a clock that could not be settled rings again
        self.dumb: set[int] = set()  # seats whose bot has stopped thinking, as everybody was told
        self.pause = 1  # how many times as long as else a bot waits now
        self.used = service.clock()
        self.gone = False  # archived: nothing happens here any more

    # Changing the table.

    async def carry_out(self, decide: Decide) -> Any:
        """Do what somebody asks, if the house allows it; None when there is nothing to do."""
        async with self.lock:
            self.used = self.service.clock()
            for _ in range(3):
                entry = decide(self.table, self.service.clock())
                if entry is None:
                    return None
                if self.table.broken and not isinstance(entry, e.Closed | e.Rematch):
                    raise Refused(self.table.broken)
                try:
                    await self.write(entry)
                    following = decisions.follows(self.table, self.service.clock())
                    if following:
                        await self.write(following)
                except Taken:  # another server has moved this table on, or somebody has archived it
                    await self.reload()
                    continue
                except Unsure:
                    log.error("an entry could not be written", exc_info=True)
                    try:
                        await self.reload()
                    except Unavailable:
                        raise Unsettled("The journal cannot be read now; look again whether this was done.") from None
                    decide(self.table, self.service.clock())  # if it was written after all, this says so
                    raise Refused("The journal cannot be written now; try again.") from None
                return entry
        raise decisions.Quicker("Somebody else was quicker; try again.")

    async def write(self, entry: Any) -> None:
        """Make an entry durable, take it in, tell everybody."""
        table = self.table
        number = table.count + 1
        entry = msgspec.structs.replace(entry, at=self.service.now(), t=self.service.clock())
        snapshot = table.truth if table.begun and number % SNAPSHOT == 0 else None
        writing = self.service.store.append(Append(table.name, number, e.encode(entry), None, holders(entry), snapshot))
        called_off = None
        try:
            await writing
        except asyncio.CancelledError as cancelled:  # which a `Writing` answers when it is settled
            called_off = cancelled
            if writing.exception():
                raise
        self.service.counts.entries += 1
        around, said = (table.state, table.wish), table.said
        table.apply(entry)
        self.note()
        self.tell(entry, around, said)
        self.follow()
        if called_off:
            raise called_off

    async def reload(self) -> None:
        """Read the journal again, and show everybody where the table stands."""
        said = self.table.said
        try:
            self.table = await self.service.read(self.table.name)
        except NoTable:
            self.give_up()
            raise
        self.dismiss()
        self.tell_table()
        self.show_all()
        self.tell_chat(said)

    async def look_again(self) -> None:
        """Somebody else may have moved this table on."""
        async with self.lock:
            if await self.service.store.count(self.table.name) != self.table.count:
                await self.reload()
                self.follow()

    def note(self) -> None:
        """Keep the row for lists up to date. It is no truth: what it says is read from the journal again."""
        table = self.table
        due = due_of(table)
        noted = (table.state, due and due // OFTEN, table.updated // 60_000)
        if noted != self.noted:
            self.noted = noted
            self.service.store.note(row_of(table))

    # Telling.

    def tell(self, entry: Any, around: tuple[str, Any], said: int) -> None:
        """Tell everybody what an entry has changed, given the state, the wish and the lines of chat before it."""
        kind, table = type(entry), self.table
        if kind not in QUIET:
            self.dismiss()
        if kind in PLIES:
            self.tell_plies(entry)
        self.tell_chat(said)
        if kind in RACE:
            self.race.tell(entry)
        if kind not in QUIET or (table.state, table.wish) != around:  # a move ends a wish to take one back
            self.tell_table()
        if kind in WHOLE:
            self.show_all()

    def tell_chat(self, said: int) -> None:
        """What was said since so many lines."""
        if self.table.said > said:
            self.tell_all(messages.ChatOut(lines=list(self.table.chat)[said - self.table.said :]))

    def tell_all(self, message: messages.Out) -> None:
        """Tell everybody who may look at the game."""
        text = messages.write(message)
        for line in self.lookers():
            line.tell_text(text)

    def tell_table(self) -> None:
        """Tell everybody all there is around the game; those to whom the same is told get the same bytes."""
        chairs = {seated: self.chairs(seated) for seated in (False, True)}
        texts: dict[Any, bytes] = {}
        for line in self.lines:
            own = tuple(map(str, self.own(line).values()))
            if own not in texts:
                texts[own] = messages.write(self.described(line, chairs[line.seat is not None]))
            line.tell_text(texts[own])
        self.told_here = self.here()

    @property
    def watching(self) -> int:
        return self.present[None]

    def here(self) -> messages.HereOut:
        """Who is connected."""
        here = [chair.kind == "bot" or self.present[seat] > 0 for seat, chair in enumerate(self.table.chairs)]
        return messages.HereOut(here=here, watching=self.watching)

    def tell_here_soon(self) -> None:
        """Somebody has come or gone: tell it together with whoever comes and goes meanwhile."""
        if self.telling_here is None:
            self.telling_here = asyncio.get_running_loop().call_later(self.service.settings.soon, self.tell_here)

    def tell_here(self) -> None:
        self.telling_here = None
        here = self.here()
        if here != self.told_here and not self.gone:
            self.told_here = here
            text = messages.write(here)
            for line in self.lines:
                line.tell_text(text)

    def tell_plies(self, entry: Any) -> None:
        """Send each seat what has changed for it; whoever looks from the same seat gets the same bytes. To the seat that
        has moved the update is the answer as well, and comes when all others have been told."""
        mover, did = (entry.seat, entry.id) if isinstance(entry, e.Moved) and entry.id else (WATCHER, 0)
        teller = Teller(self.table, self.faces)
        left = self.left()
        texts: dict[int, list[bytes]] = {}
        for line in sorted(self.lookers(), key=lambda line: line.seat == mover):
            seat = watched(line)
            if seat not in texts:
                old, new = self.faces.get(seat), teller.face(seat)
                self.faces[seat] = new
                if old is None or old.ply > new.ply:
                    texts[seat] = [messages.write(teller.whole(new, seat, left))]
                else:
                    answer = did if seat == mover else 0
                    texts[seat] = [messages.write(message) for message in teller.updates(old, new, seat, left, answer)]
                    if answer:
                        self.answered = mover, did
                    self.pause = SHOWN if len(texts[seat]) > 1 else 1
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
        seat, left = watched(line), self.left()
        key = id(self.table), self.table.count, left
        if seat not in self.faces or self.shown.get(seat, ((), b""))[0] != key:
            teller = Teller(self.table, {})
            if seat not in self.faces:
                self.faces[seat] = teller.face(seat)
            self.shown[seat] = key, messages.write(teller.whole(self.faces[seat], seat, left))
        line.tell_text(self.shown[seat][1])

    def may_look(self, line: Line) -> bool:
        return line.seat is not None or self.table.public

    def lookers(self) -> list[Line]:
        """The lines that hear of the game. A host, or somebody with a seat, may be here without one, and sees nothing of a
        game without watchers then."""
        return [line for line in self.lines if self.may_look(line)]

    def dismiss(self, lines: Iterable[Line] | None = None) -> None:
        """End every line, or every one of these, that may no longer be here. This is asked after every entry that could
        change it, and after every reload, before anything else is told."""
        for line in [*(self.lines if lines is None else lines)]:
            try:
                decisions.attend(self.table, line.seat, line.token)
            except decisions.NotYours as refusal:
                line.end(NOT_YOURS, str(refusal))
                self.drop(line)

    def left(self) -> int | None:
        deadline = self.table.deadline()
        return None if deadline is None else max(0, deadline - self.service.clock())

    def own(self, line: Line) -> dict[str, Any]:
        """What of the `table` message is for one connection alone."""
        table = self.table
        return {
            "seat": line.seat, "mine": table.held_by(line.token), "removed": table.removed.get(line.token, []),
            "host": bool(line.token) and line.token == table.made.host,
        }  # fmt: skip

    def described(self, line: Line, chairs: list[messages.ChairOut] | None = None) -> messages.TableOut:
        """The `table` message for one connection."""
        table, made = self.table, self.table.made
        wish, chairs = table.wish, chairs or self.chairs(line.seat is not None)
        return messages.TableOut(
            table=table.name, game=table.game.name, title=table.game.title, seats=table.seats,
            settings=shown_settings(table), state=table.state, commitment=table.commitment, names=table.play.names,
            chairs=chairs, clock={"kind": made.clock.kind, "seconds": made.clock.seconds},
            watchers=made.watchers, watching=self.watching, hints=made.hints, leavers=made.leavers,
            undo={"by": wish.by, "waits_for": wish.waits_for} if wish else None, proposal=self.proposed(),
            rematch=table.rematch, reason=table.reason, left_out=table.left_out, **self.own(line),
        )  # fmt: skip

    def proposed(self) -> messages.ProposalOut | None:
        """What the others are asked to agree to."""
        asked = self.table.proposal
        if asked is None:
            return None
        by = asked.by if asked.by >= 0 else None
        left = max(0, asked.until - self.service.clock())
        return messages.ProposalOut(asked.what, by, asked.about, asked.waits_for, left)

    def chairs(self, marked: bool = False) -> list[messages.ChairOut]:
        sides = self.table.sides() if not self.table.broken else list(range(self.table.seats))
        here = self.here().here
        return [
            messages.ChairOut(chair.kind, chair.name, chair.level, here[seat], sides[seat], chair.away,
                          self.table.marks.get(seat, []) if marked else [])
            for seat, chair in enumerate(self.table.chairs)
        ]

    # Coming and going.

    async def join(self, line: Line) -> None:
        """Somebody connects: everything there is to know."""
        async with self.lock:
            self.used = self.service.clock()
            if self.gone:
                line.end()
                return
            self.lines.add(line)
            self.present[line.seat] += 1
            self.dismiss([line])  # whose seat it is may have changed since the line was opened
            if line not in self.lines:
                return
            line.tell(self.described(line))
            self.tell_here_soon()
            self.show(line)
            self.race.tell_cue(line)
            if self.table.chat and self.may_look(line):
                line.tell(messages.ChatOut(lines=list(self.table.chat)))
            self.follow()

    def leave(self, line: Line) -> None:
        if line in self.lines:
            self.drop(line)
            self.used = self.service.clock()
            self.tell_here_soon()

    def drop(self, line: Line) -> None:
        self.lines.discard(line)
        self.present[line.seat] -= 1
        if not any(watched(other) == watched(line) for other in self.lines):
            self.faces.pop(watched(line), None)

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
            wait = max(0, max(due, self.service.grace) - self.service.clock()) / 1000
            self.timer = asyncio.get_running_loop().call_later(wait, self.ring)
        if self.bot is None and self.next_bot() is not None:
            self.bot = self.service.start(self.run_bots(), "bot")

    def ring(self) -> None:
        self.timer = None
        self.service.start(self.on_time(), "timer")

    async def on_time(self) -> None:
        """A clock has run out. If that cannot be settled now, it rings again."""
        wait = RETRY
        try:
            await self.settle()
        except NoTable:  # archived meanwhile
            return
        except Exception as error:
            self.service.supervisor.fault("timer", error)
            wait = self.rings.next()
        else:
            self.service.supervisor.well("timer")
            self.rings.reset()
        here = self.service.tables.get(self.table.name) is self
        if here and self.timer is None and self.table.due() is not None:
            self.timer = asyncio.get_running_loop().call_later(wait, self.ring)

    async def settle(self) -> None:
        """Do what the table does when a clock has run out."""
        seat = None

        def decide(table: Table, now: int) -> Any:
            nonlocal seat
            following = decisions.follows(table, now)
            late = None if following or now < self.service.grace else decisions.late(table, now)
            if isinstance(late, int):
                seat = late
                return None
            return following or late

        await self.carry_out(decide)
        if seat is not None:
            await self.play_for(seat, decisions.STAND_IN, late=True)
        self.follow()

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
        """Let bots move as long as it is their turn. Whatever goes wrong, they are asked again in a while."""
        delay = Delay(RETRY, LONGEST)
        try:
            while True:
                try:
                    seat = self.next_bot()
                    if seat is None:
                        return
                    await asyncio.sleep(self.service.settings.pace * self.pause)
                    if self.next_bot() == seat:
                        await self.play_for(seat, self.table.chairs[seat].level)
                        self.service.supervisor.well("bot")
                        delay.reset()
                except NoTable:  # archived meanwhile
                    return
                except Exception as error:
                    self.service.supervisor.fault("bot", error)
                    await asyncio.sleep(delay.next())
        finally:
            self.bot = None

    async def play_for(self, seat: int, level: str, late: bool = False) -> None:
        """A bot's move for a seat, from its view and its past."""
        table, eyes = self.table, eyes_for(self.table.game.name)
        ply = table.play.ply
        view = eyes.view(table.truth, seat)
        legal = eyes.legal(view, seat)
        move = legal[0] if len(legal) == 1 else await self.thought(level, view, seat, legal)

        def decide(table: Table, now: int) -> Any:
            back = table.chairs[seat].person and not late  # while the bot was thinking
            still = table.state == "playing" and table.play.ply == ply and not back
            return decisions.move(table, seat, ply, move, 0, now, level, late) if still else None

        await self.carry_out(decide)

    async def thought(self, level: str, view: bytes, seat: int, legal: list[int]) -> int:
        """What a bot chooses. One that stops thinking is replaced; if that happens twice, any move is made for it."""
        past = self.table.play.recall(seat)
        for attempt in range(1 if seat in self.dumb else 2):
            try:
                found = await self.service.pool.choose(level, self.table.game, view, seat, past)
            except (Stopped, Refused):
                if seat not in self.dumb:
                    name = self.table.play.names[seat]
                    how = "and was replaced" if attempt == 0 else "again: a random move is made for it"
                    await self.say(f"The bot of {name} stopped thinking {how}.")
            else:
                self.dumb.discard(seat)
                if found in legal:
                    return found
        self.dumb.add(seat)  # nobody needs to be told before every move
        return secrets.choice(legal)

    async def wanted(self, seat: int) -> int | None:
        """The move that a bot wants to make where anyone may move; None to wait."""
        table, eyes = self.table, eyes_for(self.table.game.name)
        view = eyes.view(table.truth, seat)
        past = table.play.recall(seat)
        for _ in range(2):
            with suppress(Stopped, Refused):
                found = await self.service.pool.choose(table.chairs[seat].level, table.game, view, seat, past)
                return found if found in eyes.legal(view, seat) else None
        return None

    async def say(self, text: str) -> None:
        """The table's own word."""
        await self.carry_out(lambda table, now: e.Said(text=text))

    def give_up(self) -> None:
        """The table was archived, and whoever is connected is told so."""
        self.gone = True
        if self.service.tables.get(self.table.name) is self:
            del self.service.tables[self.table.name]
        self.stop()
        for line in self.lines:
            line.end(NO_TABLE, decisions.ARCHIVED)

    def stop(self) -> None:
        self.race.stop()
        if self.telling_here:
            self.telling_here.cancel()
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
    """When a table is to be looked at by whoever finds that nobody does. One with a clock always has something due: if
    only to look at it again. Whoever has the table sees to it before, so that no two do."""
    due = table.due()
    if due is None and table.made.clock.kind != "none" and table.state == "playing":
        due = table.since
    return None if due is None else due + LATE


def row_of(table: Table) -> Row:
    """A table for lists."""
    made = table.made
    return Row(table.name, table.game.name, table.state, made.listed, made.at, table.updated, due_of(table))


def shown_settings(table: Table) -> dict[str, str]:
    """The options as the table has them; a deck of one's own is not told card by card."""
    settings = table.play.settings
    return {o.name: "own" if o.kind == "deck" and settings[o.name] != "standard" else o.show(settings[o.name])
            for o in table.game.options}  # fmt: skip
