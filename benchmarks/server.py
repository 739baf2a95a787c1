"""The server under load: real games over real sockets, and boardgame.io's own server with a like game beside it.

    python benchmarks/server.py [--tables 1000] [--seconds 20] [--saturated 8] [--workers N] [--rounds 3] [--alone]

This process is the client; each server runs beside it on loopback: ours with a worker for each core and its embedded
store in a temporary folder, where a move is told only when it is durable; boardgame.io's in one process that keeps
everything in memory. Three people sit at each table. First every table makes one move a second: the time runs from when
a move should have been sent until the last of the three has the update. Then every table moves again as soon as all
three have it: moves a second. boardgame.io is installed from npm into the temporary folder; without npm ours is measured
alone. They take turns for some rounds, and the best of each is compared: others who use the machine make figures worse,
never better. Figures of different runs are not comparable, the ratios of one run are.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from spellheist.core.game import names

GAME, SEATS = "abraca_what", 3
HERE = Path(__file__).parent
PEER = "boardgame.io@0.50.2"
QUIET = 5.0  # seconds without an update after which a measurement ends


class Frames(asyncio.Protocol):
    """The client's end of a WebSocket: texts in, texts out."""

    def __init__(self, path: str, headers: dict[str, str], heard: Callable[[bytes], None]) -> None:
        self.path, self.headers, self.heard = path, headers, heard
        self.buffer = b""
        self.open = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        asked = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
                 "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==", **self.headers}  # fmt: skip
        lines = [f"GET {self.path} HTTP/1.1", *(f"{name}: {value}" for name, value in asked.items())]
        transport.write(("\r\n".join(lines) + "\r\n\r\n").encode())

    def data_received(self, data: bytes) -> None:
        data = self.buffer + data
        if not self.open.done():
            head, end, data = data.partition(b"\r\n\r\n")
            if not end:
                self.buffer = head
                return
            self.open.set_result(head.startswith(b"HTTP/1.1 101"))
        at = 0
        while len(data) - at >= 2:
            kind, length, start = data[at] & 15, data[at + 1], at + 2
            if length >= 126:
                wide = 2 if length == 126 else 8
                length, start = int.from_bytes(data[start : start + wide], "big"), start + wide
            if len(data) < start + length:
                break
            at = start + length
            if kind == 1:
                self.heard(data[start:at])
            elif kind == 9:
                self.send(data[start:at], 10)
        self.buffer = data[at:]

    def send(self, payload: bytes, kind: int = 1) -> None:
        """A frame whose mask is zero, which leaves the payload as it is."""
        length = len(payload)
        size = bytes((0x80 | length,)) if length < 126 else b"\xfe" + length.to_bytes(2, "big")
        self.transport.write(bytes((0x80 | kind,)) + size + b"\0\0\0\0" + payload)


class Table:
    """A table with its three sockets: what each seat has, and the move that is under way."""

    def __init__(self, load: Load, number: int, name: str) -> None:
        self.load, self.number, self.name = load, number, name
        self.sockets: list[Frames] = []
        self.plies = [-1] * SEATS  # what each seat has been told
        self.choices: list[list[int]] = [[] for _ in range(SEATS)]
        self.sent: float | None = None  # when the move under way should have been sent
        self.base = -1
        self.over = False

    def told(self, seat: int, ply: int) -> None:
        """A seat has an update."""
        self.plies[seat] = ply
        if self.sent is not None and min(self.plies) > self.base:
            self.load.done(time.perf_counter() - self.sent)
            self.sent = None
            if self.load.saturate:
                self.move(time.perf_counter())

    def move(self, intended: float) -> None:
        """Make a random legal move, unless one is under way or the game is over."""
        seat = next((seat for seat in range(SEATS) if self.choices[seat]), None)
        if self.sent is not None or self.over or seat is None or len(set(self.plies)) > 1:
            self.load.skipped += 1
            return
        self.sent, self.base = intended, self.plies[seat]
        self.load.server.send_move(self, seat, self.load.luck.choice(self.choices[seat]))


