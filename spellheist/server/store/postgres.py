"""Journals in PostgreSQL, for several servers on one database.

Appends that wait at the same time are one statement: rows sorted by key, `on conflict do nothing returning` says
which were written and which numbers were taken. The database's notification after each batch is only a hint to other
servers to look again; the journal is the truth, and whoever loses a race reads it anew.
"""

from __future__ import annotations

import asyncio
import logging
import zlib
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import astuple
from typing import Any

import psycopg
from psycopg import AsyncConnection, sql

from spellheist.core.refused import Refused
from spellheist.server.process.supervisor import Supervisor
from spellheist.server.store import Append, TableRow, Taken, Unavailable, Unsure, Writing, in_place, schema, whole

log = logging.getLogger("spellheist")
COLUMNS = "table_id, game, state, shown, created, updated, due, record"
PUT = """insert into entries select * from unnest(%s::text[], %s::integer[], %s::bytea[]) as new (name, number, body)
    where not exists (select 1 from tables where table_id = new.name and record is not null)
    on conflict do nothing returning table_id, entry"""
PUT_ROW = f"""insert into tables ({COLUMNS}) values (%s, %s, %s, %s, %s, %s, %s, %s) on conflict (table_id) do update set
    state = excluded.state, shown = excluded.shown, updated = excluded.updated, due = excluded.due
    where tables.record is null"""  # a server that still has an archived table in memory does not open it again
PUT_SNAPSHOT = """insert into snapshots values (%s, %s, %s) on conflict (table_id) do update set
    entry = excluded.entry, body = excluded.body"""
LONGEST = 7900  # bytes of a notification
AGAIN = 5.0  # seconds until a line that was lost is tried again, at most
CHANGING, ARCHIVING = 5377, 5378  # advisory locks: of the schema; of tables that are archived, each in one of STRIPES
STRIPES = 256
TELL = sql.SQL("select pg_notify('spellheist', {})")
BEAT = """update service set ms = greatest(least(ms, again), %s), again = greatest(least(ms, again), %s)
    returning ms"""
Key = tuple[str, int]


