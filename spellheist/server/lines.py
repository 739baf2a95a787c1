"""Lines: the server's end of a socket. What is to be sent waits in a queue of its own, so that a slow reader
makes nobody else wait; one who falls too far behind is cut off, and is whole again after connecting anew.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from spellheist.server import wire

MOST = 200  # messages that may wait for a reader

Send = Callable[[dict[str, Any]], Awaitable[None]]


class Line:
    """One connection to one table, by a seat or a watcher."""

    def __init__(self, send: Send, seat: int | None, token: str, key: str) -> None:
        self.send = send
        self.seat = seat
        self.token = token  # the hash of the browser's token
        self.key = key  # the token itself, for the personal link
        self.waiting: deque[str] = deque()
        self.wake = asyncio.Event()
        self.cut = False
        self.bytes = 0

    def tell(self, message: wire.Out) -> None:
        self.tell_text(wire.write(message))

    def tell_text(self, text: str) -> None:
        if len(self.waiting) >= MOST:
            self.cut = True
        else:
            self.waiting.append(text)
            self.bytes += len(text)
        self.wake.set()

    async def run(self) -> None:
        """Send what waits, until the line is cut."""
        while not self.cut:
            await self.wake.wait()
            self.wake.clear()
            while self.waiting and not self.cut:
                await self.send({"type": "websocket.send", "text": self.waiting.popleft()})

    def end(self) -> None:
        """Cut the line."""
        self.cut = True
        self.wake.set()
