"""People: to whom a browser belongs, on which devices somebody is known, and the links by which another becomes theirs.

A person is an id, by which seats are held. A browser has a token of its own; a device is such a token that belongs to a
person. A token without a device is a person of its own, whose id is its hash, as it was for everybody before there were
devices. A link is a key that works once, within some days, until it is revoked. The store has only hashes of all of them.
"""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, NamedTuple

from spellheist.core.refused import Refused
from spellheist.server.http import bodies, visitors
from spellheist.server.http.visitors import Visitor, hashed

if TYPE_CHECKING:
    from spellheist.server.service import Service
    from spellheist.server.table.connections import Connection

DAY, HOUR = 86_400_000, 3_600_000
LASTS = 30 * DAY  # milliseconds until a link runs out
LINKS, DEVICES = 5, 20  # that a person can have at one time
REMEMBERED = 3.0  # seconds for which a device is not asked for again
KNOWN = 10_000  # devices that are remembered
TABLES = 12  # at which somebody is looked for, to tell who they are
TOGETHER = 500  # devices in one question
SIGNED_OUT = 4401  # the close code of lines whose device was signed out
UNKNOWN = "This link is no longer valid: it was used, it was revoked, or it is too old. Ask for a new one."
NOBODY = "Sit down at a table first; until then there is nobody to make a link for."
COLUMNS = "device, person, name, since, seen, old, ended"

BROWSERS = (
    ("Edge", r"Edg|EdgiOS"), ("Opera", r"OPR|Opera"), ("Samsung Internet", r"SamsungBrowser"),
    ("Firefox", r"Firefox|FxiOS"), ("Chrome", r"Chrome|CriOS|Chromium"), ("Safari", r"Safari"),
)  # fmt: skip
SYSTEMS = (
    ("iPhone", r"iPhone"), ("iPad", r"iPad"), ("Android", r"Android"), ("Windows", r"Windows"), ("ChromeOS", r"CrOS"),
    ("Mac", r"Macintosh|Mac OS"), ("Linux", r"Linux|X11"),
)  # fmt: skip


class Device(NamedTuple):
    """A browser that belongs to a person."""

    device: str  # the hash of its token
    person: str
    name: str  # such as "Firefox on Linux"
    since: int
    seen: int  # the hour in which it was last here
    old: int = 0  # its token is a link as well, as all were once
    ended: int = 0  # it was signed out


