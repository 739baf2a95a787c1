"""Who pressed first: races at live windows of Spell Stealers over real sockets and lines that delay, with cheaters.

    python benchmarks/race.py [--races 30] [--key 100] [--at-once 32] [--simulated 20000] [--of CHECKOUT] [--main] [--quick]

Three people with round trips of 20, 80 and 200 ms (with jitter each way) press after a reaction drawn from a normal
distribution (380, 60) ms. The truly first is the one with the shortest reaction, measured where the press really happens,
however busy this machine is. Each race has a table of its own at a real server. In most one of the three cheats, each line
in turn:

    claims    says to have reacted at once
    pongs     and answers every ping 300 ms late
    late      connects only when it has seen the roll as a watcher
    acks      answers pings late, and lets its kernel hold acknowledgements back (TCP_QUICKACK off)

The gain is what was taken off the cheater's true reaction. Lines are direct, so that the kernel's figures bound what is
believed of them (`lines.py` says how), or go through a proxy, where nobody but the pings measures them, or through one that
tells the round trip that it saw when the line was opened. "First" is, of the races in which an honest one was truly first,
the share in which that one is ruled first; dead heats, which the others decide, are counted apart. Then: how well somebody
who knows all that is public can compute the reactions of bots. Printed beside it are the same races simulated with the
arbiter without any socket. `--of` measures the server of another checkout. Rolls that nobody could steal are rolled again.
A machine that is busy with something else holds up people, lines and server, which looks like jitter. So all of it runs
before everything else where that is allowed (SCHED_FIFO), and the races in which people or lines were held up by more than
8 ms nevertheless are counted.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import socket
import tempfile
import time
import urllib.request
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from lines import LATE, LOOK, Delay, Direct, proxied, way
from server import Ours
from websockets.asyncio.client import connect

from spellheist.games.spell_stealers import rules
from spellheist.server.race.arbiter import Known, Press, Times, Trips, in_order, ruling_at, scored
from spellheist.server.table.messages import changed

TRIPS, JITTERS = (20.0, 80.0, 200.0), (0.1, 0.3)
DELAYS: list[Delay] = [(trip, jitter) for jitter in JITTERS for trip in TRIPS]
MEAN, SPREAD = 380.0, 60.0
HELD = 0.3  # seconds by which a cheater answers pings late
PINGS = 1.5  # seconds in which a line is measured before the race
LONGEST = 30.0  # seconds for one race
TIMES = Times()
IDS = itertools.count(2)
LINES = ("direct", "proxy", "proxy that tells")
CHEATS = ("nobody", "claims", "pongs", "late", "acks")


@dataclass(frozen=True)
class Kind:
    """A kind of race."""

    lines: str
    jitter: float
    cheat: str


@dataclass
class Outcome:
    """One race, by line: who was truly first, who was ruled first (None: a dead heat), who arrived first; who cheated,
    and what that one gained in milliseconds (None: came after the ruling)."""

    true: int
    ruled: int | None
    arrived: int
    cheater: int | None
    gain: float | None = None
    disturbed: bool = False


def reaction(luck: random.Random) -> float:
    return max(TIMES.human + 30, luck.gauss(MEAN, SPREAD))


# Simulated.


def simulated(luck: random.Random, kind: Kind, cheater: int | None) -> Outcome:
    """The arbiter alone, with the delays drawn. The cheater claims everything and answers pings late."""
    reactions, presses, trips = [], [], []
    for line, trip in enumerate(TRIPS):
        delay, measured, cheats = (trip, kind.jitter), Trips(), line == cheater
        smooth, spread = trip, kind.jitter * trip / 2
        for n in range(12):
            once = way(luck, delay) + way(luck, delay)
            spread += (abs(once - smooth) - spread) / 4  # as kernels do
            smooth += (once - smooth) / 8
            known = Known(smooth, min(trip, once), spread) if kind.lines == "direct" else None
            measured.add(float(n), once + (1000 * HELD if cheats else 0), known)
        mine = reaction(luck)
        elapsed = way(luck, delay) + mine + way(luck, delay)
        judged = scored(elapsed, 1 if cheats else mine, measured.believed(), 300, TIMES)
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
    gain = None if cheater is None else reactions[cheater] - presses[cheater].score
    arrived = min(presses, key=lambda press: press.arrival).seat
    return Outcome(reactions.index(min(reactions)), first[0].seat if len(first) == 1 else None, arrived, cheater, gain)


# Over sockets.


class Person:
    """Somebody at a table, who answers pings, rolls when asked to, and presses after a reaction; or cheats."""

    def __init__(self, opened: Any, seat: int, luck: random.Random, cheat: str = "") -> None:
        self.socket, self.seat, self.luck, self.cheat = opened, seat, luck, cheat
        self.view: dict[str, Any] = {}
        self.ply = 0
        self.pressed: asyncio.Future[float] = asyncio.get_running_loop().create_future()  # the reaction
        self.tasks: list[asyncio.Task[Any]] = []
        self.racing = False
        self.come: Callable[[], Awaitable[Person]] | None = None  # connect to the seat, for who comes late
        self.ruling: asyncio.Future[list[dict[str, Any]]] = asyncio.get_running_loop().create_future()
        self.tied: list[int] = []  # the seats of a dead heat
        self.moves: list[Any] = []
        self.faces: dict[int, int] = {}  # at each window: the spaces that the marker is moved
        self.released: dict[int, float] = {}  # at each window: how quickly somebody else let go of the marker

    async def tell(self, kind: str, **what: Any) -> None:
        await self.socket.send(json.dumps({"t": kind, "id": next(IDS), **what}))

    async def listen(self) -> None:
        async for text in self.socket:
            shown, message = time.perf_counter(), json.loads(text)
            if self.cheat == "acks":
                connection = self.socket.transport.get_extra_info("socket")
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 0)
            if message["t"] == "ping":
                self.begin(self.pong(message["n"]))
            elif message["t"] in ("view", "plies"):
                self.ply = message["ply"]
                self.view = message["view"] if "view" in message else changed(self.view, message["change"])
                self.moves = message.get("moves", self.moves)
            elif message["t"] == "window":
                await self.window(message, shown)

    def begin(self, work: Any) -> None:
        self.tasks.append(asyncio.create_task(work))

    async def pong(self, n: int) -> None:
        if self.cheat in ("pongs", "acks"):
            await asyncio.sleep(HELD)
        await self.socket.send(json.dumps({"t": "pong", "n": n}))

    async def window(self, message: dict[str, Any], shown: float) -> None:
        rolled = self.view["phase"] == rules.WINDOW
        if "open" in message:
            self.faces[message["ply"]] = self.view["face"] if rolled else 0
        for one in message.get("ruling", []):
            if one["verdict"] == "release" and one["seat"] != self.seat:
                moved = TIMES.earliest + TIMES.space * self.faces[message["ply"]]
                self.released[message["ply"]] = one["score"] - moved
        if "vote" in message:
            self.tied = message["vote"]
            if self.seat not in message["vote"] and not self.come:
                await self.tell("vote", ply=message["ply"], seat=-1)
        elif "ruling" in message and rolled_at(message) and not self.ruling.done():
            self.ruling.set_result(message["ruling"])
        elif message.get("open") and self.racing and rolled:
            self.racing = False
            self.begin(self.press(message["ply"], shown))  # pings are answered meanwhile

    async def press(self, ply: int, shown: float) -> None:
        until = shown + reaction(self.luck) / 1000
        way_in = await self.come() if self.come else self
        await asyncio.sleep(max(0.0, until - time.perf_counter()))
        taken = 1000 * (time.perf_counter() - shown)
        move = rules.STEAL_BY + rules.DICE * self.seat + self.view["die"] - 1
        await way_in.tell("press", ply=ply, move=move, reaction=1 if self.cheat else taken)
        self.pressed.set_result(taken)


def rolled_at(message: dict[str, Any]) -> bool:
    """Is this a ruling on attempts to steal?"""
    return any(one["move"] >= rules.STEAL_BY for one in message["ruling"])


@dataclass
class Place:
    """The server, and how it is reached."""

    ours: Ours
    direct: Direct | None
    ports: list[int]  # of the proxies, by delay
    late: float = 0.0  # when this process was last held up

    async def watch(self) -> None:
        """Notice when this process is held up."""
        while True:
            before = time.monotonic()
            await asyncio.sleep(LOOK)
            if time.monotonic() - before > LOOK + LATE:
                self.late = time.monotonic()

    def disturbed(self, since: float) -> bool:
        return max(self.late, self.direct.late.value if self.direct else 0.0) > since

    def way_to(self, kind: Kind, line: int) -> tuple[str, int, dict[str, str]]:
        """The address and port of a line, and what a proxy adds."""
        which = DELAYS.index((TRIPS[line], kind.jitter))
        if kind.lines == "direct":
            assert self.direct
            return self.direct.address(which), self.ours.port, {}
        told = {"X-Round-Trip": str(int(1000 * TRIPS[line]))} if kind.lines == "proxy that tells" else {}
        return "127.0.0.1", self.ports[which], {"X-Forwarded-For": "127.0.0.1", **told}


class Table:
    """A table and those who are connected to it."""

    def __init__(self, place: Place, stack: AsyncExitStack, luck: random.Random) -> None:
        self.place, self.stack, self.luck = place, stack, luck
        self.name = self.cookie = ""

    async def make(self, chairs: list[dict[str, str]], **options: str) -> None:
        ours = self.place.ours
        body = {"game": "spell_stealers", "options": {"stealing": "live", **options}, "chairs": chairs}
        headers = {"origin": ours.base, "content-type": "application/json"}
        request = urllib.request.Request(f"{ours.base}/api/tables", json.dumps(body).encode(), headers)
        with await asyncio.to_thread(urllib.request.urlopen, request) as answer:
            self.cookie, self.name = answer.headers["set-cookie"].partition(";")[0], json.load(answer)["table"]

    async def sit(self, seat: int, way_in: tuple[str, int, dict[str, str]] | None = None, cheat: str = "",
                  watch: bool = False) -> Person:  # fmt: skip
        ours = self.place.ours
        host, port, more = way_in or ("127.0.0.1", ours.port, {})
        asked = {"Origin": ours.base, "Cookie": self.cookie, **more}
        where = f"ws://127.0.0.1:{ours.port}/ws/{self.name}" + ("" if watch else f"?seat={seat}")
        opened = connect(where, host=host, port=port, additional_headers=asked, compression=None, close_timeout=1)
        person = Person(await self.stack.enter_async_context(opened), seat, self.luck, cheat)
        person.begin(person.listen())
        self.stack.callback(lambda: [task.cancel() for task in person.tasks])
        return person

    async def racer(self, seat: int, line: int, kind: Kind, cheats: bool) -> Person:
        way_in, cheat = self.place.way_to(kind, line), kind.cheat if cheats else ""
        late = cheat == "late"
        person = await self.sit(seat, way_in, cheat, watch=late)
        if late:
            person.come = lambda: self.sit(seat, way_in, cheat)
        return person


async def one_race(place: Place, kind: Kind, cheater: int | None, luck: random.Random) -> Outcome | None:
    """A table of four: the one who begins rolls, the others race to steal. None if the roll brings nothing."""
    async with AsyncExitStack() as stack:
        table = Table(place, stack, luck)
        await table.make([{"kind": "me", "name": name} for name in ("Ann", "Bob", "Cy", "Di")], success_faces="7,0,1")
        host = await table.sit(0)
        await host.tell("start")
        while "current" not in host.view or host.view["phase"] == rules.START:
            await asyncio.sleep(0.02)
        current = host.view["current"]
        roller = host if current == 0 else await table.sit(current)
        seats = [s for s in range(4) if s != current]
        racers = [await table.racer(seat, line, kind, line == cheater) for line, seat in enumerate(seats)]
        await asyncio.sleep(PINGS)
        for racer in racers:
            racer.racing = True
        ply, began = roller.ply, time.monotonic()
        await roller.tell("press", ply=ply, move=rules.ROLL, reaction=None)  # the pyramid, whose numbers are all green
        while roller.ply == ply:
            await asyncio.sleep(0.01)
        if roller.view["phase"] != rules.WINDOW:
            return None
        verdicts = await roller.ruling
        reactions = [await racer.pressed for racer in racers]
        line = {seat: n for n, seat in enumerate(seats)}
        thieves = {line[one["seat"]]: one for one in verdicts if one["seat"] in line}
        arrived = min(thieves, key=lambda n: thieves[n]["score"] + thieves[n]["lag"])
        first = min(thieves, key=lambda n: thieves[n]["score"])
        gain = reactions[cheater] - thieves[cheater]["score"] if cheater is not None and cheater in thieves else None
        tied = seats[first] in roller.tied
        disturbed = place.disturbed(began)
        return Outcome(reactions.index(min(reactions)), None if tied else first, arrived, cheater, gain, disturbed)


async def over_sockets(place: Place, plan: list[Kind], at_once: int, luck: random.Random) -> tuple[Any, int]:
    """All races of a plan, mixed, some at the same time; and how many did not end."""
    found: dict[Kind, list[Outcome]] = {kind: [] for kind in plan}
    unfinished = 0
    todo = [(kind, n % len(TRIPS) if kind.cheat != "nobody" else None) for n, kind in enumerate(plan)]
    luck.shuffle(todo)

    async def run() -> None:
        nonlocal unfinished
        while todo:
            kind, cheater = todo.pop()
            try:
                ended = await asyncio.wait_for(one_race(place, kind, cheater, luck), LONGEST)
            except TimeoutError:
                unfinished += 1
                continue
            if ended:
                found[kind].append(ended)
            else:
                todo.append((kind, cheater))

    watching = asyncio.create_task(place.watch())
    await asyncio.gather(*(run() for _ in range(at_once)))
    watching.cancel()
    return found, unfinished


async def predicted(place: Place, count: int, luck: random.Random) -> list[float]:
    """By how much the reactions of a bot differ from what its table's name and the ply, which everybody knows, give."""
    async with AsyncExitStack() as stack:
        table = Table(place, stack, luck)
        await table.make([{"kind": "me", "name": "Ann"}, {"kind": "bot", "level": "random"}])
        ann = await table.sit(0)
        await ann.tell("start")
        answered, end = -1, time.monotonic() + LONGEST
        while len(ann.released) < count and time.monotonic() < end:
            await asyncio.sleep(0.005)
            mine = [move for move, _ in ann.moves if move < rules.STEAL_BY]
            if mine and ann.ply > answered:
                answered = ann.ply
                await ann.tell("press", ply=answered, move=mine[-1], reaction=None)
        guesses = {ply: random.Random(f"{table.name}/{ply}").gauss(MEAN, SPREAD) for ply in ann.released}
        return [taken - max(TIMES.human + 60, guesses[ply]) for ply, taken in ann.released.items()]


