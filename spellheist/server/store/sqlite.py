"""Journals in one file of SQLite: a write-ahead log, synchronous FULL, and one thread that commits for all who wait."""

from __future__ import annotations

import asyncio
import logging
import queue
import sqlite3
import threading
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spellheist.core.refused import Refused
from spellheist.server.process.supervisor import Supervisor
from spellheist.server.store import Append, TableRow, Taken, Unavailable, Unsure, Writing, in_place, schema, whole
from spellheist.server.store.locks import Lock, make_private

log = logging.getLogger("spellheist")
TOGETHER = 500  # entries in one statement
PATIENCE = 5000  # milliseconds that a write waits for others who write
LOG_PAGES = 16_000  # of the write-ahead log, 64 MB, before it is written back: the same pages change again and again
COLUMNS = "table_id, game, state, shown, created, updated, due, record"
COUNT = "select max(entry) from entries where table_id = ? and typeof(entry) = 'integer'"
PUT_ROW = f"""insert into tables ({COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (table_id) do update set
    state = excluded.state, shown = excluded.shown, updated = excluded.updated, due = excluded.due
    where record is null"""  # a server that still has an archived table in memory does not open it again


@dataclass(slots=True)
class Job:
    """Something for the thread that owns the database."""

    work: Callable[[sqlite3.Connection], Any]
    done: asyncio.Future[Any]
    append: Append | None = None  # what the work is, where it is that
    writes: bool = False
    result: Any = None
    error: BaseException | None = field(default=None)


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
        self.supervisor = Supervisor()  # the service's, where there is one
        self.seen = 0  # the version of the data when others were last seen to have written

    async def open(self) -> None:
        self.loop = asyncio.get_running_loop()
        connection = None
        try:
            make_private(self.path)
            if self.shared:
                self.lock = Lock(self.path)
            connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
            connection.text_factory = lambda raw: raw.decode("utf-8", "replace")  # damaged text is read, too
            connection.execute(f"pragma busy_timeout = {PATIENCE}")
            change(connection, str(self.path))
            connection.execute("pragma journal_mode = wal")
            connection.execute("pragma synchronous = full")
            connection.execute(f"pragma wal_autocheckpoint = {LOG_PAGES}")
            self.seen = version_of_data(connection)
        except (OSError, sqlite3.Error, Refused) as error:
            if connection:
                connection.close()
            if isinstance(error, Refused):
                raise
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
                try:
                    self._commit(connection, batch)
                except Exception as error:  # a fault of ours: nobody shall wait for ever
                    self.supervisor.fault("journal", error)
                    for job in batch:
                        job.error = job.error or Unsure(str(error))
                assert self.loop
                self.loop.call_soon_threadsafe(answer, batch)
        connection.close()

    def _commit(self, connection: sqlite3.Connection, batch: list[Job]) -> None:
        """Write what is to be written, together; then read, which needs no lock and no room on the disk."""
        writes = [job for job in batch if job.writes]
        if writes:
            self._write(connection, writes)
        for job in batch:
            if not job.writes:
                try:
                    job.result = job.work(connection)
                except Exception as error:
                    log.error("the store could not be read", exc_info=error)
                    job.error = Unavailable("The tables cannot be read now; try again.")

    def _write(self, connection: sqlite3.Connection, jobs: list[Job]) -> None:
        try:
            with self.lock:
                connection.execute("begin immediate")
                for job in one_by_one(connection, jobs):
                    try:
                        job.result = job.work(connection)
                    except Taken as error:
                        job.error = error
                connection.execute("commit")
            self.commits += 1
        except Exception as error:
            with suppress(sqlite3.Error):
                connection.rollback()
            # The disk is full, or somebody else has the lock; else something is wrong with one of them, and the others
            # need not fail with it.
            together = len(jobs) == 1 or isinstance(error, sqlite3.OperationalError)
            if together:
                self.supervisor.fault("writer", error)
            for job in jobs:
                job.error = Unsure(str(error)) if together else None
                if not together:
                    self._write(connection, [job])

    def _do(
        self, work: Callable[[sqlite3.Connection], Any], append: Append | None = None, writes: bool = False
    ) -> asyncio.Future[Any]:
        assert self.loop and self.thread
        done = Writing(loop=self.loop) if append else self.loop.create_future()
        job = Job(work, done, append, writes)
        if not self.waiting:
            self.loop.call_soon(self._hand_over)
        self.waiting.append(job)
        return job.done

    def _hand_over(self) -> None:
        """Give the thread all that has come up since the last time."""
        if self.waiting:
            self.jobs.put(self.waiting)
            self.waiting = []

    def append(self, what: Append) -> asyncio.Future[None]:
        return self._do(lambda connection: put(connection, what), what, True)

    def note(self, row: TableRow) -> None:
        self._do(lambda connection: put_row(connection, row), writes=True).add_done_callback(quietly)

    async def _change(self, work: Callable[[sqlite3.Connection], Any]) -> Any:
        try:
            return await self._do(work, writes=True)
        except Unsure as error:
            log.error("the store could not be written: %s", error)
            raise Unavailable("The tables cannot be written now; try again.") from None

    async def entries(self, table: str) -> list[bytes]:
        return await self._do(lambda c: in_place(journal(c, table)))

    async def count(self, table: str) -> int:
        return await self._do(lambda connection: count(connection, table))

    async def elsewhere(self, known: dict[str, int]) -> list[str]:
        def work(connection: sqlite3.Connection) -> list[str]:
            version = version_of_data(connection)
            if version == self.seen:
                return []
            self.seen = version
            return [name for name, so_many in known.items() if count(connection, name) != so_many]

        return await self._do(work)

    async def snapshot(self, table: str) -> tuple[int, bytes] | None:
        query = "select entry, cast(body as blob) from snapshots where table_id = ?"
        return await self._do(lambda c: c.execute(query, (table,)).fetchone())

    async def row(self, table: str) -> TableRow | None:
        rows = await self._rows("where table_id = ?", table)
        return rows[0] if rows else None

    async def rows(self, states: tuple[str, ...], listed: bool, limit: int) -> list[TableRow]:
        marks = ", ".join("?" * len(states))
        only = "shown = 1 and" if listed else ""
        return await self._rows(f"where {only} state in ({marks}) order by updated desc limit ?", *states, limit)

    async def held(self, token: str, limit: int) -> list[TableRow]:
        mine = "where table_id in (select table_id from holders where token = ?) order by updated desc limit ?"
        return await self._rows(mine, token, limit)

    async def _rows(self, where: str, *values: Any) -> list[TableRow]:
        query = f"select {COLUMNS} from tables {where}"
        found = await self._do(lambda c: c.execute(query, values).fetchall())
        return whole(found)

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

        await self._change(work)

    async def beat(self, ms: int) -> int:
        def work(connection: sqlite3.Connection) -> int:
            stored = connection.execute("select ms, again from service").fetchone() or (0, 0)
            ours = max(ms, min(number if isinstance(number, int) else 0 for number in stored))
            connection.execute("insert or replace into service values (1, ?, ?)", (ours, ours))
            return ours

        return await self._change(work)

    async def people(self, statement: str, *values: Any) -> list[Any]:
        does = self._do if statement.startswith("select") else self._change
        return await does(lambda c: c.execute(statement, values).fetchall())

    async def close(self) -> None:
        if self.thread:
            self._hand_over()
            self.jobs.put(None)
            await asyncio.to_thread(self.thread.join)
            self.thread = None
            if isinstance(self.lock, Lock):
                self.lock.file.close()


