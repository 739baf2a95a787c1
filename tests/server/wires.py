"""Twin worlds over real sockets: the games of `worlds.py` at a server that listens on an address of its own, with pages
that speak with it over WebSockets and HTTP. What is compared is what such a page receives, byte for byte.

Dice, names and times are scripted, as in `worlds.py`; a line's pings are left out, since their times are never the same.
"""

import asyncio
import base64
import json
import os
import tempfile
from contextlib import ExitStack, suppress
from unittest.mock import patch

import msgspec
import uvicorn
import worlds
from worlds import LOG, NAME, Logs, Telling

from spellheist.core.play import new
from spellheist.core.state import CHANCE, WATCHER
from spellheist.server.http import visitors
from spellheist.server.http.app import App
from spellheist.server.process.serve import bound, config
from spellheist.server.settings import Settings
from spellheist.server.store import store_at
from spellheist.server.table.actions.asking import Whole
from spellheist.server.table.actions.starting import Start

URL = "http://table"
PATIENCE = 60  # seconds for an answer
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # where nothing waits for a disk
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10  # kinds of frames


def told(game, seats, options, moves, world, looker):
    """One game of these moves, as `worlds.told` tells it."""
    telling = Wired(game, seats, options, moves, world, looker)
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder, asyncio.Runner(loop_factory=loop) as runner:
        telling.store = f"sqlite:///{folder}/tables.db"
        runner.run(telling.run())
    return telling


def loop():
    """The loop that servers run in."""
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


