"""Who pressed first: races at live windows of Spell Stealers, over real sockets through lines that delay.

    python benchmarks/race.py [--races 150] [--at-once 12] [--simulated 20000]

Three people with round trips of 20, 80 and 200 ms (10 % jitter each way) press after a reaction drawn from a normal
distribution (380, 60) ms. The truly first is the one with the shortest reaction, measured where the press really happens,
however busy this machine is. Each race has a table of its own at a real server; a proxy in this process delays each line.
Printed beside it: who would be first by arrival alone, and the same races simulated with the arbiter without any socket.
Dead heats, which the others decide, are counted apart; so are rolls that nobody could steal, which are rolled again at
another table, and races that did not end.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import tempfile
import time
import urllib.request
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from server import Ours
from websockets.asyncio.client import connect

from spellheist.games.spell_stealers import rules
from spellheist.server.window import Press, Times, Trips, in_order, ruling_at, scored
from spellheist.server.wire import changed

TRIPS, JITTER = (20.0, 80.0, 200.0), 0.1
MEAN, SPREAD = 380.0, 60.0
PINGS = 1.5  # seconds in which a line is measured before the race
LONGEST = 30.0  # seconds for one race
TIMES = Times()
IDS = itertools.count(2)


@dataclass
class Outcome:
    """One race, by line: who was truly first, who was ruled first (None: a dead heat), who arrived first, and by how
    many milliseconds the truly first was quicker than the next."""

    true: int
    ruled: int | None
    arrived: int
    ahead: float


@dataclass
class Races:
    """All that was begun."""

    outcomes: list[Outcome]
    missed: int = 0  # rolls without a match: nobody can steal
    unfinished: int = 0


def reaction(luck: random.Random) -> float:
    return max(TIMES.human + 30, luck.gauss(MEAN, SPREAD))


def way(luck: random.Random, trip: float) -> float:
    """One way over a line, in milliseconds."""
    return max(0.5, luck.gauss(trip / 2, JITTER * trip / 2))


# Simulated.


def simulated(luck: random.Random) -> Outcome:
    """The arbiter alone, with the delays drawn."""
    reactions, presses, trips = [], [], []
    for line, trip in enumerate(TRIPS):
        measured = Trips()
        for n in range(20):
            measured.add(float(n), way(luck, trip) + way(luck, trip))
        mine = reaction(luck)
        elapsed = way(luck, trip) + mine + way(luck, trip)
        judged = scored(elapsed, mine, measured.quantile(0.9), 300, TIMES.bucket_first, TIMES)
        reactions.append(mine)
        trips.append(measured.quantile(0.95))
        presses.append(Press(line, 0, elapsed, judged.score))
    came: list[Press] = []
    for press in sorted(presses, key=lambda press: press.arrival):
        out = [trips[line] for line in range(len(TRIPS)) if line not in {p.seat for p in came}]
        if came and ruling_at(came, out, TIMES) < press.arrival:
            break
        came.append(press)
    first = in_order(came, TIMES)[0]
    ruled = first[0].seat if len(first) == 1 else None
    return outcome(reactions, ruled, min(presses, key=lambda press: press.arrival).seat)


def outcome(reactions: list[float], ruled: int | None, arrived: int) -> Outcome:
    best, second = sorted(reactions)[:2]
    return Outcome(reactions.index(best), ruled, arrived, second - best)


# Over sockets.


async def delayed(port: int, trip: float, luck: random.Random) -> asyncio.Server:
    """A proxy to a port that makes every piece of data wait, and keeps their order."""

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        waiting: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def forward() -> None:
            while True:
                due, data = await waiting.get()
                await asyncio.sleep(max(0.0, due - time.monotonic()))
                writer.write(data)

        forwarding = asyncio.create_task(forward())
        try:
            while data := await reader.read(65536):
                waiting.put_nowait((time.monotonic() + way(luck, trip) / 1000, data))
        except ConnectionError:
            pass
        finally:
            forwarding.cancel()
            writer.close()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        onward, back = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(pump(reader, back), pump(onward, writer), return_exceptions=True)

    return await asyncio.start_server(accept, "127.0.0.1", 0)


class Person:
    """Somebody at a table, who answers pings, rolls when asked to, and presses after a reaction."""

    def __init__(self, socket: Any, seat: int) -> None:
        self.socket, self.seat = socket, seat
        self.view: dict[str, Any] = {}
        self.ply = 0
        self.pressed: asyncio.Future[float] = asyncio.get_running_loop().create_future()  # the reaction
        self.pressing: asyncio.Task[None] | None = None
        self.racing = False
        self.ruling: asyncio.Future[list[dict[str, Any]]] = asyncio.get_running_loop().create_future()
        self.tied: list[int] = []  # the seats of a dead heat

    async def tell(self, kind: str, **what: Any) -> None:
        await self.socket.send(json.dumps({"t": kind, "id": next(IDS), **what}))

    async def listen(self, luck: random.Random) -> None:
        async for text in self.socket:
            shown, message = time.perf_counter(), json.loads(text)
            if message["t"] == "ping":
                await self.socket.send(json.dumps({"t": "pong", "n": message["n"]}))
            elif message["t"] in ("view", "plies"):
                self.ply = message["ply"]
                self.view = message["view"] if "view" in message else changed(self.view, message["change"])
            elif message["t"] == "window":
                await self.window(message, shown, luck)

    async def window(self, message: dict[str, Any], shown: float, luck: random.Random) -> None:
        rolled = self.view["phase"] == rules.WINDOW
        if "vote" in message:
            self.tied = message["vote"]
            if self.seat not in message["vote"]:
                await self.tell("vote", ply=message["ply"], seat=-1)
        elif "ruling" in message and rolled_at(message) and not self.ruling.done():
            self.ruling.set_result(message["ruling"])
        elif message.get("open") and self.racing and rolled and not self.pressing:
            self.pressing = asyncio.create_task(self.press(message["ply"], shown, luck))  # pings are answered meanwhile

    async def press(self, ply: int, shown: float, luck: random.Random) -> None:
        await asyncio.sleep(reaction(luck) / 1000)
        taken = 1000 * (time.perf_counter() - shown)
        move = rules.STEAL_BY + rules.DICE * self.seat + self.view["die"] - 1
        await self.tell("press", ply=ply, move=move, reaction=taken)
        self.pressed.set_result(taken)


def rolled_at(message: dict[str, Any]) -> bool:
    """Is this a ruling on attempts to steal?"""
    return any(one["move"] >= rules.STEAL_BY for one in message["ruling"])


async def one_race(ours: Ours, ports: list[int], luck: random.Random) -> Outcome | None:
    """A table of four: the one who begins rolls, the others race to steal. None if the roll brings nothing."""
    body = {"game": "spell_stealers", "options": {"stealing": "live", "success_faces": "7,0,1"},
            "chairs": [{"kind": "me", "name": name} for name in ("Ann", "Bob", "Cy", "Di")]}  # fmt: skip
    headers = {"origin": ours.base, "content-type": "application/json"}
    request = urllib.request.Request(f"{ours.base}/api/tables", json.dumps(body).encode(), headers)
    with await asyncio.to_thread(urllib.request.urlopen, request) as answer:
        cookie, table = answer.headers["set-cookie"].partition(";")[0], json.load(answer)["table"]
    async with AsyncExitStack() as stack:

        async def sit(port: int, seat: int) -> Person:
            # As behind any proxy, the server's own figures of the connection are not those of the whole line.
            asked = {"Origin": ours.base, "Cookie": cookie, "X-Forwarded-For": "127.0.0.1"}
            opened = connect(f"ws://127.0.0.1:{port}/ws/{table}?seat={seat}", additional_headers=asked, compression=None)
            person = Person(await stack.enter_async_context(opened), seat)
            listening = asyncio.create_task(person.listen(luck))
            stack.callback(listening.cancel)
            return person

        host = await sit(ours.port, 0)
        await host.tell("start")
        while "current" not in host.view or host.view["phase"] == rules.START:
            await asyncio.sleep(0.02)
        current = host.view["current"]
        roller = host if current == 0 else await sit(ours.port, current)
        racers = [await sit(port, seat) for port, seat in zip(ports, [s for s in range(4) if s != current], strict=True)]
        await asyncio.sleep(PINGS)
        for racer in racers:
            racer.racing = True
        ply = roller.ply
        await roller.tell("press", ply=ply, move=rules.ROLL, reaction=None)  # the pyramid, whose numbers are all green
        while roller.ply == ply:
            await asyncio.sleep(0.01)
        if roller.view["phase"] != rules.WINDOW:
            return None
        verdicts = await roller.ruling
        reactions = [await racer.pressed for racer in racers]
        line = {racer.seat: n for n, racer in enumerate(racers)}
        thieves = [one for one in verdicts if one["seat"] in line]
        arrived = min(thieves, key=lambda one: one["score"] + one["lag"])
        first = min(thieves, key=lambda one: one["score"])["seat"]
        return outcome(reactions, None if first in roller.tied else line[first], line[arrived["seat"]])


async def over_sockets(races: int, at_once: int, luck: random.Random) -> Races:
    found = Races([])
    with tempfile.TemporaryDirectory() as folder:
        ours = Ours(Path(folder), game="spell_stealers")
        try:
            await ours.ready()
            proxies = [await delayed(ours.port, trip, luck) for trip in TRIPS]
            ports = [proxy.sockets[0].getsockname()[1] for proxy in proxies]

            async def run() -> None:
                while len(found.outcomes) + found.unfinished < races:
                    try:
                        ended = await asyncio.wait_for(one_race(ours, ports, luck), LONGEST)
                    except TimeoutError:
                        found.unfinished += 1
                        continue
                    if ended:
                        found.outcomes.append(ended)
                    else:
                        found.missed += 1

            await asyncio.gather(*(run() for _ in range(at_once)))
        finally:
            ours.process.terminate()
            ours.process.wait(30)
    return found


def shares(title: str, outcomes: list[Outcome]) -> str:
    """The figures of some races as a line."""
    clear = [one for one in outcomes if one.ruled is not None]
    right = sum(one.true == one.ruled for one in clear)
    arrived = sum(one.true == one.arrived for one in outcomes)
    heats = len(outcomes) - len(clear)
    close = sum(one.ahead <= TIMES.dead_heat for one in outcomes)
    return (
        f"{title:12} {len(outcomes)} races: the truly first wins {share(right, len(clear))}, "
        f"dead heats {share(heats, len(outcomes))} (truly within {TIMES.dead_heat:.0f} ms: {close}); "
        f"by arrival {share(arrived, len(outcomes))}"
    )


def share(part: int, whole: int) -> str:
    return f"{part} of {whole} = {part / max(1, whole):.4f}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure who wins races at live windows.")
    parser.add_argument("--races", type=int, default=150)
    parser.add_argument("--at-once", type=int, default=12, help="tables at the same time")
    parser.add_argument("--simulated", type=int, default=20_000)
    asked = parser.parse_args()
    luck = random.Random(1)
    print(shares("simulated", [simulated(luck) for _ in range(asked.simulated)]), flush=True)
    os.environ.setdefault("SPELLHEIST_KERNEL", "plain")  # so that nothing is compiled beside the races
    found = asyncio.run(over_sockets(asked.races, asked.at_once, luck))
    print(shares("over sockets", found.outcomes))
    print(f"             besides: {found.missed} rolls that nobody could steal, {found.unfinished} races that did not end")


if __name__ == "__main__":
    main()
