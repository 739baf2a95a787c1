"""The gate: several workers behind one address, for machines with more cores than one.

Each worker is a whole server for the tables that it owns. The gate takes a connection, looks at the first line of its
request without taking it out, and hands the connection to the worker whose table the line names; what names no table
goes to the workers in turn. Workers close a connection after each answer, so every request comes by the gate. A worker
that dies is begun anew and reads its tables from their journals; when the gate goes, its workers stop.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import re
import signal
import socket
import zlib
from collections.abc import Callable
from contextlib import suppress
from itertools import cycle
from multiprocessing.process import BaseProcess
from typing import Any

import uvicorn

from spellheist.core.game import Refused

LINE = 2048  # bytes of a first line that are looked at
PATIENCE = 20.0  # seconds for a first line to come, and for a worker to take it
PARTS = 0.02  # seconds between two looks at a line that comes in parts
NAMED = re.compile(rb"[A-Z]+ /(?:ws|api/tables)/([A-Za-z0-9_-]+)")
Work = Callable[..., None]  # what a worker does, given its number and its end of the channel


def owner(table: str, workers: int) -> int:
    """The number of the worker that a table belongs to."""
    return zlib.crc32(table.encode()) % workers


class Gate:
    """One address, its workers and their channels. A channel outlives its worker: what waits in it is not lost."""

    def __init__(self, listening: socket.socket, workers: int, work: Work, *given: Any) -> None:
        if not hasattr(socket, "send_fds"):
            raise Refused("Connections cannot be handed over on this system: only one worker is possible.")
        self.listening, self.work, self.given = listening, work, given
        self.channels = [socket.socketpair() for _ in range(workers)]
        self.processes: list[BaseProcess] = []
        self.started: set[int] = set()  # the workers that have been able to serve
        self.turns = cycle(range(workers))
        self.tasks: set[asyncio.Task[None]] = set()
        for ours, theirs in self.channels:
            ours.setblocking(False)
            theirs.setblocking(False)

    def run(self) -> None:
        asyncio.run(self.keep())

    async def keep(self) -> None:
        """Begin the workers, hand over what comes, until told to stop."""
        loop, stopped = asyncio.get_running_loop(), asyncio.Event()
        for told in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(told, stopped.set)
        self.listening.setblocking(False)
        for number, (ours, _) in enumerate(self.channels):
            loop.add_reader(ours, self.hear, number)
        self.processes = [self.begin(number) for number in range(len(self.channels))]
        watching = [loop.create_task(self.watch(number)) for number in range(len(self.channels))]
        accepting = loop.create_task(self.accept())
        try:
            await asyncio.wait([*watching, loop.create_task(stopped.wait())], return_when=asyncio.FIRST_COMPLETED)
        finally:
            tasks = [accepting, *watching, *self.tasks]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self.listening.close()
            await self.end()
        if not stopped.is_set():
            raise Refused("A worker could not start; what it said is above.")

    def begin(self, number: int) -> BaseProcess:
        process = multiprocessing.get_context("spawn").Process(
            target=self.work, args=(number, self.channels[number][1], *self.given), name=f"worker {number}"
        )
        process.start()
        return process

    def hear(self, number: int) -> None:
        """A worker says that it serves."""
        self.channels[number][0].recv(1)
        self.started.add(number)

    async def watch(self, number: int) -> None:
        """Begin a worker anew whenever it dies. Returns if it died before it could serve: another would, too."""
        while True:
            await ended(self.processes[number])
            if number not in self.started:
                return
            self.started.discard(number)
            self.processes[number] = self.begin(number)

    async def end(self) -> None:
        """Let the workers finish what they are doing."""
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            await ended(process)

    # Connections.

    async def accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, _ = await loop.sock_accept(self.listening)
            except OSError:  # gone again, or too many open files: others may end meanwhile
                await asyncio.sleep(PARTS)
                continue
            task = loop.create_task(self.pass_on(connection))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    async def pass_on(self, connection: socket.socket) -> None:
        """Hand a connection to whom it belongs."""
        try:
            async with asyncio.timeout(PATIENCE):
                named = NAMED.match(await first_line(connection))
                number = owner(named[1].decode(), len(self.channels)) if named else next(self.turns)
                while not handed_over(self.channels[number][0], connection):
                    await asyncio.sleep(PARTS)
        except (TimeoutError, OSError):
            pass
        finally:
            connection.close()


async def readable(file: Any) -> None:
    """Wait until there is something to be read."""
    loop, come = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(file, come.set)
    try:
        await come.wait()
    finally:
        loop.remove_reader(file)


async def ended(process: BaseProcess) -> None:
    await readable(process.sentinel)
    process.join()


async def first_line(connection: socket.socket) -> bytes:
    """The beginning of what has been sent, up to a whole line, still to be read by somebody else."""
    await readable(connection)
    while True:
        line = connection.recv(LINE, socket.MSG_PEEK)
        if not line or b"\r\n" in line or len(line) == LINE:
            return line
        await asyncio.sleep(PARTS)


def handed_over(channel: socket.socket, connection: socket.socket) -> bool:
    """Was there room for a connection in a channel?"""
    try:
        socket.send_fds(channel, [b"+"], [connection.fileno()])
    except BlockingIOError:
        return False
    return True


class Worker(uvicorn.Server):
    """A server whose connections come through a channel."""

    def __init__(self, config: uvicorn.Config, channel: socket.socket) -> None:
        super().__init__(config)
        gate = multiprocessing.parent_process()
        assert gate is not None
        self.channel, self.gate = channel, gate.sentinel
        self.taking: set[asyncio.Task[Any]] = set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=[])
        loop = asyncio.get_running_loop()
        loop.add_reader(self.gate, self.leave)
        loop.add_reader(self.channel, self.take)
        with suppress(OSError):  # the gate has gone meanwhile, and then its sentinel tells
            self.channel.send(b"!")

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        asyncio.get_running_loop().remove_reader(self.channel)
        await super().shutdown(sockets)

    def leave(self) -> None:
        """Stop: the gate is gone. Its channel would not always tell, as one that is closed with something still to be
        read is reset, which the event loop takes for a fault of ours."""
        asyncio.get_running_loop().remove_reader(self.gate)
        self.should_exit = True

    def take(self) -> None:
        """Take one connection over."""
        try:
            said, handles, _, _ = socket.recv_fds(self.channel, 1, 1)
        except BlockingIOError:
            return
        except ConnectionResetError:
            said, handles = b"", []
        if not said:  # the gate is gone, nothing more will come
            asyncio.get_running_loop().remove_reader(self.channel)
        for handle in handles:
            connection = socket.socket(fileno=handle)
            connection.setblocking(False)
            task = asyncio.get_running_loop().create_task(self.serve_one(connection))
            self.taking.add(task)
            task.add_done_callback(self.taking.discard)

    async def serve_one(self, connection: socket.socket) -> None:
        loop = asyncio.get_running_loop()

        def protocol() -> Any:
            kind: Any = self.config.http_protocol_class
            return kind(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)

        try:
            await loop.connect_accepted_socket(protocol, connection)
        except OSError:  # its other end has gone meanwhile
            connection.close()
