"""Does one address that floods make the others slower?

    python benchmarks/flood.py [--tables 100] [--seconds 8] [--rounds 5] [--workers N] [--only WAY]

Every table makes one move a second, and besides somebody asks for pages, lists and games; by turns in peace and while
another process does its worst from one address, in all ways at once: games told again from everywhere, records, headers
that never end, sockets that are opened and not read, new tables and rematches, watchers who come and go (also at other
people's tables), wrong messages, pings and empty fragments as fast as they go. It comes back whenever it is cut off. The
server's limits are on, as they are by default. Everybody has an address of their own, as if a proxy had told it. The
flood comes from this machine too, so it runs at a low priority: what is measured is what the server lets it cost, not
how many cores the flooder has.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import multiprocessing
import os
import random
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple

from server import SEATS, Load, Ours, address_of, busy, connect, spread

BAD = [
    b'{"t":"whole"}', b'{"t":"move","id":1,"ply":0,"move":"x"}', b'{"t":"move","id":2,"ply":-7,"move":3}',
    b'{"t":"move","id":3,"ply":0,"move":3}', b'{"t":', b"[]", b'{"t":"chat","id":4,"text":"' + b"x" * 6000 + b'"}',
    b'{"t":"press","id":5,"ply":0,"move":1,"reaction":null}', b'{"t":"hint","id":6,"ply":0}',
    b'{"t":"undo","id":7,"ply":0}', b'{"t":"why","move":3}',
]  # fmt: skip
FLOODERS = 8  # connections at once, of each way
SLOW = 300  # connections that never end their headers
BREATH = 20  # messages before the next connection has its turn
UNREAD = 100_000  # bytes that wait for the server to read them
NICE = 10  # the flooder's priority
ASKED = 20  # requests a second beside the moves
EVE = address_of(60_000)
QUIET, FLOODED = "in peace", "in a flood"


class Target(NamedTuple):
    """What is flooded: a table of the flooder's own, others' tables, a long game that has ended."""

    port: int
    base: str
    cookie: str
    table: str
    others: list[str]
    ended: str
    plies: int


async def ask(port: int, path: str, address: str, body: bytes | None = None, more: str = "") -> bytes:
    """An HTTP request over a connection of its own; the answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        method = "GET" if body is None else "POST"
        writer.write((f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
                      f"Connection: close\r\nX-Forwarded-For: {address}\r\n{more}"
                      f"Content-Length: {len(body or b'')}\r\n\r\n").encode() + (body or b""))  # fmt: skip
        return await reader.read()
    finally:
        writer.close()