class Load:
    """All tables at one server, and what was measured."""

    def __init__(self, server: Any) -> None:
        self.server = server
        self.luck = random.Random(7)
        self.tables: list[Table] = []
        self.times: list[float] = []
        self.skipped = 0
        self.saturate = False
        self.last = 0.0

    def done(self, took: float) -> None:
        self.times.append(took)
        self.last = time.perf_counter()

    async def gather(self, count: int) -> None:
        for k in range(count):
            table = Table(self, k, await self.server.make(k))
            for seat in range(SEATS):
                table.sockets.append(await self.server.connect(table, seat))
            self.tables.append(table)
            await self.server.start(table)
        async with asyncio.timeout(60):
            while any(min(table.plies) < 0 or not any(table.choices) for table in self.tables):
                await asyncio.sleep(0.05)

    async def settle(self) -> None:
        """Wait for the moves under way."""
        end = time.perf_counter() + QUIET
        while any(table.sent is not None for table in self.tables) and time.perf_counter() < end:
            await asyncio.sleep(0.02)

    async def steady(self, seconds: float) -> dict[str, Any]:
        """Every table makes one move a second."""
        self.times, self.skipped, self.saturate = [], 0, False
        start = time.perf_counter() + 0.2
        plan = sorted((start + self.luck.random() + k, n) for n in range(len(self.tables)) for k in range(int(seconds)))
        for due, n in plan:
            while (wait := due - time.perf_counter()) > 0:
                await asyncio.sleep(wait)
            self.tables[n].move(due)
        await self.settle()
        return {**spread(self.times), "moves": len(self.times), "skipped": self.skipped}

    async def saturated(self, seconds: float) -> dict[str, Any]:
        """Every table moves as soon as all three have the last move."""
        self.times, self.saturate = [], True
        start, before, own = time.perf_counter(), busy(self.server.process.pid), time.process_time()
        for table in self.tables:
            table.move(time.perf_counter())
        await asyncio.sleep(seconds)
        took, count = time.perf_counter() - start, len(self.times)
        used, own = busy(self.server.process.pid) - before, time.process_time() - own
        self.saturate = False
        await self.settle()
        a_move = {"cpu": 1e6 * used / max(1, count), "client": 1e6 * own / max(1, count)}
        return {"rate": count / took, "moves": count, **a_move, **spread(self.times)}


def busy(process: int) -> float:
    """The seconds of processor that a process and those that it began have used, where the system tells."""
    about = Path(f"/proc/{process}")
    if not about.exists():
        return float("nan")
    user, system = (about / "stat").read_text().rpartition(")")[2].split()[11:13]
    begun = (about / "task" / str(process) / "children").read_text().split()
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK") + sum(busy(int(child)) for child in begun)