class People:
    """The persons, devices and links of a store."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.known: dict[str, tuple[float, Device | None]] = {}  # what was lately read, and when

    # Who somebody is.

    async def visitor(self, key: str) -> Visitor:
        """The person to whom a browser with this token belongs."""
        if not key:
            return Visitor()
        token = hashed(key)
        device = await self.device(token)
        if device is None:
            return visitors.visitor_with(key)
        if device.ended:
            return Visitor(ended=True)
        return Visitor(device.person, key, token)

    async def device(self, token: str) -> Device | None:
        """The device of a token. What is known of it may be a few seconds old."""
        at, found = self.known.get(token, (-REMEMBERED, None))
        if time.monotonic() - at < REMEMBERED:
            return found
        rows = await self.service.store.people(f"select {COLUMNS} from devices where device = ?", token)
        found = Device(*rows[0]) if rows else None
        hour = self.hour()
        if found and not found.ended and found.seen < hour:
            found = found._replace(seen=hour)
            self.service.start(self.service.store.people("update devices set seen = ? where device = ?", hour, token))
        self.remember(token, found)
        return found

    def remember(self, token: str, device: Device | None) -> None:
        if len(self.known) >= KNOWN:
            self.known.clear()
        self.known[token] = time.monotonic(), device

    def hour(self) -> int:
        return self.service.now() // HOUR * HOUR

    async def settle(self, visitor: Visitor, agent: str) -> Visitor:
        """Somebody who takes a seat is a person from now on, and is known by this browser. Nobody waits until that is
        written, since it says no more than the seat will."""
        if not visitor.known:
            visitor = visitors.visitor_with(visitors.new_token())
            device = self.own(visitor, agent, 0)
        elif await self.device(visitor.device) is None:
            device = self.own(visitor, agent, 1)  # of a version that had no devices: its token may be out as a link
        else:
            return visitor
        self.remember(visitor.device, device)
        self.service.start(self.put(device))
        return visitor

    def own(self, visitor: Visitor, agent: str, old: int) -> Device:
        return Device(visitor.device, visitor.token, named(agent), self.service.now(), self.hour(), old)

    async def put(self, device: Device) -> None:
        adding = f"insert into devices ({COLUMNS}) values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing"
        await self.service.store.people(adding, *device)

    async def look(self, person: str) -> bodies.WhoOut:
        """Under what name somebody plays, and at how many tables."""
        name, tables = "", 0
        for row in await self.service.store.held(person, TABLES):
            if row.record is not None:
                continue
            try:
                table = (await self.service.glimpse(row.table)).table
            except Refused:  # archived meanwhile, or damaged
                continue
            seats = table.seats_of(person)
            if seats:
                name, tables = name or table.play.names[seats[0]], tables + 1
        return bodies.WhoOut(name, tables)

    # Devices.

    async def devices(self, person: str) -> list[Device]:
        query = f"select {COLUMNS} from devices where person = ? and ended = 0 order by since"
        return [Device(*row) for row in await self.service.store.people(query, person)]

    async def sign_out(self, device: str) -> None:
        """A token is worth nothing from now on, and its lines end."""
        await self.forget(device)
        self.end_connections({device})

    async def forget(self, device: str) -> None:
        """The same, but lines end at the next sweep: by then a page of this browser can have its new token."""
        await self.service.store.people("update devices set ended = 1 where device = ?", device)
        self.known.pop(device, None)

    async def check(self) -> None:
        """End the lines of devices that were signed out, by whichever server."""
        here = sorted({connection.device for connection in self.connections() if connection.device})
        for first in range(0, len(here), TOGETHER):
            some = here[first : first + TOGETHER]
            marks = ", ".join("?" * len(some))
            query = f"select device from devices where ended = 1 and device in ({marks})"
            ended = {device for (device,) in await self.service.store.people(query, *some)}
            for device in ended:
                self.known.pop(device, None)
            self.end_connections(ended)

    def connections(self) -> list[Connection]:
        return [connection for live in self.service.tables.values() for connection in live.connections]

    def end_connections(self, devices: set[str]) -> None:
        for connection in self.connections():
            if connection.device in devices:
                connection.end(SIGNED_OUT, str(visitors.SignedOut()))

    # Links.

    async def links(self, person: str) -> list[bodies.LinkOut]:
        query = "select link, made, until from links where person = ? and until > ? order by made"
        rows = await self.service.store.people(query, person, self.service.now())
        return [bodies.LinkOut(short(link), made, until) for link, made, until in rows]

    async def person_of(self, key: str) -> str:
        """For whom a link is. Refuses one that is none. The token of somebody who had none of these devices is a link,
        too: once, all links were."""
        link = hashed(key) if visitors.TOKEN.fullmatch(key) else ""
        store = self.service.store
        rows = await store.people("select person from links where link = ? and until > ?", link, self.service.now())
        if rows:
            return str(rows[0][0])
        if link and await self.has_old_links(link):
            return link
        raise Refused(UNKNOWN)

    async def has_old_links(self, person: str) -> bool:
        """Does the first token of a person work as a link?"""
        rows = await self.service.store.people(f"select {COLUMNS} from devices where device = ?", person)
        if not rows:
            return bool(await self.service.store.held(person, 1))
        device = Device(*rows[0])
        return bool(device.old and not device.ended and device.person == person)

    async def use(self, key: str, agent: str) -> Visitor:
        """A new device for the person for whom a link is, which is used up by that."""
        person = await self.person_of(key)
        if len(await self.devices(person)) >= DEVICES:
            raise Refused(f"A person can have at most {DEVICES} devices; sign one of them out first.")
        store, link = self.service.store, hashed(key)
        if link != person:
            taken = "delete from links where link = ? and until > ? returning person"
            if not await store.people(taken, link, self.service.now()):  # somebody else was quicker
                raise Refused(UNKNOWN)
        return await self.add(person, agent)

    async def add(self, person: str, agent: str) -> Visitor:
        token = visitors.new_token()
        device = Device(hashed(token), person, named(agent), self.service.now(), self.hour())
        await self.put(device)
        self.remember(device.device, device)
        return Visitor(person, token, device.device)

    async def new_link(self, visitor: Visitor) -> tuple[str, bodies.LinkOut]:
        """The key of a new link, and what is listed of it. The oldest ones make room."""
        store, key, now = self.service.store, visitors.new_token(), self.service.now()
        made = bodies.LinkOut(short(hashed(key)), now, now + LASTS)
        await store.people("insert into links values (?, ?, ?, ?)", hashed(key), visitor.token, made.made, made.until)
        await store.people(
            "delete from links where person = ? and (until <= ? or link not in (select link from links where person = ?"
            " order by made desc, link limit ?))",
            visitor.token, now, visitor.token, LINKS,
        )  # fmt: skip
        return key, made

    async def revoke_old(self, visitor: Visitor, agent: str) -> Visitor:
        """The first token of a person is no link any more, and no device: this browser gets another one if it has it."""
        now = Visitor() if visitor.device != visitor.token else await self.add(visitor.token, agent)
        await self.put(Device(visitor.token, visitor.token, "", 0, 0, 1))  # if it was not written down
        await self.forget(visitor.token)
        return now


def short(secret: str) -> str:
    """What a device or a link is called among those of its person."""
    return secret[:16]


def named(agent: str) -> str:
    """A browser in two words, as coarse as it helps its owner."""
    browser = next((name for name, mark in BROWSERS if re.search(mark, agent)), "")
    system = next((name for name, mark in SYSTEMS if re.search(mark, agent)), "")
    return " on ".join(part for part in (browser or "A browser", system) if part)
