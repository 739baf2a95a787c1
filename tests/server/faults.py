"""The faults of a storm: what each kind does, and how often it comes."""

from __future__ import annotations

import asyncio
import bisect
import json
import random
import signal
import sqlite3
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from crowd import GONE, Person
from databases import Database, File
from service import Service, hold, send

if TYPE_CHECKING:
    from storm import Storm


NOBODY = 1 << 22  # above the number of any process


class Planned(NamedTuple):
    """A fault of a schedule."""

    at: float  # seconds after the beginning
    kind: str
    seed: int


class Fault(NamedTuple):
    """A fault that was."""

    kind: str
    start: float
    end: float  # when everything takes connections again


Blow = Callable[["Storm", random.Random], Awaitable[float | None]]  # returns when it ended, if not just now


async def kill_server(storm: Storm, luck: random.Random) -> float | None:
    """The server, or with workers the gate."""
    return await end_server(storm, signal.SIGKILL)


async def kill_worker(storm: Storm, luck: random.Random) -> float | None:
    send(some(storm.service.servers(), luck), signal.SIGKILL)
    return await storm.service.ready()


async def kill_bot(storm: Storm, luck: random.Random) -> float | None:
    send(some(storm.service.bots(), luck), signal.SIGKILL)
    return None


async def restart(storm: Storm, luck: random.Random) -> float | None:
    """The server is asked to stop, and begun anew."""
    return await end_server(storm, signal.SIGTERM)


async def end_server(storm: Storm, how: signal.Signals) -> float:
    ends = storm.service.ends
    if send(storm.service.main or NOBODY, how):
        while storm.service.ends == ends:
            await asyncio.sleep(0.005)
    return await storm.service.ready()


async def stop_server(storm: Storm, luck: random.Random) -> float | None:
    await hold([storm.service.main] if storm.service.main else [], luck.uniform(0.3, 4))
    return await storm.service.ready()


async def stop_worker(storm: Storm, luck: random.Random) -> float | None:
    await hold(storm.service.servers()[: luck.randint(1, 2)], luck.uniform(0.3, 4))
    return None


async def stop_bot(storm: Storm, luck: random.Random) -> float | None:
    await hold(storm.service.bots(), luck.uniform(0.5, 5))
    return None


async def cut_lines(storm: Storm, luck: random.Random) -> float | None:
    for pipe in storm.way.some(luck.choice([0.1, 0.3, 1.0]), luck):
        pipe.cut()
    return None


async def slow_lines(storm: Storm, luck: random.Random) -> float | None:
    pipes = storm.way.some(0.4, luck)
    for pipe in pipes:
        pipe.delay = luck.uniform(0.05, 0.6)
    await asyncio.sleep(luck.uniform(1, 4))
    for pipe in pipes:
        pipe.delay = 0.0
    return None


async def hang_lines(storm: Storm, luck: random.Random) -> float | None:
    """Nothing comes through for a while; some lines are cut with all that was on its way."""
    pipes = storm.way.some(0.3, luck)
    for pipe in pipes:
        pipe.open.clear()
    await asyncio.sleep(luck.uniform(0.5, 4))
    for pipe in pipes:
        if luck.random() < 0.5:
            pipe.cut()
        pipe.open.set()
    return None


async def fill_disk(storm: Storm, luck: random.Random) -> float | None:
    """No file of the server grows any more; or the processes of the database can write nothing."""
    if isinstance(storm.store, Database):
        storm.store.limit()
        await asyncio.sleep(luck.uniform(0.2, 1))
        return await storm.store.ready()
    log = storm.store.path.with_name("tables.db-wal")
    storm.service.limit(log.stat().st_size if log.exists() else 0)
    await asyncio.sleep(luck.uniform(0.3, 4))
    storm.service.limit(-1)
    return None


async def lock_store(storm: Storm, luck: random.Random) -> float | None:
    await storm.store.lock(luck.uniform(0.5, 6.5))
    return None


