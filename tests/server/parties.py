"""Parties: people who make a table, sit down, play, talk, leave, come back, and ask for another game."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from crowd import ANYONE, Evening, Page, Person, promise_of

KINDS: list[tuple[str, int, dict[str, Any]]] = [
    ("dice_heist", 5, {"turn_limit": 40}), ("dice_heist", 3, {"turn_limit": 25, "targeted_raid": True}),
    ("abraca_what", 5, {}), ("abraca_what", 3, {"easy": True}),
    ("mages_dice", 3, {"turn_limit": 60, "target": 4}),
    ("spell_stealers", 6, {"stealing": "polite", "turn_limit": 20}),
    ("spell_stealers", 4, {"stealing": "race", "turn_limit": 20}),
    ("spell_stealers", 4, {"stealing": "live", "turn_limit": 12}),
    ("spell_stealers", 3, {"stealing": "live", "turn_limit": 8}),
    ("spellcaster", 4, {}), ("spellcaster", 2, {"may_stop": True}),
]  # fmt: skip  # the most seats, and options
MOST = 120  # moves of a party before it goes home; it comes back when the storm is over
AFTER = 12  # moves that every table that is not over must still make then
STUCK = 60.0  # seconds after the storm in which nothing happens at a table that waits for nobody
LONG = 30.0  # seconds of silence that are worth a look
ENDED = ("over", "closed", "frozen")


class Crowd:
    """All parties of a storm."""

    def __init__(self, port: int, seed: int) -> None:
        self.keys: dict[str, tuple[Person, int]] = {}  # of each table: somebody who sits there
        self.port, self.seed = port, seed
        self.calm = asyncio.Event()
        self.parties: dict[Party, asyncio.Task[None]] = {}
        self.ending = False  # no party begins
        self.evenings: list[Evening] = []
        self.answers: list[tuple[float, str]] = []  # of moves and presses: when, and at which table
        self.counts: Counter[str] = Counter()
        self.failures: Counter[str] = Counter()  # answers that no page should get

    async def keep(self, tables: int) -> None:
        """So many tables at once; parties follow each other until there shall be no more. Returns when all have ended."""
        await asyncio.gather(*(self.follow(place, tables) for place in range(tables)))

    async def follow(self, place: int, tables: int) -> None:
        left: list[asyncio.Task[None]] = []
        number = place
        while not self.ending:
            party = Party(self, random.Random(f"{self.seed}/{number}"), number)
            while party is not None:
                await self.watched(party, party.run())
                if party.left:
                    left.append(asyncio.create_task(self.watched(party, party.come_back())))
                party = party.next
            number += tables
        await asyncio.gather(*left)

    async def watched(self, party: Party, evening: Coroutine[Any, Any, None]) -> None:
        """Wait for a party, unless it is given up."""
        task = self.parties[party] = asyncio.create_task(evening)
        try:
            await asyncio.wait([task])
        finally:
            task.cancel()
            del self.parties[party]
        if not task.cancelled():
            task.result()

    def give_up(self) -> None:
        """Whoever is still there is stuck."""
        for party, task in list(self.parties.items()):
            if party.evening:
                party.evening.stuck = f"it does not end. {where(task)}: {party.described()}"
            task.cancel()

    def failed(self, what: str) -> None:
        self.failures[what] += 1


def where(task: asyncio.Task[None]) -> str:
    """What a task is waiting for."""
    coroutine, names = task.get_coro(), []
    while getattr(coroutine, "cr_frame", None):
        names.append(f"{coroutine.cr_code.co_name} {coroutine.cr_frame.f_lineno}")
        coroutine = coroutine.cr_await
    return ", ".join(names)


class Party:
    """One table and its people."""

    def __init__(self, crowd: Crowd, luck: random.Random, number: int) -> None:
        self.crowd, self.luck = crowd, luck
        self.kind = KINDS[number % len(KINDS)]
        self.clock = luck.randint(5, 7) if luck.random() < 0.25 else 0
        self.pages: list[Page] = []
        self.watchers: list[Page] = []
        self.evening: Evening | None = None
        self.next: Party | None = None
        self.left = False  # went home in the middle of the game
        self.count = 0  # answered moves
        self.cast: list[tuple[Person, int]] = []  # who sits where
        self.table = ""
        self.before: dict[int | None, str] | None = None  # who was sent away at the table of which this is a rematch

    # Making a table.

    async def run(self) -> None:
        if not self.table:
            await self.make()
        self.begin()
        await self.gather()
        await self.play(MOST)
        await self.finish()

    async def make(self) -> None:
        game, most, options = self.kind
        luck, host = self.luck, Person(self.crowd.port)
        seats = luck.randint(2, most)
        others = [luck.choice(["open", "open", "me", "random", "greedy"]) for _ in range(seats - 1)]
        kinds = ["me", *others] if luck.random() < 0.9 else ["me", *["greedy"] * (seats - 1)]
        chairs = [{"kind": kind} if kind in ("me", "open") else {"kind": "bot", "level": kind} for kind in kinds]
        for seat, chair in enumerate(chairs):
            if chair["kind"] == "me" and luck.random() < 0.8:
                chair["promise"] = promise_of(seat)
        asked = {
            "game": game, "name": "Ann", "chairs": chairs, "options": options, "listed": luck.random() < 0.5,
            "hints": luck.random() < 0.3, "leavers": luck.choice(["bot", "wait"]), "watchers": luck.random() < 0.8,
        }  # fmt: skip
        if self.clock:
            asked["clock"] = {"kind": "move", "seconds": self.clock}
        status = 0
        while status != 200:  # also while nothing can be written
            status, text = await host.sure("POST", "/api/tables", asked, self.crowd.failed)
            assert status == 200 or "try again" in text, text
        self.table = json.loads(text)["table"]
        self.cast = [(host, seat) for seat, kind in enumerate(kinds) if kind == "me"]
        if asked["watchers"] and luck.random() < 0.3:
            self.watchers = [self.page(Person(self.crowd.port), None)]

    def page(self, person: Person, seat: int | None) -> Page:
        return Page(person, self.table, seat, self.answered)

    def begin(self) -> None:
        self.evening = Evening(self.table, self.kind[0], self.clock)
        self.crowd.evenings.append(self.evening)
        self.crowd.keys[self.table] = self.cast[0]
        self.pages = [self.page(person, seat) for person, seat in self.cast]
        for page in (*self.pages, *self.watchers):
            self.open(page)

    def open(self, page: Page) -> None:
        assert self.evening
        self.evening.histories.append(page.history)
        page.start()

    async def gather(self) -> None:
        """Whoever comes takes an open seat."""
        first = self.pages[0]
        while not first.table and not first.removed:
            await asyncio.sleep(0.02)
        for seat, chair in enumerate(first.table.get("chairs", [])):
            if chair["kind"] == "open":
                person, body = Person(self.crowd.port), {"seat": seat, "name": f"Guest {seat}", "promise": promise_of(seat)}
                await self.sit_down(person, body)
                page = self.page(person, seat)
                self.cast.append((person, seat))
                self.pages.append(page)
                self.open(page)

    async def sit_down(self, person: Person, body: dict[str, Any]) -> None:
        for _ in range(100):
            status, text = await person.sure("POST", f"/api/tables/{self.table}/sit", body, self.crowd.failed)
            if status == 200:
                return
            await asyncio.sleep(0.2)  # the journal cannot be written just now
        raise AssertionError(text)

    def answered(self, kind: str, at: float) -> None:
        self.crowd.counts[kind] += 1
        if kind in ("move", "press"):
            self.count += 1
            self.crowd.answers.append((at, self.table))

    # Playing.

    @property
    def state(self) -> str:
        here = [page for page in self.pages if not page.removed]
        return next((page.table["state"] for page in here if page.table), "" if here else "closed")

    async def play(self, most: int) -> None:
        """Until the game has ended or so many moves are made."""
        assert self.evening
        acting = [asyncio.create_task(self.act(page)) for page in self.pages]
        bound, began = self.count + most, time.monotonic()
        calm_at = 0.0
        while self.state not in ENDED and self.count < bound:
            await asyncio.sleep(0.1)
            now = time.monotonic()
            quiet = now - max(began, *(page.moved for page in self.pages))
            if quiet > max(self.evening.waited, LONG):
                self.evening.silence = self.described()
            self.evening.waited = max(self.evening.waited, quiet)
            if self.crowd.calm.is_set():
                calm_at = calm_at or now
                bound = min(bound, self.count + AFTER) if calm_at == now else bound
                if min(quiet, now - calm_at) > STUCK:
                    self.evening.stuck = self.described()
                    break
            if any(task.done() and not task.cancelled() and task.exception() for task in acting):
                break
        for task in acting:
            task.cancel()
        for ended in await asyncio.gather(*acting, return_exceptions=True):
            if isinstance(ended, Exception):
                raise ended

    def described(self) -> str:
        """Where a table stands that does not go on."""
        page = next((page for page in self.pages if page.table and not page.removed), self.pages[0])
        chairs = [f"{c['kind']}{' ' + c['level'] if c['level'] else ''}{' away' if c['away'] else ''}" for c in
                  page.table.get("chairs", [])]  # fmt: skip
        removed = {page.seat: page.removed for page in self.pages if page.removed}
        waits = {key: page.table.get(key) for key in ("undo", "proposal") if page.table.get(key)}
        lines = [page.seat for page in self.pages if page.ws is not None]
        pending = {page.seat: [page.history.sent[n].kind for n in page.pending] for page in self.pages if page.pending}
        said = {page.seat: list(page.history.answers.values())[-1][-1][1:] for page in self.pages if page.history.answers}
        return (
            f"{self.kind[2]}: {self.state or 'no line'} at ply {page.ply}, asked {page.asked}, chairs {chairs}, "
            f"lines of {lines}, rematch of {self.before}, removed {removed}, clock {self.clock}, {waits}, "
            f"not answered {pending}, answered last {said}"
        )

    async def finish(self) -> None:
        """Take the record of a game that has ended; perhaps play another."""
        assert self.evening
        state, luck = self.state, self.luck
        if state in ("over", "closed"):
            someone = self.pages[0].person
            status, text = await someone.sure("GET", f"/api/tables/{self.table}/record?seat=0", None, self.crowd.failed)
            self.evening.record = text if status == 200 else f"{status} {text}"
            asker = next((page for page in self.pages if not page.removed), None)
            if state == "over" and asker and not self.crowd.ending and luck.random() < 0.3:
                await self.again(asker)
        elif state not in ENDED and not self.evening.stuck:
            self.left = not self.crowd.calm.is_set()
        for page in (*self.pages, *self.watchers):
            await page.stop()

    async def again(self, asker: Page) -> None:
        """A rematch: the same people at another table."""
        answer = await asker.sure("rematch")
        end = time.monotonic() + 20
        while answer["t"] == "did" and not asker.table.get("rematch") and time.monotonic() < end:
            await asyncio.sleep(0.02)
        if asker.table.get("rematch"):
            self.next = Party(self.crowd, self.luck, 0)
            self.next.kind, self.next.clock, self.next.table = self.kind, self.clock, asker.table["rematch"]
            self.next.before = {page.seat: page.removed for page in self.pages if page.removed}
            order = sorted(self.pages, key=lambda page: page is not asker)
            self.next.cast = [(page.person, page.seat) for page in order if not page.removed and page.seat is not None]

    async def come_back(self) -> None:
        """After the storm: everybody plays on."""
        await self.crowd.calm.wait()
        for page in self.pages:
            page.moved = time.monotonic()
            page.forget()
            page.start()
        await self.play(AFTER)
        await self.finish()

    # What one of them does.

    async def act(self, page: Page) -> None:
        while not page.removed:
            page.changed.clear()
            if not await self.turn(page):
                with suppress(TimeoutError):
                    async with asyncio.timeout(0.5):
                        await page.changed.wait()

    async def turn(self, page: Page) -> bool:
        """Do what is to be done from this seat; was there anything?"""
        table = page.table
        if not table or page.ws is None:
            return False
        state = table["state"]
        if state == "gathering":
            return await self.ask_start(page)
        for wish in (table.get("undo"), table.get("proposal")):
            asked = wish and (page.ply, wish.get("what"), wish["by"])
            if asked and page.seat in wish["waits_for"] and state in ("playing", "paused") and page.heeded != asked:
                page.heeded = asked
                return await self.say(page, "agree", yes=self.luck.random() < 0.7)
        if state == "paused" and table["host"]:
            await asyncio.sleep(self.luck.uniform(0.1, 1))
            return await self.say(page, "pause", on=False)
        if state != "playing" or page.over:
            return False
        if table["chairs"][page.seat]["away"]:
            return await self.return_to(page)
        if page.vote and page.vote[0] == page.ply and page.seat not in page.vote[1]:
            ply, seats = page.vote
            page.vote = None
            return await self.say(page, "vote", ply=ply, seat=self.luck.choice([*seats, -1]))
        if not page.moves or page.seat not in page.asked or page.skipped == page.ply:
            return False
        if page.field("turn") == ANYONE:
            return await self.press(page)
        return await self.decide(page)

    async def say(self, page: Page, kind: str, **what: Any) -> bool:
        """Send something; a refusal makes this page wait a moment."""
        answer = await page.sure(kind, **what)
        if answer["t"] == "refused":
            await asyncio.sleep(0.1)
        return True

    async def ask_start(self, page: Page) -> bool:
        if not page.table["host"] or any(chair["kind"] == "open" for chair in page.table["chairs"]):
            return False
        return await self.say(page, "start")

    async def return_to(self, page: Page) -> bool:
        """A bot plays here: take the seat back after a while."""
        await asyncio.sleep(self.luck.uniform(0.3, 2))
        body = {"seat": page.seat, "name": "Back"}
        status, _ = await page.person.sure("POST", f"/api/tables/{self.table}/sit", body, self.crowd.failed)
        if status != 200:  # given up for good
            await asyncio.sleep(2)
        return True

    async def press(self, page: Page) -> bool:
        """Where anyone may move: whoever's turn it is goes on, the others sometimes try their luck."""
        ply, luck = page.ply, self.luck
        own = page.seat == page.field("current")
        if not own and luck.random() > 0.15:
            page.skipped = ply
            return False
        wait = luck.uniform(0.13, 0.5)
        await asyncio.sleep(wait)
        if page.ply != ply or not page.moves:
            return True
        answer = await page.sure("press", ply=ply, move=luck.choice(page.moves), reaction=round(1000 * wait))
        if not own:
            page.skipped = ply
        elif page.ply == ply:
            await asyncio.sleep(1 if answer["t"] == "did" else 0.2)
        return True

    async def decide(self, page: Page) -> bool:
        """A turn of this seat alone: a move, and sometimes something else first."""
        luck, ply = self.luck, page.ply
        chance = luck.random()
        if self.clock and chance < 0.06:
            page.skipped = ply
            page.history.dozed.append((time.monotonic(), ply or 0))
            return False
        if chance > 0.86:
            await self.aside(page, chance)
        if page.ply != ply or not page.moves or page.removed:
            return True
        await self.say(page, "move", ply=ply, move=luck.choice(page.moves))
        if luck.random() < 0.03 and page.ply is not None and not page.over:
            await self.say(page, "undo", ply=page.ply)
        return True

    async def aside(self, page: Page, chance: float) -> None:
        table = page.table
        others = [other.seat for other in self.pages if other.person is not page.person and not other.removed]
        if chance < 0.93:
            await self.say(page, "chat", text=f"{self.luck.choice(['Well', 'Hm', 'So'])} {self.luck.randint(1, 10**9)}")
        elif chance < 0.945 and table["hints"]:
            await self.say(page, "hint", ply=page.ply)
        elif chance < 0.955:
            await page.person.sure("POST", f"/api/tables/{self.table}/rise", {"seat": page.seat}, self.crowd.failed)
        elif chance < 0.965 and table["host"]:
            await self.say(page, "pause", on=True)
        elif chance < 0.97 and table["host"] and others:
            await self.say(page, "kick", seat=self.luck.choice(others))
        elif chance < 0.973 and len(others) > 1:
            await self.say(page, "resign")
        elif chance < 0.975 and table["host"]:
            await self.say(page, "close")
        elif chance > 0.98:
            await page.tell('{"t": "whole"}')
