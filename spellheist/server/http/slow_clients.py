"""Slow clients: uvicorn's HTTP with limits of its own. Nobody may hold a connection without asking anything, or by asking
slowly; nobody has more connections than there may be; and headers are few and short.
"""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, H11Protocol

from spellheist.server.rate_limits import RateLimits, TooMany, is_loopback, network

LARGEST_HEAD = 16 * 1024  # bytes of the headers of a request, and of its first line
HEADERS = 100  # lines of them
FLUSH = 60.0  # seconds in which an answer must be read
STRANGERS = 1000  # connections that may be open without having asked anything yet
END = re.compile(rb"\r?\n\r?\n")


class LimitedHttpFactory:
    """What all connections of a server share."""

    def __init__(self, rate_limits: RateLimits) -> None:
        self.rate_limits = rate_limits
        self.seconds = rate_limits.limits.seconds_for_headers
        self.strangers: dict[LimitedHttp, None] = {}  # the one that came first is first

    def __call__(self, **how: Any) -> LimitedHttp:
        return LimitedHttp(self, **how)


class LimitedHttp(H11Protocol):
    """One connection."""

    def __init__(self, factory: LimitedHttpFactory, **how: Any) -> None:
        super().__init__(**how)
        self.factory = factory
        self.timer: asyncio.TimerHandle | None = None
        self.lines = self.size = 0  # of headers that have come
        self.counted = ""  # the address that this connection counts for

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        peer = self.client[0] if self.client else ""
        self.app_state = {**self.app_state, "peer": peer}
        if peer and not is_loopback(peer):  # else it may be a proxy, which has as many as it needs
            try:
                self.factory.rate_limits.connections.take(network(peer))
                self.counted = network(peer)
            except TooMany as error:
                self.refuse(429, str(error))
                return
        strangers = self.factory.strangers
        strangers[self] = None
        if len(strangers) > STRANGERS:
            next(iter(strangers)).transport.abort()
        self.wait()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._unset_keepalive_if_required()
        self.forget()
        self.uncount()

    def uncount(self) -> None:
        if self.counted:
            self.factory.rate_limits.connections.give_back(self.counted)
            self.counted = ""

    def forget(self) -> None:
        """No longer wait for a request."""
        self.factory.strangers.pop(self, None)
        if self.timer:
            self.timer.cancel()
            self.timer = None

    def wait(self) -> None:
        """Wait for a request, but not longer than a while, however much comes of it."""
        if self.timer:
            self.timer.cancel()
        self.lines = self.size = 0
        if self.factory.seconds:
            self.timer = self.loop.call_later(self.factory.seconds, self.give_up)

    def give_up(self) -> None:
        self.timer = None
        if self.transport.is_closing() or self.transport.get_write_buffer_size():
            self.timer = self.loop.call_later(FLUSH, self.transport.abort)  # somebody still reads the last answer
        elif self.conn.our_state is h11.IDLE and self.conn.trailing_data[0]:
            self.refuse(408, "The request did not arrive in time.")
        else:
            self.transport.close()

    def data_received(self, data: bytes) -> None:
        before = self.cycle
        if before is None or before.response_complete:
            head = END.split(data, 1)[0]
            self.lines += head.count(b"\n")
            self.size += len(head)
            if (self.lines > HEADERS or self.size > LARGEST_HEAD) and self.conn.their_state is h11.IDLE:
                self.refuse(431, f"A request may have at most {HEADERS} headers, of {LARGEST_HEAD // 1024} KiB in all.")
                return
        super().data_received(data)
        if self.cycle is not before:
            self.forget()

    def on_response_complete(self) -> None:
        before = self.cycle
        super().on_response_complete()
        if self.transport.is_closing():
            self.timer = self.loop.call_later(FLUSH, self.transport.abort)
        elif self.cycle is before:
            self.wait()

    def handle_websocket_upgrade(self, event: Any) -> None:
        self.forget()
        super().handle_websocket_upgrade(event)
        socket: Any = self.transport.get_protocol()
        if socket is not self:
            socket.lost = self.uncount

    def send_400_response(self, msg: str) -> None:
        self.refuse(400, "This request is not understood.")

    def refuse(self, status: int, sentence: str) -> None:
        """Answer with a sentence, and end the connection. What was being answered before is not."""
        self.forget()
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        body = json.dumps({"sentence": sentence, "rule": None}).encode()
        headers = [(b"content-type", b"application/json"), (b"connection", b"close"),
                   (b"content-length", str(len(body)).encode())]  # fmt: skip
        try:
            answer = h11.Response(status_code=status, headers=headers, reason=STATUS_PHRASES[status])
            for event in (answer, h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        except h11.LocalProtocolError:  # in the middle of another answer
            pass
        self.transport.close()
        self.timer = self.loop.call_later(FLUSH, self.transport.abort)
