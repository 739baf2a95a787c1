"""The way between people and the server: a proxy whose lines can be cut, slowed and held."""

from __future__ import annotations

import asyncio
import contextlib
import random


class Way:
    """A proxy through which all people speak with the server. It passes on from which address somebody comes."""

    def __init__(self) -> None:
        self.lines: set[Pipe] = set()
        self.to = 0
        self.port = 0

    async def start(self) -> None:
        self.server = await asyncio.start_server(self.take, "127.0.0.1", 0, backlog=1000)
        self.port = self.server.sockets[0].getsockname()[1]

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        pipe = Pipe(writer)
        try:
            source = writer.get_extra_info("peername")[0]
            there = await asyncio.open_connection("127.0.0.1", self.to, local_addr=(source, 0))
        except OSError:
            writer.close()
            return
        pipe.ends.append(there[1])
        self.lines.add(pipe)
        pumps = [asyncio.create_task(pipe.pump(reader, there[1])), asyncio.create_task(pipe.pump(there[0], writer))]
        try:
            await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.sleep(0)
        finally:
            self.lines.discard(pipe)
            for task in pumps:
                task.cancel()
            await asyncio.gather(*pumps, return_exceptions=True)
            for end in pipe.ends:
                end.close()

    def some(self, share: float, luck: random.Random) -> list[Pipe]:
        return [pipe for pipe in self.lines if luck.random() < share]

    async def stop(self) -> None:
        self.server.close()
        for pipe in list(self.lines):
            pipe.cut()
        await asyncio.sleep(0.05)


class Pipe:
    """One connection through the proxy."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self.ends = [writer]
        self.delay = 0.0
        self.open = asyncio.Event()
        self.open.set()

    async def pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while some := await reader.read(1 << 16):
                if self.delay:
                    await asyncio.sleep(self.delay)
                await self.open.wait()
                writer.write(some)
                await writer.drain()

    def cut(self) -> None:
        for end in self.ends:
            end.transport.abort() if end.transport else end.close()
