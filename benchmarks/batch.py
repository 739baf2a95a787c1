"""How many decisions a second a batch makes on one core, with masks and observations, for each game.

    python benchmarks/batch.py [GAME] [--games N] [--seconds S]

`step` is what a learner waits for; `loop` has the choice of random moves too. Both are given by the clock and by processor
time: on a machine that is busy with other things only the second says something. Best of several passes.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable

import spellheist

PASSES = 8
COMPILE = """
import sys, spellheist
for name in sys.argv[1:]:
    many = spellheist.batch(name, spellheist.find(name).seats[-1], 2)
    many.step(many.random_moves())
"""


def rate(work: Callable[[], float], decisions: int, seconds: float) -> float:
    """Decisions a second in the best pass; `work` makes so many and answers how long that took."""
    best = 0.0
    for _ in range(PASSES):
        count, spent = 0, 0.0
        while spent < seconds / PASSES:
            spent += work()
            count += 1
        best = max(best, count * decisions / spent)
    return best


def figures(name: str, games: int, seconds: float) -> list[float]:
    """Of one game with as many seats as it has: step and loop by the clock, and by processor time."""
    many = spellheist.batch(name, spellheist.find(name).seats[-1], games, seed=7)
    many.step(many.random_moves())

    def timed(now: Callable[[], float], whole: bool) -> Callable[[], float]:
        def once() -> float:
            began = now()
            moves = many.random_moves()
            began = began if whole else now()
            many.step(moves)
            return now() - began

        return once

    clocks = (time.perf_counter, time.process_time)
    return [rate(timed(now, whole), games, seconds) for now in clocks for whole in (False, True)]


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure batches of games.")
    parser.add_argument("game", nargs="*", default=spellheist.names())
    parser.add_argument("--games", type=int, default=1024)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each figure")
    asked = parser.parse_args()
    subprocess.run([sys.executable, "-c", COMPILE, *asked.game], check=True)  # what comes from the cache runs faster
    print(f"{asked.games:,} games at once, millions of decisions a second; load {os.getloadavg()[0]:.1f}")
    print(f"{'':15} {'step':>8} {'loop':>8} {'step, CPU':>10} {'loop, CPU':>10}")
    for name in asked.game:
        step, loop, step_cpu, loop_cpu = (rate / 1e6 for rate in figures(name, asked.games, asked.seconds))
        print(f"{name:15} {step:8.2f} {loop:8.2f} {step_cpu:10.2f} {loop_cpu:10.2f}")


if __name__ == "__main__":
    main()
