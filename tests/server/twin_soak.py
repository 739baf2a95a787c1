"""Twin worlds on the wire over hundreds of whole games of each game and option. Not part of the tests.

    python tests/server/twin_soak.py [--bytes 100000000] [--kept soak.json] [--only abraca_what] [--inside]

Rounds of all games and options follow each other, until so many bytes were compared. Where a setting has secrets, a whole
game of it is held against twins that differ in hidden plies; where it has none, one round in ten holds one against worlds
in which only the dice's secret and the tokens of others differ. Seat counts and who looks change from round to round.

The games are played over the sockets of a server, or with --inside within its code, which needs half the time. What was
counted is kept in a file after every game, and a soak that is begun again with it goes on from there. It ends with status 1
at the first difference.
"""

import argparse
import json
import os
import sys
import time
from collections import Counter
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
os.environ.setdefault("SPELLHEIST_KERNEL", "fast")
ROW = "{:26} {:>7} {:>8} {:>10} {:>9}"


def main() -> None:
    import wires
    import worlds

    from spellheist.core.game import names

    parser = argparse.ArgumentParser(description="Compare every byte that tables send in twin worlds.")
    parser.add_argument("--bytes", type=int, default=10**8, help="to compare in all")
    parser.add_argument("--kept", type=Path, help="a file with what was counted so far")
    parser.add_argument("--only", choices=names(), help="one game")
    parser.add_argument("--inside", action="store_true", help="without sockets")
    given = parser.parse_args()
    settings = [setting for name in ([given.only] if given.only else names()) for setting in worlds.settings(name)]
    kept = json.loads(given.kept.read_text()) if given.kept and given.kept.exists() else {}
    of = given.only or "all games"
    done, counts = Counter(kept.get("done", {})), Counter(kept.get("counts", {}))
    began, shown = time.process_time(), time.monotonic()
    with worlds.scripted():
        while total(counts, "bytes") < given.bytes:
            seed, place = divmod(done[of], len(settings))
            soak(worlds, settings[place], seed, worlds.told if given.inside else wires.told, counts)
            done[of] += 1
            if given.kept:
                given.kept.write_text(json.dumps({"done": done, "counts": counts}))
            if time.monotonic() - shown > 10 or total(counts, "bytes") >= given.bytes:
                shown = time.monotonic()
                print(f"{total(counts, 'bytes') / 1e6:.1f} MB of {total(counts, 'games')} games, no difference", flush=True)
    print(ROW.format("game", "games", "twins", "decisions", "MB"))
    for name in names():
        found = [counts[f"{name} {what}"] for what in ("games", "twins", "decisions", "bytes")]
        print(ROW.format(name, *found[:3], f"{found[3] / 1e6:.1f}"))
    took = time.process_time() - began
    print(f"{total(counts, 'bytes') / 1e6:.1f} MB were the same; {took:.0f} s of one core in this run.")


def total(counts: Counter[str], what: str) -> int:
    return sum(count for name, count in counts.items() if name.endswith(f" {what}"))


def soak(worlds, setting, seed, tell, counts):
    """One game of one setting against its twins."""
    if seed % 10 and not has_secrets(worlds, setting):
        return
    seats, looker = worlds.round_the_table(setting, seed)
    found = worlds.compare(setting, seats, seed, looker, tell=tell)
    if found.leak:
        sys.exit(f"LEAK: {found.leak}")
    for what, count in (("games", 1), ("twins", found.twins), ("decisions", found.decisions), ("bytes", found.size)):
        counts[f"{setting.game} {what}"] += count


@cache
def has_secrets(worlds, setting):
    return any(worlds.has_secrets(setting, worlds.round_the_table(setting, seed)[0], seed) for seed in range(10))


if __name__ == "__main__":
    main()
