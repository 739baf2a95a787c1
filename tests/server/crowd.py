"""Scripted people: pages that connect again, send again, and write down all that they are told."""

from __future__ import annotations

import array
import asyncio
import hashlib
import itertools
import json
import random
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

IDS = itertools.count(1000)
ANYONE = -4
GONE = (ConnectionClosed, InvalidHandshake, InvalidMessage, OSError, EOFError, TimeoutError, asyncio.IncompleteReadError)
PATIENCE = 8.0  # seconds for an answer before a page connects anew and asks again
LEFT = {"t": "left"}  # instead of an answer: the page is not at its seat any more


# What is written down.


class Told(NamedTuple):
    """A view as a page had it after a message."""

    at: float
    around: int  # how many `table` messages came before it
    ply: int
    view: bytes
    asked: tuple[int, ...]
    moves: tuple[int, ...]
    question: str
    over: bool
    score: tuple[float, ...] | None
    show: bool  # a state on the way, where nobody is asked


class Around(NamedTuple):
    """What a `table` message said."""

    at: float
    state: str
    chairs: tuple[tuple[str, str, bool], ...]  # kind, name, away
    rematch: str | None
    undo: tuple[int, ...] | None  # by whom, and for whom it waits


class Sent(NamedTuple):
    at: float
    kind: str
    what: dict[str, Any]


class Answer(NamedTuple):
    at: float
    kind: str  # did or refused
    ply: int
    sentence: str


@dataclass
class History:
    """All that one page at one table sent and was told, in order."""

    seat: int | None
    told: list[Told] = field(default_factory=list)
    around: list[Around] = field(default_factory=list)
    chat: list[tuple[Any, ...]] = field(default_factory=list)
    sent: dict[int, Sent] = field(default_factory=dict)
    answers: dict[int, list[Answer]] = field(default_factory=dict)
    dozed: list[tuple[float, int]] = field(default_factory=list)  # questions left to the clock
    lines: int = 0  # connections
    gaps: list[str] = field(default_factory=list)  # plies that did not follow what this page had


@dataclass
class Evening:
    """A table, and the histories of all who were there."""

    table: str
    game: str
    clock: int  # seconds a move, or 0
    histories: list[History] = field(default_factory=list)
    record: str = ""  # of a game that is over, as the server gave it
    stuck: str = ""  # why it did not go on after the storm
    waited: float = 0.0  # the longest time in which nothing happened
    silence: str = ""  # where it stood then


# Who is there.


class Person:
    """A browser: a token, an address, requests."""

    _numbers = itertools.count(2)

    def __init__(self, port: int) -> None:
        number = next(Person._numbers)
        self.port, self.source = port, f"127.0.{number // 250 % 250}.{number % 250 + 2}"
        self.base = f"http://127.0.0.1:{port}"
        self.token = secrets.token_urlsafe(32)

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, str]:
        """Send a request and get its answer, once."""
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.source, 0))
            try:
                text = b"" if body is None else json.dumps(body).encode()
                head = [
                    f"{method} {path} HTTP/1.1", f"host: 127.0.0.1:{self.port}", f"origin: {self.base}",
                    f"cookie: spellheist={self.token}", "content-type: application/json", "connection: close",
                    f"content-length: {len(text)}",
                ]  # fmt: skip
                writer.write("\r\n".join([*head, "", ""]).encode() + text)
                first, _, rest = (await reader.read(-1)).partition(b"\r\n\r\n")
            finally:
                writer.close()
        if not first.startswith(b"HTTP/1.1 ") or not whole(first, rest):
            raise EOFError
        return int(first.split()[1]), rest.decode()

    async def sure(self, method: str, path: str, body: Any, failed: Callable[[str], None]) -> tuple[int, str]:
        """Ask until there is an answer. What the server could not do, it is asked again."""
        while True:
            try:
                status, text = await self.ask(method, path, body)
                if status < 500:
                    return status, text
                failed(f"{status} to {method} {path.rpartition('/')[2].partition('?')[0]}")
            except GONE:
                pass
            await asyncio.sleep(0.1)


