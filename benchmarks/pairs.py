"""Is the server as fast as it was at another commit?

    python benchmarks/pairs.py COMMIT [--pairs 20] [--seconds 3] [--tables 120] [--workers 1]

That commit is checked out into a temporary folder and served from there, with this environment; beside it runs the server
of this folder. Both stay up; by turns, the order of each pair drawn by lot, one of them is given as many moves as it can
take at fresh tables. Printed are the rate and the processor time of each pair, and the medians of the ratios: above 1
this version is better.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from server import HERE, Load, Ours


def checked_out(commit: str, folder: Path) -> Path:
    """The sources of a commit."""
    folder.mkdir()
    packed = subprocess.run(["git", "archive", commit], cwd=HERE.parent, check=True, stdout=subprocess.PIPE)
    subprocess.run(["tar", "-x", "-C", str(folder)], input=packed.stdout, check=True)
    return folder


async def burst(server: Ours, tables: int, seconds: float) -> dict[str, Any]:
    """As many moves as go, at tables that are made for it."""
    load = Load(server)
    await load.gather(tables)
    try:
        return await load.saturated(seconds)
    finally:
        for table in load.tables:
            for frames in table.sockets:
                frames.transport.abort()


async def measure(servers: dict[str, Ours], asked: argparse.Namespace) -> None:
    ratios: list[tuple[float, float]] = []
    luck = random.Random(asked.pairs)
    try:
        for server in servers.values():
            await server.ready()
            await burst(server, asked.tables, 1.0)
        for number in range(1, asked.pairs + 1):
            found = {}
            for name in luck.sample(sorted(servers), 2):
                found[name] = await burst(servers[name], asked.tables, asked.seconds)
            now, before = found["now"], found["before"]
            ratios.append((now["rate"] / before["rate"], before["cpu"] / now["cpu"]))
            told = [f"{title} {f['rate']:6.0f} moves/s, {f['cpu']:5.0f} us a move" for title, f in sorted(found.items())]
            print(f"{number:3}  {';  '.join(told)};  rate {ratios[-1][0]:.3f}, processor {ratios[-1][1]:.3f}", flush=True)
    finally:
        for server in servers.values():
            server.process.terminate()
            server.process.wait(30)
    rates, costs = zip(*ratios, strict=True)
    print(f"median of {len(ratios)} pairs: {statistics.median(rates):.3f} of the rate before, "
          f"{statistics.median(costs):.3f} by processor time")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the server beside that of another commit.")
    parser.add_argument("commit")
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--tables", type=int, default=120)
    parser.add_argument("--workers", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sources = {"now": HERE.parent, "before": checked_out(asked.commit, folder / "source")}
        servers = {}
        for title, source in sources.items():
            (folder / title).mkdir()
            servers[title] = Ours(folder / title, asked.workers, source=source)
        asyncio.run(measure(servers, asked))


if __name__ == "__main__":
    main()
