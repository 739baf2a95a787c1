"""Thinkers: bots in processes of their own, a small pool of them for all tables.

A question holds the view of a seat and its past, and nothing else. Each process answers one question at a time;
whoever asks waits for a free one, in the order of asking. A process that dies, or that does not answer in time, is
replaced. Compiling a bot takes a minute where nothing is compiled yet: until then a plain process answers in its
place, with the thoughts of a weaker bot, so that nobody waits.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
from contextlib import suppress
from typing import Any

import msgspec

from spellheist.bots.worker import MOVE, THOUGHTS, question
from spellheist.core.dice import Luck
from spellheist.core.game import Game, Refused
from spellheist.core.kernel import MODE
from spellheist.core.play import Past, new

PATIENCE = 20.0  # seconds for an answer
FIRST = 240.0  # seconds for a process's first answer about a game: it may have to be compiled
QUICK = ("random", "greedy", "gentle")  # bots that are quick enough without being compiled; for others the last of them


class Stopped(Exception):
    """The process died or did not answer."""


class Thinker:
    """One process."""

    def __init__(self, command: list[str], mode: str) -> None:
        self.command, self.mode = command, mode
        self.process: asyncio.subprocess.Process | None = None
        self.knows: set[tuple[str, str]] = set()

    async def answer(self, question: dict[str, Any]) -> Any:
        key = question["game"], question["bot"]
        try:
            if self.process is None:
                self.knows = set()
                self.process = await asyncio.create_subprocess_exec(
                    *self.command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
                    env={**os.environ, "SPELLHEIST_KERNEL": self.mode}, start_new_session=True, limit=1 << 20,
                )  # fmt: skip
            assert self.process.stdin and self.process.stdout
            self.process.stdin.write(msgspec.json.encode(question) + b"\n")
            line = await asyncio.wait_for(self.process.stdout.readline(), PATIENCE if key in self.knows else FIRST)
            said = msgspec.json.decode(line)
        except (OSError, ValueError, msgspec.DecodeError, TimeoutError):
            await self.stop()
            raise Stopped from None
        except asyncio.CancelledError:  # an answer that nobody waits for would be taken for the next one
            await self.stop()
            raise
        self.knows.add(key)
        return said

    async def stop(self) -> None:
        process, self.process = self.process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


class Pool:
    """Thinkers that all tables share."""

    def __init__(self, size: int = 2, command: list[str] | None = None, mode: str = MODE) -> None:
        command = command or [sys.executable, "-m", "spellheist.bots.worker"]
        compiled, plain = [Thinker(command, mode) for _ in range(size)], Thinker(command, "plain")
        self.thinkers = [*compiled, plain]
        self.free, self.plain = waiting(compiled), waiting([plain])
        self.needs_compiling = mode != "plain"
        self.warmed: dict[str, asyncio.Task[bool]] = {}
        self.replaced = 0

    async def choose(self, level: str, game: Game, view: bytes, seat: int, past: Past) -> int:
        """The move that a bot chooses for a seat."""
        return int(await self.ask(MOVE, level, game, view, seat, past))

    async def think(self, level: str, game: Game, view: bytes, seat: int, past: Past) -> list[Any]:
        """What a bot thinks of the moves of a seat, the best first."""
        found: list[Any] = await self.ask(THOUGHTS, level, game, view, seat, past)
        return found

    async def ask(self, asked: str, level: str, game: Game, view: bytes, seat: int, past: Past) -> Any:
        """Whoever is ready for this game answers."""
        warming = any(not task.done() for task in self.warmed.values())
        if self.needs_compiling and (not self.is_warm(game) or (warming and self.free.empty())):
            self.begin_to_warm(game)
            free, level = self.plain, level if level in QUICK else QUICK[-1]
        else:
            free = self.free
        return await self.answer(free, question(asked, level, game, view, seat, past, secrets.randbits(31)))

    async def answer(self, free: asyncio.LifoQueue[Thinker], question: dict[str, Any]) -> Any:
        """What the next free one says."""
        thinker = await free.get()
        try:
            said = await thinker.answer(question)
        except Stopped:
            self.replaced += 1
            raise
        finally:
            free.put_nowait(thinker)
        if "refused" in said:
            raise Refused(said["refused"])
        return said[question["asked"]]

    def is_warm(self, game: Game) -> bool:
        task = self.warmed.get(game.name)
        return task is not None and task.done() and not task.cancelled() and task.result()

    def begin_to_warm(self, game: Game) -> asyncio.Task[bool]:
        """Let a bot think about a game for the first time, so that its code is compiled."""
        task = self.warmed.get(game.name)
        if task is None or (task.done() and not self.is_warm(game)):
            task = self.warmed[game.name] = asyncio.get_running_loop().create_task(self._warm(game))
        return task

    async def _warm(self, game: Game) -> bool:
        play = new(game, game.seats[0])
        play.roll_all(Luck(1))
        view = game.rules.State.pack(play.view(play.turn))
        try:
            for level in QUICK:
                await self.answer(self.free, question(MOVE, level, game, view, play.turn, Past([], []), 1))
                await asyncio.sleep(0)  # whoever waits for this thinker is next
        except (Stopped, Refused):
            return False
        return True

    async def close(self) -> None:
        for task in self.warmed.values():
            task.cancel()
        for thinker in self.thinkers:
            await thinker.stop()


def waiting(thinkers: list[Thinker]) -> asyncio.LifoQueue[Thinker]:
    """Thinkers that wait for questions; who answered last is asked first."""
    queue: asyncio.LifoQueue[Thinker] = asyncio.LifoQueue()
    for thinker in thinkers:
        queue.put_nowait(thinker)
    return queue
