"""Lines that delay, for benchmarks over real sockets.

`Direct` is a network of its own (a namespace of Linux) with a TUN device: this process and those that it starts reach
each other over real TCP connections, whose every packet, acknowledgements too, waits on its way. So the kernel's figures
of a connection are those of a slow line. It needs Linux and the right to make such a network (root, or namespaces for
users and a /dev/net/tun that they may open).

`proxied` is a proxy on loopback that makes every piece of data wait. The server's connection ends at the proxy, so the
kernel's figures say nothing of the line: as behind any proxy.
"""

from __future__ import annotations

import asyncio
import ctypes
import fcntl
import heapq
import multiprocessing
import os
import random
import select
import socket
import struct
import time
from collections.abc import Sequence
from typing import Any

NEW_USER, NEW_NET = 0x10000000, 0x40000000  # flags of unshare
TUN_NAME, TUN_PLAIN = 0x400454CA, 0x1001  # TUNSETIFF; a TUN device without a header of its own
ADDRESS, MASK, FLAGS, UP = 0x8916, 0x891C, 0x8914, 0x41  # SIOCSIFADDR, SIOCSIFNETMASK, SIOCSIFFLAGS; up and running
OURS = bytes((10, 0, 0, 1))

LOOK, LATE = 0.002, 0.008  # seconds between two looks at the clock, and by how much one may be late
Delay = tuple[float, float]  # a round trip in milliseconds, and its jitter each way as a share


def way(luck: random.Random, delay: Delay) -> float:
    """One way over a line, in milliseconds."""
    trip, jitter = delay
    return max(0.5, luck.gauss(trip / 2, jitter * trip / 2))


class Direct:
    """Slow lines to whatever listens on any address here; line n is reached at `address(n)`."""

    def __init__(self, delays: Sequence[Delay]) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.unshare(NEW_NET) and libc.unshare(NEW_USER | NEW_NET):
            raise OSError(ctypes.get_errno(), "no network of its own")
        tun = os.open("/dev/net/tun", os.O_RDWR)
        fcntl.ioctl(tun, TUN_NAME, struct.pack("16sH22x", b"slow", TUN_PLAIN))
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
            for what, name, value in (
                (FLAGS, b"lo", struct.pack("H22x", UP)),
                (ADDRESS, b"slow", struct.pack("HH4s16x", socket.AF_INET, 0, OURS)),
                (MASK, b"slow", struct.pack("HH4s16x", socket.AF_INET, 0, bytes((255, 0, 0, 0)))),
                (FLAGS, b"slow", struct.pack("H22x", UP)),
            ):
                fcntl.ioctl(any_socket, what, struct.pack("16s", name) + value)
        processes = multiprocessing.get_context("fork")
        self.late = processes.Value("d", 0.0)  # when the carrier was last held up by others who use this machine
        self.carrier = processes.Process(target=carry, args=(tun, list(delays), self.late), daemon=True)
        self.carrier.start()
        os.close(tun)

    def address(self, line: int) -> str:
        return f"10.200.10.{line + 1}"

    def close(self) -> None:
        self.carrier.terminate()
        self.carrier.join()


def carry(tun: int, delays: list[Delay], late: Any) -> None:
    """Take each packet, let it wait, and send it back to where both ends are. The one that calls 10.200.10.n hears from
    there; the one that is called hears from 10.n.10.200. With the two halves swapped all checksums stay right."""
    luck = random.Random(1)
    waiting: list[tuple[float, int, bytes]] = []
    latest: dict[bytes, float] = {}  # when the last packet of a connection is due, in one direction
    count = 0
    while True:
        now = time.monotonic()
        while waiting and waiting[0][0] <= now:
            os.write(tun, heapq.heappop(waiting)[2])
        ready, _, _ = select.select([tun], [], [], min(LOOK, waiting[0][0] - now) if waiting else LOOK)
        if time.monotonic() - now > LOOK + LATE:
            late.value = time.monotonic()
        if not ready:
            continue
        packet = os.read(tun, 65536)
        if packet[0] >> 4 != 4 or packet[12:16] != OURS:  # what the system itself says on a new network
            continue
        a, b, c, d = packet[16:20]
        calling = (b, c) == (200, 10)
        line = (d if calling else b) - 1
        if not 0 <= line < len(delays):
            continue
        came_from = bytes((c, d, a, b))
        connection = packet[16:24]  # to where, and the two ports
        due = max(time.monotonic() + way(luck, delays[line]) / 1000, latest.get(connection, 0.0))  # in order
        latest[connection] = due
        count += 1
        heapq.heappush(waiting, (due, count, packet[:12] + came_from + OURS + packet[20:]))


async def proxied(port: int, delay: Delay, luck: random.Random) -> asyncio.Server:
    """A proxy to a port that makes every piece of data wait, and keeps their order."""

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        waiting: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def forward() -> None:
            while True:
                due, data = await waiting.get()
                await asyncio.sleep(max(0.0, due - time.monotonic()))
                writer.write(data)

        forwarding = asyncio.create_task(forward())
        try:
            while data := await reader.read(65536):
                waiting.put_nowait((time.monotonic() + way(luck, delay) / 1000, data))
        except ConnectionError:
            pass
        finally:
            forwarding.cancel()
            writer.close()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        onward, back = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(pump(reader, back), pump(onward, writer), return_exceptions=True)

    return await asyncio.start_server(accept, "127.0.0.1", 0)
