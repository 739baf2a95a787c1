"""The process in which bots think: it reads questions, a line of JSON each, and writes the answers (`thinker`).

Bots that somebody wrote run here, too: they can raise, hang, print or die without harm to whoever asks.
"""

from __future__ import annotations

import io
import json
import operator
import os
import reprlib
import sys
import threading
import time
import traceback
from contextlib import suppress
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from spellheist.bots.thinker import MOVE, READY, THOUGHTS
from spellheist.core.dice import Luck
from spellheist.core.game import find
from spellheist.core.memory import Past
from spellheist.core.refused import Refused

HUGE = 1 << 31  # no game has so many moves


def serve() -> None:
    """Answer questions until there are no more."""
    out, sys.stdout = sys.stdout, sys.stderr  # what a bot prints is no answer
    questions, sys.stdin = sys.stdin, io.StringIO()  # and what it reads no question
    threading.Thread(target=follow, args=(os.getppid(),), daemon=True).start()
    made: dict[tuple[str, str], Any] = {}
    for line in questions:
        question = json.loads(line)
        try:
            said = answer(question, made)
        except Refused as refusal:
            said = {"refused": str(refusal)}
        except (Exception, SystemExit) as error:
            if not question["bot"].endswith(".py"):  # a fault of ours
                traceback.print_exc()
            said = {"refused": f"The bot failed{line_in(question['bot'], error)}: {in_short(error)}."}
        print(json.dumps(said), file=out, flush=True)


def follow(parent: int) -> None:
    """End this process, whatever it is thinking about, when the one that asks has gone."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def answer(question: dict[str, Any], made: dict[tuple[str, str], Any]) -> dict[str, Any]:
    """A move, or thoughts, the best first. Bots are made when they are first asked."""
    from spellheist.bots import bot

    wants, name, game = question["wants"], question["bot"], find(question["game"])
    if (name, game.name) not in made:
        made[name, game.name] = loaded(Path(name)) if name.endswith(".py") else bot(name, game)
    player = made[name, game.name]
    if wants == READY:
        return {READY: True}
    plies = [(who, move) for who, move in question["past"]]
    past = Past(plies, [bytes.fromhex(view) for view in question["views"]])
    seen = game.rules.State.unpack(bytes.fromhex(question["view"])), question["seat"], past, Luck(question["seed"])
    if wants == MOVE:
        return {MOVE: move_of(player.choose(*seen))}
    if not hasattr(player, "think"):
        raise Refused(f"The bot {name} does not search, so it has no thoughts.")
    return {THOUGHTS: [vars(thought) for thought in player.think(*seen)]}


def move_of(chosen: Any) -> int:
    """What a bot has chosen, if that can be a move at all."""
    try:
        move = operator.index(chosen)
    except TypeError:
        raise Refused(f"The bot answered {reprlib.repr(chosen)}, which is not a whole number.") from None
    if abs(move) > HUGE:
        raise Refused("The bot answered a huge number, which is not a move.")
    return move


def loaded(path: Path) -> Any:
    """The bot in a file: its module."""
    name = f"bot_{path.stem}"
    spec = spec_from_file_location(name, path)
    if not path.is_file() or spec is None or spec.loader is None:
        raise Refused(f"There is no bot file {path}.")
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise Refused(f"The bot in {path} cannot be loaded: {in_short(error)}.") from error
    if not callable(getattr(module, "choose", None)):
        raise Refused(f"The file {path} has no function choose(view, seat, past, rng).")
    return module


def line_in(file: str, error: BaseException) -> str:
    """' in line 12', if that is where an error came through the file."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if Path(frame.filename).name == Path(file).name]
    return f" in line {lines[-1]}" if lines else ""


def in_short(error: BaseException) -> str:
    """An error on one line that is short enough for a sentence."""
    line = " ".join("".join(traceback.format_exception_only(error)).split()).rstrip(".")
    return line if len(line) <= 200 else f"{line[:197]}..."


if __name__ == "__main__":
    with suppress(BrokenPipeError):  # whoever asked is gone
        serve()
