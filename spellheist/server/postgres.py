"""Journals in PostgreSQL, for several servers on one database.

Appends that wait at the same time are one statement: rows sorted by key, `on conflict do nothing returning` says
which were written and which numbers were taken. The database's notification after each batch is only a hint to other
servers to look again; the journal is the truth, and whoever loses a race reads it anew.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import astuple
from typing import Any

import psycopg
from psycopg import AsyncConnection

from spellheist.core.game import Refused
from spellheist.server.store import Append, Row, Taken, Unsure

SCHEMA = """
create table if not exists entries (
    table_id text not null, entry integer not null, body bytea not null, primary key (table_id, entry));
create table if not exists tables (
    table_id text primary key, game text not null, state text not null, listed boolean not null,
    created bigint not null, updated bigint not null, due bigint, record text);
create index if not exists tables_open on tables (listed, state, updated);
create index if not exists tables_due on tables (due) where due is not null;
create table if not exists holders (
    token text not null, table_id text not null, seat integer not null, primary key (token, table_id, seat));
create table if not exists snapshots (table_id text primary key, entry integer not null, body bytea not null);
"""
COLUMNS = "table_id, game, state, listed, created, updated, due, record"
PUT = """insert into entries select * from unnest(%s::text[], %s::integer[], %s::bytea[]) as new (name, number, body)
    where not exists (select 1 from tables where table_id = new.name and record is not null)
    on conflict do nothing returning table_id, entry"""
PUT_ROW = f"""insert into tables ({COLUMNS}) values (%s, %s, %s, %s, %s, %s, %s, %s) on conflict (table_id) do update set
    state = excluded.state, listed = excluded.listed, updated = excluded.updated, due = excluded.due
    where tables.record is null"""  # a server that still has an archived table in memory does not open it again
PUT_SNAPSHOT = """insert into snapshots values (%s, %s, %s) on conflict (table_id) do update set
    entry = excluded.entry, body = excluded.body"""
LONGEST = 7900  # bytes of a notification


class PostgreSQL:
    """One connection that writes, in batches; one that reads; one that listens."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.waiting: list[tuple[Append, asyncio.Future[None]]] = []
        self.noted: dict[str, Row] = {}
        self.wake = asyncio.Event()
        self.commits = 0
        self.closing = False
        self.moved: Any = None  # called with the names of tables that another server has moved on
        self.tasks: list[asyncio.Task[None]] = []
        self.writer: AsyncConnection[Any] | None = None
        self.reader: AsyncConnection[Any] | None = None
        self.reading = asyncio.Lock()

    async def open(self) -> None:
        try:
            self.writer = await self.connect()
            self.reader = await self.connect()
            async with self.writer.transaction():
                await self.writer.execute("select pg_advisory_xact_lock(5377)")  # two servers may start at once
                await self.writer.execute(SCHEMA)
        except (Refused, psycopg.Error) as error:
            await self.close()
            if isinstance(error, Refused):
                raise
            raise Refused(f"The database cannot be used: {first_line(error)}.") from None
        self.tasks = [asyncio.create_task(self.write()), asyncio.create_task(self.listen())]

    async def connect(self) -> AsyncConnection[Any]:
        try:
            return await AsyncConnection.connect(self.url, autocommit=True)
        except psycopg.Error as error:
            raise Refused(f"The database cannot be reached: {first_line(error)}.") from None

    # Writing.

    async def append(self, what: Append) -> None:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waiting.append((what, done))
        self.wake.set()
        await done

    def note(self, row: Row) -> None:
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
            try:
                written = await self.commit([what for what, _ in batch], list(noted.values()))
            except psycopg.Error as error:
                for _, done in batch:
                    if not done.done():
                        done.set_exception(Unsure(str(error)))
                await self.mend()
                continue
            for what, done in batch:
                if done.done():
                    continue
                if (what.table, what.number) in written:
                    done.set_result(None)
                else:
                    done.set_exception(Taken())

    async def commit(self, batch: list[Append], rows: list[Row]) -> set[tuple[str, int]]:
        """One transaction for all; the keys that were written."""
        assert self.writer
        batch = sorted(batch, key=lambda what: (what.table, what.number))
        async with self.writer.transaction():
            keys = [what.table for what in batch], [what.number for what in batch], [what.body for what in batch]
            found = await (await self.writer.execute(PUT, keys)).fetchall() if batch else []
            written = {(table, number) for table, number in found}
            async with self.writer.cursor() as cursor:
                ours = [what for what in batch if (what.table, what.number) in written]
                rows = sorted([*rows, *(what.row for what in ours if what.row)], key=lambda row: row.table)
                if rows:
                    await cursor.executemany(PUT_ROW, [astuple(row) for row in rows])
                holders = [(token, what.table, seat) for what in ours for token, seat in what.holders]
                if holders:
                    await cursor.executemany("insert into holders values (%s, %s, %s) on conflict do nothing", holders)
                shots = [(what.table, what.number - 1, what.snapshot) for what in ours if what.snapshot is not None]
                if shots:
                    await cursor.executemany(PUT_SNAPSHOT, shots)
            for names in packets(sorted({table for table, _ in written})):
                await self.writer.execute("select pg_notify('spellheist', %s)", (names,))
        self.commits += 1
        return written

    async def mend(self) -> None:
        """After a failure: a new connection, as often as it takes."""
        assert self.writer
        with suppress(psycopg.Error):
            await self.writer.close()
        while not self.closing:
            with suppress(Refused):
                self.writer = await self.connect()
                return
            await asyncio.sleep(0.5)

    async def listen(self) -> None:
        """Hear which tables other servers have moved on. Whenever the line was down, all tables may have moved."""
        while not self.closing:
            try:
                async with await self.connect() as line:
                    await line.execute("listen spellheist")
                    if self.moved:
                        self.moved(None)
                    own = {self.writer.info.backend_pid} if self.writer else set()
                    async for said in line.notifies():
                        if self.moved and said.pid not in own:
                            self.moved(said.payload.split(","))
            except (psycopg.Error, Refused):
                await asyncio.sleep(0.5)

    # Reading.

    async def ask(self, query: str, *values: Any) -> list[Any]:
        async with self.reading:
            for attempt in range(2):
                assert self.reader
                try:
                    return await (await self.reader.execute(query, values)).fetchall()
                except psycopg.OperationalError:
                    if attempt:
                        raise
                    self.reader = await self.connect()
        return []

    async def entries(self, table: str) -> list[bytes]:
        found = await self.ask("select body from entries where table_id = %s order by entry", table)
        return [bytes(body) for (body,) in found]

    async def snapshot(self, table: str) -> tuple[int, bytes] | None:
        found = await self.ask("select entry, body from snapshots where table_id = %s", table)
        return (found[0][0], bytes(found[0][1])) if found else None

    async def rows_where(self, where: str, *values: Any) -> list[Row]:
        return [Row(*row) for row in await self.ask(f"select {COLUMNS} from tables {where}", *values)]

    async def row(self, table: str) -> Row | None:
        rows = await self.rows_where("where table_id = %s", table)
        return rows[0] if rows else None

    async def rows(self, states: tuple[str, ...], listed: bool, limit: int) -> list[Row]:
        only = "listed and" if listed else ""
        return await self.rows_where(f"where {only} state = any(%s) order by updated desc limit %s", list(states), limit)

    async def held(self, token: str, limit: int) -> list[Row]:
        mine = "where table_id in (select table_id from holders where token = %s) order by updated desc limit %s"
        return await self.rows_where(mine, token, limit)

    async def due(self, now: int, limit: int) -> list[str]:
        query = "select table_id from tables where due <= %s order by due limit %s"
        return [name for (name,) in await self.ask(query, now, limit)]

    async def old(self, before: int, limit: int) -> list[str]:
        query = "select table_id from tables where updated < %s and record is null limit %s"
        return [name for (name,) in await self.ask(query, before, limit)]

    async def archive(self, table: str, record: str) -> None:
        async with self.reading:
            assert self.reader
            async with self.reader.transaction():
                # An append that is under way would not see the row of this transaction, and outlive the journal.
                await self.reader.execute("lock table entries in share row exclusive mode")
                keep = "update tables set record = %s, state = 'archived', due = null where table_id = %s"
                await self.reader.execute(keep, (record, table))
                await self.reader.execute("delete from entries where table_id = %s", (table,))
                await self.reader.execute("delete from snapshots where table_id = %s", (table,))
                await self.reader.execute("select pg_notify('spellheist', %s)", (table,))

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
