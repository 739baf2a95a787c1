"""Stores: where journals are kept, behind one URL. SQLite is in `sqlite.py`, PostgreSQL in `postgres.py`.

The primary key of an entry is `(table, entry)`: whoever appends a number that is taken is refused, so no two
servers can both have moved a table on. Of an archived table every number is taken. `append` answers when the entry is
durable. Appends that wait at the same time are committed together, so that a thousand tables need far fewer than a
thousand commits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from spellheist.core.refused import Refused


class Taken(Exception):
    """Somebody else has appended an entry of this number, or has archived the table."""


class Unsure(Exception):
    """The store failed, and whether the entry was written is not known: the journal has to be read again."""


class Unavailable(Refused):
    """The store does not answer now: a full disk, a lock, a database that is being started."""


class Unsettled(Unavailable):
    """Nor can the journal be read: whether an entry was written will be known later."""


@dataclass(frozen=True)
class TableRow:
    """What is known of a table without reading its journal: for lists, and to find what is due."""

    table: str
    game: str
    state: str
    listed: bool
    created: int
    updated: int
    due: int | None = None  # when something happens by itself: a clock that runs out
    record: str | None = None  # of an archived table


class Writing(asyncio.Future[Any]):
    """Something that is being written. It cannot be called off: a task that waits for it and is cancelled goes on when it
    is known what has become of it. Nobody else may write to a table before."""

    def cancel(self, msg: Any = None) -> bool:
        return False


class Append(NamedTuple):
    """One entry to be written, with what changes besides it."""

    table: str
    number: int
    body: bytes
    row: TableRow | None = None
    holders: tuple[tuple[str, int], ...] = ()  # (token hash, seat) that now holds a seat
    snapshot: bytes | None = None  # the state before this entry, that is after the one before it


class Store(Protocol):
    """A place for journals. What fails is `Unsure` where an entry was to be written, and else `Unavailable`.

    An append is carried out also when nobody waits for it any more. `entries` are in the order of their numbers, with
    an empty one where one is missing; `count` is the highest number. `elsewhere` says which of these tables have
    another count by now, since somebody wrote who does not tell us. `beat` keeps the highest number that it is given.
    `people` reads or changes the devices and links of people by one statement, with ? for each value.
    """

    async def open(self) -> None: ...
    def append(self, what: Append) -> asyncio.Future[None]: ...
    def note(self, row: TableRow) -> None: ...
    async def entries(self, table: str) -> list[bytes]: ...
    async def count(self, table: str) -> int: ...
    async def elsewhere(self, known: dict[str, int]) -> list[str]: ...
    async def snapshot(self, table: str) -> tuple[int, bytes] | None: ...
    async def row(self, table: str) -> TableRow | None: ...
    async def rows(self, states: tuple[str, ...], listed: bool, limit: int) -> list[TableRow]: ...
    async def held(self, token: str, limit: int) -> list[TableRow]: ...
    async def due(self, now: int, limit: int) -> list[str]: ...
    async def old(self, before: int, limit: int) -> list[str]: ...
    async def archive(self, table: str, record: str) -> None: ...
    async def beat(self, ms: int) -> int: ...
    async def people(self, statement: str, *values: Any) -> list[Any]: ...
    async def close(self) -> None: ...


def store_at(url: str, shared: bool = False) -> Store:
    """The store that a URL names; several processes of one server may share it."""
    if url.startswith("sqlite:///"):
        from spellheist.server.store.sqlite import SQLite

        return SQLite(Path(url.removeprefix("sqlite:///")), shared)
    if url.startswith(("postgresql://", "postgres://")):
        try:
            from spellheist.server.store.postgres import PostgreSQL
        except ImportError as missing:
            raise Refused(f"PostgreSQL needs a package that is not installed here: {missing.name}.") from None
        return PostgreSQL(url)
    raise Refused(f"{url!r} is not a store, such as sqlite:///FILE or postgresql://USER@HOST/DATABASE.")


def in_place(found: Iterable[tuple[Any, Any]]) -> list[bytes]:
    """Bodies in the order of their numbers. What is missing, or is none, is an empty one: that is no entry."""
    bodies: list[bytes] = []
    last = 0
    for number, body in found:
        if number != last + 1:
            bodies.append(b"")
        bodies.append(body if isinstance(body, bytes) else b"")
        last = number if isinstance(number, int) else last
    return bodies


def whole(found: Iterable[tuple[Any, ...]]) -> list[TableRow]:
    """Rows as they are stored. They are no truth: a damaged value is as good as none."""
    rows = []
    for table, game, state, listed, created, updated, due, record in found:
        if isinstance(table, str):
            made, moved = (number if isinstance(number, int) else 0 for number in (created, updated))
            later, text = due if isinstance(due, int) else None, record if isinstance(record, str) else None
            rows.append(TableRow(table, str(game), str(state), bool(listed), made, moved, later, text))
    return rows
