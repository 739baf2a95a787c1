"""Figures for operators, in the text format of Prometheus. None of them names a table or a person."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from multiprocessing.sharedctypes import RawArray
from typing import TYPE_CHECKING, Any

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

from spellheist.server.process.supervisor import NAMES

if TYPE_CHECKING:
    from spellheist.server.service import Service

log = logging.getLogger("spellheist")
FIGURES = 7 + len(NAMES)  # that a worker has
Board = Any  # memory that workers share, a row of figures each, and one of the gate


def board(workers: int) -> Board:
    return RawArray("q", (workers + 1) * FIGURES)


def count_worker(shared: Board) -> None:
    """The gate has to begin a worker anew."""
    shared[len(shared) - len(NAMES) + NAMES.index("worker")] += 1


class Counts:
    """What is counted while the server runs. With several workers anyone tells the sum of all, from what the others
    have posted in the last seconds."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.registry = CollectorRegistry()
        self.entries = 0
        self.refused = 0
        self.failures = 0  # faults of ours
        self.registry.register(self)

    def failed(self) -> str:
        """Something went wrong that is our fault: it is logged and counted, and told in a sentence."""
        log.error("a request failed", exc_info=True)
        self.failures += 1
        return "Something went wrong on the server; its operator can read what in the log."

    def figures(self) -> list[int]:
        """Of this process: tables, connections, entries, refusals, commits, bots replaced, failures, faults. Not how large
        anything was that went out: whoever reads that before and after a move learns something of it."""
        service = self.service
        connections = sum(len(live.connections) for live in service.tables.values())
        commits = getattr(service.store, "commits", 0)
        faults = [service.supervisor.faults[name] for name in NAMES]
        replaced = service.pool.replaced
        counted = [len(service.tables), connections, self.entries, self.refused, commits, replaced, self.failures]
        return [*counted, *faults]

    def post(self) -> None:
        """Note the figures where the other workers read them."""
        settings = self.service.settings
        if settings.board is not None:
            settings.board[settings.number * FIGURES : (settings.number + 1) * FIGURES] = self.figures()

    def together(self) -> list[int]:
        """The figures of all workers."""
        shared = self.service.settings.board
        if shared is None:
            return self.figures()
        self.post()
        return [sum(shared[k::FIGURES]) for k in range(FIGURES)]

    def collect(self) -> Iterator[Any]:
        together = self.together()
        faults = CounterMetricFamily("spellheist_faults", "Faults of background work.", labels=["work"])
        for name, count in zip(NAMES, together[-len(NAMES) :], strict=True):
            faults.add_metric([name], count)
        yield faults
        tables, connections, entries, refused, commits, replaced, failures = together[: -len(NAMES)]
        yield GaugeMetricFamily("spellheist_tables", "Tables in memory.", value=tables)
        yield GaugeMetricFamily("spellheist_sockets", "Connections.", value=connections)
        yield CounterMetricFamily("spellheist_entries", "Entries written.", value=entries)
        yield CounterMetricFamily("spellheist_refused", "Messages refused.", value=refused)
        yield CounterMetricFamily("spellheist_commits", "Commits of the store.", value=commits)
        yield CounterMetricFamily("spellheist_bots_replaced", "Bots that stopped.", value=replaced)
        yield CounterMetricFamily("spellheist_failures", "What failed by a fault of ours.", value=failures)

    def text(self) -> bytes:
        return generate_latest(self.registry)
