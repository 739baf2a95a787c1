"""Strange messages and requests without end at a real server in a process of its own.

    python tests/server/fuzz.py [--messages 1000000] [--kept FILE] [--chunk N] [--seed 12]

People sit at tables of all five games; messages that are right, wrong in a field, or wrong in their bytes go over their
sockets many at a time, odd frames too, and strange requests over HTTP, one after the other in a connection. After each
batch: nothing was answered with a status of 500 or more, the table and the view of the seat are the same to the letter
unless something was carried out, and the journal has no entry for what was refused. In the end nothing has failed, no
traceback was printed, and memory is bounded. What was done is kept in FILE, and the next call goes on from there; a chunk
can be repeated by its number.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import strange

ROOT = Path(__file__).parents[2]
GAMES = ("abraca_what", "dice_heist", "mages_dice", "spell_stealers", "spellcaster")
BATCH, TOGETHER, CHUNK = 60, 20, 2000  # messages at once, requests in a connection, of both in a chunk
SILENCE = 0.3  # seconds without an answer: the server waits for the rest of a request
LARGEST = 700  # MB that the server may have
LAST = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Last: 1\r\nConnection: close\r\n\r\n"


class Fault(AssertionError):
    """The server did what it should not."""


class Served:
    """A server without limits of how often, so that everything is heard."""

    def __init__(self, folder):
        command = [sys.executable, "-m", "spellheist", "serve", "--port", "0", "--rate", "0", "--bots", "plain", "--store",
                   f"sqlite:///{folder}/tables.db", "--seconds-for-headers", "2", "--seconds-for-body", "2"]  # fmt: skip
        surroundings = {**os.environ, "SPELLHEIST_KERNEL": "plain", "PYTHONPATH": str(ROOT)}
        self.said = (Path(folder) / "said").open("w+")
        self.process = subprocess.Popen(command, env=surroundings, stdout=subprocess.PIPE, stderr=self.said, text=True)
        self.base = re.search(r"http://\S+", self.process.stdout.readline())[0].replace("localhost", "127.0.0.1")
        self.host, self.port = self.base[7:].split(":")

    def connect(self):
        return socket.create_connection((self.host, int(self.port)), timeout=60)

    def memory(self):
        """Megabytes."""
        status = Path(f"/proc/{self.process.pid}/status")
        return int(re.search(r"VmRSS:\s+(\d+)", status.read_text())[1]) // 1024 if status.exists() else 0

    def ask(self, method, path, body=None, cookie=""):
        """A right request; status, headers and body of the answer."""
        text = b"" if body is None else json.dumps(body).encode()
        head = (f"{method} {path} HTTP/1.1\r\nHost: {self.base[7:]}\r\nOrigin: {self.base}\r\nCookie: {cookie}\r\n"
                f"Content-Length: {len(text)}\r\nConnection: close\r\n\r\n")  # fmt: skip
        with self.connect() as line:
            line.sendall(head.encode() + text)
            head, _, told = to_the_end(line).partition(b"\r\n\r\n")
        return int(head[9:12]), head.decode("latin1"), told

    def figure(self, name):
        text = self.ask("GET", "/metrics")[2].decode()
        return int(float(re.search(rf"^spellheist_{name}_total (\S+)$", text, re.M)[1]))

    def stop(self):
        self.process.terminate()
        self.process.wait(30)
        self.process.stdout.close()
        self.said.seek(0)
        said = self.said.read()
        self.said.close()
        return said


def to_the_end(line):
    heard = b""
    try:
        while part := line.recv(1 << 16):
            heard += part
    except (ConnectionResetError, TimeoutError):
        pass
    return heard


class Seat:
    """The socket of a seat, and what the page of it would know."""

    def __init__(self, served, table, seat, cookie):
        self.served, self.table, self.seat, self.cookie = served, table, seat, cookie
        self.open()

    def open(self):
        self.line = self.served.connect()
        where = f"/ws/{self.table}" + ("" if self.seat is None else f"?seat={self.seat}")
        self.line.sendall((f"GET {where} HTTP/1.1\r\nHost: {self.served.base[7:]}\r\nOrigin: {self.served.base}\r\n"
                           f"Cookie: {self.cookie}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                           "Sec-WebSocket-Version: 13\r\n"
                           "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n").encode())  # fmt: skip
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self.more()
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 101"):
            raise Fault(f"a socket was refused: {head!r}")

    def more(self):
        part = self.line.recv(1 << 16)
        if not part:
            raise EOFError
        self.buffer += part

    def hear(self):
        """The next message, or EOFError when the line was closed."""
        while True:
            data = self.buffer
            if len(data) >= 2:
                kind, size, start = data[0] & 15, data[1], 2
                if size >= 126:
                    wide = 2 if size == 126 else 8
                    size, start = int.from_bytes(data[2 : 2 + wide], "big"), 2 + wide
                if len(data) >= start + size:
                    self.buffer, told = data[start + size :], data[start : start + size]
                    if kind == 8:
                        raise EOFError(f"{int.from_bytes(told[:2], 'big')} {told[2:]!r}")
                    if kind == 1:
                        return told
                    continue
            self.more()

    def say(self, data):
        self.line.sendall(data)

    def until(self, number):
        """Everything that is told until the message of this number is refused, as it must be."""
        told = []
        while True:
            text = self.hear()
            if text.startswith(b'{"t":"refused","id":%d,' % number):
                return told
            told.append(text)

    def close(self):
        self.line.close()


class Fuzz:
    """Chunks of strange things."""

    def __init__(self, served, seed):
        self.served, self.seed = served, seed
        self.count = Counter()
        self.number = int(time.time() * 1000)  # of messages: no two have the same
        self.tables = {}
        for game in GAMES:
            self.sit_down(game)

    def sit_down(self, game):
        """A new game of two people, at which no bot ever plays for anybody."""
        for seat in self.tables.get(game, []):
            seat.close()
        options = {"stealing": "polite"} if game == "spell_stealers" else {}
        table = {"game": game, "chairs": [{"kind": "me"}] * 2, "options": options, "leavers": "wait"}
        status, head, told = self.served.ask("POST", "/api/tables", table)
        if status != 200:
            raise Fault(f"no table: {told!r}")
        name = json.loads(told)["table"]
        cookie = re.search(r"set-cookie: ([^;]+)", head)[1]
        seats = self.tables[game] = [Seat(self.served, name, k, cookie) for k in range(2)]
        seats.append(Seat(self.served, name, None, ""))  # who watches, and is nobody else
        seats[0].say(strange.frame(b'{"t":"start","id":1}'))
        for seat in seats:
            self.settle(seat)

    def close(self):
        for seats in self.tables.values():
            for seat in seats:
                seat.close()

    def next(self):
        self.number += 1
        return self.number

    def barrier(self):
        """A message that is refused for everybody, always."""
        number = self.next()
        return number, strange.frame(b'{"t":"vote","id":%d,"ply":999999,"seat":-1}' % number)

    def settle(self, seat):
        """The table and the view, when everything before is answered."""
        number, last = self.barrier()
        seat.say(strange.frame(b'{"t":"whole"}') + last)
        told = seat.until(number)
        table = next((text for text in reversed(told) if text.startswith(b'{"t":"table"')), b"{}")
        view = next((text for text in reversed(told) if text.startswith(b'{"t":"view"')), b"{}")
        seat.known = json.loads(view)
        seat.state = json.loads(table)
        seat.state.pop("watching"), seat.state.pop("chairs")  # others come and go
        return seat.state, seat.known

    def chunk(self, n):
        luck = random.Random(f"{self.seed} {n}")
        before = self.count["messages"] + self.count["requests"]
        while self.count["messages"] + self.count["requests"] < before + CHUNK:
            game = luck.choice(GAMES)
            seat = luck.choice(self.tables[game])
            way = luck.random()
            try:
                if way < 0.45:
                    self.messages(luck, seat)
                elif way < 0.6:
                    self.frames(luck, seat)
                else:
                    self.requests(luck, seat)
            except EOFError as end:  # the seat is no longer theirs
                if not str(end).startswith("4403"):
                    raise Fault(f"a line was ended: {end}") from None
                self.sit_down(game)
            if seat.state["state"] not in ("playing", "paused") or luck.random() < 0.002:
                self.sit_down(game)
        self.look_after()

    def messages(self, luck, seat):
        """Many messages at once; all that can be right are right for this moment."""
        state, known = self.settle(seat)
        moves = [move for move, _ in known.get("moves", [])] or [0, 1, 2]
        texts = [strange.message(luck, self.next(), known.get("ply", 0), moves) for _ in range(BATCH)]
        entries = self.served.figure("entries") if luck.random() < 0.1 else None
        number, last = self.barrier()
        seat.say(b"".join(map(strange.frame, texts)) + last)
        try:
            told = seat.until(number)
        except EOFError:  # one was larger than messages can be
            seat.close()
            seat.open()
            told = [b'{"t":"closed"']
        self.count["messages"] += len(texts)
        self.weigh(seat, state, known, told, entries)

    def weigh(self, seat, state, known, told, entries):
        """Has only changed what was carried out?"""
        kinds = Counter(text[6:].partition(b'"')[0].decode() for text in told)
        done = kinds["did"] + kinds["plies"] + kinds["chat"] + kinds["closed"] + (kinds["table"] > kinds["view"])
        for kind, count in kinds.items():
            self.count[kind] += count
        after = self.settle(seat)
        if not done and after != (state, known):
            raise Fault(f"something has changed though nothing was carried out: {state} {known} became {after}")
        if entries is not None and not done and (now := self.served.figure("entries")) != entries:
            raise Fault(f"there are {now - entries} entries though nothing was carried out")

    def frames(self, luck, seat):
        """Odd frames, until the line is cut or all are heard."""
        state, known = self.settle(seat)
        for _ in range(6):
            text = strange.frames(luck, strange.message(luck, self.next()))
            number, last = self.barrier()
            self.count["messages"] += 1
            try:
                seat.line.settimeout(0.05)
                seat.say(text + last)
                seat.until(number)
            except (EOFError, OSError):  # cut, or still waiting for the end of a frame
                self.count["cut"] += 1
                seat.close()
                seat.open()
            seat.line.settimeout(60)
        self.settle(seat)
        if seat.seat is None and (seat.state, seat.known) != (state, known):
            raise Fault("a watcher has changed something")

    def requests(self, luck, seat):
        """Several requests in one connection, the last of them a right one."""
        entries = self.served.figure("entries")
        sent = [strange.request(luck, self.served.base, seat.table, seat.cookie) for _ in range(TOGETHER)]
        with self.served.connect() as line:
            line.settimeout(SILENCE)
            with suppress(OSError):
                line.sendall(b"".join(sent) + LAST)
            answers = to_the_end(line)
        found = [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) [A-Z][^\r\n]*\r\n", answers)]
        self.count["requests"] += len(found)  # what came after one that was none is not heard
        for status in found:
            self.count[f"HTTP {status}"] += 1
        if any(status >= 500 for status in found):
            raise Fault(f"{answers!r} to {sent!r}")
        done = b'{"seat":' in answers or b'{"table":' in answers
        if not done and self.served.figure("entries") != entries:
            raise Fault(f"an entry was written by requests that were refused: {sent!r}")

    def look_after(self):
        if self.served.process.poll() is not None:
            raise Fault("the server has ended")
        if self.served.ask("GET", "/healthz")[0] != 200 or self.served.figure("failures"):
            raise Fault("something has failed; the log says what")
        if self.served.memory() > LARGEST:
            raise Fault(f"the server has {self.served.memory()} MB")


def run(messages, seed, kept=None, chunk=None, told=print):
    """Fuzz until so many messages and requests were sent in all, from where a file says that we were."""
    done = {"seed": seed, "chunk": 0, "count": {}}
    if kept and kept.exists():
        done = json.loads(kept.read_text())
    total = Counter(done["count"])
    with tempfile.TemporaryDirectory() as folder:
        served = Served(folder)
        began = time.monotonic()
        try:
            fuzz = Fuzz(served, done["seed"])
            sent = 0
            while sent < messages:
                n = done["chunk"] if chunk is None else chunk
                try:
                    fuzz.chunk(n)
                except Fault as fault:
                    raise Fault(f"seed {done['seed']}, chunk {n}: {str(fault)[:3000]}") from None
                done |= {"chunk": n + 1, "count": dict(total + fuzz.count)}
                if kept:
                    kept.write_text(json.dumps(done))
                sent = done["count"].get("messages", 0) + done["count"].get("requests", 0)
                if n % 25 == 0:
                    rate = (fuzz.count["messages"] + fuzz.count["requests"]) / (time.monotonic() - began)
                    told(f"{sent} sent, {rate:.0f} a second, {served.memory()} MB, {done['count']}")
                if chunk is not None:
                    break
            memory = served.memory()
            fuzz.close()
        finally:
            said = served.stop()
    if "Traceback" in said:
        at = said.index("Traceback")
        raise Fault(said[max(0, at - 500) : at + 4000].replace("\\n", "\n"))
    return done, memory


def main():
    parser = argparse.ArgumentParser(description="Send strange messages and requests.")
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--kept", type=Path)
    parser.add_argument("--chunk", type=int, help="only this one")
    parser.add_argument("--seed", type=int, default=12)
    given = parser.parse_args()
    done, memory = run(given.messages, given.seed, given.kept, given.chunk, lambda text: print(text, flush=True))
    print(f"Nothing failed and nothing changed that was refused: {done['count']}, {memory} MB in the end.")


if __name__ == "__main__":
    main()
