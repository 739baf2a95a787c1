"""Stores: where journals are kept, behind one URL. SQLite here; PostgreSQL in `postgres.py`.

The primary key of an entry is `(table, entry)`: whoever appends a number that is taken is refused, so no two
servers can both have moved a table on. Of an archived table every number is taken. `append` answers when the entry is
durable. Appends that wait at the same time are committed together, so that a thousand tables need far fewer than a
thousand commits.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from spellheist.core.game import Refused

with suppress(ImportError):  # not on Windows, where a server has one process
    import fcntl


class Taken(Exception):
    """Somebody else has appended an entry of this number, or has archived the table."""


class Unsure(Exception):
    """The store failed, and whether the entry was written is not known: the journal has to be read again."""


@dataclass(frozen=True)
class Row:
    """What is known of a table without reading its journal: for lists, and to find what is due."""

    table: str
    game: str
    state: str
    listed: bool
    created: int
    updated: int
    due: int | None = None  # when something happens by itself: a clock that runs out
    record: str | None = None  # of an archived table


class Append(NamedTuple):
    """One entry to be written, with what changes besides it."""

    table: str
    number: int
    body: bytes
    row: Row | None = None
    holders: tuple[tuple[str, int], ...] = ()  # (token hash, seat) that now holds a seat
    snapshot: bytes | None = None  # the state before this entry, that is after the one before it


class Store(Protocol):
    """A place for journals."""

    async def open(self) -> None: ...
    async def append(self, what: Append) -> None: ...
    def note(self, row: Row) -> None: ...
    async def entries(self, table: str) -> list[bytes]: ...
    async def snapshot(self, table: str) -> tuple[int, bytes] | None: ...
    async def row(self, table: str) -> Row | None: ...
    async def rows(self, states: tuple[str, ...], listed: bool, limit: int) -> list[Row]: ...
    async def held(self, token: str, limit: int) -> list[Row]: ...
    async def due(self, now: int, limit: int) -> list[str]: ...
    async def old(self, before: int, limit: int) -> list[str]: ...
    async def archive(self, table: str, record: str) -> None: ...
    async def close(self) -> None: ...


def store_at(url: str, shared: bool = False) -> Store:
    """The store that a URL names; several processes of one server may share it."""
    if url.startswith("sqlite:///"):
        return SQLite(Path(url.removeprefix("sqlite:///")), shared)
    if url.startswith(("postgresql://", "postgres://")):
        try:
            from spellheist.server.postgres import PostgreSQL
        except ImportError as missing:
            raise Refused(f"PostgreSQL needs a package that is not installed here: {missing.name}.") from None
        return PostgreSQL(url)
    raise Refused(f"{url!r} is no store; one is sqlite:///FILE, another postgresql://USER@HOST/DATABASE.")


SCHEMA = """
create table if not exists entries (
    table_id text not null, entry integer not null, body blob not null, primary key (table_id, entry)
) without rowid;
create table if not exists tables (
    table_id text primary key, game text not null, state text not null, listed integer not null,
    created integer not null, updated integer not null, due integer, record text
) without rowid;
create index if not exists tables_open on tables (listed, state, updated);
create index if not exists tables_due on tables (due) where due is not null;
create table if not exists holders (token text not null, table_id text not null, seat integer not null,
    primary key (token, table_id, seat)) without rowid;
create table if not exists snapshots (table_id text primary key, entry integer not null, body blob not null) without rowid;
create trigger if not exists archived before insert on entries
    when exists (select 1 from tables where table_id = new.table_id and record is not null)
    begin select raise(abort, 'archived'); end;