# What came out.


def row(kind: Kind, outcomes: list[Outcome]) -> str:
    """The figures of some races as a line of the table."""
    clear = [one for one in outcomes if one.ruled is not None]
    honest = [one for one in clear if one.true != one.cheater]
    right = sum(one.true == one.ruled for one in honest)
    arrived = sum(one.true == one.arrived for one in outcomes)
    gains = [one.gain for one in outcomes if one.gain is not None]
    by_line = [mean(found) if found else float("nan") for found in (
        [one.gain for one in outcomes if one.gain is not None and one.cheater == line] for line in range(len(TRIPS))
    )]  # fmt: skip
    gain = f"{mean(gains):6.1f} ({', '.join(f'{one:.0f}' for one in by_line)})" if gains else "     -"
    return (
        f"{kind.lines:17}{kind.jitter:6.0%}  {kind.cheat:8}{len(outcomes):6}  {gain:24}"
        f"{share(right, len(honest)):24}{share(len(outcomes) - len(clear), len(outcomes)):24}{arrived / len(outcomes):6.2f}"
    )


def share(part: int, whole: int) -> str:
    return f"{part} of {whole} = {part / max(1, whole):.3f}"


HEAD = f"{'lines':17}jitter  {'cheat':8} races  {'gain ms (by line)':24}{'first':24}{'dead heats':24}by arrival"


