"""Write anew what an intentional rule change alters: signatures, types of views, golden records, statistics; and the tables
of messages in `docs/protocol.md`.

    python tests/regenerate.py [GAME]...

Look at the difference before committing it: every line of it is a change of behaviour.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

os.environ.setdefault("SPELLHEIST_KERNEL", "plain")

from spellheist.core import record
from spellheist.core.dice import Dice, Fair, Luck
from spellheist.core.game import Game, find, names
from spellheist.core.play import Play, new
from spellheist.core.view_types import view_types
from spellheist.laws import check

STATISTICS = Path(__file__).parent / "statistics.json"
GAMES = 200_000


def sign(game: Game) -> None:
    """Write the game's signature into its `__init__.py`."""
    file = game.folder / "__init__.py"
    game.signature = check.signature(game)
    text = re.sub(r'signature="[0-9a-f]*"', f'signature="{game.signature}"', file.read_text(encoding="utf-8"))
    file.write_text(text, encoding="utf-8")


def golden(game: Game) -> None:
    """Two finished random games for each seat count: with the defaults, and with one option (another each time)."""
    folder = game.folder / "records"
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.txt"):
        old.unlink()
    for number, seats in enumerate(game.seats):
        variants = [v for v in check.variants(game) if v.seats == seats]
        one_option = variants[1 + number * 3 % (len(variants) - 1)]
        for variant, name in ((variants[0], f"{seats}_seats"), (one_option, f"{seats}_seats_{one_option.options[0][0]}")):
            play = new(game, seats, dict(variant.options))
            dice = Fair(bytes([seats]) * 32, ["open", "sesame"]) if variant is one_option else Luck(seats)
            finish(play, dice, Luck(100 + seats))
            (folder / f"{name}.txt").write_text(record.write(play, dice), encoding="utf-8")


def finish(play: Play, dice: Dice, luck: Luck) -> None:
    """Play on at random to the end."""
    while play.asks(dice):
        play.play(play.legal()[luck.below(len(play.legal()))])


def statistics(chosen: list[str]) -> None:
    """Random play in numbers, for the games chosen; the others stay as they are."""
    known = json.loads(STATISTICS.read_text()) if STATISTICS.is_file() else {}
    for name in chosen:
        environment = {**os.environ, "SPELLHEIST_KERNEL": "fast"}
        command = [sys.executable, Path(__file__).with_name("random_statistics.py"), name, str(GAMES), "1"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        known[name] = json.loads(done.stdout)
    STATISTICS.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    subprocess.run([sys.executable, Path(__file__).parent / "server" / "protocol_page.py"], check=True)
    chosen_games = sys.argv[1:] or names()
    for chosen_name in chosen_games:
        sign(find(chosen_name))
        (find(chosen_name).folder / "view.py").write_text(view_types(find(chosen_name)), encoding="utf-8")
        golden(find(chosen_name))
    statistics(chosen_games)