def spread(times: list[float]) -> dict[str, float]:
    """The median and the 99th percentile, in milliseconds."""
    ordered = sorted(times) or [float("nan")]
    return {"p50": 1000 * ordered[len(ordered) // 2], "p99": 1000 * ordered[int(0.99 * (len(ordered) - 1))]}


class Told(msgspec.Struct):
    """What the client reads of our messages."""

    t: str
    ply: int = -1
    moves: list[tuple[int, str]] | None = None
    over: bool = False
    sentence: str = ""


class Ours:
    """Our server, with its store in a folder."""

    title = "spellheist, durable"

    def __init__(
        self, folder: Path, workers: int = 1, rate: int = 0, source: Path = HERE.parent, host: str = "127.0.0.1"
    ) -> None:
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.ids = 0
        self.read = msgspec.json.Decoder(Told).decode
        self.cookie = ""
        store = f"sqlite:///{folder}/tables.db"
        command = [sys.executable, "-m", "spellheist", "serve", "--host", host, "--port", str(self.port), "--public-url",
                   self.base, "--store", store, "--workers", str(workers), "--pace", "0", "--rate", str(rate), "--thinkers",
                   "1", "--bots", "plain"]  # fmt: skip
        surroundings = {**os.environ, "PYTHONPATH": str(source)}
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=folder, env=surroundings)

    async def ready(self) -> None:
        for game in names():  # answered when its rules are compiled
            await asyncio.to_thread(answering, f"{self.base}/api/games/{game}")

    async def make(self, number: int) -> str:
        body = {"game": GAME, "chairs": [{"kind": "me", "name": name} for name in ("Ann", "Bob", "Cy")]}
        headers = {"origin": self.base, "content-type": "application/json", "cookie": self.cookie,
                   "x-forwarded-for": address_of(number)}  # fmt: skip
        request = urllib.request.Request(f"{self.base}/api/tables", json.dumps(body).encode(), headers)
        with await asyncio.to_thread(urllib.request.urlopen, request) as answer:
            self.cookie = (answer.headers["set-cookie"] or self.cookie).partition(";")[0]
            return str(json.load(answer)["table"])

    async def connect(self, table: Table, seat: int) -> Frames:
        headers = {"Host": f"127.0.0.1:{self.port}", "Origin": self.base, "Cookie": self.cookie,
                   "X-Forwarded-For": address_of(table.number)}  # fmt: skip
        return await connect(self.port, f"/ws/{table.name}?seat={seat}", headers, lambda text: self.hear(table, seat, text))

    async def start(self, table: Table) -> None:
        table.sockets[0].send(b'{"t":"start","id":1}')

    def hear(self, table: Table, seat: int, text: bytes) -> None:
        if text.startswith((b'{"t":"plies"', b'{"t":"view"')):
            told = self.read(text)
            table.over |= told.over
            if told.moves is not None:
                table.choices[seat] = [move for move, _ in told.moves]
            if b'"show":true' not in text:  # else more follows at once
                table.told(seat, told.ply)
        elif text.startswith(b'{"t":"refused"'):
            sys.exit(f"A move was refused: {self.read(text).sentence}")

    def send_move(self, table: Table, seat: int, move: int) -> None:
        self.ids += 1
        text = f'{{"t":"move","id":{self.ids + 1},"ply":{table.base},"move":{move}}}'
        table.sockets[seat].send(text.encode())


class Update(msgspec.Struct):
    """What the client reads of a state of boardgame.io."""

    G: dict[str, Any]
    ctx: dict[str, Any]
    number: int = msgspec.field(name="_stateID")


class BoardgameIO:
    """boardgame.io's server with the game of `boardgame_io.js`."""

    title = "boardgame.io, in memory"

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.decode = msgspec.json.Decoder(list[msgspec.Raw]).decode
        self.update = msgspec.json.Decoder(Update).decode
        self.sync = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
        script = shutil.copy(HERE / "boardgame_io.js", folder)
        environment = {**os.environ, "NODE_ENV": "production"}
        self.process = subprocess.Popen(["node", str(script), str(self.port)], cwd=folder, stdout=subprocess.DEVNULL,
                                        env=environment)  # fmt: skip

    async def ready(self) -> None:
        await asyncio.to_thread(answering, f"http://127.0.0.1:{self.port}/")

    async def make(self, number: int) -> str:
        return f"match{number}"

    async def connect(self, table: Table, seat: int) -> Frames:
        frames: list[Frames] = []
        headers = {"Host": f"127.0.0.1:{self.port}"}
        path = "/socket.io/?EIO=4&transport=websocket"
        made = await connect(self.port, path, headers, lambda text: self.hear(table, seat, text, frames))
        frames.append(made)
        made.send(b"40/abraca,")
        return made

    async def start(self, table: Table) -> None:
        """Nothing: a match begins when its first player asks for it."""

    def hear(self, table: Table, seat: int, text: bytes, frames: list[Frames]) -> None:
        if text == b"2":
            frames[0].send(b"3")
        elif text.startswith(b"40/abraca,"):
            frames[0].send(f'42/abraca,["sync","{table.name}","{seat}",null,{SEATS}]'.encode())
        elif text.startswith(b'42/abraca,["sync"'):
            self.take(table, seat, self.update(self.sync(self.decode(text[10:])[2])["state"]))
        elif text.startswith(b'42/abraca,["update"'):
            self.take(table, seat, self.update(self.decode(text[10:])[2]))

    def take(self, table: Table, seat: int, state: Update) -> None:
        mine = state.ctx["currentPlayer"] == str(seat)
        table.choices[seat] = list(range(max(1, state.G["spell"]), 9)) if mine else []
        table.told(seat, state.number)

    def send_move(self, table: Table, seat: int, move: int) -> None:
        payload = f'{{"type":"call","args":[{move}],"playerID":"{seat}","credentials":null}}'
        action = f'{{"type":"MAKE_MOVE","payload":{payload}}}'
        text = f'42/abraca,["update",{action},{table.base},"{table.name}","{seat}"]'
        table.sockets[seat].send(text.encode())


def address_of(number: int) -> str:
    """An address for the people of a table, as a proxy on this machine would tell it."""
    return f"10.1.{number // 250}.{number % 250}"


async def connect(port: int, path: str, headers: dict[str, str], heard: Callable[[bytes], None]) -> Frames:
    loop = asyncio.get_running_loop()
    _, frames = await loop.create_connection(lambda: Frames(path, headers, heard), "127.0.0.1", port)
    assert await frames.open, "the server refused a socket"
    return frames


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def answering(url: str, seconds: float = 240) -> None:
    """Wait until a server answers."""
    end = time.monotonic() + seconds
    while True:
        try:
            urllib.request.urlopen(url, timeout=seconds).close()
            return
        except urllib.error.HTTPError:
            return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


def installed(folder: Path) -> bool:
    """Install boardgame.io from npm, where there is npm."""
    if not shutil.which("npm") or not shutil.which("node"):
        return False
    command = ["npm", "install", "--prefix", str(folder), "--no-audit", "--no-fund", "--loglevel", "error", PEER]
    return subprocess.run(command, timeout=300, stdout=subprocess.DEVNULL).returncode == 0


async def measure(server: Any, tables: int, seconds: float, saturated: float) -> dict[str, Any]:
    load = Load(server)
    try:
        await server.ready()
        await load.gather(tables)
        result = {"steady": await load.steady(seconds), "saturated": await load.saturated(saturated)}
        for table in load.tables:
            for frames in table.sockets:
                frames.transport.abort()
        return result
    finally:
        server.process.terminate()
        server.process.wait(30)


def line(title: str, result: dict[str, Any]) -> str:
    a, b = result["steady"], result["saturated"]
    return (f"{title:24}  one move a second: p50 {a['p50']:6.1f} ms, p99 {a['p99']:7.1f} ms ({a['moves']} moves, "
            f"{a['skipped']} skipped);  saturated: {b['rate']:6.0f} moves/s, {b['cpu']:.0f} us of processor a move, "
            f"{b['client']:.0f} in the client ({b['moves']} moves)")  # fmt: skip


def run(asked: argparse.Namespace) -> dict[str, list[Any]]:
    runner = asyncio.run
    try:
        import uvloop

        runner = uvloop.run
    except ImportError:
        pass
    results: dict[str, list[Any]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        servers: list[Callable[[], Any]] = [lambda: Ours(folder, asked.workers)]
        if not asked.alone and installed(folder):
            servers.append(lambda: BoardgameIO(folder))
        for begin in servers * asked.rounds:
            server = begin()
            found = runner(measure(server, asked.tables, asked.seconds, asked.saturated))
            results.setdefault(server.title, []).append(found)
            print(line(server.title, found), flush=True)
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the server under load.")
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=20, help="with one move a second at each table")
    parser.add_argument("--saturated", type=float, default=8, help="seconds with as many moves as possible")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes of our server")
    parser.add_argument("--rounds", type=int, default=3, help="in which both take turns")
    parser.add_argument("--alone", action="store_true", help="without boardgame.io")
    results = run(parser.parse_args())
    best = {title: best_of(rounds) for title, rounds in results.items()}
    for title, (rate, late) in best.items():
        print(f"best of {title}: {rate:.0f} moves/s, p99 {late:.1f} ms")
    if len(best) == 2:
        (rate, late), (their_rate, their_late) = best[Ours.title], best[BoardgameIO.title]
        print(f"ours to theirs: {rate / their_rate:.2f} times the rate, {late / their_late:.2f} of the 99th percentile")
    else:
        print("boardgame.io was not measured beside it.")


def best_of(rounds: list[Any]) -> tuple[float, float]:
    """The highest rate and the lowest 99th percentile."""
    return max(found["saturated"]["rate"] for found in rounds), min(found["steady"]["p99"] for found in rounds)


if __name__ == "__main__":
    main()