async def step_clock(storm: Storm, luck: random.Random) -> float | None:
    """The server's wall clock goes wrong, by seconds or by a day, or right again."""
    far = luck.choice([0, 1, 10, 100, 3600, 86400])
    storm.service.step(luck.uniform(-far, far))
    return None


async def kill_database(storm: Storm, luck: random.Random) -> float | None:
    assert isinstance(storm.store, Database)
    old = storm.store.process
    if send(storm.store.main or NOBODY, signal.SIGKILL):
        while storm.store.process is old:
            await asyncio.sleep(0.01)
    return await storm.store.ready()


async def kill_backend(storm: Storm, luck: random.Random) -> float | None:
    """A process of the database, which ends all others then and recovers."""
    assert isinstance(storm.store, Database)
    send(some(storm.store.backends(), luck), signal.SIGKILL)
    await asyncio.sleep(0.05)
    return await storm.store.ready()


async def stop_database(storm: Storm, luck: random.Random) -> float | None:
    assert isinstance(storm.store, Database)
    await hold([process for process in (storm.store.main, *storm.store.backends()) if process], luck.uniform(0.3, 4))
    return await storm.store.ready()


async def stop_backend(storm: Storm, luck: random.Random) -> float | None:
    assert isinstance(storm.store, Database)
    await hold([some(storm.store.backends(), luck)], luck.uniform(0.3, 4))
    return None


async def flip_bits(storm: Storm, luck: random.Random) -> float | None:
    """In a copy of the store: only the tables that are damaged are frozen."""
    path = storm.folder / f"copy-{luck.randrange(10**9)}.db"
    await asyncio.to_thread(storm.store.copy, path)
    damaged, others = damage(path, luck)
    (storm.folder / path.stem).mkdir()
    copied = Service(storm.folder / path.stem, File(path.parent).url.replace("tables.db", path.name), 1)
    await copied.start()
    try:
        await look(storm, copied.port, damaged, others)
    finally:
        copied.stopping = True
        for process in (copied.main, *copied.bots()):
            send(process or NOBODY, signal.SIGKILL)
        await asyncio.wait([copied.task])
        for one in storm.folder.glob(f"{path.name}*"):
            one.unlink()
    return None


def damage(path: Path, luck: random.Random) -> tuple[list[str], list[str]]:
    """Flip a bit in the journals of a few tables; these, and some others."""
    connection = sqlite3.connect(path)
    rows = connection.execute("select table_id, entry, body from entries order by table_id, entry").fetchall()
    tables = sorted({table for table, _, _ in rows})
    luck.shuffle(tables)
    damaged, others = tables[:3], tables[3:12]
    for table in damaged:
        _, number, body = luck.choice([row for row in rows if row[0] == table])
        flipped = bytearray(body)
        flipped[luck.randrange(len(flipped))] ^= 1 << luck.randrange(8)
        connection.execute("update entries set body = ? where table_id = ? and entry = ?", (bytes(flipped), table, number))
    connection.commit()
    connection.close()
    return damaged, others


async def look(storm: Storm, port: int, damaged: list[str], others: list[str]) -> None:
    """Ask a server on a damaged store for its lists and its tables."""
    somebody = Person(port)
    try:
        status, text = await somebody.ask("GET", "/api/tables")
        if status != 200:
            storm.find("spread", f"the list of tables answers {status} {text[:100]!r} when three tables are damaged")
        for table in (*damaged, *others):
            key = storm.crowd.keys.get(table)
            if key is None:
                continue
            person = Person(port)
            person.token = key[0].token
            state = await state_of(person, table, key[1])
            if table in damaged and not state.startswith(("frozen", "closed", "4")):  # one that had been closed stays so
                storm.find("undetected", f"a table with a flipped bit is {state}")
            if table in others and state.startswith(("frozen", "nothing")):
                storm.find("spread", f"a table that nobody damaged is {state}")
    except GONE as error:
        storm.find("spread", f"the server on a damaged store does not answer: {error!r}")


