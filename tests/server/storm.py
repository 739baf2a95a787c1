"""A storm: people and bots play while everything breaks, and what they were told is held against the journal.

    python tests/server/storm.py --store sqlite --faults 100 --moves 2000 [--seed 7] [--workers 2] [--kept storm.json]

A schedule drawn from the seed kills, stops and restarts the server, its workers, its bots and the database, fills the
disk, locks the store, steps the server's wall clock, cuts, slows and hangs lines, and flips bits in copies. Afterwards
everybody plays on in calm, and every history is checked. Longer storms are several of these one after the other, each
with a store of its own; what was counted is added up in the file of `--kept`. It ends with status 1 if anything was found.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
os.environ.setdefault("SPELLHEIST_KERNEL", "plain")

import faults as f
import histories
from databases import Database, File
from parties import Crowd
from service import Service
from way import Way

LEG = 100  # faults of one storm
SILENCE = 60.0  # seconds without an answered move after which no more are waited for
CALM = 240.0  # seconds in which everybody must have played on after it
STORES = {"sqlite": File, "postgres": Database}


@dataclass
class Tally:
    """What storms have shown, added up."""

    faults: Counter[str] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)  # answered messages by kind, and what was written down
    findings: list[tuple[str, str, str]] = field(default_factory=list)
    failures: Counter[str] = field(default_factory=Counter)
    logged: Counter[str] = field(default_factory=Counter)
    waits: list[float] = field(default_factory=list)  # from the end of a fault to the next answered move
    breaths: list[float] = field(default_factory=list)  # with the moments between outages that follow each other
    slowest: list[tuple[float, str]] = field(default_factory=list)  # of these, with what else happened then
    longest: tuple[float, str] = (0.0, "")  # silence at one table, and where it stood
    legs: int = 0

    @property
    def moves(self) -> int:
        return self.counts["move"] + self.counts["press"]

    def add(self, other: Tally) -> None:
        for name in ("faults", "counts", "failures", "logged"):
            getattr(self, name).update(getattr(other, name))
        self.findings += other.findings
        self.waits += other.waits
        self.breaths += other.breaths
        self.slowest = sorted([*self.slowest, *other.slowest], reverse=True)[:8]
        self.longest = max(self.longest, other.longest)
        self.legs += other.legs

    @classmethod
    def read(cls, path: Path | None) -> Tally:
        if path is None or not path.exists():
            return cls()
        kept = json.loads(path.read_text())
        for name in ("faults", "counts", "failures", "logged"):
            kept[name] = Counter(kept[name])
        for name in ("findings", "slowest"):
            kept[name] = [tuple(one) for one in kept[name]]
        kept["longest"] = tuple(kept["longest"])
        return cls(**kept)

    def write(self, path: Path | None) -> None:
        if path is not None:
            path.write_text(json.dumps(vars(self)))


class Storm:
    """One storm."""

    def __init__(self, folder: Path, store: str, workers: int, seed: int) -> None:
        self.folder, self.workers, self.seed = folder, workers, seed
        self.store: File | Database = STORES[store](folder)
        self.way = Way()
        self.faults: list[f.Fault] = []
        self.findings: list[histories.Finding] = []

    def find(self, kind: str, sentence: str) -> None:
        self.findings.append(histories.Finding(kind, "", sentence))

    async def run(self, planned: list[f.Planned], moves: int, tables: int) -> Tally:
        task = asyncio.current_task()
        assert task
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)  # nothing that was started stays behind
        await self.store.start()
        await self.way.start()
        self.base = f"http://127.0.0.1:{self.way.port}"
        self.service = Service(self.folder, self.store.url, self.workers, self.base)
        self.way.to = self.service.port
        await self.service.start()
        self.crowd = Crowd(self.way.port, self.seed)
        try:
            crowd = asyncio.create_task(self.crowd.keep(tables))
            await self.rage(planned, moves, crowd)
            self.service.step(0)
            self.crowd.ending = True
            self.crowd.calm.set()
            await asyncio.wait([crowd], timeout=CALM)
            self.crowd.give_up()
            await crowd
            await self.service.stop()
            journals = self.store.journals()
        finally:
            await self.service.stop()
            await self.way.stop()
            await self.store.stop()
        return self.judged(journals)

    async def rage(self, planned: list[f.Planned], moves: int, crowd: asyncio.Task[None]) -> None:
        """All faults at their times, and as many moves as are wanted."""
        began = time.monotonic()
        blowing = []
        for fault in planned:
            await asyncio.wait([crowd], timeout=max(0.0, began + fault.at - time.monotonic()))
            if crowd.done():
                crowd.result()
            blowing.append(asyncio.create_task(f.blow(self, fault)))
        all_blown = asyncio.gather(*blowing)
        await asyncio.wait([crowd, all_blown], return_when=asyncio.FIRST_COMPLETED)
        if crowd.done():
            crowd.result()
        self.faults = list(await all_blown)
        count, since = 0, time.monotonic()
        while count < moves and not crowd.done() and time.monotonic() < since + SILENCE:
            await asyncio.sleep(0.1)
            if len(self.crowd.answers) > count:
                count, since = len(self.crowd.answers), time.monotonic()

    def judged(self, journals: dict[str, histories.Rows]) -> Tally:
        """Hold all histories against the journals."""
        times = [(fault.start, fault.end) for fault in self.faults]
        for evening in self.crowd.evenings:
            self.findings += histories.check(evening, journals.pop(evening.table, []), times)
        for table, rows in journals.items():  # made, and the answer was lost
            if not histories.readable(rows):
                self.findings.append(histories.Finding("unreadable", table, "a table that nobody knows"))
        answers = sorted(at for at, _ in self.crowd.answers)
        waits = f.waits(self.faults, answers)
        return Tally(
            Counter(fault.kind for fault in self.faults), self.crowd.counts + histories.summed(self.crowd.evenings),
            [tuple(finding) for finding in self.findings], self.crowd.failures, self.service.said,
            [wait.seconds for wait in waits], [wait.breaths for wait in waits],
            sorted((wait[0], wait.what) for wait in waits)[-8:],
            max((evening.waited, f"{evening.game} {evening.silence}") for evening in self.crowd.evenings), 1,
        )  # fmt: skip


def storm(store: str, workers: int, seed: int, faults: int, moves: int, gap: float = 1.0, tables: int = 20) -> Tally:
    """One storm in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="spellheist-storm-", ignore_cleanup_errors=True) as folder:
        random.seed(seed)
        planned = f.plan(seed, faults, gap, store, workers)
        return asyncio.run(Storm(Path(folder), store, workers, seed).run(planned, moves, tables))


