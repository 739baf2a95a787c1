"""Twin worlds on the wire over hundreds of whole games of each game and option. Not part of the tests.

    python tests/server/twin_soak.py [--games 200] [--first 0] [--only abraca_what]

Where a setting has secrets, `games` whole games of it are each held against twins that differ in hidden plies; where it
has none, a tenth of that many are held against worlds in which only the dice's secret and the tokens of others differ.
Seat counts and who looks change from game to game. It ends with status 1 at the first difference.
"""

import argparse
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
os.environ.setdefault("SPELLHEIST_KERNEL", "fast")
ROW = "{:52} {:>6} {:>7} {:>10} {:>9} {:>8}"


def main() -> None:
    import worlds

    from spellheist.core.game import names

    parser = argparse.ArgumentParser(description="Compare every byte that tables send in twin worlds.")
    parser.add_argument("--games", type=int, default=200, help="of each setting")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--only", choices=names(), help="one game")
    asked = parser.parse_args()
    print(ROW.format("setting", "games", "twins", "decisions", "MB", "seconds"), flush=True)
    with worlds.scripted():
        for name in [asked.only] if asked.only else names():
            for setting in worlds.settings(name):
                soak(worlds, setting, asked.first, asked.games)


def soak(worlds, setting, first, count):
    """All games of one setting, and a row of the table."""
    secrets = any(worlds.has_secrets(setting, worlds.round_the_table(setting, seed)[0], seed) for seed in range(10))
    games = count if secrets else max(1, count // 10)
    began, done = time.process_time(), []
    for seed in range(first, first + games):
        found = worlds.compare(setting, *seated(worlds, setting, seed))
        if found.leak:
            sys.exit(f"LEAK: {found.leak}")
        done.append(found)
    twins, decisions, size = (sum(found[k] for found in done) for k in range(3))
    took = time.process_time() - began
    name = str(setting) if secrets else f"{setting} (nothing is hidden)"
    print(ROW.format(name, games, twins, decisions, f"{size / 1e6:.1f}", f"{took:.0f}"), flush=True)


def seated(worlds, setting, seed):
    seats, looker = worlds.round_the_table(setting, seed)
    return seats, seed, looker


if __name__ == "__main__":
    main()