"""
TOGETHER = 500  # entries in one statement
LOG_PAGES = 16_000  # of the write-ahead log, 64 MB, before it is written back: the same pages change again and again
COLUMNS = "table_id, game, state, listed, created, updated, due, record"
PUT_ROW = f"""insert into tables ({COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (table_id) do update set
    state = excluded.state, listed = excluded.listed, updated = excluded.updated, due = excluded.due
    where record is null"""  # a server that still has an archived table in memory does not open it again


@dataclass(slots=True)
class Job:
    """Something for the thread that owns the database."""

    work: Callable[[sqlite3.Connection], Any]
    done: asyncio.Future[Any]
    append: Append | None = None  # what the work is, where it is that
    result: Any = None
    error: BaseException | None = field(default=None)


class Lock:
    """Lets one process after the other write. SQLite alone would let them sleep and look again; a lock on a file wakes
    the next at once, and is free again when its holder dies."""

    def __init__(self, path: Path) -> None:
        self.file = path.with_name(path.name + "-lock").open("wb")

    def __enter__(self) -> None:
        fcntl.flock(self.file, fcntl.LOCK_EX)

    def __exit__(self, *_: object) -> None:
        fcntl.flock(self.file, fcntl.LOCK_UN)


class SQLite:
    """Journals in one file: write-ahead log, synchronous FULL, one thread that commits for all who wait."""

    def __init__(self, path: Path, shared: bool = False) -> None:
        self.path, self.shared = path, shared
        self.lock: Any = nullcontext()
        self.jobs: queue.SimpleQueue[list[Job] | None] = queue.SimpleQueue()
        self.waiting: list[Job] = []  # until the loop has done what it can do now
        self.thread: threading.Thread | None = None
        self.loop: asyncio.AbstractEventLoop | None = None
        self.commits = 0

    async def open(self) -> None:
        self.loop = asyncio.get_running_loop()
        connection = None
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.shared:
                self.lock = Lock(self.path)
            connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
            connection.execute("pragma journal_mode = wal")
            connection.execute("pragma synchronous = full")
            connection.execute("pragma busy_timeout = 5000")
            connection.execute(f"pragma wal_autocheckpoint = {LOG_PAGES}")
            connection.executescript(SCHEMA)
        except (OSError, sqlite3.Error) as error:
            if connection:
                connection.close()
            raise Refused(f"The store {self.path} cannot be opened: {error}.") from None
        self.thread = threading.Thread(target=self._run, args=(connection,), name="journal")
        self.thread.start()

    def _run(self, connection: sqlite3.Connection) -> None:
        """Take all jobs that wait, do them in one transaction, commit, and only then answer."""
        stop = False
        while not stop:
            batch: list[Job] = []
            jobs = self.jobs.get()
            while True:
                if jobs is None:
                    stop = True
                else:
                    batch += jobs
                if stop or self.jobs.empty():
                    break
                jobs = self.jobs.get()
            if batch:
                self._commit(connection, batch)
                assert self.loop
                self.loop.call_soon_threadsafe(answer, batch)
        connection.close()

    def _commit(self, connection: sqlite3.Connection, batch: list[Job]) -> None:
        try:
            with self.lock:
                connection.execute("begin immediate")
                for job in one_by_one(connection, batch):
                    try:
                        job.result = job.work(connection)
                    except (Taken, Refused) as error:
                        job.error = error
                connection.execute("commit")
            self.commits += 1
        except sqlite3.Error as error:
            for job in batch:
                job.error = Unsure(str(error))
            if connection.in_transaction:
                connection.execute("rollback")

    def _do(self, work: Callable[[sqlite3.Connection], Any], append: Append | None = None) -> asyncio.Future[Any]:
        assert self.loop and self.thread
        job = Job(work, self.loop.create_future(), append)
        if not self.waiting:
            self.loop.call_soon(self._hand_over)
        self.waiting.append(job)
        return job.done

    def _hand_over(self) -> None:
        """Give the thread all that has come up since the last time."""
        if self.waiting:
            self.jobs.put(self.waiting)
            self.waiting = []

    async def append(self, what: Append) -> None:
        await self._do(lambda connection: put(connection, what), what)

    def note(self, row: Row) -> None:
        self._do(lambda connection: put_row(connection, row)).add_done_callback(quietly)

    async def entries(self, table: str) -> list[bytes]:
        query = "select body from entries where table_id = ? order by entry"
        return await self._do(lambda c: [body for (body,) in c.execute(query, (table,))])

    async def snapshot(self, table: str) -> tuple[int, bytes] | None:
        query = "select entry, body from snapshots where table_id = ?"
        return await self._do(lambda c: c.execute(query, (table,)).fetchone())

    async def row(self, table: str) -> Row | None:
        rows = await self._rows("where table_id = ?", table)
        return rows[0] if rows else None

    async def rows(self, states: tuple[str, ...], listed: bool, limit: int) -> list[Row]:
        marks = ", ".join("?" * len(states))
        only = "listed = 1 and" if listed else ""
        return await self._rows(f"where {only} state in ({marks}) order by updated desc limit ?", *states, limit)

    async def held(self, token: str, limit: int) -> list[Row]:
        mine = "where table_id in (select table_id from holders where token = ?) order by updated desc limit ?"
        return await self._rows(mine, token, limit)

    async def _rows(self, where: str, *values: Any) -> list[Row]:
        query = f"select {COLUMNS} from tables {where}"
        found = await self._do(lambda c: c.execute(query, values).fetchall())
        return [Row(*row) for row in found]

    async def due(self, now: int, limit: int) -> list[str]:
        query = "select table_id from tables where due <= ? order by due limit ?"
        return await self._do(lambda c: [table for (table,) in c.execute(query, (now, limit))])

    async def old(self, before: int, limit: int) -> list[str]:
        query = "select table_id from tables where updated < ? and record is null limit ?"
        return await self._do(lambda c: [table for (table,) in c.execute(query, (before, limit))])

    async def archive(self, table: str, record: str) -> None:
        def work(connection: sqlite3.Connection) -> None:
            keep = "update tables set record = ?, state = 'archived', due = null where table_id = ?"
            connection.execute(keep, (record, table))
            connection.execute("delete from entries where table_id = ?", (table,))
            connection.execute("delete from snapshots where table_id = ?", (table,))

        await self._do(work)

    async def close(self) -> None:
        if self.thread:
            self._hand_over()
            self.jobs.put(None)
            await asyncio.to_thread(self.thread.join)
            self.thread = None


def one_by_one(connection: sqlite3.Connection, batch: list[Job]) -> list[Job]:
    """Write the entries of a batch in few statements, since each one makes the thread wait for the interpreter; the
    jobs that are left to be done on their own."""
    left = [job for job in batch if job.append is None]
    appends = [job for job in batch if job.append is not None]
    for first in range(0, len(appends), TOGETHER):
        some = appends[first : first + TOGETHER]
        if not put_together(connection, [job.append for job in some if job.append]):
            left += some
    return left


def put_together(connection: sqlite3.Connection, appends: list[Append]) -> bool:
    """Write several entries at once. If any of them is taken, none is written."""
    marks = ", ".join(["(?, ?, ?)"] * len(appends))
    values = [value for what in appends for value in (what.table, what.number, what.body)]
    try:
        connection.execute(f"insert into entries values {marks}", values)
    except sqlite3.IntegrityError:
        return False
    for what in appends:
        put_beside(connection, what)
    return True


def put(connection: sqlite3.Connection, what: Append) -> None:
    """Write an entry and what goes with it, all or nothing."""
    try:
        connection.execute("insert into entries values (?, ?, ?)", (what.table, what.number, what.body))
    except sqlite3.IntegrityError:
        raise Taken from None
    put_beside(connection, what)


def put_beside(connection: sqlite3.Connection, what: Append) -> None:
    """Write what changes besides an entry."""
    if what.row:
        put_row(connection, what.row)
    for token, seat in what.holders:
        connection.execute("insert or ignore into holders values (?, ?, ?)", (token, what.table, seat))
    if what.snapshot is not None:
        snapshot = (what.table, what.number - 1, what.snapshot)
        connection.execute("insert or replace into snapshots values (?, ?, ?)", snapshot)


def put_row(connection: sqlite3.Connection, row: Row) -> None:
    values = (row.table, row.game, row.state, int(row.listed), row.created, row.updated, row.due, row.record)
    connection.execute(PUT_ROW, values)


def quietly(done: asyncio.Future[Any]) -> None:
    """A row that was not written is written with the next change."""
    if not done.cancelled():
        done.exception()


def answer(batch: list[Job]) -> None:
    """Tell all who waited."""
    for job in batch:
        if job.done.cancelled():
            continue
        if job.error is not None:
            job.done.set_exception(job.error)
        else:
            job.done.set_result(job.result)
