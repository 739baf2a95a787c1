"""Does a flood at one table make the others slower?

    python benchmarks/flood.py [--tables 200] [--seconds 8] [--rounds 3]

Every table makes one move a second, by turns in peace and while another process does its worst at a table of its own:
messages as fast as they go, wrong ones, stale ones, giants, somebody else's seat; and it comes back whenever it is cut
off. The server's limits are on. The people of each table have an address of their own, as if a proxy had told it.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import tempfile
import time
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple

from server import SEATS, Load, Ours, address_of, connect

BAD = [
    b'{"t":"whole"}', b'{"t":"move","id":1,"ply":0,"move":"x"}', b'{"t":"move","id":2,"ply":-7,"move":3}',
    b'{"t":"move","id":3,"ply":0,"move":3}', b'{"t":', b"[]", b'{"t":"chat","id":4,"text":"' + b"x" * 6000 + b'"}',
    b'{"t":"press","id":5,"ply":0,"move":1,"reaction":null}', b'{"t":"hint","id":6,"ply":0}',
]  # fmt: skip
FLOODERS = 8  # connections at once
BREATH = 20  # messages before the next connection has its turn
UNREAD = 100_000  # bytes that wait for the server to read them


class Victim(NamedTuple):
    """The table that is flooded, and the seats' own cookie."""

    port: int
    base: str
    cookie: str
    table: str

    async def connect(self, seat: int) -> Any:
        headers = {"Host": f"127.0.0.1:{self.port}", "Origin": self.base, "Cookie": self.cookie,
                   "X-Forwarded-For": address_of(60_000)}  # fmt: skip
        return await connect(self.port, f"/ws/{self.table}?seat={seat}", headers, lambda text: None)


async def flood(victim: Victim, until: float, sent: Any) -> None:
    """One connection that does its worst, and comes back when it is cut off."""
    seats, bad = cycle(range(SEATS + 2)), cycle(BAD)  # some seats there are not
    while time.monotonic() < until:
        try:
            frames = await asyncio.wait_for(victim.connect(next(seats)), 5)
        except (OSError, AssertionError, TimeoutError):
            await asyncio.sleep(0.02)
            continue
        while time.monotonic() < until and not frames.transport.is_closing():
            if frames.transport.get_write_buffer_size() > UNREAD:
                await asyncio.sleep(0.002)
                continue
            for _ in range(BREATH):
                frames.send(next(bad))
                sent.value += 1
            await asyncio.sleep(0)
        frames.transport.abort()


def flood_all(victim: Victim, seconds: float, sent: Any) -> None:
    async def run() -> None:
        until = time.monotonic() + seconds
        await asyncio.gather(*(flood(victim, until, sent) for _ in range(FLOODERS)))

    asyncio.run(run())


async def measure(server: Ours, tables: int, seconds: float, rounds: int) -> None:
    load = Load(server)
    context = multiprocessing.get_context("spawn")
    try:
        await server.ready()
        await load.gather(tables + 1)
        victim = Victim(server.port, server.base, server.cookie, load.tables.pop().name)
        for title in ("in peace", "in a flood") * rounds:
            sent = context.Value("q", 0)
            process = context.Process(target=flood_all, args=(victim, seconds + 2, sent))
            if title == "in a flood":
                process.start()
                await asyncio.sleep(1)
            found = await load.steady(seconds)
            if process.pid:
                await asyncio.to_thread(process.join)
            print(f"{title:12} p50 {found['p50']:6.1f} ms, p99 {found['p99']:6.1f} ms, {found['moves']} moves, "
                  f"{sent.value} bad messages sent", flush=True)  # fmt: skip
    finally:
        server.process.terminate()
        server.process.wait(30)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure tables while another is flooded.")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Ours(Path(folder), asked.workers, rate=1)
        asyncio.run(measure(server, asked.tables, asked.seconds, asked.rounds))


if __name__ == "__main__":
    main()
