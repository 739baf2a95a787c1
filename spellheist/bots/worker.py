"""Bots in a process of their own: those that are compiled while this one stays plain or answers others, and those that
somebody wrote, which shall see a view and nothing else.

`Thinker` starts `python -m spellheist.bots.worker` and speaks with it in lines of JSON: a question with the game, the
bot, the view, the seat and its past, and what is asked for; an answer with a move, or with all thoughts. A worker that
dies is started anew at the next question.
"""

from __future__ import annotations

import io
import json
import operator
import os
import reprlib
import subprocess
import sys
import threading
import time
import traceback
import weakref
from contextlib import suppress
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from spellheist.bots.search import Thought
from spellheist.core.dice import Luck
from spellheist.core.game import Game, Refused, find
from spellheist.core.kernel import MODE
from spellheist.core.play import Past

MOVE, THOUGHTS, READY = "move", "thoughts", "ready"  # what a worker can be asked for
PATIENCE = 60.0  # seconds for an answer of a bot that somebody wrote
FIRST = 240.0  # and for being ready: what it uses may have to be compiled
HUGE = 1 << 31  # no game has so many moves


def question(asked: str, bot: str, game: Game, view: bytes, seat: int, past: Past, seed: int) -> dict[str, Any]:
    """What a worker is asked: all that it ever gets."""
    return {
        "asked": asked, "bot": bot, "game": game.where, "view": view.hex(), "seat": seat, "past": list(past),
        "views": [view.hex() for view in past.views], "seed": seed,
    }  # fmt: skip


class Thinker:
    """A bot that thinks in another process; one that somebody wrote may not think for ever."""

    def __init__(self, name: str, game: Game) -> None:
        self.name, self.game = name, game
        self.own = name.endswith(".py")
        self.process: subprocess.Popen[str] | None = None
        if self.own:
            self.answer({"asked": READY, "bot": name, "game": game.where}, FIRST)

    def choose(self, view: Any, seat: int, past: list[tuple[int, int]], rng: Luck) -> int:
        return int(self.ask(MOVE, view, seat, past, rng))

    def think(self, view: Any, seat: int, past: list[tuple[int, int]], rng: Luck) -> list[Thought]:
        """Every move with its chance to win."""
        return [Thought(**thought) for thought in self.ask(THOUGHTS, view, seat, past, rng)]

    def ask(self, asked: str, view: Any, seat: int, past: list[tuple[int, int]], rng: Luck) -> Any:
        seen = Past(past, getattr(past, "views", []))
        packed = self.game.rules.State.pack(view)
        asks = question(asked, self.name, self.game, packed, seat, seen, rng.below(1 << 31))
        return self.answer(asks, PATIENCE if self.own else None)

    def answer(self, question: dict[str, Any], patience: float | None) -> Any:
        """What the worker says, within so many seconds; it is started if there is none."""
        process = self.worker()
        assert process.stdin and process.stdout
        late = False

        def give_up() -> None:
            nonlocal late
            late = True
            process.kill()

        timer = threading.Timer(patience or 0, give_up)
        if patience:
            timer.start()
        try:
            process.stdin.write(json.dumps(question) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        finally:
            timer.cancel()
        if not line:
            self.close()
            raise Refused(f"The bot did not answer within {patience:g} s." if late else "The bot's process has ended.")
        said = json.loads(line)
        if "refused" in said:
            raise Refused(said["refused"])
        return said[question["asked"]]

    def worker(self) -> subprocess.Popen[str]:
        """The process, which is started if there is none or if it has died. It ends with this object."""
        if self.process is None or self.process.poll() is not None:
            self.close()
            self.process = subprocess.Popen(
                [sys.executable, "-m", "spellheist.bots.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                env={**os.environ, "SPELLHEIST_KERNEL": MODE if self.own else "fast"}, start_new_session=True,
            )  # fmt: skip
            weakref.finalize(self, end, self.process)
        return self.process

    def close(self) -> None:
        """End the worker."""
        if self.process is not None:
            end(self.process)
        self.process = None


def end(process: subprocess.Popen[str]) -> None:
    """Let a worker come to its end, or else end it."""
    try:
        with suppress(BrokenPipeError, ValueError):  # it has gone; this was done before
            process.communicate(timeout=1)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()


# In the other process.


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

    asked, name, game = question["asked"], question["bot"], find(question["game"])
    if (name, game.name) not in made:
        made[name, game.name] = loaded(Path(name)) if name.endswith(".py") else bot(name, game)
    player = made[name, game.name]
    if asked == READY:
        return {READY: True}
    plies = [(who, move) for who, move in question["past"]]
    past = Past(plies, [bytes.fromhex(view) for view in question["views"]])
    seen = game.rules.State.unpack(bytes.fromhex(question["view"])), question["seat"], past, Luck(question["seed"])
    if asked == MOVE:
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
