"""A soak: a server that is killed a thousand times while games are played. Not part of the tests.

    python tests/server/soak.py --kills 1000 --kept soak.json

Games of several kinds follow each other, each at a server of its own that is killed at one step after the other. What
was counted is kept in a file after every game, and a soak that is begun again with it goes on from there.
"""

import argparse
import json
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
os.environ.setdefault("SPELLHEIST_KERNEL", "plain")

KINDS = [
    ("dice_heist", {"turn_limit": 200}), ("spell_stealers", {"stealing": "live", "turn_limit": 60}), ("abraca_what", {}),
    ("spell_stealers", {"stealing": "live", "turn_limit": 60}), ("spellcaster", {}), ("mages_dice", {"turn_limit": 200}),
]  # fmt: skip
EACH = 40  # kills in one game


def main() -> None:
    from test_kills import holds, play_through

    parser = argparse.ArgumentParser(description="Kill a server again and again while games are played.")
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--kept", type=Path, help="a file with what was counted so far")
    given = parser.parse_args()
    kept = json.loads(given.kept.read_text()) if given.kept and given.kept.exists() else {}
    games, moves, killed = kept.get("games", 0), kept.get("moves", 0), Counter(kept.get("killed", {}))
    while killed.total() < given.kills:
        game, options = KINDS[games % len(KINDS)]
        with tempfile.TemporaryDirectory() as folder:
            outcome = play_through(Path(folder), game, options, games, EACH)
        holds(outcome)
        games, moves, killed = games + 1, moves + len(outcome.done), killed + outcome.killed
        if given.kept:
            given.kept.write_text(json.dumps({"games": games, "moves": moves, "killed": killed}))
        print(f"{killed.total()} kills in {games} games, {moves} moves and presses: nothing lost or doubled", flush=True)
    for step, times in killed.most_common():
        print(f"{times:6} {step}")


if __name__ == "__main__":
    main()
