"""Sockets: uvicorn's WebSockets with two short cuts. A move is told to everybody at a table, so what a socket sends is
framed and written at once, without a task or a queue of its own; and a short text that arrives whole, as nearly all
do, needs no parser. Everything else goes the way of the library.
"""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

TEXT, MASKED = 0x81, 0x80  # the first byte of a text in one frame; the mark of a masked one in the second
MOST = 256 * 1024  # bytes that may wait for a reader
AHEAD = 8  # messages that may wait for us


class Socket(WebSocketsSansIOProtocol):
    """One connection."""

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        scope = getattr(self, "scope", None)
        if scope is not None:
            scope.setdefault("extensions", {})["spellheist.socket"] = self

    def data_received(self, data: bytes) -> None:
        if len(data) > 6 and data[0] == TEXT and data[1] + 6 - MASKED == len(data) < 126 and self.between_messages():
            self.queue.put_nowait({"type": "websocket.receive", "bytes": unmasked(data)})
            self.pause_if_behind()
        else:
            super().data_received(data)

    def between_messages(self) -> bool:
        """Has everything that came before been taken in, and is the line open?"""
        return self.handshake_complete and not (self.close_sent or self.frames or self.conn.reader.buffer)

    def send_receive_event_to_app(self) -> None:
        paused, self.read_paused = self.read_paused, True  # the library would stop reading after every message
        super().send_receive_event_to_app()
        self.read_paused = paused
        self.pause_if_behind()

    def pause_if_behind(self) -> None:
        if self.queue.qsize() >= AHEAD and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def say(self, text: bytes) -> bool:
        """Send a text. False when its reader has fallen too far behind."""
        if self.close_sent or self.transport.is_closing():
            return True
        self.transport.write(framed(text))
        return self.writable.is_set() or self.transport.get_write_buffer_size() <= MOST


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