def show_simulated(races: int, luck: random.Random) -> None:
    print(f"simulated\n{HEAD}", flush=True)
    for lines, jitter, cheat in itertools.product(LINES[:2], JITTERS, ("nobody", "pongs")):
        kind = Kind(lines, jitter, cheat)
        cheaters = [n % len(TRIPS) if cheat == "pongs" else None for n in range(races)]
        print(row(kind, [simulated(luck, kind, cheater) for cheater in cheaters]), flush=True)


def planned(direct: bool, races: int, key: int, main: bool) -> list[Kind]:
    """Every kind of race so many times; those with most to show more often."""
    plan: list[Kind] = []
    for lines, jitter, cheat in itertools.product(LINES if direct else LINES[1:], JITTERS, CHEATS):
        if (cheat == "acks" and lines != "direct") or (lines == LINES[2] and cheat not in ("nobody", "pongs")):
            continue
        if main and (jitter != JITTERS[0] or lines == LINES[2] or (direct and lines != LINES[0])):
            continue
        often = cheat == "nobody" or (lines == "direct" and jitter == JITTERS[0] and cheat in ("claims", "pongs"))
        plan += [Kind(lines, jitter, cheat)] * (key if often and lines != LINES[2] else races)
    return plan


async def measure(asked: argparse.Namespace, direct: Direct | None, luck: random.Random) -> None:
    with tempfile.TemporaryDirectory() as folder:
        ours = Ours(Path(folder), source=asked.of, host="0.0.0.0" if direct else "127.0.0.1")
        try:
            await ours.ready()
            proxies = [await proxied(ours.port, delay, luck) for delay in DELAYS]
            place = Place(ours, direct, [proxy.sockets[0].getsockname()[1] for proxy in proxies])
            plan = planned(direct is not None, asked.races, asked.key, asked.main)
            found, unfinished = await over_sockets(place, plan, asked.at_once, luck)
            print(f"over sockets\n{HEAD}")
            for kind, outcomes in found.items():
                if outcomes:
                    print(row(kind, outcomes))
            disturbed = sum(one.disturbed for outcomes in found.values() for one in outcomes)
            print(f"besides: {unfinished} races that did not end; {disturbed} of {len(plan)} disturbed by a busy machine")
            tables = (predicted(place, asked.bots, luck) for _ in range(4))
            errors = [error for some in await asyncio.gather(*tables) for error in some]
            print(f"bots: {len(errors)} reactions, from what is public known to within {mean(map(abs, errors)):.0f} ms "
                  f"in the mean; whoever says {MEAN:.0f} each time is as near as {SPREAD * 0.8:.0f} ms")  # fmt: skip
        finally:
            ours.process.terminate()
            ours.process.wait(30)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure who wins races at live windows.")
    parser.add_argument("--races", type=int, default=30, help="of each kind")
    parser.add_argument("--key", type=int, default=100, help="of those with most to show")
    parser.add_argument("--at-once", type=int, default=32, help="tables at the same time")
    parser.add_argument("--simulated", type=int, default=20_000)
    parser.add_argument("--bots", type=int, default=8, help="reactions of a bot at each of four tables")
    parser.add_argument("--of", type=Path, default=Path(__file__).parents[1], help="a checkout whose server is measured")
    parser.add_argument("--main", action="store_true", help="only the main kinds: direct lines, 10 %% jitter")
    parser.add_argument("--quick", action="store_true", help="a race of each of these")
    asked = parser.parse_args()
    if asked.quick:
        asked.races = asked.key = asked.bots = asked.main = 1
        asked.simulated = 300
    luck = random.Random(1)
    show_simulated(asked.simulated, luck)
    with suppress(OSError, AttributeError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    os.environ.setdefault("SPELLHEIST_KERNEL", "plain")  # so that nothing is compiled beside the races
    try:
        direct = Direct(DELAYS)
    except OSError as error:
        direct = None
        print(f"direct lines cannot be made here ({error}): what follows goes through proxies")
    asyncio.run(measure(asked, direct, luck))
    if direct:
        direct.close()


if __name__ == "__main__":
    main()
