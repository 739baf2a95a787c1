"""The app: its routes, over HTTP and the socket, as `docs/protocol.md` says."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute

from spellheist.core.refused import Refused
from spellheist.server.http import bodies, openapi, visitors
from spellheist.server.http.answers import answer, refusal
from spellheist.server.http.games import GameRoutes
from spellheist.server.http.me import POSTS, MeRoutes
from spellheist.server.http.operators import OperatorRoutes
from spellheist.server.http.origins import Origins
from spellheist.server.http.static_files import Pages
from spellheist.server.http.table_socket import TableSocket
from spellheist.server.http.tables import TableRoutes
from spellheist.server.process.bot_pool import Pool
from spellheist.server.rate_limits import TooOften
from spellheist.server.service import Service
from spellheist.server.settings import Settings
from spellheist.server.store import Store
from spellheist.server.table.rights import NoTable

log = logging.getLogger("spellheist")
FILE = 0.05  # what a file of the page counts for, in requests
PAGES = (
    "/", "/new/{game}", "/t/{table}", "/mine", "/settings", "/rules/{game}", "/learn/{game}", "/replay/{table}",
    "/me", "/me/{key}",
)  # fmt: skip

Handler = Callable[[Request], Awaitable[Response]]


class App:
    """The routes over one service."""

    def __init__(self, store: Store, settings: Settings, pool: Pool | None = None) -> None:
        self.settings = settings
        self.service = Service(store, settings, pool)
        self.pages = Pages()
        self.origins = Origins(settings.public_url, settings.url_given)
        self.rate_limits = self.service.rate_limits

    def routes(self) -> dict[str, Handler]:
        """What is answered, by method and path."""
        tables, operators = TableRoutes(self.service), OperatorRoutes(self.service, self.pages.version)
        games, me = GameRoutes(self.service), MeRoutes(self.service)
        return {
            "GET /api/games": games.all_games,
            "GET /api/games/{game}": games.game,
            "GET /api/tables": tables.open_tables,
            "POST /api/tables": tables.make,
            "GET /api/mine": tables.mine,
            "POST /api/tables/{table}/sit": tables.sit,
            "POST /api/tables/{table}/rise": tables.rise,
            "GET /api/tables/{table}/cards": tables.cards,
            "GET /api/tables/{table}/frames": tables.frames,
            "GET /api/tables/{table}/record": tables.record,
            "GET /api/openapi.json": self.openapi,
            "GET /api": self.api_page,
            "GET /healthz": operators.health,
            "GET /readyz": operators.ready,
            "GET /metrics": operators.metrics,
            "GET /api/me": me.tell,
            **{f"POST {path}": me.change for path in POSTS},
            "GET /static/{version}/{path:path}": self.static,
            **{f"GET {path}": self.page for path in PAGES},
        }

    def starlette(self) -> Starlette:
        routes: list[Any] = [WebSocketRoute("/ws/{table}", TableSocket(self.service, self.origins).open)]
        for line, handler in self.routes().items():
            method, _, path = line.partition(" ")
            routes.append(Route(path, self.guarded(handler), methods=[method]))
        not_found: Any = {HTTPException: self.not_found}
        app = Starlette(routes=routes, lifespan=self.lifespan, exception_handlers=not_found)
        app.router.redirect_slashes = False  # it would lead to whatever host the request names
        app.state.rate_limits = self.rate_limits
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
                self.rate_limits.requests.take(visitors.address(request), FILE if handler == self.static else 1)
                self.origins.check(request)
                response = await handler(request)
            except Refused as error:
                if isinstance(error, TooOften):
                    await self.rate_limits.hold(visitors.address(request))
                response = refusal(error)
            except Exception:
                response = answer(bodies.RefusalOut(self.service.counts.failed()), 500)
            response = self.finished(response)
            took = round(1000 * (time.perf_counter() - began), 1)
            route = getattr(request.scope.get("route"), "path", "?")
            said = {"method": request.method, "route": route, "status": response.status_code, "ms": took}
            log.info("request", extra=said)
            return response

        return handle

    async def not_found(self, request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        if status == 404 and "text/html" in request.headers.get("accept", ""):  # the page says it, and shows a way home
            response = await self.page(request)
            response.status_code = status
            return self.finished(response)
        sentence = "There is nothing here." if status == 404 else "That method is not allowed here."
        return self.finished(answer(bodies.RefusalOut(sentence), status))

    def finished(self, response: Response) -> Response:
        """With the headers that every answer has."""
        for name, value in visitors.HEADERS.items():
            response.headers.setdefault(name, value)
        response.headers.setdefault("content-security-policy", "default-src 'none'; frame-ancestors 'none'")
        if self.settings.workers > 1:  # the next request may be for another worker's table
            response.headers["connection"] = "close"
        return response

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

    async def openapi(self, request: Request) -> Response:
        return answer(openapi.described(self.settings.public_url))

    async def api_page(self, request: Request) -> Response:
        policy = {"content-security-policy": "default-src 'none'; style-src 'self'; frame-ancestors 'none'"}
        return Response(openapi.page(), media_type="text/html; charset=utf-8", headers=policy)
