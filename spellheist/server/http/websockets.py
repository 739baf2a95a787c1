"""Sockets: uvicorn's WebSockets with two short cuts. A move is told to everybody at a table, so what a socket sends is
framed and written at once, without a task or a queue of its own; and a short text that arrives whole, as nearly all
do, needs no parser. Everything else goes the way of the library, a little at a time: ten thousand frames can come at
once, and others wait while they are read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

TEXT, MASKED = 0x81, 0x80  # the first byte of a text in one frame; the mark of a masked one in the second
MOST = 256 * 1024  # bytes that may wait for a reader
AHEAD = 8  # messages that may wait for us
PIECE = 1024  # bytes that are parsed at once
PARTS = 64  # of one message
ASIDES = 200  # pings and pongs that nobody asked for in a minute, before the line is cut
LAST = 15.0  # seconds in which the other end may read what was sent before the line is cut


class Socket(WebSocketsSansIOProtocol):
    """One connection."""

    def __init__(self, *given: Any, **how: Any) -> None:
        super().__init__(*given, **how)
        self.rest = b""  # what has come and is not parsed yet
        self.going = False  # is a piece of it about to be parsed?
        self.asides, self.since = 0, 0.0
        self.lost: Callable[[], None] = lambda: None  # called when the connection is

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.rest = b""
        self.lost()

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        scope = getattr(self, "scope", None)
        if scope is not None:
            scope.setdefault("extensions", {})["spellheist.socket"] = self

    def data_received(self, data: bytes) -> None:
        if len(data) > 6 and data[0] == TEXT and data[1] + 6 - MASKED == len(data) < 126 and self.between_messages():
            self.queue.put_nowait({"type": "websocket.receive", "bytes": unmasked(data)})
            self.pause_if_behind()
        elif self.close_sent and len(data) > PIECE:  # instead of an end, more of what the line was closed for
            self.transport.abort()
        elif self.rest or (len(data) > PIECE and self.handshake_initiated):
            self.rest += data
            self.pause()
            self.go_on_soon()
        else:
            super().data_received(data)

    def go_on_soon(self) -> None:
        if not self.going:
            self.going = True
            self.loop.call_soon(self.go_on)

    def go_on(self) -> None:
        """Parse a piece of what has come, unless enough waits for us."""
        self.going = False
        if not self.rest or self.transport.is_closing() or self.queue.qsize() >= AHEAD:
            return
        piece, self.rest = self.rest[:PIECE], self.rest[PIECE:]
        super().data_received(piece)
        if self.rest:
            self.go_on_soon()
        elif self.queue.qsize() < AHEAD:
            self.resume()

    async def receive(self) -> Any:
        message = await self.queue.get()
        if self.rest:
            self.go_on_soon()
        elif self.read_paused and self.queue.empty():
            self.resume()
        return message

    def between_messages(self) -> bool:
        """Has everything that came before been taken in, and is the line open?"""
        return self.handshake_complete and not (self.close_sent or self.frames or self.rest or self.conn.reader.buffer)

    def send_receive_event_to_app(self) -> None:
        self.curr_msg_data_type = "bytes"  # what is no text is refused like all that is no message
        paused, self.read_paused = self.read_paused, True  # the library would stop reading after every message
        super().send_receive_event_to_app()
        self.read_paused = paused
        self.pause_if_behind()

    def handle_cont(self, event: Any) -> None:
        if len(self.frames) >= PARTS:  # empty ones would be as many as somebody likes
            self.transport.abort()
            return
        super().handle_cont(event)

    def handle_ping(self) -> None:
        super().handle_ping()
        self.aside()

    def handle_pong(self, event: Any) -> None:
        if self.pending_ping_payload is None:
            self.aside()
        super().handle_pong(event)

    def aside(self) -> None:
        """Somebody pings us, or answers what was not asked: now and then is fine."""
        now = self.loop.time()
        if now - self.since > 60:
            self.asides, self.since = 0, now
        self.asides += 1
        if self.asides > ASIDES:
            self.transport.abort()

    def pause_if_behind(self) -> None:
        if self.queue.qsize() >= AHEAD:
            self.pause()

    def pause(self) -> None:
        if not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def resume(self) -> None:
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()

    def say(self, text: bytes) -> bool:
        """Send a text. False when its reader has fallen too far behind."""
        if self.close_sent or self.transport.is_closing():
            return True
        self.transport.write(framed(text))
        return self.writable.is_set() or self.transport.get_write_buffer_size() <= MOST

    def let_go(self) -> None:
        """The line has ended: what is not read soon is not read at all."""
        self.loop.call_later(LAST, self.transport.abort)


def framed(text: bytes) -> bytes:
    """A text as one frame."""
    size = len(text)
    if size < 126:
        return bytes((TEXT, size)) + text
    if size < 65536:
        return b"\x81\x7e" + size.to_bytes(2, "big") + text
    return b"\x81\x7f" + size.to_bytes(8, "big") + text


def unmasked(data: bytes) -> bytes:
    """The payload of a short frame."""
    size = len(data) - 6
    mask = (data[2:6] * (size // 4 + 1))[:size]
    return (int.from_bytes(data[6:], "little") ^ int.from_bytes(mask, "little")).to_bytes(size, "little")
