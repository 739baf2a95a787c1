"""Figures for operators, in the text format of Prometheus. None of them names a table or a person."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate
from multiprocessing.sharedctypes import RawArray
from typing import TYPE_CHECKING, Any

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

if TYPE_CHECKING:
    from spellheist.server.hall import Hall

BYTES = (100, 200, 400, 600, 1000, 2000, 5000)
FIGURES = 7 + len(BYTES) + 1  # that a worker has
Board = Any  # memory that workers share, a row of figures each


def board(workers: int) -> Board:
    return RawArray("q", workers * FIGURES)


class Counts:
    """What is counted while the server runs. With several workers anyone tells the sum of all, from what the others
    have posted in the last seconds."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.registry = CollectorRegistry()
        self.entries = 0
        self.refused = 0
        self.sizes = [0] * (len(BYTES) + 1)  # updates up to each of BYTES, and larger ones
        self.bytes = 0
        self.registry.register(self)

    def update(self, size: int) -> None:
        """An update of so many bytes goes out."""
        self.sizes[bisect_left(BYTES, size)] += 1
        self.bytes += size

    def figures(self) -> list[int]:
        """Of this process: tables, connections, entries, refusals, commits, bots replaced, bytes, sizes."""
        hall = self.hall
        lines = sum(len(live.lines) for live in hall.tables.values())
        commits = getattr(hall.store, "commits", 0)
        return [len(hall.tables), lines, self.entries, self.refused, commits, hall.pool.replaced, self.bytes, *self.sizes]

    def post(self) -> None:
        """Note the figures where the other workers read them."""
        settings = self.hall.settings
        if settings.board is not None:
            settings.board[settings.number * FIGURES : (settings.number + 1) * FIGURES] = self.figures()

    def together(self) -> list[int]:
        """The figures of all workers."""
        shared = self.hall.settings.board
        if shared is None:
            return self.figures()
        self.post()
        return [sum(shared[k::FIGURES]) for k in range(FIGURES)]

    def collect(self) -> Iterator[Any]:
        tables, lines, entries, refused, commits, replaced, size, *sizes = self.together()
        upto = zip((*map(str, BYTES), "+Inf"), accumulate(sizes), strict=True)
        yield HistogramMetricFamily("spellheist_update_bytes", "Bytes of an update.", list(upto), size)
        yield GaugeMetricFamily("spellheist_tables", "Tables in memory.", value=tables)
        yield GaugeMetricFamily("spellheist_sockets", "Connections.", value=lines)
        yield CounterMetricFamily("spellheist_entries", "Entries written.", value=entries)
        yield CounterMetricFamily("spellheist_refused", "Messages refused.", value=refused)
        yield CounterMetricFamily("spellheist_commits", "Commits of the store.", value=commits)
        yield CounterMetricFamily("spellheist_bots_replaced", "Bots that stopped.", value=replaced)

    def text(self) -> bytes:
        return generate_latest(self.registry)