class Flood:
    """All ways of one flooder, at one address."""

    def __init__(self, target: Target, until: float) -> None:
        self.target, self.until = target, until
        self.sent: Counter[str] = Counter()
        self.luck = random.Random(5)

    async def again(self, way: str, once: Callable[[], Awaitable[Any]]) -> None:
        """Do something again and again."""
        while time.monotonic() < self.until:
            try:
                await asyncio.wait_for(once(), 10)
                self.sent[way] += 1
            except (OSError, AssertionError, TimeoutError, EOFError):
                await asyncio.sleep(0.02)

    async def retell(self) -> None:
        first, seat = self.luck.randrange(self.target.plies), self.luck.choice(["", "0", "1", "open"])
        await ask(self.target.port, f"/api/tables/{self.target.ended}/frames?from={first}&seat={seat}", EVE)

    async def lists(self) -> None:
        own, ended = f"/api/tables/{self.target.table}", f"/api/tables/{self.target.ended}"
        paths = ["/api/tables", "/api/mine", "/api/games", f"{ended}/record", f"{own}/record", f"{own}/cards"]
        await ask(self.target.port, self.luck.choice(paths), EVE, more=f"Cookie: {self.target.cookie}\r\n")

    async def make(self) -> None:
        chairs = [{"kind": "me"}, {"kind": "bot", "level": "random"}]
        body = json.dumps({"game": "dice_heist", "chairs": chairs, "listed": True}).encode()
        answer = await ask(self.target.port, "/api/tables", EVE, body)
        if b" 200 " in answer[:20]:
            name = json.loads(answer.partition(b"\r\n\r\n")[2])["table"]
            cookie = answer.partition(b"set-cookie: ")[2].partition(b";")[0].decode()
            frames = await self.socket(name, 0, cookie)
            for n, kind in enumerate((b"start", b"resign", b"rematch"), 1):
                await asyncio.sleep(0.1)
                frames.send(b'{"t":"%s","id":%d}' % (kind, n))
            frames.transport.abort()

    async def slow(self) -> None:
        """A header now and then, and never the end of them."""
        _, writer = await asyncio.open_connection("127.0.0.1", self.target.port)
        writer.write(f"GET /api/tables/{self.target.table}/cards HTTP/1.1\r\nX-Forwarded-For: {EVE}\r\n".encode())
        while time.monotonic() < self.until and not writer.is_closing():
            await asyncio.sleep(self.luck.random() * 2)
            writer.write(b"A: b\r\n")

    async def deaf(self) -> None:
        """Ask for much, and read nothing."""
        _, writer = await asyncio.open_connection("127.0.0.1", self.target.port, limit=1)
        writer.write(f"GET /ws/{self.target.table} HTTP/1.1\r\nHost: 127.0.0.1:{self.target.port}\r\n"
                     f"Origin: {self.target.base}\r\nX-Forwarded-For: {EVE}\r\nUpgrade: websocket\r\n"
                     "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                     "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode())  # fmt: skip
        await asyncio.sleep(self.luck.random() * 5)
        writer.close()

    async def socket(self, table: str, seat: int | None, cookie: str = "") -> Any:
        headers = {"Host": f"127.0.0.1:{self.target.port}", "Origin": self.target.base, "X-Forwarded-For": EVE,
                   "Cookie": cookie or self.target.cookie}  # fmt: skip
        path = f"/ws/{table}" + ("" if seat is None else f"?seat={seat}")
        return await connect(self.target.port, path, headers, lambda text: None)

    async def come_and_go(self) -> None:
        frames = await self.socket(self.luck.choice(self.target.others), None)
        await asyncio.sleep(self.luck.random() / 5)
        frames.transport.abort()

    async def talk(self) -> None:
        """Wrong messages, pings and fragments as fast as they go, until the line is cut."""
        frames = await self.socket(self.target.table, self.luck.randrange(SEATS + 2))
        bad = cycle([*BAD, *BAD, b""])
        while time.monotonic() < self.until and not frames.transport.is_closing():
            if frames.transport.get_write_buffer_size() > UNREAD:  # so that much is not sent to a line that was cut
                await asyncio.sleep(0.002)
                continue
            for _ in range(BREATH):
                text = next(bad)
                frames.send(text, 1 if text else self.luck.choice([9, 10]))
                self.sent["messages"] += 1
            await asyncio.sleep(0)
        frames.transport.abort()

    async def tiny(self) -> None:
        """Thousands of empty frames at once."""
        frames = await self.socket(self.target.table, None)
        pings, parts = b"\x89\x80\0\0\0\0" * 10, b"\x01\x80\0\0\0\0" + b"\x00\x80\0\0\0\0" * 9
        frames.transport.write(self.luck.choice([pings, parts]) * 2000)
        await asyncio.sleep(0.2)
        frames.transport.abort()

    async def run(self, only: str) -> None:
        ways: dict[str, tuple[int, Any]] = {
            "retell": (FLOODERS, self.retell), "lists": (FLOODERS, self.lists), "make": (2, self.make),
            "slow": (SLOW, self.slow), "deaf": (20, self.deaf), "watch": (FLOODERS, self.come_and_go),
            "talk": (FLOODERS, self.talk), "tiny": (2, self.tiny),
        }  # fmt: skip
        await asyncio.gather(
            *(self.again(way, once) for way, (count, once) in ways.items() if only in ("", way) for _ in range(count))
        )


def flood(target: Target, seconds: float, only: str, told: Any) -> None:
    logging.getLogger("asyncio").setLevel(logging.ERROR)  # lines that the server cuts are no news here
    os.nice(NICE)
    flooding = Flood(target, time.monotonic() + seconds)
    asyncio.run(flooding.run(only))
    told.put(dict(flooding.sent))


class Asking:
    """Requests of others, at an even rate."""

    def __init__(self, server: Ours, tables: list[str], ended: str) -> None:
        self.port = server.port
        of_tables = [f"/api/tables/{tables[0]}/cards", f"/api/tables/{ended}/frames", f"/api/tables/{tables[1]}/record"]
        self.paths = cycle(["/", "/api/games", "/api/tables", "/healthz", "/api/mine", *of_tables])
        self.times: list[float] = []

    async def once(self, n: int, due: float) -> None:
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        answer = await ask(self.port, next(self.paths), address_of(50_000 + n % 8))
        assert b" 200 " in answer[:20], answer[:200]
        self.times.append(time.perf_counter() - due)

    async def steady(self, seconds: float) -> dict[str, float]:
        self.times = []
        start = time.perf_counter() + 0.2
        await asyncio.gather(*(self.once(n, start + n / ASKED) for n in range(int(seconds * ASKED))))
        return spread(self.times)


