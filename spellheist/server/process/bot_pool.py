"""Thinkers: bots in processes of their own, a small pool of them for all tables.

A question holds the view of a seat and its past, and nothing else. Each process answers one question at a time;
whoever asks waits for a free one, in the order of asking. A process that has died is replaced before the next question;
one that dies while it is asked, or does not answer in time, is ended, and whoever asked may ask again. Compiling a bot
takes a minute where nothing is compiled yet: until then a plain process answers in its place, with the thoughts of a
weaker bot, so that nobody waits.
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
from spellheist.server.process.supervisor import Delay, Supervisor

PATIENCE = 20.0  # seconds for an answer
LOADING = 60.0  # seconds for a process's first answer about a game
FIRST = 240.0  # seconds for the first such answer of all: the bot may have to be compiled
ENDING = 5.0  # seconds for a process to go when it is killed
REST = (0.1, 2.0)  # seconds between the failure of a process and the beginning of the next: at first, at most
QUICK = ("random", "greedy", "gentle")  # bots that are quick enough without being compiled; for others the last of them


class Stopped(Exception):
    """The process died or did not answer."""


class Thinker:
    """One process at a time."""

    def __init__(self, command: list[str], mode: str, compiled: set[tuple[str, str, str]] | None = None) -> None:
        self.command, self.mode = command, mode
        self.process: asyncio.subprocess.Process | None = None
        self.knows: set[tuple[str, str]] = set()
        self.compiled = set() if compiled is None else compiled  # what any process of the pool has answered about
        self.delay = Delay(*REST)
        self.replaced = 0

    async def answer(self, question: dict[str, Any]) -> Any:
        key = question["game"], question["bot"]
        try:
            process = await self.alive()
            assert process.stdin and process.stdout
            process.stdin.write(msgspec.json.encode(question) + b"\n")
            line = await asyncio.wait_for(process.stdout.readline(), self.patience(key))
            said = msgspec.json.decode(line)
            if not isinstance(said, dict) or not said.keys() & {question["asked"], "refused"}:
                raise ValueError("this is no answer")
        except asyncio.CancelledError:  # an answer that nobody waits for would be taken for the next one
            await self.stop()
            raise
        except Exception as error:  # each event loop has errors of its own for a pipe whose other end has gone
            self.replaced += 1
            self.delay.next()
            await self.stop()
            raise Stopped from error
        self.delay.reset()
        self.knows.add(key)
        self.compiled.add((self.mode, *key))
        return said

    async def alive(self) -> asyncio.subprocess.Process:
        """A process that lives, as far as anybody knows."""
        if self.process is not None and self.process.returncode is not None:
            self.replaced += 1
            await self.stop()
        if self.process is None:
            self.knows = set()
            await asyncio.sleep(self.delay.seconds)
            self.process = await asyncio.create_subprocess_exec(
                *self.command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
                env={**os.environ, "SPELLHEIST_KERNEL": self.mode}, start_new_session=True, limit=1 << 20,
            )  # fmt: skip
        return self.process

    def patience(self, key: tuple[str, str]) -> float:
        """Seconds to wait for an answer: longer if something has to be loaded or compiled first."""
        if key in self.knows:
            return PATIENCE
        return LOADING if self.mode == "plain" or (self.mode, *key) in self.compiled else FIRST

    async def stop(self) -> None:
        process, self.process = self.process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            with suppress(TimeoutError):  # one that the system cannot end now is left to it
                await asyncio.wait_for(process.wait(), ENDING)


class Pool:
    """Thinkers that all tables share."""

    def __init__(self, size: int = 2, command: list[str] | None = None, mode: str = MODE) -> None:
        command = command or [sys.executable, "-m", "spellheist.bots.worker"]
        known: set[tuple[str, str, str]] = set()
        compiled = [Thinker(command, mode, known) for _ in range(size)]
        plain = Thinker(command, "plain", known)
        self.thinkers = [*compiled, plain]
        self.free, self.plain = waiting(compiled), waiting([plain])
        self.needs_compiling = mode != "plain"
        self.supervisor = Supervisor()  # the service's, where there is one
        self.warming: dict[str, asyncio.Task[bool]] = {}
        self.compiling = 0  # games that are thought about for the first time now

    @property
    def replaced(self) -> int:
        """How many processes stopped."""
        return sum(thinker.replaced for thinker in self.thinkers)

    async def choose(self, level: str, game: Game, view: bytes, seat: int, past: Past) -> int:
        """The move that a bot chooses for a seat."""
        return int(await self.ask(MOVE, level, game, view, seat, past))

    async def think(self, level: str, game: Game, view: bytes, seat: int, past: Past) -> list[Any]:
        """What a bot thinks of the moves of a seat, the best first."""
        found: list[Any]
        try:
            found = await self.ask(THOUGHTS, level, game, view, seat, past)
        except Stopped:
            found = await self.ask(THOUGHTS, level, game, view, seat, past)
        return found

    async def ask(self, what: str, level: str, game: Game, view: bytes, seat: int, past: Past) -> Any:
        """Whoever is ready for this game answers."""
        if self.needs_compiling and (not self.is_warm(game) or (self.compiling and self.free.empty())):
            self.begin_to_warm(game)
            free, level = self.plain, level if level in QUICK else QUICK[-1]
        else:
            free = self.free
        return await self.answer(free, question(what, level, game, view, seat, past, secrets.randbits(31)))

    async def answer(self, free: asyncio.LifoQueue[Thinker], question: dict[str, Any]) -> Any:
        """What the next free one says."""
        thinker = await free.get()
        try:
            said = await thinker.answer(question)
        except Stopped as stopped:
            self.supervisor.fault("bot", stopped.__cause__ or stopped)
            raise
        finally:
            free.put_nowait(thinker)
        if "refused" in said:
            raise Refused(said["refused"])
        return said[question["asked"]]

    def is_warm(self, game: Game) -> bool:
        task = self.warming.get(game.name)
        return task is not None and task.done() and not task.cancelled()

    def begin_to_warm(self, game: Game) -> asyncio.Task[bool]:
        """Let a bot think about a game for the first time, so that its code is compiled; if that fails, again later."""
        if game.name not in self.warming:
            self.warming[game.name] = self.supervisor.finish("warming", lambda: self.warm(game))
        return self.warming[game.name]

    async def warm(self, game: Game) -> bool:
        play = new(game, game.seats[0])
        play.roll_all(Luck(1))
        view = game.rules.State.pack(play.view(play.turn))
        self.compiling += 1
        try:
            for level in QUICK:
                await self.answer(self.free, question(MOVE, level, game, view, play.turn, Past([], []), 1))
                await asyncio.sleep(0)  # whoever waits for this thinker is next
        finally:
            self.compiling -= 1
        return True

    async def close(self) -> None:
        for task in self.warming.values():
            task.cancel()
        await asyncio.gather(*self.warming.values(), return_exceptions=True)
        for thinker in self.thinkers:
            await thinker.stop()


def waiting(thinkers: list[Thinker]) -> asyncio.LifoQueue[Thinker]:
    """Thinkers that wait for questions; who answered last is asked first."""
    queue: asyncio.LifoQueue[Thinker] = asyncio.LifoQueue()
    for thinker in thinkers:
        queue.put_nowait(thinker)
    return queue
