"""The supervisor: it looks after work that nobody waits for, so that nothing ends silently.

Work has a name. What goes wrong in it is logged with its traceback and counted, and the work goes on after a delay that
grows from one failure to the next and is short again after a good while. For each name it is known when it last ran well.

    supervisor.every("sweep", 5.0, service.sweep)                 again and again, with a pause in between
    supervisor.keep("listener", store.listen)                  something that runs until the end
    supervisor.finish("warming", pool.warm)                    something that is done once, as often as it takes
    supervisor.start(live.look_again())                        something that is done once
    supervisor.well("bot"), supervisor.fault("bot", error)     for work that sees to itself
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from spellheist.core.refused import Refused

FIRST, MOST = 0.5, 30.0  # seconds until failed work is begun again: after the first failure, and at most
CALM = 60.0  # seconds without a failure after which the next one counts as the first
STEADY = 5.0  # seconds after which work that is to run until the end runs well
LONG = 60.0  # seconds after which vital work that has not run well is missed
LOOK = 0.2  # seconds between two looks at whether waiting is still worth it
NAMES = ("sweep", "heartbeat", "warming", "timer", "window", "bot", "writer", "listener", "journal", "worker", "other")
Work = Callable[[], Coroutine[Any, Any, Any]]

log = logging.getLogger("spellheist")


class Delay:
    """Seconds to wait after failures, longer each time, up to a bound."""

    def __init__(self, first: float = FIRST, most: float = MOST, clock: Callable[[], float] = time.monotonic) -> None:
        self.first, self.most, self.clock = first, most, clock
        self.seconds, self.failed = 0.0, 0.0

    def next(self) -> float:
        """How long to wait after this failure."""
        now = self.clock()
        again = self.seconds and now - self.failed < self.seconds + CALM
        self.seconds = min(self.most, 2 * self.seconds) if again else self.first
        self.failed = now
        return self.seconds

    def reset(self) -> None:
        """All is well again."""
        self.seconds = 0.0


@dataclass
class Ran:
    """How a piece of work goes."""

    since: float  # when it was first heard of
    well: float | None = None  # when it last ran well
    begun: float | None = None  # since when it runs, if it is to run until the end
    patience: float | None = None  # seconds after which it is missed when it has not run well; None: never

    def last(self, now: float) -> float | None:
        """When it last ran well."""
        steady = self.begun is not None and now - self.begun >= STEADY
        return now if steady else self.well


class Failed(Exception):
    """Work has failed; it was logged and counted."""


def never() -> bool:
    return False


class Supervisor:
    """All background work of a process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.faults: Counter[str] = Counter()
        self.ran: dict[str, Ran] = {}
        self.tasks: set[asyncio.Task[Any]] = set()

    # Beginning work.

    def every(self, name: str, seconds: float, work: Work, most: float = MOST) -> asyncio.Task[None]:
        """Do something vital again and again, with so many seconds in between."""
        self.known(name).patience = max(LONG, 10 * seconds)
        return self._begin(self._repeat(name, seconds, work, Delay(most=max(most, seconds), clock=self.clock)))

    def keep(
        self, name: str, work: Work, until: Callable[[], bool] | None = None, most: float = MOST
    ) -> asyncio.Task[None]:
        """Let something vital run until the end. If it fails or ends before, it is begun again. Where its owner ends it,
        `until` says whether that is so, and the supervisor's own end leaves it alone."""
        ran = self.known(name)
        ran.patience, ran.well = LONG, self.clock()
        return self._begin(self._hold(name, work, until or never, Delay(most=most, clock=self.clock)), ours=until is None)

    def finish(self, name: str, work: Work) -> asyncio.Task[Any]:
        """Do something once; as long as it fails, again."""
        return self._begin(self._try(name, work))

    def start(self, work: Coroutine[Any, Any, Any], name: str = "other") -> asyncio.Task[Any]:
        """Do something once, beside everything else."""
        task = self._begin(work)
        task.add_done_callback(lambda task: self._ended(name, task))
        return task

    def _begin(self, work: Coroutine[Any, Any, Any], ours: bool = True) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work)
        if ours:
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)
        return task

    def _ended(self, name: str, task: asyncio.Task[Any]) -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, Refused):  # a refusal was told to whoever asked
            self.fault(name, error)

    async def _repeat(self, name: str, seconds: float, work: Work, delay: Delay) -> None:
        while True:
            pause = seconds
            try:
                await self._do(name, work)
                self.well(name)
            except Failed:
                pause = max(seconds, delay.next())
            await asyncio.sleep(pause)

    async def _hold(self, name: str, work: Work, until: Callable[[], bool], delay: Delay) -> None:
        ran = self.known(name)
        while True:
            ran.begun = self.clock()
            try:
                await self._do(name, work)
                if not until():
                    self.fault(name, RuntimeError(f"{name} came to an end by itself"))
            except Failed:
                pass
            ran.well, ran.begun = ran.last(self.clock()), None
            if until():
                return
            end = self.clock() + delay.next()
            while not until() and (left := end - self.clock()) > 0:
                await asyncio.sleep(min(left, LOOK))

    async def _try(self, name: str, work: Work) -> Any:
        delay = Delay(clock=self.clock)
        while True:
            try:
                result = await self._do(name, work)
            except Failed:
                await asyncio.sleep(delay.next())
            else:
                self.well(name)
                return result

    async def _do(self, name: str, work: Work) -> Any:
        """Do it, and tell apart what failed from a request to end this task."""
        try:
            return await work()
        except Exception as error:
            self.fault(name, error)
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            self.fault(name, error)  # something that it waited for was cancelled
        raise Failed

    # How it goes.

    def known(self, name: str) -> Ran:
        return self.ran.setdefault(name, Ran(self.clock()))

    def well(self, name: str) -> None:
        """This work has just been done."""
        self.known(name).well = self.clock()

    def fault(self, name: str, error: BaseException) -> None:
        """Something went wrong in this work."""
        self.faults[name if name in NAMES else NAMES[-1]] += 1
        log.error("%s failed", name, exc_info=error)

    def ago(self) -> dict[str, float | None]:
        """For each piece of work the seconds since it last ran well; None if it never did."""
        now = self.clock()
        last = {name: ran.last(now) for name, ran in self.ran.items()}
        return {name: None if at is None else now - at for name, at in last.items()}

    def missed(self) -> list[str]:
        """Vital work that has not run well for long."""
        now = self.clock()
        return [name for name, r in self.ran.items() if r.patience and now - (r.last(now) or r.since) > r.patience]

    # The end.

    async def close(self) -> None:
        """End all work that no owner ends."""
        while tasks := [task for task in self.tasks if not task.done()]:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