def spread(found: list[float]) -> str:
    found = sorted(found)
    median, high = found[len(found) // 2], found[min(len(found) - 1, int(0.99 * len(found)))]
    return f"median {median:.2f} s, 99 % {high:.2f} s, longest {found[-1]:.2f} s"


def printed(tally: Tally) -> str:
    """The table at the end."""
    lines = [f"{times:7}  {kind}" for kind, times in tally.faults.most_common()]
    lines.append(f"{tally.faults.total():7}  faults in {tally.legs} storms")
    lines += [f"{times:7}  {kind}" for kind, times in tally.counts.most_common()]
    lines.append(f"{tally.moves:7}  answered moves and presses")
    found = Counter(kind for kind, _, _ in tally.findings)
    for kind in ("lost", "doubled", "stuck", *sorted(found.keys() - {"lost", "doubled", "stuck"})):
        lines.append(f"{found[kind]:7}  {kind}")
    if tally.waits:
        lines.append(f"from the end of a fault to the next answered move: {spread(tally.waits)}")
        lines.append(f"counting also the moments between faults that followed each other: {spread(tally.breaths)}")
        lines.append(f"the longest silence at one table: {tally.longest[0]:.1f} s, {tally.longest[1]}")
    lines += [f"{wait:7.2f}  s after {what}" for wait, what in tally.slowest]
    lines += [f"{times:7}  answered {what}" for what, times in tally.failures.most_common()]
    lines += [f"{times:7}  logged {what}" for what, times in tally.logged.most_common(12)]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="Play while everything breaks, and check what everybody was told.")
    parser.add_argument("--store", choices=STORES, default="sqlite")
    parser.add_argument("--workers", type=int, help="processes of the server; else 1 and 2 in turn")
    parser.add_argument("--faults", type=int, default=LEG)
    parser.add_argument("--moves", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--gap", type=float, default=1.0, help="mean seconds between two faults")
    parser.add_argument("--tables", type=int, default=20, help="at a time")
    parser.add_argument("--kept", type=Path, help="a file with what was counted so far")
    given = parser.parse_args()
    seed = given.seed if given.seed is not None else random.SystemRandom().randrange(10**6)
    tally = Tally.read(given.kept)
    while tally.faults.total() < given.faults or tally.moves < given.moves:
        workers = given.workers or 1 + tally.legs % 2
        size = min(LEG, max(1, given.faults - tally.faults.total()))
        moves = max(0, min(given.moves - tally.moves, given.moves * size // max(1, given.faults)))
        print(f"storm on {given.store}, {workers} workers, {size} faults, seed {seed}", flush=True)
        found = storm(given.store, workers, seed, size, moves, given.gap, given.tables)
        for kind, table, sentence in found.findings:
            print(f"FOUND {kind} {table}: {sentence}", flush=True)
        tally.add(found)
        tally.write(given.kept)
        print(f"{tally.faults.total()} faults, {tally.moves} moves, {len(tally.findings)} findings", flush=True)
        seed += 1
        if 2 * found.moves < moves:
            break  # nothing goes on any more
    print(printed(tally))
    sys.exit(1 if tally.findings else 0)


if __name__ == "__main__":
    main()