class Page(asyncio.Protocol):
    """A page's end of a socket. It keeps every text as it comes, with the number of decisions before it."""

    def __init__(self, seat, key, step):
        self.seat, self.key, self.step, self.kept = seat, key, step, []
        self.buffer, self.shaken = b"", False
        self.wanted = lambda kind, text: False
        self.come = None

    def connection_made(self, transport):
        self.transport = transport
        query = "" if self.seat is None else f"?seat={self.seat}"
        cookie = f"Cookie: {visitors.COOKIE}={self.key}\r\n" if self.key else ""
        transport.write(
            f"GET /ws/{NAME}{query} HTTP/1.1\r\nHost: table\r\nOrigin: {URL}\r\n{cookie}Upgrade: websocket\r\n"
            "X-Forwarded-For: 127.0.0.1\r\n"  # behind a proxy the round trip is not read off the connection
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
            f"{base64.b64encode(bytes(16)).decode()}\r\n\r\n".encode()
        )

    def data_received(self, data):
        self.buffer += data
        if not self.shaken:
            head, end, rest = self.buffer.partition(b"\r\n\r\n")
            if not end:
                return
            assert head.startswith(b"HTTP/1.1 101"), head
            self.shaken, self.buffer = True, rest
        while (frame := self.frame()) is not None:
            self.take(*frame)

    def frame(self):
        """The next whole frame: its kind and what is in it."""
        buffer, size, start = self.buffer, 0, 2
        if len(buffer) < 2:
            return None
        size = buffer[1]
        if size >= 126:
            start = 4 if size == 126 else 10
            size = int.from_bytes(buffer[2:start], "big")
        if len(buffer) < start + size:
            return None
        self.buffer = buffer[start + size :]
        return buffer[0] & 15, buffer[start : start + size]

    def connection_lost(self, error):
        if self.come and not self.come.done():
            self.come.set_exception(ConnectionError(f"the server has cut the line of seat {self.seat}"))

    def keep(self, text):
        self.kept.append((self.step(), text))

    def take(self, kind, content):
        if kind == TEXT:
            self.keep(content.decode())
        elif kind == PING:
            self.send(PONG, content)
        if self.come and not self.come.done() and self.wanted(kind, content):
            self.come.set_result(None)

    def send(self, kind, content):
        """One frame. The mask is nothing, which is a mask too."""
        size = len(content)
        assert size < 65536
        length = bytes([128 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
        self.transport.write(bytes([128 | kind]) + length + bytes(4) + content)

    async def until(self, wanted, kind=None, content=b""):
        """Send something, and wait for a frame."""
        self.wanted, self.come = wanted, asyncio.get_running_loop().create_future()
        if kind is not None:
            self.send(kind, content)
        async with asyncio.timeout(PATIENCE):
            await self.come
        self.come = None

    async def catch_up(self):
        """Wait until all has come that the server has sent by now."""
        await self.until(lambda kind, content: kind == PONG, PING)


class Still:
    """The time of the worlds, for when a message comes."""

    monotonic = staticmethod(lambda: worlds.clock.now / 1000)
    perf_counter = staticmethod(lambda: 0.0)


async def unmeasured(race, line):
    """In place of pings, whose times are never the same."""


def same_in_all(world):
    """While this lasts, names and times are the same in all worlds, and the secret is this world's own."""
    patches = ExitStack()
    for place, what in (
        ("service.secrets.token_urlsafe", lambda size: NAME),
        ("http.tables.secrets.token_bytes", lambda size: world.secret),
        ("http.app.time", Still), ("http.table_socket.time", Still), ("race.race.Race.ping", unmeasured),
        ("http.websockets.ASIDES", 10**9),  # pings by which pages catch up
    ):  # fmt: skip
        patches.enter_context(patch(f"spellheist.server.{place}", what))
    return patches


class Wired(Telling):
    """One game, from its first message to its last, over sockets. The server's own table is looked at only to see how far
    it is."""

    store: str

    async def run(self):
        self.stops = stops(self.game.name, self.seats, self.options, self.moves)
        settings = Settings(public_url=URL, rate=0, times=worlds.AT_ONCE, slice=60, soon=0)
        self.app = App(store_at(self.store), settings, worlds.Adviser())
        self.app.service.ready = worlds.compiled_when_needed
        self.app.service.warming.warm_all = worlds.nothing
        listening = bound("127.0.0.1", 0)
        self.port = listening.getsockname()[1]
        server = uvicorn.Server(config(self.app.starlette()))
        with same_in_all(self.world):
            serving = asyncio.create_task(server.serve([listening]))
            while not server.started:
                await asyncio.sleep(0)
            try:
                await self.play()
            finally:
                server.should_exit = True
                await serving

    async def play(self):
        logs = Logs(self.told[LOG], lambda: self.count)
        worlds.logger.addHandler(logs)
        try:
            await self.gather()
            while not self.live.table.over:
                await self.move()
                await self.ask_around()
                await self.catch_up()
        except EOFError:
            pass
        finally:
            worlds.logger.removeHandler(logs)

    async def catch_up(self):
        """The looker has all that it was sent up to here."""
        page = self.lines[self.looker if self.looker >= 0 else -1]
        await page.catch_up()
        self.take_over(page)
        self.plies.append(self.live.table.play.ply)

    def take_over(self, page):
        """What a page has kept is told; not as it comes, as two pages of one seat get theirs in any order."""
        self.told[WATCHER if page.seat is None else page.seat] += page.kept
        page.kept = []

    async def gather(self):
        chairs = [{"kind": "me", "name": "Name 0"}, *({"kind": "open"} for _ in range(1, self.seats))]
        body = {"game": self.game.name, "chairs": chairs, "options": self.options, "hints": True, "listed": True}
        await self.ask("POST", "/api/tables", self.world.tokens[0], body)
        self.live = self.app.service.tables[NAME]
        for seat in range(1, self.seats):
            sitting = {"seat": seat, "name": f"Name {seat}"}
            await self.ask("POST", f"/api/tables/{NAME}/sit", self.world.tokens[seat], sitting)
        self.lines = [await self.connected(looker) for looker in (*range(self.seats), WATCHER)]
        await self.say(self.lines[0], Start(id=self.next_id(self.lines[0])))
        await self.catch_up()

    async def connected(self, looker):
        """A page that has been told everything there is to know."""
        seat, key = (None, "") if looker == WATCHER else (looker, self.world.tokens[looker])
        page = Page(seat, key, lambda: self.count)
        await asyncio.get_running_loop().create_connection(lambda: page, "127.0.0.1", self.port)
        await page.until(lambda kind, content: kind == TEXT)
        await self.all_know_who_is_here()
        await page.catch_up()
        return page

    async def say(self, page, message):
        """Send a message and wait for its answer."""
        content = msgspec.json.encode(message)
        number = getattr(message, "id", None)
        if number is None:  # why and whole are answered at once
            page.send(TEXT, content)
            await page.catch_up()
            return

        def answers(kind, text):
            if kind != TEXT:
                return False
            told = json.loads(text)
            return told.get("id", told.get("did")) == number

        await page.until(answers, TEXT, content)

    async def move(self):
        ply = self.live.table.play.ply
        if not any(ply < stop for stop in self.stops):
            raise EOFError  # the script ends before the next question
        await super().move()

    async def ruled(self, ply):
        """Wait for the ruling on a press."""
        async with asyncio.timeout(PATIENCE):
            while self.live.table.play.ply == ply:
                await asyncio.sleep(0.001)

    async def connect(self, line):
        """A new connection from the same seat, and the whole on the old one."""
        before = len(self.live.connections)
        again = await self.connected(WATCHER if line.seat is None else line.seat)
        again.send(CLOSE, b"")
        async with asyncio.timeout(PATIENCE):
            while len(self.live.connections) > before:
                await asyncio.sleep(0)
        await self.all_know_who_is_here()
        again.transport.close()
        self.take_over(again)
        await self.say(line, Whole())

    async def read(self, line):
        await line.catch_up()
        await super().read(line)

    async def fetch(self, path, key):
        return path + " " + await self.ask("GET", path, key)

    async def ask(self, method, path, key, body=None):
        """All that a browser gets from an address, but the date."""
        content = json.dumps(body).encode() if body else b""
        cookie = f"Cookie: {visitors.COOKIE}={key}\r\n" if key else ""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(
            f"{method} {path} HTTP/1.1\r\nHost: table\r\nOrigin: {URL}\r\n{cookie}Connection: close\r\n"
            f"Content-Length: {len(content)}\r\n\r\n".encode()
            + content
        )
        async with asyncio.timeout(PATIENCE):
            answer = await reader.read()
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
        head, _, told = answer.decode().partition("\r\n\r\n")
        lines = [line for line in head.split("\r\n") if not line.lower().startswith("date:")]
        assert method == "GET" or " 200 " in lines[0], answer
        return "\r\n".join(lines) + told


def stops(game, seats, options, moves):
    """The plies at which somebody is asked, or the game is over."""
    play, found = new(game, seats, options), []
    for move in (*moves, None):
        if play.turn != CHANCE:
            found.append(play.ply)
        if move is not None:
            play.chance(move) if play.turn == CHANCE else play.play(move)
    return found
