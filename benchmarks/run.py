"""The speed of every game, and of two of them against peers, in one interleaved run.

    python benchmarks/run.py [--json FILE] [--seconds S] [--quick]

Figures of different runs, or of different machines, are not comparable; the ratios of one run are.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import c_abraca
import openspiel_pig

from spellheist.lab.speed import compile_first, measure, table

QUICK = 0.1


def run(seconds: float, cold: bool) -> dict[str, Any]:
    """Everything, interleaved."""
    compile_first([str(openspiel_pig.FOLDER)])
    abraca, pig = c_abraca.Peer(), openspiel_pig.Peer()
    result = measure(seconds, cold=cold, beside=[*abraca.figures(), *pig.figures()])
    result["peers"] = {"c_abraca": abraca.result(), "openspiel_pig": pig.result()}
    return result


def report(result: dict[str, Any]) -> str:
    """All of it as text."""
    peers = result["peers"]
    parts = [table(result), c_abraca.table(peers["c_abraca"]), openspiel_pig.table(peers["openspiel_pig"])]
    return "\n\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the speed of the games, also against peers.")
    parser.add_argument("--json", type=Path, default=Path("bench.json"), metavar="FILE", help="where the figures go")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each figure")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} seconds for each figure, and no cold start")
    asked = parser.parse_args()
    result = run(QUICK if asked.quick else asked.seconds, cold=not asked.quick)
    asked.json.write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    print(report(result))
    print(f"\nAll figures are in {asked.json}.")


if __name__ == "__main__":
    main()
