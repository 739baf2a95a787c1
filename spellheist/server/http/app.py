"""The app: its routes, over HTTP and the socket, as `docs/protocol.md` says."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
import secrets
import socket
import struct
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Generator
from contextlib import ExitStack, asynccontextmanager, suppress
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from spellheist.core.game import Refused, find, names
from spellheist.core.state import WATCHER
from spellheist.server.http import bodies, games, me, openapi, visitors
from spellheist.server.http.origins import Foreign, Origins
from spellheist.server.http.static_files import Pages
from spellheist.server.process.bot_pool import Pool
from spellheist.server.race import rulings
from spellheist.server.race.arbiter import Known
from spellheist.server.rate_limits import Shares, TooOften
from spellheist.server.service import LIST, Service, Settings, frozen
from spellheist.server.store import Row, Store, Unavailable
from spellheist.server.table import decisions, messages
from spellheist.server.table.connections import Line
from spellheist.server.table.decisions import NoTable
from spellheist.server.table.handlers import hear, refuse
from spellheist.server.table.live import Live
from spellheist.server.table.table import Table, Unreadable
from spellheist.server.table.views import OPEN

log = logging.getLogger("spellheist")
TABLE = re.compile("[A-Za-z0-9_-]{1,64}")  # what names of tables are made of
FILE = 0.05  # what a file of the page counts for, in requests
PATIENCE = 0.05  # seconds for which nothing more is read of a socket that says too much
# What a message costs, in messages.
COSTS: dict[type, float] = {messages.Whole: 8, messages.Why: 3, messages.Undo: 10, messages.Chat: 2}
PAGES = (
    "/", "/new/{game}", "/t/{table}", "/mine", "/settings", "/rules/{game}", "/learn/{game}", "/replay/{table}",
    "/me", "/me/{key}",
)  # fmt: skip

STATUS: list[tuple[type[Refused], int]] = [
    (NoTable, 404), (decisions.NotYours, 403), (Foreign, 403), (visitors.SignedOut, 401), (decisions.Quicker, 409),
    (TooOften, 429), (visitors.TooLarge, 413), (visitors.TooSlow, 408), (Unreadable, 410),
    (Unavailable, 503), (Refused, 400),
]  # fmt: skip

Handler = Callable[[Request], Awaitable[Response]]


def answer(data: Any, status: int = 200) -> Response:
    return made(msgspec.json.encode(data), status)


def made(body: bytes, status: int = 200) -> Response:
    return Response(body, status, media_type="application/json", headers={"cache-control": "no-store"})


def status_of(error: Refused) -> int:
    return next(status for kind, status in STATUS if isinstance(error, kind))


def refusal(error: Refused) -> Response:
    sentence = str(error).removesuffix(f" ({error.rule})") if error.rule else str(error)
    return answer(bodies.RefusalOut(sentence, error.rule), status_of(error))


class App:
    """The routes over one service."""

    def __init__(self, store: Store, settings: Settings, pool: Pool | None = None) -> None:
        self.settings = settings
        self.service = Service(store, settings, pool)
        self.pages = Pages()
        self.origins = Origins(settings.public_url, settings.url_given)
        self.shares: Shares = self.service.shares
        self.asks = self.shares.requests

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
            Route("/readyz", self.guarded(self.ready), methods=get),
            Route("/metrics", self.guarded(self.metrics), methods=get),
            Route("/api/me", self.guarded(self.me), methods=get),
            *(Route(path, self.guarded(self.about_me), methods=post) for path in me.POSTS),
            Route("/static/{version}/{path:path}", self.guarded(self.static), methods=get),
            *(Route(path, self.guarded(self.page), methods=get) for path in PAGES),
            WebSocketRoute("/ws/{table}", self.socket),
        ]
        lost: Any = {HTTPException: self.lost}
        app = Starlette(routes=routes, lifespan=self.lifespan, exception_handlers=lost)
        app.router.redirect_slashes = False  # it would lead to whatever host the request names
        app.state.shares = self.shares
        return app

    @asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        try:
            await self.service.open()
            log.info("open", extra={"version": self.pages.version})
            yield
        finally:
            await self.service.close()
        log.info("closed")

    def guarded(self, handler: Handler) -> Handler:
        """Limits before a handler, headers and a line in the log after it."""

        async def handle(request: Request) -> Response:
            began = time.perf_counter()
            try:
                self.asks.take(visitors.address(request), FILE if handler == self.static else 1)
                self.origins.check(request)
                response = await handler(request)
            except Refused as error:
                if isinstance(error, TooOften):
                    await self.shares.hold(visitors.address(request))
                response = refusal(error)
            except Exception:
                response = answer(bodies.RefusalOut(self.failed()), 500)
            response = self.finished(response)
            took = round(1000 * (time.perf_counter() - began), 1)
            route = getattr(request.scope.get("route"), "path", "?")
            said = {"method": request.method, "route": route, "status": response.status_code, "ms": took}
            log.info("request", extra=said)
            return response

        return handle

    def failed(self) -> str:
        """Something went wrong that is our fault: it is logged and counted, and told in a sentence."""
        log.error("a request failed", exc_info=True)
        self.service.counts.failures += 1
        return "Something went wrong here; whoever runs this server can read what."

    async def lost(self, request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        if status == 404 and "text/html" in request.headers.get("accept", ""):  # the page says it, and shows a way home
            response = await self.page(request)
            response.status_code = status
            return self.finished(response)
        sentence = "There is nothing here." if status == 404 else "That cannot be asked here."
        return self.finished(answer(bodies.RefusalOut(sentence), status))

    def finished(self, response: Response) -> Response:
        """With the headers that every answer has."""
        for name, value in visitors.HEADERS.items():
            response.headers.setdefault(name, value)
        response.headers.setdefault("content-security-policy", "default-src 'none'; frame-ancestors 'none'")
        if self.settings.workers > 1:  # the next request may be for another worker's table
            response.headers["connection"] = "close"
        return response

    # Games.

    async def games(self, request: Request) -> Response:
        return made(games.all_games())

    async def game(self, request: Request) -> Response:
        name = request.path_params["game"]
        if name not in names():
            raise NoTable(f"There is no game {name[:40]!r}.")
        await self.service.ready(find(name))
        return made(games.page_of(name))

    # Tables.

    async def open_tables(self, request: Request) -> Response:
        self.shares.labour.bucket.allows(visitors.address(request))
        rows = await self.service.store.rows(("gathering", "promising", "playing", "paused"), True, LIST)
        found = []
        for row in rows:
            try:
                live = await self.service.glimpse(row.table)
            except (NoTable, Unreadable):  # archived meanwhile, or damaged
                continue
            if live.table.state in ("gathering", "promising", "playing", "paused"):
                found.append(live)
        return made(await self.shares.labour.do(visitors.address(request), rows_of(found)))

    async def mine(self, request: Request) -> Response:
        token = (await self.visitor(request)).token
        found = []
        self.shares.labour.bucket.allows(visitors.address(request))
        for row in await self.service.store.held(token, LIST) if token else []:
            if row.record is not None:
                found.append(known_by_row(row, "archived"))
                continue
            try:
                table = (await self.service.glimpse(row.table)).table
            except NoTable:  # archived meanwhile
                continue
            except Unreadable:
                found.append(known_by_row(row, frozen(row).state))
                continue
            seats = table.seats_of(token)
            if seats:
                turn = table.state == "playing" and any(
                    seat in table.asked() and table.chairs[seat].person for seat in seats
                )
                found.append(bodies.MineOut(
                    table.name, table.game.name, table.game.title, table.state, seats, table.play.names, turn, table.updated
                ))  # fmt: skip
        return answer(found)

    async def make(self, request: Request) -> Response:
        self.shares.tables.take(visitors.address(request))
        asked = await self.read_body(request, bodies.TableIn)
        if asked.game not in names():
            raise Refused(f"There is no game {asked.game!a}.")
        game = find(asked.game)
        await self.service.ready(game)
        visitor = await self.somebody(request)
        made = decisions.make(asked, game, visitor.token, secrets.token_bytes(32))
        name = await self.service.make(made)
        seats = [seat for seat, chair in enumerate(made.chairs) if chair.token]
        commitment = hashlib.sha256(bytes.fromhex(made.secret)).hexdigest()
        link = f"{self.settings.public_url}/t/{name}"
        made_out = bodies.MadeOut(name, link, seats[0] if seats else None, seats, commitment)
        return self.with_token(answer(made_out), visitor.key)

    async def sit(self, request: Request) -> Response:
        asked = await self.read_body(request, bodies.SitIn)
        live = await self.service.live(table_of(request))
        visitor = await self.somebody(request)
        await live.carry_out(lambda table, now: decisions.sit(table, asked, visitor.token, now))
        return self.with_token(answer(bodies.SeatOut(asked.seat)), visitor.key)

    async def rise(self, request: Request) -> Response:
        asked = await self.read_body(request, bodies.RiseIn)
        live = await self.service.live(table_of(request))
        token = (await self.visitor(request)).token
        await live.carry_out(lambda table, now: decisions.rise(table, asked.seat, token, now))
        return answer({"seat": asked.seat})

    async def visitor(self, connection: HTTPConnection) -> visitors.Visitor:
        """Who asks."""
        return await self.service.people.visitor(visitors.key_of(connection))

    async def somebody(self, connection: HTTPConnection) -> visitors.Visitor:
        """Who asks, and is known from now on."""
        visitor = await self.visitor(connection)
        return await self.service.people.settle(visitor, connection.headers.get("user-agent", ""))

    async def me(self, request: Request) -> Response:
        return answer(await me.tell(self.service.people, await self.visitor(request)))

    async def about_me(self, request: Request) -> Response:
        """What somebody asks about themselves; by some of it this browser becomes another device."""
        self.shares.keys.take(visitors.address(request))
        kind, does = me.POSTS[request.url.path]
        asked, agent = await self.read_body(request, kind), request.headers.get("user-agent", "")
        told, new = await does(self.service.people, await self.visitor(request), asked, agent)
        return self.with_token(answer(told), new.key) if new else answer(told)

    async def read_body(self, request: Request, kind: Any) -> Any:
        """The body of a request as one of our types."""
        body = await visitors.body_of(request, self.settings.limits.seconds_for_body)
        try:
            return msgspec.json.decode(body, type=kind)
        except msgspec.ValidationError as error:
            raise Refused(f"This request is not understood: {messages.said(error)}.") from None
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            raise Refused("This request is not JSON.") from None

    def with_token(self, response: Response, token: str) -> Response:
        visitors.set_token(response, token, self.settings.public_url.startswith("https:"))
        return response

    async def cards(self, request: Request) -> Response:
        table = (await self.service.live(table_of(request))).table
        self.shares.labour.bucket.pay(visitors.address(request), 1)
        return answer(table.game.words.cards(table.play.view(WATCHER)))

    async def looker(self, request: Request, table: Table) -> int:
        """Through whose eyes a request looks at a table."""
        seat = visitors.seat_of(request)
        ended = table.state in ("over", "closed")
        if not table.begun:
            raise Refused(table.reason or "The game has not begun.")
        if seat is None:
            if not ended and not table.made.watchers:
                raise decisions.NotYours(decisions.WITHOUT_WATCHERS)
            return WATCHER
        if ended and seat == "open":
            return OPEN
        if not isinstance(seat, int) or seat >= table.seats:
            raise Refused("There is no such seat.")
        if not ended:
            decisions.mine(table, seat, (await self.visitor(request)).token)
        return seat

    async def frames(self, request: Request) -> Response:
        live = await self.service.live(table_of(request))
        seat = await self.looker(request, live.table)
        first = request.query_params.get("from", "0")
        if not first.isascii() or not first.isdigit():
            raise Refused("A game is told from a ply on, such as from=12.")
        return made(await self.service.retold.frames(live.table, seat, int(first[:7]), visitors.address(request)))

    async def record(self, request: Request) -> Response:
        name = table_of(request)
        row = await self.service.store.row(name)
        text: str | bytes
        if row and row.record is not None:
            text = row.record
        else:
            live = await self.service.live(name)
            seat = await self.looker(request, live.table)
            text = await self.service.retold.record(live.table, seat, visitors.address(request))
        game = row.game if row else "spellheist"
        headers = {"cache-control": "no-store", "content-disposition": f'inline; filename="{game}-{name}.txt"'}
        return Response(text, media_type="text/plain; charset=utf-8", headers=headers)

    # Pages and files.

    async def page(self, request: Request) -> Response:
        headers = {"cache-control": "no-cache", "content-security-policy": self.pages.policy}
        return Response(self.pages.index, media_type="text/html; charset=utf-8", headers=headers)

    async def static(self, request: Request) -> Response:
        found = self.pages.files.get(request.path_params["path"])
        if found is None:
            raise NoTable("There is no such file.")
        current = request.path_params["version"] == self.pages.version
        caching = "public, max-age=31536000, immutable" if current else "no-cache"
        return Response(found[0], media_type=found[1], headers={"cache-control": caching})

    # For operators.

    async def health(self, request: Request) -> Response:
        """Does this process live?"""
        return answer({"healthy": True, "version": self.pages.version})

    async def ready(self, request: Request) -> Response:
        """Can this process write, and does its background work run?"""
        writes, supervisor = await self.service.can_write(), self.service.supervisor
        missed = supervisor.missed()
        ran = {name: None if ago is None else round(ago, 1) for name, ago in supervisor.ago().items()}
        said = {"ready": writes and not missed, "writes": writes, "missed": missed, "seconds_ago": ran}
        return answer(said, 200 if said["ready"] else 503)

    async def metrics(self, request: Request) -> Response:
        if not visitors.for_operators(request, self.settings.metrics_token):
            raise NoTable("There is nothing here.")
        return Response(self.service.counts.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    async def openapi(self, request: Request) -> Response:
        return answer(openapi.described(self.settings.public_url))

    async def api_page(self, request: Request) -> Response:
        policy = {"content-security-policy": "default-src 'none'; style-src 'self'; frame-ancestors 'none'"}
        return Response(openapi.page(), media_type="text/html; charset=utf-8", headers=policy)

    # The socket.

    async def socket(self, websocket: WebSocket) -> None:
        with ExitStack() as held:
            try:
                await self.connected(websocket, held)
            except (WebSocketDisconnect, OSError):  # gone before it was told something
                pass
            except Exception:
                sentence = self.failed()
                with suppress(WebSocketDisconnect, OSError, RuntimeError):  # in whatever state it is
                    await websocket.accept()
                with suppress(WebSocketDisconnect, OSError, RuntimeError):
                    await websocket.close(1011, sentence)

    def count(self, websocket: WebSocket, live: Live, line: Line, held: ExitStack) -> None:
        """One more socket of an address; it is given back when it ends."""
        line.address = visitors.address(websocket)
        kinds = [self.shares.sockets]
        if line.seat is None:
            kinds.append(self.shares.watchers)
            most = self.settings.limits.watchers_per_table
            if most and live.watching >= most:
                raise TooOften("As many watch this table as can.")
        for kind in kinds:
            kind.take(line.address)
            held.callback(kind.give_back, line.address)

    async def connected(self, websocket: WebSocket, held: ExitStack) -> None:
        try:
            self.shares.joins.take(visitors.address(websocket))
            self.origins.from_own_page(websocket)
            live = await self.service.live(table_of(websocket))
            line = await self.line(websocket, live)
            self.count(websocket, live, line, held)
        except Foreign:
            await websocket.close(1008)
            return
        except Refused as error:  # a page cannot read why a handshake fails, but it can read why a socket was closed
            if isinstance(error, TooOften):
                await self.shares.hold(visitors.address(websocket))
            await websocket.accept()
            await websocket.close(4000 + status_of(error), str(error))
            return
        await websocket.accept()
        tasks = [asyncio.create_task(self.listen(websocket, live, line)), asyncio.create_task(line.ended.wait())]
        if line.seat is not None and rulings.has_windows(live.table):
            tasks.append(asyncio.create_task(live.race.ping(line)))
        try:
            await live.join(line)
            await asyncio.wait(tasks[:2], return_when=asyncio.FIRST_COMPLETED)
        except Exception:
            line.why = 1011, self.failed()
        finally:
            live.leave(line)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if websocket.client_state.name == "CONNECTED" and websocket.application_state.name == "CONNECTED":
                await websocket.close(*line.why)
            websocket.scope["extensions"]["spellheist.socket"].let_go()

    async def line(self, websocket: WebSocket, live: Live) -> Line:
        """The line of whoever connects: for a seat that is theirs, or a watcher's."""
        visitor, seat = await self.visitor(websocket), visitors.seat_of(websocket)
        if not isinstance(seat, int | None):
            raise Refused("There is no such seat.")
        if visitor.ended and seat is not None:
            raise visitors.SignedOut
        decisions.attend(live.table, seat, visitor.token)
        line = Line(websocket.scope["extensions"]["spellheist.socket"].say, seat, visitor)
        line.known = told_trip(websocket) if visitors.through_proxy(websocket) else lambda: round_trips(websocket)
        return line

    async def listen(self, websocket: WebSocket, live: Live, line: Line) -> None:
        """Hear one message after the other until the connection ends."""
        who = f"{live.table.name}/{line.seat}/{id(line) if line.seat is None else ''}"
        floods, shares = 0, self.shares
        while True:
            received = await websocket.receive()
            line.arrived = time.monotonic() * 1000
            if received["type"] == "websocket.disconnect":
                return
            message = None
            try:
                shares.says.take(who)
                message = messages.read(received.get("bytes") or received.get("text") or "")
                shares.messages.take(line.address, COSTS.get(type(message), 1))
                if isinstance(message, messages.Chat):
                    shares.chats.take(who)
                if isinstance(message, messages.Hint):
                    shares.thinks.take(who)
                    shares.hints.take(line.address)
                await hear(live, line, message)
            except Refused as error:
                self.service.counts.refused += 1
                floods += isinstance(error, TooOften)
                if floods > 100:
                    return
                refuse(live, line, getattr(message, "id", None), error)
                if isinstance(error, TooOften):
                    await asyncio.sleep(PATIENCE)
            except Exception:
                refuse(live, line, getattr(message, "id", None), Refused(self.failed()))


def known_by_row(row: Row, state: str) -> bodies.MineOut:
    """A table of which there is no journal to be read."""
    title = find(row.game).title if row.game in names() else row.game
    return bodies.MineOut(row.table, row.game, title, state, [], [], False, row.updated)


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


def table_of(connection: HTTPConnection) -> str:
    """The name of a table in an address."""
    name: str = connection.path_params["table"]
    if not TABLE.fullmatch(name):
        raise NoTable("There is no such table.")
    return name


def rows_of(lives: list[Live]) -> Generator[None, None, bytes]:
    """The list of open tables."""
    found = []
    for live in lives:
        table = live.table
        host = next((c.name for c in table.chairs if c.token == table.made.host), "")
        found.append(bodies.OpenOut(
            table.name, table.game.name, table.game.title, host, live.chairs(), table.made.at, table.state != "gathering",
            table.made.watchers,
        ))  # fmt: skip
        yield
    return msgspec.json.encode(found)
