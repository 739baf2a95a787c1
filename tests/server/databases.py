"""The stores that a storm blows at: a SQLite file, or PostgreSQL in processes of its own."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pwd
import shutil
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

from histories import make_store
from service import children_of, command_of, send


class File:
    """SQLite."""

    name = "sqlite"

    def __init__(self, folder: Path) -> None:
        self.path = folder / "tables.db"
        self.url = f"sqlite:///{self.path}"

    async def start(self) -> None:
        pass

    async def stop(self) -> None:
        pass

    async def lock(self, seconds: float) -> None:
        """Let nobody else write for a while."""
        connection = sqlite3.connect(self.path, isolation_level=None, timeout=0)
        try:
            for _ in range(200):
                try:
                    connection.execute("begin exclusive")
                    break
                except sqlite3.OperationalError:  # somebody is just writing
                    await asyncio.sleep(0.005)
            await asyncio.sleep(seconds)
            if connection.in_transaction:
                connection.execute("rollback")
        finally:
            connection.close()

    def journals(self) -> dict[str, list[tuple[int, bytes]]]:
        """Every table's entries with their numbers."""
        connection = sqlite3.connect(self.path, timeout=20)
        found: dict[str, list[tuple[int, bytes]]] = {}
        for table, number, body in connection.execute("select table_id, entry, body from entries order by table_id, entry"):
            found.setdefault(table, []).append((number, bytes(body)))
        connection.close()
        return found

    def copy(self, to: Path) -> None:
        """A copy of the store as a SQLite file."""
        here, there = sqlite3.connect(self.path, timeout=20), sqlite3.connect(to)
        here.backup(there)
        here.close()
        there.close()


class Database:
    """PostgreSQL on a unix socket, begun anew whenever it ends. It refuses to run as root, and runs as postgres there."""

    name = "postgres"

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "pg"
        self.folder.mkdir()
        self.url = f"postgresql://spellheist@/postgres?host={self.folder}"
        self.how: dict[str, int] = {}
        self.process: asyncio.subprocess.Process | None = None
        self.stopping = False

    async def start(self) -> None:
        if os.geteuid() == 0:
            user = pwd.getpwnam("postgres")
            for place in (self.folder, *list(self.folder.parents)[:1]):
                os.chown(place, user.pw_uid, user.pw_gid)
            self.how = {"user": user.pw_uid, "group": user.pw_gid}
        command = [program("initdb"), "-D", "data", "-A", "trust", "-U", "spellheist", "--no-sync"]
        subprocess.run(command, capture_output=True, cwd=self.folder, check=True, **self.how)  # type: ignore[call-overload]
        self.task = asyncio.create_task(self.keep())
        await self.ready()

    async def keep(self) -> None:
        command = [
            program("postgres"), "-D", "data", "-k", str(self.folder), "-c", "listen_addresses=", "-c", "fsync=off",
            "-c", "shared_buffers=16MB", "-c", "max_connections=60",
        ]  # fmt: skip
        with (self.folder / "log").open("ab") as log:
            while not self.stopping:
                self.process = await asyncio.create_subprocess_exec(
                    *command, cwd=self.folder, stdout=log, stderr=log, start_new_session=True, **self.how
                )
                await self.process.wait()
                if not self.stopping:  # those of its processes that live on are about to see that it has gone
                    await asyncio.sleep(0.05)

    @property
    def main(self) -> int:
        return self.process.pid if self.process and self.process.returncode is None else 0

    def backends(self) -> list[int]:
        """The processes that answer clients."""
        return [child for child in children_of(self.main) if b"spellheist postgres [local]" in command_of(child)]

    async def ready(self) -> float:
        import psycopg

        while True:
            with contextlib.suppress(psycopg.Error):
                connection = await psycopg.AsyncConnection.connect(self.url, connect_timeout=5)
                await connection.close()
                return time.monotonic()
            await asyncio.sleep(0.02)

    async def lock(self, seconds: float) -> None:
        import psycopg

        with contextlib.suppress(psycopg.Error):  # it may be killed meanwhile
            async with await psycopg.AsyncConnection.connect(self.url) as connection:
                await connection.execute("lock table entries in access exclusive mode")
                await asyncio.sleep(seconds)

    def limit(self) -> None:
        """Let the processes that answer now write no byte more. They will be replaced by others that can."""
        for process in self.backends():  # by a program, since only their own user may
            command = ["prlimit", f"--pid={process}", "--fsize=0:"]
            subprocess.run(command, capture_output=True, check=False, **self.how)  # type: ignore[call-overload]

    def rows(self, query: str) -> list[tuple[object, ...]]:
        import psycopg

        for _ in range(100):
            with contextlib.suppress(psycopg.Error), psycopg.connect(self.url) as connection:
                return connection.execute(query).fetchall()
            time.sleep(0.1)
        raise AssertionError("the database does not come back")

    def journals(self) -> dict[str, list[tuple[int, bytes]]]:
        found: dict[str, list[tuple[int, bytes]]] = {}
        for table, number, body in self.rows("select table_id, entry, body from entries order by table_id, entry"):
            found.setdefault(str(table), []).append((int(number), bytes(body)))  # type: ignore[call-overload]
        return found

    def copy(self, to: Path) -> None:
        """A copy of the tables as a SQLite file, which damages as well."""
        asyncio.run(make_store(to))
        connection = sqlite3.connect(to)
        for table in ("entries", "tables", "holders", "snapshots"):
            names = [name for _, name, *_ in connection.execute(f"pragma table_info({table})")]
            marks = ", ".join("?" * len(names))
            rows = self.rows(f"select {', '.join(names)} from {table}")
            connection.executemany(f"insert into {table} ({', '.join(names)}) values ({marks})", rows)
        connection.commit()
        connection.close()

    async def stop(self) -> None:
        self.stopping = True
        if self.main:
            send(self.main, signal.SIGINT)
        await self.task


def program(name: str) -> str:
    found = shutil.which(name) or next(iter(sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))), None)
    assert found, f"PostgreSQL's {name} is not installed here"
    return str(found)
