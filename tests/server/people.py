"""A real server on a real store, and people who speak with it as pages do."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import json
import ssl
import threading
import time

import httpx
import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from spellheist.server.http.app import App
from spellheist.server.process.bot_pool import Pool
from spellheist.server.process.serve import bound, config
from spellheist.server.settings import Settings
from spellheist.server.store import store_at
from spellheist.server.table.messages import changed

IDS = itertools.count(1000)
TLS = ssl.create_default_context()  # made once: it takes longer than most requests
SOON = 2.0  # seconds in which nearly everything has come that will come
LEAST, MOST, TIMES = 5.0, 60.0, 60  # how long more is waited for: as many times as long as an answer takes now
NEVER = 1 << 20  # a ply that no game reaches


class Server:
    """The app under uvicorn in a thread."""

    def __init__(self, url, command=None, **how):
        self.url, self.command, self.how = url, command, how

    def start(self):
        listening = bound("127.0.0.1", 0)
        self.base = f"http://127.0.0.1:{listening.getsockname()[1]}"
        settings = Settings(public_url=self.base, **{"pace": 0, "rate": 0, "grace": 0, "thinkers": 1, **self.how})
        self.app = App(store_at(self.url), settings, Pool(1, self.command) if self.command else None)
        self.uvicorn = uvicorn.Server(config(self.app.starlette()))
        self.thread = threading.Thread(target=lambda: asyncio.run(self.uvicorn.serve([listening])))
        self.thread.start()
        while not self.uvicorn.started:
            assert self.thread.is_alive()
            threading.Event().wait(0.01)
        self.loop = self.uvicorn.servers[0].get_loop()
        return self

    def stop(self):
        self.uvicorn.should_exit = True
        self.thread.join(20)
        assert not self.thread.is_alive()

    def append(self, what):
        """Write an entry as somebody else would, beside what this server has in memory."""

        async def append():
            await self.app.service.store.append(what)

        return self.ask(append())

    def ask(self, work):
        """Run something in the server's own loop."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(20)


class Person:
    """A browser: a cookie, requests, sockets."""

    def __init__(self, base):
        self.base = base
        self.http = httpx.Client(base_url=base, headers={"origin": base}, timeout=20, verify=TLS)

    def get(self, path, **how):
        return self.http.get(path, **how)

    def post(self, path, body, **how):
        return self.http.post(path, json=body, **how)

    def make(self, game, *chairs, **how):
        """A table; chairs are "me", "open" or the level of a bot."""
        seats = [{"kind": chair} if chair in ("me", "open") else {"kind": "bot", "level": chair} for chair in chairs]
        for seat, chair in enumerate(seats):
            if chair["kind"] == "me":
                chair["promise"] = hashlib.sha256(words_of(seat).encode()).hexdigest()
        answer = self.post("/api/tables", {"game": game, "name": "Ann", "chairs": seats, **how})
        assert answer.status_code == 200, answer.text
        return answer.json()["table"]

    def sit(self, table, seat, name):
        promise = hashlib.sha256(words_of(seat).encode()).hexdigest()
        return self.post(f"/api/tables/{table}/sit", {"seat": seat, "name": name, "promise": promise})

    def frames(self, table, seat=""):
        """A game told again, page by page as the web page asks for it; and how many frames each page had."""
        told, first, sizes = [], 0, []
        while True:
            page = self.get(f"/api/tables/{table}/frames?from={first}&seat={seat}").json()
            sizes.append(len(page))
            told += page[1:] if first else page
            if len(page) < 2:
                return told, sizes
            assert page[0]["ply"] == first and "view" in page[0]
            first = page[-1]["ply"]

    def at(self, table, seat=None):
        return Socket(self, table, seat)

    def turned_away(self, table, seat=None):
        """The code and the sentence with which a connection is refused."""
        with self.at(table, seat) as socket:
            try:
                socket.hear()
            except ConnectionClosed as closed:
                return closed.rcvd.code, closed.rcvd.reason
        raise AssertionError("the connection stands")


def words_of(seat):
    return f"words of seat {seat}"


