"""What whoever runs a server does with its store from the command line, also while the server runs.

A running server notices: its next entry finds the number taken, and it reads the journal again; of a table that was
archived every number is taken, and there is no journal any more.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

from spellheist.core.game import Refused
from spellheist.server import house
from spellheist.server.hall import Hall, Settings
from spellheist.server.store import SQLite, store_at

OPEN = ("gathering", "promising", "playing", "paused")
MOST = 10_000


def run(url: str, work: Callable[[Hall], Awaitable[Any]]) -> Any:
    """Open a store, do something, close it."""
    store = store_at(url)
    if isinstance(store, SQLite) and not store.path.is_file():
        raise Refused(f"There is no store at {url}; --store names another one.")

    async def whole() -> Any:
        hall = Hall(store, Settings())
        await hall.store.open()
        try:
            return await work(hall)
        finally:
            await hall.store.close()

    return asyncio.run(whole())


def listed(url: str, every: bool) -> list[dict[str, Any]]:
    async def work(hall: Hall) -> list[dict[str, Any]]:
        states = (*OPEN, "over", "closed", "frozen", "archived") if every else OPEN
        rows = await hall.store.rows(states, False, MOST)
        return [
            {"table": row.table, "game": row.game, "state": row.state, "updated": said(row.updated)} for row in rows
        ]

    return run(url, work)


def said(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M")


def close(url: str, name: str) -> None:
    async def work(hall: Hall) -> None:
        live = await hall.live(name)
        await live.carry_out(lambda table, now: house.close(table, None, 0, 0, now))
        live.stop()

    run(url, work)


def archive(url: str, names: list[str], days: int | None) -> int:
    async def work(hall: Hall) -> int:
        found = names
        for name in names:  # all of them before the first is archived
            if (await hall.read(name)).state in OPEN:
                raise Refused(f"{name} is still open; close it first: spellheist tables close {name}.")
        if days:  # as the server does after --keep-days: a game that nobody goes on with ends where it is
            before = time.time_ns() // 1_000_000 - 86_400_000 * days
            found = await hall.store.old(before, MOST)
        for name in found:
            await hall.archive(name)
        return len(found)

    return int(run(url, work))