def whole(head: bytes, rest: bytes) -> bool:
    """Has all of an answer come?"""
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return len(rest) == int(line.partition(b":")[2])
    return True


def words_of(seat: int) -> str:
    return f"words of seat {seat}"


def promise_of(seat: int) -> str:
    return hashlib.sha256(words_of(seat).encode()).hexdigest()


def flat(value: Any, into: list[int]) -> list[int]:
    """The numbers of a view in their order."""
    if isinstance(value, int):
        into.append(value)
    else:
        for one in value.values() if isinstance(value, dict) else value:
            flat(one, into)
    return into


class Page:
    """One seat, or a watcher: connects again whenever the line is cut, and sends again what was not answered."""

    def __init__(self, person: Person, table: str, seat: int | None, answered: Callable[[str, float], None]) -> None:
        self.person, self.name, self.seat, self.answered = person, table, seat, answered
        self.history = History(seat)
        self.ws: ClientConnection | None = None
        self.pending: dict[int, tuple[str, asyncio.Future[Any]]] = {}
        self.changed = asyncio.Event()  # something was told
        self.moved = time.monotonic()  # when something new was last told
        self.removed = ""  # with which words this page was sent away
        self.skipped: int | None = None  # the ply of a question that is left to others, or to the clock
        self.heeded: Any = None  # the wish that was answered last
        self.forget()
        self.task: asyncio.Task[None] | None = None

    def forget(self) -> None:
        self.table: dict[str, Any] = {}
        self.numbers: list[int] = []
        self.fields: dict[str, int] = {}
        self.ply: int | None = None
        self.moves: list[int] = []
        self.asked: list[int] = []
        self.question, self.over, self.score = "", False, None
        self.vote: tuple[int, list[int]] | None = None

    # The line.

    def start(self) -> None:
        self.task = asyncio.create_task(self.stay())

    async def stop(self) -> None:
        if self.task:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)
            self.task = None

    async def stay(self) -> None:
        where = f"ws://127.0.0.1:{self.person.port}/ws/{self.name}" + ("" if self.seat is None else f"?seat={self.seat}")
        headers = {"cookie": f"spellheist={self.person.token}", "origin": self.person.base}
        while not self.removed:
            self.ws = None
            try:
                async with connect(
                    where, additional_headers=headers, proxy=None, compression=None, open_timeout=PATIENCE,
                    close_timeout=0.2, ping_interval=4, ping_timeout=6, max_queue=None, local_addr=(self.person.source, 0),
                ) as self.ws:  # fmt: skip
                    self.forget()
                    self.history.lines += 1
                    for text, _ in list(self.pending.values()):
                        await self.ws.send(text)
                    async for text in self.ws:
                        await self.hear(json.loads(text))
                self.closed(self.ws)
            except GONE:
                if self.ws is not None:
                    self.closed(self.ws)
            await asyncio.sleep(random.uniform(0.02, 0.1))

    def closed(self, ws: ClientConnection) -> None:
        """The line was cut. Who is told that the seat is not theirs goes."""
        if ws.close_code in (4403, 4404):
            self.removed = f"{ws.close_code} {ws.close_reason}"
            for _, answer in self.pending.values():
                if not answer.done():
                    answer.set_result(LEFT)
            self.pending.clear()
            self.changed.set()

    async def tell(self, text: str) -> None:
        if self.ws is not None:
            with suppress(GONE):
                await self.ws.send(text)

    async def sure(self, kind: str, **what: Any) -> dict[str, Any]:
        """Send a message until it is answered; the answer."""
        if self.removed:
            return LEFT
        number = next(IDS)
        self.history.sent[number] = Sent(time.monotonic(), kind, what)
        answer = asyncio.get_running_loop().create_future()
        text = json.dumps({"t": kind, "id": number, **what})
        self.pending[number] = text, answer
        await self.tell(text)
        while not answer.done():
            line = self.ws
            await asyncio.wait([answer], timeout=PATIENCE)
            if not answer.done() and line is not None and line is self.ws:
                line.transport.abort()  # whatever has become of it, a new line asks again
        return answer.result()

    # What is heard.

    async def hear(self, message: dict[str, Any]) -> None:
        kind = message["t"]
        if kind == "view":
            self.numbers, self.fields = flat(message["view"], []), places(message["view"])
            self.take(message, False)
        elif kind == "plies":
            await self.follow(message)
        elif kind == "table":
            self.around(message)
            if message["state"] == "promising":
                for seat in message["mine"] if self.seat is not None else ():
                    await self.tell(json.dumps({"t": "reveal", "seat": seat, "words": words_of(seat)}))
        elif kind == "ping":
            await self.tell(json.dumps({"t": "pong", "n": message["n"]}))
        elif kind == "chat":
            self.history.chat += [tuple(line) for line in message["lines"]]
        elif kind == "window" and "vote" in message:
            self.vote = message["ply"], message["vote"]
        if kind in ("did", "refused", "thoughts"):
            self.answer(kind, message)
        elif message.get("did"):
            self.answer("did", {"id": message["did"], "ply": message["ply"]})
        self.changed.set()

    async def follow(self, message: dict[str, Any]) -> None:
        if message["base"] != self.ply:
            self.history.gaps.append(f"plies from {message['base']} to a page that has {self.ply}")
            await self.tell('{"t": "whole"}')
            return
        change, at = message["change"], 0
        while at < len(change):
            place, count = change[at], change[at + 1]
            self.numbers[place : place + count] = change[at + 2 : at + 2 + count]
            at += 2 + count
        turn = self.numbers[self.fields["turn"]]
        if "asked" not in message and turn != ANYONE:
            message["asked"] = [turn] if turn >= 0 else []
        self.take(message, bool(message.get("show")))

    def take(self, message: dict[str, Any], show: bool) -> None:
        self.ply = message["ply"]
        self.moves = [move for move, _ in message["moves"]] if "moves" in message else self.moves
        self.asked = message.get("asked", self.asked)
        self.question = message.get("question", self.question)
        self.over = message.get("over", self.over)
        self.score = message.get("score", self.score)
        view = array.array("h", self.numbers).tobytes()
        now = time.monotonic()
        score = None if self.score is None else tuple(self.score)
        before = self.history.told[-1] if self.history.told else None
        if before is None or (before.ply, before.view, before.over) != (self.ply, view, self.over):
            self.moved = now
        self.history.told.append(Told(
            now, len(self.history.around), self.ply or 0, view, tuple(self.asked), tuple(self.moves), self.question,
            self.over, score, show,
        ))  # fmt: skip

    def around(self, message: dict[str, Any]) -> None:
        chairs = tuple((chair["kind"], chair["name"], chair["away"]) for chair in message["chairs"])
        wish = message["undo"]
        undo = (wish["by"], *wish["waits_for"]) if wish else None
        said = Around(time.monotonic(), message["state"], chairs, message["rematch"], undo)
        if not self.history.around or said[1:] != self.history.around[-1][1:]:
            self.moved = said.at
        self.history.around.append(said)
        self.table = message

    def answer(self, kind: str, message: dict[str, Any]) -> None:
        number, now = message.get("id"), time.monotonic()
        if number is None:
            return
        self.history.answers.setdefault(number, []).append(Answer(now, kind, message["ply"], message.get("sentence", "")))
        _, waiting = self.pending.pop(number, ("", None))
        if waiting is not None and not waiting.done():
            waiting.set_result({"t": kind, **message})
            if kind == "did":
                self.answered(self.history.sent[number].kind, now)

    def field(self, name: str) -> int:
        return self.numbers[self.fields[name]]


def places(view: dict[str, Any]) -> dict[str, int]:
    """Where each field of a view begins."""
    found, at = {}, 0
    for name, value in view.items():
        found[name] = at
        at += len(flat(value, []))
    return found
