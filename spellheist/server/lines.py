"""Lines: the server's end of a socket. What is to be sent waits in a queue of its own, so that a slow reader
makes nobody else wait; one who falls too far behind is cut off, and is whole again after connecting anew.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from spellheist.server import wire
from spellheist.server.window import Trips

MOST = 200  # messages that may wait for a reader

Sent = Callable[[float], None]
Send = Callable[[dict[str, Any]], Awaitable[None]]


class Line:
    """One connection to one table, by a seat or a watcher."""

    def __init__(self, send: Send, seat: int | None, token: str, key: str) -> None:
        self.send = send
        self.seat = seat
        self.token = token  # the hash of the browser's token
        self.key = key  # the token itself, for the personal link
        self.waiting: deque[tuple[str, Sent | None]] = deque()
        self.wake = asyncio.Event()
        self.cut = False
        self.arrived = 0.0  # when the latest message came, in milliseconds
        self.pings: dict[int, float] = {}  # when those without an answer were sent
        self.trips = Trips()
        self.bound: Callable[[], float | None] = lambda: None  # the round trip that the connection itself shows

    def tell(self, message: wire.Out) -> None:
        self.tell_text(wire.write(message))

    def tell_text(self, text: str, sent: Sent | None = None) -> None:
        """Send a text; `sent` is told when that was, in milliseconds."""
        if len(self.waiting) >= MOST:
            self.cut = True
        else:
            self.waiting.append((text, sent))
        self.wake.set()

    def ping(self, n: int) -> None:
        def sent(at: float) -> None:
            self.pings[n] = at

        if len(self.pings) > 50:
            self.pings.clear()
        self.tell_text(wire.write(wire.Ping(n=n)), sent)

    def pong(self, n: int) -> None:
        """A ping is answered."""
        at = self.pings.pop(n, None)
        if at is not None:
            self.trips.add(self.arrived, self.arrived - at)

    async def run(self) -> None:
        """Send what waits, until the line is cut."""
        while not self.cut:
            await self.wake.wait()
            self.wake.clear()
            while self.waiting and not self.cut:
                text, sent = self.waiting.popleft()
                await self.send({"type": "websocket.send", "text": text})
                if sent:
                    sent(time.monotonic() * 1000)

    def end(self) -> None:
        """Cut the line."""
        self.cut = True
        self.wake.set()
