"""A soak: a server that is killed a thousand times while games are played. Not part of the tests.

    python tests/server/soak.py --kills 1000 --seed 1
"""

import argparse
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
os.environ.setdefault("SPELLHEIST_KERNEL", "plain")


def main() -> None:
    from test_kills import holds, play_through

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    killed: Counter[str] = Counter()
    seed, moves = asked.seed, 0
    while sum(killed.values()) < asked.kills:
        with tempfile.TemporaryDirectory() as folder:
            outcome = play_through(Path(folder), "dice_heist", {"turn_limit": 200}, seed, 40)
            holds(outcome)
            killed += outcome[0]
            moves += len(outcome[2])
        seed += 1
        print(f"{sum(killed.values())} kills, {moves} moves, nothing lost or doubled: {dict(killed)}", flush=True)


if __name__ == "__main__":
    main()