class PostgreSQL:
    """One connection that writes, in batches; one that reads; one that listens."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.waiting: list[tuple[Append, asyncio.Future[None]]] = []
        self.noted: dict[str, TableRow] = {}
        self.wake = asyncio.Event()
        self.commits = 0
        self.closing = False
        self.moved: Any = None  # called with the names of tables that another server has moved on
        self.supervisor = Supervisor()  # the service's, where there is one
        self.tasks: list[asyncio.Task[None]] = []
        self.writer: AsyncConnection[Any] | None = None
        self.reader: AsyncConnection[Any] | None = None
        self.reading = asyncio.Lock()

    async def open(self) -> None:
        try:
            self.writer = await self.connect()
            self.reader = await self.connect()
            await change(self.writer)
        except (Refused, psycopg.Error) as error:
            await self.close()
            if isinstance(error, Refused):
                raise
            raise Refused(f"The database cannot be used: {first_line(error)}.") from None
        works = (("writer", self.write), ("listener", self.listen))
        self.tasks = [self.supervisor.keep(name, work, lambda: self.closing, AGAIN) for name, work in works]

    async def connect(self) -> AsyncConnection[Any]:
        try:
            return await AsyncConnection.connect(self.url, autocommit=True)
        except psycopg.Error as error:
            raise Refused(f"The database cannot be reached: {first_line(error)}.") from None

    # Writing.

    def append(self, what: Append) -> asyncio.Future[None]:
        done = Writing(loop=asyncio.get_running_loop())
        self.waiting.append((what, done))
        self.wake.set()
        return done

    def note(self, row: TableRow) -> None:
        self.noted[row.table] = row
        self.wake.set()

    async def write(self) -> None:
        """Commit whatever waits, together, and only then answer."""
        while not (self.closing and not self.waiting and not self.noted):
            await self.wake.wait()
            self.wake.clear()
            batch, self.waiting = self.waiting, []
            noted, self.noted = self.noted, {}
            if not batch and not noted:
                continue
            await self.write_batch(batch, list(noted.values()))

    async def write_batch(self, batch: list[tuple[Append, asyncio.Future[None]]], rows: list[TableRow]) -> None:
        """Commit and answer. What fails for a reason of its own fails alone."""
        try:
            written = await self.commit([what for what, _ in batch], rows)
        except Exception as error:
            lost = isinstance(error, psycopg.OperationalError)
            if not lost and len(batch) + len(rows) > 1:
                for one in batch:
                    await self.write_batch([one], [])
                for row in rows:
                    await self.write_batch([], [row])
                return
            self.supervisor.fault("writer", error)
            for _, done in batch:
                if not done.done():
                    done.set_exception(Unsure(str(error)))
            await self.mend()
            return
        for what, done in batch:
            if done.done():  # whoever waited is gone; it was carried out all the same
                continue
            if written.get((what.table, what.number)) is what:
                done.set_result(None)
            else:
                done.set_exception(Taken())

    async def commit(self, batch: list[Append], rows: list[TableRow]) -> dict[Key, Append]:
        """One transaction for all; what was written. Of two entries with one number only the first is tried: the
        second would seem to be written with it."""
        assert self.writer
        connection = self.writer
        first: dict[Key, Append] = {}
        for what in batch:
            first.setdefault((what.table, what.number), what)
        batch = [first[key] for key in sorted(first)]
        # What begins and what ends a transaction is sent in one piece each: every answer that is waited for is time.
        await connection.execute("; ".join(["begin", *shares(batch)]), prepare=False)
        try:
            keys = [what.table for what in batch], [what.number for what in batch], [what.body for what in batch]
            found = await (await connection.execute(PUT, keys)).fetchall() if batch else []
            written = {(table, number): first[table, number] for table, number in found}
            ours = [what for what in batch if (what.table, what.number) in written]
            await put_beside(connection, ours, rows)
            told = [TELL.format(sql.Literal(names)) for names in packets(sorted({table for table, _ in written}))]
            await connection.execute(sql.SQL("; ").join([*told, sql.SQL("commit")]), prepare=False)
        except BaseException:
            with suppress(psycopg.Error):
                await connection.execute("rollback")
            raise
        self.commits += 1
        return written

    async def mend(self) -> None:
        """After a failure: a new connection, as often as it takes."""
        assert self.writer
        with suppress(psycopg.Error):
            await self.writer.close()
        while not self.closing:
            try:
                self.writer = await self.connect()
                return
            except Refused as error:  # what has come meanwhile is told now, and not when the database is back
                lost, self.waiting = self.waiting, []
                for _, done in lost:
                    if not done.done():
                        done.set_exception(Unsure(str(error)))
            await asyncio.sleep(0.5)

    async def listen(self) -> None:
        """Hear which tables other servers have moved on. Whenever the connection was down, all tables may have moved."""
        async with await self.connect() as connection:
            await connection.execute("listen spellheist")
            if self.moved:
                self.moved(None)
            async for said in connection.notifies():
                if self.moved and not (self.writer and said.pid == self.writer.info.backend_pid):
                    self.moved(said.payload.split(","))

    # Reading.

    async def read(self, work: Callable[[AsyncConnection[Any]], Awaitable[Any]]) -> Any:
        """Do something by the connection that reads, and once more by a new one if that was lost meanwhile."""
        async with self.reading:
            for attempt in range(2):
                assert self.reader
                try:
                    return await work(self.reader)
                except psycopg.Error as error:
                    if attempt or not isinstance(error, psycopg.OperationalError):
                        log.error("the database could not be read", exc_info=error)
                        raise Unavailable("The tables cannot be read now; try again.") from None
                try:
                    lost, self.reader = self.reader, await self.connect()
                except Refused:
                    raise Unavailable("The tables cannot be read now; try again.") from None
                with suppress(psycopg.Error):
                    await lost.close()

    async def ask(self, query: str, *values: Any) -> list[Any]:
        async def work(connection: AsyncConnection[Any]) -> list[Any]:
            return await (await connection.execute(query, values)).fetchall()

        return await self.read(work)

    async def entries(self, table: str) -> list[bytes]:
        found = await self.ask("select entry, body from entries where table_id = %s order by entry", table)
        return in_place(found)

    async def count(self, table: str) -> int:
        return (await self.ask("select max(entry) from entries where table_id = %s", table))[0][0] or 0

    async def elsewhere(self, known: dict[str, int]) -> list[str]:
        return []  # whoever writes tells us

    async def snapshot(self, table: str) -> tuple[int, bytes] | None:
        found = await self.ask("select entry, body from snapshots where table_id = %s", table)
        return (found[0][0], bytes(found[0][1])) if found else None

    async def rows_where(self, where: str, *values: Any) -> list[TableRow]:
        return whole(await self.ask(f"select {COLUMNS} from tables {where}", *values))

    async def row(self, table: str) -> TableRow | None:
        rows = await self.rows_where("where table_id = %s", table)
        return rows[0] if rows else None

    async def rows(self, states: tuple[str, ...], listed: bool, limit: int) -> list[TableRow]:
        only = "shown and" if listed else ""
        return await self.rows_where(f"where {only} state = any(%s) order by updated desc limit %s", list(states), limit)

    async def held(self, token: str, limit: int) -> list[TableRow]:
        mine = "where table_id in (select table_id from holders where token = %s) order by updated desc limit %s"
        return await self.rows_where(mine, token, limit)

    async def due(self, now: int, limit: int) -> list[str]:
        query = "select table_id from tables where due <= %s order by due limit %s"
        return [name for (name,) in await self.ask(query, now, limit)]

    async def old(self, before: int, limit: int) -> list[str]:
        query = "select table_id from tables where updated < %s and record is null limit %s"
        return [name for (name,) in await self.ask(query, before, limit)]

    async def archive(self, table: str, record: str) -> None:
        async def work(connection: AsyncConnection[Any]) -> None:
            async with connection.transaction():
                # An append that is under way would not see the row of this transaction, and outlive the journal: wait
                # for those under way, and let others wait.
                await connection.execute("select pg_advisory_xact_lock(%s, %s)", (ARCHIVING, stripe(table)))
                keep = "update tables set record = %s, state = 'archived', due = null where table_id = %s"
                await connection.execute(keep, (record, table))
                await connection.execute("delete from entries where table_id = %s", (table,))
                await connection.execute("delete from snapshots where table_id = %s", (table,))
                await connection.execute("select pg_notify('spellheist', %s)", (table,))

        await self.read(work)

    async def beat(self, ms: int) -> int:
        return int((await self.ask(BEAT, ms, ms))[0][0])

    async def people(self, statement: str, *values: Any) -> list[Any]:
        async def work(connection: AsyncConnection[Any]) -> list[Any]:
            done = await connection.execute(statement.replace("?", "%s"), values)
            return await done.fetchall() if done.description else []

        return await self.read(work)

    async def close(self) -> None:
        self.closing = True
        self.wake.set()
        if self.tasks:
            await self.tasks[0]
            self.tasks[1].cancel()
            await asyncio.gather(*self.tasks, return_exceptions=True)
        for connection in (self.writer, self.reader):
            if connection:
                await connection.close()


async def change(connection: AsyncConnection[Any]) -> None:
    """Bring the schema up to date, once. A database of today is only asked: changes of the schema beside servers that
    write could wait for each other."""

    async def version() -> int:
        known = "select to_regclass('service') is not null, to_regclass('entries') is not null"
        [(today, before)] = await (await connection.execute(known)).fetchall()
        if not today:
            return int(before)  # the first version did not say which it was
        return int((await (await connection.execute("select max(version) from service")).fetchall())[0][0])

    if not schema.missing(await version(), "This database"):
        return
    # Two servers may start at once. The lock is taken before the transaction: within one, what another has just made
    # may not be seen.
    await connection.execute("select pg_advisory_lock(%s)", (CHANGING,))
    try:
        async with connection.transaction():
            for number in schema.missing(await version(), "This database"):
                for statement in schema.POSTGRESQL[number]:
                    await connection.execute(statement)
            await connection.execute("update service set version = %s", (schema.VERSION,))
    finally:
        with suppress(psycopg.Error):
            await connection.execute("select pg_advisory_unlock(%s)", (CHANGING,))


def stripe(table: str) -> int:
    return zlib.crc32(table.encode()) % STRIPES


def shares(batch: list[Append]) -> list[str]:
    """The statements, if any, that keep the tables of a batch from being archived meanwhile: always in one order."""
    stripes = sorted({stripe(what.table) for what in batch})
    values = ", ".join(f"({number})" for number in stripes)
    return [f"select pg_advisory_xact_lock_shared({ARCHIVING}, s) from (values {values}) as t (s)"] if stripes else []


async def put_beside(connection: AsyncConnection[Any], ours: list[Append], rows: list[TableRow]) -> None:
    """Write what changes besides entries."""
    rows = sorted([*rows, *(what.row for what in ours if what.row)], key=lambda row: row.table)
    holders = [(token, what.table, seat) for what in ours for token, seat in what.holders]
    shots = [(what.table, what.number - 1, what.snapshot) for what in ours if what.snapshot is not None]
    async with connection.cursor() as cursor:
        if rows:
            await cursor.executemany(PUT_ROW, [astuple(row) for row in rows])
        if holders:
            await cursor.executemany("insert into holders values (%s, %s, %s) on conflict do nothing", holders)
        if shots:
            await cursor.executemany(PUT_SNAPSHOT, shots)


def first_line(error: Exception) -> str:
    """What went wrong, to be the end of a sentence."""
    return (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")


def packets(names: list[str]) -> list[str]:
    """Names joined by commas, none longer than a notification may be."""
    found: list[str] = []
    for name in names:
        if found and len(found[-1]) + len(name) < LONGEST:
            found[-1] += f",{name}"
        else:
            found.append(name)
    return found
