"""A process that thinks for bots: for those that are compiled while this one stays plain or answers others, and for those
that somebody wrote, which shall see a view and nothing else.

It runs `spellheist.bots.worker` and speaks with it in lines of JSON: a question with the game, the bot, the view, the seat
and its past, and what is wanted; an answer with a move, or with all thoughts. Whoever asks sees to it that the process is
there, and may have it replaced after it has died.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import weakref
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from spellheist.core.game import Game
from spellheist.core.memory import Past
from spellheist.core.refused import Refused

MOVE, THOUGHTS, READY = "move", "thoughts", "ready"  # what can be wanted
ENDED, NO_ANSWER = "The bot's process has ended.", "The bot's process said something that is no answer."
WORKER = (sys.executable, "-m", "spellheist.bots.worker")


class Stopped(Refused):
    """The process died, did not answer in time, or said something that is no answer."""


def question(wants: str, bot: str, game: Game, view: bytes, seat: int, past: Past, seed: int) -> dict[str, Any]:
    """What a worker is asked: all that it ever gets."""
    return {
        "wants": wants, "bot": bot, "game": game.where, "view": view.hex(), "seat": seat, "past": list(past),
        "views": [view.hex() for view in past.views], "seed": seed,
    }  # fmt: skip


class Thinker:
    """One process at a time, and one question at a time."""

    def __init__(self, mode: str, command: Sequence[str] = WORKER) -> None:
        self.mode, self.command = mode, command
        self.process: subprocess.Popen[str] | None = None
        self.knows: set[tuple[str, str]] = set()  # games and bots that this process has answered about
        self.replaced = 0  # processes that had to be
        self.busy = threading.RLock()  # while it is asked: a process may be ended by others meanwhile

    @property
    def alive(self) -> bool:
        """Does the process live, as far as anybody knows?"""
        return self.process is not None and self.process.poll() is None

    def begin(self) -> None:
        """Start the process, unless it lives. It ends with this object."""
        if self.alive:
            return
        if self.process is not None:
            self.replaced += 1
            self.stop()
        try:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                env={**os.environ, "SPELLHEIST_KERNEL": self.mode}, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            self.replaced += 1
            raise Stopped("The bot's process cannot be begun.") from error
        weakref.finalize(self, end, self.process)

    def answer(self, question: dict[str, Any], patience: float | None = None) -> Any:
        """What the process says, within so many seconds."""
        with self.busy:
            try:
                said = self.said(question, patience)
            except BaseException:  # an answer that nobody waits for would be taken for the next one
                self.replaced += self.process is not None  # otherwise somebody else has ended it
                self.stop()
                raise
        self.knows.add((question["game"], question["bot"]))
        if "refused" in said:
            raise Refused(said["refused"])
        return said[question["wants"]]

    def said(self, question: dict[str, Any], patience: float | None) -> dict[str, Any]:
        process, late = self.process, threading.Event()
        if process is None:
            raise Stopped(ENDED)
        assert process.stdin and process.stdout

        def give_up() -> None:
            late.set()
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
            raise Stopped(f"The bot did not answer within {patience:g} s." if late.is_set() else ENDED)
        try:
            said = json.loads(line)
        except ValueError as error:
            raise Stopped(NO_ANSWER) from error
        if not isinstance(said, dict) or not said.keys() & {question["wants"], "refused"}:
            raise Stopped(NO_ANSWER)
        return said

    def stop(self) -> None:
        """End the process, whatever it is thinking about."""
        process, self.process, self.knows = self.process, None, set()
        if process is not None:
            process.kill()
            with self.busy:  # until whoever asked has heard of it
                end(process)


def end(process: subprocess.Popen[str]) -> None:
    """Let a worker come to its end, or else end it."""
    try:
        with suppress(BrokenPipeError, ValueError):  # it has gone; this was done before
            process.communicate(timeout=1)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
