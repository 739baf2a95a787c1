"""Servers in which nothing happens by itself: a store in memory for several of them, a loop whose time only a test moves
on, and browsers that speak with the app as the server's process does, over HTTP and sockets, but without a network.

Every step runs until nothing is left to be done, so that the same steps have the same effects, in the same order.
"""

from __future__ import annotations

import asyncio
import json
import selectors
import sqlite3
import zlib
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from unittest.mock import patch

from spellheist.core.dice import Fair
from spellheist.server.http import visitors
from spellheist.server.http.app import App
from spellheist.server.http.static_files import Pages
from spellheist.server.service import Service
from spellheist.server.settings import Settings
from spellheist.server.store import Taken, schema

URL = "http://table"
EPOCH = 1_700_000_000_000  # milliseconds of the wall clock when time begins


# A store in memory.


class Shelf:
    """What several servers share: journals, rows for lists, who holds what."""

    def __init__(self):
        self.journals, self.rows, self.holders, self.snapshots = {}, {}, set(), {}
        self.ms = 0  # that the service has run
        self.people = sqlite3.connect(":memory:", isolation_level=None)
        for statement in schema.PEOPLE:
            self.people.execute(statement)
        self.branches = []


class Branch:
    """One server's way to the shelf. What it writes the others hear of when the test lets them."""

    def __init__(self, shelf):
        self.shelf, self.commits, self.moved = shelf, 0, None
        self.news = []  # tables that others have moved on, each with how many entries it had before
        shelf.branches.append(self)

    async def open(self):
        pass

    async def close(self):
        pass

    def append(self, what):
        shelf, done = self.shelf, asyncio.get_running_loop().create_future()
        journal, row = shelf.journals.setdefault(what.table, []), shelf.rows.get(what.table)
        if what.number != len(journal) + 1 or (row and row.record is not None):
            done.set_exception(Taken())
            return done
        for other in shelf.branches:
            if other is not self:
                other.news.append((what.table, len(journal)))
        journal.append(what.body)
        if what.row:
            self.note(what.row)
        shelf.holders |= {(token, what.table) for token, _ in what.holders}
        if what.snapshot is not None:
            shelf.snapshots[what.table] = what.number - 1, what.snapshot
        self.commits += 1
        done.set_result(None)
        return done

    def note(self, row):
        before = self.shelf.rows.get(row.table)
        if before is None or before.record is None:
            self.shelf.rows[row.table] = row

    async def entries(self, table):
        return list(self.shelf.journals.get(table, ()))

    async def count(self, table):
        return len(self.shelf.journals.get(table, ()))

    async def elsewhere(self, known):
        return []

    async def snapshot(self, table):
        return self.shelf.snapshots.get(table)

    async def row(self, table):
        return self.shelf.rows.get(table)

    def newest(self, of, limit):
        return sorted((row for row in self.shelf.rows.values() if of(row)), key=lambda row: -row.updated)[:limit]

    async def rows(self, states, listed, limit):
        return self.newest(lambda row: row.state in states and row.listed >= listed, limit)

    async def held(self, token, limit):
        return self.newest(lambda row: (token, row.table) in self.shelf.holders, limit)

    async def due(self, now, limit):
        return [row.table for row in self.newest(lambda row: row.due is not None and row.due <= now, limit)]

    async def old(self, before, limit):
        return [row.table for row in self.newest(lambda row: row.updated < before and row.record is None, limit)]

    async def archive(self, table, record):
        self.shelf.rows[table] = replace(self.shelf.rows[table], record=record, state="archived", due=None)
        self.shelf.journals.pop(table, None), self.shelf.snapshots.pop(table, None)

    async def people(self, statement, *values):
        return self.shelf.people.execute(statement, values).fetchall()

    async def beat(self, ms):
        self.shelf.ms = max(self.shelf.ms, ms)
        return self.shelf.ms


# Time that stands still.


class Selector(selectors.DefaultSelector):
    """Where a loop would wait, it stops."""

    def select(self, timeout=None):
        if timeout is None or timeout > 0:
            self.loop.stop()
        return super().select(0)


class Loop(asyncio.SelectorEventLoop):
    """An event loop that runs until nothing is left to be done now. Nothing runs in threads."""

    def __init__(self):
        selector = Selector()
        selector.loop = self
        self.now = 0.0
        super().__init__(selector)

    def time(self):
        return self.now

    def run_in_executor(self, executor, work, *given):
        done = self.create_future()
        try:
            done.set_result(work(*given))
        except Exception as error:
            done.set_exception(error)
        return done

    def settle(self):
        self.run_forever()


# One world.


class Dice(Fair):
    """Dice that give what the script of the present world says."""

    commitment = "the same in all worlds"

    def outcome(self, ply, odds):
        return World.present.moves[ply]


class Bots:
    """Bots that play the script, and whose thoughts tell apart all that they are given."""

    needs_compiling, replaced = False, 0

    def __init__(self, world):
        self.world = world

    async def choose(self, level, game, view, seat, past):
        if not self.world.may_play(len(past)):
            await asyncio.get_running_loop().create_future()  # for ever
        return self.world.moves[len(past)]

    async def think(self, level, game, view, seat, past):
        given = zlib.crc32(repr((level, view, seat, list(past), past.views)).encode())
        return [{"move": 0, "chance": given % 9973 / 9973, "error": 0.0}]

    async def close(self):
        pass


