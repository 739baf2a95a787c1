"""Tables over HTTP: lists of them, making one, sitting down, and what has been played there."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Generator

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from spellheist.core.game import find, names
from spellheist.core.refused import Refused
from spellheist.core.state import WATCHER
from spellheist.server.http import bodies, visitors
from spellheist.server.http.answers import answer, encoded, read_body, visitor_of, with_token
from spellheist.server.service import LIST, Service, frozen
from spellheist.server.store import TableRow
from spellheist.server.table import description, rights
from spellheist.server.table.actions.leaving import rise
from spellheist.server.table.actions.making import make
from spellheist.server.table.actions.sitting import sit
from spellheist.server.table.live import Live
from spellheist.server.table.reading import Unreadable
from spellheist.server.table.rights import NoTable
from spellheist.server.table.table import Table
from spellheist.server.table.views import OPEN

TABLE = re.compile("[A-Za-z0-9_-]{1,64}")  # what names of tables are made of
UNDER_WAY = ("gathering", "promising", "playing", "paused")


def table_of(connection: HTTPConnection) -> str:
    """The name of a table in an address."""
    name: str = connection.path_params["table"]
    if not TABLE.fullmatch(name):
        raise NoTable("There is no such table.")
    return name


class TableRoutes:
    """What can be asked of tables."""

    def __init__(self, service: Service) -> None:
        self.service, self.rate_limits = service, service.rate_limits

    async def open_tables(self, request: Request) -> Response:
        self.rate_limits.work.bucket.allows(visitors.address(request))
        found = []
        for row in await self.service.store.rows(UNDER_WAY, True, LIST):
            try:
                live = await self.service.glimpse(row.table)
            except (NoTable, Unreadable):  # archived meanwhile, or damaged
                continue
            if live.table.state in UNDER_WAY:
                found.append(live)
        return encoded(await self.rate_limits.work.do(visitors.address(request), rows_of(found)))

    async def mine(self, request: Request) -> Response:
        token = (await visitor_of(self.service, request)).token
        found = []
        self.rate_limits.work.bucket.allows(visitors.address(request))
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
            if table.seats_of(token):
                found.append(mine_of(table, token))
        return answer(found)

    async def make(self, request: Request) -> Response:
        self.rate_limits.tables.take(visitors.address(request))
        body = await read_body(self.service, request, bodies.TableIn)
        if body.game not in names():
            raise Refused(f"There is no game {body.game!a}.")
        game = find(body.game)
        await self.service.ready(game)
        visitor = await self.somebody(request)
        made = make(body, game, visitor.token, secrets.token_bytes(32))
        name = await self.service.make(made)
        seats = [seat for seat, chair in enumerate(made.chairs) if chair.token]
        commitment = hashlib.sha256(bytes.fromhex(made.secret)).hexdigest()
        link = f"{self.service.settings.public_url}/t/{name}"
        told = bodies.MadeOut(name, link, seats[0] if seats else None, seats, commitment)
        return with_token(self.service, answer(told), visitor.key)

    async def sit(self, request: Request) -> Response:
        body = await read_body(self.service, request, bodies.SitIn)
        live = await self.service.live(table_of(request))
        visitor = await self.somebody(request)
        await live.carry_out(lambda table, now: sit(table, body, visitor.token, now))
        return with_token(self.service, answer(bodies.SeatOut(body.seat)), visitor.key)

    async def rise(self, request: Request) -> Response:
        body = await read_body(self.service, request, bodies.RiseIn)
        live = await self.service.live(table_of(request))
        token = (await visitor_of(self.service, request)).token
        await live.carry_out(lambda table, now: rise(table, body.seat, token, now))
        return answer({"seat": body.seat})

    async def somebody(self, request: Request) -> visitors.Visitor:
        """Who asks, and is known from now on."""
        visitor = await visitor_of(self.service, request)
        return await self.service.people.settle(visitor, request.headers.get("user-agent", ""))

    async def cards(self, request: Request) -> Response:
        table = (await self.service.live(table_of(request))).table
        self.rate_limits.work.bucket.pay(visitors.address(request), 1)
        return answer(table.game.words.cards(table.play.view(WATCHER)))

    async def frames(self, request: Request) -> Response:
        live = await self.service.live(table_of(request))
        seat = await self.looker(request, live.table)
        first = request.query_params.get("from", "0")
        if not first.isascii() or not first.isdigit():
            raise Refused("from must be the number of a ply, such as from=12.")
        return encoded(await self.service.replays.frames(live.table, seat, int(first[:7]), visitors.address(request)))

    async def record(self, request: Request) -> Response:
        name = table_of(request)
        row = await self.service.store.row(name)
        text: str | bytes
        if row and row.record is not None:
            text = row.record
        else:
            live = await self.service.live(name)
            seat = await self.looker(request, live.table)
            text = await self.service.replays.record(live.table, seat, visitors.address(request))
        game = row.game if row else "spellheist"
        headers = {"cache-control": "no-store", "content-disposition": f'inline; filename="{game}-{name}.txt"'}
        return Response(text, media_type="text/plain; charset=utf-8", headers=headers)

    async def looker(self, request: Request, table: Table) -> int:
        """Through whose eyes a request looks at a table."""
        seat = visitors.seat_of(request)
        ended = table.state in ("over", "closed")
        if not table.begun:
            raise Refused(table.reason or "The game has not begun.")
        if seat is None:
            if not ended and not table.made.watchers:
                raise rights.NotYours(rights.WITHOUT_WATCHERS)
            return WATCHER
        if ended and seat == "open":
            return OPEN
        if not isinstance(seat, int) or seat >= table.seats:
            raise Refused("There is no such seat.")
        if not ended:
            rights.mine(table, seat, (await visitor_of(self.service, request)).token)
        return seat


def mine_of(table: Table, token: str) -> bodies.MineOut:
    """A table of somebody's."""
    seats, asked = table.seats_of(token), table.asked()
    turn = table.state == "playing" and any(seat in asked and table.chairs[seat].person for seat in seats)
    return bodies.MineOut(
        table.name, table.game.name, table.game.title, table.state, seats, table.play.names, turn, table.updated
    )


def known_by_row(row: TableRow, state: str) -> bodies.MineOut:
    """A table of which there is no journal to be read."""
    title = find(row.game).title if row.game in names() else row.game
    return bodies.MineOut(row.table, row.game, title, state, [], [], False, row.updated)


def rows_of(lives: list[Live]) -> Generator[None, None, bytes]:
    """The list of open tables."""
    found = []
    for live in lives:
        table = live.table
        host = next((c.name for c in table.chairs if c.token == table.made.host), "")
        found.append(bodies.OpenOut(
            table.name, table.game.name, table.game.title, host, description.chairs(live), table.made.at,
            table.state != "gathering", table.made.watchers,
        ))  # fmt: skip
        yield
    return msgspec.json.encode(found)
