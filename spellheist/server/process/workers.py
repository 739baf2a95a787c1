"""The gate: several workers behind one address, for machines with more cores than one.

Each worker is a whole server for the tables that it owns. The gate takes a connection, looks at the first line of its
request without taking it out, and hands the connection to the worker whose table the line names; what names no table
goes to the workers in turn. Workers close a connection after each answer, so every request comes by the gate. A worker
that dies is begun anew and reads its tables from their journals, as often as it takes, while the others serve on; whoever
asks for one of its tables waits a while, and is then told so. When the gate goes, its workers stop.
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
from functools import partial
from itertools import cycle
from multiprocessing import resource_tracker
from multiprocessing.process import BaseProcess
from typing import Any

import uvicorn

from spellheist.core.refused import Refused
from spellheist.server.process.supervisor import Delay, Supervisor

LINE = 2048  # bytes of a first line that are looked at
PATIENCE = 10.0  # seconds for a first line to come
PARTS = 0.02  # seconds until a worker may have room again
STRANGERS = 1000  # connections that may be open here without a worker
STARTING = 30.0  # seconds that a connection waits for a worker that starts,
AGAIN = 10.0  # for one that is begun again,
FAILING = 1.0  # and for one that has died before it could serve
ENDING = 30.0  # seconds for a worker to finish what it is doing
DIED = (0.1, 2.0)  # seconds until a worker that served and died is begun again: at first, at most
FAILED = (0.5, 5.0)  # and one that died before it could serve
SENTENCE = b'{"sentence":"This part of the server is being started again; try again in a moment.","rule":null}'
TURNED_AWAY = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nCache-Control: no-store\r\n"
    b"X-Content-Type-Options: nosniff\r\nRetry-After: 2\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s"
) % (len(SENTENCE), SENTENCE)
NAMED = re.compile(rb"[A-Z]+ /(?:ws|api/tables)/([A-Za-z0-9_-]+)")
Work = Callable[..., None]  # what a worker does, given its number and its end of the channel


def owner(table: str, workers: int) -> int:
    """The number of the worker that a table belongs to."""
    return zlib.crc32(table.encode()) % workers


class Gate:
    """One address, its workers and their channels. A channel outlives its worker: what waits in it is not lost."""

    count: Callable[[], None] = staticmethod(lambda: None)  # called when a worker has died

    def __init__(self, listening: socket.socket, workers: int, work: Work, *given: Any) -> None:
        if not hasattr(socket, "send_fds"):
            raise Refused("Connections cannot be handed over on this system: only one worker is possible.")
        self.listening, self.work, self.given = listening, work, given
        self.channels = [socket.socketpair() for _ in range(workers)]
        self.processes: dict[int, BaseProcess] = {}
        self.started: set[int] = set()  # the workers that serve
        self.served: set[int] = set()  # those that ever have
        self.failing: set[int] = set()  # those that died before they could
        self.hopeless = asyncio.Event()  # none of them ever could
        self.supervisor = Supervisor()
        self.turns = cycle(range(workers))
        self.tasks: dict[asyncio.Task[None], None] = {}  # for each connection, the first first
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
        for number in range(len(self.channels)):
            self.supervisor.keep("worker", partial(self.watch, number))
        self.supervisor.keep("gate", self.accept)
        waiting = [loop.create_task(stopped.wait()), loop.create_task(self.hopeless.wait())]
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await self.supervisor.close()
            tasks = [*waiting, *self.tasks]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self.listening.close()
            await self.end()
        if not stopped.is_set():
            raise Refused("No worker could start; see above.")

    def begin(self, number: int) -> BaseProcess:
        process = multiprocessing.get_context("spawn").Process(
            target=self.work, args=(number, self.channels[number][1], *self.given), name=f"worker {number}"
        )
        # Ctrl-C reaches all processes of a terminal. What a worker does then is for the gate to say: it never hears of it.
        resource_tracker.ensure_running()  # or the start would do it, and let the signal through again
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        return process

    def hear(self, number: int) -> None:
        """A worker says that it serves."""
        self.channels[number][0].recv(1)
        self.started.add(number)
        self.served.add(number)
        self.failing.discard(number)

    async def watch(self, number: int) -> None:
        """Begin a worker, and again whenever it dies. If none of them ever could serve, another would not either."""
        died, failed = Delay(*DIED), Delay(*FAILED)
        while True:
            self.processes[number] = process = self.begin(number)
            await ended(process)
            could = number in self.started
            self.started.discard(number)
            if not could:
                self.failing.add(number)
                if not self.served and len(self.failing) == len(self.channels):
                    self.hopeless.set()
            self.supervisor.fault("worker", RuntimeError(f"worker {number} ended with {process.exitcode}"))
            self.count()
            self.take_back(number)
            await asyncio.sleep(died.next() if could else failed.next())

    async def end(self) -> None:
        """Let the workers finish what they are doing; one that does not is ended."""
        for process in self.processes.values():
            process.terminate()
        for process in self.processes.values():
            try:
                async with asyncio.timeout(ENDING):
                    await ended(process)
            except TimeoutError:
                process.kill()
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
            self.take(connection)

    def take(self, connection: socket.socket) -> None:
        task = asyncio.get_running_loop().create_task(self.pass_on(connection))
        self.tasks[task] = None
        task.add_done_callback(self.tasks.pop)
        if len(self.tasks) > STRANGERS:  # the one that has waited longest goes
            next(iter(self.tasks)).cancel()

    def take_back(self, number: int) -> None:
        """Take the connections that a worker has not taken before it died."""
        with suppress(BlockingIOError):
            while True:
                _, handles, _, _ = socket.recv_fds(self.channels[number][1], 1, 1)
                for handle in handles:
                    self.take(socket.socket(fileno=handle))

    async def pass_on(self, connection: socket.socket) -> None:
        """Hand a connection to whom it belongs."""
        connection.setblocking(False)
        try:
            async with asyncio.timeout(PATIENCE):
                named = NAMED.match(await first_line(connection))
            if not await self.handed_to(named[1].decode() if named else None, connection):
                await turn_away(connection)
        except (TimeoutError, OSError):
            pass
        finally:
            connection.close()

    async def handed_to(self, table: str | None, connection: socket.socket) -> bool:
        """Was a connection handed to the worker of a table, or to any, before one had to wait for too long?"""
        loop = asyncio.get_running_loop()
        began = loop.time()
        while True:
            number = self.next_one() if table is None else owner(table, len(self.channels))
            if number in self.started and handed_over(self.channels[number][0], connection):
                return True
            patience = FAILING if number in self.failing else AGAIN if number in self.served else STARTING
            if loop.time() - began > patience:
                return False
            await asyncio.sleep(PARTS)

    def next_one(self) -> int:
        """The worker whose turn it is among those that serve, or among all if none does."""
        for _ in self.channels:
            number = next(self.turns)
            if number in self.started:
                break
        return number


async def turn_away(connection: socket.socket) -> None:
    """Say that nobody can answer now. What is left unread would reset the connection before the answer arrives."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(PATIENCE):
        await loop.sock_sendall(connection, TURNED_AWAY)
        connection.shutdown(socket.SHUT_WR)
        while await loop.sock_recv(connection, LINE):
            pass


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
    """The beginning of what has been sent, up to a whole line, still to be read by somebody else. While a line comes in
    parts the system is asked to wake us only when there is more than we have seen."""
    seen = 0
    while True:
        await readable(connection)
        line = connection.recv(LINE, socket.MSG_PEEK)
        if len(line) <= seen or b"\n" in line or len(line) == LINE:  # if there is no more, nothing more will come
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, 1)
            return line
        seen = len(line)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, seen + 1)


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