class World:
    """Some servers on one store. What differs between worlds is never told to those who must not know it: what the dice
    hide, the secret behind them, and everybody's tokens."""

    present: World

    def __init__(self, name, moves, may_play, servers):
        self.name, self.moves, self.may_play = name, moves, may_play
        self.loop, self.shelf, self.count = Loop(), Shelf(), 0
        self.branches = [Branch(self.shelf) for _ in range(servers)]
        self.apps = [None] * servers
        for server in range(servers):
            self.begin(server)

    def begin(self, server):
        """Begin a server, or begin it anew."""
        if self.apps[server]:
            self.run(self.apps[server].service.close())
        settings = Settings(public_url=URL, rate=0, pace=0, slice=60, soon=0)
        app = self.apps[server] = App(self.branches[server], settings, Bots(self))
        app.routes = app.starlette()
        self.run(app.service.open())

    def run(self, work=None):
        """Do something and all that follows from it now; its result."""
        World.present = self
        task = self.loop.create_task(work) if work else None
        self.loop.settle()
        return task.result() if task else None

    def wait(self, seconds):
        self.loop.now += seconds
        self.run()

    def hear_of(self, server, which):
        """A server hears that another has moved a table on."""
        branch = self.branches[server]
        table, _ = branch.news.pop(which % len(branch.news))
        World.present = self
        self.loop.call_soon(branch.moved, [table])
        self.run()

    def key(self, person):
        return f"{self.name}-{person}".ljust(43, "_")

    def fresh(self, size):
        """A new name: of a table the same in all worlds, of anything else not."""
        self.count += 1
        return f"table-{self.count}" if size == 12 else f"{self.name}-new-{self.count}".ljust(43, "_")

    def scope(self, kind, path, person):
        path, _, query = path.partition("?")
        headers = [(b"host", b"table"), (b"origin", URL.encode())]
        if person is not None:
            headers.append((b"cookie", f"{visitors.COOKIE}={self.key(person)}".encode()))
        return {"type": kind, "http_version": "1.1", "path": path, "raw_path": path.encode(), "root_path": "",
                "query_string": query.encode(), "headers": headers, "client": ("127.0.0.1", 1),
                "server": ("table", 80)}  # fmt: skip

    def ask(self, server, person, path, body=None):
        """What a browser gets from an address: the status and the text."""
        parts, sent = [], [{"type": "http.request", "body": b"" if body is None else json.dumps(body).encode()}]
        scope = self.scope("http", path, person) | {"method": "GET" if body is None else "POST", "scheme": "http"}

        async def send(part):
            parts.append(part)

        async def receive():
            return sent.pop() if sent else {"type": "http.disconnect"}

        self.run(self.apps[server].routes(scope, receive, send))
        return parts[0]["status"], b"".join(part.get("body", b"") for part in parts).decode()

    def close(self):
        for app in self.apps:
            self.run(app.service.close())
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        self.loop.settle()
        self.loop.close()
        self.shelf.people.close()


class Line:
    """A page's end of a socket."""

    def __init__(self, world, server, person, path):
        self.world, self.said, self.closed, self.fault = world, [], None, None
        self.coming = asyncio.Queue()
        self.transport = self
        self.coming.put_nowait({"type": "websocket.connect"})
        scope = world.scope("websocket", path, person) | {"scheme": "ws", "subprotocols": []}
        scope["extensions"] = {"spellheist.socket": self}
        self.task = world.loop.create_task(world.apps[server].routes(scope, self.coming.get, self.send))
        world.run()

    def get_extra_info(self, name):
        return None

    def let_go(self):
        """Nothing waits here to be read."""

    async def send(self, message):
        if message["type"] == "websocket.close":
            self.closed = message.get("code", 1000), message.get("reason", "")

    def say(self, text):
        assert self.closed is None, "something is said on a line that has been closed"
        self.said.append(text.decode())
        return True

    def tell(self, message):
        self.coming.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})
        self.world.run()

    def shut(self):
        if self.closed is None:
            self.closed = 1000, "by the page"
            self.say = lambda text: True
            self.coming.put_nowait({"type": "websocket.disconnect", "code": 1000})
            self.world.run()


def stilled():
    """While this lasts, all dice are scripted, names and secrets come from the world, and so does the time."""
    patches = ExitStack()
    for place in ("making", "starting"):
        patches.enter_context(patch(f"spellheist.server.table.actions.{place}.Fair", Dice))
    patches.enter_context(patch("spellheist.server.http.app.Pages", cache(Pages)))  # which takes longer than all the rest
    patches.enter_context(patch("secrets.token_urlsafe", lambda size=32: World.present.fresh(size)))
    patches.enter_context(patch("secrets.token_bytes", lambda size: World.present.name.encode().ljust(size, b"!")))
    patches.enter_context(patch.object(Service, "now", lambda service: EPOCH + int(World.present.loop.now * 1000)))
    if hasattr(Service, "clock"):
        patches.enter_context(patch.object(Service, "clock", lambda service: int(World.present.loop.now * 1000)))
    return patches