async def long_game(server: Ours) -> tuple[str, int]:
    """A long game that bots have played to its end; its plies."""
    body = {"game": "mages_dice", "chairs": [{"kind": "bot", "level": "random"}] * 3}
    answer = await ask(server.port, "/api/tables", address_of(59_000), json.dumps(body).encode())
    assert b" 200 " in answer[:20], answer
    name = json.loads(answer.partition(b"\r\n\r\n")[2])["table"]
    cookie = answer.partition(b"set-cookie: ")[2].partition(b";")[0].decode()
    ended, plies = asyncio.Event(), [0]

    def heard(text: bytes) -> None:
        if b'"ply":' in text:
            plies[0] = int(text.partition(b'"ply":')[2].split(b",")[0].rstrip(b"}"))
        if b'"over":true' in text:
            ended.set()

    headers = {"Host": f"127.0.0.1:{server.port}", "Origin": server.base, "Cookie": cookie}
    frames = await connect(server.port, f"/ws/{name}", headers, heard)
    frames.send(b'{"t":"start","id":1}')
    async with asyncio.timeout(120):
        await ended.wait()
    frames.transport.abort()
    return name, plies[0]


async def measure(server: Ours, asked: argparse.Namespace) -> float:
    """All rounds at one server; the larger of the two ratios."""
    load = Load(server)
    context = multiprocessing.get_context("spawn")
    found: dict[str, Any] = {title: {"moves": [], "requests": []} for title in (QUIET, FLOODED)}
    try:
        await server.ready()
        ended, plies = await long_game(server)
        await load.gather(asked.tables + 1)
        own = load.tables.pop().name
        others = [table.name for table in load.tables]
        asking = Asking(server, others, ended)
        target = Target(server.port, server.base, server.cookie, own, others[:20], ended, plies)
        for title in (QUIET, FLOODED) * asked.rounds:
            told = context.Queue()
            process = context.Process(target=flood, args=(target, asked.seconds + 4, asked.only, told))
            if title == FLOODED:
                process.start()
                await asyncio.sleep(3)
            used, began = busy(server.process.pid), time.monotonic()
            moves, requests = await asyncio.gather(load.steady(asked.seconds), asking.steady(asked.seconds))
            used = (busy(server.process.pid) - used) / (time.monotonic() - began)
            sent = await asyncio.to_thread(told.get) if process.pid else {}
            if process.pid:
                await asyncio.to_thread(process.join)
            found[title]["moves"].append(load.times)
            found[title]["requests"].append(asking.times)
            print(f"{title:11} moves p50 {moves['p50']:5.1f} ms, p99 {moves['p99']:6.1f} ms; requests p50 "
                  f"{requests['p50']:5.1f} ms, p99 {requests['p99']:6.1f} ms; {moves['moves']} moves; the server used "
                  f"{100 * used:.0f} % of a core; {sent or ''}", flush=True)  # fmt: skip
    finally:
        server.process.terminate()
        server.process.wait(30)
    return compared(found, asked.workers)


def compared(found: dict[str, Any], workers: int) -> float:
    """The larger of the ratios of moves and of requests, over all rounds."""
    ratios = []
    for kind in ("moves", "requests"):
        rounds = list(zip(found[QUIET][kind], found[FLOODED][kind], strict=True))
        quiet, flooded = (spread([time for times in some for time in times]) for some in zip(*rounds, strict=True))
        ratios.append(flooded["p99"] / quiet["p99"])
        middle = statistics.median(spread(b)["p99"] / spread(a)["p99"] for a, b in rounds)
        print(f"{workers} workers, {kind}: p50 {quiet['p50']:.1f} and {flooded['p50']:.1f} ms, p99 {quiet['p99']:.1f} and "
              f"{flooded['p99']:.1f} ms: {ratios[-1]:.2f} times; rounds {middle:.2f}", flush=True)  # fmt: skip
    return max(ratios)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure tables and requests while one address floods.")
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--workers", type=int, help="measure with so many; else with one and with one a core")
    parser.add_argument("--only", default="", help="flood in one way: retell, lists, make, slow, deaf, watch, talk or tiny")
    asked = parser.parse_args()
    worst = []
    for workers in [asked.workers] if asked.workers else [1, os.cpu_count() or 2]:
        asked.workers = workers
        with tempfile.TemporaryDirectory() as folder:
            worst.append(asyncio.run(measure(Ours(Path(folder), workers, rate=1), asked)))
    print(f"worst: {max(worst):.2f} times the quiet 99th percentile")


if __name__ == "__main__":
    main()
