"""Warming up: the rules of a game are compiled and loaded before its first table needs them, and bots after them."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import sys
from typing import TYPE_CHECKING

from spellheist.core import kernel
from spellheist.core.game import Game, find, names
from spellheist.core.refused import Refused
from spellheist.core.warm import warm_up
from spellheist.server.process.bot_pool import FIRST
from spellheist.server.process.supervisor import Delay
from spellheist.server.table.views import views_of

if TYPE_CHECKING:
    from spellheist.server.service import Service

log = logging.getLogger("spellheist")


class Warming:
    """The games of a server that are compiled, or being compiled."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.warmed: dict[str, asyncio.Task[None]] = {}
        self.resting: dict[str, Delay] = {}  # games whose rules could not be loaded

    async def warm_all(self) -> None:
        """Compile all games, and then all bots. One game that fails does not keep the others waiting."""
        failed = []
        for name in names():
            try:
                await self.service.ready(find(name))
            except Refused as refusal:
                failed.append(refusal)
        if failed:
            raise failed[0]
        gc.collect()
        gc.freeze()  # what is loaded by now stays, and need not be searched for garbage again and again
        for name in names() if self.service.pool.needs_compiling else ():
            await asyncio.wait({self.service.pool.begin_to_warm(find(name))}, timeout=FIRST)

    async def ready(self, game: Game) -> None:
        """Wait until a game's rules are compiled. That happens in a process of its own and is then loaded in a thread:
        never where tables wait."""
        if kernel.PLAIN:
            return
        if game.name not in self.warmed:
            self.warmed[game.name] = self.service.start(self._warm(game), "warming")
        try:
            await asyncio.shield(self.warmed[game.name])
        except Exception:  # which was logged, and is tried again after a while
            raise Refused(f"The rules of {game.title} cannot be loaded now; try again in a moment.") from None

    async def _warm(self, game: Game) -> None:
        try:
            await self._compile(game)
        except OSError as error:  # no process could be begun: then the thread has to do it
            self.service.supervisor.fault("warming", error)
        try:
            await asyncio.to_thread(warm_up, game)
            await asyncio.to_thread(views_of, game.name)
        except Exception:
            wait = self.resting.setdefault(game.name, Delay()).next()
            asyncio.get_running_loop().call_later(wait, self.warmed.pop, game.name, None)
            raise
        log.info("ready", extra={"game": game.name})

    async def _compile(self, game: Game) -> None:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "spellheist", "warm", game.name, stdout=asyncio.subprocess.DEVNULL,
            env={**os.environ, "SPELLHEIST_KERNEL": kernel.MODE},
        )  # fmt: skip
        try:
            await process.wait()
        finally:
            if process.returncode is None:
                process.kill()
