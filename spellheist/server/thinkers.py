"""Thinkers: bots in processes of their own, a small pool of them for all tables.

A question holds the view of a seat and its past, and nothing else. Each process answers one question at a time;
whoever asks waits for a free one, in the order of asking. A process that dies, or that does not answer in time, is
replaced.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
from contextlib import suppress
from typing import Any

import msgspec

from spellheist.core.dice import Luck
from spellheist.core.game import Game, Refused
from spellheist.core.kernel import MODE
from spellheist.core.play import Past, new

PATIENCE = 20.0  # seconds for an answer
FIRST = 240.0  # seconds for a process's first answer about a game: it may have to be compiled


class Stopped(Exception):
    """The process died or did not answer."""


class Thinker:
    """One process."""

    def __init__(self, command: list[str]) -> None:
        self.command = command
        self.process: asyncio.subprocess.Process | None = None
        self.knows: set[tuple[str, str]] = set()

    async def ask(self, question: dict[str, Any]) -> Any:
        key = question["game"], question["bot"]
        try:
            if self.process is None:
                self.knows = set()
                self.process = await asyncio.create_subprocess_exec(
                    *self.command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
                    env={**os.environ, "SPELLHEIST_KERNEL": MODE}, start_new_session=True, limit=1 << 20,
                )  # fmt: skip
            assert self.process.stdin and self.process.stdout
            self.process.stdin.write(msgspec.json.encode(question) + b"\n")
            line = await asyncio.wait_for(self.process.stdout.readline(), PATIENCE if key in self.knows else FIRST)
            answer = msgspec.json.decode(line)
        except (OSError, ValueError, msgspec.DecodeError, TimeoutError):
            await self.stop()
            raise Stopped from None
        except asyncio.CancelledError:  # an answer that nobody waits for would be taken for the next one
            await self.stop()
            raise
        self.knows.add(key)
        return answer

    async def stop(self) -> None:
        process, self.process = self.process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


class Pool:
    """Thinkers that all tables share."""

    def __init__(self, size: int = 2, command: list[str] | None = None) -> None:
        command = command or [sys.executable, "-m", "spellheist.bots.worker"]
        self.thinkers = [Thinker(command) for _ in range(size)]
        self.free: asyncio.LifoQueue[Thinker] = asyncio.LifoQueue()
        for thinker in self.thinkers:
            self.free.put_nowait(thinker)
        self.replaced = 0

    async def think(self, level: str, game: Game, view: bytes, seat: int, past: Past) -> list[Any]:
        """What a bot thinks of the moves of a seat, the best first."""
        question = {
            "game": game.name, "bot": level, "view": view.hex(), "seat": seat, "past": list(past),
            "views": [view.hex() for view in past.views], "seed": secrets.randbits(31),
        }  # fmt: skip
        thinker = await self.free.get()
        try:
            answer = await thinker.ask(question)
        except Stopped:
            self.replaced += 1
            raise
        finally:
            self.free.put_nowait(thinker)
        if "refused" in answer:
            raise Refused(answer["refused"])
        return sorted(answer["thoughts"], key=lambda thought: -thought["share"])

    async def warm(self, game: Game) -> None:
        """Let a bot think about a game for the first time, so that nobody waits while its code is compiled."""
        play = new(game, game.seats[0])
        play.roll_all(Luck(1))
        view = game.rules.State.pack(play.view(play.turn))
        for level in ("greedy", "gentle"):
            with suppress(Stopped, Refused):
                await self.think(level, game, view, play.turn, play.recall(play.turn))

    async def close(self) -> None:
        for thinker in self.thinkers:
            await thinker.stop()
