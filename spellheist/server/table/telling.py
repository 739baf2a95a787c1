"""Telling: what everybody at a table hears. All that leaves a table is made here, or in answer to one message, from the
views of `views.py`, and goes out over `Connection.send`.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, NamedTuple

from spellheist.core.refused import Refused
from spellheist.core.state import WATCHER
from spellheist.server.table.actions.talking import ChatOut
from spellheist.server.table.connections import Connection
from spellheist.server.table.description import chairs, described, here, own
from spellheist.server.table.journal import Entry
from spellheist.server.table.messages import DidOut, HereOut, Out, RefusedOut, write
from spellheist.server.table.views import Shown, Updates

if TYPE_CHECKING:
    from spellheist.server.table.actions.taking_back import Wish
    from spellheist.server.table.live import Live


class Before(NamedTuple):
    """What of a table tells, after an entry, whether there is more to be told than its class says."""

    state: str
    wish: Wish | None
    said: int


class Telling:
    """Tells those who are connected to one table."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self.shown: dict[int, Shown] = {}  # what those who are connected have been shown
        self.whole: dict[int, tuple[Any, bytes]] = {}  # the last whole view of each seat, and of when it is
        self.told_here: HereOut | None = None  # who is connected, as it was last told
        self.here_soon: asyncio.TimerHandle | None = None  # until it is told again
        self.round_ended = False  # the last update showed a round's end, at which people look for a while

    def tell(self, entry: Entry, before: Before) -> bool:
        """Tell everybody what an entry has changed. Is that also the answer to the message that asked for it?"""
        table, tells, answered = self.live.table, entry.tells, False
        if "table" in tells:
            self.live.dismiss()
        if "plies" in tells:
            answered = self.tell_plies(entry)
        if table.said > before.said:
            self.tell_chat(before.said)
        if "window" in tells:
            self.live.race.tell(entry)
        if "table" in tells or table.state != before.state or table.wish != before.wish:  # a move ends a wish
            self.tell_table()
        if "views" in tells:
            self.show_all()
        return answered

    # What happens in the game.

    def tell_plies(self, entry: Any) -> bool:
        """Send each seat what has changed for it; whoever looks from the same seat gets the same bytes. To the seat that
        has moved the update is the answer as well, and comes when all others have been told."""
        did = getattr(entry, "id", 0)
        mover = entry.seat if did else WATCHER
        updates, left, answered = Updates(self.live.table, self.shown), self.live.left(), False
        seats = self.lookers()
        for seat in sorted(seats, key=mover.__eq__):
            old, new = self.shown.get(seat), updates.shown(seat)
            self.shown[seat] = new
            if old is None or old.ply > new.ply:
                texts = [write(updates.whole(new, seat, left))]
            else:
                answer = did if seat == mover else 0
                texts = list(map(write, updates.since(old, new, seat, left, answer)))
                answered = answered or answer > 0
                self.round_ended = len(texts) > 1
            for connection in seats[seat]:
                for text in texts:
                    connection.send(text)
        return answered

    def show_all(self) -> None:
        """Send everybody the whole view."""
        self.shown.clear()
        for connection in self.live.connections:
            self.show(connection)

    def show(self, connection: Connection) -> None:
        """Send somebody the whole view."""
        table = self.live.table
        if not table.begun or not self.live.may_look(connection):
            return
        seat, left = connection.looks_from, self.live.left()
        key = id(table), table.count, left
        if seat not in self.shown or self.whole.get(seat, ((), b""))[0] != key:
            updates = Updates(table, {})
            if seat not in self.shown:
                self.shown[seat] = updates.shown(seat)
            self.whole[seat] = key, write(updates.whole(self.shown[seat], seat, left))
        connection.send(self.whole[seat][1])

    def lookers(self) -> dict[int, list[Connection]]:
        """The connections that hear of the game, by the seats from which they look. A host, or somebody with a seat, may be
        here without one, and sees nothing of a game without watchers then."""
        found: dict[int, list[Connection]] = {}
        public = self.live.table.public
        for connection in self.live.connections:
            if public or connection.seat is not None:
                found.setdefault(connection.looks_from, []).append(connection)
        return found

    def tell_all(self, message: Out) -> None:
        """Tell everybody who may look at the game."""
        text = write(message)
        for connections in self.lookers().values():
            for connection in connections:
                connection.send(text)

    # What happens around it.

    def tell_chat(self, said: int) -> None:
        """What was said since so many lines."""
        table = self.live.table
        if table.said > said:
            self.tell_all(ChatOut(lines=list(table.chat)[said - table.said :]))

    def tell_table(self) -> None:
        """Tell everybody all there is around the game; those to whom the same is told get the same bytes."""
        live = self.live
        seated = {True: chairs(live, True), False: chairs(live)}
        texts: dict[Any, bytes] = {}
        for connection in live.connections:
            key = tuple(map(str, own(live.table, connection).values()))
            if key not in texts:
                texts[key] = write(described(live, connection, seated[connection.seat is not None]))
            connection.send(texts[key])
        self.told_here = here(live)

    def tell_here_soon(self) -> None:
        """Somebody has come or gone: tell it together with whoever comes and goes meanwhile."""
        if self.here_soon is None:
            self.here_soon = asyncio.get_running_loop().call_later(self.live.service.settings.soon, self.tell_here)

    def tell_here(self) -> None:
        self.here_soon = None
        now = here(self.live)
        if now != self.told_here and not self.live.gone:
            self.told_here = now
            text = write(now)
            for connection in self.live.connections:
                connection.send(text)

    # What one connection is told.

    def describe(self, connection: Connection) -> None:
        """Tell somebody all there is around the game."""
        connection.tell(described(self.live, connection, chairs(self.live, connection.seat is not None)))

    def welcome(self, connection: Connection) -> None:
        """Tell somebody who connects everything there is to know."""
        self.describe(connection)
        self.tell_here_soon()
        self.show(connection)
        self.live.race.tell_cue(connection)
        chat = self.live.table.chat
        if chat and self.live.may_look(connection):
            connection.tell(ChatOut(lines=list(chat)))

    def did(self, connection: Connection, number: int, ply: int | None = None) -> None:
        """The message of this number was carried out."""
        connection.tell(DidOut(id=number, ply=self.shown_ply(connection, ply)))

    def refuse(self, connection: Connection, number: int | None, refusal: Refused) -> None:
        sentence = str(refusal).removesuffix(f" ({refusal.rule})") if refusal.rule else str(refusal)
        ply = self.shown_ply(connection)
        connection.tell(RefusedOut(id=number, sentence=sentence, rule=refusal.rule, ply=ply))

    def shown_ply(self, connection: Connection, ply: int | None = None) -> int:
        """How far the game is, for whoever may look at it."""
        if not self.live.may_look(connection):
            return 0
        return self.live.table.play.ply if ply is None else ply

    def forget(self, seat: int) -> None:
        """Nobody looks from here any more."""
        self.shown.pop(seat, None)

    def stop(self) -> None:
        if self.here_soon:
            self.here_soon.cancel()
