"""Bots in processes of their own: a small pool of thinkers for all tables.

A question holds the view of a seat and its past, and nothing else. Each process answers one question at a time;
whoever asks waits for a free one, in the order of asking. A process that has died is replaced before the next question;
one that dies while it is asked, or does not answer in time, is ended, and whoever asked may ask again. Compiling a bot
takes a minute where nothing is compiled yet: until then a plain process answers in its place, with the thoughts of a
weaker bot, so that nobody waits.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from spellheist.bots.thinker import MOVE, THOUGHTS, WORKER, Stopped, Thinker, question
from spellheist.core.dice import Luck
from spellheist.core.game import Game
from spellheist.core.kernel import MODE
from spellheist.core.memory import Past
from spellheist.core.play import new
from spellheist.server.process.supervisor import Delay, Supervisor

PATIENCE = 20.0  # seconds for an answer
LOADING = 60.0  # seconds for a process's first answer about a game
FIRST = 240.0  # seconds for the first such answer of all: the bot may have to be compiled
REST = (0.1, 2.0)  # seconds between the failure of a process and the beginning of the next: at first, at most
QUICK = ("random", "greedy", "gentle")  # bots that are quick enough without being compiled; for others the last of them


class Pool:
    """Thinkers that all tables share."""

    def __init__(self, size: int = 2, command: Sequence[str] | None = None, mode: str = MODE) -> None:
        compiled = [Thinker(mode, command or WORKER) for _ in range(size)]
        plain = Thinker("plain", command or WORKER)
        self.thinkers = [*compiled, plain]
        self.delays = {thinker: Delay(*REST) for thinker in self.thinkers}
        self.threads = ThreadPoolExecutor(len(self.thinkers), "thinker")  # in which answers are waited for
        self.answered: set[tuple[str, str, str]] = set()  # modes, games and bots about which any process has answered
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

    async def ask(self, wants: str, level: str, game: Game, view: bytes, seat: int, past: Past) -> Any:
        """Whoever is ready for this game answers."""
        if self.needs_compiling and (not self.is_warm(game) or (self.compiling and self.free.empty())):
            self.begin_to_warm(game)
            free, level = self.plain, level if level in QUICK else QUICK[-1]
        else:
            free = self.free
        return await self.answer(free, question(wants, level, game, view, seat, past, secrets.randbits(31)))

    async def answer(self, free: asyncio.LifoQueue[Thinker], question: dict[str, Any]) -> Any:
        """What the next free one says."""
        thinker, key = await free.get(), (question["game"], question["bot"])
        try:
            return await self.answer_of(thinker, question)
        except Stopped as stopped:
            self.delays[thinker].next()
            self.supervisor.fault("bot", stopped.__cause__ or stopped)
            raise
        finally:
            if key in thinker.knows:
                self.delays[thinker].reset()
                self.answered.add((thinker.mode, *key))
            free.put_nowait(thinker)

    async def answer_of(self, thinker: Thinker, question: dict[str, Any]) -> Any:
        """What this one says; its process is begun if there is none."""
        if not thinker.alive:
            await asyncio.sleep(self.delays[thinker].seconds)
            thinker.begin()
        loop = asyncio.get_running_loop()
        thinking = loop.run_in_executor(self.threads, thinker.answer, question, self.patience(thinker, question))
        try:
            return await asyncio.shield(thinking)
        except asyncio.CancelledError:
            thinker.stop()
            with suppress(Stopped):
                await thinking
            raise

    def patience(self, thinker: Thinker, question: dict[str, Any]) -> float:
        """Seconds to wait for an answer: longer if something has to be loaded or compiled first."""
        key = question["game"], question["bot"]
        if key in thinker.knows:
            return PATIENCE
        return LOADING if thinker.mode == "plain" or (thinker.mode, *key) in self.answered else FIRST

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
            thinker.stop()
        self.threads.shutdown()


def waiting(thinkers: list[Thinker]) -> asyncio.LifoQueue[Thinker]:
    """Thinkers that wait for questions; who answered last is asked first."""
    queue: asyncio.LifoQueue[Thinker] = asyncio.LifoQueue()
    for thinker in thinkers:
        queue.put_nowait(thinker)
    return queue
