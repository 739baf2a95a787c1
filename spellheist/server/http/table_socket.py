"""The socket of a table: who may open it, what is heard on it, and how it ends."""

from __future__ import annotations

import asyncio
import socket
import struct
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress

from starlette.websockets import WebSocket, WebSocketDisconnect

from spellheist.core.refused import Refused
from spellheist.server.http import visitors
from spellheist.server.http.answers import status_of, visitor_of
from spellheist.server.http.origins import Foreign, Origins
from spellheist.server.http.tables import table_of
from spellheist.server.race import rulings
from spellheist.server.race.arbiter import Known
from spellheist.server.rate_limits import TooOften
from spellheist.server.service import Service
from spellheist.server.table.actions import read_message
from spellheist.server.table.connections import Connection
from spellheist.server.table.live import Live
from spellheist.server.table.messages import Message
from spellheist.server.table.rights import attend

PATIENCE = 0.05  # seconds for which nothing more is read of a socket that says too much
FLOODS = 100  # messages that came too often, after which a socket is closed


class TableSocket:
    """Opens the sockets of all tables."""

    def __init__(self, service: Service, origins: Origins) -> None:
        self.service, self.origins, self.rate_limits = service, origins, service.rate_limits

    async def open(self, websocket: WebSocket) -> None:
        with ExitStack() as held:
            try:
                await self.connected(websocket, held)
            except (WebSocketDisconnect, OSError):  # gone before it was told something
                pass
            except Exception:
                sentence = self.service.counts.failed()
                with suppress(WebSocketDisconnect, OSError, RuntimeError):  # in whatever state it is
                    await websocket.accept()
                with suppress(WebSocketDisconnect, OSError, RuntimeError):
                    await websocket.close(1011, sentence)

    async def connected(self, websocket: WebSocket, held: ExitStack) -> None:
        try:
            self.rate_limits.joins.take(visitors.address(websocket))
            self.origins.from_own_page(websocket)
            live = await self.service.live(table_of(websocket))
            connection = await self.connection(websocket, live)
            self.count(live, connection, held)
        except Foreign:
            await websocket.close(1008)
            return
        except Refused as error:  # a page cannot read why a handshake fails, but it can read why a socket was closed
            if isinstance(error, TooOften):
                await self.rate_limits.hold(visitors.address(websocket))
            await websocket.accept()
            await websocket.close(4000 + status_of(error), str(error))
            return
        await websocket.accept()
        await self.stay(websocket, live, connection)

    async def connection(self, websocket: WebSocket, live: Live) -> Connection:
        """The connection of whoever opens it: for a seat that is theirs, or a watcher's."""
        visitor, seat = await visitor_of(self.service, websocket), visitors.seat_of(websocket)
        if not isinstance(seat, int | None):
            raise Refused("There is no such seat.")
        if visitor.ended and seat is not None:
            raise visitors.SignedOut
        attend(live.table, seat, visitor.token)
        connection = Connection(websocket.scope["extensions"]["spellheist.socket"].say, seat, visitor)
        connection.address = visitors.address(websocket)
        connection.known = told_trip(websocket) if visitors.through_proxy(websocket) else lambda: round_trips(websocket)
        return connection

    def count(self, live: Live, connection: Connection, held: ExitStack) -> None:
        """One more socket of an address; it is given back when it ends."""
        kinds = [self.rate_limits.sockets]
        if connection.seat is None:
            kinds.append(self.rate_limits.watchers)
            most = self.service.settings.limits.watchers_per_table
            if most and live.watching >= most:
                raise TooOften("This table has as many watchers as it can take.")
        for kind in kinds:
            kind.take(connection.address)
            held.callback(kind.give_back, connection.address)

    async def stay(self, websocket: WebSocket, live: Live, connection: Connection) -> None:
        """Be at the table until either end goes."""
        tasks = [
            asyncio.create_task(self.listen(websocket, live, connection)), asyncio.create_task(connection.ended.wait())
        ]  # fmt: skip
        if connection.seat is not None and rulings.has_windows(live.table):
            tasks.append(asyncio.create_task(live.race.ping(connection)))
        try:
            await live.join(connection)
            await asyncio.wait(tasks[:2], return_when=asyncio.FIRST_COMPLETED)
        except Exception:
            connection.why = 1011, self.service.counts.failed()
        finally:
            live.leave(connection)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if websocket.client_state.name == "CONNECTED" and websocket.application_state.name == "CONNECTED":
                await websocket.close(*connection.why)
            websocket.scope["extensions"]["spellheist.socket"].let_go()

    async def listen(self, websocket: WebSocket, live: Live, connection: Connection) -> None:
        """Hear one message after the other until the connection ends."""
        seat = f"{live.table.name}/{connection.seat}/{id(connection) if connection.seat is None else ''}"
        floods, of_seat = 0, self.rate_limits.seat_messages
        while True:
            received = await websocket.receive()
            connection.arrived = time.monotonic() * 1000
            if received["type"] == "websocket.disconnect":
                return
            message: Message | None = None
            try:
                of_seat.take(seat)
                message = read_message(received.get("bytes") or received.get("text") or "")
                self.charge(message, seat, connection.address)
                await live.hear(connection, message)
            except Refused as error:
                self.service.counts.refused += 1
                floods += isinstance(error, TooOften)
                if floods > FLOODS:
                    return
                live.telling.refuse(connection, getattr(message, "id", None), error)
                if isinstance(error, TooOften):
                    await asyncio.sleep(PATIENCE)
            except Exception:
                failed = Refused(self.service.counts.failed())
                live.telling.refuse(connection, getattr(message, "id", None), failed)

    def charge(self, message: Message, seat: str, address: str) -> None:
        """Refuses a message that its seat or its address has sent too often."""
        self.rate_limits.messages.take(address, message.cost)
        if message.seat_limit:
            getattr(self.rate_limits, message.seat_limit).take(seat)
        if message.address_limit:
            getattr(self.rate_limits, message.address_limit).take(address)


def round_trips(websocket: WebSocket) -> Known | None:
    """What this machine's own figures of the connection say of its round trips, where they are known. Behind a proxy they
    would be those of the way to the proxy."""
    try:
        connection = websocket.scope["extensions"]["spellheist.socket"].transport.get_extra_info("socket")
        if connection is None or not hasattr(socket, "TCP_INFO"):
            return None
        info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 152)
    except (OSError, ValueError, AttributeError):  # the line has just gone, which uvloop says in several ways
        return None
    if len(info) < 76:
        return None
    smoothed, spread = struct.unpack_from("=II", info, 68)
    least = struct.unpack_from("=I", info, 148)[0] if len(info) >= 152 else smoothed  # as in Linux's struct tcp_info
    return Known(smoothed / 1000, min(smoothed, least) / 1000, spread / 1000) if smoothed else None


def told_trip(websocket: WebSocket) -> Callable[[], Known | None]:
    """What a proxy on this machine says of the connection to it: its round trip in microseconds, in a header."""
    told = websocket.headers.get("x-round-trip", "")
    if not (told.isascii() and told.isdigit() and len(told) < 10 and int(told)):
        return lambda: None
    known = Known(int(told) / 1000, int(told) / 1000, int(told) / 8000)  # how it varies is not known when a line opens
    return lambda: known
