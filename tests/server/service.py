"""`spellheist serve` in processes of its own, which can be killed, stopped and limited."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import resource
import shutil
import signal
import struct
import sys
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
TRACE = re.compile(r'"error": ".*\\n(\S[^\\"]*)')  # the last line of a traceback in a line of the log


def command_of(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


def children_of(process: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []


def send(process: int, what: int) -> bool:
    """Send a signal to a process that may be gone."""
    try:
        os.kill(process, what)
    except ProcessLookupError:
        return False
    return True


def began(process: int) -> str:
    """When a process began: another one may have its number later."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[19]
    except (FileNotFoundError, ProcessLookupError):
        return ""


async def hold(processes: list[int], seconds: float) -> None:
    """Stop processes for a while and let them go on."""
    held = [(process, began(process)) for process in processes if send(process, signal.SIGSTOP)]
    await asyncio.sleep(seconds)
    for process, since in held:
        if began(process) == since:
            send(process, signal.SIGCONT)


async def accepts(port: int) -> bool:
    """Does somebody take connections there?"""
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


def spare_port() -> int:
    import socket

    with socket.socket() as some:
        some.bind(("127.0.0.1", 0))
        return int(some.getsockname()[1])


class Service:
    """`spellheist serve`, begun anew whenever it ends, as a service manager would."""

    def __init__(self, folder: Path, store: str, workers: int, public: str = "") -> None:
        self.folder, self.workers = folder, workers
        self.port = spare_port()
        self.command = [
            sys.executable, "-m", "spellheist", "serve", "--port", str(self.port), "--workers", str(workers),
            "--store", store, "--pace", "0", "--rate", "0", "--bots", "plain", "--public-url", public or f"http://127.0.0.1:{self.port}",
        ]  # fmt: skip
        self.process: asyncio.subprocess.Process | None = None
        self.log = folder / "server.log"
        self.said: Counter[str] = Counter()  # the last lines of tracebacks
        self.ends = 0  # how often it has ended
        self.stopping = False
        self.task: asyncio.Task[None] | None = None
        self.wall = folder / "wall"
        self.step(0)
        (folder / "path").mkdir(exist_ok=True)
        shutil.copy(Path(__file__).with_name("wall.py"), folder / "path" / "sitecustomize.py")

    def surroundings(self) -> dict[str, str]:
        return {
            **os.environ, "SPELLHEIST_KERNEL": "plain", "PYTHONPATH": f"{self.folder / 'path'}:{ROOT}",
            "STORM_WALL": str(self.wall), "PYTHONDONTWRITEBYTECODE": "1",
        }  # fmt: skip

    def step(self, seconds: float) -> None:
        """Let the server's wall clock differ from the machine's by so much."""
        if not self.wall.exists():
            self.wall.write_bytes(struct.pack("<q", 0))
        with self.wall.open("r+b") as file:  # never cut: it is mapped
            file.write(struct.pack("<q", int(seconds * 1e9)))

    async def start(self) -> None:
        self.task = asyncio.create_task(self.keep())
        while not await accepts(self.port):
            assert not self.task.done(), "the server does not start"
            await asyncio.sleep(0.02)

    async def keep(self) -> None:
        with self.log.open("ab") as log:
            while not self.stopping:
                self.process = await asyncio.create_subprocess_exec(
                    *self.command, env=self.surroundings(), stdout=asyncio.subprocess.DEVNULL,
                    stderr=asyncio.subprocess.PIPE, start_new_session=True, limit=1 << 22, cwd=self.folder,
                )  # fmt: skip
                assert self.process.stderr
                reading = asyncio.create_task(self.read(self.process.stderr, log))
                await self.process.wait()
                self.ends += 1
                await asyncio.wait([reading], timeout=0.1)  # a child of it may still hold the other end
                if not self.stopping:
                    await asyncio.sleep(0.1)

    async def read(self, stream: asyncio.StreamReader, log: object) -> None:
        """Keep what it says; through a pipe, as the disk that is full is its own."""
        while line := await stream.readline():
            log.write(line)  # type: ignore[attr-defined]
            log.flush()  # type: ignore[attr-defined]
            found = TRACE.search(line.decode(errors="replace"))
            self.said[found[1][:120] if found else line.decode(errors="replace").strip()[:120]] += 1

    @property
    def main(self) -> int:
        return self.process.pid if self.process and self.process.returncode is None else 0

    def servers(self) -> list[int]:
        """The processes that serve tables."""
        if self.workers == 1:
            return [self.main] if self.main else []
        return [child for child in children_of(self.main) if b"spawn_main" in command_of(child)]

    def bots(self) -> list[int]:
        found = [child for server in self.servers() for child in children_of(server)]
        return [child for child in found if b"spellheist.bots.worker" in command_of(child)]

    async def ready(self) -> float:
        """Wait until it takes connections; the time then."""
        while not await accepts(self.port):
            await asyncio.sleep(0.01)
        return time.monotonic()

    def limit(self, most: int) -> None:
        """Let no file of the server grow beyond so many bytes."""
        for process in {self.main, *self.servers()} - {0}:
            with contextlib.suppress(ProcessLookupError):
                resource.prlimit(process, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))

    async def stop(self) -> None:
        self.stopping = True
        if self.main:
            send(self.main, signal.SIGTERM)
        assert self.task
        try:
            await asyncio.wait_for(asyncio.shield(self.task), 30)
        except TimeoutError:
            processes = [self.main, *self.servers(), *self.bots()]
            for process in processes:
                if process:
                    send(process, signal.SIGKILL)
            await self.task