def change(connection: sqlite3.Connection, where: str) -> None:
    """Bring the schema up to date, once."""

    def version() -> int:
        return int(connection.execute("pragma user_version").fetchone()[0])

    if not schema.missing(version(), f"The store {where}"):
        return
    connection.execute("begin immediate")  # another process may do the same
    try:
        for number in schema.missing(version(), f"The store {where}"):
            for statement in schema.SQLITE[number]:
                connection.execute(statement)
            connection.execute(f"pragma user_version = {number + 1}")
        connection.execute("commit")
    except BaseException:
        connection.rollback()
        raise


def version_of_data(connection: sqlite3.Connection) -> int:
    """Another number whenever another connection has written."""
    return int(connection.execute("pragma data_version").fetchone()[0])


def count(connection: sqlite3.Connection, table: str) -> int:
    return connection.execute(COUNT, (table,)).fetchone()[0] or 0


def journal(connection: sqlite3.Connection, table: str) -> list[tuple[Any, Any]]:
    """The entries of a table with their numbers, as far as they can be read."""
    query = "select entry, cast(body as blob) from entries where table_id = ? order by entry"
    found: list[tuple[Any, Any]] = []
    try:
        for row in connection.execute(query, (table,)):
            found.append(row)
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:  # a page of the file is damaged
        found.append((len(found) + 1, None))
    return found


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


def put_row(connection: sqlite3.Connection, row: TableRow) -> None:
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
