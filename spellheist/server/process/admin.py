"""What whoever runs a server does with its store from the command line, also while the server runs.

A running server notices: its next entry finds the number taken, and it reads the journal again; of a table that was
archived every number is taken, and there is no journal any more.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from spellheist.core.refused import Refused
from spellheist.server.service import Service, Settings
from spellheist.server.store import Append, Taken, Unsure, store_at
from spellheist.server.store.sqlite import SQLite
from spellheist.server.table.actions.proposing import Closed, close_by_operator
from spellheist.server.table.journal import encode
from spellheist.server.table.reading import Unreadable

OPEN = ("gathering", "promising", "playing", "paused")
MOST = 10_000


def run(url: str, work: Callable[[Service], Awaitable[Any]]) -> Any:
    """Open a store, do something, close it."""
    store = store_at(url)
    if isinstance(store, SQLite) and not store.path.is_file():
        raise Refused(f"There is no store at {url}; name another one with --store.")

    async def whole() -> Any:
        service = Service(store, Settings())
        await service.store.open()
        try:
            await service.beat()
            return await work(service)
        finally:
            await service.store.close()

    return asyncio.run(whole())


def listed(url: str, every: bool) -> list[dict[str, Any]]:
    async def work(service: Service) -> list[dict[str, Any]]:
        states = (*OPEN, "frozen", "over", "closed", "archived") if every else (*OPEN, "frozen")
        rows = await service.store.rows(states, False, MOST)
        return [{"table": row.table, "game": row.game, "state": row.state, "updated": said(row.updated)} for row in rows]

    return run(url, work)


def said(at: int) -> str:
    try:
        return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):  # a damaged row
        return "?"


def close(url: str, name: str) -> None:
    async def work(service: Service) -> None:
        try:
            live = await service.live(name)
        except Unreadable:
            await close_unread(service, name)
            return
        await live.carry_out(lambda table, now: close_by_operator(table))
        live.stop()

    run(url, work)


async def close_unread(service: Service, name: str) -> None:
    """Close a table of which nothing but its row is known."""
    row = await service.store.row(name)
    if row is None or row.state == "closed":
        raise Refused("The table is already closed." if row else "There is no such table.")
    entry = Closed(at=service.now(), t=service.clock(), reason="The table was closed.")
    closed = replace(row, state="closed", due=None)
    try:
        await service.store.append(Append(name, await service.store.count(name) + 1, encode(entry), closed))
    except (Taken, Unsure) as error:
        raise Refused(f"The table could not be closed; try again. {error}".strip()) from None


async def is_open(service: Service, name: str) -> bool:
    try:
        return (await service.read(name)).state in OPEN
    except Unreadable:
        return False


def archive(url: str, names: list[str], days: int | None) -> int:
    async def work(service: Service) -> int:
        found = names
        for name in names:  # all of them before the first is archived
            if await is_open(service, name):
                raise Refused(f"{name} is still open; close it first with: spellheist tables close {name}.")
        if days:  # as the server does after --keep-days: a game that nobody goes on with ends where it is
            before = time.time_ns() // 1_000_000 - 86_400_000 * days
            found = await service.store.old(before, MOST)
        for name in found:
            await service.archive(name)
        return len(found)

    return int(run(url, work))