class Socket:
    """A page at a table: it keeps what it is told, as the protocol says a page does."""

    def __init__(self, person, table, seat):
        cookie = "; ".join(f"{c.name}={c.value}" for c in person.http.cookies.jar)
        where = f"{person.base.replace('http', 'ws')}/ws/{table}" + ("" if seat is None else f"?seat={seat}")
        headers = {"origin": person.base, "cookie": cookie}
        self.opened = connect(where, additional_headers=headers, open_timeout=20, close_timeout=1, max_queue=None)
        self.ws = self.opened.__enter__()
        self.seat, self.table, self.chat = seat, {}, []
        self.ply, self.view, self.moves, self.news = None, {}, [], []
        self.turn, self.over, self.score, self.standings, self.question = None, False, None, [], ""
        self.heard = []
        self.texts = []
        self.fence = None  # the number of a message that is sent to be refused
        self.later = set()  # those that are answered after others

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.opened.__exit__(None, None, None)

    def tell(self, kind, **what):
        """Send a message with a number of its own; the number."""
        number = what.pop("id", None) or next(IDS)
        if kind == "hint":
            self.later.add(number)
        self.ws.send(json.dumps({"t": kind, "id": number, **what}))
        return number

    def hear(self, timeout=20):
        """Take in the next message."""
        end = time.monotonic() + timeout
        while True:
            message = self.hear_any(max(0.0, end - time.monotonic()))
            if message is not None:
                return message

    def hear_any(self, timeout):
        """Take in the next message; None for the refusal of the fence, which no test has asked for."""
        text = self.ws.recv(timeout)
        message = json.loads(text)
        if message["t"] == "refused" and message.get("id") == self.fence is not None:
            self.fence = None
            return None
        self.texts.append(text)
        self.heard.append(message)
        kind = message["t"]
        if kind == "table":
            self.table = message
            if message["state"] == "promising":
                for seat in message["mine"]:
                    self.ws.send(json.dumps({"t": "reveal", "seat": seat, "words": words_of(seat)}))
        elif kind == "here":
            self.table["watching"] = message["watching"]
            for chair, here in zip(self.table["chairs"], message["here"], strict=True):
                chair["here"] = here
        elif kind == "view":
            self.view = message["view"]
            self.take(message)
            self.news = message["news"]
        elif kind == "plies":
            assert message["base"] == self.ply, "every change names the ply that this page has"
            self.view = changed(self.view, message["change"])
            self.take({**message, "turn": self.view["turn"]})
            self.news = self.counted(message)
        elif kind == "ping":
            self.ws.send(json.dumps({"t": "pong", "n": message["n"]}))
        elif kind == "chat":
            self.chat += message["lines"]
        return message

    def counted(self, message):
        """The news, each with its ply."""
        ply, news = message["base"], []
        for who, move, sentence, *given in message["news"]:
            ply = given[0] if given else ply + 1
            news.append([who, move, sentence, ply])
        return news

    def take(self, message):
        for name in ("ply", "turn", "moves", "over", "score", "standings", "question"):
            if name in message:
                setattr(self, name, message[name])

    def drain(self, timeout=0.0):
        """Take in what has come."""
        try:
            while True:
                self.hear(timeout)
        except TimeoutError:
            return

    def listen(self, done, timeout, number=None):
        """Hear until something is done with a message; what that is. After a while something is asked that is refused: what
        the server had said by then has come before the refusal, the answer to an earlier message too. For what it says
        later, when a bot has thought or a clock has rung, the time that is left follows from how quick the machine is."""
        end, asked = time.monotonic() + (timeout or SOON), None
        while True:
            try:
                message = self.hear_any(max(0.0, end - time.monotonic()))
            except TimeoutError:
                if timeout or asked:
                    raise
                asked = time.monotonic()
                self.fence, end = self.tell("vote", ply=NEVER, seat=-1), asked + MOST
                continue
            if message is None:
                assert number is None or number in self.later, f"message {number} was not answered"
                end = time.monotonic() + min(MOST, max(LEAST, TIMES * (time.monotonic() - asked)))
            elif (found := done(message)) is not None:
                return found

    def until(self, holds, timeout=None):
        """Hear until something holds of this socket; the last message."""
        return None if holds(self) else self.listen(lambda message: message if holds(self) else None, timeout)

    def answer(self, number, timeout=None):
        """Hear until the message of this number is answered."""

        def answered(message):
            if message["t"] in ("did", "refused", "thoughts") and message.get("id") == number:
                return message
            if message["t"] == "plies" and message.get("did") == number:
                return {"t": "did", "id": number, "ply": message["ply"]}
            return None

        return self.listen(answered, timeout, number)

    def end(self, timeout=20):
        """Hear until the server ends this line; the code and the sentence with which it does, None if it does not."""
        try:
            self.until(lambda socket: False, timeout)
        except (ConnectionClosed, TimeoutError) as ended:
            closed = getattr(ended, "rcvd", None)
            return closed and (closed.code, closed.reason)

    def do(self, kind, **what):
        """Send and hear the answer."""
        return self.answer(self.tell(kind, **what))

    def start(self, *others):
        """Ask for the start; all of these reveal their words."""
        answer = self.do("start")
        assert answer["t"] == "did", answer
        for socket in (*others, self):
            socket.until(lambda s: s.table.get("state") in ("promising", "playing"))
        for socket in (*others, self):
            socket.until(lambda s: s.ply is not None)

    def move(self, choose=lambda moves: moves[0][0]):
        return self.do("move", ply=self.ply, move=choose(self.moves))


def play_out(*sockets, choose=lambda socket: socket.moves[0][0], most=10**6):
    """Play a game to its end, or for so many moves, with these sockets for all people at the table."""
    quiet = 0
    while not sockets[0].over and most:
        for socket in sockets:
            socket.drain(0.01 if quiet else 0)
        mover = next((s for s in sockets if s.moves and not s.over), None)
        quiet = 0 if mover else quiet + 1
        assert quiet < 1000, "nobody is asked and nothing happens"
        if mover:
            most -= 1
            answer = mover.do("move", ply=mover.ply, move=choose(mover))
            assert answer["t"] == "did" or "moved on" in answer["sentence"], answer
