"""The app: its routes, over HTTP and the socket, as `docs/protocol.md` says."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
import socket
import struct
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from spellheist.core.game import Refused, find, names
from spellheist.core.state import WATCHER
from spellheist.server import catalogue, guard, house, openapi, wire
from spellheist.server.hall import LIST, Hall, Settings
from spellheist.server.house import NoTable
from spellheist.server.lines import Line
from spellheist.server.live import Live
from spellheist.server.pages import Pages
from spellheist.server.sights import OPEN, frames
from spellheist.server.store import Store
from spellheist.server.talk import hear, refuse
from spellheist.server.thinkers import Pool

log = logging.getLogger("spellheist")
FRAMES = 5000  # plies of one answer
WITHOUT_WATCHERS = "This table is played without watchers."
PAGES = ("/", "/new/{game}", "/t/{table}", "/mine", "/settings", "/rules/{game}", "/learn/{game}", "/replay/{table}")

STATUS: list[tuple[type[Refused], int]] = [
    (NoTable, 404), (house.NotYours, 403), (guard.Foreign, 403), (house.Quicker, 409), (guard.TooOften, 429),
    (guard.TooLarge, 413), (Refused, 400),
]  # fmt: skip

Handler = Callable[[Request], Awaitable[Response]]


def answer(data: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(data), status, media_type="application/json", headers={"cache-control": "no-store"})


def status_of(error: Refused) -> int:
    return next(status for kind, status in STATUS if isinstance(error, kind))


def refusal(error: Refused) -> Response:
    sentence = str(error).removesuffix(f" ({error.rule})") if error.rule else str(error)
    return answer(wire.RefusalOut(sentence, error.rule), status_of(error))


class App:
    """The routes over one hall."""

    def __init__(self, store: Store, settings: Settings, pool: Pool | None = None) -> None:
        self.settings = settings
        self.hall = Hall(store, settings, pool)
        self.pages = Pages()
        rate = settings.rate
        self.asks = guard.Bucket(120, 20, rate)  # for each address; files of the page are not counted
        self.makes = guard.Bucket(20, 0.2, rate)
        self.connects = guard.Bucket(60, 5, rate)
        self.says = guard.Bucket(40, 20, rate)  # for each seat or watcher of a table
        self.chats = guard.Bucket(6, 0.5, rate)
        self.thinks = guard.Bucket(4, 0.2, rate)

    def starlette(self) -> Starlette:
        get, post = ["GET"], ["POST"]
        routes = [
            Route("/api/games", self.guarded(self.games), methods=get),
            Route("/api/games/{game}", self.guarded(self.game), methods=get),
            Route("/api/tables", self.guarded(self.open_tables), methods=get),
            Route("/api/tables", self.guarded(self.make), methods=post),
            Route("/api/mine", self.guarded(self.mine), methods=get),
            Route("/api/tables/{table}/sit", self.guarded(self.sit), methods=post),
            Route("/api/tables/{table}/rise", self.guarded(self.rise), methods=post),
            Route("/api/tables/{table}/cards", self.guarded(self.cards), methods=get),
            Route("/api/tables/{table}/frames", self.guarded(self.frames), methods=get),
            Route("/api/tables/{table}/record", self.guarded(self.record), methods=get),
            Route("/api/openapi.json", self.guarded(self.openapi), methods=get),
            Route("/api", self.guarded(self.api_page), methods=get),
            Route("/healthz", self.guarded(self.health), methods=get),
            Route("/metrics", self.guarded(self.metrics), methods=get),
            Route("/me/{key}", self.guarded(self.me), methods=get),
            Route("/static/{version}/{path:path}", self.guarded(self.static), methods=get),
            *(Route(path, self.guarded(self.page), methods=get) for path in PAGES),
            WebSocketRoute("/ws/{table}", self.socket),
        ]
        app = Starlette(routes=routes, lifespan=self.lifespan, exception_handlers={HTTPException: self.lost})
        return app

    @asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        await self.hall.open()
        log.info("open", extra={"version": self.pages.version})
        yield
        await self.hall.close()
        log.info("closed")

    def guarded(self, handler: Handler) -> Handler:
        """Limits before a handler, headers and a line in the log after it."""

        async def handle(request: Request) -> Response:
            began = time.perf_counter()
            try:
                if handler != self.static:
                    self.asks.take(guard.address(request))
                if request.method == "POST":
                    guard.from_own_page(request.headers, self.settings.public_url)
                response = await handler(request)
            except Refused as error:
                response = refusal(error)
            response = self.finished(response)
            took = round(1000 * (time.perf_counter() - began), 1)
            route = getattr(request.scope.get("route"), "path", "?")
            said = {"method": request.method, "route": route, "status": response.status_code, "ms": took}
            log.info("request", extra=said)
            return response

        return handle

    async def lost(self, request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        if status == 404 and "text/html" in request.headers.get("accept", ""):  # the page says it, and shows a way home
            response = await self.page(request)
            response.status_code = status
            return self.finished(response)
        sentence = "There is nothing here." if status == 404 else "That cannot be asked here."
        return self.finished(answer(wire.RefusalOut(sentence), status))

    def finished(self, response: Response) -> Response:
        """With the headers that every answer has."""
        for name, value in guard.HEADERS.items():
            response.headers.setdefault(name, value)
        response.headers.setdefault("content-security-policy", "default-src 'none'; frame-ancestors 'none'")
        if self.settings.workers > 1:  # the next request may be for another worker's table
            response.headers["connection"] = "close"
        return response

    # Games.

    async def games(self, request: Request) -> Response:
        return answer(catalogue.every_game())

    async def game(self, request: Request) -> Response:
        name = request.path_params["game"]
        if name not in names():
            raise NoTable(f"There is no game {name[:40]!r}.")
        await self.hall.ready(find(name))
        return answer(catalogue.page_of(name))

    # Tables.

    async def open_tables(self, request: Request) -> Response:
        rows = await self.hall.store.rows(("gathering", "promising", "playing", "paused"), True, LIST)
        found = []
        for row in rows:
            try:
                live = await self.hall.glimpse(row.table)
            except NoTable:  # archived meanwhile
                continue
            table = live.table
            if table.state not in ("gathering", "promising", "playing", "paused"):
                continue
            host = next((c.name for c in table.chairs if c.token == table.made.host), "")
            running = table.state != "gathering"
            found.append(wire.OpenOut(
                table.name, table.game.name, table.game.title, host, live.chairs(), table.made.at, running,
                table.made.watchers,
            ))  # fmt: skip
        return answer(found)

    async def mine(self, request: Request) -> Response:
        token = guard.hashed(guard.token_of(request))
        found = []
        for row in await self.hall.store.held(token, LIST) if token else []:
            if row.record is not None:
                game = find(row.game)
                found.append(wire.MineOut(row.table, row.game, game.title, "archived", [], [], False, row.updated))
                continue
            try:
                table = (await self.hall.glimpse(row.table)).table
            except NoTable:  # archived meanwhile
                continue
            seats = table.seats_of(token)
            if seats:
                turn = table.state == "playing" and any(
                    seat in table.asked() and table.chairs[seat].person for seat in seats
                )
                found.append(wire.MineOut(
                    table.name, table.game.name, table.game.title, table.state, seats, table.play.names, turn, table.updated
                ))  # fmt: skip
        return answer(found)

    async def make(self, request: Request) -> Response:
        self.makes.take(guard.address(request))
        asked = await read_body(request, wire.TableIn)
        if asked.game not in names():
            raise Refused(f"There is no game {asked.game!r}.")
        game = find(asked.game)
        await self.hall.ready(game)
        token = guard.token_of(request) or guard.new_token()
        made = house.make(asked, game, guard.hashed(token), secrets.token_bytes(32), self.hall.now())
        name = await self.hall.make(made)
        seats = [seat for seat, chair in enumerate(made.chairs) if chair.token]
        commitment = hashlib.sha256(bytes.fromhex(made.secret)).hexdigest()
        link, personal = f"{self.settings.public_url}/t/{name}", f"{self.settings.public_url}/me/{token}"
        made_out = wire.MadeOut(name, link, seats[0] if seats else None, seats, commitment, personal)
        return self.with_token(answer(made_out), token)

    async def sit(self, request: Request) -> Response:
        asked = await read_body(request, wire.SitIn)
        live = await self.hall.live(request.path_params["table"])
        token = guard.token_of(request) or guard.new_token()
        await live.carry_out(lambda table, now: house.sit(table, asked, guard.hashed(token), now))
        return self.with_token(answer(wire.SeatOut(asked.seat, f"{self.settings.public_url}/me/{token}")), token)

    async def rise(self, request: Request) -> Response:
        asked = await read_body(request, wire.RiseIn)
        live = await self.hall.live(request.path_params["table"])
        token = guard.hashed(guard.token_of(request))
        await live.carry_out(lambda table, now: house.rise(table, asked.seat, token, now))
        return answer({"seat": asked.seat})

    def with_token(self, response: Response, token: str) -> Response:
        guard.set_token(response, token, self.settings.public_url.startswith("https:"))
        return response

    async def cards(self, request: Request) -> Response:
        table = (await self.hall.live(request.path_params["table"])).table
        return answer(catalogue.cards(table.game, table.play.view(WATCHER)))

    def looker(self, request: Request, live: Live) -> int:
        """Through whose eyes a request looks at a table."""
        table = live.table
        asked = request.query_params.get("seat", "")
        ended = table.state in ("over", "closed")
        if not table.begun:
            raise Refused(table.reason or "The game has not begun.")
        if ended and asked == "open":
            return OPEN
        if not asked:
            if not ended and not table.made.watchers:
                raise house.NotYours(WITHOUT_WATCHERS)
            return WATCHER
        if not asked.isascii() or not asked.isdigit() or int(asked[:4]) >= table.seats:
            raise Refused("There is no such seat.")
        if not ended:
            house.mine(table, int(asked), guard.hashed(guard.token_of(request)))
        return int(asked)

    async def frames(self, request: Request) -> Response:
        live = await self.hall.live(request.path_params["table"])
        seat = self.looker(request, live)
        first = request.query_params.get("from", "0")
        if not first.isascii() or not first.isdigit():
            raise Refused("A game is told from a ply on, such as from=12.")
        return answer(frames(live.table, seat, int(first[:7]), live.table.state in ("over", "closed"), FRAMES))

    async def record(self, request: Request) -> Response:
        name = request.path_params["table"]
        row = await self.hall.store.row(name)
        if row and row.record is not None:
            text = row.record
        else:
            live = await self.hall.live(name)
            text = live.table.record(self.looker(request, live))
        game = row.game if row else "spellheist"
        headers = {"cache-control": "no-store", "content-disposition": f'inline; filename="{game}-{name}.txt"'}
        return Response(text, media_type="text/plain; charset=utf-8", headers=headers)

    # Pages and files.

    async def page(self, request: Request) -> Response:
        headers = {"cache-control": "no-cache", "content-security-policy": self.pages.policy}
        return Response(self.pages.index, media_type="text/html; charset=utf-8", headers=headers)

    async def me(self, request: Request) -> Response:
        """A personal link: this browser becomes that person."""
        key = request.path_params["key"]
        if not guard.TOKEN.fullmatch(key):
            raise NoTable("This is no personal link.")
        return self.with_token(RedirectResponse("/mine", 303), key)

    async def static(self, request: Request) -> Response:
        found = self.pages.files.get(request.path_params["path"])
        if found is None:
            raise NoTable("There is no such file.")
        current = request.path_params["version"] == self.pages.version
        caching = "public, max-age=31536000, immutable" if current else "no-cache"
        return Response(found[0], media_type=found[1], headers={"cache-control": caching})

    # For operators.

    async def health(self, request: Request) -> Response:
        await self.hall.store.due(0, 1)
        return answer({"healthy": True, "version": self.pages.version})

    async def metrics(self, request: Request) -> Response:
        return Response(self.hall.counts.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    async def openapi(self, request: Request) -> Response:
        return answer(openapi.described(self.settings.public_url))

    async def api_page(self, request: Request) -> Response:
        policy = {"content-security-policy": "default-src 'none'; style-src 'self'; frame-ancestors 'none'"}
        return Response(openapi.page(), media_type="text/html; charset=utf-8", headers=policy)

    # The socket.

    async def socket(self, websocket: WebSocket) -> None:
        try:
            self.connects.take(guard.address(websocket))
            guard.from_own_page(websocket.headers, self.settings.public_url)
            live = await self.hall.live(websocket.path_params["table"])
            line = self.line(websocket, live)
        except guard.Foreign:
            await websocket.close(1008)
            return
        except Refused as error:  # a page cannot read why a handshake fails, but it can read why a socket was closed
            await websocket.accept()
            await websocket.close(4000 + status_of(error), str(error))
            return
        await websocket.accept()
        tasks = [asyncio.create_task(self.listen(websocket, live, line)), asyncio.create_task(line.ended.wait())]
        if line.seat is not None and live.table.play.settings.get("stealing") == "live":
            tasks.append(asyncio.create_task(live.race.ping(line)))
        await live.join(line)
        try:
            await asyncio.wait(tasks[:2], return_when=asyncio.FIRST_COMPLETED)
        finally:
            live.leave(line)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if websocket.client_state.name == "CONNECTED" and websocket.application_state.name == "CONNECTED":
                await websocket.close(1013)

    def line(self, websocket: WebSocket, live: Live) -> Line:
        """Who connects: a seat that the cookie's token holds, or a watcher."""
        key = guard.token_of(websocket)
        token = guard.hashed(key)
        say = websocket.scope["extensions"]["spellheist.socket"].say
        asked = websocket.query_params.get("seat")
        if asked is None or asked == "":
            if not live.table.made.watchers and live.table.state != "gathering" and not live.table.seats_of(token):
                sent_away = token in live.table.removed
                raise house.NotYours("The host has removed you from the table." if sent_away else WITHOUT_WATCHERS)
            return Line(say, None, token, key)
        if not asked.isascii() or not asked.isdigit():
            raise Refused("There is no such seat.")
        house.mine(live.table, int(asked[:4]), token)
        line = Line(say, int(asked), token, key)
        if not guard.through_proxy(websocket):
            line.bound = lambda: round_trip(websocket)
        return line

    async def listen(self, websocket: WebSocket, live: Live, line: Line) -> None:
        """Hear one message after the other until the connection ends."""
        who = f"{live.table.name}/{line.seat}/{id(line) if line.seat is None else ''}"
        floods = 0
        while True:
            received = await websocket.receive()
            line.arrived = time.monotonic() * 1000
            if received["type"] == "websocket.disconnect":
                return
            message = None
            try:
                self.says.take(who)
                message = wire.read(received.get("bytes") or received.get("text") or "")
                if isinstance(message, wire.Chat):
                    self.chats.take(who)
                if isinstance(message, wire.Hint):
                    self.thinks.take(who)
            except Refused as error:
                self.hall.counts.refused += 1
                floods += isinstance(error, guard.TooOften)
                if floods > 100:
                    return
                refuse(live, line, getattr(message, "id", None), error)
                continue
            await hear(live, line, message)


def round_trip(websocket: WebSocket) -> float | None:
    """What this machine's own figures of the connection say of its round trip, in milliseconds, where they are known.
    Behind a proxy they would be those of the way to the proxy."""
    connection = websocket.scope["extensions"]["spellheist.socket"].transport.get_extra_info("socket")
    if connection is None or not hasattr(socket, "TCP_INFO"):
        return None
    try:
        info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 104)
    except OSError:
        return None
    if len(info) < 76:
        return None
    mean, spread = struct.unpack_from("<II", info, 68)
    return (mean + 4 * spread) / 1000


async def read_body(request: Request, kind: Any) -> Any:
    """The body of a request as one of our types."""
    body = await guard.body_of(request)
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError as error:
        raise Refused(f"This request is not understood: {wire.said(error)}.") from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise Refused("This request is not JSON.") from None
