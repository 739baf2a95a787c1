"""Figures for operators, in the text format of Prometheus. None of them names a table or a person."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

if TYPE_CHECKING:
    from spellheist.server.hall import Hall

BYTES = (100, 200, 400, 600, 1000, 2000, 5000)


class Counts:
    """What is counted while the server runs."""

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

    def collect(self) -> Iterator[Any]:
        hall = self.hall
        lines = sum(len(live.lines) for live in hall.tables.values())
        upto = zip((*map(str, BYTES), "+Inf"), accumulate(self.sizes), strict=True)
        yield HistogramMetricFamily("spellheist_update_bytes", "Bytes of an update.", list(upto), self.bytes)
        yield GaugeMetricFamily("spellheist_tables", "Tables in memory.", value=len(hall.tables))
        yield GaugeMetricFamily("spellheist_sockets", "Connections.", value=lines)
        yield CounterMetricFamily("spellheist_entries", "Entries written.", value=self.entries)
        yield CounterMetricFamily("spellheist_refused", "Messages refused.", value=self.refused)
        yield CounterMetricFamily("spellheist_commits", "Commits of the store.", value=getattr(hall.store, "commits", 0))
        yield CounterMetricFamily("spellheist_bots_replaced", "Bots that stopped.", value=hall.pool.replaced)

    def text(self) -> bytes:
        return generate_latest(self.registry)