async def state_of(person: Person, table: str, seat: int) -> str:
    """What a page is told of a table first: its state, or the code and sentence with which the line is closed."""
    from websockets.asyncio.client import connect

    headers = {"cookie": f"spellheist={person.token}", "origin": person.base}
    try:
        async with connect(
            f"ws://127.0.0.1:{person.port}/ws/{table}?seat={seat}", additional_headers=headers, proxy=None, open_timeout=20
        ) as line:
            try:
                return str(json.loads(await asyncio.wait_for(line.recv(), 20))["state"])
            except GONE:
                return f"{line.close_code} {line.close_reason}" if line.close_code else "nothing"
    except GONE as error:
        return f"nothing ({error!r})"


def some(processes: list[int], luck: random.Random) -> int:
    """One of them; a number that no process has where there are none."""
    return processes[luck.randrange(len(processes))] if processes else NOBODY


KINDS: dict[str, tuple[Blow, float]] = {
    "kill the server": (kill_server, 12), "kill a worker": (kill_worker, 14), "kill a bot": (kill_bot, 14),
    "ask the server to stop": (restart, 5), "stop the server": (stop_server, 4), "stop workers": (stop_worker, 6),
    "stop bots": (stop_bot, 6), "cut lines": (cut_lines, 14), "slow lines": (slow_lines, 7), "hang lines": (hang_lines, 6),
    "fill the disk": (fill_disk, 6), "lock the store": (lock_store, 5), "step the wall clock": (step_clock, 8),
    "flip bits in a copy": (flip_bits, 1.5),
    "kill the database": (kill_database, 4), "kill a backend": (kill_backend, 5), "stop the database": (stop_database, 3),
    "stop a backend": (stop_backend, 4),
}  # fmt: skip  # how often, beside each other
OUTAGES = (
    "kill the server", "ask the server to stop", "stop the server", "fill the disk", "lock the store",
    "kill the database", "kill a backend", "stop the database", "stop a backend", "stop workers", "kill a worker",
)  # fmt: skip  # while these last nobody can be expected to be answered


def possible(store: str, workers: int) -> list[str]:
    return [kind for kind in KINDS if (store == "postgres" or ("database" not in kind and "backend" not in kind))
            and (workers > 1 or "worker" not in kind)]  # fmt: skip


def plan(seed: int, count: int, gap: float, store: str, workers: int) -> list[Planned]:
    """A schedule: the same for the same seed."""
    luck = random.Random(f"storm {seed}")
    kinds = possible(store, workers)
    weights = [KINDS[kind][1] for kind in kinds]
    at, planned = 0.5, []
    for _ in range(count):
        at += luck.expovariate(1 / gap)
        planned.append(Planned(at, luck.choices(kinds, weights)[0], luck.randrange(1 << 30)))
    return planned


async def blow(storm: Storm, fault: Planned) -> Fault:
    """Let one fault happen."""
    start = time.monotonic()
    end = await KINDS[fault.kind][0](storm, random.Random(fault.seed))
    return Fault(fault.kind, start, end or time.monotonic())


def outages(faults: list[Fault]) -> list[tuple[float, float]]:
    """The times in which nobody could be answered, merged."""
    merged: list[list[float]] = []
    for start, end in sorted((fault.start, fault.end) for fault in faults if fault.kind in OUTAGES):
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return [(start, end) for start, end in merged]


class Wait(NamedTuple):
    """How long after a fault somebody was answered again."""

    seconds: float  # from its end, or from that of the last outage that began before anybody was answered
    breaths: float  # the same with all moments between these outages, however short
    what: str


def waits(faults: list[Fault], answers: list[float]) -> list[Wait]:
    """From the end of each fault to the next answered move."""
    down, found = outages(faults), []
    for fault in faults:
        start, breaths = fault.end, 0.0
        while (place := bisect.bisect_right(answers, start)) < len(answers):
            outage = next(((begin, end) for begin, end in down if begin < answers[place] and end > start), None)
            if outage is None:
                waited = answers[place] - start
                what = f"{fault.kind}, {start - fault.end:.1f} s of it under other outages"
                found.append(Wait(waited, breaths + waited, what))
                break
            breaths += max(0.0, outage[0] - start)
            start = outage[1]
    return found
