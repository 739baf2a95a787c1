"""Connections: the server's end of a socket. What is said goes out at once; a slow reader makes nobody else wait, and one
who falls too far behind is cut off, and is whole again after connecting anew.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from spellheist.core.state import WATCHER
from spellheist.server.http.visitors import Visitor
from spellheist.server.race.arbiter import Known, Trips
from spellheist.server.table.actions.pressing import Ping
from spellheist.server.table.messages import HOST, Asker, Out, write

AGAIN = 1013  # the close code that says: connect again
Say = Callable[[bytes], bool]  # sends a text; False when its reader is too far behind


class Connection:
    """One connection to one table, by a seat or a watcher."""

    def __init__(self, say: Say, seat: int | None, visitor: Visitor) -> None:
        self.say = say
        self.seat = seat
        self.looks_from = WATCHER if seat is None else seat
        self.token, self.device = visitor.token, visitor.device
        self.asker = Asker(HOST if seat is None else seat, visitor.token)
        self.address = ""  # that limits count for
        self.ended = asyncio.Event()
        self.why: tuple[int, str] = (AGAIN, "")  # the code and the sentence with which it is closed
        self.advised: asyncio.Task[None] | None = None  # a hint that is thought about
        self.arrived = 0.0  # when the latest message came, in milliseconds
        self.pings: dict[int, float] = {}  # when those without an answer were sent
        self.trips = Trips()
        self.known: Callable[[], Known | None] = lambda: None  # what the connection itself shows of its round trips

    def send(self, text: bytes) -> None:
        """The one exit: whatever anybody is told of a table leaves here."""
        if not self.ended.is_set() and not self.say(text):
            self.end()

    def tell(self, message: Out) -> None:
        self.send(write(message))

    def ping(self, n: int) -> None:
        if len(self.pings) > 50:
            self.pings.clear()
        self.tell(Ping(n=n))
        self.pings[n] = time.monotonic() * 1000

    def pong(self, n: int) -> None:
        """A ping is answered."""
        at = self.pings.pop(n, None)
        if at is not None:
            self.trips.add(self.arrived, self.arrived - at, self.known())

    def end(self, code: int = AGAIN, sentence: str = "") -> None:
        """Cut the connection; nothing is sent on it from here on."""
        if not self.ended.is_set():
            self.why = code, sentence
            self.ended.set()
