"""Rate limits: what each address has used of them. In memory only; every worker counts for itself."""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import suppress
from functools import lru_cache
from typing import Any, TypeVar

from spellheist.core.refused import Refused
from spellheist.server.limits import Limits

KEYS = 10_000  # that a bucket remembers
HOLD = 1.0  # seconds after which a request that came too often is refused
QUEUE = 20  # long answers of one address that may wait
SOON = "That was too often in a short time; please wait a moment."

T = TypeVar("T")


class TooOften(Refused):
    """Somebody asks more often than anybody needs to."""


class TooMany(TooOften):
    """Somebody has more at once than anybody needs."""


class Bucket:
    """So much at once for each key, then so much a second."""

    def __init__(self, burst: float, rate: float, factor: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.burst, self.rate, self.clock = burst * factor, rate * factor, clock
        self.filled: dict[str, tuple[float, float]] = {}
        self.older: dict[str, tuple[float, float]] = {}  # keys that were not used since the others were

    def level(self, key: str, now: float) -> float:
        level, at = self.filled.get(key) or self.older.get(key) or (self.burst, now)
        return min(self.burst, level + (now - at) * self.rate)

    def put(self, key: str, level: float, now: float) -> None:
        self.filled[key] = level, now
        if len(self.filled) > KEYS:  # nobody pays for others' keys: what was not used for long is dropped as a whole
            self.filled, self.older = {}, self.filled

    def take(self, key: str, amount: float = 1) -> None:
        """Refuses when there is not so much in the bucket of this key."""
        if not self.burst:
            return
        now = self.clock()
        level = self.level(key, now)
        if level < min(amount, self.burst):
            self.put(key, level, now)
            raise TooOften(SOON)
        self.put(key, level - amount, now)

    def pay(self, key: str, amount: float) -> None:
        """Take what has been used, whether it was there or not."""
        if self.burst:
            now = self.clock()
            self.put(key, max(-self.burst, self.level(key, now) - amount), now)

    def allows(self, key: str) -> None:
        """Refuses when the bucket of this key is empty."""
        if self.burst and self.level(key, self.clock()) <= 0:
            raise TooOften(SOON)


class Quota:
    """How many of something each key has at once."""

    def __init__(self, most: float, sentence: str) -> None:
        self.most, self.sentence = most, sentence
        self.count: Counter[str] = Counter()

    def take(self, key: str) -> None:
        if self.most and self.count[key] >= self.most:
            raise TooMany(self.sentence)
        self.count[key] += 1

    def give_back(self, key: str) -> None:
        self.count[key] -= 1
        if self.count[key] <= 0:
            del self.count[key]


class RateLimits:
    """The buckets and counts of a server. The factor is on all that is for each address or seat; 0: no such limits."""

    def __init__(self, limits: Limits, factor: float, slice: float) -> None:
        self.limits = limits

        def bucket(rate: float, burst: float) -> Bucket:
            return Bucket(burst * rate, rate, factor)

        minute = 60.0
        self.requests = bucket(limits.requests_per_address, 6)
        self.tables = bucket(limits.tables_per_address / minute, 2 * minute)
        self.keys = bucket(limits.links_per_address / minute, 100)
        self.joins = bucket(limits.joins_per_address, 12)
        self.messages = bucket(limits.messages_per_address, 4)
        self.hints = bucket(limits.hints_per_address / minute, minute / 3)
        self.seat_messages = bucket(limits.messages_per_seat, 2)
        self.seat_chats = bucket(limits.chats_per_seat / minute, minute / 5)
        self.seat_hints = bucket(limits.hints_per_seat / minute, minute / 3)
        self.sockets = Quota(factor * limits.sockets_per_address, "Your address has too many open sockets.")
        self.watchers = Quota(factor * limits.watchers_per_address, "Your address has too many watchers.")
        self.connections = Quota(factor * limits.connections_per_address, "Too many connections are open.")
        self.held = Quota(factor * limits.connections_per_address, SOON)
        self.work = WorkQueue(bucket(limits.work_per_address, 10), slice)

    async def hold(self, address: str) -> None:
        """Whoever asks too often waits a while for the refusal: else asking again would cost us more than them."""
        with suppress(TooMany):
            self.held.take(address)
            try:
                await asyncio.sleep(HOLD)
            finally:
                self.held.give_back(address)


class WorkQueue:
    """Answers that take long. They are made in slices, between which everybody else has their turn, for each address
    one after the other; and what they take is counted."""

    def __init__(self, bucket: Bucket, slice: float) -> None:
        self.bucket, self.slice = bucket, slice
        self.lanes: dict[str, tuple[asyncio.Lock, list[int]]] = {}
        self.turn = asyncio.Lock()  # whoever waits for it gets it in the order of asking, so addresses take turns

    async def do(self, address: str | None, steps: Generator[None, None, T]) -> T:
        """Take these steps for an address, or for the server itself, and answer with what they return."""
        if address is None:
            address = "itself"
        else:
            self.bucket.allows(address)
        lane, waiting = self.lanes.setdefault(address, (asyncio.Lock(), [0]))
        if waiting[0] >= QUEUE and self.bucket.burst:
            raise TooMany(SOON)
        waiting[0] += 1
        try:
            async with lane:
                while True:
                    async with self.turn:
                        began = time.perf_counter()
                        done, answer = some(steps, began + self.slice)
                        took = time.perf_counter() - began
                        self.bucket.pay(address, 1000 * took)
                        if not done:  # others get at least as much of the loop
                            await asyncio.sleep(min(took, 0.02))
                    if done:
                        return answer
        finally:
            waiting[0] -= 1
            if not waiting[0]:
                self.lanes.pop(address, None)


def some(steps: Generator[None, None, Any], until: float) -> tuple[bool, Any]:
    """Take steps until a moment; whether that was the last, and what they return then."""
    try:
        while True:
            next(steps)
            if time.perf_counter() >= until:
                return False, None
    except StopIteration as end:
        return True, end.value


@lru_cache(4096)
def network(host: str) -> str:
    """To which address a host counts: all of a /64 of IPv6 is one household, or one attacker."""
    try:
        found = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return "nowhere"
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)


@lru_cache(4096)
def is_loopback(host: str) -> bool:
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = getattr(found, "ipv4_mapped", None)
    return (mapped or found).is_loopback
